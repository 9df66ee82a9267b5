/*
 * spec.c - a YAML spec (or a tree that another reader made) -> cn_spec.
 *
 * Each section of the contract is one bind table; what it cannot say (a choice, a name in the
 * catalog, a layout map) is a node that one short function reads. Everything wrong in a file is
 * told in one run, with its line. What was not said stays NaN, NULL or -1: this room prices nothing
 * and chooses nothing.
 */
#include <math.h>
#include <string.h>

#include "base/bind.h"
#include "base/text.h"
#include "base/when.h"
#include "spec/spec_parts.h"

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static const char *const kinds[] = {"training", "finetune", "serving", NULL};
static const char *const places[] = {"same-zone", "cross-zone", "cross-region", "public", NULL};
static const char *const precisions[] = {"fp32",    "tf32",  "fp16",  "bf16", "fp8",
                                         "fp8-row", "mxfp8", "nvfp4", NULL};
static const char *const optimizers[] = {"adamw", "adamw-8bit", "adafactor", "muon", "sgd", NULL};
static const char *const recomputes[] = {"none", "selective", "full", NULL};
static const char *const methods[] = {"full", "lora", "qlora", NULL};
static const char *const yes_no[] = {"no", "yes", NULL};
static const char *const buys[] = {"on-demand", "spot", "reserved-1y", "reserved-3y", NULL};
static const char *const schedules[] = {"1f1b", "gpipe", "zero-bubble", NULL};
static const char *const cp_kinds[] = {"ring", "all-to-all", NULL};

/* The whole file, before its sections are read. */
typedef struct {
    const char *name;
    int kind;
    const cn_node *model, *data, *training, *cluster, *purchase, *checkpoint, *failures, *storage,
        *network, *database, *observability, *operations, *limits, *traffic, *slo, *ignored;
    const char *framework, *framework_version;
} top;

#define NODE(k)                                                                                    \
    {                                                                                              \
        .key = #k, .kind = CN_BIND_NODE, .offset = offsetof(top, k)                                \
    }
#define SERVING(k)                                                                                 \
    {                                                                                              \
        .key = #k, .kind = CN_BIND_NODE, .offset = offsetof(top, ignored)                          \
    }
static const cn_bind_field top_fields[] = {
    {.key = "name",
     .kind = CN_BIND_TEXT,
     .offset = offsetof(top, name),
     .help = "what reports call the run"},
    {.key = "kind",
     .kind = CN_BIND_ENUM,
     .names = kinds,
     .offset = offsetof(top, kind),
     .help = "what is estimated"},
    NODE(model),
    NODE(data),
    NODE(training),
    NODE(cluster),
    NODE(purchase),
    NODE(checkpoint),
    NODE(failures),
    NODE(storage),
    NODE(network),
    NODE(database),
    NODE(observability),
    NODE(operations),
    NODE(limits),
    NODE(traffic),
    NODE(slo),
    SERVING(weights),
    SERVING(kv),
    SERVING(zones),
    SERVING(standby),
    SERVING(deferrable),
    SERVING(egress),
    SERVING(cache),
    {.key = "framework",
     .kind = CN_BIND_TEXT,
     .offset = offsetof(top, framework),
     .help = "training framework, e.g. megatron-bridge"},
    {.key = "framework_version", .kind = CN_BIND_TEXT, .offset = offsetof(top, framework_version)},
};

#define Q(k, d, ...)                                                                               \
    {                                                                                              \
        .key = #k, .kind = CN_BIND_QUANTITY, .dim = d, .offset = offsetof(S, k), __VA_ARGS__       \
    }
#define C(k, ...)                                                                                  \
    {                                                                                              \
        .key = #k, .kind = CN_BIND_COUNT, .offset = offsetof(S, k), __VA_ARGS__                    \
    }
#define T(k, ...)                                                                                  \
    {                                                                                              \
        .key = #k, .kind = CN_BIND_TEXT, .offset = offsetof(S, k), __VA_ARGS__                     \
    }
#define E(k, n, ...)                                                                               \
    {                                                                                              \
        .key = #k, .kind = CN_BIND_ENUM, .names = n, .offset = offsetof(S, k), __VA_ARGS__         \
    }
