/*
 * ctx.h - the context every fallible function takes first: memory, time, and the one error.
 *
 * Lifecycle:  cn_ctx_init()  ->  work  ->  cn_ctx_done()
 * Ownership:  the context owns its arena; everything allocated from cx->arena dies in
 * cn_ctx_done(). Errors:     the first failure wins. Callers clean up and pass the code on with
 * CN_TRY(); they may add where (cn_note), never overwrite what. A reader of a file reports up to
 * CN_MAX_PROBLEMS problems with cn_problem() and returns cn_problems(cx) at the end. Threads: one
 * context per thread.
 */
#ifndef CARNOT_BASE_CTX_H
#define CARNOT_BASE_CTX_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

typedef enum {
    CN_OK = 0,
    CN_ECHECK,      /* done, and a threshold or check failed        exit 1 */
    CN_EUSAGE,      /* wrong usage of the command line              exit 2 */
    CN_EINPUT,      /* bad input: syntax, unknown name, wrong unit  exit 3 */
    CN_EINFEASIBLE, /* no plan satisfies the limits                 exit 4 */
    CN_EIO,         /* file, database or provider failed            exit 5 */
    CN_EREFUSED,    /* needs --apply, approval, or a limit was hit  exit 6 */
    CN_ENOMEM,      /* out of memory                                exit 5 */
    CN_EBUG,        /* our bug                                      exit 70 */
    CN_EINTERRUPT   /* interrupted                                  exit 130 */
} cn_code;

/* A place in an input. line and col count from 1; 0 = unknown. text is the whole input, if kept. */
typedef struct cn_at {
    const char *file;
    int line, col, len;
    const char *text;
    size_t text_len;
} cn_at;

enum { CN_MAX_PROBLEMS = 20, CN_MESSAGE_BYTES = 512 };

typedef struct cn_problem_entry {
    cn_at at;
    char message[CN_MESSAGE_BYTES];
    char hint[CN_MESSAGE_BYTES];
} cn_problem_entry;

typedef struct cn_ctx {
    cn_arena arena;
    double now_s;   /* seconds since 1970 UTC: --now, SOURCE_DATE_EPOCH, or the clock read once */
    cn_code code;   /* CN_OK until the first failure */
    int n_problems; /* entries used in problem[] */
    int n_more;     /* problems beyond CN_MAX_PROBLEMS, counted only */
    cn_problem_entry problem[CN_MAX_PROBLEMS];
    bool is_dropped; /* the last report was not kept, so the hint behind it is not either */
    int n_warnings;  /* entries used in warning[] */
    cn_problem_entry warning[CN_MAX_PROBLEMS];
} cn_ctx;

#define CN_TRY(expr)                                                                               \
    do {                                                                                           \
        cn_code cn_try_code_ = (expr);                                                             \
        if (cn_try_code_ != CN_OK)                                                                 \
            return cn_try_code_;                                                                   \
    } while (0)

#define CN_PRINTF(f, a) __attribute__((format(printf, f, a)))

void cn_ctx_init(cn_ctx *cx, double now_s);
void cn_ctx_done(cn_ctx *cx);

/* Forget a handled error so that the context can be used again. Memory stays. */
void cn_ctx_clear(cn_ctx *cx);

/* Record a failure (the first one wins) and return its code. at may be NULL. */
cn_code cn_fail(cn_ctx *cx, cn_code code, const cn_at *at, const char *fmt, ...) CN_PRINTF(4, 5);

/* Record one more problem of kind CN_EINPUT and go on reading; see cn_problems(). */
void cn_problem(cn_ctx *cx, const cn_at *at, const char *fmt, ...) CN_PRINTF(3, 4);

/* CN_OK, or the code recorded so far. */
cn_code cn_problems(const cn_ctx *cx);

/* Add the next step to the report just made, if that was kept; returns cx->code so that it can end
 * a function. */
cn_code cn_hint(cn_ctx *cx, const char *fmt, ...) CN_PRINTF(2, 3);

/* Add where to the newest problem ("while reading ..."), kept in its message. */
void cn_note(cn_ctx *cx, const char *fmt, ...) CN_PRINTF(2, 3);

/* Record a warning: the answer is still given. Duplicate texts are kept once. */
void cn_warn(cn_ctx *cx, const cn_at *at, const char *fmt, ...) CN_PRINTF(3, 4);

/* Out of memory, recorded in the context without allocating. */
cn_code cn_nomem(cn_ctx *cx);

/* The process exit status for a code (table in the header of cn_code). */
int cn_exit_status(cn_code code);

/* Name of a code: "input", "usage", ... for logs and JSON. */
const char *cn_code_name(cn_code code);

#endif
