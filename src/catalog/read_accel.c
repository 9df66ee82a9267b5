/*
 * read_accel.c - accelerators, and the constants of their generations.
 *
 * An accelerator is facts (accelerators.yaml) and constants: those of its generation
 * (efficiency.yaml), changed by its own `efficiency` (replaces) and `efficiency_scale`
 * (multiplies). The names and ranges of the constants come from CN_EFF_LIST, nowhere else.
 */
#include <math.h>
#include <string.h>

#include "base/bind.h"
#include "base/text.h"
#include "catalog/read.h"

/* Constants carry their unit in their name and are written as bare numbers. */
static const cn_bind_field eff_fields[] = {
#define X(name_, def, lo, hi, unit, help_)                                                         \
    {.key = #name_,                                                                                \
     .kind = CN_BIND_QUANTITY,                                                                     \
     .dim = CN_DIM_COUNT,                                                                          \
     .offset = offsetof(cn_eff, name_),                                                            \
     .min = lo,                                                                                    \
     .max = hi,                                                                                    \
     .help = help_},
    CN_EFF_LIST(X)
#undef X
};

static const cn_bind_field scale_fields[] = {
#define X(name_, def, lo, hi, unit, help_)                                                         \
    {.key = #name_,                                                                                \
     .kind = CN_BIND_QUANTITY,                                                                     \
     .dim = CN_DIM_COUNT,                                                                          \
     .offset = offsetof(cn_eff, name_),                                                            \
     .min = 0.01,                                                                                  \
     .max = 100,                                                                                   \
     .help = help_},
    CN_EFF_LIST(X)
#undef X
};

enum { N_EFF = sizeof eff_fields / sizeof *eff_fields };

static cn_generation *find_generation(const cn_catalog *c, const char *name)
{
    for (size_t i = 0; i < c->n_generations; i++)
        if (strcmp(c->generation[i].name, name) == 0)
            return &c->generation[i];
    return NULL;
}

static cn_code bind_generation(cn_ctx *cx, cn_catalog *c, const char *name, const cn_node *map)
{
    cn_generation *g = find_generation(c, name);
    if (!g) {
        g = &c->generation[c->n_generations++];
        g->name = name;
        cn_eff_default(&g->eff);
    }
    return map->kind == CN_NODE_NULL ? CN_OK
                                     : cn_bind(cx, map, name, eff_fields, N_EFF, &g->eff, NULL);
}

typedef struct efficiency_file {
    const char *source, *checked;
    const cn_node *generations, *devices, *frameworks;
} efficiency_file;

static const cn_bind_field file_fields[] = {
    {.key = "source",
     .kind = CN_BIND_TEXT,
     .offset = offsetof(efficiency_file, source),
     .required = true},
    {.key = "checked",
     .kind = CN_BIND_TEXT,
     .offset = offsetof(efficiency_file, checked),
     .required = true},
    {.key = "generations",
     .kind = CN_BIND_NODE,
     .offset = offsetof(efficiency_file, generations),
     .required = true},
    {.key = "devices", .kind = CN_BIND_NODE, .offset = offsetof(efficiency_file, devices)},
    {.key = "frameworks", .kind = CN_BIND_NODE, .offset = offsetof(efficiency_file, frameworks)},
};

static cn_code grow(cn_ctx *cx, cn_catalog *c, size_t more)
{
    cn_generation *g = cn_arena_array(&cx->arena, c->n_generations + more + 1, sizeof *g);
    if (!g)
        return cn_nomem(cx);
    if (c->n_generations)
        memcpy(g, c->generation, c->n_generations * sizeof *g);
    c->generation = g;
    return CN_OK;
}

static cn_code read_efficiency(cn_ctx *cx, cn_catalog *c, const cn_catalog_file *f)
{
    cn_node *root;
    efficiency_file e = {0};
    CN_TRY(cn_tree_yaml(cx, f->label, f->text, f->len, &root));
    CN_TRY(cn_bind(cx, root, "efficiency", file_fields, sizeof file_fields / sizeof *file_fields,
                   &e, NULL));
    if (!e.generations || e.generations->kind != CN_NODE_MAP)
        return cn_fail(cx, CN_EINPUT, &root->at, "generations is not a map");
    CN_TRY(grow(cx, c, e.generations->n));
    for (size_t i = 0; i < e.generations->n; i++)
        bind_generation(cx, c, e.generations->key[i], e.generations->child[i]);
    if (c->n_calibrated < 2)
        c->calibrated[c->n_calibrated++] = root;
    return cn_problems(cx);
}

