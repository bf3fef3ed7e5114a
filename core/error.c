/* Formats an error once, cut at a whole character, without control characters. */
#include "core/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Length of the printable UTF-8 character at `text`, or 0 for a byte that
 * must not reach a terminal: C0 and C1 controls, malformed sequences, and the
 * characters that break a line or reorder what is printed around them. */
static size_t printable_length(const unsigned char *text)
{
    if (text[0] < 0x80)
        return text[0] >= 0x20 && text[0] != 0x7f;
    static const struct {
        unsigned char mask, lead;
        size_t length;
        uint32_t least;
    } forms[] = {
        {0xe0, 0xc0, 2, 0x80},
        {0xf0, 0xe0, 3, 0x800},
        {0xf8, 0xf0, 4, 0x10000},
    };
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        if ((text[0] & forms[f].mask) != forms[f].lead)
            continue;
        uint32_t code = text[0] & (unsigned char)~forms[f].mask;
        for (size_t i = 1; i < forms[f].length; i++) {
            if ((text[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (text[i] & 0x3fu);
        }
        int surrogate = code >= 0xd800 && code <= 0xdfff;
        int reorders = code == 0x061c || code == 0x200e || code == 0x200f ||
                       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
        if (code < forms[f].least || code > 0x10ffff || code < 0xa0 || surrogate || reorders)
            return 0;
        return forms[f].length;
    }
    return 0;
}

size_t gjb_text_clean(char *text)
{
    size_t replaced = 0;
    for (unsigned char *at = (unsigned char *)text; *at != '\0';) {
        size_t length = printable_length(at);
        if (length == 0) {
            *at = '?';
            replaced++;
            length = 1;
        }
        at += length;
    }
    return replaced;
}

int gjb_fail(gjb_error *error, const char *format, ...)
{
    if (error != NULL && error->text[0] == '\0') {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        gjb_text_clean(error->text);
    }
    return -1;
}
