/*
 * cost.c - the cost tree: six dimensions, each item quantity x price with a calibre.
 *
 * Calibre: fixed is paid whatever the run does (commitments, standby nodes, data at rest), elastic
 * follows the work, hidden is what nobody ordered (time lost to failures, staff). An item without a
 * price stays in the tree as unknown, and every sum over it is partial.
 */
#include <math.h>

#include "estimate/build.h"
#include "model/storage.h"

static const struct {
    const char *id, *label;
} dimensions[CN_N_DIMENSIONS] = {
#define X(name, label) {#name, label},
    CN_DIMENSION_LIST(X)
#undef X
};

const char *cn_dimension_id(cn_dimension d)
{
    return dimensions[d].id;
}

const char *cn_calibre_id(cn_calibre c)
{
    static const char *const ids[CN_N_CALIBRES] = {"fixed", "elastic", "hidden"};
    return ids[c];
}

void cn_item_add(cn_build *b, const char *id, const char *label, cn_dimension d, cn_calibre c,
                 cn_fig *quantity, cn_fig *price)
{
    cn_estimate *e = b->e;
    if (e->n_items == CN_MAX_ITEMS)
        return;
    cn_fig *cost = cn_fig_times(b, id, label, e->currency, quantity, price);
    if (quantity->known && quantity->value == 0 && !price->known) {
        /* nothing of something without a price costs nothing */
        cost = cn_fig_new(b->cx, id, label, e->currency, 0, CN_BASIS_FORMULA, NULL);
        cn_fig_input(b->cx, cost, quantity);
    }
    e->item[e->n_items++] = (cn_item){id, d, c, quantity, price, cost, NULL};
    cn_fig_add(b->cx, e->dimension[d], cost);
}

/* A share of the device-hours of the run, with their range. */
static cn_fig *hours(cn_build *b, const char *label, double ratio, const char *formula)
{
    cn_fig *all = b->e->device_hours;
    cn_fig *f = cn_fig_formula(b, "hours", label, "h", all->value * ratio, formula, NULL);
    cn_fig_range(f, all->lo * ratio, all->hi * ratio);
    cn_fig_input(b->cx, f, all);
    return f;
}

static double failed_ratio(const cn_campaign *c)
{
    return (c->detection_s + c->restart_s + c->lost_s + c->unsaved_s) / c->wall_s;
}

static void kept_hours(cn_build *b, const char *id, const char *label, cn_calibre c, double share,
                       cn_fig *price)
{
    double ratio = share * (1 - failed_ratio(&b->e->campaign));
    if (share > 0)
        cn_item_add(b, id, label, CN_DIM_COST_compute, c,
                    hours(b, _("device-hours"), ratio,
                          "device_hours x share x (1 - share lost to failures)"),
                    price);
}

static void idle_devices(cn_build *b, const char *id, const char *label, double devices)
{
    cn_estimate *e = b->e;
    cn_item_add(
        b, id, label, CN_DIM_COST_compute, CN_CALIBRE_FIXED,
        hours(b, _("device-hours"), devices / e->devices, "idle devices x wall_time_s / 3600"),
        b->device_h);
}

static void compute(cn_build *b)
{
    cn_estimate *e = b->e;
    const cn_mix *m = &e->mix;
    double rest = 1 - m->reserved_ratio - m->spot_ratio;
    kept_hours(b, "reserved", _("reserved devices"), CN_CALIBRE_FIXED, m->reserved_ratio,
               b->reserved_h);
    kept_hours(b, "on_demand", _("devices on demand"), CN_CALIBRE_ELASTIC, rest < 1e-12 ? 0 : rest,
               b->on_demand_h);
    kept_hours(b, "spot", _("devices on spot"), CN_CALIBRE_ELASTIC, m->spot_ratio, b->spot_h);
    cn_item_add(b, "failed_hours", _("device time lost to failures"), CN_DIM_COST_compute,
                CN_CALIBRE_HIDDEN,
                hours(b, _("device-hours"), failed_ratio(&e->campaign),
                      "detection, restarts and repeated work"),
                b->device_h);
    double spares = isnan(b->s->cluster.spares) ? 0 : b->s->cluster.spares;
    double over = e->nodes * e->devices_per_node - e->devices;
    if (isnan(b->s->cluster.spares))
        cn_assume_text(b, "cluster.spares", "0", _("no standby nodes are named"), NULL);
    if (spares > 0)
        idle_devices(b, "standby", _("standby nodes"), spares * e->devices_per_node);
    if (over > 0)
        idle_devices(b, "unused", _("devices of whole nodes that are not used"), over);
    double cores = b->s->data.preprocess_core_h;
    if (cores > 0)
        cn_item_add(b, "preprocessing", _("preparing data on CPU nodes"), CN_DIM_COST_compute,
                    CN_CALIBRE_ELASTIC,
                    cn_fig_given(b, "core_hours", _("core-hours"), "core-h", cores),
                    cn_money_rate(b, "cpu", NULL));
}

cn_code cn_cost_make(cn_build *b)
{
    cn_estimate *e = b->e;
    for (int i = 0; i < CN_N_DIMENSIONS; i++)
        e->dimension[i] = cn_fig_sum(b->cx, dimensions[i].id, _(dimensions[i].label), e->currency);
    compute(b);
    cn_cost_storage(b);
    cn_cost_network(b);
    cn_cost_rest(b);
    e->cost = cn_fig_sum(b->cx, "effective_cost", _("effective cost"), e->currency);
    for (int i = 0; i < CN_N_DIMENSIONS; i++)
        cn_fig_add(b->cx, e->cost, e->dimension[i]);
    cn_fig_input(b->cx, e->root, e->cost);
    cn_fig_input(b->cx, e->root, b->device_h);
    return cn_problems(b->cx);
}
