/*
 * cmd_catalog.c - `carnot catalog`: what is known, where it comes from, how to add to it.
 *
 * The problem: eight kinds of facts, each a struct of its own, all to be listed, shown and written
 * as JSON with their source. One table per kind (label, unit, place in the struct) is the only
 * thing that knows a kind; listing, showing and JSON walk the tables. A number that is not known
 * stays unknown in every form.
 *
 * Limits: the table of a kind shows scalars; peaks per number format are shown for accelerators,
 * and the blocks of a model as one table.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/when.h"
#include "catalog/catalog.h"
#include "cli/frame.h"

enum { OLD_PRICE_DAYS = 30, MAX_FIELDS = 24 };

/* ------------------------------------------------------------------------------ kinds */

/* NUM_OR_0: 0 = unknown; YEAR: an int without separators; BUY: a cn_buy. */
typedef enum { F_TEXT, F_NUM, F_NUM_OR_0, F_YEAR, F_BUY, F_CODE } field_kind;

typedef struct field {
    const char *key, *label, *unit;
    field_kind kind;
    size_t offset;
    bool in_list;
} field;

typedef const void *(*table_of)(cn_ctx *cx, cn_catalog *c, size_t *n);

typedef struct kind {
    const char *name, *one, *about;
    table_of rows;
    size_t size, id, source; /* of a row */
    const field *fields;
    size_t n_fields;
} kind;

#define TEXT(type, member, label, list)                                                            \
    {                                                                                              \
#member, label, "", F_TEXT, offsetof(type, member), list                                   \
    }
#define NUM(type, key, member, label, unit, list)                                                  \
    {                                                                                              \
        key, label, unit, F_NUM, offsetof(type, member), list                                      \
    }
#define NUM0(type, key, member, label, unit, list)                                                 \
    {                                                                                              \
        key, label, unit, F_NUM_OR_0, offsetof(type, member), list                                 \
    }
#define CODE(type, member, label, list)                                                            \
    {                                                                                              \
#member, label, "", F_CODE, offsetof(type, member), list                                   \
    }
#define PEAK(key, format, label, list)                                                             \
    {                                                                                              \
        key, label, "FLOP/s", F_NUM_OR_0,                                                          \
            offsetof(cn_accel, device.peak_flop_per_s) + (format) * sizeof(double), list           \
    }

static const field accel_fields[] = {
    TEXT(cn_accel, id, N_("id"), true),
    TEXT(cn_accel, name, N_("name"), true),
    TEXT(cn_accel, vendor, N_("vendor"), true),
    TEXT(cn_accel, generation, N_("generation"), false),
    {"year", N_("year"), "", F_YEAR, offsetof(cn_accel, year), false},
    NUM(cn_accel, "mem_bytes", device.mem_bytes, N_("memory"), "bytes", true),
    NUM(cn_accel, "mem_bytes_per_s", device.mem_bytes_per_s, N_("memory bandwidth"), "bytes/s",
        true),
    PEAK("peak_fp32_flop_per_s", CN_FP32, N_("dense fp32"), false),
    PEAK("peak_tf32_flop_per_s", CN_TF32, N_("dense tf32"), false),
    PEAK("peak_fp16_flop_per_s", CN_FP16, N_("dense fp16"), false),
    PEAK("peak_bf16_flop_per_s", CN_BF16, N_("dense bf16"), true),
    PEAK("peak_fp8_flop_per_s", CN_FP8, N_("dense fp8"), true),
    PEAK("peak_fp4_flop_per_s", CN_FP4, N_("dense fp4"), false),
    PEAK("peak_int8_flop_per_s", CN_INT8, N_("dense int8"), false),
    NUM(cn_accel, "scale_up_bytes_per_s", scale_up_bytes_per_s, N_("scale-up link, one way"),
        "bytes/s", true),
    NUM(cn_accel, "scale_up_domain", scale_up_domain, N_("devices in a scale-up domain"), "",
        false),
    NUM(cn_accel, "nic_bytes_per_s", nic_bytes_per_s, N_("network share, one way"), "bytes/s",
        false),
    NUM(cn_accel, "host_bytes_per_s", host_bytes_per_s, N_("host link, one way"), "bytes/s", false),
    NUM0(cn_accel, "tdp_w", device.tdp_w, N_("power"), "W", true),
    NUM(cn_accel, "launch_year_price_usd", launch_year_price_usd, N_("list price of a device"),
        "USD", false),
};

