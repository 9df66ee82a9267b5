#!/bin/sh
# po2c.sh PO - print the C table of src/base/lang_table.h, sorted by bytes. Fuzzy and empty entries are left out.
set -eu
export LC_ALL=C
awk '
function body(line) { sub(/^[a-z]* *"/, "", line); sub(/"$/, "", line); return line }
function key(text) { gsub(/\\"/, "\"", text); gsub(/\\n/, "\001", text); return text } # as strcmp() sees it
function flush() { if (id != "" && str != "" && !fuzzy) print key(id) "\t" id "\t" str; id = str = ""; at = ""; fuzzy = 0 }
/^#,.*fuzzy/ { fuzzy = 1 }
/^msgid "/ { f = fuzzy; fuzzy = f; if (at == "str") { flush(); fuzzy = f } at = "id"; id = body($0); next }
/^msgstr "/ { at = "str"; str = body($0); next }
/^"/ { sub(/^"/, ""); sub(/"$/, ""); if (at == "id") id = id $0; else str = str $0; next }
/^$/ { if (at == "str") flush() }
END { if (at == "str") flush() }
' "$1" | sort -t "$(printf '\t')" -k1,1 -u | awk -F '\t' '
BEGIN { print "#include \"base/lang_table.h\"\n\nconst cn_lang_entry cn_lang_zh[] = {" }
{ printf "    {\"%s\", \"%s\"},\n", $2, $3; n++ }
END { print "    {0, 0},\n};"; printf "const size_t cn_lang_zh_n = %d;\n", n }
'
