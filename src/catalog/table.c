/*
 * table.c - read the entries of a kind from the embedded and the user's files, sort them, find them
 * by name.
 */
#include "catalog/table.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/text.h"
#include "base/when.h"
#include "catalog/data.h"
#include "catalog/read.h"

/* ------------------------------------------------------------------------------------- files */

typedef struct file_list {
    cn_catalog_file *file;
    size_t n, cap;
} file_list;

static cn_code add_file(cn_ctx *cx, file_list *l, cn_catalog_file f)
{
    if (l->n == l->cap) {
        size_t cap = l->cap ? 2 * l->cap : 16;
        cn_catalog_file *more = cn_arena_array(&cx->arena, cap, sizeof *more);
        if (!more)
            return cn_nomem(cx);
        if (l->n)
            memcpy(more, l->file, l->n * sizeof *more);
        l->file = more;
        l->cap = cap;
    }
    l->file[l->n++] = f;
    return CN_OK;
}

static bool is_folder(const char *name)
{
    size_t n = strlen(name);
    return n > 0 && name[n - 1] == '/';
}

static cn_code add_embedded(cn_ctx *cx, const char *name, file_list *l)
{
    for (size_t i = 0; i < cn_n_data_files; i++) {
        const cn_data_file *d = &cn_data_files[i];
        if (is_folder(name) ? !cn_text_starts(d->name, name) : strcmp(d->name, name) != 0)
            continue;
        const char *label = cn_arena_printf(&cx->arena, "data/%s", d->name);
        if (!label)
            return cn_nomem(cx);
        CN_TRY(add_file(cx, l, (cn_catalog_file){label, d->text, d->len, false}));
    }
    return CN_OK;
}

static cn_code add_user_file(cn_ctx *cx, const char *path, file_list *l)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return CN_OK;           /* the user's folder holds what the user wants to change */
    if (!S_ISREG(st.st_mode)) { /* a pipe there would be waited for without end */
        cn_fail(cx, CN_EIO, NULL, "\"%s\" is not a regular file", path);
        return cn_hint(cx, "move it out of the catalog folder");
    }
    char *text;
    size_t len;
    CN_TRY(cn_file_read(cx, path, CN_TREE_MAX_BYTES, &text, &len));
    return add_file(cx, l, (cn_catalog_file){path, text, len, true});
}

static int is_table_file(const struct dirent *d)
{
    const char *dot = strrchr(d->d_name, '.');
    return d->d_name[0] != '.' && dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".csv") == 0);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static cn_code add_user_folder(cn_ctx *cx, const char *path, file_list *l)
{
    struct dirent **list;
    int n = scandir(path, &list, is_table_file, by_name);
    cn_code code = CN_OK;
    for (int i = 0; i < n; i++) {
        if (code == CN_OK) {
            const char *file = cn_arena_printf(&cx->arena, "%s%s", path, list[i]->d_name);
            code = file ? add_user_file(cx, file, l) : cn_nomem(cx);
        }
        free(list[i]);
    }
    if (n >= 0)
        free(list);
    return code;
}

cn_code cn_catalog_files(cn_ctx *cx, const char *user_dir, const char *name, cn_catalog_file **out,
                         size_t *n)
{
    file_list l = {0};
    CN_TRY(add_embedded(cx, name, &l));
    if (user_dir) {
        const char *path = cn_arena_printf(&cx->arena, "%s/%s", user_dir, name);
        if (!path)
            return cn_nomem(cx);
        CN_TRY(is_folder(name) ? add_user_folder(cx, path, &l) : add_user_file(cx, path, &l));
    }
    *out = l.file;
    *n = l.n;
    return CN_OK;
}

/* -------------------------------------------------------------------------- what all entries have
 */

bool cn_catalog_date(const char *text, double *out_s)
{
    static const char *const rest[] = {[4] = "-01-01", [7] = "-01", [10] = ""};
    char full[16];
    size_t n = strlen(text);
    if (n > 10 || !(n == 4 || n == 7 || n == 10))
        return false;
    memcpy(full, text, n);
    strcpy(full + n, rest[n]);
    return cn_when_parse(full, out_s);
}

