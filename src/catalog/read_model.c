/*
 * read_model.c - the shape of a model, from a catalog entry or from a map written inline.
 *
 * A model is its edges (hidden, vocab, positions) and a list of blocks; a model of one kind of
 * layer may write the keys of its block beside the edges and leave `blocks` out. Defaults follow
 * what most models are: causal in the trunk, gated, without biases, as many key/value heads as
 * heads.
 */
#include <math.h>

#include "base/bind.h"
#include "catalog/read.h"

/* Keys of a block; used for a block's own map and, with blocks left out, for the model's. */
#define COUNT(key_, type, member, lo, hi)                                                          \
    {                                                                                              \
        .key = key_, .kind = CN_BIND_COUNT, .offset = offsetof(type, member), .min = lo, .max = hi \
    }
#define ENUM(key_, type, member, list)                                                             \
    {                                                                                              \
        .key = key_, .kind = CN_BIND_ENUM, .offset = offsetof(type, member), .names = list         \
    }
#define FLAG(key_, type, member)                                                                   \
    {                                                                                              \
        .key = key_, .kind = CN_BIND_BOOL, .offset = offsetof(type, member)                        \
    }
#define BLOCK_FIELDS(type, m)                                                                      \
    ENUM("part", type, m part, parts), ENUM("attn", type, m attn, attns),                          \
        COUNT("layers", type, m b.n_layers, 1, 10000), COUNT("heads", type, m b.n_heads, 1, 1e5),  \
        COUNT("kv_heads", type, m b.n_kv_heads, 1, 1e5),                                           \
        COUNT("head_dim", type, m b.head_dim, 1, 1e5), COUNT("q_rank", type, m b.q_rank, 0, 1e6),  \
        COUNT("kv_rank", type, m b.kv_rank, 1, 1e6),                                               \
        COUNT("rope_dim", type, m b.rope_dim, 0, 1e5), COUNT("v_dim", type, m b.v_dim, 1, 1e5),    \
        COUNT("window", type, m b.window, 0, 1e9), COUNT("ffn", type, m b.ffn, 0, 1e7),            \
        COUNT("experts", type, m b.n_experts, 0, 1e5), COUNT("top_k", type, m b.top_k, 1, 1e5),    \
        COUNT("expert_ffn", type, m b.expert_ffn, 1, 1e7),                                         \
        COUNT("shared_ffn", type, m b.shared_ffn, 0, 1e7), COUNT("seq", type, m b.seq, 0, 1e9),    \
        FLAG("causal", type, m b.is_causal), FLAG("cross", type, m b.has_cross),                   \
        FLAG("bias", type, m b.has_bias), FLAG("gated", type, m b.is_gated),                       \
        FLAG("frozen", type, m b.is_frozen),                                                       \
    {                                                                                              \
        .key = "token_ratio", .kind = CN_BIND_QUANTITY, .dim = CN_DIM_RATIO,                       \
        .offset = offsetof(type, m b.token_ratio), .min = 1e-6, .max = 1e6                         \
    }

static const char *const parts[] = {"trunk", "encoder", "tower", NULL};
static const char *const attns[] = {"gqa", "mla", "none", NULL};

typedef struct raw_block {
    cn_block b;
    int part, attn; /* cn_part_kind, cn_attn_kind */
} raw_block;

typedef struct raw_model {
    cn_head head;
    cn_model_entry m;
    raw_block block; /* a model of one kind of layer */
    const cn_node *blocks;
} raw_model;

static const cn_bind_field block_fields[] = {
    BLOCK_FIELDS(raw_block, ),
    COUNT("hidden", raw_block, b.hidden, 1, 1e7),
};

static const cn_bind_field model_fields[] = {
    CN_HEAD_FIELDS(raw_model, head),
    BLOCK_FIELDS(raw_model, block.),
    {.key = "family", .kind = CN_BIND_TEXT, .offset = offsetof(raw_model, m.family)},
    {.key = "params",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_PARAMS,
     .offset = offsetof(raw_model, m.params_published),
     .min = 1e5,
     .max = 1e15},
    COUNT("context", raw_model, m.context, 1, 1e9),
    COUNT("hidden", raw_model, m.shape.hidden, 1, 1e7),
    COUNT("vocab", raw_model, m.shape.vocab, 1, 1e8),
    COUNT("positions", raw_model, m.shape.positions, 0, 1e8),
    COUNT("mtp", raw_model, m.shape.n_mtp, 0, 100),
    {.key = "dropout",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_RATIO,
     .offset = offsetof(raw_model, m.shape.dropout_ratio),
     .min = 0,
     .max = 0.99},
    FLAG("tied", raw_model, m.shape.is_tied),
    FLAG("head", raw_model, m.shape.has_head),
    {.key = "blocks", .kind = CN_BIND_NODE, .offset = offsetof(raw_model, blocks)},
};

static raw_block new_block(void)
{
    raw_block r = {.part = CN_PART_TRUNK, .attn = CN_ATTN_GQA};
    r.b.n_layers = NAN;
    r.b.is_gated = r.b.is_causal = true;
    r.b.token_ratio = 1;
    return r;
}

