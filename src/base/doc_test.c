/* doc_test.c - a document keeps what it was given, in order, and survives running out of memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/doc.h"

static const cn_col cols[] = {{"name", "name", "", CN_COL_TEXT},
                              {"time_s", "time", "s", CN_COL_NUMBER}};

static cn_ctx cx;

static int set_up(void **state)
{
    (void)state;
    cn_ctx_init(&cx, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cn_alloc_fail_at(0);
    cn_ctx_done(&cx);
    return 0;
}

static cn_doc *new_doc(void)
{
    return cn_doc_new(&cx, "carnot.test/1", "title", NULL);
}

static void texts_are_copied(void **state)
{
    (void)state;
    char text[] = "abc";
    cn_col col = {text, text, text, CN_COL_MONEY};
    cn_doc *d = cn_doc_new(&cx, text, text, text);
    cn_table *t = cn_doc_table(&cx, d, text, text, &col, 1);
    cn_cell *row = cn_table_row(&cx, t);
    cn_cell_text(&cx, row, text);
    cn_chart *c = cn_doc_chart(&cx, d, CN_CHART_BAR, text, text, text);
    const char *point[] = {text};
    double y[] = {1};
    cn_chart_series(&cx, c, text, 1, NULL, y, point);
    cn_doc_code(&cx, d, text, text);
    memset(text, 'x', 3);
    y[0] = 2;
    assert_string_equal(d->schema, "abc");
    assert_string_equal(d->subtitle, "abc");
    assert_string_equal(t->id, "abc");
    assert_string_equal(t->col[0].unit, "abc");
    assert_int_equal(t->col[0].kind, CN_COL_MONEY);
    assert_string_equal(t->cell[0].text, "abc");
    assert_string_equal(c->unit, "abc");
    assert_string_equal(c->series[0].label, "abc");
    assert_string_equal(c->series[0].point[0], "abc");
    assert_true(c->series[0].y[0] == 1);
    assert_null(c->series[0].x);
    assert_string_equal(d->block[2]->text, "abc");
}

static void blocks_stay_in_order(void **state)
{
    (void)state;
    cn_doc *d = new_doc();
    assert_string_equal(d->subtitle, "");
    cn_doc_heading(&cx, d, "head");
    cn_doc_note(&cx, d, "%d of %s", 3, "x");
    for (int i = 0; i < 50; i++)
        cn_doc_note(&cx, d, "note %d", i);
    cn_doc_block *figures = cn_doc_figures(&cx, d, "figs", "");
    for (int i = 0; i < 20; i++)
        cn_doc_figure(&cx, figures, cn_fig_new(&cx, "k", "l", "s", i, CN_BASIS_GIVEN, NULL));
    assert_int_equal(d->n_blocks, 53);
    assert_int_equal(d->block[0]->kind, CN_BLOCK_HEADING);
    assert_string_equal(d->block[0]->title, "head");
    assert_string_equal(d->block[1]->text, "3 of x");
    assert_string_equal(d->block[51]->text, "note 49");
    assert_int_equal(d->block[52]->kind, CN_BLOCK_FIGURES);
    for (int i = 0; i < 20; i++)
        assert_true(figures->fig[i]->value == i);
}

static void rows_begin_unknown(void **state)
{
    (void)state;
    cn_table *t = cn_doc_table(&cx, new_doc(), "t", "", cols, 2);
    for (int i = 0; i < 100; i++) {
        cn_cell *row = cn_table_row(&cx, t);
        assert_true(isnan(row[0].num) && isnan(row[1].num));
        assert_null(row[0].text);
        row[1].num = i;
    }
    assert_int_equal(t->n_rows, 100);
    for (size_t i = 0; i < 100; i++)
        assert_true(t->cell[i * 2 + 1].num == (double)i && isnan(t->cell[i * 2].num));
}

/*
 * Memory may run out between making room and filling it, and be there again for the next call: the
 * arena may hand out that many bytes more.
 */
static void give(size_t bytes)
{
    cx.arena.limit_bytes = bytes == SIZE_MAX ? 0 : cx.arena.used_bytes + bytes;
}

/* Whoever fills a row does not ask whether it was kept. */
static void wide_rows_can_be_filled_without_memory(void **state)
{
    (void)state;
    enum { WIDE = 500 };
    static cn_col wide[WIDE];
    for (size_t i = 0; i < WIDE; i++)
        wide[i] = cols[1];
    cn_table *t = cn_doc_table(&cx, new_doc(), "t", "", wide, WIDE);
    give(1);
    cn_cell *row = cn_table_row(&cx, t);
    for (int i = 0; i < WIDE; i++)
        row[i].num = i;
    assert_int_equal(t->n_rows, 0);
    assert_int_equal(cn_problems(&cx), CN_ENOMEM);
    row = cn_table_row(&cx, cn_doc_table(&cx, new_doc(), "t", "", wide, CN_MAX_COLS));
    for (int i = 0; i < CN_MAX_COLS; i++)
        row[i].num = i;
}

