/* PLY, as text and binary: header, vertices and faces, each within what the file can hold. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/mesh/mesh_parts.h"

enum { ELEMENTS_MOST = 16, PROPERTIES_MOST = 64, WORD = 32 };

/* Numbers as binary files hold them. */
typedef enum number_type { NONE, INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64 } number_type;
static const struct {
    const char *name, *other; /* both spellings are in use */
    size_t size;
} types[] = {
    [INT8] = {"char", "int8", 1},     [UINT8] = {"uchar", "uint8", 1},     [INT16] = {"short", "int16", 2},
    [UINT16] = {"ushort", "uint16", 2}, [INT32] = {"int", "int32", 4},     [UINT32] = {"uint", "uint32", 4},
    [FLOAT32] = {"float", "float32", 4}, [FLOAT64] = {"double", "float64", 8},
};

typedef struct property {
    char name[WORD];
    number_type type, counts; /* `counts` is NONE unless it is a list */
} property;

typedef struct element {
    char name[WORD];
    uint64_t count;
    uint32_t property_count;
    property properties[PROPERTIES_MOST];
} element;

typedef enum encoding { ASCII, LITTLE, BIG } encoding;

typedef struct header {
    const char *file;
    encoding encoding;
    uint32_t element_count, line;
    element elements[ELEMENTS_MOST];
    size_t body; /* where it begins */
} header;

int gjb_ply_is(const char *text, size_t size)
{
    return size >= 4 && strncmp(text, "ply", 3) == 0 && (text[3] == '\n' || text[3] == '\r');
}

static number_type type_of(const char *name)
{
    for (number_type t = INT8; t <= FLOAT64; t++)
        if (strcmp(name, types[t].name) == 0 || strcmp(name, types[t].other) == 0)
            return t;
    return NONE;
}

static int refuse_line(const header *h, const char *line, const char *why, gjb_error *error)
{
    return gjb_fail(error, "%s:%u: %.60s: %s", h->file, h->line, line, why);
}

static int take_format(header *h, const char *line, gjb_error *error)
{
    static const char *const names[] = {
        [ASCII] = "ascii", [LITTLE] = "binary_little_endian", [BIG] = "binary_big_endian"};
    char name[WORD], version[WORD];
    if (sscanf(line, "format %31s %31s", name, version) == 2 && strcmp(version, "1.0") == 0) {
        for (encoding e = ASCII; e <= BIG; e++) {
            if (strcmp(name, names[e]) == 0) {
                h->encoding = e;
                return 0;
            }
        }
    }
    return refuse_line(h, line, "a format is ascii, binary_little_endian or binary_big_endian, and 1.0", error);
}

static int take_element(header *h, const char *line, gjb_error *error)
{
    char digits[WORD];
    if (h->element_count == ELEMENTS_MOST)
        return refuse_line(h, line, "more than 16 elements", error);
    element *e = &h->elements[h->element_count];
    memset(e, 0, sizeof *e);
    if (sscanf(line, "element %31s %31s", e->name, digits) != 2 || strspn(digits, "0123456789") != strlen(digits) ||
        strlen(digits) > 18)
        return refuse_line(h, line, "an element has a name and a count", error);
    for (uint32_t i = 0; i < h->element_count; i++)
        if (strcmp(h->elements[i].name, e->name) == 0)
            return refuse_line(h, line, "an element of that name is there already", error);
    e->count = strtoull(digits, NULL, 10);
    h->element_count++;
    return 0;
}

static int take_property(header *h, const char *line, gjb_error *error)
{
    char words[4][WORD];
    const int count = sscanf(line, "property %31s %31s %31s %31s", words[0], words[1], words[2], words[3]);
    if (h->element_count == 0)
        return refuse_line(h, line, "a property before any element", error);
    element *e = &h->elements[h->element_count - 1];
    if (e->property_count == PROPERTIES_MOST)
        return refuse_line(h, line, "more than 64 properties of an element", error);
    property *p = &e->properties[e->property_count];
    const int list = count > 0 && strcmp(words[0], "list") == 0;
    p->counts = list && count == 4 ? type_of(words[1]) : NONE;
    p->type = count == (list ? 4 : 2) ? type_of(words[list ? 2 : 0]) : NONE;
    if (p->type == NONE || (list && (p->counts == NONE || p->counts >= FLOAT32)))
        return refuse_line(h, line, "a property is 'property TYPE NAME' or 'property list TYPE TYPE NAME'", error);
    memcpy(p->name, words[list ? 3 : 1], WORD);
    e->property_count++;
    return 0;
}

/* A line of the header; `done` when it is the last. */
static int take_line(header *h, const char *line, int *done, gjb_error *error)
{
    static const struct {
        const char *word;
        int (*take)(header *h, const char *line, gjb_error *error); /* NULL: of no meaning here */
    } rows[] = {{"format", take_format}, {"element", take_element}, {"property", take_property}, {"comment", NULL},
                {"obj_info", NULL}, {"ply", NULL}};
    const size_t length = strcspn(line, " \t");
    *done = strcmp(line, "end_header") == 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].word) == length && strncmp(line, rows[i].word, length) == 0)
            return rows[i].take != NULL ? rows[i].take(h, line, error) : 0;
    return *done || *line == '\0' ? 0 : refuse_line(h, line, "no line of a header of PLY", error);
}

