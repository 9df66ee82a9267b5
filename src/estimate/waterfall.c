/*
 * waterfall.c - from the physical limit to the bill; what a unit of work costs; the limits.
 *
 * The first rungs are device time at the lowest price that cannot be taken away: model work at peak
 * speed, then each part of the step, of the campaign, and devices that stand idle. What is paid
 * above that price is the purchase premium. Then come the other five dimensions. The rungs add up
 * to the cost by construction: parts of a step sum to the step, parts of wall time to wall time.
 */
#include <math.h>
#include <string.h>

#include "base/unit.h"
#include "estimate/build.h"
#include "model/storage.h"

static void rung(cn_build *b, const char *id, const char *label, double value)
{
    cn_estimate *e = b->e;
    if (e->n_rungs == CN_MAX_RUNGS)
        return;
    e->rung[e->n_rungs++] = (cn_rung){id, label, value};
    cn_fig *f = isnan(value)
                    ? cn_fig_unknown(b->cx, id, label, e->currency, b->device_h->why)
                    : cn_fig_new(b->cx, id, label, e->currency, value, CN_BASIS_FORMULA, NULL);
    cn_fig_add(b->cx, e->waterfall, f);
}

/* Seconds of the whole job -> money at the base price. */
static double money(const cn_estimate *e, double seconds)
{
    return e->devices * seconds / 3600 * e->base_per_device_h;
}

