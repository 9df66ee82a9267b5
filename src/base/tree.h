/*
 * tree.h - YAML, JSON and TOML as one tree of nodes that know where they stand.
 *
 * All three readers give the same cn_node, so that every binder is written once and every error
 * names file:line:column. Bounds from the first day: CN_TREE_MAX_BYTES of text, CN_TREE_MAX_DEPTH
 * levels, CN_TREE_MAX_NODES nodes; duplicate keys, bad UTF-8 and NUL bytes are errors. YAML anchors
 * and aliases are errors that say so (no billion laughs); one document a file. Ownership: nodes
 * live in cx->arena. Text must outlive the tree (it is what errors quote).
 */
#ifndef CARNOT_BASE_TREE_H
#define CARNOT_BASE_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/ctx.h"

enum { CN_TREE_MAX_BYTES = 16 << 20, CN_TREE_MAX_DEPTH = 64, CN_TREE_MAX_NODES = 2000000 };

typedef enum { CN_NODE_NULL, CN_NODE_SCALAR, CN_NODE_LIST, CN_NODE_MAP } cn_node_kind;

typedef struct cn_node {
    cn_node_kind kind;
    cn_at at;               /* of the value */
    const char *text;       /* SCALAR: its text, without quotes */
    bool quoted;            /* SCALAR: was a string in the source (JSON string, quoted YAML) */
    size_t n;               /* LIST, MAP: children */
    struct cn_node **child; /* LIST: elements; MAP: values */
    const char **key;       /* MAP: keys, in file order */
    cn_at *key_at;          /* MAP: where each key stands */
} cn_node;

cn_code cn_tree_yaml(cn_ctx *cx, const char *file, const char *text, size_t len, cn_node **out);
cn_code cn_tree_json(cn_ctx *cx, const char *file, const char *text, size_t len, cn_node **out);
cn_code cn_tree_toml(cn_ctx *cx, const char *file, const char *text, size_t len, cn_node **out);

/* Reads the file and picks the reader by name: .json, .toml, else YAML. */
cn_code cn_tree_file(cn_ctx *cx, const char *path, cn_node **out);

/* The value under a key, or NULL. NULL-safe. */
const cn_node *cn_node_get(const cn_node *map, const char *key);

/* The value under a dotted path "a.b.c", or NULL. */
const cn_node *cn_node_path(const cn_node *root, const char *path);

/* Put a scalar at a dotted path, making maps on the way; text is copied, at says where it came
 * from. */
cn_code cn_node_put(cn_ctx *cx, cn_node *root, const char *path, const char *text, const cn_at *at);

/*
 * --set path=value: put a scalar at a dotted path, making maps on the way. The value is read as
 * YAML (flow lists and maps allowed). at.file says "--set".
 */
cn_code cn_node_set(cn_ctx *cx, cn_node *root, const char *assignment);

#endif
