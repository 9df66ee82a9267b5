/* campaign_in.c - what surrounds the steps: failures, checkpoints, evaluation passes. */
#include <math.h>

#include "base/unit.h"
#include "estimate/build.h"
#include "model/storage.h"

static void settle_failures(cn_build *b)
{
    const cn_spec_failures *s = &b->s->failures;
    cn_campaign_in *in = &b->e->campaign_in;
    const cn_failure_rate *f = cn_catalog_failure(b->cx, b->cat, b->s->cluster.accel->generation);
    in->per_device_day = !isnan(s->per_device_day) ? s->per_device_day
                         : f                       ? f->per_device_day
                                                   : NAN;
    in->detect_s = !isnan(s->detect_s) ? s->detect_s : f ? f->detect_s : NAN;
    in->restart_s = !isnan(s->restart_s) ? s->restart_s : f ? f->restart_s : NAN;
    if (f && isnan(s->per_device_day))
        cn_assume_text(b, "failures.per_device_day", cn_text_of(b, "%.3g", f->per_device_day),
                       _("interruptions of clusters with such devices"),
                       cn_text_of(b, "%s:%d: %s", f->source.file ? f->source.file : "catalog",
                                  f->source.line, f->source.text ? f->source.text : "-"));
    if (isnan(in->detect_s))
        in->detect_s = cn_assume(b, NAN, CN_DEFAULT_detect_s);
    if (isnan(in->restart_s))
        in->restart_s = cn_assume(b, NAN, CN_DEFAULT_restart_s);
    if (isnan(in->per_device_day))
        in->per_device_day = cn_assume(b, NAN, CN_DEFAULT_per_device_day);
    b->e->repair_s = cn_assume(b, NAN, CN_DEFAULT_repair_s);
    if (b->e->mix.spot_ratio > 0)
        in->other_per_day =
            b->e->mix.spot_ratio * b->e->nodes * cn_assume(b, NAN, CN_DEFAULT_spot_per_node_day);
}

/* What a write leaves of step time: all of it, or the copy to host memory. */
static double stall_of(cn_build *b, double write_s)
{
    const cn_estimate *e = b->e;
    int async = b->s->checkpoint.is_async;
    if (async < 0)
        cn_assume_text(b, "checkpoint.async", "no", _("the run waits for its checkpoints"), NULL);
    if (async <= 0)
        return write_s;
    double host = e->train.host_bytes_per_s;
    if (host > 0)
        return fmin(write_s, e->checkpoint_bytes / e->devices / host);
    return write_s * cn_assume(b, NAN, CN_DEFAULT_stall_share);
}

static void settle_checkpoints(cn_build *b)
{
    const cn_spec_checkpoint *s = &b->s->checkpoint;
    cn_estimate *e = b->e;
    cn_campaign_in *in = &e->campaign_in;
    e->checkpoint_bytes = cn_checkpoint_bytes(&e->train);
    double rate = s->write_bytes_per_s;
    if (!(rate > 0))
        rate = e->nodes * cn_assume(b, NAN, CN_DEFAULT_write_per_node);
    in->write_s = e->checkpoint_bytes / rate;
    in->stall_s = stall_of(b, in->write_s);
    in->every_s = s->every_s > 0       ? s->every_s
                  : s->every_steps > 0 ? s->every_steps * e->step.time_s
                                       : 0;
}

/* Forward passes only: a third of a step, a quarter with full recompute, half of LoRA's. */
static double forward_s(const cn_estimate *e)
{
    double passes = e->train.method == CN_METHOD_FULL ? 3 : 2;
    passes += e->train.layout.recompute == CN_RECOMPUTE_FULL;
    return (e->step.time_s - e->step.dp_s - e->step.optimizer_s) / passes;
}

static void settle_evaluation(cn_build *b)
{
    const cn_spec_training *t = &b->s->training;
    cn_estimate *e = b->e;
    e->campaign_in.evaluation_s = 0;
    if (!(t->eval_every_steps > 0) || !(t->eval_steps > 0)) {
        cn_assume_text(b, "training.eval_steps", "0", _("no evaluation passes are named"), NULL);
        return;
    }
    double passes = floor(e->steps / t->eval_every_steps) * t->eval_steps;
    e->campaign_in.evaluation_s = passes * forward_s(e);
}

/*
 * Failures can come faster than the run starts again: the expected time is then beyond any number,
 * or a number that means "never". A run so slow has no cost worth printing.
 */
static cn_code check_end(cn_build *b)
{
    const cn_campaign *c = &b->e->campaign;
    const cn_campaign_in *in = &b->e->campaign_in;
    char lost[64], step[64], again[64];
    if (isfinite(c->wall_s) && c->train_goodput_ratio > 1e-4)
        return CN_OK;
    cn_fail(b->cx, CN_EINFEASIBLE, NULL,
            "the run never ends: it is interrupted every %s s, where a step takes %s s and going "
            "on again %s s",
            cn_number_sig(c->mtbf_s, 3, lost), cn_number_sig(in->step_s, 3, step),
            cn_number_sig(in->detect_s + in->restart_s + in->write_s, 3, again));
    return cn_hint(b->cx, "look at checkpoint.write, storage.read, failures.restart and "
                          "failures.per_device_day in the spec");
}

cn_code cn_settle_campaign(cn_build *b)
{
    cn_estimate *e = b->e;
    cn_step_eval(&e->train, &e->step);
    if (!isfinite(e->step.time_s)) {
        cn_fail(b->cx, CN_EINPUT, NULL, "the step time of %s cannot be computed on %s",
                b->s->model->id ? b->s->model->id : b->s->name, b->s->cluster.accel->id);
        return cn_hint(b->cx, "a fact is missing: see `carnot catalog show %s`",
                       b->s->cluster.accel->id);
    }
    e->spread_ratio =
        b->opts->profile ? b->opts->profile->spread_ratio : cn_step_spread_ratio(&e->train);
    double per_step = e->train.global_batch * e->train.seq;
    e->steps =
        b->s->training.steps > 0 ? b->s->training.steps : fmax(1, ceil(e->tokens / per_step));
    settle_failures(b);
    settle_checkpoints(b);
    settle_evaluation(b);
    e->campaign_in.steps = e->steps;
    e->campaign_in.step_s = e->step.time_s;
    e->campaign_in.devices = e->devices;
    cn_campaign_eval(&e->campaign_in, &e->campaign);
    return check_end(b);
}
