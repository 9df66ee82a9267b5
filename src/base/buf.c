/* buf.c - growing bytes, whole files. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

void cn_buf_free(cn_buf *b)
{
    free(b->data);
    *b = (cn_buf){0};
}

static bool reserve(cn_buf *b, size_t more)
{
    if (b->failed)
        return false;
    if (more < b->cap - b->len)
        return true;
    size_t cap = b->cap ? b->cap : 256;
    while (cap - b->len <= more && cap < SIZE_MAX / 2)
        cap *= 2;
    char *data = cap - b->len > more ? cn_alloc(b->data, cap) : NULL;
    if (!data) {
        b->failed = true;
        return false;
    }
    b->data = data;
    b->cap = cap;
    return true;
}

void cn_buf_add(cn_buf *b, const void *bytes, size_t len)
{
    if (!reserve(b, len))
        return;
    if (len)
        memcpy(b->data + b->len, bytes, len);
    b->len += len;
    b->data[b->len] = 0;
}

void cn_buf_puts(cn_buf *b, const char *text)
{
    cn_buf_add(b, text, strlen(text));
}

void cn_buf_putc(cn_buf *b, char c)
{
    cn_buf_add(b, &c, 1);
}

void cn_buf_fill(cn_buf *b, char c, int count)
{
    for (int i = 0; i < count; i++)
        cn_buf_putc(b, c);
}

void cn_buf_printf(cn_buf *b, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (len >= 0 && reserve(b, (size_t)len)) {
        vsnprintf(b->data + b->len, (size_t)len + 1, fmt, again);
        b->len += (size_t)len;
    }
    va_end(again);
}

const char *cn_buf_cstr(cn_buf *b)
{
    return b->data && !b->failed ? b->data : "";
}

static cn_code io_error(cn_ctx *cx, const char *path, const char *what)
{
    cn_fail(cx, CN_EIO, NULL, "cannot %s \"%s\": %s", what, path, strerror(errno));
    return cn_hint(cx, "check that the path exists and that you may use it");
}

static cn_code read_all(cn_ctx *cx, const char *path, int fd, size_t max_bytes, cn_buf *b)
{
    char chunk[64 << 10];
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return io_error(cx, path, "read");
        if (n == 0)
            return CN_OK;
        if ((size_t)n > max_bytes - b->len) {
            cn_fail(cx, CN_EINPUT, NULL, "\"%s\" is larger than %zu bytes", path, max_bytes);
            return cn_hint(cx, "this kind of file is read whole and must stay below that size");
        }
        cn_buf_add(b, chunk, (size_t)n);
        if (b->failed) /* at once: what is read may have no end */
            return cn_nomem(cx);
    }
}

cn_code cn_file_read(cn_ctx *cx, const char *path, size_t max_bytes, char **text, size_t *len)
{
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return io_error(cx, path, "open");
    cn_buf b = {0};
    cn_code code = read_all(cx, path, fd, max_bytes, &b);
    if (!is_stdin)
        close(fd);
    if (code == CN_OK) {
        *len = b.len;
        *text = cn_arena_strn(&cx->arena, b.data ? b.data : "", b.len);
        if (!*text)
            code = cn_nomem(cx);
    }
    cn_buf_free(&b);
    return code;
}

static bool write_all(int fd, const char *p, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, p, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = EIO; /* a device that takes nothing and does not say why */
        if (n <= 0)
            return false;
        p += n;
        len -= (size_t)n;
    }
    return true;
}

/*
 * The new text is written beside the old one and takes its place at once, with its permissions, so
 * that a reader or a killed run never leaves half a file. A link stays a link: its target is
 * replaced. Pipes and devices are written as they are.
 */
static int open_beside(const char *beside, const struct stat *old)
{
    unlink(beside); /* left by a killed run with our number */
    int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 && old)
        (void)!fchmod(fd, old->st_mode & 07777);
    return fd;
}

/* All of it on the medium and closed; errno says what the first failing step met. */
static bool finish(int fd, const void *bytes, size_t len, bool sync)
{
    bool ok = write_all(fd, bytes, len) && (!sync || fsync(fd) == 0);
    int first = errno;
    bool closed = close(fd) == 0;
    if (!ok)
        errno = first;
    return ok && closed;
}

static cn_code write_in_place(cn_ctx *cx, const char *path, const void *bytes, size_t len)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return io_error(cx, path, "create");
    return finish(fd, bytes, len, false) ? CN_OK : io_error(cx, path, "write");
}

/* path is what the user wrote, target where its links end. */
static cn_code replace(cn_ctx *cx, const char *path, const char *target, const struct stat *old,
                       const void *bytes, size_t len)
{
    char *beside = cn_arena_printf(&cx->arena, "%s.%ld.tmp", target, (long)getpid());
    if (!beside)
        return cn_nomem(cx);
    int fd = open_beside(beside, old);
    if (fd < 0)
        return io_error(cx, path, "create");
    if (finish(fd, bytes, len, true) && rename(beside, target) == 0)
        return CN_OK;
    cn_code code = io_error(cx, path, "write");
    unlink(beside);
    return code;
}

cn_code cn_file_write(cn_ctx *cx, const char *path, const void *bytes, size_t len)
{
    if (strcmp(path, "-") == 0)
        return write_all(STDOUT_FILENO, bytes, len) ? CN_OK
                                                    : io_error(cx, "standard output", "write");
    struct stat st;
    bool exists = stat(path, &st) == 0;
    if (exists && !S_ISREG(st.st_mode))
        return write_in_place(cx, path, bytes, len);
    char *real = exists ? realpath(path, NULL) : NULL;
    cn_code code = replace(cx, path, real ? real : path, exists ? &st : NULL, bytes, len);
    free(real);
    return code;
}
