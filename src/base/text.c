/* text.c - see text.h. Numbers are read and written in the C locale, even if whoever links the
 * library has set another. */
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"

/* The C locale is a constant of the system's library: asking for it allocates nothing. */
static locale_t c_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* Only what a number may hold: strtod alone would take "inf", "nan", hexadecimals and leading
 * blanks. */
static bool looks_like_number(const char *t)
{
    const char *p = t;
    bool digits = false;
    if (*p == '+' || *p == '-')
        p++;
    for (; isdigit((unsigned char)*p) || *p == '.'; p++)
        digits = digits || *p != '.';
    if (digits && (*p == 'e' || *p == 'E')) {
        p++;
        if (*p == '+' || *p == '-')
            p++;
        if (!isdigit((unsigned char)*p))
            return false;
        while (isdigit((unsigned char)*p))
            p++;
    }
    return digits && *p == 0;
}

bool cn_parse_double(const char *text, double *out)
{
    char *end;
    if (!looks_like_number(text))
        return false;
    double x = strtod_l(text, &end, c_locale());
    if (*end || !isfinite(x))
        return false;
    *out = x;
    return true;
}

bool cn_parse_i64(const char *text, long long *out)
{
    char *end;
    if (!isdigit((unsigned char)text[*text == '-' || *text == '+']))
        return false;
    errno = 0;
    long long x = strtoll(text, &end, 10);
    if (*end || errno)
        return false;
    *out = x;
    return true;
}

int cn_double_print(char *buf, size_t size, char form, int digits, double x)
{
    locale_t theirs = uselocale(c_locale()); /* of this thread alone */
    int n = form == 'e'   ? snprintf(buf, size, "%.*e", digits, x)
            : form == 'f' ? snprintf(buf, size, "%.*f", digits, x)
                          : snprintf(buf, size, "%.*g", digits, x);
    uselocale(theirs);
    return n;
}

const char *cn_double_text(double x, char *buf)
{
    if (!isfinite(x))
        return strcpy(buf, "null");
    for (int digits = 15; digits <= 17; digits++) {
        cn_double_print(buf, 32, 'g', digits, x);
        if (strtod_l(buf, NULL, c_locale()) == x)
            break;
    }
    return buf;
}

bool cn_text_eq_fold(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
    return *a == *b;
}

static const char *skip_loose(const char *p)
{
    while (*p == ' ' || *p == '-' || *p == '_' || *p == '.')
        p++;
    return p;
}

bool cn_text_eq_loose(const char *a, const char *b)
{
    for (;;) {
        a = skip_loose(a);
        b = skip_loose(b);
        if (!*a || !*b)
            return *a == *b;
        if (tolower((unsigned char)*a++) != tolower((unsigned char)*b++))
            return false;
    }
}

bool cn_text_starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

enum { LONGEST_WORD = 64 };

static int min3(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

int cn_text_distance(const char *a, const char *b, int limit)
{
    int na = (int)strnlen(a, LONGEST_WORD + 1), nb = (int)strnlen(b, LONGEST_WORD + 1);
    if (na > LONGEST_WORD || nb > LONGEST_WORD || abs(na - nb) > limit)
        return limit + 1;
    int d[LONGEST_WORD + 1][LONGEST_WORD + 1];
    for (int i = 0; i <= na; i++)
        d[i][0] = i;
    for (int j = 0; j <= nb; j++)
        d[0][j] = j;
    for (int i = 1; i <= na; i++) {
        for (int j = 1; j <= nb; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (x != y));
            bool swapped = i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                           y == tolower((unsigned char)a[i - 2]);
            if (swapped && d[i - 2][j - 2] + 1 < d[i][j])
                d[i][j] = d[i - 2][j - 2] + 1;
        }
    }
    return d[na][nb] > limit ? limit + 1 : d[na][nb];
}

const char *cn_text_nearest(const char *word, const char *(*at)(size_t i, const void *arg),
                            size_t n, const void *arg)
{
    int limit = 1 + (int)(strlen(word) / 4), best = limit + 1;
    const char *found = NULL;
    for (size_t i = 0; i < n; i++) {
        const char *candidate = at(i, arg);
        int d = candidate ? cn_text_distance(word, candidate, limit) : limit + 1;
        if (d < best) {
            best = d;
            found = candidate;
        }
    }
    return found;
}

/* Length of the well-formed sequence at p (RFC 3629), 0 if there is none; *code is its code point.
 */
static int utf8_one(const unsigned char *p, size_t left, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int n = p[0] < 0x80         ? 1
            : (p[0] >> 5) == 6  ? 2
            : (p[0] >> 4) == 14 ? 3
            : (p[0] >> 3) == 30 ? 4
                                : 0;
    if (n == 0 || (size_t)n > left)
        return 0;
    uint32_t c = n == 1 ? p[0] : p[0] & (0xffu >> (n + 1));
    for (int i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3f);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return 0;
    *code = c;
    return n;
}

bool cn_utf8_valid(const char *text, size_t len, size_t *bad)
{
    uint32_t c;
    for (size_t i = 0; i < len;) {
        int n = utf8_one((const unsigned char *)text + i, len - i, &c);
        if (n == 0) {
            if (bad)
                *bad = i;
            return false;
        }
        i += (size_t)n;
    }
    return true;
}

/* East Asian wide and full-width ranges, and combining marks, from Unicode 15. */
static int code_width(uint32_t c)
{
    static const struct {
        uint32_t first, last;
        int width;
    } ranges[] = {
        {0x0300, 0x036f, 0},   {0x200b, 0x200f, 0}, {0x20d0, 0x20ff, 0}, {0xfe00, 0xfe0f, 0},
        {0x1100, 0x115f, 2},   {0x2e80, 0x303e, 2}, {0x3041, 0x33ff, 2}, {0x3400, 0x4dbf, 2},
        {0x4e00, 0x9fff, 2},   {0xa000, 0xa4cf, 2}, {0xac00, 0xd7a3, 2}, {0xf900, 0xfaff, 2},
        {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2}, {0xffe0, 0xffe6, 2}, {0x1f300, 0x1faff, 2},
        {0x20000, 0x3fffd, 2},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return ranges[i].width;
    return 1;
}

int cn_text_width(const char *text)
{
    size_t len = strlen(text);
    int width = 0;
    for (size_t i = 0; i < len;) {
        uint32_t c;
        int n = utf8_one((const unsigned char *)text + i, len - i, &c);
        width += n ? code_width(c) : 1;
        i += n ? (size_t)n : 1;
    }
    return width;
}
