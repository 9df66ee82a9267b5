/*
 * html.c - a document as one HTML page: styles, charts, script and data inside, nothing outside.
 *
 * The page reads without script; the script adds sorting, filtering, keys and downloads. A content
 * security policy forbids it to fetch anything. Every text is plain (plain.c) and escaped here.
 *
 * Layout: a headline block of figures becomes tiles; every other block a section, in order. A chart
 * has its finding as caption and label, and a table twin that can be opened. Long tables show
 * MAX_ROWS rows: beyond that nobody reads, and the CSV holds all.
 */
#include <stdio.h>
#include <string.h>

#include "base/lang.h"
#include "base/when.h"
#include "report/forms.h"
#include "report/plain.h"
#include "report/web.h"

enum { MAX_ROWS = 2000, FILTER_FROM = 12, MAX_TILES = 10, MAX_CSV_BYTES = 256 << 10 };

typedef struct page {
    cn_ctx *cx;
    const cn_doc *doc;
    cn_buf *out;
    int n_sections;
} page;

void cn_html_text(cn_buf *out, const char *plain)
{
    for (const char *p = plain; *p; p++) {
        switch (*p) {
        case '&':
            cn_buf_puts(out, "&amp;");
            break;
        case '<':
            cn_buf_puts(out, "&lt;");
            break;
        case '>':
            cn_buf_puts(out, "&gt;");
            break;
        case '"':
            cn_buf_puts(out, "&quot;");
            break;
        case '\'':
            cn_buf_puts(out, "&#39;");
            break;
        default:
            cn_buf_putc(out, *p);
        }
    }
}

static void say(page *p, const char *raw)
{
    cn_html_text(p->out, cn_plain(p->cx, raw, CN_PLAIN_LINE));
}

static void put(page *p, const char *markup)
{
    cn_buf_puts(p->out, markup);
}

/* ------------------------------------------------------------------------------ tables */

static void cell_open(page *p, const char *tag, bool is_number, const char *more)
{
    cn_buf_printf(p->out, "<%s%s%s>", tag, is_number ? " class=\"n\"" : "", more);
}

static void head_row(page *p, const cn_grid *g)
{
    put(p, "<thead><tr>");
    for (size_t c = 0; c < g->n_cols; c++) {
        cell_open(p, "th", g->col[c].is_number, " scope=\"col\"");
        say(p, g->col[c].label);
        if (g->col[c].unit[0]) {
            put(p, " <small>");
            say(p, g->col[c].unit);
            put(p, "</small>");
        }
        put(p, "</th>");
    }
    put(p, "</tr></thead>\n");
}

static void body_row(page *p, const cn_grid *g, size_t r)
{
    bool is_total = g->has_total && r == g->n_rows - 1;
    put(p, is_total ? "<tr class=\"total\">" : "<tr>");
    for (size_t c = 0; c < g->n_cols; c++) {
        char depth[24] = "";
        if (c == 0 && g->depth && g->depth[r])
            snprintf(depth, sizeof depth, " class=\"d%d\"", g->depth[r]);
        if (c == 0 && !g->col[c].is_number)
            cell_open(p, "th", false, depth[0] ? depth : " scope=\"row\"");
        else
            cell_open(p, "td", g->col[c].is_number, "");
        say(p, g->cell[r * g->n_cols + c]);
        put(p, c == 0 && !g->col[c].is_number ? "</th>" : "</td>");
    }
    put(p, "</tr>\n");
}

/* Bytes of a data address: everything but letters, digits and a few signs is written as %XX. */
static void address(cn_buf *out, const char *data, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)data[i];
        bool is_bare = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       (c && strchr("-_.~", c));
        if (is_bare)
            cn_buf_putc(out, (char)c);
        else
            cn_buf_printf(out, "%%%02X", c);
    }
}

static void csv_link(page *p, const cn_grid *raw)
{
    cn_buf csv = {0};
    if (raw)
        cn_csv_grid(raw, &csv);
    if (csv.len > 0 && csv.len <= MAX_CSV_BYTES) {
        put(p, "<a class=\"csv\" download=\"");
        say(p, raw->id);
        put(p, ".csv\" href=\"data:text/csv;charset=utf-8,");
        address(p->out, csv.data, csv.len);
        put(p, "\">CSV</a>");
    }
    p->out->failed = p->out->failed || csv.failed;
    cn_buf_free(&csv);
}

