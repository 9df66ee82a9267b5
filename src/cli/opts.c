/*
 * opts.c - options: the common table, reading argv, values by name.
 *
 * A value remembers its origin and rank, so that command line, environment and configuration files
 * are kept side by side and the strongest wins on look-up; nothing is overwritten, and
 * `config --origin` can say where each came from.
 */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "base/when.h"
#include "cli/frame.h"

static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const langs[] = {"en", "zh_CN", NULL};

const cn_opt cn_common_opts[] = {
    {.name = "json", .letter = 'j', .help = N_("print one JSON document")},
    {.name = "csv", .help = N_("print one table as CSV (see --table)")},
    {.name = "md", .help = N_("print Markdown")},
    {.name = "html",
     .kind = CN_OPT_FILE,
     .arg = "FILE",
     .help = N_("also write the answer as one HTML page")},
    {.name = "out",
     .letter = 'o',
     .kind = CN_OPT_FILE,
     .arg = "FILE",
     .help = N_("write the answer here instead of standard output")},
    {.name = "table",
     .kind = CN_OPT_TEXT,
     .arg = "ID",
     .help = N_("which table --csv prints; the first one unless said")},
    {.name = "explain",
     .letter = 'e',
     .kind = CN_OPT_TEXT,
     .arg = "KEY",
     .help = N_("add formula, values and sources of one figure")},
    {.name = "set",
     .letter = 's',
     .kind = CN_OPT_TEXT,
     .arg = "PATH=VALUE",
     .repeats = true,
     .help = N_("change a field of the spec; may be repeated")},
    {.name = "catalog",
     .kind = CN_OPT_DIR,
     .arg = "DIR",
     .is_config = true,
     .help = N_("folder with entries added to the built-in catalog")},
    {.name = "profile",
     .kind = CN_OPT_FILE,
     .arg = "FILE",
     .is_config = true,
     .help = N_("calibration profile made by `carnot calibrate`")},
    {.name = "ledger",
     .letter = 'l',
     .kind = CN_OPT_TEXT,
     .arg = "DIR|URL",
     .is_config = true,
     .help = N_("where bills and telemetry are kept")},
    {.name = "currency",
     .kind = CN_OPT_TEXT,
     .arg = "CODE",
     .fallback = "USD",
     .is_config = true,
     .help = N_("currency of the answer, three letters")},
    {.name = "lang",
     .kind = CN_OPT_ENUM,
     .arg = "LANG",
     .values = langs,
     .is_config = true,
     .help = N_("language of the answer")},
    {.name = "color",
     .kind = CN_OPT_ENUM,
     .arg = "WHEN",
     .values = colors,
     .fallback = "auto",
     .is_config = true,
     .help = N_("colour: on a terminal, always or never")},
    {.name = "seed",
     .kind = CN_OPT_INT,
     .arg = "N",
     .min = 0,
     .max = 9007199254740992.0,
     .fallback = "1",
     .is_config = true,
     .help = N_("seed of random numbers")},
    {.name = "threads",
     .letter = 't',
     .kind = CN_OPT_INT,
     .arg = "N",
     .min = 0,
     .max = 1024,
     .fallback = "0",
     .is_config = true,
     .help = N_("threads to use, 0 = one per core; never changes the answer")},
    {.name = "now",
     .kind = CN_OPT_WHEN,
     .arg = "TIME",
     .is_config = true,
     .help = N_("the time to reckon with, ISO 8601")},
    {.name = "quiet",
     .letter = 'q',
     .is_config = true,
     .help = N_("no progress, hints or warnings")},
    {.name = "verbose", .letter = 'v', .is_config = true, .help = N_("all rows of long tables")},
    {.name = "help", .letter = 'h', .help = N_("show help")},
    {.name = "version", .letter = 'V', .help = N_("show the version")},
    {.name = NULL},
};

void cn_usage(cn_ctx *cx, const char *fmt, ...)
{
    char text[CN_MESSAGE_BYTES];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (cx->code == CN_OK)
        cn_fail(cx, CN_EUSAGE, NULL, "%s", text);
    else
        cn_problem(cx, NULL, "%s", text);
}

