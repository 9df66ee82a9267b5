/*
 * unit.h - quantities with units, parsed and printed. SI base units inside; scaling only at the
 * edge.
 *
 * Every quantity of a spec names its unit: "15T tokens", "80 GB", "30d", "2.49 USD/h", "500 ms",
 * "5%". Decimal prefixes k M G T P E (B = 10^9 only before tokens/params), binary KiB MiB GiB TiB.
 * A bare number is accepted only where the dimension is a count or a ratio.
 */
#ifndef CARNOT_BASE_UNIT_H
#define CARNOT_BASE_UNIT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    CN_DIM_COUNT,        /* layers, devices, samples, plain numbers; "128k", "2M" allowed */
    CN_DIM_TOKENS,       /* "15T tokens", "300B", "2e12 tokens"            tokens */
    CN_DIM_PARAMS,       /* "8B params"                                    parameters */
    CN_DIM_BYTES,        /* "80 GB", "1.5 TiB"                             bytes */
    CN_DIM_BYTES_PER_S,  /* "450 GB/s", "400 Gb/s" (bits: lower-case b)    bytes/s */
    CN_DIM_FLOP,         /* "6e23 FLOP"                                    FLOP */
    CN_DIM_FLOP_PER_S,   /* "989.4 TFLOP/s"                                FLOP/s */
    CN_DIM_SECONDS,      /* "30d", "12 h", "500 ms", "90s", "1d 12h"       s */
    CN_DIM_RATIO,        /* "99%", "0.99"                                  ratio */
    CN_DIM_PER_S,        /* "50 req/s"                                     1/s */
    CN_DIM_WATT,         /* "700 W"                                        W */
    CN_DIM_MONEY,        /* "2M USD", "10000 CNY"                          amount, currency apart */
    CN_DIM_MONEY_PER_H,  /* "2.49 USD/h"                                   amount per hour */
    CN_DIM_MONEY_PER_GB, /* "0.09 USD/GB"                                  amount per 10^9 bytes */
    CN_DIM_MONEY_PER_GB_MONTH, /* "0.023 USD/GB-month"                      amount per 10^9 bytes
                                  and 730 h */
    CN_DIM_STEPS,              /* "10000 steps"                                  steps */
    CN_DIM_N
} cn_dim;

typedef struct cn_quantity {
    double value;     /* in the dimension's base unit */
    char currency[4]; /* "USD", "CNY", ... for money dimensions, else "" */
} cn_quantity;

/*
 * Parse a whole text. On failure *why is a static sentence ("unknown unit", "a unit is missing",
 * ...), and *example a valid text of that dimension.
 */
bool cn_unit_parse(const char *text, cn_dim dim, cn_quantity *out, const char **why,
                   const char **example);

/* The base unit's name as JSON and tables print it: "s", "bytes", "tokens", "FLOP/s", ... */
const char *cn_unit_base(cn_dim dim);

/*
 * Choose a readable scale for a value in base unit `unit` ("s", "bytes", "FLOP", "tokens", "USD",
 * ...): *scaled = value / factor and the scaled unit's name ("days", "GB", "PFLOP"); unknown units
 * come back as they are.
 */
const char *cn_unit_scale(double value, const char *unit, double *factor);

/* Digits with thousands separators ",", fixed decimals; "-" for NaN. buf >= 64 bytes. */
const char *cn_number_text(double value, int decimals, char *buf);

/* A readable number with about `digits` significant digits and thousands separators. buf >= 64. */
const char *cn_number_sig(double value, int digits, char *buf);

#endif
