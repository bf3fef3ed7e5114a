/* The table of mesh formats: recognises them, checks the counts that OFF and STL state, and cleans OFF for assimp. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "scenes/mesh/mesh_parts.h"

/* Fewest bytes of a vertex and of a face: "0 0 0\n" and "1 0\n" as text. */
enum { OFF_VERTEX = 6, OFF_FACE = 4, STL_HEAD = 84, STL_FACET = 50 };

/* A count after `at`, at most `most`. -1 when there is none, 1 when it is
 * larger; `value` is then its text. */
static int read_count(const char **at, size_t most, char value[64])
{
    size_t length = 0;
    *at += strspn(*at, " \t");
    while (isdigit((unsigned char)(*at)[length]))
        length++;
    if (length == 0)
        return -1;
    const size_t shown = length < 63 ? length : 63;
    memcpy(value, *at, shown);
    value[shown] = '\0';
    const int larger = length > 18 || strtoull(value, NULL, 10) > most;
    *at += length;
    return larger;
}

/* The text after "OFF", which ST, C, N, 4 and n may precede in that order. */
static const char *off_magic(const char *text)
{
    text = gjb_mesh_past_comments(text);
    static const char *const prefixes[] = {"ST", "C", "N", "4", "n"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const size_t length = strlen(prefixes[i]);
        text += strncmp(text, prefixes[i], length) == 0 ? length : 0;
    }
    return strncmp(text, "OFF", 3) == 0 && (text[3] == '\0' || isspace((unsigned char)text[3])) ? text + 3 : NULL;
}

static int is_off(const char *text, size_t size)
{
    (void)size;
    return off_magic(text) != NULL;
}

/* Drops comments and blank lines: assimp takes those between faces for faces. */
static char *off_clean(char *text, size_t *size)
{
    char *to = text;
    const char *const last = text + *size;
    for (const char *at = text; at < last;) {
        const char *end = memchr(at, '\n', (size_t)(last - at));
        const char *next = end != NULL ? end + 1 : last;
        size_t length = 0;
        while (at + length < next && at[length] != '#' && at[length] != '\n')
            length++;
        if (strspn(at, " \t\r") < length) {
            memmove(to, at, length);
            to += length;
            if (end != NULL)
                *to++ = '\n';
        }
        at = next;
    }
    *to = '\0';
    *size = (size_t)(to - text);
    return text;
}

/* A face's line, from its count on: each corner must be there, and a vertex. */
static int off_check_face(const char *line, unsigned long long face, unsigned long long vertices, const char *file,
                          gjb_error *error)
{
    char *end = NULL;
    const unsigned long long corners = strtoull(line, &end, 10);
    for (unsigned long long k = 0; k < corners; k++) {
        char *const number = end + strspn(end, " \t\r");
        const long long index = *number != '\n' ? strtoll(number, &end, 10) : 0;
        if (*number == '\n' || end == number)
            return gjb_fail(error, "%s: faces[%llu]: claims %llu corners, and names %llu", file, face, corners, k);
        if (index < 0 || (unsigned long long)index >= vertices)
            return gjb_fail(error, "%s: faces[%llu]: vertex %lld, there are %llu", file, face, index, vertices);
    }
    return 0;
}

/* assimp takes an index out of range for the last vertex, and a face that is cut short for none.
 * Vertices and faces have a line each, as it reads them. */
static int off_check(const char *text, const char *file, gjb_error *error)
{
    char *at = NULL;
    const unsigned long long vertices = strtoull(off_magic(text), &at, 10), faces = strtoull(at, &at, 10);
    const char *line = gjb_mesh_next_line(at);
    for (unsigned long long i = 0; i < vertices && *line != '\0'; i++)
        line = gjb_mesh_next_line(line);
    for (unsigned long long i = 0; i < faces; i++, line = gjb_mesh_next_line(line)) {
        if (*line == '\0')
            return gjb_fail(error, "%s: faces: %llu claimed, there are %llu", file, faces, i);
        if (off_check_face(line, i, vertices, file, error) != 0)
            return -1;
    }
    return 0;
}

