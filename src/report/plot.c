/*
 * plot.c - lines and points drawn with characters, for charts that have two axes.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "report/axis.h"
#include "report/plain.h"
#include "report/text.h"

enum { ROWS = 15, MAX_COLUMNS = 100 };
static const char marks[] = "ox+*#@%&";

typedef struct canvas {
    char cell[ROWS][MAX_COLUMNS + 1];
    int columns;
    cn_axis x, y;
} canvas;

static size_t total_points(const cn_chart *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_series; i++)
        n += c->series[i].n;
    return n;
}

/* All x or all y of a chart, in one array. */
static double *gather(cn_ctx *cx, const cn_chart *c, bool is_x, size_t *n)
{
    double *all = cn_arena_array(&cx->arena, total_points(c) + 1, sizeof *all);
    *n = 0;
    if (!all) {
        cn_nomem(cx);
        return NULL;
    }
    for (size_t i = 0; i < c->n_series; i++) {
        const cn_series *s = &c->series[i];
        for (size_t k = 0; k < s->n; k++)
            all[(*n)++] = !is_x ? s->y[k] : s->x ? s->x[k] : (double)k;
    }
    return all;
}

static void put(canvas *v, double x, double y, char mark)
{
    double at_x = cn_axis_at(&v->x, x), at_y = cn_axis_at(&v->y, y);
    if (!(at_x >= 0 && at_x <= 1 && at_y >= 0 && at_y <= 1))
        return;
    int column = (int)lround(at_x * (v->columns - 1)), row = (int)lround((1 - at_y) * (ROWS - 1));
    v->cell[row][column] = mark;
}

/* The line of equality, under the points. */
static void diagonal(canvas *v)
{
    for (int i = 0; i < 4 * v->columns; i++) {
        double at = (double)i / (4 * v->columns - 1);
        double x =
            v->x.is_log ? v->x.lo * pow(v->x.hi / v->x.lo, at) : v->x.lo + at * (v->x.hi - v->x.lo);
        put(v, x, x, '.');
    }
}

static void points(canvas *v, const cn_chart *c)
{
    for (size_t i = 0; i < c->n_series; i++) {
        const cn_series *s = &c->series[i];
        for (size_t k = 0; k < s->n; k++)
            put(v, s->x ? s->x[k] : (double)k, s->y[k], marks[i % (sizeof marks - 1)]);
    }
}

static void print(cn_ctx *cx, const canvas *v, cn_buf *out)
{
    const char *label[ROWS] = {0};
    int width = 0;
    for (int i = 0; i < v->y.n_ticks; i++) {
        double at = cn_axis_at(&v->y, v->y.tick[i]);
        if (at >= 0 && at <= 1)
            label[lround((1 - at) * (ROWS - 1))] = cn_axis_label(cx, &v->y, v->y.tick[i]);
    }
    for (int r = 0; r < ROWS; r++)
        width = label[r] && cn_text_width(label[r]) > width ? cn_text_width(label[r]) : width;
    for (int r = 0; r < ROWS; r++) {
        int last = v->columns;
        while (last > 0 && v->cell[r][last - 1] == ' ')
            last--;
        cn_buf_puts(out, "  ");
        cn_pad(out, label[r] ? label[r] : "", width, true);
        cn_buf_printf(out, " |%.*s\n", last, v->cell[r]);
    }
    cn_buf_fill(out, ' ', width + 3);
    cn_buf_putc(out, '+');
    cn_buf_fill(out, '-', v->columns);
    cn_buf_printf(out, "\n");
    cn_buf_fill(out, ' ', width + 4);
    const char *lo = cn_axis_label(cx, &v->x, v->x.tick[0]);
    const char *hi = cn_axis_label(cx, &v->x, v->x.tick[v->x.n_ticks - 1]);
    cn_pad(out, lo, v->columns - cn_text_width(hi), false);
    cn_buf_printf(out, "%s%s%s\n", hi, v->x.scale.unit[0] ? " " : "", v->x.scale.unit);
}

static void legend(cn_ctx *cx, const cn_chart *c, cn_buf *out)
{
    cn_buf_putc(out, ' ');
    for (size_t i = 0; i < c->n_series; i++)
        cn_buf_printf(out, " %c %s", marks[i % (sizeof marks - 1)],
                      cn_plain(cx, c->series[i].label, CN_PLAIN_LINE));
    cn_buf_putc(out, '\n');
}

void cn_text_plot(cn_ctx *cx, const cn_chart *c, int width, cn_buf *out)
{
    size_t n;
    double *x = gather(cx, c, true, &n), *y = gather(cx, c, false, &n);
    canvas *v = cn_arena_alloc(&cx->arena, sizeof *v);
    if (!x || !y || !v || n == 0)
        return;
    bool is_scatter = c->kind == CN_CHART_SCATTER;
    v->columns = width - 20 > MAX_COLUMNS ? MAX_COLUMNS : width - 20 < 20 ? 20 : width - 20;
    memset(v->cell, ' ', sizeof v->cell);
    v->x = cn_axis_of(x, n, c->x_unit, is_scatter, false);
    v->y = cn_axis_of(y, n, c->unit, is_scatter, !is_scatter);
    v->x.scale.unit = cn_plain(cx, v->x.scale.unit, CN_PLAIN_LINE);
    v->y.scale.unit = cn_plain(cx, v->y.scale.unit, CN_PLAIN_LINE);
    if (is_scatter && c->x_unit && c->unit && strcmp(c->x_unit, c->unit) == 0)
        diagonal(v);
    points(v, c);
    cn_buf_printf(out, "  %s\n", v->y.scale.unit);
    print(cx, v, out);
    if (c->n_series > 1)
        legend(cx, c, out);
}
