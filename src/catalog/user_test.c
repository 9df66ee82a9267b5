/*
 * user_test.c - the user's folder: entries that replace and add, and what is said of bad ones.
 *
 * Every case writes a folder of its own below $TMPDIR and takes it away again.
 */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/when.h"
#include "catalog/read.h"

typedef struct world {
    cn_ctx cx;
    cn_catalog *c;
    char dir[4096];
} world;

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    const char *tmp = getenv("TMPDIR");
    double now;
    assert_non_null(w);
    snprintf(w->dir, sizeof w->dir, "%s/carnot-user-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(w->dir));
    assert_true(cn_when_parse("2026-12-01", &now));
    cn_ctx_init(&w->cx, now);
    *state = w;
    return 0;
}

static void remove_files(const char *dir)
{
    char path[8192];
    DIR *d = opendir(dir);
    assert_non_null(d);
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        if (unlink(path) != 0) {
            remove_files(path);
            rmdir(path);
        }
    }
    closedir(d);
}

static int tear_down(void **state)
{
    world *w = *state;
    remove_files(w->dir);
    rmdir(w->dir);
    cn_ctx_done(&w->cx);
    free(w);
    return 0;
}

/* name may stand in one sub-folder: "models/mine.yaml". */
static void put_bytes(world *w, const char *name, const char *bytes, size_t len)
{
    char path[8192];
    const char *slash = strchr(name, '/');
    if (slash) {
        snprintf(path, sizeof path, "%s/%.*s", w->dir, (int)(slash - name), name);
        mkdir(path, 0700);
    }
    snprintf(path, sizeof path, "%s/%s", w->dir, name);
    assert_int_equal(cn_file_write(&w->cx, path, bytes, len), CN_OK);
}

static void put(world *w, const char *name, const char *text)
{
    put_bytes(w, name, text, strlen(text));
}

static cn_code load(world *w)
{
    return cn_catalog_load(&w->cx, w->dir, &w->c);
}

#define SOURCED "  source: a test\n  checked: 2026-11-01\n"

/* ---------------------------------------------------------------------------------- changing */

static void an_entry_is_replaced_by_id(void **state)
{
    world *w = *state;
    put(w, "accelerators.yaml",
        "- id: h100-sxm5-80gb\n  generation: hopper\n  mem: 81 GB\n"
        "  peak_dense: {bf16: 900 TFLOP/s}\n" SOURCED);
    assert_int_equal(load(w), CN_OK);
    const cn_accel *a = cn_catalog_has_accel(&w->cx, w->c, "h100-sxm5-80gb");
    assert_float_equal(a->device.mem_bytes, 81e9, 0);
    assert_float_equal(a->device.peak_flop_per_s[CN_BF16], 900e12, 0);
    assert_true(isnan(a->device.mem_bytes_per_s)); /* replaced whole, not mixed */
    assert_non_null(strstr(a->source.file, w->dir));
    assert_int_equal(a->source.line, 1);
    /* our aliases went with our entry; the others stay */
    assert_null(cn_catalog_has_accel(&w->cx, w->c, "NVIDIA H100 80GB HBM3"));
    assert_string_equal(cn_catalog_has_accel(&w->cx, w->c, "H200")->id, "h200-sxm-141gb");
}

static void an_entry_is_added_and_its_alias_wins(void **state)
{
    world *w = *state;
    size_t n;
    put(w, "accelerators.yaml",
        "- id: abacus\n  aliases: [\"H100\", \"wooden*\"]\n  generation: other\n  mem: 8 "
        "GB\n" SOURCED);
    assert_int_equal(load(w), CN_OK);
    assert_string_equal(cn_catalog_has_accel(&w->cx, w->c, "h100")->id, "abacus");
    assert_string_equal(cn_catalog_has_accel(&w->cx, w->c, "Wooden beads")->id, "abacus");
    assert_non_null(cn_catalog_has_accel(&w->cx, w->c, "h100-sxm5-80gb"));
    const cn_accel *a = cn_catalog_accels(&w->cx, w->c, &n);
    for (size_t i = 1; i < n; i++)
        assert_true(strcmp(a[i - 1].id, a[i].id) < 0);
}

