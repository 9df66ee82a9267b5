/*
 * storage.h - what a run keeps: checkpoints under a retention rule, data at rest, read rates.
 *
 * Storage is billed by bytes x time, so the unit here is the byte-second; a GB-month is 1e9 bytes x
 * 730 h [aws2024s3].
 */
#ifndef CARNOT_MODEL_STORAGE_H
#define CARNOT_MODEL_STORAGE_H

#include "model/train.h"

/* Seconds of a billing month: 730 h. [aws2024s3] */
double cn_month_s(void);

/*
 * Bytes of one full checkpoint: weights as computed with, master weights and optimizer states of
 * what is trained. AdamW in mixed precision: 14 bytes a parameter. [lescao2022]
 */
double cn_checkpoint_bytes(const cn_train *t);

/* Bytes of the finished model alone: weights as computed with (adapters only for LoRA). [hu2021] */
double cn_model_bytes(const cn_train *t);

/*
 * Retention: after each save the newest keep_last stay, and of older ones those whose step is a
 * multiple of keep_every_steps (0 = none). A run writes every every_steps, evenly over wall_s.
 */
typedef struct cn_retention {
    double steps, every_steps, keep_last, keep_every_steps, wall_s;
} cn_retention;

/* Checkpoints there when the run ends. Counted by the rule. [lescao2022] */
double cn_retention_final(const cn_retention *r);

/* Checkpoints times the seconds each was kept, until the run ends. Counted. [lescao2022] */
double cn_retention_seconds(const cn_retention *r);

/* Bytes/s that keep the devices fed, and the share of time they wait at a supply. [mohan2021] */
double cn_read_need_bytes_per_s(double tokens_per_step, double step_s, double bytes_per_token);
double cn_starvation_ratio(double need_bytes_per_s, double supply_bytes_per_s);

/* A tier whose throughput grows with what is stored. [mohan2021] */
double cn_tier_bytes_per_s(double stored_bytes, double bytes_per_s_per_tb);

#endif
