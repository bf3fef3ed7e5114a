/* The rows that contenders/table.c lists; nobody else needs them by name. */
#ifndef GJB_CONTENDERS_ROWS_H
#define GJB_CONTENDERS_ROWS_H

#include <gjkbench/contender.h>

#ifdef __cplusplus
extern "C" {
#endif

extern const gjb_contender gjb_contender_batch;     /* contenders/batch.c */
extern const gjb_contender gjb_contender_reference; /* contenders/reference_contender.c */

/* Optional. */
extern const gjb_contender gjb_contender_box2d;         /* contenders/box2d.cpp */
extern const gjb_contender gjb_contender_bullet_gjkepa; /* contenders/bullet.cpp */
extern const gjb_contender gjb_contender_bullet_pair;
extern const gjb_contender gjb_contender_chipmunk;      /* contenders/chipmunk.c */
extern const gjb_contender gjb_contender_fcl_libccd;    /* contenders/fcl.cpp */
extern const gjb_contender gjb_contender_fcl_indep;
extern const gjb_contender gjb_contender_libccd_gjk;    /* contenders/libccd.c */
extern const gjb_contender gjb_contender_libccd_epa;
extern const gjb_contender gjb_contender_libccd_mpr;
extern const gjb_contender gjb_contender_ode;           /* contenders/ode.c */

#ifdef __cplusplus
}
#endif
#endif
