/*
 * build.h - the parts of making an estimate, for the files of this room.
 *
 * Order: cn_settle_run() -> cn_settle_layout() -> cn_settle_campaign() -> figures -> cost ->
 * waterfall. Each step reads what the ones before it left in the estimate.
 */
#ifndef CARNOT_ESTIMATE_BUILD_H
#define CARNOT_ESTIMATE_BUILD_H

#include "estimate/defaults.h"
#include "estimate/estimate.h"

typedef struct cn_build {
    cn_ctx *cx;
    cn_catalog *cat;
    const cn_estimate_opts *opts;
    const cn_spec *s;
    cn_estimate *e;
    bool is_assumed[CN_N_DEFAULTS];                       /* already listed */
    cn_fig *on_demand_h, *reserved_h, *spot_h, *device_h; /* prices of a device-hour */
    const char *provider;
    const char *date[CN_N_BUYS]; /* of the device prices, as written */
    double stored_bytes;         /* the data set at rest */
} cn_build;

/* assume.c: said if it is a number, else the default, which is listed. */
double cn_assume(cn_build *b, double said, cn_default which);
void cn_assume_text(cn_build *b, const char *key, const char *text, const char *why,
                    const char *source);
const char *cn_default_key(cn_default which);
/* The default's figure, or the user's when said is a number. */
cn_fig *cn_assume_fig(cn_build *b, double said, cn_default which, const char *key,
                      const char *label);

/* settle.c: model, hardware, batch, precision, tokens. */
cn_code cn_settle_run(cn_build *b);

/* layout.c: the smallest layout that fits, within what the spec says. */
cn_code cn_settle_layout(cn_build *b);
/* Does it fit, with share mem_ratio of the device? Leaves e->memory. */
bool cn_fits(const cn_train *t, double mem_ratio, cn_memory *out);
/* Free degrees settled so that batch and devices agree; false if they cannot. */
bool cn_layout_divide(cn_train *t, double devices);

/* mix.c: how the devices are bought, and prices of a device-hour. */
void cn_settle_purchase(cn_build *b);

/* remedy.c: changes that would make the run fit. */
void cn_find_remedies(cn_build *b);

/* campaign_in.c: failures, checkpoints, evaluation. */
cn_code cn_settle_campaign(cn_build *b);

/* figures.c: memory, step, campaign as figures. */
void cn_figure_run(cn_build *b);
void cn_figure_campaign(cn_build *b);

/* cost.c and the files it calls. */
cn_code cn_cost_make(cn_build *b);
void cn_cost_storage(cn_build *b);
void cn_cost_network(cn_build *b);
void cn_cost_rest(cn_build *b); /* database, observability, operations */
double cn_stored_bytes(cn_build *b);
double cn_kept_s(cn_build *b);
cn_fig *cn_months_of_run(cn_build *b);

/* waterfall.c: rungs, unit costs, limits. */
void cn_waterfall_make(cn_build *b);
void cn_units_make(cn_build *b);
void cn_limits_make(cn_build *b);

/* money.c: prices in the estimate's currency. */
cn_fig *cn_money_rate(cn_build *b, const char *role, const char *said); /* price of a unit */
cn_fig *cn_money_given(cn_build *b, double amount, const char *currency, const char *unit,
                       const char *label);
cn_fig *cn_money_fact(cn_build *b, double amount, const char *currency, const char *unit,
                      const char *label, const cn_source *source, const char *date);
cn_fig *cn_money_usd(cn_build *b, cn_fig *amount); /* the same in dollars */
const cn_rate *cn_rate_of(cn_build *b, const char *role, const char *said);
void cn_item_add(cn_build *b, const char *id, const char *label, cn_dimension d, cn_calibre c,
                 cn_fig *quantity, cn_fig *price);

/* figs.c: figures of common shape. */
cn_fig *cn_fig_given(cn_build *b, const char *key, const char *label, const char *unit,
                     double value);
cn_fig *cn_fig_formula(cn_build *b, const char *key, const char *label, const char *unit,
                       double value, const char *formula, const char *source);
cn_fig *cn_fig_times(cn_build *b, const char *key, const char *label, const char *unit, cn_fig *x,
                     cn_fig *y);
cn_fig *cn_fig_over(cn_build *b, const char *key, const char *label, const char *unit, cn_fig *x,
                    cn_fig *y, const char *formula);
void cn_fig_range(cn_fig *f, double lo, double hi);
const char *cn_text_of(cn_build *b, const char *fmt, ...) CN_PRINTF(2, 3);

#endif