static const field node_fields[] = {
    TEXT(cn_node_type, id, N_("id"), true),
    TEXT(cn_node_type, provider, N_("provider"), true),
    TEXT(cn_node_type, accelerator, N_("accelerator"), true),
    NUM(cn_node_type, "n_accel", n_accel, N_("devices"), "", true),
    NUM(cn_node_type, "nic_bytes_per_s", nic_bytes_per_s, N_("network of the node, one way"),
        "bytes/s", true),
    NUM(cn_node_type, "scale_up_domain", scale_up_domain, N_("devices in a scale-up domain"), "",
        false),
    NUM(cn_node_type, "scale_up_bytes_per_s", scale_up_bytes_per_s, N_("scale-up link, one way"),
        "bytes/s", false),
    NUM(cn_node_type, "vcpus", vcpus, N_("vCPUs"), "", true),
    NUM(cn_node_type, "mem_bytes", mem_bytes, N_("memory"), "bytes", true),
    NUM(cn_node_type, "local_disk_bytes", local_disk_bytes, N_("local disk"), "bytes", false),
    NUM(cn_node_type, "capex_usd", capex_usd, N_("purchase price"), "USD", false),
    NUM(cn_node_type, "watts", watts, N_("power"), "W", false),
};

static const field model_fields[] = {
    TEXT(cn_model_entry, id, N_("id"), true),
    TEXT(cn_model_entry, name, N_("name"), true),
    TEXT(cn_model_entry, family, N_("family"), true),
    NUM(cn_model_entry, "params_published", params_published, N_("parameters"), "parameters", true),
    NUM(cn_model_entry, "context", context, N_("context"), "", true),
    NUM(cn_model_entry, "hidden", shape.hidden, N_("hidden width"), "", false),
    NUM(cn_model_entry, "vocab", shape.vocab, N_("vocabulary"), "", false),
};

static const field framework_fields[] = {
    TEXT(cn_framework, id, N_("id"), true),
    NUM(cn_framework, "speed_ratio", soft.speed_ratio, N_("kernel quality"), "ratio", true),
    NUM(cn_framework, "dp_overlap_ratio", soft.dp_overlap_ratio, N_("hidden data-parallel traffic"),
        "ratio", true),
    NUM(cn_framework, "spread_ratio", soft.spread_ratio, N_("half-width of the range"), "ratio",
        true),
};

static const field price_fields[] = {
    TEXT(cn_price, item, N_("item"), true),
    TEXT(cn_price, provider, N_("provider"), true),
    TEXT(cn_price, region, N_("region"), true),
    {"buy", N_("purchase"), "", F_BUY, offsetof(cn_price, buy), true},
    NUM(cn_price, "per_hour", per_hour, N_("price of an hour"), "", true),
    CODE(cn_price, currency, N_("currency"), true),
    TEXT(cn_price, date, N_("date"), true),
};

static const field rate_fields[] = {
    TEXT(cn_rate, id, N_("id"), true),
    TEXT(cn_rate, kind, N_("kind"), true),
    TEXT(cn_rate, provider, N_("provider"), true),
    NUM(cn_rate, "price", price, N_("price"), "", true),
    CODE(cn_rate, currency, N_("currency"), true),
    TEXT(cn_rate, unit, N_("per"), true),
    NUM(cn_rate, "bytes_per_s_per_tb", bytes_per_s_per_tb, N_("throughput of a TB"), "bytes/s",
        false),
    NUM(cn_rate, "latency_s", latency_s, N_("latency"), "s", false),
    NUM(cn_rate, "min_days", min_days, N_("shortest stay"), "days", false),
    NUM(cn_rate, "retrieval_per_gb", retrieval_per_gb, N_("retrieval of a GB"), "", false),
    TEXT(cn_rate, date, N_("date"), true),
};

