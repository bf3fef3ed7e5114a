/* Pairs at a prescribed signed distance, by the reference methods: exact but for rounding. */
#ifndef GJB_CLI_RECIPE_PLACE_H
#define GJB_CLI_RECIPE_PLACE_H

#include <signal.h>

#include "core/error.h"
#include "scenes/scene.h"

/* Where B of each pair touches A, found once: [pair][3] each. */
typedef struct cli_touching {
    double (*at)[3];      /* B's translation, A being at the origin */
    double (*normal)[3];  /* unit, from A to B */
    double (*inwards)[3]; /* unit, from there to where the middles of both coincide */
    uint64_t count;
    const volatile sig_atomic_t *stop; /* may be NULL; raised, it leaves the rest as it is */
} cli_touching;

/* Of a 3D scene in f64 with one frame, A's translations 0 and all pairs apart: B is moved along the normal. 0, or -1
 * with `error`. Zero it before, but for `stop`; free it in both cases. */
int cli_touching_find(cli_touching *touching, const gjb_scene *scene, gjb_error *error);
void cli_touching_free(cli_touching *touching);

/* Puts B of every pair at signed distance sigma: along the normal, or inwards until the depth is -sigma. 0, or -1 with
 * one line in `error` that names the pair which cannot be so deep. */
int cli_recipe_place(gjb_scene *scene, const cli_touching *touching, double sigma, gjb_error *error);

#endif
