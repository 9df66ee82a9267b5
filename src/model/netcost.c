/* netcost.c - see netcost.h. */
#include <math.h>

#include "model/netcost.h"

double cn_crossing_bytes(const cn_train *t, const cn_step *s, double places)
{
    double ranks = cn_train_dp_ranks(t);
    if (!(places > 1) || ranks <= 1)
        return 0;
    double rings = cn_layout_devices(&t->layout) / ranks;
    return rings * fmin(places, ranks) * s->dp_bytes;
}

double cn_traffic_cost(double bytes, double per_gb)
{
    return bytes / 1e9 * per_gb;
}
