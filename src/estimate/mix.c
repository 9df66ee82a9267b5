/*
 * mix.c - how the devices are bought, and what one costs for an hour.
 *
 * The user's own price wins. Then the catalog's price of the node, of the accelerator, or of the
 * cheapest node that has it; an owned node is priced from what it cost. Without a mode the devices
 * are bought on demand where that is offered: a commitment outlives the run, spot may end it.
 */
#include <math.h>
#include <string.h>

#include "estimate/build.h"

static const char *const buy_names[] = {"on-demand", "spot", "reserved-1y", "reserved-3y"};

typedef struct {
    const char *item;
    double devices; /* in one item */
} goods;

static double per_device(const cn_price *p, double devices)
{
    return p->is_per_accel ? p->per_hour : p->per_hour / devices;
}

static const cn_price *price_of(cn_build *b, const goods *g, cn_buy buy)
{
    return g->item ? cn_catalog_price(b->cx, b->cat, g->item, b->s->purchase.region, buy) : NULL;
}

static bool is_offered(cn_build *b, const goods *g)
{
    for (int i = 0; i < CN_N_BUYS; i++)
        if (price_of(b, g, (cn_buy)i))
            return true;
    return false;
}

/* The cheapest node on demand that has this accelerator; prices in other currencies come last. */
static goods cheapest_node(cn_build *b, const char *accel)
{
    size_t n;
    const cn_node_type *all = cn_catalog_nodes(b->cx, b->cat, &n);
    goods best = {0};
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        const cn_spec_purchase *p = &b->s->purchase;
        if (strcmp(all[i].accelerator, accel) != 0 ||
            (p->provider && strcmp(all[i].provider, p->provider) != 0))
            continue;
        goods g = {all[i].id, all[i].n_accel};
        const cn_price *price = price_of(b, &g, CN_BUY_ON_DEMAND);
        double x = price ? per_device(price, g.devices) : INFINITY;
        if (price && strcmp(price->currency, "USD") != 0)
            x *= 1000;
        if (x < least) {
            least = x;
            best = g;
            b->provider = all[i].provider;
        }
    }
    return best;
}

static goods find_goods(cn_build *b)
{
    const cn_spec_cluster *c = &b->s->cluster;
    goods node = {c->node ? c->node->id : NULL, c->node ? c->node->n_accel : 1};
    goods device = {c->accel->id, 1};
    if (node.item && is_offered(b, &node))
        return node;
    if (is_offered(b, &device) && !node.item)
        return device;
    if (node.item)
        return node;
    goods other = cheapest_node(b, c->accel->id);
    if (other.item)
        cn_assume_text(b, "cluster.node", other.item,
                       _("the cheapest node with this accelerator gives the price"), NULL);
    return other;
}

static const char *price_label(cn_buy buy)
{
    static const char *const labels[] = {N_("device-hour on demand"), N_("device-hour on spot"),
                                         N_("device-hour reserved for a year"),
                                         N_("device-hour reserved for three years")};
    return _(labels[buy]);
}

static cn_fig *unknown_price(cn_build *b, const goods *g, cn_buy buy)
{
    const char *why = g->item
                          ? cn_text_of(b, _("no %s price of %s is known"), buy_names[buy], g->item)
                          : cn_text_of(b, _("no price of %s is known"), b->s->cluster.accel->id);
    return cn_fig_unknown(b->cx, "price", price_label(buy), cn_text_of(b, "%s/h", b->e->currency),
                          why);
}

static cn_fig *catalog_price(cn_build *b, const goods *g, cn_buy buy)
{
    const cn_price *p = price_of(b, g, buy);
    if (!p)
        return unknown_price(b, g, buy);
    if (b->date[buy] == NULL)
        b->date[buy] = p->date;
    return cn_money_fact(b, per_device(p, g->devices), p->currency, "h", price_label(buy),
                         &p->source, p->date);
}

/* A node that was bought: its price over its years with money's cost, and power with cooling. */
static cn_fig *owned_price(cn_build *b)
{
    const cn_node_type *node = b->s->cluster.node;
    double years = cn_assume(b, NAN, CN_DEFAULT_own_years);
    double rate = cn_assume(b, NAN, CN_DEFAULT_own_rate);
    double pue = cn_assume(b, NAN, CN_DEFAULT_pue);
    double capital = cn_owned_per_h(node->capex_usd, years, rate, 0, 0, 1) / node->n_accel;
    const char *unit = cn_text_of(b, "%s/h", b->e->currency);
    cn_fig *sum = cn_fig_sum(b->cx, "price", _("hour of an owned device"), unit);
    cn_fig_add(b->cx, sum,
               cn_money_fact(b, capital, "USD", "h", _("capital of an owned device"), &node->source,
                             node->source.checked));
    cn_fig *kwh =
        cn_fig_new(b->cx, "power", _("power with cooling"), "kWh/h",
                   node->watts / 1000 * pue / node->n_accel, CN_BASIS_CATALOG, "barroso2018");
    cn_fig_add(b->cx, sum,
               cn_fig_times(b, "power_price", _("power with cooling"), unit, kwh,
                            cn_money_rate(b, "power", NULL)));
    return sum;
}

