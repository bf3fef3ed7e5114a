/* Inside the reference room: the exact oracle in space, in its two parts. */
#ifndef REF_ORACLE3_H
#define REF_ORACLE3_H

#include "reference/oracle/exact3.h"

/* The point of a simplex of D nearest to the origin, exactly. */
typedef struct ref_closest3 {
    ref_corner3 corner[4];
    int count;
    bool holds;         /* the nearest point is the origin itself */
    mpz_t weight[4];    /* of the corners, over their sum */
    ref_vector3 normal; /* towards the nearest point, not unit; 0 if `holds` */
} ref_closest3;

/* GJK in exact steps, from the corners given, until the support along the normal
 * proves the nearest point of D, or the simplex holds the origin. */
void ref_exact_gjk3(ref_grid3 *grid, ref_closest3 *closest);

/* What the depth of an overlap rests on. */
typedef struct ref_depth3 {
    ref_root sigma;      /* of the cores, without the factor P; sign 0 or -1 */
    ref_vector3 normal;  /* from A to B, not unit */
    long double weight[3];
    ref_corner3 corner[3]; /* the point on the surface where the normal leaves D, where sigma < 0 */
} ref_depth3;

/* EPA in exact steps. `closest` holds the origin. `polytope` gets the faces that
 * prove a depth > 0; none where D is flat or the origin on its surface. */
void ref_exact_epa3(ref_grid3 *grid, const ref_closest3 *closest, ref_depth3 *depth, ref_polytope3 *polytope);

#endif
