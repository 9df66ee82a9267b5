/*
 * launch.c - Megatron-LM arguments, DeepSpeed JSON and torchtitan TOML -> a spec's tree. See
 * launch.h.
 *
 * Each format is one table: setting -> path of the spec, and how its value reads. A reader walks
 * the file and looks each setting up; the rest is ignored.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/tree_build.h"
#include "spec/launch.h"

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))
enum { MAX_VARIABLES = 512, MAX_EXPANSION = 4096 };

typedef enum {
    VALUE, /* as it is */
    FIXED, /* .fixed, whatever value follows (a switch) */
    LOWER  /* as it is, lower case */
} how;

typedef struct {
    const char *setting, *path;
    how as;
    const char *fixed;
    bool has_value; /* FIXED: a value follows and is skipped */
} rule;

static cn_code new_spec(cn_ctx *cx, const char *file, const char *framework, cn_node **spec)
{
    cn_node *n = cn_arena_alloc(&cx->arena, sizeof *n);
    if (!n)
        return cn_nomem(cx);
    n->kind = CN_NODE_MAP;
    n->at = (cn_at){.file = file, .line = 1, .col = 1};
    *spec = n;
    return cn_node_put(cx, n, "framework", framework, &n->at);
}

static const rule *find(const rule *rules, size_t n, const char *setting)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(rules[i].setting, setting) == 0)
            return &rules[i];
    return NULL;
}

/* Megatron-LM
 * -------------------------------------------------------------------------------------------------------
 */

static const rule megatron[] = {
    {"num-layers", "model.layers", VALUE, 0, 0},
    {"hidden-size", "model.hidden", VALUE, 0, 0},
    {"ffn-hidden-size", "model.ffn", VALUE, 0, 0},
    {"num-attention-heads", "model.heads", VALUE, 0, 0},
    {"num-query-groups", "model.kv_heads", VALUE, 0, 0},
    {"kv-channels", "model.head_dim", VALUE, 0, 0},
    {"padded-vocab-size", "model.vocab", VALUE, 0, 0},
    {"vocab-size", "model.vocab", VALUE, 0, 0},
    {"max-position-embeddings", "model.positions", VALUE, 0, 0},
    {"position-embedding-type", "megatron.positions", VALUE, 0, 0},
    {"use-rotary-position-embeddings", "megatron.positions", FIXED, "rope", 0},
    {"swiglu", "model.gated", FIXED, "true", 0},
    {"untie-embeddings-and-output-weights", "model.tied", FIXED, "false", 0},
    {"disable-bias-linear", "model.bias", FIXED, "false", 0},
    {"num-experts", "model.experts", VALUE, 0, 0},
    {"moe-router-topk", "model.top_k", VALUE, 0, 0},
    {"moe-ffn-hidden-size", "model.expert_ffn", VALUE, 0, 0},
    {"moe-shared-expert-intermediate-size", "model.shared_ffn", VALUE, 0, 0},
    {"multi-latent-attention", "model.attention", FIXED, "mla", 0},
    {"q-lora-rank", "model.q_rank", VALUE, 0, 0},
    {"kv-lora-rank", "model.kv_rank", VALUE, 0, 0},
    {"qk-pos-emb-head-dim", "model.rope_dim", VALUE, 0, 0},
    {"qk-head-dim", "model.head_dim", VALUE, 0, 0},
    {"v-head-dim", "model.v_dim", VALUE, 0, 0},
    {"mtp-num-layers", "model.mtp", VALUE, 0, 0},
    {"window-size", "model.window", VALUE, 0, 0},
    {"seq-length", "training.sequence", VALUE, 0, 0},
    {"global-batch-size", "training.global_batch", VALUE, 0, 0},
    {"train-iters", "training.steps", VALUE, 0, 0},
    {"micro-batch-size", "cluster.parallel.micro_batch", VALUE, 0, 0},
    {"tensor-model-parallel-size", "cluster.parallel.tp", VALUE, 0, 0},
    {"pipeline-model-parallel-size", "cluster.parallel.pp", VALUE, 0, 0},
    {"num-virtual-stages-per-pipeline-rank", "cluster.parallel.vp", VALUE, 0, 0},
    {"context-parallel-size", "cluster.parallel.cp", VALUE, 0, 0},
    {"expert-model-parallel-size", "cluster.parallel.ep", VALUE, 0, 0},
    {"expert-tensor-parallel-size", "cluster.parallel.etp", VALUE, 0, 0},
    {"sequence-parallel", "cluster.parallel.sp", FIXED, "yes", 0},
    {"use-distributed-optimizer", "cluster.parallel.zero", FIXED, "1", 0},
    {"use-torch-fsdp2", "cluster.parallel.zero", FIXED, "3", 0},
    {"use-custom-fsdp", "cluster.parallel.zero", FIXED, "3", 0},
    {"recompute-activations", "training.recompute", FIXED, "selective", 0},
    {"recompute-granularity", "training.recompute", VALUE, 0, 0},
    {"bf16", "training.precision", FIXED, "bf16", 0},
    {"fp16", "training.precision", FIXED, "fp16", 0},
    {"fp8-format", "training.precision", FIXED, "fp8", 1},
    {"fp8-hybrid", "training.precision", FIXED, "fp8", 0},
    {"fp4-format", "training.precision", FIXED, "nvfp4", 1},
    {"use-flash-attn", "training.flash", FIXED, "yes", 0},
    {"eval-interval", "training.eval_every", VALUE, 0, 0},
    {"eval-iters", "training.eval_steps", VALUE, 0, 0},
    {"save-interval", "megatron.save_interval", VALUE, 0, 0},
    {"num-layers-per-virtual-pipeline-stage", "megatron.layers_per_stage", VALUE, 0, 0},
    {"nnodes", "megatron.nodes", VALUE, 0, 0},
    {"nproc_per_node", "megatron.per_node", VALUE, 0, 0},
    {"nproc-per-node", "megatron.per_node", VALUE, 0, 0},
    {"train-samples", "megatron.samples", VALUE, 0, 0},
};

