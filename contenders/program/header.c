/* Reads a program's header field by field, from a table of fields. */
#include "contenders/program/header.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "core/json_file.h"
#include "core/query.h"
#include "core/spelling.h"
#include "core/types.h"

/* What a field's value is. */
typedef enum field_type {
    PROTOCOL,
    FORM,
    TEXT,
    DIMS,
    PRECISIONS,
    KINDS,
    QUERIES,
    ONE_QUERY, /* true or false: the bit of the one query that it is about */
    LIMIT,
    NUMBER,
    TAU
} field_type;

typedef struct field {
    const char *name;
    field_type type;
    int needed;
    size_t at;        /* in the row */
    uint32_t queries; /* that it may name, or is about */
} field;

#define AT(member) offsetof(gjb_contender, member)
#define ALL ((1u << GJB_QUERIES) - 1)
static const field fields[] = {
    {"gjkbench", PROTOCOL, 1, 0, 0},
    {"form", FORM, 1, 0, 0},
    {"name", TEXT, 1, AT(name), 0},
    {"version", TEXT, 1, AT(version), 0},
    {"licence", TEXT, 1, AT(licence), 0},
    {"note", TEXT, 0, AT(note), 0},
    {"variant_of", TEXT, 0, AT(variant_of), 0},
    {"dims", DIMS, 1, AT(dims), 0},
    {"kinds", KINDS, 1, AT(kinds), 0},
    {"queries", QUERIES, 1, AT(queries), ALL},
    {"precisions", PRECISIONS, 1, AT(precisions), 0},
    {"max_vertices", LIMIT, 0, AT(max_vertices), 0},
    {"does_more", QUERIES, 0, AT(does_more), ALL},
    {"no_normal", QUERIES, 0, AT(no_normal), ALL},
    {"no_points", QUERIES, 0, AT(no_points), ALL},
    {"within", QUERIES, 0, AT(within), 1u << GJB_INTERSECT | 1u << GJB_DISTANCE},
    {"partial", ONE_QUERY, 0, AT(partial), 1u << GJB_MANIFOLD},
    {"touching_only", ONE_QUERY, 0, AT(touching_only), 1u << GJB_MANIFOLD},
    {"leaving", ONE_QUERY, 0, AT(leaving), 1u << GJB_TOI},
    {"tau", TAU, 0, AT(tau), ALL},
    {"tau_relative", TAU, 0, AT(tau_relative), ALL},
    {"skin", NUMBER, 0, AT(skin), 0},
    {"tau_time", NUMBER, 0, AT(tau_time), 0},
};
enum { FIELDS = sizeof fields / sizeof fields[0], NAMES_MOST = 32 };

/* --- sets of names ------------------------------------------------------------- */

static const char *precision_name(unsigned p)
{
    return p < GJB_PRECISIONS ? gjb_precision_name((gjb_precision)p) : NULL;
}

static const char *kind_name(unsigned k)
{
    return k < GJB_KINDS ? gjb_kind_name((gjb_kind)k) : NULL;
}

static const char *query_name(unsigned q)
{
    return q < GJB_QUERIES ? gjb_queries[q].name : NULL;
}

/* Shapes that people have a name for, and that are a kind with a radius. */
static const struct {
    const char *name, *kind, *about;
} composed[] = {{"circle", "point", "a circle is a point with a radius"},
                {"sphere", "point", "a sphere is a point with a radius"},
                {"ball", "point", "a ball is a point with a radius"},
                {"capsule", "segment", "a capsule is a segment with a radius"}};

/* The bit of `name`, or 0 with `error`. */
static uint32_t bit_of(const json_t *name, const char *where, const char *(*name_of)(unsigned), uint32_t may,
                       gjb_error *error)
{
    const char *names[NAMES_MOST], *given = json_string_value(name);
    char words[GJB_JSON_WORDS];
    size_t count = 0;
    for (unsigned i = 0; name_of(i) != NULL; i++)
        if (may >> i & 1) {
            if (given != NULL && strcmp(given, name_of(i)) == 0)
                return 1u << i;
            names[count++] = name_of(i);
        }
    const char *near = given != NULL ? gjb_nearest_name(given, names, count) : NULL;
    gjb_json_words(name, words);
    for (size_t i = 0; given != NULL && i < sizeof composed / sizeof *composed; i++)
        if (strcmp(given, composed[i].name) == 0) {
            gjb_fail(error, "%s: %s: name \"%s\": %s", where, words, composed[i].kind, composed[i].about);
            return 0;
        }
    gjb_fail(error, "%s: %s: %s%s%s", where, words,
             near ? "did you mean '" : "not one of those that there are", near ? near : "", near ? "'?" : "");
    return 0;
}

