/*
 * plain.h - texts made safe, padded and wrapped, for every renderer.
 */
#ifndef CARNOT_REPORT_PLAIN_H
#define CARNOT_REPORT_PLAIN_H

#include "base/buf.h"

typedef enum {
    CN_PLAIN_LINE, /* one line: line ends and tabs become blanks */
    CN_PLAIN_LINES /* line ends stay */
} cn_plain_kind;

/* Without control characters and direction overrides; bad UTF-8 becomes U+FFFD. NULL gives "". */
const char *cn_plain(cn_ctx *cx, const char *text, cn_plain_kind kind);

/* The text in `width` columns, blanks before it (right) or after it. Wider texts stay whole. */
void cn_pad(cn_buf *out, const char *text, int width, bool is_right);

/* Lines of at most `width` columns, each after the first behind `indent` blanks; a line end at the
 * end. Chinese may break anywhere. width 0 = no limit. */
void cn_wrap(cn_buf *out, const char *text, int indent, int width);

#endif
