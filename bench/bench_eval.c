/*
 * bench_eval.c - full evaluations (memory, step, campaign, cost) per second on one core.
 *
 * Walks a grid of layouts of one model, as a search does, and prints the rate. The bar is one
 * million a second. The sum of costs is printed so that no compiler can drop the work.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "model/quick.h"

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cn_shape shape;
static cn_device device;
static cn_fabric fabric;
static cn_soft soft;

static void set_up(void)
{
    shape = (cn_shape){.hidden = 8192, .vocab = 128256, .has_head = true, .n_blocks = 1};
    shape.block[0] = (cn_block){.n_layers = 80,
                                .hidden = 8192,
                                .n_heads = 64,
                                .n_kv_heads = 8,
                                .head_dim = 128,
                                .is_causal = true,
                                .is_gated = true,
                                .ffn = 28672,
                                .token_ratio = 1};
    for (int i = 0; i < CN_N_NUMERICS; i++)
        device.peak_flop_per_s[i] = 989e12;
    device.mem_bytes = 80e9;
    device.mem_bytes_per_s = 3.35e12;
    cn_eff_default(&device.eff);
    cn_soft_default(&soft);
    fabric = (cn_fabric){.domain = 8, .per_node = 8};
    fabric.bytes_per_s[CN_TIER_NODE] = 450e9;
    fabric.bytes_per_s[CN_TIER_RAIL] = 50e9;
}

static cn_quick_in start(void)
{
    cn_quick_in in = {.tokens = 2e12, .mem_ratio = 0.95, .per_device_h = 2.5};
    in.train = (cn_train){.shape = &shape, .device = &device, .fabric = &fabric, .soft = &soft};
    in.train.seq = 4096;
    in.train.precision = CN_PREC_BF16;
    in.train.has_flash = true;
    in.campaign = (cn_campaign_in){.per_device_day = 5e-4, .detect_s = 600, .restart_s = 900};
    in.campaign.write_s = in.campaign.stall_s = 30;
    return in;
}

/* The i-th layout of the grid. */
static void layout_of(long i, cn_quick_in *in)
{
    cn_layout *l = &in->train.layout;
    *l = (cn_layout){.tp = 1 << (i & 3), .pp = 1 << ((i >> 2) & 3), .cp = 1, .ep = 1};
    l->vp = l->pp > 1 && ((i >> 4) & 1) ? 2 : 1;
    l->micro_batch = 1 << ((i >> 5) & 1);
    l->zero = (int)((i >> 6) & 3);
    l->recompute = (cn_recompute)((i >> 8) % CN_N_RECOMPUTES);
    l->is_sp = l->tp > 1;
    l->dp = 512 / (l->tp * l->pp);
    l->n_micro = 2048 / (l->dp * l->micro_batch);
    in->train.global_batch = 2048;
}

int main(void)
{
    enum { EVALUATIONS = 2000000 };
    set_up();
    cn_quick_in in = start();
    cn_quick out;
    double sum = 0, from = now_s();
    long fit = 0;
    for (long i = 0; i < EVALUATIONS; i++) {
        layout_of(i, &in);
        cn_quick_eval(&in, &out);
        fit += out.fits;
        sum += out.cost;
    }
    double took = now_s() - from;
    printf("full evaluations per second and core: %.0f (bar: 1000000)\n", EVALUATIONS / took);
    printf("%d layouts, %ld fit, mean cost %.6g\n", EVALUATIONS, fit, sum / EVALUATIONS);
    return 0;
}
