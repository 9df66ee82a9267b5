/*
 * fuzz_spec.c - a spec, a model config or another tool's launch settings from bytes; the first byte
 * chooses the file's name.
 *
 * Whatever it holds: reading comes back. An accepted spec is estimated, and what comes out is a
 * time, a memory and parts that are finite and not negative, or an error.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "estimate/estimate.h"
#include "spec/launch.h"
#include "spec/spec_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static cn_code to_tree(cn_ctx *cx, int kind, const char *text, size_t len, cn_node **tree)
{
    cn_node *raw;
    switch (kind) {
    case 0:
        return cn_tree_yaml(cx, "fuzz.yaml", text, len, tree);
    case 1:
        return cn_launch_megatron(cx, "fuzz.sh", text, len, tree);
    case 2:
        CN_TRY(cn_tree_json(cx, "fuzz.json", text, len, &raw));
        return cn_launch_deepspeed(cx, raw, tree);
    default:
        CN_TRY(cn_tree_toml(cx, "fuzz.toml", text, len, &raw));
        return cn_launch_torchtitan(cx, raw, tree);
    }
}

static void model_config(cn_ctx *cx, const char *text, size_t len)
{
    cn_node *raw;
    cn_model_entry m;
    if (cn_tree_json(cx, "config.json", text, len, &raw) != CN_OK ||
        cn_hf_config(cx, raw, &m) != CN_OK)
        return;
    if (m.shape.n_blocks < 1 || m.shape.n_blocks > CN_MAX_BLOCKS)
        abort();
}

static void estimate(cn_ctx *cx, cn_catalog *cat, const cn_spec *s)
{
    cn_estimate_opts opts = {0};
    cn_estimate *e;
    if (s->kind == CN_KIND_SERVING || cn_estimate_make(cx, cat, s, &opts, &e) != CN_OK)
        return;
    const cn_fig *f;
    if (cn_estimate_figure(cx, e, "step_time_s", &f) == CN_OK && f->known && !(f->value > 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    cn_ctx cx;
    cn_node *tree = NULL;
    cn_ctx_init(&cx, 1796083200);
    cx.arena.limit_bytes = 256 << 20;
    char *text = cn_arena_strn(&cx.arena, (const char *)data + 1, size - 1);
    int kind = data[0] % 5;
    if (kind == 4) {
        model_config(&cx, text, size - 1);
    } else if (to_tree(&cx, kind, text, size - 1, &tree) == CN_OK && tree->kind == CN_NODE_MAP) {
        cn_spec s;
        cn_spec_init(&s);
        s.file = "fuzz";
        cn_catalog *own; /* tables live in the context that read them */
        if (cn_catalog_load(&cx, NULL, &own) == CN_OK && cn_spec_bind(&cx, own, tree, &s) == CN_OK)
            estimate(&cx, own, &s);
    }
    cn_ctx_done(&cx);
    return 0;
}
