/*
 * cli.h - what a verb is, and what the frame around it does.
 *
 * A verb is one file, cmd_<verb>.c, holding one `const cn_cmd cn_cmd_<verb>`, and one line in
 * commands.def. From that table come parsing, help, man page and completion. A verb reads its
 * options from cn_cli, builds a document (base/doc.h) and hands it to cn_cli_show(); it holds no
 * formula and prints nothing itself. README.md shows one from end to end.
 *
 * Lifecycle:  cn_cli_main()  =  read options  ->  layer the configuration  ->  cmd->run(cx, cli)
 *             ->  print what the context recorded  ->  exit status
 * Ownership:  everything in cn_cli lives in cx->arena or in argv.
 * Errors:     run() returns a cn_code; the frame prints every problem and warning of the context
 *             on standard error. A verb never prints an error.
 */
#ifndef CARNOT_CLI_CLI_H
#define CARNOT_CLI_CLI_H

#include <stdint.h>
#include <stdio.h>

#include "base/doc.h"
#include "base/lang.h"
#include "base/unit.h"
#include "report/report.h"

typedef enum {
    CN_OPT_FLAG,     /* no value */
    CN_OPT_TEXT,     /* any text */
    CN_OPT_FILE,     /* a path; "-" = standard input or output */
    CN_OPT_DIR,      /* a folder */
    CN_OPT_INT,      /* a whole number in min..max */
    CN_OPT_QUANTITY, /* "10m", "5%", "2M USD": read in dimension .dim, in base units */
    CN_OPT_WHEN,     /* "2026-09-01", "2026-09-01T12:00:00Z"; seconds since 1970 UTC */
    CN_OPT_ENUM      /* one of .values */
} cn_opt_kind;

typedef struct cn_opt {
    const char *name; /* long name without "--"; NULL ends a table */
    char letter;      /* short name, or 0 */
    cn_opt_kind kind;
    const char *arg;           /* "FILE", "N": the value in help; NULL for a FLAG */
    const char *help;          /* N_("one line, lower case") */
    const char *const *values; /* ENUM: NULL-terminated */
    cn_dim dim;                /* QUANTITY */
    double min, max;           /* INT, QUANTITY: both 0 = no range */
    const char *fallback;      /* value when nobody says one, shown in help; NULL = none */
    bool repeats;              /* may be given more than once; kept in order */
    bool is_config;            /* (common options) may stand in a configuration file */
} cn_opt;

typedef struct cn_example {
    const char *command; /* "carnot estimate runs/train-70b.yaml" */
    const char *what;    /* N_("what it shows") */
} cn_example;

enum {
    CN_CMD_CHANGES_WORLD = 1u << 0,   /* dry run unless --apply */
    CN_CMD_POLLS_INTERRUPT = 1u << 1, /* looks at cn_cli_interrupted(); else SIGINT ends at once */
    CN_CMD_NO_CONFIG = 1u << 2        /* works even if the configuration is wrong */
};

typedef struct cn_cli cn_cli;

typedef struct cn_cmd {
    const char *name;
    const char *group;             /* heading in `help`; groups appear in order of commands.def */
    const char *summary;           /* N_("one line, lower case, no full stop") */
    const char *args;              /* "SPEC...", "A B", "" */
    int min_args, max_args;        /* max -1 = any number */
    const char *about;             /* N_("paragraphs"), or NULL */
    const cn_example *examples;    /* at least two; ends with command NULL */
    const cn_opt *opts;            /* own options, end with name NULL; or NULL. They win over */
                                   /* common ones of the same name */
    const char *see;               /* help topic named after bad input ("spec"); NULL = the verb */
    const char *const *completion; /* words that complete the first argument, or NULL = files */
    unsigned flags;
    cn_code (*run)(cn_ctx *cx, cn_cli *cli);
} cn_cmd;

/* One value of an option as it was read. */
typedef struct cn_opt_value {
    const cn_opt *opt;
    const char *text;   /* NULL for a FLAG */
    double num;         /* INT, QUANTITY (base units), WHEN, ENUM (index); NaN otherwise */
    char currency[4];   /* QUANTITY of money */
    const char *origin; /* "option", "CARNOT_LANG", "/home/me/carnot.yaml:3" */
    int rank;           /* strength of the origin; the strongest wins, then the last */
} cn_opt_value;

struct cn_cli {
    const cn_cmd *cmd;
    size_t n_args;
    const char **arg; /* what is neither option nor value */

    /* Common options, every source considered. */
    const char *lang;                                 /* "en", "zh_CN" */
    const char *currency;                             /* "USD" unless said */
    const char *ledger, *catalog, *profile, *explain; /* NULL = not said */
    const char *const *set;                           /* --set path=value, in order */
    size_t n_sets;
    uint64_t seed; /* 1 unless said */
    int threads;   /* 0 = as many as there are cores */
    bool is_quiet, is_verbose;

    cn_format format; /* of standard output or --out */
    const char *out, *html, *table;

    /* private */
    cn_opt_value *value;
    size_t n_values, cap_values;
    FILE *stream_out, *stream_err;
    double started_s, spoke_s; /* of progress */
    bool has_progress_line;    /* a line to end before anything else is said */
};

/* An option by its long name. Not given: NULL, false, NaN, -1, 0 texts. */
const char *cn_cli_text(const cn_cli *cli, const char *name);
bool cn_cli_flag(const cn_cli *cli, const char *name);
double cn_cli_num(const cn_cli *cli, const char *name);
int cn_cli_enum(const cn_cli *cli, const char *name);
const cn_opt_value *cn_cli_value(const cn_cli *cli, const char *name);
const char *const *cn_cli_all(cn_ctx *cx, const cn_cli *cli, const char *name, size_t *n);

/*
 * Render the document as the options ask: standard output or --out, and --html beside it. With
 * --explain KEY the formula tree of that figure is added first. Call it once, last.
 * Errors: CN_EIO (cannot write), CN_EUSAGE (no such figure or table).
 */
cn_code cn_cli_show(cn_ctx *cx, cn_cli *cli, cn_doc *doc);

/* Write finished text to standard output or --out (help, completion scripts, generated files). */
cn_code cn_cli_write(cn_ctx *cx, cn_cli *cli, const char *text, size_t len);

/* Progress on standard error ("searched 1,200 of 7,280"); silent with --quiet or for 2 s. */
void cn_cli_progress(cn_cli *cli, const char *what, double done, double total);

/* True after SIGINT, for verbs with CN_CMD_POLLS_INTERRUPT; return CN_EINTERRUPT soon. */
bool cn_cli_interrupted(void);

/* The whole program: returns the exit status. */
int cn_cli_main(int argc, char **argv, FILE *out, FILE *err);

/* Tables behind help, man pages, completion and configuration. */
extern const cn_opt cn_common_opts[];
const cn_cmd *const *cn_commands(size_t *n);
const cn_cmd *cn_command_find(const char *name);

#define CN_VERB(verb) extern const cn_cmd cn_cmd_##verb;
#include "cli/commands.def"
#undef CN_VERB

#endif
