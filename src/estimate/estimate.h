/*
 * estimate.h - spec x catalog x model -> what a training run needs, takes and costs.
 *
 * Call: cn_estimate_make(), then cn_estimate_doc() (or the parts below). Every number of the answer
 * is a figure under `root`, so that `explain` is a walk: memory, step, campaign, cost, waterfall,
 * unit costs. What the spec leaves open is filled with the smallest sensible choice and listed in
 * `assumed`. A price that is not known is an unknown figure with a reason; sums over it are
 * partial. Ownership: everything lives in cx->arena; pointers inside cn_estimate point into it, so
 * it is not copied.
 */
#ifndef CARNOT_ESTIMATE_ESTIMATE_H
#define CARNOT_ESTIMATE_ESTIMATE_H

#include "base/doc.h"
#include "estimate/profile.h"
#include "model/campaign.h"
#include "model/purchase.h"
#include "spec/spec.h"

typedef struct cn_estimate_opts {
    const char *currency;      /* NULL = USD */
    double fx_rate;            /* the user's own: 1 USD = fx_rate of currency; NaN or 0 = catalog */
    const cn_profile *profile; /* corrections from measured runs; NULL = none */
} cn_estimate_opts;

/* The six dimensions. X(name, label) */
#define CN_DIMENSION_LIST(X)                                                                       \
    X(compute, N_("compute"))                                                                      \
    X(storage, N_("storage"))                                                                      \
    X(network, N_("network"))                                                                      \
    X(database, N_("database and cache"))                                                          \
    X(observability, N_("logs and metrics"))                                                       \
    X(operations, N_("operations"))

typedef enum {
#define X(name, label) CN_DIM_COST_##name,
    CN_DIMENSION_LIST(X)
#undef X
        CN_N_DIMENSIONS
} cn_dimension;

typedef enum { CN_CALIBRE_FIXED, CN_CALIBRE_ELASTIC, CN_CALIBRE_HIDDEN, CN_N_CALIBRES } cn_calibre;
const char *cn_dimension_id(cn_dimension d);
const char *cn_calibre_id(cn_calibre c);

/* One line of the bill to come: quantity x price. */
typedef struct cn_item {
    const char *id; /* "dataset" */
    cn_dimension dimension;
    cn_calibre calibre;
    cn_fig *quantity, *price, *cost;
    const char *date; /* of the price; NULL = the user's own or none */
} cn_item;

/* What the spec did not say. */
typedef struct cn_assumed {
    const char *key;  /* of the spec: "training.precision" */
    const char *text; /* the value taken, as a spec would write it */
    const char *why;
    const char *source; /* sources.bib key, catalog place, or NULL */
} cn_assumed;

/* One rung of the loss waterfall; value is money. */
typedef struct cn_rung {
    const char *id, *label;
    double value; /* NaN: compute has no price */
} cn_rung;

/* A limit of the spec, or of the device. */
typedef struct cn_limit {
    const char *id; /* "memory", "deadline", "budget", "availability" */
    const char *text;
    double value, bound;
    const char *unit;
    bool ok;
} cn_limit;

/* A single change (or a pair) that makes a run fit that did not. */
typedef struct cn_remedy {
    const char *change; /* "training.recompute=full", as --set takes it */
    double peak_bytes;
    double time_ratio; /* step time against the run that does not fit */
} cn_remedy;

/* What one change would do to the cost and to the time: the key factors. */
typedef struct cn_factor {
    const char *label;
    double cost_ratio, time_ratio; /* after / before; NaN where a price is missing */
    const char *risk;
} cn_factor;

enum { CN_MAX_FACTORS = 8 };
enum { CN_MAX_ITEMS = 64, CN_MAX_ASSUMED = 96, CN_MAX_RUNGS = 32, CN_MAX_REMEDIES = 16 };

typedef struct cn_estimate {
    const cn_spec *spec;
    const char *currency;
    const cn_framework *framework;
    cn_shape shape;
    cn_device device;
    cn_fabric fabric;
    cn_soft soft;
    cn_train train;
    double devices, nodes, devices_per_node;
    double tokens, steps, spread_ratio;
    double mem_ratio; /* share of device memory that may be used */
    cn_memory memory;
    cn_step step;
    cn_campaign_in campaign_in;
    cn_campaign campaign;
    double checkpoint_bytes;
    double repair_s; /* until a failed node is back */
    cn_mix mix;      /* prices per device-hour, in currency */
    double per_device_h, base_per_device_h;

    bool is_feasible, fits;
    size_t n_limits, n_remedies, n_items, n_assumed, n_rungs;
    cn_limit limit[8];
    cn_remedy remedy[CN_MAX_REMEDIES];
    cn_item item[CN_MAX_ITEMS];
    cn_assumed assumed[CN_MAX_ASSUMED];
    cn_rung rung[CN_MAX_RUNGS];
    size_t n_factors;
    cn_factor factor[CN_MAX_FACTORS];
    const char *price_date; /* of the device price, as written; NULL = none */

    cn_fig *root; /* everything below, for explain */
    cn_fig *peak_bytes, *step_time, *wall_time, *device_hours, *goodput, *mfu, *hfu, *throughput;
    cn_fig *total_tokens, *total_steps, *failures, *every, *checkpoint;
    cn_fig *cost, *dimension[CN_N_DIMENSIONS];
    cn_fig *waterfall, *unit, *read_need;
} cn_estimate;

/*
 * Errors: CN_EINPUT (a layout that cannot be, no tokens, an unknown rate or currency), CN_EIO. A
 * run that does not fit or breaks a limit is not an error here: is_feasible is false.
 */
cn_code cn_estimate_make(cn_ctx *cx, cn_catalog *cat, const cn_spec *spec,
                         const cn_estimate_opts *opts, cn_estimate **out);

/*
 * Key factors: the same run with ten times the data, a standby node, other capacity, colder data
 * ... Fills e->factor; each is an estimate of its own, so it costs as much as seven of them.
 */
cn_code cn_estimate_factors(cn_ctx *cx, cn_catalog *cat, const cn_estimate_opts *opts,
                            cn_estimate *e);

/* carnot.estimate/1 of one spec; of several, `estimates` holds one each and the tables one row. */
cn_doc *cn_estimate_doc(cn_ctx *cx, const cn_estimate *const *e, size_t n);

/* The figure of a key, dotted paths narrow; CN_EINPUT with the nearest key if there is none. */
cn_code cn_estimate_figure(cn_ctx *cx, const cn_estimate *e, const char *key, const cn_fig **out);

/* carnot.explain/1: the figure and, for people, where it is used; key NULL lists all keys. */
cn_doc *cn_explain_doc(cn_ctx *cx, const cn_estimate *e, const cn_fig *fig);

/*
 * carnot.diff/1: changed keys, and each figure before and after. *worst_ratio is the relative rise
 * of the cost (of the wall time where neither has a price); NaN if neither is known.
 */
cn_doc *cn_diff_doc(cn_ctx *cx, const cn_estimate *before, const cn_estimate *after,
                    double *worst_ratio);

#endif
