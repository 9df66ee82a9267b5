/*
 * figures.c - memory, step and campaign as figures: parts with their formula and source.
 *
 * The range of a step is relative and the same for all its parts, so that parts and whole agree at
 * both ends; the campaign is evaluated at both ends of step time and tokens.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "estimate/build.h"
#include "estimate/score.h"

typedef struct {
    const char *key, *label, *formula, *source;
    size_t offset;
} part;

static const part memory_parts[] = {
#define X(name, label) {#name "_bytes", label, NULL, NULL, offsetof(cn_memory, name##_bytes)},
    CN_MEMORY_LIST(X)
#undef X
};
static const part step_parts[] = {
#define X(name, label) {#name "_s", label, NULL, NULL, offsetof(cn_step, name##_s)},
    CN_STEP_LIST(X)
#undef X
};
static const part campaign_parts[] = {
#define X(name, label) {#name "_s", label, NULL, NULL, offsetof(cn_campaign, name##_s)},
    CN_CAMPAIGN_LIST(X)
#undef X
};

/* How each part comes about; the code of src/model says it in full. */
static const part notes[] = {
    {"weights_bytes", NULL, "params on the device x bytes per weight, / shards with zero 3",
     "rajbhandari2020", 0},
    {"gradients_bytes", NULL,
     "trained params on the device x bytes per gradient, / shards from zero 2", "rajbhandari2020",
     0},
    {"optimizer_bytes", NULL, "trained params on the device x state bytes, / shards from zero 1",
     "rajbhandari2020", 0},
    {"activations_bytes", NULL, "kept per layer x layers of the stage x micro-batches in flight",
     "korthikanti2022", 0},
    {"logits_bytes", NULL, "micro-batch tokens x vocabulary / tp x bytes per logit",
     "korthikanti2022", 0},
    {"buffers_bytes", NULL, "gathered layers, largest gradient, gathered sequence", "zhao2023", 0},
    {"ideal_s", NULL, "model FLOP / (devices x peak)", "narayanan2021", 0},
    {"recompute_s", NULL, "repeated FLOP / (devices x peak)", "korthikanti2022", 0},
    {"kernels_s", NULL, "time of matmuls, attention and streaming kernels - ideal - recompute",
     "williams2009", 0},
    {"tp_s", NULL, "all-reduces of tensor groups - what compute hides", "narayanan2021", 0},
    {"cp_s", NULL, "keys and values around the ring - what compute hides", "liu2023", 0},
    {"ep_s", NULL, "dispatch and combine of experts - what compute hides", "deepseekv3", 0},
    {"pp_s", NULL, "activations between stages - what compute hides", "narayanan2021", 0},
    {"bubble_s", NULL, "(pp - 1) / vp x micro-batch time, and the wait for the heaviest stage",
     "narayanan2021", 0},
    {"dp_s", NULL, "gradients and weights over the replicas - what compute hides",
     "rajbhandari2020", 0},
    {"optimizer_s", NULL, "states moved / memory bandwidth", "williams2009", 0},
    {"data_s", NULL, "bytes of a step / read rate - the rest of the step", "mohan2021", 0},
    {"offload_s", NULL, "bytes to and from the host / host link", "rajbhandari2020", 0},
    {"straggler_s", NULL, "loss per doubling of nodes x log2(nodes) x the rest", "jiang2024", 0},
    {"fixed_s", NULL, "per step and per micro-batch, of the framework", NULL, 0},
    {"fragmentation_bytes", NULL, "allocator slack x what comes and goes", NULL, 0},
    {"recompute_bytes", NULL, "what one layer keeps while it is recomputed", "korthikanti2022", 0},
    {"evaluation_s", NULL, "evaluations x passes x forward time", NULL, 0},
    {"useful_s", NULL, "steps x step_time_s", NULL, 0},
    {"checkpoint_s", NULL, "work / interval x stall", "daly2006", 0},
    {"lost_s", NULL, "intervals x (M (e^a - 1) - interval - stall), a = (interval + stall) / M",
     "daly2006", 0},
    {"restart_s", NULL, "intervals x M (e^a - 1)(e^(R/M) - 1) x restart / R", "daly2006", 0},
    {"detection_s", NULL, "intervals x M (e^a - 1)(e^(R/M) - 1) x detection / R", "daly2006", 0},
    {"unsaved_s", NULL, "intervals x M (e^a - 1)(e^(R/M) - 1) x (write - stall) / R", "daly2006",
     0},
};

static const part *note_of(const char *key)
{
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (strcmp(notes[i].key, key) == 0)
            return &notes[i];
    return NULL;
}

static double at(const void *of, size_t offset)
{
    return *(const double *)(const void *)((const char *)of + offset);
}

