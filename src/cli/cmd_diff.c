/* cmd_diff.c - `carnot diff`: what changed between two specs, and what it costs. */
#include <math.h>

#include "cli/estimate_verb.h"

static const cn_opt opts[] = {
    {.name = "fail-over",
     .kind = CN_OPT_QUANTITY,
     .dim = CN_DIM_RATIO,
     .arg = "SHARE",
     .min = 0,
     .max = 1e6,
     .help = N_("end with status 1 if the cost rises by more")},
    CN_SPEC_OPTS,
    {.name = NULL},
};

static const cn_example examples[] = {
    {"carnot diff old.yaml new.yaml", N_("changed keys, and each figure before and after")},
    {"carnot diff run.yaml --set training.precision=fp8", N_("what one setting would change")},
    {"carnot diff old.yaml new.yaml --fail-over 5%", N_("a check for code review")},
    {NULL, NULL},
};

static cn_code run(cn_ctx *cx, cn_cli *cli)
{
    cn_estimate_verb v;
    cn_estimate *a = NULL, *b = NULL;
    double rise;
    bool is_one = cli->n_args == 1;
    CN_TRY(cn_estimate_verb_open(cx, cli, &v));
    if (is_one && v.n_sets == 0) {
        cn_fail(cx, CN_EUSAGE, NULL, _("diff needs two specs, or one and --set"));
        return cn_hint(cx, _("write \"carnot diff A B\" or \"carnot diff A --set key=value\""));
    }
    CN_TRY(cn_estimate_verb_read(cx, &v, cli->arg[0], is_one ? 0 : v.n_sets, &a));
    CN_TRY(cn_estimate_verb_read(cx, &v, cli->arg[is_one ? 0 : 1], v.n_sets, &b));
    cn_doc *doc = cn_diff_doc(cx, a, b, &rise);
    CN_TRY(cn_cli_show(cx, cli, doc));
    double bound = cn_cli_num(cli, "fail-over");
    if (isnan(bound) || rise <= bound)
        return CN_OK;
    return cn_fail(cx, CN_ECHECK, NULL, _("the cost rises by %.1f %%, more than %.1f %%"),
                   100 * rise, 100 * bound);
}

const cn_cmd cn_cmd_diff = {
    .name = "diff",
    .group = N_("Estimate"),
    .summary = N_("show what changed between two specs and what it costs"),
    .args = "A [B]",
    .min_args = 1,
    .max_args = 2,
    .about = N_("Signs: + added, - removed, ~ changed. With one spec, it is compared with itself "
                "after --set. Without a price of compute, --fail-over looks at the wall time."),
    .examples = examples,
    .opts = opts,
    .see = "spec",
    .run = run,
};
