/*
 * report_test.c - every form of one realistic document: they agree on every figure, hostile texts
 * stay texts, unknown is never zero, large tables stay bounded.
 *
 * REPORT_SAMPLE=FOLDER keeps the sample in every form there, to be looked at.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/axis.h"
#include "report/forms.h"
#include "report/grid.h"
#include "report/plain.h"
#include "report/report.h"
#include "report/span.h"

/* ------------------------------------------------------------------------------ the sample */

static cn_fig *ranged(cn_ctx *cx, const char *key, const char *label, const char *unit, double lo,
                      double value, double hi, cn_basis basis, const char *formula)
{
    cn_fig *f = cn_fig_new(cx, key, label, unit, value, basis, "[narayanan2021]");
    f->lo = lo;
    f->hi = hi;
    f->formula = formula;
    return f;
}

static cn_fig *leaf(cn_ctx *cx, const char *key, const char *label, const char *unit, double value,
                    cn_basis basis)
{
    return cn_fig_new(cx, key, label, unit, value, basis, "data/prices/example.csv:12");
}

static void add_headline(cn_ctx *cx, cn_doc *doc)
{
    cn_doc_block *b = cn_doc_figures(cx, doc, "headline", NULL);
    cn_fig *cost = ranged(cx, "effective_cost_usd", "effective cost", "USD", 1447000, 1553260,
                          1676000, CN_BASIS_FORMULA, "device_hours x price_usd_per_gpu_h");
    cn_fig_input(cx, cost, leaf(cx, "device_hours", "GPU time", "GPU-h", 623799, CN_BASIS_FORMULA));
    cn_fig_input(cx, cost,
                 leaf(cx, "price_usd_per_gpu_h", "price", "USD/h", 2.49, CN_BASIS_CATALOG));
    cn_doc_figure(cx, b, cost);
    cn_doc_figure(cx, b,
                  ranged(cx, "wall_time_s", "wall time", "s", 4086720, 4389120, 4734720,
                         CN_BASIS_FORMULA, "steps x step_time_s / train_goodput_ratio"));
    cn_doc_figure(cx, b,
                  ranged(cx, "mfu_ratio", "model FLOP utilisation", "ratio", 0.38, 0.41, 0.44,
                         CN_BASIS_ASSUMED, NULL));
    cn_doc_figure(cx, b,
                  ranged(cx, "cost_per_mtok", "unit cost", "USD/Mtok", 0.724, 0.777, 0.838,
                         CN_BASIS_FORMULA, NULL));
}

static void add_run(cn_ctx *cx, cn_doc *doc)
{
    cn_doc_block *b = cn_doc_figures(cx, doc, "run", "The run");
    cn_fig *step = cn_fig_sum(cx, "step_time_s", "step time", "s");
    cn_fig *parts[] = {leaf(cx, "compute_s", "kernels", "s", 9.02, CN_BASIS_FORMULA),
                       leaf(cx, "exposed_s", "exposed communication", "s", 1.64, CN_BASIS_FORMULA),
                       leaf(cx, "bubble_s", "pipeline bubble", "s", 0.83, CN_BASIS_FORMULA),
                       leaf(cx, "stall_s", "data stalls", "s", 0.0, CN_BASIS_FORMULA)};
    cn_doc_figure(cx, b,
                  leaf(cx, "model_flop", "model compute", "FLOP", 8.472e23, CN_BASIS_FORMULA));
    cn_doc_figure(
        cx, b,
        leaf(cx, "peak_flop_per_s", "peak, dense BF16", "FLOP/s", 989.4e12, CN_BASIS_CATALOG));
    cn_doc_figure(cx, b, leaf(cx, "n_devices", "accelerators", "", 512, CN_BASIS_GIVEN));
    cn_doc_figure(cx, b, step);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        cn_fig_add(cx, step, parts[i]);
        cn_doc_figure(cx, b, parts[i]);
    }
    cn_doc_figure(
        cx, b,
        leaf(cx, "peak_bytes", "peak memory of a device", "bytes", 71.3e9, CN_BASIS_FORMULA));
    cn_doc_figure(cx, b,
                  cn_fig_unknown(cx, "carbon_kg_co2e", "carbon", "kg CO2e",
                                 "no carbon intensity for this region"));
}

