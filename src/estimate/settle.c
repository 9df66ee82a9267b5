/*
 * settle.c - from spec and catalog to one run that the model can price: model, hardware, framework,
 * precision, batch, tokens. What was not said is filled here and listed.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "estimate/build.h"
#include "model/scaling.h"
#include "model/storage.h"

static const char *const optimizer_names[] = {"adamw", "adamw-8bit", "adafactor", "muon", "sgd"};
static const char *const method_names[] = {"full", "lora", "qlora"};

static const char *place_of(cn_build *b, const cn_source *s)
{
    return cn_text_of(b, "%s:%d, %s", s->file ? s->file : "catalog", s->line,
                      s->checked ? s->checked : "-");
}

/* The current framework that most published runs on such devices use. */
static const cn_framework *usual_framework(cn_build *b)
{
    const char *vendor = b->s->cluster.accel->vendor;
    const char *id = vendor && strcmp(vendor, "Google") == 0 ? "maxtext" : "megatron-bridge";
    const cn_framework *f = cn_catalog_has_framework(b->cx, b->cat, id);
    return f ? f : cn_catalog_default_framework(b->cx, b->cat);
}

static cn_code settle_framework(cn_build *b)
{
    const char *name = b->s->training.framework;
    if (name) {
        CN_TRY(cn_catalog_framework(b->cx, b->cat, NULL, name, &b->e->framework));
    } else {
        b->e->framework = usual_framework(b);
        if (!b->e->framework)
            return cn_fail(b->cx, CN_EBUG, NULL, "the catalog has no default framework");
        cn_assume_text(b, "framework", b->e->framework->id,
                       _("what most runs on such accelerators use"),
                       place_of(b, &b->e->framework->source));
    }
    b->e->soft = b->e->framework->soft;
    return CN_OK;
}

/* Nodes spread over zones or regions: groups wider than one place go by the slower tier. */
static void settle_placement(cn_build *b)
{
    cn_estimate *e = b->e;
    int place = b->s->cluster.placement;
    cn_fabric *f = &e->fabric;
    if (place < CN_PLACE_CROSS_ZONE)
        return;
    double places = cn_assume(b, NAN, CN_DEFAULT_places);
    cn_tier far = place == CN_PLACE_CROSS_ZONE ? CN_TIER_ZONE : CN_TIER_REGION;
    double share = place == CN_PLACE_CROSS_ZONE ? cn_assume(b, NAN, CN_DEFAULT_zone_link)
                                                : cn_assume(b, NAN, CN_DEFAULT_region_link);
    f->devices[CN_TIER_RAIL] = e->devices / places;
    if (f->bytes_per_s[CN_TIER_RACK] > 0)
        f->devices[CN_TIER_RACK] = e->devices / places;
    for (int t = CN_TIER_ZONE; t < (int)far; t++)
        f->bytes_per_s[t] = 0;
    if (!(f->bytes_per_s[far] > 0))
        f->bytes_per_s[far] = share * f->bytes_per_s[CN_TIER_RAIL];
    if (!(f->hop_s[far] > 0))
        f->hop_s[far] = far == CN_TIER_ZONE ? cn_assume(b, NAN, CN_DEFAULT_zone_hop_s)
                                            : cn_assume(b, NAN, CN_DEFAULT_region_hop_s);
}

static cn_code settle_hardware(cn_build *b)
{
    const cn_spec_cluster *c = &b->s->cluster;
    cn_estimate *e = b->e;
    e->devices = c->accelerators;
    e->device = c->accel->device;
    cn_catalog_fabric(c->accel, c->node, &e->fabric);
    if (!(e->fabric.per_node >= 1))
        e->fabric.per_node = fmin(8, e->devices);
    if (c->nic_bytes_per_s > 0)
        e->fabric.bytes_per_s[CN_TIER_RAIL] = c->nic_bytes_per_s / e->fabric.per_node;
    e->devices_per_node = c->node && c->node->n_accel >= 1 ? c->node->n_accel : e->fabric.per_node;
    e->nodes = ceil(e->devices / e->devices_per_node);
    if (!(e->fabric.bytes_per_s[CN_TIER_RAIL] > 0) && e->nodes > 1) {
        cn_fail(b->cx, CN_EINPUT, NULL, "the network between nodes is unknown for %s",
                c->node ? c->node->id : c->accel->id);
        return cn_hint(b->cx, "say it: \"cluster: {nic: 3200 Gb/s}\", of one node, one way");
    }
    settle_placement(b);
    return CN_OK;
}

