/*
 * buf.h - a growing byte buffer, used to build texts and to read files.
 *
 * Lifecycle:  cn_buf b = {0};  cn_buf_*()  ->  cn_buf_free()
 * Errors:     sticky: after memory ran out every call is a no-op and b.failed is true.
 *             b.data is always NUL-terminated when b.len > 0 or after cn_buf_cstr().
 */
#ifndef CARNOT_BASE_BUF_H
#define CARNOT_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/ctx.h"

typedef struct cn_buf {
    char *data;
    size_t len, cap;
    bool failed;
} cn_buf;

void cn_buf_free(cn_buf *b);
void cn_buf_add(cn_buf *b, const void *bytes, size_t len);
void cn_buf_puts(cn_buf *b, const char *text);
void cn_buf_putc(cn_buf *b, char c);
void cn_buf_fill(cn_buf *b, char c, int count);
void cn_buf_printf(cn_buf *b, const char *fmt, ...) CN_PRINTF(2, 3);
const char *cn_buf_cstr(cn_buf *b); /* "" when empty or failed */

/*
 * Read a whole file ("-" = standard input) into the context's arena, at most max_bytes.
 * Errors: CN_EIO (cannot open or read; names the file), CN_EINPUT (too large), CN_ENOMEM.
 */
cn_code cn_file_read(cn_ctx *cx, const char *path, size_t max_bytes, char **text, size_t *len);

/*
 * Write a whole file ("-" = standard output): beside, then renamed, so a crash or a full disk never
 * leaves half a file. Errors: CN_EIO, CN_ENOMEM.
 */
cn_code cn_file_write(cn_ctx *cx, const char *path, const void *bytes, size_t len);

#endif
