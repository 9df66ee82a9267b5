/*
 * help.c - help texts from the tables: overview, verb, topic.
 *
 * A verb's help opens with two examples, because most readers want to see the command, not read
 * about it. Lines are 80 columns.
 */
#include <string.h>

#include "base/text.h"
#include "cli/frame.h"

enum { HELP_WIDTH = 80, NAME_WIDTH = 26 };

/* A name in the left column and its text in the right one. */
static void entry(cn_buf *out, const char *name, const char *text)
{
    int used = 2 + cn_text_width(name);
    cn_buf_printf(out, "  %s", name);
    if (used >= NAME_WIDTH) {
        cn_buf_putc(out, '\n');
        used = 0;
    }
    cn_buf_fill(out, ' ', NAME_WIDTH - used);
    cn_wrap(out, text, NAME_WIDTH, HELP_WIDTH);
}

/* ------------------------------------------------------------------------------ overview */

static bool is_first_of_group(const cn_cmd *const *all, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (strcmp(all[k]->group, all[i]->group) == 0)
            return false;
    }
    return true;
}

void cn_help_overview(cn_buf *out)
{
    size_t n;
    const cn_cmd *const *all = cn_commands(&n);
    cn_wrap(out,
            _("carnot says what a large-model training run must cost, what it does cost, and "
              "where the difference goes."),
            0, HELP_WIDTH);
    cn_buf_printf(out, "\n%s carnot VERB [...] [options]\n", _("Usage:"));
    for (size_t i = 0; i < n; i++) {
        if (!is_first_of_group(all, i))
            continue;
        cn_buf_printf(out, "\n%s\n", _(all[i]->group));
        for (size_t k = i; k < n; k++) {
            if (strcmp(all[k]->group, all[i]->group) == 0)
                entry(out, all[k]->name, _(all[k]->summary));
        }
    }
    cn_buf_printf(out, "\n%s\n", _("Read on"));
    entry(out, "carnot help VERB", _("examples and options of a verb"));
    for (const char *const *topic = cn_help_topics(); *topic; topic += 2) {
        cn_buf name = {0};
        cn_buf_printf(&name, "carnot help %s", topic[0]);
        entry(out, cn_buf_cstr(&name), _(topic[1]));
        cn_buf_free(&name);
    }
}

/* ------------------------------------------------------------------------------ one verb */

static void option(cn_buf *out, const cn_opt *opt)
{
    cn_buf name = {0}, text = {0};
    if (opt->letter)
        cn_buf_printf(&name, "-%c, ", opt->letter);
    cn_buf_printf(&name, "--%s", opt->name);
    if (opt->arg)
        cn_buf_printf(&name, " %s", opt->arg);
    cn_buf_puts(&text, _(opt->help));
    for (size_t i = 0; opt->values && opt->values[i]; i++)
        cn_buf_printf(&text, "%s%s", i ? ", " : ": ", opt->values[i]);
    if (opt->fallback)
        cn_buf_printf(&text, " (%s)", opt->fallback);
    entry(out, cn_buf_cstr(&name), cn_buf_cstr(&text));
    cn_buf_free(&name);
    cn_buf_free(&text);
}

static void options(cn_buf *out, const char *heading, const cn_opt *opts, const cn_cmd *hidden_by)
{
    bool has_heading = false;
    for (; opts && opts->name; opts++) {
        if (hidden_by && cn_opt_find(hidden_by, opts->name) != opts)
            continue;
        if (!has_heading)
            cn_buf_printf(out, "\n%s\n", heading);
        has_heading = true;
        option(out, opts);
    }
}

void cn_help_verb(cn_buf *out, const cn_cmd *cmd)
{
    cn_buf_printf(out, "carnot %s: %s\n\n%s\n", cmd->name, _(cmd->summary), _("Examples"));
    for (const cn_example *e = cmd->examples; e && e->command; e++) {
        cn_buf_printf(out, "  %s\n      ", e->command);
        cn_wrap(out, _(e->what), 6, HELP_WIDTH);
    }
    cn_buf_printf(out, "\n%s carnot %s%s%s [options]\n", _("Usage:"), cmd->name,
                  cmd->args[0] ? " " : "", cmd->args);
    if (cmd->about) {
        cn_buf_putc(out, '\n');
        cn_wrap(out, _(cmd->about), 0, HELP_WIDTH);
    }
    if (cmd->flags & CN_CMD_CHANGES_WORLD) {
        cn_buf_putc(out, '\n');
        cn_wrap(out, _("Nothing is changed without --apply."), 0, HELP_WIDTH);
    }
    options(out, _("Options"), cmd->opts, NULL);
    options(out, _("Common options"), cn_common_opts, cmd);
}