static void one_constant_of_a_generation_is_changed(void **state)
{
    world *w = *state;
    double before, launch;
    assert_int_equal(cn_catalog_load(&w->cx, NULL, &w->c), CN_OK);
    before = cn_catalog_has_accel(&w->cx, w->c, "A100")->device.eff.gemm_ratio;
    launch = cn_catalog_has_accel(&w->cx, w->c, "H100")->device.eff.launch_s;
    put(w, "efficiency.yaml",
        "source: our own runs\nchecked: 2026-11-01\ngenerations:\n  hopper: {gemm_ratio: 0.5}\n"
        "  ours: {gemm_ratio: 0.4}\n");
    put(w, "accelerators.yaml",
        "- id: mine\n  generation: ours\n  efficiency: {launch_s: 9e-6}\n"
        "  efficiency_scale: {gemm_ratio: 0.5}\n" SOURCED);
    assert_int_equal(load(w), CN_OK);
    const cn_eff *h100 = &cn_catalog_has_accel(&w->cx, w->c, "H100")->device.eff;
    assert_float_equal(h100->gemm_ratio, 0.5, 0);
    assert_float_equal(h100->launch_s, launch, 0);
    assert_float_equal(cn_catalog_has_accel(&w->cx, w->c, "A100")->device.eff.gemm_ratio, before,
                       0);
    const cn_eff *mine = &cn_catalog_has_accel(&w->cx, w->c, "mine")->device.eff;
    assert_float_equal(mine->launch_s, 9e-6, 0);
    assert_float_equal(mine->gemm_ratio, 0.2, 1e-12);
}

static void models_come_from_any_file_of_the_folder(void **state)
{
    world *w = *state;
    put(w, "models/b.yaml",
        "- id: tiny\n  hidden: 64\n  vocab: 1000\n  layers: 2\n  heads: 4\n  ffn: 256\n" SOURCED);
    put(w, "models/a.yaml",
        "- id: gpt-2\n  aliases: [GPT-2 base]\n  hidden: 8\n  vocab: 10\n  layers: 1\n  heads: 1\n"
        "  ffn: 8\n" SOURCED);
    put(w, "models/notes.txt", "not read");
    assert_int_equal(load(w), CN_OK);
    const cn_model_entry *m = cn_catalog_has_model(&w->cx, w->c, "Tiny");
    assert_non_null(m);
    assert_float_equal(m->shape.block[0].head_dim, 16, 0);
    assert_float_equal(cn_catalog_has_model(&w->cx, w->c, "GPT2")->shape.hidden, 8, 0);
}

#define PRICE_COLUMNS                                                                              \
    "item,per,provider,region,on_demand,reserved_1y,reserved_3y,spot,currency,date,source\n"

static void a_users_price_wins_over_a_newer_one(void **state)
{
    world *w = *state;
    put(w, "prices/contract.csv",
        PRICE_COLUMNS "aws/p5.48xlarge,node,aws,us-east-1,31.5,,,,USD,2025-01-02,our contract\n");
    assert_int_equal(load(w), CN_OK);
    const cn_price *p =
        cn_catalog_price(&w->cx, w->c, "aws/p5.48xlarge", "us-east-1", CN_BUY_ON_DEMAND);
    assert_float_equal(p->per_hour, 31.5, 0);
    assert_string_equal(p->source.text, "our contract");
    assert_int_equal(p->source.line, 2);
}

static void facts_are_replaced(void **state)
{
    world *w = *state;
    put(w, "fx.yaml",
        "- id: usd/cny\n  from: USD\n  to: CNY\n  rate: 7\n  date: 2026-11-30\n" SOURCED);
    put(w, "failures.yaml",
        "- id: hopper\n  per_device_day: 0.001\n  detect: 1 min\n  restart: 2 min\n" SOURCED);
    put(w, "operations.yaml",
        "- id: staff/engineer\n  kind: staff\n  provider: any\n  price: 700 CNY\n  unit: h\n"
        "  date: 2026-11\n" SOURCED);
    assert_int_equal(load(w), CN_OK);
    assert_float_equal(cn_catalog_fx(&w->cx, w->c, "USD", "CNY")->rate, 7, 0);
    assert_float_equal(cn_catalog_failure(&w->cx, w->c, "hopper")->per_device_day, 0.001, 0);
    assert_float_equal(cn_catalog_failure(&w->cx, w->c, "hopper")->restart_s, 120, 0);
    assert_string_equal(cn_catalog_failure(&w->cx, w->c, "no such chip")->id, "default");
    const cn_rate *r = cn_catalog_rate(&w->cx, w->c, "staff/engineer");
    assert_float_equal(r->price, 700, 0);
    assert_string_equal(r->currency, "CNY");
}

/* ------------------------------------------------------------------------------- bad entries */

