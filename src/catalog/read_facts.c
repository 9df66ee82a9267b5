/* read_facts.c - small tables: rates of what is not compute, failures, scaling laws, exchange. */
#include <math.h>
#include <string.h>

#include "base/bind.h"
#include "catalog/read.h"

#define FIELD(kind_, dim_, key_, type, member, lo, hi)                                             \
    {                                                                                              \
        .key = key_, .kind = kind_, .dim = dim_, .offset = offsetof(type, member), .min = lo,      \
        .max = hi                                                                                  \
    }
#define TEXT(key_, type, member)                                                                   \
    {                                                                                              \
        .key = key_, .kind = CN_BIND_TEXT, .offset = offsetof(type, member), .required = true      \
    }
#define N(fields) (sizeof(fields) / sizeof *(fields))

static void need_date(cn_ctx *cx, const cn_node *node, const char *what, const char *date)
{
    double t;
    if (date && cn_catalog_date(date, &t))
        return;
    cn_problem(cx, &node->at, "a %s has no date", what);
    cn_hint(cx, "add date: YYYY-MM-DD, the day it was read");
}

static void need_currency(cn_ctx *cx, const cn_node *node, const char *code)
{
    bool is_code = strlen(code) == 3;
    for (int i = 0; is_code && i < 3; i++)
        is_code = code[i] >= 'A' && code[i] <= 'Z';
    if (!is_code)
        cn_problem(cx, &node->at, "\"%s\" is not a currency of three capital letters", code);
}

/* ------------------------------------------------------------------------------------- rates */

typedef struct raw_rate {
    cn_head head;
    cn_rate r;
    char retrieval_currency[4];
} raw_rate;

static const cn_bind_field rate_fields[] = {
    CN_HEAD_FIELDS(raw_rate, head),
    TEXT("kind", raw_rate, r.kind),
    TEXT("provider", raw_rate, r.provider),
    TEXT("unit", raw_rate, r.unit),
    TEXT("date", raw_rate, r.date),
    {.key = "price",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_MONEY,
     .offset = offsetof(raw_rate, r.price),
     .currency_offset = offsetof(raw_rate, r.currency),
     .min = 0,
     .max = 1e7,
     .required = true},
    {.key = "retrieval",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_MONEY_PER_GB,
     .offset = offsetof(raw_rate, r.retrieval_per_gb),
     .currency_offset = offsetof(raw_rate, retrieval_currency),
     .min = 0,
     .max = 100},
    FIELD(CN_BIND_QUANTITY, CN_DIM_BYTES_PER_S, "throughput_per_tb", raw_rate, r.bytes_per_s_per_tb,
          1e3, 1e13),
    FIELD(CN_BIND_QUANTITY, CN_DIM_SECONDS, "latency", raw_rate, r.latency_s, 1e-7, 1e6),
    FIELD(CN_BIND_COUNT, CN_DIM_COUNT, "min_days", raw_rate, r.min_days, 0, 4000),
};

cn_code cn_read_rate(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry)
{
    (void)c;
    raw_rate r = {.r = {.price = NAN, .bytes_per_s_per_tb = NAN, .latency_s = NAN}};
    r.r.min_days = r.r.retrieval_per_gb = NAN;
    cn_bind(cx, node, "rate", rate_fields, N(rate_fields), &r, NULL);
    cn_head_source(cx, node, &r.head, &r.r.source);
    need_date(cx, node, "price", r.r.date);
    if (*r.retrieval_currency && strcmp(r.retrieval_currency, r.r.currency) != 0)
        cn_problem(cx, &node->at, "price is in %s and retrieval in %s", r.r.currency,
                   r.retrieval_currency);
    r.r.id = r.head.id;
    *(cn_rate *)entry = r.r;
    return cn_problems(cx);
}

/* ---------------------------------------------------------------------------------- failures */

typedef struct raw_failure {
    cn_head head;
    cn_failure_rate f;
} raw_failure;

