/* Inside the reference room: the least support of D near one direction, from below, by first and second
 * order.
 *
 * A cap is the cone of directions m + u, u across the unit m and |u| <= w. What curves is the length |E m|
 * of a linear image (ellipsoids, and the rims of cylinders and cones) or a power norm (superellipsoids); the
 * rest are points. Each is bounded from below over the cap by a + b.u + u'Qu/2: of points exactly, of a
 * length because
 *     |y + p| >= |y| + p_along + |p_across|^2 / (2 (|y| + |p|))   if |y| >= |p|,
 * and of a power norm by the least that its Hessian is over the cap (curved_cap_parts.h). So D has a few
 * such bounds, one for each feature that may be extreme there, and h is at least their largest. */
#ifndef REF_CURVED_CAP_H
#define REF_CURVED_CAP_H

#include "reference/curved/curved.h"

/* Is the support of D at least `bar` times |m + u| all over the cap about the unit m? Within the error of a
 * support point. `w` is the tangent of the cap's angle. No lean. False: nothing is said. */
bool ref_cap_holds(const ref_curved *curved, const ref_real m[3], ref_real w, ref_real bar);

/* The support of D along the unit m, within the error of a support point. */
ref_real ref_cap_height(const ref_curved *curved, const ref_real m[3]);
/* From the unit m down to a direction of locally least support, by steps of Newton's method among the
 * features. Writes the direction, and returns the support there, within the error of a support point. */
ref_real ref_cap_descend(const ref_curved *curved, ref_real m[3]);

/* The same over the cell of directions cos l (cos t x + sin t y) + sin l z, frame = {x, y, z}, whose lean l
 * and turn t are within `half` of `at`: narrow alone where something curves along the turn. In space. */
bool ref_turn_holds(const ref_curved *curved, const ref_real frame[3][3], const ref_real at[2],
                    const ref_real half[2], ref_real bar);
ref_real ref_turn_descend(const ref_curved *curved, const ref_real frame[3][3], ref_real at[2]);

/* The same in double, for caps that are far from the least support: a pair rounded, and what its supports,
 * and all that is made of them in a cap, are off by at most. */
typedef struct ref_rough_solid {
    gjb_kind kind;
    uint32_t dim, count;
    const double *rows; /* borrowed */
    double semi[3], exponent, round, turn[3][3], offset[3], shrunk;
} ref_rough_solid;
typedef struct ref_rough {
    uint32_t dim;
    ref_rough_solid body[2];
    double margin;
} ref_rough;
/* False, if squares of its lengths leave the range of double. */
bool ref_rough_open(ref_rough *rough, const ref_curved *curved);
/* Proven for a bar that is `margin` lower. The other two are as above, within `margin`. */
bool ref_rough_holds(const ref_rough *rough, const double m[3], double w, double bar);
double ref_rough_height(const ref_rough *rough, const double m[3]);
double ref_rough_descend(const ref_rough *rough, double m[3]);
bool ref_rough_turn_holds(const ref_rough *rough, const double frame[3][3], const double at[2],
                          const double half[2], double bar);
double ref_rough_turn_descend(const ref_rough *rough, const double frame[3][3], double at[2]);

#endif
