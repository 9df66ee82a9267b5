/*
 * calibrate.c - fit a profile to measured runs.
 *
 * The objective is the mean absolute log error, plus a pull of each factor's log towards 0 that
 * weighs as much as one run. Three factors, each on a grid that is refined around its best point:
 * no derivatives, no local minimum worth fearing, and the same answer everywhere. Cross-validation
 * leaves out one fold at a time (folds by row order) and predicts it with the profile of the
 * others. Source: [arlot2010] cross-validation.
 *
 * Of very many runs every k-th is fitted: three numbers do not become better known by the ten
 * thousandth row, and a fit predicts each run about a thousand times.
 */
#include <math.h>
#include <stdlib.h>

#include "base/bind.h"
#include "estimate/score.h"

#define MAX_SPREAD 10.0 /* a p90 of eleven times the p50 says nothing; profiles end there */

enum { MIN_CV_RUNS = 4, MAX_FOLDS = 5, MAX_FIT_RUNS = 2500 };

void cn_profile_default(cn_profile *p)
{
    *p = (cn_profile){.name = "", .speed_factor = 1, .link_factor = 1, .fixed_factor = 1};
    p->spread_ratio = 0.12;
    p->cv_before_ratio = p->cv_after_ratio = NAN;
}

void cn_profile_apply(const cn_profile *p, cn_device *device, cn_fabric *fabric, cn_soft *soft)
{
    (void)device;
    soft->speed_ratio *= p->speed_factor;
    for (int i = 0; i < CN_N_TIERS; i++)
        fabric->bytes_per_s[i] *= p->link_factor;
    soft->step_fixed_s *= p->fixed_factor;
    soft->micro_fixed_s *= p->fixed_factor;
}

/* Runs that can be used, by index; `fold` of n_folds is left out (or taken alone). */
typedef struct {
    const cn_run **run;
    size_t n;
} sample;

static bool use_row(size_t i, int fold, int n_folds, bool alone)
{
    return n_folds == 0 || ((int)(i % (size_t)n_folds) == fold) == alone;
}

static double mean_error(const sample *s, const cn_profile *p, int fold, int n_folds, bool alone)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (!use_row(i, fold, n_folds, alone))
            continue;
        cn_prediction out;
        cn_predict(s->run[i], p, &out);
        sum += fabs(log(out.step.time_s / cn_run_measured_s(s->run[i])));
        n++;
    }
    return n > 0 ? sum / n : NAN;
}

static double objective(const sample *s, const cn_profile *p, int fold, int n_folds)
{
    double pull =
        fabs(log(p->speed_factor)) + fabs(log(p->link_factor)) + fabs(log(p->fixed_factor));
    return mean_error(s, p, fold, n_folds, false) + pull / (double)(s->n + 1) / 3;
}