static void add_waterfall(cn_ctx *cx, cn_doc *doc)
{
    static const char *const rows[] = {
        "physical limit",  "kernels below peak", "exposed communication",
        "pipeline bubble", "recompute",          "data stalls",
        "checkpoints",     "restarts",           "operations and storage",
        "effective cost"};
    static const double usd[] = {592000, 410000, 231000, 118000, 70000,
                                 23000,  12260,  96740,  260,    1553260};
    cn_chart *c = cn_doc_chart(cx, doc, CN_CHART_WATERFALL, "waterfall",
                               "From the physical limit to the bill", "USD");
    c->finding = "Of 1.55 M USD, 0.59 M is what physics asks for; kernels below peak are the "
                 "largest loss, 0.41 M.";
    cn_chart_series(cx, c, "effective cost", 10, NULL, usd, rows);
}

static void add_costs(cn_ctx *cx, cn_doc *doc)
{
    static const cn_col cols[] = {{"dimension", "dimension", "", CN_COL_TEXT},
                                  {"fixed", "fixed", "USD", CN_COL_MONEY},
                                  {"elastic", "elastic", "USD", CN_COL_MONEY},
                                  {"hidden", "hidden", "USD", CN_COL_MONEY},
                                  {"share", "share", "ratio", CN_COL_RATIO}};
    static const struct {
        const char *name;
        double fixed, elastic, hidden, share;
    } rows[] = {{"compute", 0, 1441800, 96740, 0.9903}, {"storage", 2210, 4130, 0, 0.0041},
                {"network", 0, 312.5, 0, 0.0002},       {"database", 180, 0, 0, 0.0001},
                {"observability", 0, 420, 0, 0.0003},   {"operations", 0, 0, NAN, NAN},
                {"total", 2390, 1446662.5, 96740, 1}};
    cn_table *t = cn_doc_table(cx, doc, "cost", "Cost by dimension and calibre", cols, 5);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cn_cell *cell = cn_table_row(cx, t);
        cn_cell_text(cx, &cell[0], rows[i].name);
        cell[1].num = rows[i].fixed;
        cell[2].num = rows[i].elastic;
        cell[3].num = rows[i].hidden;
        cell[4].num = rows[i].share;
    }
    t->has_total = true;
}

static void add_memory(cn_ctx *cx, cn_doc *doc)
{
    static const char *const stages[] = {"stage 0", "stage 1", "stage 2", "stage 3"};
    static const struct {
        const char *name;
        double gb[4];
    } parts[] = {{"weights", {17.2, 15.9, 15.9, 17.2}},
                 {"gradients", {17.2, 15.9, 15.9, 17.2}},
                 {"optimizer", {12.4, 11.5, 11.5, 12.4}},
                 {"activations", {22.1, 16.6, 11.0, 5.5}},
                 {"logits", {0, 0, 0, 8.4}},
                 {"overhead", {2.4, 2.4, 2.4, 2.4}}};
    cn_chart *c = cn_doc_chart(cx, doc, CN_CHART_STACK, "memory",
                               "Memory of a device by pipeline stage", "bytes");
    c->finding = "Stage 0 is the heaviest with 71.3 GB of 80 GB; activations make the difference.";
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        double bytes[4];
        for (int k = 0; k < 4; k++)
            bytes[k] = parts[i].gb[k] * 1e9;
        cn_chart_series(cx, c, parts[i].name, 4, NULL, bytes, stages);
    }
}

static void add_scatter(cn_ctx *cx, cn_doc *doc)
{
    double x[40], y[40];
    cn_chart *c =
        cn_doc_chart(cx, doc, CN_CHART_SCATTER, "predicted", "Predicted against measured", "s");
    c->x_unit = "s";
    c->finding = "Of 80 measured steps three quarters lie within 8 % of the prediction.";
    for (int set = 0; set < 2; set++) {
        for (int i = 0; i < 40; i++) {
            x[i] = 0.8 * pow(1.13, i) * (1 + 0.4 * set);
            y[i] = x[i] * (1 + 0.12 * sin(1.7 * i + set));
        }
        cn_chart_series(cx, c, set ? "several nodes" : "one node", 40, x, y, NULL);
    }
}

static void add_line(cn_ctx *cx, cn_doc *doc)
{
    double x[31], y[31], lo[31], hi[31];
    cn_chart *c = cn_doc_chart(cx, doc, CN_CHART_LINE, "interval",
                               "Time lost against the checkpoint interval", "ratio");
    c->x_unit = "s";
    c->finding =
        "Least is lost with a checkpoint every 26 minutes; 15 to 45 minutes cost hardly more.";
    for (int i = 0; i < 31; i++) {
        x[i] = 300 + 240 * i;
        y[i] = 40 / x[i] + x[i] / 62000;
        lo[i] = 0.8 * y[i];
        hi[i] = 1.3 * y[i];
    }
    cn_series *s = cn_chart_series(cx, c, "time lost", 31, x, y, NULL);
    double *keep = cn_arena_array(&cx->arena, 62, sizeof *keep);
    memcpy(keep, lo, sizeof lo);
    memcpy(keep + 31, hi, sizeof hi);
    s->lo = keep;
    s->hi = keep + 31;
}

