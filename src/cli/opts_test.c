/* opts_test.c - what argv means: values, order, problems and their hints. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "cli/frame.h"

static cn_ctx cx;
static cn_cli cli;

static int setup(void **state)
{
    (void)state;
    cn_ctx_init(&cx, 0);
    cli = (cn_cli){0};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cn_ctx_done(&cx);
    return 0;
}

enum { MAX_WORDS = 16 };

/* The words of a line, parted by one blank. */
static cn_code parse(const char *line)
{
    static char text[256];
    static char program[] = "carnot";
    char *argv[MAX_WORDS + 1] = {program};
    int argc = 1;
    strcpy(text, line);
    for (char *word = strtok(text, " "); word && argc < MAX_WORDS; word = strtok(NULL, " "))
        argv[argc++] = word;
    cn_code code = cn_opts_parse(&cx, &cli, argc, argv);
    return code == CN_OK ? cn_opts_resolve(&cx, &cli) : code;
}

static void values_come_in_every_form(void **state)
{
    static const char *const lines[] = {
        "config --out=x --json --seed=7", "config --out x --json --seed 7",
        "config -o x -j --seed 7",        "config -jo x --seed=7",
        "config -jox --seed=7",           "--json --seed 7 config -o x",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        teardown(state);
        setup(state);
        assert_int_equal(parse(lines[i]), CN_OK);
        assert_string_equal(cli.cmd->name, "config");
        assert_string_equal(cli.out, "x");
        assert_int_equal(cli.format, CN_FORMAT_JSON);
        assert_int_equal(cli.seed, 7);
    }
}

static void defaults_are_those_of_the_table(void **state)
{
    (void)state;
    assert_int_equal(parse("version"), CN_OK);
    assert_int_equal(cli.seed, 1);
    assert_int_equal(cli.threads, 0);
    assert_string_equal(cli.currency, "USD");
    assert_string_equal(cn_cli_text(&cli, "color"), "auto");
    assert_int_equal(cn_cli_enum(&cli, "color"), 0);
    assert_int_equal(cn_cli_enum(&cli, "lang"), -1);
    assert_true(isnan(cn_cli_num(&cli, "now")));
    assert_null(cli.ledger);
    assert_false(cli.is_quiet);
}

static void repeated_options_keep_their_order(void **state)
{
    (void)state;
    assert_int_equal(parse("help --set a=1 -s b=2 --set=a=3 units"), CN_OK);
    assert_int_equal(cli.n_sets, 3);
    assert_string_equal(cli.set[0], "a=1");
    assert_string_equal(cli.set[1], "b=2");
    assert_string_equal(cli.set[2], "a=3");
    assert_int_equal(cli.n_args, 1);
}

static void the_last_value_wins_over_earlier_ones(void **state)
{
    (void)state;
    assert_int_equal(parse("version --seed 2 --seed 3"), CN_OK);
    assert_int_equal(cli.seed, 3);
}

static void two_dashes_end_options(void **state)
{
    (void)state;
    assert_int_equal(parse("help -- --json"), CN_OK);
    assert_int_equal(cli.n_args, 1);
    assert_string_equal(cli.arg[0], "--json");
    assert_int_equal(cli.format, CN_FORMAT_TEXT);
}

static void a_dash_is_an_argument(void **state)
{
    (void)state;
    assert_int_equal(parse("help - --out -"), CN_OK);
    assert_string_equal(cli.arg[0], "-");
    assert_string_equal(cli.out, "-");
}

