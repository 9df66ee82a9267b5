/* catalog_test.c - the catalog as shipped: every entry loads, facts are sane, names are found. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/csv.h"
#include "base/when.h"
#include "catalog/catalog.h"

typedef struct world {
    cn_ctx cx;
    cn_catalog *c;
} world;

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    double now;
    assert_non_null(w);
    assert_true(cn_when_parse("2026-12-01", &now));
    cn_ctx_init(&w->cx, now);
    assert_int_equal(cn_catalog_load(&w->cx, NULL, &w->c), CN_OK);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    world *w = *state;
    cn_ctx_done(&w->cx);
    free(w);
    return 0;
}

static void no_problem(world *w)
{
    for (int i = 0; i < w->cx.n_problems; i++)
        print_message("# %s:%d: %s (%s)\n", w->cx.problem[i].at.file, w->cx.problem[i].at.line,
                      w->cx.problem[i].message, w->cx.problem[i].hint);
    assert_int_equal(w->cx.code, CN_OK);
}

static void all_tables_load(void **state)
{
    world *w = *state;
    size_t accels, nodes, models, frameworks, rates, failures, laws, prices;
    cn_catalog_accels(&w->cx, w->c, &accels);
    cn_catalog_nodes(&w->cx, w->c, &nodes);
    cn_catalog_models(&w->cx, w->c, &models);
    cn_catalog_frameworks(&w->cx, w->c, &frameworks);
    cn_catalog_rates(&w->cx, w->c, &rates);
    cn_catalog_failures(&w->cx, w->c, &failures);
    cn_catalog_laws(&w->cx, w->c, &laws);
    cn_catalog_prices(&w->cx, w->c, &prices);
    cn_catalog_fx(&w->cx, w->c, "USD", "CNY");
    no_problem(w);
    assert_in_range(accels, 40, 1000);
    assert_in_range(nodes, 100, 10000);
    assert_in_range(models, 150, 10000);
    assert_in_range(frameworks, 10, 1000);
    assert_in_range(prices, 100, 100000);
    assert_in_range(rates, 30, 10000);
    assert_in_range(failures, 1, 100);
    assert_in_range(laws, 2, 100);
}

/* ------------------------------------------------------------------------------ accelerators */

static const struct {
    const char *name, *id;
    double bf16_tflop, mem_gib;
} cards[] = {
    {"H100", "h100-sxm5-80gb", 989.4, 80},
    {"h100 SXM", "h100-sxm5-80gb", 989.4, 80},
    {"NVIDIA H100 80GB HBM3", "h100-sxm5-80gb", 989.4, 80},
    {"A100-40GB SXM", "a100-sxm4-40gb", 312, 40},
    {"a100_80gb_sxm", "a100-sxm4-80gb", 312, 80},
    {"H200", "h200-sxm-141gb", 989.4, 143771.0 / 1024},
    {"GB200", "gb200", 2500, 189471.0 / 1024},
    {"MI250X (per GCD)", "mi250x-gcd", 191.5, 64},
    {"TPU v5p", "tpu-v5p", 459, 95},
    {"Ascend910B", "ascend-910b", 320, 64},
};

static void accelerators_are_found(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        const cn_accel *a;
        print_message("# %s\n", cards[i].name);
        assert_int_equal(cn_catalog_accel(&w->cx, w->c, NULL, cards[i].name, &a), CN_OK);
        assert_string_equal(a->id, cards[i].id);
        assert_float_equal(a->device.peak_flop_per_s[CN_BF16] / 1e12, cards[i].bf16_tflop, 1e-6);
        assert_float_equal(a->device.mem_bytes / 1073741824.0, cards[i].mem_gib, 1e-6);
    }
}

