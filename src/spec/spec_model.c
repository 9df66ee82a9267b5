/* spec_model.c - the model of a spec: a catalog name, a config.json, or numbers written inline. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "spec/spec_parts.h"

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static const char *const attentions[] = {"gqa", "mla", "none", NULL};
static const char *const tower_parts[] = {"tower", "encoder", NULL};

/* One stack of layers as written: every number NaN until given. */
typedef struct {
    double layers, hidden, ffn, heads, kv_heads, head_dim, v_dim, window, experts, top_k,
        expert_ffn, shared_experts, shared_ffn, dense_layers, q_rank, kv_rank, rope_dim,
        tokens_ratio, tokens;
    int attention, part;
    bool gated, bias, causal, frozen;
    /* of the whole model */
    double vocab, positions, mtp;
    bool tied;
    const cn_node *towers;
    const char *name;
} stack;

#define K(k, f)                                                                                    \
    {                                                                                              \
        .key = k, .kind = CN_BIND_COUNT, .offset = offsetof(stack, f), .max = 1e9                  \
    }
#define B(k, f)                                                                                    \
    {                                                                                              \
        .key = k, .kind = CN_BIND_BOOL, .offset = offsetof(stack, f)                               \
    }
/* The first N_STACK_FIELDS describe a stack; the rest only the model around it. */
static const cn_bind_field fields[] = {
    K("layers", layers),
    K("hidden", hidden),
    K("ffn", ffn),
    K("heads", heads),
    K("kv_heads", kv_heads),
    K("head_dim", head_dim),
    K("v_dim", v_dim),
    K("window", window),
    B("gated", gated),
    B("bias", bias),
    B("causal", causal),
    B("frozen", frozen),
    {.key = "part", .kind = CN_BIND_ENUM, .names = tower_parts, .offset = offsetof(stack, part)},
    {.key = "tokens_ratio",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_RATIO,
     .max = 1e6,
     .offset = offsetof(stack, tokens_ratio)},
    K("tokens", tokens),
    K("experts", experts),
    K("top_k", top_k),
    K("expert_ffn", expert_ffn),
    K("shared_experts", shared_experts),
    K("shared_ffn", shared_ffn),
    K("dense_layers", dense_layers),
    {.key = "attention",
     .kind = CN_BIND_ENUM,
     .names = attentions,
     .offset = offsetof(stack, attention)},
    K("q_rank", q_rank),
    K("kv_rank", kv_rank),
    K("rope_dim", rope_dim),
    K("vocab", vocab),
    K("positions", positions),
    K("mtp", mtp),
    B("tied", tied),
    {.key = "towers", .kind = CN_BIND_NODE, .offset = offsetof(stack, towers)},
    {.key = "name", .kind = CN_BIND_TEXT, .offset = offsetof(stack, name)},
};
enum { N_TOWER_FIELDS = 15 };

static stack unset(void)
{
    stack s = {.gated = true, .causal = true, .attention = CN_ATTN_GQA};
    double *numbers[] = {
        &s.layers,     &s.hidden,       &s.ffn,       &s.heads,   &s.kv_heads,   &s.head_dim,
        &s.v_dim,      &s.window,       &s.experts,   &s.top_k,   &s.expert_ffn, &s.shared_experts,
        &s.shared_ffn, &s.dense_layers, &s.q_rank,    &s.kv_rank, &s.rope_dim,   &s.tokens_ratio,
        &s.tokens,     &s.vocab,        &s.positions, &s.mtp};
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        *numbers[i] = NAN;
    return s;
}

static double or_else(double x, double fallback)
{
    return isnan(x) ? fallback : x;
}

/* A number no default could stand for. */
static void need(cn_ctx *cx, const cn_node *v, double x, const char *key)
{
    if (isnan(x)) {
        cn_problem(cx, &v->at, "the model has no \"%s\"", key);
        cn_hint(cx, "add it: a model is layers, hidden, heads, ffn and vocab at least");
    }
}

static cn_block block_of(const stack *s, cn_part_kind part)
{
    cn_block b = {.part = part, .n_layers = s->layers, .hidden = s->hidden};
    b.attn = (cn_attn_kind)s->attention;
    b.n_heads = s->heads;
    b.n_kv_heads = or_else(s->kv_heads, s->heads);
    b.head_dim = or_else(s->head_dim, s->hidden / s->heads);
    b.v_dim = or_else(s->v_dim, 0);
    b.q_rank = or_else(s->q_rank, 0);
    b.kv_rank = or_else(s->kv_rank, 0);
    b.rope_dim = or_else(s->rope_dim, 0);
    b.window = or_else(s->window, 0);
    b.is_causal = s->causal;
    b.has_bias = s->bias;
    b.is_gated = s->gated;
    b.is_frozen = s->frozen;
    b.ffn = or_else(s->ffn, 0);
    b.token_ratio = or_else(s->tokens_ratio, 1);
    b.seq = or_else(s->tokens, 0);
    return b;
}