static const field failure_fields[] = {
    TEXT(cn_failure_rate, id, N_("id"), true),
    NUM(cn_failure_rate, "per_device_day", per_device_day, N_("failures of a device a day"), "",
        true),
    NUM(cn_failure_rate, "detect_s", detect_s, N_("time to notice"), "s", true),
    NUM(cn_failure_rate, "restart_s", restart_s, N_("time to restart"), "s", true),
};

static const field law_fields[] = {
    TEXT(cn_law, id, N_("id"), true),
    NUM(cn_law, "e", e, "E", "", true),
    NUM(cn_law, "a", a, "A", "", true),
    NUM(cn_law, "b", b, "B", "", true),
    NUM(cn_law, "alpha", alpha, "alpha", "", true),
    NUM(cn_law, "beta", beta, "beta", "", true),
};

#define ROWS(name, type, get)                                                                      \
    static const void *name(cn_ctx *cx, cn_catalog *c, size_t *n)                                  \
    {                                                                                              \
        const type *rows = get(cx, c, n);                                                          \
        return rows;                                                                               \
    }
ROWS(accel_rows, cn_accel, cn_catalog_accels)
ROWS(node_rows, cn_node_type, cn_catalog_nodes)
ROWS(model_rows, cn_model_entry, cn_catalog_models)
ROWS(framework_rows, cn_framework, cn_catalog_frameworks)
ROWS(price_rows, cn_price, cn_catalog_prices)
ROWS(rate_rows, cn_rate, cn_catalog_rates)
ROWS(failure_rows, cn_failure_rate, cn_catalog_failures)
ROWS(law_rows, cn_law, cn_catalog_laws)

#define KIND(name, one, about, rows, type, id, fields)                                             \
    {                                                                                              \
        name, one, about, rows, sizeof(type), offsetof(type, id), offsetof(type, source), fields,  \
            sizeof(fields) / sizeof(fields)[0]                                                     \
    }

static const kind kinds[] = {
    KIND("accelerators", "accelerator", N_("devices and their peaks"), accel_rows, cn_accel, id,
         accel_fields),
    KIND("nodes", "node", N_("machines as clouds sell them"), node_rows, cn_node_type, id,
         node_fields),
    KIND("models", "model", N_("shapes of known models"), model_rows, cn_model_entry, id,
         model_fields),
    KIND("frameworks", "framework", N_("training software and its constants"), framework_rows,
         cn_framework, id, framework_fields),
    KIND("prices", "price", N_("prices of accelerators and nodes"), price_rows, cn_price, item,
         price_fields),
    KIND("rates", "rate", N_("prices of storage, traffic, staff and the rest"), rate_rows, cn_rate,
         id, rate_fields),
    KIND("failures", "failure rate", N_("how often devices fail"), failure_rows, cn_failure_rate,
         id, failure_fields),
    KIND("laws", "scaling law", N_("loss against parameters and tokens"), law_rows, cn_law, id,
         law_fields),
};
/* Places in kinds[]. */
enum { K_ACCEL, K_NODE, K_MODEL, K_FRAMEWORK, K_PRICE, N_KINDS = sizeof kinds / sizeof kinds[0] };

static const char *text_at(const void *row, size_t offset)
{
    return *(const char *const *)((const char *)row + offset);
}

static const cn_source *source_of(const kind *k, const void *row)
{
    return (const cn_source *)((const char *)row + k->source);
}

static const void *row_at(const kind *k, const void *rows, size_t i)
{
    return (const char *)rows + i * k->size;
}

static double number_at(const void *row, const field *f)
{
    double x = *(const double *)((const char *)row + f->offset);
    return f->kind == F_NUM_OR_0 && x == 0 ? NAN : x;
}

