/*
 * text.h - the pieces of the terminal form: aligned grids and charts drawn with characters.
 */
#ifndef CARNOT_REPORT_TEXT_H
#define CARNOT_REPORT_TEXT_H

#include "report/grid.h"
#include "report/report.h"

/* ANSI sequences, all empty without colour. */
typedef struct cn_ink {
    const char *bold, *dim, *total, *off;
} cn_ink;

/* text.c */
void cn_text_report(cn_ctx *cx, const cn_doc *doc, const cn_report_opts *opts, cn_buf *out);

/* bars.c: waterfall, bars and stacks; plot.c: lines and points. */
void cn_text_bars(cn_ctx *cx, const cn_chart *chart, int width, const cn_ink *ink, cn_buf *out);
void cn_text_plot(cn_ctx *cx, const cn_chart *chart, int width, cn_buf *out);

#endif
