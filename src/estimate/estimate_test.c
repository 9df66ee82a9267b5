/*
 * estimate_test.c - estimates of whole specs: sums, laws, choices, limits, unknowns.
 * M-01 M-02 M-04 M-10..M-16 M-20..M-23 M-25 M-26 M-40 M-46 M-47 M-51 M-70..M-73.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/rng.h"
#include "estimate/estimate.h"

enum { SEEDS = 200 };

static const char base[] =
    "name: run\nmodel: llama-3.1-8b\ndata: {tokens: 1T, stored: 10 TB}\n"
    "training: {sequence: 8192, global_batch: 1024}\nframework: megatron-bridge\n"
    "cluster: {node: aws/p5.48xlarge, accelerators: 512}\n"
    "purchase: {price: 2.5 USD/h, price_date: 2026-11-01}\n";

typedef struct {
    cn_ctx cx;
    cn_catalog *cat;
} world;

static void open_world(world *w)
{
    cn_ctx_init(&w->cx, 1796083200);
    assert_int_equal(cn_catalog_load(&w->cx, NULL, &w->cat), CN_OK);
}

/* Estimates a text with settings that end with NULL. */
static cn_code try_text(world *w, const char *text, const char *const *set,
                        const cn_estimate_opts *o, cn_estimate **out)
{
    char path[128];
    const char *dir = getenv("TMPDIR");
    size_t n = 0;
    cn_spec *spec = NULL;
    while (set && set[n])
        n++;
    snprintf(path, sizeof path, "%s/carnot-estimate-%ld.yaml", dir ? dir : "/tmp", (long)getpid());
    assert_int_equal(cn_file_write(&w->cx, path, text, strlen(text)), CN_OK);
    cn_code code = cn_spec_read(&w->cx, w->cat, path, set, n, &spec);
    unlink(path);
    *out = NULL;
    return code == CN_OK ? cn_estimate_make(&w->cx, w->cat, spec, o, out) : code;
}

static cn_estimate *good_with(world *w, const char *text, const char *const *set,
                              const cn_estimate_opts *o)
{
    cn_estimate *e;
    if (try_text(w, text, set, o, &e) != CN_OK)
        fail_msg("%s: %s", set && set[0] ? set[0] : "", w->cx.problem[0].message);
    return e;
}

static cn_estimate *good(world *w, const char *const *set)
{
    return good_with(w, base, set, NULL);
}

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

static void near(const char *name, double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol))
        fail_msg("%s: got %.15g, want %.15g", name, got, want);
}

static void whole(const char *name, double got, double want)
{
    near(name, got, want, 1e-12 * fabs(want));
}

static const cn_item *item(const cn_estimate *e, const char *id)
{
    for (size_t i = 0; i < e->n_items; i++)
        if (strcmp(e->item[i].id, id) == 0)
            return &e->item[i];
    fail_msg("no item %s", id);
    return NULL;
}

static double rung(const cn_estimate *e, const char *id)
{
    for (size_t i = 0; i < e->n_rungs; i++)
        if (strcmp(e->rung[i].id, id) == 0)
            return e->rung[i].value;
    fail_msg("no rung %s", id);
    return NAN;
}

static const char *assumed(const cn_estimate *e, const char *key)
{
    for (size_t i = 0; i < e->n_assumed; i++)
        if (strcmp(e->assumed[i].key, key) == 0)
            return e->assumed[i].text;
    return NULL;
}

/* Every sum of the answer, at value, lo and hi. */
static void check_sum(const cn_fig *sum)
{
    double value = 0, lo = 0, hi = 0;
    for (size_t i = 0; i < sum->n; i++) {
        if (!sum->part[i]->known)
            continue;
        value += sum->part[i]->value;
        lo += sum->part[i]->lo;
        hi += sum->part[i]->hi;
    }
    near(sum->key, sum->value, value, 1e-12 * fabs(value));
    near(sum->key, sum->lo, lo, 1e-9 * fabs(value));
    near(sum->key, sum->hi, hi, 1e-9 * fabs(value));
}

static void check_tree(const cn_fig *f, int depth)
{
    assert_true(depth < 12);
    assert_non_null(f->key);
    if (!f->known) {
        assert_non_null(f->why);
        return;
    }
    if (!(f->lo <= f->value && f->value <= f->hi))
        fail_msg("%s: %.17g .. %.17g .. %.17g", f->key, f->lo, f->value, f->hi);
    if (f->kind == CN_FIG_SUM && f->n)
        check_sum(f);
    for (size_t i = 0; i < f->n; i++)
        check_tree(f->part[i], depth + 1);
}

