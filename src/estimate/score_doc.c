/* score_doc.c - carnot.score/1: every row's prediction, and the accuracy table the README shows. */
#include <math.h>

#include "base/lang.h"
#include "estimate/score.h"

static cn_val *range(cn_ctx *cx, double value, double spread, const char *unit)
{
    if (!isfinite(value))
        return cn_val_null(cx);
    cn_val *o = cn_val_obj(cx);
    cn_val_put(cx, o, "lo", cn_val_num(cx, value / (1 + spread)));
    cn_val_put(cx, o, "value", cn_val_num(cx, value));
    cn_val_put(cx, o, "hi", cn_val_num(cx, value * (1 + spread)));
    cn_val_put(cx, o, "unit", cn_val_str(cx, unit));
    cn_val_put(cx, o, "basis", cn_val_str(cx, "formula"));
    cn_val_put(cx, o, "source", cn_val_str(cx, "model/step"));
    return o;
}

static cn_val *number(cn_ctx *cx, double x)
{
    return isfinite(x) ? cn_val_num(cx, x) : cn_val_null(cx);
}

static cn_val *measured_json(cn_ctx *cx, const cn_run *r)
{
    cn_val *o = cn_val_obj(cx);
    cn_val_put(cx, o, "iter_time_s", number(cx, cn_run_measured_s(r)));
    cn_val_put(cx, o, "peak_bytes", number(cx, r->peak_bytes));
    cn_val_put(cx, o, "gpu_hours", number(cx, r->gpu_hours));
    return o;
}

static void put_prediction(cn_ctx *cx, cn_val *o, const cn_run *r, const cn_prediction *p)
{
    const cn_step *s = &p->step;
    double w = p->spread_ratio, m = 0.06;
    cn_val_put(cx, o, "iter_time_s", range(cx, s->time_s, w, "s"));
    cn_val_put(cx, o, "tokens_per_s_per_device",
               range(cx, s->tokens_per_s_per_device, w, "tokens/s"));
    cn_val_put(cx, o, "mfu_ratio", range(cx, s->mfu_ratio, w, "ratio"));
    cn_val_put(cx, o, "hfu_ratio", range(cx, s->hfu_ratio, w, "ratio"));
    cn_val_put(cx, o, "peak_bytes", range(cx, p->peak_bytes, m, "bytes"));
    cn_val_put(cx, o, "fits", cn_val_bool(cx, p->fits));
    cn_val_put(cx, o, "gpu_hours", range(cx, p->gpu_hours, w, "h"));
    cn_val_put(cx, o, "output_tokens_per_s", cn_val_null(cx));
    cn_val_put(cx, o, "ttft_ms", cn_val_null(cx));
    cn_val_put(cx, o, "tpot_ms", cn_val_null(cx));
    cn_val_put(cx, o, "measured", measured_json(cx, r));
}

static cn_val *row_json(cn_ctx *cx, const cn_run *r, const cn_prediction *p)
{
    cn_val *o = cn_val_obj(cx);
    cn_val_put(cx, o, "id", cn_val_str(cx, r->id));
    cn_val_put(cx, o, "status", cn_val_str(cx, r->reason ? "skipped" : "ok"));
    cn_val_put(cx, o, "reason", cn_val_str(cx, r->reason));
    if (!r->reason)
        put_prediction(cx, o, r, p);
    return o;
}

static cn_val *summary_json(cn_ctx *cx, const cn_score_summary *s)
{
    cn_val *o = cn_val_obj(cx);
    cn_val_put(cx, o, "set", cn_val_str(cx, s->set));
    cn_val_put(cx, o, "metric", cn_val_str(cx, s->metric));
    cn_val_put(cx, o, "n", cn_val_int(cx, (long long)s->n));
    cn_val_put(cx, o, "mape", cn_val_num(cx, s->mape));
    cn_val_put(cx, o, "median", cn_val_num(cx, s->median));
    cn_val_put(cx, o, "p90", cn_val_num(cx, s->p90));
    cn_val_put(cx, o, "signed", cn_val_num(cx, s->signed_mean));
    cn_val_put(cx, o, "coverage80", cn_val_num(cx, s->coverage80));
    return o;
}

