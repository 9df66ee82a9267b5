/*
 * defaults.h - what carnot takes for granted where a spec says nothing. Every use is listed in the
 * answer with basis `assumed`, and docs/model.md shows this table.
 *
 * X(name, key of the spec, value in base units, unit, why, source or NULL)
 */
#ifndef CARNOT_ESTIMATE_DEFAULTS_H
#define CARNOT_ESTIMATE_DEFAULTS_H

#include "base/lang.h"

/* clang-format off */
#define CN_DEFAULT_LIST(X) \
    X(sequence, "training.sequence", 4096, "tokens", N_("a usual training length, within what the model was made for"), NULL) \
    X(batch_tokens, "training.global_batch", 4194304, "tokens", N_("a usual batch of published runs of 7 to 70 billion parameters"), "touvron2023") \
    X(tune_batch_tokens, "training.global_batch", 131072, "tokens", N_("a usual batch for fine-tuning"), "dettmers2023") \
    X(lora_rank, "training.lora_rank", 16, "", N_("a usual rank"), "hu2021") \
    X(bytes_per_token, "data.bytes_per_token", 4, "bytes", N_("token ids of 32 bits"), NULL) \
    X(keep_last, "checkpoint.keep_last", 3, "checkpoints", N_("one to use, one in reserve, one from before a loss spike"), "zhang2022") \
    X(write_per_node, "checkpoint.write", 1e9, "bytes/s", N_("1 GB/s for each node, as reported of a large cluster"), "grattafiori2024") \
    X(stall_share, "checkpoint.async", 0.1, "ratio", N_("copying to host memory takes a tenth of an asynchronous write"), "wan2024") \
    X(spot_per_node_day, "purchase.spot", 0.8, "1/d", N_("capacity taken back per node and day: 13 a day of 16 nodes and 2.8 of 4 in public traces of 2023"), "wu2024") \
    X(per_device_day, "failures.per_device_day", 5e-4, "1/d", N_("about one interruption per 2,000 devices and day"), "kokolis2024") \
    X(detect_s, "failures.detect", 300, "s", N_("a hang is noticed after minutes"), NULL) \
    X(restart_s, "failures.restart", 900, "s", N_("scheduling, loading and warming up again"), NULL) \
    X(repair_s, "failures.repair", 86400, "s", N_("a failed node is back after a day"), "kokolis2024") \
    X(retention_s, "storage.retention", 2592000, "s", N_("data and the last checkpoints are kept 30 days after the run"), NULL) \
    X(versions, "storage.versions", 1, "models", N_("the final model is kept"), NULL) \
    X(backups, "storage.backups", 0, "copies", N_("object storage keeps copies of its own"), NULL) \
    X(places, "cluster.placement", 2, "places", N_("nodes are spread over two zones or regions"), NULL) \
    X(zone_link, "cluster.placement", 0.5, "ratio", N_("half of the node's network is left between zones"), NULL) \
    X(zone_hop_s, "cluster.placement", 5e-4, "s", N_("half a millisecond between zones"), "aws2024ec2") \
    X(region_link, "cluster.placement", 0.1, "ratio", N_("a tenth of the node's network is left between regions"), NULL) \
    X(region_hop_s, "cluster.placement", 0.03, "s", N_("30 ms between regions"), "aws2024ec2") \
    X(sync_bytes, "network.sync", 0, "bytes", N_("no copies in other zones or regions"), NULL) \
    X(egress_bytes, "network.egress", 0, "bytes", N_("nothing leaves the cloud"), NULL) \
    X(log_bytes, "observability.logs", 100, "bytes/s", N_("a few lines per device and step"), NULL) \
    X(log_sample, "observability.sample", 1, "ratio", N_("all lines are kept"), NULL) \
    X(series, "observability.series", 40, "series", N_("what common device exporters show"), NULL) \
    X(observe_retention_s, "observability.retention", 2592000, "s", N_("30 days"), NULL) \
    X(db_instances, "database.instances", 1, "instances", N_("one small instance for metadata and experiments"), NULL) \
    X(cache_gb, "database.cache", 0, "GB", N_("training needs no request cache"), NULL) \
    X(cache_node_gb, "database.cache", 6.38, "GB", N_("memory of a small cache instance"), "aws2024ec2") \
    X(staff_setup, "operations.setup", 40, "h", N_("one week of one person"), NULL) \
    X(staff_day, "operations.per_day", 2, "h", N_("looking after one run"), NULL) \
    X(staff_failure, "operations.per_failure", 0.5, "h", N_("most interruptions restart by themselves"), "grattafiori2024") \
    X(staff_data, "operations.data", 16, "h", N_("two days of cleaning and checking"), NULL) \
    X(complexity, "operations.complexity", 0.2, "ratio", N_("tensor, pipeline and expert parallel runs take more care"), NULL) \
    X(mem_ratio, "limits.memory", 0.95, "ratio", N_("room for the allocator when a layout is chosen"), NULL) \
    X(own_years, "purchase.years", 4, "years", N_("straight-line use of owned hardware"), "barroso2018") \
    X(own_rate, "purchase.rate", 0.07, "ratio", N_("yearly cost of money"), "barroso2018") \
    X(pue, "purchase.pue", 1.3, "ratio", N_("power of cooling and losses"), "barroso2018")
/* clang-format on */

typedef enum {
#define X(name, key, value, unit, why, source) CN_DEFAULT_##name,
    CN_DEFAULT_LIST(X)
#undef X
        CN_N_DEFAULTS
} cn_default;

#endif
