/*
 * score.h - predictions beside measured runs, and how far off they are.
 *
 * Errors are signed ratios predicted/measured - 1. A summary row is one metric over one set of
 * rows: the overall set, the dense 16-bit set, and each paper or project. coverage80 is the share
 * of measured values inside lo..hi.
 */
#ifndef CARNOT_ESTIMATE_SCORE_H
#define CARNOT_ESTIMATE_SCORE_H

#include "base/doc.h"
#include "estimate/profile.h"
#include "estimate/runs.h"

typedef struct cn_prediction {
    cn_step step;
    cn_memory memory;
    double spread_ratio; /* lo = value / (1 + s), hi = value x (1 + s) */
    double peak_bytes;
    double gpu_hours; /* NaN unless the row says how many tokens were trained */
    bool fits;
} cn_prediction;

typedef struct cn_score_summary {
    const char *set, *metric; /* metric: "iter_time_s", "peak_bytes" */
    size_t n;
    double mape, median, p90, signed_mean, coverage80; /* ratios */
} cn_score_summary;

typedef struct cn_score {
    const char *file;
    size_t n_rows;
    cn_run *run;
    cn_prediction *prediction; /* of run[i] when run[i].reason is NULL */
    size_t n_summaries;
    cn_score_summary *summary;
} cn_score;

/* Predict one run, with a profile's corrections if profile is not NULL. */
void cn_predict(const cn_run *run, const cn_profile *profile, cn_prediction *out);

/* Half-width of the 80 % range of peak memory, over the measured peaks. */
double cn_memory_spread_ratio(void);

/* Measured seconds per step, from the time or from the rate; NaN if neither is given. */
double cn_run_measured_s(const cn_run *run);

cn_code cn_score_file(cn_ctx *cx, cn_catalog *cat, const char *path, const cn_profile *profile,
                      cn_score **out);

/* carnot.score/1 */
cn_doc *cn_score_doc(cn_ctx *cx, const cn_score *s);

/* carnot.calibrate/1; out is the file the profile was written to, or NULL. */
cn_doc *cn_calibrate_doc(cn_ctx *cx, const cn_profile *p, const char *out);

#endif
