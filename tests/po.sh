#!/usr/bin/env bash
# po.sh - each translation is complete: no user text is missing, unsure or left in English, and the
# placeholders agree. User text is what stands in _("...") and N_("...") in src.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. tests/tap.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

find src -name '*.[ch]' ! -name '*_test.c' | LC_ALL=C sort |
    xgettext --files-from=- --language=C --from-code=UTF-8 --keyword=_ --keyword=N_ \
        --output="$scratch/carnot.pot" 2>"$scratch/said"
if [ ! -f "$scratch/carnot.pot" ]; then
    skip "translations" "the source holds no user text yet"
    done_testing
    exit
fi
# The first line of each text of a catalogue.
texts() { grep -A1 -E "^(#~ )?msgid " | grep -vE "^(--|(#~ )?msg(str|id \"\"$))"; }

found=no
for po in po/*.po; do
    [ -f "$po" ] || continue
    found=yes
    verdict "$po is well formed" "$(msgfmt --check-format -o /dev/null "$po" 2>&1)"
    msgmerge --quiet --no-fuzzy-matching "$po" "$scratch/carnot.pot" -o "$scratch/merged.po"
    verdict "$po is complete" "$(msgattrib --untranslated --no-obsolete "$scratch/merged.po" | texts
        msgattrib --only-fuzzy --no-obsolete "$po" | texts)"
    # A text no longer in the source misleads the next reader of the file.
    verdict "$po holds nothing else" "$(msgattrib --only-obsolete "$scratch/merged.po" | texts)"
done
[ $found = yes ] || skip "translations" "po/ holds none yet"
done_testing