static int off_claims(const char *text, size_t size, const char *file, gjb_error *error)
{
    static const struct {
        const char *name;
        size_t least;
    } fields[] = {{"vertices", OFF_VERTEX}, {"faces", OFF_FACE}};
    const char *at = off_magic(text);
    if (at == NULL)
        return gjb_fail(error, "%s: begins with no OFF", file);
    if (strlen(text) != size) /* assimp would read past the end of the text */
        return gjb_fail(error, "%s: byte %zu is 0, which no OFF in text has", file, strlen(text));
    at = gjb_mesh_past_comments(at);
    if (strncmp(at, "BINARY", 6) == 0)
        return gjb_fail(error, "%s: binary OFF is not read; write it as text", file);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        char value[64];
        const int wrong = read_count(&at, size / fields[i].least, value);
        if (wrong < 0)
            return gjb_fail(error, "%s: %s: a count is missing behind OFF", file, fields[i].name);
        if (wrong)
            return gjb_mesh_claims_more(file, fields[i].name, value, size, error);
    }
    return 0;
}

static size_t stl_facets(const char *text)
{
    const unsigned char *at = (const unsigned char *)text + 80;
    return at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

/* Binary files may begin with "solid" too: their size decides. */
static int stl_is_binary(const char *text, size_t size)
{
    return size >= STL_HEAD && STL_HEAD + STL_FACET * stl_facets(text) == size;
}

static int is_stl(const char *text, size_t size)
{
    return stl_is_binary(text, size) || (strncmp(text, "solid", 5) == 0 && strstr(text, "facet") != NULL);
}

static int stl_claims(const char *text, size_t size, const char *file, gjb_error *error)
{
    if (stl_is_binary(text, size) || is_stl(text, size))
        return 0;
    if (size < STL_HEAD)
        return gjb_fail(error, "%s: neither text that begins with solid nor %d bytes of binary header", file, STL_HEAD);
    if (stl_facets(text) > (size - STL_HEAD) / STL_FACET) {
        char value[24];
        snprintf(value, sizeof value, "%zu", stl_facets(text));
        return gjb_mesh_claims_more(file, "facets", value, size, error);
    }
    return 0;
}

size_t gjb_mesh_unmark(char *text, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t length = sizeof mark - 1;
    if (size < length || memcmp(text, mark, length) != 0 || stl_is_binary(text, size))
        return size;
    memmove(text, text + length, size - length + 1);
    return size - length;
}

/* Those whose readers in assimp hold up against most damaged files, and PLY, which is read here: assimp's reader of it
 * crashes and hangs on some of the plainest. */
static const gjb_mesh_format formats[] = {
    {.name = "OFF", .suffix = "off", .is = is_off, .claims = off_claims, .clean = off_clean, .check = off_check},
    {.name = "STL", .suffix = "stl", .is = is_stl, .claims = stl_claims},
    {.name = "PLY", .suffix = "ply", .is = gjb_ply_is, .claims = gjb_ply_claims, .read = gjb_ply_read},
    {.name = "OBJ", .suffix = "obj", .is = gjb_obj_is, .claims = gjb_obj_claims, .objects = gjb_obj_objects,
     .clean = gjb_obj_clean},
};
static const size_t format_count = sizeof formats / sizeof *formats;

const gjb_mesh_format *gjb_mesh_recognise(const char *text, size_t size, const char *file, gjb_error *error)
{
    const gjb_mesh_format *found = NULL;
    const char *dot = strrchr(file, '.');
    if (size == 0) {
        gjb_fail(error, "%s: empty", file);
        return NULL;
    }
    for (size_t i = 0; i < format_count && found == NULL; i++)
        found = formats[i].is(text, size) ? &formats[i] : NULL;
    if (found != NULL)
        return found->claims(text, size, file, error) == 0 ? found : NULL;
    /* Named as a mesh, but damaged: checking its claims may say how. A file is never passed to assimp by
     * name alone. */
    for (size_t i = 0; i < format_count && dot != NULL; i++) {
        if (strcasecmp(dot + 1, formats[i].suffix) == 0) {
            if (formats[i].claims(text, size, file, error) == 0)
                gjb_fail(error, "%s: content is not that of an %s mesh", file, formats[i].name);
            return NULL;
        }
    }
    gjb_fail(error, "%s: content is not that of an OBJ, OFF, PLY or STL mesh", file);
    return NULL;
}
