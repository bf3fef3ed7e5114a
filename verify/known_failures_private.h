/* Inside the importer: bodies as they are read, and what is read with them. */
#ifndef GJB_VERIFY_KNOWN_FAILURES_PRIVATE_H
#define GJB_VERIFY_KNOWN_FAILURES_PRIVATE_H

#include <jansson.h>

#include "core/types.h"
#include "verify/known_failures.h"

enum { GJB_KNOWN_VERTICES = 4096, GJB_KNOWN_DIMS = 3 };

/* One body as read: rows of the case's dimension, rotated already. */
typedef struct gjb_known_body {
    gjb_kind kind;
    uint32_t count;
    double rows[GJB_KNOWN_VERTICES * GJB_KNOWN_DIMS];
    double radius;
    uint32_t up; /* axis along which a cylinder or cone was said to stand */
    double place[GJB_KNOWN_DIMS];
    double turn[4]; /* quaternion of what has no vertices to rotate */
    double way[GJB_KNOWN_DIMS]; /* in the step */
    double angle[GJB_KNOWN_DIMS]; /* as a motion has it: one of it in the plane */
} gjb_known_body;

typedef struct gjb_known_context {
    const char *file, *id;
    uint32_t dim;
    char why[96]; /* the case is left out */
    char at[256];  /* field and value if they say why, or "" */
    gjb_error *error;
} gjb_known_context;

#define REFUSE(c, format, ...) gjb_fail((c)->error, "%s: case %s: " format, (c)->file, (c)->id, __VA_ARGS__)

int gjb_known_number(const gjb_known_context *c, const json_t *json, const char *field, double *value);
int gjb_known_vector(const gjb_known_context *c, const json_t *json, const char *field, double *value);

/* A shape without its pose. `c->why` says if scenes have none such. 0, or -1 with an error. */
int gjb_known_shape(gjb_known_context *c, const json_t *json, gjb_known_body *b);

/* Rotates by a matrix: vertices, which is as good if it is orthogonal to some digits alone; of a curved shape the
 * pose, by the rotation next to it, and `c->why` says if that is farther off than rounding to f32. */
#define GJB_KNOWN_OFF_ROTATION 1e-6
void gjb_known_turn(gjb_known_context *c, gjb_known_body *b, double r[GJB_KNOWN_DIMS][GJB_KNOWN_DIMS]);

/* Motions of both bodies for one step, and the time that it takes. `c->why` says if a motion is none that a
 * scene has. 0, or -1 with an error. */
int gjb_known_motion(gjb_known_context *c, const json_t *json, gjb_known_body *a, gjb_known_body *b,
                     double *step);

#endif
