/*
 * train.h - one training step: memory per device and time, as named parts that add up.
 *
 * Call: fill a cn_train (plain values), then cn_train_check(), cn_memory_eval(), cn_step_eval().
 * All pure; the pointers in cn_train are borrowed for the call. Source: memory [korthikanti2022],
 * [rajbhandari2020]; pipeline [narayanan2021], [qi2024].
 */
#ifndef CARNOT_MODEL_TRAIN_H
#define CARNOT_MODEL_TRAIN_H

#include "model/hardware.h"
#include "model/shape.h"

typedef enum {
    CN_OPT_ADAMW,
    CN_OPT_ADAMW8,
    CN_OPT_ADAFACTOR,
    CN_OPT_MUON,
    CN_OPT_SGD,
    CN_N_OPTIMIZERS
} cn_optimizer;
typedef enum {
    CN_RECOMPUTE_NONE,
    CN_RECOMPUTE_SELECTIVE,
    CN_RECOMPUTE_FULL,
    CN_N_RECOMPUTES
} cn_recompute;
typedef enum { CN_METHOD_FULL, CN_METHOD_LORA, CN_METHOD_QLORA, CN_N_METHODS } cn_method;
typedef enum { CN_SCHED_1F1B, CN_SCHED_GPIPE, CN_SCHED_ZERO_BUBBLE, CN_N_SCHEDULES } cn_schedule;
typedef enum { CN_CP_RING, CN_CP_A2A, CN_N_CPS } cn_cp_kind;
enum { CN_OFFLOAD_OPTIMIZER = 1, CN_OFFLOAD_WEIGHTS = 2, CN_OFFLOAD_ACTIVATIONS = 4 };

typedef struct cn_layout {
    int tp, pp, vp, dp, cp, ep,
        etp;           /* etp: tensor parallelism inside an expert; 0 = 1 with ep > 1, else tp */
    int zero;          /* 0..3; 3 = FSDP full shard */
    int shard;         /* devices a ZeRO group spans (HSDP); 0 = all of dp x cp */
    int micro_batch;   /* sequences */
    int n_micro;       /* micro-batches per replica and step (gradient accumulation) */
    bool is_sp;        /* sequence parallel with tp */
    bool keeps_shards; /* ZeRO-3 that does not reshard after forward */
    cn_schedule schedule;
    cn_recompute recompute;
    cn_cp_kind cp_kind;
    int sp, reshard;      /* specs only: is_sp and !keeps_shards as said, -1 = not said */
    int offload;          /* CN_OFFLOAD_* bits */
    double uneven_layers; /* layers of the heaviest stage above the mean; -1 = from divisibility */
} cn_layout;

typedef struct cn_train {
    const cn_shape *shape;
    const cn_device *device;
    const cn_fabric *fabric;
    const cn_soft *soft;
    cn_layout layout;
    double seq;
    double global_batch; /* sequences */
    cn_precision precision;
    cn_optimizer optimizer;
    cn_method method;
    double lora_rank;
    bool has_flash;
    bool has_fused_loss;     /* cross entropy without a full logits copy in fp32 */
    bool has_fp32_grads;     /* main gradients kept and reduced in fp32 (Megatron) */
    bool has_fp8_weights;    /* weights stored in the matmul format only */
    double host_bytes_per_s; /* device to host, for offload; 0 = no offload possible */
    double data_bytes_per_s; /* what storage can give the whole job; 0 = enough */
    double data_bytes_per_token;
} cn_train;

/* Memory per device, the heaviest pipeline stage. X(name, label) in bytes. */
#define CN_MEMORY_LIST(X)                                                                          \
    X(weights, N_("weights"))                                                                      \
    X(gradients, N_("gradients"))                                                                  \
    X(optimizer, N_("optimizer states"))                                                           \
    X(activations, N_("activations kept for backward"))                                            \
    X(recompute, N_("working set of the live layer"))                                              \
    X(logits, N_("logits and loss"))                                                               \
    X(buffers, N_("gathered and communication buffers"))                                           \
    X(fragmentation, N_("allocator slack"))                                                        \
    X(context, N_("driver and library context"))