static cn_doc *sample(cn_ctx *cx)
{
    cn_doc *doc =
        cn_doc_new(cx, "carnot.estimate/1", "train-70b",
                   "70.6 B parameters, 2.00 T tokens, 512 x H100-SXM5-80GB, prices of 2026-09-01");
    add_headline(cx, doc);
    add_waterfall(cx, doc);
    add_costs(cx, doc);
    add_run(cx, doc);
    add_memory(cx, doc);
    cn_doc_note(cx, doc,
                "Widest source of doubt: MFU (assumed). `carnot calibrate` with your own step "
                "times replaces it.");
    cn_doc_heading(cx, doc, "How good the prediction is");
    add_scatter(cx, doc);
    add_line(cx, doc);
    cn_report_explain(cx, doc, doc->block[0]->fig[0]);
    cn_val_put(cx, doc->data, "feasible", cn_val_bool(cx, true));
    cn_val_put(cx, doc->data, "wall_time_s", cn_fig_val(cx, doc->block[0]->fig[1]));
    cn_warn(cx, NULL, "prices are 91 days old");
    return doc;
}

/* ------------------------------------------------------------------------------ helpers */

static cn_ctx cx;

static int setup(void **state)
{
    (void)state;
    cn_ctx_init(&cx, 1790000000);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cn_ctx_done(&cx);
    return 0;
}

/* Text of a document in one form; lives in the arena. */
static const char *shown(const cn_doc *doc, cn_report_opts opts)
{
    cn_buf out = {0};
    assert_int_equal(cn_report(&cx, doc, &opts, &out), CN_OK);
    const char *text = cn_arena_str(&cx.arena, cn_buf_cstr(&out));
    cn_buf_free(&out);
    return text;
}

static const char *form(const cn_doc *doc, cn_format format)
{
    return shown(doc, (cn_report_opts){.format = format});
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%.3000s", part, text);
}

static void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("\"%s\" is in:\n%.3000s", part, text);
}

static cn_table *one_column(cn_doc *doc, const char *id, const char *unit, cn_col_kind kind)
{
    const cn_col cols[] = {{"name", "name", "", CN_COL_TEXT}, {"x", "x", unit, kind}};
    return cn_doc_table(&cx, doc, id, id, cols, 2);
}

static void add_row(cn_table *t, const char *name, double x)
{
    cn_cell *cell = cn_table_row(&cx, t);
    cn_cell_text(&cx, &cell[0], name);
    cell[1].num = x;
}

/* ------------------------------------------------------------------------------ agreement */

static void keep_sample(const cn_doc *doc)
{
    static const char *const names[] = {"txt", "json", "csv", "md", "html"};
    const char *folder = getenv("REPORT_SAMPLE");
    for (int f = 0; folder && f < 5; f++) {
        char path[512];
        const char *text = form(doc, (cn_format)f);
        snprintf(path, sizeof path, "%s/sample.%s", folder, names[f]);
        cn_file_write(&cx, path, text, strlen(text));
    }
}

/* The forms for people print the same text of every figure and cell. */
static void forms_agree(void **state)
{
    (void)state;
    cn_doc *doc = sample(&cx);
    const char *people[] = {form(doc, CN_FORMAT_TEXT), form(doc, CN_FORMAT_MD),
                            form(doc, CN_FORMAT_HTML)};
    size_t n_checked = 0;
    for (size_t i = 0; i < doc->n_blocks; i++) {
        const cn_doc_block *b = doc->block[i];
        const cn_grid *g = b->kind == CN_BLOCK_FIGURES
                               ? cn_grid_without_range(cn_grid_figures(&cx, b))
                           : b->kind == CN_BLOCK_TABLE ? cn_grid_table(&cx, b->table)
                                                       : NULL;
        for (size_t k = 0; g && k < g->n_rows * g->n_cols; k++, n_checked++) {
            for (size_t p = 0; p < 3; p++) {
                if (!(p == 0 && strcmp(g->cell[k], "-") == 0))
                    assert_has(people[p], g->cell[k]);
            }
        }
    }
    assert_true(n_checked > 80);
    keep_sample(doc);
}

