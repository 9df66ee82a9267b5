/*
 * text.c - a document on the terminal, or in a pipe.
 *
 * In a pipe (width 0) nothing is cut and nothing depends on the terminal. On a terminal the widest
 * text columns give way, and long tables show their beginning unless all rows are wanted.
 */
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "report/plain.h"
#include "report/text.h"

enum { DEFAULT_WIDTH = 80, GAP = 2, MIN_TEXT_COLUMN = 12, MAX_ROWS = 60, ROWS_WHEN_CUT = 50 };

static const cn_ink no_ink = {"", "", "", ""};
static const cn_ink ansi_ink = {"\033[1m", "\033[2m", "\033[1m", "\033[0m"};

typedef struct page {
    cn_ctx *cx;
    const cn_report_opts *opts;
    cn_ink ink;
    cn_buf *out;
} page;

/* ------------------------------------------------------------------------------ grids */

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

static int cell_width(const cn_grid *g, size_t row, size_t col)
{
    int indent = col == 0 && g->depth ? 2 * g->depth[row] : 0;
    return indent + cn_text_width(g->cell[row * g->n_cols + col]);
}

static int *measure(page *p, const cn_grid *g)
{
    int *width = cn_arena_array(&p->cx->arena, g->n_cols + 1, sizeof *width);
    if (!width) {
        cn_nomem(p->cx);
        return NULL;
    }
    for (size_t c = 0; c < g->n_cols; c++) {
        width[c] = max_int(cn_text_width(g->col[c].label), cn_text_width(g->col[c].unit));
        for (size_t r = 0; r < g->n_rows; r++)
            width[c] = max_int(width[c], cell_width(g, r, c));
    }
    return width;
}

static int total_width(const cn_grid *g, const int *width)
{
    int total = 0;
    for (size_t c = 0; c < g->n_cols; c++)
        total += GAP + width[c];
    return total;
}

/* Take columns away from the widest text column until the grid fits the terminal. */
static void fit(const cn_grid *g, int *width, int limit)
{
    for (int over = total_width(g, width) - limit; limit > 0 && over > 0; over--) {
        size_t widest = g->n_cols;
        for (size_t c = 0; c < g->n_cols; c++) {
            if (!g->col[c].is_number && width[c] > MIN_TEXT_COLUMN &&
                (widest == g->n_cols || width[c] > width[widest]))
                widest = c;
        }
        if (widest == g->n_cols)
            return; /* nothing left to give */
        width[widest]--;
    }
}

/* At most `width` columns of a text, the last one an ellipsis when it is cut. */
static const char *cut(cn_ctx *cx, const char *text, int width)
{
    if (cn_text_width(text) <= width)
        return text;
    char *copy = cn_arena_alloc(&cx->arena, strlen(text) + 4);
    if (!copy) {
        cn_nomem(cx);
        return "";
    }
    strcpy(copy, text);
    while (copy[0] && cn_text_width(copy) > width - 1) {
        char *end = copy + strlen(copy) - 1;
        while (end > copy && ((unsigned char)*end & 0xC0) == 0x80)
            end--;
        *end = 0;
    }
    return strcat(copy, "…");
}

typedef const char *(*cell_of)(const cn_grid *g, size_t row, size_t col);

static const char *label_cell(const cn_grid *g, size_t row, size_t col)
{
    (void)row;
    return g->col[col].label;
}

static const char *unit_cell(const cn_grid *g, size_t row, size_t col)
{
    (void)row;
    return g->col[col].unit;
}

static const char *body_cell(const cn_grid *g, size_t row, size_t col)
{
    return g->cell[row * g->n_cols + col];
}

static void grid_line(page *p, const cn_grid *g, const int *width, size_t row, cell_of cell,
                      const char *ink)
{
    cn_buf_puts(p->out, ink);
    size_t start = p->out->len;
    for (size_t c = 0; c < g->n_cols; c++) {
        int indent = cell == body_cell && c == 0 && g->depth ? 2 * g->depth[row] : 0;
        cn_buf_fill(p->out, ' ', GAP + indent);
        cn_pad(p->out, cut(p->cx, cell(g, row, c), width[c] - indent), width[c] - indent,
               g->col[c].is_number);
    }
    while (p->out->len > start && p->out->data[p->out->len - 1] == ' ')
        p->out->len--; /* blanks at line ends would be noise in files and diffs */
    cn_buf_printf(p->out, "%s\n", ink[0] ? p->ink.off : "");
}

