/* dec_test.c - exact decimals: forms, bounds, laws over random values, shares that sum to the last
 * digit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/dec.h"
#include "base/rng.h"

enum { SEEDS = 1000 };

static cn_dec dec(const char *text)
{
    cn_dec d;
    if (!cn_dec_parse(text, strlen(text), &d))
        fail_msg("\"%s\" was not read", text);
    return d;
}

static void forms(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want; /* NULL: refused */
    } row[] = {
        {"0", "0"},
        {"-0.00", "0"},
        {"1234.56", "1234.56"},
        {"+.5", "0.5"},
        {"-00012.300", "-12.3"},
        {"1E-7", "0.0000001"},
        {"1.5e3", "1500"},
        {"1e29", "100000000000000000000000000000"},
        {"0.0000000000000000000000000001", "0.0000000000000000000000000001"},
        {"99999999999999999999.9999999999999999999999999999",
         "99999999999999999999.9999999999999999999999999999"},
        {"0.00000000000000000000000000001", NULL},
        {"1e31", NULL},
        {"", NULL},
        {"-", NULL},
        {".", NULL},
        {"1,5", NULL},
        {"1 ", NULL},
        {"1e", NULL},
        {"0x10", NULL},
        {"nan", NULL},
        {"1.2.3", NULL},
        {"100e-30", "0.0000000000000000000000000001"},
        {"0e999999999", "0"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cn_dec d;
        char text[CN_DEC_TEXT_BYTES];
        bool ok = cn_dec_parse(row[i].text, strlen(row[i].text), &d);
        if (ok != (row[i].want != NULL) || (ok && strcmp(cn_dec_text(d, text), row[i].want) != 0))
            fail_msg("\"%s\": %s", row[i].text, ok ? text : "refused");
    }
}

/* A number with up to 18 integer and 18 fraction digits. */
static cn_dec random_dec(cn_rng *r)
{
    char text[64];
    int whole = (int)cn_rng_below(r, 18) + 1, fraction = (int)cn_rng_below(r, 19);
    int n = snprintf(text, sizeof text, "%s", cn_rng_below(r, 2) ? "-" : "");
    for (int i = 0; i < whole; i++)
        text[n++] = (char)('0' + cn_rng_below(r, 10));
    text[n++] = '.';
    for (int i = 0; i < fraction; i++)
        text[n++] = (char)('0' + cn_rng_below(r, 10));
    text[n] = 0;
    return dec(text);
}

static void laws(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cn_rng r;
        cn_rng_seed(&r, seed);
        cn_dec a = random_dec(&r), b = random_dec(&r), ab, ba = a, back = a;
        char text[CN_DEC_TEXT_BYTES];
        assert_true(cn_dec_add(a, b, &ab) && cn_dec_add(b, a, &ba) && cn_dec_sub(ab, b, &back));
        if (cn_dec_cmp(ab, ba) != 0 || cn_dec_cmp(back, a) != 0)
            fail_msg("seed %llu: a + b - b is not a", (unsigned long long)seed);
        if (cn_dec_cmp(dec(cn_dec_text(a, text)), a) != 0)
            fail_msg("seed %llu: text does not read back", (unsigned long long)seed);
        cn_dec n = cn_dec_int((int64_t)cn_rng_below(&r, 1000)), x = {{0}, false}, m;
        assert_true(cn_dec_mul(a, n, &m));
        for (int i = (int)cn_dec_double(n); i > 0; i--)
            assert_true(cn_dec_add(x, a, &x));
        if (cn_dec_cmp(x, m) != 0)
            fail_msg("seed %llu: product is not the repeated sum", (unsigned long long)seed);
    }
}

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

enum { UNITS = 18 }; /* places behind the point of what the 128-bit reference counts */

/* n x 10^-18 as a decimal text, by the compiler's own arithmetic. */
static void text_of(i128 n, char *out)
{
    char digit[48];
    int k = 0;
    bool negative = n < 0;
    if (negative)
        n = -n;
    do {
        digit[k++] = (char)('0' + (int)(n % 10));
        n /= 10;
        if (k == UNITS)
            digit[k++] = '.';
    } while (n > 0 || k <= UNITS + 1);
    if (negative)
        *out++ = '-';
    while (k > 0)
        *out++ = digit[--k];
    *out = 0;
}

static cn_dec of(i128 n)
{
    char text[64];
    text_of(n, text);
    return dec(text);
}

