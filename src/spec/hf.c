/*
 * hf.c - a Hugging Face config.json -> a model's shape.
 *
 * The problem: sixty families, each with its own names and its own silent facts. The idea: names do
 * not contradict each other, so every number has one list of the names it goes by; what a config
 * does not say (is the MLP gated, are the embeddings tied unless said, does intermediate_size mean
 * an expert) is one row per family. A family that is not in the table is an error that names the
 * facts it would need: guessing them moves the answer by a third. Vision and audio towers are read
 * from their own sub-config by the same lists. Source: transformers' config classes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "spec/spec_parts.h"

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

enum {
    GATED = 1u << 0,             /* three matrices in the MLP */
    TIED = 1u << 1,              /* embeddings shared with the head unless the config says no */
    BIAS = 1u << 2,              /* biases in attention and MLP, LayerNorm */
    LEARNED = 1u << 3,           /* learned position embeddings */
    ENCODER = 1u << 4,           /* every token sees every token; no decoder */
    NO_HEAD = 1u << 5,           /* no vocabulary head */
    EXPERT_FFN = 1u << 6,        /* intermediate_size is one expert's */
    ENC_DEC = 1u << 7,           /* encoder and decoder with cross-attention */
    PATCHES = 1u << 8,           /* tokens are patches of an image */
    HALF_WINDOW = 1u << 9,       /* every other layer has the sliding window */
    SHARED_IS_EXPERT = 1u << 10, /* one always-on expert of the routed ones' width */
    GATED_BY_NAME = 1u << 11,    /* gated if feed_forward_proj says so */
    FOURFOLD = 1u << 12,         /* the MLP is four times as wide as the model unless said */
    BOTH_HALVES = 1u << 13,      /* intermediate_size counts gate and value together */
    EVEN_VALUES = 1u << 14       /* a value head is hidden / heads wide unless said */
};

static const struct {
    const char *type;
    unsigned facts;
} families[] = {
    {"llama", GATED},
    {"mistral", GATED},
    {"mixtral", GATED | EXPERT_FFN},
    {"qwen2", GATED},
    {"qwen3", GATED},
    {"qwen2_moe", GATED},
    {"qwen3_moe", GATED},
    {"qwen2_vl", GATED},
    {"qwen2_5_vl", GATED},
    {"qwen2_5_vl_text", GATED},
    {"qwen2_vl_text", GATED},
    {"qwen", GATED | BOTH_HALVES},
    {"gemma", GATED | TIED},
    {"gemma2", GATED | TIED | HALF_WINDOW},
    {"gemma3", GATED | TIED},
    {"gemma3_text", GATED | TIED},
    {"phi", BIAS},
    {"phi3", GATED},
    {"phi3small", GATED | TIED},
    {"phimoe", GATED | EXPERT_FFN},
    {"falcon", TIED | FOURFOLD},
    {"RefinedWeb", TIED | FOURFOLD},
    {"RefinedWebModel", TIED | FOURFOLD},
    {"gpt2", TIED | BIAS | LEARNED | FOURFOLD},
    {"gpt_bigcode", TIED | BIAS | LEARNED | FOURFOLD},
    {"gpt_neo", TIED | BIAS | LEARNED | FOURFOLD},
    {"gpt_neox", BIAS},
    {"gptj", BIAS | FOURFOLD},
    {"codegen", BIAS | FOURFOLD},
    {"opt", TIED | BIAS | LEARNED},
    {"bloom", TIED | BIAS | FOURFOLD},
    {"mpt", TIED | FOURFOLD},
    {"starcoder2", TIED | BIAS},
    {"deepseek", GATED},
    {"deepseek_v2", GATED},
    {"deepseek_v3", GATED},
    {"kimi_k2", GATED},
    {"gpt_oss", GATED | BIAS | EXPERT_FFN | HALF_WINDOW},
    {"olmo", GATED},
    {"olmo2", GATED},
    {"olmoe", GATED | EXPERT_FFN},
    {"cohere", GATED | TIED},
    {"cohere2", GATED | TIED},
    {"glm", GATED},
    {"glm4", GATED},
    {"glm4_moe", GATED},
    {"chatglm", GATED},
    {"internlm", GATED},
    {"internlm2", GATED},
    {"baichuan", GATED},
    {"yi", GATED},
    {"Yi", GATED},
    {"stablelm", GATED},
    {"granite", GATED | TIED},
    {"granitemoe", GATED | TIED | EXPERT_FFN},
    {"nemotron", 0},
    {"dbrx", GATED | EXPERT_FFN},
    {"grok-1", GATED | TIED | EXPERT_FFN},
    {"minicpm", GATED | TIED},
    {"minicpm3", GATED | TIED | EVEN_VALUES},
    {"llama4", GATED | EXPERT_FFN | SHARED_IS_EXPERT},
    {"llama4_text", GATED | EXPERT_FFN | SHARED_IS_EXPERT},
    {"mllama", GATED},
    {"mllama_text_model", GATED},
    {"llava", GATED},
    {"llava_next", GATED},
    {"paligemma", GATED | TIED},
    {"smollm3", GATED | TIED},
    {"exaone", GATED},
    {"t5", TIED | ENC_DEC | GATED_BY_NAME},
    {"mt5", ENC_DEC | GATED_BY_NAME},
    {"umt5", ENC_DEC | GATED_BY_NAME},
    {"bart", TIED | BIAS | LEARNED | ENC_DEC},
    {"whisper", TIED | BIAS | LEARNED | ENC_DEC},
    {"bert", TIED | BIAS | LEARNED | ENCODER},
    {"roberta", TIED | BIAS | LEARNED | ENCODER},
    {"xlm-roberta", TIED | BIAS | LEARNED | ENCODER},
    {"distilbert", TIED | BIAS | LEARNED | ENCODER},
    {"modernbert", TIED | GATED | ENCODER},
    {"vit", BIAS | ENCODER | NO_HEAD | PATCHES},
    {"siglip_vision_model", BIAS | ENCODER | NO_HEAD | PATCHES},
    {"clip_vision_model", BIAS | ENCODER | NO_HEAD | PATCHES},
    {"dinov2", BIAS | ENCODER | NO_HEAD | PATCHES},
};

