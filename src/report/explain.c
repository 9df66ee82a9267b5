/*
 * explain.c - the tree behind a figure: formula, value, unit, source, down to the leaves.
 *
 *     wall_time_s = steps x step_time_s / goodput = 4,389,120 s     formula   narayanan2021
 *       steps = 1,907,349 steps                                     given     run.yaml:7
 *
 * A figure that several others use is expanded once; later it points back. Lines are bounded, so
 * that a tree with shared parts cannot explode.
 */
#include <math.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "base/unit.h"
#include "report/plain.h"
#include "report/report.h"

enum { MAX_LINES = 500, MAX_LEFT = 76, MAX_DEPTH = 32 };

typedef struct tree {
    cn_ctx *cx;
    size_t n;
    const cn_fig *fig[MAX_LINES]; /* in order; the same one again means "see above" */
    const char *left[MAX_LINES];
    const char *right[MAX_LINES];
} tree;

static bool is_seen(const tree *t, const cn_fig *fig, size_t before)
{
    for (size_t i = 0; i < before; i++) {
        if (t->fig[i] == fig)
            return true;
    }
    return false;
}

static const char *how(const cn_fig *fig)
{
    if (fig->formula)
        return fig->formula;
    if (fig->kind == CN_FIG_SUM && fig->n)
        return _("sum of");
    return fig->kind == CN_FIG_PRODUCT && fig->n ? _("product of") : NULL;
}

static const char *left_text(cn_ctx *cx, const cn_fig *fig, int depth)
{
    char number[64];
    const char *formula = how(fig);
    const char *unit = fig->unit ? fig->unit : "";
    const char *value = fig->known ? cn_number_sig(fig->value, 6, number) : "-";
    const char *text =
        cn_arena_printf(&cx->arena, "%*s%s = %s%s%s%s%s%s", 2 * depth, "",
                        fig->key ? fig->key : "?", formula ? formula : "", formula ? " = " : "",
                        fig->is_partial ? "≥ " : "", value, unit[0] ? " " : "", unit);
    if (!text)
        cn_nomem(cx);
    return text ? text : "";
}

static const char *right_text(cn_ctx *cx, const cn_fig *fig, bool is_repeated)
{
    const char *basis = fig->known ? cn_basis_name(fig->basis) : _("unknown");
    const char *more = fig->source ? fig->source : "";
    const char *why = fig->why ? fig->why : "";
    const char *text = is_repeated
                           ? _("(see above)")
                           : cn_arena_printf(&cx->arena, "[%s]%s%s%s%s", basis, more[0] ? "  " : "",
                                             more, why[0] ? "  " : "", why);
    if (!text)
        cn_nomem(cx);
    return text ? text : "";
}

static void walk(tree *t, const cn_fig *fig, int depth)
{
    if (t->n == MAX_LINES || depth > MAX_DEPTH)
        return;
    bool is_repeated = fig->n > 0 && is_seen(t, fig, t->n);
    t->fig[t->n] = fig;
    t->left[t->n] = left_text(t->cx, fig, depth);
    t->right[t->n] = right_text(t->cx, fig, is_repeated);
    t->n++;
    for (size_t i = 0; !is_repeated && i < fig->n; i++)
        walk(t, fig->part[i], depth + 1);
}

static void write_lines(const tree *t, cn_buf *out)
{
    int width = 0;
    for (size_t i = 0; i < t->n; i++) {
        int w = cn_text_width(t->left[i]);
        width = w > width && w <= MAX_LEFT ? w : width;
    }
    for (size_t i = 0; i < t->n; i++) {
        cn_pad(out, t->left[i], width, false);
        cn_buf_printf(out, "  %s\n", t->right[i]);
    }
    if (t->n == MAX_LINES)
        cn_buf_puts(out, "...\n");
}

static cn_val *fig_data(cn_ctx *cx, const cn_fig *fig, int depth, int *budget)
{
    cn_val *v = cn_val_obj(cx);
    cn_val_put(cx, v, "key", cn_val_str(cx, fig->key));
    cn_val_put(cx, v, "value", cn_fig_val(cx, fig));
    if (fig->formula)
        cn_val_put(cx, v, "formula", cn_val_str(cx, fig->formula));
    if (fig->why)
        cn_val_put(cx, v, "reason", cn_val_str(cx, fig->why));
    if (fig->n == 0 || depth >= MAX_DEPTH)
        return v;
    cn_val *parts = cn_val_arr(cx);
    for (size_t i = 0; i < fig->n && (*budget)-- > 0; i++)
        cn_val_push(cx, parts, fig_data(cx, fig->part[i], depth + 1, budget));
    cn_val_put(cx, v, "parts", parts);
    return v;
}

void cn_report_explain(cn_ctx *cx, cn_doc *doc, const cn_fig *fig)
{
    tree *t = cn_arena_alloc(&cx->arena, sizeof *t);
    cn_buf text = {0};
    int budget = MAX_LINES;
    if (!t) {
        cn_nomem(cx);
        return;
    }
    t->cx = cx;
    walk(t, fig, 0);
    write_lines(t, &text);
    cn_doc_code(cx, doc, fig->label ? fig->label : fig->key, cn_buf_cstr(&text));
    cn_val_put(cx, doc->data, "explain", fig_data(cx, fig, 0, &budget));
    if (text.failed)
        cn_nomem(cx);
    cn_buf_free(&text);
}
