/* unit_test.c - quantities of every dimension, what is refused and why, scales for people. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/unit.h"

enum { SEEDS = 1000 };

static void quantities(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        cn_dim dim;
        double want;
        const char *currency;
    } row[] = {
        {"4096", CN_DIM_COUNT, 4096, ""},
        {"128k", CN_DIM_COUNT, 128e3, ""},
        {"128K", CN_DIM_COUNT, 128e3, ""},
        {"2M", CN_DIM_COUNT, 2e6, ""},
        {"1e3", CN_DIM_COUNT, 1e3, ""},
        {" 7\t", CN_DIM_COUNT, 7, ""},
        {"15T tokens", CN_DIM_TOKENS, 15e12, ""},
        {"15T", CN_DIM_TOKENS, 15e12, ""},
        {"300B tokens", CN_DIM_TOKENS, 300e9, ""},
        {"2e12 tokens", CN_DIM_TOKENS, 2e12, ""},
        {"1 token", CN_DIM_TOKENS, 1, ""},
        {"8B params", CN_DIM_PARAMS, 8e9, ""},
        {"8 B parameters", CN_DIM_PARAMS, 8e9, ""},
        {"10000 steps", CN_DIM_STEPS, 1e4, ""},
        {"10k steps", CN_DIM_STEPS, 1e4, ""},
        {"80 GB", CN_DIM_BYTES, 80e9, ""},
        {"80GB", CN_DIM_BYTES, 80e9, ""},
        {"1.5 TiB", CN_DIM_BYTES, 1.5 * 1099511627776.0, ""},
        {"2 EiB", CN_DIM_BYTES, 2 * 1152921504606846976.0, ""},
        {"3 bytes", CN_DIM_BYTES, 3, ""},
        {"450 GB/s", CN_DIM_BYTES_PER_S, 450e9, ""},
        {"400 Gb/s", CN_DIM_BYTES_PER_S, 50e9, ""},
        {"400 Gbit/s", CN_DIM_BYTES_PER_S, 50e9, ""},
        {"400 Gbps", CN_DIM_BYTES_PER_S, 50e9, ""},
        {"8 bit/s", CN_DIM_BYTES_PER_S, 1, ""},
        {"1.6 Tb/s", CN_DIM_BYTES_PER_S, 200e9, ""},
        {"1 PB/s", CN_DIM_BYTES_PER_S, 1e15, ""},
        {"6e23 FLOP", CN_DIM_FLOP, 6e23, ""},
        {"3.8 YFLOP", CN_DIM_FLOP, 3.8e24, ""},
        {"989.4 TFLOP/s", CN_DIM_FLOP_PER_S, 989.4e12, ""},
        {"2 ZFLOP/s", CN_DIM_FLOP_PER_S, 2e21, ""},
        {"30d", CN_DIM_SECONDS, 30 * 86400.0, ""},
        {"12 h", CN_DIM_SECONDS, 12 * 3600.0, ""},
        {"500 ms", CN_DIM_SECONDS, 0.5, ""},
        {"90s", CN_DIM_SECONDS, 90, ""},
        {"1d 12h", CN_DIM_SECONDS, 36 * 3600.0, ""},
        {"1d12h30m", CN_DIM_SECONDS, 36.5 * 3600.0, ""},
        {"1 month", CN_DIM_SECONDS, 730 * 3600.0, ""},
        {"1 year", CN_DIM_SECONDS, 365 * 86400.0, ""},
        {"99%", CN_DIM_RATIO, 0.99, ""},
        {"99 %", CN_DIM_RATIO, 0.99, ""},
        {"0.99", CN_DIM_RATIO, 0.99, ""},
        {"50 req/s", CN_DIM_PER_S, 50, ""},
        {"60 req/min", CN_DIM_PER_S, 1, ""},
        {"700 W", CN_DIM_WATT, 700, ""},
        {"1.2 GW", CN_DIM_WATT, 1.2e9, ""},
        {"2M USD", CN_DIM_MONEY, 2e6, "USD"},
        {"2 M USD", CN_DIM_MONEY, 2e6, "USD"},
        {"10000 CNY", CN_DIM_MONEY, 1e4, "CNY"},
        {"5k EUR", CN_DIM_MONEY, 5e3, "EUR"},
        {"7 MXN", CN_DIM_MONEY, 7, "MXN"}, /* M belongs to the currency */
        {"7 KRW", CN_DIM_MONEY, 7, "KRW"},
        {"2.49 USD/h", CN_DIM_MONEY_PER_H, 2.49, "USD"},
        {"18 CNY/h", CN_DIM_MONEY_PER_H, 18, "CNY"},
        {"0.09 USD/GB", CN_DIM_MONEY_PER_GB, 0.09, "USD"},
        {"0.023 USD/GB-month", CN_DIM_MONEY_PER_GB_MONTH, 0.023, "USD"},
        {"0.12 CNY/GB-month", CN_DIM_MONEY_PER_GB_MONTH, 0.12, "CNY"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cn_quantity q = {0};
        const char *why = NULL, *example = NULL;
        bool ok = cn_unit_parse(row[i].text, row[i].dim, &q, &why, &example);
        if (!ok || fabs(q.value - row[i].want) > 1e-12 * row[i].want ||
            strcmp(q.currency, row[i].currency) != 0)
            fail_msg("\"%s\": %s %.17g %s", row[i].text, ok ? "" : why, q.value, q.currency);
    }
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        cn_dim dim;
        const char *why;
    } row[] = {
        {"", CN_DIM_COUNT, "not a number"},
        {"   ", CN_DIM_COUNT, "not a number"},
        {"GB", CN_DIM_BYTES, "not a number"},
        {"nan GB", CN_DIM_BYTES, "not a number"},
        {"inf s", CN_DIM_SECONDS, "not a number"},
        {"1,000 GB", CN_DIM_BYTES, "unknown unit"},
        {"1.2.3 GB", CN_DIM_BYTES, "not a number"},
        {"80", CN_DIM_BYTES, "a unit is missing"},
        {"80", CN_DIM_BYTES_PER_S, "a unit is missing"},
        {"6e23", CN_DIM_FLOP, "a unit is missing"},
        {"1e15", CN_DIM_FLOP_PER_S, "a unit is missing"},
        {"90", CN_DIM_SECONDS, "a unit is missing"},
        {"1d 12", CN_DIM_SECONDS, "a unit is missing"},
        {"50", CN_DIM_PER_S, "a unit is missing"},
        {"700", CN_DIM_WATT, "a unit is missing"},
        {"80 gb", CN_DIM_BYTES, "unknown unit"},
        {"80 Gb", CN_DIM_BYTES, "unknown unit"},
        {"80 GB/s", CN_DIM_BYTES, "unknown unit"},
        {"80 GB", CN_DIM_BYTES_PER_S, "unknown unit"},
        {"1 TFLOPS", CN_DIM_FLOP_PER_S, "unknown unit"},
        {"1 TFLOP", CN_DIM_FLOP_PER_S, "unknown unit"},
        {"5 fortnights", CN_DIM_SECONDS, "unknown unit"},
        {"1d -12h", CN_DIM_SECONDS, "a sign inside a duration"},
        {"1d +12h", CN_DIM_SECONDS, "a sign inside a duration"},
        {"1d, 12h", CN_DIM_SECONDS, "not a number"},
        {"15T words", CN_DIM_TOKENS, "unknown unit"},
        {"15Ttokens", CN_DIM_TOKENS, "unknown unit"},
        {"5 t", CN_DIM_COUNT, "unknown unit"},
        {"5%", CN_DIM_COUNT, "unknown unit"},
        {"5 USD", CN_DIM_RATIO, "unknown unit"},
        {"2M", CN_DIM_MONEY, "a currency is missing"},
        {"2", CN_DIM_MONEY, "a currency is missing"},
        {"2 $", CN_DIM_MONEY, "a currency is three capital letters"},
        {"2 usd", CN_DIM_MONEY, "a currency is three capital letters"},
        {"2 USDT", CN_DIM_MONEY, "unknown unit"},
        {"2 USD/h", CN_DIM_MONEY, "unknown unit"},
        {"2.49 USD", CN_DIM_MONEY_PER_H, "what the price is per is missing"},
        {"0.02 USD", CN_DIM_MONEY_PER_GB_MONTH, "what the price is per is missing"},
        {"0.02 USD/GB", CN_DIM_MONEY_PER_GB_MONTH, "unknown unit"},
        {"1e308 TB", CN_DIM_BYTES, "too large"},
        {"1e999 B", CN_DIM_BYTES, "not a number"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cn_quantity q = {.value = 77}, again;
        const char *why = NULL, *example = NULL, *w, *e;
        bool ok = cn_unit_parse(row[i].text, row[i].dim, &q, &why, &example);
        if (ok || strcmp(why, row[i].why) != 0 || q.value != 77)
            fail_msg("\"%s\": %s", row[i].text, ok ? "taken" : why);
        assert_true(cn_unit_parse(example, row[i].dim, &again, &w, &e)); /* what the hint shows */
    }
    char longest[300];
    const char *why, *example;
    cn_quantity q;
    memset(longest, '1', sizeof longest);
    longest[sizeof longest - 1] = 0;
    assert_false(cn_unit_parse(longest, CN_DIM_COUNT, &q, &why, &example));
}