static int names_of(const json_t *value, const char *field_name, const char *(*name_of)(unsigned),
                    uint32_t may, uint32_t *bits, gjb_error *error)
{
    char where[64];
    for (size_t i = 0; i < json_array_size(value); i++) {
        snprintf(where, sizeof where, "%s[%zu]", field_name, i);
        const uint32_t bit = bit_of(json_array_get(value, i), where, name_of, may, error);
        if (bit == 0)
            return -1;
        *bits |= bit;
    }
    return json_is_array(value) ? 0 : gjb_fail(error, "%s: not a list", field_name);
}

static int dims_of(const json_t *value, uint32_t *bits, gjb_error *error)
{
    char words[GJB_JSON_WORDS];
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_int_t dim = json_integer_value(json_array_get(value, i));
        if (dim != 2 && dim != 3)
            return gjb_fail(error, "dims[%zu]: %s: 2 or 3", i,
                            gjb_json_words(json_array_get(value, i), words));
        *bits |= 1u << dim;
    }
    return json_is_array(value) ? 0 : gjb_fail(error, "dims: not a list");
}

/* --- other values -------------------------------------------------------------- */

static int protocol_of(const json_t *value, gjb_error *error)
{
    char words[GJB_JSON_WORDS];
    if (json_is_integer(value) && json_integer_value(value) == GJB_PROGRAM_PROTOCOL)
        return 0;
    return gjb_fail(error, "gjkbench: %s: this program speaks version %d of the protocol",
                    gjb_json_words(value, words), GJB_PROGRAM_PROTOCOL);
}

static int form_of(const json_t *value, const gjb_form **form, gjb_error *error)
{
    static const gjb_form *const forms[] = {&gjb_form_binary, &gjb_form_json};
    const char *name = json_string_value(value);
    char words[GJB_JSON_WORDS];
    for (size_t i = 0; i < sizeof forms / sizeof forms[0] && name != NULL; i++)
        if (strcmp(name, forms[i]->name) == 0) {
            *form = forms[i];
            return 0;
        }
    return gjb_fail(error, "form: %s: binary or json", gjb_json_words(value, words));
}

static int text_of(const json_t *value, const char *name, const char **text, gjb_error *error)
{
    const char *given = json_string_value(value);
    char *copy = given != NULL ? strdup(given) : NULL, words[GJB_JSON_WORDS];
    if (copy == NULL)
        return gjb_fail(error, "%s: %s: not a text", name, gjb_json_words(value, words));
    gjb_text_clean(copy);
    *text = copy;
    return 0;
}

static int number_of(const json_t *value, const char *name, double *number, gjb_error *error)
{
    char words[GJB_JSON_WORDS];
    *number = json_number_value(value);
    return json_is_number(value) && *number >= 0 ? 0
                                                 : gjb_fail(error, "%s: %s: a number of at least 0 is wanted",
                                                            name, gjb_json_words(value, words));
}

static int limit_of(const json_t *value, uint32_t *limit, gjb_error *error)
{
    char words[GJB_JSON_WORDS];
    const json_int_t given = json_integer_value(value);
    if (given < 1)
        return gjb_fail(error, "max_vertices: %s: a whole number of at least 1 is wanted",
                        gjb_json_words(value, words));
    *limit = given < GJB_NO_VERTEX_LIMIT ? (uint32_t)given : GJB_NO_VERTEX_LIMIT;
    return 0;
}

