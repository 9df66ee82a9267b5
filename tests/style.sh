#!/usr/bin/env bash
# style.sh - what can be said of the text without compiling it.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. tests/tap.sh

max_function=90

# With this layout only a function opens with a brace alone in column 0.
long_functions() {
    c_files | xargs awk -v max=$max_function '
        FNR == 1 { start = 0 }
        /^\{$/ { start = FNR; name = last }
        /^\}/ && start { if (FNR - start + 1 > max)
            print FILENAME ":" start ": " FNR - start + 1 " lines: " name; start = 0 }
        { last = $0 }'
}

unheaded() {
    c_files | while read -r file; do
        case $(head -c 2 "$file") in "/*" | "//") ;; *) echo "$file does not say what it is" ;; esac
    done
}

marks="TO""DO|FIX""ME|XX""X|HA""CK"
untidy=$(c_files | xargs clang-format --dry-run --Werror 2>&1)
for file in $(c_files); do
    case $'\n'$untidy in
    *$'\n'"$file:"*) not_ok "layout of $file" "$(grep -A2 "^$file:" <<<"$untidy")" ;;
    *) ok "layout of $file" ;;
    esac
done
verdict "no function over $max_function lines" "$(long_functions)"
verdict "every file opens with its purpose" "$(unheaded)"
verdict "no marks of unfinished work" "$(c_files | xargs grep -nE "\\b($marks)\\b" /dev/null)"
verdict "no code switched off" "$(c_files | xargs grep -nE '^[[:space:]]*#[[:space:]]*if 0' /dev/null)"
verdict "no tabs, no space at line ends" "$(c_files | xargs grep -nP '\t|[ \t]$' /dev/null)"
verdict "every fuzz target is listed" "$(for f in fuzz/fuzz_*.c; do
    [ -f "$f" ] || continue
    t=${f#fuzz/fuzz_} t=${t%.c}
    grep -q "'$t'" fuzz/meson.build || echo "$f is not in fuzz/meson.build"
done)"
for script in dev .ci/run tests/*.sh; do
    verdict "syntax of $script" "$(bash -n "$script" 2>&1)"
done
done_testing
