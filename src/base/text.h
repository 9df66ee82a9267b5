/*
 * text.h - small string helpers: C-locale parsing, UTF-8, display width, "did you mean".
 */
#ifndef CARNOT_BASE_TEXT_H
#define CARNOT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A whole string as a finite number, C locale whatever the process's locale; "1_000" and "1,000"
 * are refused. */
bool cn_parse_double(const char *text, double *out);
bool cn_parse_i64(const char *text, long long *out);

/* Shortest text that reads back to the same double; never locale-dependent. buf >= 32 bytes. */
const char *cn_double_text(double x, char *buf);

/* x as printf writes it with form 'e', 'f' or 'g' and so many digits, its point always ".". */
int cn_double_print(char *buf, size_t size, char form, int digits, double x);

/* Case-insensitive for ASCII; also ignores ' ', '-', '_' and '.' when loose. */
bool cn_text_eq_fold(const char *a, const char *b);
bool cn_text_eq_loose(const char *a, const char *b);
bool cn_text_starts(const char *text, const char *prefix);

/* Edit distance (Damerau, restricted), capped at limit + 1. */
int cn_text_distance(const char *a, const char *b, int limit);

/*
 * The candidate nearest to word, or NULL if none is near enough (distance <= 1 + len/4).
 * at(i, arg) gives candidate i in 0..n-1. Ties go to the lower index.
 */
const char *cn_text_nearest(const char *word, const char *(*at)(size_t i, const void *arg),
                            size_t n, const void *arg);

/* True if bytes are well-formed UTF-8; else *bad is the offset of the first bad byte. */
bool cn_utf8_valid(const char *text, size_t len, size_t *bad);

/* Columns on a terminal: CJK and full-width are two, combining are zero. Bad bytes count one. */
int cn_text_width(const char *text);

#endif
