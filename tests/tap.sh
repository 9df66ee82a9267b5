# tap.sh - what the check scripts share: TAP lines, and the lists of files they look at.
# Sourced, with the repository root as working folder.
# shellcheck shell=bash

tap_n=0 tap_bad=0

# ok NAME / not_ok NAME [DETAIL]: one case.
ok() { tap_n=$((tap_n + 1)); echo "ok $tap_n - $1"; }
not_ok() {
    tap_n=$((tap_n + 1)) tap_bad=$((tap_bad + 1))
    echo "not ok $tap_n - $1"
    [ -z "${2:-}" ] || printf '%s\n' "$2" | head -60 | sed 's/^/# /'
}
skip() { tap_n=$((tap_n + 1)); echo "ok $tap_n - $1 # SKIP $2"; }

# verdict NAME FOUND: passes when FOUND, the list of offences, is empty.
verdict() { if [ -z "$2" ]; then ok "$1"; else not_ok "$1" "$2"; fi; }

done_testing() {
    echo "1..$tap_n"
    [ "$tap_bad" = 0 ]
}

c_files() { find src include fuzz bench tests tools -name '*.[ch]' 2>/dev/null | LC_ALL=C sort; }
