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

place() {
    local i=0 room
    for room in $rooms; do
        [ "$room" = "$1" ] && { echo $i; return; }
        i=$((i + 1))
    done
    echo -1
}

# includes FILE: "line form name", form is q for "..." and s for <...>.
includes() {
    sed -nE -e 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"([^"]+)".*/q \1/p' \
            -e 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*<([^>]+)>.*/s \1/p' "$1"
}

has_word() { case " $1 " in *" $2 "*) return 0 ;; esac; return 1; }

order_of() {
    local room=$1 mine file form name other
    mine=$(place "$room")
    for file in src/"$room"/*.[ch]; do
        [ -f "$file" ] || continue
        while read -r form name; do
            [ "$form" = q ] || continue
            other=${name%%/*}
            if [ "$other" = "$name" ]; then
                echo "$file includes \"$name\": name the room, as in \"$room/$name\""
            elif [ "$other" != carnot ] && { [ "$(place "$other")" -lt 0 ] ||
                [ "$(place "$other")" -gt "$mine" ]; }; then
                echo "$file includes \"$name\", which lies above $room"
            fi
        done < <(includes "$file")
    done
}

purity() {
    local file form name
    for file in src/model/*.[ch]; do
        case $file in *_test.c) continue ;; esac
        while read -r form name; do
            case $form:$name in
            q:model/*) ;;
            q:base/*) has_word "$model_base" "${name#base/}" || echo "$file includes \"$name\"" ;;
            q:*) echo "$file includes \"$name\"" ;;
            s:*) has_word "$model_system" "$name" || echo "$file includes <$name>" ;;
            esac
        done < <(includes "$file")
    done
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

unknown_rooms=""
for folder in src/*/; do
    room=$(basename "$folder")
    [ "$(place "$room")" -ge 0 ] || unknown_rooms+="src/$room is not in the list of rooms"$'\n'
done
verdict "every folder of src is a known room" "$unknown_rooms"
for room in $rooms; do
    [ -d "src/$room" ] || continue
    verdict "$room includes only itself and rooms below" "$(order_of "$room")"
done
verdict "model includes only arithmetic" "$(purity)"

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
