/*
 * catalog.h - facts: accelerators, nodes, prices, models, frameworks, storage, traffic, failures,
 * laws.
 *
 * data/ is embedded in the program; a user folder (--catalog DIR, or ~/.config/carnot/catalog) adds
 * entries or replaces them by id. Every entry has a source and a date it was checked; a price
 * without a date is an error. A missing fact is NaN (or NULL): never guessed, never zero.
 * Lifecycle:  cn_catalog_load() once; everything lives in cx->arena and is immutable.
 * Start-up:   tables are parsed on first use of their kind, so that a verb pays only for what it
 * reads.
 */
#ifndef CARNOT_CATALOG_CATALOG_H
#define CARNOT_CATALOG_CATALOG_H

#include "base/tree.h"
#include "model/hardware.h"
#include "model/shape.h"

typedef struct cn_source {
    const char *text;    /* "vendor datasheet: edition, page" */
    const char *checked; /* "2026-09-01" */
    const char *file;    /* "data/accelerators.yaml" or the user's file */
    int line;
} cn_source;

typedef struct cn_accel {
    const char *id;   /* "h100-sxm5-80gb" */
    const char *name; /* "H100 SXM5 80 GB" */
    size_t n_aliases;
    const char **alias; /* every spelling seen in bills, logs and papers */
    const char *vendor;
    const char *generation; /* key of the efficiency table: "ampere", "hopper", ... */
    int year;
    cn_device
        device; /* facts (NaN or 0 peak = unknown or not offered) and the generation's constants */
    double scale_up_bytes_per_s;  /* per device, one direction; NaN unknown */
    double scale_up_domain;       /* devices */
    double nic_bytes_per_s;       /* usual NIC share of one device; NaN unknown */
    double host_bytes_per_s;      /* device <-> host, one direction; NaN unknown */
    double launch_year_price_usd; /* list price of one device if public; NaN */
    cn_source source;
} cn_accel;

typedef struct cn_node_type {
    const char *id;          /* "aws/p5.48xlarge", "dgx/h100" */
    const char *provider;    /* "aws", "azure", "gcp", "alibaba", "on-premises", ... */
    const char *accelerator; /* id of a cn_accel */
    double n_accel;
    double nic_bytes_per_s;                    /* whole node, one direction; NaN unknown */
    double scale_up_domain;                    /* NaN = the accelerator's */
    double scale_up_bytes_per_s;               /* per device; NaN = the accelerator's */
    double vcpus, mem_bytes, local_disk_bytes; /* NaN unknown */
    double capex_usd, watts;                   /* NaN unknown */
    size_t n_aliases;
    const char **alias;
    cn_source source;
} cn_node_type;

typedef enum {
    CN_BUY_ON_DEMAND,
    CN_BUY_SPOT,
    CN_BUY_RESERVED_1Y,
    CN_BUY_RESERVED_3Y,
    CN_N_BUYS
} cn_buy;

typedef struct cn_price {
    const char *item;  /* node id, or accelerator id where no node is named */
    bool is_per_accel; /* per_hour is of one accelerator of the item, not of the whole */
    const char *provider, *region; /* region "" = the same everywhere */
    cn_buy buy;
    double per_hour;
    char currency[4];
    const char *date; /* the day the price was read */
    cn_source source;
} cn_price;

typedef struct cn_model_entry {
    const char *id; /* "llama-3.1-8b" */
    const char *name;
    size_t n_aliases;
    const char **alias;
    const char *family;      /* "llama", "deepseek-v3", ... */
    double params_published; /* total; NaN unknown */
    double context;          /* tokens the model was made for; NaN unknown */
    cn_shape shape;
    cn_source source;
} cn_model_entry;

typedef struct cn_framework {
    const char *id; /* "megatron-core", "megatron-lm-2021", "fsdp1", "torchtitan", ... */
    size_t n_aliases;
    const char **alias;
    cn_soft soft;
    /* what this framework does unless told otherwise */
    bool has_flash, has_fp32_grads, is_sp, has_fused_loss;
    bool has_fp8_weights;  /* 8-bit training keeps the weights in 8 bits only */
    bool reports_reserved; /* its log's peak memory includes the allocator's slack */
    cn_source source;
} cn_framework;

/* One priced thing that is not compute. dimension/calibre: see cost.h. */
typedef struct cn_rate {
    const char *id; /* "aws/s3-standard", "aws/inter-zone", "staff/engineer", "logs/ingest", ... */
    const char
        *kind; /* "storage" "traffic" "request" "database" "logs" "metrics" "staff" "power" ... */
    const char *provider;
    double price; /* per unit */
    const char
        *unit; /* "GB-month", "GB", "1000 requests", "h", "GB ingested", "series-month", "kWh" */
    char currency[4];
    double bytes_per_s_per_tb; /* storage: throughput that comes with 1 TB; NaN */
    double latency_s, min_days, retrieval_per_gb; /* storage; NaN */
    const char *date;
    cn_source source;
} cn_rate;

