/* cost_rest.c - network, database and cache, logs and metrics, operations. */
#include <math.h>

#include "estimate/build.h"
#include "model/netcost.h"
#include "model/storage.h"

static cn_fig *gigabytes(cn_build *b, const char *label, double bytes, const char *formula)
{
    return cn_fig_formula(b, "gigabytes", label, "GB", bytes / 1e9, formula, NULL);
}

static cn_fig *free_of_charge(cn_build *b, const char *unit)
{
    cn_fig *f = cn_fig_new(b->cx, "price", _("price"), cn_text_of(b, "%s/%s", b->e->currency, unit),
                           0, CN_BASIS_ASSUMED, "aws2024ec2");
    f->why = _("traffic inside a zone is not billed");
    return f;
}

static void network(cn_build *b, const char *id, const char *label, cn_calibre c, cn_fig *quantity,
                    cn_fig *price)
{
    cn_item_add(b, id, label, CN_DIM_COST_network, c, quantity, price);
}

static const char *role_of_place(int place)
{
    return place == CN_PLACE_CROSS_REGION ? "cross-region"
           : place == CN_PLACE_PUBLIC     ? "egress"
                                          : "cross-zone";
}

/* Traffic of the training itself: free inside a zone, by the ring's crossings beyond. */
static void training_traffic(cn_build *b)
{
    cn_estimate *e = b->e;
    int place = b->s->cluster.placement;
    double sent = e->step.tp_bytes + e->step.cp_bytes + e->step.ep_bytes + e->step.pp_bytes +
                  e->step.dp_bytes;
    if (place < CN_PLACE_CROSS_ZONE) {
        network(b, "local_traffic", _("traffic between devices in one zone"), CN_CALIBRE_ELASTIC,
                gigabytes(b, _("sent by all devices"), sent * e->devices * e->steps,
                          "bytes on the wire per device and step x devices x steps"),
                free_of_charge(b, "GB"));
        return;
    }
    double places = cn_assume(b, NAN, CN_DEFAULT_places);
    network(b, "sync_traffic", _("gradients between zones or regions"), CN_CALIBRE_ELASTIC,
            gigabytes(b, _("gradient rings that cross"),
                      cn_crossing_bytes(&e->train, &e->step, places) * e->steps,
                      "rings x places x dp_bytes x steps"),
            cn_money_rate(b, role_of_place(place), NULL));
}

static void data_traffic(cn_build *b)
{
    const cn_spec_data *d = &b->s->data;
    double bytes = b->e->tokens * b->e->train.data_bytes_per_token;
    if (d->location < 0)
        cn_assume_text(b, "data.location", "same-zone", _("the data is near the accelerators"),
                       NULL);
    if (d->location >= CN_PLACE_CROSS_ZONE)
        network(b, "data_traffic", _("training data from another place"), CN_CALIBRE_ELASTIC,
                gigabytes(b, _("data read"), bytes, "tokens x bytes_per_token"),
                cn_money_rate(b, role_of_place(d->location), NULL));
    if (d->public_download_bytes > 0)
        network(b, "import", _("public data, imported once"), CN_CALIBRE_ELASTIC,
                gigabytes(b, _("imported"), d->public_download_bytes, NULL),
                cn_money_rate(b, "import", NULL));
}

void cn_cost_network(cn_build *b)
{
    const cn_spec_network *s = &b->s->network;
    double sync = cn_assume(b, s->sync_bytes, CN_DEFAULT_sync_bytes);
    double egress = cn_assume(b, s->egress_bytes, CN_DEFAULT_egress_bytes);
    training_traffic(b);
    data_traffic(b);
    if (sync > 0)
        network(b, "copies", _("copies to other zones or regions"), CN_CALIBRE_ELASTIC,
                gigabytes(b, _("copied"), sync, NULL),
                cn_money_rate(b, role_of_place(s->sync_place), NULL));
    if (egress > 0)
        network(b, "egress", _("traffic to the public net"), CN_CALIBRE_ELASTIC,
                gigabytes(b, _("sent"), egress, NULL), cn_money_rate(b, "egress", NULL));
    if (s->fixed_per_month > 0)
        network(b, "lines", _("leased lines and load balancers"), CN_CALIBRE_FIXED,
                cn_months_of_run(b),
                cn_money_given(b, s->fixed_per_month, s->currency, "month", _("lines per month")));
}

/* A quantity that grows with the wall time: its value, with the wall time's range. */
static cn_fig *with_time(cn_build *b, const char *key, const char *label, const char *unit,
                         double per_s, const char *formula)
{
    cn_fig *wall = b->e->wall_time;
    cn_fig *f = cn_fig_formula(b, key, label, unit, per_s * wall->value, formula, NULL);
    cn_fig_range(f, per_s * wall->lo, per_s * wall->hi);
    cn_fig_input(b->cx, f, wall);
    return f;
}

cn_fig *cn_months_of_run(cn_build *b)
{
    return with_time(b, "months", _("months of the run"), "month", 1 / cn_month_s(),
                     "wall_time_s / 730 h");
}

