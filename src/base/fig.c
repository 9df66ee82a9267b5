/* fig.c - figures and their parts. */
#include <math.h>
#include <string.h>

#include "base/fig.h"

/* Returned when memory ran out; the context remembers why. Never linked into a tree. */
static cn_fig lost = {.key = "", .label = "", .unit = "", .value = NAN, .lo = NAN, .hi = NAN};

static cn_fig *new_fig(cn_ctx *cx, const char *key, const char *label, const char *unit)
{
    cn_fig *f = cn_arena_alloc(&cx->arena, sizeof *f);
    if (!f) {
        cn_nomem(cx);
        return &lost;
    }
    f->key = key;
    f->label = label;
    f->unit = unit;
    return f;
}

cn_fig *cn_fig_new(cn_ctx *cx, const char *key, const char *label, const char *unit, double value,
                   cn_basis basis, const char *source)
{
    cn_fig *f = new_fig(cx, key, label, unit);
    if (f == &lost)
        return f;
    f->basis = basis;
    f->source = source;
    f->known = isfinite(value);
    f->lo = f->value = f->hi = f->known ? value : NAN;
    if (!f->known)
        f->why = "not a finite number";
    return f;
}

cn_fig *cn_fig_unknown(cn_ctx *cx, const char *key, const char *label, const char *unit,
                       const char *why)
{
    cn_fig *f = new_fig(cx, key, label, unit);
    if (f == &lost)
        return f;
    f->lo = f->value = f->hi = NAN;
    f->why = why;
    return f;
}

cn_fig *cn_fig_sum(cn_ctx *cx, const char *key, const char *label, const char *unit)
{
    cn_fig *f = cn_fig_new(cx, key, label, unit, 0, CN_BASIS_FORMULA, NULL);
    if (f != &lost)
        f->kind = CN_FIG_SUM;
    return f;
}

static bool link_part(cn_ctx *cx, cn_fig *fig, cn_fig *part)
{
    if (fig == &lost || part == &lost)
        return false;
    if (fig->n == fig->cap) {
        size_t cap = fig->cap ? fig->cap * 2 : 4;
        cn_fig **grown = cn_arena_array(&cx->arena, cap, sizeof *grown);
        if (!grown) {
            cn_nomem(cx);
            return false;
        }
        if (fig->n)
            memcpy(grown, fig->part, fig->n * sizeof *grown);
        fig->part = grown;
        fig->cap = cap;
    }
    fig->part[fig->n++] = part;
    return true;
}

void cn_fig_add(cn_ctx *cx, cn_fig *sum, cn_fig *part)
{
    if (!link_part(cx, sum, part))
        return;
    if (part->is_partial || !part->known)
        sum->is_partial = true;
    if (!part->known)
        return;
    sum->value += part->value;
    sum->lo += part->lo;
    sum->hi += part->hi;
}

void cn_fig_input(cn_ctx *cx, cn_fig *fig, cn_fig *input)
{
    link_part(cx, fig, input);
}

static const cn_fig *find(const cn_fig *f, const char *path);

static const cn_fig *find_below(const cn_fig *f, const char *path)
{
    const cn_fig *found = NULL;
    for (size_t i = 0; i < f->n && !found; i++)
        found = find(f->part[i], path);
    return found;
}

/* f itself or something below it. A namesake without the rest of the path is passed by. */
static const cn_fig *find(const cn_fig *f, const char *path)
{
    size_t len = strcspn(path, ".");
    const cn_fig *found = NULL;
    if (strncmp(f->key, path, len) == 0 && f->key[len] == 0)
        found = path[len] ? find_below(f, path + len + 1) : f;
    return found ? found : find_below(f, path);
}

const cn_fig *cn_fig_find(const cn_fig *root, const char *key)
{
    return root && *key ? find(root, key) : NULL;
}

cn_val *cn_fig_val(cn_ctx *cx, const cn_fig *fig)
{
    cn_val *o = cn_val_obj(cx);
    if (!fig->known) {
        cn_val_put(cx, o, "value", cn_val_null(cx));
        cn_val_put(cx, o, "unit", cn_val_str(cx, fig->unit));
        cn_val_put(cx, o, "reason", cn_val_str(cx, fig->why));
        return o;
    }
    cn_val_put(cx, o, "lo", cn_val_num(cx, fig->lo));
    cn_val_put(cx, o, "value", cn_val_num(cx, fig->value));
    cn_val_put(cx, o, "hi", cn_val_num(cx, fig->hi));
    cn_val_put(cx, o, "unit", cn_val_str(cx, fig->unit));
    cn_val_put(cx, o, "basis", cn_val_str(cx, cn_basis_name(fig->basis)));
    if (fig->source)
        cn_val_put(cx, o, "source", cn_val_str(cx, fig->source));
    if (fig->is_partial)
        cn_val_put(cx, o, "partial", cn_val_bool(cx, true));
    return o;
}

const char *cn_basis_name(cn_basis b)
{
    static const char *const names[] = {"measured", "catalog", "formula", "assumed", "given"};
    return names[b];
}
