/* hf_test.c - model configs as they are published, against the published sizes. M-21. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "spec/spec_parts.h"

/* Only the keys that matter are kept; params are the published totals, in billions. */
static const struct {
    const char *name;
    double params, tolerance;
    const char *json;
} configs[] = {
    {"llama-2-7b", 6.738, 0.001,
     "'model_type':'llama','hidden_size':4096,'intermediate_size':11008,'num_hidden_layers':32,'"
     "num_attention_heads':32,'vocab_size':32000"},
    {"llama-3.1-405b", 405.85, 0.001,
     "'model_type':'llama','hidden_size':16384,'intermediate_size':53248,'num_hidden_layers':126,'"
     "num_attention_heads':128,'num_key_value_heads':8,'vocab_size':128256"},
    {"llama-3.2-1b", 1.2358, 0.001,
     "'model_type':'llama','hidden_size':2048,'intermediate_size':8192,'num_hidden_layers':16,'num_"
     "attention_heads':32,'num_key_value_heads':8,'head_dim':64,'vocab_size':128256,'tie_word_"
     "embeddings':true"},
    {"mistral-7b", 7.2417, 0.001,
     "'model_type':'mistral','hidden_size':4096,'intermediate_size':14336,'num_hidden_layers':32,'"
     "num_attention_heads':32,'num_key_value_heads':8,'vocab_size':32000,'sliding_window':4096"},
    {"mixtral-8x7b", 46.703, 0.001,
     "'model_type':'mixtral','hidden_size':4096,'intermediate_size':14336,'num_hidden_layers':32,'"
     "num_attention_heads':32,'num_key_value_heads':8,'vocab_size':32000,'num_local_experts':8,'"
     "num_experts_per_tok':2"},
    {"qwen2-7b", 7.6156, 0.001,
     "'model_type':'qwen2','hidden_size':3584,'intermediate_size':18944,'num_hidden_layers':28,'"
     "num_attention_heads':28,'num_key_value_heads':4,'vocab_size':152064"},
    {"qwen1.5-moe-a2.7b", 14.316, 0.005,
     "'model_type':'qwen2_moe','hidden_size':2048,'intermediate_size':5632,'moe_intermediate_size':"
     "1408,'shared_expert_intermediate_size':5632,'num_experts':60,'num_experts_per_tok':4,'num_"
     "hidden_layers':24,'num_attention_heads':16,'num_key_value_heads':16,'vocab_size':151936,'"
     "decoder_sparse_step':1,'mlp_only_layers':[]"},
    {"qwen3-30b-a3b", 30.532, 0.002,
     "'model_type':'qwen3_moe','hidden_size':2048,'intermediate_size':6144,'moe_intermediate_size':"
     "768,'num_experts':128,'num_experts_per_tok':8,'num_hidden_layers':48,'num_attention_heads':"
     "32,'num_key_value_heads':4,'head_dim':128,'vocab_size':151936"},
    {"qwen3-235b-a22b", 235.09, 0.002,
     "'model_type':'qwen3_moe','hidden_size':4096,'intermediate_size':12288,'moe_intermediate_size'"
     ":1536,'num_experts':128,'num_experts_per_tok':8,'num_hidden_layers':94,'num_attention_heads':"
     "64,'num_key_value_heads':4,'head_dim':128,'vocab_size':151936"},
    {"gemma-7b", 8.5377, 0.001,
     "'model_type':'gemma','hidden_size':3072,'intermediate_size':24576,'num_hidden_layers':28,'"
     "num_attention_heads':16,'num_key_value_heads':16,'head_dim':256,'vocab_size':256000"},
    {"gemma-2-9b", 9.2417, 0.001,
     "'model_type':'gemma2','hidden_size':3584,'intermediate_size':14336,'num_hidden_layers':42,'"
     "num_attention_heads':16,'num_key_value_heads':8,'head_dim':256,'vocab_size':256000,'sliding_"
     "window':4096"},
    {"phi-2", 2.7797, 0.002,
     "'model_type':'phi','hidden_size':2560,'intermediate_size':10240,'num_hidden_layers':32,'num_"
     "attention_heads':32,'vocab_size':51200"},
    {"phi-3-mini", 3.8211, 0.001,
     "'model_type':'phi3','hidden_size':3072,'intermediate_size':8192,'num_hidden_layers':32,'num_"
     "attention_heads':32,'num_key_value_heads':32,'vocab_size':32064"},
    {"falcon-7b", 6.9217, 0.002,
     "'model_type':'falcon','hidden_size':4544,'num_hidden_layers':32,'num_attention_heads':71,'"
     "vocab_size':65024,'multi_query':true"},
    {"falcon-40b", 41.3, 0.02,
     "'model_type':'falcon','hidden_size':8192,'num_hidden_layers':60,'num_attention_heads':128,'"
     "num_kv_heads':8,'vocab_size':65024,'new_decoder_architecture':true,'multi_query':true"},
    {"gpt2-xl", 1.5576, 0.001,
     "'model_type':'gpt2','n_embd':1600,'n_layer':48,'n_head':25,'n_positions':1024,'vocab_size':"
     "50257"},
    {"gpt-neox-20b", 20.5549, 0.002,
     "'model_type':'gpt_neox','hidden_size':6144,'intermediate_size':24576,'num_hidden_layers':44,'"
     "num_attention_heads':64,'vocab_size':50432"},
    {"opt-66b", 65.7, 0.005,
     "'model_type':'opt','hidden_size':9216,'ffn_dim':36864,'num_hidden_layers':64,'num_attention_"
     "heads':72,'vocab_size':50272,'max_position_embeddings':2048"},
    {"bloom-176b", 176.247, 0.001,
     "'model_type':'bloom','n_embed':14336,'n_layer':70,'num_attention_heads':112,'vocab_size':"
     "250880"},
    {"mpt-7b", 6.6493, 0.001,
     "'model_type':'mpt','d_model':4096,'n_layers':32,'n_heads':32,'expansion_ratio':4,'vocab_size'"
     ":50432,'no_bias':true"},
    {"starcoder2-15b", 15.958, 0.003,
     "'model_type':'starcoder2','hidden_size':6144,'intermediate_size':24576,'num_hidden_layers':"
     "40,'num_attention_heads':48,'num_key_value_heads':4,'vocab_size':49152,'tie_word_embeddings':"
     "false"},
    {"deepseek-v2-lite", 15.706, 0.002,
     "'model_type':'deepseek_v2','hidden_size':2048,'intermediate_size':10944,'moe_intermediate_"
     "size':1408,'n_routed_experts':64,'n_shared_experts':2,'num_experts_per_tok':6,'first_k_dense_"
     "replace':1,'num_hidden_layers':27,'num_attention_heads':16,'num_key_value_heads':16,'kv_lora_"
     "rank':512,'q_lora_rank':null,'qk_nope_head_dim':128,'qk_rope_head_dim':64,'v_head_dim':128,'"
     "vocab_size':102400"},
    {"deepseek-v3", 671.0, 0.002,
     "'model_type':'deepseek_v3','hidden_size':7168,'intermediate_size':18432,'moe_intermediate_"
     "size':2048,'n_routed_experts':256,'n_shared_experts':1,'num_experts_per_tok':8,'first_k_"
     "dense_replace':3,'num_hidden_layers':61,'num_attention_heads':128,'num_key_value_heads':128,'"
     "kv_lora_rank':512,'q_lora_rank':1536,'qk_nope_head_dim':128,'qk_rope_head_dim':64,'v_head_"
     "dim':128,'vocab_size':129280"},
    {"gpt-oss-120b", 116.83, 0.003,
     "'model_type':'gpt_oss','hidden_size':2880,'intermediate_size':2880,'num_local_experts':128,'"
     "num_experts_per_tok':4,'num_hidden_layers':36,'num_attention_heads':64,'num_key_value_heads':"
     "8,'head_dim':64,'vocab_size':201088,'sliding_window':128"},
    {"olmo-2-7b", 7.299, 0.002,
     "'model_type':'olmo2','hidden_size':4096,'intermediate_size':11008,'num_hidden_layers':32,'"
     "num_attention_heads':32,'num_key_value_heads':32,'vocab_size':100352"},
    {"olmoe-1b-7b", 6.919, 0.002,
     "'model_type':'olmoe','hidden_size':2048,'intermediate_size':1024,'num_experts':64,'num_"
     "experts_per_tok':8,'num_hidden_layers':16,'num_attention_heads':16,'num_key_value_heads':16,'"
     "vocab_size':50304"},
    {"command-r", 34.98, 0.002,
     "'model_type':'cohere','hidden_size':8192,'intermediate_size':22528,'num_hidden_layers':40,'"
     "num_attention_heads':64,'num_key_value_heads':64,'vocab_size':256000"},
    {"dbrx", 131.597, 0.002,
     "'model_type':'dbrx','d_model':6144,'n_layers':40,'n_heads':48,'attn_config':{'kv_n_heads':8},"
     "'ffn_config':{'ffn_hidden_size':10752,'moe_num_experts':16,'moe_top_k':4},'vocab_size':"
     "100352,'tie_word_embeddings':false"},
    {"qwen-7b", 7.721, 0.002,
     "'model_type':'qwen','hidden_size':4096,'intermediate_size':22016,'num_hidden_layers':32,'num_"
     "attention_heads':32,'kv_channels':128,'vocab_size':151936,'tie_word_embeddings':false"},
    {"minicpm3-4b", 4.07, 0.005,
     "'model_type':'minicpm3','hidden_size':2560,'intermediate_size':6400,'num_hidden_layers':62,'"
     "num_attention_heads':40,'num_key_value_heads':40,'q_lora_rank':768,'kv_lora_rank':256,'qk_"
     "nope_head_dim':64,'qk_rope_head_dim':32,'vocab_size':73448"},
    {"qwen2-vl-7b", 8.291, 0.01,
     "'model_type':'qwen2_vl','hidden_size':3584,'intermediate_size':18944,'num_hidden_layers':28,'"
     "num_attention_heads':28,'num_key_value_heads':4,'vocab_size':152064,'vision_config':{'depth':"
     "32,'embed_dim':1280,'mlp_ratio':4,'num_heads':16,'hidden_size':3584,'patch_size':14}"},
    {"llama-4-maverick", 400.7, 0.01,
     "'model_type':'llama4_text','hidden_size':5120,'intermediate_size':8192,'intermediate_size_"
     "mlp':16384,'num_hidden_layers':48,'num_attention_heads':40,'num_key_value_heads':8,'head_dim'"
     ":128,'num_local_experts':128,'num_experts_per_tok':1,'interleave_moe_layer_step':2,'vocab_"
     "size':202048"},
    {"kimi-k2", 1026.4, 0.005,
     "'model_type':'kimi_k2','hidden_size':7168,'intermediate_size':18432,'moe_intermediate_size':"
     "2048,'n_routed_experts':384,'n_shared_experts':1,'num_experts_per_tok':8,'first_k_dense_"
     "replace':1,'num_hidden_layers':61,'num_attention_heads':64,'kv_lora_rank':512,'q_lora_rank':"
     "1536,'qk_nope_head_dim':128,'qk_rope_head_dim':64,'v_head_dim':128,'vocab_size':163840"},
    {"t5-11b", 11.307, 0.01,
     "'model_type':'t5','d_model':1024,'d_ff':65536,'d_kv':128,'num_layers':24,'num_heads':128,'"
     "vocab_size':32128"},
    {"bert-large", 0.335, 0.01,
     "'model_type':'bert','hidden_size':1024,'intermediate_size':4096,'num_hidden_layers':24,'num_"
     "attention_heads':16,'vocab_size':30522,'max_position_embeddings':512"},
    {"vit-large", 0.3043, 0.01,
     "'model_type':'vit','hidden_size':1024,'intermediate_size':4096,'num_hidden_layers':24,'num_"
     "attention_heads':16,'image_size':224,'patch_size':16"},
    {"whisper-large-v3", 1.5435, 0.01,
     "'model_type':'whisper','d_model':1280,'encoder_layers':32,'decoder_layers':32,'encoder_"
     "attention_heads':20,'decoder_attention_heads':20,'encoder_ffn_dim':5120,'decoder_ffn_dim':"
     "5120,'vocab_size':51866,'max_source_positions':1500,'max_target_positions':448"},
};