/* A number is that of every query. */
static int tau_of(const json_t *value, const char *field, double tau[GJB_QUERY_ROOM], gjb_error *error)
{
    const char *query;
    json_t *number;
    char where[64];
    for (int q = 0; q < GJB_QUERIES && !json_is_object(value); q++)
        if (number_of(value, field, &tau[q], error) != 0)
            return -1;
    json_object_foreach((json_t *)value, query, number) {
        json_t *name = json_string(query);
        const uint32_t bit = bit_of(name, field, query_name, ALL, error);
        json_decref(name);
        snprintf(where, sizeof where, "%s.%s", field, query);
        for (int q = 0; q < GJB_QUERIES; q++)
            if ((bit >> q & 1) && number_of(number, where, &tau[q], error) != 0)
                return -1;
        if (bit == 0)
            return -1;
    }
    return 0;
}

static int one_query_of(const json_t *value, const field *f, uint32_t *bits, gjb_error *error)
{
    char words[GJB_JSON_WORDS];
    *bits = json_is_true(value) ? f->queries : 0;
    return json_is_boolean(value)
               ? 0
               : gjb_fail(error, "%s: %s: true or false", f->name, gjb_json_words(value, words));
}

/* --- all of it ----------------------------------------------------------------- */

static int take_field(const field *f, const json_t *value, gjb_contender *row, const gjb_form **form,
                      gjb_error *error)
{
    void *to = (char *)row + f->at;
    switch (f->type) {
    case PROTOCOL:
        return protocol_of(value, error);
    case FORM:
        return form_of(value, form, error);
    case TEXT:
        return text_of(value, f->name, to, error);
    case DIMS:
        return dims_of(value, to, error);
    case PRECISIONS:
        return names_of(value, f->name, precision_name, ~0u, to, error);
    case KINDS:
        return names_of(value, f->name, kind_name, ~0u, to, error);
    case QUERIES:
        return names_of(value, f->name, query_name, f->queries, to, error);
    case ONE_QUERY:
        return one_query_of(value, f, to, error);
    case LIMIT:
        return limit_of(value, to, error);
    case NUMBER:
        return number_of(value, f->name, to, error);
    case TAU:
        return tau_of(value, f->name, to, error);
    }
    return -1;
}

static int refuse_unknown(const json_t *header, gjb_error *error)
{
    const char *names[FIELDS], *key;
    json_t *value;
    for (size_t i = 0; i < FIELDS; i++)
        names[i] = fields[i].name;
    json_object_foreach((json_t *)header, key, value) {
        size_t i = 0;
        while (i < FIELDS && strcmp(key, names[i]) != 0)
            i++;
        const char *near = i < FIELDS ? key : gjb_nearest_name(key, names, FIELDS);
        if (i == FIELDS)
            return gjb_fail(error, "%.40s: unknown field%s%s%s", key, near ? "; did you mean '" : "",
                            near ? near : "", near ? "'?" : "");
    }
    return 0;
}

int gjb_program_header_read(const char *line, size_t size, gjb_contender *row, const gjb_form **form,
                            gjb_error *error)
{
    json_t *header = json_loadb(line, size, JSON_REJECT_DUPLICATES, NULL);
    char start[48];
    snprintf(start, sizeof start, "%.*s", (int)size - 1, line); /* without the end of the line */
    if (!json_is_object(header)) {
        json_decref(header);
        return gjb_fail(error, "its first line is not a header, an object of JSON, but '%s'", start);
    }
    *row = (gjb_contender){.abi_version = GJB_CONTENDER_ABI,
                           .struct_size = sizeof(gjb_contender),
                           .max_vertices = GJB_NO_VERTEX_LIMIT};
    gjb_error inner = {""};
    int failed = protocol_of(json_object_get(header, "gjkbench"), &inner) || refuse_unknown(header, &inner);
    for (size_t i = 0; i < FIELDS && !failed; i++) {
        const json_t *value = json_object_get(header, fields[i].name);
        if (value == NULL && fields[i].needed)
            failed = gjb_fail(&inner, "%s: missing", fields[i].name);
        else if (value != NULL)
            failed = take_field(&fields[i], value, row, form, &inner);
    }
    json_decref(header);
    for (size_t i = 0; i < FIELDS && failed; i++)
        if (fields[i].type == TEXT)
            free(*(char **)((char *)row + fields[i].at));
    row->note = row->note != NULL ? row->note : "";
    return failed ? gjb_fail(error, "header: %s", inner.text) : 0;
}
