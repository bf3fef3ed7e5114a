/* The pair of a finding as a file that `replay` takes. */
#ifndef GJB_CONTENDERS_FINDING_FILE_H
#define GJB_CONTENDERS_FINDING_FILE_H

#include "contenders/harness.h"

/* Where a scene and its pairs came from. */
typedef struct gjb_finding_origin {
    const gjb_contender *contender;
    const char *backend; /* NULL if there is just one way */
    const char *workload, *family;
    uint64_t seed, first; /* pair 0 of the scene is the first-th of the seed */
    int exchanged;        /* its bodies are */
} gjb_finding_origin;

enum { GJB_FINDING_PATH = 4096 };

/* Saves the pair, as the contender was fed it, in `folder`, which is made when the first
 * comes; `path` says where. The file's note names the contender and what it did. 0, or -1 with one line in
 * `error`, as for a finding without a pair. */
int gjb_finding_save(const gjb_scene *scene, const gjb_finding *finding, const gjb_finding_origin *origin,
                     const char *folder, char path[GJB_FINDING_PATH], gjb_error *error);

#endif