static void every_dimension_has_its_example(void **state)
{
    (void)state;
    for (int dim = 0; dim < CN_DIM_N; dim++) {
        cn_quantity q;
        const char *why, *example = NULL, *same;
        assert_false(cn_unit_parse("?", (cn_dim)dim, &q, &why, &example));
        assert_true(cn_unit_parse(example, (cn_dim)dim, &q, &why, &same));
        assert_non_null(cn_unit_base((cn_dim)dim));
        bool is_money = dim >= CN_DIM_MONEY && dim <= CN_DIM_MONEY_PER_GB_MONTH;
        assert_true(is_money == (q.currency[0] != 0));
    }
}

/* Another unit of the same quantity changes nothing. */
static void units_agree(void **state)
{
    (void)state;
    static const struct {
        cn_dim dim;
        const char *a, *b;
        double b_per_a;
    } pair[] = {
        {CN_DIM_BYTES, "TB", "GB", 1000},
        {CN_DIM_BYTES, "GiB", "KiB", 1048576},
        {CN_DIM_BYTES_PER_S, "GB/s", "Gb/s", 8},
        {CN_DIM_SECONDS, "d", "h", 24},
        {CN_DIM_SECONDS, "h", "s", 3600},
        {CN_DIM_FLOP_PER_S, "PFLOP/s", "TFLOP/s", 1000},
        {CN_DIM_RATIO, "", "%", 100},
        {CN_DIM_TOKENS, "B tokens", "M tokens", 1000},
        {CN_DIM_WATT, "MW", "kW", 1000},
        {CN_DIM_MONEY, "M USD", "k USD", 1000},
    };
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cn_rng r;
        cn_rng_seed(&r, seed);
        size_t i = cn_rng_below(&r, sizeof pair / sizeof *pair);
        double x = exp(10 * cn_rng_unit(&r) - 3);
        char a[64], b[64];
        const char *why, *example;
        cn_quantity qa, qb;
        snprintf(a, sizeof a, "%.17g %s", x, pair[i].a);
        snprintf(b, sizeof b, "%.17g%s", x * pair[i].b_per_a, pair[i].b);
        if (!cn_unit_parse(a, pair[i].dim, &qa, &why, &example) ||
            !cn_unit_parse(b, pair[i].dim, &qb, &why, &example) ||
            fabs(qa.value - qb.value) > 1e-12 * qa.value)
            fail_msg("seed %llu: %s is not %s", (unsigned long long)seed, a, b);
    }
}