void cn_head_source(cn_ctx *cx, const cn_node *node, const cn_head *head, cn_source *out)
{
    double t;
    *out = (cn_source){head->source, head->checked, node->at.file, node->at.line};
    if (!head->id || !*head->id) {
        cn_problem(cx, &node->at, "an entry has no id");
        return;
    }
    if (!head->source || !*head->source) {
        cn_problem(cx, &node->at, "\"%s\" has no source", head->id);
        cn_hint(cx, "add source: where the facts were read");
    }
    if (!head->checked || !cn_catalog_date(head->checked, &t)) {
        cn_problem(cx, &node->at, "\"%s\" does not say when its source was read", head->id);
        cn_hint(cx, "add checked: YYYY-MM-DD");
    }
}

cn_code cn_head_aliases(cn_ctx *cx, const cn_head *head, size_t *n, const char ***out)
{
    const cn_node *list = head->aliases;
    *n = 0;
    *out = NULL;
    if (!list || list->kind == CN_NODE_NULL)
        return CN_OK;
    if (list->kind != CN_NODE_LIST) {
        cn_problem(cx, &list->at, "aliases of \"%s\" are not a list", head->id ? head->id : "-");
        return CN_OK;
    }
    const char **alias = cn_arena_array(&cx->arena, list->n + 1, sizeof *alias);
    if (!alias)
        return cn_nomem(cx);
    for (size_t i = 0; i < list->n; i++) {
        if (list->child[i]->kind != CN_NODE_SCALAR)
            cn_problem(cx, &list->child[i]->at, "an alias is not a text");
        else if (!(alias[(*n)++] = cn_arena_str(&cx->arena, list->child[i]->text)))
            return cn_nomem(cx);
    }
    *out = alias;
    return CN_OK;
}

/* ----------------------------------------------------------------------------------- entries */

typedef struct row {
    const char *id;
    size_t entry; /* index of its place among the entries as read */
    bool is_user;
} row;

typedef struct reader {
    cn_catalog *c;
    const cn_table_def *def;
    char *entries; /* as read: all of them, replaced ones too */
    row *rows;     /* those that count */
    size_t n_read, n, cap;
    cn_arena tree; /* of the file that is being read */
} reader;

static int by_id(const void *a, const void *b)
{
    return strcmp(((const row *)a)->id, ((const row *)b)->id);
}

/* Same id: the user's entry replaces ours; two in one place are a slip. */
static bool replaces(cn_ctx *cx, reader *rd, const row *r, const cn_at *at)
{
    for (size_t i = 0; i < rd->n; i++) {
        if (strcmp(rd->rows[i].id, r->id) != 0)
            continue;
        if (rd->rows[i].is_user) {
            cn_problem(cx, at, "%s \"%s\" stands here twice", rd->def->what, r->id);
            cn_hint(cx, "keep one of them");
        }
        rd->rows[i] = *r;
        return true;
    }
    return false;
}

static cn_code own(cn_ctx *cx, const char **text)
{
    if (*text && !(*text = cn_arena_str(&cx->arena, *text)))
        return cn_nomem(cx);
    return CN_OK;
}

/* The tree goes, the entry stays: its texts move out. The same text next to itself (a name that is
 * the id) is copied twice, which is cheaper than finding out. */
static cn_code own_texts(cn_ctx *cx, const cn_table_def *def, char *entry)
{
    cn_source *source = (cn_source *)(void *)(entry + def->source_at);
    CN_TRY(own(cx, (const char **)(void *)(entry + def->id)));
    CN_TRY(own(cx, &source->text));
    CN_TRY(own(cx, &source->checked));
    for (int i = 0; i < CN_MAX_TABLE_TEXTS && def->texts[i]; i++)
        CN_TRY(own(cx, (const char **)(void *)(entry + def->texts[i])));
    return CN_OK;
}

