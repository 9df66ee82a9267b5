/* cmd_config.c - `carnot config`: every setting, its value and where that came from. */
#include "cli/frame.h"

static const cn_opt opts[] = {
    {.name = "origin", .help = N_("also print where each value came from")},
    {.name = NULL},
};

static const cn_example examples[] = {
    {"carnot config --origin", N_("every setting and the line it came from")},
    {"carnot config --json", N_("the settings for scripts")},
    {NULL, NULL},
};

static const char *value_of(const cn_cli *cli, const cn_opt *opt)
{
    if (opt->kind == CN_OPT_FLAG)
        return cn_cli_flag(cli, opt->name) ? "true" : "false";
    return cn_cli_text(cli, opt->name);
}

static void add_setting(cn_ctx *cx, const cn_cli *cli, const cn_opt *opt, cn_table *t, cn_val *list)
{
    const cn_opt_value *v = cn_cli_value(cli, opt->name);
    const char *text = value_of(cli, opt), *origin = v ? v->origin : "built in";
    cn_cell *cell = cn_table_row(cx, t);
    cn_cell_text(cx, &cell[0], opt->name);
    if (text)
        cn_cell_text(cx, &cell[1], text);
    if (t->n_cols > 2)
        cn_cell_text(cx, &cell[2], v ? v->origin : _("built in"));
    cn_val *entry = cn_val_obj(cx);
    cn_val_put(cx, entry, "key", cn_val_str(cx, opt->name));
    cn_val_put(cx, entry, "value", cn_val_str(cx, text));
    cn_val_put(cx, entry, "origin", cn_val_str(cx, origin));
    cn_val_push(cx, list, entry);
}

static cn_code run(cn_ctx *cx, cn_cli *cli)
{
    const cn_col cols[] = {
        {"key", _("setting"), "", CN_COL_TEXT},
        {"value", _("value"), "", CN_COL_TEXT},
        {"origin", _("origin"), "", CN_COL_TEXT},
    };
    cn_doc *doc = cn_doc_new(cx, "carnot.config/1", _("settings"), NULL);
    cn_table *t = cn_doc_table(cx, doc, "settings", NULL, cols, cn_cli_flag(cli, "origin") ? 3 : 2);
    cn_val *list = cn_val_arr(cx);
    for (const cn_opt *opt = cn_common_opts; opt->name; opt++) {
        if (opt->is_config)
            add_setting(cx, cli, opt, t, list);
    }
    cn_val_put(cx, doc->data, "settings", list);
    return cn_cli_show(cx, cli, doc);
}

const cn_cmd cn_cmd_config = {
    .name = "config",
    .group = N_("About carnot"),
    .summary = N_("show the settings and where they came from"),
    .args = "",
    .examples = examples,
    .opts = opts,
    .see = "settings",
    .run = run,
};
