/* Proof that shapes stay apart over an interval of time: conservative advancement (Mirtich 1996), each
 * step as far as one axis proves. The bound on the gap keeps the speed at which the gap closes, and leaves
 * out only what is of second order in time, so steps towards a contact converge superlinearly. An axis
 * that turns with the features it belongs to closes at the speed of the distance itself, which a graze
 * needs; one that stands still is judged by less. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/effort.h"
#include "reference/methods/surface3.h"
#include "reference/motion/motion_advance.h"
#include "reference/oracle/exact.h"

enum { ROUNDS = 12 }; /* of closing in on how far an axis proves */

void ref_proof_free(ref_proof *proof)
{
    free(proof->steps);
    *proof = (ref_proof){0};
}

static void record(ref_proof *proof, double t, const ref_axis *axis)
{
    if (proof) {
        const ref_real *n = axis->normal, *s = axis->spin;
        proof->steps = ref_grown(proof->steps, &proof->room, proof->count + 1, sizeof *proof->steps);
        proof->steps[proof->count++] = (ref_proof_step){t, {n[0], n[1], n[2]}, {s[0], s[1], s[2]}};
    }
}

/* Does one of the bounds hold at both ends, and so, being concave, between? */
static bool holds(const ref_posed *posed, const ref_axis *n, ref_real margin, ref_real tau)
{
    ref_real first[REF_BOUNDS_ON_GAP], last[REF_BOUNDS_ON_GAP];
    ref_mover_bounds(posed, n, 0, first);
    ref_mover_bounds(posed, n, tau, last);
    for (int k = 0; k < REF_BOUNDS_ON_GAP; k++)
        if (first[k] > margin && last[k] > margin)
            return true;
    return false;
}

static ref_real bound_at(const ref_posed *posed, const ref_axis *n, int which, ref_real tau)
{
    ref_real bound[REF_BOUNDS_ON_GAP];
    ref_mover_bounds(posed, n, tau, bound);
    return bound[which];
}

/* The zero of a concave bound that is `near` > 0 at 0 and `far` <= 0 at `end`, from below: chords from the left
 * stay below it, lines through two points on the left pass above it, so both ends close in. A chord's own zero
 * may be rounding's prey: a little before it the bound is surely positive. */
static ref_real reach_of(const ref_posed *posed, const ref_axis *n, int which, ref_real margin, ref_real near,
                         ref_real far, ref_real end)
{
    ref_real start = 0, back = 0x1p-30L;
    /* First to the scale of the answer: over far longer intervals differences tell rounding, not slope. */
    for (ref_real nearer = end / 32; nearer > end * 0x1p-80L; nearer /= 32) {
        ref_real there = bound_at(posed, n, which, nearer) - margin;
        if (there > near / 2)
            break;
        end = nearer;
        far = there;
        if (there > 0)
            return nearer;
    }
    for (int round = 0; round < ROUNDS && end - start > start / 64; round++) {
        ref_real next = start + (end - start) * (near / (near - far)) * (1 - back);
        ref_real there = bound_at(posed, n, which, next) - margin;
        if (!(there > 0)) {
            back = fminl(back * 0x1p10L, 0.5);
            continue;
        }
        ref_real slope = (there - near) / (next - start), beyond = next - there / slope * (1 + back);
        start = next;
        near = there;
        if (slope < 0 && beyond > start && beyond < end) {
            there = bound_at(posed, n, which, beyond) - margin;
            if (there > 0) /* all but straight */
                return beyond;
            end = beyond;
            far = there;
        }
    }
    return start;
}

/* How long unit n surely keeps the shapes apart from now, up to `most`; 0: not at all. */
static ref_real lasting(const ref_posed *posed, const ref_axis *n, ref_real margin, ref_real most)
{
    ref_real first[REF_BOUNDS_ON_GAP], last[REF_BOUNDS_ON_GAP], best = 0;
    ref_mover_bounds(posed, n, 0, first);
    ref_mover_bounds(posed, n, most, last);
    for (int k = 0; k < REF_BOUNDS_ON_GAP; k++) {
        ref_real near = first[k] - margin, far = last[k] - margin;
        if (near > 0 && far > 0)
            return most;
        if (near > 0)
            best = fmaxl(best, reach_of(posed, n, k, margin, near, far, most));
    }
    return best;
}

/* The later double that is surely no later than t + tau, and for which the proof was checked. */
static double later(const ref_posed *posed, const ref_axis *n, ref_real margin, ref_real tau, double end)
{
    double next = fmin((double)(posed->t + tau), end);
    while (next > posed->t && !holds(posed, n, margin, (ref_real)next - posed->t))
        next = fmax(posed->t, fmin(nextafter(next, 0), posed->t + (next - posed->t) * 0.875));
    return next;
}

/* Where the cores meet, an axis may yet prove a margin below 0: that of the least depth. */
static void axis_of_depth(const gjb_pair *pair, double t, ref_real n[3])
{
    gjb_pair at;
    ref_pair_at(pair, t, &at);
    ref_real found[3] = {0};
    if (at.dim == 2) {
        const ref_answer answer = ref_signed_distance2(&at.as.plane);
        found[0] = answer.normal[0];
        found[1] = answer.normal[1];
    } else {
        const ref_answer3 answer = ref_signed_distance3(&at.as.space, NULL);
        for (int m = 0; m < 3; m++)
            found[m] = answer.normal[m];
    }
    ref_unit(n, found);
}