static cn_code read_entry(cn_ctx *cx, reader *rd, const cn_node *node, bool is_user)
{
    if (node->kind != CN_NODE_MAP) {
        cn_problem(cx, &node->at, "an entry is not a map of keys and values");
        cn_hint(cx, "begin each entry with \"- id: ...\"");
        return CN_OK;
    }
    char *entry = rd->entries + rd->n_read * rd->def->size;
    rd->def->read(cx, rd->c, node, entry);
    if (cx->code == CN_ENOMEM)
        return CN_ENOMEM;
    CN_TRY(own_texts(cx, rd->def, entry));
    row r = {*(const char *const *)(const void *)(entry + rd->def->id), rd->n_read++, is_user};
    if (!r.id) /* said already */
        return CN_OK;
    if (!(is_user && replaces(cx, rd, &r, &node->at)))
        rd->rows[rd->n++] = r;
    return CN_OK;
}

/* Reads a file into the tree's own arena. Its errors quote the text, which lives on. */
static cn_code parse_list(cn_ctx *cx, reader *rd, const cn_catalog_file *f, cn_node **out)
{
    cn_arena entries = cx->arena;
    int told = cx->n_problems;
    cx->arena = rd->tree;
    cn_code code = cn_tree_yaml(cx, f->label, f->text, f->len, out);
    rd->tree = cx->arena;
    cx->arena = entries;
    for (; told < cx->n_problems; told++)
        cx->problem[told].at.file = f->label; /* a copy in the tree would go with it */
    CN_TRY(code);
    if ((*out)->kind == CN_NODE_LIST || (*out)->kind == CN_NODE_NULL)
        return CN_OK;
    cn_fail(cx, CN_EINPUT, &(*out)->at, "a catalog file is not a list of entries");
    return cn_hint(cx, "begin each entry with \"- id: ...\"");
}

static cn_code make_room(cn_ctx *cx, reader *rd, size_t more)
{
    if (rd->n_read + more <= rd->cap)
        return CN_OK;
    size_t cap = rd->n_read + more, size = rd->def->size;
    char *entries = cn_arena_array(&cx->arena, cap, size);
    row *rows = cn_arena_array(&cx->arena, cap, sizeof *rows);
    if (!entries || !rows)
        return cn_nomem(cx);
    if (rd->n_read) {
        memcpy(entries, rd->entries, rd->n_read * size);
        memcpy(rows, rd->rows, rd->n * sizeof *rows);
    }
    rd->entries = entries;
    rd->rows = rows;
    rd->cap = cap;
    return CN_OK;
}

/* Entries of a file that begins each with "- " in the first column, as ours do; a guess that saves
 * moving entries, no more. */
static size_t likely_entries(const cn_catalog_file *f)
{
    const char *end = f->text + f->len;
    size_t n = 0;
    for (const char *p = f->text; p; p = memmem(p, (size_t)(end - p), "\n- ", 3))
        n++, p += p < end;
    return n;
}

static cn_code read_file(cn_ctx *cx, reader *rd, const cn_catalog_file *f)
{
    cn_node *root;
    CN_TRY(parse_list(cx, rd, f, &root));
    CN_TRY(make_room(cx, rd, root->n));
    for (size_t i = 0; i < root->n; i++)
        CN_TRY(read_entry(cx, rd, root->child[i], f->is_user));
    cn_arena_reset(&rd->tree);
    return CN_OK;
}

static cn_code read_files(cn_ctx *cx, reader *rd, const cn_catalog_file *files, size_t n)
{
    size_t likely = 1;
    cn_code code = CN_OK;
    for (size_t i = 0; i < n; i++)
        likely += likely_entries(&files[i]);
    CN_TRY(make_room(cx, rd, likely));
    cn_arena_init(&rd->tree, 0);
    for (size_t i = 0; i < n && code == CN_OK; i++)
        code = read_file(cx, rd, &files[i]);
    cn_arena_free(&rd->tree);
    return code == CN_OK ? cn_problems(cx) : code;
}

static void swap_bytes(char *a, char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = a[i];
        a[i] = b[i];
        b[i] = c;
    }
}

