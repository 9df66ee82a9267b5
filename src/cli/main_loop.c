/* main_loop.c - one run of the program: options, configuration, verb, messages, status. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "base/when.h"
#include "cli/frame.h"

/* SIGINT has no argument to carry a context, so this one flag is of the process. */
static volatile sig_atomic_t interrupted;
static volatile sig_atomic_t ends_at_once = 1;

bool cn_cli_interrupted(void)
{
    return interrupted != 0;
}

/* A second Ctrl-C ends even a verb that has not looked yet. */
static void on_interrupt(int number)
{
    (void)number;
    if (ends_at_once || interrupted)
        _exit(130);
    interrupted = 1;
}

static void set_signals(void)
{
    struct sigaction act = {.sa_handler = on_interrupt};
    sigemptyset(&act.sa_mask);
    sigaction(SIGINT, &act, NULL);
    act.sa_handler = SIG_IGN; /* a closed pipe is an error of write(), with a message */
    sigaction(SIGPIPE, &act, NULL);
}

/* --lang has to be known before the first message is made. */
static const char *lang_of_argv(int argc, char **argv)
{
    const char *found = NULL;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--lang=", 7) == 0)
            found = argv[i] + 7;
        else if (strcmp(argv[i], "--lang") == 0 && i + 1 < argc)
            found = argv[i + 1];
    }
    return found;
}

static void set_lang(cn_cli *cli, const char *wanted)
{
    if (wanted && cn_lang_set(wanted))
        cli->lang = wanted;
    else if (!cli->lang)
        cli->lang = cn_lang_set(cn_lang_from_env()) ? cn_lang_from_env() : "en";
}

static void set_now(cn_ctx *cx, const cn_cli *cli)
{
    double now = cn_cli_num(cli, "now"), epoch;
    const char *reproducible = getenv("SOURCE_DATE_EPOCH");
    if (!isnan(now)) {
        cx->now_s = now;
    } else if (reproducible && reproducible[0]) {
        /* to the end of the year 9999, the last that ISO 8601 writes with four digits */
        if (cn_parse_double(reproducible, &epoch) && epoch >= 0 && epoch < 253402300800.0)
            cx->now_s = epoch;
        else
            cn_usage(cx, _("SOURCE_DATE_EPOCH: not a number of seconds: \"%s\""), reproducible);
    }
}

/* --help and --version stand for the verbs of that name. */
static const cn_cmd *asked_instead(const cn_cli *cli)
{
    if (cn_cli_flag(cli, "version"))
        return cn_command_find("version");
    if (!cli->cmd || cn_cli_flag(cli, "help"))
        return cn_command_find("help");
    return NULL;
}

static cn_code run_instead(cn_ctx *cx, cn_cli *cli, const cn_cmd *other)
{
    if (cli->cmd && strcmp(other->name, "help") == 0) {
        cli->n_args = 1;
        cli->arg[0] = cli->cmd->name;
    } else {
        cli->n_args = 0;
    }
    cli->cmd = other;
    return other->run(cx, cli);
}

static cn_code run(cn_ctx *cx, cn_cli *cli, int argc, char **argv)
{
    set_lang(cli, lang_of_argv(argc, argv));
    CN_TRY(cn_opts_parse(cx, cli, argc, argv));
    const cn_cmd *other = asked_instead(cli);
    bool may_fail = !other && !(cli->cmd->flags & CN_CMD_NO_CONFIG);
    if (cn_config_layers(cx, cli) != CN_OK) {
        if (may_fail || cx->code == CN_ENOMEM)
            return cx->code;
        cn_ctx_clear(cx); /* help has to work above all when something is wrong */
    }
    set_lang(cli, cn_cli_text(cli, "lang"));
    set_now(cx, cli);
    CN_TRY(cn_opts_resolve(cx, cli));
    if (other)
        return run_instead(cx, cli, other);
    ends_at_once = !(cli->cmd->flags & CN_CMD_POLLS_INTERRUPT);
    return cli->cmd->run(cx, cli);
}

/* Buffered output that only now meets a full disk. */
static cn_code close_output(cn_ctx *cx, cn_cli *cli, cn_code code)
{
    if (fflush(cli->stream_out) == 0 && !ferror(cli->stream_out))
        return code;
    return code == CN_OK ? cn_fail(cx, CN_EIO, NULL, _("cannot write standard output")) : code;
}

static void say(const cn_ctx *cx, cn_cli *cli)
{
    const char *color = cn_cli_text(cli, "color");
    cn_buf text = {0};
    if (cli->has_progress_line)
        cn_buf_putc(&text, '\n');
    cn_say(cx, cli, cn_wants_color(color, cli->stream_err), &text);
    fputs(cn_buf_cstr(&text), cli->stream_err);
    if (text.failed)
        fputs("error: out of memory\n", cli->stream_err);
    cn_buf_free(&text);
}

int cn_cli_main(int argc, char **argv, FILE *out, FILE *err)
{
    static cn_ctx cx; /* tens of kilobytes of messages: not for the stack */
    cn_cli cli = {.stream_out = out, .stream_err = err};
    cn_ctx_init(&cx, (double)time(NULL));
    set_signals();
    cn_code code = run(&cx, &cli, argc, argv);
    code = close_output(&cx, &cli, code);
    if (cn_cli_interrupted())
        code = CN_EINTERRUPT;
    say(&cx, &cli);
    cn_ctx_done(&cx);
    return cn_exit_status(code);
}
