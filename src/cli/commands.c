/* commands.c - the table of verbs, from commands.def. */
#include <string.h>

#include "cli/cli.h"

static const cn_cmd *const commands[] = {
#define CN_VERB(verb) &cn_cmd_##verb,
#include "cli/commands.def"
#undef CN_VERB
};

const cn_cmd *const *cn_commands(size_t *n)
{
    *n = sizeof commands / sizeof commands[0];
    return commands;
}

const cn_cmd *cn_command_find(const char *name)
{
    size_t n;
    const cn_cmd *const *all = cn_commands(&n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    }
    return NULL;
}
