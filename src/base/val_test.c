/* val_test.c - values print as JSON that every reader takes, in the order they were put. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/text.h"
#include "base/tree.h"
#include "base/val.h"

enum { SEEDS = 500 };

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
    cn_alloc_fail_at(0);
    cn_ctx_done(&cx);
    return 0;
}

static void prints(const cn_val *v, int indent, const char *want)
{
    cn_buf b = {0};
    cn_val_json(&b, v, indent);
    assert_string_equal(cn_buf_cstr(&b), want);
    cn_buf_free(&b);
}

static void scalars(void **state)
{
    (void)state;
    prints(cn_val_null(&cx), 0, "null");
    prints(cn_val_bool(&cx, true), 0, "true");
    prints(cn_val_bool(&cx, false), 0, "false");
    prints(cn_val_int(&cx, INT64_MIN), 0, "-9223372036854775808");
    prints(cn_val_str(&cx, NULL), 0, "null");
    static const struct {
        double x;
        const char *want;
    } row[] = {{0, "0"},      {0.1, "0.1"},       {1e21, "1e+21"},    {-2.5, "-2.5"},
               {NAN, "null"}, {INFINITY, "null"}, {1e-300, "1e-300"}, {123456789, "123456789"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        prints(cn_val_num(&cx, row[i].x), 0, row[i].want);
}

static void strings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want;
    } row[] = {
        {"", "\"\""},
        {"a/b", "\"a/b\""},
        {"say \"hi\" \\", "\"say \\\"hi\\\" \\\\\""},
        {"\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\""},
        {"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
        {"\xe6\x9d\x83\xe9\x87\x8d", "\"\xe6\x9d\x83\xe9\x87\x8d\""},
        {"\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""},
        {"a\xff"
         "b",
         "\"a\xef\xbf\xbd"
         "b\""},
        {"\xe6\x9d", "\"\xef\xbf\xbd\xef\xbf\xbd\""},                 /* cut short */
        {"\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\""},                 /* longer than it need be */
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, /* half a surrogate pair */
        {"\xe6\"", "\"\xef\xbf\xbd\\\"\""}, /* the quote is not swallowed */
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        prints(cn_val_str(&cx, row[i].text), 0, row[i].want);
}

static void objects_keep_their_order(void **state)
{
    (void)state;
    cn_val *o = cn_val_obj(&cx), *a = cn_val_arr(&cx);
    char key[] = "z";
    cn_val_put(&cx, o, key, cn_val_int(&cx, 1));
    key[0] = 'q'; /* keys are copied */
    cn_val_put(&cx, o, "a", a);
    cn_val_put(&cx, o, "m\n", cn_val_obj(&cx));
    cn_val_push(&cx, a, cn_val_int(&cx, 2));
    cn_val_push(&cx, a, cn_val_arr(&cx));
    prints(o, 0, "{\"z\":1,\"a\":[2,[]],\"m\\n\":{}}");
    prints(o, 2, "{\n  \"z\": 1,\n  \"a\": [\n    2,\n    []\n  ],\n  \"m\\n\": {}\n}");
    assert_int_equal(cn_val_get(o, "z")->i64, 1);
    assert_null(cn_val_get(o, "q"));
    assert_null(cn_val_get(a, "z"));
    assert_null(cn_val_get(NULL, "z"));
}

static void many_members(void **state)
{
    (void)state;
    cn_val *o = cn_val_obj(&cx);
    char key[16];
    for (int i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "k%d", 999 - i);
        cn_val_put(&cx, o, key, cn_val_int(&cx, i));
    }
    assert_int_equal(o->n, 1000);
    for (int i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "k%d", 999 - i);
        assert_string_equal(o->key[i], key);
        assert_int_equal(cn_val_get(o, key)->i64, i);
    }
}

/* Any bytes become a document that our own reader takes and that is well-formed UTF-8. */
static void any_bytes_make_a_document(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        char text[64];
        cn_rng r;
        cn_buf b = {0};
        cn_node *root;
        cn_rng_seed(&r, seed);
        size_t n = cn_rng_below(&r, sizeof text);
        for (size_t i = 0; i < n; i++)
            text[i] = (char)(1 + cn_rng_below(&r, 255));
        text[n] = 0;
        cn_val *o = cn_val_obj(&cx);
        cn_val_put(&cx, o, "k", cn_val_str(&cx, text));
        cn_val_json(&b, o, 0);
        if (!cn_utf8_valid(b.data, b.len, NULL) ||
            cn_tree_json(&cx, "test", b.data, b.len, &root) != CN_OK)
            fail_msg("seed %llu: not JSON: %s", (unsigned long long)seed, b.data);
        if (cn_utf8_valid(text, n, NULL))
            assert_string_equal(cn_node_get(root, "k")->text, text);
        cn_buf_free(&b);
    }
}

/* The n-th allocation fails: said in the context, and what was built still prints. */
static void memory_runs_out_anywhere(void **state)
{
    (void)state;
    int failures = 0;
    for (size_t limit = 0; limit < 6000; limit += 40) {
        cn_ctx own;
        cn_buf b = {0};
        cn_ctx_init(&own, 0);
        own.arena.limit_bytes = limit + 1;
        cn_val *o = cn_val_obj(&own), *a = cn_val_arr(&own);
        cn_val_put(&own, o, "list", a);
        for (int i = 0; i < 20; i++) {
            cn_val_push(&own, a, cn_val_str(&own, "text"));
            cn_val_put(&own, o, "key", cn_val_bool(&own, true));
            cn_val_put(&own, o, "n", cn_val_num(&own, i));
            cn_val_put(&own, o, "i", cn_val_int(&own, i));
        }
        cn_val_json(&b, o, 0);
        assert_false(b.failed);
        failures += cn_problems(&own) == CN_ENOMEM;
        assert_true(cn_problems(&own) == CN_ENOMEM || o->n == 61);
        prints(cn_val_null(&cx), 0, "null"); /* nothing lost was written to what all share */
        cn_buf_free(&b);
        cn_ctx_done(&own);
    }
    assert_true(failures > 50);
    cn_val_push(&cx, NULL, cn_val_null(&cx));
    cn_val_put(&cx, NULL, "k", cn_val_null(&cx));
}

#define val_test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        val_test(scalars),
        val_test(strings),
        val_test(objects_keep_their_order),
        val_test(many_members),
        val_test(any_bytes_make_a_document),
        val_test(memory_runs_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
