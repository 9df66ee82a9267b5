/* read_test.c - what holds for every reader: memory may run out, spelling does not matter. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "catalog/catalog.h"

/* Whatever allocation fails, the error is "out of memory" and nothing is left behind. */
static void memory_runs_out(void **state)
{
    (void)state;
    for (long at = 1; at < 40; at++) {
        cn_ctx cx;
        cn_catalog *c = NULL;
        size_t n;
        cn_ctx_init(&cx, 0);
        cn_alloc_fail_at(at);
        cn_code code = cn_catalog_load(&cx, NULL, &c);
        if (code == CN_OK) {
            cn_catalog_frameworks(&cx, c, &n);
            cn_catalog_prices(&cx, c, &n);
        }
        cn_alloc_fail_at(0);
        assert_true(cx.code == CN_OK || cx.code == CN_ENOMEM);
        cn_ctx_done(&cx);
    }
}

static void a_model_written_inline(void **state)
{
    (void)state;
    static const char text[] = "{layers: 32, hidden: 4096, vocab: 128256, heads: 32, kv_heads: 8, "
                               "ffn: 14336}";
    cn_ctx cx;
    cn_node *root;
    cn_model_entry m;
    cn_ctx_init(&cx, 0);
    assert_int_equal(cn_tree_yaml(&cx, "spec.yaml", text, sizeof text - 1, &root), CN_OK);
    assert_int_equal(cn_catalog_model_inline(&cx, root, &m), CN_OK);
    assert_string_equal(m.id, "inline");
    assert_true(fabs(cn_shape_params(&m.shape) / 8.03e9 - 1) < 0.001);
    assert_true(isnan(m.params_published));
    cn_ctx_done(&cx);
}

/* A name is the same whatever its case, blanks, '-' and '_'. */
static void spelling_does_not_matter(void **state)
{
    (void)state;
    cn_ctx cx;
    cn_catalog *c;
    cn_ctx_init(&cx, 0);
    assert_int_equal(cn_catalog_load(&cx, NULL, &c), CN_OK);
    size_t n;
    const cn_accel *a = cn_catalog_accels(&cx, c, &n);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        cn_rng r;
        char name[128];
        size_t len = 0;
        cn_rng_seed(&r, seed);
        const cn_accel *want = &a[seed % n];
        for (const char *p = want->id; *p; p++) {
            if (cn_rng_unit(&r) < 0.3)
                name[len++] = " -_"[cn_rng_below(&r, 3)];
            bool is_letter = *p >= 'a' && *p <= 'z';
            name[len++] = (char)(is_letter && cn_rng_unit(&r) < 0.5 ? *p - 32 : *p);
        }
        name[len] = 0;
        if (cn_catalog_has_accel(&cx, c, name) != want)
            print_message("# seed %d: %s\n", (int)seed, name);
        assert_ptr_equal(cn_catalog_has_accel(&cx, c, name), want);
    }
    cn_ctx_done(&cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(a_model_written_inline),
        cmocka_unit_test(spelling_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
