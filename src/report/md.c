/* md.c - a document as GitHub-flavoured Markdown: for issues, reviews and wikis. */
#include <string.h>

#include "base/lang.h"
#include "report/forms.h"
#include "report/plain.h"

/* Characters that mean something to Markdown, in a text that has to mean itself. */
static void text(cn_buf *out, const char *plain)
{
    for (const char *p = plain; *p; p++) {
        if (*p == '<')
            cn_buf_puts(out, "&lt;");
        else if (*p == '>')
            cn_buf_puts(out, "&gt;");
        else if (*p == '&')
            cn_buf_puts(out, "&amp;");
        else if (strchr("\\`*_[]|#~!", *p))
            cn_buf_printf(out, "\\%c", *p);
        else
            cn_buf_putc(out, *p);
    }
}

static void heading(cn_buf *out, cn_ctx *cx, const char *marks, const char *raw)
{
    const char *plain = cn_plain(cx, raw, CN_PLAIN_LINE);
    if (!plain[0])
        return;
    cn_buf_printf(out, "%s ", marks);
    text(out, plain);
    cn_buf_puts(out, "\n\n");
}

static void header(cn_buf *out, const cn_grid *g)
{
    for (size_t c = 0; c < g->n_cols; c++) {
        cn_buf_puts(out, "| ");
        text(out, g->col[c].label);
        if (g->col[c].unit[0]) {
            cn_buf_puts(out, g->col[c].label[0] ? " (" : "(");
            text(out, g->col[c].unit);
            cn_buf_putc(out, ')');
        }
        cn_buf_putc(out, ' ');
    }
    cn_buf_puts(out, "|\n");
    for (size_t c = 0; c < g->n_cols; c++)
        cn_buf_puts(out, g->col[c].is_number ? "|---:" : "|---");
    cn_buf_puts(out, "|\n");
}

static void grid(cn_buf *out, const cn_grid *g)
{
    if (!g)
        return;
    header(out, g);
    for (size_t r = 0; r < g->n_rows; r++) {
        bool is_total = g->has_total && r == g->n_rows - 1;
        for (size_t c = 0; c < g->n_cols; c++) {
            const char *cell = g->cell[r * g->n_cols + c];
            const char *strong = is_total && cell[0] ? "**" : "";
            cn_buf_printf(out, "| %s", strong);
            for (int k = 0; c == 0 && g->depth && k < g->depth[r]; k++)
                cn_buf_puts(out, "&emsp;");
            text(out, cell);
            cn_buf_printf(out, "%s ", strong);
        }
        cn_buf_puts(out, "|\n");
    }
    cn_buf_putc(out, '\n');
}

static void paragraph(cn_buf *out, cn_ctx *cx, const char *raw)
{
    text(out, cn_plain(cx, raw, CN_PLAIN_LINES));
    cn_buf_puts(out, "\n\n");
}

/* Indented code needs no fence that its text could close. */
static void code(cn_buf *out, cn_ctx *cx, const char *raw)
{
    const char *p = cn_plain(cx, raw, CN_PLAIN_LINES);
    while (*p) {
        size_t n = strcspn(p, "\n");
        cn_buf_puts(out, n ? "    " : "");
        cn_buf_add(out, p, n);
        cn_buf_putc(out, '\n');
        p += p[n] ? n + 1 : n;
    }
    cn_buf_putc(out, '\n');
}

static void chart(cn_buf *out, cn_ctx *cx, const cn_doc *doc, const cn_chart *c)
{
    heading(out, cx, "###", c->title);
    if (c->finding && c->finding[0])
        paragraph(out, cx, c->finding);
    cn_table *twin = cn_doc_find_table(doc, c->id) ? NULL : cn_chart_table(cx, c);
    if (twin)
        grid(out, cn_grid_table(cx, twin));
}

static void block(cn_buf *out, cn_ctx *cx, const cn_doc *doc, const cn_doc_block *b)
{
    switch (b->kind) {
    case CN_BLOCK_FIGURES:
        heading(out, cx, "###", b->title);
        grid(out, cn_grid_without_range(cn_grid_figures(cx, b)));
        break;
    case CN_BLOCK_TABLE:
        heading(out, cx, "###", b->table->title);
        grid(out, cn_grid_table(cx, b->table));
        break;
    case CN_BLOCK_CHART:
        chart(out, cx, doc, b->chart);
        break;
    case CN_BLOCK_NOTE:
        paragraph(out, cx, b->text);
        break;
    case CN_BLOCK_CODE:
        heading(out, cx, "###", b->title);
        code(out, cx, b->text);
        break;
    case CN_BLOCK_HEADING:
        heading(out, cx, "##", b->title);
        break;
    }
}

static void warnings(cn_buf *out, cn_ctx *cx)
{
    for (int i = 0; i < cx->n_warnings; i++) {
        cn_buf_printf(out, "> %s: ", _("warning"));
        text(out, cn_plain(cx, cx->warning[i].message, CN_PLAIN_LINE));
        cn_buf_puts(out, "\n\n");
    }
}

void cn_md_report(cn_ctx *cx, const cn_doc *doc, cn_buf *out)
{
    heading(out, cx, "#", doc->title);
    if (doc->subtitle && doc->subtitle[0])
        paragraph(out, cx, doc->subtitle);
    warnings(out, cx);
    for (size_t i = 0; i < doc->n_blocks; i++)
        block(out, cx, doc, doc->block[i]);
    while (out->len > 1 && out->data[out->len - 1] == '\n' && out->data[out->len - 2] == '\n')
        out->data[--out->len] = 0;
}
