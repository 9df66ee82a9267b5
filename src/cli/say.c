/*
 * say.c - problems and warnings as people read them: what, where with the line and carets, hint,
 * where to read on.
 *
 *     error: idle.yaml:7:1: unknown key "filter" in rule "idle-node"
 *      7 | filter = "gpu_busy_ratio < 0.02"
 *        | ^^^^^^
 *     hint: did you mean "filters"?
 *     see:  carnot help rules
 */
#include <string.h>

#include "base/text.h"
#include "cli/frame.h"

enum { LINE_COLUMNS = 100 }; /* of a quoted line; longer ones show a window around the place */

typedef struct paint {
    const char *error, *warning, *hint, *where, *off;
} paint;

static const paint plain = {"", "", "", "", ""};
static const paint colored = {"\033[1;31m", "\033[1;33m", "\033[1;36m", "\033[1m", "\033[0m"};

/* Bytes of the character at p, at least 1 and never past end. */
static size_t char_bytes(const char *p, const char *end)
{
    size_t n = 1;
    while (p + n < end && ((unsigned char)p[n] & 0xC0) == 0x80)
        n++;
    return n;
}

/* Columns of one character on the terminal. */
static int char_width(const char *p, size_t n)
{
    char one[8] = "";
    memcpy(one, p, n < sizeof one ? n : sizeof one - 1);
    return cn_text_width(one);
}

static bool is_control(const char *p)
{
    unsigned char c = (unsigned char)p[0];
    return c < 0x20 || c == 0x7F || (c == 0xC2 && (unsigned char)p[1] < 0xA0);
}

/* Start and end of line `line` of a text; false if there is no such line. */
static bool find_line(const cn_at *at, const char **from, const char **to)
{
    const char *p = at->text, *end = at->text + at->text_len;
    for (int line = 1; line < at->line; line++) {
        p = memchr(p, '\n', (size_t)(end - p));
        if (!p)
            return false;
        p++;
    }
    *from = p;
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    *to = newline ? newline : end;
    return true;
}

/* The line from `skip` columns on, one blank for each control character. */
static void quote_line(cn_buf *out, const char *from, const char *to, int skip)
{
    int column = 0;
    for (const char *p = from; p < to && column < skip + LINE_COLUMNS;) {
        size_t n = char_bytes(p, to);
        bool control = is_control(p);
        int width = control ? 1 : char_width(p, n);
        if (column >= skip)
            control ? cn_buf_putc(out, ' ') : cn_buf_add(out, p, n);
        column += width;
        p += n;
    }
}

/* Display columns of the first `chars` characters. */
static int columns_before(const char *from, const char *to, int chars)
{
    int column = 0;
    for (const char *p = from; p < to && chars > 0; chars--) {
        size_t n = char_bytes(p, to);
        column += is_control(p) ? 1 : char_width(p, n);
        p += n;
    }
    return column;
}

static void show_place(cn_buf *out, const cn_at *at, const paint *ink)
{
    const char *from, *to;
    if (!at->text || at->line < 1 || !find_line(at, &from, &to))
        return;
    int start = at->col > 0 ? columns_before(from, to, at->col - 1) : 0;
    int stop = columns_before(from, to, at->col - 1 + (at->len > 0 ? at->len : 1));
    int skip = start > LINE_COLUMNS / 2 ? start - LINE_COLUMNS / 4 : 0;
    int marks = stop > start ? stop - start : 1;
    if (marks > skip + LINE_COLUMNS - start)
        marks = skip + LINE_COLUMNS - start;
    char number[16];
    int digits = snprintf(number, sizeof number, "%d", at->line);
    cn_buf_printf(out, " %s | ", number);
    quote_line(out, from, to, skip);
    cn_buf_putc(out, '\n');
    if (at->col < 1)
        return;
    cn_buf_fill(out, ' ', digits + 1);
    cn_buf_puts(out, " | ");
    cn_buf_fill(out, ' ', start - skip);
    cn_buf_puts(out, ink->error);
    cn_buf_fill(out, '^', marks);
    cn_buf_printf(out, "%s\n", ink->off);
}

/* Text from files goes to a terminal: nothing that could steer it may pass. */
static void safe(cn_buf *out, const char *text)
{
    for (const char *p = text, *end = text + strlen(text); p < end;) {
        size_t n = char_bytes(p, end);
        if (is_control(p))
            cn_buf_putc(out, ' ');
        else
            cn_buf_add(out, p, n);
        p += n;
    }
}

static void say_one(cn_buf *out, const cn_problem_entry *e, const char *word, const char *word_ink,
                    const paint *ink)
{
    cn_buf_printf(out, "%s%s:%s ", word_ink, word, ink->off);
    if (e->at.file) {
        cn_buf_puts(out, ink->where);
        safe(out, e->at.file);
        if (e->at.line > 0)
            cn_buf_printf(out, ":%d", e->at.line);
        if (e->at.line > 0 && e->at.col > 0)
            cn_buf_printf(out, ":%d", e->at.col);
        cn_buf_printf(out, ":%s ", ink->off);
    }
    safe(out, e->message);
    cn_buf_putc(out, '\n');
    show_place(out, &e->at, ink);
    if (e->hint[0]) {
        cn_buf_printf(out, "%s%s:%s ", ink->hint, _("hint"), ink->off);
        safe(out, e->hint);
        cn_buf_putc(out, '\n');
    }
}

/* Where to read on: the verb for wrong usage, the topic for wrong input. */
static void say_see(cn_buf *out, const cn_ctx *cx, const cn_cli *cli, const paint *ink)
{
    const cn_cmd *cmd = cli->cmd;
    if (cx->code != CN_EUSAGE && cx->code != CN_EINPUT)
        return;
    const char *topic = !cmd ? "" : cx->code == CN_EINPUT && cmd->see ? cmd->see : cmd->name;
    cn_buf_printf(out, "%s%s:%s  carnot help%s%s\n", ink->hint, _("see"), ink->off,
                  topic[0] ? " " : "", topic);
}

void cn_say(const cn_ctx *cx, const cn_cli *cli, bool has_color, cn_buf *out)
{
    const paint *ink = has_color ? &colored : &plain;
    for (int i = 0; i < cx->n_warnings && !cli->is_quiet; i++)
        say_one(out, &cx->warning[i], _("warning"), ink->warning, ink);
    for (int i = 0; i < cx->n_problems; i++)
        say_one(out, &cx->problem[i], _("error"), ink->error, ink);
    if (cx->n_more > 0)
        cn_buf_printf(out, _("and %d more problems\n"), cx->n_more);
    if (cx->code != CN_OK)
        say_see(out, cx, cli, ink);
}
