/*
 * quick.c - one entry by its exact name, without reading the rest of its kind.
 *
 * A run needs one model of hundreds, and reading all of them would take a quarter of the time a
 * whole estimate may take. The files of data/ have one form: an entry begins with "- id: " in the
 * first column, and its aliases are one list in brackets. So its text is found by a scan, and only
 * that text is read, by the same reader as ever. The form is ours to keep: a test finds every name
 * of every kind both ways. Not for a user's files, which may have any form: a kind that has some is
 * read whole. A name that is not found here may still be one (aliases that end with a star).
 */
#include <string.h>

#include "catalog/read.h"

enum { MAX_NAME = 128 };

/* A part of a file: [at, end). */
typedef struct span {
    const char *at, *end;
} span;

static const char *find_text(span s, const char *what)
{
    return memmem(s.at, (size_t)(s.end - s.at), what, strlen(what));
}

static bool is_name(span s, const char *name)
{
    char text[MAX_NAME];
    while (s.at < s.end && (*s.at == ' ' || *s.at == '\n' || *s.at == '"'))
        s.at++;
    while (s.at < s.end && (s.end[-1] == ' ' || s.end[-1] == '\n' || s.end[-1] == '"'))
        s.end--;
    size_t n = (size_t)(s.end - s.at);
    if (n == 0 || n >= sizeof text)
        return false;
    memcpy(text, s.at, n);
    text[n] = 0;
    return cn_name_same(text, name);
}

/* The next element of a list in brackets; a comma inside quotes belongs to it. */
static bool next_element(span *list, span *out)
{
    bool is_quoted = false;
    const char *p = list->at;
    if (p >= list->end)
        return false;
    for (; p < list->end && (is_quoted || (*p != ',' && *p != ']')); p++)
        if (*p == '"')
            is_quoted = !is_quoted;
    *out = (span){list->at, p};
    list->at = p < list->end && *p == ',' ? p + 1 : list->end;
    return true;
}

static bool has_alias(span entry, const char *name)
{
    static const char key[] = "\n  aliases: [";
    const char *p = find_text(entry, key);
    span list = {p ? p + sizeof key - 1 : entry.end, entry.end}, element;
    while (next_element(&list, &element))
        if (is_name(element, name))
            return true;
    return false;
}

/* The next entry of a file, from "- id: " to the one after it. */
static bool next_entry(span *file, span *out)
{
    static const char begin[] = "\n- id: ";
    size_t n = sizeof begin - 2;
    const char *p = file->at;
    if ((size_t)(file->end - p) < n || memcmp(p, begin + 1, n) != 0) { /* the file's head */
        p = find_text(*file, begin);
        if (!p)
            return false;
        p++;
    }
    const char *end = find_text((span){p, file->end}, begin);
    *out = (span){p, end ? end + 1 : file->end};
    file->at = out->end;
    return true;
}

static bool has_id(span entry, const char *name)
{
    const char *id = entry.at + strlen("- id: ");
    const char *end = memchr(id, '\n', (size_t)(entry.end - id));
    return is_name((span){id, end ? end : entry.end}, name);
}

/* An id wins over an alias, wherever it stands. */
static bool find_entry(const cn_catalog_file *files, size_t n, bool has_aliases, const char *name,
                       const cn_catalog_file **file, span *out)
{
    bool is_found = false;
    for (size_t i = 0; i < n; i++) {
        span rest = {files[i].text, files[i].text + files[i].len}, entry;
        while (next_entry(&rest, &entry)) {
            bool is_id = has_id(entry, name);
            if (!is_id && (is_found || !has_aliases || !has_alias(entry, name)))
                continue;
            *file = &files[i];
            *out = entry;
            is_found = true;
            if (is_id)
                return true;
        }
    }
    return is_found;
}

static int lines_before(const char *text, const char *p)
{
    int n = 0;
    for (; (text = memchr(text, '\n', (size_t)(p - text))); text++)
        n++;
    return n;
}

static const void *read_entry(cn_ctx *cx, cn_catalog *c, const cn_table_def *def,
                              const cn_catalog_file *file, span entry)
{
    cn_table one = {0};
    cn_catalog_file f = {file->label, entry.at, (size_t)(entry.end - entry.at), false};
    if (cn_table_read(cx, c, def, &f, 1, &one) != CN_OK)
        return NULL;
    cn_source *source = (cn_source *)(void *)(one.entries + def->source_at);
    source->line += lines_before(file->text, entry.at);
    return one.entries;
}

const void *cn_table_quick(cn_ctx *cx, cn_catalog *c, const cn_table_def *def, cn_table *t,
                           const char *name)
{
    const cn_catalog_file *file = NULL;
    span entry = {NULL, NULL};
    if (cn_table_files(cx, c, def, t) != CN_OK || t->has_user_file ||
        !find_entry(t->files, t->n_files, def->aliases != 0, name, &file, &entry))
        return NULL;
    for (const cn_quick *q = t->quick; q; q = q->next)
        if (q->text == entry.at)
            return q->entry;
    cn_quick *q = cn_arena_alloc(&cx->arena, sizeof *q);
    const void *found = q ? read_entry(cx, c, def, file, entry) : NULL;
    if (!found)
        return NULL;
    *q = (cn_quick){entry.at, found, t->quick};
    t->quick = q;
    return found;
}
