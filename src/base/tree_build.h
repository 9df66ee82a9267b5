/*
 * tree_build.h - what the three readers share: making nodes, bounds, duplicate keys.
 *
 * A builder keeps a stack of open lists and maps; readers call begin, key, scalar, end in document
 * order. All keys of a document stand in one hash table, since a map with a million keys must not
 * cost a million scans. A byte order mark is left out of `text`: read from there.
 */
#ifndef CARNOT_BASE_TREE_BUILD_H
#define CARNOT_BASE_TREE_BUILD_H

#include "base/tree.h"

typedef struct {
    const cn_node *map; /* NULL: a free slot */
    size_t i;           /* map->key[i] */
} cn_key_slot;

typedef struct {
    cn_key_slot *slot;
    size_t n, room; /* room is a power of two, at most half used */
} cn_key_index;

/* Note the newest key of a map; false if out of memory. */
bool cn_key_index_add(cn_arena *arena, cn_key_index *k, const cn_node *map);

/* Where a key stands in a map, or NULL. */
const cn_key_slot *cn_key_index_find(const cn_key_index *k, const cn_node *map, const char *key);

typedef struct cn_builder {
    cn_ctx *cx;
    const char *file, *text;
    size_t len;
    int depth, n_nodes;
    cn_node *stack[CN_TREE_MAX_DEPTH + 1];
    size_t cap[CN_TREE_MAX_DEPTH + 1];
    const char *key[CN_TREE_MAX_DEPTH + 1]; /* key waiting for its value */
    cn_at key_at[CN_TREE_MAX_DEPTH + 1];
    cn_key_index keys;
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
