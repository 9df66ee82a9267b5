#!/usr/bin/env bash
#
# checks_test.sh - the checks notice what they are for: each is run on a small tree with one planted
# offence and must fail, and on the same tree without it and must pass.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. tests/tap.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
clean=$scratch/clean tree=$scratch/tree

# A house of three rooms in which all is well.
mkdir -p "$clean"/{.ci,tests,fuzz,docs,po,src/base,src/model,src/spec}
cp tests/{tap,env,layers,headers,sources,style,golden,docs,po}.sh "$clean/tests/"
cp dev .clang-format "$clean/"
cp .ci/run "$clean/.ci/"
: >"$clean/fuzz/meson.build"
cat >"$clean/docs/sources.bib" <<'END'
@article{ring2009,
  title = {Rings},
}
END
cat >"$clean/src/base/a.h" <<'END'
/* a.h - a value. */
#ifndef A_H
#define A_H
typedef int a;
#endif
END
cat >"$clean/src/model/m.h" <<'END'
/* m.h - formulas. */
#ifndef M_H
#define M_H

/* Time. Source: [ring2009] */
double cn_m_s(double n);

#endif
END
cat >"$clean/src/model/m.c" <<'END'
/* m.c - formulas. */
#include "model/m.h"

double cn_m_s(double n)
{
    return n;
}
END
cat >"$clean/src/spec/s.c" <<'END'
/* s.c - reads. */
#include "base/a.h"
#include "model/m.h"
END

plant() {
    rm -rf "$tree"
    cp -r "$clean" "$tree"
}

# archive: libcarnot.a of the planted tree, as the build names its members.
archive() {
    (cd "$tree" && for c in src/*/*.c; do
        gcc -w -std=c17 -I src -fPIE -c "$c" -o "$(printf %s "$c" | tr / _).o" || exit 1
    done && ar rcs libcarnot.a ./*.o)
}

# run CHECK: only the layer check is told where the build is; names would select cases elsewhere.
run() {
    if [ "$1" = layers.sh ]; then "$tree/tests/$1" "$tree"; else "$tree/tests/$1"; fi
}

# passes CHECK: it is content with the tree as it stands.
passes() {
    local said
    if said=$(run "$1" 2>&1); then ok "$1 passes a clean tree"
    else not_ok "$1 passes a clean tree" "$said"; fi
}

# fails CHECK CASE WHY SHELL: a clean tree, changed by SHELL in its root, fails CHECK at CASE.
fails() {
    local said
    plant
    (cd "$tree" && eval "$4")
    [ "$1" != layers.sh ] || archive
    said=$(run "$1" 2>&1)
    if grep -q "^not ok [0-9]* - .*$2" <<<"$said"; then ok "$1 notices $3"
    else not_ok "$1 notices $3" "$said"; fi
}

plant && archive
passes layers.sh
for check in headers sources style po; do passes $check.sh; done

fails layers.sh "base includes only" "a room below that includes one above" \
    'echo "#include \"spec/s.h\"" >>src/base/a.h; : >src/spec/s.h'
fails layers.sh "spec includes only" "an include that hides its room" \
    'echo "#include \"../base/a.h\"" >>src/spec/s.c'
fails layers.sh "known room" "a room that is not in the list" 'mkdir src/attic'
fails layers.sh "only arithmetic" "I/O in the model" 'echo "#include <stdio.h>" >>src/model/m.c'
fails layers.sh "only arithmetic" "a base header the model may not have" \
    'echo "#include \"base/a.h\"" >>src/model/m.c'
fails layers.sh "holds no global" "a global in the model" \
    'echo "int n_calls; int *p(void); int *p(void) { return &n_calls; }" >>src/model/m.c'
fails layers.sh "nor allocates" "an allocation in the model" \
    'echo "void *malloc(unsigned long); void *p(void) { return malloc(4); }" >>src/model/m.c'
fails layers.sh "neither exits" "an exit in the library" \
    'echo "void exit(int); void quit(void) { exit(1); }" >>src/spec/s.c'

fails headers.sh "a.h" "a header that needs another" \
    'sed -i "s/typedef int a;/typedef size_t a;/" src/base/a.h; rm src/spec/s.c'

fails sources.sh "every key used" "an unknown source" \
    'echo "/* As in [nobody1999]. */" >>src/spec/s.c'
fails sources.sh "a figure or a fact" "a figure with an unknown source" \
    'echo "static const char *of = \"unheard1999\";" >>src/model/ring.c'
fails sources.sh "every formula" "a formula without a source" \
    'sed -i "s/ Source: .ring2009.//" src/model/m.h'
fails sources.sh "twice" "a source defined twice" \
    'cat docs/sources.bib >>again && cat again >>docs/sources.bib'

fails style.sh "layout of src/model/m.c" "a wrong layout" \
    'sed -i "s/    return/  return/" src/model/m.c'
fails style.sh "no function over" "a function that is too long" \
    '{ echo; echo "int f(int n)"; echo "{"; yes "    n++;" | head -90; echo "    return n;"; echo "}"; } \
        >>src/spec/s.c'
fails style.sh "no marks" "a mark of unfinished work" 'echo "/* TO""DO: later */" >>src/spec/s.c'
fails style.sh "no code switched off" "code switched off" \
    'printf "#if 0\nint n;\n#endif\n" >>src/spec/s.c'
fails style.sh "opens with" "a file that does not say what it is" 'sed -i 1d src/spec/s.c'
fails style.sh "is listed" "a fuzz target that is not listed" 'echo "/* f */" >fuzz/fuzz_x.c'

head='msgid ""\nmsgstr ""\n"Language: zh_CN\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
fails po.sh "is complete" "a text without a translation" \
    'echo "const char *s = _(\"hello %s\");" >>src/spec/s.c; printf "$head" >po/zh_CN.po'
fails po.sh "well formed" "a translation with another placeholder" \
    'echo "const char *s = _(\"hello %s\");" >>src/spec/s.c
     printf "$head\n#, c-format\nmsgid \"hello %%s\"\nmsgstr \"hello %%d\"\n" >po/zh_CN.po'

golden='mkdir -p tests/cli/one && echo one >tests/cli/one/stdout && echo'
fails golden.sh "one" "another output" "$golden 'echo two' >tests/cli/one/cmd"
fails golden.sh "one" "another message" "$golden 'echo one; echo two >&2' >tests/cli/one/cmd"
fails golden.sh "one" "another exit status" "$golden 'echo one; exit 3' >tests/cli/one/cmd"
echo 'echo one' >"$tree/tests/cli/one/cmd"
passes golden.sh

fails docs.sh "links of" "a link to nowhere" 'echo "[more](more.md)" >README.md'
fails docs.sh "examples of" "an example that is not true" \
    'printf "\`\`\`console\n$ echo two\none\n\`\`\`\n" >README.md'
"$tree/tests/docs.sh" --update >/dev/null
verdict "docs.sh rewrites an example" "$(grep -x one "$tree/README.md")"
passes docs.sh
done_testing