/* What machines read is the figure itself, to the last digit. */
static void machines_read_exact_values(void **state)
{
    (void)state;
    cn_doc *doc = sample(&cx);
    cn_grid *g = cn_grid_raw_figures(&cx, doc);
    size_t row = 0;
    for (size_t i = 0; i < doc->n_blocks; i++) {
        const cn_doc_block *b = doc->block[i];
        for (size_t k = 0; b->kind == CN_BLOCK_FIGURES && k < b->n_figs; k++, row++) {
            double x;
            const char *text = g->cell[row * g->n_cols + 2];
            if (!b->fig[k]->known) {
                assert_string_equal(text, "");
                continue;
            }
            assert_true(cn_parse_double(text, &x));
            assert_true(x == b->fig[k]->value);
        }
    }
    assert_int_equal(row, g->n_rows);
    const char *csv = form(doc, CN_FORMAT_CSV), *json = form(doc, CN_FORMAT_JSON);
    assert_has(csv, "wall_time_s,wall time,4389120,4086720,4734720,s,formula,[narayanan2021],\n");
    assert_has(json, "\"wall_time_s\": {\n    \"lo\": 4086720,\n    \"value\": 4389120,");
    assert_has(json, "\"generated\": \"2026-09-21T14:13:20Z\"");
    assert_has(json, "\"message\": \"prices are 91 days old\"");
}

static void a_figure_shows_what_its_range_supports(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double lo, value, hi;
        const char *text, *unit_text, *range;
    } rows[] = {
        {"USD", 1447000, 1553260, 1676000, "1,553,000", "USD", "1,447,000 .. 1,676,000"},
        {"s", 4086720, 4389120, 4734720, "50.8", "days", "47.3 .. 54.8"},
        {"ratio", 0.38, 0.41, 0.44, "41.0", "%", "38.0 .. 44.0"},
        {"FLOP/s", 989.4e12, 989.4e12, 989.4e12, "989.4", "TFLOP/s", "-"},
        {"", 512, 512, 512, "512", "", "-"},
        {"GPU-h", 623799, 623799, 623799, "623,799", "GPU-h", "-"},
        {"USD/Mtok", 0.724, 0.777, 0.838, "0.777", "USD/Mtok", "0.724 .. 0.838"},
        {"FLOP", 8.472e23, 8.472e23, 8.472e23, "8.472e+23", "FLOP", "-"},
        {"USD", 0, 0, 0, "0", "USD", "-"},
        {"USD", -1234.5, -1234.5, -1234.5, "-1,235", "USD", "-"},
        {"USD", 1e-9, 1e-9, 1e-9, "~0", "USD", "-"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cn_doc *doc = cn_doc_new(&cx, "x/1", "x", NULL);
        cn_doc_block *b = cn_doc_figures(&cx, doc, "f", NULL);
        cn_doc_figure(&cx, b,
                      ranged(&cx, "k", "l", rows[i].unit, rows[i].lo, rows[i].value, rows[i].hi,
                             CN_BASIS_FORMULA, NULL));
        const cn_grid *g = cn_grid_figures(&cx, b);
        assert_string_equal(g->cell[1], rows[i].text);
        assert_string_equal(g->cell[2], rows[i].unit_text);
        assert_string_equal(g->cell[3], rows[i].range);
    }
}

static void a_column_has_one_scale_and_precision(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        cn_col_kind kind;
        double x[3];
        const char *unit_text, *text[3];
    } rows[] = {
        {"s", CN_COL_NUMBER, {86400 * 50.8, 86400 * 3, 86400}, "days", {"50.80", "3.00", "1.00"}},
        {"FLOP/s", CN_COL_NUMBER, {4.5e15, 312e12, 70e12}, "TFLOP/s", {"4,500", "312", "70"}},
        {"s", CN_COL_NUMBER, {86400 * 50.8, 86400 * 3, 60}, "h", {"1,219.20", "72.00", "0.02"}},
        {"bytes", CN_COL_NUMBER, {71.3e9, 2.4e9, 0}, "GB", {"71.30", "2.40", "0.00"}},
        {"", CN_COL_NUMBER, {16384, 8, 1}, "", {"16,384", "8", "1"}},
        {"USD", CN_COL_MONEY, {1441800, 312.5, NAN}, "USD", {"1,441,800", "312", "-"}},
        {"USD", CN_COL_MONEY, {12.345, 0.5, 0.001}, "USD", {"12.35", "0.50", "~0"}},
        {"ratio", CN_COL_RATIO, {0.41, 1, 0.005}, "%", {"41.0", "100.0", "0.5"}},
        {"", CN_COL_NUMBER, {INFINITY, -INFINITY, 1}, "", {"∞", "-∞", "1"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cn_doc *doc = cn_doc_new(&cx, "x/1", "x", NULL);
        cn_table *t = one_column(doc, "t", rows[i].unit, rows[i].kind);
        for (int k = 0; k < 3; k++)
            add_row(t, "row", rows[i].x[k]);
        const cn_grid *g = cn_grid_table(&cx, t);
        assert_string_equal(g->col[1].unit, rows[i].unit_text);
        for (int k = 0; k < 3; k++)
            assert_string_equal(g->cell[2 * k + 1], rows[i].text[k]);
    }
}

static void billed_money_is_shown_to_the_cent_and_read_exactly(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"1234567.891", "1,234,567.89"},
        {"-1234.5", "-1,234.50"},
        {"0", "0.00"},
        {"0.0000000000000000000000000001", "~0"},
        {"-999", "-999.00"},
        {"12345678901234567890.5", "12,345,678,901,234,567,890.50"},
        {"n/a", "n/a"},
    };
    cn_doc *doc = cn_doc_new(&cx, "x/1", "x", NULL);
    cn_table *t = one_column(doc, "t", "USD", CN_COL_MONEY);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cn_cell *cell = cn_table_row(&cx, t);
        cn_cell_text(&cx, &cell[0], "row");
        cn_cell_text(&cx, &cell[1], rows[i][0]);
    }
    const cn_grid *g = cn_grid_table(&cx, t);
    const char *csv = form(doc, CN_FORMAT_CSV);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(g->cell[2 * i + 1], rows[i][1]);
        assert_has(csv, rows[i][0]);
    }
}

