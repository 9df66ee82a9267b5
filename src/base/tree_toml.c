/*
 * tree_toml.c - the part of TOML 1.0 that launch settings use -> nodes with line and column.
 *
 * Tables, arrays of tables, dotted and quoted keys, basic and literal strings (also of several
 * lines), numbers, booleans, dates (kept as text), arrays and inline tables. There is no C library
 * for it in the distribution. Source: [toml1].
 */
#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/tree_build.h"

typedef struct {
    cn_ctx *cx;
    const char *file, *text;
    size_t len, pos, line_start;
    int line, depth, n_nodes;
    cn_key_index keys;
} toml;

static cn_at here(const toml *t)
{
    int col = (int)(t->pos - t->line_start) + 1;
    return (cn_at){t->file, t->line, col, 1, t->text, t->len};
}

static int peek(const toml *t)
{
    return t->pos < t->len ? (unsigned char)t->text[t->pos] : -1;
}

static void next(toml *t)
{
    if (t->pos < t->len && t->text[t->pos++] == '\n') {
        t->line++;
        t->line_start = t->pos;
    }
}

static cn_code too_large(toml *t, const cn_at *at, int limit, const char *what)
{
    cn_fail(t->cx, CN_EINPUT, at, "more than %d %s", limit, what);
    return cn_hint(t->cx, "no settings need that; is this the right file?");
}

static cn_code too_deep(toml *t, const cn_at *at)
{
    return too_large(t, at, CN_TREE_MAX_DEPTH, "levels of nesting");
}

static cn_code expected(toml *t, const char *what)
{
    cn_at at = here(t);
    int c = peek(t);
    if (c < 0)
        cn_fail(t->cx, CN_EINPUT, &at, "the file ends where %s was expected", what);
    else if (c == '\n' || c == '\r')
        cn_fail(t->cx, CN_EINPUT, &at, "the line ends where %s was expected", what);
    else
        cn_fail(t->cx, CN_EINPUT, &at, "found '%c' where %s was expected", isprint(c) ? c : '?',
                what);
    return cn_hint(t->cx, "TOML is \"key = value\" lines below \"[table]\" lines");
}

static void skip_blanks(toml *t)
{
    while (peek(t) == ' ' || peek(t) == '\t')
        next(t);
}

static void skip_lines(toml *t)
{
    for (;;) {
        int c = peek(t);
        if (c == '#')
            while (peek(t) >= 0 && peek(t) != '\n')
                next(t);
        else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
            next(t);
        else
            return;
    }
}

static cn_node *new_node(toml *t, cn_node_kind kind, cn_at at)
{
    cn_node *n = NULL;
    if (++t->n_nodes > CN_TREE_MAX_NODES)
        too_large(t, &at, CN_TREE_MAX_NODES, "values");
    else if (!(n = cn_arena_alloc(&t->cx->arena, sizeof *n)))
        cn_nomem(t->cx);
    if (n) {
        n->kind = kind;
        n->at = at;
    }
    return n;
}

/* Children double their room at powers of two from 8 on. */
static cn_code add(toml *t, cn_node *parent, const char *key, cn_at at, cn_node *child)
{
    size_t n = parent->n;
    if (n == 0 || (n >= 8 && (n & (n - 1)) == 0)) {
        size_t cap = n ? 2 * n : 8;
        cn_node **c = cn_arena_array(&t->cx->arena, cap, sizeof *c);
        const char **k = cn_arena_array(&t->cx->arena, cap, sizeof *k);
        cn_at *a = cn_arena_array(&t->cx->arena, cap, sizeof *a);
        if (!c || !k || !a)
            return cn_nomem(t->cx);
        if (n) {
            memcpy(c, parent->child, n * sizeof *c);
            memcpy(k, parent->key, n * sizeof *k);
            memcpy(a, parent->key_at, n * sizeof *a);
        }
        parent->child = c;
        parent->key = k;
        parent->key_at = a;
    }
    parent->child[n] = child;
    parent->key[n] = key;
    parent->key_at[n] = at;
    parent->n++;
    if (key && !cn_key_index_add(&t->cx->arena, &t->keys, parent))
        return cn_nomem(t->cx);
    return CN_OK;
}

static cn_node *child_of(const toml *t, const cn_node *map, const char *key)
{
    const cn_key_slot *s = cn_key_index_find(&t->keys, map, key);
    return s ? map->child[s->i] : NULL;
}

static void put_code_point(cn_buf *b, unsigned c)
{
    if (c < 0x80) {
        cn_buf_putc(b, (char)c);
    } else if (c < 0x800) {
        cn_buf_putc(b, (char)(0xc0 | c >> 6));
        cn_buf_putc(b, (char)(0x80 | (c & 0x3f)));
    } else {
        if (c >= 0x10000) {
            cn_buf_putc(b, (char)(0xf0 | c >> 18));
            cn_buf_putc(b, (char)(0x80 | (c >> 12 & 0x3f)));
        } else {
            cn_buf_putc(b, (char)(0xe0 | c >> 12));
        }
        cn_buf_putc(b, (char)(0x80 | (c >> 6 & 0x3f)));
        cn_buf_putc(b, (char)(0x80 | (c & 0x3f)));
    }
}