/* ------------------------------------------------------------------------------ finding options */

static const cn_opt *find_in(const cn_opt *opts, const char *name, char letter)
{
    for (; opts && opts->name; opts++) {
        if (name ? strcmp(opts->name, name) == 0 : opts->letter == letter)
            return opts;
    }
    return NULL;
}

static const cn_opt *find_either(const cn_cmd *cmd, const char *name, char letter)
{
    const cn_opt *own = cmd ? find_in(cmd->opts, name, letter) : NULL;
    return own ? own : find_in(cn_common_opts, name, letter);
}

const cn_opt *cn_opt_find(const cn_cmd *cmd, const char *name)
{
    return find_either(cmd, name, 0);
}

static size_t count(const cn_opt *opts)
{
    size_t n = 0;
    while (opts && opts[n].name)
        n++;
    return n;
}

/* Candidate i of "did you mean": own options, then common ones. */
static const char *option_name(size_t i, const void *arg)
{
    const cn_cmd *cmd = arg;
    size_t n_own = cmd ? count(cmd->opts) : 0;
    return i < n_own ? cmd->opts[i].name : cn_common_opts[i - n_own].name;
}

static const char *verb_name(size_t i, const void *arg)
{
    const cn_cmd *const *all = arg;
    return all[i]->name;
}

static void unknown_option(cn_ctx *cx, const cn_cmd *cmd, const char *name)
{
    size_t n = (cmd ? count(cmd->opts) : 0) + count(cn_common_opts);
    const char *near = cn_text_nearest(name, option_name, n, cmd);
    cn_usage(cx, _("unknown option \"--%s\""), name);
    if (near)
        cn_hint(cx, _("did you mean \"--%s\"?"), near);
    else
        cn_hint(cx, _("`carnot help %s` lists the options; `--` ends them"), cmd ? cmd->name : "");
}

static void unknown_verb(cn_ctx *cx, const char *name)
{
    size_t n;
    const cn_cmd *const *all = cn_commands(&n);
    const char *near = cn_text_nearest(name, verb_name, n, all);
    cn_usage(cx, _("unknown verb \"%s\""), name);
    if (near)
        cn_hint(cx, _("did you mean \"%s\"?"), near);
    else
        cn_hint(cx, _("`carnot help` lists the verbs"));
}

/* ------------------------------------------------------------------------------ keeping values */

static cn_opt_value *push(cn_ctx *cx, cn_cli *cli)
{
    if (cli->n_values == cli->cap_values) {
        size_t cap = cli->cap_values ? 2 * cli->cap_values : 16;
        cn_opt_value *grown = cn_arena_array(&cx->arena, cap, sizeof *grown);
        if (!grown) {
            cn_nomem(cx);
            return NULL;
        }
        if (cli->n_values)
            memcpy(grown, cli->value, cli->n_values * sizeof *grown);
        cli->value = grown;
        cli->cap_values = cap;
    }
    cn_opt_value *v = &cli->value[cli->n_values++];
    *v = (cn_opt_value){.num = NAN};
    return v;
}

/* The problem of a value: of the command line or of a place in a file. */
static void bad_value(cn_ctx *cx, const cn_opt *opt, const char *origin, const cn_at *at,
                      const char *why, const char *text)
{
    if (at)
        cn_problem(cx, at, "%s: %s: \"%s\"", opt->name, why, text);
    else if (strcmp(origin, "option") == 0)
        cn_usage(cx, "--%s: %s: \"%s\"", opt->name, why, text);
    else
        cn_usage(cx, "%s: %s: \"%s\"", origin, why, text);
}

static const char *enum_name(size_t i, const void *arg)
{
    const char *const *names = arg;
    return names[i];
}