/* Experts replace the dense MLP in all layers but the leading dense ones. */
static void add_trunk(cn_shape *shape, const stack *s)
{
    cn_block b = block_of(s, CN_PART_TRUNK);
    double dense = or_else(s->dense_layers, 0);
    if (!(s->experts > 0)) {
        shape->block[shape->n_blocks++] = b;
        return;
    }
    if (dense > 0) {
        cn_block lead = b;
        lead.n_layers = dense;
        shape->block[shape->n_blocks++] = lead;
        b.n_layers -= dense;
    }
    b.n_experts = s->experts;
    b.top_k = or_else(s->top_k, 1);
    b.expert_ffn = or_else(s->expert_ffn, s->ffn);
    b.shared_ffn = or_else(s->shared_ffn, or_else(s->shared_experts, 0) * b.expert_ffn);
    b.ffn = 0;
    shape->block[shape->n_blocks++] = b;
}

static void add_towers(cn_ctx *cx, const cn_node *list, cn_shape *shape)
{
    if (!list)
        return;
    if (list->kind != CN_NODE_LIST || (int)list->n + shape->n_blocks > CN_MAX_BLOCKS) {
        cn_problem(cx, &list->at, "towers must be a list of at most %d maps",
                   CN_MAX_BLOCKS - shape->n_blocks);
        return;
    }
    for (size_t i = 0; i < list->n; i++) {
        stack s = unset();
        s.causal = false;
        s.gated = false;
        if (cn_bind(cx, list->child[i], "tower", fields, N_TOWER_FIELDS, &s, NULL) != CN_OK)
            return;
        need(cx, list->child[i], s.layers, "layers");
        need(cx, list->child[i], s.hidden, "hidden");
        need(cx, list->child[i], s.heads, "heads");
        need(cx, list->child[i], s.ffn, "ffn");
        shape->block[shape->n_blocks++] =
            block_of(&s, s.part == 0 ? CN_PART_TOWER : CN_PART_ENCODER);
    }
}

static void inline_model(cn_ctx *cx, const cn_node *v, const cn_model_entry **out)
{
    stack s = unset();
    cn_model_entry *m = cn_arena_alloc(&cx->arena, sizeof *m);
    if (!m) {
        cn_nomem(cx);
        return;
    }
    cn_bind(cx, v, "model", fields, COUNT_OF(fields), &s, NULL);
    need(cx, v, s.layers, "layers");
    need(cx, v, s.hidden, "hidden");
    need(cx, v, s.heads, "heads");
    need(cx, v, s.vocab, "vocab");
    if (isnan(s.ffn) && !(s.experts > 0))
        need(cx, v, s.ffn, "ffn");
    if (cn_problems(cx) != CN_OK)
        return;
    *m = (cn_model_entry){.id = s.name ? s.name : "inline",
                          .name = s.name ? s.name : "inline model",
                          .family = "inline",
                          .params_published = NAN,
                          .context = NAN};
    m->source =
        (cn_source){.text = "the spec", .checked = "", .file = v->at.file, .line = v->at.line};
    m->shape = (cn_shape){.hidden = s.hidden,
                          .vocab = s.vocab,
                          .is_tied = s.tied,
                          .has_head = true,
                          .positions = or_else(s.positions, 0),
                          .n_mtp = or_else(s.mtp, 0)};
    add_trunk(&m->shape, &s);
    add_towers(cx, s.towers, &m->shape);
    *out = m;
}

/* A path as written, or beside the spec file. */
static const char *beside(cn_ctx *cx, const char *spec_file, const char *path)
{
    const char *slash = spec_file ? strrchr(spec_file, '/') : NULL;
    if (*path == '/' || !slash)
        return path;
    return cn_arena_printf(&cx->arena, "%.*s/%s", (int)(slash - spec_file), spec_file, path);
}

static void config_model(cn_ctx *cx, const cn_node *v, const char *spec_file,
                         const cn_model_entry **out)
{
    const char *path = beside(cx, spec_file, v->text);
    cn_model_entry *m = cn_arena_alloc(&cx->arena, sizeof *m);
    cn_node *root;
    if (!path || !m) {
        cn_nomem(cx);
        return;
    }
    if (cn_tree_file(cx, path, &root) == CN_OK && cn_hf_config(cx, root, m) == CN_OK)
        *out = m;
}

void cn_spec_model(cn_ctx *cx, cn_catalog *cat, const cn_node *v, const char *spec_file,
                   const cn_model_entry **out)
{
    if (v->kind == CN_NODE_MAP) {
        inline_model(cx, v, out);
    } else if (v->kind != CN_NODE_SCALAR) {
        cn_problem(cx, &v->at, "model must be a name, a path or a map");
        cn_hint(cx, "write \"model: llama-3.1-8b\" or \"model: ./config.json\"");
    } else if (strstr(v->text, ".json")) {
        config_model(cx, v, spec_file, out);
    } else {
        cn_catalog_model(cx, cat, &v->at, v->text, out);
    }
}

void cn_spec_find_node(cn_ctx *cx, cn_catalog *cat, const cn_node *v, const cn_node_type **out)
{
    cn_catalog_node(cx, cat, &v->at, v->text, out);
}

void cn_spec_find_accel(cn_ctx *cx, cn_catalog *cat, const cn_node *v, const char *name,
                        const cn_accel **out)
{
    cn_catalog_accel(cx, cat, &v->at, name, out);
}

const char *cn_spec_default_name(cn_ctx *cx, const char *file)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    size_t n = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    const char *name = cn_arena_strn(&cx->arena, base, n);
    return name ? name : "run";
}