static void unknown_is_not_zero(void **state)
{
    (void)state;
    cn_doc *doc = sample(&cx);
    const char *text = form(doc, CN_FORMAT_TEXT), *csv = form(doc, CN_FORMAT_CSV);
    assert_has(text, "unknown: no carbon intensity for this region");
    assert_has(csv,
               "carbon_kg_co2e,carbon,,,,kg CO2e,unknown,,no carbon intensity for this region\n");
    cn_fig *sum = cn_fig_sum(&cx, "sum", "a sum", "USD");
    cn_fig_add(&cx, sum, leaf(&cx, "a", "a", "USD", 100, CN_BASIS_GIVEN));
    cn_fig_add(&cx, sum, cn_fig_unknown(&cx, "b", "b", "USD", "no price"));
    cn_doc *other = cn_doc_new(&cx, "x/1", "x", NULL);
    cn_doc_figure(&cx, cn_doc_figures(&cx, other, "f", NULL), sum);
    assert_has(form(other, CN_FORMAT_TEXT), "≥ 100");
    assert_has(form(other, CN_FORMAT_HTML), "≥ 100");
}

/* ------------------------------------------------------------------------------ hostile texts */

static const char hostile[] =
    "<script>alert(1)</script>|`a`\033[31m\x07\r\n\"'&=cmd\xE2\x80\xAE\xC2\x9B"
    "\xFF*x*";

static cn_doc *hostile_doc(void)
{
    cn_doc *doc = cn_doc_new(&cx, "x/1", hostile, hostile);
    cn_doc_block *b = cn_doc_figures(&cx, doc, "f", hostile);
    cn_doc_figure(&cx, b, cn_fig_new(&cx, hostile, hostile, hostile, 1, CN_BASIS_GIVEN, hostile));
    cn_doc_figure(&cx, b, cn_fig_unknown(&cx, "u", hostile, hostile, hostile));
    cn_table *t = one_column(doc, hostile, hostile, CN_COL_NUMBER);
    add_row(t, hostile, 1);
    add_row(t, "=1+1", 2);
    const char *points[] = {hostile, "b"};
    const double y[] = {1, 2};
    for (int kind = CN_CHART_WATERFALL; kind <= CN_CHART_SCATTER; kind++) {
        cn_chart *c = cn_doc_chart(&cx, doc, (cn_chart_kind)kind, hostile, hostile, hostile);
        c->finding = c->x_unit = hostile;
        cn_chart_series(&cx, c, hostile, 2, y, y, points);
    }
    cn_doc_note(&cx, doc, "%s", hostile);
    cn_doc_code(&cx, doc, hostile, hostile);
    cn_doc_heading(&cx, doc, hostile);
    cn_val_put(&cx, doc->data, "x", cn_val_str(&cx, hostile));
    cn_warn(&cx, NULL, "%s", hostile);
    return doc;
}

