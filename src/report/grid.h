/*
 * grid.h - figures, tables and charts as rows of finished texts: one scale and one precision per
 * column, chosen here and nowhere else. Terminal, Markdown and HTML lay out the same grid.
 */
#ifndef CARNOT_REPORT_GRID_H
#define CARNOT_REPORT_GRID_H

#include "base/doc.h"

typedef struct cn_grid_col {
    const char *key, *label, *unit;
    bool is_number; /* right-aligned */
} cn_grid_col;

typedef struct cn_grid {
    const char *id, *title;
    size_t n_cols, n_rows;
    cn_grid_col *col;
    const char **cell; /* n_rows x n_cols, plain texts */
    int *depth;        /* indentation of each row, or NULL */
    bool has_total;    /* the last row is a total */
    bool has_labels;   /* some column has a head */
    bool has_units;    /* some column has a unit to show under its label */
} cn_grid;

/* For people. NULL when memory is out (recorded). */
cn_grid *cn_grid_figures(cn_ctx *cx, const cn_doc_block *block);
cn_grid *cn_grid_table(cn_ctx *cx, const cn_table *table);
/* The same grid less its range column if that holds no range. */
cn_grid *cn_grid_without_range(cn_grid *figures);

/* For machines: base units, every digit, "" for unknown. All figures of a document are one grid. */
cn_grid *cn_grid_raw_figures(cn_ctx *cx, const cn_doc *doc);
cn_grid *cn_grid_raw_table(cn_ctx *cx, const cn_table *table);

/* A chart's points as a table: what can be read without seeing. */
cn_table *cn_chart_table(cn_ctx *cx, const cn_chart *chart);

/* The table of the document with this id, or NULL. */
const cn_table *cn_doc_find_table(const cn_doc *doc, const char *id);

/* How the numbers of one column or axis are shown. */
typedef struct cn_scale {
    double factor; /* shown = value / factor */
    const char *unit;
    int decimals;
} cn_scale;

cn_scale cn_scale_of(const double *values, size_t n, const char *unit, cn_col_kind kind);
const char *cn_scale_text(cn_ctx *cx, const cn_scale *scale, double value);

#endif
