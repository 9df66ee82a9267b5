/* say_test.c - problems as people read them: place, line, carets, hint; and nothing that steers a
 * terminal. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "base/text.h"
#include "cli/frame.h"

static cn_ctx cx;
static cn_cli cli;

static int setup(void **state)
{
    (void)state;
    cn_ctx_init(&cx, 0);
    cli = (cn_cli){.cmd = cn_command_find("config")};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cn_ctx_done(&cx);
    return 0;
}

static const char *said(bool has_color)
{
    cn_buf out = {0};
    cn_say(&cx, &cli, has_color, &out);
    const char *text = cn_arena_str(&cx.arena, cn_buf_cstr(&out));
    cn_buf_free(&out);
    return text;
}

static cn_at at(const char *text, int line, int col, int len)
{
    return (cn_at){.file = "a.yaml",
                   .line = line,
                   .col = col,
                   .len = len,
                   .text = text,
                   .text_len = strlen(text)};
}

static void a_problem_shows_its_place(void **state)
{
    (void)state;
    cn_at place = at("one: 1\nfilter = 2\nthree: 3\n", 2, 1, 6);
    cn_problem(&cx, &place, "unknown key \"%s\"", "filter");
    cn_hint(&cx, "did you mean \"filters\"?");
    assert_string_equal(said(false), "error: a.yaml:2:1: unknown key \"filter\"\n"
                                     " 2 | filter = 2\n"
                                     "   | ^^^^^^\n"
                                     "hint: did you mean \"filters\"?\n"
                                     "see:  carnot help settings\n");
}

static void carets_stand_below_wide_characters(void **state)
{
    (void)state;
    cn_at place = at("\xE8\xAE\xAD\xE7\xBB\x83: x", 1, 5, 1);
    cn_problem(&cx, &place, "bad");
    assert_non_null(strstr(said(false), " 1 | \xE8\xAE\xAD\xE7\xBB\x83: x\n   |       ^\n"));
}

static void places_at_the_edge_are_harmless(void **state)
{
    static const struct {
        const char *text;
        int line, col, len;
    } rows[] = {{"", 1, 1, 1},      {"a", 1, 2, 1},          {"a\n", 2, 1, 0},
                {"a", 9, 1, 1},     {"a", 0, 0, 0},          {"a", 1, 0, 0},
                {"a", 1, 999, 9},   {"a\nb", 2, 1, 1000000}, {"\xFF", 1, 1, 1},
                {"\t\tx", 1, 3, 1}, {"\xE8\xAE", 1, 1, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        teardown(state);
        setup(state);
        cn_at place = at(rows[i].text, rows[i].line, rows[i].col, rows[i].len);
        cn_problem(&cx, &place, "bad");
        assert_true(strlen(said(false)) < 400);
    }
}

static void a_long_line_shows_a_window(void **state)
{
    (void)state;
    static char text[5001];
    memset(text, 'a', 5000);
    memcpy(text + 4000, "WRONG", 5);
    cn_at place = at(text, 1, 4001, 5);
    cn_problem(&cx, &place, "bad");
    const char *out = said(false);
    assert_non_null(strstr(out, "WRONG"));
    assert_non_null(strstr(out, " ^^^^^\n"));
    assert_true(strlen(out) < 400);
}

static void texts_of_files_cannot_steer_the_terminal(void **state)
{
    (void)state;
    cn_at place = at("x: \033]0;owned\007\xC2\x9B"
                     "31m\r",
                     1, 1, 1);
    place.file = "a\033[2J.yaml";
    cn_problem(&cx, &place, "bad \"%s\"", "\033[31m\r");
    cn_hint(&cx, "\033c");
    const char *out = said(false);
    assert_null(strchr(out, '\033'));
    assert_null(strchr(out, '\007'));
    assert_null(strchr(out, '\r'));
    assert_null(strstr(out, "\xC2\x9B"));
}

static void warnings_are_quiet_when_asked(void **state)
{
    (void)state;
    cn_warn(&cx, NULL, "old prices");
    assert_string_equal(said(false), "warning: old prices\n");
    cli.is_quiet = true;
    assert_string_equal(said(false), "");
    cn_fail(&cx, CN_EIO, NULL, "cannot read");
    assert_string_equal(said(false), "error: cannot read\n");
}

static void colour_only_repeats_words(void **state)
{
    (void)state;
    cn_fail(&cx, CN_EUSAGE, NULL, "bad");
    cn_hint(&cx, "do this");
    assert_string_equal(said(true), "\033[1;31merror:\033[0m bad\n\033[1;36mhint:\033[0m do this\n"
                                    "\033[1;36msee:\033[0m  carnot help config\n");
}

static void more_than_twenty_problems_are_counted(void **state)
{
    (void)state;
    for (int i = 0; i < 25; i++)
        cn_problem(&cx, NULL, "problem %d", i);
    const char *out = said(false);
    assert_non_null(strstr(out, "problem 19\n"));
    assert_null(strstr(out, "problem 20\n"));
    assert_non_null(strstr(out, "and 5 more problems\n"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_problem_shows_its_place),
        CASE(carets_stand_below_wide_characters),
        CASE(places_at_the_edge_are_harmless),
        CASE(a_long_line_shows_a_window),
        CASE(texts_of_files_cannot_steer_the_terminal),
        CASE(warnings_are_quiet_when_asked),
        CASE(colour_only_repeats_words),
        CASE(more_than_twenty_problems_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
