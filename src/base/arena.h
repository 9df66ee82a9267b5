/*
 * arena.h - memory that is freed all at once.
 *
 * Lifecycle:  cn_arena_init()  ->  cn_arena_alloc() ...  ->  cn_arena_free()
 * Ownership:  the arena owns every block; nothing is freed one by one.
 * Errors:     NULL when memory is out or the limit is passed. Zero-filled otherwise.
 *             Tests make the n-th allocation of the process fail with cn_alloc_fail_at().
 */
#ifndef CARNOT_BASE_ARENA_H
#define CARNOT_BASE_ARENA_H

#include <stddef.h>

typedef struct cn_arena {
    struct cn_arena_block *head; /* newest block */
    size_t used_bytes;           /* handed out so far */
    size_t limit_bytes;          /* 0 = none */
} cn_arena;

void cn_arena_init(cn_arena *a, size_t limit_bytes);
void cn_arena_free(cn_arena *a);

/* Forget everything but keep the newest block for what comes next: for work done again and again.
 */
void cn_arena_reset(cn_arena *a);

/* size bytes, zero-filled, aligned for any type; NULL if out of memory. */
void *cn_arena_alloc(cn_arena *a, size_t size_bytes);

/* count x size with overflow check. */
void *cn_arena_array(cn_arena *a, size_t count, size_t size_bytes);

/* Copies with a final NUL; NULL if out of memory. */
char *cn_arena_str(cn_arena *a, const char *text);
char *cn_arena_strn(cn_arena *a, const char *text, size_t len);
char *cn_arena_printf(cn_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Let the n-th allocation from now fail (1 = the next one); 0 = never. For tests. */
void cn_alloc_fail_at(long n);

/* The only allocator under arenas and buffers: realloc semantics, obeys cn_alloc_fail_at(). */
void *cn_alloc(void *old, size_t size_bytes);

#endif
