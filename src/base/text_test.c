/* text_test.c - numbers in any locale, words that are nearly the same, bytes that are or are not
 * UTF-8. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/dec.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/unit.h"

enum { SEEDS = 1000 };

static void doubles(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double want; /* NaN: refused */
    } row[] = {
        {"0", 0},       {"-0.5", -0.5}, {"+3", 3},     {".5", .5},        {"5.", 5},
        {"1e3", 1e3},   {"1E-3", 1e-3}, {"1e+3", 1e3}, {"00012", 12},     {"1e-400", 0},
        {"", NAN},      {" 1", NAN},    {"1 ", NAN},   {".", NAN},        {"-", NAN},
        {"1e", NAN},    {"1e+", NAN},   {"e5", NAN},   {"1.2.3", NAN},    {"--1", NAN},
        {"0x10", NAN},  {"inf", NAN},   {"nan", NAN},  {"1e999", NAN},    {"1_000", NAN},
        {"1,000", NAN}, {"1,5", NAN},   {"1d", NAN},   {"infinity", NAN},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double x = 77;
        bool ok = cn_parse_double(row[i].text, &x);
        if (ok != !isnan(row[i].want) || (ok && x != row[i].want) || (!ok && x != 77))
            fail_msg("\"%s\": %s %g", row[i].text, ok ? "read as" : "refused", x);
    }
}

static void integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool ok;
        long long want;
    } row[] = {
        {"0", true, 0},
        {"-12", true, -12},
        {"+7", true, 7},
        {"9223372036854775807", true, INT64_MAX},
        {"-9223372036854775808", true, INT64_MIN},
        {"9223372036854775808", false, 0},
        {"", false, 0},
        {"-", false, 0},
        {" 1", false, 0},
        {"1 ", false, 0},
        {"1.0", false, 0},
        {"1e3", false, 0},
        {"0x1", false, 0},
        {"+-1", false, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        long long n = 77;
        if (cn_parse_i64(row[i].text, &n) != row[i].ok || n != (row[i].ok ? row[i].want : 77))
            fail_msg("\"%s\": %lld", row[i].text, n);
    }
}

/* Any double, by its bits: huge, tiny, denormal. */
static void every_double_reads_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cn_rng r;
        char text[32];
        double x, back;
        cn_rng_seed(&r, seed);
        for (int i = 0; i < 20; i++) {
            uint64_t bits = cn_rng_u64(&r);
            memcpy(&x, &bits, sizeof x);
            cn_double_text(x, text);
            if (!isfinite(x))
                assert_string_equal(text, "null");
            else if (!cn_parse_double(text, &back) || back != x)
                fail_msg("seed %llu: %a reads back from %s as %a", (unsigned long long)seed, x,
                         text, back);
        }
    }
}

static void short_numbers_stay_short(void **state)
{
    (void)state;
    static const struct {
        double x;
        const char *want;
    } row[] = {{0.1, "0.1"},
               {1, "1"},
               {1.0 / 3, "0.3333333333333333"},
               {2.49, "2.49"},
               {-1e-7, "-1e-07"},
               {6e23, "6e+23"},
               {0.1 + 0.2, "0.30000000000000004"},
               {5e-324, "4.94065645841247e-324"},
               {989.4e12, "989400000000000"}};
    char text[32];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        assert_string_equal(cn_double_text(row[i].x, text), row[i].want);
}

/* Whoever links the library may have set a locale whose point is a comma. */
static bool set_comma(char *dir)
{
    char command[128];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1",
             dir, dir);
    if (system(command) < 0 || setenv("LOCPATH", dir, 1) != 0)
        return false;
    return setlocale(LC_ALL, "de_DE.UTF-8") && strcmp(localeconv()->decimal_point, ",") == 0;
}

typedef struct {
    bool read, comma, unit, dec;
    double x, bytes, back;
    char shown[5][64];
} said;