/* Up to `bits` bits and a sign. */
static i128 random_units(cn_rng *r, int bits)
{
    i128 n = (i128)((u128)cn_rng_u64(r) << 50 ^ cn_rng_u64(r)) & (((i128)1 << bits) - 1);
    return cn_rng_below(r, 2) ? -n : n;
}

/* Sums, differences, order and whole multiples against 128-bit integers. */
static void as_integers_have_it(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cn_rng r;
        cn_rng_seed(&r, seed);
        i128 a = random_units(&r, 1 + (int)cn_rng_below(&r, 110));
        i128 b = random_units(&r, 1 + (int)cn_rng_below(&r, 110));
        int64_t k = (int64_t)cn_rng_below(&r, 30000) - 15000;
        cn_dec sum = {{0}, false}, diff = sum, product = sum;
        bool ok = cn_dec_add(of(a), of(b), &sum) && cn_dec_sub(of(a), of(b), &diff) &&
                  cn_dec_mul(of(a), cn_dec_int(k), &product);
        if (!ok || cn_dec_cmp(sum, of(a + b)) != 0 || cn_dec_cmp(diff, of(a - b)) != 0 ||
            cn_dec_cmp(product, of(a * k)) != 0 || cn_dec_cmp(of(a), of(b)) != (a > b) - (a < b))
            fail_msg("seed %llu: not what integers have", (unsigned long long)seed);
    }
}

/* Rounding to whole units of 10^-places, half to even, against 128-bit integers. */
static void rounds_as_integers_do(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cn_rng r;
        cn_rng_seed(&r, seed);
        int places = (int)cn_rng_below(&r, UNITS + 1);
        i128 quantum = 1;
        for (int i = places; i < UNITS; i++)
            quantum *= 10;
        i128 a = random_units(&r, 100);
        if (cn_rng_below(&r, 3) == 0) /* ties are rare unless made */
            a = a / quantum * quantum + quantum / 2;
        i128 whole = a / quantum, rest = a % quantum, twice = 2 * (rest < 0 ? -rest : rest);
        if (twice > quantum || (twice == quantum && whole % 2 != 0))
            whole += a < 0 ? -1 : 1;
        if (cn_dec_cmp(cn_dec_round(of(a), places), of(whole * quantum)) != 0)
            fail_msg("seed %llu: %d places", (unsigned long long)seed, places);
    }
}

/* The far end: 192 bits, which is 6.27e29. Nothing wraps. */
static void the_largest(void **state)
{
    (void)state;
    static const char most[] = "627710173538668076383578942320.7666416102355444464034512895";
    char text[CN_DEC_TEXT_BYTES];
    cn_dec max = dec(most), out = cn_dec_int(77);
    assert_string_equal(cn_dec_text(max, text), most);
    cn_dec least = dec("0.0000000000000000000000000001");
    assert_false(cn_dec_add(max, least, &out));
    assert_false(cn_dec_sub(cn_dec_neg(max), least, &out));
    assert_false(cn_dec_mul(max, cn_dec_int(2), &out));
    assert_int_equal(cn_dec_cmp(out, cn_dec_int(77)), 0); /* untouched */
    assert_true(cn_dec_sub(max, max, &out) && cn_dec_is_zero(out) && !out.negative);
    assert_false(
        cn_dec_parse("627710173538668076383578942320.7666416102355444464034512896", 59, &out));
    /* what it would be rounded up to does not exist: it stays as it is */
    assert_int_equal(cn_dec_cmp(cn_dec_round(max, 0), max), 0);
    assert_int_equal(cn_dec_cmp(cn_dec_round(cn_dec_neg(max), 0), cn_dec_neg(max)), 0);
    assert_true(cn_dec_double(max) == 627710173538668076383578942320.7666);
    assert_string_equal(cn_dec_text(cn_dec_int(INT64_MIN), text), "-9223372036854775808");
}

static void products_keep_every_digit(void **state)
{
    (void)state;
    cn_dec out;
    char text[CN_DEC_TEXT_BYTES];
    assert_true(cn_dec_mul(dec("0.0000000000001"), dec("12345.678"), &out));
    assert_string_equal(cn_dec_text(out, text), "0.0000000012345678");
    assert_false(
        cn_dec_mul(dec("0.000000000000001"), dec("0.00000000000001"), &out)); /* 29 places */
    assert_false(cn_dec_mul(dec("1e20"), dec("1e20"), &out));
    assert_true(cn_dec_mul(dec("-3"), dec("0"), &out));
    assert_false(out.negative);
}

