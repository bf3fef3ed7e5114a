/* Shared by the files that read meshes. */
#ifndef GJB_SCENES_MESH_MESH_PARTS_H
#define GJB_SCENES_MESH_MESH_PARTS_H

#include <stddef.h>

#include "scenes/mesh/mesh.h"

/* Where a run of corners and faces of one object ends. */
typedef struct gjb_mesh_span {
    uint64_t corner_end, word_end;
    uint32_t object; /* 0: before the first object; from 1 on: the object's number; GJB_MESH_LOOSE */
    uint32_t zero;
} gjb_mesh_span;
#define GJB_MESH_LOOSE UINT32_MAX /* points that no face of any object names, and the others once more */

/* Corners in the order of the file, faces as runs of corner indices. */
typedef struct gjb_mesh_soup {
    double (*corners)[3];
    size_t corner_count;
    uint32_t *faces; /* length of a face, then its corners */
    size_t face_words;
    gjb_mesh_span *spans; /* of formats with objects: corners of a face lie in its own span. Else none */
    size_t span_count;
} gjb_mesh_soup;

/* Fills a zeroed mesh, whose format and name stay as they are. 0, or -1 with `error`; the caller frees it in both
 * cases. */
int gjb_mesh_take(const gjb_mesh_soup *soup, const char *file, gjb_mesh *mesh, gjb_error *error);
/* Corner indices sorted by position, equal ones by index; whether two corners share one. */
void gjb_mesh_order(const gjb_mesh_soup *soup, uint32_t *order);
int gjb_mesh_same(const gjb_mesh_soup *soup, uint32_t a, uint32_t b);

typedef struct gjb_mesh_format {
    const char *name;
    const char *suffix; /* of file names, and assimp's hint */
    int (*is)(const char *text, size_t size); /* 1 if the content is of this format */
    /* Checks the counts that the file states against its size. `text` is
     * NUL-terminated. 0, or -1 with `error`. */
    int (*claims)(const char *text, size_t size, const char *file, gjb_error *error);
    /* How many objects the text begins, and the names of the first `most`. NULL: the format has none. */
    size_t (*objects)(const char *text, char (*names)[GJB_MESH_NAME], size_t most);
    /* Rewrites the text for assimp: takes a malloc'ed text and returns it or
     * another, NULL if out of memory. NULL: no change is needed. */
    char *(*clean)(char *text, size_t *size);
    /* Checks clean text for errors that assimp ignores. 0, or -1 with `error`; NULL: no check. */
    int (*check)(const char *text, const char *file, gjb_error *error);
    /* Reads it in place of assimp, as gjb_mesh_read. NULL: assimp does. */
    int (*read)(const char *text, size_t size, const char *file, gjb_mesh_soup *soup, gjb_error *error);
} gjb_mesh_format;

/* Takes away the byte order mark that some editors write before text. Returns the size. */
size_t gjb_mesh_unmark(char *text, size_t size);

/* The format of a file by its content. NULL with `error` if it has none, or
 * states counts that it cannot hold; its name then helps the error message. */
const gjb_mesh_format *gjb_mesh_recognise(const char *text, size_t size, const char *file, gjb_error *error);

/* Refuses a count, `value` as text, that a file of `size` bytes cannot hold: -1. */
int gjb_mesh_claims_more(const char *file, const char *field, const char *value, size_t size, gjb_error *error);
/* Past blank lines and those that begin with #; the beginning of the next line. */
const char *gjb_mesh_past_comments(const char *text);
const char *gjb_mesh_next_line(const char *at);

int gjb_obj_is(const char *text, size_t size);
int gjb_obj_claims(const char *text, size_t size, const char *file, gjb_error *error);
size_t gjb_obj_objects(const char *text, char (*names)[GJB_MESH_NAME], size_t most);
char *gjb_obj_clean(char *text, size_t *size);

int gjb_ply_is(const char *text, size_t size);
int gjb_ply_claims(const char *text, size_t size, const char *file, gjb_error *error);
int gjb_ply_read(const char *text, size_t size, const char *file, gjb_mesh_soup *soup, gjb_error *error);

/* Runs assimp in a child process, so that even its crashes become one line in `error`. 0, or -1; the
 * caller frees the soup's arrays in both cases. */
int gjb_mesh_read(const char *text, size_t size, const gjb_mesh_format *format, const char *file,
                  gjb_mesh_soup *soup, gjb_error *error);

#endif