static int read_header(const char *text, size_t size, const char *file, header *h, gjb_error *error)
{
    memset(h, 0, sizeof *h);
    h->file = file;
    for (int done = 0; !done;) {
        char line[256];
        const char *at = text + h->body, *end = memchr(at, '\n', size - h->body);
        const size_t length = end != NULL ? (size_t)(end - at) : 0;
        h->line++;
        if (end == NULL)
            return gjb_fail(error, "%s: header: no line says end_header", file);
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line), at);
        line[strcspn(line, "\r")] = '\0';
        h->body += length + 1;
        if (take_line(h, line, &done, error) != 0)
            return -1;
    }
    return 0;
}

/* Fewest bytes of a row: of a list, those of its count. */
static size_t least_row(const header *h, const element *e)
{
    size_t least = 0;
    for (uint32_t i = 0; i < e->property_count; i++) {
        const property *p = &e->properties[i];
        least += h->encoding == ASCII ? 2 : types[p->counts != NONE ? p->counts : p->type].size;
    }
    return least;
}

static const property *property_of(const element *e, const char *name)
{
    for (uint32_t i = 0; i < e->property_count; i++)
        if (strcmp(e->properties[i].name, name) == 0)
            return &e->properties[i];
    return NULL;
}

static const element *element_of(const header *h, const char *name)
{
    for (uint32_t i = 0; i < h->element_count; i++)
        if (strcmp(h->elements[i].name, name) == 0)
            return &h->elements[i];
    return NULL;
}

static int check_claims(const header *h, size_t size, gjb_error *error)
{
    const element *vertices = element_of(h, "vertex");
    if (vertices == NULL)
        return gjb_fail(error, "%s: vertices: the header has no element 'vertex'", h->file);
    for (const char *axis = "xyz"; *axis != '\0'; axis++) {
        const property *p = property_of(vertices, (const char[2]){*axis, '\0'});
        if (p == NULL || p->counts != NONE)
            return gjb_fail(error, "%s: vertices: the header has no number '%c' of them", h->file, *axis);
    }
    size_t left = size - h->body + 1; /* a last line of text need not end */
    for (uint32_t i = 0; i < h->element_count; i++) {
        const element *e = &h->elements[i];
        const size_t least = least_row(h, e);
        char value[24];
        snprintf(value, sizeof value, "%llu", (unsigned long long)e->count);
        if (least == 0 && e->count > 0)
            return gjb_fail(error, "%s: element '%s': %s without a property", h->file, e->name, value);
        if (e->count > 0 && e->count > left / least)
            return gjb_mesh_claims_more(h->file, e == vertices ? "vertices" : e->name, value, size, error);
        left -= e->count * least;
    }
    return 0;
}

int gjb_ply_claims(const char *text, size_t size, const char *file, gjb_error *error)
{
    header h;
    if (!gjb_ply_is(text, size))
        return gjb_fail(error, "%s: begins with no ply", file);
    return read_header(text, size, file, &h, error) != 0 ? -1 : check_claims(&h, size, error);
}

/* Where the numbers of the body are read. */
typedef struct cursor {
    const header *header;
    const char *at, *end;
} cursor;

static int next_text(cursor *c, double *value)
{
    char *end;
    while (c->at < c->end && isspace((unsigned char)*c->at))
        c->at++;
    if (c->at == c->end)
        return -1;
    *value = strtod(c->at, &end);
    if (end == c->at || (*end != '\0' && !isspace((unsigned char)*end)))
        return -1;
    c->at = end;
    return 0;
}

/* 0, or -1 if the file ends, or text holds no number. */
static int next(cursor *c, number_type type, double *value)
{
    if (c->header->encoding == ASCII)
        return next_text(c, value);
    const size_t size = types[type].size;
    if ((size_t)(c->end - c->at) < size)
        return -1;
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        const size_t place = c->header->encoding == LITTLE ? i : size - 1 - i;
        bits |= (uint64_t)(unsigned char)c->at[i] << 8 * place;
    }
    c->at += size;
    const uint32_t half = (uint32_t)bits;
    float single;
    memcpy(&single, &half, sizeof single);
    switch (type) {
    case INT8: *value = (int8_t)bits; break;
    case INT16: *value = (int16_t)bits; break;
    case INT32: *value = (int32_t)half; break;
    case FLOAT32: *value = (double)single; break;
    case FLOAT64: memcpy(value, &bits, sizeof *value); break;
    default: *value = (double)bits;
    }
    return 0;
}