#define ACCEL "- id: x\n  generation: hopper\n"
#define RATE  "- id: x\n  kind: logs\n  provider: aws\n  unit: GB\n"
#define MODEL "- id: x\n  hidden: 64\n  vocab: 100\n"

static const struct {
    const char *file, *text;
    int line, col; /* where the first problem stands; col 0 = any */
    const char *message, *hint;
} bad[] = {
    {"accelerators.yaml", ACCEL "  mem: 80 B\n" SOURCED, 3, 8, "mem is out of range: 80 B",
     "expected"},
    {"accelerators.yaml", ACCEL "  mem: 80e9 GB\n" SOURCED, 3, 8, "mem is out of range",
     "expected"},
    {"accelerators.yaml", ACCEL "  mem: 80\n" SOURCED, 3, 8, "a unit is missing", "80 GB"},
    {"accelerators.yaml", ACCEL "  memm: 80 GB\n" SOURCED, 3, 3, "unknown key \"memm\"", "\"mem\""},
    {"accelerators.yaml", ACCEL "  peak_dense: {bf16: 990 GFLOP}\n" SOURCED, 3, 22, "bf16",
     "FLOP/s"},
    {"accelerators.yaml", ACCEL "  peak_dense: {bf17: 990 TFLOP/s}\n" SOURCED, 3, 16,
     "unknown key \"bf17\"", "bf16"},
    {"accelerators.yaml", ACCEL "  scale_up: {bandwidth: 450 GB/s, direction: both}\n" SOURCED, 3,
     46, "direction cannot be \"both\"", "one-way"},
    {"accelerators.yaml", "- id: x\n  generation: hoper\n" SOURCED, 1, 3,
     "unknown generation \"hoper\"", "did you mean hopper?"},
    {"accelerators.yaml", ACCEL "  efficiency: {gemm_ratio: 7}\n" SOURCED, 3, 28,
     "gemm_ratio is out of range", "expected"},
    {"accelerators.yaml", ACCEL "  checked: 2026-11-01\n", 1, 3, "\"x\" has no source",
     "add source"},
    {"accelerators.yaml", ACCEL "  source: a test\n", 1, 3, "does not say when", "add checked"},
    {"accelerators.yaml", ACCEL "  source: a test\n  checked: yesterday\n", 1, 3,
     "does not say when", "YYYY-MM-DD"},
    {"accelerators.yaml", "- generation: hopper\n" SOURCED, 1, 3, "an entry has no id", ""},
    {"accelerators.yaml", ACCEL SOURCED ACCEL SOURCED, 5, 3, "\"x\" stands here twice", ""},
    {"accelerators.yaml", ACCEL "  aliases: y\n" SOURCED, 3, 12, "aliases of \"x\" are not a list",
     ""},
    {"accelerators.yaml", ACCEL "  aliases: [[y]]\n" SOURCED, 3, 13, "an alias is not a text", ""},
    {"accelerators.yaml", "id: x\n", 1, 1, "not a list of entries", "- id:"},
    {"accelerators.yaml", "- just a text\n", 1, 3, "not a map of keys", ""},
    {"accelerators.yaml", "- id: x\n   generation: hopper\n", 2, 0, "not YAML", "indentation"},
    {"accelerators.yaml", "- id: \xff\n", 1, 7, "not UTF-8", "UTF-8"},
    {"accelerators.yaml", "- id: &a x\n", 1, 7, "anchor", "write the value out"},
    {"accelerators.yaml", "- id: x\n  id: y\n", 2, 3, "stands twice", "keep one"},
    {"efficiency.yaml", "source: a\nchecked: 2026\ngenerations: {hopper: {gem_ratio: 1}}\n", 3, 24,
     "unknown key \"gem_ratio\"", "gemm_ratio"},
    {"efficiency.yaml", "checked: 2026\ngenerations: {}\n", 1, 1, "has no \"source\"", "add it"},
    {"frameworks.yaml", "- id: x\n  has_flash: maybe\n" SOURCED, 2, 14, "true or false", ""},
    {"frameworks.yaml", "- id: x\n  constants: {overlapping: 1}\n" SOURCED, 2, 15, "unknown key",
     ""},
    {"nodes.yaml", "- id: x\n  provider: p\n  accelerator: h100\n" SOURCED, 1, 3,
     "how many accelerators", ""},
    {"nodes.yaml", "- id: x\n  provider: p\n  accelerator: h100\n  count: 2.5\n" SOURCED, 4, 10,
     "whole number", ""},
    {"models/x.yaml", MODEL "  layers: 2\n  heads: 4\n  kv_heads: 8\n" SOURCED, 1, 3,
     "kv_heads 8 is more than the 4 heads", ""},
    {"models/x.yaml", MODEL "  layers: 2\n" SOURCED, 1, 3, "does not say its heads", "add heads"},
    {"models/x.yaml",
     MODEL "  blocks: [{layers: 2, heads: 4, experts: 2, top_k: 4, expert_ffn: 8}]\n" SOURCED, 4,
     12, "top_k 4 is more than the 2 experts", ""},
    {"models/x.yaml", MODEL "  layers: 2\n  heads: 1\n  blocks: [{layers: 2, heads: 4}]\n" SOURCED,
     6, 11, "both blocks and layers", "leave blocks out"},
    {"models/x.yaml", MODEL "  blocks: []\n" SOURCED, 4, 11, "blocks is not a list of 1", ""},
    {"models/x.yaml", "- id: x\n  layers: 2\n" SOURCED, 1, 3, "does not say its hidden", "needs"},
    {"storage.yaml", RATE "  price: 0.02 USD\n" SOURCED, 1, 3, "no \"date\"", ""},
    {"traffic.yaml", RATE "  price: 0.02\n  date: 2026\n" SOURCED, 5, 10, "price", "USD"},
    {"operations.yaml", RATE "  price: 1 USD\n  retrieval: 1 CNY/GB\n  date: 2026\n" SOURCED, 1, 3,
     "price is in USD and retrieval in CNY", ""},
    {"failures.yaml", "- id: x\n  per_device_day: 5\n" SOURCED, 2, 19, "out of range", ""},
    {"laws.yaml", "- id: x\n  e: 1\n  a: 1\n  b: 1\n  alpha: 0.3\n" SOURCED, 1, 3, "no \"beta\"",
     ""},
    {"fx.yaml", "- id: x\n  from: usd\n  to: CNY\n  rate: 7\n  date: 2026-01-01\n" SOURCED, 1, 3,
     "not a currency", ""},
    {"prices/x.csv", PRICE_COLUMNS "h100,device,p,,2,,,,USD,,a test\n", 2, 0, "has no date",
     "YYYY-MM-DD"},
    {"prices/x.csv", PRICE_COLUMNS "h100,device,p,,2,,,,USD,2026-02-30,a test\n", 2, 0,
     "has no date", "YYYY-MM-DD"},
    {"prices/x.csv", PRICE_COLUMNS "h100,each,p,,2,,,,USD,2026,a test\n", 2, 0, "per is \"each\"",
     ""},
    {"prices/x.csv", PRICE_COLUMNS "h100,device,p,,-2,,,,USD,2026,a test\n", 2, 0,
     "not a price per hour: \"-2\"", ""},
    {"prices/x.csv", PRICE_COLUMNS "h100,device,p,,2,,,,$,2026,a test\n", 2, 0, "not a currency",
     ""},
    {"prices/x.csv", PRICE_COLUMNS "h100,device,p,,2,,,,USD,2026,\n", 2, 0, "has no source", ""},
    {"prices/x.csv", "item,per,provider,region,on_demand,currency,source\n", 1, 0,
     "no column \"date\"", ""},
};