static cn_code read_escape(toml *t, cn_buf *b)
{
    static const char from[] = "btnfr\"\\", to[] = "\b\t\n\f\r\"\\";
    int c = peek(t);
    const char *f = c > 0 ? strchr(from, c) : NULL;
    if (f) {
        cn_buf_putc(b, to[f - from]);
        next(t);
        return CN_OK;
    }
    int digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;
    unsigned code = 0;
    if (!digits)
        return expected(t, "an escape such as \\n or \\u00e9");
    next(t);
    for (int i = 0; i < digits; i++, next(t)) {
        int h = peek(t);
        if (h < 0 || !isxdigit(h))
            return expected(t, "a hexadecimal digit");
        code = code * 16 + (unsigned)(isdigit(h) ? h - '0' : tolower(h) - 'a' + 10);
    }
    if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return expected(t, "a character's code");
    put_code_point(b, code);
    return CN_OK;
}

/* At an opening quote, one or three of them. */
static cn_code read_string(toml *t, cn_buf *b)
{
    char q = (char)peek(t);
    bool is_long = t->pos + 2 < t->len && t->text[t->pos + 1] == q && t->text[t->pos + 2] == q;
    for (int i = 0; i < (is_long ? 3 : 1); i++)
        next(t);
    if (is_long && peek(t) == '\n')
        next(t);
    for (;;) {
        int c = peek(t);
        if (c < 0 || (c == '\n' && !is_long))
            return expected(t, "a closing quote");
        bool closes = c == q && (!is_long || (t->pos + 2 < t->len && t->text[t->pos + 1] == q &&
                                              t->text[t->pos + 2] == q));
        if (closes) {
            for (int i = 0; i < (is_long ? 3 : 1); i++)
                next(t);
            return CN_OK;
        }
        next(t);
        if (c == '\\' && q == '"') {
            if (is_long && (peek(t) == '\n' || peek(t) == '\r'))
                while (peek(t) == '\n' || peek(t) == '\r' || peek(t) == ' ' || peek(t) == '\t')
                    next(t);
            else
                CN_TRY(read_escape(t, b));
        } else {
            cn_buf_putc(b, (char)c);
        }
    }
}

static bool is_bare(int c)
{
    return c > 0 && (isalnum(c) || c == '_' || c == '-');
}

static cn_code read_key(toml *t, const char **key, cn_at *at)
{
    cn_buf b = {0};
    cn_code code = CN_OK;
    skip_blanks(t);
    *at = here(t);
    if (peek(t) == '"' || peek(t) == '\'')
        code = read_string(t, &b);
    else if (!is_bare(peek(t)))
        code = expected(t, "a key");
    else
        for (; is_bare(peek(t)); next(t))
            cn_buf_putc(&b, (char)peek(t));
    at->len = (int)(t->pos - t->line_start) + 1 - at->col;
    if (code == CN_OK && !(*key = cn_arena_str(&t->cx->arena, cn_buf_cstr(&b))))
        code = cn_nomem(t->cx);
    cn_buf_free(&b);
    skip_blanks(t);
    return code;
}

static cn_code read_value(toml *t, cn_node **out);

static cn_code twice(toml *t, const char *key, cn_at at)
{
    cn_fail(t->cx, CN_EINPUT, &at, "key \"%s\" stands twice", key);
    return cn_hint(t->cx, "keep one of them");
}

/* The table under a key, made if absent; the last table of an array of tables. */
static cn_code enter(toml *t, cn_node **map, const char *key, cn_at at)
{
    cn_node *next_map = child_of(t, *map, key);
    if (!next_map) {
        next_map = new_node(t, CN_NODE_MAP, at);
        if (!next_map)
            return t->cx->code;
        CN_TRY(add(t, *map, key, at, next_map));
    }
    if (next_map->kind == CN_NODE_LIST && next_map->n)
        next_map = next_map->child[next_map->n - 1];
    if (next_map->kind != CN_NODE_MAP)
        return twice(t, key, at);
    *map = next_map;
    return CN_OK;
}

/* key.key = value, into a map. */
static cn_code read_pair(toml *t, cn_node *map)
{
    const char *key;
    cn_at at;
    cn_node *value;
    int parts = 0;
    CN_TRY(read_key(t, &key, &at));
    while (peek(t) == '.') {
        if (++parts > CN_TREE_MAX_DEPTH)
            return too_deep(t, &at);
        next(t);
        CN_TRY(enter(t, &map, key, at));
        CN_TRY(read_key(t, &key, &at));
    }
    if (peek(t) != '=')
        return expected(t, "'='");
    next(t);
    skip_blanks(t);
    if (child_of(t, map, key))
        return twice(t, key, at);
    CN_TRY(read_value(t, &value));
    return add(t, map, key, at, value);
}

