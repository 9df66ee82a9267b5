/*
 * config.c - configuration files and CARNOT_* variables, as values of the common options.
 *
 * Strongest first: option, CARNOT_<NAME>, carnot.yaml here or in a folder above, the user's file,
 * the system's file, built in. Keys are the names of the common options; an unknown key is an
 * error, so that a typing mistake never goes unnoticed. A relative path in a file counts from that
 * file's folder, because the file may be found from many places.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/tree.h"
#include "cli/frame.h"

enum { MAX_CONFIG_BYTES = 1 << 20, MAX_PATH_BYTES = 4096 };

const char *cn_config_variable(cn_ctx *cx, const char *name)
{
    char *text = cn_arena_printf(&cx->arena, "CARNOT_%s", name);
    if (!text) {
        cn_nomem(cx);
        return "CARNOT_";
    }
    for (char *c = text + strlen("CARNOT_"); *c; c++)
        *c = (char)(*c == '-' ? '_' : *c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    return text;
}

static const char *config_key(size_t i, const void *arg)
{
    const cn_opt *const *keys = arg;
    return keys[i]->name;
}

/* The options that may stand in a file; returns how many. keys has room for all. */
static size_t config_keys(const cn_opt **keys)
{
    size_t n = 0;
    for (const cn_opt *opt = cn_common_opts; opt->name; opt++) {
        if (opt->is_config)
            keys[n++] = opt;
    }
    return n;
}

/* A path in a file counts from the file's folder. */
static const char *from_folder(cn_ctx *cx, const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    if (path[0] == '/' || !slash || strcmp(path, "-") == 0)
        return path;
    char *text = cn_arena_printf(&cx->arena, "%.*s/%s", (int)(slash - file), file, path);
    if (!text)
        cn_nomem(cx);
    return text ? text : path;
}

static void keep_node(cn_ctx *cx, cn_cli *cli, const cn_opt *opt, const cn_node *node, int rank)
{
    const cn_at *at = &node->at;
    if (node->kind != CN_NODE_SCALAR) {
        cn_problem(cx, at, _("\"%s\" takes one value, not a list or a map"), opt->name);
        return;
    }
    if (opt->kind == CN_OPT_FLAG && strcmp(node->text, "true") != 0 &&
        strcmp(node->text, "false") != 0) {
        cn_problem(cx, at, _("\"%s\" is neither true nor false: \"%s\""), opt->name, node->text);
        return;
    }
    bool is_path = opt->kind == CN_OPT_FILE || opt->kind == CN_OPT_DIR;
    const char *text = is_path ? from_folder(cx, at->file, node->text) : node->text;
    const char *origin = cn_arena_printf(&cx->arena, "%s:%d", at->file, at->line);
    cn_opt_keep(cx, cli, opt, text, origin ? origin : at->file, rank, at);
}

static void keep_map(cn_ctx *cx, cn_cli *cli, const cn_node *map, int rank)
{
    const cn_opt *keys[64];
    size_t n_keys = config_keys(keys);
    for (size_t i = 0; i < map->n; i++) {
        size_t k = 0;
        while (k < n_keys && strcmp(keys[k]->name, map->key[i]) != 0)
            k++;
        if (k < n_keys) {
            keep_node(cx, cli, keys[k], map->child[i], rank);
            continue;
        }
        const char *near = cn_text_nearest(map->key[i], config_key, n_keys, keys);
        cn_problem(cx, &map->key_at[i], _("unknown configuration key \"%s\""), map->key[i]);
        if (near)
            cn_hint(cx, _("did you mean \"%s\"?"), near);
        else
            cn_hint(cx, _("`carnot config` lists the keys"));
    }
}

/* A file that does not exist is no configuration; one that cannot be read is an error. */
static void read_layer(cn_ctx *cx, cn_cli *cli, const char *path, int rank)
{
    char *text;
    size_t len;
    cn_node *root = NULL;
    if (access(path, F_OK) != 0)
        return;
    if (cn_file_read(cx, path, MAX_CONFIG_BYTES, &text, &len) != CN_OK)
        return;
    if (cn_tree_yaml(cx, path, text, len, &root) != CN_OK || !root || root->kind == CN_NODE_NULL)
        return;
    if (root->kind == CN_NODE_MAP)
        keep_map(cx, cli, root, rank);
    else
        cn_problem(cx, &root->at, _("a configuration file holds one map of keys and values"));
}

/* carnot.yaml in the working folder or the nearest one above it. */
static void read_project(cn_ctx *cx, cn_cli *cli)
{
    char folder[MAX_PATH_BYTES];
    if (!getcwd(folder, sizeof folder))
        return;
    for (;;) {
        const char *path =
            cn_arena_printf(&cx->arena, "%s/carnot.yaml", strcmp(folder, "/") == 0 ? "" : folder);
        char *slash = strrchr(folder, '/');
        if (path && access(path, F_OK) == 0) {
            read_layer(cx, cli, path, CN_RANK_PROJECT);
            return;
        }
        if (!slash || strcmp(folder, "/") == 0)
            return;
        slash[slash == folder ? 1 : 0] = 0;
    }
}

/* A path in the user's configuration folder; NULL if there is no home. */
static const char *user_path(cn_ctx *cx, const char *name)
{
    const char *base = getenv("XDG_CONFIG_HOME"), *under = "";
    if (!base || base[0] != '/') {
        base = getenv("HOME");
        under = "/.config";
    }
    if (!base || base[0] != '/')
        return NULL;
    const char *path = cn_arena_printf(&cx->arena, "%s%s/carnot/%s", base, under, name);
    if (!path)
        cn_nomem(cx);
    return path;
}

static void read_user(cn_ctx *cx, cn_cli *cli)
{
    const char *path = user_path(cx, "config.yaml");
    if (path)
        read_layer(cx, cli, path, CN_RANK_USER);
}

/* A folder "catalog" beside the user's file is used without being named. */
static void find_user_catalog(cn_ctx *cx, cn_cli *cli)
{
    const char *path = user_path(cx, "catalog");
    if (path && access(path, F_OK) == 0)
        cn_opt_keep(cx, cli, cn_opt_find(NULL, "catalog"), path, path, CN_RANK_FALLBACK, NULL);
}

static void read_environment(cn_ctx *cx, cn_cli *cli)
{
    const cn_opt *keys[64];
    size_t n = config_keys(keys);
    for (size_t i = 0; i < n; i++) {
        const char *variable = cn_config_variable(cx, keys[i]->name);
        const char *text = getenv(variable);
        if (text && text[0])
            cn_opt_keep(cx, cli, keys[i], text, variable, CN_RANK_ENV, NULL);
    }
}

cn_code cn_config_layers(cn_ctx *cx, cn_cli *cli)
{
    find_user_catalog(cx, cli);
    read_layer(cx, cli, "/etc/carnot/config.yaml", CN_RANK_SYSTEM);
    read_user(cx, cli);
    read_project(cx, cli);
    read_environment(cx, cli);
    return cx->code;
}
