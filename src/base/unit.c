/*
 * unit.c - quantities with units.
 *
 * A quantity is a number, an optional magnitude letter and a unit. Each dimension has its table of
 * units with their factor to the base unit; what several dimensions share (decimal and binary
 * prefixes, thousands) is one table. Money dimensions read "AMOUNT[kMB] CUR[/per]". Durations may
 * have several terms ("1d 12h").
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/unit.h"

typedef struct {
    const char *name;
    double factor;
} unit;

static const unit counts[] = {{"", 1},    {"k", 1e3},  {"K", 1e3},  {"M", 1e6}, {"B", 1e9},
                              {"G", 1e9}, {"T", 1e12}, {"P", 1e15}, {0}};
static const unit bytes[] = {{"B", 1},
                             {"kB", 1e3},
                             {"KB", 1e3},
                             {"MB", 1e6},
                             {"GB", 1e9},
                             {"TB", 1e12},
                             {"PB", 1e15},
                             {"EB", 1e18},
                             {"KiB", 1024.0},
                             {"MiB", 1048576.0},
                             {"GiB", 1073741824.0},
                             {"TiB", 1099511627776.0},
                             {"PiB", 1125899906842624.0},
                             {"EiB", 1152921504606846976.0},
                             {"bytes", 1},
                             {"byte", 1},
                             {0}};
static const unit bytes_per_s[] = {{"B/s", 1},
                                   {"kB/s", 1e3},
                                   {"MB/s", 1e6},
                                   {"GB/s", 1e9},
                                   {"TB/s", 1e12},
                                   {"PB/s", 1e15},
                                   {"KiB/s", 1024.0},
                                   {"MiB/s", 1048576.0},
                                   {"GiB/s", 1073741824.0},
                                   {"TiB/s", 1099511627776.0},
                                   {"b/s", 0.125},
                                   {"kb/s", 125},
                                   {"Mb/s", 125e3},
                                   {"Gb/s", 125e6},
                                   {"Tb/s", 125e9},
                                   {"bit/s", 0.125},
                                   {"kbit/s", 125},
                                   {"Mbit/s", 125e3},
                                   {"Gbit/s", 125e6},
                                   {"Tbit/s", 125e9},
                                   {"Mbps", 125e3},
                                   {"Gbps", 125e6},
                                   {"Tbps", 125e9},
                                   {0}};
static const unit flop[] = {{"FLOP", 1},     {"MFLOP", 1e6},  {"GFLOP", 1e9},
                            {"TFLOP", 1e12}, {"PFLOP", 1e15}, {"EFLOP", 1e18},
                            {"ZFLOP", 1e21}, {"YFLOP", 1e24}, {0}};
static const unit flop_per_s[] = {
    {"FLOP/s", 1},     {"MFLOP/s", 1e6},  {"GFLOP/s", 1e9},  {"TFLOP/s", 1e12},
    {"PFLOP/s", 1e15}, {"EFLOP/s", 1e18}, {"ZFLOP/s", 1e21}, {0}};
static const unit seconds[] = {{"s", 1},
                               {"sec", 1},
                               {"ms", 1e-3},
                               {"us", 1e-6},
                               {"ns", 1e-9},
                               {"m", 60},
                               {"min", 60},
                               {"h", 3600},
                               {"hour", 3600},
                               {"hours", 3600},
                               {"d", 86400},
                               {"day", 86400},
                               {"days", 86400},
                               {"w", 604800},
                               {"week", 604800},
                               {"weeks", 604800},
                               {"month", 2628000},
                               {"months", 2628000},
                               {"y", 31536000},
                               {"year", 31536000},
                               {"years", 31536000},
                               {0}};
static const unit ratios[] = {{"", 1}, {"%", 0.01}, {0}};
static const unit rates[] = {{"/s", 1},
                             {"req/s", 1},
                             {"qps", 1},
                             {"requests/s", 1},
                             {"tokens/s", 1},
                             {"req/min", 1.0 / 60},
                             {"req/h", 1.0 / 3600},
                             {"Hz", 1},
                             {0}};
static const unit watts[] = {{"W", 1}, {"kW", 1e3}, {"MW", 1e6}, {"GW", 1e9}, {0}};

/* What may stand behind the magnitude: "15T tokens", "15T". */
static const struct {
    const char *base, *example;
    const unit *units;
    const char *noun; /* optional word after a count */
    const char *per;  /* money: what follows the currency */
} dims[CN_DIM_N] = {
    [CN_DIM_COUNT] = {"", "4096", counts, NULL, NULL},
    [CN_DIM_TOKENS] = {"tokens", "15T tokens", counts, "tokens", NULL},
    [CN_DIM_PARAMS] = {"parameters", "8B params", counts, "params", NULL},
    [CN_DIM_BYTES] = {"bytes", "80 GB", bytes, NULL, NULL},
    [CN_DIM_BYTES_PER_S] = {"bytes/s", "450 GB/s", bytes_per_s, NULL, NULL},
    [CN_DIM_FLOP] = {"FLOP", "6e23 FLOP", flop, NULL, NULL},
    [CN_DIM_FLOP_PER_S] = {"FLOP/s", "989.4 TFLOP/s", flop_per_s, NULL, NULL},
    [CN_DIM_SECONDS] = {"s", "30d", seconds, NULL, NULL},
    [CN_DIM_RATIO] = {"ratio", "99%", ratios, NULL, NULL},
    [CN_DIM_PER_S] = {"1/s", "50 req/s", rates, NULL, NULL},
    [CN_DIM_WATT] = {"W", "700 W", watts, NULL, NULL},
    [CN_DIM_MONEY] = {"", "2M USD", counts, NULL, ""},
    [CN_DIM_MONEY_PER_H] = {"/h", "2.49 USD/h", counts, NULL, "/h"},
    [CN_DIM_MONEY_PER_GB] = {"/GB", "0.09 USD/GB", counts, NULL, "/GB"},
    [CN_DIM_MONEY_PER_GB_MONTH] = {"/GB-month", "0.023 USD/GB-month", counts, NULL, "/GB-month"},
    [CN_DIM_STEPS] = {"steps", "10000 steps", counts, "steps", NULL},
};