static void need(cn_ctx *cx, const cn_node *node, const char *key, double value)
{
    if (value > 0)
        return;
    cn_problem(cx, &node->at, "a block of a model does not say its %s", key);
    cn_hint(cx, "add %s: NUMBER", key);
}

/* Defaults that hang on other keys, then what a block cannot do without. */
static cn_block finish_block(cn_ctx *cx, const cn_node *node, const raw_block *r, double hidden)
{
    cn_block b = r->b;
    b.part = (cn_part_kind)r->part;
    b.attn = (cn_attn_kind)r->attn;
    if (!(b.hidden > 0))
        b.hidden = hidden;
    if (b.part != CN_PART_TRUNK && !cn_node_get(node, "causal"))
        b.is_causal = false;
    if (b.attn != CN_ATTN_NONE && !(b.n_kv_heads > 0))
        b.n_kv_heads = b.n_heads;
    if (b.attn == CN_ATTN_GQA && !(b.head_dim > 0) && b.n_heads > 0)
        b.head_dim = b.hidden / b.n_heads;
    need(cx, node, "layers", b.n_layers);
    need(cx, node, "hidden", b.hidden);
    if (b.attn != CN_ATTN_NONE)
        need(cx, node, "heads", b.n_heads);
    if (b.attn == CN_ATTN_MLA) {
        need(cx, node, "head_dim", b.head_dim);
        need(cx, node, "kv_rank", b.kv_rank);
    }
    if (b.n_experts > 0) {
        need(cx, node, "expert_ffn", b.expert_ffn);
        need(cx, node, "top_k", b.top_k);
        if (b.top_k > b.n_experts)
            cn_problem(cx, &node->at, "top_k %g is more than the %g experts", b.top_k, b.n_experts);
    }
    if (b.n_kv_heads > b.n_heads)
        cn_problem(cx, &node->at, "kv_heads %g is more than the %g heads", b.n_kv_heads, b.n_heads);
    return b;
}

static void read_blocks(cn_ctx *cx, const cn_node *list, cn_shape *s)
{
    if (list->kind != CN_NODE_LIST || list->n == 0 || list->n > CN_MAX_BLOCKS) {
        cn_problem(cx, &list->at, "blocks is not a list of 1 to %d blocks", CN_MAX_BLOCKS);
        return;
    }
    for (size_t i = 0; i < list->n; i++) {
        raw_block r = new_block();
        const cn_node *node = list->child[i];
        cn_bind(cx, node, "block", block_fields, sizeof block_fields / sizeof *block_fields, &r,
                NULL);
        s->block[s->n_blocks++] = finish_block(cx, node, &r, s->hidden);
    }
}

/* One kind of layer, or a list: both would leave the reader guessing. */
static void read_shape(cn_ctx *cx, const cn_node *node, raw_model *r)
{
    cn_shape *s = &r->m.shape;
    if (!(s->hidden > 0) || !(s->vocab > 0)) {
        cn_problem(cx, &node->at, "a model does not say its %s",
                   s->hidden > 0 ? "vocab" : "hidden");
        cn_hint(cx, "a model needs hidden, vocab and layers");
    }
    if (r->blocks && !isnan(r->block.b.n_layers)) {
        cn_problem(cx, &r->blocks->at, "a model has both blocks and layers");
        cn_hint(cx, "put layers inside a block, or leave blocks out");
    }
    if (r->blocks)
        read_blocks(cx, r->blocks, s);
    else
        s->block[s->n_blocks++] = finish_block(cx, node, &r->block, s->hidden);
}

static cn_code bind_model(cn_ctx *cx, const cn_node *node, raw_model *r)
{
    *r = (raw_model){.block = new_block()};
    r->m.params_published = r->m.context = NAN;
    r->m.shape.has_head = true;
    cn_bind(cx, node, "model", model_fields, sizeof model_fields / sizeof *model_fields, r, NULL);
    read_shape(cx, node, r);
    CN_TRY(cn_head_aliases(cx, &r->head, &r->m.n_aliases, &r->m.alias));
    r->m.id = r->head.id;
    r->m.name = r->head.name ? r->head.name : r->head.id;
    return cn_problems(cx);
}

cn_code cn_read_model(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry)
{
    (void)c;
    raw_model r;
    cn_code code = bind_model(cx, node, &r);
    cn_head_source(cx, node, &r.head, &r.m.source);
    *(cn_model_entry *)entry = r.m;
    return code;
}

cn_code cn_catalog_model_inline(cn_ctx *cx, const cn_node *node, cn_model_entry *out)
{
    raw_model r;
    CN_TRY(bind_model(cx, node, &r));
    r.m.id = r.head.id ? r.head.id : "inline";
    r.m.name = r.m.name ? r.m.name : r.m.id;
    r.m.source = (cn_source){r.head.source, r.head.checked, node->at.file, node->at.line};
    *out = r.m;
    return CN_OK;
}
