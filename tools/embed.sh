#!/bin/sh
# embed.sh NAME FILE - print C with the bytes of FILE as `const char NAME[]` and their number as NAME_len.
set -eu
printf '/* made from %s */\n#include <stddef.h>\n\nextern const char %s[];\nextern const size_t %s_len;\nconst char %s[] = {\n' \
    "$(basename "$2")" "$1" "$1" "$1"
od -An -v -tu1 "$2" | sed 's/  */,/g; s/^,//; s/$/,/' | sed 's/\([0-9]*\),/(char)\1,/g'
printf '};\nconst size_t %s_len = sizeof %s;\n' "$1" "$1"
