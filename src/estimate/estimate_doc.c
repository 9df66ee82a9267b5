/*
 * estimate_doc.c - carnot.estimate/1: the machine form and the page, from the same figures.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "base/unit.h"
#include "estimate/estimate.h"

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static const char *const recomputes[] = {"none", "selective", "full"};

static void put_num(cn_ctx *cx, cn_val *o, const char *key, double x)
{
    cn_val_put(cx, o, key, cn_val_num(cx, x));
}

static void put_text(cn_ctx *cx, cn_val *o, const char *key, const char *text)
{
    cn_val_put(cx, o, key, cn_val_str(cx, text));
}

static void put_fig(cn_ctx *cx, cn_val *o, const char *key, const cn_fig *f)
{
    cn_val_put(cx, o, key, cn_fig_val(cx, f));
}

/* ------------------------------------------------------------------------------ machine form */

/* {key: the whole, parts: {...}} */
static cn_val *with_parts(cn_ctx *cx, const char *key, const cn_fig *sum)
{
    cn_val *o = cn_val_obj(cx), *parts = cn_val_obj(cx);
    put_fig(cx, o, key, sum);
    for (size_t i = 0; i < sum->n; i++)
        put_fig(cx, parts, sum->part[i]->key, sum->part[i]);
    cn_val_put(cx, o, "parts", parts);
    return o;
}

static cn_val *limits_val(cn_ctx *cx, const cn_estimate *e)
{
    cn_val *list = cn_val_arr(cx);
    for (size_t i = 0; i < e->n_limits; i++) {
        const cn_limit *l = &e->limit[i];
        cn_val *o = cn_val_obj(cx);
        put_text(cx, o, "id", l->id);
        cn_val_put(cx, o, "ok", cn_val_bool(cx, l->ok));
        put_num(cx, o, "value", l->value);
        put_num(cx, o, "bound", l->bound);
        put_text(cx, o, "unit", l->unit);
        put_text(cx, o, "text", l->text);
        cn_val_push(cx, list, o);
    }
    return list;
}

static cn_val *remedies_val(cn_ctx *cx, const cn_estimate *e)
{
    cn_val *list = cn_val_arr(cx);
    for (size_t i = 0; i < e->n_remedies; i++) {
        cn_val *o = cn_val_obj(cx);
        put_text(cx, o, "set", e->remedy[i].change);
        put_num(cx, o, "peak_bytes", e->remedy[i].peak_bytes);
        put_num(cx, o, "step_time_ratio", e->remedy[i].time_ratio);
        cn_val_push(cx, list, o);
    }
    return list;
}

static cn_val *layout_val(cn_ctx *cx, const cn_estimate *e)
{
    const cn_layout *l = &e->train.layout;
    const struct {
        const char *key;
        int x;
    } row[] = {{"tp", l->tp},
               {"pp", l->pp},
               {"vp", l->vp},
               {"dp", l->dp},
               {"cp", l->cp},
               {"ep", l->ep},
               {"zero", l->zero},
               {"micro_batch", l->micro_batch},
               {"accumulation", l->n_micro}};
    cn_val *o = cn_val_obj(cx);
    for (size_t i = 0; i < COUNT_OF(row); i++)
        cn_val_put(cx, o, row[i].key, cn_val_int(cx, row[i].x));
    put_text(cx, o, "recompute", recomputes[l->recompute]);
    put_text(cx, o, "precision", cn_precision_name(e->train.precision));
    put_num(cx, o, "global_batch", e->train.global_batch);
    put_num(cx, o, "sequence", e->train.seq);
    return o;
}

static cn_val *item_val(cn_ctx *cx, const cn_item *i)
{
    cn_val *o = cn_val_obj(cx);
    put_text(cx, o, "id", i->id);
    put_text(cx, o, "label", i->cost->label);
    put_text(cx, o, "calibre", cn_calibre_id(i->calibre));
    put_fig(cx, o, "quantity", i->quantity);
    put_fig(cx, o, "price", i->price);
    put_num(cx, o, "cost", i->cost->value);
    if (!i->cost->known)
        put_text(cx, o, "reason", i->cost->why);
    return o;
}

