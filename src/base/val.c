/* val.c - values and their JSON text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/val.h"

static cn_val none; /* what builders return when memory ran out: harmless, never filled */

static cn_val *new_val(cn_ctx *cx, cn_val_kind kind)
{
    cn_val *v = cn_arena_alloc(&cx->arena, sizeof *v);
    if (!v) {
        cn_nomem(cx);
        return &none;
    }
    v->kind = kind;
    return v;
}

cn_val *cn_val_null(cn_ctx *cx)
{
    return new_val(cx, CN_VAL_NULL);
}

cn_val *cn_val_bool(cn_ctx *cx, bool b)
{
    cn_val *v = new_val(cx, CN_VAL_BOOL);
    if (v != &none)
        v->flag = b;
    return v;
}

cn_val *cn_val_num(cn_ctx *cx, double x)
{
    cn_val *v = new_val(cx, CN_VAL_NUM);
    if (v != &none)
        v->num = x;
    return v;
}

cn_val *cn_val_int(cn_ctx *cx, long long i)
{
    cn_val *v = new_val(cx, CN_VAL_INT);
    if (v != &none)
        v->i64 = i;
    return v;
}

cn_val *cn_val_str(cn_ctx *cx, const char *s)
{
    if (!s)
        return cn_val_null(cx);
    cn_val *v = new_val(cx, CN_VAL_STR);
    char *copy = cn_arena_str(&cx->arena, s);
    if (v == &none || !copy) {
        cn_nomem(cx);
        return &none;
    }
    v->str = copy;
    return v;
}

cn_val *cn_val_arr(cn_ctx *cx)
{
    return new_val(cx, CN_VAL_ARR);
}

cn_val *cn_val_obj(cn_ctx *cx)
{
    return new_val(cx, CN_VAL_OBJ);
}

static bool grow(cn_ctx *cx, cn_val *v)
{
    if (v->n < v->cap)
        return true;
    size_t cap = v->cap ? v->cap * 2 : 8;
    cn_val **item = cn_arena_array(&cx->arena, cap, sizeof *item);
    const char **key = v->kind == CN_VAL_OBJ ? cn_arena_array(&cx->arena, cap, sizeof *key) : NULL;
    if (!item || (v->kind == CN_VAL_OBJ && !key)) {
        cn_nomem(cx);
        return false;
    }
    if (v->n) {
        memcpy(item, v->item, v->n * sizeof *item);
        if (key)
            memcpy(key, v->key, v->n * sizeof *key);
    }
    v->item = item;
    v->key = key;
    v->cap = cap;
    return true;
}

void cn_val_push(cn_ctx *cx, cn_val *arr, cn_val *item)
{
    if (arr && arr != &none && grow(cx, arr)) /* NULL: of a document that memory ran out for */
        arr->item[arr->n++] = item;
}

void cn_val_put(cn_ctx *cx, cn_val *obj, const char *key, cn_val *item)
{
    if (!obj || obj == &none)
        return;
    const char *copy = cn_arena_str(&cx->arena, key);
    if (!copy) {
        cn_nomem(cx);
        return;
    }
    if (grow(cx, obj)) {
        obj->key[obj->n] = copy;
        obj->item[obj->n++] = item;
    }
}

const cn_val *cn_val_get(const cn_val *obj, const char *key)
{
    if (!obj || obj->kind != CN_VAL_OBJ)
        return NULL;
    for (size_t i = 0; i < obj->n; i++)
        if (strcmp(obj->key[i], key) == 0)
            return obj->item[i];
    return NULL;
}

/* Bytes that are not UTF-8 become U+FFFD, so that the output always parses. */
static void put_string(cn_buf *out, const char *s)
{
    static const char escapes[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    size_t len = strlen(s);
    cn_buf_putc(out, '"');
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)s[i];
        const char *e = c < 0x80 ? strchr(escapes, c) : NULL;
        if (c == '"' || c == '\\' || (c < 0x20 && e && (e - escapes) % 2 == 0)) {
            cn_buf_putc(out, '\\');
            cn_buf_putc(out, c == '"' ? '"' : c == '\\' ? '\\' : e[1]);
        } else if (c < 0x20 || c == 0x7f) {
            cn_buf_printf(out, "\\u%04x", c);
        } else if (c < 0x80) {
            cn_buf_putc(out, (char)c);
        } else {
            size_t n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
            bool ok = n <= len - i && cn_utf8_valid(s + i, n, NULL);
            cn_buf_add(out, ok ? s + i : "\xef\xbf\xbd", ok ? n : 3);
            i += ok ? n - 1 : 0;
        }
    }
    cn_buf_putc(out, '"');
}

static void newline(cn_buf *out, int indent, int depth)
{
    if (indent > 0) {
        cn_buf_putc(out, '\n');
        cn_buf_fill(out, ' ', indent * depth);
    }
}

static void put(cn_buf *out, const cn_val *v, int indent, int depth)
{
    char text[32];
    switch (v->kind) {
    case CN_VAL_NULL:
        cn_buf_puts(out, "null");
        break;
    case CN_VAL_BOOL:
        cn_buf_puts(out, v->flag ? "true" : "false");
        break;
    case CN_VAL_NUM:
        cn_buf_puts(out, cn_double_text(v->num, text));
        break;
    case CN_VAL_INT:
        cn_buf_printf(out, "%lld", v->i64);
        break;
    case CN_VAL_STR:
        put_string(out, v->str);
        break;
    case CN_VAL_ARR:
    case CN_VAL_OBJ:
        cn_buf_putc(out, v->kind == CN_VAL_ARR ? '[' : '{');
        for (size_t i = 0; i < v->n; i++) {
            newline(out, indent, depth + 1);
            if (v->kind == CN_VAL_OBJ) {
                put_string(out, v->key[i]);
                cn_buf_puts(out, indent > 0 ? ": " : ":");
            }
            put(out, v->item[i], indent, depth + 1);
            if (i + 1 < v->n)
                cn_buf_putc(out, ',');
        }
        if (v->n)
            newline(out, indent, depth);
        cn_buf_putc(out, v->kind == CN_VAL_ARR ? ']' : '}');
        break;
    }
}

void cn_val_json(cn_buf *out, const cn_val *v, int indent)
{
    put(out, v, indent, 0);
}