typedef struct cn_memory {
#define X(name, label) double name##_bytes;
    CN_MEMORY_LIST(X)
#undef X
    double allocated_bytes; /* all parts but fragmentation and context: what a framework reports as
                               peak allocated */
    double peak_bytes;      /* sum of all parts: what has to fit */
    int stage;              /* the heaviest pipeline stage, from 0 */
    double params_local;    /* parameters held by one device of that stage */
} cn_memory;

/* Step time. X(name, label) in seconds; parts add up to time_s. */
#define CN_STEP_LIST(X)                                                                            \
    X(ideal, N_("model work at peak speed"))                                                       \
    X(recompute, N_("recompute"))                                                                  \
    X(kernels, N_("kernels below peak"))                                                           \
    X(tp, N_("exposed tensor-parallel traffic"))                                                   \
    X(cp, N_("exposed context-parallel traffic"))                                                  \
    X(ep, N_("exposed expert traffic"))                                                            \
    X(pp, N_("exposed pipeline traffic"))                                                          \
    X(bubble, N_("pipeline bubble and uneven stages"))                                             \
    X(dp, N_("exposed gradient and weight traffic"))                                               \
    X(optimizer, N_("optimizer"))                                                                  \
    X(offload, N_("exposed offload traffic"))                                                      \
    X(straggler, N_("stragglers and congestion"))                                                  \
    X(data, N_("waiting for data"))                                                                \
    X(fixed, N_("outside the model"))

typedef struct cn_step {
#define X(name, label) double name##_s;
    CN_STEP_LIST(X)
#undef X
    double time_s;        /* sum of the parts */
    double model_flop;    /* whole job, one step, no recompute */
    double hardware_flop; /* with recompute */
    double mfu_ratio, hfu_ratio;
    double tokens_per_s_per_device;
    /* traffic of one device, one step, on the wire */
    double tp_bytes, cp_bytes, ep_bytes, pp_bytes, dp_bytes;
    double link_s; /* all collective time, hidden or not */
} cn_step;

typedef enum {
    CN_TRAIN_OK,
    CN_TRAIN_DEVICES,   /* a parallel degree below 1 */
    CN_TRAIN_BATCH,     /* global_batch != micro_batch x n_micro x dp */
    CN_TRAIN_TP_HEADS,  /* tp does not divide the heads */
    CN_TRAIN_PP_LAYERS, /* pp x vp above the layers */
    CN_TRAIN_VP_MICRO,  /* interleaving needs n_micro to be a multiple of pp */
    CN_TRAIN_EP,        /* ep does not divide experts, or is larger than its group */
    CN_TRAIN_CP_SEQ,    /* cp does not divide the sequence */
    CN_TRAIN_PRECISION  /* the device has no such numeric */
} cn_train_fault;

cn_train_fault cn_train_check(const cn_train *t);
void cn_memory_eval(const cn_train *t, cn_memory *out);
void cn_step_eval(const cn_train *t, cn_step *out);

/* Devices the layout uses: tp x pp x dp x cp (ep lies inside dp x cp x tp). */
double cn_layout_devices(const cn_layout *l);

/* Layers of the heaviest stage, and of the last one, which also holds the head. */
double cn_layout_stage_layers(const cn_layout *l, double n_layers, double *last);

/*
 * A short dense block before expert blocks stands first (deepseek-v3); other mixtures alternate
 * through the depth. Share of `layers` layers, counted from the front or from the back, that block
 * i has.
 */
double cn_stage_share(const cn_shape *s, int i, double layers, bool from_back);

/*
 * Parameters one device holds: of `layers` average layers, without embeddings. Experts are divided
 * by ep x etp, the rest by tp. *experts is the part that belongs to routed experts.
 */
double cn_train_layer_params(const cn_train *t, double layers, bool from_back, double *experts);

/* Bytes of optimizer state per trained parameter, fp32 master weights included. [rajbhandari2020]
 */
double cn_optimizer_state_bytes(cn_optimizer o, bool is_32bit);

/* Devices that share one copy of the (non-expert, expert) parameters: the data-parallel groups. */
double cn_train_dp_ranks(const cn_train *t);
double cn_train_expert_dp_ranks(const cn_train *t);

/* Relative half-width of the 80 % range of time_s, from how well runs of this kind are known. */
double cn_step_spread_ratio(const cn_train *t);

#endif