static void fit(const sample *s, int fold, int n_folds, cn_profile *p)
{
    double *factor[] = {&p->speed_factor, &p->link_factor, &p->fixed_factor};
    double step = log(1.5), best = objective(s, p, fold, n_folds);
    for (int round = 0; round < 24; round++) {
        bool moved = false;
        for (int k = 0; k < 3; k++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                double old = *factor[k], trial = old * exp(sign * step);
                if (trial < 0.1 || trial > 10)
                    continue;
                *factor[k] = trial;
                double o = objective(s, p, fold, n_folds);
                if (o < best - 1e-12) {
                    best = o;
                    moved = true;
                } else {
                    *factor[k] = old;
                }
            }
        }
        if (!moved)
            step /= 2;
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The spread that holds 80 % of the runs, a little wider for few runs. */
static cn_code set_spread(cn_ctx *cx, const sample *s, cn_profile *p)
{
    double *e = cn_arena_array(&cx->arena, s->n, sizeof *e);
    if (!e)
        return cn_nomem(cx);
    for (size_t i = 0; i < s->n; i++) {
        cn_prediction out;
        cn_predict(s->run[i], p, &out);
        e[i] = expm1(fabs(log(out.step.time_s / cn_run_measured_s(s->run[i]))));
    }
    qsort(e, s->n, sizeof *e, by_value);
    double at = 0.8 * (double)(s->n - 1);
    p->spread_ratio = fmin(MAX_SPREAD, fmax(0.02, e[(size_t)ceil(at)] * (1 + 2.0 / (double)s->n)));
    return CN_OK;
}

static void cross_validate(const sample *s, cn_profile *out)
{
    if (s->n < MIN_CV_RUNS)
        return;
    int folds = s->n < MAX_FOLDS ? (int)s->n : MAX_FOLDS;
    double before = 0, after = 0;
    cn_profile plain;
    cn_profile_default(&plain);
    for (int f = 0; f < folds; f++) {
        cn_profile p = plain;
        fit(s, f, folds, &p);
        before += mean_error(s, &plain, f, folds, true) / folds;
        after += mean_error(s, &p, f, folds, true) / folds;
    }
    out->cv_before_ratio = expm1(before);
    out->cv_after_ratio = expm1(after);
}

cn_code cn_calibrate(cn_ctx *cx, cn_run *run, size_t n, cn_profile *out)
{
    sample s = {.run = cn_arena_array(&cx->arena, n + 1, sizeof *s.run)};
    if (!s.run)
        return cn_nomem(cx);
    for (size_t i = 0; i < n; i++)
        if (!run[i].reason && cn_run_measured_s(&run[i]) > 0)
            s.run[s.n++] = &run[i];
    size_t every = 1 + s.n / MAX_FIT_RUNS, kept = 0;
    for (size_t i = 0; i < s.n; i += every)
        s.run[kept++] = s.run[i];
    s.n = kept;
    if (s.n == 0) {
        cn_fail(cx, CN_EINPUT, NULL, "no row was both timed and described well enough to predict");
        return cn_hint(cx, "run `carnot score` on the file: it says for each row what is missing");
    }
    cn_profile_default(out);
    out->n = s.n;
    out->before_ratio = expm1(mean_error(&s, out, 0, 0, false));
    cross_validate(&s, out);
    fit(&s, 0, 0, out);
    out->after_ratio = expm1(mean_error(&s, out, 0, 0, false));
    return set_spread(cx, &s, out);
}

cn_code cn_profile_read(cn_ctx *cx, const char *path, cn_profile *out)
{
    static const cn_bind_field fields[] = {
        {.key = "name", .kind = CN_BIND_TEXT, .offset = offsetof(cn_profile, name)},
        {.key = "speed_factor",
         .kind = CN_BIND_QUANTITY,
         .dim = CN_DIM_RATIO,
         .min = 0.05,
         .max = 20,
         .offset = offsetof(cn_profile, speed_factor),
         .required = true},
        {.key = "link_factor",
         .kind = CN_BIND_QUANTITY,
         .dim = CN_DIM_RATIO,
         .min = 0.05,
         .max = 20,
         .offset = offsetof(cn_profile, link_factor),
         .required = true},
        {.key = "fixed_factor",
         .kind = CN_BIND_QUANTITY,
         .dim = CN_DIM_RATIO,
         .min = 0.05,
         .max = 20,
         .offset = offsetof(cn_profile, fixed_factor),
         .required = true},
        {.key = "spread_ratio",
         .kind = CN_BIND_QUANTITY,
         .dim = CN_DIM_RATIO,
         .min = 0.001,
         .max = MAX_SPREAD,
         .offset = offsetof(cn_profile, spread_ratio),
         .required = true},
        {.key = "runs", .kind = CN_BIND_NODE, .offset = offsetof(cn_profile, ignored)},
        {.key = "error_before",
         .kind = CN_BIND_QUANTITY,
         .dim = CN_DIM_RATIO,
         .offset = offsetof(cn_profile, before_ratio)},
        {.key = "error_after",
         .kind = CN_BIND_QUANTITY,
         .dim = CN_DIM_RATIO,
         .offset = offsetof(cn_profile, after_ratio)},
        {.key = "left_out_error_before",
         .kind = CN_BIND_QUANTITY,
         .dim = CN_DIM_RATIO,
         .offset = offsetof(cn_profile, cv_before_ratio)},
        {.key = "left_out_error_after",
         .kind = CN_BIND_QUANTITY,
         .dim = CN_DIM_RATIO,
         .offset = offsetof(cn_profile, cv_after_ratio)},
    };
    cn_node *root;
    cn_profile_default(out);
    CN_TRY(cn_tree_file(cx, path, &root));
    return cn_bind(cx, root, "profile", fields, sizeof fields / sizeof *fields, out, NULL);
}

static void put_ratio(cn_buf *b, const char *key, double x)
{
    if (isfinite(x))
        cn_buf_printf(b, "%s: %.6g\n", key, x);
}

/* A file name may hold quotes and backslashes; a YAML text between single quotes doubles only ' and
 * takes no control characters. */
static void put_name(cn_buf *b, const char *name)
{
    cn_buf_puts(b, "name: '");
    for (; *name; name++) {
        bool is_plain = (unsigned char)*name >= ' ' && *name != 0x7f;
        cn_buf_puts(b, *name == '\'' ? "'" : "");
        cn_buf_putc(b, is_plain ? *name : '?');
    }
    cn_buf_puts(b, "'\n");
}

cn_code cn_profile_text(cn_ctx *cx, const cn_profile *p, const char **yaml)
{
    cn_buf b = {0};
    cn_buf_puts(
        &b, "# A carnot profile: use it with --profile, or cluster: {profile: FILE} in a spec.\n");
    put_name(&b, p->name);
    put_ratio(&b, "speed_factor", p->speed_factor);
    put_ratio(&b, "link_factor", p->link_factor);
    put_ratio(&b, "fixed_factor", p->fixed_factor);
    put_ratio(&b, "spread_ratio", p->spread_ratio);
    cn_buf_printf(&b, "runs: %zu\n", p->n);
    put_ratio(&b, "error_before", p->before_ratio);
    put_ratio(&b, "error_after", p->after_ratio);
    put_ratio(&b, "left_out_error_before", p->cv_before_ratio);
    put_ratio(&b, "left_out_error_after", p->cv_after_ratio);
    *yaml = b.failed ? NULL : cn_arena_str(&cx->arena, cn_buf_cstr(&b));
    cn_buf_free(&b);
    return *yaml ? CN_OK : cn_nomem(cx);
}