#define NAMED(name, q)                                                                             \
    {                                                                                              \
        .key = name, q                                                                             \
    }

#define S cn_spec_data
static const cn_bind_field data_fields[] = {
    Q(tokens, CN_DIM_TOKENS, .min = 1, .max = 1e18, .help = "tokens to train on"),
    Q(epochs, CN_DIM_COUNT, .min = 0.001, .max = 10000, .help = "passes over the data set"),
    Q(target_loss, CN_DIM_COUNT, .min = 0.1, .max = 20,
      .help = "loss to reach; tokens follow from a scaling law"),
    T(law, .help = "scaling law for target_loss"),
    {.key = "stored",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_BYTES,
     .offset = offsetof(S, stored_bytes),
     .help = "the data set at rest"},
    {.key = "bytes_per_token",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_BYTES,
     .offset = offsetof(S, bytes_per_token),
     .help = "read from storage for each token"},
    {.key = "bytes_per_sample",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_BYTES,
     .offset = offsetof(S, bytes_per_sample),
     .help = "read from storage for each sample"},
    C(samples, .min = 1, .max = 1e15, .help = "samples in the data set"),
    C(tokens_per_sample, .min = 1, .max = 1e9, .help = "tokens one sample becomes"),
    E(location, places, .help = "where the data is, seen from the accelerators"),
    {.key = "public_download",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_BYTES,
     .offset = offsetof(S, public_download_bytes),
     .help = "imported once from the public net"},
    {.key = "preprocess",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_COUNT,
     .min = 0,
     .max = 1e12,
     .offset = offsetof(S, preprocess_core_h),
     .help = "CPU core-hours of offline preparation"},
};
#undef S
#define S cn_spec_training
static const cn_bind_field training_fields[] = {
    C(sequence, .min = 1, .max = 1e9, .help = "tokens of one sequence"),
    {.key = "global_batch",
     .kind = CN_BIND_TEXT,
     .offset = offsetof(S, batch_text),
     .help = "sequences per step, or tokens (\"4M tokens\")"},
    C(steps, .min = 1, .max = 1e12, .help = "optimizer steps; else tokens over batch"),
    E(precision, precisions, .help = "format of the matmuls"),
    E(optimizer, optimizers, .help = "optimizer"),
    E(recompute, recomputes, .allow_auto = true, .help = "what is computed again backward"),
    E(method, methods, .help = "full training or adapters"),
    C(lora_rank, .min = 1, .max = 65536, .help = "rank of the adapters"),
    E(flash, yes_no, .help = "fused attention"),
    E(fused_loss, yes_no, .help = "cross entropy without a full copy of the logits"),
    T(framework, .help = "training framework"),
    T(framework_version, .help = "its version"),
    {.key = "eval_every",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_STEPS,
     .offset = offsetof(S, eval_every_steps),
     .min = 1,
     .max = 1e12,
     .help = "steps between evaluations"},
    {.key = "eval_steps",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_STEPS,
     .offset = offsetof(S, eval_steps),
     .help = "forward passes of one evaluation"},
};
#undef S

/* Names in the catalog and the layout are read apart. */
typedef struct {
    const char *node, *accelerator;
    double accelerators, spares, nic_bytes_per_s;
    int placement;
    const cn_node *parallel;
    const char *profile;
} cluster_text;

#define S cluster_text
static const cn_bind_field cluster_fields[] = {
    T(node, .help = "node type of the catalog, e.g. aws/p5.48xlarge"),
    T(accelerator, .help = "accelerator of the catalog, if no node is named"),
    C(accelerators, .min = 1, .max = 1e7, .allow_auto = true, .help = "devices"),
    C(spares, .min = 0, .max = 1e6, .help = "standby nodes, paid and idle"),
    E(placement, places, .help = "how far apart the nodes are"),
    {.key = "nic",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_BYTES_PER_S,
     .min = 1,
     .max = 1e18,
     .offset = offsetof(S, nic_bytes_per_s),
     .help = "network of one node, one way"},
    {.key = "parallel",
     .kind = CN_BIND_NODE,
     .offset = offsetof(S, parallel),
     .help = "auto, or a map of degrees"},
    T(profile, .help = "calibration profile of this cluster"),
};
#undef S