/* A sum of parts read from value, with the range that lo and hi give. */
static cn_fig *sum_of(cn_build *b, const char *key, const char *label, const char *unit,
                      const part *list, size_t n, const void *value, const void *lo, const void *hi)
{
    cn_fig *sum = cn_fig_sum(b->cx, key, label, unit);
    for (size_t i = 0; i < n; i++) {
        double x = at(value, list[i].offset);
        const part *note = note_of(list[i].key);
        cn_fig *f = cn_fig_formula(b, list[i].key, _(list[i].label), unit, x,
                                   note ? note->formula : NULL, note ? note->source : NULL);
        cn_fig_range(f, at(lo, list[i].offset), at(hi, list[i].offset));
        cn_fig_add(b->cx, sum, f);
    }
    return sum;
}

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static cn_fig *catalog_fig(cn_build *b, const char *key, const char *label, const char *unit,
                           double x)
{
    const cn_source *s = &b->s->cluster.accel->source;
    return cn_fig_new(b->cx, key, label, unit, x, CN_BASIS_CATALOG,
                      cn_text_of(b, "%s:%d, %s", s->file ? s->file : "catalog", s->line,
                                 s->checked ? s->checked : "-"));
}

static void figure_memory(cn_build *b)
{
    cn_estimate *e = b->e;
    cn_memory lo = e->memory, hi = e->memory;
    double wide = cn_memory_spread_ratio();
    for (size_t i = 0; i < COUNT_OF(memory_parts); i++) {
        *(double *)(void *)((char *)&lo + memory_parts[i].offset) *= 1 - wide;
        *(double *)(void *)((char *)&hi + memory_parts[i].offset) *= 1 + wide;
    }
    e->peak_bytes = sum_of(b, "peak_bytes", _("peak memory of a device"), "bytes", memory_parts,
                           COUNT_OF(memory_parts), &e->memory, &lo, &hi);
    cn_fig_input(b->cx, e->root, e->peak_bytes);
}

static cn_step scaled(const cn_step *s, double factor)
{
    cn_step out = *s;
    for (size_t i = 0; i < COUNT_OF(step_parts); i++)
        *(double *)(void *)((char *)&out + step_parts[i].offset) *= factor;
    out.time_s *= factor;
    return out;
}

/* x / step time: falls when the step gets longer. */
static cn_fig *rate(cn_build *b, const char *key, const char *label, const char *unit, double x,
                    const char *formula, const char *source)
{
    double wide = 1 + b->e->spread_ratio;
    cn_fig *f = cn_fig_formula(b, key, label, unit, x, formula, source);
    cn_fig_range(f, x / wide, x * wide);
    return f;
}

static void figure_step(cn_build *b)
{
    cn_estimate *e = b->e;
    double wide = 1 + e->spread_ratio;
    cn_step lo = scaled(&e->step, 1 / wide), hi = scaled(&e->step, wide);
    e->step_time = sum_of(b, "step_time_s", _("step time"), "s", step_parts, COUNT_OF(step_parts),
                          &e->step, &lo, &hi);
    cn_fig *flop =
        cn_fig_formula(b, "model_flop", _("model work of a step"), "FLOP", e->step.model_flop,
                       "3 x forward FLOP per token x tokens per step", "narayanan2021");
    cn_fig *devices = cn_fig_given(b, "devices", _("devices"), "devices", e->devices);
    cn_fig *peak = catalog_fig(b, "peak_flop_per_s", _("peak of a device"), "FLOP/s",
                               e->device.peak_flop_per_s[cn_precision_numeric(e->train.precision)]);
    e->mfu = rate(b, "mfu_ratio", _("model FLOP utilisation"), "ratio", e->step.mfu_ratio,
                  "model_flop / (devices x peak_flop_per_s x step_time_s)", "chowdhery2022");
    e->hfu = rate(b, "hfu_ratio", _("hardware FLOP utilisation"), "ratio", e->step.hfu_ratio,
                  "model_flop with recompute / (devices x peak_flop_per_s x step_time_s)",
                  "chowdhery2022");
    e->throughput =
        rate(b, "tokens_per_s_per_device", _("tokens per second and device"), "tokens/s",
             e->step.tokens_per_s_per_device, "tokens per step / (devices x step_time_s)", NULL);
    cn_fig *input[] = {flop, devices, peak, e->step_time};
    for (size_t i = 0; i < COUNT_OF(input); i++)
        cn_fig_input(b->cx, e->mfu, input[i]);
    cn_fig *top[] = {e->step_time, e->mfu, e->hfu, e->throughput};
    for (size_t i = 0; i < COUNT_OF(top); i++)
        cn_fig_input(b->cx, e->root, top[i]);
}

void cn_figure_run(cn_build *b)
{
    figure_memory(b);
    figure_step(b);
}

/* The same campaign with steps of another length and another number of them. */
static cn_campaign campaign_at(const cn_estimate *e, double step_factor, double tokens_factor)
{
    cn_campaign_in in = e->campaign_in;
    cn_campaign out;
    in.step_s *= step_factor;
    in.steps = fmax(1, ceil(in.steps * tokens_factor));
    in.evaluation_s *= step_factor * tokens_factor;
    in.every_s = e->campaign.every_steps * in.step_s;
    cn_campaign_eval(&in, &out);
    return out;
}