static void database(cn_build *b)
{
    const cn_spec_database *s = &b->s->database;
    if (!isnan(s->per_month)) {
        cn_item_add(b, "database_fee", _("database"), CN_DIM_COST_database, CN_CALIBRE_FIXED,
                    cn_months_of_run(b),
                    cn_money_given(b, s->per_month, s->currency, "month", _("database per month")));
    } else {
        double n = cn_assume(b, s->instances, CN_DEFAULT_db_instances);
        cn_item_add(b, "metadata", _("database of metadata and experiments"), CN_DIM_COST_database,
                    CN_CALIBRE_FIXED,
                    with_time(b, "instance_hours", _("instance-hours"), "h", n / 3600,
                              "instances x wall_time_s / 3600"),
                    cn_money_rate(b, "database", s->instance));
    }
    double cache = cn_assume(b, s->cache_gb, CN_DEFAULT_cache_gb);
    if (!(cache > 0))
        return;
    double nodes = ceil(cache / cn_assume(b, NAN, CN_DEFAULT_cache_node_gb));
    cn_item_add(b, "memory_cache", _("in-memory cache"), CN_DIM_COST_database, CN_CALIBRE_FIXED,
                with_time(b, "instance_hours", _("instance-hours"), "h", nodes / 3600,
                          "cache / GB of an instance, rounded up, x wall_time_s / 3600"),
                cn_money_rate(b, "cache", NULL));
}

static void observability(cn_build *b)
{
    const cn_spec_observability *s = &b->s->observability;
    double devices = b->e->devices;
    double rate = cn_assume(b, s->log_bytes_per_device_s, CN_DEFAULT_log_bytes);
    double keep = cn_assume(b, s->log_sample_ratio, CN_DEFAULT_log_sample);
    double series = cn_assume(b, s->metric_series_per_device, CN_DEFAULT_series);
    double months = cn_assume(b, s->retention_s, CN_DEFAULT_observe_retention_s) / cn_month_s();
    double gb_per_s = rate * devices * keep / 1e9;
    cn_item_add(b, "log_ingest", _("logs taken in"), CN_DIM_COST_observability, CN_CALIBRE_ELASTIC,
                with_time(b, "gigabytes", _("log volume"), "GB", gb_per_s,
                          "bytes per device and second x devices x share kept x wall_time_s"),
                cn_money_rate(b, "log-ingest", NULL));
    cn_item_add(b, "log_store", _("logs kept"), CN_DIM_COST_observability, CN_CALIBRE_ELASTIC,
                with_time(b, "gb_months", _("logs x retention"), "GB-month", gb_per_s * months,
                          "log volume x retention"),
                cn_money_rate(b, "log-store", NULL));
    cn_item_add(b, "metrics", _("metric series"), CN_DIM_COST_observability, CN_CALIBRE_ELASTIC,
                with_time(b, "series_months", _("series x time"), "series-month",
                          series * devices / cn_month_s(),
                          "series per device x devices x months of the run"),
                cn_money_rate(b, "metrics", NULL));
}

static void staff(cn_build *b, const char *id, const char *label, cn_fig *hours)
{
    const cn_spec_operations *s = &b->s->operations;
    cn_fig *price = isnan(s->staff_per_h)
                        ? cn_money_rate(b, "staff", NULL)
                        : cn_money_given(b, s->staff_per_h, s->currency, "h", _("hour of staff"));
    cn_item_add(b, id, label, CN_DIM_COST_operations, CN_CALIBRE_HIDDEN, hours, price);
}

static bool is_complex(const cn_layout *l)
{
    return l->tp > 1 || l->pp > 1 || l->cp > 1 || l->ep > 1;
}

static cn_fig *failure_hours(cn_build *b, double each)
{
    cn_fig *n = b->e->failures;
    cn_fig *f = cn_fig_formula(b, "hours", _("staff hours"), "h", n->value * each,
                               "failures x hours per failure", NULL);
    cn_fig_range(f, n->lo * each, n->hi * each);
    cn_fig_input(b->cx, f, n);
    return f;
}

static void operations(cn_build *b)
{
    const cn_spec_operations *s = &b->s->operations;
    double day = cn_assume(b, s->staff_h_per_day, CN_DEFAULT_staff_day);
    double failure = cn_assume(b, s->staff_h_per_failure, CN_DEFAULT_staff_failure);
    cn_fig *setup =
        cn_assume_fig(b, s->staff_h_setup, CN_DEFAULT_staff_setup, "hours", _("staff hours"));
    cn_fig *data =
        cn_assume_fig(b, s->staff_h_data, CN_DEFAULT_staff_data, "hours", _("staff hours"));
    cn_fig *watch =
        with_time(b, "hours", _("staff hours"), "h", day / 86400, "hours per day x days");
    cn_fig *repair = failure_hours(b, failure);
    staff(b, "staff_setup", _("setting up the environment"), setup);
    staff(b, "staff_data", _("cleaning data"), data);
    staff(b, "staff_watch", _("on call and tuning"), watch);
    staff(b, "staff_failures", _("hunting failures"), repair);
    double extra = isnan(s->complexity_ratio) && !is_complex(&b->e->train.layout)
                       ? 0
                       : cn_assume(b, s->complexity_ratio, CN_DEFAULT_complexity);
    if (extra > 0) {
        double h = setup->value + data->value + watch->value + repair->value;
        cn_fig *more = cn_fig_formula(b, "hours", _("staff hours"), "h", extra * h,
                                      "complexity x all staff hours", NULL);
        cn_fig_range(more, extra * (h - watch->value - repair->value + watch->lo + repair->lo),
                     extra * (h - watch->value - repair->value + watch->hi + repair->hi));
        staff(b, "staff_complexity", _("extra care of a complex layout"), more);
    }
    if (s->tooling_per_month > 0)
        cn_item_add(b, "tooling", _("tools"), CN_DIM_COST_operations, CN_CALIBRE_FIXED,
                    cn_months_of_run(b),
                    cn_money_given(b, s->tooling_per_month, s->tooling_currency, "month",
                                   _("tools per month")));
}

void cn_cost_rest(cn_build *b)
{
    database(b);
    observability(b);
    operations(b);
}