typedef struct {
    cn_layout l;
    int sp, reshard, optimizer_offload, weight_offload, activation_offload, recompute, schedule,
        cp_kind;
} layout_text;

#define DEGREE(k, f, most)                                                                         \
    {                                                                                              \
        .key = k, .kind = CN_BIND_INT, .offset = offsetof(layout_text, l.f), .min = 1,             \
        .max = most, .allow_auto = true                                                            \
    }
#define CHOICE(k, f, n)                                                                            \
    {                                                                                              \
        .key = k, .kind = CN_BIND_ENUM, .names = n, .offset = offsetof(layout_text, f),            \
        .allow_auto = true                                                                         \
    }
static const cn_bind_field layout_fields[] = {
    DEGREE("tp", tp, 1024),
    DEGREE("pp", pp, 1024),
    DEGREE("vp", vp, 1024),
    DEGREE("dp", dp, 10000000),
    DEGREE("cp", cp, 1024),
    DEGREE("ep", ep, 4096),
    DEGREE("etp", etp, 1024),
    DEGREE("shard", shard, 10000000),
    DEGREE("micro_batch", micro_batch, 1000000),
    DEGREE("accumulation", n_micro, 10000000),
    {.key = "zero",
     .kind = CN_BIND_INT,
     .offset = offsetof(layout_text, l.zero),
     .min = 0,
     .max = 3,
     .allow_auto = true},
    CHOICE("sp", sp, yes_no),
    CHOICE("reshard", reshard, yes_no),
    CHOICE("recompute", recompute, recomputes),
    CHOICE("schedule", schedule, schedules),
    CHOICE("cp_kind", cp_kind, cp_kinds),
    CHOICE("offload_optimizer", optimizer_offload, yes_no),
    CHOICE("offload_weights", weight_offload, yes_no),
    CHOICE("offload_activations", activation_offload, yes_no),
};

/* purchase.reserved and .spot are shares of the devices; mode auto = what is cheapest and offered.
 */
