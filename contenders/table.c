#include "contenders/table.h"

#include <string.h>

#include "contenders/rows.h"

/* Ours first, then packaged libraries by name. */
const gjb_contender *const gjb_contenders[] = {
#ifdef GJB_HAVE_SIMD
    &gjb_contender_batch,
#endif
#ifdef GJB_HAVE_REFERENCE
    &gjb_contender_reference,
#endif
#ifdef GJB_HAVE_BOX2D
    &gjb_contender_box2d,
#endif
#ifdef GJB_HAVE_BULLET
    &gjb_contender_bullet_gjkepa,
    &gjb_contender_bullet_pair,
#endif
#ifdef GJB_HAVE_CHIPMUNK
    &gjb_contender_chipmunk,
#endif
#ifdef GJB_HAVE_FCL
    &gjb_contender_fcl_libccd,
    &gjb_contender_fcl_indep,
#endif
#ifdef GJB_HAVE_CCD
    &gjb_contender_libccd_gjk,
    &gjb_contender_libccd_epa,
    &gjb_contender_libccd_mpr,
#endif
#ifdef GJB_HAVE_ODE
    &gjb_contender_ode,
#endif
    NULL,
};
const size_t gjb_contender_count = sizeof gjb_contenders / sizeof gjb_contenders[0] - 1;

#define ADVICE(packages) \
    "install " packages ", then `meson setup --reconfigure build -Dcontenders=auto`"

const gjb_missing gjb_contenders_missing[] = {
#ifndef GJB_HAVE_BOX2D
    {"box2d", ADVICE("libbox2d-dev and a C++ compiler")},
#endif
#ifndef GJB_HAVE_BULLET
    {"bullet-gjkepa", ADVICE("libbullet-dev and a C++ compiler")},
    {"bullet-pair", ADVICE("libbullet-dev and a C++ compiler")},
#endif
#ifndef GJB_HAVE_CHIPMUNK
    {"chipmunk", ADVICE("libchipmunk-dev")},
#endif
#ifndef GJB_HAVE_FCL
    {"fcl-libccd", ADVICE("libfcl-dev, libqhull-dev and a C++ compiler")},
    {"fcl-indep", ADVICE("libfcl-dev, libqhull-dev and a C++ compiler")},
#endif
#ifndef GJB_HAVE_CCD
    {"libccd-gjk", ADVICE("libccd-dev")},
    {"libccd-epa", ADVICE("libccd-dev")},
    {"libccd-mpr", ADVICE("libccd-dev")},
#endif
#ifndef GJB_HAVE_ODE
    {"ode-boxbox", ADVICE("libode-dev")},
#endif
    {NULL, NULL},
};

const gjb_contender *gjb_contender_find(const char *name)
{
    for (size_t i = 0; i < gjb_contender_count; i++)
        if (strcmp(gjb_contenders[i]->name, name) == 0)
            return gjb_contenders[i];
    return NULL;
}
