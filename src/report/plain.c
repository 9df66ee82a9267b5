/* plain.c - texts made safe, padded and wrapped. */
#include <string.h>

#include "base/text.h"
#include "report/plain.h"

/* One character: its length in bytes, 0 if the bytes are not UTF-8; *code is its number. */
static size_t decode(const unsigned char *p, unsigned *code)
{
    static const unsigned char lead[] = {0x00, 0xC0, 0xE0, 0xF0};
    static const unsigned least[] = {0, 0x80, 0x800, 0x10000};
    size_t n = p[0] < 0x80   ? 1
               : p[0] < 0xC2 ? 0
               : p[0] < 0xE0 ? 2
               : p[0] < 0xF0 ? 3
               : p[0] < 0xF5 ? 4
                             : 0;
    if (n == 0)
        return 0;
    *code = n == 1 ? p[0] : (unsigned)(p[0] - lead[n - 1]);
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (p[i] & 0x3F);
    }
    bool surrogate = *code >= 0xD800 && *code <= 0xDFFF;
    return *code < least[n - 1] || surrogate || *code > 0x10FFFF ? 0 : n;
}

/* Characters that steer a terminal or reorder what is read. */
static bool is_hostile(unsigned code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E || code == 0x200F ||
           code == 0x2028 || code == 0x2029 || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

/* Writes at most 3 bytes for each byte read, so 3 x length is room enough. */
static size_t make_plain(char *to, const char *from, cn_plain_kind kind)
{
    const unsigned char *p = (const unsigned char *)from;
    char *start = to;
    while (*p) {
        unsigned code = 0;
        size_t n = decode(p, &code);
        if (n == 0) {
            memcpy(to, "\xEF\xBF\xBD", 3);
            to += 3;
            n = 1;
        } else if (code == '\n' && kind == CN_PLAIN_LINES) {
            *to++ = '\n';
        } else if (code == '\n' || code == '\t') {
            *to++ = ' ';
        } else if (!is_hostile(code)) {
            memcpy(to, p, n);
            to += n;
        }
        p += n;
    }
    *to = 0;
    return (size_t)(to - start);
}

const char *cn_plain(cn_ctx *cx, const char *text, cn_plain_kind kind)
{
    if (!text)
        return "";
    size_t len = strlen(text), bad;
    bool is_ascii = true;
    for (size_t i = 0; i < len && is_ascii; i++)
        is_ascii = text[i] >= 0x20 && text[i] < 0x7F;
    if (is_ascii)
        return text; /* nearly all texts are */
    char *to = cn_arena_alloc(&cx->arena, (cn_utf8_valid(text, len, &bad) ? len : 3 * len) + 1);
    if (!to) {
        cn_nomem(cx);
        return "";
    }
    make_plain(to, text, kind);
    return to;
}

void cn_pad(cn_buf *out, const char *text, int width, bool is_right)
{
    int blanks = width - cn_text_width(text);
    if (is_right)
        cn_buf_fill(out, ' ', blanks > 0 ? blanks : 0);
    cn_buf_puts(out, text);
    if (!is_right)
        cn_buf_fill(out, ' ', blanks > 0 ? blanks : 0);
}

/* ------------------------------------------------------------------------------ wrapping */

/* Bytes of the next piece that must stay together: a word, or one wide character. */
static size_t piece_bytes(const char *p)
{
    size_t n = 0;
    while (p[n] && p[n] != ' ' && p[n] != '\n') {
        bool is_wide = (unsigned char)p[n] >= 0xE3;
        if (is_wide && n > 0)
            return n;
        n++;
        while (((unsigned char)p[n] & 0xC0) == 0x80)
            n++;
        if (is_wide)
            return n;
    }
    return n;
}

static int piece_width(const char *p, size_t n)
{
    char piece[512];
    size_t len = n < sizeof piece ? n : sizeof piece - 1;
    memcpy(piece, p, len);
    piece[len] = 0;
    return cn_text_width(piece);
}

/* Full stops and commas of Chinese never open a line. */
static bool closes(const char *p)
{
    static const char *const marks[] = {"，", "。", "；", "：", "、", "）", "”", "？", "！"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (strncmp(p, marks[i], strlen(marks[i])) == 0)
            return true;
    }
    return false;
}

void cn_wrap(cn_buf *out, const char *text, int indent, int width)
{
    int column = indent;
    bool is_blank = false;
    for (const char *p = text; *p;) {
        if (*p == ' ') {
            is_blank = true;
            p++;
            continue;
        }
        size_t n = *p == '\n' ? 1 : piece_bytes(p);
        int columns = *p == '\n' ? 0 : piece_width(p, n);
        bool fits = width == 0 || column + columns + is_blank <= width || closes(p);
        if (*p == '\n' || (!fits && column > indent)) {
            cn_buf_putc(out, '\n');
            cn_buf_fill(out, ' ', p[0] == '\n' && p[1] == '\n' ? 0 : indent);
            column = indent;
        } else if (is_blank && column > indent) {
            cn_buf_putc(out, ' ');
            column++;
        }
        if (*p != '\n')
            cn_buf_add(out, p, n);
        column += columns;
        is_blank = false;
        p += n;
    }
    cn_buf_putc(out, '\n');
}
