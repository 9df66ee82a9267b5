/*
 * price.c - price lists: CSV rows of an item with a price for each way to buy it.
 *
 * Columns: item, per (node or device), provider, region, on_demand, reserved_1y, reserved_3y, spot
 * (per hour; empty = not offered), currency, date, source, note. A row without a date is an error.
 * The newest row wins; a user's row replaces ours of the same item, region and way to buy, whatever
 * its date.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/text.h"
#include "catalog/read.h"

static const char *const buy_columns[CN_N_BUYS] = {"on_demand", "spot", "reserved_1y",
                                                   "reserved_3y"};
static const char *const text_columns[] = {"item",     "per",  "provider", "region",
                                           "currency", "date", "source"};

typedef struct list {
    cn_price *price;
    bool *is_user;
    size_t n, cap;
} list;

static cn_code grow(cn_ctx *cx, list *l)
{
    if (l->n + CN_N_BUYS <= l->cap)
        return CN_OK;
    size_t cap = 2 * l->cap + 256;
    cn_price *price = cn_arena_array(&cx->arena, cap, sizeof *price);
    bool *is_user = cn_arena_array(&cx->arena, cap, sizeof *is_user);
    if (!price || !is_user)
        return cn_nomem(cx);
    if (l->n) {
        memcpy(price, l->price, l->n * sizeof *price);
        memcpy(is_user, l->is_user, l->n * sizeof *is_user);
    }
    *l = (list){price, is_user, l->n, cap};
    return CN_OK;
}

static bool same_offer(const cn_price *a, const cn_price *b)
{
    return a->buy == b->buy && strcmp(a->item, b->item) == 0 && strcmp(a->region, b->region) == 0;
}

/* The user's row takes the place of ours. */
static void add(list *l, const cn_price *p, bool is_user)
{
    size_t kept = 0;
    for (size_t i = 0; is_user && i < l->n; i++) {
        if (!l->is_user[i] && same_offer(&l->price[i], p))
            continue;
        l->price[kept] = l->price[i];
        l->is_user[kept++] = l->is_user[i];
    }
    if (is_user)
        l->n = kept;
    l->price[l->n] = *p;
    l->is_user[l->n++] = is_user;
}

static bool check_row(cn_ctx *cx, const cn_csv *csv, cn_price *p, const cn_at *at)
{
    double t;
    int before = cx->n_problems + cx->n_more;
    const char *per = cn_csv_get(csv, "per"), *currency = cn_csv_get(csv, "currency");
    if (!*p->item)
        cn_problem(cx, at, "a price has no item");
    if (!*p->source.text)
        cn_problem(cx, at, "the price of \"%s\" has no source", p->item);
    if (!cn_catalog_date(p->date, &t)) {
        cn_problem(cx, at, "the price of \"%s\" has no date: \"%s\"", p->item, p->date);
        cn_hint(cx, "write the day it was read as YYYY-MM-DD");
    }
    p->is_per_accel = strcmp(per, "device") == 0;
    if (!p->is_per_accel && strcmp(per, "node") != 0)
        cn_problem(cx, at, "per is \"%s\", not node or device", per);
    if (strlen(currency) == 3)
        memcpy(p->currency, currency, 4);
    else
        cn_problem(cx, at, "\"%s\" is not a currency of three capital letters", currency);
    return cx->n_problems + cx->n_more == before;
}

static cn_code read_row(cn_ctx *cx, const cn_csv *csv, bool is_user, list *l)
{
    cn_at at = {.file = csv->file, .line = csv->line};
    cn_price p = {.item = cn_csv_get(csv, "item"), .provider = cn_csv_get(csv, "provider")};
    p.region = cn_csv_get(csv, "region");
    p.date = cn_csv_get(csv, "date");
    p.source = (cn_source){cn_csv_get(csv, "source"), p.date, csv->file, csv->line};
    if (!check_row(cx, csv, &p, &at))
        return CN_OK;
    CN_TRY(grow(cx, l));
    for (int i = 0; i < CN_N_BUYS; i++) {
        const char *text = cn_csv_get(csv, buy_columns[i]);
        if (!*text)
            continue;
        p.buy = (cn_buy)i;
        if (cn_parse_double(text, &p.per_hour) && p.per_hour > 0 && p.per_hour < 1e6)
            add(l, &p, is_user);
        else
            cn_problem(cx, &at, "%s of \"%s\" is not a price per hour: \"%s\"", buy_columns[i],
                       p.item, text);
    }
    return CN_OK;
}

static cn_code check_columns(cn_ctx *cx, const cn_csv *csv)
{
    cn_at at = {.file = csv->file, .line = 1};
    for (size_t i = 0; i < sizeof text_columns / sizeof *text_columns; i++)
        if (cn_csv_column(csv, text_columns[i]) < 0)
            cn_problem(cx, &at, "a price list has no column \"%s\"", text_columns[i]);
    return cn_problems(cx);
}

/* The texts of a row are copies in the arena: they outlive the row. */
static cn_code read_file(cn_ctx *cx, const cn_catalog_file *f, list *l)
{
    cn_csv csv;
    bool more;
    CN_TRY(cn_csv_open(cx, f->label, f->text, f->len, &csv));
    CN_TRY(check_columns(cx, &csv));
    for (;;) {
        CN_TRY(cn_csv_next(cx, &csv, &more));
        if (!more)
            return cn_problems(cx);
        CN_TRY(read_row(cx, &csv, f->is_user, l));
    }
}

static int by_offer(const void *va, const void *vb)
{
    const cn_price *a = va, *b = vb;
    int c = strcmp(a->item, b->item);
    c = c ? c : strcmp(a->region, b->region);
    c = c ? c : (int)a->buy - (int)b->buy;
    c = c ? c : strcmp(a->date, b->date);
    return c ? c : (a->source.line > b->source.line) - (a->source.line < b->source.line);
}

static cn_code read_lists(cn_ctx *cx, const cn_catalog_file *files, size_t n, cn_prices *out)
{
    list l = {0};
    for (size_t i = 0; i < n; i++)
        CN_TRY(read_file(cx, &files[i], &l));
    if (l.n)
        qsort(l.price, l.n, sizeof *l.price, by_offer);
    out->price = l.price;
    out->n = l.n;
    return CN_OK;
}

cn_code cn_prices_read(cn_ctx *cx, const cn_catalog_file *files, size_t n, cn_prices *out)
{
    cn_code before = cn_load_begin(cx);
    out->is_loaded = true;
    out->code = read_lists(cx, files, n, out);
    cn_load_end(cx, before);
    return out->code;
}

cn_code cn_read_prices(cn_ctx *cx, cn_catalog *c)
{
    cn_catalog_file *files;
    size_t n;
    if (c->prices.is_loaded)
        return c->prices.code;
    c->prices.is_loaded = true;
    c->prices.code = cn_catalog_files(cx, c->user_dir, "prices/", &files, &n);
    CN_TRY(c->prices.code);
    return cn_prices_read(cx, files, n, &c->prices);
}
