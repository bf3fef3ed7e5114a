/* Shared by the files that read meshes. */
#ifndef GJB_SCENES_MESH_MESH_PARTS_H
#define GJB_SCENES_MESH_MESH_PARTS_H

#include <stddef.h>

#include "scenes/mesh/mesh.h"

typedef struct gjb_mesh_format {
    const char *name;
    const char *suffix; /* of file names, and assimp's hint */
    int (*is)(const char *text, size_t size); /* 1 if the content is of this format */
    /* Checks the counts that the file states against its size. `text` is
     * NUL-terminated. 0, or -1 with `error`. */
    int (*claims)(const char *text, size_t size, const char *file, gjb_error *error);
    /* Rewrites the text for assimp: takes a malloc'ed text and returns it or
     * another, NULL if out of memory. NULL: no change is needed. */
    char *(*clean)(char *text, size_t *size);
    /* Checks clean text for errors that assimp ignores. 0, or -1 with `error`; NULL: no check. */
    int (*check)(const char *text, const char *file, gjb_error *error);
} gjb_mesh_format;

/* Takes away the byte order mark that some editors write before text. Returns the size. */
size_t gjb_mesh_unmark(char *text, size_t size);

/* The format of a file by its content. NULL with `error` if it has none, or
 * states counts that it cannot hold; its name then helps the error message. */
const gjb_mesh_format *gjb_mesh_recognise(const char *text, size_t size, const char *file, gjb_error *error);

/* Corners in the order of the file, faces as runs of corner indices. */
typedef struct gjb_mesh_soup {
    double (*corners)[3];
    size_t corner_count;
    uint32_t *faces; /* length of a face, then its corners */
    size_t face_words;
} gjb_mesh_soup;

/* Runs assimp in a child process, so that even its crashes become one line in `error`. 0, or -1; the
 * caller frees the soup's arrays in both cases. */
int gjb_mesh_read(const char *text, size_t size, const gjb_mesh_format *format, const char *file,
                  gjb_mesh_soup *soup, gjb_error *error);

#endif
