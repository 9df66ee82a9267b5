/*
 * coll.h - time of a collective among a group of devices, on the slowest tier the group crosses.
 *
 * Devices are numbered so that a group of `ranks` with `stride` holds devices 0, stride, 2 stride,
 * ...; groups with small stride (tensor parallel) lie inside a scale-up domain, wide ones cross
 * NICs. When a group crosses nodes, min(stride, domain) such groups run at once and share the
 * node's NICs evenly; a ring that visits r ranks of a node enters and leaves it once, so it may use
 * the NICs of all of them.
 *
 *     all-reduce   2 (p-1)/p n/B + hops          [patarasuk2009]
 *     all-gather, reduce-scatter   half of it
 *     all-to-all   n (p-1)/p, split into the share that stays inside the domain and the share that
 * leaves
 *
 * Latency grows with log2 p (trees and recursive algorithms), charged per step of the tier.
 * [thakur2005]
 */
#ifndef CARNOT_MODEL_COLL_H
#define CARNOT_MODEL_COLL_H

#include "model/hardware.h"

typedef struct cn_group {
    double ranks;                             /* p */
    double inside;                            /* ranks of the group inside one scale-up domain */
    double bytes_per_s;                       /* B of a ring, per rank, one direction, as reached */
    double near_bytes_per_s, far_bytes_per_s; /* all-to-all: inside a domain, across */
    double hop_s;                             /* fixed time of one collective */
} cn_group;

/* placement: the slowest tier the job's nodes are spread over (CN_TIER_RAIL when all in one zone).
 */
cn_group cn_group_of(const cn_device *d, const cn_fabric *f, double ranks, double stride);

double cn_allreduce_s(const cn_group *g, double bytes); /* [patarasuk2009] */
double
cn_gather_s(const cn_group *g,
            double bytes); /* all-gather or reduce-scatter of `bytes` in all [patarasuk2009] */
double cn_alltoall_s(const cn_group *g,
                     double bytes); /* bytes each rank sends, own share included [thakur2005] */
double cn_exchange_s(const cn_group *g, double near_bytes,
                     double far_bytes);           /* all-to-all, counted [thakur2005] */
double cn_p2p_s(const cn_group *g, double bytes); /* to the neighbour [hockney1994] */

#endif
