/* OBJ: recognises it, lists its objects, and rewrites what assimp would misread or drop. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/mesh/mesh_parts.h"

static const char blank[] = " \t", end_of_line[] = "\r\n";

static int is_word(const char *line, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && (line[length] == '\0' || strchr(" \t\r\n", line[length]) != NULL);
}

static int begins(const char *line, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_word(line, words[i]))
            return 1;
    return 0;
}

/* 1 if the first line that is no comment begins with a keyword of OBJ. */
int gjb_obj_is(const char *text, size_t size)
{
    static const char *const words[] = {"v", "vt", "vn", "vp", "f", "fo", "l", "p", "o", "g", "s", "mg",
                                        "deg", "cstype",
                                        "mtllib", "usemtl", "maplib", "usemap", "lod", "bevel"};
    (void)size;
    return begins(gjb_mesh_past_comments(text), words, sizeof words / sizeof *words);
}

/* A hull needs no materials, and a mesh with faulty ones is accepted. Groups would divide what belongs to one
 * object. */
static int is_dropped(const char *line)
{
    static const char *const materials[] = {"mtllib", "usemtl", "maplib", "usemap"};
    for (size_t i = 0; i < sizeof materials / sizeof *materials; i++)
        if (strncmp(line, materials[i], strlen(materials[i])) == 0)
            return 1;
    return is_word(line, "g");
}

typedef struct obj_counts {
    size_t vertices, objects;
} obj_counts;

static obj_counts count(const char *text)
{
    obj_counts counts = {0};
    for (const char *line = text; *line != '\0'; line = gjb_mesh_next_line(line)) {
        line += strspn(line, blank);
        counts.vertices += line[0] == 'v' && (line[1] == ' ' || line[1] == '\t');
        counts.objects += is_word(line, "o");
    }
    return counts;
}

size_t gjb_obj_objects(const char *text, char (*names)[GJB_MESH_NAME], size_t most)
{
    size_t found = 0;
    for (const char *line = text; *line != '\0'; line = gjb_mesh_next_line(line)) {
        line += strspn(line, blank);
        if (!is_word(line, "o"))
            continue;
        if (found < most) {
            const char *name = line + 1 + strspn(line + 1, blank);
            size_t length = strcspn(name, end_of_line);
            while (length > 0 && strchr(blank, name[length - 1]) != NULL)
                length--;
            snprintf(names[found], GJB_MESH_NAME, "%.*s", (int)(length < GJB_MESH_NAME ? length : GJB_MESH_NAME), name);
            gjb_text_clean(names[found]);
        }
        found++;
    }
    return found;
}

/* Without indentation, which assimp does not read, and what is dropped; objects by their number, since assimp takes
 * two of the same first word for one. Returns the end. */
static char *rewrite(const char *text, char *to)
{
    size_t object = 0;
    for (const char *line = text; *line != '\0';) {
        const char *const next = gjb_mesh_next_line(line);
        line += strspn(line, blank);
        if (is_word(line, "o")) {
            to += sprintf(to, "o %zu\n", ++object);
        } else if (!is_dropped(line)) {
            memmove(to, line, (size_t)(next - line));
            to += next - line;
        }
        line = next;
    }
    return to;
}

/* assimp drops vertices that no face names: each is named as a point, of an object of their own if there are
 * objects. */
char *gjb_obj_clean(char *text, size_t *size)
{
    enum { LONGEST = 24 /* "p N\n", "o N\n" */ };
    const obj_counts counts = count(text);
    char *clean = malloc(*size + LONGEST * (counts.vertices + counts.objects + 1) + 2);
    if (clean != NULL) {
        char *to = rewrite(text, clean);
        *to++ = '\n';
        to += counts.objects > 0 ? sprintf(to, "o loose\n") : 0;
        for (size_t i = 1; i <= counts.vertices; i++)
            to += sprintf(to, "p %zu\n", i);
        *to = '\0';
        *size = (size_t)(to - clean);
    }
    free(text);
    return clean;
}

int gjb_obj_claims(const char *text, size_t size, const char *file, gjb_error *error)
{
    if (strlen(text) != size)
        return gjb_fail(error, "%s: byte %zu is 0, which no OBJ has", file, strlen(text));
    return count(text).vertices > 0 ? 0 : gjb_fail(error, "%s: vertices: 0, no line begins with v", file);
}
