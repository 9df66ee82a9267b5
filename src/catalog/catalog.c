/*
 * catalog.c - the catalog as others see it: lookups by name, whole tables, prices, fabrics.
 *
 * An entry that is asked for by name is read alone (quick.c); a table that is asked for whole is
 * read on first use (table.c); a user's folder is read at once, so that its mistakes are told at
 * start-up and a lookup later can only miss.
 */
#include "catalog/catalog.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "catalog/read.h"

#define ENTRY(type)                                                                                \
    .size = sizeof(type), .id = offsetof(type, id), .source_at = offsetof(type, source)
#define ALIASES(type) .n_aliases = offsetof(type, n_aliases), .aliases = offsetof(type, alias)

const cn_table_def cn_table_defs[CN_N_TABLES] = {
    [CN_TABLE_ACCEL] = {"accelerator",
                        "accelerators",
                        {"accelerators.yaml"},
                        ENTRY(cn_accel),
                        ALIASES(cn_accel),
                        .read = cn_read_accel,
                        .texts = {offsetof(cn_accel, name), offsetof(cn_accel, vendor),
                                  offsetof(cn_accel, generation)}},
    [CN_TABLE_NODE] = {"node type",
                       "nodes",
                       {"nodes.yaml"},
                       ENTRY(cn_node_type),
                       ALIASES(cn_node_type),
                       .read = cn_read_node,
                       .texts = {offsetof(cn_node_type, provider),
                                 offsetof(cn_node_type, accelerator)}},
    [CN_TABLE_MODEL] = {"model",
                        "models",
                        {"models/"},
                        ENTRY(cn_model_entry),
                        ALIASES(cn_model_entry),
                        .read = cn_read_model,
                        .texts = {offsetof(cn_model_entry, name),
                                  offsetof(cn_model_entry, family)}},
    [CN_TABLE_FRAMEWORK] = {"framework",
                            "frameworks",
                            {"frameworks.yaml"},
                            ENTRY(cn_framework),
                            ALIASES(cn_framework),
                            .read = cn_read_framework},
    [CN_TABLE_RATE] = {"rate",
                       "rates",
                       {"storage.yaml", "traffic.yaml", "operations.yaml"},
                       ENTRY(cn_rate),
                       .read = cn_read_rate,
                       .texts = {offsetof(cn_rate, kind), offsetof(cn_rate, provider),
                                 offsetof(cn_rate, unit), offsetof(cn_rate, date)}},
    [CN_TABLE_FAILURE] = {"failure rate",
                          "failures",
                          {"failures.yaml"},
                          ENTRY(cn_failure_rate),
                          .read = cn_read_failure},
    [CN_TABLE_LAW] = {"scaling law", "laws", {"laws.yaml"}, ENTRY(cn_law), .read = cn_read_law},
    [CN_TABLE_FX] = {"exchange rate",
                     "exchange",
                     {"fx.yaml"},
                     .size = sizeof(cn_fx_entry),
                     .id = offsetof(cn_fx_entry, id),
                     .source_at = offsetof(cn_fx_entry, fx.source),
                     .read = cn_read_fx,
                     .texts = {offsetof(cn_fx_entry, fx.date)}},
};

static const cn_table *table(cn_ctx *cx, cn_catalog *c, cn_table_id id)
{
    cn_table_load(cx, c, &cn_table_defs[id], &c->table[id]);
    return &c->table[id];
}

static cn_code load_user(cn_ctx *cx, cn_catalog *c)
{
    struct stat st;
    if (stat(c->user_dir, &st) != 0)
        return cn_fail(cx, CN_EIO, NULL, "cannot open the catalog folder \"%s\": %s", c->user_dir,
                       strerror(errno));
    if (!S_ISDIR(st.st_mode))
        return cn_fail(cx, CN_EIO, NULL, "the catalog \"%s\" is not a folder", c->user_dir);
    for (int i = 0; i < CN_N_TABLES; i++) {
        cn_table *t = &c->table[i];
        CN_TRY(cn_table_files(cx, c, &cn_table_defs[i], t));
        if (t->has_user_file)
            CN_TRY(cn_table_load(cx, c, &cn_table_defs[i], t));
    }
    CN_TRY(cn_read_generations(cx, c));
    return cn_read_prices(cx, c);
}