/* Puts the entries into the order of the rows by swaps: they are large, and a second copy of them
 * costs more than the swaps. place[e] is where the entry read as number e is now. */
static cn_code sort_entries(cn_ctx *cx, reader *rd)
{
    size_t *place = cn_arena_array(&cx->arena, rd->n_read + 1, sizeof *place);
    size_t *holds = cn_arena_array(&cx->arena, rd->n_read + 1, sizeof *holds);
    if (!place || !holds)
        return cn_nomem(cx);
    for (size_t i = 0; i < rd->n_read; i++)
        place[i] = holds[i] = i;
    for (size_t i = 0; i < rd->n; i++) {
        size_t from = place[rd->rows[i].entry], size = rd->def->size;
        if (from == i)
            continue;
        swap_bytes(rd->entries + i * size, rd->entries + from * size, size);
        place[holds[i]] = from;
        holds[from] = holds[i];
        holds[i] = rd->rows[i].entry;
        place[holds[i]] = i;
    }
    return CN_OK;
}

/* ------------------------------------------------------------------------------------- names */

static const char *skip_fold(const char *p)
{
    while (*p == ' ' || *p == '-' || *p == '_')
        p++;
    return p;
}

/* '.' counts: "1.3b" is not "13b". */
bool cn_name_same(const char *a, const char *b)
{
    for (;;) {
        a = skip_fold(a);
        b = skip_fold(b);
        if (!*a || !*b)
            return *a == *b;
        if (tolower((unsigned char)*a++) != tolower((unsigned char)*b++))
            return false;
    }
}

static size_t name_hash(const char *name)
{
    size_t h = 14695981039346656037u;
    for (const char *p = skip_fold(name); *p; p = skip_fold(p + 1))
        h = (h ^ (size_t)tolower((unsigned char)*p)) * 1099511628211u;
    return h ^ (h >> 29);
}

static const cn_name_slot *slot_of(const cn_table *t, const char *name)
{
    size_t i = name_hash(name) & (t->n_slots - 1);
    while (t->slots[i].name && !cn_name_same(t->slots[i].name, name))
        i = (i + 1) & (t->n_slots - 1);
    return &t->slots[i];
}

/* The first entry that claims a name keeps it: ids before aliases, the user's before ours. */
static void claim(cn_table *t, const char *name, size_t entry)
{
    cn_name_slot *s = &t->slots[slot_of(t, name) - t->slots];
    if (s->name)
        return;
    *s = (cn_name_slot){name, entry};
    t->names[t->n_names++] = name;
}

static size_t alias_count(const cn_table_def *def, const cn_table *t, size_t i)
{
    const char *entry = t->entries + i * def->size;
    return def->aliases ? *(const size_t *)(const void *)(entry + def->n_aliases) : 0;
}

static const char *const *aliases_of(const cn_table_def *def, const cn_table *t, size_t i)
{
    const char *entry = t->entries + i * def->size;
    return *(const char *const *const *)(const void *)(entry + def->aliases);
}

static void claim_aliases(const cn_table_def *def, cn_table *t, const row *rows, bool is_user)
{
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0; rows[i].is_user == is_user && k < alias_count(def, t, i); k++)
            claim(t, aliases_of(def, t, i)[k], i);
}

static cn_code index_names(cn_ctx *cx, const cn_table_def *def, cn_table *t, const row *rows)
{
    size_t all = t->n;
    for (size_t i = 0; i < t->n; i++)
        all += alias_count(def, t, i);
    t->n_slots = 16;
    while (t->n_slots < 2 * all)
        t->n_slots *= 2;
    t->slots = cn_arena_array(&cx->arena, t->n_slots, sizeof *t->slots);
    t->names = cn_arena_array(&cx->arena, all + 1, sizeof *t->names);
    if (!t->slots || !t->names)
        return cn_nomem(cx);
    for (size_t i = 0; i < t->n; i++)
        claim(t, rows[i].id, i);
    claim_aliases(def, t, rows, true);
    claim_aliases(def, t, rows, false);
    return CN_OK;
}

