/*
 * read_framework.c - training frameworks: their habits and their calibrated constants.
 *
 * The names and ranges of the constants come from CN_SOFT_LIST, nowhere else.
 */
#include "base/bind.h"
#include "catalog/read.h"

static const cn_bind_field soft_fields[] = {
#define X(name_, def, lo, hi, unit, help_)                                                         \
    {.key = #name_,                                                                                \
     .kind = CN_BIND_QUANTITY,                                                                     \
     .dim = CN_DIM_COUNT,                                                                          \
     .offset = offsetof(cn_soft, name_),                                                           \
     .min = lo,                                                                                    \
     .max = hi,                                                                                    \
     .help = help_},
    CN_SOFT_LIST(X)
#undef X
};

typedef struct raw_framework {
    cn_head head;
    cn_framework f;
    const cn_node *constants;
} raw_framework;

#define FLAG(name)                                                                                 \
    {                                                                                              \
        .key = #name, .kind = CN_BIND_BOOL, .offset = offsetof(raw_framework, f.name)              \
    }

static const cn_bind_field fields[] = {
    CN_HEAD_FIELDS(raw_framework, head),
    FLAG(has_flash),
    FLAG(has_fp32_grads),
    FLAG(is_sp),
    FLAG(has_fused_loss),
    FLAG(has_fp8_weights),
    FLAG(reports_reserved),
    {.key = "constants", .kind = CN_BIND_NODE, .offset = offsetof(raw_framework, constants)},
};

cn_code cn_read_framework(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry)
{
    raw_framework r = {0};
    const cn_node *calibrated;
    cn_soft_default(&r.f.soft);
    cn_bind(cx, node, "framework", fields, sizeof fields / sizeof *fields, &r, NULL);
    CN_TRY(cn_calibrated(cx, c, "frameworks", r.head.id ? r.head.id : "", &calibrated));
    if (!calibrated) /* no run of it was measured: what today's frameworks have in common */
        CN_TRY(cn_calibrated(cx, c, "frameworks", "default", &calibrated));
    if (calibrated)
        cn_bind(cx, calibrated, "constants", soft_fields, sizeof soft_fields / sizeof *soft_fields,
                &r.f.soft, NULL);
    if (r.constants && r.constants->kind != CN_NODE_NULL)
        cn_bind(cx, r.constants, "constants", soft_fields, sizeof soft_fields / sizeof *soft_fields,
                &r.f.soft, NULL);
    cn_head_source(cx, node, &r.head, &r.f.source);
    cn_code code = cn_head_aliases(cx, &r.head, &r.f.n_aliases, &r.f.alias);
    r.f.id = r.head.id;
    *(cn_framework *)entry = r.f;
    return code;
}
