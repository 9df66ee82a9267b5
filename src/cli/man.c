/* man.c - manual pages in roff, from the tables of verbs and options. */
#include <string.h>

#include "cli/frame.h"

/* Text of a page: backslashes, leading dots and quotes mean something to roff. */
static void roff(cn_buf *out, const char *text)
{
    bool line_start = true;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\''))
            cn_buf_puts(out, "\\&");
        if (*text == '\\')
            cn_buf_puts(out, "\\e");
        else if (*text == '-')
            cn_buf_puts(out, "\\-");
        else
            cn_buf_putc(out, *text);
        line_start = *text == '\n';
    }
}

static void line(cn_buf *out, const char *text)
{
    roff(out, text);
    cn_buf_putc(out, '\n');
}

static void head(cn_buf *out, const char *name, const char *date, const char *summary)
{
    cn_buf_printf(out, ".TH \"%s\" 1 \"%s\" \"carnot %s\"\n.SH NAME\n", name, date, CARNOT_VERSION);
    roff(out, name);
    cn_buf_puts(out, " \\- ");
    line(out, summary);
}

static void option(cn_buf *out, const cn_opt *opt)
{
    cn_buf_puts(out, ".TP\n");
    if (opt->letter)
        cn_buf_printf(out, "\\fB\\-%c\\fR, ", opt->letter);
    cn_buf_puts(out, "\\fB\\-\\-");
    roff(out, opt->name);
    cn_buf_puts(out, "\\fR");
    if (opt->arg) {
        cn_buf_puts(out, " \\fI");
        roff(out, opt->arg);
        cn_buf_puts(out, "\\fR");
    }
    cn_buf_putc(out, '\n');
    roff(out, _(opt->help));
    for (size_t i = 0; opt->values && opt->values[i]; i++)
        cn_buf_printf(out, "%s%s", i ? ", " : ": ", opt->values[i]);
    if (opt->fallback)
        cn_buf_printf(out, " (%s)", opt->fallback);
    cn_buf_putc(out, '\n');
}

static void options(cn_buf *out, const char *heading, const cn_opt *opts, const cn_cmd *hidden_by)
{
    if (!opts || !opts->name)
        return;
    cn_buf_printf(out, ".SH %s\n", heading);
    for (; opts->name; opts++) {
        if (!hidden_by || cn_opt_find(hidden_by, opts->name) == opts)
            option(out, opts);
    }
}

void cn_man_program(cn_buf *out, const char *date)
{
    size_t n;
    const cn_cmd *const *all = cn_commands(&n);
    head(out, "carnot", date, _("what a large-model training run must cost"));
    cn_buf_puts(out, ".SH SYNOPSIS\n.B carnot\n\\fIVERB\\fR [...] [\\fIoptions\\fR]\n"
                     ".SH VERBS\n");
    for (size_t i = 0; i < n; i++) {
        cn_buf_printf(out, ".TP\n\\fBcarnot %s\\fR\n", all[i]->name);
        line(out, _(all[i]->summary));
    }
    options(out, "OPTIONS", cn_common_opts, NULL);
    cn_buf_puts(out, ".SH EXIT STATUS\n.nf\n");
    cn_buf status = {0};
    cn_help_topic(&status, "exit");
    roff(out, cn_buf_cstr(&status));
    cn_buf_free(&status);
    cn_buf_puts(out, ".fi\n");
}

void cn_man_verb(cn_buf *out, const cn_cmd *cmd, const char *date)
{
    cn_buf name = {0};
    cn_buf_printf(&name, "carnot-%s", cmd->name);
    head(out, cn_buf_cstr(&name), date, _(cmd->summary));
    cn_buf_free(&name);
    cn_buf_printf(out, ".SH SYNOPSIS\n\\fBcarnot %s\\fR%s", cmd->name, cmd->args[0] ? " " : "");
    roff(out, cmd->args);
    cn_buf_puts(out, " [\\fIoptions\\fR]\n.SH EXAMPLES\n");
    for (const cn_example *e = cmd->examples; e && e->command; e++) {
        cn_buf_puts(out, ".TP\n\\fB");
        roff(out, e->command);
        cn_buf_puts(out, "\\fR\n");
        line(out, _(e->what));
    }
    if (cmd->about) {
        cn_buf_puts(out, ".SH DESCRIPTION\n");
        line(out, _(cmd->about));
    }
    options(out, "OPTIONS", cmd->opts, NULL);
    options(out, "COMMON OPTIONS", cn_common_opts, cmd);
    cn_buf_puts(out, ".SH SEE ALSO\n.BR carnot (1)\n");
}
