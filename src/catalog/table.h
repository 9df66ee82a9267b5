/*
 * table.h - one kind of catalog entry: its files, its reader, its entries sorted by id, its names.
 *
 * A kind is one row of data (cn_table_def): which files hold it, how large an entry is, where its
 * id, aliases and source stand, and the function that reads one entry of the file's list. The rest
 * is shared: the tree of a file lives only while its entries are read, the texts they keep are
 * copied; the embedded files come first, the user's replace entries of the same id or add new
 * ones, and a name is found whatever its case, blanks, '-' and '_'.
 * Lifecycle:  cn_table_load() on first use; then immutable, in cx->arena. cn_table_quick() before
 * that reads one entry alone, which stays good and equal to the table's.
 */
#ifndef CARNOT_CATALOG_TABLE_H
#define CARNOT_CATALOG_TABLE_H

#include "catalog/catalog.h"

enum { CN_MAX_TABLE_FILES = 4, CN_MAX_TABLE_TEXTS = 6 };

/* Whoever asks for more names of a kind than this is better served by the whole table. */
enum { CN_MAX_QUICK = 32 };

typedef struct cn_table_def {
    const char *what;                         /* "accelerator", as messages say it */
    const char *list;                         /* "accelerators", as `carnot catalog` says it */
    const char *files[CN_MAX_TABLE_FILES];    /* below data/; a name that ends with / is a folder */
    size_t size;                              /* of one entry */
    size_t id, n_aliases, aliases, source_at; /* offsets; aliases 0 = the kind has none */
    cn_code (*read)(cn_ctx *cx, cn_catalog *c, const cn_node *node, void *entry);
    size_t texts[CN_MAX_TABLE_TEXTS]; /* offsets of texts besides id and source; 0 ends them */
} cn_table_def;

/* One file of a table: embedded, or the user's. */
typedef struct cn_catalog_file {
    const char *label; /* what messages call it: "data/accelerators.yaml", "my/accelerators.yaml" */
    const char *text;
    size_t len;
    bool is_user;
} cn_catalog_file;

/* An entry that was read alone (quick.c), known by where its text stands. */
typedef struct cn_quick {
    const char *text;
    const void *entry;
    const struct cn_quick *next;
} cn_quick;

typedef struct cn_name_slot {
    const char *name; /* NULL = free */
    size_t entry;
} cn_name_slot;

typedef struct cn_table {
    bool is_loaded;
    cn_code code; /* of the load: a broken user file stays broken */
    size_t n;
    char *entries;       /* n x def->size, sorted by id */
    cn_name_slot *slots; /* open addressing; n_slots is a power of two */
    size_t n_slots;
    const char **names; /* every id and alias, for "did you mean" */
    size_t n_names;
    cn_catalog_file *files; /* NULL until asked for */
    size_t n_files;
    bool has_user_file;
    const cn_quick *quick;
    int n_asked; /* names, before the table was read whole */
} cn_table;

/* Files below data/ and below the user's folder with that name (or in that folder, if it ends with
 * /), in order: embedded by name, then the user's by name. */
cn_code cn_catalog_files(cn_ctx *cx, const char *user_dir, const char *name, cn_catalog_file **out,
                         size_t *n);

/* What every entry has. Keys id, name, aliases, note, source, checked. */
typedef struct cn_head {
    const char *id, *name, *note, *source, *checked;
    const cn_node *aliases;
} cn_head;

#define CN_HEAD_FIELDS(type, member)                                                               \
    {.key = "id", .kind = CN_BIND_TEXT, .offset = offsetof(type, member.id)},                      \
        {.key = "name", .kind = CN_BIND_TEXT, .offset = offsetof(type, member.name)},              \
        {.key = "aliases", .kind = CN_BIND_NODE, .offset = offsetof(type, member.aliases)},        \
        {.key = "note", .kind = CN_BIND_TEXT, .offset = offsetof(type, member.note)},              \
        {.key = "source", .kind = CN_BIND_TEXT, .offset = offsetof(type, member.source)},          \
    {                                                                                              \
        .key = "checked", .kind = CN_BIND_TEXT, .offset = offsetof(type, member.checked)           \
    }

/* The head's source, with problems for an entry without id, source or date. */
void cn_head_source(cn_ctx *cx, const cn_node *node, const cn_head *head, cn_source *out);
cn_code cn_head_aliases(cn_ctx *cx, const cn_head *head, size_t *n, const char ***out);

/* "2026", "2026-09" or "2026-09-01" -> seconds since 1970 of its first moment. */
bool cn_catalog_date(const char *text, double *out_s);

/*
 * Around a load: it is judged by its own problems. Those of the caller's input, told before, stay
 * told and stay the first, but they do not break a table for the rest of the program's life.
 */
cn_code cn_load_begin(cn_ctx *cx);
void cn_load_end(cn_ctx *cx, cn_code before);

/* The entries of these files alone, in this order. */
cn_code cn_table_read(cn_ctx *cx, cn_catalog *c, const cn_table_def *def,
                      const cn_catalog_file *files, size_t n, cn_table *t);

/* The kind's embedded files, then the user's, into t->files; once. */
cn_code cn_table_files(cn_ctx *cx, cn_catalog *c, const cn_table_def *def, cn_table *t);

/* The entries of those files; once, then what came of it. */
cn_code cn_table_load(cn_ctx *cx, cn_catalog *c, const cn_table_def *def, cn_table *t);

/* One entry by its exact name, or NULL: then the table may still know it. See quick.c. */
const void *cn_table_quick(cn_ctx *cx, cn_catalog *c, const cn_table_def *def, cn_table *t,
                           const char *name);

/* Are names the same but for case, blanks, '-' and '_'? */
bool cn_name_same(const char *a, const char *b);

/* The entry of a name, or NULL. Exact names win, then the alias with the longest part before *. */
const void *cn_table_find(const cn_table_def *def, const cn_table *t, const char *name);

/* A problem beside others: unknown name, with the nearest known one. */
cn_code cn_table_unknown(cn_ctx *cx, const cn_table_def *def, const cn_table *t, const cn_at *at,
                         const char *name);

#endif
