#!/bin/sh
#
# embed.sh DATA OUT DEPFILE - write an assembly file that puts every file of DATA into the program,
# and the list of what it depends on, so that a changed or added file is built in.
#
# The table is cn_data_files of data.h: name below DATA, text, length; a NUL follows each text.

set -eu
data=$1 out=$2 dep=$3

names=$(cd "$data" && find . -name '*.yaml' -o -name '*.csv' | sed 's|^\./||' | LC_ALL=C sort)

{
    echo '/* Made by embed.sh: do not edit. */'
    echo '    .section .rodata'
    i=0
    for name in $names; do
        printf 'n%d: .asciz "%s"\n' "$i" "$name"
        printf 't%d: .incbin "%s/%s"\ne%d: .byte 0\n' "$i" "$data" "$name" "$i"
        i=$((i + 1))
    done
    printf '    .balign 8\n    .globl cn_n_data_files\ncn_n_data_files: .quad %d\n' "$i"
    echo '    .section .data.rel.ro,"aw"'
    printf '    .balign 8\n    .globl cn_data_files\ncn_data_files:\n'
    i=0
    for name in $names; do
        printf '    .quad n%d, t%d, e%d - t%d\n' "$i" "$i" "$i" "$i"
        i=$((i + 1))
    done
    echo '    .section .note.GNU-stack,"",%progbits'
} >"$out"

{
    printf '%s:' "$out"
    find "$data" -type d -exec printf ' %s' {} +
    for name in $names; do printf ' %s/%s' "$data" "$name"; done
    echo
} >"$dep"
