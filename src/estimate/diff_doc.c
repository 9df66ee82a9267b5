/*
 * diff_doc.c - carnot.diff/1: which keys of the spec changed, and what that does to each figure.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/unit.h"
#include "estimate/estimate.h"

enum { MAX_LEAVES = 4096 };

/* A spec as a flat list of "path" -> text, sorted by path. */
typedef struct {
    const char *path, *text;
} leaf;
typedef struct {
    leaf at[MAX_LEAVES];
    size_t n;
} leaves;

static void flatten(cn_ctx *cx, const cn_node *node, const char *path, leaves *out)
{
    if (node->kind == CN_NODE_MAP || node->kind == CN_NODE_LIST) {
        for (size_t i = 0; i < node->n; i++) {
            char *sub = node->kind == CN_NODE_MAP ? cn_arena_printf(&cx->arena, "%s%s%s", path,
                                                                    *path ? "." : "", node->key[i])
                                                  : cn_arena_printf(&cx->arena, "%s[%zu]", path, i);
            if (sub)
                flatten(cx, node->child[i], sub, out);
        }
        return;
    }
    if (out->n < MAX_LEAVES)
        out->at[out->n++] = (leaf){path, node->kind == CN_NODE_SCALAR ? node->text : "null"};
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const leaf *)a)->path, ((const leaf *)b)->path);
}

static leaves *leaves_of(cn_ctx *cx, const cn_estimate *e)
{
    leaves *out = cn_arena_alloc(&cx->arena, sizeof *out);
    if (!out) {
        cn_nomem(cx);
        return NULL;
    }
    if (e->spec->root)
        flatten(cx, e->spec->root, "", out);
    /* what was taken for granted may change too */
    for (size_t i = 0; i < e->n_assumed && out->n < MAX_LEAVES; i++) {
        char *path = cn_arena_printf(&cx->arena, "%s (%s)", e->assumed[i].key, _("assumed"));
        if (path)
            out->at[out->n++] = (leaf){path, e->assumed[i].text};
    }
    qsort(out->at, out->n, sizeof *out->at, by_path);
    return out;
}

typedef struct {
    cn_ctx *cx;
    cn_buf text;
    cn_val *list;
} changes;

static void change(changes *c, const char *sign, const char *path, const char *from, const char *to)
{
    cn_val *o = cn_val_obj(c->cx);
    cn_val_put(c->cx, o, "sign", cn_val_str(c->cx, sign));
    cn_val_put(c->cx, o, "key", cn_val_str(c->cx, path));
    cn_val_put(c->cx, o, "before", cn_val_str(c->cx, from));
    cn_val_put(c->cx, o, "after", cn_val_str(c->cx, to));
    cn_val_push(c->cx, c->list, o);
    if (from && to)
        cn_buf_printf(&c->text, "%s %s   %s -> %s\n", sign, path, from, to);
    else
        cn_buf_printf(&c->text, "%s %s   %s\n", sign, path, from ? from : to);
}

static void compare(changes *c, const leaves *a, const leaves *b)
{
    size_t i = 0, j = 0;
    while (i < a->n || j < b->n) {
        int order = i == a->n ? 1 : j == b->n ? -1 : strcmp(a->at[i].path, b->at[j].path);
        if (order < 0) {
            change(c, "-", a->at[i].path, a->at[i].text, NULL);
            i++;
        } else if (order > 0) {
            change(c, "+", b->at[j].path, NULL, b->at[j].text);
            j++;
        } else {
            if (strcmp(a->at[i].text, b->at[j].text) != 0)
                change(c, "~", a->at[i].path, a->at[i].text, b->at[j].text);
            i++;
            j++;
        }
    }
}

static void changed_keys(cn_ctx *cx, cn_doc *doc, const cn_estimate *a, const cn_estimate *b)
{
    changes c = {.cx = cx, .list = cn_val_arr(cx)};
    const leaves *x = leaves_of(cx, a), *y = leaves_of(cx, b);
    if (x && y)
        compare(&c, x, y);
    cn_val_put(cx, doc->data, "changes", c.list);
    if (c.text.len)
        cn_doc_code(cx, doc, _("Changed"), cn_buf_cstr(&c.text));
    else
        cn_doc_note(cx, doc, _("The two say the same."));
    cn_buf_free(&c.text);
}

static double relative(const cn_fig *a, const cn_fig *b)
{
    return a->value == 0 && b->value == 0 ? 0 : b->value / a->value - 1;
}