static bool is_text(const field *f)
{
    return f->kind != F_NUM && f->kind != F_NUM_OR_0;
}

/* NULL = not known. */
static const char *field_text(cn_ctx *cx, const void *row, const field *f)
{
    static const char *const buys[] = {"on_demand", "spot", "reserved_1y", "reserved_3y"};
    const char *at = (const char *)row + f->offset;
    if (f->kind == F_CODE)
        return at;
    if (f->kind == F_BUY)
        return buys[*(const cn_buy *)at];
    if (f->kind == F_YEAR)
        return *(const int *)at ? cn_arena_printf(&cx->arena, "%d", *(const int *)at) : NULL;
    return text_at(row, f->offset);
}

/* ------------------------------------------------------------------------------ machine form */

static cn_val *row_val(cn_ctx *cx, const kind *k, const void *row)
{
    const cn_source *s = source_of(k, row);
    cn_val *v = cn_val_obj(cx), *source = cn_val_obj(cx);
    for (size_t i = 0; i < k->n_fields; i++) {
        const field *f = &k->fields[i];
        cn_val_put(cx, v, f->key,
                   is_text(f) ? cn_val_str(cx, field_text(cx, row, f))
                              : cn_val_num(cx, number_at(row, f)));
    }
    cn_val_put(cx, source, "text", cn_val_str(cx, s->text));
    cn_val_put(cx, source, "checked", cn_val_str(cx, s->checked));
    cn_val_put(cx, source, "file", cn_val_str(cx, s->file));
    cn_val_put(cx, source, "line", cn_val_int(cx, s->line));
    cn_val_put(cx, v, "source", source);
    return v;
}

/* ------------------------------------------------------------------------------ old prices */

/* "2026-09-01", "2026-09" or "2026" in days since 1970; NaN otherwise. */
static double date_days(cn_ctx *cx, const char *date)
{
    static const char *const ends[] = {"", "-01", "-01-01"};
    double t = NAN;
    for (size_t i = 0; date && i < sizeof ends / sizeof ends[0]; i++) {
        const char *whole = cn_arena_printf(&cx->arena, "%s%s", date, ends[i]);
        if (whole && cn_when_parse(whole, &t))
            return t / 86400;
    }
    return NAN;
}

static void warn_if_old(cn_ctx *cx, const char *newest)
{
    double age = cx->now_s / 86400 - date_days(cx, newest);
    if (age > OLD_PRICE_DAYS)
        cn_warn(cx, NULL,
                _("the newest price is of %s, %.0f days old; `carnot catalog add` shows how to add "
                  "newer ones"),
                newest, age);
}

/* The latest date of the prices of one item, or of all with item NULL. */
static const char *newest_price(cn_ctx *cx, cn_catalog *c, const char *item)
{
    size_t n;
    const cn_price *p = cn_catalog_prices(cx, c, &n);
    const char *newest = NULL;
    for (size_t i = 0; p && i < n; i++) {
        bool counts = !item || strcmp(p[i].item, item) == 0;
        if (counts && p[i].date && (!newest || strcmp(p[i].date, newest) > 0))
            newest = p[i].date;
    }
    return newest;
}

/* ------------------------------------------------------------------------------ list */

