/*
 * factors.c - what moves the cost most: the same run with one thing changed, estimated again.
 *
 * The layout stays, so that a factor shows its own effect and not that of another layout.
 */
#include <math.h>

#include "base/lang.h"
#include "estimate/estimate.h"

typedef void (*change)(cn_spec *s);

static void ten_times_data(cn_spec *s)
{
    s->data.tokens *= 10;
    s->data.stored_bytes *= 10;
    s->training.steps *= 10;
}

static void standby(cn_spec *s)
{
    s->cluster.spares = (isnan(s->cluster.spares) ? 0 : s->cluster.spares) + 1;
}

static void reserved(cn_spec *s)
{
    s->purchase.mode = CN_BUY_RESERVED_1Y;
    s->purchase.reserved_ratio = s->purchase.spot_ratio = NAN;
}

static void spot(cn_spec *s)
{
    s->purchase.mode = CN_BUY_SPOT;
    s->purchase.reserved_ratio = s->purchase.spot_ratio = NAN;
}

static void half_cold(cn_spec *s)
{
    s->storage.cold_ratio = 0.5;
}

static void two_zones(cn_spec *s)
{
    s->cluster.placement = CN_PLACE_CROSS_ZONE;
}

static void few_logs(cn_spec *s)
{
    s->observability.log_sample_ratio = 0.1;
}

static const struct {
    const char *label, *risk;
    change apply;
} factors[] = {
    {N_("ten times the data"), N_("none"), ten_times_data},
    {N_("one more standby node"), N_("a failure no longer waits for a repair"), standby},
    {N_("reserved for a year"), N_("paid until the year ends, used or not"), reserved},
    {N_("on spot"), N_("interrupted more often; the finish is less sure"), spot},
    {N_("half of the data set in the cold tier"), N_("slower and paid reads of that half"),
     half_cold},
    {N_("nodes over two zones"), N_("outlives the loss of a zone; slower gradients"), two_zones},
    {N_("one log line in ten"), N_("failures are harder to explain"), few_logs},
};

/* The layout that was settled, written as if the user had said it. */
static void fix_layout(cn_spec *s, const cn_estimate *e)
{
    s->cluster.layout = e->train.layout;
    s->cluster.layout.sp = e->train.layout.is_sp;
    s->cluster.layout.reshard = !e->train.layout.keeps_shards;
    s->cluster.is_auto_layout = false;
    s->training.global_batch = e->train.global_batch;
    s->data.tokens = e->tokens;
    s->data.epochs = NAN;
    s->data.target_loss = NAN;
}

cn_code cn_estimate_factors(cn_ctx *cx, cn_catalog *cat, const cn_estimate_opts *opts,
                            cn_estimate *e)
{
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        cn_spec *s = cn_arena_alloc(&cx->arena, sizeof *s);
        cn_estimate *other;
        if (!s)
            return cn_nomem(cx);
        *s = *e->spec;
        fix_layout(s, e);
        factors[i].apply(s);
        CN_TRY(cn_estimate_make(cx, cat, s, opts, &other));
        bool is_priced = !isnan(e->per_device_h) && !isnan(other->per_device_h);
        if (!is_priced && (factors[i].apply == reserved || factors[i].apply == spot))
            continue; /* not offered */
        e->factor[e->n_factors++] = (cn_factor){
            .label = _(factors[i].label),
            .cost_ratio = is_priced ? other->cost->value / e->cost->value : NAN,
            .time_ratio = other->campaign.wall_s / e->campaign.wall_s,
            .risk = _(factors[i].risk),
        };
    }
    return CN_OK;
}
