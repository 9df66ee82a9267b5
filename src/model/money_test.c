/* money_test.c - scaling laws, retention, traffic and purchase: worked numbers and laws. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "model/fixture.h"
#include "model/netcost.h"
#include "model/purchase.h"
#include "model/quick.h"
#include "model/scaling.h"
#include "model/storage.h"

enum { SEEDS = 1000 };

static void near(const char *name, double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol))
        fail_msg("%s: got %.12g, want %.12g", name, got, want);
}

/* Constants of the third approach, as printed in the paper. [hoffmann2022] */
static const cn_scaling chinchilla = {
    .e = 1.69,
    .a = 406.4,
    .b = 410.7,
    .alpha = 0.34,
    .beta = 0.28,
    .params_lo = 70e6,
    .params_hi = 16e9,
};

static void scaling(void **state)
{
    (void)state;
    near("70 B parameters, 1.4 T tokens", cn_scaling_loss(&chinchilla, 70e9, 1.4e12), 1.9366, 1e-3);
    double d = cn_scaling_tokens(&chinchilla, 8e9, 2.1);
    near("there and back", cn_scaling_loss(&chinchilla, 8e9, d), 2.1, 1e-12);
    assert_true(isnan(cn_scaling_tokens(&chinchilla, 8e9, 1.7)));
    assert_true(cn_scaling_floor_loss(&chinchilla, 8e9) > 1.7);
    assert_true(cn_scaling_outside(&chinchilla, 70e9, 1e12));
    assert_false(cn_scaling_outside(&chinchilla, 8e9, 1e12));
}

static void scaling_best(void **state)
{
    (void)state;
    for (double loss = 1.9; loss < 3; loss += 0.1) {
        double n = cn_scaling_best_params(&chinchilla, loss);
        double best = n * cn_scaling_tokens(&chinchilla, n, loss);
        for (double f = 0.5; f <= 2; f *= 1.1)
            assert_true(best <= n * f * cn_scaling_tokens(&chinchilla, n * f, loss) * (1 + 1e-9));
    }
}

static double brute_seconds(const cn_retention *r, double *final)
{
    double saves = floor(r->steps / r->every_steps + 1e-9), sum = 0;
    double gap = r->wall_s * r->every_steps / r->steps;
    *final = 0;
    for (double i = 1; i <= saves; i++) {
        bool is_milestone =
            r->keep_every_steps > 0 && fmod(i * r->every_steps, r->keep_every_steps) < 0.5;
        double end = is_milestone ? r->wall_s : fmin(r->wall_s, (i + r->keep_last) * gap);
        sum += end - i * gap;
        *final += is_milestone || i > saves - r->keep_last;
    }
    return sum;
}

/* The closed forms agree with keeping the books save by save. */
static void retention(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        cn_rng g;
        cn_rng_seed(&g, seed);
        cn_retention r = {.every_steps = (double)(1 + cn_rng_below(&g, 50))};
        r.steps = r.every_steps * (double)(1 + cn_rng_below(&g, 200));
        r.keep_last = (double)cn_rng_below(&g, 6);
        r.keep_every_steps =
            cn_rng_below(&g, 3) ? r.every_steps * (double)(1 + cn_rng_below(&g, 30)) : 0;
        r.wall_s = 1000 * (1 + cn_rng_unit(&g));
        double final, want = brute_seconds(&r, &final);
        char name[32];
        snprintf(name, sizeof name, "seed %d", (int)seed);
        near(name, cn_retention_seconds(&r), want, 1e-6 * (1 + want));
        near(name, cn_retention_final(&r), final, 1e-9);
    }
}

static void checkpoint_size(void **state)
{
    (void)state;
    fixture f;
    fixture_init(&f);
    double params = cn_shape_params(&f.shape);
    near("AdamW, 16 bit: 14 bytes", cn_checkpoint_bytes(&f.train), 14 * params, 1);
    f.train.precision = CN_PREC_FP32;
    near("AdamW, 32 bit: 12 bytes", cn_checkpoint_bytes(&f.train), 12 * params, 1);
    f.train.method = CN_METHOD_LORA;
    f.train.lora_rank = 16;
    assert_true(cn_checkpoint_bytes(&f.train) < 0.2 * params);
    near("month", cn_month_s(), 2628000, 0);
}

/* 176 B parameters: checkpoints of 2.3 TB, the weights alone 0.33 TB, in TiB. [lescao2022] */
static void published_checkpoint(void **state)
{
    (void)state;
    fixture f;
    fixture_init(&f);
    f.shape = (cn_shape){
        .hidden = 14336, .vocab = 250880, .is_tied = true, .has_head = true, .n_blocks = 1};
    f.shape.block[0] = fixture_block(70, 14336, 112, 4 * 14336);
    double tib = 1099511627776.0;
    near("176 B", cn_shape_params(&f.shape), 176.2e9, 0.5e9);
    near("full", cn_checkpoint_bytes(&f.train) / tib, 2.3, 0.1);
    near("weights", cn_model_bytes(&f.train) / tib, 0.329, 0.015);
}