bool cn_launch_is_megatron(const char *text, size_t len)
{
    return memmem(text, len, "--num-layers", 12) && memmem(text, len, "--hidden-size", 13);
}

/* One word of a shell-like text and where it stands. */
typedef struct {
    char text[512];
    cn_at at;
} word;

typedef struct {
    const char *file, *text;
    size_t len, pos, line_start;
    int line;
} scanner;

static void advance(scanner *s)
{
    if (s->text[s->pos++] == '\n') {
        s->line++;
        s->line_start = s->pos;
    }
}

/* Blanks, line continuations and comments. */
static void skip(scanner *s)
{
    while (s->pos < s->len) {
        char c = s->text[s->pos];
        if (c == '#' && (s->pos == 0 || isspace((unsigned char)s->text[s->pos - 1])))
            while (s->pos < s->len && s->text[s->pos] != '\n')
                advance(s);
        else if (isspace((unsigned char)c) || c == '\\' || c == '(' || c == ')' || c == '"' ||
                 c == '\'' || c == ',')
            advance(s);
        else
            return;
    }
}

static bool next_word(scanner *s, word *w)
{
    skip(s);
    if (s->pos >= s->len)
        return false;
    size_t n = 0;
    w->at = (cn_at){s->file, s->line, (int)(s->pos - s->line_start) + 1, 0, s->text, s->len};
    while (s->pos < s->len && !isspace((unsigned char)s->text[s->pos]) &&
           !strchr("\"'(),", s->text[s->pos])) {
        if (n + 1 < sizeof w->text)
            w->text[n++] = s->text[s->pos];
        advance(s);
    }
    w->text[n] = 0;
    w->at.len = (int)n;
    return true;
}

/* NAME=value lines of a script, for ${NAME} and $NAME in arguments. */
typedef struct {
    char name[64], value[256];
} variable;

typedef struct {
    variable list[MAX_VARIABLES];
    size_t n;
} variables;

static bool is_name(const char *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(isalpha((unsigned char)t[i]) || t[i] == '_' ||
              (i > 0 && isdigit((unsigned char)t[i]))))
            return false;
    return n > 0 && n < 64;
}

static void remember(variables *v, const char *t)
{
    const char *eq = strchr(t, '=');
    if (!eq || !is_name(t, (size_t)(eq - t)) || v->n == MAX_VARIABLES)
        return;
    variable *x = &v->list[v->n++];
    snprintf(x->name, sizeof x->name, "%.*s", (int)(eq - t), t);
    snprintf(x->value, sizeof x->value, "%s", eq + 1);
}

/* The latest of the first n assignments of a name; *i is its place. */
static const char *value_of(const variables *v, size_t n, const char *name, size_t len, size_t *i)
{
    for (*i = n; (*i)-- > 0;)
        if (strlen(v->list[*i].name) == len && memcmp(v->list[*i].name, name, len) == 0)
            return v->list[*i].value;
    return NULL;
}

