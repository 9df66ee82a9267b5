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
# Each case also runs with other languages and time zones set; HERE_ONLY=1 leaves that out.
# BUILD (build) names the build folder.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. tests/tap.sh
. tests/env.sh

update=no
[ "${1:-}" != --update ] || { update=yes; shift; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/got" "$scratch/elsewhere" "$scratch/absent"
: >"$scratch/absent/stdout"
: >"$scratch/absent/stderr"
echo 0 >"$scratch/absent/exit"

# slurp VARIABLE FILE: without a process, of which these tests would start thousands.
slurp() { IFS= read -r -d '' "$1" <"$2"; return 0; }

# run_case FOLDER GOT [NAME=VALUE...]: leaves stdout, stderr and exit in GOT. The scratch folder's
# name differs from run to run and is no part of an answer.
run_case() {
    local folder=$1 got=$2 part text
    shift 2
    mkdir "$scratch/t"
    T=$scratch/t calm env "$@" bash "$folder/cmd" </dev/null >"$got/stdout" 2>"$got/stderr"
    echo $? >"$got/exit"
    for part in stdout stderr; do
        slurp text "$got/$part"
        case $text in *"$scratch/t"*) printf %s "${text//"$scratch/t"/\$T}" >"$got/$part" ;; esac
    done
    rm -rf "$scratch/t"
}

# differ LABEL WANTED LABEL GOT
differ() {
    local wanted got
    slurp wanted "$2"
    slurp got "$4"
    [ "$wanted" = "$got" ] || diff -u --label "$1" --label "$3" "$2" "$4"
}

compare() {
    local part wanted
    for part in stdout stderr exit; do
        wanted=$1/$part
        [ -f "$wanted" ] || wanted=$scratch/absent/$part
        differ "wanted $part" "$wanted" "got $part" "$scratch/got/$part"
    done
}

# The same bytes whatever the machine. Only LC_MESSAGES chooses a language, so it stays.
elsewhere() {
    local got=$scratch/elsewhere place part
    for place in "LANG=de_DE.UTF-8 TZ=America/New_York" "LANG=zh_CN.UTF-8 TZ=Asia/Shanghai"; do
        # shellcheck disable=SC2086 -- two settings
        run_case "$1" "$got" -u LC_ALL LC_MESSAGES=C $place
        for part in stdout stderr exit; do
            differ "here $part" "$scratch/got/$part" "$place $part" "$got/$part"
        done
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
    slurp cmd "$folder/cmd"
    if [ -z "${CARNOT_DATA:-}" ] && [[ $cmd == *CARNOT_DATA* ]]; then
        skip "$name" "CARNOT_DATA is not set"
        continue
    fi
    run_case "$folder" "$scratch/got"
    if [ $update = yes ]; then
        rewrite "$folder"
        ok "$name"
    else
        verdict "$name" "$(compare "$folder")"
        [ -n "${HERE_ONLY:-}" ] || verdict "$name elsewhere" "$(elsewhere "$folder")"
    fi
done
[ $tap_n -gt 0 ] || skip "command-line tests" "there are none"
done_testing
