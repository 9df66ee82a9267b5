/*
 * fit.c - fit the calibrated constants of data/efficiency.yaml to measured runs.
 *
 *     fit RUNS.csv[:weight]... [--rounds N] [--hops N] [--folds K] [--warm 1] [--seed N] [--favour
 * TEXT=W] > data/efficiency.yaml
 *
 * The objective is the mean of |log error| plus half its square over all timed runs, plus a pull of
 * every constant towards its default (what no run says anything about stays where physics and
 * practice put it). Coordinate descent with adaptive steps, then hops: a random kick, a short
 * descent, kept if better. Deterministic for a given seed. With --folds K one part in K is left out
 * in turn and predicted by the constants of the others: the figure that tells how unseen runs of
 * the same kinds fare. Progress and errors go to standard error.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/text.h"
#include "estimate/score.h"

enum { MAX_PARTS = 48, MAX_PARAMS = 1600, MAX_RUNS = 20000 };

typedef struct {
    const char *name;
    cn_eff eff, start; /* start: the catalog's constants, see --warm */
    int runs;
} generation;

typedef struct {
    const char *id;
    cn_soft soft, start;
    bool is_modern; /* fused attention: the others say little about a run of today */
    int runs;
} framework;

/* Four factors tell a device from its generation: power and clock limits move peaks, not shapes. */
typedef struct {
    const char *id;
    double gemm, gemm8, gemm4, attn;
    int generation, runs;
    cn_eff eff; /* the catalog's */
} device;

typedef struct {
    double *x, lo, hi, prior, start, scale, step;
} param;

typedef struct {
    cn_run *run;
    int generation, framework, device, fold;
    double weight, measured_s;
} row;

static generation gen[MAX_PARTS];
static framework fw[MAX_PARTS];
static device dev[MAX_PARTS];
static int n_gen, n_fw, n_dev, n_params;
static param params[MAX_PARAMS];
static row rows[MAX_RUNS];
static size_t n_rows;
static int left_out = -1;
static const char *favoured; /* --favour TEXT=W: sources that hold TEXT weigh W times as much */
static double favour = 1;
static cn_ctx cx;
static cn_catalog *catalog;
static const double pull = 2e-4;

static int find_gen(const char *name)
{
    for (int i = 0; i < n_gen; i++)
        if (strcmp(gen[i].name, name) == 0)
            return i;
    gen[n_gen].name = name;
    cn_eff_default(&gen[n_gen].eff);
    gen[n_gen].start = gen[n_gen].eff;
    return n_gen++;
}

static int find_fw(const cn_framework *f)
{
    for (int i = 0; i < n_fw; i++)
        if (strcmp(fw[i].id, f->id) == 0)
            return i;
    fw[n_fw].id = f->id;
    fw[n_fw].start = f->soft;
    fw[n_fw].is_modern = f->has_flash;
    fw[n_fw].soft = f->soft; /* memory constants are set by hand, from the memory rows */
    return n_fw++;
}

static int find_dev(const cn_run *r, int generation_index)
{
    for (int i = 0; i < n_dev; i++)
        if (strcmp(dev[i].id, r->accel->id) == 0)
            return i;
    dev[n_dev] = (device){r->accel->id, 1, 1, 1, 1, generation_index, 0, r->accel->device.eff};
    return n_dev++;
}

/* A generation of which no run states its layout is fitted to runs that leave it open. */
static bool is_only_source(const cn_run *run, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!run[i].reason && run[i].is_described && strcmp(run[i].accel->generation, name) == 0)
            return false;
    return true;
}

static void add_rows(cn_run *run, size_t n, double weight)
{
    for (size_t i = 0; i < n; i++) {
        double s = run[i].reason ? NAN : cn_run_measured_s(&run[i]);
        bool use = s > 0 && n_rows < MAX_RUNS &&
                   (run[i].is_described || is_only_source(run, n, run[i].accel->generation));
        if (!use)
            continue;
        row *r = &rows[n_rows];
        int g = find_gen(run[i].accel->generation);
        *r = (row){&run[i], g, find_fw(run[i].framework), find_dev(&run[i], g), (int)(n_rows % 5),
                   0,       s};
        r->weight = weight * (run[i].is_core ? 1 : 0.4);
        if (favoured && strstr(run[i].source, favoured))
            r->weight *= favour;
        gen[r->generation].runs++;
        fw[r->framework].runs++;
        dev[r->device].runs++;
        n_rows++;
    }
}

