/* A text buffer that grows, escapes for HTML, CSV and gnuplot, and formats counts, rates and bytes. */
#include "draw/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_free(text *t)
{
    free(t->s);
    *t = (text){0};
}

static int reserve(text *t, size_t more)
{
    if (t->failed)
        return 0;
    if (t->size + more + 1 <= t->capacity)
        return 1;
    size_t capacity = t->capacity ? t->capacity : 256;
    while (capacity < t->size + more + 1)
        capacity *= 2;
    char *s = realloc(t->s, capacity);
    if (!s) {
        t->failed = 1;
        return 0;
    }
    t->s = s;
    t->capacity = capacity;
    return 1;
}

void text_bytes(text *t, const char *bytes, size_t size)
{
    if (!reserve(t, size))
        return;
    if (size)
        memcpy(t->s + t->size, bytes, size);
    t->size += size;
    t->s[t->size] = '\0';
}

void text_add(text *t, const char *s)
{
    text_bytes(t, s, strlen(s));
}

void text_list(text *t, const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (size < 0 || !reserve(t, (size_t)size)) {
        t->failed = 1;
        return;
    }
    vsnprintf(t->s + t->size, (size_t)size + 1, format, list);
    t->size += (size_t)size;
}

void text_format(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    text_list(t, format, list);
    va_end(list);
}

void text_html(text *t, const char *s)
{
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        switch (c) {
        case '&': text_add(t, "&amp;"); break;
        case '<': text_add(t, "&lt;"); break;
        case '>': text_add(t, "&gt;"); break;
        case '"': text_add(t, "&quot;"); break;
        case '\'': text_add(t, "&#39;"); break;
        default:
            if (c < 0x20 || c == 0x7f)
                text_add(t, c == '\n' || c == '\t' ? " " : "?");
            else
                text_bytes(t, s, 1);
        }
    }
}

void text_csv(text *t, const char *s)
{
    if (!strpbrk(s, ",\"\r\n")) {
        text_add(t, s);
        return;
    }
    text_add(t, "\"");
    for (; *s; s++)
        text_bytes(t, *s == '"' ? "\"\"" : s, *s == '"' ? 2 : 1);
    text_add(t, "\"");
}

void text_gnuplot(text *t, const char *s)
{
    static const char *const marks[] = {"†", "×", "ε", "·", "–", "≥", "<"};
    for (size_t room = 40; *s && room; room--) {
        size_t size = 0;
        for (size_t i = 0; i < sizeof marks / sizeof *marks && !size; i++)
            if (!strncmp(s, marks[i], strlen(marks[i])))
                size = strlen(marks[i]);
        if (size) {
            text_bytes(t, s, size);
            s += size;
            continue;
        }
        char c = *s++;
        int plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    (c != '\0' && strchr(" .,:;+-_/()=%", c));
        text_bytes(t, plain ? &c : "?", 1);
    }
}

void text_slug(text *t, const char *s)
{
    int gap = 0; /* between what was written and what comes */
    for (size_t room = 40; *s && room; s++) {
        char c = *s >= 'A' && *s <= 'Z' ? (char)(*s - 'A' + 'a') : *s;
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) {
            gap |= room < 40;
            continue;
        }
        text_add(t, gap ? "-" : "");
        text_bytes(t, &c, 1);
        gap = 0;
        room--;
    }
}

static const char *none(number *buffer)
{
    snprintf(buffer->s, sizeof buffer->s, "–");
    return buffer->s;
}

const char *number_count(number *buffer, double value)
{
    if (!isfinite(value) || fabs(value) >= 1e18)
        return none(buffer);
    char digits[32];
    int size = snprintf(digits, sizeof digits, "%.0f", fabs(value));
    char *out = buffer->s;
    if (value <= -0.5)
        *out++ = '-';
    for (int i = 0; i < size; i++) {
        if (i && (size - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return buffer->s;
}

const char *number_figures(number *buffer, double value)
{
    double size = fabs(value);
    if (!isfinite(value))
        return none(buffer);
    if (size >= 999.5)
        return number_count(buffer, value);
    if (size != 0 && size < 0.001)
        snprintf(buffer->s, sizeof buffer->s, "%.2e", value);
    else
        snprintf(buffer->s, sizeof buffer->s, "%.*f",
                 size == 0 ? 0 : size < 0.9995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0, value);
    return buffer->s;
}

const char *number_rate(number *buffer, double share)
{
    if (!isfinite(share))
        return none(buffer);
    if (share <= 0)
        snprintf(buffer->s, sizeof buffer->s, "0");
    else if (share < 1e-9)
        snprintf(buffer->s, sizeof buffer->s, "under 0.001 ppm");
    else if (share < 1e-4)
        snprintf(buffer->s, sizeof buffer->s, "%.2g ppm", share * 1e6);
    else
        snprintf(buffer->s, sizeof buffer->s, share < 0.0995 ? "%.2g%%" : "%.0f%%", share * 100);
    return buffer->s;
}

const char *number_short(number *buffer, double value)
{
    static const struct { double unit; const char *suffix; } units[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    if (!isfinite(value))
        return none(buffer);
    for (size_t i = 0; i < 3; i++)
        if (fabs(value) >= units[i].unit) {
            snprintf(buffer->s, sizeof buffer->s, "%.3g%s", value / units[i].unit, units[i].suffix);
            return buffer->s;
        }
    snprintf(buffer->s, sizeof buffer->s, "%.3g", value);
    return buffer->s;
}

const char *number_bytes(number *buffer, double value)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t i = 0;
    if (!isfinite(value))
        return none(buffer);
    for (; i < 4 && value >= 1024; i++)
        value /= 1024;
    snprintf(buffer->s, sizeof buffer->s, "%.4g %s", value, units[i]);
    return buffer->s;
}