static void half_even(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int places;
        const char *want;
    } row[] = {{"0.125", 2, "0.12"},   {"0.135", 2, "0.14"},
               {"-0.125", 2, "-0.12"}, {"2.5", 0, "2"},
               {"3.5", 0, "4"},        {"0.1250000000000000000000000001", 2, "0.13"},
               {"-0.004", 2, "0"},     {"9.999", 2, "10"}};
    char text[CN_DEC_TEXT_BYTES];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        assert_string_equal(cn_dec_text(cn_dec_round(dec(row[i].text), row[i].places), text),
                            row[i].want);
}

/* Parts of a bill sum to the bill, whatever the weights. */
static void shares(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cn_rng r;
        cn_rng_seed(&r, seed);
        cn_dec weight[12], part[12], sum = {{0}, false}, total = random_dec(&r);
        size_t n = 1 + cn_rng_below(&r, 12);
        for (size_t i = 0; i < n; i++) {
            weight[i] = cn_rng_below(&r, 4) ? random_dec(&r) : dec("0");
            weight[i].negative = false;
        }
        weight[0] = dec("1");
        assert_true(cn_dec_split(total, weight, n, 2, part));
        for (size_t i = 0; i < n; i++) {
            assert_true(cn_dec_add(sum, part[i], &sum));
            if (cn_dec_is_zero(weight[i]) && !cn_dec_is_zero(part[i]))
                fail_msg("seed %llu: a weight of zero got a share", (unsigned long long)seed);
        }
        if (cn_dec_cmp(sum, total) != 0)
            fail_msg("seed %llu: shares do not sum to the total", (unsigned long long)seed);
    }
}

/* No share is a quantum or more away from its exact part: |share x sum - total x weight| < sum. */
static void shares_are_fair(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cn_rng r;
        cn_rng_seed(&r, seed);
        int64_t cents = (int64_t)cn_rng_below(&r, 1000000000) - 500000000, w[9], sum = 0;
        cn_dec weight[9], part[9], cent = dec("0.01"), total;
        size_t n = 1 + cn_rng_below(&r, 9);
        for (size_t i = 0; i < n; i++) {
            w[i] = (int64_t)cn_rng_below(&r, cn_rng_below(&r, 2) ? 4 : 1000000) + (i == 0);
            sum += w[i];
            weight[i] = cn_dec_int(w[i]);
        }
        assert_true(cn_dec_mul(cn_dec_int(cents), cent, &total));
        assert_true(cn_dec_split(total, weight, n, 2, part));
        for (size_t i = 0; i < n; i++) {
            i128 got = (i128)llround(cn_dec_double(part[i]) * 100);
            i128 off = got * sum - (i128)cents * w[i];
            if (off <= -sum || off >= sum)
                fail_msg("seed %llu: share %zu is unfair", (unsigned long long)seed, i);
        }
    }
}

static void shares_by_hand(void **state)
{
    (void)state;
    char text[CN_DEC_TEXT_BYTES];
    cn_dec w[3] = {dec("1"), dec("1"), dec("1")}, p[3];
    assert_true(cn_dec_split(dec("100"), w, 3, 2, p));
    assert_string_equal(cn_dec_text(p[0], text), "33.34");
    assert_string_equal(cn_dec_text(p[2], text), "33.33");
    assert_true(cn_dec_split(dec("0.029"), w, 3, 2, p)); /* what is below a cent: to the largest */
    assert_string_equal(cn_dec_text(p[0], text), "0.019");
    assert_string_equal(cn_dec_text(p[1], text), "0.01");
    assert_string_equal(cn_dec_text(p[2], text), "0");
    assert_true(cn_dec_split(dec("-100"), w, 3, 2, p));
    assert_string_equal(cn_dec_text(p[0], text), "-33.34");
    w[1] = dec("-1");
    assert_false(cn_dec_split(dec("100"), w, 3, 2, p));
    w[0] = w[1] = w[2] = dec("0");
    assert_false(cn_dec_split(dec("1"), w, 3, 2, p));
    assert_false(cn_dec_split(dec("1"), w, 0, 2, p));
    w[0] = dec("1");
    cn_alloc_fail_at(1);
    assert_false(cn_dec_split(dec("1"), w, 3, 2, p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms),
        cmocka_unit_test(laws),
        cmocka_unit_test(as_integers_have_it),
        cmocka_unit_test(rounds_as_integers_do),
        cmocka_unit_test(the_largest),
        cmocka_unit_test(products_keep_every_digit),
        cmocka_unit_test(half_even),
        cmocka_unit_test(shares),
        cmocka_unit_test(shares_are_fair),
        cmocka_unit_test(shares_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
