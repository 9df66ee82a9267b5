/*
 * bind.h - a tree's map -> a C struct, by a table: types, units, ranges, names, "did you mean".
 *
 * Unknown keys are problems (with the nearest known key as hint); wrong types, units and
 * out-of-range values are problems; all of a file's problems are reported in one run. Absent keys
 * leave the struct untouched, so defaults are set before binding; seen[i] tells which fields were
 * given.
 *
 *     static const cn_bind_field fields[] = {
 *         { .key = "layers", .kind = CN_BIND_COUNT, .offset = offsetof(shape, n_layers), .min = 1,
 * .max = 10000 }, { .key = "mem", .kind = CN_BIND_QUANTITY, .dim = CN_DIM_BYTES, .offset =
 * offsetof(dev, mem_bytes) },
 *     };
 */
#ifndef CARNOT_BASE_BIND_H
#define CARNOT_BASE_BIND_H

#include "base/tree.h"
#include "base/unit.h"

typedef enum {
    CN_BIND_TEXT,     /* const char *     any scalar */
    CN_BIND_COUNT,    /* double           whole number >= 0 ("4096", "128k") */
    CN_BIND_INT,      /* int              whole number */
    CN_BIND_QUANTITY, /* double           in the base unit of .dim; money also sets .currency_offset
                         if given */
    CN_BIND_BOOL,     /* bool             true, false, yes, no */
    CN_BIND_ENUM,     /* int              index into .names */
    CN_BIND_NODE      /* const cn_node *  left to the caller */
} cn_bind_kind;

typedef struct cn_bind_field {
    const char *key;
    cn_bind_kind kind;
    size_t offset;
    cn_dim dim;
    double min, max; /* in base units; both 0 = no range, but nothing below zero or absurd */
    const char *const *names; /* ENUM: NULL-terminated */
    size_t currency_offset;   /* MONEY: offset of a char[4]; 0 = the currency must be USD */
    bool required;
    bool allow_auto;  /* the scalar "auto" is accepted: field stays untouched, seen stays false,
                         is_auto set */
    const char *help; /* one line for `help spec` */
} cn_bind_field;

/* what names the map in messages ("cluster"). seen may be NULL, else one bool per field. */
cn_code cn_bind(cn_ctx *cx, const cn_node *map, const char *what, const cn_bind_field *fields,
                size_t n_fields, void *out, bool *seen);

#endif
