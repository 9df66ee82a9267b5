/*
 * hardware.h - what the model needs to know of a device, a fabric and a software generation.
 *
 * Facts (vendor numbers) and calibrated constants (fitted to measured runs, see
 * docs/calibration.md) are kept apart: facts in cn_device and cn_fabric, constants in cn_eff (per
 * accelerator generation) and cn_soft (per framework generation). Each constant is one row of an
 * X-macro list, which also gives its catalog key, default, range and meaning.
 * A kernel is bound by a share of a peak rate or of a bandwidth [williams2009].
 */
#ifndef CARNOT_MODEL_HARDWARE_H
#define CARNOT_MODEL_HARDWARE_H

#include <stdbool.h>

typedef enum {
    CN_FP32,
    CN_TF32,
    CN_FP16,
    CN_BF16,
    CN_FP8,
    CN_FP4,
    CN_INT8,
    CN_N_NUMERICS
} cn_numeric;

/* How a training run uses numbers: the format of matmuls and how its scales are kept. */
typedef enum {
    CN_PREC_FP32,
    CN_PREC_TF32,
    CN_PREC_FP16,    /* mixed precision, fp32 master weights, loss scaling */
    CN_PREC_BF16,    /* mixed precision, fp32 master weights */
    CN_PREC_FP8,     /* tensor scales, delayed or current; bf16 elsewhere */
    CN_PREC_FP8_ROW, /* one scale per row */
    CN_PREC_MXFP8,   /* one scale per 32 elements */
    CN_PREC_NVFP4,   /* 4-bit matmuls with 16-element blocks */
    CN_N_PRECISIONS
} cn_precision;

/* Calibrated constants of an accelerator generation. X(name, default, lo, hi, unit, meaning) */
#define CN_EFF_LIST(X)                                                                             \
    X(gemm_ratio, 0.72, 0.05, 0.82, "ratio", "share of the dense 16-bit peak of a large matmul")   \
    X(gemm_fp8_ratio, 0.68, 0.05, 0.82, "ratio", "the same of the 8-bit peak")                     \
    X(gemm_fp4_ratio, 0.50, 0.05, 0.82, "ratio", "the same of the 4-bit peak")                     \
    X(gemm_fp32_ratio, 0.80, 0.05, 1, "ratio", "the same of the fp32 and tf32 peaks")              \
    X(tile_m, 128, 0, 4096, "rows", "matmul loss grows as tile/size, per dimension")               \
    X(tile_n, 128, 0, 4096, "columns", "the same for columns")                                     \
    X(tile_k, 128, 0, 4096, "depth", "the same for depth")                                         \
    X(align_loss, 2, 0, 20, "ratio", "loss from widths that are odd multiples of 1..32 elements")  \
    X(attn_ratio, 0.55, 0.02, 1, "ratio", "share of the 16-bit peak of fused attention, forward")  \
    X(attn_bwd_ratio, 0.45, 0.02, 1, "ratio", "the same backward")                                 \
    X(attn_tile, 256, 0, 8192, "tokens", "fused attention loses as tile/context")                  \
    X(attn_dim, 32, 0, 512, "width", "fused attention loses as dim/head width")                    \
    X(attn_unfused_ratio, 0.3, 0.01, 1, "ratio", "batched matmuls of attention that is not fused") \
    X(hbm_ratio, 0.85, 0.1, 1, "ratio", "share of memory bandwidth of streaming kernels")          \
    X(launch_s, 5e-6, 0, 1e-3, "s", "host time to queue one kernel")                               \
    X(cast_fp8_bytes, 4, 0, 60, "bytes", "traffic per matmul input element: 8-bit tensor scales")  \
    X(cast_row_bytes, 8, 0, 60, "bytes", "the same: row scales")                                   \
    X(cast_mx_bytes, 6, 0, 60, "bytes", "the same: 32-element block scales")                       \
    X(cast_fp4_bytes, 8, 0, 60, "bytes", "the same: 4-bit with 16-element block scales")           \
    X(scale_up_ratio, 0.70, 0.05, 1, "ratio", "share of the scale-up link of collectives")         \
    X(scale_up_hop_s, 10e-6, 0, 1e-3, "s", "fixed time of a scale-up collective")                  \
    X(scale_out_ratio, 0.75, 0.05, 1, "ratio", "share of the NIC of collectives")                  \
    X(scale_out_hop_s, 20e-6, 0, 1e-2, "s", "fixed time of a scale-out collective step")           \
    X(a2a_ratio, 0.60, 0.02, 1, "ratio", "share of a link of all-to-all and point to point")

