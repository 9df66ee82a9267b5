/*
 * bars.c - waterfall, bar and stacked charts drawn with characters.
 *
 *     physical limit        592  ####################
 *     kernels below peak    410                      #############
 *
 * Bars use plain characters, one kind per series, so that they read the same without colour, in a
 * log file and in a mail.
 */
#include <math.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "report/plain.h"
#include "report/span.h"
#include "report/text.h"

enum { MAX_LABEL = 36, MIN_BAR = 16 };
static const char marks[] = "#:=+o*x~";

typedef struct frame {
    int label, value, bar; /* widths */
    double lo, hi;         /* of the axis; lo <= 0 <= hi */
    cn_scale scale;
} frame;

static bool measure(cn_ctx *cx, const cn_chart *c, int width, frame *f)
{
    size_t n = c->series[0].n;
    double *values = cn_span_values(cx, c);
    if (!values)
        return false;
    *f = (frame){.scale = cn_scale_of(values, n, c->unit, CN_COL_NUMBER)};
    f->scale.unit = cn_plain(cx, f->scale.unit, CN_PLAIN_LINE);
    f->value = cn_text_width(f->scale.unit);
    for (size_t i = 0; i < n; i++) {
        cn_span s = cn_span_of(c, i);
        int label = cn_text_width(cn_span_label(cx, c, i));
        int value = cn_text_width(cn_scale_text(cx, &f->scale, values[i]));
        f->label = label > f->label ? label : f->label;
        f->value = value > f->value ? value : f->value;
        f->lo = fmin(f->lo, fmin(s.from, s.to));
        f->hi = fmax(f->hi, fmax(s.from, s.to));
    }
    f->label = f->label > MAX_LABEL ? MAX_LABEL : f->label;
    f->bar = width - 2 - f->label - 2 - f->value - 2;
    f->bar = f->bar < MIN_BAR ? MIN_BAR : f->bar;
    return true;
}

static int column_of(const frame *f, double x)
{
    return f->hi > f->lo ? (int)lround((x - f->lo) / (f->hi - f->lo) * f->bar) : 0;
}

/* One piece of a bar, from column *at on; what is not nothing shows at least one mark. */
static void draw(cn_buf *out, const frame *f, cn_span s, char mark, int *at)
{
    int a = column_of(f, fmin(s.from, s.to)), b = column_of(f, fmax(s.from, s.to));
    if (s.from != s.to && a == b) {
        a -= a == f->bar;
        b = a + 1;
    }
    a = a < *at ? *at : a;
    cn_buf_fill(out, ' ', a - *at);
    cn_buf_fill(out, mark, b > a ? b - a : 0);
    *at = b > a ? b : a;
}

static void bar(cn_ctx *cx, const cn_chart *c, const frame *f, size_t i, cn_buf *out)
{
    int at = 0;
    cn_span whole = cn_span_of(c, i);
    cn_buf_puts(out, "  ");
    cn_pad(out, cn_span_label(cx, c, i), f->label, false);
    cn_buf_puts(out, "  ");
    cn_pad(out, cn_scale_text(cx, &f->scale, cn_span_value(c, i)), f->value, true);
    cn_buf_puts(out, whole.from != whole.to ? "  " : "");
    if (c->kind != CN_CHART_STACK && whole.from != whole.to)
        draw(out, f, whole, marks[0], &at);
    for (size_t k = 0; c->kind == CN_CHART_STACK && k < c->n_series; k++)
        draw(out, f, cn_span_piece(c, i, k), marks[k % (sizeof marks - 1)], &at);
    cn_buf_putc(out, '\n');
}

static void legend(cn_ctx *cx, const cn_chart *c, cn_buf *out)
{
    cn_buf_puts(out, " ");
    for (size_t k = 0; k < c->n_series; k++)
        cn_buf_printf(out, " %c %s", marks[k % (sizeof marks - 1)],
                      cn_plain(cx, c->series[k].label, CN_PLAIN_LINE));
    cn_buf_putc(out, '\n');
}

void cn_text_bars(cn_ctx *cx, const cn_chart *c, int width, const cn_ink *ink, cn_buf *out)
{
    frame f;
    if (c->n_series == 0 || !measure(cx, c, width, &f))
        return;
    cn_buf_printf(out, "%s  ", ink->dim);
    cn_buf_fill(out, ' ', f.label + 2);
    cn_pad(out, f.scale.unit, f.value, true);
    cn_buf_printf(out, "%s\n", ink->off);
    for (size_t i = 0; i < c->series[0].n; i++)
        bar(cx, c, &f, i, out);
    if (c->kind == CN_CHART_STACK)
        legend(cx, c, out);
}