static void scales(void **state)
{
    (void)state;
    static const struct {
        double x;
        const char *base, *unit;
        double factor;
    } row[] = {
        {0.5, "s", "ms", 1e-3},
        {5e-5, "s", "us", 1e-6},
        {5e-9, "s", "ns", 1e-9},
        {1, "s", "s", 1},
        {119, "s", "s", 1}, /* 119 s, not 1.98 min */
        {120, "s", "min", 60},
        {7200, "s", "h", 3600},
        {30 * 3600.0, "s", "h", 3600},
        {48 * 3600.0, "s", "days", 86400},
        {-48 * 3600.0, "s", "days", 86400},
        {0, "s", "s", 1},
        {999, "bytes", "B", 1},
        {1000, "bytes", "kB", 1e3},
        {80e9, "bytes", "GB", 1e9},
        {5e15, "bytes", "PB", 1e15},
        {5e19, "bytes", "PB", 1e15},
        {0, "bytes", "B", 1},
        {450e9, "bytes/s", "GB/s", 1e9},
        {0, "bytes/s", "B/s", 1},
        {15e12, "tokens", "T tokens", 1e12},
        {12, "tokens", "tokens", 1},
        {8e9, "parameters", "B parameters", 1e9},
        {12, "parameters", "parameters", 1},
        {989.4e12, "FLOP/s", "TFLOP/s", 1e12},
        {12, "FLOP/s", "FLOP/s", 1},
        {0, "FLOP/s", "FLOP/s", 1},
        {6e20, "FLOP", "EFLOP", 1e18},
        {6e23, "FLOP", "FLOP", 1}, /* a budget is written 6e23 FLOP */
        {12, "FLOP", "FLOP", 1},
        {0.36, "ratio", "%", 0.01},
        {0.36, "USD", "USD", 1},
        {2e6, "USD", "USD", 1},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double factor = 0;
        const char *unit = cn_unit_scale(row[i].x, row[i].base, &factor);
        if (strcmp(unit, row[i].unit) != 0 || factor != row[i].factor)
            fail_msg("%g %s: %s, %g", row[i].x, row[i].base, unit, factor);
    }
    double factor = 0;
    assert_string_equal(cn_unit_scale(NAN, "s", &factor), "s");
    assert_true(factor == 1);
}