static void grid(page *p, const cn_grid *g)
{
    size_t shown = !g ? 0 : g->n_rows > MAX_ROWS ? MAX_ROWS : g->n_rows;
    if (!g)
        return;
    cn_buf_printf(p->out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    say(p, g->title[0] ? g->title : g->id);
    cn_buf_printf(p->out, "\"><table%s>\n", shown >= FILTER_FROM ? " data-filter=\"1\"" : "");
    if (g->has_labels)
        head_row(p, g);
    put(p, "<tbody>\n");
    for (size_t r = 0; r < shown; r++)
        body_row(p, g, r);
    if (shown < g->n_rows && g->has_total)
        body_row(p, g, g->n_rows - 1);
    put(p, "</tbody></table></div>\n");
    if (shown == g->n_rows)
        return;
    put(p, "<p class=\"note\">");
    cn_buf_printf(p->out, _("The first %zu of %zu rows; --csv prints all."), shown, g->n_rows);
    put(p, "</p>\n");
}

/* ------------------------------------------------------------------------------ sections */

static void open_section(page *p, const char *title, const cn_grid *raw)
{
    cn_buf_printf(p->out, "<section id=\"s%d\">\n", ++p->n_sections);
    if (title && title[0]) {
        put(p, "<div class=\"head\"><h2>");
        say(p, title);
        put(p, "</h2>");
        csv_link(p, raw);
        put(p, "</div>\n");
    }
}

static void close_section(page *p)
{
    put(p, "</section>\n");
}

static bool is_headline(const cn_doc *doc, const cn_doc_block *b)
{
    if (b->kind != CN_BLOCK_FIGURES || b->n_figs > MAX_TILES)
        return false;
    for (size_t i = 0; i < doc->n_blocks; i++) {
        if (doc->block[i]->kind == CN_BLOCK_FIGURES)
            return doc->block[i] == b;
    }
    return false;
}

static void tile(page *p, const cn_grid *g, size_t r)
{
    const char *const *cell = &g->cell[r * g->n_cols];
    put(p, "<div class=\"tile\"><dt>");
    say(p, cell[0]);
    put(p, "</dt><dd><b>");
    say(p, cell[1]);
    put(p, "</b> <span>");
    say(p, cell[2]);
    put(p, "</span><small>");
    if (strcmp(cell[3], "-") != 0) {
        say(p, cell[3]);
        put(p, " · ");
    }
    say(p, cell[4]);
    put(p, "</small></dd></div>\n");
}

static void tiles(page *p, const cn_doc_block *b)
{
    const cn_grid *g = cn_grid_figures(p->cx, b);
    cn_buf_printf(p->out, "<section id=\"s%d\" aria-label=\"", ++p->n_sections);
    say(p, b->title && b->title[0] ? b->title : _("key figures"));
    put(p, "\"><dl class=\"tiles\">\n");
    for (size_t r = 0; g && r < g->n_rows; r++)
        tile(p, g, r);
    put(p, "</dl></section>\n");
}

static void figures(page *p, const cn_doc_block *b)
{
    open_section(p, b->title, NULL);
    grid(p, cn_grid_without_range(cn_grid_figures(p->cx, b)));
    close_section(p);
}

static void table(page *p, const cn_table *t)
{
    open_section(p, t->title, cn_grid_raw_table(p->cx, t));
    grid(p, cn_grid_table(p->cx, t));
    close_section(p);
}

static void chart(page *p, const cn_chart *c)
{
    bool has_twin = cn_doc_find_table(p->doc, c->id) != NULL;
    cn_table *twin = has_twin ? NULL : cn_chart_table(p->cx, c);
    open_section(p, c->title, twin ? cn_grid_raw_table(p->cx, twin) : NULL);
    put(p, "<figure>\n");
    if (c->finding && c->finding[0]) {
        put(p, "<figcaption>");
        say(p, c->finding);
        put(p, "</figcaption>\n");
    }
    put(p, "<div class=\"scroll plot\" tabindex=\"0\">");
    cn_svg_chart(p->cx, c, p->out);
    put(p, "</div>\n</figure>\n");
    if (twin) {
        put(p, "<details><summary>");
        say(p, _("the same as a table"));
        put(p, "</summary>\n");
        grid(p, cn_grid_table(p->cx, twin));
        put(p, "</details>\n");
    }
    close_section(p);
}

static void code(page *p, const cn_doc_block *b)
{
    open_section(p, b->title, NULL);
    put(p, "<pre tabindex=\"0\">");
    cn_html_text(p->out, cn_plain(p->cx, b->text, CN_PLAIN_LINES));
    put(p, "</pre>\n");
    close_section(p);
}

/* A paragraph; what stands between backticks is code. */
static void note(page *p, const char *raw)
{
    bool is_code = false;
    put(p, "<p class=\"note\">");
    for (const char *text = cn_plain(p->cx, raw, CN_PLAIN_LINES); *text; text++) {
        char one[2] = {*text, 0};
        if (*text == '\n') {
            put(p, "<br>");
        } else if (*text == '`' && (is_code || strchr(text + 1, '`'))) {
            put(p, is_code ? "</code>" : "<code>");
            is_code = !is_code;
        } else {
            cn_html_text(p->out, one);
        }
    }
    put(p, "</p>\n");
}

static void block(page *p, const cn_doc_block *b)
{
    switch (b->kind) {
    case CN_BLOCK_FIGURES:
        is_headline(p->doc, b) ? tiles(p, b) : figures(p, b);
        break;
    case CN_BLOCK_TABLE:
        table(p, b->table);
        break;
    case CN_BLOCK_CHART:
        chart(p, b->chart);
        break;
    case CN_BLOCK_NOTE:
        note(p, b->text);
        break;
    case CN_BLOCK_CODE:
        code(p, b);
        break;
    case CN_BLOCK_HEADING:
        put(p, "<h2 class=\"part\">");
        say(p, b->title);
        put(p, "</h2>\n");
        break;
    }
}

/* ------------------------------------------------------------------------------ page */

static void head(page *p, const char *lang)
{
    cn_buf_printf(p->out, "<!doctype html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n",
                  strcmp(lang, "zh_CN") == 0 ? "zh-CN" : "en");
    put(p, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
           "form-action 'none'\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    say(p, p->doc->title);
    put(p, " - carnot</title>\n<style>\n");
    cn_buf_add(p->out, cn_web_report_css, cn_web_report_css_len);
    put(p, "</style>\n</head>\n");
}

static void banner(page *p)
{
    char when[32];
    put(p, "<body>\n<a class=\"skip\" href=\"#main\">");
    say(p, _("skip to the answer"));
    put(p, "</a>\n<header><div class=\"bar\"><span class=\"brand\">carnot</span><span "
           "class=\"meta\">");
    say(p, p->doc->schema);
    cn_buf_printf(p->out, " · <time>%s</time></span><span class=\"tools\"></span></div>\n<h1>",
                  cn_when_text(p->cx->now_s, when));
    say(p, p->doc->title);
    put(p, "</h1>\n");
    if (p->doc->subtitle && p->doc->subtitle[0]) {
        put(p, "<p class=\"sub\">");
        say(p, p->doc->subtitle);
        put(p, "</p>\n");
    }
    put(p, "</header>\n");
}

static const char *title_of(const cn_doc_block *b)
{
    if (b->kind == CN_BLOCK_TABLE)
        return b->table->title;
    return b->kind == CN_BLOCK_CHART ? b->chart->title : b->title;
}

/* Sections are numbered as block() will number them. */
static void contents(page *p)
{
    int section = 0, n = 0;
    for (size_t i = 0; i < p->doc->n_blocks; i++) {
        const cn_doc_block *b = p->doc->block[i];
        if (b->kind == CN_BLOCK_NOTE || b->kind == CN_BLOCK_HEADING)
            continue;
        section++;
        const char *title = is_headline(p->doc, b) ? NULL : title_of(b);
        if (!title || !title[0])
            continue;
        if (n++ == 0) {
            put(p, "<nav aria-label=\"");
            say(p, _("contents"));
            put(p, "\"><ul>");
        }
        cn_buf_printf(p->out, "<li><a href=\"#s%d\">", section);
        say(p, title);
        put(p, "</a></li>");
    }
    put(p, n ? "</ul></nav>\n" : "");
}

static void warnings(page *p)
{
    if (p->cx->n_warnings == 0)
        return;
    put(p, "<ul class=\"warn\">\n");
    for (int i = 0; i < p->cx->n_warnings; i++) {
        put(p, "<li><b>");
        say(p, _("warning"));
        put(p, "</b> ");
        say(p, p->cx->warning[i].message);
        if (p->cx->warning[i].hint[0]) {
            put(p, " <small>");
            say(p, p->cx->warning[i].hint);
            put(p, "</small>");
        }
        put(p, "</li>\n");
    }
    put(p, "</ul>\n");
}

/* The JSON form inside the page; "<" is written as an escape so that no text can end the element.
 */
static void data(page *p)
{
    cn_buf json = {0};
    cn_json_report(p->cx, p->doc, &json);
    put(p, "<script type=\"application/json\" id=\"data\">");
    for (size_t i = 0; i < json.len; i++) {
        if (json.data[i] == '<')
            put(p, "\\u003c");
        else
            cn_buf_putc(p->out, json.data[i]);
    }
    put(p, "</script>\n");
    p->out->failed = p->out->failed || json.failed;
    cn_buf_free(&json);
}

/* Words of the script, so that it too speaks the reader's language. */
static void words(page *p)
{
    const char *const list[][2] = {
        {"filter", _("filter rows")}, {"theme", _("light or dark")},
        {"keys", _("keys")},          {"rows", _("rows")},
        {"search", _("search")},      {"down", _("next and previous row")},
        {"close", _("close")},        {"sort", _("sort by this column")},
        {"help", _("this list")},
    };
    put(p, "<div id=\"words\" hidden");
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        cn_buf_printf(p->out, " data-%s=\"", list[i][0]);
        say(p, list[i][1]);
        cn_buf_putc(p->out, '"');
    }
    put(p, "></div>\n");
}

/* Hatchings that tell series apart without colour; styles refer to them by id. */
static void patterns(page *p)
{
    static const struct {
        const char *id, *colour, *lines;
    } list[] = {
        {"h-loss", "--loss", "M-2 2L2 -2M0 8L8 0M6 10L10 6"},
        {"h1", "--s1", "M-2 2L2 -2M0 8L8 0M6 10L10 6"},
        {"h2", "--s2", "M-2 6L2 10M0 0L8 8M6 -2L10 2"},
        {"h3", "--s3", "M0 4H8"},
        {"h5", "--s5", "M4 0V8"},
        {"h6", "--s6", "M0 4H8M4 0V8"},
        {"h7", "--s7", "M0 8L8 0M0 0L8 8"},
    };
    put(p, "<svg class=\"defs\" aria-hidden=\"true\"><defs>\n");
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        cn_buf_printf(p->out,
                      "<pattern id=\"%s\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
                      "<rect width=\"8\" height=\"8\" style=\"fill:var(%s)\"/>"
                      "<path d=\"%s\" style=\"stroke:var(%s);stroke-width:2\"/></pattern>\n",
                      list[i].id, list[i].colour, list[i].lines, list[i].colour);
    put(p, "</defs></svg>\n");
}

void cn_html_report(cn_ctx *cx, const cn_doc *doc, const char *lang, cn_buf *out)
{
    page p = {.cx = cx, .doc = doc, .out = out};
    head(&p, lang);
    banner(&p);
    patterns(&p);
    contents(&p);
    put(&p, "<main id=\"main\">\n");
    warnings(&p);
    for (size_t i = 0; i < doc->n_blocks; i++)
        block(&p, doc->block[i]);
    put(&p, "</main>\n<footer>carnot · ");
    say(&p, _("p10 .. p90: eight of ten runs are expected inside this range"));
    put(&p, "</footer>\n");
    words(&p);
    data(&p);
    put(&p, "<script>\n");
    cn_buf_add(out, cn_web_report_js, cn_web_report_js_len);
    put(&p, "</script>\n</body>\n</html>\n");
}
