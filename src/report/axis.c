/* axis.c - round ticks on linear and logarithmic axes. */
#include <math.h>
#include <string.h>

#include "base/unit.h"
#include "report/axis.h"

enum { WANTED_TICKS = 5 };
static const double log_span = 30;

static double at_step(double lo, double step, int i)
{
    return (floor(lo / step + 1e-9) + i) * step;
}

/* The step of 1, 2 or 5 times a power of ten that gives about WANTED_TICKS. */
static double round_step(double span)
{
    double raw = span / WANTED_TICKS, power = pow(10, floor(log10(raw)));
    double lead = raw / power;
    return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

static void linear_ticks(cn_axis *a)
{
    double step = round_step((a->hi - a->lo) / a->scale.factor) * a->scale.factor;
    double first = at_step(a->lo, step, 0);
    a->lo = first;
    a->hi = ceil(a->hi / step - 1e-9) * step;
    for (int i = 0; i < CN_AXIS_TICKS; i++) {
        double tick = at_step(first, step, i);
        if (tick > a->hi + step * 1e-6)
            break;
        a->tick[a->n_ticks++] = tick;
    }
    double shown = step / a->scale.factor;
    a->scale.decimals = shown >= 1 ? 0 : (int)ceil(-log10(shown) - 1e-9);
    if (a->scale.decimals > 6)
        a->scale.decimals = 6;
}

/* Powers of ten; with few of them also 2 and 5 times. */
static void log_ticks(cn_axis *a)
{
    double factor = a->scale.factor;
    int from = (int)floor(log10(a->lo / factor)), to = (int)ceil(log10(a->hi / factor));
    int stride = (to - from) / (CN_AXIS_TICKS - 2) + 1;
    bool is_fine = to - from <= 3;
    static const double leads[] = {1, 2, 5};
    for (int e = from; e <= to; e += stride) {
        for (int k = 0; k < (is_fine ? 3 : 1) && a->n_ticks < CN_AXIS_TICKS; k++) {
            double tick = leads[k] * pow(10, e) * factor;
            if (tick >= a->lo * (1 - 1e-9) && tick <= a->hi * (1 + 1e-9))
                a->tick[a->n_ticks++] = tick;
        }
    }
    a->scale.decimals = -1; /* each tick shows its own digits */
}

cn_axis cn_axis_of(const double *values, size_t n, const char *unit, bool may_be_log,
                   bool with_zero)
{
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i]))
            continue;
        lo = fmin(lo, values[i]);
        hi = fmax(hi, values[i]);
    }
    cn_axis a = {.lo = 0, .hi = 1};
    a.scale = cn_scale_of(values, n, unit, CN_COL_NUMBER);
    if (!(lo <= hi)) {
        linear_ticks(&a);
        return a;
    }
    a.is_log = may_be_log && lo > 0 && hi / lo > log_span;
    a.lo = a.is_log ? lo / 1.15 : with_zero ? fmin(lo, 0) : lo;
    a.hi = a.is_log ? hi * 1.15 : with_zero ? fmax(hi, 0) : hi;
    if (!(a.hi > a.lo)) { /* one value: give it room */
        double room = a.hi != 0 ? fabs(a.hi) * 0.1 : 1;
        a.lo -= room;
        a.hi += room;
    }
    a.is_log ? log_ticks(&a) : linear_ticks(&a);
    return a;
}

double cn_axis_at(const cn_axis *a, double value)
{
    if (!isfinite(value) || (a->is_log && value <= 0))
        return NAN;
    return a->is_log ? log(value / a->lo) / log(a->hi / a->lo) : (value - a->lo) / (a->hi - a->lo);
}

const char *cn_axis_label(cn_ctx *cx, const cn_axis *a, double tick)
{
    cn_scale scale = a->scale;
    if (scale.decimals < 0) {
        double shown = fabs(tick / scale.factor);
        scale.decimals = shown >= 1 || shown == 0 ? 0 : (int)ceil(-log10(shown) - 1e-9);
        scale.decimals = scale.decimals > 9 ? 9 : scale.decimals;
    }
    if (tick == 0)
        return "0";
    return cn_scale_text(cx, &scale, tick);
}
