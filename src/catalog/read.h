/*
 * read.h - the kinds of catalog entries: how each is read, and the catalog they live in.
 *
 * Private to the catalog. Every reader binds one map by a table of fields, reports what is wrong
 * with its place, and leaves what is not said unknown (NaN, NULL).
 */
#ifndef CARNOT_CATALOG_READ_H
#define CARNOT_CATALOG_READ_H

#include "catalog/table.h"

typedef enum {
    CN_TABLE_ACCEL,
    CN_TABLE_NODE,
    CN_TABLE_MODEL,
    CN_TABLE_FRAMEWORK,
    CN_TABLE_RATE,
    CN_TABLE_FAILURE,
    CN_TABLE_LAW,
    CN_TABLE_FX,
    CN_N_TABLES
} cn_table_id;

/* The constants of one generation, or the changes one accelerator makes to them. */
typedef struct cn_generation {
    const char *name;
    cn_eff eff;
} cn_generation;

typedef struct cn_prices {
    bool is_loaded;
    cn_code code;
    cn_price *price; /* sorted by item, region, buy, date */
    size_t n;
} cn_prices;

struct cn_catalog {
    const char *user_dir; /* NULL = none */
    cn_table table[CN_N_TABLES];
    cn_prices prices;
    bool has_generations;
    cn_generation *generation;
    size_t n_generations;
    const cn_node *calibrated[2]; /* roots of efficiency.yaml: ours, then the user's */
    int n_calibrated;
    bool has_warned_age; /* one warning of old prices is enough */
};

typedef struct cn_fx_entry {
    const char *id; /* "usd/cny" */
    cn_fx fx;
} cn_fx_entry;

extern const cn_table_def cn_table_defs[CN_N_TABLES];

cn_code cn_read_accel(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry);
cn_code cn_read_node(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry);
cn_code cn_read_model(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry);
cn_code cn_read_framework(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry);
cn_code cn_read_rate(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry);
cn_code cn_read_failure(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry);
cn_code cn_read_law(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry);
cn_code cn_read_fx(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry);

/* efficiency.yaml, once. */
cn_code cn_read_generations(cn_ctx *cx, cn_catalog *c);

/* The price lists of these files alone; and of all, once. */
cn_code cn_prices_read(cn_ctx *cx, const cn_catalog_file *files, size_t n, cn_prices *out);
cn_code cn_read_prices(cn_ctx *cx, cn_catalog *c);

/*
 * Calibrated constants of one entry, from efficiency.yaml: section "devices" (factors on the
 * generation's) or "frameworks", by id. The user's file wins; NULL if neither has it.
 */
cn_code cn_calibrated(cn_ctx *cx, cn_catalog *c, const char *section, const char *id,
                      const cn_node **out);

#endif
