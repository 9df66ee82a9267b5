/* span.c - where the bars of a chart start and end. */
#include <math.h>

#include "report/plain.h"
#include "report/span.h"

static double known(const cn_series *s, size_t i)
{
    return i < s->n && isfinite(s->y[i]) ? s->y[i] : 0;
}

bool cn_span_is_total(const cn_chart *c, size_t i)
{
    return c->kind == CN_CHART_WATERFALL && i + 1 == c->series[0].n;
}

cn_span cn_span_of(const cn_chart *c, size_t i)
{
    cn_span s = {0, 0};
    bool floats = c->kind == CN_CHART_WATERFALL && !cn_span_is_total(c, i);
    for (size_t k = 0; floats && k < i; k++)
        s.from += known(&c->series[0], k);
    s.to = s.from;
    size_t n_pieces = c->kind == CN_CHART_STACK ? c->n_series : 1;
    for (size_t k = 0; k < n_pieces; k++)
        s.to += known(&c->series[k], i);
    return s;
}

cn_span cn_span_piece(const cn_chart *c, size_t i, size_t k)
{
    cn_span s = {0, 0};
    for (size_t below = 0; below < k; below++)
        s.from += known(&c->series[below], i);
    s.to = s.from + known(&c->series[k], i);
    return s;
}

double cn_span_value(const cn_chart *c, size_t i)
{
    return c->kind == CN_CHART_STACK ? cn_span_of(c, i).to : c->series[0].y[i];
}

double *cn_span_values(cn_ctx *cx, const cn_chart *c)
{
    size_t n = c->series[0].n;
    double *values = cn_arena_array(&cx->arena, n + 1, sizeof *values);
    if (!values)
        cn_nomem(cx);
    for (size_t i = 0; values && i < n; i++)
        values[i] = cn_span_value(c, i);
    return values;
}

const char *cn_span_label(cn_ctx *cx, const cn_chart *c, size_t i)
{
    return c->series[0].point ? cn_plain(cx, c->series[0].point[i], CN_PLAIN_LINE) : "";
}
