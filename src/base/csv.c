/* csv.c - RFC 4180 rows from memory. Source: [rfc4180]. */
#include <string.h>

#include "base/csv.h"
#include "base/text.h"

enum { MAX_COLUMNS = 4096 };

/* Where a byte stands. Counted from the top: only faults ask. */
static cn_at here(const cn_csv *csv, size_t pos)
{
    int line = 1;
    size_t start = 0;
    for (size_t i = 0; i < pos; i++) {
        if (csv->text[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    return (cn_at){csv->file, line, (int)(pos - start) + 1, 1, csv->text, csv->len};
}

/* One field at csv->pos; *end is ',' '\n' or 0. The copy lives in the arena. */
static cn_code read_field(cn_ctx *cx, cn_csv *csv, int *line, const char **out, char *end)
{
    const char *p = csv->text + csv->pos, *stop = csv->text + csv->len;
    char *copy = NULL;
    size_t n = 0;
    if (p < stop && *p == '"') {
        const char *q = ++p;
        while (q < stop && (*q != '"' || (q + 1 < stop && q[1] == '"'))) {
            *line += *q == '\n';
            q += *q == '"' ? 2 : 1;
        }
        if (q >= stop) {
            cn_at at = here(csv, csv->pos);
            cn_fail(cx, CN_EINPUT, &at, "a quoted field is not closed");
            return cn_hint(cx, "put a quote at its end; a quote inside is written twice");
        }
        copy = cn_arena_alloc(&cx->arena, (size_t)(q - p) + 1);
        for (; copy && p < q; p++) {
            copy[n++] = *p;
            p += *p == '"';
        }
        p = q + 1;
        if (p < stop && *p != ',' && *p != '\n' && *p != '\r') {
            cn_at at = here(csv, (size_t)(p - csv->text));
            cn_fail(cx, CN_EINPUT, &at, "text after the closing quote of a field");
            return cn_hint(cx, "a quote inside a field is written twice");
        }
    } else {
        const char *q = p;
        while (q < stop && *q != ',' && *q != '\n' && *q != '\r')
            q++;
        copy = cn_arena_strn(&cx->arena, p, (size_t)(q - p));
        p = q;
    }
    if (!copy)
        return cn_nomem(cx);
    if (p < stop && *p == '\r')
        p++;
    *end = p < stop ? *p++ : 0;
    *line += *end == '\n';
    csv->pos = (size_t)(p - csv->text);
    *out = copy;
    return CN_OK;
}

static const char *trimmed(cn_ctx *cx, const char *s)
{
    size_t n = strlen(s);
    while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t'))
        n--;
    while (n > 0 && (*s == ' ' || *s == '\t')) {
        s++;
        n--;
    }
    return cn_arena_strn(&cx->arena, s, n);
}

static cn_code check_text(cn_ctx *cx, cn_csv *csv)
{
    size_t bad;
    if (cn_utf8_valid(csv->text, csv->len, &bad) && !memchr(csv->text, 0, csv->len))
        return CN_OK;
    const char *nul = memchr(csv->text, 0, csv->len);
    size_t at_byte = nul ? (size_t)(nul - csv->text) : bad;
    cn_at at = here(csv, at_byte);
    cn_fail(cx, CN_EINPUT, &at, "byte 0x%02x is not UTF-8 text", (unsigned char)csv->text[at_byte]);
    return cn_hint(cx, "save the file as UTF-8");
}

static cn_code read_header(cn_ctx *cx, cn_csv *csv)
{
    const char *name[MAX_COLUMNS];
    char end = ',';
    while (end == ',') {
        size_t start = csv->pos;
        if (csv->n_columns == MAX_COLUMNS) {
            cn_at at = here(csv, start);
            cn_fail(cx, CN_EINPUT, &at, "more than %d columns", MAX_COLUMNS);
            return cn_hint(cx, "is this a table? its first line names the columns");
        }
        const char *raw;
        CN_TRY(read_field(cx, csv, &csv->next_line, &raw, &end));
        if (!(name[csv->n_columns] = trimmed(cx, raw)))
            return cn_nomem(cx);
        for (size_t i = 0; i < csv->n_columns; i++) {
            if (*name[i] && strcmp(name[i], name[csv->n_columns]) == 0) {
                cn_at at = here(csv, start);
                cn_fail(cx, CN_EINPUT, &at, "column \"%s\" stands twice in the header", name[i]);
                return cn_hint(cx, "rename or remove one of them");
            }
        }
        csv->n_columns++;
    }
    csv->column = cn_arena_array(&cx->arena, csv->n_columns, sizeof *csv->column);
    csv->field = cn_arena_array(&cx->arena, csv->n_columns, sizeof *csv->field);
    if (!csv->column || !csv->field)
        return cn_nomem(cx);
    memcpy(csv->column, name, csv->n_columns * sizeof *name);
    for (size_t i = 0; i < csv->n_columns; i++)
        csv->field[i] = "";
    return CN_OK;
}

cn_code cn_csv_open(cn_ctx *cx, const char *file, const char *text, size_t len, cn_csv *csv)
{
    *csv = (cn_csv){.file = file, .text = text, .len = len, .line = 1, .next_line = 1};
    if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* columns count from behind it */
        csv->text += 3;
        csv->len -= 3;
    }
    if (csv->len == 0) {
        cn_at at = here(csv, 0);
        cn_fail(cx, CN_EINPUT, &at, "the file is empty");
        return cn_hint(cx, "expected a header line with column names");
    }
    CN_TRY(check_text(cx, csv));
    return read_header(cx, csv);
}

cn_code cn_csv_next(cn_ctx *cx, cn_csv *csv, bool *more)
{
    *more = false;
    while (csv->pos < csv->len && (csv->text[csv->pos] == '\n' || csv->text[csv->pos] == '\r'))
        csv->next_line += csv->text[csv->pos++] == '\n';
    if (csv->pos >= csv->len)
        return CN_OK;
    csv->line = csv->next_line;
    size_t n = 0, start = csv->pos;
    char end = ',';
    while (end == ',') {
        const char *field;
        CN_TRY(read_field(cx, csv, &csv->next_line, &field, &end));
        if (n < csv->n_columns)
            csv->field[n] = field;
        n++;
    }
    if (n != csv->n_columns) {
        cn_at at = here(csv, start);
        cn_fail(cx, CN_EINPUT, &at, "%zu fields where the header has %zu", n, csv->n_columns);
        return cn_hint(cx, "quote fields that hold commas, and give every column a field");
    }
    *more = true;
    return CN_OK;
}

int cn_csv_column(const cn_csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->n_columns; i++)
        if (strcmp(csv->column[i], name) == 0)
            return (int)i;
    return -1;
}

const char *cn_csv_get(const cn_csv *csv, const char *name)
{
    int i = cn_csv_column(csv, name);
    return i >= 0 ? csv->field[i] : "";
}
