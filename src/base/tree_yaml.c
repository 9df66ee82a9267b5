/* tree_yaml.c - YAML 1.1 events of libyaml -> nodes with marks. */
#include <string.h>
#include <yaml.h>

#include "base/tree_build.h"

static cn_at mark(const cn_builder *b, const yaml_event_t *e)
{
    int span = (int)(e->end_mark.index - e->start_mark.index);
    return cn_builder_at(b, (int)e->start_mark.line + 1, (int)e->start_mark.column + 1,
                         span > 0 ? span : 1);
}

static bool is_null(const yaml_event_t *e)
{
    const char *v = (const char *)e->data.scalar.value;
    return e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (*v == 0 || strcmp(v, "~") == 0 || strcmp(v, "null") == 0);
}

static cn_code scalar(cn_builder *b, const yaml_event_t *e, bool is_key)
{
    const char *v = (const char *)e->data.scalar.value;
    size_t n = e->data.scalar.length;
    cn_at at = mark(b, e);
    if (e->data.scalar.anchor) {
        cn_fail(b->cx, CN_EINPUT, &at, "an anchor (&%s) is not supported",
                (const char *)e->data.scalar.anchor);
        return cn_hint(b->cx, "write the value out where it is needed");
    }
    if (is_key)
        return cn_builder_key(b, v, n, at);
    if (is_null(e))
        return cn_builder_null(b, at);
    return cn_builder_scalar(b, v, n, e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE, at);
}

/* In a map, keys and values take turns: a key is due when none waits. */
static bool wants_key(const cn_builder *b)
{
    return b->depth > 0 && b->stack[b->depth]->kind == CN_NODE_MAP && !b->key[b->depth];
}

static cn_code begin(cn_builder *b, const yaml_event_t *e, cn_node_kind kind, const void *anchor)
{
    cn_at at = mark(b, e);
    at.len = 1;
    if (anchor) {
        cn_fail(b->cx, CN_EINPUT, &at, "an anchor is not supported");
        return cn_hint(b->cx, "write the value out where it is needed");
    }
    if (wants_key(b)) {
        cn_fail(b->cx, CN_EINPUT, &at, "a list or map where a key was expected");
        return cn_hint(b->cx, "a key is one word; remove the extra bracket");
    }
    return cn_builder_begin(b, kind, at);
}

static cn_code take(cn_builder *b, const yaml_event_t *e)
{
    bool is_key = wants_key(b);
    int depth = b->depth;
    cn_code code = CN_OK;
    cn_at at = mark(b, e);
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        code = scalar(b, e, is_key);
        break;
    case YAML_SEQUENCE_START_EVENT:
        code = begin(b, e, CN_NODE_LIST, e->data.sequence_start.anchor);
        break;
    case YAML_MAPPING_START_EVENT:
        code = begin(b, e, CN_NODE_MAP, e->data.mapping_start.anchor);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return cn_builder_end(b);
    case YAML_ALIAS_EVENT:
        cn_fail(b->cx, CN_EINPUT, &at, "an alias (*%s) is not supported",
                (const char *)e->data.alias.anchor);
        return cn_hint(b->cx, "write the value out where it is needed");
    case YAML_DOCUMENT_START_EVENT:
        if (b->root) {
            cn_fail(b->cx, CN_EINPUT, &at, "a second document in the file");
            return cn_hint(b->cx, "remove the --- and what follows");
        }
        return CN_OK;
    default:
        return CN_OK;
    }
    if (!is_key) /* the value has come: the next scalar is a key */
        b->key[depth] = NULL;
    return code;
}

static cn_code syntax_error(cn_builder *b, const yaml_parser_t *p)
{
    int line = (int)p->problem_mark.line + 1, col = (int)p->problem_mark.column + 1;
    cn_at at = cn_builder_at(b, line, col, 1);
    if (p->error == YAML_MEMORY_ERROR)
        return cn_nomem(b->cx);
    cn_fail(b->cx, CN_EINPUT, &at, "not YAML: %s", p->problem ? p->problem : "unreadable");
    return cn_hint(b->cx, "check indentation, colons and quotes near here");
}

cn_code cn_tree_yaml(cn_ctx *cx, const char *file, const char *text, size_t len, cn_node **out)
{
    cn_builder b;
    yaml_parser_t p;
    yaml_event_t e;
    cn_builder_init(&b, cx, file, text, len);
    CN_TRY(cn_builder_check_text(&b));
    if (!yaml_parser_initialize(&p))
        return cn_nomem(cx);
    yaml_parser_set_input_string(&p, (const unsigned char *)b.text, b.len);
    yaml_parser_set_encoding(&p, YAML_UTF8_ENCODING);
    cn_code code = CN_OK;
    bool done = false;
    while (code == CN_OK && !done) {
        if (!yaml_parser_parse(&p, &e)) {
            code = syntax_error(&b, &p);
            break;
        }
        done = e.type == YAML_STREAM_END_EVENT;
        code = take(&b, &e);
        yaml_event_delete(&e);
    }
    yaml_parser_delete(&p);
    CN_TRY(code);
    if (!b.root) {
        cn_at at = cn_builder_at(&b, 1, 1, 0);
        cn_fail(cx, CN_EINPUT, &at, "the file is empty");
        return cn_hint(cx, "expected \"key: value\" lines");
    }
    *out = b.root;
    return CN_OK;
}