static double calibre_total(const cn_estimate *e, cn_dimension d, cn_calibre c)
{
    double sum = 0;
    for (size_t i = 0; i < e->n_items; i++)
        if (e->item[i].dimension == d && e->item[i].calibre == c && e->item[i].cost->known)
            sum += e->item[i].cost->value;
    return sum;
}

static cn_val *dimension_val(cn_ctx *cx, const cn_estimate *e, cn_dimension d)
{
    cn_val *o = cn_val_obj(cx), *items = cn_val_arr(cx);
    put_text(cx, o, "id", cn_dimension_id(d));
    put_text(cx, o, "label", e->dimension[d]->label);
    for (int c = 0; c < CN_N_CALIBRES; c++)
        put_num(cx, o, cn_calibre_id((cn_calibre)c), calibre_total(e, d, (cn_calibre)c));
    put_num(cx, o, "total", e->dimension[d]->value);
    cn_val_put(cx, o, "partial", cn_val_bool(cx, e->dimension[d]->is_partial));
    for (size_t i = 0; i < e->n_items; i++)
        if (e->item[i].dimension == d)
            cn_val_push(cx, items, item_val(cx, &e->item[i]));
    cn_val_put(cx, o, "items", items);
    return o;
}

static cn_val *cost_val(cn_ctx *cx, const cn_estimate *e)
{
    cn_val *o = cn_val_obj(cx), *list = cn_val_arr(cx);
    put_text(cx, o, "currency", e->currency);
    put_num(cx, o, "total", e->cost->value);
    cn_val_put(cx, o, "partial", cn_val_bool(cx, e->cost->is_partial));
    put_fig(cx, o, "estimate", e->cost);
    for (int c = 0; c < CN_N_CALIBRES; c++) {
        double sum = 0;
        for (int d = 0; d < CN_N_DIMENSIONS; d++)
            sum += calibre_total(e, (cn_dimension)d, (cn_calibre)c);
        put_num(cx, o, cn_calibre_id((cn_calibre)c), sum);
    }
    for (int d = 0; d < CN_N_DIMENSIONS; d++)
        cn_val_push(cx, list, dimension_val(cx, e, (cn_dimension)d));
    cn_val_put(cx, o, "dimensions", list);
    return o;
}

static cn_val *waterfall_val(cn_ctx *cx, const cn_estimate *e)
{
    cn_val *list = cn_val_arr(cx);
    for (size_t i = 0; i < e->n_rungs; i++) {
        cn_val *o = cn_val_obj(cx);
        put_text(cx, o, "id", e->rung[i].id);
        put_text(cx, o, "label", e->rung[i].label);
        put_num(cx, o, "value", e->rung[i].value);
        cn_val_push(cx, list, o);
    }
    return list;
}

static cn_val *factors_val(cn_ctx *cx, const cn_estimate *e)
{
    cn_val *list = cn_val_arr(cx);
    for (size_t i = 0; i < e->n_factors; i++) {
        cn_val *o = cn_val_obj(cx);
        put_text(cx, o, "label", e->factor[i].label);
        put_num(cx, o, "cost_ratio", e->factor[i].cost_ratio);
        put_num(cx, o, "time_ratio", e->factor[i].time_ratio);
        put_text(cx, o, "risk", e->factor[i].risk);
        cn_val_push(cx, list, o);
    }
    return list;
}

static cn_val *assumed_val(cn_ctx *cx, const cn_estimate *e)
{
    cn_val *list = cn_val_arr(cx);
    for (size_t i = 0; i < e->n_assumed; i++) {
        cn_val *o = cn_val_obj(cx);
        put_text(cx, o, "key", e->assumed[i].key);
        put_text(cx, o, "value", e->assumed[i].text);
        put_text(cx, o, "why", e->assumed[i].why);
        if (e->assumed[i].source)
            put_text(cx, o, "source", e->assumed[i].source);
        cn_val_push(cx, list, o);
    }
    return list;
}

