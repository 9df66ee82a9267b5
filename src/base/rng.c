/* rng.c - xoshiro256++ seeded by splitmix64. Source: [blackman2021]. */
#include <math.h>

#include "base/rng.h"

static uint64_t splitmix(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void cn_rng_seed(cn_rng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        r->s[i] = splitmix(&seed);
}

void cn_rng_stream(cn_rng *r, uint64_t seed, uint64_t stream)
{
    uint64_t x = stream ^ 0xd1b54a32d192ed03u;
    cn_rng_seed(r, seed ^ splitmix(&x));
}

static uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

uint64_t cn_rng_u64(cn_rng *r)
{
    uint64_t *s = r->s, out = rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return out;
}

double cn_rng_unit(cn_rng *r)
{
    return (double)(cn_rng_u64(r) >> 11) * 0x1p-53;
}

double cn_rng_normal(cn_rng *r)
{
    double u = 1 - cn_rng_unit(r), v = cn_rng_unit(r);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v); /* [box1958] */
}

double cn_rng_exp(cn_rng *r)
{
    return -log(1 - cn_rng_unit(r));
}

uint64_t cn_rng_below(cn_rng *r, uint64_t n)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % n, x = cn_rng_u64(r);
    while (x >= limit)
        x = cn_rng_u64(r);
    return x % n;
}
