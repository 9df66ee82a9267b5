/* cmd_estimate.c - `carnot estimate`: what a run needs, takes and costs. */
#include <math.h>

#include "cli/cli.h"
#include "estimate/estimate.h"

static const cn_opt opts[] = {
    {.name = "rate",
     .kind = CN_OPT_QUANTITY,
     .dim = CN_DIM_COUNT,
     .arg = "N",
     .min = 1e-6,
     .max = 1e6,
     .help = N_("exchange rate: 1 USD in --currency")},
    {.name = "model", .kind = CN_OPT_TEXT, .arg = "NAME", .help = N_("model of the catalog")},
    {.name = "node", .kind = CN_OPT_TEXT, .arg = "NAME", .help = N_("node type of the catalog")},
    {.name = "accelerators", .kind = CN_OPT_TEXT, .arg = "N", .help = N_("number of devices")},
    {.name = "tokens", .kind = CN_OPT_TEXT, .arg = "N", .help = N_("tokens to train on")},
    {.name = "global-batch",
     .kind = CN_OPT_TEXT,
     .arg = "N",
     .help = N_("sequences per step, or tokens")},
    {.name = "sequence", .kind = CN_OPT_TEXT, .arg = "N", .help = N_("tokens of a sequence")},
    {.name = NULL},
};

/* Flags that say what a spec would; each becomes one --set. */
static const struct {
    const char *flag, *path;
} flags[] = {
    {"model", "model"},
    {"node", "cluster.node"},
    {"accelerators", "cluster.accelerators"},
    {"tokens", "data.tokens"},
    {"global-batch", "training.global_batch"},
    {"sequence", "training.sequence"},
};
enum { N_FLAGS = sizeof flags / sizeof *flags };

static const cn_example examples[] = {
    {"carnot estimate run.yaml", N_("memory, time, cost and where the money goes")},
    {"carnot estimate config.json --node aws/p5.48xlarge --accelerators 64 --tokens 15T",
     N_("a Hugging Face config with flags")},
    {"carnot estimate run.yaml --set training.precision=fp8 --json",
     N_("one setting changed, for scripts")},
    {NULL, NULL},
};

/* --set assignments, those of the flags first so that --set wins. */
static cn_code settings(cn_ctx *cx, const cn_cli *cli, const char *const **sets, size_t *n)
{
    const char **all = cn_arena_array(&cx->arena, cli->n_sets + N_FLAGS, sizeof *all);
    if (!all)
        return cn_nomem(cx);
    *n = 0;
    for (size_t i = 0; i < N_FLAGS; i++) {
        const char *text = cn_cli_text(cli, flags[i].flag);
        if (text)
            all[(*n)++] = cn_arena_printf(&cx->arena, "%s=%s", flags[i].path, text);
    }
    for (size_t i = 0; i < cli->n_sets; i++)
        all[(*n)++] = cli->set[i];
    *sets = all;
    return CN_OK;
}

static cn_code estimate_all(cn_ctx *cx, cn_cli *cli, cn_estimate **e)
{
    cn_catalog *cat;
    cn_profile profile;
    const char *const *sets = NULL;
    size_t n_sets = 0;
    cn_estimate_opts o = {.currency = cli->currency, .fx_rate = cn_cli_num(cli, "rate")};
    CN_TRY(cn_catalog_load(cx, cli->catalog, &cat));
    if (cli->profile) {
        CN_TRY(cn_profile_read(cx, cli->profile, &profile));
        o.profile = &profile;
    }
    CN_TRY(settings(cx, cli, &sets, &n_sets));
    for (size_t i = 0; i < cli->n_args; i++) {
        cn_spec *spec;
        CN_TRY(cn_spec_read(cx, cat, cli->arg[i], sets, n_sets, &spec));
        CN_TRY(cn_estimate_make(cx, cat, spec, &o, &e[i]));
        if (cli->n_args == 1 && e[i]->fits)
            CN_TRY(cn_estimate_factors(cx, cat, &o, e[i]));
    }
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