static const cn_bind_field failure_fields[] = {
    CN_HEAD_FIELDS(raw_failure, head),
    {.key = "per_device_day",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_COUNT,
     .offset = offsetof(raw_failure, f.per_device_day),
     .min = 0,
     .max = 1,
     .required = true},
    FIELD(CN_BIND_QUANTITY, CN_DIM_SECONDS, "detect", raw_failure, f.detect_s, 0, 1e6),
    FIELD(CN_BIND_QUANTITY, CN_DIM_SECONDS, "restart", raw_failure, f.restart_s, 0, 1e6),
};

cn_code cn_read_failure(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry)
{
    (void)c;
    raw_failure r = {.f = {.per_device_day = NAN, .detect_s = NAN, .restart_s = NAN}};
    cn_bind(cx, node, "failure rate", failure_fields, N(failure_fields), &r, NULL);
    cn_head_source(cx, node, &r.head, &r.f.source);
    r.f.id = r.head.id;
    *(cn_failure_rate *)entry = r.f;
    return cn_problems(cx);
}

/* -------------------------------------------------------------------------------------- laws */

typedef struct raw_law {
    cn_head head;
    cn_law l;
} raw_law;

#define COEFFICIENT(name, lo, hi)                                                                  \
    {                                                                                              \
        .key = #name, .kind = CN_BIND_QUANTITY, .dim = CN_DIM_COUNT,                               \
        .offset = offsetof(raw_law, l.name), .min = lo, .max = hi, .required = true                \
    }

static const cn_bind_field law_fields[] = {
    CN_HEAD_FIELDS(raw_law, head),
    COEFFICIENT(e, 0.1, 10),
    COEFFICIENT(a, 1e-3, 1e9),
    COEFFICIENT(b, 1e-3, 1e9),
    COEFFICIENT(alpha, 0.01, 2),
    COEFFICIENT(beta, 0.01, 2),
    FIELD(CN_BIND_QUANTITY, CN_DIM_PARAMS, "params_lo", raw_law, l.params_lo, 1e3, 1e15),
    FIELD(CN_BIND_QUANTITY, CN_DIM_PARAMS, "params_hi", raw_law, l.params_hi, 1e3, 1e15),
    FIELD(CN_BIND_QUANTITY, CN_DIM_TOKENS, "tokens_lo", raw_law, l.tokens_lo, 1e3, 1e18),
    FIELD(CN_BIND_QUANTITY, CN_DIM_TOKENS, "tokens_hi", raw_law, l.tokens_hi, 1e3, 1e18),
};

cn_code cn_read_law(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry)
{
    (void)c;
    raw_law r = {.l = {.params_lo = NAN, .params_hi = NAN, .tokens_lo = NAN, .tokens_hi = NAN}};
    cn_bind(cx, node, "law", law_fields, N(law_fields), &r, NULL);
    cn_head_source(cx, node, &r.head, &r.l.source);
    r.l.id = r.head.id;
    *(cn_law *)entry = r.l;
    return cn_problems(cx);
}

/* ---------------------------------------------------------------------------------- exchange */

typedef struct raw_fx {
    cn_head head;
    const char *from, *to;
    cn_fx fx;
} raw_fx;

static const cn_bind_field fx_fields[] = {
    CN_HEAD_FIELDS(raw_fx, head),
    TEXT("from", raw_fx, from),
    TEXT("to", raw_fx, to),
    TEXT("date", raw_fx, fx.date),
    {.key = "rate",
     .kind = CN_BIND_QUANTITY,
     .dim = CN_DIM_COUNT,
     .offset = offsetof(raw_fx, fx.rate),
     .min = 1e-6,
     .max = 1e6,
     .required = true},
};

cn_code cn_read_fx(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry)
{
    (void)c;
    raw_fx r = {.from = "", .to = ""};
    cn_bind(cx, node, "exchange rate", fx_fields, N(fx_fields), &r, NULL);
    cn_head_source(cx, node, &r.head, &r.fx.source);
    need_date(cx, node, "rate", r.fx.date);
    need_currency(cx, node, r.from);
    need_currency(cx, node, r.to);
    strncpy(r.fx.from, r.from, 3);
    strncpy(r.fx.to, r.to, 3);
    *(cn_fx_entry *)entry = (cn_fx_entry){r.head.id, r.fx};
    return cn_problems(cx);
}
