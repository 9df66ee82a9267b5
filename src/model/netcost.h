/*
 * netcost.h - traffic that is billed: what crosses a border during a run, and what it costs.
 */
#ifndef CARNOT_MODEL_NETCOST_H
#define CARNOT_MODEL_NETCOST_H

#include "model/train.h"

/*
 * Bytes of one step that cross between `places` zones or regions over which the job's nodes are
 * spread evenly. Only gradient and weight rings cross (tensor, expert and pipeline groups are kept
 * in one place): each of the tp x pp rings enters and leaves each place once, carrying what one
 * device sends. [patarasuk2009]
 */
double cn_crossing_bytes(const cn_train *t, const cn_step *s, double places);

/* Bytes at a price per 10^9 bytes; progressive price lists are several of these. [aws2024ec2] */
double cn_traffic_cost(double bytes, double per_gb);

#endif