static void check_sums(const cn_estimate *e)
{
    double rungs = 0, dimensions = 0, items = 0;
    for (size_t i = 0; i < e->n_rungs; i++)
        rungs += e->rung[i].value;
    for (int d = 0; d < CN_N_DIMENSIONS; d++)
        dimensions += e->dimension[d]->value;
    for (size_t i = 0; i < e->n_items; i++)
        items += e->item[i].cost->known ? e->item[i].cost->value : 0;
    whole("waterfall", rungs, e->cost->value);
    whole("dimensions", dimensions, e->cost->value);
    whole("items", items, e->cost->value);
    whole("memory", e->peak_bytes->value, e->memory.peak_bytes);
    whole("step", e->step_time->value, e->step.time_s);
    whole("campaign", e->wall_time->value, e->campaign.wall_s);
    check_tree(e->root, 0);
}

static const char *pick(cn_rng *r, const char *const *list, size_t n)
{
    return list[cn_rng_below(r, n)];
}

/* Random runs of catalogued models: everything adds up, and what has a price is monotone in it. */
static void sums_and_laws(void **state)
{
    (void)state;
    static const char *const model[] = {"model=llama-3.1-8b", "model=llama-3.1-70b",
                                        "model=deepseek-v3", "model=mixtral-8x7b",
                                        "model=gpt3-175b"};
    static const char *const many[] = {"cluster.accelerators=64", "cluster.accelerators=500",
                                       "cluster.accelerators=512", "cluster.accelerators=2048"};
    static const char *const buy[] = {"purchase.mode=spot", "purchase.mode=on-demand",
                                      "purchase.reserved=40%", "purchase.spot=25%"};
    static const char *const place[] = {"cluster.placement=same-zone",
                                        "cluster.placement=cross-zone",
                                        "cluster.placement=cross-region"};
    static const char *const spare[] = {"cluster.spares=0", "cluster.spares=3"};
    static const char *const keep[] = {"checkpoint.async=yes", "checkpoint.async=no",
                                       "checkpoint.keep_every=1000 steps"};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        world w;
        cn_rng r;
        cn_rng_seed(&r, seed);
        open_world(&w);
        const char *set[] = {pick(&r, model, 5),
                             pick(&r, many, 4),
                             pick(&r, buy, 4),
                             pick(&r, place, 3),
                             pick(&r, spare, 2),
                             pick(&r, keep, 3),
                             "training.global_batch=16M tokens",
                             NULL,
                             NULL};
        cn_estimate *e;
        if (try_text(&w, base, set, NULL, &e) != CN_OK)
            fail_msg("seed %d: %s", (int)seed, w.cx.problem[0].message);
        check_sums(e);
        set[7] = "purchase.price=3 USD/h";
        cn_estimate *dear = good(&w, set);
        if (!(dear->cost->value > e->cost->value))
            fail_msg("seed %d: a higher price made it cheaper", (int)seed);
        assert_true(dear->campaign.wall_s == e->campaign.wall_s);
        assert_true(e->n_assumed < CN_MAX_ASSUMED && e->n_items < CN_MAX_ITEMS);
        cn_ctx_done(&w.cx);
    }
}

/* More bytes never make a run faster or cheaper. */
static void more_bytes(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    static const struct {
        const char *key, *unit;
    } key[] = {{"data.stored", "TB"},
               {"data.bytes_per_token", "B"},
               {"network.egress", "TB"},
               {"network.sync", "TB"},
               {"observability.logs", "kB/s"}};
    for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
        double cost = 0, wall = 0;
        for (double x = 1; x < 1e5; x *= 10) {
            char text[64];
            snprintf(text, sizeof text, "%s=%g %s", key[k].key, x, key[k].unit);
            cn_estimate *e = good(&w, SET(text, "storage.read=1 GB/s"));
            assert_true(e->cost->value >= cost && e->campaign.wall_s >= wall);
            cost = e->cost->value;
            wall = e->campaign.wall_s;
        }
    }
    cn_ctx_done(&w.cx);
}