static void unknown_facts_stay_unknown(void **state)
{
    world *w = *state;
    const cn_accel *v100 = cn_catalog_has_accel(&w->cx, w->c, "V100-32GB SXM2");
    const cn_accel *p800 = cn_catalog_has_accel(&w->cx, w->c, "Kunlun P800");
    const cn_accel *card = cn_catalog_has_accel(&w->cx, w->c, "RTX4090");
    assert_float_equal(v100->device.peak_flop_per_s[CN_BF16], 0, 0);
    assert_float_equal(v100->device.peak_flop_per_s[CN_FP16], 125e12, 1);
    assert_true(isnan(p800->device.mem_bytes));
    assert_true(isnan(p800->scale_up_bytes_per_s));
    assert_true(isnan(card->nic_bytes_per_s));
}

/* A faster format is never slower; constants stay in the ranges of their list. */
static void accelerators_are_sane(void **state)
{
    world *w = *state;
    size_t n;
    const cn_accel *a = cn_catalog_accels(&w->cx, w->c, &n);
    for (size_t i = 0; i < n; i++) {
        const double *peak = a[i].device.peak_flop_per_s;
        print_message("# %s\n", a[i].id);
        assert_true(i == 0 || strcmp(a[i - 1].id, a[i].id) < 0);
        assert_true(peak[CN_FP32] <= peak[CN_BF16] || peak[CN_BF16] == 0);
        assert_true(peak[CN_FP8] >= peak[CN_BF16] || peak[CN_FP8] == 0);
        assert_true(peak[CN_FP4] >= peak[CN_FP8] || peak[CN_FP4] == 0);
        assert_non_null(a[i].source.text);
        assert_true(a[i].source.line > 0);
#define X(name, def, lo, hi, unit, help)                                                           \
    assert_true(a[i].device.eff.name >= (lo) && a[i].device.eff.name <= (hi));
        CN_EFF_LIST(X)
#undef X
    }
}

/* No two entries share a name: which one is meant would hang on their order. */
static void names_are_unique(void **state)
{
    world *w = *state;
    size_t n;
    const cn_accel *a = cn_catalog_accels(&w->cx, w->c, &n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < a[i].n_aliases; k++)
            assert_ptr_equal(cn_catalog_has_accel(&w->cx, w->c, a[i].alias[k]), &a[i]);
    const cn_model_entry *m = cn_catalog_models(&w->cx, w->c, &n);
    for (size_t i = 0; i < n; i++) {
        assert_ptr_equal(cn_catalog_has_model(&w->cx, w->c, m[i].id), &m[i]);
        for (size_t k = 0; k < m[i].n_aliases; k++)
            assert_ptr_equal(cn_catalog_has_model(&w->cx, w->c, m[i].alias[k]), &m[i]);
    }
    const cn_node_type *t = cn_catalog_nodes(&w->cx, w->c, &n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < t[i].n_aliases; k++)
            assert_ptr_equal(cn_catalog_has_node(&w->cx, w->c, t[i].alias[k]), &t[i]);
    const cn_framework *f = cn_catalog_frameworks(&w->cx, w->c, &n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < f[i].n_aliases; k++)
            assert_ptr_equal(cn_catalog_has_framework(&w->cx, w->c, f[i].alias[k]), &f[i]);
}

/* ------------------------------------------------------------------------------------ models */

static void model_counts_match_published(void **state)
{
    world *w = *state;
    size_t n, with_count = 0;
    const cn_model_entry *m = cn_catalog_models(&w->cx, w->c, &n);
    for (size_t i = 0; i < n; i++) {
        if (isnan(m[i].params_published))
            continue;
        double off = cn_shape_params(&m[i].shape) / m[i].params_published - 1;
        if (fabs(off) > 0.01)
            print_message("# %s: %.4g, published %.4g\n", m[i].id, cn_shape_params(&m[i].shape),
                          m[i].params_published);
        assert_true(fabs(off) <= 0.01);
        with_count++;
    }
    assert_in_range(with_count, 150, n);
}