static cn_code read_efficiencies(cn_ctx *cx, cn_catalog *c)
{
    cn_catalog_file *files;
    size_t n;
    CN_TRY(cn_catalog_files(cx, c->user_dir, "efficiency.yaml", &files, &n));
    for (size_t i = 0; i < n; i++)
        CN_TRY(read_efficiency(cx, c, &files[i]));
    return CN_OK;
}

cn_code cn_read_generations(cn_ctx *cx, cn_catalog *c)
{
    if (c->has_generations)
        return CN_OK;
    c->has_generations = true;
    cn_code before = cn_load_begin(cx);
    cn_code code = read_efficiencies(cx, c);
    cn_load_end(cx, before);
    return code;
}

cn_code cn_calibrated(cn_ctx *cx, cn_catalog *c, const char *section, const char *id,
                      const cn_node **out)
{
    *out = NULL;
    CN_TRY(cn_read_generations(cx, c));
    for (int i = 0; i < c->n_calibrated; i++) {
        const cn_node *found = cn_node_get(cn_node_get(c->calibrated[i], section), id);
        *out = found ? found : *out;
    }
    return CN_OK;
}

static const char *generation_at(size_t i, const void *arg)
{
    return ((const cn_catalog *)arg)->generation[i].name;
}

typedef struct raw_accel {
    cn_head head;
    cn_accel a;
    const cn_node *peak, *scale_up, *efficiency, *efficiency_scale;
    double year;
} raw_accel;

#define QUANTITY(key_, member, dim_, lo, hi)                                                       \
    {                                                                                              \
        .key = key_, .kind = CN_BIND_QUANTITY, .dim = dim_, .offset = offsetof(raw_accel, member), \
        .min = lo, .max = hi                                                                       \
    }
#define NODE(key_, member)                                                                         \
    {                                                                                              \
        .key = key_, .kind = CN_BIND_NODE, .offset = offsetof(raw_accel, member)                   \
    }

/* Ranges keep slips of the pen out: no card has less than 1 GB or more than 4 TB. */
static const cn_bind_field accel_fields[] = {
    CN_HEAD_FIELDS(raw_accel, head),
    {.key = "vendor", .kind = CN_BIND_TEXT, .offset = offsetof(raw_accel, a.vendor)},
    {.key = "generation",
     .kind = CN_BIND_TEXT,
     .offset = offsetof(raw_accel, a.generation),
     .required = true},
    {.key = "year",
     .kind = CN_BIND_COUNT,
     .offset = offsetof(raw_accel, year),
     .min = 2010,
     .max = 2040},
    QUANTITY("mem", a.device.mem_bytes, CN_DIM_BYTES, 1e9, 4e12),
    QUANTITY("mem_bandwidth", a.device.mem_bytes_per_s, CN_DIM_BYTES_PER_S, 1e10, 1e14),
    QUANTITY("nic", a.nic_bytes_per_s, CN_DIM_BYTES_PER_S, 1e7, 1e12),
    QUANTITY("host", a.host_bytes_per_s, CN_DIM_BYTES_PER_S, 1e9, 2e12),
    QUANTITY("tdp", a.device.tdp_w, CN_DIM_WATT, 10, 20000),
    QUANTITY("launch_price", a.launch_year_price_usd, CN_DIM_MONEY, 10, 1e7),
    NODE("peak_dense", peak),
    NODE("scale_up", scale_up),
    NODE("efficiency", efficiency),
    NODE("efficiency_scale", efficiency_scale),
};

#define PEAK(key_, i)                                                                              \
    {                                                                                              \
        .key = key_, .kind = CN_BIND_QUANTITY, .dim = CN_DIM_FLOP_PER_S,                           \
        .offset = offsetof(cn_device, peak_flop_per_s) + (i) * sizeof(double), .min = 1e11,        \
        .max = 1e17                                                                                \
    }

static const cn_bind_field peak_fields[] = {
    PEAK("fp32", CN_FP32), PEAK("tf32", CN_TF32), PEAK("fp16", CN_FP16), PEAK("bf16", CN_BF16),
    PEAK("fp8", CN_FP8),   PEAK("fp4", CN_FP4),   PEAK("int8", CN_INT8),
};

