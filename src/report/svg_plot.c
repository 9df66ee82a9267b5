/*
 * svg_plot.c - lines with their ranges, and points of predicted against measured.
 *
 * A scatter of two quantities in the same unit shows the line of equality; both axes are
 * logarithmic when the data span a factor of thirty, because errors are then relative.
 */
#include <math.h>
#include <string.h>

#include "report/plain.h"
#include "report/svg.h"

enum { LEFT = 84, RIGHT = 744, TOP = 24, BOTTOM = 300, HEIGHT = 348, MAX_POINTS = 5000 };

typedef struct plot {
    cn_ctx *cx;
    const cn_chart *chart;
    cn_buf *out;
    cn_axis x, y;
} plot;

static double x_of(const cn_series *s, size_t k)
{
    return s->x ? s->x[k] : (double)k;
}

static double px(const plot *p, double x)
{
    return LEFT + cn_axis_at(&p->x, x) * (RIGHT - LEFT);
}

static double py(const plot *p, double y)
{
    return BOTTOM - cn_axis_at(&p->y, y) * (BOTTOM - TOP);
}

/* ------------------------------------------------------------------------------ axes */

static bool make_axes(plot *p, bool is_scatter)
{
    const cn_chart *c = p->chart;
    size_t n = 0, at = 0;
    for (size_t i = 0; i < c->n_series; i++)
        n += c->series[i].n;
    double *x = cn_arena_array(&p->cx->arena, n + 1, sizeof *x);
    double *y = cn_arena_array(&p->cx->arena, 3 * n + 1, sizeof *y);
    if (!x || !y) {
        cn_nomem(p->cx);
        return false;
    }
    for (size_t i = 0; i < c->n_series; i++) {
        const cn_series *s = &c->series[i];
        for (size_t k = 0; k < s->n; k++, at++) {
            x[at] = x_of(s, k);
            y[3 * at] = s->y[k];
            y[3 * at + 1] = s->lo ? s->lo[k] : NAN;
            y[3 * at + 2] = s->hi ? s->hi[k] : NAN;
        }
    }
    p->x = cn_axis_of(x, n, c->x_unit, is_scatter, false);
    p->y = cn_axis_of(y, 3 * n, c->unit, is_scatter, !is_scatter);
    return true;
}

static void axes(plot *p)
{
    cn_svg_text(p->cx, p->out, LEFT - 8, 12, CN_ANCHOR_END, "un", p->y.scale.unit, 0);
    for (int i = 0; i < p->y.n_ticks; i++) {
        double y = py(p, p->y.tick[i]);
        if (!(y >= TOP - 1 && y <= BOTTOM + 1))
            continue;
        cn_svg_line(p->out, LEFT, y, RIGHT, y, "gr");
        cn_svg_text(p->cx, p->out, LEFT - 8, y + 4, CN_ANCHOR_END, "tk",
                    cn_axis_label(p->cx, &p->y, p->y.tick[i]), 0);
    }
    for (int i = 0; i < p->x.n_ticks; i++) {
        double x = px(p, p->x.tick[i]);
        if (!(x >= LEFT - 1 && x <= RIGHT + 1))
            continue;
        cn_svg_line(p->out, x, BOTTOM, x, BOTTOM + 5, "ax");
        cn_svg_text(p->cx, p->out, x, BOTTOM + 20, CN_ANCHOR_MIDDLE, "tk",
                    cn_axis_label(p->cx, &p->x, p->x.tick[i]), 0);
    }
    cn_svg_line(p->out, LEFT, BOTTOM, RIGHT, BOTTOM, "ax");
    cn_svg_text(p->cx, p->out, RIGHT, BOTTOM + 38, CN_ANCHOR_END, "un", p->x.scale.unit, 0);
}

/* ------------------------------------------------------------------------------ marks */

