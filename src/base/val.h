/*
 * val.h - a JSON-like value in an arena: what machine output is made of, written the same way
 * everywhere.
 *
 * Objects keep insertion order. Numbers print as the shortest text that reads back; NaN and
 * infinity print as null. Builders are sticky on memory failure: they record it in the context and
 * return a harmless value.
 */
#ifndef CARNOT_BASE_VAL_H
#define CARNOT_BASE_VAL_H

#include "base/buf.h"

typedef enum {
    CN_VAL_NULL,
    CN_VAL_BOOL,
    CN_VAL_NUM,
    CN_VAL_INT,
    CN_VAL_STR,
    CN_VAL_ARR,
    CN_VAL_OBJ
} cn_val_kind;

typedef struct cn_val {
    cn_val_kind kind;
    bool flag;
    double num;
    long long i64;
    const char *str;
    size_t n, cap;
    struct cn_val **item;
    const char **key;
} cn_val;

cn_val *cn_val_null(cn_ctx *cx);
cn_val *cn_val_bool(cn_ctx *cx, bool b);
cn_val *cn_val_num(cn_ctx *cx, double x);
cn_val *cn_val_int(cn_ctx *cx, long long i);
cn_val *cn_val_str(cn_ctx *cx, const char *s); /* copies; NULL gives null */
cn_val *cn_val_arr(cn_ctx *cx);
cn_val *cn_val_obj(cn_ctx *cx);
void cn_val_push(cn_ctx *cx, cn_val *arr, cn_val *item);
void cn_val_put(cn_ctx *cx, cn_val *obj, const char *key, cn_val *item);
const cn_val *cn_val_get(const cn_val *obj, const char *key);

/* indent 0 = one line. */
void cn_val_json(cn_buf *out, const cn_val *v, int indent);

#endif