static cn_code overview(cn_ctx *cx, cn_cli *cli, cn_catalog *c)
{
    const cn_col cols[] = {{"kind", _("kind"), "", CN_COL_TEXT},
                           {"entries", _("entries"), "", CN_COL_NUMBER},
                           {"about", _("what"), "", CN_COL_TEXT}};
    cn_doc *doc = cn_doc_new(cx, "carnot.catalog/1", _("catalog"), NULL);
    cn_table *t = cn_doc_table(cx, doc, "kinds", NULL, cols, 3);
    cn_val *list = cn_val_arr(cx);
    for (size_t i = 0; i < N_KINDS; i++) {
        size_t n = 0;
        kinds[i].rows(cx, c, &n);
        if (cx->code != CN_OK)
            return cx->code;
        cn_cell *cell = cn_table_row(cx, t);
        cn_cell_text(cx, &cell[0], kinds[i].name);
        cell[1].num = (double)n;
        cn_cell_text(cx, &cell[2], _(kinds[i].about));
        cn_val *entry = cn_val_obj(cx);
        cn_val_put(cx, entry, "kind", cn_val_str(cx, kinds[i].name));
        cn_val_put(cx, entry, "entries", cn_val_int(cx, (long long)n));
        cn_val_push(cx, list, entry);
    }
    cn_val_put(cx, doc->data, "kinds", list);
    cn_doc_note(cx, doc, "%s",
                _("`carnot catalog list KIND` lists one kind, `carnot catalog show ID` all that is "
                  "known of an entry with its source."));
    warn_if_old(cx, newest_price(cx, c, NULL));
    return cn_cli_show(cx, cli, doc);
}

static void add_row(cn_ctx *cx, cn_table *t, const kind *k, const void *row)
{
    cn_cell *cell = cn_table_row(cx, t);
    size_t at = 0;
    for (size_t i = 0; i < k->n_fields; i++) {
        const field *f = &k->fields[i];
        if (!f->in_list)
            continue;
        const char *text = is_text(f) ? field_text(cx, row, f) : NULL;
        if (text)
            cn_cell_text(cx, &cell[at], text);
        else if (!is_text(f))
            cell[at].num = number_at(row, f);
        at++;
    }
}

static cn_table *list_table(cn_ctx *cx, cn_doc *doc, const kind *k, const char *title)
{
    cn_col cols[MAX_FIELDS];
    size_t n = 0;
    for (size_t i = 0; i < k->n_fields; i++) {
        const field *f = &k->fields[i];
        cn_col_kind form = is_text(f)                      ? CN_COL_TEXT
                           : strcmp(f->unit, "ratio") == 0 ? CN_COL_RATIO
                                                           : CN_COL_NUMBER;
        if (f->in_list)
            cols[n++] = (cn_col){f->key, _(f->label), f->unit, form};
    }
    return cn_doc_table(cx, doc, k->name, title, cols, n);
}

static const char *kind_name(size_t i, const void *arg)
{
    (void)arg;
    return kinds[i].name;
}

static const kind *find_kind(cn_ctx *cx, const char *name)
{
    for (size_t i = 0; i < N_KINDS; i++) {
        bool is_short = strlen(name) >= 3 && cn_text_starts(kinds[i].name, name);
        if (is_short || strcmp(kinds[i].one, name) == 0)
            return &kinds[i]; /* "accelerator", "accel" and the name itself */
    }
    const char *near = cn_text_nearest(name, kind_name, N_KINDS, NULL);
    cn_fail(cx, CN_EUSAGE, NULL, _("the catalog holds no kind \"%s\""), name);
    if (near)
        cn_hint(cx, _("did you mean \"%s\"?"), near);
    else
        cn_hint(cx, _("`carnot catalog` lists the kinds"));
    return NULL;
}

static cn_code list(cn_ctx *cx, cn_cli *cli, cn_catalog *c, const char *name)
{
    const kind *k = find_kind(cx, name);
    size_t n = 0;
    if (!k)
        return cx->code;
    const void *rows = k->rows(cx, c, &n);
    if (cx->code != CN_OK)
        return cx->code;
    cn_doc *doc = cn_doc_new(cx, "carnot.catalog/1", k->name, _(k->about));
    cn_table *t = list_table(cx, doc, k, NULL);
    cn_val *entries = cn_val_arr(cx);
    for (size_t i = 0; i < n; i++) {
        add_row(cx, t, k, row_at(k, rows, i));
        cn_val_push(cx, entries, row_val(cx, k, row_at(k, rows, i)));
    }
    cn_val_put(cx, doc->data, "kind", cn_val_str(cx, k->name));
    cn_val_put(cx, doc->data, "entries", entries);
    if (strcmp(k->name, "prices") == 0)
        warn_if_old(cx, newest_price(cx, c, NULL));
    return cn_cli_show(cx, cli, doc);
}

