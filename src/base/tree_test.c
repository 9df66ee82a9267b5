/* tree_test.c - the three readers: positions, bounds, hostile input; the binder; --set. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bind.h"
#include "base/csv.h"

typedef cn_code (*reader)(cn_ctx *, const char *, const char *, size_t, cn_node **);

static const struct {
    const char *name, *text;
    reader read;
} same[] = {
    {"yaml", "a: 1\nb:\n  c: [x, \"y z\"]\n  d: {e: true}\n", cn_tree_yaml},
    {"json", "{\"a\": 1,\n \"b\": {\"c\": [\"x\", \"y z\"],\n \"d\": {\"e\": true}}}",
     cn_tree_json},
    {"toml", "a = 1\n[b]\nc = [\"x\",\n \"y z\"] # two\nd = {e = true}\n", cn_tree_toml},
};

static void one_tree_from_three_formats(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        cn_ctx cx;
        cn_node *root;
        cn_ctx_init(&cx, 0);
        if (same[i].read(&cx, same[i].name, same[i].text, strlen(same[i].text), &root) != CN_OK)
            fail_msg("%s: %s", same[i].name, cx.problem[0].message);
        assert_string_equal(cn_node_get(root, "a")->text, "1");
        assert_string_equal(cn_node_path(root, "b.c")->child[1]->text, "y z");
        assert_string_equal(cn_node_path(root, "b.d.e")->text, "true");
        assert_null(cn_node_path(root, "b.x"));
        assert_int_equal(cn_node_path(root, "b.d.e")->at.line, same[i].read == cn_tree_yaml   ? 4
                                                               : same[i].read == cn_tree_json ? 3
                                                                                              : 5);
        cn_ctx_done(&cx);
    }
}

/* What is wrong, and where it is said to be. */
static void bad_input(void **state)
{
    (void)state;
    static const struct {
        reader read;
        const char *text;
        int line, col;
        const char *says;
    } row[] = {
        {cn_tree_yaml, "", 1, 1, "empty"},
        {cn_tree_yaml, "a: 1\na: 2\n", 2, 1, "stands twice"},
        {cn_tree_yaml, "a: [1, 2\n", 2, 1, "not YAML"},
        {cn_tree_yaml, "a: &x 1\nb: *x\n", 1, 4, "anchor"},
        {cn_tree_yaml, "b: *x\n", 1, 4, "alias"},
        {cn_tree_yaml, "a: 1\n---\nb: 2\n", 2, 1, "second document"},
        {cn_tree_yaml, "a: \xff\n", 1, 4, "UTF-8"},
        {cn_tree_yaml, "a: \"x\n", 2, 1, "not YAML"},
        {cn_tree_yaml, "a: \"x\\0y\"\n", 1, 4, "NUL"},
        {cn_tree_yaml, "\"a\\0b\": 1\n", 1, 1, "NUL"},
        {cn_tree_json, "", 1, 1, "empty"},
        {cn_tree_json, "{\"a\": 1", 1, 8, "not JSON"},
        {cn_tree_json, "{\"a\": 1\n", 1, 8, "not JSON"},
        {cn_tree_json, "{\"a\": 1,\n \"a\": 2}", 2, 2, "stands twice"},
        {cn_tree_json, "{\"a\": tru}", 1, 0, "not JSON"},
        {cn_tree_json, "{\"a\": \"x\\u0000\"}", 1, 0, "NUL"},
        {cn_tree_json, "[1, \xc3\x28]", 1, 5, "UTF-8"},
        {cn_tree_toml, "", 1, 1, "empty"},
        {cn_tree_toml, "a 1\n", 1, 3, "'='"},
        {cn_tree_toml, "a = \n", 1, 5, "a value"},
        {cn_tree_toml, "a = 1\na = 2\n", 2, 1, "stands twice"},
        {cn_tree_toml, "a = \"x\n", 1, 7, "closing quote"},
        {cn_tree_toml, "[a\nb = 1\n", 1, 3, "']'"},
        {cn_tree_toml, "a = [1, 2\n", 2, 1, "',' or ']'"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cn_ctx cx;
        cn_node *root;
        cn_ctx_init(&cx, 0);
        cn_code code = row[i].read(&cx, "f", row[i].text, strlen(row[i].text), &root);
        const cn_problem_entry *p = &cx.problem[0];
        if (code != CN_EINPUT || !strstr(p->message, row[i].says) || p->at.line != row[i].line ||
            (row[i].col && p->at.col != row[i].col))
            fail_msg("row %zu: code %d, %d:%d \"%s\"", i, code, p->at.line, p->at.col, p->message);
        assert_true(p->hint[0] != 0);
        cn_ctx_done(&cx);
    }
}

static void deep_nesting_and_nul(void **state)
{
    (void)state;
    const size_t n = 10 << 20;
    const reader readers[] = {cn_tree_yaml, cn_tree_json, cn_tree_toml};
    char *text = malloc(n + 4);
    for (int k = 0; k < 3; k++) {
        memset(text, '[', n + 4);
        if (k == 2)
            memcpy(text, "a = ", 4);
        cn_ctx cx;
        cn_node *root;
        cn_ctx_init(&cx, 0);
        assert_int_equal(readers[k](&cx, "f", text, n, &root), CN_EINPUT);
        cn_ctx_clear(&cx);
        assert_int_equal(readers[k](&cx, "f", "a\0b", 3, &root), CN_EINPUT);
        assert_non_null(strstr(cx.problem[0].message, "NUL"));
        cn_ctx_done(&cx);
    }
    free(text);
}

/* Windows editors put a byte order mark first; columns are counted behind it. */
static void byte_order_mark(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char text[256];
        cn_ctx cx;
        cn_node *root;
        cn_ctx_init(&cx, 0);
        snprintf(text, sizeof text, "\xef\xbb\xbf%s", same[i].text);
        if (same[i].read(&cx, same[i].name, text, strlen(text), &root) != CN_OK)
            fail_msg("%s: %s", same[i].name, cx.problem[0].message);
        assert_string_equal(cn_node_get(root, "a")->text, "1");
        assert_int_equal(root->key_at[0].col, same[i].read == cn_tree_json ? 2 : 1);
        cn_ctx_done(&cx);
    }
}

