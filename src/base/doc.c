/* doc.c - documents, built block by block. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/doc.h"

/* Harmless targets when memory ran out; the context remembers why. */
static cn_doc lost_doc;
static cn_doc_block lost_block;
static cn_table lost_table;
static cn_chart lost_chart;
static cn_series lost_series;
static cn_cell lost_cells[CN_MAX_COLS];

static const char *copy(cn_ctx *cx, const char *text)
{
    const char *c = cn_arena_str(&cx->arena, text ? text : "");
    if (!c)
        cn_nomem(cx);
    return c ? c : "";
}

/* Room for one more element of a growing array in the arena; NULL on failure. The caller keeps the
 * array before anything else may fail: *cap already speaks of it. */
static void *grow(cn_ctx *cx, void *old, size_t n, size_t *cap, size_t size)
{
    if (n < *cap)
        return old;
    size_t more = *cap ? *cap * 2 : 8;
    void *grown = cn_arena_array(&cx->arena, more, size);
    if (!grown) {
        cn_nomem(cx);
        return NULL;
    }
    if (n)
        memcpy(grown, old, n * size);
    *cap = more;
    return grown;
}

cn_doc *cn_doc_new(cn_ctx *cx, const char *schema, const char *title, const char *subtitle)
{
    cn_doc *d = cn_arena_alloc(&cx->arena, sizeof *d);
    if (!d) {
        cn_nomem(cx);
        return &lost_doc;
    }
    d->schema = copy(cx, schema);
    d->title = copy(cx, title);
    d->subtitle = copy(cx, subtitle);
    d->data = cn_val_obj(cx);
    d->inputs = cn_val_arr(cx);
    return d;
}

static cn_doc_block *new_block(cn_ctx *cx, cn_doc *doc, cn_block_kind kind, const char *id,
                               const char *title)
{
    if (doc == &lost_doc)
        return &lost_block;
    cn_doc_block **list = grow(cx, doc->block, doc->n_blocks, &doc->cap_blocks, sizeof *list);
    if (!list)
        return &lost_block;
    doc->block = list;
    cn_doc_block *b = cn_arena_alloc(&cx->arena, sizeof *b);
    if (!b) {
        cn_nomem(cx);
        return &lost_block;
    }
    b->kind = kind;
    b->id = copy(cx, id);
    b->title = copy(cx, title);
    doc->block[doc->n_blocks++] = b;
    return b;
}

cn_doc_block *cn_doc_figures(cn_ctx *cx, cn_doc *doc, const char *id, const char *title)
{
    return new_block(cx, doc, CN_BLOCK_FIGURES, id, title);
}

void cn_doc_figure(cn_ctx *cx, cn_doc_block *b, const cn_fig *fig)
{
    if (b == &lost_block)
        return;
    const cn_fig **list = grow(cx, b->fig, b->n_figs, &b->cap_figs, sizeof *list);
    if (!list)
        return;
    b->fig = list;
    b->fig[b->n_figs++] = fig;
}

cn_table *cn_doc_table(cn_ctx *cx, cn_doc *doc, const char *id, const char *title,
                       const cn_col *cols, size_t n_cols)
{
    cn_doc_block *b = new_block(cx, doc, CN_BLOCK_TABLE, id, title);
    cn_table *t = cn_arena_alloc(&cx->arena, sizeof *t);
    cn_col *col = cn_arena_array(&cx->arena, n_cols, sizeof *col);
    cn_cell *spare = cn_arena_array(&cx->arena, n_cols, sizeof *spare);
    if (b == &lost_block || !t || !col || !spare) {
        cn_nomem(cx);
        return &lost_table;
    }
    for (size_t i = 0; i < n_cols; i++)
        col[i] = (cn_col){copy(cx, cols[i].key), copy(cx, cols[i].label), copy(cx, cols[i].unit),
                          cols[i].kind};
    *t = (cn_table){.id = b->id, .title = b->title, .n_cols = n_cols, .col = col, .spare = spare};
    b->table = t;
    return t;
}

cn_cell *cn_table_row(cn_ctx *cx, cn_table *t)
{
    if (t == &lost_table)
        return lost_cells;
    cn_cell *cells = grow(cx, t->cell, t->n_rows, &t->cap_rows, t->n_cols * sizeof *cells);
    if (!cells)
        return t->spare;
    t->cell = cells;
    cn_cell *row = cells + t->n_rows++ * t->n_cols;
    for (size_t i = 0; i < t->n_cols; i++)
        row[i] = (cn_cell){.num = NAN};
    return row;
}

void cn_cell_text(cn_ctx *cx, cn_cell *cell, const char *text)
{
    cell->text = copy(cx, text);
}

cn_chart *cn_doc_chart(cn_ctx *cx, cn_doc *doc, cn_chart_kind kind, const char *id,
                       const char *title, const char *unit)
{
    cn_doc_block *b = new_block(cx, doc, CN_BLOCK_CHART, id, title);
    cn_chart *c = cn_arena_alloc(&cx->arena, sizeof *c);
    if (b == &lost_block || !c) {
        cn_nomem(cx);
        return &lost_chart;
    }
    *c = (cn_chart){.id = b->id, .title = b->title, .unit = copy(cx, unit), .kind = kind};
    c->x_unit = c->finding = "";
    b->chart = c;
    return c;
}

static const double *copy_numbers(cn_ctx *cx, const double *x, size_t n)
{
    if (!x)
        return NULL;
    double *c = cn_arena_array(&cx->arena, n, sizeof *c);
    if (!c)
        cn_nomem(cx);
    else if (n)
        memcpy(c, x, n * sizeof *c);
    return c;
}

cn_series *cn_chart_series(cn_ctx *cx, cn_chart *chart, const char *label, size_t n,
                           const double *x, const double *y, const char *const *point)
{
    if (chart == &lost_chart)
        return &lost_series;
    cn_series *list = grow(cx, chart->series, chart->n_series, &chart->cap_series, sizeof *list);
    if (!list)
        return &lost_series;
    chart->series = list;
    const char **points = point ? cn_arena_array(&cx->arena, n, sizeof *points) : NULL;
    if (point && !points) {
        cn_nomem(cx);
        return &lost_series;
    }
    for (size_t i = 0; points && i < n; i++)
        points[i] = copy(cx, point[i]);
    cn_series *s = &list[chart->n_series++];
    *s = (cn_series){.label = copy(cx, label), .n = n, .point = points};
    s->x = copy_numbers(cx, x, n);
    s->y = copy_numbers(cx, y, n);
    if (!s->y)
        s->n = 0;
    return s;
}

void cn_doc_note(cn_ctx *cx, cn_doc *doc, const char *fmt, ...)
{
    char text[2048];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    cn_doc_block *b = new_block(cx, doc, CN_BLOCK_NOTE, "", "");
    if (b != &lost_block)
        b->text = copy(cx, text);
}

void cn_doc_code(cn_ctx *cx, cn_doc *doc, const char *title, const char *text)
{
    cn_doc_block *b = new_block(cx, doc, CN_BLOCK_CODE, "", title);
    if (b != &lost_block)
        b->text = copy(cx, text);
}

void cn_doc_heading(cn_ctx *cx, cn_doc *doc, const char *text)
{
    new_block(cx, doc, CN_BLOCK_HEADING, "", text);
}