static int settle_precision(cn_build *b)
{
    int said = b->s->training.precision;
    if (said >= 0)
        return said;
    const double *peak = b->e->device.peak_flop_per_s;
    int p = peak[CN_BF16] > 0 ? CN_PREC_BF16 : peak[CN_FP16] > 0 ? CN_PREC_FP16 : CN_PREC_FP32;
    cn_assume_text(b, "training.precision", cn_precision_name((cn_precision)p),
                   _("the usual format that the accelerator offers"), NULL);
    return p;
}

static double settle_sequence(cn_build *b)
{
    double said = b->s->training.sequence, context = b->s->model->context;
    if (said > 0)
        return said;
    double usual = cn_assume(b, NAN, CN_DEFAULT_sequence);
    return context > 0 ? fmin(usual, context) : usual;
}

static void settle_choices(cn_build *b)
{
    const cn_spec_training *t = &b->s->training;
    cn_train *r = &b->e->train;
    const cn_framework *f = b->e->framework;
    r->precision = (cn_precision)settle_precision(b);
    r->optimizer = t->optimizer >= 0 ? (cn_optimizer)t->optimizer : CN_OPT_ADAMW;
    r->method = t->method >= 0 ? (cn_method)t->method : CN_METHOD_FULL;
    if (t->optimizer < 0)
        cn_assume_text(b, "training.optimizer", optimizer_names[r->optimizer], _("the usual one"),
                       NULL);
    if (t->method < 0)
        cn_assume_text(b, "training.method", method_names[r->method], _("all weights are trained"),
                       NULL);
    r->lora_rank =
        r->method == CN_METHOD_FULL ? 0 : cn_assume(b, t->lora_rank, CN_DEFAULT_lora_rank);
    r->has_flash = t->flash >= 0 ? t->flash : f->has_flash;
    r->has_fused_loss = t->fused_loss >= 0 ? t->fused_loss : f->has_fused_loss;
    r->has_fp32_grads = f->has_fp32_grads;
    r->has_fp8_weights = f->has_fp8_weights && cn_precision_bytes(r->precision) < 2;
    r->host_bytes_per_s = b->s->cluster.accel->host_bytes_per_s;
    r->seq = settle_sequence(b);
}

/*
 * Sequences per step. A batch given in tokens, or taken for granted, is rounded to what the devices
 * can share evenly once the layout is known; here to whole sequences.
 */
static void settle_batch(cn_build *b)
{
    const cn_spec_training *t = &b->s->training;
    cn_train *r = &b->e->train;
    if (t->global_batch >= 1) {
        r->global_batch = t->global_batch;
        return;
    }
    cn_default which =
        b->s->kind == CN_KIND_FINETUNE ? CN_DEFAULT_tune_batch_tokens : CN_DEFAULT_batch_tokens;
    double tokens = cn_assume(b, t->global_batch_tokens, which);
    r->global_batch = fmax(1, round(tokens / r->seq));
}

/* Tokens of one law for a loss; NaN outside its domain. */
static double law_tokens(const cn_law *l, double params, double loss, bool *outside)
{
    cn_scaling s = {l->e,         l->a,         l->b,         l->alpha,    l->beta,
                    l->params_lo, l->params_hi, l->tokens_lo, l->tokens_hi};
    double d = cn_scaling_tokens(&s, params, loss);
    *outside = cn_scaling_outside(&s, params, d);
    return d;
}

static cn_code no_law_reaches(cn_build *b, const cn_law *l, double params, double loss)
{
    cn_scaling s = {.e = l->e, .a = l->a, .alpha = l->alpha};
    cn_fail(b->cx, CN_EINPUT, NULL,
            "target_loss %g is out of reach: with %.4g parameters the law %s ends at %.4g", loss,
            params, l->id, cn_scaling_floor_loss(&s, params));
    return cn_hint(b->cx, "raise target_loss, choose a larger model, or give tokens instead");
}

static const char *const default_law = "besiroglu2024";