static void wrong_usage_says_what_to_do(void **state)
{
    static const struct {
        const char *line, *message, *hint;
    } rows[] = {
        {"vresion", "unknown verb \"vresion\"", "did you mean \"version\"?"},
        {"xyzzy", "unknown verb \"xyzzy\"", "`carnot help` lists the verbs"},
        {"config --orign", "unknown option \"--orign\"", "did you mean \"--origin\"?"},
        {"config -z", "unknown option \"-z\"", "long options open with two dashes"},
        {"config --out", "option \"--out\" needs a value", "write --out=FILE"},
        {"config --out --json", "option \"--out\" needs a value", "write --out=FILE"},
        {"config --json=1", "option \"--json\" takes no value: \"1\"", "write --json alone"},
        {"config --seed 1.5", "--seed: not a whole number: \"1.5\"", "write digits alone"},
        {"config --seed=-1", "--seed: out of range: \"-1\"", "it lies in 0.."},
        {"config --color sometimes", "--color: not one of the values it takes: \"sometimes\"",
         "auto, always, never"},
        {"config --color allways", "--color: not one of the values it takes: \"allways\"",
         "did you mean \"always\"?"},
        {"config --now yesterday", "--now: not a time: \"yesterday\"", "2026-09-01"},
        {"config --json --csv", "--json and --csv cannot be given together", "choose one"},
        {"config --currency dollars", "--currency: not a currency code: \"dollars\"",
         "three capital letters"},
        {"config x", "config does not take \"x\"", "usage: carnot config"},
        {"completion", "completion needs bash|zsh|fish", "usage: carnot completion bash|zsh|fish"},
        {"completion bash zsh", "completion does not take \"zsh\"", "usage:"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        teardown(state);
        setup(state);
        assert_int_equal(parse(rows[i].line), CN_EUSAGE);
        assert_string_equal(cx.problem[0].message, rows[i].message);
        if (!strstr(cx.problem[0].hint, rows[i].hint))
            fail_msg("%s: hint is \"%s\"", rows[i].line, cx.problem[0].hint);
    }
}

static void all_problems_are_told_at_once(void **state)
{
    (void)state;
    assert_int_equal(parse("config --jsn --seed x --color y"), CN_EUSAGE);
    assert_int_equal(cx.n_problems, 3);
}

static void help_needs_no_arguments(void **state)
{
    (void)state;
    assert_int_equal(parse("completion --help"), CN_OK);
    assert_true(cn_cli_flag(&cli, "help"));
}

/* What a stronger source says hides what a weaker one said, whatever came first. */
static void ranks_decide_between_sources(void **state)
{
    static const struct {
        int first, second;
        const char *want;
    } rows[] = {{CN_RANK_SYSTEM, CN_RANK_USER, "b"},   {CN_RANK_USER, CN_RANK_SYSTEM, "a"},
                {CN_RANK_PROJECT, CN_RANK_ENV, "b"},   {CN_RANK_OPTION, CN_RANK_ENV, "a"},
                {CN_RANK_OPTION, CN_RANK_OPTION, "b"}, {CN_RANK_USER, CN_RANK_PROJECT, "b"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        teardown(state);
        setup(state);
        const cn_opt *opt = cn_opt_find(NULL, "ledger");
        cn_opt_keep(&cx, &cli, opt, "a", "x", rows[i].first, NULL);
        cn_opt_keep(&cx, &cli, opt, "b", "y", rows[i].second, NULL);
        assert_string_equal(cn_cli_text(&cli, "ledger"), rows[i].want);
    }
}

/* The table of every verb is whole: help, man pages and completion are made from it. */
static void every_verb_is_described(void **state)
{
    (void)state;
    size_t n;
    const cn_cmd *const *all = cn_commands(&n);
    for (size_t i = 0; i < n; i++) {
        size_t n_examples = 0;
        assert_ptr_equal(cn_command_find(all[i]->name), all[i]);
        assert_true(all[i]->group && all[i]->summary && all[i]->args && all[i]->run);
        while (all[i]->examples && all[i]->examples[n_examples].command)
            n_examples++;
        if (n_examples < 2)
            fail_msg("%s has %zu examples", all[i]->name, n_examples);
        for (const cn_opt *opt = all[i]->opts; opt && opt->name; opt++) {
            assert_non_null(opt->help);
            assert_true((opt->kind == CN_OPT_FLAG) == (opt->arg == NULL));
            assert_true((opt->kind == CN_OPT_ENUM) == (opt->values != NULL));
        }
    }
}

/* No letter means two things in one verb. */
static void letters_are_unique(void **state)
{
    (void)state;
    size_t n, n_letters = 0;
    const cn_cmd *const *all = cn_commands(&n);
    char seen[256] = "";
    for (const cn_opt *opt = cn_common_opts; opt->name; opt++) {
        n_letters += opt->letter != 0;
        assert_false(opt->letter && seen[(unsigned char)opt->letter]);
        seen[(unsigned char)opt->letter] = 1;
    }
    assert_int_equal(n_letters, 10);
    for (size_t i = 0; i < n; i++) {
        for (const cn_opt *opt = all[i]->opts; opt && opt->name; opt++) {
            const cn_opt *common = cn_opt_find(NULL, opt->name);
            bool hides = common && common->letter == opt->letter;
            if (opt->letter && seen[(unsigned char)opt->letter] && !hides)
                fail_msg("%s: -%c is a common option", all[i]->name, opt->letter);
        }
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(values_come_in_every_form),
        CASE(defaults_are_those_of_the_table),
        CASE(repeated_options_keep_their_order),
        CASE(the_last_value_wins_over_earlier_ones),
        CASE(two_dashes_end_options),
        CASE(a_dash_is_an_argument),
        CASE(wrong_usage_says_what_to_do),
        CASE(all_problems_are_told_at_once),
        CASE(help_needs_no_arguments),
        CASE(ranks_decide_between_sources),
        CASE(every_verb_is_described),
        CASE(letters_are_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
