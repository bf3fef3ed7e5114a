/* Meshes from files, for the hulls of their points. */
#ifndef GJB_SCENES_MESH_MESH_H
#define GJB_SCENES_MESH_MESH_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

#define GJB_MESH_NAME 64 /* bytes of an object's name, with its end; a longer one is cut */
#define GJB_MESH_OBJECTS_MOST 4096

/* Owns its points; free with gjb_mesh_free. In the frame and units of the file. */
typedef struct gjb_mesh {
    const char *format;       /* "OBJ", "OFF", "PLY" or "STL" */
    char name[GJB_MESH_NAME]; /* of the object; "" if the file is one mesh */
    double (*points)[3];      /* distinct, finite, in the order of their first appearance */
    uint32_t point_count;
    uint32_t face_count;    /* of three corners or more */
    uint32_t open_edges;    /* of only one face; 0 if the mesh is closed */
    uint32_t crowded_edges; /* between more than two faces: the mesh is not manifold */
    uint32_t twisted_edges; /* that two faces pass in the same direction: they disagree on what is inside */
    double volume;          /* that the faces enclose, what several enclose counted several times; 0 if there are no
                               faces or edges are open, crowded or twisted */
} gjb_mesh;

/* The objects of a file, in its order. Owns them; free with gjb_meshes_free. */
typedef struct gjb_meshes {
    gjb_mesh *list;
    uint32_t count;
    uint32_t loose; /* points that no face of any of several objects names: they belong to none, and are left out */
} gjb_meshes;

/* 1 when this build can read meshes; without assimp it reads PLY alone. */
int gjb_mesh_supported(void);

/* Reads an OBJ, OFF, PLY or STL file ("-" is standard input, recognised by
 * content). All but PLY go through assimp, which returns single precision: coordinates are
 * rounded to that. Corners that share a position are one point, whatever their
 * texture or normal, and points that no face names are points too. A face that
 * names a vertex that is not there is an error. A file of more than 256 MiB is refused, and so is one that
 * claims more vertices or faces than its bytes can hold, before any of them is
 * allocated, or has fewer than four points. 0, or -1 with one line in `error` naming file, field and value;
 * `mesh` then owns nothing. */
int gjb_mesh_load(const char *path, gjb_mesh *mesh, gjb_error *error);
/* The same of an open file, which it closes; `file` is its name in errors. */
int gjb_mesh_load_open(int descriptor, const char *file, gjb_mesh *mesh, gjb_error *error);
/* The bytes of a file that may be a mesh, as gjb_file_read gives them. */
unsigned char *gjb_mesh_bytes(const char *path, size_t *size, gjb_error *error);
/* Reads and frees them, as gjb_mesh_load, but an OBJ of which two objects or more have faces gives a mesh for each. An
 * object without a face is left out, and one of fewer than four points is an error. Of every other file it gives one
 * mesh. `file` is its name in errors. */
int gjb_meshes_take(unsigned char *bytes, size_t size, const char *file, gjb_meshes *meshes, gjb_error *error);

void gjb_mesh_free(gjb_mesh *mesh); /* a zeroed one is fine */
void gjb_meshes_free(gjb_meshes *meshes);

#endif