static cn_val *unit_val(cn_ctx *cx, const cn_estimate *e)
{
    cn_val *o = cn_val_obj(cx);
    put_text(cx, o, "currency", e->currency);
    for (size_t i = 0; i < e->unit->n; i++)
        put_fig(cx, o, e->unit->part[i]->key, e->unit->part[i]);
    return o;
}

static cn_val *model_val(cn_ctx *cx, const cn_estimate *e)
{
    cn_val *o = cn_val_obj(cx);
    put_text(cx, o, "id", e->spec->model->id);
    put_num(cx, o, "params", cn_shape_params(&e->shape));
    put_num(cx, o, "active_params", cn_shape_active_params(&e->shape));
    return o;
}

static void fill_data(cn_ctx *cx, cn_val *o, const cn_estimate *e)
{
    put_text(cx, o, "name", e->spec->name);
    cn_val_put(cx, o, "feasible", cn_val_bool(cx, e->is_feasible));
    cn_val_put(cx, o, "limits", limits_val(cx, e));
    cn_val_put(cx, o, "remedies", remedies_val(cx, e));
    cn_val_put(cx, o, "model", model_val(cx, e));
    put_text(cx, o, "accelerator", e->spec->cluster.accel->id);
    put_num(cx, o, "devices", e->devices);
    cn_val_put(cx, o, "layout", layout_val(cx, e));
    cn_val_put(cx, o, "memory", with_parts(cx, "peak_bytes", e->peak_bytes));
    cn_val_put(cx, o, "step", with_parts(cx, "time_s", e->step_time));
    const cn_fig *top[] = {e->mfu,        e->hfu,          e->goodput,
                           e->throughput, e->total_tokens, e->total_steps,
                           e->failures,   e->device_hours, e->read_need};
    for (size_t i = 0; i < COUNT_OF(top); i++)
        put_fig(cx, o, top[i]->key, top[i]);
    put_fig(cx, o, "wall_time_s", e->wall_time);
    cn_val_put(cx, o, "campaign", with_parts(cx, "wall_time_s", e->wall_time));
    cn_val *c = cn_val_obj(cx);
    put_fig(cx, c, "every_s", e->every);
    put_fig(cx, c, "bytes", e->checkpoint);
    put_num(cx, c, "every_steps", e->campaign.every_steps);
    put_num(cx, c, "saves", e->campaign.saves);
    cn_val_put(cx, o, "checkpoint", c);
    cn_val_put(cx, o, "cost", cost_val(cx, e));
    cn_val_put(cx, o, "waterfall", waterfall_val(cx, e));
    cn_val_put(cx, o, "unit", unit_val(cx, e));
    cn_val_put(cx, o, "factors", factors_val(cx, e));
    cn_val_put(cx, o, "assumed", assumed_val(cx, e));
}

/* ---------------------------------------------------------------------------------- the page */

static const char *subtitle(cn_ctx *cx, const cn_estimate *e)
{
    char a[64], c[64], d[64];
    double fp = 1, ft = 1;
    const char *up = cn_unit_scale(cn_shape_params(&e->shape), "params", &fp);
    const char *ut = cn_unit_scale(e->tokens, "tokens", &ft);
    cn_number_sig(cn_shape_params(&e->shape) / fp, 3, a);
    cn_number_sig(e->tokens / ft, 3, c);
    cn_number_text(e->devices, 0, d);
    const char *date = e->price_date ? e->price_date : NULL;
    char *text = cn_arena_printf(&cx->arena, "%s %s, %s %s, %s x %s%s%s", a, up, c, ut, d,
                                 e->spec->cluster.accel->name ? e->spec->cluster.accel->name
                                                              : e->spec->cluster.accel->id,
                                 date ? _(", prices of ") : "", date ? date : "");
    return text ? text : "";
}