static void figure_wall(cn_build *b)
{
    cn_estimate *e = b->e;
    double wide = 1 + e->spread_ratio;
    cn_campaign lo = campaign_at(e, 1 / wide, e->total_tokens->lo / e->tokens);
    cn_campaign hi = campaign_at(e, wide, e->total_tokens->hi / e->tokens);
    e->wall_time = sum_of(b, "wall_time_s", _("wall time"), "s", campaign_parts,
                          COUNT_OF(campaign_parts), &e->campaign, &lo, &hi);
    e->goodput = cn_fig_formula(b, "train_goodput_ratio", _("goodput"), "ratio",
                                e->campaign.train_goodput_ratio, "useful_s / wall_time_s", NULL);
    cn_fig_range(e->goodput, lo.train_goodput_ratio, hi.train_goodput_ratio);
    e->failures = cn_fig_formula(b, "failures", _("interruptions"), "failures",
                                 e->campaign.failures, "wall_time_s / mtbf_s", "kokolis2024");
    cn_fig_range(e->failures, lo.failures, hi.failures);
}

static void add_steps(cn_build *b)
{
    cn_estimate *e = b->e;
    e->total_steps = cn_fig_formula(b, "steps", _("steps"), "steps", e->steps,
                                    "tokens / (global_batch x sequence), rounded up", NULL);
    cn_fig *input[] = {
        e->total_tokens,
        cn_fig_given(b, "global_batch", _("sequences per step"), "sequences",
                     e->train.global_batch),
        cn_fig_given(b, "sequence", _("sequence length"), "tokens", e->train.seq),
    };
    for (size_t i = 0; i < COUNT_OF(input); i++)
        cn_fig_input(b->cx, e->total_steps, input[i]);
    cn_fig_range(e->total_steps, ceil(e->steps * e->total_tokens->lo / e->tokens),
                 ceil(e->steps * e->total_tokens->hi / e->tokens));
    if (e->wall_time->n == 0)
        return; /* memory ran out, and the context knows */
    cn_fig *useful = e->wall_time->part[0];
    cn_fig_input(b->cx, useful, e->total_steps);
    cn_fig_input(b->cx, useful, e->step_time);
}

static void add_checkpoint(cn_build *b)
{
    cn_estimate *e = b->e;
    const cn_campaign_in *in = &e->campaign_in;
    bool is_best = !(in->every_s > 0);
    e->every = is_best ? cn_fig_formula(b, "checkpoint_every_s", _("time between checkpoints"), "s",
                                        e->campaign.every_s,
                                        "M (1 + W(-e^(-1 - stall/M))), in whole steps", "daly2006")
                       : cn_fig_given(b, "checkpoint_every_s", _("time between checkpoints"), "s",
                                      e->campaign.every_s);
    e->checkpoint =
        cn_fig_formula(b, "checkpoint_bytes", _("one checkpoint"), "bytes", e->checkpoint_bytes,
                       "params x weight bytes + trained params x optimizer bytes", "lescao2022");
    cn_fig *input[] = {
        cn_fig_formula(b, "checkpoint_stall_s", _("stall of one checkpoint"), "s", in->stall_s,
                       "checkpoint_bytes / write rate when blocking", NULL),
        isfinite(e->campaign.mtbf_s)
            ? cn_fig_formula(b, "mtbf_s", _("mean time between interruptions"), "s",
                             e->campaign.mtbf_s, "86400 / (devices x per_device_day)",
                             "kokolis2024")
            : cn_fig_unknown(b->cx, "mtbf_s", _("mean time between interruptions"), "s",
                             _("no failures are expected")),
    };
    for (size_t i = 0; i < COUNT_OF(input); i++)
        cn_fig_input(b->cx, e->every, input[i]);
    if (is_best)
        cn_assume_text(b, "checkpoint.every",
                       cn_text_of(b, _("%.0f steps"), e->campaign.every_steps),
                       _("the least expected time"), "daly2006");
}

void cn_figure_campaign(cn_build *b)
{
    cn_estimate *e = b->e;
    figure_wall(b);
    add_steps(b);
    add_checkpoint(b);
    cn_fig *count = cn_fig_given(b, "devices", _("devices"), "devices", e->devices);
    e->device_hours = cn_fig_formula(b, "device_hours", _("device time"), "h",
                                     e->devices * e->campaign.wall_s / 3600,
                                     "devices x wall_time_s / 3600", NULL);
    cn_fig_range(e->device_hours, e->devices * e->wall_time->lo / 3600,
                 e->devices * e->wall_time->hi / 3600);
    cn_fig_input(b->cx, e->device_hours, count);
    cn_fig_input(b->cx, e->device_hours, e->wall_time);
    cn_fig *top[] = {e->total_tokens, e->total_steps, e->wall_time,  e->goodput,
                     e->failures,     e->every,       e->checkpoint, e->device_hours};
    for (size_t i = 0; i < COUNT_OF(top); i++)
        cn_fig_input(b->cx, e->root, top[i]);
}
