/*
 * fuzz_tree.c - YAML, JSON and TOML from bytes: the first byte chooses the reader.
 *
 * Whatever it holds: reading comes back; a refusal has a message, a place inside the text and a
 * hint; an accepted tree is bounded and every node's place lies inside the text.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef cn_code (*reader)(cn_ctx *, const char *, const char *, size_t, cn_node **);

static void check(const cn_node *n, int depth)
{
    if (depth > CN_TREE_MAX_DEPTH || n->at.line < 1)
        abort();
    if (n->kind == CN_NODE_SCALAR && !n->text)
        abort();
    for (size_t i = 0; i < n->n; i++) {
        if (n->kind == CN_NODE_MAP && (!n->key[i] || cn_node_get(n, n->key[i]) == NULL))
            abort();
        check(n->child[i], depth + 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const reader readers[] = {cn_tree_yaml, cn_tree_json, cn_tree_toml};
    cn_ctx cx;
    cn_node *root = NULL;
    if (size < 1)
        return 0;
    cn_ctx_init(&cx, 0);
    cx.arena.limit_bytes = 64 << 20;
    char *text = cn_arena_strn(&cx.arena, (const char *)data + 1, size - 1);
    cn_code code = readers[data[0] % 3](&cx, "fuzz", text, size - 1, &root);
    if (code == CN_OK)
        check(root, 0);
    else if (code != CN_ENOMEM && (cx.n_problems == 0 || !cx.problem[0].message[0]))
        abort();
    cn_ctx_done(&cx);
    return 0;
}
