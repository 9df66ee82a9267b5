/*
 * frame.h - the parts of the frame around verbs, for the frame itself (verbs include cli.h).
 */
#ifndef CARNOT_CLI_FRAME_H
#define CARNOT_CLI_FRAME_H

#include "cli/cli.h"
#include "report/plain.h"

/* Strength of an origin, weakest first. */
enum {
    CN_RANK_FALLBACK,
    CN_RANK_SYSTEM,  /* /etc/carnot/config.yaml */
    CN_RANK_USER,    /* ~/.config/carnot/config.yaml */
    CN_RANK_PROJECT, /* carnot.yaml here or above */
    CN_RANK_ENV,     /* CARNOT_<NAME> */
    CN_RANK_OPTION
};

/* opts.c: read argv into cli->cmd, arg and value. Every problem is recorded; CN_EUSAGE. */
cn_code cn_opts_parse(cn_ctx *cx, cn_cli *cli, int argc, char **argv);
const cn_opt *cn_opt_find(const cn_cmd *cmd, const char *name);
/* Check a text against its option and keep it; at may be NULL. Problems are recorded. */
void cn_opt_keep(cn_ctx *cx, cn_cli *cli, const cn_opt *opt, const char *text, const char *origin,
                 int rank, const cn_at *at);
/* Fill the common fields of cli from its values. */
cn_code cn_opts_resolve(cn_ctx *cx, cn_cli *cli);
/* Record a problem of the command line: the first one makes the run a CN_EUSAGE. */
void cn_usage(cn_ctx *cx, const char *fmt, ...) CN_PRINTF(2, 3);

/* config.c: configuration files and CARNOT_* variables. */
cn_code cn_config_layers(cn_ctx *cx, cn_cli *cli);
/* "CARNOT_LANG" for "lang". */
const char *cn_config_variable(cn_ctx *cx, const char *name);

/* say.c: problems and warnings of the context as people read them. */
void cn_say(const cn_ctx *cx, const cn_cli *cli, bool has_color, cn_buf *out);

/* help.c, man.c, complete.c: texts from the tables. */
void cn_help_overview(cn_buf *out);
void cn_help_verb(cn_buf *out, const cn_cmd *cmd);
bool cn_help_topic(cn_buf *out, const char *topic); /* false: there is no such topic */
const char *const *cn_help_topics(void);
void cn_man_program(cn_buf *out, const char *date);
void cn_man_verb(cn_buf *out, const cn_cmd *cmd, const char *date);
bool cn_complete(cn_buf *out, const char *shell); /* false: unknown shell */

/* show.c: does this stream want colour? setting is --color: "auto", "always", "never". */
bool cn_wants_color(const char *setting, FILE *stream);

#endif
