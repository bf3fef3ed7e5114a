/* The parts of the command `import`. */
#ifndef GJB_CLI_TOOLS_IMPORT_H
#define GJB_CLI_TOOLS_IMPORT_H

#include "cli/cli.h"
#include "scenes/mesh/hulls.h"
#include "scenes/mesh/mesh.h"

typedef struct import_request {
    uint64_t vertices; /* 0: as many as the hull has */
    double scale;
    gjb_meeting meeting;
    const char *name;  /* of the scene; NULL: after the first file */
    const char *pairs; /* NULL: all */
    const char *assets;
    int as_body; /* objects of an OBJ file are the parts of one body */
    gjb_precision precision;
    const char *out;
    FILE *text;
} import_request;

/* A count with its word, both kept until the eighth call after. */
const char *import_many(unsigned long long count, const char *one, const char *more);

/* The hull of a mesh, scaled and simplified as asked; what is to be said of both is printed under `label`. */
int import_hull(const char *label, gjb_mesh *mesh, const import_request *wanted, gjb_hull3 *hull, gjb_error *error);

/* Makes a scene of MJCF or URDF, and saves it. */
int import_model(const void *bytes, size_t size, const char *path, const import_request *wanted, gjb_error *error);

/* Does the name of a scene ask for the binary form? */
int import_is_binary(const char *path);
/* Saves the scene, named after `wanted`, or else `name`; `things` is what its shapes are called, one and many. */
int import_save(const import_request *wanted, const char *name, const char *const things[2], gjb_scene *scene,
                gjb_error *error);

#endif
