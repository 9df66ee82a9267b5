/* purchase.c - see purchase.h. */
#include <math.h>

#include "model/purchase.h"

static double share_cost(double ratio, double per_h)
{
    return ratio > 0 ? ratio * per_h : 0;
}

double cn_mix_per_h(const cn_mix *m)
{
    double rest = 1 - m->reserved_ratio - m->spot_ratio;
    if (!(rest > -1e-9) || m->reserved_ratio < 0 || m->spot_ratio < 0)
        return NAN;
    if (rest < 1e-12) /* 0.7 + 0.3 leaves rounding, not devices */
        rest = 0;
    return share_cost(m->reserved_ratio, m->reserved_per_h) +
           share_cost(m->spot_ratio, m->spot_per_h) + share_cost(rest, m->on_demand_per_h);
}

double cn_mix_base_per_h(const cn_mix *m)
{
    return fmin(fmin(m->reserved_per_h, m->on_demand_per_h), cn_mix_per_h(m));
}

double cn_commitment_break_even_ratio(double reserved_per_h, double on_demand_per_h)
{
    return reserved_per_h / on_demand_per_h;
}

double cn_owned_per_h(double capex, double years, double rate_per_year, double watts,
                      double power_per_kwh, double pue_ratio)
{
    double hours = years * 8760;
    double interest = capex / 2 * rate_per_year / 8760;
    return capex / hours + interest + watts / 1000 * pue_ratio * power_per_kwh;
}

double cn_compute_cost(double devices, double wall_s, double per_device_h)
{
    return devices * wall_s / 3600 * per_device_h;
}
