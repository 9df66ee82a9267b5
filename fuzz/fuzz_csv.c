/* fuzz_csv.c - CSV from bytes: every row has the header's fields, or the reader says where it does
 * not. */
#include <stdint.h>
#include <stdlib.h>

#include "base/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cn_ctx cx;
    cn_csv csv;
    bool more = true;
    cn_ctx_init(&cx, 0);
    cx.arena.limit_bytes = 64 << 20;
    char *text = cn_arena_strn(&cx.arena, (const char *)data, size);
    cn_code code = cn_csv_open(&cx, "fuzz", text, size, &csv);
    while (code == CN_OK && more) {
        code = cn_csv_next(&cx, &csv, &more);
        for (size_t i = 0; code == CN_OK && more && i < csv.n_columns; i++)
            if (!csv.field[i])
                abort();
    }
    if (code != CN_OK && code != CN_ENOMEM && !cx.problem[0].message[0])
        abort();
    cn_ctx_done(&cx);
    return 0;
}
