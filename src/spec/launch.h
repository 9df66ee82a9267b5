/*
 * launch.h - launch settings of training frameworks -> the tree of a spec.
 *
 * What a setting says becomes the same key a user would have written; what it does not say stays
 * unsaid. Unknown settings are ignored: they are the framework's business. Positions of values
 * point into the original file.
 */
#ifndef CARNOT_SPEC_LAUNCH_H
#define CARNOT_SPEC_LAUNCH_H

#include "base/tree.h"

/* Megatron-LM arguments: a shell script, a file of arguments, or a command line. */
bool cn_launch_is_megatron(const char *text, size_t len);
cn_code cn_launch_megatron(cn_ctx *cx, const char *file, const char *text, size_t len,
                           cn_node **spec);

bool cn_launch_is_deepspeed(const cn_node *json);
cn_code cn_launch_deepspeed(cn_ctx *cx, const cn_node *json, cn_node **spec);

cn_code cn_launch_torchtitan(cn_ctx *cx, const cn_node *toml, cn_node **spec);

#endif
