/* arena.c - blocks of growing size in a list, newest first; freed whole. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

struct cn_arena_block {
    struct cn_arena_block *next;
    size_t cap, used;
    max_align_t data[];
};

enum { FIRST_BLOCK = 16 << 10, LARGEST_BLOCK = 4 << 20 };

static _Thread_local long fail_at; /* 0 = never; counts down to the failing allocation */

void cn_alloc_fail_at(long n)
{
    fail_at = n;
}

void *cn_alloc(void *old, size_t size_bytes)
{
    if (fail_at > 0 && --fail_at == 0)
        return NULL;
    return realloc(old, size_bytes ? size_bytes : 1);
}

void cn_arena_init(cn_arena *a, size_t limit_bytes)
{
    *a = (cn_arena){.limit_bytes = limit_bytes};
}

void cn_arena_free(cn_arena *a)
{
    struct cn_arena_block *b = a->head;
    while (b) {
        struct cn_arena_block *next = b->next;
        free(b);
        b = next;
    }
    cn_arena_init(a, a->limit_bytes);
}

void cn_arena_reset(cn_arena *a)
{
    struct cn_arena_block *keep = a->head;
    if (!keep)
        return;
    a->head = keep->next;
    cn_arena_free(a);
    keep->next = NULL;
    keep->used = 0;
    a->head = keep;
}

static struct cn_arena_block *new_block(cn_arena *a, size_t at_least)
{
    size_t cap = a->head ? a->head->cap * 2 : FIRST_BLOCK;
    if (cap > LARGEST_BLOCK)
        cap = LARGEST_BLOCK;
    if (cap < at_least)
        cap = at_least;
    struct cn_arena_block *b = cn_alloc(NULL, sizeof *b + cap);
    if (!b)
        return NULL;
    *b = (struct cn_arena_block){.next = a->head, .cap = cap};
    a->head = b;
    return b;
}

void *cn_arena_alloc(cn_arena *a, size_t size_bytes)
{
    const size_t align = _Alignof(max_align_t);
    if (size_bytes > SIZE_MAX / 2)
        return NULL;
    size_t size = (size_bytes + align - 1) / align * align;
    if (a->limit_bytes && size > a->limit_bytes - a->used_bytes)
        return NULL;
    struct cn_arena_block *b = a->head;
    if (!b || size > b->cap - b->used)
        b = new_block(a, size);
    if (!b)
        return NULL;
    void *p = (char *)b->data + b->used;
    b->used += size;
    a->used_bytes += size;
    return memset(p, 0, size);
}

void *cn_arena_array(cn_arena *a, size_t count, size_t size_bytes)
{
    if (size_bytes && count > SIZE_MAX / size_bytes)
        return NULL;
    return cn_arena_alloc(a, count * size_bytes);
}

char *cn_arena_strn(cn_arena *a, const char *text, size_t len)
{
    char *copy = len < SIZE_MAX ? cn_arena_alloc(a, len + 1) : NULL;
    return copy ? memcpy(copy, text, len) : NULL;
}

char *cn_arena_str(cn_arena *a, const char *text)
{
    return text ? cn_arena_strn(a, text, strlen(text)) : NULL;
}

char *cn_arena_printf(cn_arena *a, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *out = len < 0 ? NULL : cn_arena_alloc(a, (size_t)len + 1);
    if (out)
        vsnprintf(out, (size_t)len + 1, fmt, again);
    va_end(again);
    return out;
}
