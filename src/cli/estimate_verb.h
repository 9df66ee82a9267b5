/*
 * estimate_verb.h - what the verbs around an estimate share: the flags that say what a spec would,
 * and reading a spec with them.
 */
#ifndef CARNOT_CLI_ESTIMATE_VERB_H
#define CARNOT_CLI_ESTIMATE_VERB_H

#include "cli/cli.h"
#include "estimate/estimate.h"

/* Options of these verbs, for their tables. */
#define CN_SPEC_OPTS                                                                               \
    {.name = "rate",                                                                               \
     .kind = CN_OPT_QUANTITY,                                                                      \
     .dim = CN_DIM_COUNT,                                                                          \
     .arg = "N",                                                                                   \
     .min = 1e-6,                                                                                  \
     .max = 1e6,                                                                                   \
     .help = N_("exchange rate: 1 USD in --currency")},                                            \
        {.name = "model", .kind = CN_OPT_TEXT, .arg = "NAME", .help = N_("model of the catalog")}, \
        {.name = "node",                                                                           \
         .kind = CN_OPT_TEXT,                                                                      \
         .arg = "NAME",                                                                            \
         .help = N_("node type of the catalog")},                                                  \
        {.name = "accelerators",                                                                   \
         .kind = CN_OPT_TEXT,                                                                      \
         .arg = "N",                                                                               \
         .help = N_("number of devices")},                                                         \
        {.name = "tokens", .kind = CN_OPT_TEXT, .arg = "N", .help = N_("tokens to train on")},     \
        {.name = "global-batch",                                                                   \
         .kind = CN_OPT_TEXT,                                                                      \
         .arg = "N",                                                                               \
         .help = N_("sequences per step, or tokens")},                                             \
    {                                                                                              \
        .name = "sequence", .kind = CN_OPT_TEXT, .arg = "N", .help = N_("tokens of a sequence")    \
    }

/* Catalog, profile and options of a command line, read once. */
typedef struct cn_estimate_verb {
    cn_catalog *cat;
    cn_profile profile;
    cn_estimate_opts opts;
    const char *const *set; /* flags first, so that --set wins */
    size_t n_sets;
} cn_estimate_verb;

cn_code cn_estimate_verb_open(cn_ctx *cx, const cn_cli *cli, cn_estimate_verb *out);

/* One spec, with the first n_sets settings. */
cn_code cn_estimate_verb_read(cn_ctx *cx, const cn_estimate_verb *v, const char *path,
                              size_t n_sets, cn_estimate **out);

#endif
