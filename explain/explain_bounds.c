/* Bounds on sigma from the pair itself, whoever walked. */
#include <math.h>

#include "explain/explain.h"
#include "reference/reference.h"

/* Doubles on the safe side. */
static double down(long double value)
{
    const double near = (double)value;
    return near > value ? nextafter(near, -INFINITY) : near;
}

static double up(long double value)
{
    const double near = (double)value;
    return near < value ? nextafter(near, INFINITY) : near;
}

double explain_gap(const gjb_pair *pair, const double n[3])
{
    long double error, gap;
    const double length = hypot(hypot(n[0], n[1]), n[2]);
    if (!(length > 0) || isinf(length))
        return NAN;
    gap = pair->dim == 2 ? ref_gap2(&pair->as.plane, n, &error) : ref_gap3(&pair->as.space, n, &error);
    return down(gap - error);
}

double explain_off(const gjb_pair *pair, int of_b, const double point[3], double *most)
{
    long double error, off;
    if (!isfinite(point[0] + point[1] + point[2]))
        return *most = NAN;
    off = pair->dim == 2 ? ref_point_distance2(&pair->as.plane, of_b, point, &error)
                         : ref_point_distance3(&pair->as.space, of_b, point, &error);
    *most = up(off + error);
    return (double)off;
}

/* In the plane the reference's last polygon. Its vertices and their distances are rounded to a few
 * eps S, so that much more is taken off: what a ball of points near A - B encloses, less how near they
 * are, A - B encloses. */
static double inner2(const gjb_pair2 *pair)
{
    walk steps = {0};
    const gjb_trace trace = walk_trace(&steps);
    ref_signed_distance2_traced(pair, &trace);
    const double inner = steps.failed ? NAN : walk_inner(&steps) - 0x1p-47 * gjb_pair_size2(pair);
    walk_free(&steps);
    return inner > 0 ? inner : NAN;
}

static double inner3(const gjb_pair3 *pair)
{
    ref_polytope3 polytope = {0};
    long double error, bound;
    ref_signed_distance3(pair, &polytope);
    bound = ref_depth_bound3(pair, &polytope, &error);
    ref_polytope3_free(&polytope);
    return bound >= error ? fmax(0, down(bound - error)) : NAN;
}

double explain_inner(const gjb_pair *pair)
{
    return pair->dim == 2 ? inner2(&pair->as.plane) : inner3(&pair->as.space);
}

gjb_pair explain_cores(const gjb_pair *pair)
{
    gjb_pair cores = *pair;
    if (pair->dim == 2)
        cores.as.plane.a.radius = cores.as.plane.b.radius = 0;
    else
        cores.as.space.a.radius = cores.as.space.b.radius = 0;
    return cores;
}

void explain_bound_steps(const gjb_pair *pair, walk *steps)
{
    const gjb_pair cores = explain_cores(pair);
    double best = -INFINITY;
    for (size_t k = 0; k < steps->count; k++) {
        gjb_trace_step *step = &steps->steps[k];
        if (step->has_direction)
            best = fmax(best, explain_gap(&cores, step->direction));
        step->has_upper = 0;
        step->has_lower = isfinite(best);
        step->lower = step->has_lower ? best : 0;
    }
}