/* ------------------------------------------------------------------------------ show */

/* An entry by id, case and punctuation aside; by alias where the catalog knows aliases. */
static const void *find_entry(cn_ctx *cx, cn_catalog *c, const char *id, const kind **found)
{
    const void *by_alias[] = {cn_catalog_has_accel(cx, c, id), cn_catalog_has_node(cx, c, id),
                              cn_catalog_has_model(cx, c, id)};
    for (size_t i = 0; i < sizeof by_alias / sizeof by_alias[0]; i++) {
        if (by_alias[i]) {
            *found = &kinds[i]; /* in the order of K_ACCEL, K_NODE, K_MODEL */
            return by_alias[i];
        }
    }
    for (size_t i = 0; i < N_KINDS; i++) {
        size_t n = 0;
        const void *rows = kinds[i].rows(cx, c, &n);
        for (size_t r = 0; rows && r < n; r++) {
            const void *row = row_at(&kinds[i], rows, r);
            if (cn_text_eq_loose(text_at(row, kinds[i].id), id)) {
                *found = &kinds[i];
                return row;
            }
        }
    }
    return NULL;
}

typedef struct all_ids {
    const char **id;
    size_t n;
} all_ids;

static const char *id_at(size_t i, const void *arg)
{
    return ((const all_ids *)arg)->id[i];
}

static cn_code no_entry(cn_ctx *cx, cn_catalog *c, const char *id)
{
    all_ids ids = {0};
    size_t total = 0;
    for (size_t i = 0; i < N_KINDS; i++) {
        size_t n = 0;
        kinds[i].rows(cx, c, &n);
        total += n;
    }
    ids.id = cn_arena_array(&cx->arena, total + 1, sizeof *ids.id);
    if (!ids.id)
        return cn_nomem(cx);
    for (size_t i = 0; i < N_KINDS; i++) {
        size_t n = 0;
        const void *rows = kinds[i].rows(cx, c, &n);
        for (size_t r = 0; rows && r < n; r++)
            ids.id[ids.n++] = text_at(row_at(&kinds[i], rows, r), kinds[i].id);
    }
    const char *near = cn_text_nearest(id, id_at, ids.n, &ids);
    cn_fail(cx, CN_EINPUT, NULL, _("the catalog holds no entry \"%s\""), id);
    if (near)
        return cn_hint(cx, _("did you mean \"%s\"?"), near);
    return cn_hint(cx, _("`carnot catalog list KIND` lists the entries"));
}

static const char *file_of(cn_ctx *cx, const cn_source *s)
{
    const char *text = cn_arena_printf(&cx->arena, "%s:%d", s->file ? s->file : "", s->line);
    return text ? text : "";
}

static const char *place_of(cn_ctx *cx, const cn_source *s)
{
    const char *text = cn_arena_printf(&cx->arena, "%s:%d, %s", s->file ? s->file : "", s->line,
                                       s->checked ? s->checked : "");
    return text ? text : "";
}

static void show_texts(cn_ctx *cx, cn_doc *doc, const kind *k, const void *row)
{
    const cn_source *s = source_of(k, row);
    const cn_col cols[] = {{"field", "", "", CN_COL_TEXT}, {"value", "", "", CN_COL_TEXT}};
    cn_table *t = cn_doc_table(cx, doc, "entry", NULL, cols, 2);
    for (size_t i = 0; i < k->n_fields; i++) {
        const char *text = is_text(&k->fields[i]) ? field_text(cx, row, &k->fields[i]) : NULL;
        if (!text)
            continue;
        cn_cell *cell = cn_table_row(cx, t);
        cn_cell_text(cx, &cell[0], _(k->fields[i].label));
        cn_cell_text(cx, &cell[1], text);
    }
    const char *const sources[][2] = {
        {_("source"), s->text}, {_("checked"), s->checked}, {_("stands in"), file_of(cx, s)}};
    for (size_t i = 0; i < 3; i++) {
        cn_cell *cell = cn_table_row(cx, t);
        cn_cell_text(cx, &cell[0], sources[i][0]);
        if (sources[i][1])
            cn_cell_text(cx, &cell[1], sources[i][1]);
    }
}

