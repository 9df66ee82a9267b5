/*
 * csv.c - one table of a document as RFC 4180 CSV: base units, every digit, no separators.
 *
 * One table, not all: a file with two headers is no table for the programs that read CSV. A text
 * that a spreadsheet would run as a formula gets an apostrophe in front; numbers never do.
 */
#include <string.h>

#include "base/dec.h"
#include "base/lang.h"
#include "base/text.h"
#include "report/forms.h"

static bool is_number(const char *text)
{
    double x;
    cn_dec d;
    return cn_parse_double(text, &x) || cn_dec_parse(text, strlen(text), &d);
}

static void field(cn_buf *out, const char *text)
{
    bool runs = text[0] && strchr("=+-@\t\r", text[0]) && text[1] && !is_number(text);
    bool is_quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (is_quoted)
        cn_buf_putc(out, '"');
    if (runs)
        cn_buf_putc(out, '\'');
    for (; *text; text++) {
        if (*text == '"')
            cn_buf_putc(out, '"');
        cn_buf_putc(out, *text);
    }
    if (is_quoted)
        cn_buf_putc(out, '"');
}

void cn_csv_grid(const cn_grid *g, cn_buf *out)
{
    for (size_t c = 0; c < g->n_cols; c++) {
        cn_buf_puts(out, c ? "," : "");
        field(out, g->col[c].key);
    }
    cn_buf_putc(out, '\n');
    for (size_t r = 0; r < g->n_rows; r++) {
        for (size_t c = 0; c < g->n_cols; c++) {
            cn_buf_puts(out, c ? "," : "");
            field(out, g->cell[r * g->n_cols + c]);
        }
        cn_buf_putc(out, '\n');
    }
}

static const cn_chart *find_chart(const cn_doc *doc, const char *id)
{
    for (size_t i = 0; i < doc->n_blocks; i++) {
        const cn_chart *c = doc->block[i]->chart;
        if (doc->block[i]->kind == CN_BLOCK_CHART && c && c->id && strcmp(c->id, id) == 0)
            return c;
    }
    return NULL;
}

cn_grid *cn_raw_grid(cn_ctx *cx, const cn_doc *doc, const char *id)
{
    const cn_table *table = cn_doc_find_table(doc, id);
    const cn_chart *chart = table ? NULL : find_chart(doc, id);
    if (strcmp(id, "figures") == 0)
        return cn_grid_raw_figures(cx, doc);
    if (chart)
        table = cn_chart_table(cx, chart);
    return table ? cn_grid_raw_table(cx, table) : NULL;
}

static const char *id_at(size_t i, const void *arg)
{
    const char *const *ids = arg;
    return ids[i];
}

static cn_code no_table(cn_ctx *cx, const char *const *ids, const char *wanted)
{
    size_t n = 0;
    while (ids[n])
        n++;
    if (!wanted) {
        cn_fail(cx, CN_EUSAGE, NULL, _("this answer holds no table to print as CSV"));
        return cn_hint(cx, _("--json prints all of it"));
    }
    const char *near = cn_text_nearest(wanted, id_at, n, ids);
    cn_fail(cx, CN_EUSAGE, NULL, _("the answer holds no table \"%s\""), wanted);
    if (near)
        return cn_hint(cx, _("did you mean \"%s\"?"), near);
    return n ? cn_hint(cx, _("the first one is \"%s\""), ids[0]) : cx->code;
}

cn_code cn_csv_report(cn_ctx *cx, const cn_doc *doc, const char *table, cn_buf *out)
{
    const char *const *ids = cn_report_tables(cx, doc);
    if (!ids)
        return cn_nomem(cx);
    const char *id = table ? table : ids[0];
    cn_grid *g = id ? cn_raw_grid(cx, doc, id) : NULL;
    if (cx->code == CN_ENOMEM)
        return cx->code;
    if (!g)
        return no_table(cx, ids, table);
    cn_csv_grid(g, out);
    return CN_OK;
}
