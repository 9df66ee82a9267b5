/*
 * svg.h - pieces of SVG shared by the charts: texts, lines, patterns, colours by class.
 */
#ifndef CARNOT_REPORT_SVG_H
#define CARNOT_REPORT_SVG_H

#include "report/axis.h"
#include "report/forms.h"

enum { CN_SVG_WIDTH = 760, CN_SVG_SERIES = 8 };

typedef enum { CN_ANCHOR_START, CN_ANCHOR_MIDDLE, CN_ANCHOR_END } cn_anchor;

/* Opens the picture with its accessible name; close with "</svg>". */
void cn_svg_open(cn_ctx *cx, cn_buf *out, const cn_chart *chart, double height);
/* A text; max_px > 0 cuts it to about that width, with the whole text as tooltip. */
void cn_svg_text(cn_ctx *cx, cn_buf *out, double x, double y, cn_anchor anchor, const char *class,
                 const char *text, double max_px);
void cn_svg_line(cn_buf *out, double x1, double y1, double x2, double y2, const char *class);
/* About how wide a text is at the size the charts use. */
double cn_svg_width_of(const char *text);
/* Names of the series with their marks, in rows from (x, y) on, and how high that is. */
void cn_svg_legend(cn_ctx *cx, cn_buf *out, const cn_chart *chart, double x, double y);
double cn_svg_legend_height(cn_ctx *cx, const cn_chart *chart, double x);
/* The mark of series i, left open for a tooltip: close with "</path>". */
void cn_svg_shape(cn_buf *out, double x, double y, size_t i);

/* svg_bars.c, svg_plot.c */
void cn_svg_bars(cn_ctx *cx, const cn_chart *chart, cn_buf *out);
void cn_svg_plot(cn_ctx *cx, const cn_chart *chart, cn_buf *out);

#endif