static void key_figures(cn_ctx *cx, cn_doc *doc, const cn_estimate *e)
{
    cn_doc_block *f = cn_doc_figures(cx, doc, "key", NULL);
    const cn_fig *mtok = cn_fig_find(e->unit, "cost_per_mtok");
    const cn_fig *row[] = {e->peak_bytes,   e->step_time, e->throughput,
                           e->mfu,          e->goodput,   e->wall_time,
                           e->device_hours, e->cost,      mtok ? mtok : e->cost};
    for (size_t i = 0; i < COUNT_OF(row); i++)
        cn_doc_figure(cx, f, row[i]);
}

static void limits_notes(cn_ctx *cx, cn_doc *doc, const cn_estimate *e)
{
    for (size_t i = 0; i < e->n_limits; i++)
        if (!e->limit[i].ok)
            cn_doc_note(cx, doc, _("Limit %s: %s."), e->limit[i].id, e->limit[i].text);
    if (e->fits)
        return;
    if (e->n_remedies == 0) {
        cn_doc_note(cx, doc,
                    _("No single change and no pair of changes makes it fit: use more "
                      "devices or a smaller model."));
        return;
    }
    const cn_col cols[] = {
        {"set", _("change that makes it fit"), "", CN_COL_TEXT},
        {"peak_bytes", _("peak memory"), "bytes", CN_COL_NUMBER},
        {"step_time_ratio", _("step time against now"), "ratio", CN_COL_RATIO},
    };
    cn_table *t = cn_doc_table(cx, doc, "remedies", _("Smallest changes that make it fit"), cols,
                               COUNT_OF(cols));
    for (size_t i = 0; i < e->n_remedies; i++) {
        cn_cell *cell = cn_table_row(cx, t);
        cn_cell_text(cx, &cell[0], e->remedy[i].change);
        cell[1].num = e->remedy[i].peak_bytes;
        cell[2].num = e->remedy[i].time_ratio;
    }
}

static void layout_note(cn_ctx *cx, cn_doc *doc, const cn_estimate *e)
{
    const cn_layout *l = &e->train.layout;
    cn_doc_note(cx, doc,
                _("Layout: tp %d, pp %d, vp %d, cp %d, ep %d, dp %d, zero %d, recompute %s, %s; "
                  "%.0f sequences a step as %d micro-batches of %d on %d replicas."),
                l->tp, l->pp, l->vp, l->cp, l->ep, l->dp, l->zero, recomputes[l->recompute],
                cn_precision_name(e->train.precision), e->train.global_batch, l->n_micro,
                l->micro_batch, l->dp);
}

/* The parts of a sum with their share. */
static void parts_table(cn_ctx *cx, cn_doc *doc, const char *id, const char *title,
                        const cn_fig *sum)
{
    const cn_col cols[] = {
        {"part", _("part"), "", CN_COL_TEXT},
        {"value", _("value"), sum->unit, CN_COL_NUMBER},
        {"share_ratio", _("share"), "ratio", CN_COL_RATIO},
    };
    cn_table *t = cn_doc_table(cx, doc, id, title, cols, COUNT_OF(cols));
    for (size_t i = 0; i <= sum->n; i++) {
        const cn_fig *f = i < sum->n ? sum->part[i] : sum;
        if (i < sum->n && f->value == 0)
            continue;
        cn_cell *cell = cn_table_row(cx, t);
        cn_cell_text(cx, &cell[0], f->label);
        cell[1].num = f->value;
        cell[2].num = f->value / sum->value;
    }
    t->has_total = true;
}

/* File, line and date of a source, without its text. */
static const char *place_only(cn_ctx *cx, const char *source)
{
    const char *end = source ? strstr(source, ": ") : NULL;
    return end ? cn_arena_strn(&cx->arena, source, (size_t)(end - source)) : source;
}