/* The names a number goes by, most usual first. A dot goes into a sub-object. */
typedef struct {
    const char *name[8];
} names;

static const names hidden_n = {
    {"hidden_size", "n_embd", "d_model", "n_embed", "emb_size", "embed_dim", "dim"}};
static const names layers_n = {
    {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "decoder_layers", "depth"}};
static const names heads_n = {{"num_attention_heads", "n_head", "n_heads", "num_heads",
                               "decoder_attention_heads", "attention_heads", "num_q_heads"}};
static const names kv_heads_n = {{"num_key_value_heads", "num_kv_heads", "n_head_kv",
                                  "multi_query_group_num", "attn_config.kv_n_heads"}};
static const names head_dim_n = {
    {"head_dim", "d_kv", "kv_channels", "attention_head_dim", "key_size"}};
static const names ffn_n = {{"intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size", "d_ff",
                             "decoder_ffn_dim", "ffn_config.ffn_hidden_size", "hidden_dim"}};
static const names vocab_n = {{"vocab_size", "padded_vocab_size"}};
static const names context_n = {{"max_position_embeddings", "n_positions", "max_seq_len",
                                 "seq_length", "n_ctx", "max_target_positions"}};
static const names experts_n = {{"num_experts", "num_local_experts", "n_routed_experts",
                                 "ffn_config.moe_num_experts", "num_routed_experts"}};
static const names top_k_n = {{"num_experts_per_tok", "experts_per_token", "num_selected_experts",
                               "ffn_config.moe_top_k", "moe_topk"}};
static const names expert_ffn_n = {{"moe_intermediate_size", "expert_ffn_dim"}};
static const names shared_n = {{"n_shared_experts", "num_shared_experts", "num_shared_expert"}};
static const names dense_ffn_n = {{"intermediate_size_mlp"}};
static const names encoder_layers_n = {{"encoder_layers", "num_layers"}};
static const names decoder_layers_n = {{"decoder_layers", "num_decoder_layers", "num_layers"}};

static double number(const cn_node *n, const names *list)
{
    double x;
    for (size_t i = 0; i < COUNT_OF(list->name) && list->name[i]; i++) {
        const cn_node *v = cn_node_path(n, list->name[i]);
        if (v && v->kind == CN_NODE_SCALAR && cn_parse_double(v->text, &x))
            return x;
    }
    return NAN;
}

static double key(const cn_node *n, const char *name)
{
    const names one = {{name}};
    return number(n, &one);
}

static double or_else(double x, double fallback)
{
    return isnan(x) ? fallback : x;
}

/* -1 = not said. */
static int truth(const cn_node *n, const char *name)
{
    const cn_node *v = cn_node_path(n, name);
    if (!v || v->kind != CN_NODE_SCALAR)
        return -1;
    return strcmp(v->text, "true") == 0 ? 1 : strcmp(v->text, "false") == 0 ? 0 : -1;
}