/*
 * "${TP:-4}", "$TP" -> its value; false if it is not known. A value that names variables itself
 * ("PP=${PP:-2}", "WORLD=$NODES") sees those assigned before it, as in a shell: so nothing can
 * loop.
 */
static bool expand(const variables *v, size_t n, const char *t, char *out, size_t size)
{
    if (*t != '$') {
        snprintf(out, size, "%s", t);
        return true;
    }
    bool brace = t[1] == '{';
    const char *name = t + 1 + brace;
    size_t len = 0, i;
    while (isalnum((unsigned char)name[len]) || name[len] == '_')
        len++;
    const char *value = value_of(v, n, name, len, &i);
    if (value && *value && expand(v, i, value, out, size))
        return true;
    if (!brace || strncmp(name + len, ":-", 2) != 0 || name[len + 2] == '$')
        return false;
    snprintf(out, size, "%.*s", (int)strcspn(name + len + 2, "}"), name + len + 2);
    return true;
}

/* A whole number of a launcher, 0 if it is none. Doubles, since a slip in a script must end as a
 * number out of range, not as an overflow. */
static double whole(const cn_node *v)
{
    double x;
    return v && cn_parse_double(v->text, &x) ? trunc(x) : 0;
}

/* Put a number that was derived, in place of a scalar; the argument it came from is where faults
 * are told. */
static cn_code put_whole(cn_ctx *cx, cn_node *spec, const char *path, double x, const cn_at *at)
{
    char text[64];
    snprintf(text, sizeof text, "%.0f", fmin(fmax(x, -1), 1e18));
    return cn_node_put(cx, spec, path, text, at);
}

/* Quantities derived from several arguments. */
static cn_code finish_megatron(cn_ctx *cx, cn_node *spec)
{
    const cn_node *m = cn_node_get(spec, "megatron");
    const cn_node *nodes = cn_node_get(m, "nodes"), *per = cn_node_get(m, "per_node");
    const cn_node *layers = cn_node_path(spec, "model.layers"),
                  *pp = cn_node_path(spec, "cluster.parallel.pp");
    const cn_node *chunk = cn_node_get(m, "layers_per_stage"),
                  *save = cn_node_get(m, "save_interval"),
                  *positions = cn_node_get(m, "positions"); /* learned unless it says otherwise */
    const cn_node *samples = cn_node_get(m, "samples"),
                  *batch = cn_node_path(spec, "training.global_batch");
    char text[64];
    if (nodes && per) {
        CN_TRY(put_whole(cx, spec, "cluster.accelerators", whole(nodes) * whole(per), &nodes->at));
    }
    if (chunk && layers && whole(chunk) > 0) {
        double vp = trunc(trunc(whole(layers) / fmax(1, pp ? whole(pp) : 1)) / whole(chunk));
        CN_TRY(put_whole(cx, spec, "cluster.parallel.vp", fmax(1, vp), &chunk->at));
    }
    if (positions && strcmp(positions->text, "learned_absolute") != 0)
        CN_TRY(cn_node_put(cx, spec, "model.positions", "0", &positions->at));
    if (save) {
        snprintf(text, sizeof text, "%s steps", save->text);
        CN_TRY(cn_node_put(cx, spec, "checkpoint.every", text, &save->at));
    }
    if (samples && batch && whole(batch) > 0)
        CN_TRY(put_whole(cx, spec, "training.steps", trunc(whole(samples) / whole(batch)),
                         &samples->at));
    return CN_OK;
}

/* What Megatron does unless an argument says otherwise. */
static cn_code megatron_defaults(cn_ctx *cx, cn_node *spec)
{
    static const char *const defaults[][2] = {
        {"model.gated", "false"},        {"model.tied", "true"},
        {"model.bias", "true"},          {"training.precision", "fp32"},
        {"training.recompute", "none"},  {"cluster.parallel.tp", "1"},
        {"cluster.parallel.pp", "1"},    {"cluster.parallel.cp", "1"},
        {"cluster.parallel.vp", "1"},    {"cluster.parallel.ep", "1"},
        {"cluster.parallel.zero", "0"},  {"cluster.parallel.sp", "no"},
        {"cluster.parallel.dp", "auto"}, {"cluster.parallel.micro_batch", "1"},
        {"training.optimizer", "adamw"},
    };
    for (size_t i = 0; i < COUNT_OF(defaults); i++)
        CN_TRY(cn_node_put(cx, spec, defaults[i][0], defaults[i][1], &spec->at));
    return CN_OK;
}