#define S cn_spec_purchase
static const cn_bind_field purchase_fields[] = {
    E(mode, buys, .allow_auto = true, .help = "how the devices are bought"),
    {.key = "reserved",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_RATIO,
     .max = 1,
     .offset = offsetof(S, reserved_ratio),
     .allow_auto = true,
     .help = "share of the devices that is reserved"},
    {.key = "spot",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_RATIO,
     .max = 1,
     .offset = offsetof(S, spot_ratio),
     .allow_auto = true,
     .help = "share of the devices on spot"},
    {.key = "price",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_MONEY_PER_H,
     .offset = offsetof(S, price_per_accel_h),
     .currency_offset = offsetof(S, currency),
     .max = 1e6,
     .help = "your price of one device for one hour"},
    {.key = "price_date",
     .kind = CN_BIND_TEXT,
     .offset = offsetof(S, price_date),
     .help = "the day of that price"},
    T(provider, .help = "cloud, if the node does not say"),
    T(region, .help = "region of the price; else the cheapest"),
    {.key = "discount",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_RATIO,
     .max = 0.99,
     .offset = offsetof(S, reserved_discount_ratio),
     .help = "of reserved against on demand"},
};
#undef S
#define S cn_spec_checkpoint
static const cn_bind_field checkpoint_fields[] = {
    {.key = "every",
     .kind = CN_BIND_TEXT,
     .offset = offsetof(S, every_text),
     .allow_auto = true,
     .help = "time or steps between checkpoints"},
    C(keep_last, .max = 1e6, .help = "newest checkpoints kept"),
    {.key = "keep_every",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_STEPS,
     .offset = offsetof(S, keep_every_steps),
     .min = 1,
     .max = 1e12,
     .help = "one kept for good every so many steps"},
    {.key = "async",
     .kind = CN_BIND_ENUM,
     .names = yes_no,
     .offset = offsetof(S, is_async),
     .help = "written while training goes on"},
    {.key = "write",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_BYTES_PER_S,
     .min = 1,
     .max = 1e18,
     .offset = offsetof(S, write_bytes_per_s),
     .help = "write speed of the whole job"},
    T(storage, .help = "storage tier it is written to"),
};
#undef S
#define S cn_spec_failures
static const cn_bind_field failures_fields[] = {
    {.key = "per_device_day",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_COUNT,
     .max = 10,
     .offset = offsetof(S, per_device_day),
     .help = "interruptions of the job per device and day"},
    {.key = "detect",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_SECONDS,
     .offset = offsetof(S, detect_s),
     .help = "until a failure is noticed"},
    {.key = "restart",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_SECONDS,
     .offset = offsetof(S, restart_s),
     .help = "from notice to the first step"},
};
#undef S
#define S cn_spec_storage
static const cn_bind_field storage_fields[] = {
    {.key = "dataset",
     .kind = CN_BIND_TEXT,
     .offset = offsetof(S, dataset_tier),
     .help = "tier of the data set"},
    {.key = "cache",
     .kind = CN_BIND_TEXT,
     .offset = offsetof(S, cache_tier),
     .help = "tier of the hot copy"},
    {.key = "cache_size",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_BYTES,
     .offset = offsetof(S, cache_bytes),
     .help = "size of the hot copy"},
    {.key = "read",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_BYTES_PER_S,
     .min = 1,
     .max = 1e18,
     .offset = offsetof(S, read_bytes_per_s),
     .help = "what the job can read"},
    {.key = "retention",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_SECONDS,
     .offset = offsetof(S, retention_s),
     .help = "how long data and checkpoints are kept afterwards"},
    C(versions, .max = 1e6, .help = "final model versions kept"),
    C(backups, .max = 1000, .help = "extra copies of the data set"),
    {.key = "cold",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_RATIO,
     .max = 1,
     .offset = offsetof(S, cold_ratio),
     .help = "share of the data set in the cold tier"},
    T(cold_tier, .help = "tier of the cold share"),
    {.key = "months",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_COUNT,
     .max = 1200,
     .offset = offsetof(S, months),
     .help = "storage months billed; else run and retention"},
};
#undef S
#define S cn_spec_network
static const cn_bind_field network_fields[] = {
    {.key = "sync",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_BYTES,
     .offset = offsetof(S, sync_bytes),
     .help = "copied between zones or regions"},
    {.key = "sync_place",
     .kind = CN_BIND_ENUM,
     .names = places,
     .offset = offsetof(S, sync_place),
     .help = "between what it is copied"},
    {.key = "egress",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_BYTES,
     .offset = offsetof(S, egress_bytes),
     .help = "to the public net"},
    {.key = "fixed",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_MONEY,
     .offset = offsetof(S, fixed_per_month),
     .currency_offset = offsetof(S, currency),
     .help = "leased lines and load balancers, per month"},
};
#undef S
#define S cn_spec_database
static const cn_bind_field database_fields[] = {
    T(instance, .help = "database instance of the catalog"),
    C(instances, .max = 1e6, .help = "how many"),
    {.key = "per_month",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_MONEY,
     .offset = offsetof(S, per_month),
     .currency_offset = offsetof(S, currency),
     .help = "your own figure per month"},
    {.key = "cache",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_BYTES,
     .offset = offsetof(S, cache_gb),
     .help = "in-memory cache"},
    {.key = "hit",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_RATIO,
     .max = 1,
     .offset = offsetof(S, hit_ratio),
     .help = "share of requests the cache answers"},
};
#undef S
#define S cn_spec_observability
static const cn_bind_field observability_fields[] = {
    {.key = "logs",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_BYTES_PER_S,
     .offset = offsetof(S, log_bytes_per_device_s),
     .help = "log volume of one device"},
    {.key = "sample",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_RATIO,
     .max = 1,
     .offset = offsetof(S, log_sample_ratio),
     .help = "share of log lines kept"},
    {.key = "series",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_COUNT,
     .max = 1e6,
     .offset = offsetof(S, metric_series_per_device),
     .help = "metric series of one device"},
    {.key = "interval",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_SECONDS,
     .min = 1e-3,
     .max = 1e10,
     .offset = offsetof(S, metric_interval_s),
     .help = "time between samples"},
    {.key = "retention",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_SECONDS,
     .offset = offsetof(S, retention_s),
     .help = "how long logs are kept"},
};
#undef S
#define S cn_spec_operations
static const cn_bind_field operations_fields[] = {
    {.key = "setup",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_SECONDS,
     .offset = offsetof(S, staff_h_setup),
     .help = "staff time to set the environment up"},
    {.key = "per_day",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_SECONDS,
     .offset = offsetof(S, staff_h_per_day),
     .help = "staff time per day while it runs"},
    {.key = "per_failure",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_SECONDS,
     .offset = offsetof(S, staff_h_per_failure),
     .help = "staff time per failure"},
    {.key = "data",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_SECONDS,
     .offset = offsetof(S, staff_h_data),
     .help = "staff time to clean data"},
    {.key = "staff",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_MONEY_PER_H,
     .offset = offsetof(S, staff_per_h),
     .currency_offset = offsetof(S, currency),
     .help = "price of an hour of staff"},
    {.key = "tooling",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_MONEY,
     .offset = offsetof(S, tooling_per_month),
     .currency_offset = offsetof(S, tooling_currency),
     .help = "tools per month"},
    {.key = "complexity",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_RATIO,
     .max = 10,
     .offset = offsetof(S, complexity_ratio),
     .help = "extra staff time for a complex architecture"},
};
#undef S
#define S cn_spec_limits
static const cn_bind_field limits_fields[] = {
    {.key = "deadline",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_SECONDS,
     .offset = offsetof(S, deadline_s),
     .min = 1,
     .max = 1e10,
     .help = "time the run may take"},
    {.key = "budget",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_MONEY,
     .offset = offsetof(S, budget),
     .currency_offset = offsetof(S, budget_currency),
     .help = "money it may cost"},
    {.key = "availability",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_RATIO,
     .max = 1,
     .offset = offsetof(S, availability_ratio),
     .help = "share of the time devices must be there"},
    {.key = "memory",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_RATIO,
     .max = 1,
     .offset = offsetof(S, mem_ratio),
     .help = "share of device memory a plan may use"},
};
#undef S

