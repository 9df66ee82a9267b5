#!/usr/bin/env bash
# headers.sh - every header compiles alone, twice in a row, and defines nothing.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. tests/tap.sh

for header in $(find src include -name '*.h' 2>/dev/null | LC_ALL=C sort); do
    name=${header#src/}
    said=$(printf '#include "%s"\n#include "%s"\n' "$name" "${name#include/}" |
        "${CC:-cc}" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -I src -I include -I . \
            -x c - 2>&1)
    verdict "$header" "$said"
done
done_testing
