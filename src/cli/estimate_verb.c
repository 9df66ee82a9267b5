/* estimate_verb.c - see estimate_verb.h. */
#include "cli/estimate_verb.h"

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

static cn_code read_settings(cn_ctx *cx, const cn_cli *cli, cn_estimate_verb *v)
{
    const char **all = cn_arena_array(&cx->arena, cli->n_sets + N_FLAGS, sizeof *all);
    if (!all)
        return cn_nomem(cx);
    v->n_sets = 0;
    for (size_t i = 0; i < N_FLAGS; i++) {
        const char *text = cn_cli_text(cli, flags[i].flag);
        char *set = text ? cn_arena_printf(&cx->arena, "%s=%s", flags[i].path, text) : NULL;
        if (set)
            all[v->n_sets++] = set;
    }
    for (size_t i = 0; i < cli->n_sets; i++)
        all[v->n_sets++] = cli->set[i];
    v->set = all;
    return CN_OK;
}

cn_code cn_estimate_verb_open(cn_ctx *cx, const cn_cli *cli, cn_estimate_verb *out)
{
    *out = (cn_estimate_verb){0};
    out->opts.currency = cli->currency;
    out->opts.fx_rate = cn_cli_num(cli, "rate");
    CN_TRY(cn_catalog_load(cx, cli->catalog, &out->cat));
    if (cli->profile) {
        CN_TRY(cn_profile_read(cx, cli->profile, &out->profile));
        out->opts.profile = &out->profile;
    }
    return read_settings(cx, cli, out);
}

cn_code cn_estimate_verb_read(cn_ctx *cx, const cn_estimate_verb *v, const char *path,
                              size_t n_sets, cn_estimate **out)
{
    cn_spec *spec;
    CN_TRY(cn_spec_read(cx, v->cat, path, v->set, n_sets, &spec));
    return cn_estimate_make(cx, v->cat, spec, &v->opts, out);
}
