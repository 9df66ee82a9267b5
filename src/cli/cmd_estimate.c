/* cmd_estimate.c - `carnot estimate`: what a run needs, takes and costs. */
#include "cli/estimate_verb.h"

static const cn_opt opts[] = {CN_SPEC_OPTS, {.name = NULL}};

static const cn_example examples[] = {
    {"carnot estimate run.yaml", N_("memory, time, cost and where the money goes")},
    {"carnot estimate config.json --node aws/p5.48xlarge --accelerators 64 --tokens 15T",
     N_("a Hugging Face config with flags")},
    {"carnot estimate run.yaml --set training.precision=fp8 --json",
     N_("one setting changed, for scripts")},
    {NULL, NULL},
};

static cn_code estimate_all(cn_ctx *cx, cn_cli *cli, cn_estimate **e)
{
    cn_estimate_verb v;
    CN_TRY(cn_estimate_verb_open(cx, cli, &v));
    for (size_t i = 0; i < cli->n_args; i++)
        CN_TRY(cn_estimate_verb_read(cx, &v, cli->arg[i], v.n_sets, &e[i]));
    if (cli->n_args == 1 && e[0]->fits)
        return cn_estimate_factors(cx, v.cat, &v.opts, e[0]);
    return CN_OK;
}

/* The first limit that is broken ends the run with status 4. */
static cn_code verdict(cn_ctx *cx, const cn_estimate *e)
{
    for (size_t i = 0; i < e->n_limits; i++) {
        if (e->limit[i].ok)
            continue;
        cn_fail(cx, CN_EINFEASIBLE, NULL, _("%s: limit %s: %s"), e->spec->name, e->limit[i].id,
                e->limit[i].text);
        if (e->n_remedies > 0)
            return cn_hint(cx, _("try --set %s"), e->remedy[0].change);
        return cn_hint(cx, _("change the limit, the layout or the number of devices"));
    }
    return CN_OK;
}

static cn_code run(cn_ctx *cx, cn_cli *cli)
{
    cn_estimate **e = cn_arena_array(&cx->arena, cli->n_args, sizeof *e);
    if (!e)
        return cn_nomem(cx);
    CN_TRY(estimate_all(cx, cli, e));
    const cn_estimate *const *list = (const cn_estimate *const *)e;
    CN_TRY(cn_cli_show(cx, cli, cn_estimate_doc(cx, list, cli->n_args)));
    for (size_t i = 0; i < cli->n_args; i++)
        CN_TRY(verdict(cx, e[i]));
    return CN_OK;
}

const cn_cmd cn_cmd_estimate = {
    .name = "estimate",
    .group = N_("Estimate"),
    .summary = N_("say what a training run needs, takes and costs"),
    .args = "SPEC...",
    .min_args = 1,
    .max_args = -1,
    .about =
        N_("Reads a spec (YAML), a Hugging Face config.json, or launch settings of Megatron-LM, "
           "DeepSpeed or torchtitan, and answers with memory per device, step time, wall time, "
           "the cost by dimension and the way from the physical limit to the bill. What the "
           "spec does not say is taken for granted and listed. A run that does not fit or "
           "breaks a limit ends with status 4."),
    .examples = examples,
    .opts = opts,
    .see = "spec",
    .run = run,
};
