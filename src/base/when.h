/*
 * when.h - dates and times, ISO 8601 with zone, without the process's TZ or locale.
 */
#ifndef CARNOT_BASE_WHEN_H
#define CARNOT_BASE_WHEN_H

#include <stdbool.h>

/* Days since 1970-01-01 of a proleptic Gregorian date; false if the date does not exist. */
bool cn_date_days(int year, int month, int day, long *days);
void cn_days_date(long days, int *year, int *month, int *day);

/* "2026-09-01", "2026-09-01T12:00:00Z", "...+08:00", ".123Z" -> seconds since 1970 UTC. A date
 * alone is 00:00 UTC. */
bool cn_when_parse(const char *text, double *out_s);

/* "2026-09-01" and "2026-09-01T12:00:00Z"; "-" outside the years 1 to 9999. buf >= 32 bytes. */
const char *cn_when_date(double t_s, char *buf);
const char *cn_when_text(double t_s, char *buf);

#endif
