/*
 * score_test.c - the accuracy bars, and that a prediction sees facts and settings only. M-20 M-21.
 *
 * Needs CARNOT_DATA, the folder with training/published_runs.csv; skips without it and says so.
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
#include "base/csv.h"
#include "estimate/score.h"

static const char *data_file(cn_ctx *cx, const char *name)
{
    const char *dir = getenv("CARNOT_DATA");
    if (!dir || !*dir) {
        print_message("skipped: CARNOT_DATA does not name the folder with %s\n", name);
        skip();
    }
    return cn_arena_printf(&cx->arena, "%s/%s", dir, name);
}

static cn_score *score(cn_ctx *cx, const char *path)
{
    cn_catalog *cat;
    cn_score *s = NULL;
    assert_int_equal(cn_catalog_load(cx, NULL, &cat), CN_OK);
    if (cn_score_file(cx, cat, path, NULL, &s) != CN_OK)
        fail_msg("%s", cx->problem[0].message);
    return s;
}

static const cn_score_summary *find(const cn_score *s, const char *set, const char *metric)
{
    for (size_t i = 0; i < s->n_summaries; i++)
        if (strcmp(s->summary[i].set, set) == 0 && strcmp(s->summary[i].metric, metric) == 0)
            return &s->summary[i];
    fail_msg("no summary of %s for %s", metric, set);
    return NULL;
}

static void published_runs(void **state)
{
    (void)state;
    static const struct {
        const char *set, *metric;
        size_t n;
        double mape, median; /* bars; 0 = none */
    } bar[] = {
        {"all", "iter_time_s", 534, 0.10, 0},
        {"dense 16-bit NVIDIA", "iter_time_s", 328, 0.08, 0},
        {"Narayanan et al. 2021", "iter_time_s", 14, 0.08, 0},
        {"VIA-Research/vTrain", "iter_time_s", 73, 0.12, 0},
        {"bigscience-workshop/bigscience", "iter_time_s", 71, 0.10, 0},
        {"all", "peak_bytes", 30, 0, 0.05},
    };
    cn_ctx cx;
    cn_ctx_init(&cx, 1796083200);
    cn_score *s = score(&cx, data_file(&cx, "training/published_runs.csv"));
    for (size_t i = 0; i < sizeof bar / sizeof *bar; i++) {
        const cn_score_summary *m = find(s, bar[i].set, bar[i].metric);
        if ((bar[i].mape > 0 && m->mape > bar[i].mape) ||
            (bar[i].median > 0 && m->median > bar[i].median) || m->n < bar[i].n)
            fail_msg("%s, %s: n %zu mean %.1f %% median %.1f %%", m->set, m->metric, m->n,
                     100 * m->mape, 100 * m->median);
    }
    const cn_score_summary *all = find(s, "all", "iter_time_s");
    assert_true(fabs(all->signed_mean) <= 0.03);
    assert_true(fabs(all->coverage80 - 0.80) <= 0.07);
    cn_ctx_done(&cx);
}

/* Every run of the table was run, so it fitted. */
static void measured_runs_fit(void **state)
{
    (void)state;
    cn_ctx cx;
    cn_ctx_init(&cx, 1796083200);
    cn_score *s = score(&cx, data_file(&cx, "training/published_runs.csv"));
    for (size_t i = 0; i < s->n_rows; i++)
        if (!s->run[i].reason && s->run[i].is_described && !s->prediction[i].fits)
            fail_msg("%s is said not to fit: %.1f GB", s->run[i].id,
                     s->prediction[i].memory.peak_bytes / 1e9);
    cn_ctx_done(&cx);
}

static void single_node(void **state)
{
    (void)state;
    cn_ctx cx;
    cn_ctx_init(&cx, 1796083200);
    cn_score *s = score(&cx, data_file(&cx, "training/vtrain_single_node.csv"));
    const cn_score_summary *m = find(s, "all", "iter_time_s");
    assert_int_equal(m->n, 960);
    assert_true(m->mape <= 0.20);
    cn_ctx_done(&cx);
}

/* The same rows without what was measured, and with names that mean nothing. */
static const char *blanked(cn_ctx *cx, const char *path)
{
    static const char *const gone[] = {"iter_time_s", "tflops_per_gpu", "tokens_per_s_per_gpu",
                                       "mfu_pct",     "hfu_pct",        "gpu_hours",
                                       "days",        "peak_mem_gib",   "source",
                                       "year",        "notes"};
    char *text;
    size_t len;
    cn_csv csv;
    bool more;
    cn_buf b = {0};
    assert_int_equal(cn_file_read(cx, path, 64 << 20, &text, &len), CN_OK);
    assert_int_equal(cn_csv_open(cx, path, text, len, &csv), CN_OK);
    for (size_t i = 0; i < csv.n_columns; i++)
        cn_buf_printf(&b, "%s%s", i ? "," : "", csv.column[i]);
    while (cn_csv_next(cx, &csv, &more) == CN_OK && more) {
        cn_buf_putc(&b, '\n');
        for (size_t i = 0; i < csv.n_columns; i++) {
            bool blank = false;
            for (size_t k = 0; k < sizeof gone / sizeof *gone; k++)
                blank = blank || strcmp(csv.column[i], gone[k]) == 0;
            cn_buf_printf(&b, "%s\"%s\"", i ? "," : "", blank ? "" : csv.field[i]);
        }
    }
    char *out = cn_arena_printf(&cx->arena, "/tmp/carnot-blank-%ld.csv", (long)getpid());
    assert_int_equal(cn_file_write(cx, out, b.data, b.len), CN_OK);
    cn_buf_free(&b);
    return out;
}