static void cost_table(cn_ctx *cx, cn_doc *doc, const cn_estimate *e)
{
    const cn_col cols[] = {
        {"dimension", _("dimension"), "", CN_COL_TEXT},
        {"item", _("item"), "", CN_COL_TEXT},
        {"calibre", _("calibre"), "", CN_COL_TEXT},
        {"quantity", _("quantity"), "", CN_COL_NUMBER},
        {"unit", _("unit"), "", CN_COL_TEXT},
        {"price", _("price"), "", CN_COL_NUMBER},
        {"cost", _("cost"), e->currency, CN_COL_MONEY},
        {"price_source", _("price from"), "", CN_COL_TEXT},
    };
    cn_table *t = cn_doc_table(cx, doc, "cost", _("Cost: quantity x price"), cols, COUNT_OF(cols));
    for (size_t i = 0; i < e->n_items; i++) {
        const cn_item *it = &e->item[i];
        const cn_fig *price = it->price;
        while (!price->source && price->n)
            price = price->part[price->n > 1 && price->part[0]->unit[0] == 'r' ? 1 : 0];
        cn_cell *cell = cn_table_row(cx, t);
        cn_cell_text(cx, &cell[0], e->dimension[it->dimension]->label);
        cn_cell_text(cx, &cell[1], it->cost->label);
        cn_cell_text(cx, &cell[2], _(cn_calibre_id(it->calibre)));
        cell[3].num = it->quantity->value;
        cn_cell_text(cx, &cell[4], it->quantity->unit);
        cell[5].num = it->price->value;
        cell[6].num = it->cost->value;
        cn_cell_text(cx, &cell[7], it->cost->known ? place_only(cx, price->source) : it->cost->why);
    }
    cn_cell *cell = cn_table_row(cx, t);
    cn_cell_text(cx, &cell[0], e->cost->label);
    cell[6].num = e->cost->value;
    if (e->cost->is_partial)
        cn_cell_text(cx, &cell[7], _("at least: some prices are unknown"));
    t->has_total = true;
}

static void dimension_table(cn_ctx *cx, cn_doc *doc, const cn_estimate *e)
{
    const cn_col cols[] = {
        {"dimension", _("dimension"), "", CN_COL_TEXT},
        {"fixed", _("fixed"), e->currency, CN_COL_MONEY},
        {"elastic", _("elastic"), e->currency, CN_COL_MONEY},
        {"hidden", _("hidden"), e->currency, CN_COL_MONEY},
        {"total", _("total"), e->currency, CN_COL_MONEY},
    };
    double sum[CN_N_CALIBRES] = {0};
    cn_table *t = cn_doc_table(cx, doc, "dimensions", _("Cost by dimension"), cols, COUNT_OF(cols));
    for (int d = 0; d <= CN_N_DIMENSIONS; d++) {
        bool is_total = d == CN_N_DIMENSIONS;
        cn_cell *cell = cn_table_row(cx, t);
        cn_cell_text(cx, &cell[0], is_total ? e->cost->label : e->dimension[d]->label);
        for (int c = 0; c < CN_N_CALIBRES; c++) {
            double x = is_total ? sum[c] : calibre_total(e, (cn_dimension)d, (cn_calibre)c);
            sum[c] += is_total ? 0 : x;
            cell[1 + c].num = x;
        }
        cell[4].num = is_total ? e->cost->value : e->dimension[d]->value;
    }
    t->has_total = true;
}

static void waterfall_chart(cn_ctx *cx, cn_doc *doc, const cn_estimate *e)
{
    double y[CN_MAX_RUNGS + 1];
    const char *label[CN_MAX_RUNGS + 1];
    size_t n = 0;
    for (size_t i = 0; i < e->n_rungs; i++) {
        if (e->rung[i].value == 0)
            continue;
        y[n] = e->rung[i].value;
        label[n++] = e->rung[i].label;
    }
    y[n] = e->cost->value;
    label[n++] = e->cost->label;
    cn_chart *c = cn_doc_chart(cx, doc, CN_CHART_WATERFALL, "waterfall",
                               _("From the physical limit to the bill"), e->currency);
    double share = e->rung[0].value / e->cost->value;
    char *finding = cn_arena_printf(
        &cx->arena, _("%.0f %% of the cost is the physical limit; the rest is lost on the way"),
        100 * share);
    c->finding = isnan(share) ? _("compute has no price") : finding;
    cn_chart_series(cx, c, e->currency, n, NULL, y, label);
}

