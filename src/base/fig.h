/*
 * fig.h - a figure: one estimate with its range, basis, source, formula and parts.
 *
 * Every number carnot shows is a figure. `explain` walks this tree; nothing is explained in a
 * second place. Invariants: lo <= value <= hi when known; a figure whose parts are a SUM equals the
 * sum of its parts within 1e-12 relative; an unknown figure has a reason and makes every sum it is
 * part of "at least" (is_partial).
 */
#ifndef CARNOT_BASE_FIG_H
#define CARNOT_BASE_FIG_H

#include "base/val.h"

typedef enum {
    CN_BASIS_MEASURED,
    CN_BASIS_CATALOG,
    CN_BASIS_FORMULA,
    CN_BASIS_ASSUMED,
    CN_BASIS_GIVEN
} cn_basis;

typedef enum {
    CN_FIG_LEAF,   /* a fact, an input, or one formula's result; parts are the formula's inputs */
    CN_FIG_SUM,    /* value = sum of parts */
    CN_FIG_PRODUCT /* value = product of parts (times .factor) */
} cn_fig_kind;

typedef struct cn_fig {
    const char *key;     /* machine name with unit suffix: "wall_time_s" */
    const char *label;   /* for people, translated: "wall time" */
    const char *unit;    /* base unit: "s", "bytes", "USD", "ratio" */
    const char *formula; /* "steps x step_time_s / train_goodput_ratio", or NULL */
    const char *source;  /* key of docs/sources.bib, catalog file:line and date, or "spec" */
    cn_fig_kind kind;
    cn_basis basis;
    bool known;      /* false: value is NaN and why says what is missing */
    bool is_partial; /* a sum some of whose parts are unknown */
    const char *why; /* reason when unknown or assumed */
    double lo, value, hi;
    size_t n, cap;
    struct cn_fig **part;
} cn_fig;

/* A known figure with lo = hi = value. Texts are not copied. Never NULL (see val.h on memory). */
cn_fig *cn_fig_new(cn_ctx *cx, const char *key, const char *label, const char *unit, double value,
                   cn_basis basis, const char *source);
cn_fig *cn_fig_unknown(cn_ctx *cx, const char *key, const char *label, const char *unit,
                       const char *why);

/* A SUM with no parts yet; cn_fig_add() keeps value, lo and hi (comonotone: ranges add) up to date.
 */
cn_fig *cn_fig_sum(cn_ctx *cx, const char *key, const char *label, const char *unit);
void cn_fig_add(cn_ctx *cx, cn_fig *sum, cn_fig *part);

/* Attach an input to a LEAF or PRODUCT without changing its value. */
void cn_fig_input(cn_ctx *cx, cn_fig *fig, cn_fig *input);

/* Depth-first search by key; dotted paths ("cost.compute") narrow. NULL if absent. */
const cn_fig *cn_fig_find(const cn_fig *root, const char *key);

/* The contract's estimate value: {"lo","value","hi","unit","basis","source"}; null with reason if
 * unknown. */
cn_val *cn_fig_val(cn_ctx *cx, const cn_fig *fig);

const char *cn_basis_name(
    cn_basis b); /* "measured", ... ("given" prints as "measured" is never true: "given") */

#endif