typedef struct cn_failure_rate {
    const char *id;        /* generation or "default" */
    double per_device_day; /* interruptions of a job per device and day */
    double detect_s, restart_s;
    cn_source source;
} cn_failure_rate;

/* loss = e + a / N^alpha + b / D^beta */
typedef struct cn_law {
    const char *id; /* "hoffmann2022", "besiroglu2024" */
    double e, a, b, alpha, beta;
    double params_lo, params_hi, tokens_lo, tokens_hi; /* range it was fitted on */
    cn_source source;
} cn_law;

typedef struct cn_fx {
    char from[4], to[4];
    double rate;
    const char *date;
    cn_source source;
} cn_fx;

typedef struct cn_catalog cn_catalog;

/* user_dir may be NULL. Errors: CN_EINPUT with file:line:column, CN_EIO. */
cn_code cn_catalog_load(cn_ctx *cx, const char *user_dir, cn_catalog **out);

/*
 * Look up by id or alias (case, blanks, '-' and '_' ignored). CN_EINPUT with "did you mean" if
 * there is none; at may be NULL. The cn_catalog_has_* forms return NULL instead of failing.
 */
cn_code cn_catalog_accel(cn_ctx *cx, cn_catalog *c, const cn_at *at, const char *name,
                         const cn_accel **out);
cn_code cn_catalog_node(cn_ctx *cx, cn_catalog *c, const cn_at *at, const char *name,
                        const cn_node_type **out);
cn_code cn_catalog_model(cn_ctx *cx, cn_catalog *c, const cn_at *at, const char *name,
                         const cn_model_entry **out);
cn_code cn_catalog_framework(cn_ctx *cx, cn_catalog *c, const cn_at *at, const char *name,
                             const cn_framework **out);
cn_code cn_catalog_law(cn_ctx *cx, cn_catalog *c, const cn_at *at, const char *name,
                       const cn_law **out);
const cn_accel *cn_catalog_has_accel(cn_ctx *cx, cn_catalog *c, const char *name);
const cn_node_type *cn_catalog_has_node(cn_ctx *cx, cn_catalog *c, const char *name);
const cn_model_entry *cn_catalog_has_model(cn_ctx *cx, cn_catalog *c, const char *name);
const cn_framework *cn_catalog_has_framework(cn_ctx *cx, cn_catalog *c, const char *name);
const cn_rate *cn_catalog_rate(cn_ctx *cx, cn_catalog *c, const char *id); /* NULL if none */
const cn_failure_rate *cn_catalog_failure(cn_ctx *cx, cn_catalog *c,
                                          const char *generation); /* falls back to "default" */
const cn_framework *cn_catalog_default_framework(cn_ctx *cx, cn_catalog *c);

/*
 * A model written inline in a spec, with the keys of data/models (id, source and checked may
 * be absent); a model of one kind of layer may write its block's keys beside hidden and vocab.
 */
cn_code cn_catalog_model_inline(cn_ctx *cx, const cn_node *node, cn_model_entry *out);

/* Newest price of an item under a purchase mode; region NULL = the cheapest region. NULL if not
 * offered. */
const cn_price *cn_catalog_price(cn_ctx *cx, cn_catalog *c, const char *item, const char *region,
                                 cn_buy buy);

/* Exchange: amounts of `from` x rate = `to`; NULL if unknown; 1:1 for the same currency is the
 * caller's business. */
const cn_fx *cn_catalog_fx(cn_ctx *cx, cn_catalog *c, const char *from, const char *to);

/* Whole tables, for `catalog list` and for search. Sorted by id. */
const cn_accel *cn_catalog_accels(cn_ctx *cx, cn_catalog *c, size_t *n);
const cn_node_type *cn_catalog_nodes(cn_ctx *cx, cn_catalog *c, size_t *n);
const cn_model_entry *cn_catalog_models(cn_ctx *cx, cn_catalog *c, size_t *n);
const cn_framework *cn_catalog_frameworks(cn_ctx *cx, cn_catalog *c, size_t *n);
const cn_price *cn_catalog_prices(cn_ctx *cx, cn_catalog *c, size_t *n);
const cn_rate *cn_catalog_rates(cn_ctx *cx, cn_catalog *c, size_t *n);
const cn_failure_rate *cn_catalog_failures(cn_ctx *cx, cn_catalog *c, size_t *n);
const cn_law *cn_catalog_laws(cn_ctx *cx, cn_catalog *c, size_t *n);

/*
 * The fabric of a node type (or of a bare accelerator, node NULL): bandwidth of each tier per
 * device; 0 = not there or unknown. Hop times are 0: those of the accelerator's constants are added
 * by the model, and a fabric with longer hops adds its own.
 */
void cn_catalog_fabric(const cn_accel *a, const cn_node_type *node, cn_fabric *out);

#endif