/* What `help spec` and docs/spec.md print. */
const cn_spec_section cn_spec_sections[] = {
    {"", top_fields, COUNT_OF(top_fields)},
    {"data", data_fields, COUNT_OF(data_fields)},
    {"training", training_fields, COUNT_OF(training_fields)},
    {"cluster", cluster_fields, COUNT_OF(cluster_fields)},
    {"cluster.parallel", layout_fields, COUNT_OF(layout_fields)},
    {"purchase", purchase_fields, COUNT_OF(purchase_fields)},
    {"checkpoint", checkpoint_fields, COUNT_OF(checkpoint_fields)},
    {"failures", failures_fields, COUNT_OF(failures_fields)},
    {"storage", storage_fields, COUNT_OF(storage_fields)},
    {"network", network_fields, COUNT_OF(network_fields)},
    {"database", database_fields, COUNT_OF(database_fields)},
    {"observability", observability_fields, COUNT_OF(observability_fields)},
    {"operations", operations_fields, COUNT_OF(operations_fields)},
    {"limits", limits_fields, COUNT_OF(limits_fields)},
    {NULL, NULL, 0},
};

static void nan_fill(double *first, size_t n)
{
    for (size_t i = 0; i < n; i++)
        first[i] = NAN;
}

/* Every double NaN, every int -1: each struct names its fields once, here. */
void cn_spec_init(cn_spec *s)
{
    memset(s, 0, sizeof *s);
    s->data = (cn_spec_data){.tokens = NAN,
                             .epochs = NAN,
                             .target_loss = NAN,
                             .stored_bytes = NAN,
                             .bytes_per_token = NAN,
                             .bytes_per_sample = NAN,
                             .samples = NAN,
                             .tokens_per_sample = NAN,
                             .location = -1,
                             .public_download_bytes = NAN,
                             .preprocess_core_h = NAN};
    s->training = (cn_spec_training){.sequence = NAN,
                                     .global_batch = NAN,
                                     .global_batch_tokens = NAN,
                                     .steps = NAN,
                                     .precision = -1,
                                     .optimizer = -1,
                                     .recompute = -1,
                                     .method = -1,
                                     .lora_rank = NAN,
                                     .flash = -1,
                                     .fused_loss = -1,
                                     .eval_every_steps = NAN,
                                     .eval_steps = NAN};
    s->cluster = (cn_spec_cluster){.accelerators = NAN,
                                   .spares = NAN,
                                   .placement = -1,
                                   .nic_bytes_per_s = NAN,
                                   .is_auto_layout = true};
    cn_spec_layout_unset(&s->cluster.layout);
    s->purchase = (cn_spec_purchase){.mode = -1,
                                     .reserved_ratio = NAN,
                                     .spot_ratio = NAN,
                                     .price_per_accel_h = NAN,
                                     .price_date_s = NAN,
                                     .reserved_discount_ratio = NAN};
    s->checkpoint = (cn_spec_checkpoint){.every_s = NAN,
                                         .every_steps = NAN,
                                         .keep_last = NAN,
                                         .keep_every_steps = NAN,
                                         .is_async = -1,
                                         .write_bytes_per_s = NAN};
    s->failures = (cn_spec_failures){NAN, NAN, NAN};
    s->storage = (cn_spec_storage){.cache_bytes = NAN,
                                   .read_bytes_per_s = NAN,
                                   .retention_s = NAN,
                                   .versions = NAN,
                                   .backups = NAN,
                                   .cold_ratio = NAN,
                                   .months = NAN};
    s->network = (cn_spec_network){
        .sync_bytes = NAN, .sync_place = -1, .egress_bytes = NAN, .fixed_per_month = NAN};
    s->database =
        (cn_spec_database){.instances = NAN, .per_month = NAN, .cache_gb = NAN, .hit_ratio = NAN};
    nan_fill(&s->observability.log_bytes_per_device_s, 5);
    nan_fill(&s->operations.staff_h_setup, 7);
    s->limits = (cn_spec_limits){
        .deadline_s = NAN, .budget = NAN, .availability_ratio = NAN, .mem_ratio = NAN};
}

