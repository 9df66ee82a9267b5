/* bind.c - a map's values into a struct, by table. */
#include <math.h>
#include <string.h>

#include "base/bind.h"
#include "base/text.h"

static const char *field_key(size_t i, const void *arg)
{
    return ((const cn_bind_field *)arg)[i].key;
}

static void unknown_key(cn_ctx *cx, const cn_at *at, const char *key, const char *what,
                        const cn_bind_field *fields, size_t n)
{
    cn_problem(cx, at, "unknown key \"%s\" in %s", key, what);
    const char *near = cn_text_nearest(key, field_key, n, fields);
    if (near)
        cn_hint(cx, "did you mean \"%s\"?", near);
    else
        cn_hint(cx, "unknown keys are errors, so that nothing you wrote is ignored");
}

/*
 * The most a field without a range takes: beyond anything real, and far enough from the ends of a
 * double that products of a few of them stay finite.
 */
static const double widest[CN_DIM_N] = {
    [CN_DIM_COUNT] = 1e18,      [CN_DIM_TOKENS] = 1e18,      [CN_DIM_PARAMS] = 1e18,
    [CN_DIM_BYTES] = 1e21,      [CN_DIM_BYTES_PER_S] = 1e18, [CN_DIM_FLOP] = 1e36,
    [CN_DIM_FLOP_PER_S] = 1e24, [CN_DIM_SECONDS] = 1e10,     [CN_DIM_RATIO] = 1e18,
    [CN_DIM_PER_S] = 1e15,      [CN_DIM_WATT] = 1e12,        [CN_DIM_MONEY] = 1e15,
    [CN_DIM_MONEY_PER_H] = 1e9, [CN_DIM_MONEY_PER_GB] = 1e9, [CN_DIM_MONEY_PER_GB_MONTH] = 1e9,
    [CN_DIM_STEPS] = 1e15,
};
static const double least = 1e-30; /* but for zero: what is smaller overflows when divided by */

static bool in_range(cn_ctx *cx, const cn_bind_field *f, const cn_at *at, const char *text,
                     double x)
{
    char lo[32], hi[32];
    bool has_range = f->min != 0 || f->max != 0;
    double min = has_range ? f->min : 0, max = has_range ? f->max : widest[f->dim];
    if (f->kind != CN_BIND_QUANTITY && !has_range)
        return true;
    if (x >= min && x <= max && (x == 0 || fabs(x) >= least))
        return true;
    if (x < 0 && !has_range) {
        cn_quantity q;
        const char *why, *example = "1";
        cn_unit_parse("", f->dim, &q, &why, &example);
        cn_problem(cx, at, "%s is below zero: %s", f->key, text);
        cn_hint(cx, "write it like \"%s\"", example);
        return false;
    }
    cn_problem(cx, at, "%s is out of range: %s", f->key, text);
    cn_hint(cx, "expected %s to %s %s", cn_double_text(min, lo), cn_double_text(max, hi),
            f->kind == CN_BIND_QUANTITY ? cn_unit_base(f->dim) : "");
    return false;
}

static void bind_quantity(cn_ctx *cx, const cn_bind_field *f, const cn_node *v, char *out)
{
    cn_quantity q;
    const char *why, *example;
    if (!cn_unit_parse(v->text, f->dim, &q, &why, &example)) {
        cn_problem(cx, &v->at, "%s: %s in \"%s\"", f->key, why, v->text);
        cn_hint(cx, "write it like \"%s\"", example);
        return;
    }
    if (!in_range(cx, f, &v->at, v->text, q.value))
        return;
    if (f->currency_offset) {
        memcpy(out + f->currency_offset, q.currency, sizeof q.currency);
    } else if (*q.currency && strcmp(q.currency, "USD") != 0) {
        cn_problem(cx, &v->at, "%s must be in USD, found %s", f->key, q.currency);
        cn_hint(cx, "write the amount in USD");
        return;
    }
    memcpy(out + f->offset, &q.value, sizeof q.value);
}

static void bind_count(cn_ctx *cx, const cn_bind_field *f, const cn_node *v, char *out)
{
    cn_quantity q;
    const char *why, *example;
    bool ok = cn_unit_parse(v->text, CN_DIM_COUNT, &q, &why, &example);
    if (!ok || q.value != floor(q.value) || q.value < 0) {
        cn_problem(cx, &v->at, "%s must be a whole number, found \"%s\"", f->key, v->text);
        cn_hint(cx, "write it like \"4096\" or \"128k\"");
    } else if (in_range(cx, f, &v->at, v->text, q.value)) {
        memcpy(out + f->offset, &q.value, sizeof q.value);
    }
}

