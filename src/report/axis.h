/*
 * axis.h - the axis of a chart: range, linear or logarithmic, round ticks. Shared by text and SVG.
 */
#ifndef CARNOT_REPORT_AXIS_H
#define CARNOT_REPORT_AXIS_H

#include "report/grid.h"

enum { CN_AXIS_TICKS = 12 };

typedef struct cn_axis {
    double lo, hi; /* both in the data's unit; lo < hi */
    bool is_log;
    int n_ticks;
    double tick[CN_AXIS_TICKS];
    cn_scale scale; /* of the tick labels */
} cn_axis;

/*
 * An axis for the finite numbers of values. Logarithmic when allowed, all are positive and they
 * span more than a factor of 30; with_zero makes a linear axis begin at zero.
 */
cn_axis cn_axis_of(const double *values, size_t n, const char *unit, bool may_be_log,
                   bool with_zero);

/* Place on the axis, 0..1; NaN outside the domain. */
double cn_axis_at(const cn_axis *axis, double value);

/* The text of a tick. */
const char *cn_axis_label(cn_ctx *cx, const cn_axis *axis, double tick);

#endif
