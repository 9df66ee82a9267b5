/* topics.c - help on what is not a verb: spec, units, settings, exit status. */
#include <string.h>

#include "cli/frame.h"
#include "spec/spec.h"
#include "base/bind.h"

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

/* How the value of a field is written: the names of a choice, or an example. */
static void form_of(cn_buf *out, const cn_bind_field *f)
{
    cn_quantity q;
    const char *why = NULL, *example = NULL;
    switch (f->kind) {
    case CN_BIND_TEXT:
        cn_buf_puts(out, _("text"));
        break;
    case CN_BIND_COUNT:
        cn_buf_puts(out, "4096, 128k");
        break;
    case CN_BIND_INT:
        cn_buf_puts(out, "8");
        break;
    case CN_BIND_QUANTITY:
        cn_unit_parse("?", f->dim, &q, &why, &example);
        cn_buf_puts(out, example ? example : "");
        break;
    case CN_BIND_BOOL:
        cn_buf_puts(out, "true, false");
        break;
    case CN_BIND_ENUM:
        for (size_t i = 0; f->names[i]; i++)
            cn_buf_printf(out, "%s%s", i ? ", " : "", f->names[i]);
        break;
    case CN_BIND_NODE:
        cn_buf_puts(out, "...");
        break;
    }
    if (f->allow_auto)
        cn_buf_puts(out, ", auto");
}

static void spec_field(cn_buf *out, const cn_bind_field *f)
{
    enum { KEY = 26 };
    cn_buf text = {0};
    form_of(&text, f);
    if (f->help)
        cn_buf_printf(&text, "  (%s)", _(f->help));
    cn_buf_puts(out, "  ");
    cn_pad(out, f->key, KEY, false);
    cn_wrap(out, cn_buf_cstr(&text), KEY + 2, WIDTH);
    cn_buf_free(&text);
}

static void spec(cn_buf *out)
{
    cn_wrap(out,
            _("A spec is a YAML file that says what is run. Unknown keys are errors; what is not "
              "said is chosen and reported as assumed. A Hugging Face config.json, Megatron "
              "arguments, DeepSpeed JSON or torchtitan TOML are read as they are; --set adds what "
              "they do not say."),
            0, WIDTH);
    for (const cn_spec_section *s = cn_spec_sections; s->name; s++) {
        cn_buf_printf(out, "\n%s%s\n", s->name, s->name[0] ? ":" : _("top level:"));
        for (size_t i = 0; i < s->n; i++)
            spec_field(out, &s->field[i]);
    }
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
} topics[] = {{"spec", spec}, {"units", units}, {"settings", settings}, {"exit", exit_status}};

const char *const *cn_help_topics(void)
{
    static const char *const list[] = {
        "spec",     N_("what a spec may hold, key by key"),
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
