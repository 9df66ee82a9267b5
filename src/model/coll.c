/* coll.c - see coll.h for the formulas. */
#include <math.h>

#include "model/coll.h"

/* Nearest tier whose reach covers a span of devices. */
static cn_tier tier_of(const cn_fabric *f, double span)
{
    int last = CN_TIER_NODE;
    for (int t = CN_TIER_NODE; t < CN_N_TIERS; t++) {
        if (!(f->bytes_per_s[t] > 0))
            continue;
        last = t;
        double reach = t == CN_TIER_NODE ? f->domain : f->devices[t];
        if (!(reach > 0) || span <= reach)
            return (cn_tier)t;
    }
    return (cn_tier)last;
}

cn_group cn_group_of(const cn_device *d, const cn_fabric *f, double ranks, double stride)
{
    const cn_eff *e = &d->eff;
    double domain = f->domain >= 1 ? f->domain : 1;
    double near = f->bytes_per_s[CN_TIER_NODE];
    cn_tier tier = tier_of(f, ranks * stride);
    cn_group g = {.ranks = ranks};
    g.inside = fmax(1, fmin(ranks, floor(domain / stride)));
    g.near_bytes_per_s = near * e->a2a_ratio;
    if (tier == CN_TIER_NODE) {
        g.bytes_per_s = near * e->scale_up_ratio;
        g.far_bytes_per_s = g.near_bytes_per_s;
        g.inside = ranks;
        g.hop_s = e->scale_up_hop_s * (1 + 0.25 * log2(fmax(1, ranks)));
        return g;
    }
    double far = f->bytes_per_s[tier];
    double ring = far * fmin(g.inside, domain) * e->scale_out_ratio;
    g.bytes_per_s = g.inside > 1 ? fmin(ring, near * e->scale_up_ratio) : ring;
    g.far_bytes_per_s = far * e->a2a_ratio;
    g.hop_s = (e->scale_out_hop_s + f->hop_s[tier]) * (1 + log2(fmax(1, ranks / g.inside)));
    return g;
}

double cn_gather_s(const cn_group *g, double bytes)
{
    if (g->ranks <= 1)
        return 0;
    return (g->ranks - 1) / g->ranks * bytes / g->bytes_per_s + g->hop_s;
}

double cn_allreduce_s(const cn_group *g, double bytes)
{
    return 2 * cn_gather_s(g, bytes);
}

double cn_exchange_s(const cn_group *g, double near_bytes, double far_bytes)
{
    /* both links work at once: the slower one decides */
    return fmax(near_bytes / g->near_bytes_per_s, far_bytes / g->far_bytes_per_s) + g->hop_s;
}

double cn_alltoall_s(const cn_group *g, double bytes)
{
    if (g->ranks <= 1)
        return 0;
    return cn_exchange_s(g, (g->inside - 1) / g->ranks * bytes,
                         (g->ranks - g->inside) / g->ranks * bytes);
}

double cn_p2p_s(const cn_group *g, double bytes)
{
    double link = g->inside > 1 ? g->near_bytes_per_s : g->far_bytes_per_s;
    return g->ranks <= 1 ? 0 : bytes / link + g->hop_s;
}