static void show_numbers(cn_ctx *cx, cn_doc *doc, const kind *k, const void *row)
{
    cn_doc_block *b = NULL;
    for (size_t i = 0; i < k->n_fields; i++) {
        const field *f = &k->fields[i];
        if (is_text(f))
            continue;
        double x = number_at(row, f);
        if (!b)
            b = cn_doc_figures(cx, doc, "facts", _("facts"));
        cn_doc_figure(
            cx, b,
            isnan(x) ? cn_fig_unknown(cx, f->key, _(f->label), f->unit, _("not in the catalog"))
                     : cn_fig_new(cx, f->key, _(f->label), f->unit, x, CN_BASIS_CATALOG,
                                  place_of(cx, source_of(k, row))));
    }
}

/* Prices of an accelerator or a node. */
static void show_prices(cn_ctx *cx, cn_doc *doc, cn_catalog *c, const char *id)
{
    const kind *k = &kinds[K_PRICE];
    size_t n = 0;
    const cn_price *p = cn_catalog_prices(cx, c, &n);
    cn_table *t = NULL;
    cn_val *prices = cn_val_arr(cx);
    for (size_t i = 0; p && i < n; i++) {
        if (strcmp(p[i].item, id) != 0)
            continue;
        if (!t)
            t = list_table(cx, doc, k, _("prices"));
        add_row(cx, t, k, &p[i]);
        cn_val_push(cx, prices, row_val(cx, k, &p[i]));
    }
    if (!t)
        return;
    cn_val_put(cx, doc->data, "prices", prices);
    warn_if_old(cx, newest_price(cx, c, id));
}

static void show_blocks(cn_ctx *cx, cn_doc *doc, const cn_shape *shape)
{
    const cn_col cols[] = {{"layers", _("layers"), "", CN_COL_NUMBER},
                           {"hidden", _("hidden width"), "", CN_COL_NUMBER},
                           {"heads", _("heads"), "", CN_COL_NUMBER},
                           {"kv_heads", _("KV heads"), "", CN_COL_NUMBER},
                           {"head_dim", _("head width"), "", CN_COL_NUMBER},
                           {"ffn", _("MLP width"), "", CN_COL_NUMBER},
                           {"experts", _("experts"), "", CN_COL_NUMBER},
                           {"top_k", _("experts a token"), "", CN_COL_NUMBER},
                           {"expert_ffn", _("expert width"), "", CN_COL_NUMBER}};
    cn_table *t = cn_doc_table(cx, doc, "blocks", _("blocks"), cols, sizeof cols / sizeof cols[0]);
    for (int i = 0; i < shape->n_blocks; i++) {
        const cn_block *b = &shape->block[i];
        const double x[] = {b->n_layers, b->hidden,    b->n_heads, b->n_kv_heads, b->head_dim,
                            b->ffn,      b->n_experts, b->top_k,   b->expert_ffn};
        cn_cell *cell = cn_table_row(cx, t);
        for (size_t f = 0; f < sizeof x / sizeof x[0]; f++)
            cell[f].num = x[f];
    }
}

static cn_code show(cn_ctx *cx, cn_cli *cli, cn_catalog *c, const char *name)
{
    const kind *k = NULL;
    const void *row = find_entry(cx, c, name, &k);
    if (cx->code != CN_OK)
        return cx->code;
    if (!row)
        return no_entry(cx, c, name);
    const char *id = text_at(row, k->id);
    cn_doc *doc = cn_doc_new(cx, "carnot.catalog/1", id, k->one);
    show_texts(cx, doc, k, row);
    show_numbers(cx, doc, k, row);
    cn_val_put(cx, doc->data, "kind", cn_val_str(cx, k->name));
    cn_val_put(cx, doc->data, "entry", row_val(cx, k, row));
    if (k == &kinds[K_ACCEL] || k == &kinds[K_NODE])
        show_prices(cx, doc, c, id);
    if (k == &kinds[K_MODEL])
        show_blocks(cx, doc, &((const cn_model_entry *)row)->shape);
    return cn_cli_show(cx, cli, doc);
}

