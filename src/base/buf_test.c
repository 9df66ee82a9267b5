/* buf_test.c - bytes arrive whole or not at all; a file is the old one or the new one, never half.
 */
#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/rng.h"

enum { SEEDS = 200 };

static cn_ctx cx;
static char dir[] = "/tmp/carnot-buf-XXXXXX";

static const char *in_dir(const char *name)
{
    return cn_arena_printf(&cx.arena, "%s/%s", dir, name);
}

static int set_up(void **state)
{
    (void)state;
    cn_ctx_init(&cx, 0);
    memcpy(dir + sizeof dir - 7, "XXXXXX", 6);
    return mkdtemp(dir) ? 0 : -1;
}

/* Files left in the folder; they are removed. */
static int sweep(void)
{
    DIR *d = opendir(dir);
    int n = 0;
    for (struct dirent *e; d && (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        unlink(in_dir(e->d_name));
        n++;
    }
    if (d)
        closedir(d);
    return n;
}

static int tear_down(void **state)
{
    (void)state;
    cn_alloc_fail_at(0);
    sweep();
    cn_ctx_done(&cx);
    return rmdir(dir);
}

/* However a text is cut into pieces, the buffer holds the text. */
static void pieces_make_the_whole(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        char whole[3000];
        cn_buf b = {0};
        cn_rng r;
        cn_rng_seed(&r, seed);
        for (size_t i = 0; i < sizeof whole; i++)
            whole[i] = (char)(1 + cn_rng_below(&r, 255));
        whole[sizeof whole - 1] = 0;
        for (size_t at = 0; at < sizeof whole - 1;) {
            size_t left = sizeof whole - 1 - at, n = cn_rng_below(&r, left < 300 ? left + 1 : 300);
            switch (cn_rng_below(&r, 3)) {
            case 0:
                cn_buf_add(&b, whole + at, n);
                break;
            case 1:
                cn_buf_printf(&b, "%.*s", (int)n, whole + at);
                break;
            default:
                cn_buf_putc(&b, whole[at]);
                n = 1;
            }
            at += n;
        }
        if (b.failed || b.len != sizeof whole - 1 || strcmp(cn_buf_cstr(&b), whole) != 0)
            fail_msg("seed %llu: the buffer is not the text", (unsigned long long)seed);
        cn_buf_free(&b);
    }
}

static void empty_and_filled(void **state)
{
    (void)state;
    cn_buf b = {0};
    assert_string_equal(cn_buf_cstr(&b), "");
    cn_buf_add(&b, NULL, 0);
    cn_buf_puts(&b, "");
    assert_string_equal(cn_buf_cstr(&b), "");
    cn_buf_fill(&b, '-', 3);
    cn_buf_fill(&b, '-', -3);
    assert_string_equal(cn_buf_cstr(&b), "---");
    cn_buf_free(&b);
    assert_null(b.data);
}

static void lost_memory_is_remembered(void **state)
{
    (void)state;
    cn_buf b = {0};
    cn_buf_puts(&b, "kept");
    cn_alloc_fail_at(1);
    cn_buf_fill(&b, 'x', 1000);
    assert_true(b.failed);
    cn_buf_puts(&b, "more"); /* memory is back; half a text would be worse than none */
    cn_buf_printf(&b, "more");
    assert_true(b.failed);
    assert_string_equal(cn_buf_cstr(&b), "");
    cn_buf_free(&b);
    cn_buf_add(&b, "", SIZE_MAX - 1); /* no memory is that large; the bytes are not touched */
    assert_true(b.failed);
    cn_buf_free(&b);
}

static void holds(const char *path, const char *want)
{
    char *text;
    size_t len;
    assert_int_equal(cn_file_read(&cx, path, 1 << 20, &text, &len), CN_OK);
    assert_int_equal(len, strlen(want));
    assert_string_equal(text, want);
}

static void write_and_read(void **state)
{
    (void)state;
    const char *path = in_dir("a");
    assert_int_equal(cn_file_write(&cx, path, "one", 3), CN_OK);
    holds(path, "one");
    assert_int_equal(cn_file_write(&cx, path, "", 0), CN_OK);
    holds(path, "");
    char *text;
    size_t len;
    assert_int_equal(cn_file_write(&cx, path, "a\0b", 3), CN_OK);
    assert_int_equal(cn_file_read(&cx, path, 3, &text, &len), CN_OK);
    assert_int_equal(len, 3);
    assert_memory_equal(text, "a\0b", 4);
    assert_int_equal(sweep(), 1); /* nothing beside it */
}

