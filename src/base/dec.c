/*
 * dec.c - exact decimals: a 192-bit magnitude times 10^-28, by schoolbook arithmetic on 64-bit
 * limbs.
 *
 * Nothing rounds unless cn_dec_round() is called, and every operation that could lose a digit says
 * so. Products pass through 384 bits; the split divides 384 by 192 bits one bit at a time, which is
 * slow and only used for shares.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/dec.h"
#include "base/text.h"

__extension__ typedef unsigned __int128 u128;

enum { LIMBS = 3, WIDE = 6, MAX_DIGITS = 64 };
#define TEN_14 100000000000000u
#define TEN_19 10000000000000000000u

/* a = a x m + c over n limbs; false if it does not fit. */
static bool mul_small(uint64_t *a, int n, uint64_t m, uint64_t c)
{
    for (int i = 0; i < n; i++) {
        u128 x = (u128)a[i] * m + c;
        a[i] = (uint64_t)x;
        c = (uint64_t)(x >> 64);
    }
    return c == 0;
}

/* a = a / d, remainder returned. */
static uint64_t div_small(uint64_t *a, int n, uint64_t d)
{
    uint64_t r = 0;
    for (int i = n - 1; i >= 0; i--) {
        u128 x = (u128)r << 64 | a[i];
        a[i] = (uint64_t)(x / d);
        r = (uint64_t)(x % d);
    }
    return r;
}

static bool add_to(uint64_t *a, const uint64_t *b, int n)
{
    uint64_t c = 0;
    for (int i = 0; i < n; i++) {
        u128 x = (u128)a[i] + b[i] + c;
        a[i] = (uint64_t)x;
        c = (uint64_t)(x >> 64);
    }
    return c == 0;
}

/* a -= b, where a >= b. */
static void sub_from(uint64_t *a, const uint64_t *b, int n)
{
    uint64_t borrow = 0;
    for (int i = 0; i < n; i++) {
        u128 x = (u128)a[i] - b[i] - borrow;
        a[i] = (uint64_t)x;
        borrow = (uint64_t)(x >> 64) ? 1 : 0;
    }
}

static int compare(const uint64_t *a, const uint64_t *b, int n)
{
    for (int i = n - 1; i >= 0; i--)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static bool is_zero(const uint64_t *a, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i])
            return false;
    return true;
}

/* 10^n in three limbs, n <= 57. */
static void power_of_ten(int n, uint64_t *out)
{
    memset(out, 0, LIMBS * sizeof *out);
    out[0] = 1;
    for (; n > 0; n--)
        mul_small(out, LIMBS, 10, 0);
}

/* The digits of a number without its point and the power of ten they stand at; trailing zeros are
 * dropped. */
typedef struct {
    char digit[MAX_DIGITS];
    int n, exponent;
} digits;

static bool add_digit(digits *d, char c, bool is_fraction, int *zeros)
{
    d->exponent -= is_fraction;
    if (c == '0') { /* kept back until a digit follows */
        *zeros += d->n > 0;
        return true;
    }
    if (d->n + *zeros + 1 > MAX_DIGITS)
        return false;
    for (; *zeros > 0; (*zeros)--)
        d->digit[d->n++] = '0';
    d->digit[d->n++] = c;
    return true;
}

static bool read_exponent(const char *p, const char *end, int *out)
{
    int sign = 1, e = 0;
    if (p < end && (*p == '+' || *p == '-'))
        sign = *p++ == '-' ? -1 : 1;
    if (p == end)
        return false;
    for (; p < end; p++) {
        if (*p < '0' || *p > '9')
            return false;
        e = e < 10000 ? e * 10 + (*p - '0') : e;
    }
    *out += sign * e;
    return true;
}

static bool read_digits(const char *p, const char *end, digits *d)
{
    bool point = false, any = false;
    int zeros = 0;
    for (; p < end && *p != 'e' && *p != 'E'; p++) {
        if (*p == '.' && !point) {
            point = true;
        } else if (*p >= '0' && *p <= '9') {
            any = true;
            if (!add_digit(d, *p, point, &zeros))
                return false;
        } else {
            return false;
        }
    }
    d->exponent += zeros;
    return any && (p == end || read_exponent(p + 1, end, &d->exponent));
}

