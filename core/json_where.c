/* Finds line and column of the value that a message names, in the text of the JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/json_file.h"

/* Text that a parser has accepted: anything unexpected ends the walk, and is no error. */
typedef struct span {
    const char *at, *end;
} span;

static void skip_blank(span *s)
{
    while (s->at < s->end && *s->at && strchr(" \t\r\n", *s->at))
        s->at++;
}

static void skip_string(span *s)
{
    for (s->at++; s->at < s->end && *s->at != '"'; s->at++)
        s->at += *s->at == '\\' && s->at + 1 < s->end;
    s->at += s->at < s->end;
}

static void skip_value(span *s)
{
    size_t depth = 0;
    do {
        if (s->at < s->end && *s->at == '"') {
            skip_string(s);
        } else {
            const char c = s->at < s->end ? *s->at : '\0';
            if (depth == 0 && c && strchr(",]}", c))
                return;
            depth += c == '{' || c == '[';
            depth -= c == '}' || c == ']';
            s->at += s->at < s->end;
        }
        skip_blank(s);
    } while (s->at < s->end && (depth > 0 || !strchr(",]}", *s->at)));
}

/* From an object or an array to its member `key`, or its element `index`. 1 if it has that. */
static int enter(span *s, const char *key, size_t length, size_t index)
{
    span inner = *s;
    const char open = inner.at < inner.end ? *inner.at : '\0';
    if (open != (key ? '{' : '['))
        return 0;
    for (size_t i = 0; inner.at < inner.end && (*inner.at == ',' || inner.at == s->at); i++) {
        inner.at++;
        skip_blank(&inner);
        int found = !key && i == index;
        if (key && inner.at < inner.end && *inner.at == '"') {
            const char *name = inner.at + 1;
            skip_string(&inner);
            found = (size_t)(inner.at - name) == length + 1 && strncmp(name, key, length) == 0;
            skip_blank(&inner);
            inner.at += inner.at < inner.end; /* the colon */
            skip_blank(&inner);
        }
        if (found && inner.at < inner.end && *inner.at != ']') {
            *s = inner;
            return 1;
        }
        skip_value(&inner);
    }
    return 0;
}

/* Follows a path such as "pair: shapes[1].vertices[2]: what is wrong" as far as the text has it. A field
 * that the message calls unknown is in the text. */
static void walk(span *s, const char *place)
{
    static const char unknown[] = "unknown field '";
    int inside = 1;
    while (inside && *place) {
        const int index = *place == '[', odd = strncmp(place, unknown, strlen(unknown)) == 0;
        place += index ? 1 : odd ? strlen(unknown) : 0;
        const size_t length = strcspn(place, index ? "]" : odd ? "'" : ".[: ");
        inside = enter(s, index ? NULL : place, length, strtoul(place, NULL, 10));
        place += length + (place[length] == ']');
        place += *place == '.' ? 1 : strncmp(place, ": ", 2) == 0 ? 2 : 0;
    }
}

void gjb_json_point(gjb_error *error, const char *file, const char *text, size_t size)
{
    const size_t named = strlen(file);
    span s = {text, text + size};
    if (strncmp(error->text, file, named) != 0 || strncmp(error->text + named, ": ", 2) != 0)
        return;
    skip_blank(&s);
    const char *whole = s.at;
    walk(&s, error->text + named + 2);
    if (s.at == whole) /* the message names no place */
        return;
    size_t line = 1, column = 1;
    for (const char *c = text; c < s.at; c++) {
        column = *c == '\n' ? 1 : column + ((*c & 0xc0) != 0x80);
        line += *c == '\n';
    }
    const gjb_error before = *error;
    snprintf(error->text + named, sizeof error->text - named, ":%zu:%zu%s", line, column,
             before.text + named);
}

void gjb_json_point_file(gjb_error *error, const char *path)
{
    gjb_error unread = {{0}};
    size_t size;
    unsigned char *bytes =
        strcmp(path, "-") ? gjb_file_read(path, gjb_file_accept_text, &size, &unread) : NULL;
    if (bytes)
        gjb_json_point(error, path, (const char *)bytes, size);
    free(bytes);
}

/* ---- where a parser gave up ---- */

typedef struct level {
    int is_array, wants_key;
    const char *key; /* NULL: none yet */
    size_t length, index;
} level;

enum { LEVELS = 16 };

/* Takes in the character at s->at, or a string as a whole; `depth` counts levels that there is no room for, too. */
static void step_in(span *s, level *levels, size_t *depth)
{
    const char c = *s->at, *from = s->at + 1;
    level *here = *depth > 0 && *depth <= LEVELS ? &levels[*depth - 1] : NULL;
    if (c == '"') {
        skip_string(s);
        if (here && here->wants_key) {
            here->key = from;
            here->length = s->at > from ? (size_t)(s->at - from) - 1 : 0;
            here->wants_key = 0;
        }
        return;
    }
    s->at++;
    if (c == '{' || c == '[') {
        if ((*depth)++ < LEVELS)
            levels[*depth - 1] = (level){.is_array = c == '[', .wants_key = c == '{'};
    } else if (c == '}' || c == ']') {
        *depth -= *depth > 0;
    } else if (c == ',' && here) {
        here->index++;
        here->wants_key = !here->is_array;
    }
}

/* The path of the value at `position`, such as "bodies[1].pose.x"; "" of none. */
static void place_of(const char *text, size_t position, char *out, size_t size)
{
    level levels[LEVELS];
    size_t depth = 0, used = 0;
    span s = {text, text + position};
    while (s.at < s.end)
        step_in(&s, levels, &depth);
    out[0] = '\0';
    for (size_t k = 0; k < depth && k < LEVELS && used < size; k++) {
        const level *l = &levels[k];
        int n = 0;
        if (l->is_array)
            n = snprintf(out + used, size - used, "[%zu]", l->index);
        else if (l->key)
            n = snprintf(out + used, size - used, "%s%.*s", used ? "." : "", (int)(l->length < size ? l->length : size),
                         l->key);
        used += n > 0 ? (size_t)n : 0;
    }
}

int gjb_json_refuse_text(const json_error_t *why, const char *file, const char *text, size_t size, gjb_error *error)
{
    char place[96] = "";
    const size_t position = why->position > 0 ? (size_t)why->position : 0;
    /* Of other faults, such as a bracket that is missing, the last value is not to blame. */
    if (strstr(why->text, "invalid token") || strstr(why->text, "overflow"))
        place_of(text, position < size ? position : size, place, sizeof place);
    return gjb_fail(error, "%s:%d:%d: %s%s%s", file, why->line, why->column, place, *place ? ": " : "", why->text);
}