static void permissions_and_links_stay(void **state)
{
    (void)state;
    const char *path = in_dir("real"), *link = in_dir("link");
    struct stat st;
    assert_int_equal(cn_file_write(&cx, path, "one", 3), CN_OK);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink("real", link), 0);
    assert_int_equal(cn_file_write(&cx, link, "two", 3), CN_OK);
    holds(path, "two");
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
}

/* The message names the file and the reason the system gave. */
static void refused(cn_code code, cn_code want, const char *path, const char *reason)
{
    assert_int_equal(code, want);
    assert_non_null(strstr(cx.problem[0].message, path));
    if (!strstr(cx.problem[0].message, reason))
        fail_msg("\"%s\" does not say \"%s\"", cx.problem[0].message, reason);
    assert_true(cx.problem[0].hint[0] != 0);
    cn_ctx_clear(&cx);
}

static void what_cannot_be_read(void **state)
{
    (void)state;
    char *text = NULL;
    size_t len;
    const char *none = in_dir("none"), *big = in_dir("big");
    refused(cn_file_read(&cx, none, 10, &text, &len), CN_EIO, none, "No such file");
    refused(cn_file_read(&cx, dir, 10, &text, &len), CN_EIO, dir, "directory");
    assert_int_equal(cn_file_write(&cx, big, "12345678901", 11), CN_OK);
    refused(cn_file_read(&cx, big, 10, &text, &len), CN_EINPUT, big, "larger than 10 bytes");
    refused(cn_file_read(&cx, "/dev/zero", 1 << 20, &text, &len), CN_EINPUT, "/dev/zero", "larger");
    assert_null(text);
}

static void what_cannot_be_written(void **state)
{
    (void)state;
    const char *none = in_dir("none/a");
    refused(cn_file_write(&cx, none, "x", 1), CN_EIO, none, "No such file");
    refused(cn_file_write(&cx, dir, "x", 1), CN_EIO, dir, "directory");
    refused(cn_file_write(&cx, "/dev/full", "x", 1), CN_EIO, "/dev/full", "No space left");
    assert_int_equal(cn_file_write(&cx, "/dev/null", "x", 1), CN_OK);
}

/* A limit on the size of files stands for a full disk: a part is written, then nothing more. */
static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    static const char big[100000];
    const char *path = in_dir("a");
    struct rlimit old, small;
    assert_int_equal(cn_file_write(&cx, path, "old", 3), CN_OK);
    void (*was)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 4096;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    cn_code code = cn_file_write(&cx, path, big, sizeof big);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, was);
    refused(code, CN_EIO, path, "File too large");
    holds(path, "old");
    assert_int_equal(sweep(), 1);
}

/* Whatever allocation fails: an error or the whole file, and the reading ends. */
static void memory_runs_out_anywhere(void **state)
{
    (void)state;
    static char big[200000];
    memset(big, 'x', sizeof big);
    const char *path = in_dir("a");
    assert_int_equal(cn_file_write(&cx, path, big, sizeof big), CN_OK);
    int failures = 0;
    for (long n = 1; n <= 12; n++) {
        cn_ctx own;
        char *text;
        size_t len;
        cn_ctx_init(&own, 0);
        cn_alloc_fail_at(n);
        cn_code code = cn_file_read(&own, path, 1 << 20, &text, &len);
        cn_alloc_fail_at(0);
        assert_true(code == CN_ENOMEM || (code == CN_OK && len == sizeof big));
        failures += code != CN_OK;
        cn_ctx_done(&own);
    }
    assert_true(failures > 1 && failures < 12);
    cn_ctx own; /* fresh, so that the first piece of its arena needs memory */
    cn_ctx_init(&own, 0);
    cn_alloc_fail_at(1);
    assert_int_equal(cn_file_write(&own, path, "new", 3), CN_ENOMEM);
    cn_ctx_done(&own);
    char *text;
    size_t len;
    cn_alloc_fail_at(1); /* an endless file must not be read on */
    assert_int_equal(cn_file_read(&cx, "/dev/zero", (size_t)1 << 40, &text, &len), CN_ENOMEM);
}

#define file_test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_make_the_whole),     cmocka_unit_test(empty_and_filled),
        cmocka_unit_test(lost_memory_is_remembered), file_test(write_and_read),
        file_test(permissions_and_links_stay),       file_test(what_cannot_be_read),
        file_test(what_cannot_be_written),           file_test(a_full_disk_leaves_the_old_file),
        file_test(memory_runs_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
