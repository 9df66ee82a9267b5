/* campaign.c - see campaign.h. */
#include <math.h>

#include "model/campaign.h"

static const double day_s = 86400;

double cn_job_mtbf_s(double devices, double per_device_day, double other_per_day)
{
    double per_day = devices * per_device_day + other_per_day;
    return per_day > 0 ? day_s / per_day : per_day == 0 ? INFINITY : NAN;
}

double cn_checkpoint_young_s(double stall_s, double mtbf_s)
{
    return sqrt(2 * stall_s * mtbf_s);
}

double cn_checkpoint_daly_s(double stall_s, double mtbf_s)
{
    if (stall_s >= 2 * mtbf_s)
        return mtbf_s;
    double r = stall_s / (2 * mtbf_s);
    return cn_checkpoint_young_s(stall_s, mtbf_s) * (1 + sqrt(r) / 3 + r / 9) - stall_s;
}

/*
 * Newton's method on f(x) = x + ln(1 - x) + d. f is concave and falls, so its tangents meet zero
 * right of the root: after the first step x only comes down. The start is the root's series in
 * sqrt(2 d) for short stalls, else 1 - e^(-1 - d), which lies right of the root.
 */
static double best_share(double d)
{
    double s = sqrt(2 * d);
    double x = s < 1 ? s * (1 - s / 3 + s * s / 36) : 1 - exp(-1 - d);
    double old = 2;
    for (int i = 0; i < 100; i++) {
        double next = x + (x + log1p(-x) + d) * (1 - x) / x;
        if (i > 0 && next >= old)
            break;
        /* the series is exact to s^4 / 270: a step below the last digit that matters ends it */
        bool is_done = fabs(next - x) <= 1e-12 * x;
        old = x = next;
        if (is_done)
            break;
    }
    return x;
}

double cn_checkpoint_best_s(double stall_s, double mtbf_s)
{
    double d = stall_s / mtbf_s;
    if (isinf(mtbf_s) && stall_s >= 0)
        return INFINITY;
    if (!(d >= 0) || !(mtbf_s > 0))
        return NAN;
    if (d == 0)
        return 0;
    return d > 30 ? mtbf_s : best_share(d) * mtbf_s; /* e^-31 is below a double's last digit */
}

double cn_checkpoint_goodput_ratio(double every_s, double stall_s, double restart_s, double mtbf_s)
{
    if (isinf(mtbf_s))
        return every_s / (every_s + stall_s);
    double a = (every_s + stall_s) / mtbf_s;
    return every_s / (mtbf_s * exp(restart_s / mtbf_s) * expm1(a));
}

/* Whole steps between checkpoints, at least one, at most all; never so few that writes overlap. */
static double whole_steps(const cn_campaign_in *in, double work_s, double mtbf_s)
{
    double every = in->every_s > 0 ? in->every_s : cn_checkpoint_best_s(in->stall_s, mtbf_s);
    double per_step = work_s / in->steps;
    double least = ceil((in->write_s - in->stall_s) / per_step);
    double n = fmin(every / per_step, in->steps);
    if (isnan(every) || isnan(per_step))
        return NAN;
    return fmin(fmax(fmax(1, round(n)), least), in->steps);
}

/* Restart time R that the model sees, and the shares of it that are detection and unsaved work. */
typedef struct {
    double all, detect, unsaved;
} pause;

static pause pause_of(const cn_campaign_in *in, double every_s)
{
    pause p = {.detect = in->detect_s};
    p.unsaved = fmin(in->write_s - in->stall_s, every_s);
    p.all = in->detect_s + in->restart_s + p.unsaved;
    return p;
}

static void add_failures(const cn_campaign_in *in, double intervals, cn_campaign *out)
{
    double m = out->mtbf_s, busy = out->every_s + in->stall_s;
    if (isinf(m))
        return;
    pause p = pause_of(in, out->every_s);
    double tries = expm1(busy / m); /* interruptions of work, per interval */
    double idle = intervals * m * tries * expm1(p.all / m);
    out->lost_s = intervals * fmax(0, m * tries - busy);
    out->detection_s = p.all > 0 ? idle * (p.detect / p.all) : 0;
    out->unsaved_s = p.all > 0 ? idle * (p.unsaved / p.all) : 0;
    out->restart_s = p.all > 0 ? idle * (in->restart_s / p.all) : 0;
}

void cn_campaign_eval(const cn_campaign_in *in, cn_campaign *out)
{
    *out = (cn_campaign){0};
    out->useful_s = in->steps * in->step_s;
    out->evaluation_s = in->evaluation_s;
    double work_s = out->useful_s + out->evaluation_s;
    out->mtbf_s = cn_job_mtbf_s(in->devices, in->per_device_day, in->other_per_day);
    out->every_steps = whole_steps(in, work_s, out->mtbf_s);
    out->every_s = out->every_steps * work_s / in->steps;
    double intervals = work_s / out->every_s;
    out->saves = ceil(intervals - 1e-9);
    out->checkpoint_s = intervals * in->stall_s;
    add_failures(in, intervals, out);
#define X(name, label) out->wall_s += out->name##_s;
    CN_CAMPAIGN_LIST(X)
#undef X
    out->failures = isinf(out->mtbf_s) ? 0 : out->wall_s / out->mtbf_s;
    out->train_goodput_ratio = out->useful_s / out->wall_s;
}

double cn_spares_short_probability(double failures_per_s, double repair_s, double spares)
{
    double mean = failures_per_s * repair_s, term = exp(-mean), below = 0;
    if (!(mean >= 0) || !(spares >= 0))
        return NAN;
    if (mean > 700) /* e^-mean is no double any more; the tail is normal there */
        return 0.5 * erfc((spares + 0.5 - mean) / sqrt(2 * mean));
    for (double k = 0; k <= spares; k++) {
        below += term;
        term *= mean / (k + 1);
    }
    return fmax(0, 1 - below);
}

double cn_spares_needed(double failures_per_s, double repair_s, double allowed)
{
    double mean = failures_per_s * repair_s;
    if (!(mean >= 0) || !(allowed > 0))
        return NAN;
    double n = mean > 700 ? floor(mean) : 0;
    while (n < 1e6 && cn_spares_short_probability(failures_per_s, repair_s, n) > allowed)
        n++;
    return n;
}