static void bad_entries_say_where_and_what(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        print_message("# %s: %s\n", bad[i].file, bad[i].message);
        put(w, bad[i].file, bad[i].text);
        assert_int_equal(load(w), CN_EINPUT);
        assert_int_not_equal(w->cx.n_problems, 0);
        const cn_problem_entry *p = &w->cx.problem[0];
        print_message("#   %s:%d:%d: %s (%s)\n", p->at.file ? p->at.file : "-", p->at.line,
                      p->at.col, p->message, p->hint);
        assert_non_null(p->at.file);
        assert_non_null(strstr(p->at.file, bad[i].file));
        assert_non_null(strstr(p->message, bad[i].message));
        assert_non_null(strstr(p->hint, bad[i].hint));
        assert_int_equal(p->at.line, bad[i].line);
        if (bad[i].col)
            assert_int_equal(p->at.col, bad[i].col);
        cn_ctx_clear(&w->cx);
        remove_files(w->dir);
    }
}

static void all_problems_of_a_file_are_told(void **state)
{
    world *w = *state;
    put(w, "accelerators.yaml",
        ACCEL "  mem: 80 B\n" SOURCED "- id: y\n  generation: hopper\n  tdp: 1 MW\n" SOURCED);
    assert_int_equal(load(w), CN_EINPUT);
    assert_int_equal(w->cx.n_problems, 2);
    assert_int_equal(w->cx.problem[1].at.line, 8);
}

