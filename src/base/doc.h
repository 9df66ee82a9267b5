/*
 * doc.h - the document: what every verb answers with, before anyone chose how it looks.
 *
 * A document has the machine form (`data`, the JSON of the contract) and blocks for people, built
 * side by side from the same figures. src/report renders it: terminal, JSON, CSV, Markdown,
 * one-file HTML. Builders are sticky on memory failure (see val.h). Texts are copied.
 */
#ifndef CARNOT_BASE_DOC_H
#define CARNOT_BASE_DOC_H

#include "base/fig.h"

typedef enum {
    CN_BLOCK_FIGURES, /* label, value, unit, p10..p90, basis */
    CN_BLOCK_TABLE,
    CN_BLOCK_CHART,
    CN_BLOCK_NOTE, /* a paragraph */
    CN_BLOCK_CODE, /* preformatted lines: explain trees, generated config files */
    CN_BLOCK_HEADING
} cn_block_kind;

/* A row of this width may be filled even of a table that memory ran out for. */
enum { CN_MAX_COLS = 64 };

typedef enum { CN_COL_TEXT, CN_COL_NUMBER, CN_COL_MONEY, CN_COL_RATIO } cn_col_kind;

typedef struct cn_col {
    const char *key;   /* CSV header, with unit suffix */
    const char *label; /* for people */
    const char *unit;  /* base unit of a NUMBER, currency of MONEY; "" */
    cn_col_kind kind;
} cn_col;

/* A cell is text, or a double (NaN prints "-"), or an exact decimal text. */
typedef struct cn_cell {
    const char *text; /* wins if not NULL */
    double num;
} cn_cell;

typedef struct cn_table {
    const char *id, *title;
    size_t n_cols, n_rows, cap_rows;
    cn_col *col;
    cn_cell *cell;  /* n_rows x n_cols */
    cn_cell *spare; /* a row to fill when memory ran out for a real one; shown nowhere */
    bool has_total; /* the last row is a total */
} cn_table;

typedef enum {
    CN_CHART_WATERFALL, /* bars that start where the last one ended; the final bar is the total */
    CN_CHART_BAR,
    CN_CHART_STACK, /* one bar per label, series stacked */
    CN_CHART_LINE,
    CN_CHART_SCATTER /* predicted against measured: x, y per point */
} cn_chart_kind;

typedef struct cn_series {
    const char *label;
    size_t n;
    const double *x; /* LINE, SCATTER; NULL = index */
    const double *y;
    const double *lo, *hi;    /* optional ranges */
    const char *const *point; /* labels of the points; NULL = none */
} cn_series;

typedef struct cn_chart {
    const char *id, *title, *unit, *x_unit;
    const char *finding; /* one sentence: what to see (aria-label) */
    cn_chart_kind kind;
    size_t n_series, cap_series;
    cn_series *series;
} cn_chart;

typedef struct cn_doc_block {
    cn_block_kind kind;
    const char *id, *title, *text;
    const cn_fig **fig; /* FIGURES */
    size_t n_figs, cap_figs;
    cn_table *table;
    cn_chart *chart;
} cn_doc_block;

typedef struct cn_doc {
    const char *schema; /* "carnot.estimate/1" */
    const char *title, *subtitle;
    cn_val *data;   /* machine form, without schema/generated/inputs/warnings */
    cn_val *inputs; /* array: files and options that were read */
    size_t n_blocks, cap_blocks;
    cn_doc_block **block;
} cn_doc;

cn_doc *cn_doc_new(cn_ctx *cx, const char *schema, const char *title, const char *subtitle);
cn_doc_block *cn_doc_figures(cn_ctx *cx, cn_doc *doc, const char *id, const char *title);
void cn_doc_figure(cn_ctx *cx, cn_doc_block *figures, const cn_fig *fig);
cn_table *cn_doc_table(cn_ctx *cx, cn_doc *doc, const char *id, const char *title,
                       const cn_col *cols, size_t n_cols);
cn_cell *
cn_table_row(cn_ctx *cx,
             cn_table *t); /* n_cols cells to fill; num starts as NaN. Valid until the next row. */
void cn_cell_text(cn_ctx *cx, cn_cell *cell, const char *text);
cn_chart *cn_doc_chart(cn_ctx *cx, cn_doc *doc, cn_chart_kind kind, const char *id,
                       const char *title, const char *unit);
cn_series *cn_chart_series(cn_ctx *cx, cn_chart *chart, const char *label, size_t n,
                           const double *x, const double *y, const char *const *point); /* copies */
void cn_doc_note(cn_ctx *cx, cn_doc *doc, const char *fmt, ...) CN_PRINTF(3, 4);
void cn_doc_code(cn_ctx *cx, cn_doc *doc, const char *title, const char *text);
void cn_doc_heading(cn_ctx *cx, cn_doc *doc, const char *text);

#endif
