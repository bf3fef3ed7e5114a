/* Importer for collections of known failures of other libraries: JSON of the
 * form {"meta": {...}, "cases": [...]}, each case two shapes with poses. */
#ifndef GJB_VERIFY_KNOWN_FAILURES_H
#define GJB_VERIFY_KNOWN_FAILURES_H

#include <stddef.h>

#include "scenes/scene.h"

typedef struct gjb_known_failure {
    char id[64];
    gjb_scene *scene; /* f64, one pair; its query is the nearest of ours. A pose given as a matrix is baked
                         into the vertices, rounded to double; that of a curved shape is the quaternion next to it,
                         exact for quarter turns. The truth is that of what was rounded. */
    double step; /* of times of impact: how much of the case's time the step takes that the scene is made of, 1 for
                    a motion given as a whole. A power of two if there is no end of time: bodies that do not turn
                    have met by then, or never do. Else 0 */
} gjb_known_failure;

/* Cases left out, by the reason why; the last place is for all reasons that have no other. */
typedef struct gjb_left_out {
    char reason[96];
    char first[256]; /* of them: its id, and if the rules of scenes refuse it field and value */
    size_t count;
    char *ids; /* of all of them, by commas; NULL out of memory */
} gjb_left_out;

typedef struct gjb_known_failures {
    gjb_known_failure *cases;
    size_t count;
    gjb_left_out left_out[16];
    size_t left_out_count;
} gjb_known_failures;

/* Does this look like such a file? Cheap; says nothing about its soundness. */
int gjb_known_failures_sniff(const void *bytes, size_t size);
/* NULL with one line in `error` naming file, case, field and value. */
gjb_known_failures *gjb_known_failures_parse(const void *bytes, size_t size, const char *file,
                                             gjb_error *error);
void gjb_known_failures_free(gjb_known_failures *all);

#endif
