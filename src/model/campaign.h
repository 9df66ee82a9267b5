/*
 * campaign.h - from steps to wall time: failures, detection, restarts, checkpoints, evaluation.
 *
 * Interruptions of the job arrive at random with constant hazard 1/M, M = 1 / (rate x devices). The
 * job saves after every interval w of work; a save stops it for s seconds (the whole write when
 * blocking, the copy to host memory when asynchronous). After an interruption it needs R seconds
 * (detection and restart, themselves interruptible) and repeats what was done since the last save
 * that had finished. Expected wall time of one interval, exactly:
 *
 *     T(w) = M e^(R/M) (e^((w + s)/M) - 1)                                          [daly2006]
 *
 * Its parts add up: w useful, s saving, M (e^a - 1) - w - s repeated, M (e^a - 1)(e^(R/M) - 1) in
 * restarts, with a = (w + s)/M. An asynchronous write that takes v seconds leaves a save unusable
 * for so long, which acts like a longer restart: R includes v - s.
 */
#ifndef CARNOT_MODEL_CAMPAIGN_H
#define CARNOT_MODEL_CAMPAIGN_H

#include <stdbool.h>

/* Wall time. X(name, label) in seconds; parts add up to wall_s. */
#define CN_CAMPAIGN_LIST(X)                                                                        \
    X(useful, N_("steps that were kept"))                                                          \
    X(evaluation, N_("evaluation passes"))                                                         \
    X(checkpoint, N_("stalls for checkpoints"))                                                    \
    X(detection, N_("failures not yet noticed"))                                                   \
    X(restart, N_("restarts"))                                                                     \
    X(lost, N_("work lost since the last checkpoint"))                                             \
    X(unsaved, N_("work lost while a checkpoint was being written"))

typedef struct cn_campaign_in {
    double steps, step_s;
    double evaluation_s; /* of the whole run */
    double devices;
    double per_device_day; /* interruptions of the job per device and day */
    double other_per_day;  /* interruptions that come from elsewhere: spot capacity */
    double detect_s, restart_s;
    double write_s; /* one checkpoint reaches durable storage */
    double stall_s; /* of that, the job stands still; write_s when blocking */
    double every_s; /* work between checkpoints; 0 = the optimum */
} cn_campaign_in;

typedef struct cn_campaign {
#define X(name, label) double name##_s;
    CN_CAMPAIGN_LIST(X)
#undef X
    double wall_s;  /* sum of the parts */
    double every_s; /* work between checkpoints, whole steps */
    double every_steps;
    double saves;               /* checkpoints written, the final one included */
    double failures;            /* expected interruptions */
    double mtbf_s;              /* M; infinite without failures */
    double train_goodput_ratio; /* useful_s / wall_s */
} cn_campaign;

/* Mean time between interruptions of a job. [kokolis2024] */
double cn_job_mtbf_s(double devices, double per_device_day, double other_per_day);

/* First-order optimum sqrt(2 s M) of the interval. [young1974] */
double cn_checkpoint_young_s(double stall_s, double mtbf_s);

/* Higher-order optimum. [daly2006] equation 37 */
double cn_checkpoint_daly_s(double stall_s, double mtbf_s);

/*
 * Exact optimum of T(w)/w: x = w/M solves x + ln(1 - x) + s/M = 0, which is 1 + W0(-e^(-1 - s/M)).
 * It does not depend on R. Infinite without failures. [daly2006]
 */
double cn_checkpoint_best_s(double stall_s, double mtbf_s);

/* Share of time that is kept work, w / T(w). [daly2006] */
double cn_checkpoint_goodput_ratio(double every_s, double stall_s, double restart_s, double mtbf_s);

/* NaN anywhere in the input gives NaN parts. [daly2006] */
void cn_campaign_eval(const cn_campaign_in *in, cn_campaign *out);

/*
 * Chance that a failing node finds no standby: more than `spares` nodes in repair at once, with
 * failures per second and repair time given. Poisson tail. [erlang1917]
 */
double cn_spares_short_probability(double failures_per_s, double repair_s, double spares);

/* Smallest number of standby nodes with which that chance is at most `allowed`. [erlang1917] */
double cn_spares_needed(double failures_per_s, double repair_s, double allowed);

#endif