/* M-22: a store that is too slow stretches the step by what is missing. */
static void starvation(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    cn_estimate *e = good(&w, SET("data.bytes_per_token=2 kB", "storage.read=1 GB/s"));
    double need = 1024 * 8192 * 2000.0 / 1e9;
    near("step is the read", e->step.time_s, need, 1e-9 * need);
    assert_true(e->step.data_s > 0 && rung(e, "data_stalls") > 0);
    cn_estimate *fast = good(&w, SET("data.bytes_per_token=2 kB", "storage.read=100 GB/s"));
    assert_true(fast->step.data_s == 0 && fast->cost->value < e->cost->value);
    near("needed rate", fast->read_need->value, 1024 * 8192 * 2000.0 / fast->step.time_s, 1);
    cn_ctx_done(&w.cx);
}

/* Each line of the tree by hand. M-10 M-11 M-12 M-13 M-14 M-15 M-16 */
static void cost_lines(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    cn_estimate *e =
        good(&w, SET("failures.per_device_day=0", "checkpoint.every=1000 steps",
                     "checkpoint.write=1 TB/s", "storage.months=2", "network.egress=10 TB",
                     "operations.setup=10 h", "operations.per_day=0 h", "operations.data=0 h",
                     "operations.staff=100 USD/h", "database.per_month=730 USD",
                     "network.fixed=365 USD", "operations.tooling=73 USD"));
    double hours = e->campaign.wall_s / 3600, months = hours / 730;
    whole("on demand", item(e, "on_demand")->cost->value, 512 * hours * 2.5);
    whole("data set: 10 TB, 2 months", item(e, "dataset")->cost->value, 10000 * 2 * 0.023);
    whole("egress: 10 TB", item(e, "egress")->cost->value, 10000 * 0.09);
    whole("set-up: 10 h", item(e, "staff_setup")->cost->value, 1000);
    whole("database", item(e, "database_fee")->cost->value, 730 * months);
    whole("lines", item(e, "lines")->cost->value, 365 * months);
    whole("tools", item(e, "tooling")->cost->value, 73 * months);
    assert_int_equal(item(e, "dataset")->calibre, CN_CALIBRE_FIXED);
    assert_int_equal(item(e, "on_demand")->calibre, CN_CALIBRE_ELASTIC);
    assert_int_equal(item(e, "staff_setup")->calibre, CN_CALIBRE_HIDDEN);
    whole("no failures cost nothing", rung(e, "failures"), 0);
    cn_ctx_done(&w.cx);
}

/* M-15: complex layouts take a fifth more staff; M-51: sampled logs cost less. */
static void what_ifs(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    cn_estimate *plain = good(&w, SET("cluster.parallel={tp: 1, pp: 1}"));
    cn_estimate *tp = good(&w, SET("cluster.parallel={tp: 2, pp: 1}"));
    assert_null(assumed(plain, "operations.complexity"));
    double staff = 0;
    for (size_t i = 0; i < tp->n_items; i++)
        if (strncmp(tp->item[i].id, "staff_", 6) == 0 &&
            strcmp(tp->item[i].id, "staff_complexity") != 0)
            staff += tp->item[i].cost->value;
    near("a fifth", item(tp, "staff_complexity")->cost->value, 0.2 * staff, 1e-9 * staff);
    cn_estimate *few = good(&w, SET("cluster.parallel={tp: 1, pp: 1}", "observability.sample=10%"));
    whole("one line in ten", item(few, "log_ingest")->cost->value * 10,
          item(plain, "log_ingest")->cost->value);
    cn_ctx_done(&w.cx);
}

/* M-25 M-73: a standby node is paid, and shows as idle. */
static void standby(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    cn_estimate *none = good(&w, SET("cluster.spares=0")), *one = good(&w, SET("cluster.spares=1"));
    whole("eight more devices", item(one, "standby")->cost->value,
          8 * one->campaign.wall_s / 3600 * 2.5);
    near("idle rung", rung(one, "idle"), item(one, "standby")->cost->value, 1e-6);
    assert_true(rung(none, "idle") == 0);
    cn_estimate *odd = good(&w, SET("cluster.accelerators=500", "training.global_batch=500"));
    whole("4 devices of the last node are paid", item(odd, "unused")->cost->value,
          4 * odd->campaign.wall_s / 3600 * 2.5);
    assert_int_equal(cn_estimate_factors(&w.cx, w.cat, NULL, one), CN_OK);
    assert_true(one->n_factors >= 4);
    assert_true(one->factor[0].cost_ratio > 5 && one->factor[0].cost_ratio <= 10);
    cn_ctx_done(&w.cx);
}

