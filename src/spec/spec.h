/*
 * spec.h - what the user wrote, checked: one struct for YAML specs and for launch settings of other
 * tools.
 *
 * NaN (numbers), NULL (texts) and -1 (ints, enums) mean "not said"; is_auto_* mean the user wrote
 * `auto`. The spec room prices nothing and chooses nothing: src/estimate fills what was not said
 * and says so. Ownership: everything lives in cx->arena.
 */
#ifndef CARNOT_SPEC_SPEC_H
#define CARNOT_SPEC_SPEC_H

#include "catalog/catalog.h"
#include "model/train.h"

typedef enum { CN_KIND_TRAINING, CN_KIND_FINETUNE, CN_KIND_SERVING, CN_N_KINDS } cn_kind;
typedef enum {
    CN_PLACE_SAME_ZONE,
    CN_PLACE_CROSS_ZONE,
    CN_PLACE_CROSS_REGION,
    CN_PLACE_PUBLIC,
    CN_N_PLACES
} cn_place;

typedef struct cn_spec_data {
    double tokens; /* to train on; NaN if target_loss is given instead */
    double epochs; /* passes over the data set; NaN = tokens decide */
    double target_loss;
    const char *law;     /* scaling law for target_loss; NULL = the catalog's default */
    double stored_bytes; /* data set at rest */
    double bytes_per_token;
    double bytes_per_sample; /* multimodal samples */
    double samples;
    double tokens_per_sample;
    int location;                 /* cn_place, -1 */
    double public_download_bytes; /* imported once from the public net */
    double preprocess_core_h;     /* offline preparation on CPU nodes */
} cn_spec_data;

typedef struct cn_spec_training {
    double sequence;        /* tokens */
    const char *batch_text; /* as written; read into one of the next two */
    double global_batch;    /* sequences; or global_batch_tokens */
    double global_batch_tokens;
    double steps;  /* NaN = tokens / batch */
    int precision; /* cn_precision, -1 */
    int optimizer; /* cn_optimizer, -1 */
    int recompute; /* cn_recompute, -1 = auto */
    int method;    /* cn_method, -1 */
    double lora_rank;
    int flash;             /* 0, 1, -1 */
    int fused_loss;        /* 0, 1, -1 */
    const char *framework; /* "megatron-core", ... */
    const char *framework_version;
    double eval_every_steps, eval_steps; /* evaluation passes (forward only) */
} cn_spec_training;

typedef struct cn_spec_cluster {
    const cn_node_type *node; /* NULL if only an accelerator was named */
    const cn_accel *accel;    /* never NULL in a checked training spec */
    double accelerators;      /* devices */
    double spares;            /* standby nodes, paid and idle */
    int placement;            /* cn_place of the nodes among themselves, -1 = same zone */
    double nic_bytes_per_s;   /* override, per node; NaN */
    bool is_auto_layout;      /* parallel: auto, or absent */
    cn_layout layout;         /* -1 (ints) where not said or auto; see cn_spec_layout_unset() */
    const char *profile;      /* calibration profile file; NULL */
} cn_spec_cluster;

typedef struct cn_spec_purchase {
    int mode;              /* cn_buy, -1 = auto */
    double reserved_ratio; /* share of devices reserved; NaN */
    double spot_ratio;
    double price_per_accel_h; /* the user's own price; NaN = catalog */
    char currency[4];
    const char *provider, *region;
    const char *price_date; /* as written */
    double price_date_s;
    double reserved_discount_ratio; /* against on demand, when the catalog has no reserved price */
} cn_spec_purchase;

typedef struct cn_spec_checkpoint {
    const char *every_text;      /* as written */
    double every_s, every_steps; /* NaN both = auto (optimal interval) */
    double keep_last;
    double keep_every_steps;
    int is_async;             /* 0, 1, -1 */
    double write_bytes_per_s; /* whole job; NaN = from storage */
    const char *storage;      /* rate id of the tier it lands in */
} cn_spec_checkpoint;

typedef struct cn_spec_failures {
    double per_device_day; /* NaN = catalog */
    double detect_s, restart_s;
} cn_spec_failures;

