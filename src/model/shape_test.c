/* shape_test.c - parameters and work of well-known shapes. M-21. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/fixture.h"

#define near_rel(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance)*fabs(b))

static cn_shape llama(double layers, double hidden, double heads, double kv, double ffn,
                      double vocab)
{
    cn_shape s = {.hidden = hidden, .vocab = vocab, .has_head = true, .n_blocks = 1};
    s.block[0] = fixture_block(layers, hidden, heads, ffn);
    s.block[0].n_kv_heads = kv;
    s.block[0].is_gated = true;
    return s;
}

/* deepseek-v3: three dense layers, 58 with 256 experts of which 8 work, latent attention.
 * [deepseekv3] */
static cn_shape deepseek_v3(void)
{
    cn_shape s = llama(3, 7168, 128, 128, 18432, 129280);
    cn_block *b = &s.block[0];
    b->attn = CN_ATTN_MLA;
    b->head_dim = b->v_dim = 128;
    b->q_rank = 1536;
    b->kv_rank = 512;
    b->rope_dim = 64;
    s.block[1] = *b;
    s.block[1].n_layers = 58;
    s.block[1].ffn = 0;
    s.block[1].n_experts = 256;
    s.block[1].top_k = 8;
    s.block[1].expert_ffn = s.block[1].shared_ffn = 2048;
    s.n_blocks = 2;
    return s;
}

static void published_counts(void **state)
{
    (void)state;
    cn_shape v3 = deepseek_v3();
    cn_shape l8 = llama(32, 4096, 32, 8, 14336, 128256),
             l70 = llama(80, 8192, 64, 8, 28672, 128256);
    cn_shape l405 = llama(126, 16384, 128, 8, 53248, 128256);
    near_rel(cn_shape_params(&l8), 8.0303e9, 1e-3);
    near_rel(cn_shape_params(&l70), 70.554e9, 1e-3);
    near_rel(cn_shape_params(&l405), 405.85e9, 1e-3);
    near_rel(cn_shape_params(&v3), 671.0e9, 2e-3);
    near_rel(cn_shape_active_params(&v3), 37.5e9, 2e-2);
}

/* Work per token: twice the matmul parameters, plus attention over the keys seen. */
static void work_per_token(void **state)
{
    (void)state;
    cn_shape s = llama(32, 4096, 32, 8, 14336, 128256);
    double matrices = cn_shape_params(&s) - 128256.0 * 4096 - 65 * 4096.0;
    double attention = 32.0 * 4 * 32 * 128 * 8192 / 2;
    near_rel(cn_shape_forward_flop(&s, 8192), 2 * matrices + attention, 1e-9);
}

static void windows_and_causality(void **state)
{
    (void)state;
    static const struct {
        double window, seq, want;
        bool causal;
    } row[] = {{0, 4096, 4096, false},
               {0, 4096, 2048, true},
               {128, 4096, 126, true},
               {128, 4096, 128, false},
               {8192, 4096, 2048, true}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cn_block b = fixture_block(1, 1024, 8, 4096);
        b.window = row[i].window;
        b.is_causal = row[i].causal;
        near_rel(cn_block_context(&b, row[i].seq), row[i].want, 1e-12);
    }
}

/* A tower's work is counted per token of the trunk (M-04). */
static void towers(void **state)
{
    (void)state;
    cn_shape s = llama(32, 4096, 32, 32, 11008, 32000);
    double text = cn_shape_forward_flop(&s, 4096);
    s.block[1] = fixture_block(24, 1024, 16, 4096);
    s.block[1].part = CN_PART_TOWER;
    s.block[1].token_ratio = 0.25;
    s.block[1].seq = 577;
    s.block[1].is_causal = false;
    s.n_blocks = 2;
    double both = cn_shape_forward_flop(&s, 4096);
    double tower = 0.25 * 24 * (2 * 12 * 1024.0 * 1024 + 4 * 577 * 1024.0);
    near_rel(both - text, tower, 1e-9);
    assert_true(cn_shape_layers(&s) == 32);
}

/* One number of a good model made impossible at a time. */
static void faults(void **state)
{
    (void)state;
    cn_shape s = llama(32, 4096, 32, 8, 14336, 128256);
    cn_block *b = &s.block[0];
    assert_null(cn_shape_fault(&s));
    const struct {
        double *field, bad;
        const char *says;
    } row[] = {
        {&s.hidden, 0, "hidden"},         {&s.vocab, -1, "vocab"},
        {&s.vocab, NAN, "vocab"},         {&s.n_mtp, 1e9, "mtp"},
        {&b->n_layers, 0, "layers"},      {&b->n_layers, 1e9, "layers"},
        {&b->hidden, INFINITY, "hidden"}, {&b->n_heads, 0, "heads"},
        {&b->n_kv_heads, 0, "kv_heads"},  {&b->n_kv_heads, 33, "kv_heads"},
        {&b->head_dim, 0, "head_dim"},    {&b->ffn, -1, "ffn"},
        {&b->ffn, 1e-320, "ffn"},         {&b->v_dim, 0.5, "v_dim"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double good = *row[i].field;
        *row[i].field = row[i].bad;
        const char *fault = cn_shape_fault(&s);
        *row[i].field = good;
        if (!fault || strncmp(fault, row[i].says, strlen(row[i].says)) != 0)
            fail_msg("row %zu: %s", i, fault ? fault : "no fault");
    }
    b->n_experts = 8;
    b->expert_ffn = 14336;
    assert_non_null(strstr(cn_shape_fault(&s), "top_k"));
    b->top_k = 9;
    assert_non_null(strstr(cn_shape_fault(&s), "top_k"));
    b->top_k = 8;
    assert_null(cn_shape_fault(&s));
    b->attn = CN_ATTN_MLA;
    assert_non_null(strstr(cn_shape_fault(&s), "kv_rank"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_counts),
        cmocka_unit_test(work_per_token),
        cmocka_unit_test(windows_and_causality),
        cmocka_unit_test(towers),
        cmocka_unit_test(faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
