/* Reading certificates; the format is in docs/certificates.md. What a file may get wrong is refused here
 * only if it cannot be held: whether a certificate proves anything is the checker's to say. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/json_file.h"
#include "reference/certificate/certificate.h"
#include "scenes/hash.h"
#include "scenes/scene_json_parts.h"

static const char *const sides[3] = {"a", "b", NULL};

static int refuse_memory(const gjb_json_reader *r)
{
    return gjb_json_refuse(r, NULL, "out of memory");
}

/* Of `least` to `most` elements. */
static const json_t *array_of(const gjb_json_reader *r, const gjb_json_path *up, const json_t *object,
                              const char *key, size_t least, size_t most)
{
    const json_t *array = gjb_json_array(r, up, object, key);
    const size_t count = json_array_size(array);
    if (array != NULL && (count < least || count > most)) {
        gjb_json_refuse(r, KEY(up, key), "%zu given, wanted %zu to %zu", count, least, most);
        return NULL;
    }
    return array;
}

/* A vector of the pair's dimension; the rest of `v` is 0. */
static int read_vector(const gjb_json_reader *r, const gjb_json_path *where, const json_t *value, double v[3])
{
    v[2] = 0;
    return gjb_json_numbers(r, where, value, r->dim, v);
}

static int read_indices(const gjb_json_reader *r, const gjb_json_path *where, const json_t *array,
                        size_t size, uint32_t *indices)
{
    if (!json_is_array(array) || json_array_size(array) != size)
        return json_is_array(array)
                   ? gjb_json_refuse(r, where, "%zu values, wanted %zu indices", json_array_size(array), size)
                   : gjb_json_refuse_type(r, where, array, "an array of indices");
    for (size_t k = 0; k < size; k++)
        if (gjb_json_index(r, INDEX(where, k), json_array_get(array, k), &indices[k]))
            return -1;
    return 0;
}

/* Rows of `stride` indices, of which `size` are in the file; the others are 0. */
static uint32_t *read_rows(const gjb_json_reader *r, const gjb_json_path *where, const json_t *array,
                           size_t size, size_t stride)
{
    const size_t count = json_array_size(array);
    uint32_t *rows = calloc(count, stride * sizeof *rows);
    if (rows == NULL) {
        refuse_memory(r);
        return NULL;
    }
    for (size_t k = 0; k < count; k++) {
        if (read_indices(r, INDEX(where, k), json_array_get(array, k), size, rows + stride * k)) {
            free(rows);
            return NULL;
        }
    }
    return rows;
}

/* ---- the claim ---- */

static int read_bound(const gjb_json_reader *r, const gjb_json_path *up, const json_t *claim, const char *key,
                      double *bound)
{
    const json_t *value = json_object_get(claim, key);
    return value != NULL ? gjb_json_number(r, KEY(up, key), value, bound) : 0;
}

static int read_relation(const gjb_json_reader *r, const gjb_json_path *up, const json_t *value, int *sign)
{
    const char *text = json_is_string(value) ? json_string_value(value) : "";
    if (value == NULL)
        return 0;
    *sign = !strcmp(text, "apart") ? 1 : !strcmp(text, "overlap") ? -1 : 0;
    return *sign ? 0 : gjb_json_refuse_type(r, KEY(up, "is"), value, "apart or overlap");
}

static int read_witness(const gjb_json_reader *r, const gjb_json_path *up, json_t *witness,
                        ref_certificate *c)
{
    static const char *const fields[] = {"a", "b", "off", NULL};
    const gjb_json_path *where = KEY(up, "witness");
    if (witness == NULL)
        return 0;
    c->has_witness = true;
    return gjb_json_object(r, where, witness, fields) ||
                   read_vector(r, KEY(where, "a"), json_object_get(witness, "a"), c->witness[0]) ||
                   read_vector(r, KEY(where, "b"), json_object_get(witness, "b"), c->witness[1]) ||
                   gjb_json_number(r, KEY(where, "off"), json_object_get(witness, "off"), &c->off)
               ? -1
               : 0;
}