typedef struct cn_spec_storage {
    const char *dataset_tier; /* rate id; NULL = provider's standard object storage */
    const char *cache_tier;   /* hot copy on a parallel file system; NULL = none */
    double cache_bytes;
    double read_bytes_per_s; /* what the job can read; NaN = from the tier */
    double retention_s;      /* how long data and checkpoints are kept after the run */
    double versions;         /* final model versions kept */
    double backups;          /* extra copies of data set */
    double cold_ratio;       /* share of the data set moved to the cold tier */
    const char *cold_tier;
    double months; /* storage months billed; NaN = run time + retention */
} cn_spec_storage;

typedef struct cn_spec_network {
    double sync_bytes;      /* cross-zone or region copies of data or weights */
    int sync_place;         /* cn_place */
    double egress_bytes;    /* to the public net */
    double fixed_per_month; /* leased line, load balancer */
    char currency[4];
} cn_spec_network;

typedef struct cn_spec_database {
    const char *instance; /* rate id */
    double instances;
    double per_month; /* the user's own figure */
    double cache_gb;  /* in-memory cache, GB */
    double hit_ratio;
    char currency[4];
} cn_spec_database;

typedef struct cn_spec_observability {
    double log_bytes_per_device_s;
    double log_sample_ratio; /* share of log lines kept */
    double metric_series_per_device;
    double metric_interval_s;
    double retention_s;
    char currency[4];
} cn_spec_observability;

typedef struct cn_spec_operations {
    double staff_h_setup;   /* environment set-up */
    double staff_h_per_day; /* on call and tuning while it runs */
    double staff_h_per_failure;
    double staff_h_data; /* data cleaning */
    double staff_per_h;  /* price of an hour; NaN = catalog */
    double tooling_per_month;
    double complexity_ratio; /* extra staff for complex architecture, e.g. 20% */
    char currency[4];        /* of staff_per_h */
    char tooling_currency[4];
} cn_spec_operations;

typedef struct cn_spec_limits {
    double deadline_s;
    double budget;
    char budget_currency[4];
    double availability_ratio;
    double mem_ratio; /* share of device memory a plan may use; NaN = 0.95 */
} cn_spec_limits;

typedef struct cn_spec {
    const char *file; /* where it was read from */
    const char *name;
    cn_kind kind;
    const cn_model_entry *model; /* catalog entry, or one made from config.json or inline numbers */
    cn_spec_data data;
    cn_spec_training training;
    cn_spec_cluster cluster;
    cn_spec_purchase purchase;
    cn_spec_checkpoint checkpoint;
    cn_spec_failures failures;
    cn_spec_storage storage;
    cn_spec_network network;
    cn_spec_database database;
    cn_spec_observability observability;
    cn_spec_operations operations;
    cn_spec_limits limits;
    const cn_node *serving; /* traffic, slo, ...: bound by the serving verbs */
    const cn_node *root;    /* the tree, for diff and for where things stand */
} cn_spec;

/* All fields "not said". */
void cn_spec_init(cn_spec *s);
void cn_spec_layout_unset(cn_layout *l);

/* One section of a spec and its keys, for `help spec` and docs/spec.md; ends with name NULL. */
typedef struct cn_spec_section {
    const char *name; /* "" = the top level */
    const struct cn_bind_field *field;
    size_t n;
} cn_spec_section;
extern const cn_spec_section cn_spec_sections[];

/*
 * Read a spec file and apply --set assignments in order. A *.json with "architectures" or
 * "model_type" is a Hugging Face config (then the rest must come from --set). Megatron argument
 * files (*.sh, *.args, *.txt), DeepSpeed JSON and torchtitan TOML are recognised by content.
 * Errors: CN_EINPUT with every problem found, CN_EIO.
 */
cn_code cn_spec_read(cn_ctx *cx, cn_catalog *cat, const char *path, const char *const *sets,
                     size_t n_sets, cn_spec **out);

/* A model's shape from a Hugging Face config tree. An unknown family is an error that names the
 * missing numbers. */
cn_code cn_hf_config(cn_ctx *cx, const cn_node *root, cn_model_entry *out);

#endif