/* Calibrated constants of a framework generation. */
#define CN_SOFT_LIST(X)                                                                            \
    X(speed_ratio, 1.0, 0.3, 3.0, "ratio", "kernel quality against the accelerator's constants")   \
    X(kernels_per_layer, 30, 1, 1000, "kernels", "kernels queued per layer and forward pass")      \
    X(elementwise_bytes, 40, 1, 400, "bytes", "traffic per token and hidden unit, forward")        \
    X(mlp_bytes, 8, 0, 100, "bytes", "traffic per token and MLP unit around the activation")       \
    X(score_bytes, 12, 0, 100, "bytes", "traffic per attention score when not fused, forward")     \
    X(loss_bytes, 24, 0, 200, "bytes", "traffic per token and vocabulary entry of the loss")       \
    X(moe_bytes, 30, 0, 400, "bytes", "traffic per routed token and hidden unit: permutation")     \
    X(group_gemm_ratio, 0.75, 0.05, 1.5, "ratio", "grouped (expert) matmul against a plain one")   \
    X(moe_kernels, 40, 1, 3000, "kernels", "more kernels and host waits per expert layer")         \
    X(expert_kernels, 8, 0, 300, "kernels", "kernels per local expert, forward")                   \
    X(moe_fixed_s, 0, 0, 1e-2, "s", "routing and synchronisation per expert layer, forward")       \
    X(selective_ratio, 0.0, 0, 1, "ratio", "share of matmuls that selective recompute repeats")    \
    X(keep_ratio, 1.0, 0.3, 2, "ratio", "activations kept against the count of tensors")           \
    X(selective_keep_ratio, 1.0, 0.1, 1, "ratio", "kept under selective recompute, matmuls")       \
    X(logit_bytes, 8, 2, 20, "bytes", "per token and vocabulary entry alive at the loss")          \
    X(slack_ratio, 0.05, 0, 0.5, "ratio", "allocator slack against what comes and goes")           \
    X(dp_link_ratio, 1.0, 0.05, 1.5, "ratio", "quality of gradient and weight collectives")        \
    X(grad_bytes, 8, 0, 120, "bytes", "traffic per local parameter and step: scale, copy, norm")   \
    X(dp_overlap_ratio, 0.5, 0, 1, "ratio", "share of gradient and weight traffic hidden")         \
    X(tp_overlap_ratio, 0.0, 0, 1, "ratio", "share of tensor-parallel traffic hidden")             \
    X(pp_overlap_ratio, 0.5, 0, 1, "ratio", "share of pipeline traffic hidden")                    \
    X(ep_overlap_ratio, 0.0, 0, 1, "ratio", "share of expert traffic hidden")                      \
    X(cp_overlap_ratio, 0.8, 0, 1, "ratio", "share of context-parallel traffic hidden")            \
    X(step_fixed_s, 0.01, 0, 1, "s", "per step outside the model: loader, scaler, logging")        \
    X(micro_fixed_s, 0.0, 0, 1, "s", "per micro-batch and stage: scheduling")                      \
    X(spread_ratio, 0.12, 0.01, 2, "ratio", "half-width of the 80 % range of the step time")       \
    X(moe_spread_ratio, 0.25, 0.01, 2, "ratio", "the same with experts")                           \
    X(straggler_ratio, 0.0, 0, 0.5, "ratio", "loss per doubling of node count")

typedef struct cn_eff {
#define X(name, def, lo, hi, unit, help) double name;
    CN_EFF_LIST(X)
#undef X
} cn_eff;

typedef struct cn_soft {
#define X(name, def, lo, hi, unit, help) double name;
    CN_SOFT_LIST(X)
#undef X
} cn_soft;

typedef struct cn_device {
    double peak_flop_per_s[CN_N_NUMERICS]; /* dense; 0 = not offered */
    double mem_bytes;                      /* usable by programs, as sold */
    double mem_bytes_per_s;
    double tdp_w; /* 0 = unknown */
    cn_eff eff;
} cn_device;

/* Tiers from near to far. A group uses the slowest tier it crosses. */
typedef enum {
    CN_TIER_NODE,   /* scale-up domain: NVLink, xGMI, ICI */
    CN_TIER_RAIL,   /* NIC, same leaf or rail */
    CN_TIER_RACK,   /* across racks or the spine */
    CN_TIER_ZONE,   /* across zones */
    CN_TIER_REGION, /* across regions */
    CN_N_TIERS
} cn_tier;

typedef struct cn_fabric {
    double domain;                  /* devices in one scale-up domain (may span nodes: NVL72) */
    double per_node;                /* devices in one node */
    double bytes_per_s[CN_N_TIERS]; /* per device, one direction; 0 = not there */
    double hop_s[CN_N_TIERS];       /* latency of one step */
    double devices[CN_N_TIERS];     /* devices within reach of a tier; 0 = no limit */
} cn_fabric;

void cn_eff_default(cn_eff *e);
void cn_soft_default(cn_soft *s);

/* Bytes of one element in a matmul of that precision, and of a stored activation (16-bit unless
 * fp32). */
double cn_precision_bytes(cn_precision p);
cn_numeric cn_precision_numeric(cn_precision p);
const char *
cn_precision_name(cn_precision p); /* "fp32" "tf32" "fp16" "bf16" "fp8" "fp8-row" "mxfp8" "nvfp4" */

#endif