/* The length of a list: no more than the rest of the file holds. */
static int next_length(cursor *c, const property *p, uint32_t *length)
{
    double value;
    if (next(c, p->counts, &value) != 0)
        return -1;
    const size_t least = c->header->encoding == ASCII ? 2 : types[p->type].size;
    if (!(value >= 0) || value > (double)((size_t)(c->end - c->at) / least + 1) || value != (double)(uint32_t)value)
        return -1;
    *length = (uint32_t)value;
    return 0;
}

static int read_vertex(cursor *c, const element *e, double corner[3])
{
    for (uint32_t i = 0; i < e->property_count; i++) {
        const property *p = &e->properties[i];
        uint32_t length = 1;
        double value;
        if (p->counts != NONE && next_length(c, p, &length) != 0)
            return -1;
        for (uint32_t k = 0; k < length; k++)
            if (next(c, p->type, &value) != 0)
                return -1;
        if (p->counts == NONE && p->name[1] == '\0' && p->name[0] >= 'x' && p->name[0] <= 'z')
            corner[p->name[0] - 'x'] = value;
    }
    return 0;
}

/* Room for `more` words behind those of the soup. */
static int grow_faces(gjb_mesh_soup *soup, size_t *room, size_t more)
{
    if (soup->face_words + more <= *room)
        return 0;
    *room = 2 * (soup->face_words + more);
    uint32_t *grown = realloc(soup->faces, *room * sizeof *grown);
    soup->faces = grown != NULL ? grown : soup->faces;
    return grown != NULL ? 0 : -1;
}

typedef struct faces {
    gjb_mesh_soup *soup;
    size_t room;
    uint64_t vertices; /* of the file */
} faces;

static int read_corners(cursor *c, const property *p, uint32_t length, uint64_t row, faces *f, gjb_error *error)
{
    const char *file = c->header->file;
    if (grow_faces(f->soup, &f->room, (size_t)length + 1) != 0)
        return gjb_fail(error, "%s: out of memory for %zu corners", file, f->soup->face_words);
    f->soup->faces[f->soup->face_words++] = length;
    for (uint32_t k = 0; k < length; k++) {
        double value;
        if (next(c, p->type, &value) != 0)
            return gjb_fail(error, "%s: faces[%llu]: claims %u corners, and names %u", file, (unsigned long long)row,
                            length, k);
        if (!(value >= 0) || value >= (double)f->vertices || value != (double)(uint32_t)value)
            return gjb_fail(error, "%s: faces[%llu]: vertex %g, there are %llu", file, (unsigned long long)row, value,
                            (unsigned long long)f->vertices);
        f->soup->faces[f->soup->face_words++] = (uint32_t)value;
    }
    return 0;
}

static int is_corners(const property *p)
{
    return p->counts != NONE && (strcmp(p->name, "vertex_indices") == 0 || strcmp(p->name, "vertex_index") == 0);
}

static int read_face(cursor *c, const element *e, uint64_t row, faces *f, gjb_error *error)
{
    for (uint32_t i = 0; i < e->property_count; i++) {
        const property *p = &e->properties[i];
        uint32_t length = 1;
        double value;
        int cut = p->counts != NONE && next_length(c, p, &length) != 0;
        if (!cut && is_corners(p)) {
            if (read_corners(c, p, length, row, f, error) != 0)
                return -1;
            continue;
        }
        for (uint32_t k = 0; k < length && !cut; k++)
            cut = next(c, p->type, &value) != 0;
        if (cut)
            return gjb_fail(error, "%s: faces[%llu].%s: no number, or more than the file holds", c->header->file,
                            (unsigned long long)row, p->name);
    }
    return 0;
}

/* Any row but a face, of which vertices are kept. */
static int read_row(cursor *c, const element *e, uint64_t row, gjb_mesh_soup *soup, gjb_error *error)
{
    const int is_vertex = strcmp(e->name, "vertex") == 0;
    double ignored[3];
    if (read_vertex(c, e, is_vertex ? soup->corners[row] : ignored) == 0)
        return 0;
    return gjb_fail(error, "%s: %s[%llu]: no number, or the file ends", c->header->file,
                    is_vertex ? "vertices" : e->name, (unsigned long long)row);
}

int gjb_ply_read(const char *text, size_t size, const char *file, gjb_mesh_soup *soup, gjb_error *error)
{
    header h;
    if (read_header(text, size, file, &h, error) != 0)
        return -1;
    memset(soup, 0, sizeof *soup);
    soup->corner_count = (size_t)element_of(&h, "vertex")->count;
    soup->corners = calloc(soup->corner_count + 1, sizeof *soup->corners);
    if (soup->corners == NULL)
        return gjb_fail(error, "%s: out of memory for %zu vertices", file, soup->corner_count);
    cursor c = {&h, text + h.body, text + size};
    faces f = {soup, 0, soup->corner_count};
    for (uint32_t i = 0; i < h.element_count; i++) {
        const element *e = &h.elements[i];
        const int is_face = strcmp(e->name, "face") == 0;
        for (uint64_t row = 0; row < e->count; row++)
            if ((is_face ? read_face(&c, e, row, &f, error) : read_row(&c, e, row, soup, error)) != 0)
                return -1;
    }
    return 0;
}
