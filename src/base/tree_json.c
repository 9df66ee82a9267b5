/*
 * tree_json.c - JSON callbacks of yajl -> nodes with line and column.
 *
 * yajl tells how many bytes it has consumed, which is the end of the token just reported; the
 * token's own length leads back to its start. Lines are counted once, from the last place asked.
 */
#include <stdio.h>
#include <string.h>
#include <yajl_parse.h>

#include "base/tree_build.h"

typedef struct {
    cn_builder b;
    yajl_handle yajl;
    size_t at_byte, line_start; /* line counting so far */
    int line;
    cn_code code;
} reader;

static cn_at place(reader *r, size_t byte, size_t span)
{
    if (byte > r->b.len)
        byte = r->b.len;
    for (; r->at_byte < byte; r->at_byte++) {
        if (r->b.text[r->at_byte] == '\n') {
            r->line++;
            r->line_start = r->at_byte + 1;
        }
    }
    size_t start = byte > r->line_start ? byte - r->line_start : 0;
    return cn_builder_at(&r->b, r->line, (int)start + 1, (int)span);
}

/* Where the token that ends at what yajl consumed began. */
static cn_at token(reader *r, size_t length)
{
    size_t end = yajl_get_bytes_consumed(r->yajl);
    return place(r, end >= length ? end - length : 0, length ? length : 1);
}

/* After a value in a map the next string is a key again. */
static int done(reader *r, int depth, cn_code code)
{
    if (depth <= r->b.depth)
        r->b.key[depth] = NULL;
    r->code = code;
    return code == CN_OK;
}

static int on_scalar(reader *r, const char *text, size_t n, bool quoted)
{
    int depth = r->b.depth;
    cn_at at = token(r, n + (quoted ? 2 : 0));
    return done(r, depth, cn_builder_scalar(&r->b, text, n, quoted, at));
}

static int on_null(void *arg)
{
    reader *r = arg;
    int depth = r->b.depth;
    return done(r, depth, cn_builder_null(&r->b, token(r, 4)));
}

static int on_bool(void *arg, int value)
{
    return on_scalar(arg, value ? "true" : "false", value ? 4 : 5, false);
}

static int on_number(void *arg, const char *text, size_t n)
{
    return on_scalar(arg, text, n, false);
}

static int on_string(void *arg, const unsigned char *text, size_t n)
{
    return on_scalar(arg, (const char *)text, n, true);
}

static int on_key(void *arg, const unsigned char *text, size_t n)
{
    reader *r = arg;
    r->code = cn_builder_key(&r->b, (const char *)text, n, token(r, n + 2));
    return r->code == CN_OK;
}

static int begin(reader *r, cn_node_kind kind)
{
    int depth = r->b.depth;
    return done(r, depth, cn_builder_begin(&r->b, kind, token(r, 1)));
}

static int on_map(void *arg)
{
    return begin(arg, CN_NODE_MAP);
}

static int on_list(void *arg)
{
    return begin(arg, CN_NODE_LIST);
}

static int on_end(void *arg)
{
    reader *r = arg;
    r->code = cn_builder_end(&r->b);
    return r->code == CN_OK;
}

static cn_code syntax_error(reader *r, bool is_end)
{
    unsigned char *text = yajl_get_error(r->yajl, 0, NULL, 0);
    char message[256];
    /* A truncated file ends behind its last character, not on the line a last newline opens. */
    size_t end = r->b.len - (r->b.len && r->b.text[r->b.len - 1] == '\n');
    cn_at at = place(r, is_end ? end : yajl_get_bytes_consumed(r->yajl), 1);
    snprintf(message, sizeof message, "%s", text ? (const char *)text : "unreadable");
    yajl_free_error(r->yajl, text);
    message[strcspn(message, "\n")] = 0;
    cn_fail(r->b.cx, CN_EINPUT, &at, "not JSON: %s", message);
    return cn_hint(r->b.cx, "check commas, quotes and brackets near here");
}

static cn_code parse(reader *r)
{
    const unsigned char *text = (const unsigned char *)r->b.text;
    yajl_status s = yajl_parse(r->yajl, text, r->b.len);
    bool is_end = s == yajl_status_ok;
    if (is_end)
        s = yajl_complete_parse(r->yajl);
    if (r->code != CN_OK)
        return r->code;
    if (s != yajl_status_ok && strspn(r->b.text, " \t\r\n") < r->b.len)
        return syntax_error(r, is_end);
    if (!r->b.root) {
        cn_at at = place(r, 0, 1);
        cn_fail(r->b.cx, CN_EINPUT, &at, "the file is empty");
        return cn_hint(r->b.cx, "expected a JSON object");
    }
    return CN_OK;
}

cn_code cn_tree_json(cn_ctx *cx, const char *file, const char *text, size_t len, cn_node **out)
{
    static const yajl_callbacks callbacks = {
        .yajl_null = on_null,
        .yajl_boolean = on_bool,
        .yajl_number = on_number,
        .yajl_string = on_string,
        .yajl_map_key = on_key,
        .yajl_start_map = on_map,
        .yajl_end_map = on_end,
        .yajl_start_array = on_list,
        .yajl_end_array = on_end,
    };
    reader r = {.line = 1};
    cn_builder_init(&r.b, cx, file, text, len);
    CN_TRY(cn_builder_check_text(&r.b));
    r.yajl = yajl_alloc(&callbacks, NULL, &r);
    if (!r.yajl)
        return cn_nomem(cx);
    cn_code code = parse(&r);
    yajl_free(r.yajl);
    CN_TRY(code);
    *out = r.b.root;
    return CN_OK;
}