static void a_pipe_is_not_waited_for(void **state)
{
    world *w = *state;
    char path[8192];
    snprintf(path, sizeof path, "%s/accelerators.yaml", w->dir);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(load(w), CN_EIO);
    assert_non_null(strstr(w->cx.problem[0].message, "not a regular file"));
    assert_true(w->cx.problem[0].hint[0] != 0);
}

static void a_missing_folder_is_named(void **state)
{
    world *w = *state;
    assert_int_equal(cn_catalog_load(&w->cx, "/no/such/folder", &w->c), CN_EIO);
    assert_non_null(strstr(w->cx.problem[0].message, "/no/such/folder"));
    cn_ctx_clear(&w->cx);
    put(w, "file", "");
    strcat(w->dir, "/file");
    assert_int_equal(load(w), CN_EIO);
    assert_non_null(strstr(w->cx.problem[0].message, "not a folder"));
    *strrchr(w->dir, '/') = 0;
}

static void an_empty_folder_changes_nothing(void **state)
{
    world *w = *state;
    size_t with, without;
    assert_int_equal(load(w), CN_OK);
    for (int i = 0; i < CN_N_TABLES; i++)
        assert_false(w->c->table[i].is_loaded); /* nor does it cost time */
    cn_catalog_models(&w->cx, w->c, &with);
    assert_int_equal(cn_catalog_load(&w->cx, NULL, &w->c), CN_OK);
    cn_catalog_models(&w->cx, w->c, &without);
    assert_int_equal(with, without);
}

/* A file of one kind leaves the others as quick as they are. */
static void other_kinds_are_still_read_entry_by_entry(void **state)
{
    world *w = *state;
    put(w, "nodes.yaml",
        "- id: ours\n  provider: on-premises\n  accelerator: h100-sxm5-80gb\n  count: 4\n" SOURCED);
    assert_int_equal(load(w), CN_OK);
    assert_true(w->c->table[CN_TABLE_NODE].is_loaded);
    const cn_node_type *t = cn_catalog_has_node(&w->cx, w->c, "ours");
    assert_non_null(t);
    assert_non_null(cn_catalog_has_accel(&w->cx, w->c, t->accelerator));
    assert_non_null(cn_catalog_has_node(&w->cx, w->c, "aws/p5.48xlarge"));
    assert_false(w->c->table[CN_TABLE_ACCEL].is_loaded);
}

/* A slip in a spec, told before the catalog is asked, must not empty its tables. */
static void earlier_problems_do_not_break_a_table(void **state)
{
    world *w = *state;
    const cn_accel *a = NULL;
    const cn_model_entry *m = NULL;
    assert_int_equal(cn_catalog_load(&w->cx, NULL, &w->c), CN_OK);
    cn_problem(&w->cx, NULL, "a slip of the caller");
    assert_int_equal(cn_catalog_accel(&w->cx, w->c, NULL, "H100", &a), CN_OK);
    assert_string_equal(a->id, "h100-sxm5-80gb");
    assert_non_null(cn_catalog_price(&w->cx, w->c, "aws/p5.48xlarge", NULL, CN_BUY_ON_DEMAND));
    assert_int_equal(cn_catalog_model(&w->cx, w->c, NULL, "llama-3.1-9b", &m), CN_EINPUT);
    assert_int_equal(w->cx.n_problems, 2); /* both are told */
    assert_non_null(strstr(w->cx.problem[1].hint, "llama-3.1-8b"));
    assert_int_equal(cn_problems(&w->cx), CN_EINPUT);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_entry_is_replaced_by_id),
        TEST(an_entry_is_added_and_its_alias_wins),
        TEST(one_constant_of_a_generation_is_changed),
        TEST(models_come_from_any_file_of_the_folder),
        TEST(a_users_price_wins_over_a_newer_one),
        TEST(facts_are_replaced),
        TEST(bad_entries_say_where_and_what),
        TEST(all_problems_of_a_file_are_told),
        TEST(a_pipe_is_not_waited_for),
        TEST(a_missing_folder_is_named),
        TEST(an_empty_folder_changes_nothing),
        TEST(other_kinds_are_still_read_entry_by_entry),
        TEST(earlier_problems_do_not_break_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
