/*
 * quick.h - one full evaluation of a layout in numbers alone: memory, step, campaign, cost.
 *
 * For searches that look at millions of layouts: no figures, no texts, no allocation. The figures
 * of an estimate come from the same functions, so the two cannot disagree.
 */
#ifndef CARNOT_MODEL_QUICK_H
#define CARNOT_MODEL_QUICK_H

#include "model/campaign.h"
#include "model/train.h"

typedef struct cn_quick_in {
    cn_train train;
    cn_campaign_in campaign; /* step_s, steps and evaluation_s are filled here; stall_s and write_s
                                are of the whole checkpoint */
    double tokens;
    double evaluation_ratio; /* evaluation time against training time */
    double mem_ratio;        /* share of device memory that may be used */
    double idle_devices;     /* paid and not used */
    double per_device_h;     /* price */
} cn_quick_in;

typedef struct cn_quick {
    bool fits;
    cn_memory memory;
    cn_step step;
    cn_campaign campaign;
    double cost;
} cn_quick;

/* Device-hours x price; NaN price gives NaN cost. Layout rules are the caller's. [narayanan2021] */
void cn_quick_eval(const cn_quick_in *in, cn_quick *out);

#endif
