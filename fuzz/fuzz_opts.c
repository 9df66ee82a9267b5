/*
 * fuzz_opts.c - a command line, its words parted by line ends: it is read or refused with a message
 * that can be printed.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_WORDS = 32 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static cn_ctx cx;
    static char program[] = "carnot";
    char *argv[MAX_WORDS + 1] = {program};
    int argc = 1;
    cn_cli cli = {0};
    cn_buf said = {0};
    cn_ctx_init(&cx, 0);
    char *rest = cn_arena_strn(&cx.arena, (const char *)data, size);
    for (char *word = strsep(&rest, "\n"); word && argc < MAX_WORDS; word = strsep(&rest, "\n"))
        argv[argc++] = word;
    cn_code code = cn_opts_parse(&cx, &cli, argc, argv);
    if (code == CN_OK)
        code = cn_opts_resolve(&cx, &cli);
    cn_say(&cx, &cli, false, &said);
    if ((code == CN_OK) != (cx.n_problems == 0) || memchr(cn_buf_cstr(&said), '\033', said.len))
        abort();
    cn_buf_free(&said);
    cn_ctx_done(&cx);
    return 0;
}
