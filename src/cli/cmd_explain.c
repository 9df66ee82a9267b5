/* cmd_explain.c - `carnot explain`: formula, values, units and sources behind a figure. */
#include "cli/estimate_verb.h"

static const cn_opt opts[] = {CN_SPEC_OPTS, {.name = NULL}};

static const cn_example examples[] = {
    {"carnot explain run.yaml wall_time_s", N_("how the wall time comes about")},
    {"carnot explain run.yaml waterfall", N_("from the physical limit to the bill")},
    {"carnot explain run.yaml", N_("all keys with value, basis and formula")},
    {NULL, NULL},
};

static cn_code run(cn_ctx *cx, cn_cli *cli)
{
    cn_estimate_verb v;
    cn_estimate *e = NULL;
    const cn_fig *fig = NULL;
    CN_TRY(cn_estimate_verb_open(cx, cli, &v));
    CN_TRY(cn_estimate_verb_read(cx, &v, cli->arg[0], v.n_sets, &e));
    if (cli->n_args > 1)
        CN_TRY(cn_estimate_figure(cx, e, cli->arg[1], &fig));
    cn_doc *doc = cn_explain_doc(cx, e, fig);
    if (fig)
        cn_report_explain(cx, doc, fig);
    return cn_cli_show(cx, cli, doc);
}

const cn_cmd cn_cmd_explain = {
    .name = "explain",
    .group = N_("Estimate"),
    .summary = N_("show the formula, values and sources behind a figure"),
    .args = "SPEC [KEY]",
    .min_args = 1,
    .max_args = 2,
    .about = N_("Without KEY all figures of the estimate are listed with their keys. A dotted key "
                "narrows: waterfall.storage is the rung, storage the cost dimension."),
    .examples = examples,
    .opts = opts,
    .see = "spec",
    .run = run,
};
