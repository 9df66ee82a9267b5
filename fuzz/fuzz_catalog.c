/*
 * fuzz_catalog.c - a user's catalog file of any kind, from bytes.
 *
 * The first byte chooses the kind ('0' accelerators ... '7' exchange rates, '8' a price list, as
 * cn_table_id counts them), the rest is the file. Whatever it holds: reading comes back, and a
 * table that was accepted is sorted and finds each of its own ids.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LIMIT_BYTES = 64 << 20 };

static const char *id_at(const cn_table_def *def, const cn_table *t, size_t i)
{
    return *(const char *const *)(const void *)(t->entries + i * def->size + def->id);
}

static void check_table(cn_ctx *cx, cn_catalog *c, int id, const cn_catalog_file *f)
{
    const cn_table_def *def = &cn_table_defs[id];
    cn_table *t = &c->table[id];
    if (cn_table_read(cx, c, def, f, 1, t) != CN_OK)
        return;
    for (size_t i = 0; i < t->n; i++) {
        const char *name = id_at(def, t, i);
        if (i > 0 && strcmp(id_at(def, t, i - 1), name) >= 0)
            abort();
        /* a name of blanks alone is no name */
        if (name[strspn(name, " -_")] && !cn_table_find(def, t, name))
            abort();
    }
    cn_table_unknown(cx, def, t, NULL, f->text);
}

static void check_fabrics(cn_ctx *cx, cn_catalog *c)
{
    size_t n;
    cn_fabric fabric;
    const cn_accel *a = cn_catalog_accels(cx, c, &n);
    for (size_t i = 0; i < n; i++)
        cn_catalog_fabric(&a[i], NULL, &fabric);
}

static void check_prices(cn_ctx *cx, cn_catalog *c, const cn_catalog_file *f)
{
    if (cn_prices_read(cx, f, 1, &c->prices) != CN_OK)
        return;
    for (size_t i = 0; i < c->prices.n; i++) {
        const cn_price *p = &c->prices.price[i];
        if (!cn_catalog_price(cx, c, p->item, p->region, p->buy))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cn_ctx cx;
    cn_catalog *c;
    if (size == 0)
        return 0;
    int kind = *data - '0';
    cn_ctx_init(&cx, 1.7e9);
    cx.arena.limit_bytes = LIMIT_BYTES;
    const char *text = cn_arena_strn(&cx.arena, (const char *)data + 1, size - 1);
    if (text && cn_catalog_load(&cx, NULL, &c) == CN_OK) {
        cn_catalog_file f = {"fuzz", text, size - 1, true};
        if (kind == CN_N_TABLES)
            check_prices(&cx, c, &f);
        else if (kind >= 0 && kind < CN_N_TABLES)
            check_table(&cx, c, kind, &f);
        if (kind == CN_TABLE_ACCEL)
            check_fabrics(&cx, c);
    }
    cn_ctx_done(&cx);
    return 0;
}
