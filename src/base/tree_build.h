/*
 * tree_build.h - what the three readers share: making nodes, bounds, duplicate keys.
 *
 * A builder keeps a stack of open lists and maps; readers call begin, key, scalar, end in document
 * order.
 */
#ifndef CARNOT_BASE_TREE_BUILD_H
#define CARNOT_BASE_TREE_BUILD_H

#include "base/tree.h"

typedef struct cn_builder {
    cn_ctx *cx;
    const char *file, *text;
    size_t len;
    int depth, n_nodes;
    cn_node *stack[CN_TREE_MAX_DEPTH + 1];
    size_t cap[CN_TREE_MAX_DEPTH + 1];
    const char *key[CN_TREE_MAX_DEPTH + 1]; /* key waiting for its value */
    cn_at key_at[CN_TREE_MAX_DEPTH + 1];
    cn_node *root;
} cn_builder;

void cn_builder_init(cn_builder *b, cn_ctx *cx, const char *file, const char *text, size_t len);
cn_at cn_builder_at(const cn_builder *b, int line, int col, int span);
cn_code cn_builder_begin(cn_builder *b, cn_node_kind kind, cn_at at);
cn_code cn_builder_end(cn_builder *b);
cn_code cn_builder_key(cn_builder *b, const char *key, size_t len, cn_at at);
cn_code cn_builder_scalar(cn_builder *b, const char *text, size_t len, bool quoted, cn_at at);
cn_code cn_builder_null(cn_builder *b, cn_at at);

/* Size, UTF-8 and NUL checks that come before any reader. */
cn_code cn_builder_check_text(cn_builder *b);

#endif
