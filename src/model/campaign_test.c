/* campaign_test.c - failures and checkpoints: the optimum, its laws, and the parts of wall time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/campaign.h"

enum { SEEDS = 1000 };

static void near(const char *name, double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol))
        fail_msg("%s: got %.12g, want %.12g", name, got, want);
}

/* Computed with an independent root finder of the same equation. */
static void optimum(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double mtbf_s, stall_s, young_s, daly_s, best_s;
    } row[] = {
        {"30 min, 5 s", 1800, 5, 134.2, 130.9, 130.9},
        {"30 min, 10 min: Young is far off", 1800, 600, 1469.7, 1096.9, 1100.0},
        {"1.8 h, 30 s", 6480, 30, 623.5, 603.7, 603.7},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        near(row[i].name, cn_checkpoint_young_s(row[i].stall_s, row[i].mtbf_s), row[i].young_s, .1);
        near(row[i].name, cn_checkpoint_daly_s(row[i].stall_s, row[i].mtbf_s), row[i].daly_s, .1);
        near(row[i].name, cn_checkpoint_best_s(row[i].stall_s, row[i].mtbf_s), row[i].best_s, .1);
    }
    assert_true(isinf(cn_checkpoint_best_s(10, INFINITY)));
    assert_true(cn_checkpoint_best_s(0, 1800) == 0);
    assert_true(isnan(cn_checkpoint_best_s(NAN, 1800)));
    near("hopeless", cn_checkpoint_best_s(1e6, 1), 1, 1e-12);
}

/* No other interval does better, and the optimum solves its equation. */
static void optimum_is_best(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        cn_rng r;
        cn_rng_seed(&r, seed);
        double mtbf = exp(3 + 12 * cn_rng_unit(&r));
        double stall = mtbf * exp(-10 + 11 * cn_rng_unit(&r));
        double restart = mtbf * cn_rng_unit(&r);
        double best = cn_checkpoint_best_s(stall, mtbf);
        double most = cn_checkpoint_goodput_ratio(best, stall, restart, mtbf);
        double other = best * exp(2 * cn_rng_normal(&r));
        if (cn_checkpoint_goodput_ratio(other, stall, restart, mtbf) > most * (1 + 1e-12))
            fail_msg("seed %d: %g s beats %g s", (int)seed, other, best);
        double x = best / mtbf;
        near("equation", x + log1p(-x) + stall / mtbf, 0, 1e-11);
        if (best > cn_checkpoint_young_s(stall, mtbf) * (1 + 1e-12))
            fail_msg("seed %d: Young's interval is an upper bound", (int)seed);
    }
}

/* The published table: interval within 0.1 s, goodput to its last printed digit. */
static void published_table(void **state)
{
    (void)state;
    const char *data = getenv("CARNOT_DATA");
    char path[4096], line[512];
    if (!data) {
        print_message("skipped: CARNOT_DATA is not set\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/spot/expected/checkpoint_interval.csv", data);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    int rows = 0;
    assert_non_null(fgets(line, sizeof line, f));
    while (fgets(line, sizeof line, f)) {
        double h, save, restart, young, daly, best, gy, gd, gb;
        assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &h, &save, &restart,
                                &young, &daly, &best, &gy, &gd, &gb),
                         9);
        double m = h * 3600, got = cn_checkpoint_best_s(save, m);
        near(line, got, best, 0.1);
        near(line, cn_checkpoint_young_s(save, m), young, 0.06);
        near(line, cn_checkpoint_daly_s(save, m), daly, 0.06);
        near(line, cn_checkpoint_goodput_ratio(got, save, restart, m), gb, 6e-6);
        rows++;
    }
    fclose(f);
    assert_int_equal(rows, 64);
}

static cn_campaign_in some_campaign(cn_rng *r)
{
    cn_campaign_in in = {.steps = 1 + (double)cn_rng_below(r, 1000000)};
    in.step_s = exp(-2 + 5 * cn_rng_unit(r));
    in.evaluation_s = cn_rng_below(r, 2) ? 0.05 * in.steps * in.step_s : 0;
    in.devices = (double)(1 + cn_rng_below(r, 20000));
    in.per_device_day = 0.002 * cn_rng_unit(r);
    in.detect_s = 600 * cn_rng_unit(r);
    in.restart_s = 1800 * cn_rng_unit(r);
    in.write_s = 300 * cn_rng_unit(r);
    in.stall_s = cn_rng_below(r, 2) ? in.write_s : 0.1 * in.write_s;
    in.every_s = cn_rng_below(r, 2) ? 0 : 60 + 7200 * cn_rng_unit(r);
    return in;
}

static double parts_of(const cn_campaign *c)
{
    double sum = 0;
#define X(name, label)                                                                             \
    assert_true(c->name##_s >= 0);                                                                 \
    sum += c->name##_s;
    CN_CAMPAIGN_LIST(X)
#undef X
    return sum;
}

static void laws(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        cn_rng r;
        cn_rng_seed(&r, seed);
        cn_campaign_in in = some_campaign(&r), worse = in;
        cn_campaign c, d;
        cn_campaign_eval(&in, &c);
        near("parts sum", parts_of(&c), c.wall_s, 1e-12 * c.wall_s);
        near("goodput", c.train_goodput_ratio * c.wall_s, in.steps * in.step_s, 1e-9 * c.wall_s);
        assert_true(c.every_steps == floor(c.every_steps) && c.every_steps >= 1);
        assert_true(c.every_steps <= in.steps);
        worse.per_device_day = in.per_device_day * 1.5;
        worse.every_s = c.every_s;
        in.every_s = c.every_s;
        cn_campaign_eval(&in, &c);
        cn_campaign_eval(&worse, &d);
        if (d.wall_s < c.wall_s * (1 - 1e-12))
            fail_msg("seed %d: more failures took less time", (int)seed);
    }
}

