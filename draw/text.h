/* Growing text, escaping, and numbers as people read them. */
#ifndef GJB_DRAW_TEXT_H
#define GJB_DRAW_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* Zero it before first use; release with text_free. When memory runs out the
 * text stops growing and `failed` stays set, so that callers check once. */
typedef struct text {
    char *s; /* NUL-terminated, or NULL while empty */
    size_t size, capacity;
    int failed;
} text;

void text_free(text *t);
void text_bytes(text *t, const char *bytes, size_t size);
void text_add(text *t, const char *s);
/* The same of a list of arguments. */
void text_list(text *t, const char *format, va_list list) __attribute__((format(printf, 2, 0)));
void text_format(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Escaped for element content and quoted attributes; control characters become '?'. */
void text_html(text *t, const char *s);
/* One CSV field, quoted if RFC 4180 asks for it. */
void text_csv(text *t, const char *s);
/* Safe inside a double-quoted gnuplot string, at most 40 bytes: whatever is
 * not plain ASCII of names, or one of the few marks that our own labels use,
 * becomes '?'. */
void text_gnuplot(text *t, const char *s);

/* As a part of a file's name or an id: lower case, with a '-' for what
 * is between letters and digits; of at most 40 of these. */
void text_slug(text *t, const char *s);

/* Short numbers. The result lives in `buffer`, which is also returned; what
 * is not finite reads as an en dash, so that no page ever says nan. */
typedef struct number { char s[48]; } number;
const char *number_count(number *buffer, double value);   /* 1,000,000 */
const char *number_figures(number *buffer, double value); /* three significant figures: 0.123, 12.3, 1,230 */
const char *number_rate(number *buffer, double share);    /* 0, 12 ppm, 0.21% */
const char *number_short(number *buffer, double value);   /* axis ticks: 0.01, 16, 4k, 1M */
const char *number_bytes(number *buffer, double value);   /* 32 KiB */

#endif