static void factors_table(cn_ctx *cx, cn_doc *doc, const cn_estimate *e)
{
    const cn_col cols[] = {
        {"change", _("the same run, but"), "", CN_COL_TEXT},
        {"cost_change_ratio", _("cost"), "ratio", CN_COL_RATIO},
        {"time_change_ratio", _("wall time"), "ratio", CN_COL_RATIO},
        {"risk", _("availability and risk"), "", CN_COL_TEXT},
    };
    if (e->n_factors == 0)
        return;
    cn_table *t = cn_doc_table(cx, doc, "factors", _("What moves the cost (change against now)"),
                               cols, COUNT_OF(cols));
    for (size_t i = 0; i < e->n_factors; i++) {
        cn_cell *cell = cn_table_row(cx, t);
        cn_cell_text(cx, &cell[0], e->factor[i].label);
        cell[1].num = e->factor[i].cost_ratio - 1;
        cell[2].num = e->factor[i].time_ratio - 1;
        cn_cell_text(cx, &cell[3], e->factor[i].risk);
    }
}

static void unit_figures(cn_ctx *cx, cn_doc *doc, const cn_estimate *e)
{
    cn_doc_block *f = cn_doc_figures(cx, doc, "unit", _("Unit costs"));
    for (size_t i = 0; i < e->unit->n; i++)
        if (strncmp(e->unit->part[i]->key, "usd_", 4) != 0)
            cn_doc_figure(cx, f, e->unit->part[i]);
    cn_doc_figure(cx, f, e->read_need);
}

static void assumed_table(cn_ctx *cx, cn_doc *doc, const cn_estimate *e)
{
    const cn_col cols[] = {
        {"key", _("not said"), "", CN_COL_TEXT},
        {"value", _("taken"), "", CN_COL_TEXT},
        {"why", _("because"), "", CN_COL_TEXT},
        {"source", _("source"), "", CN_COL_TEXT},
    };
    cn_table *t = cn_doc_table(cx, doc, "assumed", _("Assumptions"), cols, COUNT_OF(cols));
    for (size_t i = 0; i < e->n_assumed; i++) {
        cn_cell *cell = cn_table_row(cx, t);
        cn_cell_text(cx, &cell[0], e->assumed[i].key);
        cn_cell_text(cx, &cell[1], e->assumed[i].text);
        cn_cell_text(cx, &cell[2], e->assumed[i].why);
        cn_cell_text(cx, &cell[3], e->assumed[i].source);
    }
}

/* No saving without its price: what failures, checkpoints and full use put at risk. */
static void risk_notes(cn_ctx *cx, cn_doc *doc, const cn_estimate *e)
{
    const cn_campaign *c = &e->campaign;
    char a[64], d[64], f[64];
    double node_rate = e->campaign_in.per_device_day * e->devices / 86400;
    double spares = isnan(e->spec->cluster.spares) ? 0 : e->spec->cluster.spares;
    if (isinf(c->mtbf_s) || isnan(c->mtbf_s))
        return;
    cn_doc_note(cx, doc,
                _("Lost progress: a failure every %s h costs on average half of the %s min between "
                  "checkpoints; %s interruptions are expected."),
                cn_number_sig(c->mtbf_s / 3600, 3, a), cn_number_sig(c->every_s / 60, 3, d),
                cn_number_sig(c->failures, 3, f));
    double needed = cn_spares_needed(node_rate, e->repair_s, 0.05);
    double risk = cn_spares_short_probability(node_rate, e->repair_s, spares);
    if (needed > spares) /* otherwise a spare is there when it is wanted */
        cn_doc_note(
            cx, doc,
            _("Standby: with %.0f standby nodes and repairs of a day, %.0f %% of failures find "
              "none free; %.0f would bring that below 5 %%, for %.1f %% more devices."),
            spares, 100 * risk, needed, 100 * (needed - spares) * e->devices_per_node / e->devices);
    if (e->mix.spot_ratio > 0)
        cn_doc_note(cx, doc,
                    _("Spot: %.0f %% of the devices can be taken back; the finish is "
                      "uncertain, so keep a deadline on demand."),
                    100 * e->mix.spot_ratio);
    cn_doc_note(cx, doc,
                _("Isolation and access control are not traded for cost: no figure here assumes "
                  "shared credentials, public buckets or unencrypted copies."));
}