/* The quick evaluation is the same functions, called once. */
static void quick(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        cn_rng r;
        fixture f;
        cn_rng_seed(&r, seed);
        fixture_random(&f, &r);
        fixture_rebind(&f);
        cn_quick_in in = {.train = f.train, .tokens = 1e11, .mem_ratio = 1, .per_device_h = 2};
        in.campaign = (cn_campaign_in){
            .per_device_day = 1e-3, .restart_s = 600, .write_s = 30, .stall_s = 30};
        cn_quick out, dear;
        cn_memory mem;
        cn_step step;
        cn_quick_eval(&in, &out);
        cn_memory_eval(&f.train, &mem);
        cn_step_eval(&f.train, &step);
        assert_true(mem.peak_bytes == out.memory.peak_bytes && step.time_s == out.step.time_s);
        double devices = cn_layout_devices(&f.train.layout);
        near("cost", out.cost, devices * out.campaign.wall_s / 3600 * 2, 1e-9 * out.cost);
        in.per_device_h = 3;
        in.idle_devices = 8;
        cn_quick_eval(&in, &dear);
        assert_true(dear.cost > out.cost && dear.campaign.wall_s == out.campaign.wall_s);
    }
}

static void reading(void **state)
{
    (void)state;
    near("need", cn_read_need_bytes_per_s(4e6, 10, 4), 1.6e6, 1e-6);
    near("half of it is there", cn_starvation_ratio(2e9, 1e9), 0.5, 1e-12);
    near("enough", cn_starvation_ratio(1e9, 2e9), 0, 0);
    near("100 TB at 250 MB/s each", cn_tier_bytes_per_s(100e12, 250e6), 25e9, 1);
    near("no supply, no need", cn_starvation_ratio(0, 0), 0, 0);
    assert_true(isnan(cn_starvation_ratio(1, 0)));
}

static void crossing(void **state)
{
    (void)state;
    fixture f;
    fixture_init(&f);
    cn_step s = {.dp_bytes = 1e9};
    near("one place", cn_crossing_bytes(&f.train, &s, 1), 0, 0);
    near("one ring over two places crosses twice", cn_crossing_bytes(&f.train, &s, 2), 2e9, 1);
    f.train.layout.tp = 2;
    near("two rings", cn_crossing_bytes(&f.train, &s, 2), 4e9, 1);
    near("10 TB at 0.09", cn_traffic_cost(10e12, 0.09), 900, 1e-9);
}

static void purchase(void **state)
{
    (void)state;
    cn_mix m = {.on_demand_per_h = 10, .reserved_per_h = 6, .spot_per_h = 3};
    near("on demand", cn_mix_per_h(&m), 10, 1e-12);
    near("its base is the commitment", cn_mix_base_per_h(&m), 6, 1e-12);
    m.reserved_ratio = 0.5;
    m.spot_ratio = 0.3;
    near("mix", cn_mix_per_h(&m), 3 + 0.9 + 2, 1e-12);
    near("spot below every base", cn_mix_base_per_h(&m), 5.9, 1e-12);
    m.spot_per_h = NAN;
    assert_true(isnan(cn_mix_per_h(&m)));
    m.spot_ratio = 0;
    near("a share of nothing needs no price", cn_mix_per_h(&m), 8, 1e-12);
    m.reserved_ratio = 1.2;
    assert_true(isnan(cn_mix_per_h(&m)));
    near("break even", cn_commitment_break_even_ratio(6, 10), 0.6, 1e-12);
    near("owned: 30,000 over 5 years, no interest, no power", cn_owned_per_h(30000, 5, 0, 0, 0, 1),
         30000.0 / 43800, 1e-12);
    near("1 kW at 0.1 and PUE 1.3", cn_owned_per_h(0, 5, 0, 1000, 0.1, 1.3), 0.13, 1e-12);
    near("compute", cn_compute_cost(512, 7200, 2.5), 2560, 1e-9);
}

/* Dearer parts never make a cheaper mix. */
static void price_is_monotone(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        cn_rng r;
        cn_rng_seed(&r, seed);
        cn_mix m = {.reserved_ratio = 0.5 * cn_rng_unit(&r), .spot_ratio = 0.5 * cn_rng_unit(&r)};
        m.reserved_per_h = cn_rng_unit(&r);
        m.spot_per_h = cn_rng_unit(&r);
        m.on_demand_per_h = cn_rng_unit(&r);
        cn_mix more = m;
        double *p[] = {&more.reserved_per_h, &more.spot_per_h, &more.on_demand_per_h};
        *p[cn_rng_below(&r, 3)] *= 1 + cn_rng_unit(&r);
        assert_true(cn_mix_per_h(&more) >= cn_mix_per_h(&m));
        assert_true(cn_mix_base_per_h(&more) >= cn_mix_base_per_h(&m) - 1e-15);
        assert_true(cn_mix_base_per_h(&m) <= cn_mix_per_h(&m));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scaling),   cmocka_unit_test(scaling_best),
        cmocka_unit_test(retention), cmocka_unit_test(checkpoint_size),
        cmocka_unit_test(reading),   cmocka_unit_test(published_checkpoint),
        cmocka_unit_test(quick),     cmocka_unit_test(crossing),
        cmocka_unit_test(purchase),  cmocka_unit_test(price_is_monotone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