static said say_numbers(void)
{
    said s = {0};
    double other;
    cn_quantity q = {0};
    cn_dec d = cn_dec_int(0);
    const char *why, *example;
    s.read = cn_parse_double("2.5", &s.x);
    s.comma = cn_parse_double("2,5", &other);
    s.unit = cn_unit_parse("2.5 GB", CN_DIM_BYTES, &q, &why, &example);
    s.bytes = q.value;
    s.dec = cn_dec_parse("2.5", 3, &d);
    s.back = cn_dec_double(d);
    cn_double_text(2.5, s.shown[0]);
    cn_number_text(1234.5, 2, s.shown[1]);
    cn_number_sig(1e-7, 3, s.shown[2]);
    cn_number_text(1.5e30, 2, s.shown[3]);
    snprintf(s.shown[4], sizeof s.shown[4], "%.1f", 2.5);
    return s;
}

static void numbers_in_a_locale_with_commas(void **state)
{
    (void)state;
    char dir[] = "/tmp/carnot-text-XXXXXX", command[64];
    said s = {0};
    assert_non_null(mkdtemp(dir));
    bool is_set = set_comma(dir);
    if (is_set)
        s = say_numbers();
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -r %s", dir);
    assert_int_equal(system(command), 0);
    if (!is_set) {
        print_message("skipped: no locale with a decimal comma can be made here\n");
        skip();
    }
    assert_true(s.read && !s.comma && s.x == 2.5);
    assert_true(s.unit && s.bytes == 2.5e9);
    assert_true(s.dec && s.back == 2.5);
    static const char *const want[] = {"2.5", "1,234.50", "1.00e-07", "1.5e+30"};
    for (int i = 0; i < 4; i++)
        assert_string_equal(s.shown[i], want[i]);
    assert_string_equal(s.shown[4], "2,5"); /* the caller's own locale is left alone */
}

static void equal_words(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool fold, loose;
    } row[] = {
        {"", "", true, true},
        {"H100", "h100", true, true},
        {"H100-SXM5", "h100 sxm5", false, true},
        {"v1.5", "v15", false, true},
        {"a_b", "ab", false, true},
        {"--", "", false, true},
        {"abc", "ab", false, false},
        {"ab", "abc", false, false},
        {"ab ", "ab", false, true},
        {"a/b", "ab", false, false},
        {"\xc3\x84", "\xc3\xa4", false, false}, /* ASCII only */
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (cn_text_eq_fold(row[i].a, row[i].b) != row[i].fold ||
            cn_text_eq_loose(row[i].a, row[i].b) != row[i].loose ||
            cn_text_eq_loose(row[i].b, row[i].a) != row[i].loose)
            fail_msg("\"%s\" and \"%s\"", row[i].a, row[i].b);
    }
    assert_true(cn_text_starts("carnot", "car") && cn_text_starts("car", ""));
    assert_false(cn_text_starts("ca", "car"));
}

static void distances(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        int limit, want;
    } row[] = {
        {"", "", 3, 0},
        {"abc", "abc", 3, 0},
        {"abc", "ABC", 3, 0},
        {"abc", "abd", 3, 1},
        {"abc", "ab", 3, 1},
        {"abc", "acb", 3, 1},
        {"kitten", "sitting", 3, 3},
        {"abc", "xyz", 2, 3},
        {"abc", "xyz", 3, 3},
        {"a", "abcdefgh", 3, 4},
        {"ca", "abc", 3, 3}, /* restricted: no edit between the two that were swapped */
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (cn_text_distance(row[i].a, row[i].b, row[i].limit) != row[i].want)
            fail_msg("\"%s\", \"%s\"", row[i].a, row[i].b);
    char longest[200];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = 0;
    assert_int_equal(cn_text_distance(longest, longest, 3), 4); /* no names are that long */
}

/* A distance is symmetric, and n edits lead at most n away. */
static void laws_of_distance(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        char a[20], b[20];
        cn_rng r;
        cn_rng_seed(&r, seed);
        size_t n = 1 + cn_rng_below(&r, 18), edits = cn_rng_below(&r, 4);
        for (size_t i = 0; i < n; i++)
            a[i] = (char)('a' + cn_rng_below(&r, 4));
        a[n] = 0;
        memcpy(b, a, sizeof b);
        for (size_t i = 0; i < edits; i++)
            b[cn_rng_below(&r, n)] = (char)('a' + cn_rng_below(&r, 4));
        int d = cn_text_distance(a, b, 20);
        if (d != cn_text_distance(b, a, 20) || d > (int)edits || (d == 0) != (strcmp(a, b) == 0))
            fail_msg("seed %llu: %s %s %d", (unsigned long long)seed, a, b, d);
    }
}