static void add_param(double *x, double lo, double hi, double scale, double start)
{
    params[n_params++] = (param){x, lo, hi, *x, fmin(fmax(start, lo), hi), scale, 0.2 * scale};
}

static double scale_of(double def, double lo, double hi)
{
    return def != 0 ? fabs(def) * 0.5 : (hi - lo) / 40;
}

/* Set by hand or derived, not fitted to times. */
static bool is_fixed(const char *name)
{
    static const char *const names[] = {"keep_ratio",  "selective_keep_ratio", "logit_bytes",
                                        "slack_ratio", "spread_ratio",         "moe_spread_ratio"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* The device of a generation with most runs is the generation; the catalog's constants of it are
 * its start. */
static bool is_main_device(int d)
{
    for (int e = 0; e < n_dev; e++)
        if (dev[e].generation == dev[d].generation && dev[e].runs > dev[d].runs)
            return false;
    return true;
}

static void add_params(void)
{
    for (int d = 0; d < n_dev; d++)
        if (is_main_device(d))
            gen[dev[d].generation].start = dev[d].eff;
    for (int g = 0; g < n_gen; g++) {
#define X(name, def, lo, hi, unit, help)                                                           \
    add_param(&gen[g].eff.name, lo, hi, scale_of(def, lo, hi), gen[g].start.name);
        CN_EFF_LIST(X)
#undef X
    }
    for (int f = 0; f < n_fw; f++) {
        cn_soft d;
        cn_soft_default(&d);
#define X(name, def, lo, hi, unit, help)                                                           \
    if (!is_fixed(#name)) {                                                                        \
        fw[f].soft.name = def;                                                                     \
        add_param(&fw[f].soft.name, lo, hi,                                                        \
                  strcmp(#name, "speed_ratio") ? scale_of(def, lo, hi) : 0.1, fw[f].start.name);   \
    }
        CN_SOFT_LIST(X)
#undef X
    }
    for (int d = 0; d < n_dev; d++) {
        bool is_main = is_main_device(d);
        double *x[] = {&dev[d].gemm, &dev[d].gemm8, &dev[d].gemm4, &dev[d].attn};
        const cn_eff *g = &gen[dev[d].generation].start, *e = &dev[d].eff;
        double start[] = {e->gemm_ratio / g->gemm_ratio, e->gemm_fp8_ratio / g->gemm_fp8_ratio,
                          e->gemm_fp4_ratio / g->gemm_fp4_ratio, e->attn_ratio / g->attn_ratio};
        for (int i = 0; i < 4 && !is_main; i++)
            add_param(x[i], 0.5, 1.5, 0.15, start[i]);
    }
}

static void apply(row *r)
{
    cn_eff *e = &r->run->device.eff;
    const device *d = &dev[r->device];
    *e = gen[r->generation].eff;
    e->gemm_ratio = fmin(0.82, e->gemm_ratio * d->gemm);
    e->gemm_fp8_ratio = fmin(0.82, e->gemm_fp8_ratio * d->gemm8);
    e->gemm_fp4_ratio = fmin(0.82, e->gemm_fp4_ratio * d->gemm4);
    e->attn_ratio = fmin(1, e->attn_ratio * d->attn);
    e->attn_bwd_ratio = fmin(1, e->attn_bwd_ratio * d->attn);
    r->run->soft = fw[r->framework].soft;
}

static double log_error(row *r)
{
    cn_step s;
    apply(r);
    cn_step_eval(&r->run->train, &s);
    double e = log(s.time_s / r->measured_s);
    return isfinite(e) ? e : 3;
}

static double objective(void)
{
    double sum = 0, weight = 0, away = 0;
    for (size_t i = 0; i < n_rows; i++) {
        if (rows[i].fold == left_out)
            continue;
        double e = fabs(log_error(&rows[i]));
        sum += rows[i].weight * (e + 0.5 * e * e);
        weight += rows[i].weight;
    }
    for (int i = 0; i < n_params; i++) {
        double d = (*params[i].x - params[i].prior) / params[i].scale;
        away += d * d;
    }
    return sum / weight + pull * away;
}

static double descend(int rounds)
{
    double best = objective();
    for (int i = 0; i < n_params; i++)
        params[i].step = 0.2 * params[i].scale;
    for (int r = 0; r < rounds; r++) {
        double start = best;
        for (int i = 0; i < n_params; i++) {
            param *p = &params[i];
            double old = *p->x;
            bool better = false;
            for (int sign = -1; sign <= 1 && !better; sign += 2) {
                *p->x = fmin(fmax(old + sign * p->step, p->lo), p->hi);
                double o = *p->x == old ? best : objective();
                better = o < best - 1e-9;
                best = better ? o : best;
            }
            if (!better)
                *p->x = old;
            p->step = fmax(p->step * (better ? 1.5 : 0.6), 1e-3 * p->scale);
        }
        if (start - best < 1e-7 && r > 30)
            break;
    }
    return best;
}

static void hop(int hops, cn_rng *rng)
{
    static double kept[MAX_PARAMS];
    double best = objective();
    for (int h = 0; h < hops; h++) {
        for (int i = 0; i < n_params; i++)
            kept[i] = *params[i].x;
        for (int i = 0; i < n_params; i++) {
            double kick =
                cn_rng_unit(rng) < 0.15 ? params[i].scale * (2 * cn_rng_unit(rng) - 1) : 0;
            *params[i].x = fmin(fmax(*params[i].x + kick, params[i].lo), params[i].hi);
        }
        double o = descend(25);
        if (o < best)
            best = o;
        else
            for (int i = 0; i < n_params; i++)
                *params[i].x = kept[i];
        fprintf(stderr, "hop %d of %d: %.5f\n", h + 1, hops, best);
    }
}

static void reset(bool warm)
{
    for (int i = 0; i < n_params; i++)
        *params[i].x = warm ? params[i].start : params[i].prior;
}

/* Mean absolute and signed error of core rows in (or out of) the fold left out. */
static void errors(bool alone, double *mape, double *bias, int *n)
{
    *mape = *bias = 0;
    *n = 0;
    for (size_t i = 0; i < n_rows; i++) {
        if (!rows[i].run->is_core || (alone && rows[i].fold != left_out))
            continue;
        double e = expm1(log_error(&rows[i]));
        *mape += fabs(e);
        *bias += e;
        ++*n;
    }
    *mape /= *n;
    *bias /= *n;
}

static void cross_validate(int folds, int rounds)
{
    double all = 0, all_bias = 0, mape, bias;
    int total = 0, n;
    for (size_t i = 0; i < n_rows; i++)
        rows[i].fold = (int)(i % (size_t)folds);
    for (left_out = 0; left_out < folds; left_out++) {
        reset(false);
        descend(rounds);
        errors(true, &mape, &bias, &n);
        fprintf(stderr, "left out %d of %d: %d runs, mean error %.1f %%, signed %+.1f %%\n",
                left_out + 1, folds, n, 100 * mape, 100 * bias);
        all += mape * n;
        all_bias += bias * n;
        total += n;
    }
    left_out = -1;
    fprintf(stderr, "runs left out: mean error %.2f %%, signed %+.2f %%\n", 100 * all / total,
            100 * all_bias / total);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Half-width that holds four in five runs of a framework; fewer than 5 runs keep the default. */
static double spread(int framework_index, bool experts, double fallback)
{
    static double e[MAX_RUNS];
    size_t n = 0;
    for (size_t i = 0; i < n_rows; i++) {
        const cn_shape *s = &rows[i].run->shape;
        bool moe = s->block[s->n_blocks - 1].n_experts > 0;
        if (rows[i].framework == framework_index && moe == experts)
            e[n++] = expm1(fabs(log_error(&rows[i])));
    }
    if (n < 5)
        return fallback;
    qsort(e, n, sizeof *e, by_value);
    return e[(size_t)(0.8 * (double)(n - 1))] + 0.002;
}

static const char *text(double x, char *buf)
{
    snprintf(buf, 32, "%.4g", x);
    return buf;
}

static void print_pair(const char *name, double x, double def, int *on_line)
{
    char buf[32];
    if (x == def)
        return;
    printf("%s%s: %s",
           *on_line == 0       ? ""
           : *on_line % 4 == 0 ? ",\n              "
                               : ", ",
           name, text(x, buf));
    ++*on_line;
}

/* Generations no run speaks of keep what the catalog has. */
static void print_unmeasured(void)
{
    size_t n;
    const cn_accel *a = cn_catalog_accels(&cx, catalog, &n);
    const char *told[MAX_PARTS];
    int n_told = 0;
    for (size_t i = 0; i < n; i++) {
        bool known = a[i].generation == NULL || n_told == MAX_PARTS;
        for (int g = 0; g < n_gen && !known; g++)
            known = strcmp(gen[g].name, a[i].generation) == 0;
        for (int t = 0; t < n_told && !known; t++)
            known = strcmp(told[t], a[i].generation) == 0;
        if (known)
            continue;
        int k = 0;
        told[n_told++] = a[i].generation;
        printf("  %s: # no runs\n             {", a[i].generation);
#define X(name, def, lo, hi, unit, help) print_pair(#name, a[i].device.eff.name, def, &k);
        CN_EFF_LIST(X)
#undef X
        printf("}\n");
    }
}

/*
 * What a framework that no run speaks of is taken to be: the mean of today's measured ones,
 * weighted by the root of their runs, with the spread that mean has on their runs.
 */
static void print_default(void)
{
    cn_soft sum = {0}, d;
    double weight = 0;
    int n = 0;
    for (int f = 0; f < n_fw; f++) {
        double w = fw[f].is_modern && fw[f].runs >= 10 ? sqrt(fw[f].runs) : 0;
        weight += w;
#define X(name, def, lo, hi, unit, help) sum.name += w * fw[f].soft.name;
        CN_SOFT_LIST(X)
#undef X
    }
    if (!(weight > 0))
        return;
    cn_soft_default(&d);
#define X(name, def, lo, hi, unit, help) d.name = is_fixed(#name) ? def : sum.name / weight;
    CN_SOFT_LIST(X)
#undef X
    static double e[2][MAX_RUNS];
    size_t k[2] = {0, 0};
    for (size_t i = 0; i < n_rows; i++) {
        if (!fw[rows[i].framework].is_modern)
            continue;
        cn_soft own = fw[rows[i].framework].soft;
        const cn_shape *s = &rows[i].run->shape;
        int moe = s->block[s->n_blocks - 1].n_experts > 0;
        fw[rows[i].framework].soft = d;
        e[moe][k[moe]++] = expm1(fabs(log_error(&rows[i])));
        fw[rows[i].framework].soft = own;
    }
    for (int m = 0; m < 2; m++)
        qsort(e[m], k[m], sizeof *e[m], by_value);
    d.spread_ratio = k[0] ? e[0][(size_t)(0.8 * (double)(k[0] - 1))] : 0.2;
    d.moe_spread_ratio = k[1] ? e[1][(size_t)(0.8 * (double)(k[1] - 1))] : 0.4;
    printf("  default: # mean of the frameworks with fused attention\n             {");
#define X(name, def, lo, hi, unit, help) print_pair(#name, d.name, def, &n);
    CN_SOFT_LIST(X)
#undef X
    printf("}\n");
}

static void print_yaml(void)
{
    printf(
        "# Calibrated constants, written by bench/fit; see docs/calibration.md for how and from "
        "what.\n"
        "# Names, units, ranges and meanings: CN_EFF_LIST and CN_SOFT_LIST in "
        "src/model/hardware.h. What is absent\n"
        "# keeps the default written there. devices: factors on their generation's constants.\n\n"
        "source: \"fitted to measured runs by bench/fit: %zu runs\"\nchecked: "
        "2026-12-01\n\ngenerations:\n",
        n_rows);
    for (int g = 0; g < n_gen; g++) {
        int n = 0;
        printf("  %s: # %d runs\n             {", gen[g].name, gen[g].runs);
#define X(name, def, lo, hi, unit, help) print_pair(#name, gen[g].eff.name, def, &n);
        CN_EFF_LIST(X)
#undef X
        printf("}\n");
    }
    print_unmeasured();
    printf("\ndevices:\n");
    for (int d = 0; d < n_dev; d++) {
        int n = 0;
        if (dev[d].gemm == 1 && dev[d].gemm8 == 1 && dev[d].gemm4 == 1 && dev[d].attn == 1)
            continue;
        printf("  %s: # %d runs\n             {", dev[d].id, dev[d].runs);
        print_pair("gemm_ratio", dev[d].gemm, 1, &n);
        print_pair("gemm_fp8_ratio", dev[d].gemm8, 1, &n);
        print_pair("gemm_fp4_ratio", dev[d].gemm4, 1, &n);
        print_pair("attn_ratio", dev[d].attn, 1, &n);
        print_pair("attn_bwd_ratio", dev[d].attn, 1, &n);
        printf("}\n");
    }
    printf("\nframeworks:\n");
    for (int f = 0; f < n_fw; f++) {
        int n = 0;
        cn_soft *s = &fw[f].soft;
        if (strcmp(fw[f].id, "default") == 0 || fw[f].runs < 2)
            continue;
        s->spread_ratio = spread(f, false, 0.15);
        s->moe_spread_ratio = spread(f, true, 0.3);
        printf("  %s: # %d runs\n             {", fw[f].id, fw[f].runs);
#define X(name, def, lo, hi, unit, help) print_pair(#name, s->name, def, &n);
        CN_SOFT_LIST(X)
#undef X
        printf("}\n");
    }
    print_default();
}

static double number_after(int argc, char **argv, const char *name, double fallback)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return atof(argv[i + 1]);
    return fallback;
}

static void read_favour(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i++) {
        char *eq = strcmp(argv[i], "--favour") == 0 ? strchr(argv[i + 1], '=') : NULL;
        if (!eq)
            continue;
        *eq = 0;
        favoured = argv[i + 1];
        favour = atof(eq + 1);
    }
}

static cn_code read_files(int argc, char **argv)
{
    CN_TRY(cn_catalog_load(&cx, NULL, &catalog));
    for (int i = 1; i < argc && argv[i][0] != '-'; i++) {
        char path[4096];
        const char *colon = strrchr(argv[i], ':');
        cn_run *run;
        size_t n;
        snprintf(path, sizeof path, "%.*s", colon ? (int)(colon - argv[i]) : 4095, argv[i]);
        CN_TRY(cn_runs_read(&cx, catalog, path, &run, &n));
        add_rows(run, n, colon ? atof(colon + 1) : 1);
    }
    return CN_OK;
}

int main(int argc, char **argv)
{
    cn_rng rng;
    int rounds = (int)number_after(argc, argv, "--rounds", 100),
        hops = (int)number_after(argc, argv, "--hops", 8);
    int folds = (int)number_after(argc, argv, "--folds", 0), n;
    double mape, bias;
    cn_ctx_init(&cx, 1796083200);
    read_favour(argc, argv);
    cn_rng_seed(&rng, (uint64_t)number_after(argc, argv, "--seed", 1));
    if (read_files(argc, argv) != CN_OK || n_rows == 0) {
        fprintf(stderr, "fit: %s\n", cx.n_problems ? cx.problem[0].message : "no timed runs");
        return 1;
    }
    add_params();
    fprintf(stderr, "%zu runs, %d constants\n", n_rows, n_params);
    if (folds > 1)
        cross_validate(folds, rounds);
    reset(number_after(argc, argv, "--warm", 0) > 0);
    descend(rounds);
    hop(hops, &rng);
    errors(false, &mape, &bias, &n);
    fprintf(stderr, "%d core runs: mean error %.2f %%, signed %+.2f %%\n", n, 100 * mape,
            100 * bias);
    print_yaml();
    cn_ctx_done(&cx);
    return 0;
}