static cn_fig *discounted(cn_build *b, cn_fig *on_demand)
{
    cn_fig *rest = cn_fig_given(b, "rest_ratio", _("share of the price that is left"), "ratio",
                                1 - b->s->purchase.reserved_discount_ratio);
    return cn_fig_times(b, "price", _("device-hour reserved"), on_demand->unit, on_demand, rest);
}

static void settle_prices(cn_build *b)
{
    const cn_spec_purchase *p = &b->s->purchase;
    if (!isnan(p->price_per_accel_h)) {
        cn_fig *own = cn_money_given(b, p->price_per_accel_h, p->currency, "h",
                                     _("your price of a device-hour"));
        b->on_demand_h = b->reserved_h = b->spot_h = own;
        for (int i = 0; i < CN_N_BUYS; i++)
            b->date[i] = p->price_date;
        return;
    }
    goods g = find_goods(b);
    bool three = p->mode == CN_BUY_RESERVED_3Y;
    b->on_demand_h = catalog_price(b, &g, CN_BUY_ON_DEMAND);
    b->reserved_h = catalog_price(b, &g, three ? CN_BUY_RESERVED_3Y : CN_BUY_RESERVED_1Y);
    b->spot_h = catalog_price(b, &g, CN_BUY_SPOT);
    if (!b->reserved_h->known && p->mode < 0)
        b->reserved_h = catalog_price(b, &g, CN_BUY_RESERVED_3Y);
    if (!b->reserved_h->known && b->on_demand_h->known && !isnan(p->reserved_discount_ratio))
        b->reserved_h = discounted(b, b->on_demand_h);
    const cn_node_type *node = b->s->cluster.node;
    if (!b->on_demand_h->known && !b->reserved_h->known && node && node->capex_usd > 0)
        b->on_demand_h = owned_price(b);
}

static void settle_shares(cn_build *b, cn_mix *m)
{
    const cn_spec_purchase *p = &b->s->purchase;
    m->spot_ratio = isnan(p->spot_ratio) ? 0 : p->spot_ratio;
    m->reserved_ratio = isnan(p->reserved_ratio) ? 0 : p->reserved_ratio;
    if (p->mode == CN_BUY_SPOT && isnan(p->spot_ratio))
        m->spot_ratio = 1 - m->reserved_ratio;
    if (p->mode >= CN_BUY_RESERVED_1Y && isnan(p->reserved_ratio))
        m->reserved_ratio = 1 - m->spot_ratio;
    bool is_open = p->mode < 0 && isnan(p->spot_ratio) && isnan(p->reserved_ratio);
    if (!is_open)
        return;
    if (!b->on_demand_h->known && b->reserved_h->known)
        m->reserved_ratio = 1;
    else if (!b->on_demand_h->known && b->spot_h->known)
        m->spot_ratio = 1;
    cn_assume_text(b, "purchase.mode",
                   buy_names[m->reserved_ratio > 0 ? CN_BUY_RESERVED_1Y
                             : m->spot_ratio > 0   ? CN_BUY_SPOT
                                                   : CN_BUY_ON_DEMAND],
                   _("no commitment outlives the run"), NULL);
}

static void mixed_price(cn_build *b, double ratio, cn_fig *price, cn_fig *mix)
{
    if (!(ratio > 0))
        return;
    cn_fig *share = cn_fig_given(b, "share_ratio", _("share of the devices"), "ratio", ratio);
    cn_fig_add(b->cx, mix, cn_fig_times(b, "share_price", price->label, mix->unit, share, price));
}

/* A mean over shares of which one has no price is no price. */
static const char *why_unknown(const cn_fig *mix)
{
    for (size_t i = 0; i < mix->n; i++)
        if (!mix->part[i]->known)
            return mix->part[i]->why;
    return NULL;
}

void cn_settle_purchase(cn_build *b)
{
    const cn_spec *s = b->s;
    cn_mix *m = &b->e->mix;
    b->provider = s->purchase.provider ? s->purchase.provider
                  : s->cluster.node    ? s->cluster.node->provider
                                       : NULL;
    settle_prices(b);
    settle_shares(b, m);
    m->on_demand_per_h = b->on_demand_h->value;
    m->reserved_per_h = b->reserved_h->value;
    m->spot_per_h = b->spot_h->value;
    b->e->per_device_h = cn_mix_per_h(m);
    b->e->base_per_device_h = cn_mix_base_per_h(m);
    cn_fig *mix = cn_fig_sum(b->cx, "price_per_device_h", _("price of a device-hour"),
                             cn_text_of(b, "%s/h", b->e->currency));
    mixed_price(b, m->reserved_ratio, b->reserved_h, mix);
    mixed_price(b, m->spot_ratio, b->spot_h, mix);
    double rest = 1 - m->reserved_ratio - m->spot_ratio;
    mixed_price(b, rest < 1e-12 ? 0 : rest, b->on_demand_h, mix);
    cn_buy used = m->reserved_ratio > m->spot_ratio ? CN_BUY_RESERVED_1Y : CN_BUY_SPOT;
    if (rest >= fmax(m->reserved_ratio, m->spot_ratio))
        used = CN_BUY_ON_DEMAND;
    if (used == CN_BUY_RESERVED_1Y && !b->date[used])
        used = CN_BUY_RESERVED_3Y;
    b->e->price_date = b->date[used];
    const char *why = why_unknown(mix);
    b->device_h = why ? cn_fig_unknown(b->cx, mix->key, mix->label, mix->unit, why) : mix;
}