/* The range of a line as an area: along hi, back along lo. */
static void band(plot *p, const cn_series *s, size_t i)
{
    if (!s->lo || !s->hi || s->n < 2)
        return;
    cn_buf_printf(p->out, "<path class=\"a%zu\" d=\"", i % CN_SVG_SERIES);
    size_t n = 0;
    for (size_t k = 0; k < 2 * s->n; k++) {
        size_t at = k < s->n ? k : 2 * s->n - 1 - k;
        double x = px(p, x_of(s, at)), y = py(p, k < s->n ? s->hi[at] : s->lo[at]);
        if (isfinite(x) && isfinite(y))
            cn_buf_printf(p->out, "%c%.1f %.1f", n++ ? 'L' : 'M', x, y);
    }
    cn_buf_puts(p->out, n ? "Z\"/>\n" : "\"/>\n");
}

/* A gap in the data is a gap in the line. */
static void line(plot *p, const cn_series *s, size_t i)
{
    bool is_open = false;
    cn_buf_printf(p->out, "<path class=\"l%zu\" d=\"", i % CN_SVG_SERIES);
    for (size_t k = 0; k < s->n; k++) {
        double x = px(p, x_of(s, k)), y = py(p, s->y[k]);
        bool is_known = isfinite(x) && isfinite(y);
        if (is_known)
            cn_buf_printf(p->out, "%c%.1f %.1f", is_open ? 'L' : 'M', x, y);
        is_open = is_known;
    }
    cn_buf_puts(p->out, "\"/>\n");
}

static void point(plot *p, const cn_series *s, size_t i, size_t k)
{
    double x = px(p, x_of(s, k)), y = py(p, s->y[k]);
    if (!isfinite(x) || !isfinite(y))
        return;
    bool is_scatter = p->chart->kind == CN_CHART_SCATTER; /* a line has its band */
    if (is_scatter && s->lo && s->hi && isfinite(py(p, s->lo[k])) && isfinite(py(p, s->hi[k])))
        cn_svg_line(p->out, x, py(p, s->lo[k]), x, py(p, s->hi[k]), "wh");
    cn_svg_shape(p->out, x, y, i);
    cn_buf_puts(p->out, "<title>");
    cn_html_text(p->out, cn_plain(p->cx, s->point ? s->point[k] : s->label, CN_PLAIN_LINE));
    cn_buf_puts(p->out, ": ");
    cn_scale shown = cn_scale_of(&s->y[k], 1, p->chart->unit, CN_COL_NUMBER);
    cn_html_text(p->out, cn_scale_text(p->cx, &shown, s->y[k]));
    cn_buf_putc(p->out, ' ');
    cn_html_text(p->out, cn_plain(p->cx, shown.unit, CN_PLAIN_LINE));
    cn_buf_puts(p->out, "</title></path>\n");
}

/* Clipped to what both axes hold. */
static void diagonal(plot *p)
{
    double lo = fmax(p->x.lo, p->y.lo), hi = fmin(p->x.hi, p->y.hi);
    if (hi > lo)
        cn_svg_line(p->out, px(p, lo), py(p, lo), px(p, hi), py(p, hi), "eq");
}

void cn_svg_plot(cn_ctx *cx, const cn_chart *c, cn_buf *out)
{
    plot p = {.cx = cx, .chart = c, .out = out};
    bool is_scatter = c->kind == CN_CHART_SCATTER, has_legend = c->n_series > 1;
    if (!make_axes(&p, is_scatter))
        return;
    double rows = has_legend ? cn_svg_legend_height(cx, c, LEFT) : 0;
    cn_svg_open(cx, out, c, HEIGHT + rows);
    axes(&p);
    if (is_scatter && c->x_unit && strcmp(c->x_unit, c->unit) == 0)
        diagonal(&p);
    for (size_t i = 0; i < c->n_series; i++) {
        const cn_series *s = &c->series[i];
        if (!is_scatter) {
            band(&p, s, i);
            line(&p, s, i);
        }
        bool shows_points = is_scatter || s->n <= 60;
        for (size_t k = 0; shows_points && k < s->n && k < MAX_POINTS; k++)
            point(&p, s, i, k);
    }
    if (has_legend)
        cn_svg_legend(cx, out, c, LEFT, HEIGHT + 8);
    cn_buf_puts(out, "</svg>\n");
}