static const struct {
    const char *name, *id;
    double active; /* parameters per token as published */
    double tolerance;
} actives[] = {
    {"DeepSeekV3", "deepseek-v3", 37e9, 0.04},
    {"GPT OSS 120B", "gpt-oss-120b", 5.13e9, 0.15},
    {"Qwen3_235B_a22B", "qwen3-235b-a22b", 22.2e9, 0.03},
    {"Qwen3_30B_a3B", "qwen3-30b-a3b", 3.3e9, 0.05},
    {"Mixtral-8x7B", "mixtral-8x7b", 12.9e9, 0.01},
    {"Nemotron_3_Super", "nemotron-3-super", 12.7e9, 0.05},
    {"Kimi-K2", "kimi-k2", 32e9, 0.05},
};

static void active_parameters(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < sizeof actives / sizeof *actives; i++) {
        const cn_model_entry *m;
        assert_int_equal(cn_catalog_model(&w->cx, w->c, NULL, actives[i].name, &m), CN_OK);
        assert_string_equal(m->id, actives[i].id);
        double active = cn_shape_active_params(&m->shape);
        print_message("# %s %.3g\n", m->id, active);
        assert_true(fabs(active / actives[i].active - 1) <= actives[i].tolerance);
    }
}

/* A point counts: 1.3B is not 13B. */
static void a_point_is_part_of_a_name(void **state)
{
    world *w = *state;
    assert_string_equal(cn_catalog_has_model(&w->cx, w->c, "OPT-13B")->id, "opt-13b");
    assert_string_equal(cn_catalog_has_model(&w->cx, w->c, "opt 1.3b")->id, "opt-1.3b");
}

/* -------------------------------------------------------------------------------- frameworks */

static const struct {
    const char *name, *id;
} frameworks[] = {
    {"Megatron-LM", "megatron-lm"},
    {"Megatron-LM 0.14 + TE 2.11", "mcore-te"},
    {"Megatron-LM 0.15", "mcore-te"},
    {"NVIDIA NeMo Framework Release 25.09", "nemo"},
    {"PyTorch NVIDIA Release 25.09", "nemo"},
    {"PyTorch", "pytorch-fsdp"},
    {"PyTorch 2.6.0, ROCm 6.4", "pytorch-fsdp"},
    {"Megatron-DeepSpeed ROCm", "megatron-deepspeed"},
    {"DeepSpeed ZeRO-3", "deepspeed-zero3"},
    {"NGC PyTorch Release 24.01 Deepspeed N8", "deepspeed-zero3"},
    {"maxtext", "maxtext"},
    {"llm-foundry/Composer FSDP", "composer"},
    {"T5X/Pathways", "t5x"},
    {"MXNet NVIDIA Release 24.04, PyTorch NVID", "nemo"},
};

static void frameworks_are_found(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < sizeof frameworks / sizeof *frameworks; i++) {
        const cn_framework *f = cn_catalog_has_framework(&w->cx, w->c, frameworks[i].name);
        print_message("# %s\n", frameworks[i].name);
        assert_non_null(f);
        assert_string_equal(f->id, frameworks[i].id);
    }
    assert_null(cn_catalog_has_framework(&w->cx, w->c, ""));
    assert_null(cn_catalog_has_framework(&w->cx, w->c, "Meta internal"));
    assert_string_equal(cn_catalog_default_framework(&w->cx, w->c)->id, "default");
}

/* --------------------------------------------------------------------------- nodes and prices */

static void nodes_name_known_accelerators(void **state)
{
    world *w = *state;
    size_t n;
    const cn_node_type *t = cn_catalog_nodes(&w->cx, w->c, &n);
    for (size_t i = 0; i < n; i++) {
        print_message("# %s\n", t[i].id);
        assert_non_null(cn_catalog_has_accel(&w->cx, w->c, t[i].accelerator));
    }
    const cn_price *p = cn_catalog_prices(&w->cx, w->c, &n);
    for (size_t i = 0; i < n; i++) {
        print_message("# price of %s\n", p[i].item);
        assert_true(cn_catalog_has_node(&w->cx, w->c, p[i].item) ||
                    cn_catalog_has_accel(&w->cx, w->c, p[i].item));
        assert_true(p[i].per_hour > 0);
    }
}