static void doubt_note(cn_ctx *cx, cn_doc *doc, const cn_estimate *e)
{
    cn_doc_note(cx, doc,
                _("Widest source of doubt: step time, +-%.0f %% for runs of this kind. `carnot "
                  "calibrate` on a few measured steps narrows it."),
                100 * e->spread_ratio);
}

static void page(cn_ctx *cx, cn_doc *doc, const cn_estimate *e)
{
    key_figures(cx, doc, e);
    limits_notes(cx, doc, e);
    layout_note(cx, doc, e);
    dimension_table(cx, doc, e);
    waterfall_chart(cx, doc, e);
    parts_table(cx, doc, "memory", _("Memory of the fullest device"), e->peak_bytes);
    parts_table(cx, doc, "step", _("One step"), e->step_time);
    parts_table(cx, doc, "campaign", _("The whole run"), e->wall_time);
    cost_table(cx, doc, e);
    unit_figures(cx, doc, e);
    factors_table(cx, doc, e);
    assumed_table(cx, doc, e);
    risk_notes(cx, doc, e);
    doubt_note(cx, doc, e);
}

static void summary_table(cn_ctx *cx, cn_doc *doc, const cn_estimate *const *e, size_t n)
{
    const cn_col cols[] = {
        {"name", _("run"), "", CN_COL_TEXT},
        {"feasible", _("feasible"), "", CN_COL_TEXT},
        {"peak_bytes", _("peak memory"), "bytes", CN_COL_NUMBER},
        {"step_time_s", _("step time"), "s", CN_COL_NUMBER},
        {"mfu_ratio", _("model FLOP utilisation"), "ratio", CN_COL_RATIO},
        {"wall_time_s", _("wall time"), "s", CN_COL_NUMBER},
        {"device_hours", _("device time"), "h", CN_COL_NUMBER},
        {"effective_cost", _("effective cost"), e[0]->currency, CN_COL_MONEY},
    };
    cn_table *t = cn_doc_table(cx, doc, "runs", NULL, cols, COUNT_OF(cols));
    for (size_t i = 0; i < n; i++) {
        cn_cell *cell = cn_table_row(cx, t);
        cn_cell_text(cx, &cell[0], e[i]->spec->name);
        cn_cell_text(cx, &cell[1], e[i]->is_feasible ? _("yes") : _("no"));
        cell[2].num = e[i]->peak_bytes->value;
        cell[3].num = e[i]->step.time_s;
        cell[4].num = e[i]->step.mfu_ratio;
        cell[5].num = e[i]->campaign.wall_s;
        cell[6].num = e[i]->device_hours->value;
        cell[7].num = e[i]->cost->value;
    }
}

cn_doc *cn_estimate_doc(cn_ctx *cx, const cn_estimate *const *e, size_t n)
{
    cn_doc *doc = cn_doc_new(cx, "carnot.estimate/1", n == 1 ? e[0]->spec->name : _("estimates"),
                             n == 1 ? subtitle(cx, e[0]) : NULL);
    for (size_t i = 0; i < n; i++)
        cn_val_push(cx, doc->inputs, cn_val_str(cx, e[i]->spec->file));
    if (n == 1) {
        fill_data(cx, doc->data, e[0]);
        page(cx, doc, e[0]);
        return doc;
    }
    cn_val *list = cn_val_arr(cx);
    summary_table(cx, doc, e, n);
    for (size_t i = 0; i < n; i++) {
        cn_val *o = cn_val_obj(cx);
        fill_data(cx, o, e[i]);
        cn_val_push(cx, list, o);
    }
    cn_val_put(cx, doc->data, "estimates", list);
    return doc;
}