static int read_claim(const gjb_json_reader *r, json_t *claim, ref_certificate *c)
{
    static const char *const fields[] = {"lo", "hi", "is", "witness", NULL};
    const gjb_json_path *where = KEY(NULL, "claim");
    return gjb_json_object(r, where, claim, fields) || read_bound(r, where, claim, "lo", &c->lo) ||
                   read_bound(r, where, claim, "hi", &c->hi) ||
                   read_relation(r, where, json_object_get(claim, "is"), &c->sign) ||
                   read_witness(r, where, json_object_get(claim, "witness"), c)
               ? -1
               : 0;
}

/* ---- the proof ---- */

static int read_inner(const gjb_json_reader *r, const gjb_json_path *up, json_t *inner, ref_certificate *c)
{
    const gjb_json_path *where = KEY(up, "inner");
    if (inner == NULL)
        return 0;
    if (gjb_json_object(r, where, inner, sides))
        return -1;
    for (int s = 0; s < 2; s++) {
        if (json_object_get(inner, sides[s]) == NULL)
            continue;
        const json_t *array = array_of(r, where, inner, sides[s], 1, REF_CERTIFICATE_POINTS);
        c->inner[s] = array != NULL ? calloc(json_array_size(array), sizeof *c->inner[s]) : NULL;
        if (c->inner[s] == NULL)
            return array != NULL ? refuse_memory(r) : -1;
        for (size_t k = 0; k < json_array_size(array); k++)
            if (read_vector(r, INDEX(KEY(where, sides[s]), k), json_array_get(array, k), c->inner[s][k]))
                return -1;
        c->inner_count[s] = (uint32_t)json_array_size(array);
    }
    return 0;
}

static int read_terms(const gjb_json_reader *r, const gjb_json_path *where, json_t *object, ref_terms *terms)
{
    static const char *const fields[] = {"index", "weight", NULL};
    if (gjb_json_object(r, where, object, fields))
        return -1;
    const json_t *index = array_of(r, where, object, "index", 1, REF_CERTIFICATE_POINTS);
    const size_t count = json_array_size(index);
    if (index == NULL)
        return -1;
    terms->index = calloc(count, sizeof *terms->index);
    terms->weight = calloc(count, sizeof *terms->weight);
    if (terms->index == NULL || terms->weight == NULL)
        return refuse_memory(r);
    terms->count = (uint32_t)count;
    return read_indices(r, KEY(where, "index"), index, count, terms->index) ||
                   gjb_json_numbers(r, KEY(where, "weight"), json_object_get(object, "weight"), count,
                                    terms->weight)
               ? -1
               : 0;
}

static int read_points(const gjb_json_reader *r, const gjb_json_path *up, json_t *points, ref_certificate *c)
{
    const gjb_json_path *where = KEY(up, "points");
    if (points == NULL)
        return 0;
    if (gjb_json_object(r, where, points, sides))
        return -1;
    for (int s = 0; s < 2; s++) { /* a half-space has none */
        json_t *given = json_object_get(points, sides[s]);
        if ((given != NULL || !c->has_plane) && read_terms(r, KEY(where, sides[s]), given, &c->points[s]))
            return -1;
    }
    return 0;
}

static int read_simplex(const gjb_json_reader *r, const gjb_json_path *up, const json_t *proof,
                        ref_certificate *c)
{
    if (json_object_get(proof, "simplex") == NULL)
        return 0;
    const json_t *array = array_of(r, up, proof, "simplex", 1, r->dim + 1);
    for (size_t k = 0; k < json_array_size(array); k++)
        if (read_indices(r, INDEX(KEY(up, "simplex"), k), json_array_get(array, k), 2, c->simplex[k]))
            return -1;
    c->simplex_count = (uint32_t)json_array_size(array);
    return array != NULL ? 0 : -1;
}