static const char *text_of(const cn_node *n, const char *name)
{
    const cn_node *v = cn_node_path(n, name);
    return v && v->kind == CN_NODE_SCALAR ? v->text : NULL;
}

static const char *type_at(size_t i, const void *arg)
{
    (void)arg;
    return families[i].type;
}

static bool find_family(const char *type, unsigned *facts)
{
    for (size_t i = 0; type && i < COUNT_OF(families); i++) {
        if (strcmp(families[i].type, type) == 0) {
            *facts = families[i].facts;
            return true;
        }
    }
    return false;
}

/* What would have to be known to count an unknown family: the numbers it lacks, and the facts no
 * config states. */
static cn_code unknown_family(cn_ctx *cx, const cn_node *root, const char *type)
{
    static const struct {
        const names *list;
        const char *name;
    } needed[] = {{&hidden_n, "hidden"},
                  {&layers_n, "layers"},
                  {&heads_n, "heads"},
                  {&ffn_n, "ffn"},
                  {&vocab_n, "vocab"}};
    char missing[128] = "";
    for (size_t i = 0; i < COUNT_OF(needed); i++) {
        if (isnan(number(root, needed[i].list))) {
            strcat(missing, needed[i].name);
            strcat(missing, ", ");
        }
    }
    const cn_node *at = cn_node_get(root, "model_type");
    const char *near = type ? cn_text_nearest(type, type_at, COUNT_OF(families), NULL) : NULL;
    cn_fail(cx, CN_EINPUT, at ? &at->at : &root->at,
            "model family \"%s\" is unknown: missing %sgated, tied and bias of its layers",
            type ? type : "(no model_type)", missing);
    if (near)
        return cn_hint(
            cx,
            "did you mean \"%s\"? else write the model inline: model: {layers, hidden, heads, ffn, "
            "vocab, gated, tied}",
            near);
    return cn_hint(cx, "write the model inline in a spec: model: {layers, hidden, heads, ffn, "
                       "vocab, gated, tied}");
}

static cn_code missing(cn_ctx *cx, const cn_node *n, double x, const names *list)
{
    if (x > 0)
        return CN_OK;
    cn_fail(cx, CN_EINPUT, &n->at, "the model config has no \"%s\"", list->name[0]);
    return cn_hint(cx, "is this the config.json of the model itself?");
}

/* NaN if neither the config nor its family says. */
static double mlp_width(const cn_node *n, unsigned facts, double hidden)
{
    double ratio = or_else(key(n, "expansion_ratio"), key(n, "mlp_ratio"));
    if (isnan(ratio) && (facts & FOURFOLD))
        ratio = 4;
    double said = number(n, &ffn_n);
    return or_else(facts & BOTH_HALVES ? said / 2 : said, ratio * hidden);
}

static void set_latent(const cn_node *n, unsigned facts, cn_block *b)
{
    if (isnan(key(n, "kv_lora_rank")))
        return;
    b->attn = CN_ATTN_MLA;
    b->kv_rank = key(n, "kv_lora_rank");
    b->q_rank = or_else(key(n, "q_lora_rank"), 0);
    b->rope_dim = or_else(key(n, "qk_rope_head_dim"), 64);
    b->head_dim = or_else(key(n, "qk_nope_head_dim"), 128);
    b->v_dim = or_else(key(n, "v_head_dim"), facts & EVEN_VALUES ? b->hidden / b->n_heads : 128);
    b->n_kv_heads = b->n_heads;
}

static double kv_heads(const cn_node *n, double heads)
{
    double kv = number(n, &kv_heads_n);
    bool new_falcon = truth(n, "new_decoder_architecture") == 1;
    if (truth(n, "multi_query") == 1 && !new_falcon)
        return 1;
    if (truth(n, "multi_query_attention") == 0)
        return heads;
    return or_else(kv, heads);
}