cn_code cn_catalog_load(cn_ctx *cx, const char *user_dir, cn_catalog **out)
{
    cn_catalog *c = cn_arena_alloc(&cx->arena, sizeof *c);
    if (!c)
        return cn_nomem(cx);
    if (user_dir) {
        c->user_dir = cn_arena_str(&cx->arena, user_dir);
        if (!c->user_dir)
            return cn_nomem(cx);
        CN_TRY(load_user(cx, c));
    }
    *out = c;
    return CN_OK;
}

/* ----------------------------------------------------------------------------------- by name */

static const void *has(cn_ctx *cx, cn_catalog *c, cn_table_id id, const char *name)
{
    const cn_table_def *def = &cn_table_defs[id];
    cn_table *t = &c->table[id];
    if (!name)
        return NULL;
    if (!t->is_loaded && t->n_asked++ < CN_MAX_QUICK) {
        const void *one = cn_table_quick(cx, c, def, t, name);
        if (one || (!def->aliases && !t->has_user_file)) /* without aliases a miss is final */
            return one;
    }
    return cn_table_find(def, table(cx, c, id), name);
}

static cn_code find(cn_ctx *cx, cn_catalog *c, cn_table_id id, const cn_at *at, const char *name,
                    const void **out)
{
    *out = has(cx, c, id, name);
    if (*out)
        return CN_OK;
    const cn_table *t = table(cx, c, id);
    CN_TRY(t->code);
    return cn_table_unknown(cx, &cn_table_defs[id], t, at, name);
}

/* The lookups of the header, one pair a kind. */
#define LOOKUP(noun, type, id)                                                                     \
    cn_code cn_catalog_##noun(cn_ctx *cx, cn_catalog *c, const cn_at *at, const char *name,        \
                              const type **out)                                                    \
    {                                                                                              \
        const void *entry = NULL;                                                                  \
        CN_TRY(find(cx, c, id, at, name, &entry));                                                 \
        *out = entry;                                                                              \
        return CN_OK;                                                                              \
    }
#define HAS(noun, type, id)                                                                        \
    const type *cn_catalog_has_##noun(cn_ctx *cx, cn_catalog *c, const char *name)                 \
    {                                                                                              \
        return has(cx, c, id, name);                                                               \
    }
#define WHOLE(nouns, type, table_id)                                                               \
    const type *cn_catalog_##nouns(cn_ctx *cx, cn_catalog *c, size_t *n)                           \
    {                                                                                              \
        const cn_table *t = table(cx, c, table_id);                                                \
        *n = t->n;                                                                                 \
        return (const type *)(const void *)t->entries;                                             \
    }

LOOKUP(accel, cn_accel, CN_TABLE_ACCEL)
LOOKUP(node, cn_node_type, CN_TABLE_NODE)
LOOKUP(model, cn_model_entry, CN_TABLE_MODEL)
LOOKUP(framework, cn_framework, CN_TABLE_FRAMEWORK)
LOOKUP(law, cn_law, CN_TABLE_LAW)
HAS(accel, cn_accel, CN_TABLE_ACCEL)
HAS(node, cn_node_type, CN_TABLE_NODE)
HAS(model, cn_model_entry, CN_TABLE_MODEL)
HAS(framework, cn_framework, CN_TABLE_FRAMEWORK)
WHOLE(accels, cn_accel, CN_TABLE_ACCEL)
WHOLE(nodes, cn_node_type, CN_TABLE_NODE)
WHOLE(models, cn_model_entry, CN_TABLE_MODEL)
WHOLE(frameworks, cn_framework, CN_TABLE_FRAMEWORK)
WHOLE(rates, cn_rate, CN_TABLE_RATE)
WHOLE(failures, cn_failure_rate, CN_TABLE_FAILURE)
WHOLE(laws, cn_law, CN_TABLE_LAW)

const cn_rate *cn_catalog_rate(cn_ctx *cx, cn_catalog *c, const char *id)
{
    return has(cx, c, CN_TABLE_RATE, id);
}

const cn_failure_rate *cn_catalog_failure(cn_ctx *cx, cn_catalog *c, const char *generation)
{
    const cn_failure_rate *f = has(cx, c, CN_TABLE_FAILURE, generation);
    return f ? f : has(cx, c, CN_TABLE_FAILURE, "default");
}

const cn_framework *cn_catalog_default_framework(cn_ctx *cx, cn_catalog *c)
{
    return has(cx, c, CN_TABLE_FRAMEWORK, "default");
}

static const cn_fx *stated_fx(const cn_table *t, const char *from, const char *to)
{
    const cn_fx_entry *e = (const cn_fx_entry *)(const void *)t->entries;
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(e[i].fx.from, from) == 0 && strcmp(e[i].fx.to, to) == 0)
            return &e[i].fx;
    return NULL;
}