static int read_polytope(const gjb_json_reader *r, const gjb_json_path *up, json_t *polytope,
                         ref_certificate *c)
{
    static const char *const fields[] = {"vertices", "faces", NULL};
    const gjb_json_path *where = KEY(up, "polytope");
    if (polytope == NULL)
        return 0;
    if (gjb_json_object(r, where, polytope, fields))
        return -1;
    const json_t *vertices = array_of(r, where, polytope, "vertices", 1, REF_CERTIFICATE_VERTICES);
    const json_t *faces =
        vertices != NULL ? array_of(r, where, polytope, "faces", 1, REF_CERTIFICATE_FACES) : NULL;
    if (faces == NULL)
        return -1;
    c->vertices = (uint32_t(*)[2])read_rows(r, KEY(where, "vertices"), vertices, 2, 2);
    c->faces =
        c->vertices != NULL ? (uint32_t(*)[3])read_rows(r, KEY(where, "faces"), faces, r->dim, 3) : NULL;
    c->vertex_count = c->vertices != NULL ? (uint32_t)json_array_size(vertices) : 0;
    c->face_count = c->faces != NULL ? (uint32_t)json_array_size(faces) : 0;
    return c->faces != NULL ? 0 : -1;
}

static int read_proof(const gjb_json_reader *r, json_t *proof, ref_certificate *c)
{
    static const char *const fields[] = {"direction", "plane", "inner", "points", "simplex", "polytope", NULL};
    const gjb_json_path *where = KEY(NULL, "proof");
    if (gjb_json_object(r, where, proof, fields))
        return -1;
    const json_t *direction = json_object_get(proof, "direction");
    c->has_direction = direction != NULL;
    if (direction != NULL && read_vector(r, KEY(where, "direction"), direction, c->direction))
        return -1;
    const json_t *plane = json_object_get(proof, "plane");
    c->has_plane = plane != NULL;
    if (plane != NULL && !json_is_true(plane))
        return gjb_json_refuse_type(r, KEY(where, "plane"), plane, "true");
    return read_inner(r, where, json_object_get(proof, "inner"), c) ||
                   read_points(r, where, json_object_get(proof, "points"), c) ||
                   read_simplex(r, where, proof, c) ||
                   read_polytope(r, where, json_object_get(proof, "polytope"), c)
               ? -1
               : 0;
}

/* ---- the pair ---- */

/* A scene that stands in the certificate. */
static gjb_scene *held_pair(const gjb_json_reader *r, const json_t *pair)
{
    char name[512];
    char *text = json_dumps(pair, JSON_REAL_PRECISION(17));
    if (text == NULL) {
        refuse_memory(r);
        return NULL;
    }
    snprintf(name, sizeof name, "%.480s: pair", r->file);
    gjb_scene *scene = gjb_scene_parse(text, strlen(text), name, r->error);
    free(text);
    return scene;
}

/* One that a file next to it holds: the very same, by its hash. */
static gjb_scene *named_pair(const gjb_json_reader *r, json_t *pair)
{
    static const char *const fields[] = {"file", "hash", NULL};
    const gjb_json_path *where = KEY(NULL, "pair");
    const char *slash = strrchr(r->file, '/');
    char name[256] = "", hash[20] = "", found[20], path[4096];
    if (gjb_json_object(r, where, pair, fields) ||
        gjb_json_text(r, KEY(where, "file"), json_object_get(pair, "file"), name, sizeof name) ||
        gjb_json_text(r, KEY(where, "hash"), json_object_get(pair, "hash"), hash, sizeof hash))
        return NULL;
    if (strchr(name, '/') != NULL || strlen(name) != json_string_length(json_object_get(pair, "file"))) {
        gjb_json_refuse(r, KEY(where, "file"), "'%.60s', wanted a name in the same folder", name);
        return NULL;
    }
    const int length = slash != NULL ? (int)(slash - r->file) + 1 : 0;
    if ((size_t)snprintf(path, sizeof path, "%.*s%s", length, r->file, name) >= sizeof path) {
        gjb_json_refuse(r, KEY(where, "file"), "the path is too long");
        return NULL;
    }
    gjb_scene *scene = gjb_scene_load(path, r->error);
    if (scene == NULL)
        return NULL;
    snprintf(found, sizeof found, "%016" PRIx64, gjb_scene_hash(scene));
    if (strcmp(found, hash) != 0) {
        gjb_json_refuse(r, KEY(where, "hash"), "'%.20s', and %.200s has '%s'", hash, name, found);
        gjb_scene_free(scene);
        return NULL;
    }
    return scene;
}