static cn_code read_json(cn_ctx *cx, const char *body, cn_model_entry *m)
{
    char text[2048];
    cn_node *root;
    int n = snprintf(text, sizeof text, "{%s}", body);
    for (int i = 0; i < n; i++)
        text[i] = text[i] == '\'' ? '"' : text[i];
    const char *kept = cn_arena_str(&cx->arena, text);
    assert_int_equal(cn_tree_json(cx, "config.json", kept, strlen(kept), &root), CN_OK);
    return cn_hf_config(cx, root, m);
}

static void published_sizes(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        cn_ctx cx;
        cn_model_entry m;
        cn_ctx_init(&cx, 0);
        cn_code code = read_json(&cx, configs[i].json, &m);
        double got = code == CN_OK ? cn_shape_params(&m.shape) / 1e9 : NAN;
        if (!(fabs(got / configs[i].params - 1) <= configs[i].tolerance)) {
            print_error("%s: %.4f B, published %.4f B %s\n", configs[i].name, got,
                        configs[i].params, code ? cx.problem[0].message : "");
            wrong++;
        }
        cn_ctx_done(&cx);
    }
    assert_int_equal(wrong, 0);
}

/* Text and vision in one config: the tower is read too, from its own part (M-04). */
static void vision_towers(void **state)
{
    (void)state;
    cn_ctx cx;
    cn_model_entry m;
    cn_ctx_init(&cx, 0);
    assert_int_equal(read_json(&cx,
                               "'model_type':'llava','text_config':{'model_type':'llama','hidden_"
                               "size':4096,'intermediate_size':11008,"
                               "'num_hidden_layers':32,'num_attention_heads':32,'vocab_size':32064}"
                               ",'vision_config':{'hidden_size':1024,"
                               "'intermediate_size':4096,'num_hidden_layers':24,'num_attention_"
                               "heads':16,'image_size':336,'patch_size':14}",
                               &m),
                     CN_OK);
    assert_int_equal(m.shape.n_blocks, 2);
    assert_int_equal(m.shape.block[1].part, CN_PART_TOWER);
    assert_true(m.shape.block[1].seq == 577);
    cn_ctx_done(&cx);
}

