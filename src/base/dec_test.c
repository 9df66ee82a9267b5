/* dec_test.c - exact decimals: forms, bounds, laws over random values, shares that sum to the last
 * digit. */
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

static void shares_by_hand(void **state)
{
    (void)state;
    char text[CN_DEC_TEXT_BYTES];
    cn_dec w[3] = {dec("1"), dec("1"), dec("1")}, p[3];
    assert_true(cn_dec_split(dec("100"), w, 3, 2, p));
    assert_string_equal(cn_dec_text(p[0], text), "33.34");
    assert_string_equal(cn_dec_text(p[2], text), "33.33");
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
        cmocka_unit_test(products_keep_every_digit),
        cmocka_unit_test(half_even),
        cmocka_unit_test(shares),
        cmocka_unit_test(shares_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