static const char *read_enum(const cn_opt *opt, const char *text, cn_opt_value *v, char *hint,
                             size_t hint_size)
{
    size_t n = 0, len = 0;
    for (; opt->values[n]; n++) {
        if (strcmp(opt->values[n], text) == 0) {
            v->num = (double)n;
            return NULL;
        }
        int wrote = snprintf(hint + len, hint_size - len, "%s%s", n ? ", " : "", opt->values[n]);
        len += wrote > 0 && (size_t)wrote < hint_size - len ? (size_t)wrote : 0;
    }
    const char *near = cn_text_nearest(text, enum_name, n, opt->values);
    if (near)
        snprintf(hint, hint_size, _("did you mean \"%s\"?"), near);
    return _("not one of the values it takes");
}

static bool in_range(const cn_opt *opt, double x)
{
    return (opt->min == 0 && opt->max == 0) || (x >= opt->min && x <= opt->max);
}

/* NULL if the text is fine, else what is wrong with it; hint says what would be right. */
static const char *read_value(const cn_opt *opt, const char *text, cn_opt_value *v, char *hint,
                              size_t hint_size)
{
    long long whole;
    cn_quantity q;
    const char *why = NULL, *example = NULL;
    switch (opt->kind) {
    case CN_OPT_FLAG:
    case CN_OPT_TEXT:
        return NULL;
    case CN_OPT_FILE:
    case CN_OPT_DIR:
        return text[0] ? NULL : _("a path is missing");
    case CN_OPT_INT:
        if (!cn_parse_i64(text, &whole)) {
            snprintf(hint, hint_size, "%s", _("write digits alone, such as 4"));
            return _("not a whole number");
        }
        v->num = (double)whole;
        break;
    case CN_OPT_QUANTITY:
        if (!cn_unit_parse(text, opt->dim, &q, &why, &example)) {
            snprintf(hint, hint_size, _("write it like %s"), example);
            return why;
        }
        v->num = q.value;
        memcpy(v->currency, q.currency, sizeof v->currency);
        break;
    case CN_OPT_WHEN:
        if (cn_when_parse(text, &v->num))
            return NULL;
        snprintf(hint, hint_size, "%s", _("write it like 2026-09-01 or 2026-09-01T12:00:00Z"));
        return _("not a time");
    case CN_OPT_ENUM:
        return read_enum(opt, text, v, hint, hint_size);
    }
    if (in_range(opt, v->num))
        return NULL;
    char lo[32], hi[32];
    snprintf(hint, hint_size, _("it lies in %s..%s"), cn_double_text(opt->min, lo),
             cn_double_text(opt->max, hi));
    return _("out of range");
}

void cn_opt_keep(cn_ctx *cx, cn_cli *cli, const cn_opt *opt, const char *text, const char *origin,
                 int rank, const cn_at *at)
{
    char hint[CN_MESSAGE_BYTES] = "";
    cn_opt_value *v = push(cx, cli);
    if (!v)
        return;
    *v = (cn_opt_value){.opt = opt, .text = text, .num = NAN, .origin = origin, .rank = rank};
    const char *why = text ? read_value(opt, text, v, hint, sizeof hint) : NULL;
    if (!why)
        return;
    cli->n_values--; /* a wrong value is no value */
    bad_value(cx, opt, origin, at, why, text);
    if (hint[0])
        cn_hint(cx, "%s", hint);
}

/* ------------------------------------------------------------------------------ reading argv */

typedef struct walk {
    int argc, i;
    char **argv;
} walk;

/* The value of an option that needs one: after "=", glued to its letter, or the next argument. */
static void take(cn_ctx *cx, cn_cli *cli, walk *w, const cn_opt *opt, const char *glued)
{
    const char *text = glued;
    if (!text && w->i + 1 < w->argc && strncmp(w->argv[w->i + 1], "--", 2) != 0)
        text = w->argv[++w->i];
    if (!text) {
        cn_usage(cx, _("option \"--%s\" needs a value"), opt->name);
        cn_hint(cx, _("write --%s=%s"), opt->name, opt->arg ? opt->arg : "VALUE");
        return;
    }
    cn_opt_keep(cx, cli, opt, text, "option", CN_RANK_OPTION, NULL);
}