static void windows(void **state)
{
    (void)state;
    cn_ctx cx;
    cn_model_entry m;
    cn_ctx_init(&cx, 0);
    assert_int_equal(read_json(&cx, configs[23].json, &m), CN_OK);
    assert_int_equal(m.shape.n_blocks, 2);
    assert_true(m.shape.block[0].n_layers == 18 && m.shape.block[1].window == 128);
    cn_ctx_done(&cx);
}

/* An unknown family names the facts it lacks; a known one without a number names the number. Never
 * a guess. */
static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *json, *says, *hint;
    } row[] = {
        {"'model_type':'llamma','hidden_size':4096",
         "missing layers, heads, ffn, vocab, gated, tied", "\"llama\""},
        {"'architectures':['X'],'hidden_size':64", "no model_type", "inline"},
        {"'model_type':'zephyrnet','hidden_size':64,'num_hidden_layers':2,'num_attention_heads':2,'"
         "intermediate_size':9,'vocab_size':9",
         "missing gated, tied", "inline"},
        {"'model_type':'llama','hidden_size':4096", "no \"num_hidden_layers\"", "config.json"},
        {"'model_type':'llama','hidden_size':4096,'num_hidden_layers':2,'num_attention_heads':2",
         "no \"intermediate_size\"", "config.json"},
        {"'model_type':'llama','hidden_size':4096,'num_hidden_layers':2,'num_attention_heads':2,'"
         "intermediate_size':64",
         "no \"vocab_size\"", ""},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cn_ctx cx;
        cn_model_entry m;
        cn_ctx_init(&cx, 0);
        assert_int_equal(read_json(&cx, row[i].json, &m), CN_EINPUT);
        if (!strstr(cx.problem[0].message, row[i].says) || !strstr(cx.problem[0].hint, row[i].hint))
            fail_msg("%zu: \"%s\" hint \"%s\"", i, cx.problem[0].message, cx.problem[0].hint);
        cn_ctx_done(&cx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_sizes),
        cmocka_unit_test(vision_towers),
        cmocka_unit_test(windows),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