/* ------------------------------------------------------------------------------ add */

static const char add_example[] =
    "mkdir -p ~/.config/carnot/catalog/prices\n"
    "cat >~/.config/carnot/catalog/nodes.yaml <<'END'\n"
    "- id: mine/h100-rack\n"
    "  provider: on-premises\n"
    "  accelerator: h100-sxm5-80gb\n"
    "  count: 8\n"
    "  nic: 400 GB/s\n"
    "  source: our purchase order 4711\n"
    "  checked: 2026-09-01\n"
    "END\n"
    "cat >~/.config/carnot/catalog/prices/mine.csv <<'END'\n"
    "item,per,provider,region,on_demand,reserved_1y,reserved_3y,spot,currency,date,source,note\n"
    "mine/h100-rack,node,on-premises,,19.92,,,,USD,2026-09-01,our books,\n"
    "END\n"
    "carnot catalog show mine/h100-rack\n";

static cn_code add(cn_ctx *cx, cn_cli *cli)
{
    cn_doc *doc = cn_doc_new(cx, "carnot.catalog/1", _("adding to the catalog"), NULL);
    cn_doc_note(cx, doc, "%s",
                _("A folder of your own adds entries or replaces built-in ones by id. It is "
                  "~/.config/carnot/catalog, or what --catalog names, and holds files of the same "
                  "names and forms as the folder data/ of the source. Every entry needs a source "
                  "and the day it was checked; every price needs a date."));
    cn_doc_code(cx, doc, _("example"), add_example);
    cn_val_put(cx, doc->data, "example", cn_val_str(cx, add_example));
    return cn_cli_show(cx, cli, doc);
}

/* ------------------------------------------------------------------------------ verb */

static const char *const words[] = {"list", "show", "add", NULL};

static const cn_example examples[] = {
    {"carnot catalog list accelerators", N_("every accelerator with its peaks")},
    {"carnot catalog show aws/p5.48xlarge",
     N_("all that is known of a node, its prices and their sources")},
    {"carnot catalog add", N_("how to add entries of your own")},
    {NULL, NULL},
};

static cn_code wrong_words(cn_ctx *cx, const cn_cli *cli)
{
    cn_fail(cx, CN_EUSAGE, NULL, _("%s needs %s"), cli->cmd->name, cli->cmd->args);
    return cn_hint(cx, _("usage: carnot %s %s [options]"), cli->cmd->name, cli->cmd->args);
}

static cn_code run(cn_ctx *cx, cn_cli *cli)
{
    cn_catalog *c = NULL;
    const char *what = cli->n_args ? cli->arg[0] : "";
    if (strcmp(what, "add") == 0 && cli->n_args == 1)
        return add(cx, cli);
    CN_TRY(cn_catalog_load(cx, cli->catalog, &c));
    if (cli->n_args == 0)
        return overview(cx, cli, c);
    if (strcmp(what, "list") == 0 && cli->n_args == 1)
        return overview(cx, cli, c);
    if (strcmp(what, "list") == 0)
        return list(cx, cli, c, cli->arg[1]);
    if (strcmp(what, "show") == 0 && cli->n_args == 2)
        return show(cx, cli, c, cli->arg[1]);
    return wrong_words(cx, cli);
}

const cn_cmd cn_cmd_catalog = {
    .name = "catalog",
    .group = N_("About carnot"),
    .summary = N_("show the facts carnot knows and their sources"),
    .args = "[list KIND | show ID | add]",
    .max_args = 2,
    .examples = examples,
    .completion = words,
    .run = run,
};