/* M-12 M-46 M-63: gradients across zones are billed and slower. */
static void across_zones(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    cn_estimate *near_by = good(&w, SET("cluster.placement=same-zone"));
    cn_estimate *zones = good(&w, SET("cluster.placement=cross-zone"));
    cn_estimate *regions = good(&w, SET("cluster.placement=cross-region"));
    assert_true(item(near_by, "local_traffic")->cost->value == 0);
    assert_true(item(zones, "sync_traffic")->cost->value > 0);
    assert_true(zones->step.time_s >= near_by->step.time_s);
    assert_true(regions->step.time_s > zones->step.time_s);
    cn_ctx_done(&w.cx);
}

/* M-11 M-44: more kept checkpoints cost more, cold data less. */
static void retention(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    double cost = 0;
    static const char *const keep[] = {"checkpoint.keep_last=1", "checkpoint.keep_last=5",
                                       "checkpoint.keep_every=500 steps"};
    for (int i = 0; i < 3; i++) {
        cn_estimate *e = good(&w, SET(keep[i], "checkpoint.every=100 steps"));
        double now = item(e, "checkpoints")->cost->value;
        assert_true(now > cost);
        cost = now;
    }
    cn_estimate *hot = good(&w, SET("storage.cold=0")), *cold = good(&w, SET("storage.cold=50%"));
    assert_true(cold->dimension[CN_DIM_COST_storage]->value <
                hot->dimension[CN_DIM_COST_storage]->value);
    cn_ctx_done(&w.cx);
}

