/* Places pairs at rest and in motion for either dimension, and bounds sigma from points and directions. */
#include "grading/bounds_private.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* In 2D a placed vertex takes at most five roundings of terms no larger than
 * 2 S, a projection three more, an edge normal is a few units off, and two
 * projections are subtracted: below 16 units of 2^-63 S. In 3D an element of
 * the rotation takes seven, a product with it three, and a sum over three
 * coordinates grows by sqrt 3: below 32. Twice that, to have room. */
static const int error_units[] = {[2] = 32, [3] = 64};

static void place_curved(gjb_placed_pair *placed)
{
    real turn[2][3][3] = {{{0}}}, q[4], offset[3];
    for (int i = 0; i < 2; i++) {
        gjb_turned_at(placed->whose, i, placed->time, q);
        if (placed->whose->dim == 2) {
            turn[i][0][0] = turn[i][1][1] = q[0];
            turn[i][1][0] = q[1];
            turn[i][0][1] = -q[1];
        } else {
            gjb_placed_rotation3(q, turn[i]);
        }
    }
    gjb_offset_at(placed->whose, placed->time, offset);
    ref_curved_open_at(&placed->curved, placed->whose, (const real(*)[3][3])turn, offset);
    placed->error += 1.5L * placed->curved.error; /* the half for how narrow a point's distance is */
}

static int place(gjb_placed_pair *placed)
{
    placed->is_curved = ref_is_curved(placed->whose);
    if (placed->is_curved) {
        place_curved(placed);
        return 0;
    }
    if (placed->whose->dim == 2)
        return gjb_place2(placed);
    gjb_place3(placed);
    return 0;
}

int gjb_place_pair(gjb_placed_pair *placed, const gjb_pair *pair)
{
    placed->pair = placed->whose = pair;
    placed->time = 0;
    placed->deep = 0;
    placed->size = gjb_pair_size(pair);
    placed->error = error_units[pair->dim] * LDBL_EPSILON * (real)placed->size;
    return place(placed);
}

/* The angle is rounded to two units of itself, so that points about the origin are off by as much of their
 * way, which S has in it; sine, cosine and a product of quaternions add less than was granted at rest. */
int gjb_place_pair_at(gjb_placed_pair *placed, const gjb_pair *pair, long double time)
{
    placed->whose = pair;
    placed->time = time;
    placed->deep = 0;
    placed->size = gjb_path_size(pair);
    placed->error = 2 * error_units[pair->dim] * LDBL_EPSILON * (real)placed->size;
    gjb_pair_at(pair, time, &placed->then);
    placed->pair = &placed->then;
    return place(placed);
}

void gjb_placed_free(gjb_placed_pair *placed)
{
    for (int i = 0; i < 2; i++)
        gjb_placed2_free(&placed->plane[i]);
    ref_polytope3_free(&placed->polytope);
    free(placed->scratch);
    memset(placed, 0, sizeof *placed);
}

long double gjb_radii(const gjb_placed_pair *placed)
{
    return placed->pair->dim == 2 ? placed->plane[0].radius + placed->plane[1].radius
                                  : placed->space[0].radius + placed->space[1].radius;
}

long double gjb_support_gap(const gjb_placed_pair *placed, const long double n[3])
{
    real unit[3] = {n[0], n[1], placed->pair->dim == 2 ? 0 : n[2]};
    gjb_normalise3(unit);
    if (placed->is_curved)
        return ref_curved_gap(&placed->curved, unit);
    real gap = placed->pair->dim == 2 ? gjb_core_gap2(placed, unit[0], unit[1]) : gjb_core_gap3(placed, unit);
    return gap - gjb_radii(placed);
}

long double gjb_point_distance(const gjb_placed_pair *placed, int of_b, const long double point[3])
{
    if (placed->is_curved)
        return ref_curved_point_distance(&placed->curved, of_b, point);
    return placed->pair->dim == 2 ? gjb_point_distance2(placed, of_b, point)
                                  : gjb_point_distance3(placed, of_b, point);
}

double gjb_outwards(long double value, int up)
{
    double rounded = (double)value;
    if (up ? rounded < value : rounded > value)
        rounded = nextafter(rounded, up ? INFINITY : -INFINITY);
    return rounded;
}

/* Of curved pairs, beyond which the oracle is asked. */
enum { CORNERS_MAX = 6000 };

int gjb_bound_sigma(gjb_placed_pair *placed, double epsilon, double *lo, double *hi)
{
    gjb_core_bounds cores;
    if (placed->is_curved) {
        ref_enclosure found;
        ref_curved_enclose_quickly(&placed->curved, (real)epsilon * placed->size, CORNERS_MAX, false, &found);
        const real moved = placed->error - 1.5L * placed->curved.error; /* the rest has been granted */
        *lo = gjb_outwards(found.lower - moved, 0);
        *hi = gjb_outwards(found.upper + moved, 1);
        return 0;
    }
    if (placed->pair->dim == 2)
        cores = gjb_core_bounds2(placed);
    else if (gjb_core_bounds3(placed, &cores))
        return -1;
    *lo = gjb_outwards(cores.lower - gjb_radii(placed) - placed->error, 0);
    *hi = gjb_outwards(cores.upper - gjb_radii(placed) + placed->error, 1);
    return 0;
}
