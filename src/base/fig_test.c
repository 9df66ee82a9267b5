/* fig_test.c - parts sum to the whole, the unknown is never zero, a figure says where it is from.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/fig.h"
#include "base/rng.h"

enum { SEEDS = 1000, MOST_PARTS = 40 };

static cn_ctx cx;

static int set_up(void **state)
{
    (void)state;
    cn_ctx_init(&cx, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cn_ctx_done(&cx);
    return 0;
}

static cn_fig *leaf(const char *key, double value)
{
    return cn_fig_new(&cx, key, "a label", "s", value, CN_BASIS_FORMULA, "kaplan2020");
}

static void prints(const cn_fig *f, const char *want)
{
    cn_buf b = {0};
    cn_val_json(&b, cn_fig_val(&cx, f), 0);
    assert_string_equal(cn_buf_cstr(&b), want);
    cn_buf_free(&b);
}

static bool is_near(double got, double want)
{
    return fabs(got - want) <= 1e-12 * fabs(want);
}

/* The reference adds in another order and in a wider type. Parts are costs and times: not negative.
 */
static void parts_sum_to_the_whole(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cn_rng r;
        cn_rng_seed(&r, seed);
        cn_fig *sum = cn_fig_sum(&cx, "total", "total", "s");
        size_t n = 1 + cn_rng_below(&r, MOST_PARTS);
        for (size_t i = 0; i < n; i++) {
            cn_fig *part = leaf("part", exp(20 * cn_rng_unit(&r) - 10));
            part->lo *= cn_rng_unit(&r);
            part->hi *= 1 + cn_rng_unit(&r);
            cn_fig_add(&cx, sum, part);
        }
        long double lo = 0, value = 0, hi = 0;
        for (size_t i = n; i-- > 0;) {
            lo += sum->part[i]->lo;
            value += sum->part[i]->value;
            hi += sum->part[i]->hi;
        }
        bool ok = sum->n == n && sum->known && !sum->is_partial && sum->lo <= sum->value &&
                  sum->value <= sum->hi && is_near(sum->lo, (double)lo) &&
                  is_near(sum->value, (double)value) && is_near(sum->hi, (double)hi);
        if (!ok)
            fail_msg("seed %llu: %zu parts do not sum", (unsigned long long)seed, n);
    }
}

static void an_unknown_part_is_not_zero(void **state)
{
    (void)state;
    cn_fig *sum = cn_fig_sum(&cx, "total", "total", "USD"),
           *outer = cn_fig_sum(&cx, "o", "o", "USD");
    cn_fig_add(&cx, sum, leaf("a", 2));
    assert_false(sum->is_partial);
    cn_fig_add(&cx, sum, cn_fig_unknown(&cx, "b", "b", "USD", "no price is known"));
    assert_true(sum->is_partial);
    assert_true(sum->value == 2 && sum->n == 2);
    cn_fig_add(&cx, outer, sum); /* what is incomplete makes the whole incomplete */
    assert_true(outer->is_partial);
    prints(outer, "{\"lo\":2,\"value\":2,\"hi\":2,\"unit\":\"USD\",\"basis\":\"formula\","
                  "\"partial\":true}");
}

static void forms(void **state)
{
    (void)state;
    prints(leaf("a", 0.1), "{\"lo\":0.1,\"value\":0.1,\"hi\":0.1,\"unit\":\"s\","
                           "\"basis\":\"formula\",\"source\":\"kaplan2020\"}");
    prints(cn_fig_unknown(&cx, "a", "a", "USD/h", "no price is known"),
           "{\"value\":null,\"unit\":\"USD/h\",\"reason\":\"no price is known\"}");
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        cn_fig *f = leaf("a", odd[i]);
        assert_false(f->known);
        assert_true(isnan(f->lo) && isnan(f->value) && isnan(f->hi));
        prints(f, "{\"value\":null,\"unit\":\"s\",\"reason\":\"not a finite number\"}");
    }
}

static void bases(void **state)
{
    (void)state;
    static const char *const want[] = {"measured", "catalog", "formula", "assumed", "given"};
    for (int b = CN_BASIS_MEASURED; b <= CN_BASIS_GIVEN; b++)
        assert_string_equal(cn_basis_name((cn_basis)b), want[b]);
}

static void found_by_key_and_path(void **state)
{
    (void)state;
    cn_fig *root = cn_fig_sum(&cx, "total", "t", "USD"),
           *cost = cn_fig_sum(&cx, "cost", "c", "USD");
    cn_fig *time = leaf("time", 5), *rate = leaf("rate", 7), *compute = leaf("compute", 35);
    cn_fig_input(&cx, compute, rate);
    assert_true(compute->value == 35); /* an input changes nothing */
    cn_fig_add(&cx, cost, compute);
    cn_fig_add(&cx, root, time);
    cn_fig_add(&cx, root, cost);
    assert_ptr_equal(cn_fig_find(root, "total"), root);
    assert_ptr_equal(cn_fig_find(root, "rate"), rate);
    assert_ptr_equal(cn_fig_find(root, "cost.compute.rate"), rate);
    assert_null(cn_fig_find(root, "time.rate"));
    assert_null(cn_fig_find(root, "rat"));
    assert_null(cn_fig_find(root, "rates"));
    assert_null(cn_fig_find(root, ""));
    assert_null(cn_fig_find(NULL, "rate"));
}

/* The first of a name need not be the one the path goes on from. */
static void a_path_looks_behind_every_namesake(void **state)
{
    (void)state;
    cn_fig *root = cn_fig_sum(&cx, "total", "t", "USD");
    cn_fig *first = cn_fig_sum(&cx, "cost", "c", "USD"),
           *second = cn_fig_sum(&cx, "cost", "c", "USD");
    cn_fig *compute = leaf("compute", 3);
    cn_fig_add(&cx, second, compute);
    cn_fig_add(&cx, root, first);
    cn_fig_add(&cx, root, second);
    assert_ptr_equal(cn_fig_find(root, "cost"), first);
    assert_ptr_equal(cn_fig_find(root, "cost.compute"), compute);
    assert_null(cn_fig_find(root, "cost.cost")); /* a figure is not below itself */
}

static void memory_runs_out_anywhere(void **state)
{
    (void)state;
    int failures = 0;
    for (size_t limit = 1; limit < 6000; limit += 60) {
        cn_ctx own;
        cn_ctx_init(&own, 0);
        own.arena.limit_bytes = limit;
        cn_fig *sum = cn_fig_sum(&own, "total", "t", "s");
        for (int i = 0; i < 20; i++)
            cn_fig_add(&own, sum, cn_fig_new(&own, "a", "a", "s", 1, CN_BASIS_GIVEN, NULL));
        cn_fig_add(&own, sum, cn_fig_unknown(&own, "b", "b", "s", "why"));
        assert_non_null(cn_fig_val(&own, sum));
        failures += cn_problems(&own) == CN_ENOMEM;
        assert_true(cn_problems(&own) == CN_ENOMEM || (sum->value == 20 && sum->n == 21));
        cn_ctx_done(&own);
    }
    assert_true(failures > 20);
}

#define fig_test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        fig_test(parts_sum_to_the_whole),
        fig_test(an_unknown_part_is_not_zero),
        fig_test(forms),
        cmocka_unit_test(bases),
        fig_test(found_by_key_and_path),
        fig_test(a_path_looks_behind_every_namesake),
        fig_test(memory_runs_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