static void step_rungs(cn_build *b)
{
    const cn_estimate *e = b->e;
    const cn_step *s = &e->step;
    const struct {
        const char *id, *label;
        double s;
    } row[] = {
        {"physical_limit", _("model work at peak speed"), s->ideal_s},
        {"recompute", _("recompute"), s->recompute_s},
        {"kernels", _("kernels below peak"), s->kernels_s},
        {"optimizer", _("optimizer"), s->optimizer_s},
        {"tensor_traffic", _("exposed tensor-parallel traffic"), s->tp_s},
        {"context_traffic", _("exposed context-parallel traffic"), s->cp_s},
        {"expert_traffic", _("exposed expert traffic"), s->ep_s},
        {"pipeline_traffic", _("exposed pipeline traffic"), s->pp_s},
        {"data_parallel_traffic", _("exposed gradient and weight traffic"), s->dp_s},
        {"offload_traffic", _("exposed offload traffic"), s->offload_s},
        {"bubble", _("pipeline bubble and uneven stages"), s->bubble_s},
        {"stragglers", _("stragglers and congestion"), s->straggler_s},
        {"outside", _("outside the model"), s->fixed_s},
        {"data_stalls", _("waiting for data"), s->data_s},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        rung(b, row[i].id, row[i].label, money(e, row[i].s * e->steps));
}

static void campaign_rungs(cn_build *b)
{
    const cn_estimate *e = b->e;
    const cn_campaign *c = &e->campaign;
    rung(b, "evaluation", _("evaluation passes"), money(e, c->evaluation_s));
    rung(b, "checkpoints", _("stalls for checkpoints"), money(e, c->checkpoint_s));
    rung(b, "failures", _("failures and repeated work"),
         money(e, c->detection_s + c->restart_s + c->lost_s + c->unsaved_s));
}

static const cn_item *item(const cn_estimate *e, const char *id)
{
    for (size_t i = 0; i < e->n_items; i++)
        if (strcmp(e->item[i].id, id) == 0)
            return &e->item[i];
    return NULL;
}

static double known_cost(const cn_item *i)
{
    return i && i->cost->known ? i->cost->value : 0;
}

static void purchase_rungs(cn_build *b)
{
    const cn_estimate *e = b->e;
    double spares = isnan(b->s->cluster.spares) ? 0 : b->s->cluster.spares;
    double idle = e->nodes * e->devices_per_node - e->devices + spares * e->devices_per_node;
    double hours = e->campaign.wall_s / 3600;
    rung(b, "idle", _("standby and unused devices"), idle * hours * e->base_per_device_h);
    rung(b, "purchase_premium", _("purchase premium"),
         (e->devices + idle) * hours * (e->per_device_h - e->base_per_device_h));
    rung(b, "preprocessing", _("preparing data on CPU nodes"),
         known_cost(item(e, "preprocessing")));
}

void cn_waterfall_make(cn_build *b)
{
    cn_estimate *e = b->e;
    e->waterfall =
        cn_fig_sum(b->cx, "waterfall", _("from the physical limit to the bill"), e->currency);
    step_rungs(b);
    campaign_rungs(b);
    purchase_rungs(b);
    for (int d = CN_DIM_COST_storage; d < CN_N_DIMENSIONS; d++)
        rung(b, cn_dimension_id((cn_dimension)d), e->dimension[d]->label, e->dimension[d]->value);
    e->waterfall->is_partial |= e->cost->is_partial;
    cn_fig_input(b->cx, e->root, e->waterfall);
}

/* ------------------------------------------------------------------------------- unit costs */

static void unit(cn_build *b, const char *key, const char *label, const char *per, cn_fig *cost,
                 cn_fig *amount, const char *formula)
{
    const char *text = cn_text_of(b, "%s/%s", cost->unit, per);
    cn_fig_input(b->cx, b->e->unit, cn_fig_over(b, key, label, text, cost, amount, formula));
}

static cn_fig *samples(cn_build *b)
{
    const cn_spec_data *d = &b->s->data;
    if (!(d->tokens_per_sample > 0))
        return cn_fig_unknown(b->cx, "samples", _("samples"), "samples",
                              _("data.tokens_per_sample is not said"));
    return cn_fig_formula(b, "samples", _("samples"), "samples",
                          b->e->tokens / d->tokens_per_sample, "tokens / tokens_per_sample", NULL);
}

/* What storage gives, or has to give, in GB/s. */
static cn_fig *storage_speed(cn_build *b)
{
    cn_estimate *e = b->e;
    double supply = e->train.data_bytes_per_s;
    if (supply > 0)
        return cn_fig_given(b, "read_supply", _("read rate of storage"), "GB/s", supply / 1e9);
    return cn_fig_formula(b, "read_supply", _("read rate the run needs"), "GB/s",
                          e->read_need->value / 1e9, "read_need_bytes_per_s / 1e9", NULL);
}

/* usd_per_* beside cost_per_*: the same in dollars, whatever the currency of the answer. */
static void both(cn_build *b, const char *usd_key, const char *key, const char *label,
                 const char *per, cn_fig *cost, cn_fig *amount, const char *formula)
{
    unit(b, key, label, per, cost, amount, formula);
    cn_fig *usd = cn_money_usd(b, cost);
    unit(b, usd_key, label, per, usd, amount, formula);
}

static void read_need(cn_build *b)
{
    cn_estimate *e = b->e;
    double per_step = e->train.global_batch * e->train.seq;
    double need = cn_read_need_bytes_per_s(per_step, e->step.time_s - e->step.data_s,
                                           e->train.data_bytes_per_token);
    e->read_need = cn_fig_formula(
        b, "read_need_bytes_per_s", _("read rate the devices need"), "bytes/s", need,
        "tokens per step x bytes_per_token / step time without waiting", "mohan2021");
    cn_fig_range(e->read_need, need / (1 + e->spread_ratio), need * (1 + e->spread_ratio));
    cn_fig_input(b->cx, e->root, e->read_need);
}

void cn_units_make(cn_build *b)
{
    cn_estimate *e = b->e;
    read_need(b);
    e->unit = cn_fig_new(b->cx, "unit", _("unit costs"), "", 0, CN_BASIS_FORMULA, NULL);
    cn_fig *mtok = cn_fig_formula(b, "mtok", _("million tokens"), "Mtok", e->tokens / 1e6,
                                  "tokens / 1e6", NULL);
    cn_fig *useful =
        cn_fig_formula(b, "useful_device_hours", _("useful device-hours"), "h",
                       e->devices * e->campaign.useful_s / 3600, "devices x useful_s / 3600", NULL);
    cn_fig_range(useful, useful->value / (1 + e->spread_ratio),
                 useful->value * (1 + e->spread_ratio));
    both(b, "usd_per_mtok", "cost_per_mtok", _("cost per million tokens"), "Mtok", e->cost, mtok,
         "effective_cost / (tokens / 1e6)");
    both(b, "usd_per_effective_step", "cost_per_effective_step", _("cost per step kept"), "step",
         e->cost, e->total_steps, "effective_cost / steps");
    both(b, "usd_per_useful_device_hour", "cost_per_useful_device_hour",
         _("cost per useful device-hour"), "h", e->cost, useful,
         "effective_cost / (devices x useful_s / 3600)");
    both(b, "usd_per_gb_per_s", "cost_per_gb_per_s", _("storage cost per GB/s of reading"), "GB/s",
         e->dimension[CN_DIM_COST_storage], storage_speed(b), "storage / read rate");
    both(b, "usd_per_sample", "cost_per_sample", _("cost per sample"), "sample", e->cost,
         samples(b), "effective_cost / samples");
    cn_fig_input(b->cx, e->root, e->unit);
}

/* ------------------------------------------------------------------------------------ limits */

static void limit(cn_build *b, const char *id, const char *text, double value, double bound,
                  const char *unit_name, bool ok)
{
    cn_estimate *e = b->e;
    e->limit[e->n_limits++] = (cn_limit){id, text, value, bound, unit_name, ok};
    e->is_feasible &= ok;
}

/* The largest part of memory, which is what a person can do something about. */
static const cn_fig *largest(const cn_fig *sum)
{
    const cn_fig *best = sum->n ? sum->part[0] : sum;
    for (size_t i = 1; i < sum->n; i++)
        if (sum->part[i]->value > best->value)
            best = sum->part[i];
    return best;
}

static void memory_limit(cn_build *b)
{
    cn_estimate *e = b->e;
    double used = e->memory.allocated_bytes + e->memory.context_bytes;
    double room = e->mem_ratio * e->device.mem_bytes;
    char a[64], c[64], d[64];
    const cn_fig *part = largest(e->peak_bytes);
    const char *text =
        e->fits ? cn_text_of(b, _("%s GB of %s GB used"), cn_number_sig(used / 1e9, 3, a),
                             cn_number_sig(room / 1e9, 3, c))
                : cn_text_of(b, _("%s GB do not fit in %s GB; the largest part is %s with %s GB"),
                             cn_number_sig(used / 1e9, 3, a), cn_number_sig(room / 1e9, 3, c),
                             part->label, cn_number_sig(part->value / 1e9, 3, d));
    limit(b, "memory", text, used, room, "bytes", e->fits);
}

/* "48.1 days" */
static const char *readable(cn_build *b, double x, const char *unit_name)
{
    char digits[64];
    double factor = 1;
    const char *scaled = cn_unit_scale(x, unit_name, &factor);
    return cn_text_of(b, "%s %s", cn_number_sig(x / factor, 3, digits), scaled);
}

static void budget_limit(cn_build *b)
{
    const cn_spec_limits *l = &b->s->limits;
    cn_estimate *e = b->e;
    cn_fig *bound = cn_money_given(b, l->budget, l->budget_currency, "run", _("budget"));
    bool ok = bound->known && e->cost->value <= bound->value;
    const char *text = bound->known ? cn_text_of(b, _("it costs %s of a budget of %s"),
                                                 readable(b, e->cost->value, e->currency),
                                                 readable(b, bound->value, e->currency))
                                    : bound->why;
    limit(b, "budget", text, e->cost->value, bound->value, e->currency, ok);
}

void cn_limits_make(cn_build *b)
{
    cn_estimate *e = b->e;
    const cn_spec_limits *l = &b->s->limits;
    const cn_campaign *c = &e->campaign;
    e->is_feasible = true;
    memory_limit(b);
    if (!isnan(l->deadline_s)) {
        limit(b, "deadline",
              cn_text_of(b, _("it takes %s of the %s allowed"), readable(b, c->wall_s, "s"),
                         readable(b, l->deadline_s, "s")),
              c->wall_s, l->deadline_s, "s", c->wall_s <= l->deadline_s);
    }
    if (!isnan(l->budget))
        budget_limit(b);
    if (!isnan(l->availability_ratio)) {
        double up = 1 - (c->detection_s + c->restart_s) / c->wall_s;
        limit(b, "availability",
              cn_text_of(b, _("it is up %s of the time, %s is wanted"), readable(b, up, "ratio"),
                         readable(b, l->availability_ratio, "ratio")),
              up, l->availability_ratio, "ratio", up >= l->availability_ratio);
    }
}
