#include "fuzz/bounds_private.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* In 2D a placed vertex takes at most five roundings of terms no larger than
 * 2 S, a projection three more, an edge normal is a few units off, and two
 * projections are subtracted: below 16 units of 2^-63 S. In 3D an element of
 * the rotation takes seven, a product with it three, and a sum over three
 * coordinates grows by sqrt 3: below 32. Twice that, to have room. */
static const int error_units[] = {[2] = 32, [3] = 64};

static int place(gjb_placed_pair *placed)
{
    if (placed->whose->dim == 2)
        return gjb_place2(placed);
    gjb_place3(placed);
    return 0;
}

int gjb_place_pair(gjb_placed_pair *placed, const gjb_pair *pair)
{
    placed->pair = placed->whose = pair;
    placed->time = 0;
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

static real radii(const gjb_placed_pair *placed)
{
    return placed->pair->dim == 2 ? placed->plane[0].radius + placed->plane[1].radius
                                  : placed->space[0].radius + placed->space[1].radius;
}

long double gjb_support_gap(const gjb_placed_pair *placed, const long double n[3])
{
    real unit[3] = {n[0], n[1], placed->pair->dim == 2 ? 0 : n[2]};
    gjb_normalise3(unit);
    real gap = placed->pair->dim == 2 ? gjb_core_gap2(placed, unit[0], unit[1]) : gjb_core_gap3(placed, unit);
    return gap - radii(placed);
}

long double gjb_point_distance(const gjb_placed_pair *placed, int of_b, const long double point[3])
{
    return placed->pair->dim == 2 ? gjb_point_distance2(placed, of_b, point)
                                  : gjb_point_distance3(placed, of_b, point);
}

static double outwards(real value, int up)
{
    double rounded = (double)value;
    if (up ? rounded < value : rounded > value)
        rounded = nextafter(rounded, up ? INFINITY : -INFINITY);
    return rounded;
}

int gjb_bound_sigma(gjb_placed_pair *placed, double *lo, double *hi)
{
    gjb_core_bounds cores;
    if (placed->pair->dim == 2)
        cores = gjb_core_bounds2(placed);
    else if (gjb_core_bounds3(placed, &cores))
        return -1;
    *lo = outwards(cores.lower - radii(placed) - placed->error, 0);
    *hi = outwards(cores.upper - radii(placed) + placed->error, 1);
    return 0;
}
