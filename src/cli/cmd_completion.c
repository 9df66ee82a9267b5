/* cmd_completion.c - `carnot completion`: a script that completes verbs, options and values. */
#include "cli/frame.h"

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

static const cn_example examples[] = {
    {"source <(carnot completion bash)", N_("complete in this bash")},
    {"carnot completion fish > ~/.config/fish/completions/carnot.fish",
     N_("complete in every fish")},
    {"carnot completion zsh > \"${fpath[1]}/_carnot\"", N_("complete in every zsh")},
    {NULL, NULL},
};

static cn_code run(cn_ctx *cx, cn_cli *cli)
{
    cn_buf text = {0};
    cn_code code = CN_OK;
    if (!cn_complete(&text, cli->arg[0])) {
        cn_fail(cx, CN_EUSAGE, NULL, _("no completion for the shell \"%s\""), cli->arg[0]);
        code = cn_hint(cx, _("it is one of bash, zsh, fish"));
    } else if (text.failed) {
        code = cn_nomem(cx);
    } else {
        code = cn_cli_write(cx, cli, text.data, text.len);
    }
    cn_buf_free(&text);
    return code;
}

const cn_cmd cn_cmd_completion = {
    .name = "completion",
    .group = N_("About carnot"),
    .summary = N_("print a completion script for a shell"),
    .args = "bash|zsh|fish",
    .min_args = 1,
    .max_args = 1,
    .examples = examples,
    .completion = shells,
    .flags = CN_CMD_NO_CONFIG,
    .run = run,
};
