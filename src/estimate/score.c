/* score.c - see score.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/score.h"

/* FLOP of one step as the source counts them: model FLOP, perhaps with full attention. */
static double counted_flop(const cn_run *r)
{
    const cn_train *t = &r->train;
    double fwd = cn_shape_forward_flop(&r->shape, t->seq);
    for (int i = 0; r->counts_full_attention && i < r->shape.n_blocks; i++) {
        const cn_block *b = &r->shape.block[i];
        double core = b->is_causal ? cn_block_attn_core_flop(b, t->seq) : 0;
        fwd += b->n_layers * b->token_ratio * core;
    }
    return (t->method == CN_METHOD_FULL ? 3 : 2) * fwd * t->global_batch * t->seq;
}

double cn_run_measured_s(const cn_run *r)
{
    if (r->iter_time_s > 0)
        return r->iter_time_s;
    if (r->tokens_per_s_per_device > 0)
        return r->train.global_batch * r->train.seq / (r->tokens_per_s_per_device * r->devices);
    if (r->flop_per_s_per_device > 0)
        return counted_flop(r) / (r->flop_per_s_per_device * r->devices);
    return NAN;
}

void cn_predict(const cn_run *run, const cn_profile *profile, cn_prediction *out)
{
    cn_device device = run->device;
    cn_fabric fabric = run->fabric;
    cn_soft soft = run->soft;
    cn_train t = run->train;
    t.device = &device;
    t.fabric = &fabric;
    t.soft = &soft;
    if (profile)
        cn_profile_apply(profile, &device, &fabric, &soft);
    cn_step_eval(&t, &out->step);
    out->fits = cn_run_fits(run, &out->memory);
    out->peak_bytes = cn_run_peak_bytes(run, &out->memory);
    out->spread_ratio = profile ? profile->spread_ratio : cn_step_spread_ratio(&t);
    double steps = run->tokens_total / (t.global_batch * t.seq);
    out->gpu_hours = steps * out->step.time_s * run->devices / 3600;
}

/* One metric's errors over a set, gathered before they are summed up. */
typedef struct {
    double *error;
    size_t n, inside;
} errors;

