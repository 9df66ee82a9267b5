/*
 * svg.c - charts as inline SVG, without script.
 *
 * Colours come from the classes of web/report.css, so that light, dark and print each have their
 * own; a series is told apart by pattern or mark as well as by colour. The finding is the
 * accessible name; numbers can be read in the table beside it.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/plain.h"
#include "report/svg.h"

static const double char_px = 7.5; /* one column of the 13 px text of the charts, in a wide face */

double cn_svg_width_of(const char *text)
{
    return char_px * cn_text_width(text);
}

void cn_svg_open(cn_ctx *cx, cn_buf *out, const cn_chart *c, double height)
{
    const char *name = c->finding && c->finding[0] ? c->finding : c->title;
    cn_buf_printf(out,
                  "<svg viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\" role=\"img\" "
                  "aria-label=\"",
                  CN_SVG_WIDTH, height, CN_SVG_WIDTH, height);
    cn_html_text(out, cn_plain(cx, name, CN_PLAIN_LINE));
    cn_buf_puts(out, "\">\n");
}

static const char *cut_to(cn_ctx *cx, const char *text, double max_px)
{
    char *copy = cn_arena_alloc(&cx->arena, strlen(text) + 4);
    if (!copy) {
        cn_nomem(cx);
        return "";
    }
    strcpy(copy, text);
    while (copy[0] && cn_svg_width_of(copy) + char_px > max_px) {
        char *end = copy + strlen(copy) - 1;
        while (end > copy && ((unsigned char)*end & 0xC0) == 0x80)
            end--;
        *end = 0;
    }
    return strcat(copy, "…");
}

void cn_svg_text(cn_ctx *cx, cn_buf *out, double x, double y, cn_anchor anchor, const char *class,
                 const char *text, double max_px)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    const char *plain = cn_plain(cx, text, CN_PLAIN_LINE);
    bool is_cut = max_px > 0 && cn_svg_width_of(plain) > max_px;
    cn_buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">", x, y,
                  anchors[anchor], class);
    cn_html_text(out, is_cut ? cut_to(cx, plain, max_px) : plain);
    if (is_cut) {
        cn_buf_puts(out, "<title>");
        cn_html_text(out, plain);
        cn_buf_puts(out, "</title>");
    }
    cn_buf_puts(out, "</text>\n");
}

void cn_svg_line(cn_buf *out, double x1, double y1, double x2, double y2, const char *class)
{
    cn_buf_printf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1,
                  y1, x2, y2, class);
}

/* Each series has its own shape: circle, square, triangle, diamond. Left open for a tooltip. */
void cn_svg_shape(cn_buf *out, double x, double y, size_t i)
{
    static const char *const shapes[] = {"m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z", "m-3.5-3.5h7v7h-7Z",
                                         "m0-5l4.5 8h-9Z", "m0-5l5 5l-5 5l-5-5Z"};
    cn_buf_printf(out, "<path d=\"M%.1f %.1f%s\" class=\"p%zu\">", x, y, shapes[i % 4],
                  i % CN_SVG_SERIES);
}

static void legend_mark(cn_buf *out, const cn_chart *c, double x, double y, size_t i)
{
    char class[8];
    if (c->kind == CN_CHART_STACK || c->kind == CN_CHART_BAR) {
        cn_buf_printf(out,
                      "<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"10\" class=\"f%zu\"/>\n",
                      x, y - 9, i % CN_SVG_SERIES);
        return;
    }
    snprintf(class, sizeof class, "l%zu", i % CN_SVG_SERIES);
    if (c->kind == CN_CHART_LINE)
        cn_svg_line(out, x - 4, y - 4, x + 18, y - 4, class);
    cn_svg_shape(out, x + 7, y - 4, i);
    cn_buf_puts(out, "</path>\n");
}

static const double legend_row = 20;

/* Places the names in rows; with out NULL it only measures. Returns the height used. */
static double place_legend(cn_ctx *cx, cn_buf *out, const cn_chart *c, double x, double y)
{
    double at = x, top = y;
    for (size_t i = 0; i < c->n_series; i++) {
        const char *label = cn_plain(cx, c->series[i].label, CN_PLAIN_LINE);
        double width = cn_svg_width_of(label) + 40;
        if (at > x && at + width > CN_SVG_WIDTH) {
            at = x;
            y += legend_row;
        }
        if (out) {
            legend_mark(out, c, at, y, i);
            cn_svg_text(cx, out, at + 22, y, CN_ANCHOR_START, "lb", label, 0);
        }
        at += width;
    }
    return y - top + legend_row;
}

double cn_svg_legend_height(cn_ctx *cx, const cn_chart *c, double x)
{
    return place_legend(cx, NULL, c, x, 0);
}

void cn_svg_legend(cn_ctx *cx, cn_buf *out, const cn_chart *c, double x, double y)
{
    place_legend(cx, out, c, x, y);
}

void cn_svg_chart(cn_ctx *cx, const cn_chart *c, cn_buf *out)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_series; i++)
        n += c->series[i].n;
    if (n == 0)
        return;
    if (c->kind == CN_CHART_LINE || c->kind == CN_CHART_SCATTER)
        cn_svg_plot(cx, c, out);
    else
        cn_svg_bars(cx, c, out);
}
