/*
 * grid.c - how figures become texts.
 *
 * The problem: a figure must read well (1,553,000 USD, 50.8 days), must not pretend to more
 * precision than its range supports, must not round a small cost to nothing, and must read the same
 * in every form of output.
 *
 * Rules, applied here only:
 *  - a column has one scale (unit) and one number of decimals, chosen from all its values;
 *  - the largest value of a column shows about four significant digits; up to two decimals are
 * added so that the smallest shows at least one; what still rounds to nothing prints "~0", never
 * "0";
 *  - a figure of its own shows four significant digits, three when its range is wider than 2 %;
 *    a whole number without a range is exact and shows every digit up to a billion;
 *  - billed money (exact decimal texts) shows cents;
 *  - a ratio is printed in percent, which exists only here;
 *  - NaN is "-", and a sum with unknown parts says so with a sign.
 *
 * Limits: 1e15 and beyond are printed with an exponent.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dec.h"
#include "base/lang.h"
#include "base/text.h"
#include "base/unit.h"
#include "report/grid.h"
#include "report/plain.h"

enum { SIG_DIGITS = 4, MAX_DECIMALS = 6, MAX_INDENT = 6 };

/* ------------------------------------------------------------------------------ numbers */

static int clamp(int x, int lo, int hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* Decimals that show `digits` significant digits of x. */
static int decimals_of(double x, int digits)
{
    if (!(fabs(x) > 0) || isinf(x))
        return 0;
    return clamp(digits - 1 - (int)floor(log10(fabs(x)) + 1e-9), 0, MAX_DECIMALS);
}

static const char *keep(cn_ctx *cx, const char *text)
{
    const char *copy = cn_arena_str(&cx->arena, text);
    if (!copy)
        cn_nomem(cx);
    return copy ? copy : "";
}

static bool is_whole(double x)
{
    return fabs(x) < 1e15 && x == floor(x);
}

/* Largest and smallest magnitude that is not zero, and whether all are whole. */
typedef struct extent {
    double max, min;
    bool is_whole, has_any;
} extent;

static extent extent_of(const double *values, size_t n)
{
    extent e = {.is_whole = true, .min = INFINITY};
    for (size_t i = 0; i < n; i++) {
        double x = fabs(values[i]);
        if (!isfinite(x))
            continue;
        e.has_any = true;
        e.is_whole = e.is_whole && is_whole(x);
        e.max = fmax(e.max, x);
        e.min = x > 0 ? fmin(e.min, x) : e.min;
    }
    return e;
}

static int column_decimals(extent e, double factor, cn_col_kind kind)
{
    double max = e.max / factor, min = e.min / factor;
    if (kind == CN_COL_MONEY)
        return max >= 1000 ? 0 : max >= 1 ? 2 : decimals_of(max, SIG_DIGITS - 1);
    if (kind == CN_COL_RATIO)
        return isfinite(min) && max <= 100 ? clamp(decimals_of(min, 1), 1, 2) : 1;
    if (e.is_whole && factor == 1)
        return 0;
    int decimals = decimals_of(max, SIG_DIGITS);
    if (isfinite(min) && decimals_of(min, 1) > decimals)
        decimals = clamp(decimals_of(min, 1), decimals, clamp(decimals + 2, 0, MAX_DECIMALS));
    return decimals;
}

/*
 * One unit for values that differ: the one that suits their geometric middle, so that the small
 * ones keep their digits; that of the largest if it would then need five digits before the point.
 */
static const char *common_unit(extent e, const char *unit, double *factor)
{
    const char *middle = cn_unit_scale(isfinite(e.min) ? sqrt(e.min * e.max) : 0, unit, factor);
    return e.max / *factor < 10000 ? middle : cn_unit_scale(e.max, unit, factor);
}

cn_scale cn_scale_of(const double *values, size_t n, const char *unit, cn_col_kind kind)
{
    extent e = extent_of(values, n);
    cn_scale s = {.factor = 1, .unit = unit ? unit : ""};
    if (kind == CN_COL_RATIO || strcmp(s.unit, "ratio") == 0) {
        s = (cn_scale){.factor = 0.01, .unit = "%"};
        kind = CN_COL_RATIO;
    } else if (kind == CN_COL_NUMBER && s.unit[0] && e.has_any) {
        s.unit = common_unit(e, s.unit, &s.factor);
    }
    s.decimals = column_decimals(e, s.factor, kind);
    return s;
}

/* A number with fixed decimals that never rounds a cost to nothing without saying so. */
static const char *fixed(double x, int decimals, char *buf)
{
    if (isnan(x))
        return "-";
    if (isinf(x))
        return x > 0 ? "∞" : "-∞";
    if (fabs(x) >= 1e15) {
        snprintf(buf, 64, "%.3e", x);
        return buf;
    }
    double half = 0.5 * pow(10, -decimals);
    if (x != 0 && fabs(x) < half)
        return "~0";
    return cn_number_text(x, decimals, buf);
}

const char *cn_scale_text(cn_ctx *cx, const cn_scale *scale, double value)
{
    char buf[64];
    return keep(cx, fixed(value / scale->factor, scale->decimals, buf));
}

/* ------------------------------------------------------------------------------ tables */

static cn_grid *new_grid(cn_ctx *cx, const char *id, const char *title, size_t n_cols,
                         size_t n_rows)
{
    cn_grid *g = cn_arena_alloc(&cx->arena, sizeof *g);
    cn_grid_col *col = cn_arena_array(&cx->arena, n_cols + 1, sizeof *col);
    const char **cell = cn_arena_array(&cx->arena, n_rows * n_cols + 1, sizeof *cell);
    if (!g || !col || !cell) {
        cn_nomem(cx);
        return NULL;
    }
    *g = (cn_grid){.id = id ? id : "",
                   .title = cn_plain(cx, title, CN_PLAIN_LINE),
                   .n_cols = n_cols,
                   .n_rows = n_rows,
                   .col = col,
                   .cell = cell};
    return g;
}

/* An exact amount to the cent with separators; texts that are no amount stay as they are. */
static const char *money_text(cn_ctx *cx, const char *text)
{
    cn_dec amount;
    char plain[CN_DEC_TEXT_BYTES], out[2 * CN_DEC_TEXT_BYTES];
    if (!cn_dec_parse(text, strlen(text), &amount))
        return cn_plain(cx, text, CN_PLAIN_LINE);
    cn_dec cents = cn_dec_round(amount, 2);
    if (cn_dec_is_zero(cents) && !cn_dec_is_zero(amount))
        return "~0";
    cn_dec_text(cents, plain);
    char *to = out;
    const char *p = plain, *point = strchr(plain, '.');
    size_t whole = point ? (size_t)(point - plain) : strlen(plain);
    for (; whole > 0; whole--) {
        *to++ = *p++;
        if (whole > 1 && (whole - 1) % 3 == 0 && p[-1] != '-')
            *to++ = ',';
    }
    size_t places = point ? strlen(point + 1) : 0;
    snprintf(to, 4, "%s", places == 0 ? ".00" : places == 1 ? ".X0" : point);
    if (places == 1)
        to[1] = point[1];
    return keep(cx, out);
}

static const char *cell_text(cn_ctx *cx, const cn_cell *cell, cn_col_kind kind, cn_scale scale)
{
    if (cell->text && kind == CN_COL_MONEY)
        return money_text(cx, cell->text);
    if (cell->text)
        return cn_plain(cx, cell->text, CN_PLAIN_LINE);
    return cn_scale_text(cx, &scale, cell->num);
}

/* Fills one column and says in the grid what its head needs. */
static void fill_column(cn_ctx *cx, cn_grid *g, const cn_table *t, size_t c, double *values)
{
    const cn_col *col = &t->col[c];
    bool has_texts = false;
    for (size_t r = 0; r < t->n_rows; r++) {
        const cn_cell *cell = &t->cell[r * t->n_cols + c];
        values[r] = cell->text ? NAN : cell->num;
        has_texts = has_texts || cell->text;
    }
    cn_scale scale = cn_scale_of(values, t->n_rows, col->unit, col->kind);
    if (col->kind == CN_COL_MONEY && has_texts)
        scale.decimals = 2; /* a bill: to the cent */
    g->col[c] = (cn_grid_col){
        .key = col->key,
        .label = cn_plain(cx, col->label, CN_PLAIN_LINE),
        .unit = col->kind == CN_COL_TEXT ? "" : cn_plain(cx, scale.unit, CN_PLAIN_LINE),
        .is_number = col->kind != CN_COL_TEXT};
    g->has_units = g->has_units || g->col[c].unit[0];
    g->has_labels = g->has_labels || g->col[c].label[0];
    for (size_t r = 0; r < t->n_rows; r++)
        g->cell[r * g->n_cols + c] = cell_text(cx, &t->cell[r * t->n_cols + c], col->kind, scale);
}

cn_grid *cn_grid_table(cn_ctx *cx, const cn_table *t)
{
    cn_grid *g = new_grid(cx, t->id, t->title, t->n_cols, t->n_rows);
    double *values = cn_arena_array(&cx->arena, t->n_rows + 1, sizeof *values);
    if (!g || !values) {
        cn_nomem(cx);
        return NULL;
    }
    g->has_total = t->has_total;
    for (size_t c = 0; c < t->n_cols; c++)
        fill_column(cx, g, t, c, values);
    return g;
}

static const char *raw_number(cn_ctx *cx, double x)
{
    char buf[32];
    return isfinite(x) ? keep(cx, cn_double_text(x, buf)) : "";
}

cn_grid *cn_grid_raw_table(cn_ctx *cx, const cn_table *t)
{
    cn_grid *g = new_grid(cx, t->id, t->title, t->n_cols, t->n_rows);
    if (!g)
        return NULL;
    for (size_t c = 0; c < t->n_cols; c++) {
        g->col[c] = (cn_grid_col){.key = t->col[c].key,
                                  .label = t->col[c].label,
                                  .unit = t->col[c].unit,
                                  .is_number = t->col[c].kind != CN_COL_TEXT};
        for (size_t r = 0; r < t->n_rows; r++) {
            const cn_cell *cell = &t->cell[r * t->n_cols + c];
            g->cell[r * t->n_cols + c] = cell->text ? cell->text : raw_number(cx, cell->num);
        }
    }
    return g;
}

const cn_table *cn_doc_find_table(const cn_doc *doc, const char *id)
{
    for (size_t i = 0; id && i < doc->n_blocks; i++) {
        const cn_table *t = doc->block[i]->table;
        if (doc->block[i]->kind == CN_BLOCK_TABLE && t && t->id && strcmp(t->id, id) == 0)
            return t;
    }
    return NULL;
}

/* ------------------------------------------------------------------------------ figures */

enum { FIG_LABEL, FIG_VALUE, FIG_UNIT, FIG_RANGE, FIG_BASIS, FIG_N };

static const char *basis_label(cn_basis basis)
{
    switch (basis) {
    case CN_BASIS_MEASURED:
        return _("measured");
    case CN_BASIS_CATALOG:
        return _("catalog");
    case CN_BASIS_FORMULA:
        return _("formula");
    case CN_BASIS_ASSUMED:
        return _("assumed");
    case CN_BASIS_GIVEN:
        return _("given");
    }
    return "";
}

static bool has_range(const cn_fig *fig)
{
    return isfinite(fig->lo) && isfinite(fig->hi) && fig->hi > fig->lo;
}

/* 1553260 with four significant digits is 1553000. */
static double round_to(double x, int digits)
{
    double unit = pow(10, floor(log10(fabs(x))) + 1 - digits);
    return isfinite(x) && x != 0 ? round(x / unit) * unit : x;
}

/* One number of a figure: value, lo or hi, with the precision the value deserves. */
static const char *figure_number(cn_ctx *cx, const cn_fig *fig, double x, double factor)
{
    char buf[64];
    double value = fig->value / factor;
    bool is_wide = has_range(fig) && fig->hi - fig->lo > 0.02 * fabs(fig->value);
    if (!has_range(fig) && factor == 1 && is_whole(value) && fabs(value) < 1e9)
        return keep(cx, fixed(x, 0, buf));
    if (fabs(value) >= 1e15 || fabs(value) < 1000 || !isfinite(value))
        return keep(cx, fixed(x / factor, decimals_of(value, SIG_DIGITS - is_wide), buf));
    return keep(cx, fixed(round_to(x / factor, SIG_DIGITS), 0, buf));
}

static double figure_scale(const cn_fig *fig, const char **unit)
{
    double factor = 1;
    *unit = fig->unit ? fig->unit : "";
    if (strcmp(*unit, "ratio") == 0) {
        *unit = "%";
        return 0.01;
    }
    if ((*unit)[0] && fig->known && isfinite(fig->value))
        *unit = cn_unit_scale(fig->value, *unit, &factor);
    return factor;
}

static const char *joined(cn_ctx *cx, const char *a, const char *between, const char *b)
{
    const char *text = cn_arena_printf(&cx->arena, "%s%s%s", a, between, b);
    if (!text)
        cn_nomem(cx);
    return text ? text : "";
}

/* Scale and precision of a figure: its own, or those of the sum it stands below. */
typedef struct figure_look {
    double factor;
    const char *unit;
    const cn_fig *precision_of;
    int depth;
} figure_look;

static figure_look own_look(const cn_fig *fig)
{
    figure_look look = {.precision_of = fig};
    look.factor = figure_scale(fig, &look.unit);
    return look;
}

/* A figure that is part of an earlier sum of the block stands below it, indented, in its unit. */
static figure_look look_of(const cn_doc_block *b, const figure_look *looks, size_t i)
{
    for (size_t k = i; k-- > 0;) {
        for (size_t p = 0; b->fig[k]->kind == CN_FIG_SUM && p < b->fig[k]->n; p++) {
            if (b->fig[k]->part[p] != b->fig[i])
                continue;
            figure_look look = b->fig[k]->known ? looks[k] : own_look(b->fig[i]);
            look.depth = clamp(looks[k].depth + 1, 0, MAX_INDENT);
            return look;
        }
    }
    return own_look(b->fig[i]);
}

static void fill_figure(cn_ctx *cx, const cn_fig *fig, const figure_look *look, const char **cell)
{
    cell[FIG_LABEL] = cn_plain(cx, fig->label ? fig->label : fig->key, CN_PLAIN_LINE);
    cell[FIG_UNIT] = cn_plain(cx, look->unit, CN_PLAIN_LINE);
    cell[FIG_RANGE] = "-";
    if (!fig->known) {
        cell[FIG_VALUE] = "-";
        cell[FIG_BASIS] =
            fig->why ? joined(cx, _("unknown"), ": ", cn_plain(cx, fig->why, CN_PLAIN_LINE))
                     : _("unknown");
        return;
    }
    cell[FIG_VALUE] = figure_number(cx, look->precision_of, fig->value, look->factor);
    if (fig->is_partial)
        cell[FIG_VALUE] = joined(cx, "≥", " ", cell[FIG_VALUE]);
    if (has_range(fig))
        cell[FIG_RANGE] =
            joined(cx, figure_number(cx, look->precision_of, fig->lo, look->factor), " .. ",
                   figure_number(cx, look->precision_of, fig->hi, look->factor));
    cell[FIG_BASIS] = basis_label(fig->basis);
}

cn_grid *cn_grid_figures(cn_ctx *cx, const cn_doc_block *b)
{
    cn_grid *g = new_grid(cx, b->id, b->title, FIG_N, b->n_figs);
    int *depth = cn_arena_array(&cx->arena, b->n_figs + 1, sizeof *depth);
    figure_look *looks = cn_arena_array(&cx->arena, b->n_figs + 1, sizeof *looks);
    if (!g || !depth || !looks) {
        cn_nomem(cx);
        return NULL;
    }
    const cn_grid_col cols[FIG_N] = {
        {"label", "", "", false},         {"value", _("value"), "", true},
        {"unit", _("unit"), "", false},   {"range", _("p10 .. p90"), "", false},
        {"basis", _("basis"), "", false},
    };
    memcpy(g->col, cols, sizeof cols);
    for (size_t i = 0; i < b->n_figs; i++) {
        looks[i] = look_of(b, looks, i);
        fill_figure(cx, b->fig[i], &looks[i], &g->cell[i * FIG_N]);
        depth[i] = looks[i].depth;
    }
    g->depth = depth;
    g->has_labels = true;
    return g;
}

cn_grid *cn_grid_without_range(cn_grid *g)
{
    size_t c = 0;
    while (g && c < g->n_cols && strcmp(g->col[c].key, "range") != 0)
        c++;
    if (!g || c == g->n_cols)
        return g;
    for (size_t r = 0; r < g->n_rows; r++) {
        if (strcmp(g->cell[r * g->n_cols + c], "-") != 0)
            return g;
    }
    size_t n = g->n_cols, to = 0;
    for (size_t from = 0; from < n * g->n_rows; from++) {
        if (from % n != c)
            g->cell[to++] = g->cell[from];
    }
    memmove(&g->col[c], &g->col[c + 1], (n - c - 1) * sizeof *g->col);
    g->n_cols = n - 1;
    return g;
}

cn_grid *cn_grid_raw_figures(cn_ctx *cx, const cn_doc *doc)
{
    static const char *const keys[] = {"key",  "label", "value",  "lo", "hi",
                                       "unit", "basis", "source", "why"};
    enum { N_KEYS = sizeof keys / sizeof keys[0] };
    size_t n = 0, row = 0;
    for (size_t i = 0; i < doc->n_blocks; i++)
        n += doc->block[i]->kind == CN_BLOCK_FIGURES ? doc->block[i]->n_figs : 0;
    cn_grid *g = new_grid(cx, "figures", NULL, N_KEYS, n);
    for (size_t c = 0; g && c < N_KEYS; c++)
        g->col[c] = (cn_grid_col){.key = keys[c], .label = keys[c], .unit = ""};
    for (size_t i = 0; g && i < doc->n_blocks; i++) {
        const cn_doc_block *b = doc->block[i];
        for (size_t k = 0; b->kind == CN_BLOCK_FIGURES && k < b->n_figs; k++) {
            const cn_fig *f = b->fig[k];
            const char *cells[N_KEYS] = {f->key,
                                         f->label,
                                         f->known ? raw_number(cx, f->value) : "",
                                         f->known ? raw_number(cx, f->lo) : "",
                                         f->known ? raw_number(cx, f->hi) : "",
                                         f->unit,
                                         f->known ? cn_basis_name(f->basis) : "unknown",
                                         f->source,
                                         f->why};
            for (size_t c = 0; c < N_KEYS; c++)
                g->cell[row * N_KEYS + c] = cells[c] ? cells[c] : "";
            row++;
        }
    }
    return g;
}

/* ------------------------------------------------------------------------------ charts */

/* Series that share their points stand side by side; others one below the other. */
static bool is_side_by_side(const cn_chart *c)
{
    for (size_t i = 1; i < c->n_series; i++) {
        const cn_series *a = &c->series[0], *b = &c->series[i];
        if (a->n != b->n || b->lo || b->hi)
            return false;
        for (size_t k = 0; k < a->n && (a->x || b->x); k++) {
            if (!a->x || !b->x || a->x[k] != b->x[k])
                return false;
        }
    }
    return c->kind != CN_CHART_SCATTER;
}

static void add_points(cn_ctx *cx, cn_table *t, const cn_chart *c, size_t from, size_t n_series,
                       bool has_name, bool has_x, bool has_range)
{
    const cn_series *first = &c->series[from];
    for (size_t k = 0; k < first->n; k++) {
        cn_cell *cell = cn_table_row(cx, t);
        size_t at = 0;
        if (cx->code == CN_ENOMEM)
            return;
        if (has_name)
            cn_cell_text(cx, &cell[at++], first->label);
        if (first->point)
            cn_cell_text(cx, &cell[at], first->point[k]);
        at++;
        if (has_x)
            cell[at++].num = first->x ? first->x[k] : (double)k;
        for (size_t s = from; s < from + n_series; s++)
            cell[at++].num = c->series[s].y[k];
        if (has_range && first->lo && first->hi) {
            cell[at++].num = first->lo[k];
            cell[at++].num = first->hi[k];
        }
    }
}

static cn_col column(const char *key, const char *label, const char *unit, cn_col_kind kind)
{
    return (cn_col){.key = key, .label = label, .unit = unit ? unit : "", .kind = kind};
}

/* A ratio in percent, anything else scaled to a readable unit. */
static cn_col_kind kind_of_unit(const char *unit)
{
    return unit && strcmp(unit, "ratio") == 0 ? CN_COL_RATIO : CN_COL_NUMBER;
}

cn_table *cn_chart_table(cn_ctx *cx, const cn_chart *c)
{
    bool beside = is_side_by_side(c);
    bool has_x = c->n_series && c->series[0].x, has_range = !beside;
    size_t n_cols = 0, n_values = beside ? c->n_series : 1;
    cn_doc *scratch = cn_doc_new(cx, "", "", NULL);
    cn_col *cols = cn_arena_array(&cx->arena, c->n_series + 6, sizeof *cols);
    if (!cols) {
        cn_nomem(cx);
        return NULL;
    }
    for (size_t i = 0; i < c->n_series; i++)
        has_range = has_range || (c->series[i].lo && c->series[i].hi);
    if (!beside)
        cols[n_cols++] = column("series", _("series"), "", CN_COL_TEXT);
    cols[n_cols++] = column("point", "", "", CN_COL_TEXT);
    if (has_x)
        cols[n_cols++] = column("x", "x", c->x_unit, kind_of_unit(c->x_unit));
    for (size_t i = 0; i < n_values; i++) {
        const char *label = beside && c->series[i].label ? c->series[i].label : _("value");
        cols[n_cols++] = column(i ? label : "value", label, c->unit, kind_of_unit(c->unit));
    }
    if (has_range) {
        cols[n_cols++] = column("lo", "p10", c->unit, kind_of_unit(c->unit));
        cols[n_cols++] = column("hi", "p90", c->unit, kind_of_unit(c->unit));
    }
    cn_table *t = cn_doc_table(cx, scratch, c->id, c->title, cols, n_cols);
    for (size_t i = 0; i < c->n_series; i += n_values)
        add_points(cx, t, c, i, n_values, !beside, has_x, has_range);
    t->has_total = c->kind == CN_CHART_WATERFALL;
    return t;
}