void cn_spec_layout_unset(cn_layout *l)
{
    memset(l, 0, sizeof *l);
    l->tp = l->pp = l->vp = l->dp = l->cp = l->ep = l->etp = l->zero = l->shard = -1;
    l->micro_batch = l->n_micro = -1;
    l->schedule = (cn_schedule)-1;
    l->recompute = (cn_recompute)-1;
    l->cp_kind = (cn_cp_kind)-1;
    l->offload = -1;
    l->sp = l->reshard = -1;
    l->uneven_layers = -1;
}

static void bind_section(cn_ctx *cx, const cn_node *node, const char *what, const cn_bind_field *f,
                         size_t n, void *out)
{
    if (node)
        cn_bind(cx, node, what, f, n, out, NULL);
}

/* "1024" sequences, or "4M tokens". */
static void read_batch(cn_ctx *cx, const cn_node *section, cn_spec_training *t)
{
    const cn_node *v = cn_node_get(section, "global_batch");
    cn_quantity q;
    const char *why, *example;
    if (!t->batch_text || !v)
        return;
    bool tokens = strstr(t->batch_text, "token") != NULL;
    if (!cn_unit_parse(t->batch_text, tokens ? CN_DIM_TOKENS : CN_DIM_COUNT, &q, &why, &example) ||
        !(q.value >= 1) || q.value != floor(q.value)) {
        cn_problem(cx, &v->at, "global_batch must be a whole number, found \"%s\"", t->batch_text);
        cn_hint(cx, "write sequences like \"1024\", or \"4M tokens\"");
    } else if (tokens) {
        t->global_batch_tokens = q.value;
    } else {
        t->global_batch = q.value;
    }
}

/* "30 min" or "500 steps". */
static void read_every(cn_ctx *cx, const cn_node *section, cn_spec_checkpoint *c)
{
    const cn_node *v = cn_node_get(section, "every");
    cn_quantity q;
    const char *why, *example;
    if (!c->every_text || !v)
        return;
    bool steps = strstr(c->every_text, "step") != NULL;
    bool ok =
        cn_unit_parse(c->every_text, steps ? CN_DIM_STEPS : CN_DIM_SECONDS, &q, &why, &example);
    if (!ok || !(q.value >= 1e-3 && q.value <= 1e15)) {
        cn_problem(cx, &v->at, "every: %s in \"%s\"",
                   !ok           ? why
                   : q.value > 1 ? "is out of range"
                                 : "must be above zero",
                   c->every_text);
        cn_hint(cx, "write it like \"30 min\" or \"500 steps\"");
    } else if (steps) {
        c->every_steps = q.value;
    } else {
        c->every_s = q.value;
    }
}

