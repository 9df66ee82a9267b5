/* read_node.c - node types: what a cloud or a maker sells as one machine. */
#include <math.h>
#include <string.h>

#include "base/bind.h"
#include "catalog/read.h"

typedef struct raw_node {
    cn_head head;
    cn_node_type t;
    const cn_node *scale_up;
} raw_node;

#define QUANTITY(key_, member, dim_, lo, hi)                                                       \
    {                                                                                              \
        .key = key_, .kind = CN_BIND_QUANTITY, .dim = dim_,                                        \
        .offset = offsetof(raw_node, t.member), .min = lo, .max = hi                               \
    }
#define TEXT(key_, member)                                                                         \
    {                                                                                              \
        .key = key_, .kind = CN_BIND_TEXT, .offset = offsetof(raw_node, t.member),                 \
        .required = true                                                                           \
    }
#define COUNT(key_, member, lo, hi)                                                                \
    {                                                                                              \
        .key = key_, .kind = CN_BIND_COUNT, .offset = offsetof(raw_node, t.member), .min = lo,     \
        .max = hi                                                                                  \
    }

static const cn_bind_field fields[] = {
    CN_HEAD_FIELDS(raw_node, head),
    TEXT("provider", provider),
    TEXT("accelerator", accelerator),
    COUNT("count", n_accel, 1, 1024),
    COUNT("vcpus", vcpus, 1, 10000),
    QUANTITY("nic", nic_bytes_per_s, CN_DIM_BYTES_PER_S, 1e8, 1e13),
    QUANTITY("mem", mem_bytes, CN_DIM_BYTES, 1e9, 1e15),
    QUANTITY("disk", local_disk_bytes, CN_DIM_BYTES, 1e9, 1e16),
    QUANTITY("watts", watts, CN_DIM_WATT, 10, 1e6),
    {.key = "capex",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_MONEY,
     .offset = offsetof(raw_node, t.capex_usd),
     .min = 100,
     .max = 1e8},
    {.key = "scale_up", .kind = CN_BIND_NODE, .offset = offsetof(raw_node, scale_up)},
};

static const cn_bind_field link_fields[] = {
    {.key = "bandwidth",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_BYTES_PER_S,
     .offset = offsetof(cn_node_type, scale_up_bytes_per_s),
     .min = 1e9,
     .max = 1e13},
    {.key = "domain",
     .kind = CN_BIND_COUNT,
     .offset = offsetof(cn_node_type, scale_up_domain),
     .min = 1,
     .max = 1e6},
};

cn_code cn_read_node(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry)
{
    (void)c; /* the accelerator's id is looked up when it is needed: tables load one by one */
    raw_node r = {.t = {.n_accel = NAN, .nic_bytes_per_s = NAN, .scale_up_domain = NAN}};
    r.t.scale_up_bytes_per_s = r.t.vcpus = r.t.mem_bytes = r.t.local_disk_bytes = NAN;
    r.t.capex_usd = r.t.watts = NAN;
    cn_bind(cx, node, "node", fields, sizeof fields / sizeof *fields, &r, NULL);
    if (r.scale_up)
        cn_bind(cx, r.scale_up, "scale_up", link_fields, sizeof link_fields / sizeof *link_fields,
                &r.t, NULL);
    if (isnan(r.t.n_accel))
        cn_problem(cx, &node->at, "node \"%s\" does not say how many accelerators it has",
                   r.head.id ? r.head.id : "-");
    cn_head_source(cx, node, &r.head, &r.t.source);
    cn_code code = cn_head_aliases(cx, &r.head, &r.t.n_aliases, &r.t.alias);
    r.t.id = r.head.id;
    *(cn_node_type *)entry = r.t;
    return code;
}
