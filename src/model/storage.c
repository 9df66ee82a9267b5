/* storage.c - see storage.h. */
#include <math.h>

#include "model/storage.h"

double cn_month_s(void)
{
    return 730.0 * 3600;
}

static bool is_32bit(const cn_train *t)
{
    return t->precision == CN_PREC_FP32 || t->precision == CN_PREC_TF32;
}

static double trained_params(const cn_train *t)
{
    if (t->method != CN_METHOD_FULL)
        return cn_shape_lora_params(t->shape, t->lora_rank);
    double frozen = 0;
    for (int i = 0; i < t->shape->n_blocks; i++)
        if (t->shape->block[i].is_frozen)
            frozen += t->shape->block[i].n_layers * cn_block_params(&t->shape->block[i]);
    return cn_shape_params(t->shape) - frozen;
}

double cn_model_bytes(const cn_train *t)
{
    double params = t->method == CN_METHOD_FULL ? cn_shape_params(t->shape) : trained_params(t);
    return params * (is_32bit(t) ? 4 : 2);
}

double cn_checkpoint_bytes(const cn_train *t)
{
    return cn_model_bytes(t) +
           trained_params(t) * cn_optimizer_state_bytes(t->optimizer, is_32bit(t));
}

/* Integral over time of how many of the newest `keep` saves there are, one every `gap` seconds. */
static double newest_seconds(double saves, double keep, double gap, double wall_s)
{
    double k = fmin(keep, saves);
    return k * wall_s - gap * k * (k + 1) / 2;
}

double cn_retention_final(const cn_retention *r)
{
    double saves = ceil(r->steps / r->every_steps - 1e-9);
    double last = fmin(r->keep_last, saves);
    if (!(r->keep_every_steps > 0))
        return last;
    /* milestones that are not among the newest: at or before the save that was dropped last */
    double newest_dropped = (saves - last) * r->every_steps;
    return last + floor(newest_dropped / r->keep_every_steps + 1e-9);
}

double cn_retention_seconds(const cn_retention *r)
{
    double saves = floor(r->steps / r->every_steps + 1e-9);
    double gap = r->wall_s * r->every_steps / r->steps;
    double sum = newest_seconds(saves, r->keep_last, gap, r->wall_s);
    if (!(r->keep_every_steps > 0))
        return sum;
    /* A milestone of step i m joins the kept ones when it leaves the newest, keep_last gaps later.
     * [lescao2022] */
    double apart = r->wall_s * r->keep_every_steps / r->steps;
    double time = r->wall_s - r->keep_last * gap;
    double n = floor(fmax(0, time) / apart + 1e-9);
    return sum + n * time - apart * n * (n + 1) / 2;
}

double cn_read_need_bytes_per_s(double tokens_per_step, double step_s, double bytes_per_token)
{
    return tokens_per_step * bytes_per_token / step_s;
}

double cn_starvation_ratio(double need_bytes_per_s, double supply_bytes_per_s)
{
    if (!(supply_bytes_per_s > 0))
        return need_bytes_per_s > 0 ? NAN : 0;
    return fmax(0, 1 - supply_bytes_per_s / need_bytes_per_s);
}

double cn_tier_bytes_per_s(double stored_bytes, double bytes_per_s_per_tb)
{
    return stored_bytes / 1e12 * bytes_per_s_per_tb;
}