/* The expectation agrees with a simulation of the same rules. */
static double simulate(const cn_campaign_in *in, double every_s, cn_rng *r)
{
    double m = cn_job_mtbf_s(in->devices, in->per_device_day, 0), t = 0, left = m * cn_rng_exp(r);
    double pause = in->detect_s + in->restart_s + in->write_s - in->stall_s;
    double intervals = in->steps * in->step_s / every_s;
    for (double k = 0; k < intervals; k++) {
        double busy = (every_s + in->stall_s) * fmin(1, intervals - k);
        bool ready = true;
        for (;;) {
            double need = ready ? busy : pause;
            if (left >= need) {
                left -= need;
                t += need;
                if (ready)
                    break;
                ready = true;
                continue;
            }
            t += left;
            left = m * cn_rng_exp(r);
            ready = false;
        }
    }
    return t;
}

static void simulation(void **state)
{
    (void)state;
    cn_campaign_in in = {.steps = 20000, .step_s = 10, .devices = 2048, .per_device_day = 0.004};
    in.detect_s = 300;
    in.restart_s = 600;
    in.write_s = 90;
    in.stall_s = 10;
    cn_campaign c;
    cn_campaign_eval(&in, &c);
    cn_rng r;
    cn_rng_seed(&r, 1);
    double sum = 0;
    enum { RUNS = 400 };
    for (int i = 0; i < RUNS; i++)
        sum += simulate(&in, c.every_s, &r);
    near("mean of simulated wall times", sum / RUNS, c.wall_s, 0.004 * c.wall_s);
}

static void special_cases(void **state)
{
    (void)state;
    cn_campaign_in in = {.steps = 100, .step_s = 10, .devices = 8, .write_s = 5, .stall_s = 5};
    cn_campaign c;
    cn_campaign_eval(&in, &c);
    near("without failures one save, at the end", c.saves, 1, 0);
    near("and its stall", c.wall_s, 1005, 1e-9);
    in.every_s = 100;
    cn_campaign_eval(&in, &c);
    near("ten saves", c.saves, 10, 0);
    near("ten stalls", c.wall_s, 1050, 1e-9);
    in.write_s = 45;
    in.every_s = 10;
    cn_campaign_eval(&in, &c);
    near("a write ends before the next begins", c.every_steps, 4, 0);
    in.step_s = NAN;
    cn_campaign_eval(&in, &c);
    assert_true(isnan(c.wall_s));
}

/* Published campaigns: what was reported, and how near the expectation comes. */
static void published_runs(void **state)
{
    (void)state;
    /* 419 interruptions in 54 days on 16,384 devices; goodput above 0.90 [grattafiori2024] */
    cn_campaign_in in = {.steps = 1e6, .step_s = 4.2, .devices = 16384};
    in.per_device_day = 419.0 / (54 * 16384);
    in.detect_s = 120;
    in.restart_s = 300;
    in.write_s = in.stall_s = 10;
    cn_campaign c;
    cn_campaign_eval(&in, &c);
    near("an interruption every 3.1 h", c.mtbf_s / 3600, 3.09, 0.01);
    assert_true(c.train_goodput_ratio > 0.90 && c.train_goodput_ratio < 0.97);
    /* one hardware failure a week on 384 devices, checkpoints of 40 s every 3 h [lescao2022] */
    in = (cn_campaign_in){.steps = 95000, .step_s = 105, .devices = 384};
    in.per_device_day = 1.0 / (7 * 384);
    in.write_s = in.stall_s = 40;
    in.every_s = 3 * 3600;
    in.detect_s = 3600;
    in.restart_s = 1800;
    cn_campaign_eval(&in, &c);
    near("16 failures in four months", c.failures, 16.6, 0.5);
    assert_true(c.train_goodput_ratio > 0.97);
}

static void spares(void **state)
{
    (void)state;
    near("none in repair: 1 - e^-2", cn_spares_short_probability(2.0 / 86400, 86400, 0),
         1 - exp(-2), 1e-12);
    near("one: 1 - 3 e^-2", cn_spares_short_probability(2.0 / 86400, 86400, 1), 1 - 3 * exp(-2),
         1e-12);
    for (double allowed = 0.5; allowed > 1e-6; allowed /= 3) {
        double n = cn_spares_needed(2.0 / 86400, 86400, allowed);
        assert_true(cn_spares_short_probability(2.0 / 86400, 86400, n) <= allowed);
        assert_true(n == 0 || cn_spares_short_probability(2.0 / 86400, 86400, n - 1) > allowed);
    }
    near("many: the normal tail", cn_spares_short_probability(1, 1000, 1000), 0.5, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimum),    cmocka_unit_test(optimum_is_best),
        cmocka_unit_test(laws),       cmocka_unit_test(published_table),
        cmocka_unit_test(simulation), cmocka_unit_test(special_cases),
        cmocka_unit_test(spares),     cmocka_unit_test(published_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
