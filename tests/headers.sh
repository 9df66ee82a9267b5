#!/usr/bin/env bash
# headers.sh - every header compiles alone, twice in a row, and defines nothing.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. tests/tap.sh

# compile HEADER: one line of TAP without its number.
compile() {
    local name=${1#src/} said
    name=${name#include/}
    said=$(printf '#include "%s"\n#include "%s"\n' "$name" "$name" |
        "${CC:-cc}" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -I src -I include \
            -x c - 2>&1)
    printf '%s\t%s\n' "$1" "$(tr '\n' '\r' <<<"$said")"
}
export -f compile

while IFS=$'\t' read -r header said; do
    verdict "$header" "$(tr '\r' '\n' <<<"$said" | sed '/^$/d')"
done < <(find src include -name '*.h' 2>/dev/null | LC_ALL=C sort |
    xargs -P 2 -I {} bash -c 'compile {}' | LC_ALL=C sort)
done_testing
