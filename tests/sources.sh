#!/usr/bin/env bash
#
# sources.sh - facts have sources: every [key] in a comment of src stands in docs/sources.bib, and
# every formula (a function of src/model/*.h) has a key in its own comment or in the head of its
# header.
#
# A key is lower case, starts with a letter and holds a digit ([patarasuk2009], [deepseekv2]), which
# tells it from brackets of prose.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. tests/tap.sh

bib=docs/sources.bib

# "key file:line" of every key in a comment of src.
used() {
    find src -name '*.[ch]' | LC_ALL=C sort | xargs awk '
        FNR == 1 { inside = 0 }
        {
            line = $0; text = ""
            while (length(line)) {
                if (inside) {
                    p = index(line, "*/")
                    text = text (p ? substr(line, 1, p - 1) : line)
                    line = p ? substr(line, p + 2) : ""
                    inside = !p
                } else {
                    p = index(line, "/*")
                    line = p ? substr(line, p + 2) : ""
                    inside = p > 0
                }
            }
            text = " " text
            while (match(text, /[^A-Za-z0-9_\])]\[[a-z][a-z0-9-]*\]/)) {
                key = substr(text, RSTART + 2, RLENGTH - 3)
                if (key ~ /[0-9]/) print key, FILENAME ":" FNR
                text = substr(text, RSTART + RLENGTH - 1)
            }
        }'
}

# Keys in texts: alone in quotes in src ("narayanan2021"), in brackets after source: in data.
named() {
    grep -rnoE '"[a-z]+(19|20)[0-9]{2}[a-z0-9]*"' src --include='*.[ch]' --exclude='*_test.c' |
        sed -nE 's/^([^:]*:[0-9]+):"(.*)"$/\2 \1/p'
    [ -d data ] && grep -rnE '^ *source:' data | grep -oE '^[^:]*:[0-9]+|\[[a-z][a-z0-9]*[0-9][a-z0-9]*\]' |
        awk '/^\[/ { print substr($0, 2, length($0) - 2), where; next } { where = $0 }'
}

known() { sed -nE 's/^@[a-zA-Z]+\{([^,]+),.*/\1/p' "$bib" | LC_ALL=C sort; }

# A prototype starts in column 0 with a type and ends with ");", maybe on a later line. Its comment
# is the block above it or what follows on the line; a head comment with "Source: [key]" or a key
# beside each formula covers the header.
bare_formulas() {
    awk '
    function has_key(s) { return s ~ /\[[a-z][a-z0-9-]*[0-9][a-z0-9-]*\]/ }
    FNR == 1 { head = 1; head_text = ""; block = ""; inside = 0; proto = "" }
    {
        line = $0
        if (head) { head_text = head_text line; if (line ~ /\*\//) head = 0; next }
        if (!inside && line ~ /^\/\*/) { block = ""; inside = 1 }
        if (inside) { block = block line; if (line ~ /\*\//) inside = 0; next }
        if (line ~ /^$/) { block = ""; proto = ""; next }
        if (line ~ /^(double|float|[a-z_]+ \*?|static inline [a-z_]+ )[a-z]*.*\(/ || proto != "")
            proto = proto line
        else if (line ~ /^(double|void|bool|int|cn_[a-z_]+)$/) proto = line
        if (proto ~ /\);/) {
            name = proto; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
            if (proto !~ /^typedef/ && proto ~ /^(double|cn_|void)/ && !has_key(proto block head_text))
                print FILENAME ": " name
            proto = ""
        }
    }' src/model/*.h
}

if [ ! -f "$bib" ]; then
    not_ok "docs/sources.bib is there" "every [key] of a comment has to be found in it"
    done_testing
    exit
fi
verdict "every key used in src is in $bib" "$(used | awk -v known="$(known | tr '\n' ' ')" '
    BEGIN { n = split(known, list, " "); for (i = 1; i <= n; i++) there[list[i]] = 1 }
    !($1 in there) { print $2 " [" $1 "] is not there" }')"
verdict "every key that a figure or a fact names is in $bib" "$(named | while read -r key where; do
    known | grep -qxF -- "$key" || echo "$where [$key] is not in $bib"
done)"
verdict "no key is defined twice" "$(known | uniq -d)"
verdict "every key holds a digit, so that it can be found" "$(known | grep -v '[0-9]')"
verdict "every formula of src/model has a source" "$(bare_formulas)"
done_testing
