#!/usr/bin/env bash
#
# docs.sh [--update] [FILE...] - every example of the docs is run, every link leads somewhere.
#
# A fenced block marked `console` holds commands ("$ carnot ...") and, below each, what it prints
# (messages included). The block is written again from real runs; any difference is a failure, and
# --update keeps the new text. To show a part, say so in the command: "$ carnot ... | head -20".
# Blocks with other marks (sh, yaml, text) are not run.
# A command that names CARNOT_DATA keeps its text when that is not set.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. tests/tap.sh
. tests/env.sh

update=no
[ "${1:-}" != --update ] || { update=yes; shift; }
[ $# -gt 0 ] || set -- ./*.md docs/*.md docs/*/*.md src/*/README.md web/README.md

fresh=$(mktemp)
T=$(mktemp -d)
trap 'rm -rf "$fresh" "$T"' EXIT

# rewritten FILE: the file with its console blocks run again.
rewritten() {
    local line inside=no keep=no
    while IFS= read -r line || [ -n "$line" ]; do
        case $inside:$line in
        no:'```console') inside=yes keep=no ;;
        yes:'```') inside=no ;;
        yes:'$ '*)
            printf '%s\n' "$line"
            if [ -z "${CARNOT_DATA:-}" ] && [[ $line == *CARNOT_DATA* ]]; then
                keep=yes
            else
                keep=no
                calm bash -c "${line#'$ '}" </dev/null 2>&1 | sed 's/[[:space:]]*$//'
            fi
            continue ;;
        yes:*) [ $keep = yes ] || [ -z "$line" ] || continue ;;
        esac
        [ "$inside:$keep:$line" = yes:no: ] && continue
        printf '%s\n' "$line"
    done <"$1"
}

# Links to files of the tree that are not there; pages of the web are not asked.
dead_links() {
    grep -oE '\]\([^)#: ]+' "$1" | sed 's/^](//' | grep -v '^http' | while read -r link; do
        [ -e "$(dirname "$1")/$link" ] || echo "$1: no $link"
    done
}

for file in "$@"; do
    [ -f "$file" ] || continue
    verdict "links of $file" "$(dead_links "$file")"
    if ! grep -q '^```console$' "$file"; then continue; fi
    rewritten "$file" >"$fresh"
    if [ $update = yes ]; then
        cmp -s "$fresh" "$file" || cp "$fresh" "$file"
        ok "$file"
    else
        verdict "examples of $file" "$(diff -u --label "$file" --label "real run" "$file" "$fresh")"
    fi
done
done_testing