static void long_option(cn_ctx *cx, cn_cli *cli, walk *w, const char *word)
{
    const char *equals = strchr(word, '=');
    char *name = cn_arena_strn(&cx->arena, word, equals ? (size_t)(equals - word) : strlen(word));
    if (!name) {
        cn_nomem(cx);
        return;
    }
    const cn_opt *opt = cn_opt_find(cli->cmd, name);
    if (!opt) {
        unknown_option(cx, cli->cmd, name);
    } else if (opt->kind != CN_OPT_FLAG) {
        take(cx, cli, w, opt, equals ? equals + 1 : NULL);
    } else if (equals) {
        cn_usage(cx, _("option \"--%s\" takes no value: \"%s\""), name, equals + 1);
        cn_hint(cx, _("write --%s alone"), name);
    } else {
        cn_opt_keep(cx, cli, opt, NULL, "option", CN_RANK_OPTION, NULL);
    }
}

/* "-jq", "-o file", "-ofile". */
static void short_options(cn_ctx *cx, cn_cli *cli, walk *w, const char *letters)
{
    for (; *letters; letters++) {
        const cn_opt *opt = find_either(cli->cmd, NULL, *letters);
        if (!opt) {
            cn_usage(cx, _("unknown option \"-%c\""), *letters);
            cn_hint(cx, _("long options open with two dashes; `carnot help %s` lists them"),
                    cli->cmd ? cli->cmd->name : "");
            return;
        }
        if (opt->kind != CN_OPT_FLAG) {
            take(cx, cli, w, opt, letters[1] ? letters + 1 : NULL);
            return;
        }
        cn_opt_keep(cx, cli, opt, NULL, "option", CN_RANK_OPTION, NULL);
    }
}

static void positional(cn_ctx *cx, cn_cli *cli, const char *word)
{
    if (cli->cmd) {
        cli->arg[cli->n_args++] = word;
        return;
    }
    cli->cmd = cn_command_find(word);
    if (!cli->cmd && cx->code == CN_OK)
        unknown_verb(cx, word);
}

static void check_count(cn_ctx *cx, cn_cli *cli)
{
    const cn_cmd *cmd = cli->cmd;
    bool few = (int)cli->n_args < cmd->min_args;
    bool many = cmd->max_args >= 0 && (int)cli->n_args > cmd->max_args;
    if (few)
        cn_usage(cx, _("%s needs %s"), cmd->name, cmd->args);
    else if (many)
        cn_usage(cx, _("%s does not take \"%s\""), cmd->name, cli->arg[cmd->max_args]);
    if (few || many)
        cn_hint(cx, _("usage: carnot %s %s [options]"), cmd->name, cmd->args);
}

cn_code cn_opts_parse(cn_ctx *cx, cn_cli *cli, int argc, char **argv)
{
    walk w = {.argc = argc, .argv = argv};
    bool ended = false;
    cli->arg = cn_arena_array(&cx->arena, (size_t)argc + 1, sizeof *cli->arg);
    if (!cli->arg)
        return cn_nomem(cx);
    for (w.i = 1; w.i < argc; w.i++) {
        const char *word = argv[w.i];
        if (ended || word[0] != '-' || word[1] == 0)
            positional(cx, cli, word);
        else if (strcmp(word, "--") == 0)
            ended = true;
        else if (word[1] == '-')
            long_option(cx, cli, &w, word + 2);
        else
            short_options(cx, cli, &w, word + 1);
        if (!cli->cmd && cx->code != CN_OK)
            return cx->code; /* without a verb the rest has no meaning */
    }
    bool asks_help = cn_cli_flag(cli, "help") || cn_cli_flag(cli, "version");
    if (cli->cmd && !asks_help && cx->code == CN_OK)
        check_count(cx, cli);
    return cx->code;
}

/* ------------------------------------------------------------------------------ looking up */

const cn_opt_value *cn_cli_value(const cn_cli *cli, const char *name)
{
    const cn_opt_value *best = NULL;
    for (size_t i = 0; i < cli->n_values; i++) {
        const cn_opt_value *v = &cli->value[i];
        if (strcmp(v->opt->name, name) == 0 && (!best || v->rank >= best->rank))
            best = v;
    }
    return best;
}

