/*
 * svg_bars.c - waterfall, bars and stacks: labels at the left, one bar a row, numbers at its end.
 *
 * Rows lie down because labels are words. Of a waterfall the first bar is what physics asks, the
 * last the total, all between are losses; each kind has its own class. A thin line joins a bar to
 * the next, so that the steps can be followed.
 */
#include <math.h>
#include <stdio.h>

#include "report/plain.h"
#include "report/span.h"
#include "report/svg.h"

enum { ROW = 28, BAR = 18, TOP = 24, GAP = 10, MAX_LABEL_PX = 290 };

typedef struct frame {
    double left, right, value_px; /* the bars lie between left and right */
    double lo, hi;
    cn_scale scale;
} frame;

static frame measure(cn_ctx *cx, const cn_chart *c, const double *values)
{
    size_t n = c->series[0].n;
    frame f = {.scale = cn_scale_of(values, n, c->unit, CN_COL_NUMBER)};
    double label_px = 0;
    for (size_t i = 0; i < n; i++) {
        cn_span s = cn_span_of(c, i);
        label_px = fmax(label_px, cn_svg_width_of(cn_span_label(cx, c, i)));
        f.value_px = fmax(f.value_px, cn_svg_width_of(cn_scale_text(cx, &f.scale, values[i])));
        f.lo = fmin(f.lo, fmin(s.from, s.to));
        f.hi = fmax(f.hi, fmax(s.from, s.to));
    }
    f.left = fmin(label_px, MAX_LABEL_PX) + GAP;
    f.right = CN_SVG_WIDTH - f.value_px - 2 * GAP;
    return f;
}

static double at(const frame *f, double x)
{
    double span = f->hi > f->lo ? f->hi - f->lo : 1;
    return f->left + (x - f->lo) / span * (f->right - f->left);
}

/* A bar with the tooltip "label: value unit". */
static void rect(cn_ctx *cx, cn_buf *out, const frame *f, cn_span s, double y, const char *class,
                 const char *label, double value)
{
    double a = at(f, fmin(s.from, s.to)), b = at(f, fmax(s.from, s.to));
    if (s.from == s.to)
        return;
    cn_buf_printf(out,
                  "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" class=\"%s\"><title>",
                  a, y, fmax(b - a, 1.5), BAR, class);
    cn_html_text(out, cn_plain(cx, label, CN_PLAIN_LINE));
    cn_buf_puts(out, ": ");
    cn_html_text(out, cn_scale_text(cx, &f->scale, value));
    cn_buf_putc(out, ' ');
    cn_html_text(out, cn_plain(cx, f->scale.unit, CN_PLAIN_LINE));
    cn_buf_puts(out, "</title></rect>\n");
}

static const char *class_of(const cn_chart *c, size_t i)
{
    if (c->kind != CN_CHART_WATERFALL)
        return "f0";
    if (cn_span_is_total(c, i))
        return "tot";
    return i == 0 ? "base" : c->series[0].y[i] < 0 ? "gain" : "loss";
}

static void whisker(cn_buf *out, const frame *f, const cn_series *s, size_t i, double y)
{
    if (!s->lo || !s->hi || !isfinite(s->lo[i]) || !isfinite(s->hi[i]) || s->hi[i] <= s->lo[i])
        return;
    double a = at(f, fmax(s->lo[i], f->lo)), b = at(f, fmin(s->hi[i], f->hi)), mid = y + BAR / 2.0;
    cn_svg_line(out, a, mid, b, mid, "wh");
    cn_svg_line(out, a, mid - 4, a, mid + 4, "wh");
    cn_svg_line(out, b, mid - 4, b, mid + 4, "wh");
}

static void row(cn_ctx *cx, const cn_chart *c, const frame *f, size_t i, double y, cn_buf *out)
{
    const char *label = cn_span_label(cx, c, i);
    cn_span s = cn_span_of(c, i);
    bool is_total = cn_span_is_total(c, i);
    cn_svg_text(cx, out, f->left - GAP, y + 13, CN_ANCHOR_END, is_total ? "lb st" : "lb", label,
                f->left - GAP);
    if (c->kind == CN_CHART_STACK) {
        for (size_t k = 0; k < c->n_series; k++) {
            char class[8];
            cn_span piece = cn_span_piece(c, i, k);
            snprintf(class, sizeof class, "f%zu", k % CN_SVG_SERIES);
            rect(cx, out, f, piece, y, class, c->series[k].label, piece.to - piece.from);
        }
    } else {
        rect(cx, out, f, s, y, class_of(c, i), label, cn_span_value(c, i));
        if (c->kind == CN_CHART_BAR)
            whisker(out, f, &c->series[0], i, y);
    }
    if (c->kind == CN_CHART_WATERFALL && !is_total)
        cn_svg_line(out, at(f, s.to), y, at(f, s.to), y + ROW + BAR, "jn");
    cn_svg_text(cx, out, CN_SVG_WIDTH - 2, y + 13, CN_ANCHOR_END, is_total ? "vl st" : "vl",
                cn_scale_text(cx, &f->scale, cn_span_value(c, i)), 0);
}

void cn_svg_bars(cn_ctx *cx, const cn_chart *c, cn_buf *out)
{
    double *values = cn_span_values(cx, c);
    if (!values)
        return;
    size_t n = c->series[0].n;
    frame f = measure(cx, c, values);
    bool has_legend = c->kind == CN_CHART_STACK;
    double body = TOP + (double)(n * ROW);
    double height = body + (has_legend ? cn_svg_legend_height(cx, c, f.left) + 6 : 0);
    cn_svg_open(cx, out, c, height);
    cn_svg_text(cx, out, CN_SVG_WIDTH - 2, 12, CN_ANCHOR_END, "un", f.scale.unit, 0);
    cn_svg_line(out, at(&f, 0), TOP - 6, at(&f, 0), body - 4, "ax");
    for (size_t i = 0; i < n; i++)
        row(cx, c, &f, i, TOP + (double)(i * ROW), out);
    if (has_legend)
        cn_svg_legend(cx, out, c, f.left, body + 14);
    cn_buf_puts(out, "</svg>\n");
}
