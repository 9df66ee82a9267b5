/* estimate.c - the order in which an estimate is made. */
#include <math.h>

#include "base/text.h"
#include "estimate/build.h"

static cn_code make(cn_build *b)
{
    cn_estimate *e = b->e;
    CN_TRY(cn_settle_run(b));
    CN_TRY(cn_settle_layout(b));
    cn_settle_purchase(b);
    CN_TRY(cn_settle_campaign(b));
    cn_figure_run(b);
    cn_figure_campaign(b);
    CN_TRY(cn_problems(b->cx));
    CN_TRY(cn_cost_make(b));
    cn_waterfall_make(b);
    cn_units_make(b);
    cn_limits_make(b);
    if (!e->fits)
        cn_find_remedies(b);
    return cn_problems(b->cx);
}

cn_code cn_estimate_make(cn_ctx *cx, cn_catalog *cat, const cn_spec *spec,
                         const cn_estimate_opts *opts, cn_estimate **out)
{
    static const cn_estimate_opts none = {0};
    cn_estimate *e = cn_arena_alloc(&cx->arena, sizeof *e);
    if (!e)
        return cn_nomem(cx);
    cn_build b = {.cx = cx, .cat = cat, .opts = opts ? opts : &none, .s = spec, .e = e};
    e->spec = spec;
    e->currency = b.opts->currency ? b.opts->currency : "USD";
    e->root = cn_fig_new(cx, "estimate", spec->name, "", 0, CN_BASIS_FORMULA, NULL);
    cn_profile profile;
    cn_estimate_opts own = *b.opts;
    if (!own.profile && spec->cluster.profile) {
        CN_TRY(cn_profile_read(cx, spec->cluster.profile, &profile));
        own.profile = &profile;
        b.opts = &own;
    }
    CN_TRY(make(&b));
    *out = e;
    return CN_OK;
}

/* ------------------------------------------------------------------------------- search by key */

typedef struct {
    const char *key[1024];
    size_t n;
} keys;

static void collect(const cn_fig *f, keys *k)
{
    if (f->key && f->key[0] && k->n < sizeof k->key / sizeof *k->key)
        k->key[k->n++] = f->key;
    for (size_t i = 0; i < f->n; i++)
        collect(f->part[i], k);
}

static const char *key_at(size_t i, const void *arg)
{
    return ((const keys *)arg)->key[i];
}

cn_code cn_estimate_figure(cn_ctx *cx, const cn_estimate *e, const char *key, const cn_fig **out)
{
    *out = cn_fig_find(e->root, key);
    if (*out)
        return CN_OK;
    keys *k = cn_arena_alloc(&cx->arena, sizeof *k);
    if (!k)
        return cn_nomem(cx);
    collect(e->root, k);
    const char *near = cn_text_nearest(key, key_at, k->n, k);
    cn_fail(cx, CN_EUSAGE, NULL, _("no figure is called \"%s\""), key);
    if (near)
        return cn_hint(cx, _("did you mean \"%s\"?"), near);
    return cn_hint(cx, _("`carnot explain SPEC` lists the keys"));
}
