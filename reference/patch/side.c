/* The distance of a point to the faces of a polytope that look along a normal. */
#include "reference/patch/side.h"

#include <math.h>
#include <stdlib.h>

#include "reference/oracle/exact.h"
#include "reference/patch/faces.h"
#include "reference/patch/flat.h"
#include "reference/patch/placed.h"

typedef long double real;

static real dot(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void less(const real a[3], const real b[3], real out[3])
{
    for (int m = 0; m < 3; m++)
        out[m] = a[m] - b[m];
}

static void cross(const real a[3], const real b[3], real out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Of a point, which is at 0, to the edge from p to q. */
static real off_edge(const real p[3], const real q[3])
{
    real along[3], at[3];
    less(q, p, along);
    const real square = dot(along, along), part = square > 0 ? -dot(p, along) / square : 0;
    const real t = fminl(1, fmaxl(0, part));
    for (int m = 0; m < 3; m++)
        at[m] = p[m] + t * along[m];
    return sqrtl(dot(at, at));
}

/* To a convex polygon: to its plane, if the point is over all of its edges, or else to the nearest of them. */
static real off_polygon(real (*const at)[3], const uint32_t *corner, uint32_t count)
{
    real plane[3] = {0}, turn[3], least = INFINITY;
    for (uint32_t k = 0; k < count; k++) {
        real p[3], q[3];
        less(at[corner[k]], at[corner[0]], p);
        less(at[corner[(k + 1) % count]], at[corner[0]], q);
        cross(p, q, turn);
        for (int m = 0; m < 3; m++)
            plane[m] += turn[m];
    }
    const real length = sqrtl(dot(plane, plane));
    int over = length > 0;
    for (uint32_t k = 0; k < count; k++) {
        const real *p = at[corner[k]], *q = at[corner[(k + 1) % count]];
        real along[3], inward[3];
        less(q, p, along);
        cross(plane, along, inward);
        over &= dot(inward, p) <= 0;
        least = fminl(least, off_edge(p, q));
    }
    return over ? fminl(least, fabsl(dot(plane, at[corner[0]])) / length) : least;
}

/* Vertices of a shape as they are seen along the normal, and in the world about the point. */
static void look(const ref_placed *placed, int side, const ref_flat_frame *frame, const real point[3],
                 ref_vector3 *seen, real (*at)[3])
{
    const real product = ref_to_long_double(placed->product, 0);
    for (uint32_t k = 0; k < placed->count[side]; k++) {
        const ref_vector3 *own = &placed->at[side][k];
        ref_vector3_init(&seen[k]);
        for (int m = 0; m < 3; m++) {
            ref_inner3(seen[k].x[m], own, &frame->axis[m]);
            at[k][m] = ref_to_long_double(own->x[m], placed->exponent) / product - point[m];
        }
        if (side)
            mpz_neg(seen[k].x[2], seen[k].x[2]);
    }
}

/* Is there a triangle of them that is not seen along its plane? */
static bool has_face(const ref_vector3 *seen, uint32_t count)
{
    bool found = false;
    mpz_t p[2], q[2], turn;
    mpz_inits(p[0], p[1], q[0], q[1], turn, NULL);
    uint32_t other = 0;
    for (uint32_t k = 1; k < count && !found; k++) {
        for (int m = 0; m < 2; m++) {
            mpz_sub(p[m], seen[other ? other : k].x[m], seen[0].x[m]);
            mpz_sub(q[m], seen[k].x[m], seen[0].x[m]);
        }
        if (!other && (mpz_sgn(q[0]) != 0 || mpz_sgn(q[1]) != 0))
            other = k;
        mpz_mul(turn, p[0], q[1]);
        mpz_submul(turn, p[1], q[0]);
        found = mpz_sgn(turn) != 0;
    }
    mpz_clears(p[0], p[1], q[0], q[1], turn, NULL);
    return found;
}

long double ref_side_distance(const gjb_pair *pair, int side, const double normal[3],
                              const long double point[3])
{
    ref_placed placed;
    ref_flat_frame frame;
    ref_placed_open(&placed, pair);
    ref_flat_frame_open(&frame, normal);
    const uint32_t count = placed.count[side];
    ref_vector3 *seen = ref_zeroed(count, sizeof *seen);
    real(*at)[3] = ref_zeroed(count, sizeof *at);
    look(&placed, side, &frame, point, seen, at);
    real least = -1;
    if (has_face(seen, count)) {
        uint32_t faces, *corners;
        ref_upper_face *face = ref_upper_faces(seen, count, &faces, &corners);
        for (uint32_t k = 0; k < faces; k++) {
            const real off = off_polygon(at, corners + face[k].first, face[k].count);
            least = least < 0 ? off : fminl(least, off);
        }
        free(corners);
        free(face);
    }
    for (uint32_t k = 0; k < count; k++)
        ref_vector3_clear(&seen[k]);
    free(seen);
    free(at);
    ref_flat_frame_close(&frame);
    ref_placed_close(&placed);
    return least;
}