/* The layer every other one is like, before experts and windows. */
static cn_code plain_block(cn_ctx *cx, const cn_node *n, unsigned facts, cn_block *b)
{
    double hidden = number(n, &hidden_n), layers = number(n, &layers_n),
           heads = number(n, &heads_n);
    CN_TRY(missing(cx, n, hidden, &hidden_n));
    CN_TRY(missing(cx, n, layers, &layers_n));
    CN_TRY(missing(cx, n, heads, &heads_n));
    *b = (cn_block){.n_layers = layers, .hidden = hidden, .n_heads = heads, .token_ratio = 1};
    b->n_kv_heads = kv_heads(n, heads);
    b->head_dim = or_else(number(n, &head_dim_n), hidden / heads);
    b->is_causal = !(facts & ENCODER);
    b->is_gated = (facts & GATED) != 0;
    const char *form = text_of(n, "feed_forward_proj");
    if ((facts & GATED_BY_NAME) && form && strstr(form, "gated"))
        b->is_gated = true;
    b->has_bias = (facts & BIAS) && truth(n, "no_bias") != 1 && truth(n, "bias") != 0;
    b->ffn = mlp_width(n, facts, hidden);
    set_latent(n, facts, b);
    if (b->ffn > 0 || number(n, &expert_ffn_n) > 0)
        return CN_OK;
    return missing(cx, n, b->ffn, &ffn_n);
}

/* Experts in all layers but the leading dense ones, or in every step-th layer. */
static void add_experts(const cn_node *n, unsigned facts, cn_shape *s, cn_block b)
{
    double experts = number(n, &experts_n),
           step = or_else(key(n, "interleave_moe_layer_step"), key(n, "decoder_sparse_step"));
    double dense = or_else(key(n, "first_k_dense_replace"), 0);
    const cn_node *only = cn_node_path(n, "mlp_only_layers");
    if (only && only->kind == CN_NODE_LIST)
        dense += (double)only->n;
    if (!(experts > 1)) {
        s->block[s->n_blocks++] = b;
        return;
    }
    cn_block routed = b;
    if (step > 1)
        dense = b.n_layers - floor(b.n_layers / step);
    routed.n_layers = b.n_layers - dense;
    routed.n_experts = experts;
    routed.top_k = or_else(number(n, &top_k_n), 1);
    routed.expert_ffn = facts & EXPERT_FFN ? b.ffn : or_else(number(n, &expert_ffn_n), b.ffn);
    double shared = key(n, "shared_expert_intermediate_size");
    routed.shared_ffn =
        or_else(shared, or_else(number(n, &shared_n), facts & SHARED_IS_EXPERT ? 1 : 0) *
                            routed.expert_ffn);
    routed.ffn = 0;
    if (dense > 0) {
        cn_block lead = b;
        lead.n_layers = dense;
        lead.ffn = or_else(number(n, &dense_ffn_n), b.ffn);
        s->block[s->n_blocks++] = lead;
    }
    s->block[s->n_blocks++] = routed;
}

/* Layers with a sliding window: said layer by layer, by a pattern, by the family, or all. */
static double window_share(const cn_node *n, unsigned facts, double window)
{
    const cn_node *types = cn_node_path(n, "layer_types");
    if (!(window > 0) || truth(n, "use_sliding_window") == 0)
        return 0;
    if (types && types->kind == CN_NODE_LIST && types->n) {
        double sliding = 0;
        for (size_t i = 0; i < types->n; i++)
            sliding += types->child[i]->text && strstr(types->child[i]->text, "sliding") ? 1 : 0;
        return sliding / (double)types->n;
    }
    double pattern = key(n, "sliding_window_pattern");
    if (pattern > 1)
        return 1 - 1 / pattern;
    return facts & HALF_WINDOW ? 0.5 : 1;
}

static void split_windows(const cn_node *n, unsigned facts, cn_shape *s)
{
    double window = key(n, "sliding_window"), share = window_share(n, facts, window);
    int blocks = s->n_blocks;
    for (int i = 0; share > 0 && i < blocks && s->n_blocks < CN_MAX_BLOCKS; i++) {
        cn_block *b = &s->block[i];
        double local = round(b->n_layers * share);
        if (local >= b->n_layers) {
            b->window = window;
        } else if (local > 0) {
            cn_block narrow = *b;
            narrow.n_layers = local;
            narrow.window = window;
            b->n_layers -= local;
            s->block[s->n_blocks++] = narrow;
        }
    }
}

/* T5, BART, Whisper: the decoder's layers also look at the encoder's output. */
static void add_encoder(const cn_node *n, cn_shape *s)
{
    cn_block *decoder = &s->block[s->n_blocks - 1];
    cn_block encoder = *decoder;
    encoder.part = CN_PART_ENCODER;
    encoder.n_layers = or_else(number(n, &encoder_layers_n), decoder->n_layers);
    encoder.n_heads = or_else(key(n, "encoder_attention_heads"), decoder->n_heads);
    encoder.n_kv_heads = encoder.n_heads;
    encoder.ffn = or_else(key(n, "encoder_ffn_dim"), decoder->ffn);
    encoder.is_causal = false;
    double frames = key(n, "max_source_positions"), most = key(n, "max_target_positions");
    if (frames > 0 && most > 0) { /* audio: the encoder's length is its own */
        encoder.seq = frames;
        encoder.token_ratio = frames / most;
    }
    decoder->n_layers = or_else(number(n, &decoder_layers_n), decoder->n_layers);
    decoder->has_cross = true;
    s->block[s->n_blocks++] = encoder;
}

