/* cmd_version.c - `carnot version`. */
#include "cli/cli.h"

static const cn_example examples[] = {
    {"carnot version", N_("the version as one line")},
    {"carnot version --json", N_("the same for scripts")},
    {NULL, NULL},
};

static cn_code run(cn_ctx *cx, cn_cli *cli)
{
    cn_doc *doc = cn_doc_new(cx, "carnot.version/1", "carnot " CARNOT_VERSION, NULL);
    cn_val_put(cx, doc->data, "version", cn_val_str(cx, CARNOT_VERSION));
    return cn_cli_show(cx, cli, doc);
}

const cn_cmd cn_cmd_version = {
    .name = "version",
    .group = N_("About carnot"),
    .summary = N_("show the version"),
    .args = "",
    .examples = examples,
    .flags = CN_CMD_NO_CONFIG,
    .run = run,
};
