/* The scalar time of impact. */
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

void ref_toi_leave(const gjb_pair *pair, double touching, ref_toi_answer *out)
{
    ref_mover mover;
    double until, at;
    if ((out->status != GJB_HIT && out->status != GJB_OVERLAPPING) || !ref_mover_open(&mover, pair) ||
        mover.body[0].speed > 0 || mover.body[1].speed > 0)
        return;
    const ref_bounds start = ref_sigma_at(pair, 0);
    if (!(start.lower <= touching && start.upper >= -touching) ||
        ref_prove_apart(pair, 0, 1, -touching, NULL, &until, &at) != REF_PROVEN)
        return;
    *out = (ref_toi_answer){.status = GJB_SEPARATED, .iterations = out->iterations};
}