/* The part of a body's turn that is square to a unit axis. */
static void spin_with(const ref_moving *body, ref_axis *axis)
{
    const ref_real along = ref_inner(body->turn, axis->normal);
    for (int m = 0; m < 3; m++)
        axis->spin[m] = body->turn[m] - along * axis->normal[m];
}

/* The longest lasting of some axes: as found, without its turn, and from centre to centre, which may be
 * better of what spins far away; of curved shapes also turning with one of them, which what is all but flat and
 * comes on face to face needs. */
static ref_real choose(const ref_posed *posed, ref_axis *axis, ref_real margin, ref_real most)
{
    ref_axis other[4] = {*axis, *axis, *axis, *axis};
    const int count = posed->mover->plane ? 0 : posed->mover->is_curved ? 4 : 2;
    ref_real best = lasting(posed, axis, margin, most);
    ref_unit(other[1].normal, posed->offset);
    memset(other[0].spin, 0, sizeof other[0].spin);
    memset(other[1].spin, 0, sizeof other[1].spin);
    spin_with(&posed->mover->body[0], &other[2]);
    spin_with(&posed->mover->body[1], &other[3]);
    for (int k = 0; k < count && best < most; k++) {
        ref_real tau = lasting(posed, &other[k], margin, most);
        if (tau > best) {
            best = tau;
            *axis = other[k];
        }
    }
    return best;
}

static ref_stop step(const gjb_pair *pair, const ref_mover *mover, double end, double margin, ref_proof *proof,
                     ref_advanced *out)
{
    ref_posed *posed = &out->posed;
    const ref_real from[3] = {out->axis.normal[0], out->axis.normal[1], out->axis.normal[2]};
    ref_mover_pose(mover, out->t, posed);
    ref_mover_distance(posed, from, &out->nearby);
    out->axis = out->nearby.axis;
    if (!out->nearby.apart && !mover->plane)
        axis_of_depth(pair, out->t, out->axis.normal);
    const ref_real gap = ref_mover_gap(posed, out->axis.normal);
    if (out->steps == 0 || mover->plane || mover->radii > 0 || !(ref_mover_gap(posed, out->widest) > gap))
        memcpy(out->widest, out->axis.normal, sizeof out->widest);
    if (gap - margin <= 2 * mover->doubt) {
        memcpy(out->axis.normal, out->widest, sizeof out->widest);
        memcpy(out->nearby.axis.normal, out->widest, sizeof out->widest);
        return REF_CLOSE;
    }
    ref_axis axis = out->axis;
    ref_real tau = choose(posed, &axis, margin, (ref_real)end - out->t);
    double next = end > out->t ? later(posed, &axis, margin, tau, end) : out->t;
    if (!(next > out->t) && end > out->t)
        return REF_CLOSE;
    record(proof, out->t, &axis);
    out->t = next;
    return next >= end ? REF_ARRIVED : REF_CAPPED;
}

void ref_advance(const gjb_pair *pair, const ref_mover *mover, double t, double end, double margin,
                 ref_proof *proof, ref_advanced *out)
{
    *out = (ref_advanced){.stop = REF_CAPPED, .t = t};
    for (int m = 0; m < 3; m++)
        out->axis.normal[m] = mover->offset[m];
    if (proof)
        proof->count = 0;
    for (; out->stop == REF_CAPPED && out->steps < REF_TOI_STEPS && !ref_effort_over(); out->steps++)
        out->stop = step(pair, mover, end, margin, proof, out);
    if (proof)
        proof->end = out->t;
}

/* A time after `from` at which sigma is proven to be at most the margin: farther and farther on. */
static bool refuted(const gjb_pair *pair, double from, double end, double margin, double *at)
{
    for (double away = 0x1p-52; from + away / 2 < end; away *= 8) {
        *at = fmin(from + away, end);
        if (ref_sigma_at(pair, *at).upper <= margin)
            return true;
    }
    return ref_sigma_at(pair, *at = end).upper <= margin;
}

ref_verdict ref_prove_apart(const gjb_pair *pair, double t0, double t1, double margin, ref_proof *proof,
                            double *until, double *at)
{
    ref_mover mover;
    ref_advanced advanced;
    if (!ref_mover_open(&mover, pair))
        ref_broken("a motion that is none");
    ref_advance(pair, &mover, t0, t1, margin, proof, &advanced);
    *until = advanced.t;
    if (advanced.stop == REF_ARRIVED)
        return REF_PROVEN;
    return advanced.stop == REF_CLOSE && refuted(pair, advanced.t, t1, margin, at) ? REF_REFUTED : REF_UNDECIDED;
}

bool ref_check_apart(const gjb_pair *pair, double t0, double t1, double margin, const ref_proof *proof)
{
    ref_mover mover;
    if (!ref_mover_open(&mover, pair) || proof->count == 0 || proof->steps[0].t > t0 || proof->end < t1)
        return false;
    for (uint32_t k = 0; k < proof->count; k++) {
        const ref_proof_step *step = &proof->steps[k];
        double next = k + 1 < proof->count ? step[1].t : proof->end;
        ref_axis axis = {.spin = {step->spin[0], step->spin[1], step->spin[2]}};
        ref_posed posed;
        if (!(next >= step->t) || !(ref_unit(axis.normal, step->normal) > 0))
            return false;
        ref_mover_pose(&mover, step->t, &posed);
        if (mover.plane)
            ref_mover_plane(&posed, &axis);
        if (!holds(&posed, &axis, margin, (ref_real)next - step->t))
            return false;
    }
    return true;
}
