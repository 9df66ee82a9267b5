/* lang_table.h - the table that tools/po2c.sh makes of po/zh_CN.po, sorted by the English text. */
#ifndef CARNOT_BASE_LANG_TABLE_H
#define CARNOT_BASE_LANG_TABLE_H

#include <stddef.h>

typedef struct cn_lang_entry {
    const char *english, *text;
} cn_lang_entry;

extern const cn_lang_entry cn_lang_zh[];
extern const size_t cn_lang_zh_n;

#endif
