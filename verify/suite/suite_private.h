/* Inside suites: plans and cases as they are read. */
#ifndef GJB_VERIFY_SUITE_PRIVATE_H
#define GJB_VERIFY_SUITE_PRIVATE_H

#include "verify/suite/suite.h"
#include "verify/verify_private.h"

typedef struct gjb_suite_part {
    const char *kind; /* of shapes, for the card */
    gjb_plan_file file;
} gjb_suite_part;

/* Pairs on record: a scene, or cases of a collection. */
typedef struct gjb_suite_case {
    const char *file, *id; /* id: NULL if the file is one scene */
} gjb_suite_case;

struct gjb_suite {
    json_t *root; /* strings point into it */
    const char *name, *about;
    gjb_suite_part *parts;
    size_t part_count;
    gjb_suite_case *cases; /* those of a file next to each other */
    size_t case_count;
    uint64_t truths; /* pairs of each combination whose truth is hashed */
    gjb_verify_hashes recorded;
};

/* Hands over every case of the suite, in order, as scenes of f64 or as their file has them; `step` is that of
 * gjb_known_failure. A sink that returns non-zero ends it. 0, or -1 with one line in `error`. */
typedef int (*gjb_suite_case_sink)(void *context, gjb_scene *scene, const char *id, double step,
                                   int collected, gjb_error *error);
int gjb_suite_each_case(const gjb_suite *suite, gjb_suite_case_sink sink, void *context, gjb_error *error);

#endif
