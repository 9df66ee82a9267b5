/*
 * fuzz_runs.c - a table of measured runs from bytes: rows are predicted or skipped with a reason.
 *
 * A prediction that is given is a positive time and a positive memory.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "estimate/score.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    cn_ctx cx;
    cn_catalog *cat;
    cn_score *s;
    snprintf(path, sizeof path, "/tmp/carnot-fuzz-runs-%ld.csv", (long)getpid());
    cn_ctx_init(&cx, 1796083200);
    cx.arena.limit_bytes = 256 << 20;
    if (cn_file_write(&cx, path, data, size) == CN_OK &&
        cn_catalog_load(&cx, NULL, &cat) == CN_OK &&
        cn_score_file(&cx, cat, path, NULL, &s) == CN_OK) {
        for (size_t i = 0; i < s->n_rows; i++)
            if (!s->run[i].reason &&
                (!(s->prediction[i].step.time_s > 0) || !(s->prediction[i].peak_bytes > 0)))
                abort();
        cn_score_doc(&cx, s);
    }
    unlink(path);
    cn_ctx_done(&cx);
    return 0;
}
