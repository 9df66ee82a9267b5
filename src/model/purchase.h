/*
 * purchase.h - how capacity is bought: a mix of commitments, on demand and spot, and what it adds.
 */
#ifndef CARNOT_MODEL_PURCHASE_H
#define CARNOT_MODEL_PURCHASE_H

/* Shares of the devices; they add up to 1. Prices are per device-hour; NaN = not offered. */
typedef struct cn_mix {
    double reserved_ratio, spot_ratio; /* the rest is on demand */
    double reserved_per_h, spot_per_h, on_demand_per_h;
} cn_mix;

/* Mean price of a device-hour; a share of 0 needs no price. Weighted mean. [aws2024ec2] */
double cn_mix_per_h(const cn_mix *m);

/* The lowest price that cannot be taken away: of reserved and on demand. [aws2024ec2] */
double cn_mix_base_per_h(const cn_mix *m);

/*
 * Share of a commitment's term that has to be used before it is cheaper than on demand: the ratio
 * of the two prices. [aws2024ec2]
 */
double cn_commitment_break_even_ratio(double reserved_per_h, double on_demand_per_h);

/*
 * An hour of an owned device: price spread evenly over its years, money's yearly cost on half of
 * it, and power with cooling. [barroso2018]
 */
double cn_owned_per_h(double capex, double years, double rate_per_year, double watts,
                      double power_per_kwh, double pue_ratio);

/* Money a run takes in compute alone: device-hours x price. [aws2024ec2] */
double cn_compute_cost(double devices, double wall_s, double per_device_h);

#endif
