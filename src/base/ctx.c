/* ctx.c - errors with room inside the context, so that running out of memory can be reported too.
 */
#include <stdio.h>
#include <string.h>

#include "base/ctx.h"

static const struct {
    const char *name;
    int exit_status;
} codes[] = {
    [CN_OK] = {"ok", 0},
    [CN_ECHECK] = {"check", 1},
    [CN_EUSAGE] = {"usage", 2},
    [CN_EINPUT] = {"input", 3},
    [CN_EINFEASIBLE] = {"infeasible", 4},
    [CN_EIO] = {"io", 5},
    [CN_EREFUSED] = {"refused", 6},
    [CN_ENOMEM] = {"memory", 5},
    [CN_EBUG] = {"bug", 70},
    [CN_EINTERRUPT] = {"interrupt", 130},
};

void cn_ctx_init(cn_ctx *cx, double now_s)
{
    memset(cx, 0, sizeof *cx);
    cn_arena_init(&cx->arena, 0);
    cx->now_s = now_s;
}

void cn_ctx_done(cn_ctx *cx)
{
    cn_arena_free(&cx->arena);
    cn_ctx_clear(cx);
}

void cn_ctx_clear(cn_ctx *cx)
{
    cx->code = CN_OK;
    cx->n_problems = cx->n_more = 0;
    cx->is_dropped = false;
}

/* The position is kept with the file name copied: the caller's text may be gone when the error is
 * shown. */
CN_PRINTF(4, 0)
static void fill(cn_ctx *cx, cn_problem_entry *e, const cn_at *at, const char *fmt, va_list args)
{
    *e = (cn_problem_entry){0};
    if (at) {
        e->at = *at;
        e->at.file = at->file ? cn_arena_str(&cx->arena, at->file) : NULL;
    }
    vsnprintf(e->message, sizeof e->message, fmt, args);
}

static bool is_same_file(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The same problem at the same place is told once. */
static bool is_known(const cn_problem_entry *list, int n)
{
    const cn_problem_entry *e = &list[n];
    for (int i = 0; i < n; i++)
        if (list[i].at.line == e->at.line && list[i].at.col == e->at.col &&
            is_same_file(list[i].at.file, e->at.file) && strcmp(list[i].message, e->message) == 0)
            return true;
    return false;
}

CN_PRINTF(4, 0)
static void add_problem(cn_ctx *cx, cn_code code, const cn_at *at, const char *fmt, va_list args)
{
    if (cx->code == CN_OK)
        cx->code = code;
    if (cx->n_problems == CN_MAX_PROBLEMS) {
        cx->n_more++;
        cx->is_dropped = true;
        return;
    }
    fill(cx, &cx->problem[cx->n_problems], at, fmt, args);
    cx->is_dropped = is_known(cx->problem, cx->n_problems);
    if (!cx->is_dropped)
        cx->n_problems++;
}

cn_code cn_fail(cn_ctx *cx, cn_code code, const cn_at *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (cx->code == CN_OK)
        add_problem(cx, code, at, fmt, args);
    else
        cx->is_dropped = true;
    va_end(args);
    return cx->code;
}

void cn_problem(cn_ctx *cx, const cn_at *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    add_problem(cx, CN_EINPUT, at, fmt, args);
    va_end(args);
}

cn_code cn_problems(const cn_ctx *cx)
{
    return cx->code;
}

static cn_problem_entry *newest(cn_ctx *cx)
{
    return cx->n_problems > 0 && cx->n_more == 0 ? &cx->problem[cx->n_problems - 1] : NULL;
}

cn_code cn_hint(cn_ctx *cx, const char *fmt, ...)
{
    cn_problem_entry *e = newest(cx);
    va_list args;
    va_start(args, fmt);
    if (e && !cx->is_dropped && !e->hint[0])
        vsnprintf(e->hint, sizeof e->hint, fmt, args);
    va_end(args);
    return cx->code;
}

void cn_note(cn_ctx *cx, const char *fmt, ...)
{
    cn_problem_entry *e = newest(cx);
    va_list args;
    va_start(args, fmt);
    if (e) {
        size_t used = strlen(e->message);
        if (used + 2 < sizeof e->message) {
            memcpy(e->message + used, ", ", 3);
            vsnprintf(e->message + used + 2, sizeof e->message - used - 2, fmt, args);
        }
    }
    va_end(args);
}

void cn_warn(cn_ctx *cx, const cn_at *at, const char *fmt, ...)
{
    if (cx->n_warnings == CN_MAX_PROBLEMS)
        return;
    va_list args;
    va_start(args, fmt);
    fill(cx, &cx->warning[cx->n_warnings], at, fmt, args);
    va_end(args);
    if (!is_known(cx->warning, cx->n_warnings))
        cx->n_warnings++;
}

cn_code cn_nomem(cn_ctx *cx)
{
    return cn_fail(cx, CN_ENOMEM, NULL, "out of memory");
}

int cn_exit_status(cn_code code)
{
    return codes[code].exit_status;
}

const char *cn_code_name(cn_code code)
{
    return codes[code].name;
}
