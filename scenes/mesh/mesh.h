/* Meshes from files, for the hulls of their points. */
#ifndef GJB_SCENES_MESH_MESH_H
#define GJB_SCENES_MESH_MESH_H

#include <stdint.h>

#include "core/error.h"

/* Owns its points; free with gjb_mesh_free. In the frame and units of the file. */
typedef struct gjb_mesh {
    const char *format;  /* "OBJ", "OFF" or "STL" */
    double (*points)[3]; /* distinct, finite, in the order of their first appearance */
    uint32_t point_count;
    uint32_t face_count;    /* of three corners or more */
    uint32_t open_edges;    /* of only one face; 0 if the mesh is closed */
    uint32_t crowded_edges; /* between more than two faces: the mesh is not manifold */
} gjb_mesh;

/* 1 when this build can read meshes. */
int gjb_mesh_supported(void);

/* Reads an OBJ, OFF or STL file ("-" is standard input, recognised by
 * content) through assimp, which returns single precision: coordinates are
 * rounded to that. Corners that share a position are one point, whatever their
 * texture or normal, and points that no face names are points too. A face that
 * names a vertex that is not there is an error. A file of more than 256 MiB is refused, and so is one that
 * claims more vertices or faces than its bytes can hold, before any of them is
 * allocated, or has fewer than four points. 0, or -1 with one line in `error` naming file, field and value;
 * `mesh` then owns nothing. */
int gjb_mesh_load(const char *path, gjb_mesh *mesh, gjb_error *error);

void gjb_mesh_free(gjb_mesh *mesh); /* a zeroed one is fine */

#endif
