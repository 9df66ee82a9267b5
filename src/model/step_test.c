/* step_test.c - parts, laws and published figures of one training step. M-01 M-21 M-47. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/fixture.h"

enum { SEEDS = 1000 };

static double step_sum(const cn_step *s)
{
    double sum = 0;
#define N_(text)       text
#define X(name, label) sum += s->name##_s;
    CN_STEP_LIST(X)
#undef X
    return sum;
}

#define near_rel(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance)*fabs(b))

static void parts_add_up(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cn_rng r;
        fixture f;
        cn_step s;
        cn_rng_seed(&r, seed);
        fixture_random(&f, &r);
        cn_step_eval(&f.train, &s);
        if (!(s.time_s > 0) || fabs(step_sum(&s) - s.time_s) > 1e-12 * s.time_s)
            fail_msg("seed %llu: parts give %.17g, time is %.17g", (unsigned long long)seed,
                     step_sum(&s), s.time_s);
        if (s.mfu_ratio > s.hfu_ratio || !(s.hfu_ratio < 1))
            fail_msg("seed %llu: mfu %g hfu %g", (unsigned long long)seed, s.mfu_ratio,
                     s.hfu_ratio);
        if (s.ideal_s > s.time_s)
            fail_msg("seed %llu: faster than the peak", (unsigned long long)seed);
    }
}

/* What a change of one quantity must never do. sign +1: more of it never makes the step faster. */
typedef void (*change)(fixture *f);

static void slower_links(fixture *f)
{
    for (int i = 0; i < CN_N_TIERS; i++)
        f->fabric.bytes_per_s[i] /= 2;
}
static void longer_hops(fixture *f)
{
    f->device.eff.scale_up_hop_s *= 2;
    f->device.eff.scale_out_hop_s *= 2;
}
static void slower_memory(fixture *f)
{
    f->device.mem_bytes_per_s /= 2;
}
static void slower_peak(fixture *f)
{
    for (int i = 0; i < CN_N_NUMERICS; i++)
        f->device.peak_flop_per_s[i] /= 2;
}
static void more_vocabulary(fixture *f)
{
    f->shape.vocab *= 2;
}
static void wider_mlp(fixture *f)
{
    f->shape.block[0].ffn *= 2;
}
static void more_micro_batches(fixture *f)
{
    f->train.layout.n_micro *= 2;
    f->train.global_batch *= 2;
}
static void full_recompute(fixture *f)
{
    f->train.layout.recompute = CN_RECOMPUTE_FULL;
}
static void slow_storage(fixture *f)
{
    f->train.data_bytes_per_token = 4;
    f->train.data_bytes_per_s = 1e5;
}

static void laws(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        change apply;
    } law[] = {
        {"slower links", slower_links},       {"longer hops", longer_hops},
        {"slower memory", slower_memory},     {"slower peak", slower_peak},
        {"more vocabulary", more_vocabulary}, {"wider mlp", wider_mlp},
        {"more work", more_micro_batches},    {"full recompute", full_recompute},
        {"slow storage", slow_storage},
    };
    for (size_t i = 0; i < sizeof law / sizeof *law; i++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            cn_rng r;
            fixture f;
            cn_step before, after;
            cn_rng_seed(&r, seed);
            fixture_random(&f, &r);
            cn_step_eval(&f.train, &before);
            law[i].apply(&f);
            cn_step_eval(&f.train, &after);
            if (after.time_s < before.time_s * (1 - 1e-12))
                fail_msg("%s, seed %llu: %g -> %g s", law[i].name, (unsigned long long)seed,
                         before.time_s, after.time_s);
        }
    }
}

/* A clock that runs twice as fast changes no ratio: every rate doubled, every time halved. */
static void time_unit_changes_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cn_rng r;
        fixture f;
        cn_step a, b;
        cn_rng_seed(&r, seed);
        fixture_random(&f, &r);
        cn_step_eval(&f.train, &a);
        cn_eff *e = &f.device.eff;
        for (int i = 0; i < CN_N_NUMERICS; i++)
            f.device.peak_flop_per_s[i] *= 2;
        for (int i = 0; i < CN_N_TIERS; i++)
            f.fabric.bytes_per_s[i] *= 2;
        f.device.mem_bytes_per_s *= 2;
        e->launch_s /= 2;
        e->scale_up_hop_s /= 2;
        e->scale_out_hop_s /= 2;
        f.soft.step_fixed_s /= 2;
        f.soft.micro_fixed_s /= 2;
        f.soft.moe_fixed_s /= 2;
        cn_step_eval(&f.train, &b);
        if (fabs(b.time_s * 2 - a.time_s) > 1e-9 * a.time_s ||
            fabs(b.mfu_ratio - a.mfu_ratio) > 1e-9)
            fail_msg("seed %llu: %.15g against %.15g", (unsigned long long)seed, b.time_s * 2,
                     a.time_s);
    }
}

/* Work of the formula in the paper: 96 B s L h^2 (1 + s/6h + V/16Lh) with recompute.
 * [narayanan2021] eq. 2 */
static void hardware_flop_as_published(void **state)
{
    (void)state;
    static const struct {
        double layers, hidden, heads, batch;
    } row[] = {
        {24, 2304, 24, 512}, {48, 8192, 64, 1536}, {96, 12288, 96, 1536}, {128, 25600, 160, 3072}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fixture f;
        fixture_init(&f);
        double h = row[i].hidden, L = row[i].layers, s = 2048, V = 51200;
        f.shape =
            (cn_shape){.hidden = h, .vocab = V, .has_head = true, .is_tied = true, .n_blocks = 1};
        f.shape.block[0] = fixture_block(L, h, row[i].heads, 4 * h);
        f.shape.block[0].is_causal = false; /* the paper counts the full square */
        f.train.seq = s;
        f.train.global_batch = row[i].batch;
        f.train.layout.recompute = CN_RECOMPUTE_FULL;
        cn_step step;
        cn_step_eval(&f.train, &step);
        double paper = 96 * row[i].batch * s * L * h * h * (1 + s / (6 * h) + V / (16 * L * h));
        near_rel(step.hardware_flop, paper, 1e-9);
    }
}