static void add_json(cn_ctx *cx, cn_doc *doc, const cn_score *s)
{
    cn_val *rows = cn_val_arr(cx), *sums = cn_val_arr(cx);
    for (size_t i = 0; i < s->n_rows; i++)
        cn_val_push(cx, rows, row_json(cx, &s->run[i], &s->prediction[i]));
    for (size_t i = 0; i < s->n_summaries; i++)
        cn_val_push(cx, sums, summary_json(cx, &s->summary[i]));
    cn_val_put(cx, doc->data, "rows", rows);
    cn_val_put(cx, doc->data, "summary", sums);
}

static void add_summary_table(cn_ctx *cx, cn_doc *doc, const cn_score *s)
{
    const cn_col cols[] = {
        {"set", _("set"), "", CN_COL_TEXT},
        {"metric", _("what"), "", CN_COL_TEXT},
        {"n", _("runs"), "", CN_COL_NUMBER},
        {"mape_ratio", _("mean error"), "ratio", CN_COL_RATIO},
        {"median_ratio", _("median"), "ratio", CN_COL_RATIO},
        {"p90_ratio", _("9 in 10 below"), "ratio", CN_COL_RATIO},
        {"signed_ratio", _("signed"), "ratio", CN_COL_RATIO},
        {"coverage80_ratio", _("in range"), "ratio", CN_COL_RATIO},
    };
    cn_table *t = cn_doc_table(cx, doc, "summary", _("How far predictions are from measured runs"),
                               cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < s->n_summaries; i++) {
        const cn_score_summary *m = &s->summary[i];
        bool is_time = m->metric[0] == 'i';
        cn_cell *c = cn_table_row(cx, t);
        cn_cell_text(cx, &c[0], m->set);
        cn_cell_text(cx, &c[1], is_time ? _("step time") : _("peak memory"));
        c[2].num = (double)m->n;
        c[3].num = m->mape;
        c[4].num = m->median;
        c[5].num = m->p90;
        c[6].num = m->signed_mean;
        c[7].num = m->coverage80;
    }
}

static void add_rows_table(cn_ctx *cx, cn_doc *doc, const cn_score *s)
{
    const cn_col cols[] = {
        {"id", _("run"), "", CN_COL_TEXT},
        {"measured_s", _("measured"), "s", CN_COL_NUMBER},
        {"predicted_s", _("predicted"), "s", CN_COL_NUMBER},
        {"lo_s", _("p10"), "s", CN_COL_NUMBER},
        {"hi_s", _("p90"), "s", CN_COL_NUMBER},
        {"error_ratio", _("error"), "ratio", CN_COL_RATIO},
        {"peak_bytes", _("peak memory"), "bytes", CN_COL_NUMBER},
        {"note", _("note"), "", CN_COL_TEXT},
    };
    cn_table *t = cn_doc_table(cx, doc, "rows", _("Every run"), cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < s->n_rows; i++) {
        const cn_run *r = &s->run[i];
        const cn_prediction *p = &s->prediction[i];
        cn_cell *c = cn_table_row(cx, t);
        cn_cell_text(cx, &c[0], r->id);
        cn_cell_text(cx, &c[7], r->reason ? r->reason : p->fits ? "" : _("does not fit"));
        c[1].num = r->reason ? NAN : cn_run_measured_s(r);
        if (r->reason)
            continue;
        c[2].num = p->step.time_s;
        c[3].num = p->step.time_s / (1 + p->spread_ratio);
        c[4].num = p->step.time_s * (1 + p->spread_ratio);
        c[5].num = c[1].num > 0 ? p->step.time_s / c[1].num - 1 : NAN;
        c[6].num = p->peak_bytes;
    }
}

