/*
 * span.h - where the bars of a chart start and end: shared by text and SVG, so both draw the same.
 */
#ifndef CARNOT_REPORT_SPAN_H
#define CARNOT_REPORT_SPAN_H

#include "report/grid.h"

typedef struct cn_span {
    double from, to;
} cn_span;

/* Bar i as a whole; of a waterfall all but the last start where the one before ended. */
cn_span cn_span_of(const cn_chart *chart, size_t i);
/* Piece k of bar i of a stack. */
cn_span cn_span_piece(const cn_chart *chart, size_t i, size_t k);
/* The number beside bar i: its value, or the height of the stack. */
double cn_span_value(const cn_chart *chart, size_t i);
/* All values of the chart's bars in one array for choosing a scale; NULL when memory is out. */
double *cn_span_values(cn_ctx *cx, const cn_chart *chart);
const char *cn_span_label(cn_ctx *cx, const cn_chart *chart, size_t i);
bool cn_span_is_total(const cn_chart *chart, size_t i);

#endif