/* Take our own scratch section out again, and the MLP width Megatron assumes. */
static cn_code drop_scratch(cn_ctx *cx, cn_node *spec)
{
    for (size_t i = 0; i < spec->n; i++) {
        if (strcmp(spec->key[i], "megatron") != 0)
            continue;
        for (size_t j = i + 1; j < spec->n; j++) {
            spec->key[j - 1] = spec->key[j];
            spec->key_at[j - 1] = spec->key_at[j];
            spec->child[j - 1] = spec->child[j];
        }
        spec->n--;
        break;
    }
    const cn_node *hidden = cn_node_path(spec, "model.hidden");
    if (hidden && !cn_node_path(spec, "model.ffn"))
        CN_TRY(put_whole(cx, spec, "model.ffn", 4 * whole(hidden), &hidden->at));
    return CN_OK;
}

static cn_code take(cn_ctx *cx, cn_node *spec, scanner *s, const variables *v, const word *w)
{
    char name[128], value[512];
    const char *eq = strchr(w->text, '=');
    snprintf(name, sizeof name, "%.*s", eq ? (int)(eq - w->text - 2) : 126, w->text + 2);
    const rule *r = find(megatron, COUNT_OF(megatron), name);
    if (!r)
        return CN_OK;
    word next = *w;
    if (r->as == FIXED) {
        if (r->has_value && !eq)
            next_word(s, &next);
        return cn_node_put(cx, spec, r->path, r->fixed, &w->at);
    }
    if (!eq && !next_word(s, &next)) {
        cn_fail(cx, CN_EINPUT, &w->at, "--%s has no value", name);
        return cn_hint(cx, "write a number behind it");
    }
    if (!expand(v, v->n, eq ? eq + 1 : next.text, value, sizeof value)) {
        cn_warn(cx, &next.at, "--%s: the value of %s is not in this file", name, next.text);
        return CN_OK;
    }
    return cn_node_put(cx, spec, r->path, value, &next.at);
}

cn_code cn_launch_megatron(cn_ctx *cx, const char *file, const char *text, size_t len,
                           cn_node **spec)
{
    scanner s = {.file = file, .text = text, .len = len, .line = 1};
    variables *v = cn_arena_alloc(&cx->arena, sizeof *v);
    cn_builder b;
    word w;
    cn_builder_init(&b, cx, file, text, len);
    CN_TRY(cn_builder_check_text(&b));
    if (!v)
        return cn_nomem(cx);
    CN_TRY(new_spec(cx, file, "megatron-core", spec));
    CN_TRY(megatron_defaults(cx, *spec));
    while (next_word(&s, &w)) {
        if (strncmp(w.text, "--", 2) == 0)
            CN_TRY(take(cx, *spec, &s, v, &w));
        else
            remember(v, w.text);
    }
    CN_TRY(finish_megatron(cx, *spec));
    return drop_scratch(cx, *spec);
}

/* DeepSpeed
 * ---------------------------------------------------------------------------------------------------------
 */

bool cn_launch_is_deepspeed(const cn_node *json)
{
    return cn_node_get(json, "zero_optimization") ||
           cn_node_get(json, "train_micro_batch_size_per_gpu") ||
           cn_node_get(json, "train_batch_size");
}

static const struct {
    const char *setting, *path, *when,
        *fixed; /* when: the value that makes it so; NULL = any value, taken over */
} deepspeed[] = {
    {"train_batch_size", "training.global_batch", NULL, NULL},
    {"train_micro_batch_size_per_gpu", "cluster.parallel.micro_batch", NULL, NULL},
    {"gradient_accumulation_steps", "cluster.parallel.accumulation", NULL, NULL},
    {"zero_optimization.stage", "cluster.parallel.zero", NULL, NULL},
    {"zero_optimization.offload_optimizer.device", "cluster.parallel.offload_optimizer", "cpu",
     "yes"},
    {"zero_optimization.offload_param.device", "cluster.parallel.offload_weights", "cpu", "yes"},
    {"tensor_parallel.autotp_size", "cluster.parallel.tp", NULL, NULL},
    {"bf16.enabled", "training.precision", "true", "bf16"},
    {"fp16.enabled", "training.precision", "true", "fp16"},
};

