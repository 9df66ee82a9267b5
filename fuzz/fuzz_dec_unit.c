/*
 * fuzz_dec_unit.c - decimals, quantities, dates and numbers from bytes.
 *
 * A decimal or double that was read prints as text that reads back to the same; what is rounded
 * stays so when rounded again; a quantity is finite; scales are positive.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/dec.h"
#include "base/text.h"
#include "base/unit.h"
#include "base/when.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[256], out[CN_DEC_TEXT_BYTES];
    size_t n = size < sizeof text - 1 ? size : sizeof text - 1;
    cn_dec d, again;
    memcpy(text, data, n);
    text[n] = 0;
    if (cn_dec_parse(text, strlen(text), &d)) {
        cn_dec_text(d, out);
        if (!cn_dec_parse(out, strlen(out), &again) || cn_dec_cmp(d, again) != 0)
            abort();
        again = cn_dec_round(d, 2);
        if (cn_dec_cmp(cn_dec_round(again, 2), again) != 0)
            abort();
    }
    for (int dim = 0; dim < CN_DIM_N; dim++) {
        cn_quantity q;
        const char *why = NULL, *example = NULL;
        bool ok = cn_unit_parse(text, (cn_dim)dim, &q, &why, &example);
        if (!example || (ok ? !isfinite(q.value) : !why))
            abort();
    }
    double t, x;
    if (cn_when_parse(text, &t))
        cn_when_text(t, out);
    if (cn_parse_double(text, &x)) {
        char number[64];
        double factor, back;
        if (!cn_parse_double(cn_double_text(x, number), &back) || back != x)
            abort();
        cn_number_sig(x, 4, number);
        cn_unit_scale(x, "bytes", &factor);
        if (!(factor > 0))
            abort();
    }
    return 0;
}