/* What is left open is chosen so that it fits, and listed. M-21 */
static void choices(void **state)
{
    (void)state;
    static const struct {
        const char *model, *accelerators;
    } row[] = {{"model=llama-3.1-8b", "cluster.accelerators=8"},
               {"model=llama-3.1-8b", "cluster.accelerators=512"},
               {"model=llama-3.1-70b", "cluster.accelerators=512"},
               {"model=llama-3.1-405b", "cluster.accelerators=4096"},
               {"model=deepseek-v3", "cluster.accelerators=2048"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        world w;
        open_world(&w);
        cn_estimate *e = good(&w, SET(row[i].model, row[i].accelerators, "training.sequence=4096",
                                      "training.global_batch=4096"));
        assert_true(e->fits && e->is_feasible);
        assert_int_equal(cn_train_check(&e->train), CN_TRAIN_OK);
        assert_non_null(assumed(e, "cluster.parallel.tp"));
        assert_non_null(assumed(e, "training.recompute"));
        assert_true(e->memory.allocated_bytes <= 0.95 * e->device.mem_bytes);
        near("devices", cn_layout_devices(&e->train.layout), e->devices, 0);
        cn_ctx_done(&w.cx);
    }
}

/* Degrees that were said are kept. */
static void said_is_kept(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    cn_estimate *e = good(&w, SET("cluster.parallel={tp: 4, pp: 2, zero: 2, micro_batch: 2}",
                                  "training.recompute=full"));
    const cn_layout *l = &e->train.layout;
    assert_int_equal(l->tp, 4);
    assert_int_equal(l->pp, 2);
    assert_int_equal(l->dp, 64);
    assert_int_equal(l->zero, 2);
    assert_int_equal(l->micro_batch, 2);
    assert_int_equal(l->n_micro, 8);
    assert_int_equal(l->recompute, CN_RECOMPUTE_FULL);
    assert_null(assumed(e, "cluster.parallel.tp"));
    cn_ctx_done(&w.cx);
}

/* "Does not fit" names the part, and each remedy really helps. */
static void remedies(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    const char *const fixed =
        "cluster.parallel={tp: 8, pp: 1, zero: 1, micro_batch: 4, cp: 1, ep: 1}";
    cn_estimate *e = good(&w, SET("model=llama-3.1-70b", "training.recompute=none", fixed));
    assert_false(e->fits);
    assert_false(e->is_feasible);
    assert_non_null(strstr(e->limit[0].text, "activations"));
    assert_true(e->n_remedies >= 2);
    for (size_t i = 0; i < e->n_remedies; i++) {
        char text[256];
        const char *set[8] = {"model=llama-3.1-70b", "training.recompute=none", fixed};
        size_t n = 3;
        snprintf(text, sizeof text, "%s", e->remedy[i].change);
        for (char *p = strtok(text, " "); p && n < 7; p = strtok(NULL, " "))
            set[n++] = p;
        cn_estimate *helped = good(&w, set);
        if (!helped->fits)
            fail_msg("%s does not help", e->remedy[i].change);
        near("peak", helped->memory.peak_bytes, e->remedy[i].peak_bytes, 1);
        assert_true(i == 0 || e->remedy[i].time_ratio >= e->remedy[i - 1].time_ratio);
    }
    cn_ctx_done(&w.cx);
}

static void limits(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        bool ok;
    } row[] = {{"limits.deadline=1d", false},     {"limits.deadline=90d", true},
               {"limits.budget=1000 USD", false}, {"limits.budget=9M USD", true},
               {"limits.budget=9M CNY", true},    {"limits.budget=1000 CNY", false},
               {"limits.availability=50%", true}, {"limits.availability=100%", false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        world w;
        open_world(&w);
        cn_estimate *e = good(&w, SET(row[i].set));
        if (e->is_feasible != row[i].ok)
            fail_msg("%s: %s", row[i].set, e->limit[1].text);
        cn_ctx_done(&w.cx);
    }
}

/* Unknown is not zero: a price that nobody gives poisons its sums, and says why. */
static void unknown_price(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    static const char text[] = "model: llama-3.1-8b\ndata: {tokens: 1T}\n"
                               "cluster: {accelerator: a100-sxm4-80gb, accelerators: 64, nic: 1600 "
                               "Gb/s}\npurchase: {mode: spot, provider: nobody}\n";
    cn_estimate *e = good_with(&w, text, NULL, NULL);
    assert_false(item(e, "spot")->cost->known);
    assert_non_null(item(e, "spot")->cost->why);
    assert_true(e->cost->is_partial && e->waterfall->is_partial);
    assert_true(isnan(rung(e, "physical_limit")));
    assert_true(e->cost->value > 0);
    cn_ctx_done(&w.cx);
}

static void currency(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    cn_estimate *usd = good(&w, NULL);
    cn_estimate_opts o = {.currency = "CNY", .fx_rate = 7};
    cn_estimate *cny = good_with(&w, base, NULL, &o);
    near("at the user's rate", cny->cost->value, 7 * usd->cost->value, 1e-9 * cny->cost->value);
    const cn_fig *a = cn_fig_find(usd->unit, "usd_per_mtok");
    const cn_fig *b = cn_fig_find(cny->unit, "usd_per_mtok");
    near("dollars stay dollars", b->value, a->value, 1e-9 * a->value);
    o.fx_rate = NAN;
    cny = good_with(&w, base, NULL, &o);
    assert_true(cny->cost->value > 5 * usd->cost->value);
    o.currency = "ZZZ";
    cn_estimate *none = good_with(&w, base, NULL, &o);
    assert_false(item(none, "on_demand")->cost->known);
    assert_non_null(strstr(item(none, "on_demand")->cost->why, "USD"));
    cn_ctx_done(&w.cx);
}

/* M-26: units times amounts give the cost back. */
static void unit_costs(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    cn_estimate *e = good(&w, SET("data.tokens_per_sample=2k"));
    const struct {
        const char *key;
        double amount;
    } row[] = {{"usd_per_mtok", 1e6},
               {"usd_per_effective_step", e->steps},
               {"usd_per_useful_device_hour", e->devices * e->campaign.useful_s / 3600},
               {"usd_per_sample", 1e12 / 2000}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const cn_fig *f = cn_fig_find(e->unit, row[i].key);
        assert_non_null(f);
        near(row[i].key, f->value * row[i].amount, e->cost->value, 1e-9 * e->cost->value);
    }
    cn_ctx_done(&w.cx);
}

/* M-20: a loss instead of tokens. */
static void target_loss(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    static const char text[] =
        "model: llama-3.1-8b\ndata: {target_loss: 2.1}\nframework: megatron-bridge\n"
        "training: {sequence: 8192, global_batch: 1024}\n"
        "cluster: {node: aws/p5.48xlarge, accelerators: 512}\n";
    cn_estimate *low = good_with(&w, text, NULL, NULL);
    cn_estimate *high = good_with(&w, text, SET("data.target_loss=2.3"), NULL);
    assert_true(low->tokens > 1e11 && low->tokens < 1e13);
    assert_true(high->tokens < low->tokens);
    assert_true(low->total_tokens->lo < low->total_tokens->hi);
    assert_non_null(assumed(low, "data.law"));
    cn_estimate *e;
    assert_int_equal(try_text(&w, text, SET("data.target_loss=1.7"), NULL, &e), CN_EINPUT);
    assert_non_null(strstr(w.cx.problem[0].message, "1.7 is out of reach"));
    cn_ctx_done(&w.cx);
}

/* What cannot be is an error that names the numbers. */
static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *set, *message;
    } row[] = {
        {"training.global_batch=1001", "divides a global batch of 1001 sequences"},
        {"cluster.parallel={vp: 64, pp: 2}", "pp x vp is 128, the model has 32 layers"},
        {"kind=serving", "serving spec"},
        {"cluster.node=on-premises", "on-premises"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        world w;
        cn_estimate *e;
        open_world(&w);
        assert_int_equal(try_text(&w, base, SET(row[i].set), NULL, &e), CN_EINPUT);
        if (!strstr(w.cx.problem[0].message, row[i].message))
            fail_msg("%s: \"%s\"", row[i].set, w.cx.problem[0].message);
        assert_true(w.cx.problem[0].hint[0] != 0);
        cn_ctx_done(&w.cx);
    }
}