/* A map of very many keys is read in a moment, and the last key is still compared with the first:
 * with a scan per key this test runs out of its time. */
static void very_wide_maps(void **state)
{
    (void)state;
    static const struct {
        reader read;
        const char *open, *before, *behind, *close;
    } row[] = {{cn_tree_yaml, "", "k", ": 1\n", "k0: 1\n"},
               {cn_tree_json, "{", "\"k", "\": 1,\n", "\"k0\": 1}"},
               {cn_tree_toml, "", "k", " = 1\n", "k0 = 1\n"}};
    const int n = 100000;
    char *text = malloc((size_t)n * 16 + 64);
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        int len = sprintf(text, "%s", row[k].open);
        for (int i = 0; i < n; i++)
            len += sprintf(text + len, "%s%d%s", row[k].before, i, row[k].behind);
        len += sprintf(text + len, "%s", row[k].close);
        cn_ctx cx;
        cn_node *root;
        cn_ctx_init(&cx, 0);
        assert_int_equal(row[k].read(&cx, "f", text, (size_t)len, &root), CN_EINPUT);
        assert_non_null(strstr(cx.problem[0].message, "\"k0\" stands twice"));
        assert_int_equal(cx.problem[0].at.line, n + 1);
        cn_ctx_done(&cx);
    }
    free(text);
}

static void toml_of_launchers(void **state)
{
    (void)state;
    static const char text[] =
        "# torchtitan\n[job]\ndump_folder = \"./out\"\n[model]\nname = 'llama3'\n"
        "[activation_checkpoint]\nmode = \"selective\"\n[optimizer.eps]\nv = 1e-8\n"
        "a.b.c = 2024-01-01\n[[x]]\ny = \"\"\"\nlong\\\n   er\"\"\"\n[[x]]\ny = \"\\u00e9\"\n";
    cn_ctx cx;
    cn_node *root;
    cn_ctx_init(&cx, 0);
    assert_int_equal(cn_tree_toml(&cx, "f.toml", text, sizeof text - 1, &root), CN_OK);
    assert_string_equal(cn_node_path(root, "model.name")->text, "llama3");
    assert_string_equal(cn_node_path(root, "optimizer.eps.v")->text, "1e-8");
    assert_string_equal(cn_node_path(root, "optimizer.eps.a.b.c")->text, "2024-01-01");
    const cn_node *x = cn_node_get(root, "x");
    assert_int_equal(x->n, 2);
    assert_string_equal(cn_node_get(x->child[0], "y")->text, "longer");
    assert_string_equal(cn_node_get(x->child[1], "y")->text, "\xc3\xa9");
    cn_ctx_done(&cx);
}

