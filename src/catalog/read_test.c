/* read_test.c - what holds for every reader: memory may run out, spelling does not matter. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "catalog/read.h"

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

/* Two catalogs: one that has read everything, and one that is asked name by name. */
typedef struct both {
    cn_ctx cx;
    cn_catalog *whole, *quick;
} both;

/* Never so many names that the table is read whole. */
static void ask_anew(both *b)
{
    for (int i = 0; i < CN_N_TABLES; i++)
        b->quick->table[i].n_asked = 0;
}

static void same_source(const both *b, int table, const cn_source *a, const cn_source *q)
{
    assert_false(b->quick->table[table].is_loaded);
    assert_string_equal(a->file, q->file);
    assert_int_equal(a->line, q->line);
    assert_string_equal(a->text, q->text);
    assert_string_equal(a->checked, q->checked);
}

static void same_model(both *b, const char *name, const cn_model_entry *want)
{
    ask_anew(b);
    const cn_model_entry *m = cn_catalog_has_model(&b->cx, b->quick, name);
    print_message("# %s\n", name);
    assert_non_null(m);
    assert_string_equal(m->id, want->id);
    assert_string_equal(m->name, want->name);
    assert_int_equal(m->n_aliases, want->n_aliases);
    assert_memory_equal(&m->shape, &want->shape, sizeof m->shape);
    same_source(b, CN_TABLE_MODEL, &want->source, &m->source);
    assert_ptr_equal(m, cn_catalog_has_model(&b->cx, b->quick, name)); /* read once */
}

static void same_accel(both *b, const char *name, const cn_accel *want)
{
    ask_anew(b);
    const cn_accel *a = cn_catalog_has_accel(&b->cx, b->quick, name);
    print_message("# %s\n", name);
    assert_non_null(a);
    assert_string_equal(a->id, want->id);
    assert_memory_equal(&a->device, &want->device, sizeof a->device);
    same_source(b, CN_TABLE_ACCEL, &want->source, &a->source);
}

static void same_node(both *b, const char *name, const cn_node_type *want)
{
    ask_anew(b);
    const cn_node_type *t = cn_catalog_has_node(&b->cx, b->quick, name);
    print_message("# %s\n", name);
    assert_non_null(t);
    assert_string_equal(t->id, want->id);
    assert_string_equal(t->accelerator, want->accelerator);
    assert_memory_equal(&t->nic_bytes_per_s, &want->nic_bytes_per_s, sizeof(double));
    same_source(b, CN_TABLE_NODE, &want->source, &t->source);
}

/* An alias with a star is found by the whole table alone. */
static bool is_exact(const char *alias)
{
    return alias[strlen(alias) - 1] != '*';
}

static void one_entry_is_read_as_in_the_whole(void **state)
{
    (void)state;
    both b;
    size_t n;
    cn_ctx_init(&b.cx, 0);
    assert_int_equal(cn_catalog_load(&b.cx, NULL, &b.whole), CN_OK);
    assert_int_equal(cn_catalog_load(&b.cx, NULL, &b.quick), CN_OK);
    const cn_model_entry *m = cn_catalog_models(&b.cx, b.whole, &n);
    for (size_t i = 0; i < n; i++) {
        same_model(&b, m[i].id, &m[i]);
        for (size_t k = 0; k < m[i].n_aliases; k++)
            if (is_exact(m[i].alias[k]))
                same_model(&b, m[i].alias[k], &m[i]);
    }
    const cn_accel *a = cn_catalog_accels(&b.cx, b.whole, &n);
    for (size_t i = 0; i < n; i++) {
        same_accel(&b, a[i].id, &a[i]);
        for (size_t k = 0; k < a[i].n_aliases; k++)
            same_accel(&b, a[i].alias[k], &a[i]);
    }
    const cn_node_type *t = cn_catalog_nodes(&b.cx, b.whole, &n);
    for (size_t i = 0; i < n; i++) {
        same_node(&b, t[i].id, &t[i]);
        for (size_t k = 0; k < t[i].n_aliases; k++)
            same_node(&b, t[i].alias[k], &t[i]);
    }
    const cn_rate *r = cn_catalog_rates(&b.cx, b.whole, &n);
    for (size_t i = 0; i < n; i++) {
        ask_anew(&b);
        const cn_rate *q = cn_catalog_rate(&b.cx, b.quick, r[i].id);
        assert_non_null(q);
        assert_true(q->price == r[i].price);
        same_source(&b, CN_TABLE_RATE, &r[i].source, &q->source);
    }
    assert_null(cn_catalog_rate(&b.cx, b.quick, "aws/no-such-thing"));
    assert_false(b.quick->table[CN_TABLE_RATE].is_loaded);
    for (int i = 0; i < CN_MAX_QUICK; i++)
        cn_catalog_rate(&b.cx, b.quick, "aws/s3-standard");
    assert_true(b.quick->table[CN_TABLE_RATE].is_loaded);
    cn_ctx_done(&b.cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(a_model_written_inline),
        cmocka_unit_test(spelling_does_not_matter),
        cmocka_unit_test(one_entry_is_read_as_in_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