const char *cn_cli_text(const cn_cli *cli, const char *name)
{
    const cn_opt_value *v = cn_cli_value(cli, name);
    const cn_opt *opt = v ? v->opt : cn_opt_find(cli->cmd, name);
    return v ? v->text : opt ? opt->fallback : NULL;
}

bool cn_cli_flag(const cn_cli *cli, const char *name)
{
    const cn_opt_value *v = cn_cli_value(cli, name);
    return v && (!v->text || strcmp(v->text, "true") == 0);
}

double cn_cli_num(const cn_cli *cli, const char *name)
{
    const cn_opt_value *v = cn_cli_value(cli, name);
    if (v)
        return v->num;
    const cn_opt *opt = cn_opt_find(cli->cmd, name);
    cn_opt_value from_fallback = {.num = NAN};
    char hint[CN_MESSAGE_BYTES];
    if (opt && opt->fallback)
        read_value(opt, opt->fallback, &from_fallback, hint, sizeof hint);
    return from_fallback.num;
}

int cn_cli_enum(const cn_cli *cli, const char *name)
{
    double index = cn_cli_num(cli, name);
    return isnan(index) ? -1 : (int)index;
}

const char *const *cn_cli_all(cn_ctx *cx, const cn_cli *cli, const char *name, size_t *n)
{
    const cn_opt_value *best = cn_cli_value(cli, name);
    const char **all = cn_arena_array(&cx->arena, cli->n_values + 1, sizeof *all);
    *n = 0;
    if (!all) {
        cn_nomem(cx);
        return NULL;
    }
    for (size_t i = 0; best && i < cli->n_values; i++) {
        const cn_opt_value *v = &cli->value[i];
        if (strcmp(v->opt->name, name) == 0 && v->rank == best->rank && v->text)
            all[(*n)++] = v->text;
    }
    return all;
}

/* ------------------------------------------------------------------------------ common fields */

static void resolve_format(cn_ctx *cx, cn_cli *cli)
{
    static const struct {
        const char *name;
        cn_format format;
    } forms[] = {{"json", CN_FORMAT_JSON}, {"csv", CN_FORMAT_CSV}, {"md", CN_FORMAT_MD}};
    const char *first = NULL;
    cli->format = CN_FORMAT_TEXT;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (!cn_cli_flag(cli, forms[i].name))
            continue;
        if (first) {
            cn_usage(cx, _("--%s and --%s cannot be given together"), first, forms[i].name);
            cn_hint(cx, _("choose one; --html FILE may stand beside it"));
            return;
        }
        first = forms[i].name;
        cli->format = forms[i].format;
    }
}

/* A common option that the verb redefines belongs to the verb. */
static const char *common_text(const cn_cli *cli, const char *name)
{
    bool is_own = cli->cmd && find_in(cli->cmd->opts, name, 0);
    return is_own ? NULL : cn_cli_text(cli, name);
}

static bool is_currency(const char *code)
{
    size_t n = 0;
    while (code[n] >= 'A' && code[n] <= 'Z')
        n++;
    return n == 3 && code[3] == 0;
}

cn_code cn_opts_resolve(cn_ctx *cx, cn_cli *cli)
{
    cli->currency = cn_cli_text(cli, "currency");
    cli->ledger = common_text(cli, "ledger");
    cli->catalog = common_text(cli, "catalog");
    cli->profile = common_text(cli, "profile");
    cli->explain = common_text(cli, "explain");
    cli->out = common_text(cli, "out");
    cli->html = common_text(cli, "html");
    cli->table = common_text(cli, "table");
    cli->seed = (uint64_t)cn_cli_num(cli, "seed");
    cli->threads = (int)cn_cli_num(cli, "threads");
    cli->is_quiet = cn_cli_flag(cli, "quiet");
    cli->is_verbose = cn_cli_flag(cli, "verbose");
    cli->set = cn_cli_all(cx, cli, "set", &cli->n_sets);
    if (!is_currency(cli->currency)) {
        cn_usage(cx, _("--currency: not a currency code: \"%s\""), cli->currency);
        cn_hint(cx, _("write three capital letters, such as USD or CNY"));
        return cx->code;
    }
    resolve_format(cx, cli);
    return cx->code;
}
