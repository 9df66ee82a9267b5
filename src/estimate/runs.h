/*
 * runs.h - measured runs, as papers and benchmark tables give them: one CSV row -> one cn_train and
 * what was measured.
 *
 * A prediction sees physical facts and settings only. A blank cell takes the declared default of
 * this room (docs/calibration.md lists them): layout 1, sharded optimizer if the framework shards,
 * the least recompute that fits, the model's own config where the catalog knows the model by name.
 * Ownership: everything lives in cx->arena; pointers inside cn_run point into the run itself, so
 * runs are not copied.
 */
#ifndef CARNOT_ESTIMATE_RUNS_H
#define CARNOT_ESTIMATE_RUNS_H

#include "base/buf.h"
#include "catalog/catalog.h"
#include "model/train.h"

typedef struct cn_run {
    const char *id, *source;
    const char *set;    /* paper or project, for grouping output only */
    const char *reason; /* why it cannot be predicted; NULL = can */
    bool is_core;       /* gives all nine columns that the accuracy figures are taken over */
    const cn_accel *accel;
    const cn_framework *framework;
    cn_shape shape;
    cn_device device;
    cn_fabric fabric;
    cn_soft soft;
    cn_train train;
    bool is_described;              /* states its layout: fit for calibration */
    bool auto_recompute, auto_zero; /* not said: chosen by memory */
    double devices;
    double tokens_total; /* of the whole run; NaN */
    /* measured; NaN = blank */
    double iter_time_s, tokens_per_s_per_device, flop_per_s_per_device, peak_bytes, gpu_hours;
    bool counts_full_attention; /* the reported FLOP/s count scores above the diagonal too */
} cn_run;

/* Reads a file of measured runs. Rows that cannot be predicted are kept with a reason. */
cn_code cn_runs_read(cn_ctx *cx, cn_catalog *cat, const char *path, cn_run **runs, size_t *n);

/* Choose what was left to memory: the least recompute, then the most sharding, with which the run
 * fits. */
void cn_run_settle(cn_run *r);

/* Does it fit? allocated memory and context against the device; slack is what an allocator can give
 * back. */
bool cn_run_fits(const cn_run *r, cn_memory *mem);

/* What the framework's own log calls peak memory: allocated, or with the allocator's slack. */
double cn_run_peak_bytes(const cn_run *r, const cn_memory *mem);

#endif