bool cn_dec_parse(const char *text, size_t len, cn_dec *out)
{
    const char *p = text, *end = text + len;
    digits d = {.n = 0};
    cn_dec r = {{0}, false};
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (!read_digits(p, end, &d))
        return false;
    if (d.n > 0) {
        int shift = d.exponent + CN_DEC_PLACES;
        if (shift < 0 || d.n + shift > 58)
            return false;
        for (int i = 0; i < d.n; i++)
            if (!mul_small(r.limb, LIMBS, 10, (uint64_t)(d.digit[i] - '0')))
                return false;
        for (; shift > 0; shift--)
            if (!mul_small(r.limb, LIMBS, 10, 0))
                return false;
        r.negative = negative;
    }
    *out = r;
    return true;
}

cn_dec cn_dec_int(int64_t value)
{
    cn_dec d = {{value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 0, 0}, value < 0};
    mul_small(d.limb, LIMBS, TEN_14, 0);
    mul_small(d.limb, LIMBS, TEN_14, 0);
    return d;
}

static cn_dec signed_zero(cn_dec d)
{
    if (is_zero(d.limb, LIMBS))
        d.negative = false;
    return d;
}

bool cn_dec_add(cn_dec a, cn_dec b, cn_dec *out)
{
    if (a.negative == b.negative) {
        if (!add_to(a.limb, b.limb, LIMBS))
            return false;
    } else if (compare(a.limb, b.limb, LIMBS) >= 0) {
        sub_from(a.limb, b.limb, LIMBS);
    } else {
        sub_from(b.limb, a.limb, LIMBS);
        a = b;
    }
    *out = signed_zero(a);
    return true;
}

cn_dec cn_dec_neg(cn_dec a)
{
    a.negative = !a.negative;
    return signed_zero(a);
}

bool cn_dec_sub(cn_dec a, cn_dec b, cn_dec *out)
{
    return cn_dec_add(a, cn_dec_neg(b), out);
}

static void mul_wide(const uint64_t *a, const uint64_t *b, uint64_t *out)
{
    memset(out, 0, WIDE * sizeof *out);
    for (int i = 0; i < LIMBS; i++) {
        uint64_t c = 0;
        for (int j = 0; j < LIMBS; j++) {
            u128 x = (u128)a[i] * b[j] + out[i + j] + c;
            out[i + j] = (uint64_t)x;
            c = (uint64_t)(x >> 64);
        }
        out[i + LIMBS] = c;
    }
}

bool cn_dec_mul(cn_dec a, cn_dec b, cn_dec *out)
{
    uint64_t wide[WIDE];
    mul_wide(a.limb, b.limb, wide);
    bool lost = div_small(wide, WIDE, TEN_14) != 0;
    lost = div_small(wide, WIDE, TEN_14) != 0 || lost;
    if (lost || !is_zero(wide + LIMBS, LIMBS))
        return false;
    cn_dec r = {{wide[0], wide[1], wide[2]}, a.negative != b.negative};
    *out = signed_zero(r);
    return true;
}

int cn_dec_cmp(cn_dec a, cn_dec b)
{
    if (a.negative != b.negative)
        return a.negative ? -1 : 1;
    int c = compare(a.limb, b.limb, LIMBS);
    return a.negative ? -c : c;
}

bool cn_dec_is_zero(cn_dec a)
{
    return is_zero(a.limb, LIMBS);
}

/* Quotient in place and remainder of a wide number by a three-limb one, bit by bit. */
static void div_wide(uint64_t *a, const uint64_t *d, uint64_t *rem)
{
    uint64_t r[LIMBS + 1] = {0}, divisor[LIMBS + 1] = {d[0], d[1], d[2], 0};
    for (int bit = WIDE * 64 - 1; bit >= 0; bit--) {
        for (int i = LIMBS; i > 0; i--)
            r[i] = r[i] << 1 | r[i - 1] >> 63;
        r[0] = r[0] << 1 | (a[bit / 64] >> (bit % 64) & 1);
        a[bit / 64] &= ~(UINT64_C(1) << (bit % 64));
        if (compare(r, divisor, LIMBS + 1) >= 0) {
            sub_from(r, divisor, LIMBS + 1);
            a[bit / 64] |= UINT64_C(1) << (bit % 64);
        }
    }
    memcpy(rem, r, LIMBS * sizeof *rem);
}

