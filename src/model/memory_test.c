/* memory_test.c - peak memory against published formulas and measured runs, and its laws. M-21
 * M-47. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/fixture.h"

#define near_rel(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance)*fabs(b))

static void parts_add_up(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        cn_rng r;
        fixture f;
        cn_memory m;
        cn_rng_seed(&r, seed);
        fixture_random(&f, &r);
        cn_memory_eval(&f.train, &m);
        double sum = 0;
#define N_(text)       text
#define X(name, label) sum += m.name##_bytes;
        CN_MEMORY_LIST(X)
#undef X
        if (!(m.peak_bytes > 0) || fabs(sum - m.peak_bytes) > 1e-12 * m.peak_bytes)
            fail_msg("seed %llu: parts %.17g, peak %.17g", (unsigned long long)seed, sum,
                     m.peak_bytes);
        double apart = m.fragmentation_bytes + m.context_bytes;
        if (fabs(m.allocated_bytes + apart - m.peak_bytes) > 1e-9 * m.peak_bytes)
            fail_msg("seed %llu: allocated is not peak without slack", (unsigned long long)seed);
    }
}

/* s b h (10 + 24/t + 5 a s/(h t)) without, s b h/t (34 + 5 a s/h) with sequence parallel.
 * [korthikanti2022] eqs 2, 4 */
static void activations_as_published(void **state)
{
    (void)state;
    const double s = 2048, b = 2, h = 12288, a = 96;
    for (int tp = 1; tp <= 8; tp *= 2) {
        for (int sp = 0; sp < 2; sp++) {
            fixture f;
            cn_memory m;
            fixture_init(&f);
            f.shape = (cn_shape){.hidden = h, .vocab = 51200, .has_head = true, .n_blocks = 1};
            f.shape.dropout_ratio = 0.1;
            f.shape.block[0] = fixture_block(1, h, a, 4 * h);
            f.train.has_flash = false;
            f.train.seq = s;
            f.train.layout.micro_batch = (int)b;
            f.train.layout.tp = tp;
            f.train.layout.is_sp = sp;
            cn_memory_eval(&f.train, &m);
            double t = tp, attn = 5 * a * s / h;
            double want = sp ? s * b * h / t * (34 + attn) : s * b * h * (10 + 24 / t + attn / t);
            /* the log-sum-exp of fused kernels is the only part of ours beyond the paper's */
            near_rel(m.activations_bytes, want, 0.002);
        }
    }
}

/* 16 bytes a parameter for AdamW in mixed precision; each ZeRO stage divides one more part.
 * [rajbhandari2020] */
static void states_as_published(void **state)
{
    (void)state;
    static const struct {
        int zero;
        double whole, shared; /* bytes a parameter: held by all, divided by dp */
    } row[] = {{0, 16, 0}, {1, 4, 12}, {2, 2, 14}, {3, 0, 16}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fixture f;
        cn_memory m;
        fixture_init(&f);
        f.train.layout.zero = row[i].zero;
        cn_memory_eval(&f.train, &m);
        double states = m.weights_bytes + m.gradients_bytes + m.optimizer_bytes;
        near_rel(states, m.params_local * (row[i].whole + row[i].shared / 8), 1e-9);
    }
}

static void quantised_base_weights(void **state)
{
    (void)state;
    fixture f;
    cn_memory full, lora, qlora;
    fixture_init(&f);
    cn_memory_eval(&f.train, &full);
    f.train.method = CN_METHOD_LORA;
    f.train.lora_rank = 16;
    cn_memory_eval(&f.train, &lora);
    f.train.method = CN_METHOD_QLORA;
    cn_memory_eval(&f.train, &qlora);
    assert_true(lora.optimizer_bytes < 0.02 * full.optimizer_bytes);
    assert_true(qlora.weights_bytes < 0.32 * lora.weights_bytes);
}

/* First pipeline stage: p micro-batches in flight; interleaving adds (p-1)/(p v). [narayanan2021]
 * section 2.2 */
static void in_flight(void **state)
{
    (void)state;
    fixture f;
    cn_memory one, four, interleaved, gpipe;
    fixture_init(&f);
    f.train.layout.pp = 4;
    f.train.layout.n_micro = 1;
    cn_memory_eval(&f.train, &one);
    f.train.layout.n_micro = 16;
    cn_memory_eval(&f.train, &four);
    near_rel(four.activations_bytes, 4 * one.activations_bytes, 1e-9);
    f.train.layout.vp = 2;
    cn_memory_eval(&f.train, &interleaved);
    near_rel(interleaved.activations_bytes, four.activations_bytes * (1 + 3.0 / 8), 1e-9);
    f.train.layout.vp = 1;
    f.train.layout.schedule = CN_SCHED_GPIPE;
    cn_memory_eval(&f.train, &gpipe);
    near_rel(gpipe.activations_bytes, 16 * one.activations_bytes, 1e-9);
}

static void laws(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        cn_rng r;
        fixture f;
        cn_memory none, selective, full, bigger;
        cn_rng_seed(&r, seed);
        fixture_random(&f, &r);
        f.train.layout.recompute = CN_RECOMPUTE_NONE;
        cn_memory_eval(&f.train, &none);
        f.train.layout.recompute = CN_RECOMPUTE_SELECTIVE;
        cn_memory_eval(&f.train, &selective);
        f.train.layout.recompute = CN_RECOMPUTE_FULL;
        cn_memory_eval(&f.train, &full);
        f.train.layout.micro_batch *= 2;
        cn_memory_eval(&f.train, &bigger);
        bool ok = full.activations_bytes <= selective.activations_bytes &&
                  selective.activations_bytes <= none.activations_bytes * (1 + 1e-12) &&
                  bigger.allocated_bytes >= full.allocated_bytes;
        if (!ok)
            fail_msg("seed %llu: %g %g %g, doubled %g", (unsigned long long)seed,
                     none.activations_bytes, selective.activations_bytes, full.activations_bytes,
                     bigger.allocated_bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_add_up),        cmocka_unit_test(activations_as_published),
        cmocka_unit_test(states_as_published), cmocka_unit_test(quantised_base_weights),
        cmocka_unit_test(in_flight),           cmocka_unit_test(laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
