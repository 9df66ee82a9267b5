/* topics.c - help on what is not a verb: units, settings, exit status. */
#include <string.h>

#include "cli/frame.h"

enum { WIDTH = 80 };

static void units(cn_buf *out)
{
    cn_wrap(out,
            _("A quantity of a spec or an option names its unit. Decimal prefixes are k M G T P E; "
              "binary ones KiB MiB GiB TiB. B is 10^9 only before tokens and params. Only counts "
              "and ratios may stand alone. Answers for machines are always in the base unit."),
            0, WIDTH);
    cn_buf name = {0};
    cn_buf_puts(out, "\n  ");
    cn_pad(out, _("base unit"), 18, false);
    cn_buf_printf(out, " %s\n", _("written like"));
    for (int dim = 0; dim < CN_DIM_N; dim++) {
        cn_quantity q;
        const char *why = NULL, *example = NULL;
        const char *base = cn_unit_base((cn_dim)dim);
        bool is_money = dim >= CN_DIM_MONEY && dim <= CN_DIM_MONEY_PER_GB_MONTH;
        if (cn_unit_parse("?", (cn_dim)dim, &q, &why, &example) || !example)
            continue;
        cn_buf_puts(out, "  ");
        cn_buf_printf(&name, "%s%s", dim == CN_DIM_COUNT ? "1" : is_money ? "USD" : "", base);
        cn_pad(out, cn_buf_cstr(&name), 18, false);
        cn_buf_printf(out, " %s\n", example);
        name.len = 0;
    }
    cn_buf_free(&name);
}

static void settings(cn_buf *out)
{
    cn_wrap(out,
            _("The strongest source wins: an option of the command line, a variable CARNOT_<NAME>, "
              "carnot.yaml in the working folder or the nearest one above it, "
              "~/.config/carnot/config.yaml, /etc/carnot/config.yaml, what is built in. "
              "`carnot config --origin` prints each value and where it came from."),
            0, WIDTH);
    cn_buf_putc(out, '\n');
    for (const cn_opt *opt = cn_common_opts; opt->name; opt++) {
        if (opt->is_config)
            cn_buf_printf(out, "  %-12s %s\n", opt->name, _(opt->help));
    }
}

static void exit_status(cn_buf *out)
{
    static const struct {
        int status;
        const char *meaning;
    } rows[] = {
        {0, N_("done")},
        {1, N_("done, and a threshold or a check failed")},
        {2, N_("wrong usage")},
        {3, N_("bad input: syntax, unknown name, wrong unit")},
        {4, N_("no plan satisfies the limits")},
        {5, N_("a file, database or provider failed")},
        {6, N_("refused: needs --apply or approval, or a limit was hit")},
        {70, N_("a fault of carnot")},
        {130, N_("interrupted")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        cn_buf_printf(out, "  %4d  %s\n", rows[i].status, _(rows[i].meaning));
}

static const struct {
    const char *name;
    void (*write)(cn_buf *out);
} topics[] = {{"units", units}, {"settings", settings}, {"exit", exit_status}};

const char *const *cn_help_topics(void)
{
    static const char *const list[] = {
        "units",    N_("how quantities are written"),
        "settings", N_("configuration files and variables"),
        "exit",     N_("what the exit status says"),
        NULL,
    };
    return list;
}

bool cn_help_topic(cn_buf *out, const char *topic)
{
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        if (strcmp(topics[i].name, topic) == 0) {
            topics[i].write(out);
            return true;
        }
    }
    return false;
}
