/*
 * lang.h - user text is _("whole sentences"); N_() marks texts in tables. English is the source;
 * the catalogues in po/ are embedded in the program, so no locale has to be installed and numbers
 * never follow a locale.
 */
#ifndef CARNOT_BASE_LANG_H
#define CARNOT_BASE_LANG_H

#include <stdbool.h>

/* The translation, or english. The compiler checks formats through it (format_arg). */
const char *cn_lang_text(const char *english) __attribute__((format_arg(1)));
bool cn_lang_set(const char *lang); /* "en", "zh_CN"; false if there is no such catalogue */
const char *cn_lang_from_env(void); /* from LC_ALL, LC_MESSAGES, LANG: "zh_CN" or "en" */

#define _(text)  cn_lang_text(text)
#define N_(text) text

#endif
