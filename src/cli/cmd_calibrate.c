/* cmd_calibrate.c - `carnot calibrate`: learn a cluster's factors from its measured runs. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "catalog/catalog.h"
#include "cli/cli.h"
#include "estimate/score.h"

/* -o is the profile, as in the contract; the document goes to standard output. */
static const cn_opt opts[] = {
    {.name = "out",
     .letter = 'o',
     .kind = CN_OPT_FILE,
     .arg = "PROFILE.yaml",
     .help = N_("write the profile here")},
    {.name = NULL},
};

static const cn_example examples[] = {
    {"carnot calibrate my-runs.csv -o my-cluster.yaml", N_("learn from your own measured runs")},
    {"carnot estimate run.yaml --profile my-cluster.yaml", N_("use what was learned")},
    {NULL, NULL},
};

static cn_code run(cn_ctx *cx, cn_cli *cli)
{
    cn_catalog *catalog;
    cn_profile profile;
    cn_run *runs;
    size_t n;
    CN_TRY(cn_catalog_load(cx, cli->catalog, &catalog));
    CN_TRY(cn_runs_read(cx, catalog, cli->arg[0], &runs, &n));
    CN_TRY(cn_calibrate(cx, runs, n, &profile));
    profile.name = cli->arg[0];
    const char *out = cn_cli_text(cli, "out"), *yaml;
    CN_TRY(cn_profile_text(cx, &profile, &yaml));
    if (out)
        CN_TRY(cn_file_write(cx, out, yaml, strlen(yaml)));
    return cn_cli_show(cx, cli, cn_calibrate_doc(cx, &profile, out));
}

const cn_cmd cn_cmd_calibrate = {
    .name = "calibrate",
    .group = N_("Estimate"),
    .summary = N_("learn a profile from your own measured runs"),
    .args = "FILE.csv",
    .min_args = 1,
    .max_args = 1,
    .about = N_("Fits three factors (kernels, links, time outside the model) to measured runs, and "
                "says how much "
                "better runs are predicted that the fit has not seen."),
    .examples = examples,
    .opts = opts,
    .run = run,
};
