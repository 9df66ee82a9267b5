/*
 * dec.h - exact decimals for billed money: never rounds, never overflows silently.
 *
 * A cn_dec is an integer coefficient times 10^-28 in 192 bits (sign + magnitude): up to 28 decimal
 * places and 29 integer digits, more than any bill seen. All operations say whether the result
 * fits. Text form: plain digits, no exponent on output, no trailing zeros after the point; "0" is
 * zero. Input forms: "-1234.56", "+.5", "1E-7", "1.5e3"; no blanks, no thousands separators, no
 * currency.
 */
#ifndef CARNOT_BASE_DEC_H
#define CARNOT_BASE_DEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cn_dec {
    uint64_t limb[3]; /* magnitude x 10^28, least significant first */
    bool negative;    /* never true for zero */
} cn_dec;

enum { CN_DEC_PLACES = 28, CN_DEC_TEXT_BYTES = 64 };

bool cn_dec_parse(const char *text, size_t len,
                  cn_dec *out); /* false: not a number, or too many digits */
cn_dec cn_dec_int(int64_t value);
bool cn_dec_add(cn_dec a, cn_dec b, cn_dec *out); /* false on overflow */
bool cn_dec_sub(cn_dec a, cn_dec b, cn_dec *out);
bool cn_dec_mul(cn_dec a, cn_dec b,
                cn_dec *out); /* exact; false on overflow or if a digit would be lost */
int cn_dec_cmp(cn_dec a, cn_dec b);
bool cn_dec_is_zero(cn_dec a);
cn_dec cn_dec_neg(cn_dec a);
/* Half even, only where an invoice rounds. What would round beyond 192 bits (6.27e29) stays as it
 * is. */
cn_dec cn_dec_round(cn_dec a, int places);
double cn_dec_double(cn_dec a); /* for charts only */
const char *cn_dec_text(cn_dec a, char buf[CN_DEC_TEXT_BYTES]);

/*
 * Split total over n weights so that the parts sum to total exactly, in quanta of 10^-places
 * (largest remainder; ties to the lower index; the part of total below one quantum goes to the
 * largest weight). Weights are not negative. False if all weights are zero or n is 0.
 */
bool cn_dec_split(cn_dec total, const cn_dec *weight, size_t n, int places, cn_dec *part);

#endif