static void hostile_texts_stay_texts(void **state)
{
    (void)state;
    cn_doc *doc = hostile_doc();
    const char *page = form(doc, CN_FORMAT_HTML), *data = strstr(page, "<script type=");
    const char *people[] = {form(doc, CN_FORMAT_TEXT), form(doc, CN_FORMAT_MD),
                            cn_arena_strn(&cx.arena, page, (size_t)(data - page))};
    static const char *const banned[] = {"\033", "\x07", "\r", "\xE2\x80\xAE", "\xC2\x9B", "\xFF"};
    for (size_t p = 0; p < 3; p++) {
        size_t bad;
        if (!cn_utf8_valid(people[p], strlen(people[p]), &bad))
            fail_msg("form %zu is not UTF-8 at %zu: %.60s", p, bad, people[p] + bad - 30);
        for (size_t i = 0; i < sizeof banned / sizeof banned[0]; i++)
            assert_lacks(people[p], banned[i]);
    }
    assert_has(people[1], "\n    <script>alert"); /* the code block, where it is literal */
    assert_lacks(strstr(people[1], "\n    <script") + 6, "<script");
    assert_has(people[1], "\\|\\`a\\`");
    assert_lacks(people[2], "<script>alert");
    assert_lacks(people[2], "\"'&=cmd");
    assert_has(data, "\\u003cscript>alert(1)\\u003c/script>"); /* data, which is not markup */
}

static void csv_cells_do_not_run(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"=1+1", "'=1+1"},
                                          {"+cmd", "'+cmd"},
                                          {"@SUM(A1)", "'@SUM(A1)"},
                                          {"-2+3", "'-2+3"},
                                          {"-12.5", "-12.5"},
                                          {"+1e5", "+1e5"},
                                          {"-", "-"},
                                          {"a,b", "\"a,b\""},
                                          {"say \"x\"", "\"say \"\"x\"\"\""},
                                          {"=A1,B1", "\"'=A1,B1\""},
                                          {"two\nlines", "\"two\nlines\""},
                                          {"plain", "plain"}};
    cn_doc *doc = cn_doc_new(&cx, "x/1", "x", NULL);
    cn_table *t = one_column(doc, "t", "", CN_COL_NUMBER);
    cn_buf want = {0};
    cn_buf_puts(&want, "name,x\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        add_row(t, rows[i][0], NAN);
        cn_buf_printf(&want, "%s,\n", rows[i][1]);
    }
    assert_string_equal(form(doc, CN_FORMAT_CSV), cn_buf_cstr(&want));
    cn_buf_free(&want);
}