typedef struct raw_link {
    double bytes_per_s, domain;
    int per, direction;
} raw_link;

static const char *const per_names[] = {"device", NULL};
static const char *const direction_names[] = {"one-way", NULL};

/* per and direction have one value each: they are written so that a reader need not guess. */
static const cn_bind_field link_fields[] = {
    {.key = "bandwidth",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_BYTES_PER_S,
     .offset = offsetof(raw_link, bytes_per_s),
     .min = 1e9,
     .max = 1e13},
    {.key = "per", .kind = CN_BIND_ENUM, .names = per_names, .offset = offsetof(raw_link, per)},
    {.key = "direction",
     .kind = CN_BIND_ENUM,
     .names = direction_names,
     .offset = offsetof(raw_link, direction)},
    {.key = "domain",
     .kind = CN_BIND_COUNT,
     .offset = offsetof(raw_link, domain),
     .min = 1,
     .max = 1e6},
};

static void bind_constants(cn_ctx *cx, cn_catalog *c, const cn_node *node, raw_accel *r)
{
    cn_eff_default(&r->a.device.eff);
    const cn_generation *g = r->a.generation ? find_generation(c, r->a.generation) : NULL;
    if (g)
        r->a.device.eff = g->eff;
    else if (r->a.generation) {
        const char *near = cn_text_nearest(r->a.generation, generation_at, c->n_generations, c);
        cn_problem(cx, &node->at, "unknown generation \"%s\"", r->a.generation);
        cn_hint(cx, near ? "did you mean %s?" : "add it to efficiency.yaml%s", near ? near : "");
    }
    if (r->efficiency)
        cn_bind(cx, r->efficiency, "efficiency", eff_fields, N_EFF, &r->a.device.eff, NULL);
}

static void scale_constants(cn_ctx *cx, const cn_node *map, cn_eff *eff)
{
    cn_eff scale;
    if (!map)
        return;
#define X(name, def, lo, hi, unit, help) scale.name = 1;
    CN_EFF_LIST(X)
#undef X
    cn_bind(cx, map, "efficiency_scale", scale_fields, N_EFF, &scale, NULL);
#define X(name, def, lo, hi, unit, help) eff->name = fmin(fmax(eff->name * scale.name, lo), hi);
    CN_EFF_LIST(X)
#undef X
}

static cn_code finish(cn_ctx *cx, cn_catalog *c, const cn_node *node, raw_accel *r)
{
    raw_link link = {.bytes_per_s = NAN, .domain = NAN};
    if (r->peak)
        cn_bind(cx, r->peak, "peak_dense", peak_fields, sizeof peak_fields / sizeof *peak_fields,
                &r->a.device, NULL);
    if (r->scale_up)
        cn_bind(cx, r->scale_up, "scale_up", link_fields, sizeof link_fields / sizeof *link_fields,
                &link, NULL);
    r->a.scale_up_bytes_per_s = link.bytes_per_s;
    r->a.scale_up_domain = link.domain;
    const cn_node *calibrated;
    bind_constants(cx, c, node, r);
    CN_TRY(cn_calibrated(cx, c, "devices", r->head.id ? r->head.id : "", &calibrated));
    scale_constants(cx, calibrated, &r->a.device.eff);
    scale_constants(cx, r->efficiency_scale, &r->a.device.eff);
    cn_head_source(cx, node, &r->head, &r->a.source);
    CN_TRY(cn_head_aliases(cx, &r->head, &r->a.n_aliases, &r->a.alias));
    r->a.id = r->head.id;
    r->a.name = r->head.name ? r->head.name : r->head.id;
    r->a.year = (int)r->year;
    return cn_problems(cx);
}

cn_code cn_read_accel(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry)
{
    raw_accel r = {0};
    r.a.device.mem_bytes = r.a.device.mem_bytes_per_s = NAN;
    r.a.nic_bytes_per_s = r.a.host_bytes_per_s = r.a.launch_year_price_usd = NAN;
    CN_TRY(cn_read_generations(cx, c));
    cn_bind(cx, node, "accelerator", accel_fields, sizeof accel_fields / sizeof *accel_fields, &r,
            NULL);
    cn_code code = finish(cx, c, node, &r);
    *(cn_accel *)entry = r.a;
    return code;
}