static int by_size(const void *a, const void *b)
{
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

static void sum_up(errors *e, cn_score_summary *out)
{
    double sum = 0, sign = 0;
    qsort(e->error, e->n, sizeof *e->error, by_size);
    for (size_t i = 0; i < e->n; i++) {
        sum += fabs(e->error[i]);
        sign += e->error[i];
    }
    double n = (double)e->n;
    out->n = e->n;
    out->mape = sum / n;
    out->signed_mean = sign / n;
    out->median = fabs(e->error[e->n / 2]);
    out->p90 = fabs(e->error[(size_t)ceil(0.9 * (n - 1))]);
    out->coverage80 = (double)e->inside / n;
}

typedef bool (*row_filter)(const cn_run *r, const char *set);

static bool is_dense(const cn_run *r)
{
    for (int i = 0; i < r->shape.n_blocks; i++)
        if (r->shape.block[i].n_experts > 0)
            return false;
    return true;
}

static bool in_core(const cn_run *r, const char *set)
{
    (void)set;
    return r->is_core;
}

static bool in_dense16(const cn_run *r, const char *set)
{
    (void)set;
    bool is16 = r->train.precision == CN_PREC_BF16 || r->train.precision == CN_PREC_FP16;
    return r->is_core && is16 && is_dense(r) && strcmp(r->accel->vendor, "NVIDIA") == 0;
}

static bool in_source(const cn_run *r, const char *set)
{
    return strcmp(r->set, set) == 0;
}

static void add_time(errors *e, const cn_run *r, const cn_prediction *p)
{
    double measured = cn_run_measured_s(r);
    if (!(measured > 0))
        return;
    double ratio = p->step.time_s / measured;
    e->error[e->n++] = ratio - 1;
    e->inside += ratio <= 1 + p->spread_ratio && ratio >= 1 / (1 + p->spread_ratio);
}

enum { MEMORY_SPREAD_PERCENT = 6 }; /* half-width of the 80 % range of peak memory */

double cn_memory_spread_ratio(void)
{
    return MEMORY_SPREAD_PERCENT / 100.0;
}

static void add_memory(errors *e, const cn_run *r, const cn_prediction *p)
{
    if (!(r->peak_bytes > 0))
        return;
    double ratio = p->peak_bytes / r->peak_bytes;
    e->error[e->n++] = ratio - 1;
    e->inside += fabs(ratio - 1) <= cn_memory_spread_ratio();
}

typedef void (*metric_add)(errors *e, const cn_run *r, const cn_prediction *p);

static cn_code add_summary(cn_ctx *cx, cn_score *s, const char *set, const char *metric,
                           row_filter in, metric_add add)
{
    errors e = {.error = cn_arena_array(&cx->arena, s->n_rows + 1, sizeof *e.error)};
    if (!e.error)
        return cn_nomem(cx);
    for (size_t i = 0; i < s->n_rows; i++)
        if (!s->run[i].reason && in(&s->run[i], set))
            add(&e, &s->run[i], &s->prediction[i]);
    if (e.n == 0)
        return CN_OK;
    cn_score_summary *out = &s->summary[s->n_summaries++];
    *out = (cn_score_summary){.set = set, .metric = metric};
    sum_up(&e, out);
    return CN_OK;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of the papers and projects, sorted, once each. */
static cn_code set_names(cn_ctx *cx, const cn_score *s, const char ***names, size_t *n)
{
    *names = cn_arena_array(&cx->arena, s->n_rows + 1, sizeof **names);
    *n = 0;
    if (!*names)
        return cn_nomem(cx);
    for (size_t i = 0; i < s->n_rows; i++)
        (*names)[i] = s->run[i].set;
    qsort(*names, s->n_rows, sizeof **names, by_text);
    for (size_t i = 0; i < s->n_rows; i++)
        if (*n == 0 || strcmp((*names)[*n - 1], (*names)[i]) != 0)
            (*names)[(*n)++] = (*names)[i];
    return CN_OK;
}

static bool in_all(const cn_run *r, const char *set)
{
    (void)set;
    return r->reason == NULL;
}

static cn_code summarise(cn_ctx *cx, cn_score *s)
{
    const char **names;
    size_t n;
    CN_TRY(set_names(cx, s, &names, &n));
    s->summary = cn_arena_array(&cx->arena, 2 * n + 4, sizeof *s->summary);
    if (!s->summary)
        return cn_nomem(cx);
    CN_TRY(add_summary(cx, s, "all", "iter_time_s", in_core, add_time));
    CN_TRY(add_summary(cx, s, "dense 16-bit NVIDIA", "iter_time_s", in_dense16, add_time));
    for (size_t i = 0; i < n; i++)
        CN_TRY(add_summary(cx, s, names[i], "iter_time_s", in_source, add_time));
    CN_TRY(add_summary(cx, s, "all", "peak_bytes", in_all, add_memory));
    for (size_t i = 0; i < n; i++)
        CN_TRY(add_summary(cx, s, names[i], "peak_bytes", in_source, add_memory));
    return CN_OK;
}

cn_code cn_score_file(cn_ctx *cx, cn_catalog *cat, const char *path, const cn_profile *profile,
                      cn_score **out)
{
    cn_score *s = cn_arena_alloc(&cx->arena, sizeof *s);
    if (!s)
        return cn_nomem(cx);
    s->file = path;
    CN_TRY(cn_runs_read(cx, cat, path, &s->run, &s->n_rows));
    s->prediction = cn_arena_array(&cx->arena, s->n_rows + 1, sizeof *s->prediction);
    if (!s->prediction)
        return cn_nomem(cx);
    for (size_t i = 0; i < s->n_rows; i++)
        if (!s->run[i].reason)
            cn_predict(&s->run[i], profile, &s->prediction[i]);
    CN_TRY(summarise(cx, s));
    *out = s;
    return CN_OK;
}
