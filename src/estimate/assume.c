/* assume.c - defaults, each listed once when it is used. */
#include <math.h>

#include "base/text.h"
#include "base/unit.h"
#include "estimate/build.h"

static const struct {
    const char *key;
    double value;
    const char *unit, *why, *source;
} defaults[CN_N_DEFAULTS] = {
#define X(name, key, value, unit, why, source) {key, value, unit, why, source},
    CN_DEFAULT_LIST(X)
#undef X
};

const char *cn_default_key(cn_default which)
{
    return defaults[which].key;
}

void cn_assume_text(cn_build *b, const char *key, const char *text, const char *why,
                    const char *source)
{
    cn_estimate *e = b->e;
    if (e->n_assumed < CN_MAX_ASSUMED)
        e->assumed[e->n_assumed++] = (cn_assumed){key, text, why, source};
}

static void list(cn_build *b, cn_default which)
{
    char digits[64];
    const char *unit = defaults[which].unit;
    double factor = 1;
    const char *scaled = cn_unit_scale(defaults[which].value, unit, &factor);
    if (b->is_assumed[which])
        return;
    b->is_assumed[which] = true;
    double x = defaults[which].value / factor;
    if (x == floor(x))
        cn_number_text(x, 0, digits);
    else
        cn_number_sig(x, 3, digits);
    cn_assume_text(b, defaults[which].key, cn_text_of(b, "%s %s", digits, scaled),
                   _(defaults[which].why), defaults[which].source);
}

double cn_assume(cn_build *b, double said, cn_default which)
{
    if (!isnan(said))
        return said;
    list(b, which);
    return defaults[which].value;
}

cn_fig *cn_assume_fig(cn_build *b, double said, cn_default which, const char *key,
                      const char *label)
{
    double x = cn_assume(b, said, which);
    const char *unit = defaults[which].unit;
    if (!isnan(said))
        return cn_fig_new(b->cx, key, label, unit, x, CN_BASIS_GIVEN, "spec");
    cn_fig *f = cn_fig_new(b->cx, key, label, unit, x, CN_BASIS_ASSUMED, defaults[which].source);
    f->why = _(defaults[which].why);
    return f;
}