static double patches(const cn_node *n)
{
    double image = key(n, "image_size"),
           patch = or_else(key(n, "patch_size"), key(n, "spatial_patch_size"));
    return image > 0 && patch > 0 ? (image / patch) * (image / patch) + 1 : NAN;
}

/* A vision or audio tower from its sub-config. Where both stand, embed_dim is the tower's width and
 * hidden_size the text model's, which it is projected to (Qwen2-VL). One image per `context` text
 * tokens unless the spec says more. */
static void add_tower(const cn_node *n, double context, cn_shape *s)
{
    double hidden = or_else(key(n, "embed_dim"), number(n, &hidden_n)),
           layers = number(n, &layers_n), heads = number(n, &heads_n);
    if (!(hidden > 0) || !(layers > 0) || !(heads > 0) || s->n_blocks == CN_MAX_BLOCKS)
        return;
    cn_block b = {.part = CN_PART_TOWER, .n_layers = layers, .hidden = hidden, .n_heads = heads};
    b.n_kv_heads = heads;
    b.head_dim = hidden / heads;
    b.ffn = or_else(number(n, &ffn_n), or_else(key(n, "mlp_ratio"), 4) * hidden);
    b.has_bias = true;
    b.seq = or_else(patches(n), 256);
    b.token_ratio = b.seq / context;
    s->block[s->n_blocks++] = b;
}

static cn_code read_shape(cn_ctx *cx, const cn_node *n, unsigned facts, cn_shape *s)
{
    cn_block b;
    CN_TRY(plain_block(cx, n, facts, &b));
    *s = (cn_shape){.hidden = b.hidden, .has_head = !(facts & NO_HEAD)};
    s->vocab = or_else(number(n, &vocab_n), 0);
    if (s->has_head)
        CN_TRY(missing(cx, n, s->vocab, &vocab_n));
    int tied = truth(n, "tie_word_embeddings");
    s->is_tied = tied < 0 ? (facts & TIED) != 0 : tied == 1;
    s->n_mtp = or_else(key(n, "num_nextn_predict_layers"), 0);
    if (facts & LEARNED)
        s->positions = or_else(number(n, &context_n), 0);
    if (facts & PATCHES) {
        b.seq = or_else(patches(n), 0);
        s->positions = b.seq;
    }
    add_experts(n, facts, s, b);
    if (facts & ENC_DEC)
        add_encoder(n, s);
    split_windows(n, facts, s);
    return CN_OK;
}

static const char *config_name(cn_ctx *cx, const cn_node *root, const char *type)
{
    const char *name = text_of(root, "_name_or_path");
    if (name && *name)
        return name;
    return type ? cn_arena_printf(&cx->arena, "%s model", type) : "model";
}

cn_code cn_hf_config(cn_ctx *cx, const cn_node *root, cn_model_entry *out)
{
    if (root->kind != CN_NODE_MAP) {
        cn_fail(cx, CN_EINPUT, &root->at, "a model config must be an object");
        return cn_hint(cx, "is this the config.json of a model?");
    }
    const cn_node *text = cn_node_get(root, "text_config");
    const cn_node *body =
        text && text->kind == CN_NODE_MAP && !isnan(number(text, &hidden_n)) ? text : root;
    const char *type = text_of(root, "model_type"), *inner = text_of(body, "model_type");
    unsigned facts;
    if (!find_family(inner, &facts) && !find_family(type, &facts))
        return unknown_family(cx, root, inner ? inner : type);
    *out = (cn_model_entry){.family = type ? type : "", .params_published = NAN};
    out->context = number(body, &context_n);
    out->id = out->name = config_name(cx, root, type);
    out->source = (cn_source){"model config", "", root->at.file, root->at.line};
    CN_TRY(read_shape(cx, body, facts, &out->shape));
    const char *const towers[] = {"vision_config", "audio_config"};
    for (size_t i = 0; i < COUNT_OF(towers); i++) {
        const cn_node *t = cn_node_get(root, towers[i]);
        if (t && t->kind == CN_NODE_MAP)
            add_tower(t, or_else(out->context > 0 ? fmin(out->context, 4096) : NAN, 4096),
                      &out->shape);
    }
    return CN_OK;
}
