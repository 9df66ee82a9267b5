/*
 * forms.h - one function per form of output, for report.c and for each other.
 */
#ifndef CARNOT_REPORT_FORMS_H
#define CARNOT_REPORT_FORMS_H

#include "report/grid.h"
#include "report/report.h"

/* json.c: the whole document as one value, and as text. */
cn_val *cn_json_document(cn_ctx *cx, const cn_doc *doc);
void cn_json_report(cn_ctx *cx, const cn_doc *doc, cn_buf *out);

/* csv.c: one table. CN_EUSAGE if no table has this id. */
cn_code cn_csv_report(cn_ctx *cx, const cn_doc *doc, const char *table, cn_buf *out);
/* The machine grid of a table by id; NULL if there is none. */
cn_grid *cn_raw_grid(cn_ctx *cx, const cn_doc *doc, const char *id);
void cn_csv_grid(const cn_grid *grid, cn_buf *out);

/* md.c, html.c */
void cn_md_report(cn_ctx *cx, const cn_doc *doc, cn_buf *out);
void cn_html_report(cn_ctx *cx, const cn_doc *doc, const char *lang, cn_buf *out);

/* svg.c: a chart as an inline picture; its id makes ids unique in a page. */
void cn_svg_chart(cn_ctx *cx, const cn_chart *chart, cn_buf *out);

/* Text inside HTML and SVG, also inside quoted attributes. Already plain. */
void cn_html_text(cn_buf *out, const char *plain);

#endif