static int read_pair(gjb_json_reader *r, json_t *pair, ref_certificate_file *file)
{
    if (!json_is_object(pair))
        return gjb_json_refuse_type(r, KEY(NULL, "pair"), pair,
                                    "a scene of one pair, or the file and hash of one");
    file->scene = json_object_get(pair, "file") != NULL ? named_pair(r, pair) : held_pair(r, pair);
    if (file->scene == NULL)
        return -1;
    if (file->scene->frame_count != 1 || file->scene->frames[0].pair_count != 1)
        return gjb_json_refuse(r, KEY(NULL, "pair"),
                               "%u frames and %" PRIu64 " pairs in the first, wanted one of one",
                               file->scene->frame_count, file->scene->frames[0].pair_count);
    r->dim = file->scene->shapes.dim;
    return 0;
}

static int read_root(gjb_json_reader *r, json_t *root, ref_certificate_file *file)
{
    static const char *const fields[] = {
        "gjkbench-certificate", "by", "about", "pair", "claim", "proof", NULL};
    if (gjb_json_object(r, NULL, root, fields))
        return -1;
    const json_t *version = json_object_get(root, "gjkbench-certificate");
    if (!json_is_number(version) || json_number_value(version) != 1)
        return gjb_json_refuse_type(r, KEY(NULL, "gjkbench-certificate"), version, "format version 1");
    return gjb_json_text(r, KEY(NULL, "by"), json_object_get(root, "by"), file->by, sizeof file->by) ||
                   gjb_json_text(r, KEY(NULL, "about"), json_object_get(root, "about"), file->about,
                                 sizeof file->about) ||
                   read_pair(r, json_object_get(root, "pair"), file) ||
                   read_claim(r, json_object_get(root, "claim"), &file->certificate) ||
                   read_proof(r, json_object_get(root, "proof"), &file->certificate)
               ? -1
               : 0;
}

int ref_certificate_parse(const void *bytes, size_t size, const char *name, ref_certificate_file *file,
                          gjb_error *error)
{
    json_error_t fault;
    gjb_json_reader r = {.file = name, .error = error, .precision = GJB_F64};
    *file = (ref_certificate_file){0};
    ref_certificate_open(&file->certificate);
    json_t *root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &fault);
    if (root == NULL)
        return gjb_fail(error, "%s:%d:%d: %s", name, fault.line, fault.column, fault.text);
    const int failed = read_root(&r, root, file);
    json_decref(root);
    if (failed && error)
        gjb_json_point(error, name, bytes, size);
    if (!failed) {
        gjb_text_clean(file->by);
        gjb_text_clean(file->about);
    }
    return failed;
}

int ref_certificate_load(const char *path, ref_certificate_file *file, gjb_error *error)
{
    size_t size;
    unsigned char *bytes = gjb_file_read(path, gjb_file_accept_text, &size, error);
    *file = (ref_certificate_file){0};
    ref_certificate_open(&file->certificate);
    if (bytes == NULL)
        return -1;
    const int failed =
        ref_certificate_parse(bytes, size, strcmp(path, "-") == 0 ? "standard input" : path, file, error);
    free(bytes);
    return failed;
}