/* 1F1B: the bubble is (p-1)/m of the ideal, interleaving divides it by v. [narayanan2021]
 * section 2.2 */
static void bubble_as_published(void **state)
{
    (void)state;
    fixture f;
    cn_step one, two;
    fixture_init(&f);
    f.shape.has_head = false; /* stages alike */
    f.train.layout.pp = 4;
    f.train.layout.n_micro = 16;
    f.train.global_batch = 128;
    f.soft.pp_overlap_ratio = 1;
    f.fabric.bytes_per_s[CN_TIER_RAIL] = 1e18;
    f.fabric.bytes_per_s[CN_TIER_NODE] = 1e18;
    f.device.eff.scale_out_hop_s = f.device.eff.scale_up_hop_s = 0;
    cn_step_eval(&f.train, &one);
    double work = one.ideal_s + one.recompute_s + one.kernels_s;
    near_rel(one.bubble_s, work * 3 / 16, 1e-6);
    f.train.layout.vp = 2;
    cn_step_eval(&f.train, &two);
    near_rel(two.bubble_s, one.bubble_s / 2, 1e-6);
    f.train.layout.vp = 1;
    f.train.layout.schedule = CN_SCHED_ZERO_BUBBLE;
    cn_step_eval(&f.train, &two);
    near_rel(two.bubble_s, one.bubble_s / 3, 1e-6);
}

/* Gradient accumulation trades communication for time on the same memory (M-47). */
static void accumulation_hides_gradients(void **state)
{
    (void)state;
    fixture f;
    cn_step few, many;
    fixture_init(&f);
    f.train.layout.dp = 64;
    f.train.global_batch = 512;
    cn_step_eval(&f.train, &few);
    f.train.layout.n_micro *= 4;
    f.train.global_batch *= 4;
    cn_step_eval(&f.train, &many);
    assert_true(many.tokens_per_s_per_device > few.tokens_per_s_per_device);
}

/* LoRA trains no base weights: two passes instead of three, no gradient traffic to speak of (M-02).
 */
static void lora_skips_weight_gradients(void **state)
{
    (void)state;
    fixture f;
    cn_step full, lora;
    fixture_init(&f);
    cn_step_eval(&f.train, &full);
    f.train.method = CN_METHOD_LORA;
    f.train.lora_rank = 16;
    cn_step_eval(&f.train, &lora);
    near_rel(lora.model_flop * 3, full.model_flop * 2, 1e-12);
    assert_true(lora.time_s < 0.8 * full.time_s);
    assert_true(lora.dp_s < 0.1 * full.dp_s + 1e-3);
}

/* What is moved to the host costs time on its link, and never less than nothing. [ren2021] */
static void offload_costs_time(void **state)
{
    (void)state;
    fixture f;
    cn_step none, all;
    fixture_init(&f);
    cn_step_eval(&f.train, &none);
    f.train.host_bytes_per_s = 1e9;
    f.train.layout.offload = CN_OFFLOAD_OPTIMIZER;
    cn_step_eval(&f.train, &all);
    double params = cn_shape_params(&f.shape) - 65 * 4096.0;
    near_rel(all.offload_s, 6 * params / 8 / 1e9, 1e-3);
    f.train.layout.offload = CN_OFFLOAD_ACTIVATIONS;
    cn_step_eval(&f.train, &all);
    assert_true(all.offload_s > 0 && all.time_s > none.time_s);
    f.train.host_bytes_per_s = 0;
    cn_step_eval(&f.train, &all);
    assert_true(isnan(all.time_s)); /* no link: not a time at all */
}

/* Hybrid sharding keeps gathers inside a node and sums gradients between nodes once a step. */
static void hybrid_sharding(void **state)
{
    (void)state;
    fixture f;
    cn_step full, hybrid;
    fixture_init(&f);
    f.train.layout.dp = 64;
    f.train.layout.zero = 3;
    f.train.global_batch = 512;
    cn_step_eval(&f.train, &full);
    f.train.layout.shard = 8;
    cn_step_eval(&f.train, &hybrid);
    assert_true(hybrid.dp_s < full.dp_s);
    assert_true(hybrid.dp_s > 0);
    f.train.layout.shard = 64;
    cn_step_eval(&f.train, &hybrid);
    near_rel(hybrid.time_s, full.time_s, 1e-12);
}

/* Storage that is too slow shows as waiting, and just that much (M-22). */
static void data_starvation(void **state)
{
    (void)state;
    fixture f;
    cn_step fed, starved;
    fixture_init(&f);
    cn_step_eval(&f.train, &fed);
    f.train.data_bytes_per_token = 4;
    f.train.data_bytes_per_s = 64 * 4096 * 4 / (2 * fed.time_s);
    cn_step_eval(&f.train, &starved);
    near_rel(starved.time_s, 2 * fed.time_s, 1e-9);
    near_rel(starved.data_s, fed.time_s, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(laws),
        cmocka_unit_test(time_unit_changes_nothing),
        cmocka_unit_test(hardware_flop_as_published),
        cmocka_unit_test(bubble_as_published),
        cmocka_unit_test(accumulation_hides_gradients),
        cmocka_unit_test(lora_skips_weight_gradients),
        cmocka_unit_test(data_starvation),
        cmocka_unit_test(offload_costs_time),
        cmocka_unit_test(hybrid_sharding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