static void bind_int(cn_ctx *cx, const cn_bind_field *f, const cn_node *v, char *out)
{
    long long x;
    if (!cn_parse_i64(v->text, &x) || x < -2147483647 || x > 2147483647) {
        cn_problem(cx, &v->at, "%s must be a whole number, found \"%s\"", f->key, v->text);
        cn_hint(cx, "write it like \"8\"");
    } else if (in_range(cx, f, &v->at, v->text, (double)x)) {
        int i = (int)x;
        memcpy(out + f->offset, &i, sizeof i);
    }
}

static void bind_bool(cn_ctx *cx, const cn_bind_field *f, const cn_node *v, char *out)
{
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (cn_text_eq_fold(v->text, words[i])) {
            bool b = i & 1;
            memcpy(out + f->offset, &b, sizeof b);
            return;
        }
    }
    cn_problem(cx, &v->at, "%s must be true or false, found \"%s\"", f->key, v->text);
    cn_hint(cx, "write \"true\" or \"false\"");
}

static const char *name_at(size_t i, const void *arg)
{
    return ((const char *const *)arg)[i];
}

static void bind_enum(cn_ctx *cx, const cn_bind_field *f, const cn_node *v, char *out)
{
    int n = 0;
    for (; f->names[n]; n++) {
        if (cn_text_eq_loose(v->text, f->names[n])) {
            memcpy(out + f->offset, &n, sizeof n);
            return;
        }
    }
    char list[256] = "";
    for (int i = 0; i < n; i++) {
        size_t used = strlen(list);
        if (used + strlen(f->names[i]) + 3 < sizeof list) {
            strcat(list, i ? ", " : "");
            strcat(list, f->names[i]);
        }
    }
    const char *near = cn_text_nearest(v->text, name_at, (size_t)n, f->names);
    cn_problem(cx, &v->at, "%s cannot be \"%s\"", f->key, v->text);
    if (near)
        cn_hint(cx, "did you mean \"%s\"? one of: %s", near, list);
    else
        cn_hint(cx, "one of: %s", list);
}

/* True when a value was stored or a problem was told; false for `auto` and null. */
static bool bind_one(cn_ctx *cx, const cn_bind_field *f, const cn_node *v, char *out)
{
    if (v->kind == CN_NODE_NULL)
        return false;
    if (f->kind == CN_BIND_NODE) {
        memcpy(out + f->offset, &v, sizeof v);
        return true;
    }
    if (v->kind != CN_NODE_SCALAR) {
        cn_problem(cx, &v->at, "%s must be a single value, found a %s", f->key,
                   v->kind == CN_NODE_LIST ? "list" : "map");
        cn_hint(cx, "write one value behind \"%s:\"", f->key);
        return true;
    }
    if (f->allow_auto && !v->quoted && strcmp(v->text, "auto") == 0)
        return false;
    switch (f->kind) {
    case CN_BIND_TEXT:
        memcpy(out + f->offset, &v->text, sizeof v->text);
        break;
    case CN_BIND_COUNT:
        bind_count(cx, f, v, out);
        break;
    case CN_BIND_INT:
        bind_int(cx, f, v, out);
        break;
    case CN_BIND_QUANTITY:
        bind_quantity(cx, f, v, out);
        break;
    case CN_BIND_BOOL:
        bind_bool(cx, f, v, out);
        break;
    case CN_BIND_ENUM:
        bind_enum(cx, f, v, out);
        break;
    case CN_BIND_NODE:
        break;
    }
    return true;
}

cn_code cn_bind(cn_ctx *cx, const cn_node *map, const char *what, const cn_bind_field *fields,
                size_t n_fields, void *out, bool *seen)
{
    if (map->kind != CN_NODE_MAP) {
        cn_problem(cx, &map->at, "%s must be a map", what);
        return cn_hint(cx, "write \"%s:\" and its keys below it, indented", what);
    }
    if (seen)
        memset(seen, 0, n_fields * sizeof *seen);
    for (size_t i = 0; i < map->n; i++) {
        size_t k = 0;
        while (k < n_fields && strcmp(fields[k].key, map->key[i]) != 0)
            k++;
        if (k == n_fields) {
            unknown_key(cx, &map->key_at[i], map->key[i], what, fields, n_fields);
            continue;
        }
        bool given = bind_one(cx, &fields[k], map->child[i], out);
        if (seen)
            seen[k] = given;
    }
    for (size_t k = 0; k < n_fields; k++) {
        if (fields[k].required && !cn_node_get(map, fields[k].key)) {
            cn_problem(cx, &map->at, "%s has no \"%s\"", what, fields[k].key);
            cn_hint(cx, "add it; %s", fields[k].help ? fields[k].help : "it has no default");
        }
    }
    return cn_problems(cx);
}