static void numbers(void **state)
{
    (void)state;
    static const struct {
        double x;
        int digits;
        const char *fixed, *sig;
    } row[] = {
        {0, 2, "0.00", "0.0"},
        {-0.001, 2, "0.00", "-0.0010"},
        {1234567.891, 2, "1,234,567.89", "1,234,568"},
        {-1234.5, 1, "-1,234.5", "-1,234"}, /* half to even, as printf has it */
        {999.5, 0, "1,000", "1,000"},
        {100, 0, "100", "100"},
        {0.00001, 3, "0.000", "1.00e-05"},
        {5e12, 3, "5,000,000,000,000.000", "5.00e+12"},
        {NAN, 2, "-", "-"},
        {INFINITY, 2, "-", "-"},
        {2e30, 2, "2e+30", "2.0e+30"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char fixed[64], sig[64];
        cn_number_text(row[i].x, row[i].digits, fixed);
        cn_number_sig(row[i].x, row[i].digits, sig);
        if (strcmp(fixed, row[i].fixed) != 0 || strcmp(sig, row[i].sig) != 0)
            fail_msg("%g: \"%s\" \"%s\"", row[i].x, fixed, sig);
    }
}

/* Whatever the number, its text fits in 64 bytes and its separators are three digits apart. */
static void numbers_fit(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cn_rng r;
        char text[64 + 8];
        cn_rng_seed(&r, seed);
        double x = exp(140 * cn_rng_unit(&r) - 70) * (cn_rng_below(&r, 2) ? 1 : -1);
        memset(text, '#', sizeof text);
        cn_number_text(x, (int)cn_rng_below(&r, 30), text);
        const char *point = strpbrk(text, ".e"), *comma = strrchr(text, ',');
        size_t whole = point ? (size_t)(point - text) : strlen(text);
        if (strlen(text) >= 64 || text[64] != '#' || (comma && (size_t)(comma - text) + 4 != whole))
            fail_msg("seed %llu: %s", (unsigned long long)seed, text);
        cn_number_sig(x, 1 + (int)cn_rng_below(&r, 8), text);
        assert_true(strlen(text) < 64);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities),
        cmocka_unit_test(refused),
        cmocka_unit_test(every_dimension_has_its_example),
        cmocka_unit_test(units_agree),
        cmocka_unit_test(scales),
        cmocka_unit_test(numbers),
        cmocka_unit_test(numbers_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
