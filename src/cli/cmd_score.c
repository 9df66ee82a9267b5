/* cmd_score.c - `carnot score`: predictions beside measured runs. */
#include "catalog/catalog.h"
#include "cli/cli.h"
#include "estimate/score.h"

static const cn_example examples[] = {
    {"carnot score runs.csv", N_("how far predictions are from what was measured")},
    {"carnot score runs.csv --profile my-cluster.yaml --json",
     N_("after calibration, for scripts")},
    {NULL, NULL},
};

static cn_code run(cn_ctx *cx, cn_cli *cli)
{
    cn_catalog *catalog;
    cn_profile profile;
    cn_score *score;
    CN_TRY(cn_catalog_load(cx, cli->catalog, &catalog));
    if (cli->profile)
        CN_TRY(cn_profile_read(cx, cli->profile, &profile));
    CN_TRY(cn_score_file(cx, catalog, cli->arg[0], cli->profile ? &profile : NULL, &score));
    return cn_cli_show(cx, cli, cn_score_doc(cx, score));
}

const cn_cmd cn_cmd_score = {
    .name = "score",
    .group = N_("Estimate"),
    .summary = N_("compare predictions with measured runs"),
    .args = "FILE.csv",
    .min_args = 1,
    .max_args = 1,
    .about = N_("Reads one run per row: model, accelerator, layout, batch, and what was measured. "
                "Every row is "
                "predicted from its facts and settings alone. Rows that leave out a needed fact "
                "are skipped, with "
                "the reason. The table shows the error of each paper or project."),
    .examples = examples,
    .run = run,
};