static void predictions_see_facts_only(void **state)
{
    (void)state;
    cn_ctx cx;
    cn_ctx_init(&cx, 1796083200);
    const char *path = data_file(&cx, "training/published_runs.csv"), *other = blanked(&cx, path);
    cn_score *a = score(&cx, path), *b = score(&cx, other);
    unlink(other);
    assert_int_equal(a->n_rows, b->n_rows);
    for (size_t i = 0; i < a->n_rows; i++) {
        if ((a->run[i].reason == NULL) != (b->run[i].reason == NULL))
            fail_msg("%s is predicted only with its measurements", a->run[i].id);
        if (!a->run[i].reason && (a->prediction[i].step.time_s != b->prediction[i].step.time_s ||
                                  a->prediction[i].peak_bytes != b->prediction[i].peak_bytes))
            fail_msg("%s is predicted otherwise without its measurements", a->run[i].id);
    }
    cn_ctx_done(&cx);
}

/* A profile learned on some runs of a cluster helps on the others: every framework with ten runs or
 * more. */
static void calibration_helps_runs_left_out(void **state)
{
    (void)state;
    cn_ctx cx;
    cn_ctx_init(&cx, 1796083200);
    cn_score *s = score(&cx, data_file(&cx, "training/published_runs.csv"));
    cn_run *few = cn_arena_array(&cx.arena, s->n_rows, sizeof *few);
    size_t n = 0;
    for (size_t i = 0; i < s->n_rows; i++) {
        if (strcmp(s->run[i].set, "bigscience-workshop/bigscience") != 0 || s->run[i].reason)
            continue;
        few[n] = s->run[i];
        few[n].train.shape = &few[n].shape;
        few[n].train.device = &few[n].device;
        few[n].train.fabric = &few[n].fabric;
        few[n].train.soft = &few[n].soft;
        n++;
    }
    cn_profile p;
    assert_int_equal(cn_calibrate(&cx, few, n, &p), CN_OK);
    print_message("left out: %.1f %% before, %.1f %% after\n", 100 * p.cv_before_ratio,
                  100 * p.cv_after_ratio);
    assert_true(p.cv_after_ratio < p.cv_before_ratio);
    cn_ctx_done(&cx);
}

static void profiles_read_back(void **state)
{
    (void)state;
    cn_ctx cx;
    cn_profile p, q;
    const char *yaml, *path;
    cn_ctx_init(&cx, 0);
    cn_profile_default(&p);
    p.name = "it's \"mine\" \\ 100 %\n";
    p.speed_factor = 0.9;
    p.link_factor = 1.25;
    p.n = 7;
    assert_int_equal(cn_profile_text(&cx, &p, &yaml), CN_OK);
    path = cn_arena_printf(&cx.arena, "/tmp/carnot-profile-%ld.yaml", (long)getpid());
    assert_int_equal(cn_file_write(&cx, path, yaml, strlen(yaml)), CN_OK);
    cn_code code = cn_profile_read(&cx, path, &q);
    unlink(path);
    if (code != CN_OK)
        fail_msg("%s", cx.problem[0].message);
    assert_string_equal(q.name, "it's \"mine\" \\ 100 %?");
    assert_true(fabs(q.speed_factor - 0.9) < 1e-9 && fabs(q.link_factor - 1.25) < 1e-9);
    cn_ctx_done(&cx);
}

/* A table of n equal runs, measured far off what is predicted. */
static cn_code read_many(cn_ctx *cx, size_t n, cn_run **runs, size_t *got)
{
    cn_catalog *cat;
    cn_buf b = {0};
    cn_ctx_init(cx, 0);
    assert_int_equal(cn_catalog_load(cx, NULL, &cat), CN_OK);
    cn_buf_puts(&b, "id,accelerator,n_accel,n_layers,hidden,n_heads,tp,pp,global_batch,micro_batch,"
                    "seq_len,iter_time_s\n");
    for (size_t i = 0; i < n; i++)
        cn_buf_puts(&b, "a,H100,64,32,4096,32,8,1,512,1,4096,1e6\n");
    const char *path = cn_arena_printf(&cx->arena, "/tmp/carnot-runs-%ld.csv", (long)getpid());
    assert_int_equal(cn_file_write(cx, path, cn_buf_cstr(&b), strlen(cn_buf_cstr(&b))), CN_OK);
    cn_buf_free(&b);
    cn_code code = cn_runs_read(cx, cat, path, runs, got);
    unlink(path);
    return code;
}

static void very_many_runs(void **state)
{
    (void)state;
    cn_ctx cx;
    cn_run *runs;
    cn_profile p;
    size_t n;
    assert_int_equal(read_many(&cx, 7000, &runs, &n), CN_OK);
    assert_int_equal(n, 7000);
    assert_int_equal(cn_calibrate(&cx, runs, n, &p), CN_OK);
    assert_true(p.n == 2334 && p.spread_ratio == 10); /* every third; a spread profiles may have */
    cn_ctx_done(&cx);
    assert_int_equal(read_many(&cx, 100001, &runs, &n), CN_EINPUT);
    assert_non_null(strstr(cx.problem[0].message, "more than 100000 runs"));
    cn_ctx_done(&cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_runs),
        cmocka_unit_test(measured_runs_fit),
        cmocka_unit_test(single_node),
        cmocka_unit_test(predictions_see_facts_only),
        cmocka_unit_test(calibration_helps_runs_left_out),
        cmocka_unit_test(profiles_read_back),
        cmocka_unit_test(very_many_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
