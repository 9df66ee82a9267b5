/*
 * spec_parts.h - what the files of this room share: sections for help, names looked up where they
 * stand.
 */
#ifndef CARNOT_SPEC_SPEC_PARTS_H
#define CARNOT_SPEC_SPEC_PARTS_H

#include "base/bind.h"
#include "spec/spec.h"

/* A tree (from YAML, --set or another tool's settings) into a spec whose file and defaults are set.
 */
cn_code cn_spec_bind(cn_ctx *cx, cn_catalog *cat, const cn_node *root, cn_spec *s);

/* model: catalog id | path of a config.json, beside the spec | inline map. Problems are recorded in
 * cx. */
void cn_spec_model(cn_ctx *cx, cn_catalog *cat, const cn_node *v, const char *spec_file,
                   const cn_model_entry **out);

/* Catalog look-ups that record a problem and go on. */
void cn_spec_find_node(cn_ctx *cx, cn_catalog *cat, const cn_node *v, const cn_node_type **out);
void cn_spec_find_accel(cn_ctx *cx, cn_catalog *cat, const cn_node *v, const char *name,
                        const cn_accel **out);

/* Contradictions between keys, each told where it stands. */
void cn_spec_check(cn_ctx *cx, const cn_node *root, const cn_spec *s);

/* "runs/llama3-8b.yaml" -> "llama3-8b". */
const char *cn_spec_default_name(cn_ctx *cx, const char *file);

#endif
