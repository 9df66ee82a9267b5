/* ctx_test.c - the first failure wins, each problem is told once, a hint stays with its problem. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/ctx.h"

static int set_up(void **state)
{
    static cn_ctx cx;
    cn_ctx_init(&cx, 12.5);
    *state = &cx;
    return 0;
}

static int tear_down(void **state)
{
    cn_alloc_fail_at(0);
    cn_ctx_done(*state);
    return 0;
}

static cn_code passes_on(cn_ctx *cx, cn_code code)
{
    CN_TRY(code == CN_OK ? CN_OK : cn_fail(cx, code, NULL, "failed"));
    return CN_OK;
}

static void the_first_failure_wins(void **state)
{
    cn_ctx *cx = *state;
    assert_int_equal(cn_problems(cx), CN_OK);
    assert_int_equal(passes_on(cx, CN_OK), CN_OK);
    assert_int_equal(passes_on(cx, CN_EIO), CN_EIO);
    assert_int_equal(cn_fail(cx, CN_EINPUT, NULL, "second"), CN_EIO);
    assert_int_equal(cx->n_problems, 1);
    assert_string_equal(cx->problem[0].message, "failed");
    cn_ctx_clear(cx);
    assert_int_equal(cn_problems(cx), CN_OK);
    assert_int_equal(cn_fail(cx, CN_EINPUT, NULL, "%s %d", "later", 2), CN_EINPUT);
    assert_string_equal(cx->problem[0].message, "later 2");
}

static void hints_and_notes_go_to_the_newest(void **state)
{
    cn_ctx *cx = *state;
    assert_int_equal(cn_hint(cx, "of nothing"), CN_OK);
    cn_note(cx, "of nothing");
    cn_problem(cx, NULL, "one");
    assert_int_equal(cn_hint(cx, "do %s", "this"), CN_EINPUT);
    cn_hint(cx, "too late");
    cn_problem(cx, NULL, "two");
    cn_note(cx, "while reading %s", "x");
    assert_string_equal(cx->problem[0].message, "one");
    assert_string_equal(cx->problem[0].hint, "do this");
    assert_string_equal(cx->problem[1].message, "two, while reading x");
    assert_string_equal(cx->problem[1].hint, "");
}

/* Whoever reports writes a hint behind it, not knowing whether the report was kept. */
static void a_report_that_is_not_kept_takes_its_hint_along(void **state)
{
    cn_ctx *cx = *state;
    cn_nomem(cx); /* has no hint */
    cn_fail(cx, CN_EIO, NULL, "cannot open");
    cn_hint(cx, "check the path");
    assert_string_equal(cx->problem[0].hint, "");
    cn_ctx_clear(cx);
    cn_problem(cx, NULL, "one");
    cn_hint(cx, "about one");
    cn_problem(cx, NULL, "two");
    cn_problem(cx, NULL, "one"); /* told already */
    cn_hint(cx, "about one");
    assert_int_equal(cx->n_problems, 2);
    assert_string_equal(cx->problem[1].hint, "");
    cn_problem(cx, NULL, "three");
    cn_hint(cx, "about three");
    assert_string_equal(cx->problem[2].hint, "about three");
}

static void the_same_problem_is_told_once_per_place(void **state)
{
    cn_ctx *cx = *state;
    char name[] = "a.yaml";
    cn_at at = {.file = name, .line = 3, .col = 1}, other = {.file = "b.yaml", .line = 3, .col = 1};
    cn_problem(cx, &at, "unknown key");
    cn_problem(cx, &at, "unknown key");
    assert_int_equal(cx->n_problems, 1);
    cn_problem(cx, &other, "unknown key"); /* of another file */
    assert_int_equal(cx->n_problems, 2);
    other.col = 9;
    cn_problem(cx, &other, "unknown key");
    assert_int_equal(cx->n_problems, 3);
    cn_warn(cx, &at, "old price");
    cn_warn(cx, &at, "old price");
    cn_warn(cx, &other, "old price");
    assert_int_equal(cx->n_warnings, 2);
    assert_int_equal(cx->n_problems, 3);
    memset(name, 'x', sizeof name - 1); /* the caller's text may change or go */
    assert_string_equal(cx->problem[0].at.file, "a.yaml");
}

static void more_problems_than_room_are_counted(void **state)
{
    cn_ctx *cx = *state;
    for (int i = 0; i < CN_MAX_PROBLEMS + 7; i++) {
        cn_problem(cx, NULL, "problem %d", i);
        cn_hint(cx, "hint %d", i);
        cn_warn(cx, NULL, "warning %d", i);
    }
    assert_int_equal(cx->n_problems, CN_MAX_PROBLEMS);
    assert_int_equal(cx->n_more, 7);
    assert_int_equal(cx->n_warnings, CN_MAX_PROBLEMS);
    assert_string_equal(cx->problem[CN_MAX_PROBLEMS - 1].hint, "hint 19");
}

static void long_texts_are_cut(void **state)
{
    cn_ctx *cx = *state;
    cn_problem(cx, NULL, "%600d", 1);
    cn_hint(cx, "%600d", 1);
    cn_note(cx, "where");
    assert_int_equal(strlen(cx->problem[0].message), CN_MESSAGE_BYTES - 1);
    assert_int_equal(strlen(cx->problem[0].hint), CN_MESSAGE_BYTES - 1);
    cn_problem(cx, NULL, "%505d", 1); /* a note that fits only in part */
    cn_note(cx, "while reading");
    assert_int_equal(strlen(cx->problem[1].message), CN_MESSAGE_BYTES - 1);
}

static void running_out_of_memory_is_told_without_memory(void **state)
{
    cn_ctx *cx = *state;
    cn_at at = {.file = "a.yaml", .line = 1};
    cn_alloc_fail_at(1);
    cn_problem(cx, &at, "unknown key");
    assert_string_equal(cx->problem[0].message, "unknown key");
    assert_null(cx->problem[0].at.file);
    cn_ctx_clear(cx);
    assert_int_equal(cn_nomem(cx), CN_ENOMEM);
    assert_string_equal(cx->problem[0].message, "out of memory");
}

static void codes(void **state)
{
    (void)state;
    static const struct {
        cn_code code;
        const char *name;
        int exit_status;
    } row[] = {
        {CN_OK, "ok", 0},
        {CN_ECHECK, "check", 1},
        {CN_EUSAGE, "usage", 2},
        {CN_EINPUT, "input", 3},
        {CN_EINFEASIBLE, "infeasible", 4},
        {CN_EIO, "io", 5},
        {CN_EREFUSED, "refused", 6},
        {CN_ENOMEM, "memory", 5},
        {CN_EBUG, "bug", 70},
        {CN_EINTERRUPT, "interrupt", 130},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_string_equal(cn_code_name(row[i].code), row[i].name);
        assert_int_equal(cn_exit_status(row[i].code), row[i].exit_status);
    }
}

#define ctx_test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ctx_test(the_first_failure_wins),
        ctx_test(hints_and_notes_go_to_the_newest),
        ctx_test(a_report_that_is_not_kept_takes_its_hint_along),
        ctx_test(the_same_problem_is_told_once_per_place),
        ctx_test(more_problems_than_room_are_counted),
        ctx_test(long_texts_are_cut),
        ctx_test(running_out_of_memory_is_told_without_memory),
        cmocka_unit_test(codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