const char *cn_unit_base(cn_dim dim)
{
    return dims[dim].base;
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* Length of the number at p: digits, point, exponent. "_" and "," are not part of numbers. */
static size_t number_length(const char *p)
{
    const char *s = p;
    if (*p == '+' || *p == '-')
        p++;
    while (isdigit((unsigned char)*p) || *p == '.')
        p++;
    if (*p == 'e' || *p == 'E') {
        const char *q = p + 1;
        if (*q == '+' || *q == '-')
            q++;
        if (isdigit((unsigned char)*q)) {
            while (isdigit((unsigned char)*q))
                q++;
            p = q;
        }
    }
    return (size_t)(p - s);
}

static bool read_number(const char **p, double *out)
{
    char text[64];
    size_t n = number_length(*p);
    if (n == 0 || n >= sizeof text)
        return false;
    memcpy(text, *p, n);
    text[n] = 0;
    *p += n;
    return cn_parse_double(text, out);
}

static bool find_unit(const unit *list, const char *name, size_t len, double *factor)
{
    for (const unit *u = list; u->name; u++) {
        if (strlen(u->name) == len && memcmp(u->name, name, len) == 0) {
            *factor = u->factor;
            return true;
        }
    }
    return false;
}

/* "tokens", "token" and nothing are the same. */
static bool is_noun(const char *word, const char *noun)
{
    size_t n = strlen(noun);
    return *word == 0 || strcmp(word, noun) == 0 ||
           (strlen(word) == n - 1 && memcmp(word, noun, n - 1) == 0) ||
           (strcmp(noun, "params") == 0 && strcmp(word, "parameters") == 0);
}

static bool read_count(const char *p, cn_dim dim, cn_quantity *out, const char **why)
{
    const char *word = p;
    size_t letters = 0;
    while (isalpha((unsigned char)p[letters]))
        letters++;
    double factor = 1;
    if (letters == 1 && find_unit(counts, p, 1, &factor))
        word = skip_blanks(p + 1);
    if (dims[dim].noun ? !is_noun(word, dims[dim].noun) : *word != 0) {
        *why = "unknown unit";
        return false;
    }
    out->value *= factor;
    return true;
}

static bool read_money(const char *p, cn_dim dim, cn_quantity *out, const char **why)
{
    double factor = 1;
    if (*p && !isupper((unsigned char)p[1]) && find_unit(counts, p, 1, &factor))
        p = skip_blanks(p + 1);
    for (int i = 0; i < 3; i++) {
        if (!isupper((unsigned char)p[i])) {
            *why = *p ? "a currency is three capital letters" : "a currency is missing";
            return false;
        }
    }
    memcpy(out->currency, p, 3);
    p = skip_blanks(p + 3);
    if (strcmp(p, dims[dim].per) != 0) {
        *why = *p ? "unknown unit" : "what the price is per is missing";
        return false;
    }
    out->value *= factor;
    return true;
}

/* One or more terms, each with a unit: "1d 12h". */
static bool read_seconds(const char *p, cn_quantity *out, const char **why)
{
    double sum = 0, x = out->value;
    for (;;) {
        size_t n = 0;
        while (isalpha((unsigned char)p[n]))
            n++;
        double factor;
        if (!find_unit(seconds, p, n, &factor)) {
            *why = n ? "unknown unit" : "a unit is missing";
            return false;
        }
        sum += x * factor;
        p = skip_blanks(p + n);
        if (!*p)
            break;
        bool has_sign = *p == '-' || *p == '+'; /* "1d -12h" is not half a day to anybody */
        if (has_sign || !read_number(&p, &x)) {
            *why = has_sign ? "a sign inside a duration" : "not a number";
            return false;
        }
        p = skip_blanks(p);
    }
    out->value = sum;
    return true;
}

static bool read_plain(const char *p, cn_dim dim, cn_quantity *out, const char **why)
{
    double factor;
    if (!find_unit(dims[dim].units, p, strlen(p), &factor)) {
        *why = *p ? "unknown unit" : "a unit is missing";
        return false;
    }
    out->value *= factor;
    return true;
}

bool cn_unit_parse(const char *text, cn_dim dim, cn_quantity *out, const char **why,
                   const char **example)
{
    const char *p = skip_blanks(text);
    char trimmed[128];
    size_t n = strlen(p);
    *example = dims[dim].example;
    *why = "not a number";
    while (n > 0 && (p[n - 1] == ' ' || p[n - 1] == '\t'))
        n--;
    if (n == 0 || n >= sizeof trimmed)
        return false;
    memcpy(trimmed, p, n);
    trimmed[n] = 0;
    cn_quantity q = {0};
    p = trimmed;
    if (!read_number(&p, &q.value))
        return false;
    p = skip_blanks(p);
    bool ok = dims[dim].per               ? read_money(p, dim, &q, why)
              : dim == CN_DIM_SECONDS     ? read_seconds(p, &q, why)
              : dims[dim].units == counts ? read_count(p, dim, &q, why)
                                          : read_plain(p, dim, &q, why);
    if (ok && !isfinite(q.value)) {
        *why = "too large";
        ok = false;
    }
    if (ok)
        *out = q;
    return ok;
}

/*
 * Scales for people, largest first; the first that the value reaches is taken, the last if none.
 * 90 min read better than 1.5 h: units of time are taken from two on. A budget of 6e23 FLOP is
 * written so everywhere; prefixes beyond E would say less.
 */
static const struct {
    const char *base, *name;
    double factor, from;
} scales[] = {
    {"s", "days", 86400, 2 * 86400},
    {"s", "h", 3600, 2 * 3600},
    {"s", "min", 60, 2 * 60},
    {"s", "s", 1, 1},
    {"s", "ms", 1e-3, 1e-3},
    {"s", "us", 1e-6, 1e-6},
    {"s", "ns", 1e-9, 1e-9},
    {"bytes", "PB", 1e15, 1e15},
    {"bytes", "TB", 1e12, 1e12},
    {"bytes", "GB", 1e9, 1e9},
    {"bytes", "MB", 1e6, 1e6},
    {"bytes", "kB", 1e3, 1e3},
    {"bytes", "B", 1, 1},
    {"bytes/s", "TB/s", 1e12, 1e12},
    {"bytes/s", "GB/s", 1e9, 1e9},
    {"bytes/s", "MB/s", 1e6, 1e6},
    {"bytes/s", "kB/s", 1e3, 1e3},
    {"bytes/s", "B/s", 1, 1},
    {"FLOP", "FLOP", 1, 1e21},
    {"FLOP", "EFLOP", 1e18, 1e18},
    {"FLOP", "PFLOP", 1e15, 1e15},
    {"FLOP", "TFLOP", 1e12, 1e12},
    {"FLOP", "GFLOP", 1e9, 1e9},
    {"FLOP", "MFLOP", 1e6, 1e6},
    {"FLOP", "FLOP", 1, 1},
    {"FLOP/s", "EFLOP/s", 1e18, 1e18},
    {"FLOP/s", "PFLOP/s", 1e15, 1e15},
    {"FLOP/s", "TFLOP/s", 1e12, 1e12},
    {"FLOP/s", "GFLOP/s", 1e9, 1e9},
    {"FLOP/s", "MFLOP/s", 1e6, 1e6},
    {"FLOP/s", "FLOP/s", 1, 1},
    {"tokens", "T tokens", 1e12, 1e12},
    {"tokens", "B tokens", 1e9, 1e9},
    {"tokens", "M tokens", 1e6, 1e6},
    {"tokens", "tokens", 1, 1},
    {"parameters", "B parameters", 1e9, 1e9},
    {"parameters", "M parameters", 1e6, 1e6},
    {"parameters", "parameters", 1, 1},
    {"ratio", "%", 0.01, 0},
};

const char *cn_unit_scale(double value, const char *base, double *factor)
{
    const char *name = base;
    double x = isnan(value) ? 0 : fabs(value);
    *factor = 1;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        if (strcmp(scales[i].base, base) != 0)
            continue;
        name = scales[i].name;
        *factor = scales[i].factor;
        if (x >= scales[i].from || (x == 0 && scales[i].factor == 1))
            break;
    }
    return name;
}

