/*
 * complete.c - completion scripts for bash, zsh and fish, from the tables of verbs and options.
 *
 * The scripts hold every word and call nothing, so that a key press never waits for the program.
 */
#include <string.h>

#include "cli/frame.h"

/* Text inside single quotes of a shell; fish alone reads a backslash there. */
static void quoted(cn_buf *out, const char *text, bool is_fish)
{
    cn_buf_putc(out, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            cn_buf_puts(out, is_fish ? "\\'" : "'\\''");
        else if (*text == '\\' && is_fish)
            cn_buf_puts(out, "\\\\");
        else
            cn_buf_putc(out, *text);
    }
    cn_buf_putc(out, '\'');
}

static void words(cn_buf *out, const char *const *list)
{
    for (size_t i = 0; list[i]; i++)
        cn_buf_printf(out, "%s%s", i ? " " : "", list[i]);
}

static void verb_names(cn_buf *out)
{
    size_t n;
    const cn_cmd *const *all = cn_commands(&n);
    for (size_t i = 0; i < n; i++)
        cn_buf_printf(out, "%s%s", i ? " " : "", all[i]->name);
}

static void topic_names(cn_buf *out)
{
    for (const char *const *topic = cn_help_topics(); *topic; topic += 2)
        cn_buf_printf(out, " %s", topic[0]);
}