static cn_code read_list(toml *t, cn_node *list)
{
    next(t);
    for (skip_lines(t); peek(t) != ']'; skip_lines(t)) {
        cn_node *item;
        CN_TRY(read_value(t, &item));
        CN_TRY(add(t, list, NULL, item->at, item));
        skip_lines(t);
        if (peek(t) == ',')
            next(t);
        else if (peek(t) != ']')
            return expected(t, "',' or ']'");
    }
    next(t);
    return CN_OK;
}

static cn_code read_inline(toml *t, cn_node *map)
{
    next(t);
    for (skip_blanks(t); peek(t) != '}'; skip_blanks(t)) {
        CN_TRY(read_pair(t, map));
        skip_blanks(t);
        if (peek(t) == ',')
            next(t);
        else if (peek(t) != '}')
            return expected(t, "',' or '}'");
    }
    next(t);
    return CN_OK;
}

static cn_code read_plain(toml *t, cn_node *n)
{
    size_t start = t->pos;
    while (peek(t) > 0 && (is_bare(peek(t)) || strchr("+.:", peek(t))))
        next(t);
    if (t->pos == start)
        return expected(t, "a value");
    n->at.len = (int)(t->pos - start);
    n->text = cn_arena_strn(&t->cx->arena, t->text + start, t->pos - start);
    return n->text ? CN_OK : cn_nomem(t->cx);
}

static cn_code read_value(toml *t, cn_node **out)
{
    int c = peek(t);
    cn_node_kind kind = c == '[' ? CN_NODE_LIST : c == '{' ? CN_NODE_MAP : CN_NODE_SCALAR;
    cn_node *n = *out = new_node(t, kind, here(t));
    if (!n)
        return t->cx->code;
    if (t->depth == CN_TREE_MAX_DEPTH)
        return too_deep(t, &n->at);
    cn_code code;
    t->depth++;
    if (kind == CN_NODE_LIST) {
        code = read_list(t, n);
    } else if (kind == CN_NODE_MAP) {
        code = read_inline(t, n);
    } else if (c == '"' || c == '\'') {
        cn_buf b = {0};
        code = read_string(t, &b);
        n->quoted = true;
        n->text = cn_arena_str(&t->cx->arena, cn_buf_cstr(&b));
        cn_buf_free(&b);
        if (code == CN_OK && !n->text)
            code = cn_nomem(t->cx);
    } else {
        code = read_plain(t, n);
    }
    t->depth--;
    return code;
}

/* [a.b] or [[a.b]]: the map that the following pairs belong to. */
static cn_code read_header(toml *t, cn_node *root, cn_node **map)
{
    bool is_array = false;
    const char *key;
    cn_at at;
    next(t);
    if (peek(t) == '[') {
        is_array = true;
        next(t);
    }
    *map = root;
    CN_TRY(read_key(t, &key, &at));
    for (int parts = 0; peek(t) == '.'; parts++) {
        if (parts > CN_TREE_MAX_DEPTH)
            return too_deep(t, &at);
        next(t);
        CN_TRY(enter(t, map, key, at));
        CN_TRY(read_key(t, &key, &at));
    }
    if (is_array) {
        cn_node *list = child_of(t, *map, key), *item = new_node(t, CN_NODE_MAP, at);
        if (!list) {
            list = new_node(t, CN_NODE_LIST, at);
            if (list)
                CN_TRY(add(t, *map, key, at, list));
        }
        if (!item || !list)
            return t->cx->code;
        if (list->kind != CN_NODE_LIST)
            return twice(t, key, at);
        CN_TRY(add(t, list, NULL, at, item));
        *map = item;
    } else {
        CN_TRY(enter(t, map, key, at));
    }
    for (int i = 0; i < (is_array ? 2 : 1); i++, next(t))
        if (peek(t) != ']')
            return expected(t, "']'");
    return CN_OK;
}

static cn_code read_all(toml *t, cn_node *root)
{
    cn_node *map = root;
    for (skip_lines(t); peek(t) >= 0; skip_lines(t)) {
        if (peek(t) == '[')
            CN_TRY(read_header(t, root, &map));
        else
            CN_TRY(read_pair(t, map));
        skip_blanks(t);
        if (peek(t) >= 0 && peek(t) != '\n' && peek(t) != '\r' && peek(t) != '#')
            return expected(t, "the end of the line");
    }
    return CN_OK;
}

cn_code cn_tree_toml(cn_ctx *cx, const char *file, const char *text, size_t len, cn_node **out)
{
    cn_builder b;
    cn_builder_init(&b, cx, file, text, len);
    CN_TRY(cn_builder_check_text(&b));
    toml t = {.cx = cx, .file = file, .text = b.text, .len = b.len, .line = 1};
    cn_node *root = new_node(&t, CN_NODE_MAP, here(&t));
    if (!root)
        return cx->code;
    CN_TRY(read_all(&t, root));
    if (root->n == 0) {
        cn_fail(cx, CN_EINPUT, &root->at, "the file is empty");
        return cn_hint(cx, "expected \"key = value\" lines");
    }
    *out = root;
    return CN_OK;
}
