/* fixture.h - plain hardware and models for the tests of this room; round numbers, no catalog. */
#ifndef CARNOT_MODEL_FIXTURE_H
#define CARNOT_MODEL_FIXTURE_H

#include "base/rng.h"
#include "model/train.h"

/* Everything one cn_train points to, with the pointers set by fixture_init(). */
typedef struct fixture {
    cn_shape shape;
    cn_device device;
    cn_fabric fabric;
    cn_soft soft;
    cn_train train;
} fixture;

static inline cn_block fixture_block(double layers, double hidden, double heads, double ffn)
{
    return (cn_block){.n_layers = layers,
                      .hidden = hidden,
                      .n_heads = heads,
                      .n_kv_heads = heads,
                      .head_dim = hidden / heads,
                      .is_causal = true,
                      .ffn = ffn,
                      .token_ratio = 1};
}

static inline void fixture_init(fixture *f)
{
    *f = (fixture){.shape = {.hidden = 4096, .vocab = 32000, .has_head = true, .n_blocks = 1}};
    f->shape.block[0] = fixture_block(32, 4096, 32, 11008);
    f->shape.block[0].is_gated = true;
    for (int i = 0; i < CN_N_NUMERICS; i++)
        f->device.peak_flop_per_s[i] = 1e15;
    f->device.mem_bytes = 80e9;
    f->device.mem_bytes_per_s = 3e12;
    cn_eff_default(&f->device.eff);
    cn_soft_default(&f->soft);
    f->fabric = (cn_fabric){.domain = 8, .per_node = 8};
    f->fabric.bytes_per_s[CN_TIER_NODE] = 450e9;
    f->fabric.bytes_per_s[CN_TIER_RAIL] = 50e9;
    f->train = (cn_train){.shape = &f->shape, .device = &f->device, .fabric = &f->fabric};
    f->train.soft = &f->soft;
    f->train.layout = (cn_layout){.tp = 1, .pp = 1, .vp = 1, .dp = 8, .cp = 1, .ep = 1, .zero = 1};
    f->train.layout.micro_batch = 1;
    f->train.layout.n_micro = 8;
    f->train.seq = 4096;
    f->train.global_batch = 64;
    f->train.precision = CN_PREC_BF16;
    f->train.has_flash = true;
}

static inline int fixture_pow2(cn_rng *r, int below)
{
    return 1 << cn_rng_below(r, (uint64_t)below);
}

/* A random but possible run: dense or expert layers, any layout, precision, recompute and schedule.
 */
static inline void fixture_random(fixture *f, cn_rng *r)
{
    fixture_init(f);
    double hidden = 1024.0 * (double)(1 + cn_rng_below(r, 16));
    double layers = 8.0 * (double)(1 + cn_rng_below(r, 12));
    cn_block *b = &f->shape.block[0];
    *b = fixture_block(layers, hidden, hidden / 128, 4 * hidden);
    b->is_gated = cn_rng_below(r, 2);
    f->shape.hidden = hidden;
    f->shape.is_tied = cn_rng_below(r, 2);
    cn_layout *l = &f->train.layout;
    l->tp = fixture_pow2(r, 4);
    l->pp = fixture_pow2(r, 4);
    l->vp = l->pp > 1 && cn_rng_below(r, 2) ? 2 : 1;
    l->dp = fixture_pow2(r, 6);
    l->cp = fixture_pow2(r, 2);
    l->micro_batch = fixture_pow2(r, 3);
    l->n_micro = l->pp * fixture_pow2(r, 4);
    l->zero = (int)cn_rng_below(r, 4);
    l->is_sp = l->tp > 1 && cn_rng_below(r, 2);
    l->recompute = (cn_recompute)cn_rng_below(r, CN_N_RECOMPUTES);
    l->schedule = (cn_schedule)cn_rng_below(r, CN_N_SCHEDULES);
    if (cn_rng_below(r, 3) == 0) {
        b->n_experts = 64;
        b->top_k = 4;
        b->expert_ffn = hidden / 2;
        l->ep = l->dp * l->cp * l->tp >= 4 ? 4 : 1;
    }
    f->train.precision = (cn_precision)cn_rng_below(r, CN_N_PRECISIONS);
    f->train.optimizer = (cn_optimizer)cn_rng_below(r, CN_N_OPTIMIZERS);
    f->train.has_flash = cn_rng_below(r, 2);
    f->train.seq = 1024.0 * fixture_pow2(r, 5);
    f->train.global_batch = (double)l->micro_batch * l->n_micro * l->dp;
}

/* After a fixture was copied its pointers must follow. */
static inline void fixture_rebind(fixture *f)
{
    f->train.shape = &f->shape;
    f->train.device = &f->device;
    f->train.fabric = &f->fabric;
    f->train.soft = &f->soft;
}

#endif
