/*
 * web.h - the files of web/, as bytes in the program.
 */
#ifndef CARNOT_REPORT_WEB_H
#define CARNOT_REPORT_WEB_H

#include <stddef.h>

extern const char cn_web_report_css[];
extern const size_t cn_web_report_css_len;
extern const char cn_web_report_js[];
extern const size_t cn_web_report_js_len;

#endif