/* A run that fails faster than it starts again has no wall time and no cost. */
static void never_ends(void **state)
{
    (void)state;
    static const char *const row[] = {"failures={per_device_day: 0.1, detect: 100d, restart: 100d}",
                                      "failures={per_device_day: 10, restart: 1h}",
                                      "checkpoint.write=1 B/s", "storage.read=1 B/s"};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        world w;
        cn_estimate *e;
        open_world(&w);
        assert_int_equal(try_text(&w, base, SET(row[i]), NULL, &e), CN_EINFEASIBLE);
        assert_non_null(strstr(w.cx.problem[0].message, "never ends"));
        assert_true(w.cx.problem[0].hint[0] != 0);
        cn_ctx_done(&w.cx);
    }
}

/* Spot is interrupted more often: cheaper hours, a longer run, and it says so. M-41 M-71 */
static void spot(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    cn_estimate *calm = good(&w, SET("purchase.mode=on-demand"));
    cn_estimate *hot = good(&w, SET("purchase.mode=spot"));
    assert_true(hot->campaign.failures > 2 * calm->campaign.failures);
    assert_true(hot->campaign.wall_s > calm->campaign.wall_s);
    assert_non_null(assumed(hot, "purchase.spot"));
    cn_ctx_done(&w.cx);
}

/* The same quantities in other units give the same answer. */
static void unit_scaling(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    cn_estimate *a = good(&w, SET("data.tokens=1T", "data.stored=10 TB", "checkpoint.every=1 h",
                                  "purchase.price=2.5 USD/h", "limits.deadline=30d"));
    cn_estimate *b =
        good(&w, SET("data.tokens=1000B", "data.stored=10000 GB", "checkpoint.every=60 min",
                     "purchase.price=2.50 USD/h", "limits.deadline=720 h"));
    assert_true(a->cost->value == b->cost->value && a->campaign.wall_s == b->campaign.wall_s);
    cn_ctx_done(&w.cx);
}

static void explained(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    cn_estimate *e = good(&w, NULL);
    const cn_fig *f;
    static const char *const key[] = {"wall_time_s", "effective_cost",    "peak_bytes",
                                      "mfu_ratio",   "waterfall.storage", "storage.dataset",
                                      "usd_per_mtok"};
    for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
        assert_int_equal(cn_estimate_figure(&w.cx, e, key[i], &f), CN_OK);
        assert_true(f->n > 0 || f->known);
        assert_non_null(cn_explain_doc(&w.cx, e, f));
    }
    assert_int_equal(cn_estimate_figure(&w.cx, e, "wal_time_s", &f), CN_EUSAGE);
    assert_non_null(strstr(w.cx.problem[0].hint, "wall_time_s"));
    cn_ctx_done(&w.cx);
}