typedef struct {
    const char *name;
    double layers, mem, price, disk;
    char currency[4];
    int mode, count;
    bool on;
} target;

static const char *const modes[] = {"none", "selective", "full", NULL};
static const cn_bind_field fields[] = {
    {.key = "name", .kind = CN_BIND_TEXT, .offset = offsetof(target, name), .required = true},
    {.key = "layers",
     .kind = CN_BIND_COUNT,
     .offset = offsetof(target, layers),
     .min = 1,
     .max = 10000},
    {.key = "mem", .kind = CN_BIND_QUANTITY, .dim = CN_DIM_BYTES, .offset = offsetof(target, mem)},
    {.key = "price",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_MONEY_PER_H,
     .offset = offsetof(target, price),
     .currency_offset = offsetof(target, currency)},
    {.key = "mode",
     .kind = CN_BIND_ENUM,
     .names = modes,
     .offset = offsetof(target, mode),
     .allow_auto = true},
    {.key = "count", .kind = CN_BIND_INT, .offset = offsetof(target, count)},
    {.key = "on", .kind = CN_BIND_BOOL, .offset = offsetof(target, on)},
    {.key = "disk",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_BYTES,
     .offset = offsetof(target, disk)},
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

static void binding(void **state)
{
    (void)state;
    static const char text[] =
        "name: x\nlayers: 2k\nmem: 80 GB\nprice: 17.5 CNY/h\nmode: auto\ncount: -3\non: yes\n";
    cn_ctx cx;
    cn_node *root;
    target t = {.mode = -1};
    bool seen[N_FIELDS];
    cn_ctx_init(&cx, 0);
    assert_int_equal(cn_tree_yaml(&cx, "f", text, sizeof text - 1, &root), CN_OK);
    assert_int_equal(cn_bind(&cx, root, "thing", fields, N_FIELDS, &t, seen), CN_OK);
    assert_true(t.layers == 2000 && t.mem == 80e9 && t.price == 17.5 && t.count == -3 && t.on);
    assert_string_equal(t.currency, "CNY");
    assert_int_equal(t.mode, -1);
    assert_false(seen[4]);
    assert_true(seen[0] && seen[1]);
    cn_ctx_done(&cx);
}

/* All of a file's errors in one run, each with its place and a next step. */
static void binding_tells_everything(void **state)
{
    (void)state;
    static const char text[] =
        "layrs: 4\nlayers: 0\nmem: 80\nprice: 3 USD\nmode: fulll\ncount: 1.5\non: maybe\n"
        "disk: -60 TB\n";
    static const struct {
        int line;
        const char *says, *hint;
    } want[] = {
        {1, "unknown key \"layrs\"", "\"layers\""},
        {2, "out of range", "expected"},
        {3, "unit is missing", "80 GB"},
        {4, "per is missing", "USD/h"},
        {5, "cannot be", "one of"},
        {6, "whole number", "\"8\""},
        {7, "true or false", "\"true\""},
        {8, "disk is below zero: -60 TB", "80 GB"},
        {1, "has no \"name\"", "add it"},
    };
    cn_ctx cx;
    cn_node *root;
    target t = {0};
    cn_ctx_init(&cx, 0);
    assert_int_equal(cn_tree_yaml(&cx, "f", text, sizeof text - 1, &root), CN_OK);
    assert_int_equal(cn_bind(&cx, root, "thing", fields, N_FIELDS, &t, NULL), CN_EINPUT);
    assert_int_equal(cx.n_problems, 9);
    for (int i = 0; i < 9; i++) {
        const cn_problem_entry *p = &cx.problem[i];
        bool ok = strstr(p->message, want[i].says) && strstr(p->hint, want[i].hint) &&
                  p->at.line == want[i].line;
        if (!ok)
            fail_msg("%d: line %d \"%s\" hint \"%s\"", i, p->at.line, p->message, p->hint);
    }
    cn_ctx_done(&cx);
}

static void set_path(void **state)
{
    (void)state;
    cn_ctx cx;
    cn_node *root;
    cn_ctx_init(&cx, 0);
    assert_int_equal(cn_tree_yaml(&cx, "f", "a: {b: 1}\n", 10, &root), CN_OK);
    assert_int_equal(cn_node_set(&cx, root, "a.b=2.5 USD/h"), CN_OK);
    assert_int_equal(cn_node_set(&cx, root, "x.y.z={tp: 8}"), CN_OK);
    assert_string_equal(cn_node_path(root, "a.b")->text, "2.5 USD/h");
    assert_string_equal(cn_node_path(root, "x.y.z.tp")->text, "8");
    assert_int_equal(cn_node_set(&cx, root, "novalue"), CN_EUSAGE);
    cn_ctx_done(&cx);
}

static void csv_rows(void **state)
{
    (void)state;
    static const char text[] =
        "\xef\xbb\xbfid, name ,note\r\n1,\"a, \"\"b\"\"\",\"two\nlines\"\r\n\r\n2,,x";
    cn_ctx cx;
    cn_csv csv;
    bool more;
    cn_ctx_init(&cx, 0);
    assert_int_equal(cn_csv_open(&cx, "f.csv", text, sizeof text - 1, &csv), CN_OK);
    assert_int_equal(csv.n_columns, 3);
    assert_int_equal(cn_csv_next(&cx, &csv, &more), CN_OK);
    assert_int_equal(csv.line, 2);
    assert_string_equal(cn_csv_get(&csv, "name"), "a, \"b\"");
    assert_string_equal(cn_csv_get(&csv, "note"), "two\nlines");
    assert_int_equal(cn_csv_next(&cx, &csv, &more), CN_OK);
    assert_true(more);
    assert_int_equal(csv.line, 5); /* behind two lines in quotes and a blank one */
    assert_string_equal(cn_csv_get(&csv, "id"), "2");
    assert_string_equal(cn_csv_get(&csv, "absent"), "");
    assert_int_equal(cn_csv_next(&cx, &csv, &more), CN_OK);
    assert_false(more);
    cn_ctx_done(&cx);
}

static void csv_faults(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line, col;
        const char *says;
    } row[] = {
        {"", 1, 1, "empty"},
        {"a,a\n1,2\n", 1, 3, "stands twice"},
        {"\xef\xbb\xbf"
         "a,a\n1,2\n",
         1, 3, "stands twice"},
        {"a,b\n1\n", 2, 1, "1 fields where the header has 2"},
        {"a,b\n1,\"x\n", 2, 3, "not closed"},
        {"a,b\n\"x\"y,1\n", 2, 4, "after the closing quote"},
        {"a,b\n\"\nx\"y,1\n", 3, 3, "after the closing quote"},
        {"a,b\n1,\xfe\n", 2, 3, "UTF-8"},
        {"a,b\n1,\"x", 2, 3, "not closed"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cn_ctx cx;
        cn_csv csv;
        bool more = true;
        cn_ctx_init(&cx, 0);
        cn_code code = cn_csv_open(&cx, "f", row[i].text, strlen(row[i].text), &csv);
        while (code == CN_OK && more)
            code = cn_csv_next(&cx, &csv, &more);
        const cn_problem_entry *p = &cx.problem[0];
        if (code != CN_EINPUT || !strstr(p->message, row[i].says) || p->at.line != row[i].line ||
            p->at.col != row[i].col || !p->hint[0])
            fail_msg("row %zu: %d at %d:%d \"%s\"", i, code, p->at.line, p->at.col, p->message);
        cn_ctx_done(&cx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_tree_from_three_formats),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(deep_nesting_and_nul),
        cmocka_unit_test(byte_order_mark),
        cmocka_unit_test(very_wide_maps),
        cmocka_unit_test(toml_of_launchers),
        cmocka_unit_test(binding),
        cmocka_unit_test(binding_tells_everything),
        cmocka_unit_test(set_path),
        cmocka_unit_test(csv_rows),
        cmocka_unit_test(csv_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