static void add_chart(cn_ctx *cx, cn_doc *doc, const cn_score *s)
{
    double *x = cn_arena_array(&cx->arena, s->n_rows + 1, sizeof *x);
    double *y = cn_arena_array(&cx->arena, s->n_rows + 1, sizeof *y);
    size_t n = 0;
    if (!x || !y) {
        cn_nomem(cx);
        return;
    }
    for (size_t i = 0; i < s->n_rows; i++) {
        if (s->run[i].reason || !(cn_run_measured_s(&s->run[i]) > 0))
            continue;
        x[n] = cn_run_measured_s(&s->run[i]);
        y[n++] = s->prediction[i].step.time_s;
    }
    cn_chart *c =
        cn_doc_chart(cx, doc, CN_CHART_SCATTER, "fit", _("Predicted against measured"), "s");
    c->x_unit = "s";
    c->finding = _("Points on the diagonal are predictions that equal the measured step time.");
    cn_chart_series(cx, c, _("runs"), n, x, y, NULL);
}

cn_doc *cn_score_doc(cn_ctx *cx, const cn_score *s)
{
    size_t skipped = 0;
    for (size_t i = 0; i < s->n_rows; i++)
        skipped += s->run[i].reason != NULL;
    const char *sub = cn_arena_printf(&cx->arena, _("%zu runs, %zu skipped"), s->n_rows, skipped);
    cn_doc *doc = cn_doc_new(cx, "carnot.score/1", _("Predictions beside measured runs"), sub);
    cn_val_push(cx, doc->inputs, cn_val_str(cx, s->file));
    add_json(cx, doc, s);
    add_summary_table(cx, doc, s);
    add_chart(cx, doc, s);
    add_rows_table(cx, doc, s);
    return doc;
}

static const cn_fig *ratio(cn_ctx *cx, const char *key, const char *label, double x)
{
    if (isnan(x))
        return cn_fig_unknown(cx, key, label, "ratio", _("fewer than four runs"));
    return cn_fig_new(cx, key, label, "ratio", x, CN_BASIS_MEASURED, "arlot2010");
}

cn_doc *cn_calibrate_doc(cn_ctx *cx, const cn_profile *p, const char *out)
{
    const char *sub = cn_arena_printf(&cx->arena, _("fitted to %zu measured runs"), p->n);
    cn_doc *doc = cn_doc_new(cx, "carnot.calibrate/1", _("Profile"), sub);
    const cn_fig *figs[] = {
        cn_fig_new(cx, "speed_factor", _("kernel speed, against the shipped constants"), "",
                   p->speed_factor, CN_BASIS_MEASURED, p->name),
        cn_fig_new(cx, "link_factor", _("link speed"), "", p->link_factor, CN_BASIS_MEASURED,
                   p->name),
        cn_fig_new(cx, "fixed_factor", _("time outside the model"), "", p->fixed_factor,
                   CN_BASIS_MEASURED, p->name),
        ratio(cx, "spread_ratio", _("half-width of the range"), p->spread_ratio),
        ratio(cx, "error_before_ratio", _("mean error before"), p->before_ratio),
        ratio(cx, "error_after_ratio", _("mean error after"), p->after_ratio),
        ratio(cx, "left_out_error_before_ratio", _("before, on runs left out"), p->cv_before_ratio),
        ratio(cx, "left_out_error_after_ratio", _("after, on runs left out"), p->cv_after_ratio),
    };
    cn_doc_block *b = cn_doc_figures(cx, doc, "profile", "");
    for (size_t i = 0; i < sizeof figs / sizeof *figs; i++) {
        cn_doc_figure(cx, b, figs[i]);
        cn_val_put(cx, doc->data, figs[i]->key, cn_fig_val(cx, figs[i]));
    }
    cn_val_put(cx, doc->data, "runs", cn_val_int(cx, (long long)p->n));
    cn_val_put(cx, doc->data, "profile", cn_val_str(cx, out));
    if (out)
        cn_doc_note(cx, doc, _("Profile written to %s; use it with --profile."), out);
    else
        cn_doc_note(cx, doc, "%s",
                    _("Nothing was written; add -o PROFILE.yaml to keep the profile."));
    return doc;
}
