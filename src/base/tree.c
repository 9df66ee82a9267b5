/* tree.c - building and asking trees; the readers are in tree_yaml.c, tree_json.c, tree_toml.c. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "base/tree_build.h"

void cn_builder_init(cn_builder *b, cn_ctx *cx, const char *file, const char *text, size_t len)
{
    if (!text) { /* nothing was read */
        text = "";
        len = 0;
    }
    size_t bom = len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    *b = (cn_builder){.cx = cx, .file = file, .text = text + bom, .len = len - bom};
}

cn_at cn_builder_at(const cn_builder *b, int line, int col, int span)
{
    return (cn_at){b->file, line, col, span, b->text, b->len};
}

/* Line and column, from 1, of a byte. */
static cn_at at_byte(const cn_builder *b, size_t byte)
{
    int line = 1;
    size_t start = 0;
    for (size_t i = 0; i < byte; i++) {
        if (b->text[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    return cn_builder_at(b, line, (int)(byte - start) + 1, 1);
}

cn_code cn_builder_check_text(cn_builder *b)
{
    size_t bad = 0;
    if (b->len > CN_TREE_MAX_BYTES) {
        cn_at at = cn_builder_at(b, 0, 0, 0);
        cn_fail(b->cx, CN_EINPUT, &at, "larger than %d bytes", CN_TREE_MAX_BYTES);
        return cn_hint(b->cx, "specs and model configs are small; is this the right file?");
    }
    const char *nul = b->len ? memchr(b->text, 0, b->len) : NULL;
    if (nul) {
        cn_at at = at_byte(b, (size_t)(nul - b->text));
        cn_fail(b->cx, CN_EINPUT, &at, "a NUL byte where text was expected");
        return cn_hint(b->cx, "this looks like a binary file");
    }
    if (!cn_utf8_valid(b->text, b->len, &bad)) {
        cn_at at = at_byte(b, bad);
        cn_fail(b->cx, CN_EINPUT, &at, "byte 0x%02x is not UTF-8 text",
                (unsigned char)b->text[bad]);
        return cn_hint(b->cx, "save the file as UTF-8");
    }
    return CN_OK;
}

static size_t key_hash(const cn_node *map, const char *key)
{
    size_t h = 14695981039346656037u ^ (size_t)(uintptr_t)map;
    for (; *key; key++)
        h = (h ^ (unsigned char)*key) * 1099511628211u;
    return h ^ (h >> 29);
}

/* The slot of a key, or the free one where it belongs. */
static cn_key_slot *key_slot(const cn_key_index *k, const cn_node *map, const char *key)
{
    size_t i = key_hash(map, key) & (k->room - 1);
    while (k->slot[i].map && (k->slot[i].map != map || strcmp(map->key[k->slot[i].i], key) != 0))
        i = (i + 1) & (k->room - 1);
    return &k->slot[i];
}

static bool widen(cn_arena *arena, cn_key_index *k)
{
    cn_key_index wide = {.n = k->n, .room = k->room ? k->room * 2 : 64};
    wide.slot = cn_arena_array(arena, wide.room, sizeof *wide.slot);
    if (!wide.slot)
        return false;
    for (size_t i = 0; i < k->room; i++) {
        const cn_key_slot *s = &k->slot[i];
        if (s->map)
            *key_slot(&wide, s->map, s->map->key[s->i]) = *s;
    }
    *k = wide;
    return true;
}

bool cn_key_index_add(cn_arena *arena, cn_key_index *k, const cn_node *map)
{
    if (2 * k->n >= k->room && !widen(arena, k))
        return false;
    *key_slot(k, map, map->key[map->n - 1]) = (cn_key_slot){map, map->n - 1};
    k->n++;
    return true;
}

const cn_key_slot *cn_key_index_find(const cn_key_index *k, const cn_node *map, const char *key)
{
    const cn_key_slot *s = k->room ? key_slot(k, map, key) : NULL;
    return s && s->map ? s : NULL;
}

static cn_node *new_node(cn_builder *b, cn_node_kind kind, cn_at at)
{
    cn_node *n = cn_arena_alloc(&b->cx->arena, sizeof *n);
    if (!n) {
        cn_nomem(b->cx);
        return NULL;
    }
    n->kind = kind;
    n->at = at;
    return n;
}

static bool grow(cn_builder *b, cn_node *parent, size_t *cap)
{
    if (parent->n < *cap)
        return true;
    size_t more = *cap ? *cap * 2 : 8;
    cn_node **child = cn_arena_array(&b->cx->arena, more, sizeof *child);
    const char **key = cn_arena_array(&b->cx->arena, more, sizeof *key);
    cn_at *key_at = cn_arena_array(&b->cx->arena, more, sizeof *key_at);
    if (!child || !key || !key_at)
        return false;
    if (parent->n) {
        memcpy(child, parent->child, parent->n * sizeof *child);
        memcpy(key, parent->key, parent->n * sizeof *key);
        memcpy(key_at, parent->key_at, parent->n * sizeof *key_at);
    }
    parent->child = child;
    parent->key = key;
    parent->key_at = key_at;
    *cap = more;
    return true;
}

static cn_code attach(cn_builder *b, cn_node *n)
{
    if (++b->n_nodes > CN_TREE_MAX_NODES) {
        cn_fail(b->cx, CN_EINPUT, &n->at, "more than %d values", CN_TREE_MAX_NODES);
        return cn_hint(b->cx, "specs and model configs are small; is this the right file?");
    }
    if (b->depth == 0) {
        b->root = n;
        return CN_OK;
    }
    cn_node *parent = b->stack[b->depth];
    if (!grow(b, parent, &b->cap[b->depth]))
        return cn_nomem(b->cx);
    parent->key[parent->n] = b->key[b->depth];
    parent->key_at[parent->n] = b->key_at[b->depth];
    parent->child[parent->n++] = n;
    if (parent->kind == CN_NODE_MAP && !cn_key_index_add(&b->cx->arena, &b->keys, parent))
        return cn_nomem(b->cx);
    return CN_OK;
}

/* "\0" inside quotes passes the check of the file's bytes, and would end the text early. */
static cn_code check_nul(cn_builder *b, const char *text, size_t len, const cn_at *at)
{
    if (!len || !memchr(text, 0, len))
        return CN_OK;
    cn_fail(b->cx, CN_EINPUT, at, "a NUL character where text was expected");
    return cn_hint(b->cx, "remove the \\0 or \\u0000");
}

cn_code cn_builder_begin(cn_builder *b, cn_node_kind kind, cn_at at)
{
    if (b->depth == CN_TREE_MAX_DEPTH) {
        cn_fail(b->cx, CN_EINPUT, &at, "nested deeper than %d levels", CN_TREE_MAX_DEPTH);
        return cn_hint(b->cx, "no spec or config needs that; is this the right file?");
    }
    cn_node *n = new_node(b, kind, at);
    if (!n)
        return b->cx->code;
    CN_TRY(attach(b, n));
    b->stack[++b->depth] = n;
    b->cap[b->depth] = 0;
    b->key[b->depth] = NULL;
    return CN_OK;
}

cn_code cn_builder_end(cn_builder *b)
{
    b->depth--;
    return CN_OK;
}

cn_code cn_builder_key(cn_builder *b, const char *key, size_t len, cn_at at)
{
    const cn_node *map = b->stack[b->depth];
    CN_TRY(check_nul(b, key, len, &at));
    char *copy = cn_arena_strn(&b->cx->arena, key, len);
    if (!copy)
        return cn_nomem(b->cx);
    const cn_key_slot *first = cn_key_index_find(&b->keys, map, copy);
    if (first) {
        cn_fail(b->cx, CN_EINPUT, &at, "key \"%s\" stands twice, first in line %d", copy,
                map->key_at[first->i].line);
        return cn_hint(b->cx, "keep one of them");
    }
    b->key[b->depth] = copy;
    b->key_at[b->depth] = at;
    return CN_OK;
}

cn_code cn_builder_scalar(cn_builder *b, const char *text, size_t len, bool quoted, cn_at at)
{
    CN_TRY(check_nul(b, text, len, &at));
    cn_node *n = new_node(b, CN_NODE_SCALAR, at);
    if (!n)
        return b->cx->code;
    n->quoted = quoted;
    n->text = cn_arena_strn(&b->cx->arena, text, len);
    return n->text ? attach(b, n) : cn_nomem(b->cx);
}

cn_code cn_builder_null(cn_builder *b, cn_at at)
{
    cn_node *n = new_node(b, CN_NODE_NULL, at);
    return n ? attach(b, n) : b->cx->code;
}

const cn_node *cn_node_get(const cn_node *map, const char *key)
{
    if (!map || map->kind != CN_NODE_MAP)
        return NULL;
    for (size_t i = 0; i < map->n; i++)
        if (strcmp(map->key[i], key) == 0)
            return map->child[i];
    return NULL;
}

const cn_node *cn_node_path(const cn_node *root, const char *path)
{
    char key[128];
    while (root && *path) {
        size_t n = strcspn(path, ".");
        if (n == 0 || n >= sizeof key)
            return NULL;
        memcpy(key, path, n);
        key[n] = 0;
        root = cn_node_get(root, key);
        path += n + (path[n] == '.');
    }
    return root;
}

static bool ends_with(const char *text, const char *tail)
{
    size_t n = strlen(text), m = strlen(tail);
    return n >= m && strcmp(text + n - m, tail) == 0;
}

cn_code cn_tree_file(cn_ctx *cx, const char *path, cn_node **out)
{
    char *text;
    size_t len;
    CN_TRY(cn_file_read(cx, path, CN_TREE_MAX_BYTES, &text, &len));
    if (ends_with(path, ".json"))
        return cn_tree_json(cx, path, text, len, out);
    if (ends_with(path, ".toml"))
        return cn_tree_toml(cx, path, text, len, out);
    return cn_tree_yaml(cx, path, text, len, out);
}

/* Put a child under a key of a map, in place of an old one. */
static cn_code put_child(cn_ctx *cx, cn_node *map, const char *key, cn_at at, cn_node *child)
{
    for (size_t i = 0; i < map->n; i++) {
        if (strcmp(map->key[i], key) == 0) {
            map->child[i] = child;
            map->key_at[i] = at;
            return CN_OK;
        }
    }
    cn_builder b;
    size_t cap = map->n; /* full as far as is known: always moves to a larger array */
    cn_builder_init(&b, cx, at.file, at.text, at.text_len);
    if (!grow(&b, map, &cap))
        return cn_nomem(cx);
    map->key[map->n] = key;
    map->key_at[map->n] = at;
    map->child[map->n++] = child;
    return CN_OK;
}

/* The map under a key, made if it is absent or no map. */
static cn_node *enter_map(cn_ctx *cx, cn_node *map, const char *key, cn_at at)
{
    for (size_t i = 0; i < map->n; i++)
        if (strcmp(map->key[i], key) == 0 && map->child[i]->kind == CN_NODE_MAP)
            return map->child[i];
    cn_node *made = cn_arena_alloc(&cx->arena, sizeof *made);
    if (!made || put_child(cx, map, key, at, made) != CN_OK)
        return NULL;
    made->kind = CN_NODE_MAP;
    made->at = at;
    return made;
}

/* path ends at the first '=' or NUL. */
static cn_code put_at_path(cn_ctx *cx, cn_node *map, const char *path, cn_at at, cn_node *value)
{
    for (const char *p = path;;) {
        size_t n = strcspn(p, ".=");
        char *key = cn_arena_strn(&cx->arena, p, n);
        if (!key)
            return cn_nomem(cx);
        if (n == 0) {
            cn_fail(cx, CN_EUSAGE, &at, "an empty name in \"%s\"", path);
            return cn_hint(cx, "write --set training.precision=fp8");
        }
        if (p[n] != '.')
            return put_child(cx, map, key, at, value);
        map = enter_map(cx, map, key, at);
        if (!map)
            return cn_nomem(cx);
        p += n + 1;
    }
}

cn_code cn_node_put(cn_ctx *cx, cn_node *root, const char *path, const char *text, const cn_at *at)
{
    cn_node *value = cn_arena_alloc(&cx->arena, sizeof *value);
    if (!value || !(value->text = cn_arena_str(&cx->arena, text)))
        return cn_nomem(cx);
    value->kind = CN_NODE_SCALAR;
    value->at = *at;
    return put_at_path(cx, root, path, *at, value);
}

cn_code cn_node_set(cn_ctx *cx, cn_node *root, const char *assignment)
{
    const char *eq = strchr(assignment, '=');
    cn_at at = {"--set", 1, 1, 1, assignment, strlen(assignment)};
    if (!eq || eq == assignment) {
        cn_fail(cx, CN_EUSAGE, &at, "\"%s\" is not path=value", assignment);
        return cn_hint(cx, "write --set training.precision=fp8");
    }
    cn_node *value;
    CN_TRY(cn_tree_yaml(cx, "--set", eq + 1, strlen(eq + 1), &value));
    return put_at_path(cx, root, assignment, at, value);
}
