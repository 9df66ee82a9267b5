/*
 * csv.h - RFC 4180 rows from a text in memory: quotes, newlines inside quotes, CRLF, BOM, missing
 * final newline.
 *
 * For catalogs and score files (megabytes); the bill reader has its own hot path.
 * Lifecycle:  cn_csv_open()  ->  cn_csv_next() until it returns false  (nothing to close:
 * cx->arena)
 */
#ifndef CARNOT_BASE_CSV_H
#define CARNOT_BASE_CSV_H

#include "base/ctx.h"

typedef struct cn_csv {
    const char *file, *text;
    size_t len, pos;
    int line;      /* line of the current row's first byte */
    int next_line; /* line that pos stands in */
    size_t n_columns;
    const char **column; /* header names, blanks trimmed */
    const char **field;  /* current row: n_columns texts, "" when empty */
} cn_csv;

/* Reads the header. Errors: CN_EINPUT (empty, duplicate column, bad quoting, not UTF-8). */
cn_code cn_csv_open(cn_ctx *cx, const char *file, const char *text, size_t len, cn_csv *csv);

/* Next row into csv->field; *more is false at the end. A row with another number of fields is an
 * error. */
cn_code cn_csv_next(cn_ctx *cx, cn_csv *csv, bool *more);

/* Index of a column, or -1. */
int cn_csv_column(const cn_csv *csv, const char *name);

/* Field of the current row by column name; "" if the column does not exist. */
const char *cn_csv_get(const cn_csv *csv, const char *name);

#endif
