/* when_test.c - the calendar against itself and against known days; ISO 8601 and what is not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/when.h"

enum { SEEDS = 1000 };

static void known_days(void **state)
{
    (void)state;
    static const struct {
        int y, m, d;
        long days;
    } row[] = {
        {1970, 1, 1, 0},      {1970, 1, 2, 1},     {1969, 12, 31, -1},
        {2000, 2, 29, 11016}, {2000, 3, 1, 11017}, {2024, 2, 29, 19782},
        {2026, 9, 1, 20697},  {1, 1, 1, -719162},  {9999, 12, 31, 2932896},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        long days = 77;
        assert_true(cn_date_days(row[i].y, row[i].m, row[i].d, &days));
        assert_int_equal(days, row[i].days);
    }
}

static void days_that_do_not_exist(void **state)
{
    (void)state;
    static const int row[][3] = {{2023, 2, 29}, {1900, 2, 29}, {2024, 4, 31}, {2024, 13, 1},
                                 {2024, 0, 1},  {2024, 1, 0},  {2024, 1, 32}, {0, 1, 1},
                                 {10000, 1, 1}, {2024, -1, 1}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        long days = 77;
        assert_false(cn_date_days(row[i][0], row[i][1], row[i][2], &days));
        assert_int_equal(days, 77);
    }
}

/* Every day of ten thousand years follows the one before, there and back. */
static void each_day_follows_the_last(void **state)
{
    (void)state;
    int y = 0, m = 0, d = 0;
    for (long day = -719162; day <= 2932896; day++) {
        int y2, m2, d2;
        long back = 0;
        cn_days_date(day, &y2, &m2, &d2);
        bool next = day == -719162 || (y2 == y && m2 == m && d2 == d + 1) ||
                    (y2 == y && m2 == m + 1 && d2 == 1 && d >= 28) ||
                    (y2 == y + 1 && m == 12 && d == 31 && m2 == 1 && d2 == 1);
        if (!next || !cn_date_days(y2, m2, d2, &back) || back != day)
            fail_msg("day %ld is %d-%d-%d", day, y2, m2, d2);
        y = y2, m = m2, d = d2;
    }
}

static void times(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double want; /* NaN: refused */
    } row[] = {
        {"1970-01-01", 0},
        {"2026-09-01", 20697 * 86400.0},
        {"2026-09-01T12:00:00Z", 20697 * 86400.0 + 43200},
        {"2026-09-01 12:00:00Z", 20697 * 86400.0 + 43200},
        {"2026-09-01T12:00", 20697 * 86400.0 + 43200},
        {"2026-09-01T12:00Z", 20697 * 86400.0 + 43200},
        {"2026-09-01T08:00:00+08:00", 20697 * 86400.0},
        {"2026-09-01T08:00:00+0800", 20697 * 86400.0},
        {"2026-09-01T08:00:00+08", 20697 * 86400.0},
        {"2026-08-31T18:30:00-05:30", 20697 * 86400.0},
        {"1970-01-01T00:00:00.125Z", 0.125},
        {"1970-01-01T00:00:00.5+00:00", 0.5},
        {"1970-01-01T23:59:60Z", 86400}, /* a leap second */
        {"", NAN},
        {"2026", NAN},
        {"2026-9-1", NAN},
        {"2026-02-29", NAN},
        {"2026-09-01x", NAN},
        {"26-09-01", NAN},
        {" 2026-09-01", NAN},
        {"2026-09-01T", NAN},
        {"2026-09-01T12", NAN},
        {"2026-09-01T24:00:00Z", NAN},
        {"2026-09-01T12:60:00Z", NAN},
        {"2026-09-01T12:00:61Z", NAN},
        {"2026-09-01T12:00:00z", NAN},
        {"2026-09-01T12:00:00Zx", NAN},
        {"2026-09-01T12:00:00+8", NAN},
        {"2026-09-01T12:00:00+08:", NAN},
        {"2026-09-01T12:00:00+08:0", NAN},
        {"2026-09-01T12:00:00+08:60", NAN},
        {"2026-09-01T12:00:00+15:00", NAN},
        {"2026-09-01T12:00:00+14:01", NAN},
        {"2026-09-01T12:00:00.", NAN},
        {"2026-09-01T12:00:00.Z", NAN},
        {"2026-09-01T12:00.5Z", NAN},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double t = 77;
        bool ok = cn_when_parse(row[i].text, &t);
        if (ok != !isnan(row[i].want) || (ok ? t != row[i].want : t != 77))
            fail_msg("\"%s\": %s %.3f", row[i].text, ok ? "read as" : "refused", t);
    }
}

/* The system's own calendar says the same, and what is printed reads back. */
static void agrees_with_gmtime(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cn_rng r;
        char text[32], date[32], want[32];
        double back;
        cn_rng_seed(&r, seed);
        time_t t = (time_t)cn_rng_below(&r, 315537897600u) - 62135596800; /* years 1 to 9999 */
        struct tm tm;
        gmtime_r(&t, &tm);
        snprintf(want, sizeof want, "%04d-%02d-%02dT%02d:%02d:%02dZ", (tm.tm_year + 1900) % 10000,
                 tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
        cn_when_text((double)t + 0.25, text);
        cn_when_date((double)t, date);
        if (strcmp(text, want) != 0 || strncmp(want, date, 10) != 0 || strlen(date) != 10 ||
            !cn_when_parse(text, &back) || back != (double)t)
            fail_msg("seed %llu: %s, %s", (unsigned long long)seed, text, want);
    }
}

static void times_beyond_the_calendar(void **state)
{
    (void)state;
    static const double row[] = {NAN,    INFINITY,       -INFINITY,     1e300,
                                 -1e300, 253402300800.0, -62135596801.0};
    char text[32];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_string_equal(cn_when_text(row[i], text), "-");
        assert_string_equal(cn_when_date(row[i], text), "-");
    }
    assert_string_equal(cn_when_text(253402300799.0, text), "9999-12-31T23:59:59Z");
    assert_string_equal(cn_when_text(-62135596800.0, text), "0001-01-01T00:00:00Z");
}

static void the_zone_of_the_machine_does_not_matter(void **state)
{
    (void)state;
    double here, there;
    char a[32], b[32];
    assert_true(cn_when_parse("2026-07-01T12:00:00", &here));
    cn_when_text(here, a);
    setenv("TZ", "Asia/Shanghai", 1);
    tzset();
    bool ok = cn_when_parse("2026-07-01T12:00:00", &there);
    cn_when_text(there, b);
    unsetenv("TZ");
    tzset();
    assert_true(ok && here == there);
    assert_string_equal(a, b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_days),
        cmocka_unit_test(days_that_do_not_exist),
        cmocka_unit_test(each_day_follows_the_last),
        cmocka_unit_test(times),
        cmocka_unit_test(agrees_with_gmtime),
        cmocka_unit_test(times_beyond_the_calendar),
        cmocka_unit_test(the_zone_of_the_machine_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
