#!/usr/bin/env bash
#
# golden.sh [--update] [NAME...] - command-line tests: the wanted answer of a command, byte by byte.
#
# tests/cli/NAME/cmd     shell lines, run in the repository root; $T is a folder of their own
# tests/cli/NAME/stdout  wanted output
# tests/cli/NAME/stderr  wanted messages (absent: none)
# tests/cli/NAME/exit    wanted status (absent: 0)
#
# Each case runs three times: as wanted, and in the surroundings of a German and of a Chinese machine
# (locale of numbers and dates, time zone), where every byte has to be the same.
#
# A case whose cmd names CARNOT_DATA is skipped when that is not set. --update rewrites the wanted
# files from what the program says now; the diff is then read by a person.
# BUILD (build) names the build folder.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. tests/tap.sh
. tests/env.sh

update=no
[ "${1:-}" != --update ] || { update=yes; shift; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# run_case FOLDER GOT [NAME=VALUE...]: leaves stdout, stderr and exit in GOT.
run_case() {
    local folder=$1 got=$2
    shift 2
    mkdir -p "$got" "$scratch/t"
    T=$scratch/t calm env "$@" bash "$folder/cmd" </dev/null >"$got/stdout" 2>"$got/stderr"
    echo $? >"$got/exit"
    # The scratch folder differs from run to run; its name never is part of an answer.
    sed -i "s|$scratch/t|\$T|g" "$got/stdout" "$got/stderr"
    rm -rf "$scratch/t"
}

# The same bytes whatever the machine. Only LC_MESSAGES chooses a language, so it stays.
elsewhere() {
    local got=$scratch/elsewhere
    run_case "$1" "$got" -u LC_ALL LANG=de_DE.UTF-8 LC_MESSAGES=C TZ=America/New_York
    diff -r -u "$scratch/got" "$got"
    run_case "$1" "$got" -u LC_ALL LANG=zh_CN.UTF-8 LC_MESSAGES=C TZ=Asia/Shanghai
    diff -r -u "$scratch/got" "$got"
}

compare() {
    local part wanted=$scratch/wanted
    for part in stdout stderr exit; do
        if [ -f "$1/$part" ]; then cp "$1/$part" "$wanted"
        elif [ $part = exit ]; then echo 0 >"$wanted"
        else : >"$wanted"; fi
        diff -u --label "wanted $part" --label "got $part" "$wanted" "$scratch/got/$part"
    done
}

rewrite() {
    cp "$scratch/got/stdout" "$1/stdout"
    rm -f "$1/stderr" "$1/exit"
    [ ! -s "$scratch/got/stderr" ] || cp "$scratch/got/stderr" "$1/stderr"
    [ "$(cat "$scratch/got/exit")" = 0 ] || cp "$scratch/got/exit" "$1/exit"
}

for folder in tests/cli/*/; do
    folder=${folder%/} name=${folder##*/}
    [ -f "$folder/cmd" ] || continue
    [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
    if [ -z "${CARNOT_DATA:-}" ] && grep -q CARNOT_DATA "$folder/cmd"; then
        skip "$name" "CARNOT_DATA is not set"
        continue
    fi
    run_case "$folder" "$scratch/got"
    if [ $update = yes ]; then
        rewrite "$folder"
        ok "$name"
    else
        verdict "$name" "$(compare "$folder")"
        verdict "$name elsewhere" "$(elsewhere "$folder")"
    fi
done
[ $tap_n -gt 0 ] || skip "command-line tests" "there are none"
done_testing
