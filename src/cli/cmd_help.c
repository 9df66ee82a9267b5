/* cmd_help.c - `carnot help`: overview, a verb, a topic, or a man page. */
#include <string.h>

#include "base/text.h"
#include "base/when.h"
#include "cli/frame.h"

static const cn_opt opts[] = {
    {.name = "man", .help = N_("print the manual page in roff")},
    {.name = NULL},
};

static const cn_example examples[] = {
    {"carnot help", N_("all verbs")},
    {"carnot help units", N_("how quantities are written")},
    {"carnot help --man help > carnot-help.1", N_("the manual page of a verb")},
    {NULL, NULL},
};

/* Candidate i of "did you mean": verbs, then topics. */
static const char *subject(size_t i, const void *arg)
{
    size_t n;
    const cn_cmd *const *all = cn_commands(&n);
    (void)arg;
    return i < n ? all[i]->name : cn_help_topics()[2 * (i - n)];
}

static cn_code no_subject(cn_ctx *cx, const char *name)
{
    size_t n_verbs, n_topics = 0;
    cn_commands(&n_verbs);
    while (cn_help_topics()[2 * n_topics])
        n_topics++;
    const char *near = cn_text_nearest(name, subject, n_verbs + n_topics, NULL);
    cn_fail(cx, CN_EUSAGE, NULL, _("there is no verb or topic \"%s\""), name);
    if (near)
        return cn_hint(cx, _("did you mean \"%s\"?"), near);
    return cn_hint(cx, _("`carnot help` lists the verbs"));
}

static cn_code write_help(cn_ctx *cx, cn_cli *cli, cn_buf *out)
{
    const char *name = cli->n_args ? cli->arg[0] : NULL;
    const cn_cmd *cmd = name ? cn_command_find(name) : NULL;
    bool is_man = cn_cli_flag(cli, "man");
    char date[32];
    cn_when_date(cx->now_s, date);
    if (is_man && !name)
        cn_man_program(out, date);
    else if (is_man && cmd)
        cn_man_verb(out, cmd, date);
    else if (!name)
        cn_help_overview(out);
    else if (cmd)
        cn_help_verb(out, cmd);
    else if (is_man || !cn_help_topic(out, name))
        return no_subject(cx, name);
    return CN_OK;
}

static cn_code run(cn_ctx *cx, cn_cli *cli)
{
    cn_buf text = {0};
    cn_code code = write_help(cx, cli, &text);
    if (code == CN_OK && text.failed)
        code = cn_nomem(cx);
    if (code == CN_OK)
        code = cn_cli_write(cx, cli, text.data, text.len);
    cn_buf_free(&text);
    return code;
}

const cn_cmd cn_cmd_help = {
    .name = "help",
    .group = N_("About carnot"),
    .summary = N_("explain a verb or a topic"),
    .args = "[VERB|TOPIC]",
    .max_args = 1,
    .examples = examples,
    .opts = opts,
    .flags = CN_CMD_NO_CONFIG,
    .run = run,
};