static void newest_price_wins(void **state)
{
    world *w = *state;
    const cn_price *p =
        cn_catalog_price(&w->cx, w->c, "aws/p5.48xlarge", "us-east-1", CN_BUY_ON_DEMAND);
    assert_non_null(p);
    assert_float_equal(p->per_hour, 55.04, 1e-9);
    assert_string_equal(p->date, "2026-11-09");
    p = cn_catalog_price(&w->cx, w->c, "gcp/a3-ultragpu-8g", NULL, CN_BUY_SPOT);
    assert_float_equal(p->per_hour, 45.0856, 1e-9); /* the cheapest region */
    assert_string_equal(p->region, "us-east4");
    p = cn_catalog_price(&w->cx, w->c, "oci/BM.GPU.H100.8", "anywhere", CN_BUY_ON_DEMAND);
    assert_float_equal(p->per_hour, 80, 1e-9); /* the same price everywhere */
    assert_null(cn_catalog_price(&w->cx, w->c, "gcp/a3-ultragpu-8g", "mars", CN_BUY_SPOT));
    assert_null(cn_catalog_price(&w->cx, w->c, "oci/BM.GPU.H100.8", NULL, CN_BUY_SPOT));
    p = cn_catalog_price(&w->cx, w->c, "runpod/h100-sxm-secure", NULL, CN_BUY_ON_DEMAND);
    assert_true(p->is_per_accel);
    p = cn_catalog_price(&w->cx, w->c, "alibaba/ecs.ebmgn7e.32xlarge", NULL, CN_BUY_ON_DEMAND);
    assert_string_equal(p->currency, "CNY");
}

static void old_prices_warn_once(void **state)
{
    world *w = *state;
    cn_catalog_price(&w->cx, w->c, "aws/p5.48xlarge", NULL, CN_BUY_ON_DEMAND);
    assert_int_equal(w->cx.n_warnings, 0); /* 22 days */
    cn_catalog_price(&w->cx, w->c, "aws/p3.16xlarge", NULL, CN_BUY_ON_DEMAND);
    cn_catalog_price(&w->cx, w->c, "aws/g4dn.metal", NULL, CN_BUY_ON_DEMAND);
    assert_int_equal(w->cx.n_warnings, 1);
}

static const struct {
    const char *name, *node;
    double domain, per_node, up, nic;
} fabrics[] = {
    {"bare H100", NULL, 8, 8, 450e9, 50e9},
    {"DGX H100", "dgx/h100", 8, 8, 450e9, 50e9},
    {"A100 of AWS", "aws/p4d.24xlarge", 8, 8, 300e9, 6.25e9},
    {"one H100", "lambda/gpu_1x_h100_sxm5", 1, 1, 450e9, 50e9},
    {"rack of 72", "dgx/gb200-tray", 72, 4, 900e9, 50e9},
    {"TPU v5e slice", "gcp/ct5lp-hightpu-8t", 256, 8, 200e9, 0},
};

static void fabric_of_a_node(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < sizeof fabrics / sizeof *fabrics; i++) {
        const cn_node_type *t = NULL;
        cn_fabric f;
        print_message("# %s\n", fabrics[i].name);
        if (fabrics[i].node)
            assert_int_equal(cn_catalog_node(&w->cx, w->c, NULL, fabrics[i].node, &t), CN_OK);
        const cn_accel *a = cn_catalog_has_accel(&w->cx, w->c, t ? t->accelerator : "H100");
        cn_catalog_fabric(a, t, &f);
        assert_float_equal(f.domain, fabrics[i].domain, 0);
        assert_float_equal(f.per_node, fabrics[i].per_node, 0);
        assert_float_equal(f.bytes_per_s[CN_TIER_NODE], fabrics[i].up, 1);
        assert_float_equal(f.bytes_per_s[CN_TIER_RAIL], fabrics[i].nic, 1);
    }
}

