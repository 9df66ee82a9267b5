/* figs.c - figures of common shape: given, formula, product, quotient. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "estimate/build.h"

const char *cn_text_of(cn_build *b, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    char *copy = cn_arena_str(&b->cx->arena, text);
    if (!copy)
        cn_nomem(b->cx);
    return copy ? copy : "";
}

void cn_fig_range(cn_fig *f, double lo, double hi)
{
    if (!f->known || isnan(lo) || isnan(hi))
        return;
    f->lo = fmin(fmin(lo, hi), f->value);
    f->hi = fmax(fmax(lo, hi), f->value);
}

cn_fig *cn_fig_given(cn_build *b, const char *key, const char *label, const char *unit,
                     double value)
{
    return cn_fig_new(b->cx, key, label, unit, value, CN_BASIS_GIVEN, "spec");
}

cn_fig *cn_fig_formula(cn_build *b, const char *key, const char *label, const char *unit,
                       double value, const char *formula, const char *source)
{
    cn_fig *f = cn_fig_new(b->cx, key, label, unit, value, CN_BASIS_FORMULA, source);
    f->formula = formula;
    return f;
}

/* The reason of the part that is not known; NULL if both are. */
static const char *missing(const cn_fig *x, const cn_fig *y)
{
    return !x->known ? x->why : !y->known ? y->why : NULL;
}

static cn_fig *joined(cn_build *b, const char *key, const char *label, const char *unit, cn_fig *x,
                      cn_fig *y, double value)
{
    const char *why = missing(x, y);
    cn_fig *f = why ? cn_fig_unknown(b->cx, key, label, unit, why)
                    : cn_fig_new(b->cx, key, label, unit, value, CN_BASIS_FORMULA, NULL);
    if (x->is_partial || y->is_partial)
        f->is_partial = true;
    cn_fig_input(b->cx, f, x);
    cn_fig_input(b->cx, f, y);
    return f;
}

cn_fig *cn_fig_times(cn_build *b, const char *key, const char *label, const char *unit, cn_fig *x,
                     cn_fig *y)
{
    cn_fig *f = joined(b, key, label, unit, x, y, x->value * y->value);
    f->kind = CN_FIG_PRODUCT;
    cn_fig_range(f, x->lo * y->lo, x->hi * y->hi);
    return f;
}

cn_fig *cn_fig_over(cn_build *b, const char *key, const char *label, const char *unit, cn_fig *x,
                    cn_fig *y, const char *formula)
{
    cn_fig *f = joined(b, key, label, unit, x, y, x->value / y->value);
    f->formula = formula;
    cn_fig_range(f, x->lo / y->value, x->hi / y->value);
    return f;
}
