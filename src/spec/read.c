/*
 * read.c - a file of any kind that says how a run is made -> cn_spec.
 *
 * The kind is told by content, not by name alone (standard input has none): a JSON object with
 * "model_type" or "architectures" is a model config, one with "train_micro_batch_size_per_gpu" or
 * "zero_optimization" DeepSpeed's, a TOML file torchtitan's, a text with
 * "--num-layers" Megatron's. Each other form is turned into the spec's own tree, so that --set,
 * checks and errors are the same for all.
 */
#include <string.h>

#include "base/buf.h"
#include "spec/launch.h"
#include "spec/spec_parts.h"

static bool ends_with(const char *text, const char *tail)
{
    size_t n = strlen(text), m = strlen(tail);
    return n >= m && strcmp(text + n - m, tail) == 0;
}

static cn_node *new_map(cn_ctx *cx, const char *file)
{
    cn_node *n = cn_arena_alloc(&cx->arena, sizeof *n);
    if (n) {
        n->kind = CN_NODE_MAP;
        n->at = (cn_at){.file = file, .line = 1, .col = 1};
    }
    return n;
}

/* A model's own config: the model is known, the rest of the spec must come from --set. */
static cn_code from_config(cn_ctx *cx, const cn_node *config, const char *path, cn_node **tree,
                           cn_spec *s)
{
    cn_model_entry *m = cn_arena_alloc(&cx->arena, sizeof *m);
    *tree = new_map(cx, path);
    if (!m || !*tree)
        return cn_nomem(cx);
    CN_TRY(cn_hf_config(cx, config, m));
    s->model = m;
    return CN_OK;
}

static bool is_hf(const cn_node *n)
{
    return cn_node_get(n, "model_type") || cn_node_get(n, "architectures");
}

/* {"key" opens a JSON object; a YAML file may do so too, but says so by its name. */
static bool is_json(const char *path, const char *text)
{
    if (ends_with(path, ".json"))
        return true;
    if (ends_with(path, ".yaml") || ends_with(path, ".yml") || ends_with(path, ".toml"))
        return false;
    text += strspn(text, "\xef\xbb\xbf \t\r\n");
    return *text == '{' && text[1 + strspn(text + 1, " \t\r\n")] == '"';
}

static cn_code read_tree(cn_ctx *cx, const char *path, const char *text, size_t len, cn_node **tree,
                         cn_spec *s)
{
    cn_node *raw;
    if (is_json(path, text)) {
        CN_TRY(cn_tree_json(cx, path, text, len, &raw));
        if (is_hf(raw))
            return from_config(cx, raw, path, tree, s);
        if (cn_launch_is_deepspeed(raw))
            return cn_launch_deepspeed(cx, raw, tree);
        *tree = raw; /* a spec written as JSON */
        return CN_OK;
    }
    if (ends_with(path, ".toml")) {
        CN_TRY(cn_tree_toml(cx, path, text, len, &raw));
        return cn_launch_torchtitan(cx, raw, tree);
    }
    if (cn_launch_is_megatron(text, len))
        return cn_launch_megatron(cx, path, text, len, tree);
    return cn_tree_yaml(cx, path, text, len, tree);
}

cn_code cn_spec_read(cn_ctx *cx, cn_catalog *cat, const char *path, const char *const *sets,
                     size_t n_sets, cn_spec **out)
{
    cn_spec *s = cn_arena_alloc(&cx->arena, sizeof *s);
    char *text;
    size_t len;
    cn_node *tree;
    if (!s)
        return cn_nomem(cx);
    cn_spec_init(s);
    s->file = path;
    CN_TRY(cn_file_read(cx, path, CN_TREE_MAX_BYTES, &text, &len));
    CN_TRY(read_tree(cx, path, text, len, &tree, s));
    if (tree->kind != CN_NODE_MAP) {
        cn_fail(cx, CN_EINPUT, &tree->at, "a spec must be a map of sections");
        return cn_hint(cx,
                       "start with \"name:\", \"model:\", \"cluster:\"; see `carnot help spec`");
    }
    for (size_t i = 0; i < n_sets; i++)
        CN_TRY(cn_node_set(cx, tree, sets[i]));
    CN_TRY(cn_spec_bind(cx, cat, tree, s));
    *out = s;
    return CN_OK;
}