static void very_long_notes_are_cut(void **state)
{
    (void)state;
    cn_doc *d = new_doc();
    cn_doc_note(&cx, d, "%9000d", 1);
    assert_int_equal(strlen(d->block[0]->text), 2047);
}

static void room_and_count_agree_after_a_lost_block(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes < 2000; bytes += 16) {
        for (size_t n = 0; n <= 8; n += 8) { /* the first room, and the first that moves */
            cn_doc *d = new_doc();
            for (size_t i = 0; i < n; i++)
                cn_doc_heading(&cx, d, "h");
            cn_doc_block **before = d->block;
            size_t cap = d->cap_blocks;
            give(bytes ? bytes : 1);
            cn_doc_heading(&cx, d, "lost or kept");
            give(SIZE_MAX);
            if (d->cap_blocks != cap) /* room was told of: then it is there */
                assert_ptr_not_equal(d->block, before);
            size_t had = d->n_blocks;
            cn_doc_heading(&cx, d, "next");
            assert_int_equal(d->n_blocks, had + 1);
            for (size_t i = 0; i < n; i++)
                assert_string_equal(d->block[i]->title, "h");
        }
    }
}

static void series_survive_a_lost_one(void **state)
{
    (void)state;
    static const double y[] = {1, 2};
    static const char *const point[] = {"a", "b"};
    for (size_t bytes = 0; bytes < 2400; bytes += 16) {
        cn_chart *c = cn_doc_chart(&cx, new_doc(), CN_CHART_LINE, "c", "", "s");
        for (int i = 0; i < 8; i++)
            cn_chart_series(&cx, c, "s", 2, NULL, y, point);
        cn_series *before = c->series;
        size_t cap = c->cap_series;
        give(bytes ? bytes : 1);
        cn_chart_series(&cx, c, "lost or kept", 2, y, y, point);
        give(SIZE_MAX);
        if (c->cap_series != cap)
            assert_ptr_not_equal(c->series, before);
        cn_series *s = cn_chart_series(&cx, c, "next", 2, y, y, point);
        assert_ptr_equal(s, &c->series[c->n_series - 1]);
        assert_true(c->n_series <= c->cap_series);
        for (size_t i = 0; i < c->n_series; i++) {
            assert_true(c->series[i].n == 0 || c->series[i].y[1] == 2);
            assert_string_equal(c->series[i].point[1][0] ? c->series[i].point[1] : "b", "b");
        }
        assert_true(c->series[0].n == 2 && c->series[7].n == 2);
    }
}

/* A whole document while memory ends anywhere: nothing crashes, and the context says so. */
static void memory_runs_out_anywhere(void **state)
{
    (void)state;
    static const double y[] = {1, 2};
    static const char *const point[] = {"a", "b"};
    int failures = 0;
    for (size_t limit = 1; limit < 40000; limit += 110) {
        cn_ctx_clear(&cx);
        cn_arena_free(&cx.arena);
        cx.arena.limit_bytes = limit;
        cn_doc *d = cn_doc_new(&cx, "carnot.test/1", "t", "s");
        cn_val_put(&cx, d->data, "k", cn_val_int(&cx, 1));
        for (int i = 0; i < 20; i++) {
            cn_doc_figure(&cx, cn_doc_figures(&cx, d, "f", "f"),
                          cn_fig_new(&cx, "k", "l", "s", i, CN_BASIS_GIVEN, NULL));
            cn_table *t = cn_doc_table(&cx, d, "t", "t", cols, 2);
            for (int k = 0; k < 10; k++)
                cn_cell_text(&cx, &cn_table_row(&cx, t)[1], "x");
            cn_chart *c = cn_doc_chart(&cx, d, CN_CHART_LINE, "c", "c", "s");
            cn_chart_series(&cx, c, "s", 2, y, y, point);
            cn_doc_note(&cx, d, "note");
            cn_doc_code(&cx, d, "t", "code");
        }
        failures += cn_problems(&cx) == CN_ENOMEM;
        assert_true(cn_problems(&cx) == CN_ENOMEM || d->n_blocks == 100);
    }
    cx.arena.limit_bytes = 0;
    assert_true(failures > 100);
}

#define doc_test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        doc_test(texts_are_copied),          doc_test(blocks_stay_in_order),
        doc_test(rows_begin_unknown),        doc_test(wide_rows_can_be_filled_without_memory),
        doc_test(very_long_notes_are_cut),   doc_test(room_and_count_agree_after_a_lost_block),
        doc_test(series_survive_a_lost_one), doc_test(memory_runs_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
