/*
 * remedy.c - a run that does not fit: which single changes make it fit, and what each costs in
 * time.
 *
 * Every lever is tried alone; only if none is enough, in pairs. The answer is written as --set
 * takes it, with the peak and the step time against the run that does not fit.
 */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "estimate/build.h"

/* Changes t; false if there is nothing to change. */
typedef bool (*lever)(cn_train *t, double devices);

static bool more_recompute(cn_train *t, cn_recompute to)
{
    if (t->layout.recompute >= to)
        return false;
    t->layout.recompute = to;
    return true;
}

static bool selective(cn_train *t, double devices)
{
    (void)devices;
    return more_recompute(t, CN_RECOMPUTE_SELECTIVE);
}

static bool full(cn_train *t, double devices)
{
    (void)devices;
    return more_recompute(t, CN_RECOMPUTE_FULL);
}

static bool more_zero(cn_train *t, int to)
{
    if (t->layout.zero >= to || cn_train_dp_ranks(t) <= 1)
        return false;
    t->layout.zero = to;
    return true;
}

static bool zero1(cn_train *t, double devices)
{
    (void)devices;
    return more_zero(t, 1);
}

static bool zero2(cn_train *t, double devices)
{
    (void)devices;
    return more_zero(t, 2);
}

static bool zero3(cn_train *t, double devices)
{
    (void)devices;
    return more_zero(t, 3);
}

static bool twice_tp(cn_train *t, double devices)
{
    t->layout.tp *= 2;
    return t->layout.tp <= t->fabric->domain && cn_layout_divide(t, devices);
}

static bool twice_pp(cn_train *t, double devices)
{
    t->layout.pp *= 2;
    return cn_layout_divide(t, devices);
}

static bool twice_cp(cn_train *t, double devices)
{
    t->layout.cp *= 2;
    return cn_layout_divide(t, devices);
}

static bool twice_ep(cn_train *t, double devices)
{
    bool has_experts = false;
    for (int i = 0; i < t->shape->n_blocks; i++)
        has_experts |= t->shape->block[i].n_experts > 0;
    t->layout.ep *= 2;
    return has_experts && cn_layout_divide(t, devices);
}

static bool half_micro(cn_train *t, double devices)
{
    if (t->layout.micro_batch % 2)
        return false;
    t->layout.micro_batch /= 2;
    return cn_layout_divide(t, devices);
}

static bool offload(cn_train *t, int bit)
{
    if ((t->layout.offload & bit) || !(t->host_bytes_per_s > 0))
        return false;
    t->layout.offload |= bit;
    return true;
}

static bool offload_optimizer(cn_train *t, double devices)
{
    (void)devices;
    return offload(t, CN_OFFLOAD_OPTIMIZER);
}

static bool offload_activations(cn_train *t, double devices)
{
    (void)devices;
    return offload(t, CN_OFFLOAD_ACTIVATIONS);
}

static bool small_optimizer(cn_train *t, double devices)
{
    (void)devices;
    if (t->optimizer != CN_OPT_ADAMW)
        return false;
    t->optimizer = CN_OPT_ADAMW8;
    return true;
}

static const lever levers[] = {
    selective,
    full,
    zero1,
    zero2,
    zero3,
    twice_tp,
    twice_pp,
    twice_cp,
    twice_ep,
    half_micro,
    small_optimizer,
    offload_optimizer,
    offload_activations,
};
enum { N_LEVERS = sizeof levers / sizeof *levers };

static const char *change_text(cn_build *b, const cn_train *from, const cn_train *to)
{
    static const char *const recomputes[] = {"none", "selective", "full"};
    const cn_layout *x = &from->layout, *y = &to->layout;
    const struct {
        const char *key;
        int from, to;
    } number[] = {
        {"cluster.parallel.tp", x->tp, y->tp},
        {"cluster.parallel.pp", x->pp, y->pp},
        {"cluster.parallel.cp", x->cp, y->cp},
        {"cluster.parallel.ep", x->ep, y->ep},
        {"cluster.parallel.zero", x->zero, y->zero},
        {"cluster.parallel.micro_batch", x->micro_batch, y->micro_batch},
    };
    cn_buf t = {0};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        if (number[i].from != number[i].to)
            cn_buf_printf(&t, " %s=%d", number[i].key, number[i].to);
    if (x->recompute != y->recompute)
        cn_buf_printf(&t, " training.recompute=%s", recomputes[y->recompute]);
    if (from->optimizer != to->optimizer)
        cn_buf_puts(&t, " training.optimizer=adamw-8bit");
    if ((y->offload & ~x->offload) & CN_OFFLOAD_OPTIMIZER)
        cn_buf_puts(&t, " cluster.parallel.offload_optimizer=yes");
    if ((y->offload & ~x->offload) & CN_OFFLOAD_ACTIVATIONS)
        cn_buf_puts(&t, " cluster.parallel.offload_activations=yes");
    const char *text = cn_text_of(b, "%s", t.len ? cn_buf_cstr(&t) + 1 : "");
    cn_buf_free(&t);
    return text;
}

static void consider(cn_build *b, const cn_train *t)
{
    cn_estimate *e = b->e;
    cn_memory mem;
    cn_step step, before;
    if (cn_train_check(t) != CN_TRAIN_OK || !cn_fits(t, e->mem_ratio, &mem))
        return;
    cn_step_eval(t, &step);
    cn_step_eval(&e->train, &before);
    const char *text = change_text(b, &e->train, t);
    if (e->n_remedies < CN_MAX_REMEDIES && isfinite(step.time_s))
        e->remedy[e->n_remedies++] = (cn_remedy){text, mem.peak_bytes, step.time_s / before.time_s};
}

static int by_time(const void *a, const void *b)
{
    const cn_remedy *x = a, *y = b;
    return (x->time_ratio > y->time_ratio) - (x->time_ratio < y->time_ratio);
}

void cn_find_remedies(cn_build *b)
{
    cn_estimate *e = b->e;
    for (int i = 0; i < N_LEVERS; i++) {
        cn_train t = e->train;
        if (levers[i](&t, e->devices))
            consider(b, &t);
    }
    if (e->n_remedies == 0)
        for (int i = 0; i < N_LEVERS; i++)
            for (int j = i; j < N_LEVERS; j++) { /* j = i: the same lever twice */
                cn_train t = e->train;
                if (levers[i](&t, e->devices) && levers[j](&t, e->devices))
                    consider(b, &t);
            }
    qsort(e->remedy, e->n_remedies, sizeof *e->remedy, by_time);
}
