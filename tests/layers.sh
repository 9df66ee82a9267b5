#!/usr/bin/env bash
#
# layers.sh [BUILD] - the house keeps its order: a room includes only rooms below it, the model is
# pure, and the library leaves printing and exiting to the program.
#
# Includes are read from the text; purity is also read from the object files of BUILD, where no
# macro can hide a call.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. tests/tap.sh

# From the ground up.
rooms="base model catalog spec estimate plan ledger files watch act report http cli"

# What the model may use of base and of the system: values and arithmetic, nothing that reads,
# writes, allocates or fails.
model_base="rng.h"
model_system="assert.h float.h limits.h math.h stdbool.h stddef.h stdint.h string.h"

# "file form name" of every include of src; the form is q for "..." and s for <...>.
includes=$(find src -name '*.[ch]' | LC_ALL=C sort | xargs awk '
    match($0, /^[ \t]*#[ \t]*include[ \t]*["<][^">]+[">]/) {
        name = substr($0, RSTART, RLENGTH)
        form = name ~ /</ ? "s" : "q"
        sub(/^[^"<]*["<]/, "", name); sub(/[">]$/, "", name)
        print FILENAME, form, name
    }')

# offences ROOM: its includes that point upward, hide their room, or name none.
offences() {
    awk -v rooms="$rooms" -v room="$1" '
        BEGIN { n = split(rooms, list, " "); for (i = 1; i <= n; i++) place[list[i]] = i }
        { split($1, path, "/") }
        path[2] != room || $2 != "q" { next }
        { other = $3; sub(/\/.*/, "", other) }
        other == $3 { print $1 " includes \"" $3 "\": name the room, as in \"" room "/" $3 "\""; next }
        other == "carnot" { next }
        !(other in place) || place[other] > place[room] {
            print $1 " includes \"" $3 "\", which does not lie below " room }' <<<"$includes"
}

# What the model includes beyond itself and the two lists. Its tests may use what they like.
impurities() {
    awk -v base="$model_base" -v system_="$model_system" '
        BEGIN {
            n = split(base, list, " "); for (i = 1; i <= n; i++) good["q base/" list[i]] = 1
            n = split(system_, list, " "); for (i = 1; i <= n; i++) good["s " list[i]] = 1
        }
        $1 ~ /^src\/model\// && $1 !~ /_test\.c$/ && !($2 == "q" && $3 ~ /^model\//) &&
            !(($2 " " $3) in good) { print $1 " includes " $3 }' <<<"$includes"
}

# Objects in writable sections, by member: "member symbol section". A constant table of texts lies
# in .data.rel.ro, which is read-only once the program is loaded.
writable() {
    objdump -t "$1" 2>/dev/null | awk '
        / file format / { member = $1 }
        / O \.(data|bss|tdata|tbss)/ && !/\.data\.rel\.ro/ {
            print member, $NF, $(NF-2) }'
}

# Symbols of one archive by member: "member type name".
symbols() { nm -A "$1" 2>/dev/null | awk '{ print $1, $(NF-1), $NF }'; }

verdict "every folder of src is a known room" "$(for folder in src/*/; do
    folder=${folder%/}
    case " $rooms " in *" ${folder#src/} "*) ;; *) echo "$folder is not in the list of rooms" ;; esac
done)"
for room in $rooms; do
    [ -d "src/$room" ] || continue
    verdict "$room includes only itself and rooms below" "$(offences "$room")"
done
verdict "model includes only arithmetic" "$(impurities)"

archive=${1:+$1/libcarnot.a}
if [ -n "$archive" ] && [ -f "$archive" ]; then
    # Members of the archive are named after their path: src_model_coll.c.o.
    verdict "model holds no global" "$(writable "$archive" | grep 'src_model_')"
    verdict "model neither reads, prints nor allocates" "$(symbols "$archive" | grep 'src_model_' |
        grep -E ' U (malloc|calloc|realloc|free|printf|fprintf|snprintf|fopen|read|write|time|clock_gettime|getenv|rand|qsort)$')"
    verdict "the library neither exits nor prints" "$(symbols "$archive" | grep -v 'src_cli_' |
        grep -E ' U (exit|_exit|abort|longjmp|__longjmp_chk|printf|__printf_chk|puts|putchar|perror|stdout|stderr)$')"
else
    skip "symbols of the library" "no build folder was given"
fi
done_testing