static void compared(void **state)
{
    (void)state;
    world w;
    double rise;
    open_world(&w);
    cn_estimate *a = good(&w, NULL), *b = good(&w, SET("data.tokens=2T"));
    cn_doc *doc = cn_diff_doc(&w.cx, a, b, &rise);
    near("rise", rise, b->cost->value / a->cost->value - 1, 1e-12);
    const cn_val *list = cn_val_get(doc->data, "changes");
    bool found = false;
    for (size_t i = 0; i < list->n; i++) {
        const cn_val *key = cn_val_get(list->item[i], "key");
        found |= strcmp(key->str, "data.tokens") == 0 &&
                 strcmp(cn_val_get(list->item[i], "sign")->str, "~") == 0;
    }
    assert_true(found);
    cn_diff_doc(&w.cx, a, a, &rise);
    assert_true(rise == 0);
    cn_ctx_done(&w.cx);
}

/* M-23: a mix costs between its parts, and the premium is what lies above the commitment. */
static void purchase_mix(void **state)
{
    (void)state;
    world w;
    open_world(&w);
    static const char text[] =
        "model: llama-3.1-8b\ndata: {tokens: 100B}\ntraining: {sequence: 8192, global_batch: 64}\n"
        "framework: megatron-bridge\ncluster: {node: aws/p5.48xlarge, accelerators: 64}\n";
    cn_estimate *od = good_with(&w, text, SET("purchase.mode=on-demand"), NULL);
    cn_estimate *half =
        good_with(&w, text, SET("purchase.reserved=50%", "purchase.discount=40%"), NULL);
    cn_estimate *all = good_with(&w, text, SET("purchase.mode=reserved-1y"), NULL);
    double x = od->dimension[CN_DIM_COST_compute]->value;
    double y = half->dimension[CN_DIM_COST_compute]->value;
    double z = all->dimension[CN_DIM_COST_compute]->value;
    assert_true(x > y && y > z && z > 0);
    assert_true(rung(od, "purchase_premium") > 0);
    near("no premium on the commitment", rung(all, "purchase_premium"), 0, 1e-9 * z);
    check_sums(half);
    cn_ctx_done(&w.cx);
}

/* Memory may run out anywhere: an error is told, nothing breaks. */
static void out_of_memory(void **state)
{
    (void)state;
    for (size_t room = 0; room < (64u << 20); room += room / 16 + 1999) {
        world w;
        cn_estimate *e = NULL;
        cn_spec *spec = NULL;
        open_world(&w);
        char path[128];
        snprintf(path, sizeof path, "/tmp/carnot-estimate-%ld.yaml", (long)getpid());
        assert_int_equal(cn_file_write(&w.cx, path, base, sizeof base - 1), CN_OK);
        assert_int_equal(cn_spec_read(&w.cx, w.cat, path, NULL, 0, &spec), CN_OK);
        unlink(path);
        w.cx.arena.limit_bytes = w.cx.arena.used_bytes + room + 1;
        cn_code code = cn_estimate_make(&w.cx, w.cat, spec, NULL, &e);
        if (code == CN_OK)
            code = cn_estimate_factors(&w.cx, w.cat, NULL, e);
        if (code == CN_OK) {
            const cn_estimate *const list[] = {e};
            double rise;
            cn_estimate_doc(&w.cx, list, 1);
            cn_explain_doc(&w.cx, e, NULL);
            cn_diff_doc(&w.cx, e, e, &rise);
        }
        bool is_over = w.cx.code == CN_OK;
        assert_true(is_over || w.cx.code == CN_ENOMEM);
        cn_ctx_done(&w.cx);
        if (is_over)
            return;
    }
    fail_msg("memory never sufficed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_laws), cmocka_unit_test(more_bytes),
        cmocka_unit_test(starvation),    cmocka_unit_test(cost_lines),
        cmocka_unit_test(what_ifs),      cmocka_unit_test(standby),
        cmocka_unit_test(across_zones),  cmocka_unit_test(retention),
        cmocka_unit_test(choices),       cmocka_unit_test(said_is_kept),
        cmocka_unit_test(remedies),      cmocka_unit_test(limits),
        cmocka_unit_test(unknown_price), cmocka_unit_test(currency),
        cmocka_unit_test(unit_costs),    cmocka_unit_test(target_loss),
        cmocka_unit_test(refused),       cmocka_unit_test(never_ends),
        cmocka_unit_test(spot),          cmocka_unit_test(unit_scaling),
        cmocka_unit_test(explained),     cmocka_unit_test(compared),
        cmocka_unit_test(purchase_mix),  cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