/* Each share lies in 0 .. 1; together they can still ask for more devices than there are. */
static void check_shares(cn_ctx *cx, const cn_node *section, const cn_spec_purchase *p)
{
    double sum = p->reserved_ratio + p->spot_ratio;
    if (isnan(sum) || sum <= 1)
        return;
    cn_problem(cx, &section->at, "reserved and spot are %.4g %% of the devices together",
               100 * sum);
    cn_hint(cx, "lower one of them; what is neither is bought on demand");
}

static void read_price_date(cn_ctx *cx, const cn_node *section, cn_spec_purchase *p)
{
    const cn_node *v = cn_node_get(section, "price_date");
    if (v && p->price_date && !cn_when_parse(p->price_date, &p->price_date_s)) {
        cn_problem(cx, &v->at, "price_date: not a date: \"%s\"", p->price_date);
        cn_hint(cx, "write it like \"2026-09-01\"");
    }
}

static int offload_bits(const layout_text *t)
{
    if (t->optimizer_offload < 0 && t->weight_offload < 0 && t->activation_offload < 0)
        return -1;
    return (t->optimizer_offload == 1 ? CN_OFFLOAD_OPTIMIZER : 0) |
           (t->weight_offload == 1 ? CN_OFFLOAD_WEIGHTS : 0) |
           (t->activation_offload == 1 ? CN_OFFLOAD_ACTIVATIONS : 0);
}

static void read_layout(cn_ctx *cx, const cn_node *v, cn_spec_cluster *c)
{
    if (!v || (v->kind == CN_NODE_SCALAR && strcmp(v->text, "auto") == 0))
        return;
    layout_text t = {.l = c->layout,
                     .sp = -1,
                     .reshard = -1,
                     .optimizer_offload = -1,
                     .weight_offload = -1,
                     .activation_offload = -1,
                     .recompute = -1,
                     .schedule = -1,
                     .cp_kind = -1};
    if (cn_bind(cx, v, "parallel", layout_fields, COUNT_OF(layout_fields), &t, NULL) != CN_OK)
        return;
    c->is_auto_layout = false;
    c->layout = t.l;
    c->layout.schedule = (cn_schedule)t.schedule;
    c->layout.recompute = (cn_recompute)t.recompute;
    c->layout.cp_kind = (cn_cp_kind)t.cp_kind;
    c->layout.offload = offload_bits(&t);
    c->layout.sp = t.sp;
    c->layout.reshard = t.reshard;
}

static void read_cluster(cn_ctx *cx, cn_catalog *cat, const cn_node *v, cn_spec *s)
{
    cluster_text t = {.accelerators = NAN, .spares = NAN, .nic_bytes_per_s = NAN, .placement = -1};
    cn_spec_cluster *c = &s->cluster;
    if (!v)
        return;
    cn_bind(cx, v, "cluster", cluster_fields, COUNT_OF(cluster_fields), &t, NULL);
    c->accelerators = t.accelerators;
    c->spares = t.spares;
    c->nic_bytes_per_s = t.nic_bytes_per_s;
    c->placement = t.placement;
    c->profile = t.profile;
    if (t.node)
        cn_spec_find_node(cx, cat, cn_node_get(v, "node"), &c->node);
    const char *accel = t.accelerator ? t.accelerator : c->node ? c->node->accelerator : NULL;
    const cn_node *where = cn_node_get(v, t.accelerator ? "accelerator" : "node");
    if (accel)
        cn_spec_find_accel(cx, cat, where, accel, &c->accel);
    if (c->node && c->accel && strcmp(c->node->accelerator, c->accel->id) != 0) {
        cn_problem(cx, &where->at, "node \"%s\" has %s, not %s", c->node->id, c->node->accelerator,
                   c->accel->id);
        cn_hint(cx, "name the node or the accelerator, not both");
    }
    read_layout(cx, t.parallel, c);
}