cn_dec cn_dec_round(cn_dec a, int places)
{
    if (places >= CN_DEC_PLACES || places < 0)
        return a;
    uint64_t quantum[LIMBS], wide[WIDE] = {a.limb[0], a.limb[1], a.limb[2]}, rem[LIMBS],
                             twice[LIMBS];
    power_of_ten(CN_DEC_PLACES - places, quantum);
    div_wide(wide, quantum, rem);
    memcpy(twice, rem, sizeof twice);
    add_to(twice, rem, LIMBS);
    int half = compare(twice, quantum, LIMBS);
    bool up = half > 0 || (half == 0 && (wide[0] & 1));
    cn_dec rounded = a;
    sub_from(rounded.limb, rem, LIMBS);
    if (up && !add_to(rounded.limb, quantum, LIMBS))
        return a; /* above the largest there is nothing to round to */
    return signed_zero(rounded);
}

double cn_dec_double(cn_dec a)
{
    char text[CN_DEC_TEXT_BYTES];
    double x = 0;
    cn_parse_double(cn_dec_text(a, text), &x);
    return x;
}

const char *cn_dec_text(cn_dec a, char buf[CN_DEC_TEXT_BYTES])
{
    char all[80];
    uint64_t part[4];
    for (int i = 0; i < 4; i++)
        part[i] = div_small(a.limb, LIMBS, TEN_19);
    int n = snprintf(all, sizeof all, "%019llu%019llu%019llu%019llu", (unsigned long long)part[3],
                     (unsigned long long)part[2], (unsigned long long)part[1],
                     (unsigned long long)part[0]);
    char *point = all + n - CN_DEC_PLACES, *first = all, *last = all + n;
    while (first < point - 1 && *first == '0')
        first++;
    while (last > point && last[-1] == '0')
        last--;
    snprintf(buf, CN_DEC_TEXT_BYTES, "%s%.*s%s%.*s", a.negative ? "-" : "", (int)(point - first),
             first, last > point ? "." : "", (int)(last - point), point);
    return buf;
}

/* One share: whole quanta, and what is left over for the largest remainders. */
typedef struct {
    uint64_t rem[LIMBS];
    size_t index;
} left_over;

static int by_remainder(const void *x, const void *y)
{
    const left_over *a = x, *b = y;
    int c = compare(b->rem, a->rem, LIMBS);
    return c ? c : (a->index > b->index) - (a->index < b->index);
}

/* part = floor(quanta x weight / sum), in quanta. */
static void share(const uint64_t *quanta, const uint64_t *weight, const uint64_t *sum,
                  uint64_t *part, uint64_t *rem)
{
    uint64_t wide[WIDE];
    mul_wide(quanta, weight, wide);
    div_wide(wide, sum, rem);
    memcpy(part, wide, LIMBS * sizeof *part);
}

static void to_money(uint64_t *quanta, const uint64_t *quantum, bool negative, cn_dec *out)
{
    uint64_t wide[WIDE];
    mul_wide(quanta, quantum, wide);
    cn_dec d = {{wide[0], wide[1], wide[2]}, negative};
    *out = signed_zero(d);
}

bool cn_dec_split(cn_dec total, const cn_dec *weight, size_t n, int places, cn_dec *part)
{
    uint64_t sum[LIMBS] = {0}, quantum[LIMBS], dust[LIMBS];
    uint64_t quanta[WIDE] = {total.limb[0], total.limb[1], total.limb[2]};
    size_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        if (weight[i].negative || !add_to(sum, weight[i].limb, LIMBS))
            return false;
        if (compare(weight[i].limb, weight[largest].limb, LIMBS) > 0)
            largest = i;
    }
    left_over *left = n && !is_zero(sum, LIMBS) ? cn_alloc(NULL, n * sizeof *left) : NULL;
    if (!left)
        return false;
    power_of_ten(CN_DEC_PLACES - places, quantum);
    div_wide(quanta, quantum, dust);
    uint64_t rest[LIMBS] = {quanta[0], quanta[1], quanta[2]};
    for (size_t i = 0; i < n; i++) {
        uint64_t whole[LIMBS];
        share(quanta, weight[i].limb, sum, whole, left[i].rem);
        left[i].index = i;
        sub_from(rest, whole, LIMBS);
        memcpy(part[i].limb, whole, sizeof whole);
    }
    qsort(left, n, sizeof *left, by_remainder);
    const uint64_t one[LIMBS] = {1, 0, 0};
    for (size_t i = 0; i < n && !is_zero(rest, LIMBS); i++) {
        add_to(part[left[i].index].limb, one, LIMBS);
        sub_from(rest, one, LIMBS);
    }
    free(left);
    for (size_t i = 0; i < n; i++)
        to_money(part[i].limb, quantum, total.negative, &part[i]);
    cn_dec d = {{dust[0], dust[1], dust[2]}, total.negative};
    return cn_dec_add(part[largest], signed_zero(d), &part[largest]);
}