static void plain_keeps_letters_of_every_language(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"", ""},
        {"abc", "abc"},
        {"训练成本 ≥ 1", "训练成本 ≥ 1"},
        {"é\xCC\x81", "é\xCC\x81"},
        {"a\tb\nc", "a b c"},
        {"\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xED\xA0\x80x", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDx"},
        {"\xE2\x80\xA8x", "x"},
        {"cut\xE4\xB8", "cut\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xF0\x9F\x9A\x80", "\xF0\x9F\x9A\x80"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(cn_plain(&cx, rows[i][0], CN_PLAIN_LINE), rows[i][1]);
    assert_string_equal(cn_plain(&cx, "a\nb\033", CN_PLAIN_LINES), "a\nb");
    assert_string_equal(cn_plain(&cx, NULL, CN_PLAIN_LINE), "");
}

/* ------------------------------------------------------------------------------ layout */

static void columns_line_up_in_chinese(void **state)
{
    (void)state;
    cn_doc *doc = cn_doc_new(&cx, "x/1", "x", NULL);
    cn_table *t = one_column(doc, "t", "USD", CN_COL_MONEY);
    add_row(t, "训练", 1);
    add_row(t, "storage", 200);
    assert_has(form(doc, CN_FORMAT_TEXT), "  训练       1.00\n  storage  200.00\n");
}

static void nothing_is_cut_in_a_pipe(void **state)
{
    (void)state;
    cn_doc *doc = cn_doc_new(&cx, "x/1", "x", NULL);
    cn_table *t = one_column(doc, "t", "", CN_COL_NUMBER);
    char wide[301] = "";
    memset(wide, 'w', 300);
    for (int i = 0; i < 500; i++)
        add_row(t, wide, i);
    const char *piped = form(doc, CN_FORMAT_TEXT);
    const char *terminal = shown(doc, (cn_report_opts){.width = 80});
    const char *verbose = shown(doc, (cn_report_opts){.width = 80, .is_verbose = true});
    assert_has(piped, wide);
    assert_has(piped, "  499\n");
    assert_lacks(piped, "\033");
    assert_lacks(piped, " \n");
    assert_lacks(terminal, wide);
    assert_has(terminal, "... 450 more rows");
    assert_has(verbose, "…  499\n");
    for (const char *line = terminal; *line; line += strcspn(line, "\n") + 1) {
        const char *one = cn_arena_strn(&cx.arena, line, strcspn(line, "\n"));
        assert_true(cn_text_width(one) <= 80);
    }
}

static void waterfall_bars_start_where_the_last_ended(void **state)
{
    (void)state;
    cn_doc *doc = sample(&cx);
    const cn_chart *c = doc->block[1]->chart;
    double at = 0;
    for (size_t i = 0; i + 1 < c->series[0].n; i++) {
        cn_span s = cn_span_of(c, i);
        assert_true(s.from == at);
        at = s.to;
    }
    cn_span total = cn_span_of(c, c->series[0].n - 1);
    assert_true(total.from == 0 && total.to == at);
    const char *text = form(doc, CN_FORMAT_TEXT);
    assert_has(text, "physical limit            592,000  ####");
    assert_has(text, "effective cost          1,553,260  ####");
}

static void charts_without_data_are_harmless(void **state)
{
    (void)state;
    const double nothing[] = {NAN, INFINITY}, zero[] = {0, 0};
    for (int kind = CN_CHART_WATERFALL; kind <= CN_CHART_SCATTER; kind++) {
        cn_doc *doc = cn_doc_new(&cx, "x/1", "x", NULL);
        cn_doc_chart(&cx, doc, (cn_chart_kind)kind, "a", "empty", "s");
        cn_chart_series(&cx, cn_doc_chart(&cx, doc, (cn_chart_kind)kind, "b", "unknown", "s"), "s",
                        2, NULL, nothing, NULL);
        cn_chart_series(&cx, cn_doc_chart(&cx, doc, (cn_chart_kind)kind, "c", "zero", "s"), "s", 2,
                        zero, zero, NULL);
        for (int f = CN_FORMAT_TEXT; f <= CN_FORMAT_HTML; f++) {
            const char *text = form(doc, (cn_format)f);
            assert_lacks(text, "=\"nan");
            assert_lacks(text, "=\"inf");
            assert_lacks(text, " nan");
        }
    }
}

/* Ticks are inside, increasing and round, whatever the data. */
static void ticks_are_sane(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 1000; seed++) {
        double lo = pow(10, (seed * 37 % 240) / 10.0 - 12), hi = lo * (1 + (seed * 91 % 997) / 9.0);
        const double values[] = {seed % 3 == 0 ? -lo : lo, hi};
        cn_axis a = cn_axis_of(values, 2, "", seed % 2 == 0, seed % 5 == 0);
        if (!(a.n_ticks >= 2 && a.n_ticks <= CN_AXIS_TICKS))
            fail_msg("seed %d: %d ticks for %g..%g", seed, a.n_ticks, values[0], values[1]);
        for (int i = 1; i < a.n_ticks; i++)
            assert_true(a.tick[i] > a.tick[i - 1]);
        for (int i = 0; i < 2; i++) {
            double at = cn_axis_at(&a, values[i]);
            if (!(at >= -1e-6 && at <= 1 + 1e-6))
                fail_msg("seed %d: %g lies at %g", seed, values[i], at);
        }
    }
}

/* ------------------------------------------------------------------------------ page and csv */

static size_t occurrences(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *p = strstr(text, part); p; p = strstr(p + 1, part))
        n++;
    return n;
}