cn_code cn_launch_deepspeed(cn_ctx *cx, const cn_node *json, cn_node **spec)
{
    CN_TRY(new_spec(cx, json->at.file, "deepspeed", spec));
    CN_TRY(cn_node_put(cx, *spec, "cluster.parallel.dp", "auto", &json->at));
    for (size_t i = 0; i < COUNT_OF(deepspeed); i++) {
        const cn_node *v = cn_node_path(json, deepspeed[i].setting);
        if (!v || v->kind != CN_NODE_SCALAR || strcmp(v->text, "auto") == 0)
            continue;
        if (deepspeed[i].when && strcmp(v->text, deepspeed[i].when) != 0)
            continue;
        CN_TRY(cn_node_put(cx, *spec, deepspeed[i].path,
                           deepspeed[i].fixed ? deepspeed[i].fixed : v->text, &v->at));
    }
    return CN_OK;
}

/* torchtitan
 * --------------------------------------------------------------------------------------------------------
 */

static const rule torchtitan[] = {
    {"training.seq_len", "training.sequence", VALUE, 0, 0},
    {"training.global_batch_size", "training.global_batch", VALUE, 0, 0},
    {"training.local_batch_size", "cluster.parallel.micro_batch", VALUE, 0, 0},
    {"training.batch_size", "cluster.parallel.micro_batch", VALUE, 0, 0},
    {"training.steps", "training.steps", VALUE, 0, 0},
    {"parallelism.tensor_parallel_degree", "cluster.parallel.tp", VALUE, 0, 0},
    {"parallelism.pipeline_parallel_degree", "cluster.parallel.pp", VALUE, 0, 0},
    {"parallelism.context_parallel_degree", "cluster.parallel.cp", VALUE, 0, 0},
    {"parallelism.expert_parallel_degree", "cluster.parallel.ep", VALUE, 0, 0},
    {"parallelism.data_parallel_shard_degree", "cluster.parallel.shard", VALUE, 0, 0},
    {"experimental.pipeline_parallel_degree", "cluster.parallel.pp", VALUE, 0, 0},
    {"experimental.context_parallel_degree", "cluster.parallel.cp", VALUE, 0, 0},
    {"training.tensor_parallel_degree", "cluster.parallel.tp", VALUE, 0, 0},
    {"activation_checkpoint.mode", "training.recompute", LOWER, 0, 0},
    {"checkpoint.interval", "checkpoint.every", VALUE, 0, 0},
};

static cn_code torchtitan_model(cn_ctx *cx, const cn_node *toml, cn_node *spec)
{
    const cn_node *name = cn_node_path(toml, "model.name"),
                  *flavor = cn_node_path(toml, "model.flavor");
    char text[256];
    if (!name || name->kind != CN_NODE_SCALAR)
        return CN_OK;
    snprintf(text, sizeof text, "%s%s%s", name->text, flavor ? "-" : "",
             flavor && flavor->text ? flavor->text : "");
    return cn_node_put(cx, spec, "model", text, &name->at);
}

static bool wants_float8(const cn_node *toml)
{
    const cn_node *list = cn_node_path(toml, "model.converters");
    for (size_t i = 0; list && list->kind == CN_NODE_LIST && i < list->n; i++)
        if (list->child[i]->text && strstr(list->child[i]->text, "float8"))
            return true;
    const cn_node *old = cn_node_path(toml, "float8.enable_float8_linear");
    return old && old->text && strcmp(old->text, "true") == 0;
}

cn_code cn_launch_torchtitan(cn_ctx *cx, const cn_node *toml, cn_node **spec)
{
    CN_TRY(new_spec(cx, toml->at.file, "torchtitan", spec));
    CN_TRY(torchtitan_model(cx, toml, *spec));
    CN_TRY(cn_node_put(cx, *spec, "training.precision", wants_float8(toml) ? "fp8" : "bf16",
                       &toml->at));
    CN_TRY(cn_node_put(cx, *spec, "cluster.parallel.zero", "3", &toml->at));
    CN_TRY(cn_node_put(cx, *spec, "cluster.parallel.dp", "auto", &toml->at));
    for (size_t i = 0; i < COUNT_OF(torchtitan); i++) {
        const cn_node *v = cn_node_path(toml, torchtitan[i].setting);
        char text[128];
        if (!v || v->kind != CN_NODE_SCALAR || strcmp(v->text, "-1") == 0)
            continue;
        snprintf(text, sizeof text, "%s%s", v->text,
                 strcmp(torchtitan[i].path, "checkpoint.every") ? "" : " steps");
        for (char *p = text; torchtitan[i].as == LOWER && *p; p++)
            *p = (char)tolower((unsigned char)*p);
        CN_TRY(cn_node_put(cx, *spec, torchtitan[i].path, text, &v->at));
    }
    return CN_OK;
}