cn_code cn_load_begin(cn_ctx *cx)
{
    cn_code before = cx->code;
    cx->code = CN_OK;
    return before;
}

void cn_load_end(cn_ctx *cx, cn_code before)
{
    if (before != CN_OK)
        cx->code = before;
}

static cn_code read_table(cn_ctx *cx, cn_catalog *c, const cn_table_def *def,
                          const cn_catalog_file *files, size_t n, cn_table *t)
{
    reader rd = {.c = c, .def = def};
    CN_TRY(read_files(cx, &rd, files, n));
    qsort(rd.rows, rd.n, sizeof *rd.rows, by_id);
    CN_TRY(sort_entries(cx, &rd));
    t->n = rd.n;
    t->entries = rd.entries;
    return index_names(cx, def, t, rd.rows);
}

cn_code cn_table_read(cn_ctx *cx, cn_catalog *c, const cn_table_def *def,
                      const cn_catalog_file *files, size_t n, cn_table *t)
{
    cn_code before = cn_load_begin(cx);
    t->is_loaded = true;
    t->code = read_table(cx, c, def, files, n, t);
    cn_load_end(cx, before);
    if (t->code != CN_OK)
        t->n = t->n_names = t->n_slots = 0;
    return t->code;
}

cn_code cn_table_files(cn_ctx *cx, cn_catalog *c, const cn_table_def *def, cn_table *t)
{
    file_list all = {0};
    if (t->files)
        return CN_OK;
    for (int i = 0; i < CN_MAX_TABLE_FILES && def->files[i]; i++) {
        cn_catalog_file *files;
        size_t n;
        CN_TRY(cn_catalog_files(cx, c->user_dir, def->files[i], &files, &n));
        for (size_t k = 0; k < n; k++) {
            CN_TRY(add_file(cx, &all, files[k]));
            t->has_user_file |= files[k].is_user;
        }
    }
    t->files = all.file;
    t->n_files = all.n;
    return CN_OK;
}

cn_code cn_table_load(cn_ctx *cx, cn_catalog *c, const cn_table_def *def, cn_table *t)
{
    if (t->is_loaded)
        return t->code;
    t->is_loaded = true;
    t->code = cn_table_files(cx, c, def, t);
    CN_TRY(t->code);
    return cn_table_read(cx, c, def, t->files, t->n_files, t);
}

/* Length of the alias before its final * if the name begins so, else 0. */
static size_t pattern_match(const char *alias, const char *name)
{
    size_t n = strlen(alias);
    if (n == 0 || alias[n - 1] != '*')
        return 0;
    const char *a = alias, *b = name;
    for (;;) {
        a = skip_fold(a);
        b = skip_fold(b);
        if (a[0] == '*' && a[1] == 0)
            return n;
        if (!*b || tolower((unsigned char)*a++) != tolower((unsigned char)*b++))
            return 0;
    }
}

const void *cn_table_find(const cn_table_def *def, const cn_table *t, const char *name)
{
    if (t->n == 0 || !*skip_fold(name))
        return NULL;
    const cn_name_slot *s = slot_of(t, name);
    if (s->name)
        return t->entries + s->entry * def->size;
    const char *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < t->n_names; i++) {
        size_t n = pattern_match(t->names[i], name);
        if (n > longest) {
            longest = n;
            best = t->names[i];
        }
    }
    return best ? t->entries + slot_of(t, best)->entry * def->size : NULL;
}

static const char *name_at(size_t i, const void *arg)
{
    return ((const cn_table *)arg)->names[i];
}

cn_code cn_table_unknown(cn_ctx *cx, const cn_table_def *def, const cn_table *t, const cn_at *at,
                         const char *name)
{
    const char *near = cn_text_nearest(name, name_at, t->n_names, t);
    cn_problem(cx, at, "unknown %s \"%s\"", def->what, name);
    if (near)
        return cn_hint(cx, "did you mean %s?", near);
    return cn_hint(cx, "carnot catalog %s lists what is known", def->list);
}