/* The table states a pair once; the other way is its inverse. */
const cn_fx *cn_catalog_fx(cn_ctx *cx, cn_catalog *c, const char *from, const char *to)
{
    const cn_table *t = table(cx, c, CN_TABLE_FX);
    const cn_fx *stated = stated_fx(t, from, to), *back = stated_fx(t, to, from);
    if (stated || !back)
        return stated;
    cn_fx *inverse = cn_arena_alloc(&cx->arena, sizeof *inverse);
    if (!inverse)
        return NULL;
    *inverse = *back;
    memcpy(inverse->from, back->to, sizeof inverse->from);
    memcpy(inverse->to, back->from, sizeof inverse->to);
    inverse->rate = 1 / back->rate;
    return inverse;
}

/* ------------------------------------------------------------------------------------ prices */

const cn_price *cn_catalog_prices(cn_ctx *cx, cn_catalog *c, size_t *n)
{
    cn_read_prices(cx, c);
    *n = c->prices.n;
    return c->prices.price;
}

/* Index of the first price of an item: prices are sorted by item. */
static size_t first_of(const cn_prices *p, const char *item)
{
    size_t lo = 0, hi = p->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (strcmp(p->price[mid].item, item) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Rows of one region stand together, oldest first: the last of a run is the newest. */
static bool is_newest(const cn_prices *p, size_t i)
{
    const cn_price *a = &p->price[i], *b = a + 1;
    return i + 1 >= p->n || a->buy != b->buy || strcmp(a->region, b->region) != 0 ||
           strcmp(a->item, b->item) != 0;
}

static void warn_age(cn_ctx *cx, cn_catalog *c, const cn_price *p)
{
    enum { OLD_DAYS = 30 };
    double t, days;
    if (c->has_warned_age || !cn_catalog_date(p->date, &t))
        return;
    days = floor((cx->now_s - t) / 86400);
    if (days <= OLD_DAYS)
        return;
    c->has_warned_age = true;
    cn_at at = {.file = p->source.file, .line = p->source.line};
    cn_warn(cx, &at, "the price of %s was read on %s, %.0f days ago: prices may have changed",
            p->item, p->date, days);
}

const cn_price *cn_catalog_price(cn_ctx *cx, cn_catalog *c, const char *item, const char *region,
                                 cn_buy buy)
{
    const cn_price *best = NULL;
    if (cn_read_prices(cx, c) != CN_OK)
        return NULL;
    for (size_t i = first_of(&c->prices, item); i < c->prices.n; i++) {
        const cn_price *p = &c->prices.price[i];
        if (strcmp(p->item, item) != 0)
            break;
        if (p->buy != buy || !is_newest(&c->prices, i))
            continue;
        /* a row without a region is the same price everywhere */
        if (region && *p->region && strcmp(p->region, region) != 0)
            continue;
        if (!best || (region && !*best->region) || (!region && p->per_hour < best->per_hour))
            best = p;
    }
    if (best)
        warn_age(cx, c, best);
    return best;
}

/* ------------------------------------------------------------------------------------ fabric */

static double known(double a, double b, double fallback)
{
    return !isnan(a) ? a : !isnan(b) ? b : fallback;
}

void cn_catalog_fabric(const cn_accel *a, const cn_node_type *node, cn_fabric *out)
{
    enum { USUAL_NODE = 8 };
    double domain = known(a->scale_up_domain, NAN, 1);
    *out = (cn_fabric){.domain = domain, .per_node = fmin(domain, USUAL_NODE)};
    double up = a->scale_up_bytes_per_s, nic = a->nic_bytes_per_s;
    if (node) {
        out->per_node = node->n_accel;
        /* a domain ends with the node unless the node says that it spans nodes */
        out->domain = known(node->scale_up_domain, NAN, fmin(domain, node->n_accel));
        up = known(node->scale_up_bytes_per_s, up, NAN);
        nic = known(node->nic_bytes_per_s / node->n_accel, nic, NAN);
    }
    out->bytes_per_s[CN_TIER_NODE] = known(up, NAN, 0);
    out->bytes_per_s[CN_TIER_RAIL] = known(nic, NAN, 0);
    out->bytes_per_s[CN_TIER_RACK] = out->bytes_per_s[CN_TIER_RAIL];
    out->devices[CN_TIER_NODE] = out->domain;
}
