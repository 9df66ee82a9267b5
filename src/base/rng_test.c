/* rng_test.c - the published generator, bit for bit; moments; every value as likely as another. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"

enum { DRAWS = 200000 };

/* xoshiro256++ from the state 1, 2, 3, 4, as its reference program prints it [blackman2021]. */
static void the_published_sequence(void **state)
{
    (void)state;
    static const uint64_t want[] = {
        41943041u,
        58720359u,
        3588806011781223u,
        3591011842654386u,
        9228616714210784205u,
        9973669472204895162u,
        14011001112246962877u,
        12406186145184390807u,
        15849039046786891736u,
        10450023813501588000u,
    };
    cn_rng r = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_true(cn_rng_u64(&r) == want[i]);
}

/* splitmix64 from 1234567: the state a seed is turned into. */
static void the_published_seeding(void **state)
{
    (void)state;
    static const uint64_t want[] = {6457827717110365317u, 3203168211198807973u,
                                    9817491932198370423u, 4593380528125082431u};
    cn_rng r;
    cn_rng_seed(&r, 1234567);
    for (int i = 0; i < 4; i++)
        assert_true(r.s[i] == want[i]);
}

static void the_same_seed_gives_the_same(void **state)
{
    (void)state;
    cn_rng a, b, c;
    cn_rng_stream(&a, 7, 3);
    cn_rng_stream(&b, 7, 3);
    assert_memory_equal(&a, &b, sizeof a);
    cn_rng_seed(&c, 0); /* a seed of zero is as good as any */
    assert_true(c.s[0] && c.s[1] && c.s[2] && c.s[3]);
}

/* Work items must not repeat each other's numbers, whichever seed and item they are. */
static void streams_differ(void **state)
{
    (void)state;
    enum { SIDE = 40 };
    static uint64_t first[SIDE * SIDE];
    for (uint64_t seed = 0; seed < SIDE; seed++) {
        for (uint64_t item = 0; item < SIDE; item++) {
            cn_rng r;
            cn_rng_stream(&r, seed, item);
            first[seed * SIDE + item] = cn_rng_u64(&r);
        }
    }
    for (size_t i = 0; i < SIDE * SIDE; i++)
        for (size_t k = 0; k < i; k++)
            if (first[i] == first[k])
                fail_msg("streams %zu and %zu begin alike", i, k);
}

/* Mean and variance within five standard errors of what the law says. */
static void moments(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double (*draw)(cn_rng *), mean, var, fourth; /* fourth central moment */
        double least, most;
    } law[] = {
        {"unit", cn_rng_unit, 0.5, 1.0 / 12, 1.0 / 80, 0, 1 - 0x1p-53},
        {"normal", cn_rng_normal, 0, 1, 3, -9, 9},
        {"exponential", cn_rng_exp, 1, 1, 9, 0, 38},
    };
    for (size_t i = 0; i < sizeof law / sizeof *law; i++) {
        cn_rng r;
        double sum = 0, squares = 0;
        cn_rng_seed(&r, 42);
        for (int k = 0; k < DRAWS; k++) {
            double x = law[i].draw(&r);
            if (!(x >= law[i].least && x <= law[i].most))
                fail_msg("%s: %g", law[i].name, x);
            sum += x;
            squares += (x - law[i].mean) * (x - law[i].mean);
        }
        double mean = sum / DRAWS, var = squares / DRAWS;
        double var_error = sqrt((law[i].fourth - law[i].var * law[i].var) / DRAWS);
        if (fabs(mean - law[i].mean) > 5 * sqrt(law[i].var / DRAWS) ||
            fabs(var - law[i].var) > 5 * var_error)
            fail_msg("%s: mean %g, variance %g", law[i].name, mean, var);
    }
}

static void below_is_even(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 3, 7, 10, 100};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        cn_rng r;
        uint64_t n = sizes[i];
        int count[100] = {0};
        cn_rng_seed(&r, n);
        for (int k = 0; k < DRAWS; k++) {
            uint64_t x = cn_rng_below(&r, n);
            assert_true(x < n);
            count[x]++;
        }
        double want = (double)DRAWS / (double)n, chi2 = 0;
        for (uint64_t x = 0; x < n; x++)
            chi2 += (count[x] - want) * (count[x] - want) / want;
        /* mean n-1, variance 2(n-1) */
        if (chi2 > (double)(n - 1) + 5 * sqrt(2 * (double)(n - 1)) + 1e-9)
            fail_msg("below %llu: chi2 %g", (unsigned long long)n, chi2);
    }
}

/* Three quarters of 2^64: taking remainders alone would make the lower third twice as likely. */
static void below_is_even_for_large_n(void **state)
{
    (void)state;
    const uint64_t n = 3 * (UINT64_C(1) << 62);
    cn_rng r;
    int low = 0;
    cn_rng_seed(&r, 5);
    for (int k = 0; k < DRAWS; k++)
        low += cn_rng_below(&r, n) < n / 3;
    double want = DRAWS / 3.0;
    assert_true(fabs(low - want) < 5 * sqrt(want * 2 / 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_sequence),
        cmocka_unit_test(the_published_seeding),
        cmocka_unit_test(the_same_seed_gives_the_same),
        cmocka_unit_test(streams_differ),
        cmocka_unit_test(moments),
        cmocka_unit_test(below_is_even),
        cmocka_unit_test(below_is_even_for_large_n),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