/* Rows have units of their own, so their numbers are texts. */
static void scaled(cn_ctx *cx, cn_cell *cell, double x, const char *sign)
{
    char digits[64];
    char *text = cn_arena_printf(&cx->arena, "%s%s", sign, cn_number_sig(x, 4, digits));
    cn_cell_text(cx, cell, isnan(x) ? "-" : text);
}

static void row(cn_ctx *cx, cn_table *t, cn_val *list, const cn_fig *a, const cn_fig *b)
{
    double factor = 1, larger = fmax(fabs(a->value), fabs(b->value));
    const char *unit = cn_unit_scale(isnan(larger) ? 0 : larger, b->unit, &factor);
    cn_cell *cell = cn_table_row(cx, t);
    cn_cell_text(cx, &cell[0], b->label);
    scaled(cx, &cell[1], a->value / factor, "");
    scaled(cx, &cell[2], b->value / factor, "");
    scaled(cx, &cell[3], (b->value - a->value) / factor, b->value > a->value ? "+" : "");
    cn_cell_text(cx, &cell[4], unit);
    cell[5].num = relative(a, b);
    cn_val *o = cn_val_obj(cx);
    cn_val_put(cx, o, "key", cn_val_str(cx, b->key));
    cn_val_put(cx, o, "before", cn_fig_val(cx, a));
    cn_val_put(cx, o, "after", cn_fig_val(cx, b));
    cn_val_put(cx, o, "change", cn_val_num(cx, b->value - a->value));
    cn_val_put(cx, o, "change_ratio", cn_val_num(cx, relative(a, b)));
    cn_val_push(cx, list, o);
}

static void figure_table(cn_ctx *cx, cn_doc *doc, const cn_estimate *a, const cn_estimate *b)
{
    const cn_col cols[] = {
        {"figure", _("figure"), "", CN_COL_TEXT}, {"before", _("before"), "", CN_COL_TEXT},
        {"after", _("after"), "", CN_COL_TEXT},   {"change", _("change"), "", CN_COL_TEXT},
        {"unit", _("unit"), "", CN_COL_TEXT},     {"change_ratio", _("change"), "", CN_COL_RATIO},
    };
    const cn_fig *pair[][2] = {
        {a->peak_bytes, b->peak_bytes},     {a->step_time, b->step_time},
        {a->throughput, b->throughput},     {a->mfu, b->mfu},
        {a->goodput, b->goodput},           {a->wall_time, b->wall_time},
        {a->device_hours, b->device_hours}, {a->cost, b->cost},
    };
    cn_table *t = cn_doc_table(cx, doc, "figures_changed", NULL, cols, sizeof cols / sizeof *cols);
    cn_val *list = cn_val_arr(cx);
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        row(cx, t, list, pair[i][0], pair[i][1]);
    for (int d = 0; d < CN_N_DIMENSIONS; d++)
        row(cx, t, list, a->dimension[d], b->dimension[d]);
    for (size_t i = 0; i < a->unit->n; i++)
        if (strncmp(a->unit->part[i]->key, "usd_", 4) != 0)
            row(cx, t, list, a->unit->part[i], b->unit->part[i]);
    cn_val_put(cx, doc->data, "figures", list);
}

cn_doc *cn_diff_doc(cn_ctx *cx, const cn_estimate *before, const cn_estimate *after,
                    double *worst_ratio)
{
    char *title = cn_arena_printf(&cx->arena, "%s -> %s", before->spec->name, after->spec->name);
    cn_doc *doc = cn_doc_new(cx, "carnot.diff/1", title ? title : "", NULL);
    cn_val_push(cx, doc->inputs, cn_val_str(cx, before->spec->file));
    cn_val_push(cx, doc->inputs, cn_val_str(cx, after->spec->file));
    changed_keys(cx, doc, before, after);
    figure_table(cx, doc, before, after);
    bool is_priced = !isnan(before->per_device_h) && !isnan(after->per_device_h);
    *worst_ratio = is_priced ? relative(before->cost, after->cost)
                             : relative(before->wall_time, after->wall_time);
    cn_val_put(cx, doc->data, "cost_change_ratio", cn_val_num(cx, is_priced ? *worst_ratio : NAN));
    cn_val_put(cx, doc->data, "feasible", cn_val_bool(cx, after->is_feasible));
    if (!is_priced)
        cn_doc_note(cx, doc,
                    _("Compute has no price in one of the two, so wall time is compared."));
    return doc;
}
