/* Collision geometry of robots, from MJCF and URDF files: shapes that lie in a world, and the pairs of them that the
 * file lets touch. */
#ifndef GJB_SCENES_MODEL_MODEL_H
#define GJB_SCENES_MODEL_MODEL_H

#include "core/types.h"
#include "scenes/mesh/hull3.h"
#include "scenes/mesh/mesh.h"
#include "scenes/model/turns.h"
#include "scenes/scene.h"

enum { GJB_MODEL_NAME = 64, GJB_MODEL_SHAPES_MOST = 1 << 14, GJB_MODEL_BODIES_MOST = 1 << 16,
       GJB_MODEL_MESHES_MOST = 1 << 12, GJB_MODEL_RULES_MOST = 1 << 14, GJB_MODEL_PAIRS_MOST = 1 << 24 };

/* A mesh that shapes share: of a file that is named, or of points. */
typedef struct gjb_model_mesh {
    char name[GJB_MODEL_NAME];
    const char *file; /* NULL: `points` holds it */
    uint32_t line, used; /* by how many shapes */
    double (*points)[3];
    size_t point_count;
    /* Of its vertices: moved by -t, turned back by q, then scaled. */
    gjb_frame3 reference;
    double scale[3];
} gjb_model_mesh;

typedef struct gjb_model_shape {
    char name[GJB_MODEL_NAME];
    uint32_t line, body, contype, conaffinity;
    gjb_kind kind;        /* GJB_HULL: of `mesh` */
    uint32_t mesh;
    double rows[2][3];    /* of the others, as gjb_scene_set_shape takes them */
    double radius;
    gjb_frame3 pose; /* in the world */
} gjb_model_shape;

/* A body of the file, or a link, at the zero position of its joints. */
typedef struct gjb_model_body {
    char name[GJB_MODEL_NAME];
    uint32_t parent; /* before it in the list; that of the first is itself */
    uint32_t weld;   /* the first of those that it cannot move against */
    gjb_frame3 pose; /* in the world */
} gjb_model_body;

/* Why shapes are not in the scene. */
typedef enum gjb_left_out { GJB_LEFT_NO_CONTACT, GJB_LEFT_NOT_CONVEX, GJB_LEFT_VISUAL, GJB_LEFT_COUNT } gjb_left_out;
enum { GJB_MODEL_NAMES_SHOWN = 4 };
typedef struct gjb_model_left {
    uint32_t count;
    char names[GJB_MODEL_NAMES_SHOWN][GJB_MODEL_NAME]; /* of the first */
} gjb_model_left;

/* Pairs of shapes that are not in the scene, by the rule that says so. */
typedef enum gjb_ruled_out {
    GJB_RULED_SAME,
    GJB_RULED_JOINED,
    GJB_RULED_BITS,
    GJB_RULED_LISTED,
    GJB_RULED_COUNT
} gjb_ruled_out;

/* Owns everything that it points to; free with gjb_model_free. */
typedef struct gjb_model {
    const char *format; /* "MJCF" or "URDF" */
    char name[GJB_MODEL_NAME];
    gjb_model_mesh *meshes;
    gjb_model_shape *shapes;
    gjb_model_body *bodies;
    uint32_t mesh_count, shape_count, body_count;
    uint64_t *together, *apart; /* sorted keys of shapes that are a pair in any case, and of bodies that are none */
    uint32_t together_count, apart_count;
    int world_first;   /* the first body is the world: what is joined to it may touch it */
    int parents_touch; /* bodies that a joint connects may touch */
    char folder[256];  /* of meshes, in the file's own words; "" or ends with / */
    int bare_names;    /* folders of meshes' names are ignored */
    gjb_model_left left[GJB_LEFT_COUNT];
    uint64_t ruled_out[GJB_RULED_COUNT];
    struct gjb_xml_file *xml;
} gjb_model;

/* 1 if the text looks like XML, whatever it holds. */
int gjb_model_is(const void *bytes, size_t size);

/* Reads MJCF or URDF from memory. No other file is opened. 0, or -1 with one line in `error` that names file, line,
 * element, attribute and value; `model` then owns nothing. `file` must live as long as the model. */
int gjb_model_parse(const void *bytes, size_t size, const char *file, gjb_model *model, gjb_error *error);
void gjb_model_free(gjb_model *model); /* a zeroed one is fine */

/* Loads the points of a mesh, as its shapes have them. A file is looked for where the format says, from the folder of
 * the model's file on, then below `assets`, and opened only if it lies inside `assets` (NULL: refused). 0, or -1 with
 * one line in `error`. */
int gjb_model_load_mesh(const gjb_model *model, uint32_t index, const char *assets, gjb_mesh *mesh, gjb_error *error);

/* One scene body for each shape, in their order, all lengths times `scale`; `hulls` are those of the meshes, scaled
 * already. Shapes of one rigid body are the parts of a compound. The pairs are those that the file lets touch;
 * `model->ruled_out` counts the others. NULL with one line in `error`: no pair, a body of too many
 * shapes, more pairs than are made, a number that the precision cannot hold, out of memory. */
gjb_scene *gjb_model_scene(gjb_model *model, const gjb_hull3 *hulls, gjb_precision precision, double scale,
                           gjb_error *error);

#endif
