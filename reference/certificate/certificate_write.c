/* Writing certificates: a line for each part, numbers in the digits that read back to the same bits. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "reference/certificate/certificate.h"

static const size_t exact = JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY;

static json_t *numbers(const double *v, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t k = 0; k < count; k++)
        json_array_append_new(array, json_real(v[k]));
    return array;
}

static json_t *indices(const uint32_t *v, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t k = 0; k < count; k++)
        json_array_append_new(array, json_integer(v[k]));
    return array;
}

static json_t *claim_of(const ref_certificate *c, uint32_t dim)
{
    json_t *claim = json_object();
    if (isfinite(c->lo))
        json_object_set_new(claim, "lo", json_real(c->lo));
    if (isfinite(c->hi))
        json_object_set_new(claim, "hi", json_real(c->hi));
    if (c->sign)
        json_object_set_new(claim, "is", json_string(c->sign > 0 ? "apart" : "overlap"));
    if (c->has_witness)
        json_object_set_new(claim, "witness",
                            json_pack("{so so sf}", "a", numbers(c->witness[0], dim), "b",
                                      numbers(c->witness[1], dim), "off", c->off));
    return claim;
}

static json_t *inner_of(const ref_certificate *c, uint32_t dim)
{
    static const char *const sides[2] = {"a", "b"};
    json_t *inner = json_object();
    for (int s = 0; s < 2; s++) {
        json_t *array = json_array();
        for (uint32_t k = 0; k < c->inner_count[s]; k++)
            json_array_append_new(array, numbers(c->inner[s][k], dim));
        if (c->inner_count[s])
            json_object_set(inner, sides[s], array);
        json_decref(array);
    }
    return inner;
}

static json_t *terms_of(const ref_terms *terms)
{
    return json_pack("{so so}", "index", indices(terms->index, terms->count), "weight",
                     numbers(terms->weight, terms->count));
}

static json_t *points_of(const ref_certificate *c)
{
    json_t *points = json_object();
    for (int s = 0; s < 2; s++)
        if (c->points[s].count)
            json_object_set_new(points, s ? "b" : "a", terms_of(&c->points[s]));
    return points;
}

static json_t *rows_of(const uint32_t *rows, uint32_t count, uint32_t size, uint32_t stride)
{
    json_t *array = json_array();
    for (uint32_t k = 0; k < count; k++)
        json_array_append_new(array, indices(rows + (size_t)stride * k, size));
    return array;
}

static json_t *proof_of(const ref_certificate *c, uint32_t dim)
{
    json_t *proof = json_object();
    if (c->has_direction)
        json_object_set_new(proof, "direction", numbers(c->direction, dim));
    if (c->has_plane)
        json_object_set_new(proof, "plane", json_true());
    if (c->inner_count[0] || c->inner_count[1])
        json_object_set_new(proof, "inner", inner_of(c, dim));
    if (c->points[0].count || c->points[1].count)
        json_object_set_new(proof, "points", points_of(c));
    if (c->simplex_count)
        json_object_set_new(proof, "simplex", rows_of(c->simplex[0], c->simplex_count, 2, 2));
    if (c->face_count)
        json_object_set_new(proof, "polytope",
                            json_pack("{so so}", "vertices", rows_of(c->vertices[0], c->vertex_count, 2, 2),
                                      "faces", rows_of(c->faces[0], c->face_count, dim, 3)));
    return proof;
}

static void write_text(FILE *out, const char *key, const char *text)
{
    json_t *string = json_string(text);
    if (text[0] != '\0' && string != NULL) {
        fprintf(out, "  \"%s\": ", key);
        json_dumpf(string, out, JSON_ENCODE_ANY);
        fputs(",\n", out);
    }
    json_decref(string);
}

/* An object, a line for each member. */
static void write_members(FILE *out, const char *key, json_t *object, const char *end)
{
    const char *name, *before = "\n";
    json_t *value;
    fprintf(out, "  \"%s\": {", key);
    json_object_foreach(object, name, value) {
        fprintf(out, "%s    \"%s\": ", before, name);
        json_dumpf(value, out, exact);
        before = ",\n";
    }
    fprintf(out, "%s}%s\n", before[0] == ',' ? "\n  " : "", end);
    json_decref(object);
}

static void write_certificate(FILE *out, const void *context)
{
    const ref_certificate_file *file = context;
    const uint32_t dim = file->scene->shapes.dim;
    fputs("{\n  \"gjkbench-certificate\": 1,\n", out);
    write_text(out, "by", file->by);
    write_text(out, "about", file->about);
    char *text = gjb_scene_text(file->scene);
    size_t length = text != NULL ? strlen(text) : 0;
    while (length > 0 && text[length - 1] == '\n')
        length--;
    fprintf(out, "  \"pair\": %.*s,\n", (int)length, text != NULL ? text : "");
    free(text);
    write_members(out, "claim", claim_of(&file->certificate, dim), ",");
    write_members(out, "proof", proof_of(&file->certificate, dim), "");
    fputs("}\n", out);
}

char *ref_certificate_text(const ref_certificate_file *file)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (stream != NULL) {
        write_certificate(stream, file);
        if (fclose(stream) != 0) {
            free(text);
            text = NULL;
        }
    }
    return text;
}

int ref_certificate_save(const ref_certificate_file *file, const char *path, gjb_error *error)
{
    return gjb_file_write(path, write_certificate, file, error);
}
