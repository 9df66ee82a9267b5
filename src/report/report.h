/*
 * report.h - a document (base/doc.h) as text: terminal, JSON, CSV, Markdown, one-file HTML.
 *
 * Renderers never compute: they choose scale, precision and layout of figures that are final. The
 * machine forms (JSON, CSV) print base units at full precision; the forms for people (terminal,
 * Markdown, HTML) share one formatter (number.h), so they cannot disagree.
 *
 * Every text of a document may come from a file somebody else wrote. Each renderer therefore makes
 * texts safe for its own form: control characters dropped, markup escaped, formula cells disarmed.
 *
 * Ownership: output goes to a cn_buf of the caller; scratch memory comes from cx->arena.
 * Errors:    CN_ENOMEM, CN_EUSAGE (opts->table names nothing in the document).
 */
#ifndef CARNOT_REPORT_REPORT_H
#define CARNOT_REPORT_REPORT_H

#include "base/doc.h"

typedef enum {
    CN_FORMAT_TEXT,
    CN_FORMAT_JSON,
    CN_FORMAT_CSV,
    CN_FORMAT_MD,
    CN_FORMAT_HTML
} cn_format;

typedef struct cn_report_opts {
    cn_format format;
    bool has_color;    /* TEXT: ANSI colours, which only repeat what a word or sign says */
    int width;         /* TEXT: columns of the terminal; 0 = not a terminal: nothing is cut */
    bool is_verbose;   /* TEXT on a terminal: all rows of long tables */
    const char *table; /* CSV: id of the table wanted; NULL = the first one */
    const char *lang;  /* HTML: "en", "zh_CN"; NULL = "en" */
} cn_report_opts;

/* opts NULL = plain text. */
cn_code cn_report(cn_ctx *cx, const cn_doc *doc, const cn_report_opts *opts, cn_buf *out);

/*
 * Add what is known of a figure to a document: formula, values, units, sources, down to the leaves,
 * as preformatted lines for people and as data under `explain`.
 */
void cn_report_explain(cn_ctx *cx, cn_doc *doc, const cn_fig *fig);

/* The figure with this key anywhere in the document (dotted paths narrow), or NULL. */
const cn_fig *cn_report_figure(const cn_doc *doc, const char *key);

/*
 * The parts of a document that are tables, in order, as CSV and --table see them: all figures as
 * one table "figures", each table, each chart. NULL ends the list of ids.
 */
const char *const *cn_report_tables(cn_ctx *cx, const cn_doc *doc);

/* A text made safe for a terminal: no control characters, no bidirectional overrides. */
const char *cn_report_plain(cn_ctx *cx, const char *text);

#endif