/* Whoever described the model: the catalog, a config, a launcher or the spec. */
static void check_model(cn_ctx *cx, const cn_node *v, const cn_spec *s)
{
    const char *fault = s->model ? cn_shape_fault(&s->model->shape) : NULL;
    if (!fault)
        return;
    cn_problem(cx, &v->at, "the model is impossible: %s", fault);
    cn_hint(cx, "compare its numbers with the model's published config");
}

/* What no default could stand for. */
static void check_needed(cn_ctx *cx, const cn_node *root, const cn_spec *s)
{
    if (s->kind == CN_KIND_SERVING || cn_problems(cx) != CN_OK)
        return;
    if (!s->model) {
        cn_problem(cx, &root->at, "no model is named");
        cn_hint(cx, "add \"model: llama-3.1-8b\"; `carnot catalog list models` shows the names");
    }
    if (!s->cluster.accel) {
        cn_problem(cx, &root->at, "no accelerator is named");
        cn_hint(cx, "add \"cluster: {node: aws/p5.48xlarge, accelerators: 64}\"");
    } else if (isnan(s->cluster.accelerators)) {
        cn_problem(cx, &root->at, "the number of accelerators is missing");
        cn_hint(cx, "add \"accelerators: 64\" to cluster");
    }
    bool work = !isnan(s->data.tokens) || !isnan(s->data.target_loss) ||
                !isnan(s->training.steps) ||
                (!isnan(s->data.samples) && !isnan(s->data.tokens_per_sample));
    if (!work) {
        cn_problem(cx, &root->at, "how long to train is missing");
        cn_hint(cx, "add \"data: {tokens: 15T}\", or target_loss, or training.steps");
    }
}

cn_code cn_spec_bind(cn_ctx *cx, cn_catalog *cat, const cn_node *root, cn_spec *s)
{
    top t = {.kind = CN_KIND_TRAINING};
    cn_bind(cx, root, "the spec", top_fields, COUNT_OF(top_fields), &t, NULL);
    s->name = t.name ? t.name : cn_spec_default_name(cx, s->file);
    s->kind = (cn_kind)t.kind;
    s->root = root;
    s->serving = s->kind == CN_KIND_SERVING ? root : NULL;
    if (t.model)
        cn_spec_model(cx, cat, t.model, s->file, &s->model);
    check_model(cx, t.model ? t.model : root, s);
    bind_section(cx, t.data, "data", data_fields, COUNT_OF(data_fields), &s->data);
    bind_section(cx, t.training, "training", training_fields, COUNT_OF(training_fields),
                 &s->training);
    bind_section(cx, t.purchase, "purchase", purchase_fields, COUNT_OF(purchase_fields),
                 &s->purchase);
    bind_section(cx, t.checkpoint, "checkpoint", checkpoint_fields, COUNT_OF(checkpoint_fields),
                 &s->checkpoint);
    bind_section(cx, t.failures, "failures", failures_fields, COUNT_OF(failures_fields),
                 &s->failures);
    bind_section(cx, t.storage, "storage", storage_fields, COUNT_OF(storage_fields), &s->storage);
    bind_section(cx, t.network, "network", network_fields, COUNT_OF(network_fields), &s->network);
    bind_section(cx, t.database, "database", database_fields, COUNT_OF(database_fields),
                 &s->database);
    bind_section(cx, t.observability, "observability", observability_fields,
                 COUNT_OF(observability_fields), &s->observability);
    bind_section(cx, t.operations, "operations", operations_fields, COUNT_OF(operations_fields),
                 &s->operations);
    bind_section(cx, t.limits, "limits", limits_fields, COUNT_OF(limits_fields), &s->limits);
    read_batch(cx, t.training, &s->training);
    read_every(cx, t.checkpoint, &s->checkpoint);
    read_price_date(cx, t.purchase, &s->purchase);
    check_shares(cx, t.purchase, &s->purchase);
    if (!s->training.framework)
        s->training.framework = t.framework;
    if (!s->training.framework_version)
        s->training.framework_version = t.framework_version;
    s->database.cache_gb /= 1e9;
    for (double *h = &s->operations.staff_h_setup; h <= &s->operations.staff_h_data; h++)
        *h /= 3600;
    read_cluster(cx, cat, t.cluster, s);
    cn_spec_check(cx, root, s);
    check_needed(cx, root, s);
    return cn_problems(cx);
}