const char *cn_number_text(double value, int decimals, char *buf)
{
    char plain[400];
    if (!isfinite(value) || fabs(value) >= 1e30)
        return isfinite(value) ? (cn_double_print(buf, 64, 'g', 4, value), buf) : strcpy(buf, "-");
    cn_double_print(plain, sizeof plain, 'f', decimals > 20 ? 20 : decimals, value);
    char *p = plain, *out = buf;
    bool is_zero = strspn(plain, "-0.") == strlen(plain);
    if (*p == '-') {
        p++;
        if (!is_zero)
            *out++ = '-';
    }
    size_t whole = strcspn(p, ".");
    for (size_t i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % 3 == 0)
            *out++ = ',';
        *out++ = p[i];
    }
    strcpy(out, p + whole);
    return buf;
}

const char *cn_number_sig(double value, int digits, char *buf)
{
    double x = fabs(value);
    if (!isfinite(value))
        return strcpy(buf, "-");
    if (x >= 1e12 || (x > 0 && x < 1e-4)) {
        cn_double_print(buf, 64, 'e', digits - 1, value);
        return buf;
    }
    int whole = x >= 1 ? (int)floor(log10(x)) + 1 : x > 0 ? (int)floor(log10(x)) + 1 : 1;
    int decimals = digits - whole;
    return cn_number_text(value, decimals > 0 ? decimals : 0, buf);
}