static void grid(page *p, const cn_grid *g)
{
    int *width = g ? measure(p, g) : NULL;
    if (!width)
        return;
    fit(g, width, p->opts->width);
    bool is_cut = p->opts->width > 0 && !p->opts->is_verbose && g->n_rows > MAX_ROWS;
    size_t shown = is_cut ? ROWS_WHEN_CUT : g->n_rows;
    if (g->has_labels)
        grid_line(p, g, width, 0, label_cell, p->ink.dim);
    if (g->has_units)
        grid_line(p, g, width, 0, unit_cell, p->ink.dim);
    for (size_t r = 0; r < shown; r++) {
        bool is_total = g->has_total && r == g->n_rows - 1;
        grid_line(p, g, width, r, body_cell, is_total ? p->ink.total : "");
    }
    if (!is_cut)
        return;
    if (g->has_total)
        grid_line(p, g, width, g->n_rows - 1, body_cell, p->ink.total);
    cn_buf_puts(p->out, "  ");
    cn_buf_printf(p->out, _("... %zu more rows; --verbose shows all"),
                  g->n_rows - shown - g->has_total);
    cn_buf_putc(p->out, '\n');
}

/* ------------------------------------------------------------------------------ blocks */

static void title(page *p, const char *text)
{
    const char *plain = cn_plain(p->cx, text, CN_PLAIN_LINE);
    if (plain[0])
        cn_buf_printf(p->out, "%s%s%s\n", p->ink.bold, plain, p->ink.off);
}

static void chart(page *p, const cn_chart *c)
{
    int width = p->opts->width > 0 ? p->opts->width : DEFAULT_WIDTH;
    title(p, c->title);
    if (c->kind == CN_CHART_LINE || c->kind == CN_CHART_SCATTER)
        cn_text_plot(p->cx, c, width, p->out);
    else
        cn_text_bars(p->cx, c, width, &p->ink, p->out);
    if (c->finding && c->finding[0]) {
        cn_buf_puts(p->out, "  ");
        cn_wrap(p->out, cn_plain(p->cx, c->finding, CN_PLAIN_LINE), 2, width);
    }
}

static void block(page *p, const cn_doc_block *b)
{
    int width = p->opts->width > 0 ? p->opts->width : DEFAULT_WIDTH;
    switch (b->kind) {
    case CN_BLOCK_FIGURES:
        title(p, b->title);
        grid(p, cn_grid_without_range(cn_grid_figures(p->cx, b)));
        break;
    case CN_BLOCK_TABLE:
        title(p, b->table->title);
        grid(p, cn_grid_table(p->cx, b->table));
        break;
    case CN_BLOCK_CHART:
        chart(p, b->chart);
        break;
    case CN_BLOCK_NOTE:
        cn_wrap(p->out, cn_plain(p->cx, b->text, CN_PLAIN_LINES), 0, width);
        break;
    case CN_BLOCK_CODE:
        title(p, b->title);
        cn_buf_puts(p->out, cn_plain(p->cx, b->text, CN_PLAIN_LINES));
        if (p->out->len && p->out->data[p->out->len - 1] != '\n')
            cn_buf_putc(p->out, '\n');
        break;
    case CN_BLOCK_HEADING:
        title(p, b->title);
        break;
    }
}

void cn_text_report(cn_ctx *cx, const cn_doc *doc, const cn_report_opts *opts, cn_buf *out)
{
    page p = {.cx = cx, .opts = opts, .ink = opts->has_color ? ansi_ink : no_ink, .out = out};
    const char *subtitle = cn_plain(cx, doc->subtitle, CN_PLAIN_LINE);
    cn_buf_printf(out, "%s%s%s%s%s\n", p.ink.bold, cn_plain(cx, doc->title, CN_PLAIN_LINE),
                  p.ink.off, subtitle[0] ? "   " : "", subtitle);
    for (size_t i = 0; i < doc->n_blocks; i++) {
        cn_buf_putc(out, '\n');
        block(&p, doc->block[i]);
    }
}