/* What completes a verb's first argument: its words, all verbs for help, or NULL = files. */
static bool argument_words(cn_buf *out, const cn_cmd *cmd)
{
    if (cmd->completion) {
        words(out, cmd->completion);
    } else if (strcmp(cmd->name, "help") == 0) {
        verb_names(out);
        topic_names(out);
    } else {
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------ bash */

static void bash_options(cn_buf *out, const cn_opt *opts, const cn_cmd *hidden_by)
{
    for (; opts && opts->name; opts++) {
        if (!hidden_by || cn_opt_find(hidden_by, opts->name) == opts)
            cn_buf_printf(out, " --%s", opts->name);
    }
}

static void bash_values(cn_buf *out, const cn_opt *opts)
{
    for (; opts && opts->name; opts++) {
        if (opts->kind == CN_OPT_ENUM) {
            cn_buf_printf(out, "    --%s) COMPREPLY=($(compgen -W '", opts->name);
            words(out, opts->values);
            cn_buf_puts(out, "' -- \"$cur\")); return ;;\n");
        } else if (opts->kind == CN_OPT_FILE || opts->kind == CN_OPT_DIR) {
            cn_buf_printf(out, "    --%s) COMPREPLY=($(compgen -%c -- \"$cur\")); return ;;\n",
                          opts->name, opts->kind == CN_OPT_DIR ? 'd' : 'f');
        }
    }
}

static void bash(cn_buf *out)
{
    size_t n;
    const cn_cmd *const *all = cn_commands(&n);
    cn_buf_puts(out, "# bash completion for carnot\n"
                     "_carnot() {\n"
                     "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                     "    local verb= options= arguments= i\n"
                     "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                     "        [[ ${COMP_WORDS[i]} == -* ]] || { verb=${COMP_WORDS[i]}; break; }\n"
                     "    done\n"
                     "    case $verb in\n");
    for (size_t i = 0; i < n; i++) {
        cn_buf words_of = {0};
        cn_buf_printf(out, "    %s)\n        options='", all[i]->name);
        bash_options(out, all[i]->opts, NULL);
        bash_options(out, cn_common_opts, all[i]);
        bool has_words = argument_words(&words_of, all[i]);
        cn_buf_printf(out, "'\n        arguments='%s' ;;\n",
                      has_words ? cn_buf_cstr(&words_of) : "");
        cn_buf_free(&words_of);
    }
    cn_buf_puts(out, "    '')\n        options='");
    bash_options(out, cn_common_opts, NULL);
    cn_buf_puts(out, "'\n        arguments='");
    verb_names(out);
    cn_buf_puts(out, "' ;;\n    esac\n    case $prev in\n");
    for (size_t i = 0; i < n; i++)
        bash_values(out, all[i]->opts);
    bash_values(out, cn_common_opts);
    cn_buf_puts(out, "    esac\n"
                     "    if [[ $cur == -* ]]; then\n"
                     "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
                     "    elif [[ -n $arguments ]]; then\n"
                     "        COMPREPLY=($(compgen -W \"$arguments\" -- \"$cur\"))\n"
                     "    else\n"
                     "        COMPREPLY=($(compgen -f -- \"$cur\"))\n"
                     "    fi\n"
                     "}\n"
                     "complete -o filenames -F _carnot carnot\n");
}

/* ------------------------------------------------------------------------------ zsh */

/* One specification of _arguments: '--name[help]:arg:action', quoted as a whole. */
static void zsh_option(cn_buf *out, const cn_opt *opt)
{
    cn_buf spec = {0};
    cn_buf_printf(&spec, "%s--%s%s[", opt->repeats ? "*" : "", opt->name, opt->arg ? "=" : "");
    for (const char *p = _(opt->help); *p; p++) {
        if (*p == '[' || *p == ']' || *p == ':' || *p == '\\')
            cn_buf_putc(&spec, '\\');
        cn_buf_putc(&spec, *p);
    }
    cn_buf_putc(&spec, ']');
    if (opt->arg)
        cn_buf_printf(&spec, ":%s:", opt->name);
    if (opt->kind == CN_OPT_ENUM) {
        cn_buf_putc(&spec, '(');
        words(&spec, opt->values);
        cn_buf_putc(&spec, ')');
    } else if (opt->kind == CN_OPT_FILE) {
        cn_buf_puts(&spec, "_files");
    } else if (opt->kind == CN_OPT_DIR) {
        cn_buf_puts(&spec, "_files -/");
    }
    cn_buf_puts(out, " \\\n            ");
    quoted(out, cn_buf_cstr(&spec), false);
    cn_buf_free(&spec);
}

static void zsh_options(cn_buf *out, const cn_opt *opts, const cn_cmd *hidden_by)
{
    for (; opts && opts->name; opts++) {
        if (!hidden_by || cn_opt_find(hidden_by, opts->name) == opts)
            zsh_option(out, opts);
    }
}

static void zsh(cn_buf *out)
{
    size_t n;
    const cn_cmd *const *all = cn_commands(&n);
    cn_buf_puts(out, "#compdef carnot\n# zsh completion for carnot\n_carnot() {\n"
                     "    local -a verbs\n    verbs=(\n");
    for (size_t i = 0; i < n; i++) {
        cn_buf line = {0};
        cn_buf_printf(&line, "%s:%s", all[i]->name, _(all[i]->summary));
        cn_buf_puts(out, "        ");
        quoted(out, cn_buf_cstr(&line), false);
        cn_buf_putc(out, '\n');
        cn_buf_free(&line);
    }
    cn_buf_puts(out, "    )\n    if (( CURRENT == 2 )); then\n        _describe verb verbs\n"
                     "        return\n    fi\n    local verb=$words[2]\n    shift words\n"
                     "    (( CURRENT-- ))\n    case $verb in\n");
    for (size_t i = 0; i < n; i++) {
        cn_buf words_of = {0};
        bool has_words = argument_words(&words_of, all[i]);
        cn_buf_printf(out, "    %s)\n        _arguments", all[i]->name);
        zsh_options(out, all[i]->opts, NULL);
        zsh_options(out, cn_common_opts, all[i]);
        cn_buf_printf(out, " \\\n            '*:argument:%s%s%s' ;;\n", has_words ? "(" : "_files",
                      cn_buf_cstr(&words_of), has_words ? ")" : "");
        cn_buf_free(&words_of);
    }
    cn_buf_puts(out, "    esac\n}\n_carnot \"$@\"\n");
}

/* ------------------------------------------------------------------------------ fish */

static void fish_option(cn_buf *out, const cn_opt *opt, const char *verb)
{
    cn_buf_puts(out, "complete -c carnot");
    if (verb)
        cn_buf_printf(out, " -n '__fish_seen_subcommand_from %s'", verb);
    cn_buf_printf(out, " -l %s", opt->name);
    if (opt->letter)
        cn_buf_printf(out, " -s %c", opt->letter);
    if (opt->kind == CN_OPT_ENUM) {
        cn_buf_puts(out, " -x -a '");
        words(out, opt->values);
        cn_buf_putc(out, '\'');
    } else if (opt->kind == CN_OPT_FILE || opt->kind == CN_OPT_DIR) {
        cn_buf_puts(out, " -r -F");
    } else if (opt->kind != CN_OPT_FLAG) {
        cn_buf_puts(out, " -x");
    }
    cn_buf_puts(out, " -d ");
    quoted(out, _(opt->help), true);
    cn_buf_putc(out, '\n');
}

static void fish(cn_buf *out)
{
    size_t n;
    const cn_cmd *const *all = cn_commands(&n);
    cn_buf_puts(out, "# fish completion for carnot\n");
    for (size_t i = 0; i < n; i++) {
        cn_buf words_of = {0};
        cn_buf_printf(out, "complete -c carnot -n __fish_use_subcommand -f -a %s -d ",
                      all[i]->name);
        quoted(out, _(all[i]->summary), true);
        cn_buf_putc(out, '\n');
        if (argument_words(&words_of, all[i]))
            cn_buf_printf(out,
                          "complete -c carnot -n '__fish_seen_subcommand_from %s' -f -a '%s'\n",
                          all[i]->name, cn_buf_cstr(&words_of));
        cn_buf_free(&words_of);
        for (const cn_opt *opt = all[i]->opts; opt && opt->name; opt++)
            fish_option(out, opt, all[i]->name);
    }
    for (const cn_opt *opt = cn_common_opts; opt->name; opt++)
        fish_option(out, opt, NULL);
}

bool cn_complete(cn_buf *out, const char *shell)
{
    static const struct {
        const char *shell;
        void (*write)(cn_buf *out);
    } writers[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        if (strcmp(writers[i].shell, shell) == 0) {
            writers[i].write(out);
            return true;
        }
    }
    return false;
}