/* The range is what the other laws of the catalog say. */
static cn_code tokens_of_loss(cn_build *b, double loss)
{
    const cn_law *law;
    double params = cn_shape_params(&b->e->shape);
    size_t n;
    const cn_law *all = cn_catalog_laws(b->cx, b->cat, &n);
    bool outside, other;
    CN_TRY(
        cn_catalog_law(b->cx, b->cat, NULL, b->s->data.law ? b->s->data.law : default_law, &law));
    if (!b->s->data.law)
        cn_assume_text(b, "data.law", law->id, _("the refitted law of compute-optimal training"),
                       place_of(b, &law->source));
    double d = law_tokens(law, params, loss, &outside), lo = d, hi = d;
    if (isnan(d))
        return no_law_reaches(b, law, params, loss);
    for (size_t i = 0; i < n; i++) {
        double x = law_tokens(&all[i], params, loss, &other);
        lo = fmin(lo, x);
        hi = fmax(hi, x);
    }
    if (outside)
        cn_warn(b->cx, NULL, _("target_loss %g lies outside what the law %s was fitted on"), loss,
                law->id);
    cn_fig *f = cn_fig_formula(b, "tokens", _("tokens trained on"), "tokens", d,
                               "(b / (target_loss - e - a / params^alpha))^(1 / beta)",
                               place_of(b, &law->source));
    cn_fig_input(b->cx, f, cn_fig_given(b, "target_loss", _("loss to reach"), "nats", loss));
    cn_fig_input(b->cx, f,
                 cn_fig_formula(b, "params", _("parameters"), "params", params,
                                "sum over the layers", "vaswani2017"));
    cn_fig_range(f, lo, hi);
    b->e->total_tokens = f;
    return CN_OK;
}

/* tokens, else samples x tokens_per_sample; each times epochs if that was said. */
static double tokens_of_data(const cn_spec_data *d)
{
    double tokens = d->tokens;
    if (isnan(tokens))
        tokens = d->samples * d->tokens_per_sample;
    return isnan(d->epochs) ? tokens : tokens * d->epochs;
}

static cn_code settle_tokens(cn_build *b)
{
    const cn_spec_data *d = &b->s->data;
    cn_estimate *e = b->e;
    double tokens = tokens_of_data(d);
    if (b->s->training.steps > 0)
        tokens = b->s->training.steps * e->train.global_batch * e->train.seq;
    if (isnan(tokens) && !isnan(d->target_loss)) {
        CN_TRY(tokens_of_loss(b, d->target_loss));
    } else if (isnan(tokens)) {
        cn_fail(b->cx, CN_EINPUT, NULL, "how long to train is missing");
        return cn_hint(b->cx, "add \"data: {tokens: 15T}\", or target_loss, or training.steps");
    } else {
        e->total_tokens = cn_fig_given(b, "tokens", _("tokens trained on"), "tokens", tokens);
    }
    e->tokens = e->total_tokens->value;
    return CN_OK;
}

/* Bytes read for a token: said, or a sample's share, or the stored set's, or token ids. */
static double bytes_per_token(cn_build *b)
{
    const cn_spec_data *d = &b->s->data;
    if (!isnan(d->bytes_per_token))
        return d->bytes_per_token;
    if (!isnan(d->bytes_per_sample))
        return d->bytes_per_sample / (d->tokens_per_sample > 0 ? d->tokens_per_sample : 1);
    return cn_assume(b, NAN, CN_DEFAULT_bytes_per_token);
}

/* What storage gives the whole job: said, or what comes with the tier's size; 0 = enough. */
static double read_supply(cn_build *b)
{
    const cn_spec_storage *s = &b->s->storage;
    if (s->read_bytes_per_s > 0)
        return s->read_bytes_per_s;
    const char *tier = s->cache_tier ? s->cache_tier : s->dataset_tier;
    const cn_rate *rate = tier ? cn_catalog_rate(b->cx, b->cat, tier) : NULL;
    double stored = s->cache_tier && s->cache_bytes > 0 ? s->cache_bytes : b->s->data.stored_bytes;
    if (rate && rate->bytes_per_s_per_tb > 0 && stored > 0)
        return cn_tier_bytes_per_s(stored, rate->bytes_per_s_per_tb);
    cn_assume_text(b, "storage.read", _("enough"), _("no read rate is known, so nothing starves"),
                   NULL);
    return 0;
}

static cn_code check_kind(cn_build *b)
{
    if (b->s->kind != CN_KIND_SERVING)
        return CN_OK;
    cn_fail(b->cx, CN_EINPUT, NULL,
            "%s is a serving spec; only training and fine-tuning are "
            "estimated so far",
            b->s->name);
    return cn_hint(b->cx, "write \"kind: training\" or \"kind: finetune\"");
}

cn_code cn_settle_run(cn_build *b)
{
    cn_estimate *e = b->e;
    CN_TRY(check_kind(b));
    e->shape = b->s->model->shape;
    CN_TRY(settle_framework(b));
    CN_TRY(settle_hardware(b));
    e->train.shape = &e->shape;
    e->train.device = &e->device;
    e->train.fabric = &e->fabric;
    e->train.soft = &e->soft;
    if (b->opts->profile)
        cn_profile_apply(b->opts->profile, &e->device, &e->fabric, &e->soft);
    settle_choices(b);
    settle_batch(b);
    e->train.data_bytes_per_token = bytes_per_token(b);
    e->train.data_bytes_per_s = read_supply(b);
    return settle_tokens(b);
}
