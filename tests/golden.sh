#!/usr/bin/env bash
#
# golden.sh [--update] [NAME...] - command-line tests: the wanted answer of a command, byte by byte.
#
# tests/cli/NAME/cmd     shell lines, run in the repository root; $T is a folder of their own
# tests/cli/NAME/stdout  wanted output
# tests/cli/NAME/stderr  wanted messages (absent: none)
# tests/cli/NAME/exit    wanted status (absent: 0)
#
# A case whose cmd names CARNOT_DATA is skipped when that is not set. --update rewrites the wanted
# files from what the program says now; the diff is then read by a person.
# BUILD (build) names the build folder.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. tests/tap.sh
. tests/env.sh

update=no
[ "${1:-}" != --update ] || { update=yes; shift; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Leaves stdout, stderr and exit in $scratch/got.
run_case() {
    mkdir -p "$scratch/got" "$scratch/t"
    T=$scratch/t calm bash "$1/cmd" </dev/null >"$scratch/got/stdout" 2>"$scratch/got/stderr"
    echo $? >"$scratch/got/exit"
    # The scratch folder differs from run to run; its name never is part of an answer.
    sed -i "s|$scratch/t|\$T|g" "$scratch/got/stdout" "$scratch/got/stderr"
    rm -rf "$scratch/t"
}

compare() {
    local part wanted=$scratch/wanted
    for part in stdout stderr exit; do
        if [ -f "$1/$part" ]; then cp "$1/$part" "$wanted"
        elif [ $part = exit ]; then echo 0 >"$wanted"
        else : >"$wanted"; fi
        diff -u --label "wanted $part" --label "got $part" "$wanted" "$scratch/got/$part"
    done
}

rewrite() {
    cp "$scratch/got/stdout" "$1/stdout"
    rm -f "$1/stderr" "$1/exit"
    [ ! -s "$scratch/got/stderr" ] || cp "$scratch/got/stderr" "$1/stderr"
    [ "$(cat "$scratch/got/exit")" = 0 ] || cp "$scratch/got/exit" "$1/exit"
}

for folder in tests/cli/*/; do
    folder=${folder%/} name=${folder##*/}
    [ -f "$folder/cmd" ] || continue
    [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
    if [ -z "${CARNOT_DATA:-}" ] && grep -q CARNOT_DATA "$folder/cmd"; then
        skip "$name" "CARNOT_DATA is not set"
        continue
    fi
    run_case "$folder"
    if [ $update = yes ]; then
        rewrite "$folder"
        ok "$name"
    else
        verdict "$name" "$(compare "$folder")"
    fi
done
[ $tap_n -gt 0 ] || skip "command-line tests" "there are none"
done_testing