static const char *word_at(size_t i, const void *arg)
{
    const char *const *list = arg;
    return list[i];
}

static void did_you_mean(void **state)
{
    (void)state;
    static const char *const words[] = {"estimate", NULL, "explain", "score", "scone", "ab"};
    static const struct {
        const char *word, *want;
    } row[] = {
        {"estimte", "estimate"}, {"EXPLAIN", "explain"}, {"scoer", "score"}, {"scoe", "score"},
        {"catalog", NULL},       {"xyz", NULL},          {"ba", "ab"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const char *got = cn_text_nearest(row[i].word, word_at, 6, words);
        if (got != row[i].want && (!got || !row[i].want || strcmp(got, row[i].want) != 0))
            fail_msg("\"%s\": %s", row[i].word, got ? got : "none");
    }
    assert_null(cn_text_nearest("score", word_at, 0, words));
}

static void utf8(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int bad; /* -1: well-formed */
    } row[] = {
        {"", -1},
        {"abc", -1},
        {"\xc2\x80\xdf\xbf", -1},
        {"\xe0\xa0\x80\xef\xbf\xbf", -1},
        {"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", -1},
        {"a\x80", 1},
        {"ab\xc3", 2},
        {"\xc1\xbf", 0},
        {"\xe0\x9f\xbf", 0},
        {"a\xed\xa0\x80", 1},
        {"\xf0\x8f\xbf\xbf", 0},
        {"\xf4\x90\x80\x80", 0},
        {"\xff", 0},
        {"\xe6\x9d"
         "a",
         0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        size_t bad = SIZE_MAX;
        bool ok = cn_utf8_valid(row[i].text, strlen(row[i].text), &bad);
        if (ok != (row[i].bad < 0) || (!ok && bad != (size_t)row[i].bad))
            fail_msg("row %zu: %zu", i, bad);
        assert_true(cn_utf8_valid(row[i].text, strlen(row[i].text), NULL) == ok);
    }
    assert_true(cn_utf8_valid("a\0b", 3, NULL));
}

/* Every code point that exists, in its one form. */
static void every_code_point(void **state)
{
    (void)state;
    for (uint32_t c = 0; c <= 0x10ffff; c++) {
        char t[4];
        size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        for (size_t i = n; i-- > 1;)
            t[i] = (char)(0x80 | (c >> (6 * (n - 1 - i)) & 0x3f));
        static const unsigned lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
        t[0] = (char)(lead[n] | c >> (6 * (n - 1)));
        bool is_surrogate = c >= 0xd800 && c <= 0xdfff;
        if (cn_utf8_valid(t, n, NULL) == is_surrogate)
            fail_msg("U+%04X", (unsigned)c);
    }
}

static void widths(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int want;
    } row[] = {
        {"", 0},
        {"abc", 3},
        {"\xe6\x9d\x83\xe9\x87\x8d", 4}, /* two ideographs */
        {"\xef\xbc\xa1", 2},             /* full-width A */
        {"e\xcc\x81", 1},                /* e and a combining accent */
        {"\xc3\xa9\xe2\x80\xa6", 2},     /* e acute, ellipsis */
        {"\xed\x95\x9c", 2},             /* Hangul */
        {"\xf0\x9f\x98\x80", 2},         /* emoji */
        {"a\xff"
         "b",
         3}, /* a bad byte takes a column */
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (cn_text_width(row[i].text) != row[i].want)
            fail_msg("row %zu: %d", i, cn_text_width(row[i].text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles),
        cmocka_unit_test(integers),
        cmocka_unit_test(every_double_reads_back),
        cmocka_unit_test(short_numbers_stay_short),
        cmocka_unit_test(numbers_in_a_locale_with_commas),
        cmocka_unit_test(equal_words),
        cmocka_unit_test(distances),
        cmocka_unit_test(laws_of_distance),
        cmocka_unit_test(did_you_mean),
        cmocka_unit_test(utf8),
        cmocka_unit_test(every_code_point),
        cmocka_unit_test(widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
