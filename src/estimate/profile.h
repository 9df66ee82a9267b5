/*
 * profile.h - what measured runs of a user's own cluster teach: a handful of factors on the shipped
 * constants.
 *
 * A profile is YAML that `calibrate` writes and --profile applies. Three factors are enough to move
 * a cluster (kernels, links, time outside the model) and few enough to be learned from a handful of
 * runs; each is drawn towards 1 as if one more run had agreed with the shipped constants, so that
 * two or three rows cannot throw it far.
 */
#ifndef CARNOT_ESTIMATE_PROFILE_H
#define CARNOT_ESTIMATE_PROFILE_H

#include "estimate/runs.h"

typedef struct cn_profile {
    const char *name;
    double speed_factor;              /* kernels: time divided by it */
    double link_factor;               /* every tier's bandwidth multiplied by it */
    double fixed_factor;              /* time outside the model multiplied by it */
    double spread_ratio;              /* what is left: half-width of the 80 % range */
    size_t n;                         /* runs it was fitted on */
    double before_ratio, after_ratio; /* mean absolute error on them */
    double cv_before_ratio,
        cv_after_ratio;     /* on runs left out, one fold at a time; NaN below 4 runs */
    const cn_node *ignored; /* keys of the file that only inform */
} cn_profile;

void cn_profile_default(cn_profile *p); /* all factors 1 */

/* Put the factors into a run's constants. The pointers of t stay; device, fabric and soft are
 * changed. */
void cn_profile_apply(const cn_profile *p, cn_device *device, cn_fabric *fabric, cn_soft *soft);

cn_code cn_profile_read(cn_ctx *cx, const char *path, cn_profile *out);
cn_code cn_profile_text(cn_ctx *cx, const cn_profile *p, const char **yaml);

/* Fit a profile to the runs that can be predicted and were timed. CN_EINPUT if there are none. */
cn_code cn_calibrate(cn_ctx *cx, cn_run *run, size_t n, cn_profile *out);

#endif