static void the_page_stands_alone(void **state)
{
    (void)state;
    const char *page = form(sample(&cx), CN_FORMAT_HTML);
    static const char *const outside[] = {"http://", "https://", "src=", "@import",
                                          "//cdn",   "url(\"",   "url('"};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
        assert_lacks(page, outside[i]);
    assert_has(page, "<html lang=\"en\">");
    assert_has(page, "role=\"img\" aria-label=\"Of 1.55 M USD");
    assert_has(page, "default-src 'none'");
    static const char *const pairs[][2] = {{"<section", "</section>"}, {"<table", "</table>"},
                                           {"<tr", "</tr>"},           {"<svg", "</svg>"},
                                           {"<text", "</text>"},       {"<details", "</details>"},
                                           {"<div", "</div>"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_int_equal(occurrences(page, pairs[i][0]), occurrences(page, pairs[i][1]));
    assert_has(shown(sample(&cx), (cn_report_opts){.format = CN_FORMAT_HTML, .lang = "zh_CN"}),
               "<html lang=\"zh-CN\">");
}

static void huge_tables_stay_bounded(void **state)
{
    (void)state;
    cn_doc *doc = cn_doc_new(&cx, "x/1", "x", NULL);
    cn_table *t = one_column(doc, "t", "s", CN_COL_NUMBER);
    for (int i = 0; i < 100000; i++)
        add_row(t, "row", i);
    const char *page = form(doc, CN_FORMAT_HTML), *csv = form(doc, CN_FORMAT_CSV);
    assert_has(page, "The first 2000 of 100000 rows");
    assert_true(strlen(page) < 1000000);
    assert_int_equal(occurrences(csv, "\n"), 100001);
}

static void csv_is_one_table_by_name(void **state)
{
    (void)state;
    cn_doc *doc = sample(&cx);
    const char *const *ids = cn_report_tables(&cx, doc);
    static const char *const want[] = {"figures", "waterfall", "cost",
                                       "memory",  "predicted", "interval"};
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(ids[i], want[i]);
        const char *csv = shown(doc, (cn_report_opts){.format = CN_FORMAT_CSV, .table = ids[i]});
        size_t commas = 0;
        for (const char *p = csv; *p != '\n'; p++)
            commas += *p == ',';
        assert_true(commas >= 1 && occurrences(csv, "\n") > 1);
    }
    assert_null(ids[6]);
    cn_buf out = {0};
    const cn_report_opts opts = {.format = CN_FORMAT_CSV, .table = "waterfal"};
    assert_int_equal(cn_report(&cx, doc, &opts, &out), CN_EUSAGE);
    assert_has(cx.problem[0].hint, "waterfall");
    cn_buf_free(&out);
}

static void explain_reaches_the_leaves(void **state)
{
    (void)state;
    cn_doc *doc = sample(&cx);
    const char *text = form(doc, CN_FORMAT_TEXT), *json = form(doc, CN_FORMAT_JSON);
    assert_has(text, "effective_cost_usd = device_hours x price_usd_per_gpu_h = 1,553,260 USD");
    assert_has(text, "  price_usd_per_gpu_h = 2.49000 USD/h");
    assert_has(text, "data/prices/example.csv:12");
    assert_has(json, "\"explain\": {");
    assert_non_null(cn_report_figure(doc, "step_time_s.bubble_s"));
    assert_null(cn_report_figure(doc, "no_such_key"));
}

/* A tree whose parts are shared doubles at each level; the answer may not. */
static void explain_of_shared_parts_is_bounded(void **state)
{
    (void)state;
    cn_fig *fig = leaf(&cx, "leaf", "leaf", "s", 1, CN_BASIS_GIVEN);
    for (int i = 0; i < 40; i++) {
        cn_fig *up = leaf(&cx, "up", "up", "s", 1, CN_BASIS_FORMULA);
        cn_fig_input(&cx, up, fig);
        cn_fig_input(&cx, up, fig);
        fig = up;
    }
    cn_doc *doc = cn_doc_new(&cx, "x/1", "x", NULL);
    cn_report_explain(&cx, doc, fig);
    assert_true(strlen(form(doc, CN_FORMAT_TEXT)) < 60000);
    assert_true(strlen(form(doc, CN_FORMAT_JSON)) < 1000000);
}

/* Whatever allocation fails, the answer is a memory error, never a broken document. */
static void out_of_memory_is_an_error(void **state)
{
    (void)state;
    for (long n = 1; n < 400; n += 7) {
        for (int f = CN_FORMAT_TEXT; f <= CN_FORMAT_HTML; f++) {
            static cn_ctx small;
            cn_buf out = {0};
            const cn_report_opts opts = {.format = (cn_format)f};
            cn_ctx_init(&small, 0);
            cn_doc *doc = sample(&small);
            cn_alloc_fail_at(n);
            cn_code code = cn_report(&small, doc, &opts, &out);
            cn_alloc_fail_at(0);
            assert_true(code == CN_OK || code == CN_ENOMEM);
            cn_buf_free(&out);
            cn_ctx_done(&small);
        }
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(forms_agree),
        CASE(machines_read_exact_values),
        CASE(a_figure_shows_what_its_range_supports),
        CASE(a_column_has_one_scale_and_precision),
        CASE(billed_money_is_shown_to_the_cent_and_read_exactly),
        CASE(unknown_is_not_zero),
        CASE(hostile_texts_stay_texts),
        CASE(csv_cells_do_not_run),
        CASE(plain_keeps_letters_of_every_language),
        CASE(columns_line_up_in_chinese),
        CASE(nothing_is_cut_in_a_pipe),
        CASE(waterfall_bars_start_where_the_last_ended),
        CASE(charts_without_data_are_harmless),
        CASE(ticks_are_sane),
        CASE(the_page_stands_alone),
        CASE(huge_tables_stay_bounded),
        CASE(csv_is_one_table_by_name),
        CASE(explain_reaches_the_leaves),
        CASE(explain_of_shared_parts_is_bounded),
        CASE(out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