static void unknown_names_say_what_is_near(void **state)
{
    world *w = *state;
    const cn_accel *a = NULL;
    assert_int_equal(cn_catalog_accel(&w->cx, w->c, NULL, "h100-smx5-80gb", &a), CN_EINPUT);
    assert_null(a);
    assert_string_equal(w->cx.problem[0].message, "unknown accelerator \"h100-smx5-80gb\"");
    assert_non_null(strstr(w->cx.problem[0].hint, "did you mean h100-sxm5-80gb?"));
    cn_ctx_clear(&w->cx);
    assert_null(cn_catalog_has_accel(&w->cx, w->c, "abacus"));
    assert_int_equal(w->cx.code, CN_OK);
    assert_int_equal(cn_catalog_accel(&w->cx, w->c, NULL, "abacus of wood and beads", &a),
                     CN_EINPUT);
    assert_non_null(strstr(w->cx.problem[0].hint, "carnot catalog accelerators"));
}

/* Every spelling of the measured tables is a name (CARNOT_DATA holds them). */
static const struct {
    const char *file, *column;
    const char *but; /* a name whose shape nobody has published */
} spellings[] = {
    {"training/published_runs.csv", "accelerator", NULL},
    {"training/vtrain_single_node.csv", "accelerator", NULL},
    {"training/accelerators.csv", "accelerator", NULL},
    {"serving/published_serving.csv", "accelerator", NULL},
    {"serving/silicon_points_dev.csv", "accelerator", NULL},
    {"billing/gpu_prices.csv", "accelerator", NULL},
    {"training/published_runs.csv", "model", "Nemotron_3_5_Lightning"},
    {"serving/published_serving.csv", "model", NULL},
    {"serving/silicon_points_dev.csv", "model", NULL},
};

/* "LLAMA3-70B truncated to 12 layers", "LLAMA2-70B LoRA": a table adds a tail to a name. */
static bool is_known(world *w, const char *column, const char *name)
{
    static const char *const tails[] = {" truncated", " LoRA"};
    if (strcmp(column, "accelerator") == 0)
        return cn_catalog_has_accel(&w->cx, w->c, name) != NULL;
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        const char *tail = strstr(name, tails[i]);
        if (tail)
            name = cn_arena_strn(&w->cx.arena, name, (size_t)(tail - name));
    }
    return cn_catalog_has_model(&w->cx, w->c, name) != NULL;
}

static cn_csv open_table(cn_ctx *cx, const char *folder, const char *file)
{
    cn_csv csv;
    char *text;
    size_t len;
    const char *path = cn_arena_printf(&cx->arena, "%s/%s", folder, file);
    assert_int_equal(cn_file_read(cx, path, 64 << 20, &text, &len), CN_OK);
    assert_int_equal(cn_csv_open(cx, path, text, len, &csv), CN_OK);
    return csv;
}

static void every_spelling_is_known(void **state)
{
    world *w = *state;
    const char *folder = getenv("CARNOT_DATA");
    if (!folder) {
        print_message("# skipped: CARNOT_DATA is not set\n");
        skip();
    }
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        cn_csv csv = open_table(&w->cx, folder, spellings[i].file);
        bool more;
        while (assert_int_equal(cn_csv_next(&w->cx, &csv, &more), CN_OK), more) {
            const char *name = cn_csv_get(&csv, spellings[i].column);
            if (!*name || (spellings[i].but && strcmp(name, spellings[i].but) == 0))
                continue;
            if (!is_known(w, spellings[i].column, name))
                print_message("# %s: %s\n", spellings[i].file, name);
            assert_true(is_known(w, spellings[i].column, name));
        }
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_tables_load),
        TEST(accelerators_are_found),
        TEST(unknown_facts_stay_unknown),
        TEST(accelerators_are_sane),
        TEST(names_are_unique),
        TEST(model_counts_match_published),
        TEST(active_parameters),
        TEST(a_point_is_part_of_a_name),
        TEST(frameworks_are_found),
        TEST(nodes_name_known_accelerators),
        TEST(newest_price_wins),
        TEST(old_prices_warn_once),
        TEST(fabric_of_a_node),
        TEST(unknown_names_say_what_is_near),
        TEST(every_spelling_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
