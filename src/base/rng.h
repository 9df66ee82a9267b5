/*
 * rng.h - seeded random numbers (xoshiro256++, splitmix64 seeding); the same on every platform.
 */
#ifndef CARNOT_BASE_RNG_H
#define CARNOT_BASE_RNG_H

#include <stdint.h>

typedef struct cn_rng {
    uint64_t s[4];
} cn_rng;

void cn_rng_seed(cn_rng *r, uint64_t seed);
void cn_rng_stream(cn_rng *r, uint64_t seed,
                   uint64_t stream); /* independent stream per work item */
uint64_t cn_rng_u64(cn_rng *r);
double cn_rng_unit(cn_rng *r);                /* [0, 1) with 53 bits */
double cn_rng_normal(cn_rng *r);              /* mean 0, sd 1 */
double cn_rng_exp(cn_rng *r);                 /* mean 1 */
uint64_t cn_rng_below(cn_rng *r, uint64_t n); /* 0 .. n-1, unbiased; n >= 1 */

#endif
