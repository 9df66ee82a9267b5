/* when.c - the Gregorian calendar and ISO 8601, by arithmetic alone. Source: [hinnant2013] days
 * from civil. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/when.h"

static int month_days(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

bool cn_date_days(int year, int month, int day, long *days)
{
    if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 ||
        day > month_days(year, month))
        return false;
    long y = month <= 2 ? year - 1 : year;
    long era = y / 400, yoe = y - era * 400;
    long doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    long doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    *days = era * 146097 + doe - 719468;
    return true;
}

void cn_days_date(long days, int *year, int *month, int *day)
{
    long z = days + 719468;
    long era = (z >= 0 ? z : z - 146096) / 146097;
    long doe = z - era * 146097;
    long yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    long doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    long mp = (5 * doy + 2) / 153;
    *day = (int)(doy - (153 * mp + 2) / 5 + 1);
    *month = (int)(mp < 10 ? mp + 3 : mp - 9);
    *year = (int)(yoe + era * 400 + (*month <= 2));
}

static bool digits(const char **p, int n, int *out)
{
    *out = 0;
    for (int i = 0; i < n; i++, (*p)++) {
        if (!isdigit((unsigned char)**p))
            return false;
        *out = *out * 10 + (**p - '0');
    }
    return true;
}

static bool one(const char **p, char c)
{
    if (**p != c)
        return false;
    (*p)++;
    return true;
}

/* ".125", or nothing. */
static bool read_fraction(const char **p, double *fraction)
{
    double scale = 0.1;
    if (!one(p, '.'))
        return true;
    const char *first = *p;
    for (; isdigit((unsigned char)**p); (*p)++, scale /= 10)
        *fraction += scale * (**p - '0');
    return *p > first;
}

static bool read_zone(const char **p, double *offset_s)
{
    int h, m = 0;
    *offset_s = 0;
    if (one(p, 'Z') || **p == 0)
        return true;
    double sign = **p == '-' ? -1 : 1;
    if (**p != '+' && **p != '-')
        return false;
    (*p)++;
    if (!digits(p, 2, &h))
        return false;
    bool has_minutes = one(p, ':') || **p;
    if (has_minutes && !digits(p, 2, &m))
        return false;
    *offset_s = sign * (h * 3600.0 + m * 60.0);
    return m < 60 && h * 60 + m <= 14 * 60; /* the farthest zone is +14:00 */
}

bool cn_when_parse(const char *text, double *out_s)
{
    const char *p = text;
    int y, mo, d, h = 0, mi = 0, s = 0;
    long days;
    double fraction = 0, offset = 0;
    if (!digits(&p, 4, &y) || !one(&p, '-') || !digits(&p, 2, &mo) || !one(&p, '-') ||
        !digits(&p, 2, &d) || !cn_date_days(y, mo, d, &days))
        return false;
    if (*p == 'T' || *p == ' ') {
        p++;
        if (!digits(&p, 2, &h) || !one(&p, ':') || !digits(&p, 2, &mi))
            return false;
        if (one(&p, ':') && (!digits(&p, 2, &s) || !read_fraction(&p, &fraction)))
            return false;
        if (!read_zone(&p, &offset))
            return false;
    }
    if (*p || h > 23 || mi > 59 || s > 60)
        return false;
    *out_s = days * 86400.0 + h * 3600.0 + mi * 60.0 + s + fraction - offset;
    return true;
}

/* Years 1 to 9999; a comparison with NaN is false. */
static bool has_date(double t_s)
{
    return t_s >= -62135596800.0 && t_s < 253402300800.0;
}

const char *cn_when_date(double t_s, char *buf)
{
    int y, m, d;
    if (!has_date(t_s))
        return strcpy(buf, "-");
    cn_days_date((long)floor(t_s / 86400), &y, &m, &d);
    snprintf(buf, 32, "%04d-%02d-%02d", y, m, d);
    return buf;
}

const char *cn_when_text(double t_s, char *buf)
{
    if (!has_date(t_s))
        return strcpy(buf, "-");
    double day = floor(t_s / 86400);
    unsigned rest = (unsigned)floor(t_s - day * 86400) % 86400;
    char date[32];
    snprintf(buf, 32, "%.10sT%02u:%02u:%02uZ", cn_when_date(t_s, date), rest / 3600, rest / 60 % 60,
             rest % 60);
    return buf;
}
