/* explain_doc.c - carnot.explain/1: one figure and what uses it, or the list of all keys. */
#include "base/lang.h"
#include "base/unit.h"
#include "estimate/estimate.h"

enum { MAX_FIGURES = 2048 };

/* Figures in the order of the tree, each once. */
typedef struct {
    const cn_fig *fig[MAX_FIGURES];
    size_t n;
} figures;

static void collect(const cn_fig *f, figures *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->fig[i] == f)
            return;
    if (all->n == MAX_FIGURES)
        return;
    all->fig[all->n++] = f;
    for (size_t i = 0; i < f->n; i++)
        collect(f->part[i], all);
}

static figures *all_of(cn_ctx *cx, const cn_fig *root)
{
    figures *all = cn_arena_alloc(&cx->arena, sizeof *all);
    if (!all)
        cn_nomem(cx);
    else
        collect(root, all);
    return all;
}

static void key_table(cn_ctx *cx, cn_doc *doc, const figures *all)
{
    const cn_col cols[] = {
        {"key", _("key"), "", CN_COL_TEXT},     {"label", _("figure"), "", CN_COL_TEXT},
        {"value", _("value"), "", CN_COL_TEXT}, {"unit", _("unit"), "", CN_COL_TEXT},
        {"basis", _("basis"), "", CN_COL_TEXT}, {"formula", _("formula"), "", CN_COL_TEXT},
    };
    cn_table *t = cn_doc_table(cx, doc, "keys", NULL, cols, sizeof cols / sizeof *cols);
    cn_val *list = cn_val_arr(cx);
    for (size_t i = 1; i < all->n; i++) { /* 0 is the root */
        const cn_fig *f = all->fig[i];
        char digits[64];
        double factor = 1;
        const char *unit = cn_unit_scale(f->value, f->unit, &factor);
        cn_cell *cell = cn_table_row(cx, t);
        cn_cell_text(cx, &cell[0], f->key);
        cn_cell_text(cx, &cell[1], f->label);
        cn_cell_text(cx, &cell[2], cn_number_sig(f->value / factor, 6, digits));
        cn_cell_text(cx, &cell[3], unit);
        cn_cell_text(cx, &cell[4], f->known ? cn_basis_name(f->basis) : f->why);
        cn_cell_text(cx, &cell[5], f->formula);
        cn_val *o = cn_fig_val(cx, f);
        cn_val_put(cx, o, "key", cn_val_str(cx, f->key));
        cn_val_push(cx, list, o);
    }
    cn_val_put(cx, doc->data, "keys", list);
}

/* Which figures have this one among their parts. */
static void users_note(cn_ctx *cx, cn_doc *doc, const figures *all, const cn_fig *fig)
{
    cn_buf text = {0};
    cn_val *list = cn_val_arr(cx);
    for (size_t i = 1; i < all->n; i++)
        for (size_t k = 0; k < all->fig[i]->n; k++)
            if (all->fig[i]->part[k] == fig) {
                cn_buf_printf(&text, "%s%s", text.len ? ", " : "", all->fig[i]->key);
                cn_val_push(cx, list, cn_val_str(cx, all->fig[i]->key));
            }
    cn_val_put(cx, doc->data, "used_by", list);
    if (text.len)
        cn_doc_note(cx, doc, _("Used by: %s."), cn_buf_cstr(&text));
    cn_buf_free(&text);
}

cn_doc *cn_explain_doc(cn_ctx *cx, const cn_estimate *e, const cn_fig *fig)
{
    cn_doc *doc = cn_doc_new(cx, "carnot.explain/1", e->spec->name, fig ? fig->label : NULL);
    cn_val_push(cx, doc->inputs, cn_val_str(cx, e->spec->file));
    const figures *all = all_of(cx, e->root);
    if (!all)
        return doc;
    if (!fig) {
        key_table(cx, doc, all);
        return doc;
    }
    cn_doc_figure(cx, cn_doc_figures(cx, doc, "figure", NULL), fig);
    users_note(cx, doc, all, fig);
    return doc;
}
