/* The scalar time of impact. */
#include <math.h>

#include "reference/motion/motion_advance.h"

static const double unit = 0x1p-53;

/* Kept away from the contact by so much that a time rounded down is no later, and no gap is in doubt. */
static double target(const ref_mover *mover)
{
    return (double)(2 * unit * mover->size + 4 * mover->doubt);
}

static void describe(const ref_mover *mover, const ref_advanced *found, ref_toi_answer *out)
{
    const ref_nearby *near = &found->nearby;
    const ref_real radius[2] = {mover->body[0].radius, -mover->body[1].radius};
    out->status = GJB_HIT;
    out->time = found->t;
    out->sigma = (double)(near->distance - mover->radii);
    for (int m = 0; m < 3; m++) {
        out->normal[m] = (double)near->axis.normal[m];
        out->point_a[m] = (double)(near->point[0][m] + radius[0] * near->axis.normal[m]);
        out->point_b[m] = (double)(near->point[1][m] + radius[1] * near->axis.normal[m]);
    }
}

void ref_toi(const gjb_pair *pair, ref_toi_answer *out)
{
    ref_mover mover;
    ref_advanced found;
    *out = (ref_toi_answer){.status = GJB_INVALID_INPUT};
    if (!ref_mover_open(&mover, pair))
        return;
    ref_advance(pair, &mover, 0, 1, target(&mover), NULL, &found);
    out->iterations = found.steps;
    if (found.stop == REF_ARRIVED)
        out->status = GJB_SEPARATED;
    else if (found.stop == REF_CAPPED)
        out->status = GJB_ITERATION_LIMIT;
    else if (found.t > 0)
        describe(&mover, &found, out);
    else
        out->status = GJB_OVERLAPPING;
}

/* The signed distance at a time, and how fast the gap along its normal opens. */
static double sigma_and_slope(const gjb_pair *pair, const ref_mover *mover, double t, double *slope)
{
    gjb_pair then;
    ref_pair_at(pair, t, &then);
    if (then.dim == 2) {
        const ref_answer found = ref_signed_distance2(&then.as.plane);
        *slope = found.normal[0] * (double)mover->drift[0] + found.normal[1] * (double)mover->drift[1];
        return found.sigma;
    }
    const ref_answer3 found = ref_signed_distance3(&then.as.space, NULL);
    *slope = 0;
    for (int m = 0; m < 3; m++)
        *slope += found.normal[m] * (double)mover->drift[m];
    return found.sigma;
}

enum { HALVINGS = 80 };

/* Is sigma, which is convex, above a level all through [0, 1]? Where it falls the least is later, where it rises
 * earlier: that interval is halved, until a line below sigma is above the level in all of it. */
static bool stays_above(const gjb_pair *pair, const ref_mover *mover, double level)
{
    double from = 0, to = 1, t = 0;
    for (int look = 0; look < HALVINGS; look++) {
        double slope;
        const double sigma = sigma_and_slope(pair, mover, t, &slope);
        if (!(sigma >= level))
            return false;
        if (fmin(sigma + (from - t) * slope, sigma + (to - t) * slope) >= level)
            return true;
        if (slope < 0)
            from = t;
        else
            to = t;
        t = look == 0 ? 1 : from + (to - from) / 2;
    }
    return false;
}

void ref_toi_leave(const gjb_pair *pair, double touching, ref_toi_answer *out)
{
    ref_mover mover;
    if ((out->status != GJB_HIT && out->status != GJB_OVERLAPPING) || !ref_mover_open(&mover, pair) ||
        mover.body[0].speed > 0 || mover.body[1].speed > 0)
        return;
    double slope;
    if (sigma_and_slope(pair, &mover, 0, &slope) <= touching && stays_above(pair, &mover, -touching))
        *out = (ref_toi_answer){.status = GJB_SEPARATED, .iterations = out->iterations};
}
