/* Proof that shapes stay apart over an interval of time: conservative advancement (Mirtich 1996), each
 * step as far as one axis proves. The bound on the gap along a fixed axis keeps the speed at which the gap
 * closes, and leaves out only what is of second order in time, so steps towards a contact converge
 * superlinearly. */
#include <math.h>
#include <stdlib.h>

#include "reference/apart.h"
#include "reference/exact.h"
#include "reference/surface3.h"

enum { ROUNDS = 12 }; /* of closing in on how far an axis proves */

void ref_proof_free(ref_proof *proof)
{
    free(proof->steps);
    *proof = (ref_proof){0};
}

static void record(ref_proof *proof, double t, const ref_real n[3])
{
    if (proof) {
        proof->steps = ref_grown(proof->steps, &proof->room, proof->count + 1, sizeof *proof->steps);
        proof->steps[proof->count++] = (ref_proof_step){t, {n[0], n[1], n[2]}};
    }
}

/* Does one of the bounds hold at both ends, and so, being concave, between? */
static bool holds(const ref_posed *posed, const ref_real n[3], ref_real margin, ref_real tau)
{
    ref_real first[REF_BOUNDS_ON_GAP], last[REF_BOUNDS_ON_GAP];
    ref_mover_bounds(posed, n, 0, first);
    ref_mover_bounds(posed, n, tau, last);
    for (int k = 0; k < REF_BOUNDS_ON_GAP; k++) {
        if (first[k] > margin && last[k] > margin) {
            return true;
        }
    }
    return false;
}

static ref_real bound_at(const ref_posed *posed, const ref_real n[3], int which, ref_real tau)
{
    ref_real bound[REF_BOUNDS_ON_GAP];
    ref_mover_bounds(posed, n, tau, bound);
    return bound[which];
}

/* The zero of a concave bound that is `near` > 0 at 0 and `far` <= 0 at `end`, from below: chords from the left
 * stay below it, lines through two points on the left pass above it, so both ends close in. A chord's own zero
 * may be rounding's prey: a little before it the bound is surely positive. */
static ref_real reach_of(const ref_posed *posed, const ref_real n[3], int which, ref_real margin, ref_real near,
                         ref_real far, ref_real end)
{
    ref_real start = 0, back = 0x1p-30L;
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
            if (there > 0) { /* all but straight */
                return beyond;
            }
            end = beyond;
            far = there;
        }
    }
    return start;
}

/* How long unit n surely keeps the shapes apart from now, up to `most`; 0: not at all. */
static ref_real lasting(const ref_posed *posed, const ref_real n[3], ref_real margin, ref_real most)
{
    ref_real first[REF_BOUNDS_ON_GAP], last[REF_BOUNDS_ON_GAP], best = 0;
    ref_mover_bounds(posed, n, 0, first);
    ref_mover_bounds(posed, n, most, last);
    for (int k = 0; k < REF_BOUNDS_ON_GAP; k++) {
        ref_real near = first[k] - margin, far = last[k] - margin;
        if (near > 0 && far > 0) {
            return most;
        }
        if (near > 0) {
            best = fmaxl(best, reach_of(posed, n, k, margin, near, far, most));
        }
    }
    return best;
}

/* The later double that is surely no later than t + tau, and for which the proof was checked. */
static double later(const ref_posed *posed, const ref_real n[3], ref_real margin, ref_real tau, double end)
{
    double next = (double)(posed->t + tau);
    next = next > posed->t + tau ? nextafter(next, 0) : next;
    next = fmin(next, end);
    while (next > posed->t && !holds(posed, n, margin, (ref_real)next - posed->t)) {
        next = fmax(posed->t, fmin(nextafter(next, 0), posed->t + (next - posed->t) * 0.875));
    }
    return next;
}

/* Where the cores meet, an axis may yet prove a margin below 0: that of the least depth. */
static void axis_of_depth(const gjb_pair *pair, double t, ref_real n[3])
{
    gjb_pair at;
    ref_pair_at(pair, t, &at);
    n[2] = 0;
    if (at.dim == 2) {
        const ref_answer found = ref_signed_distance2(&at.as.plane);
        n[0] = found.normal[0];
        n[1] = found.normal[1];
    } else {
        const ref_answer3 found = ref_signed_distance3(&at.as.space, NULL);
        for (int m = 0; m < 3; m++) {
            n[m] = found.normal[m];
        }
    }
    const ref_real v[3] = {n[0], n[1], n[2]};
    ref_unit(n, v);
}

void ref_advance(const gjb_pair *pair, const ref_mover *mover, double t, double end, double margin, ref_proof *proof,
                 ref_advanced *out)
{
    ref_real axis[3] = {mover->offset[0], mover->offset[1], mover->offset[2]};
    *out = (ref_advanced){.stop = REF_CAPPED, .t = t};
    if (proof) {
        proof->count = 0;
        proof->end = t;
    }
    for (; out->steps < REF_TOI_STEPS; out->steps++) {
        ref_posed *posed = &out->posed;
        ref_mover_pose(mover, out->t, posed);
        ref_mover_distance(posed, axis, &out->nearby);
        if (out->nearby.apart) {
            axis[0] = out->nearby.normal[0], axis[1] = out->nearby.normal[1], axis[2] = out->nearby.normal[2];
        } else {
            axis_of_depth(pair, out->t, axis);
        }
        out->gap = ref_mover_gap(posed, axis) - margin;
        out->proven = out->gap > mover->doubt;
        if (out->gap <= 2 * mover->doubt) {
            out->stop = REF_CLOSE;
            return;
        }
        if (out->t >= end) {
            out->stop = REF_ARRIVED;
            record(proof, out->t, axis);
            return;
        }
        ref_real most = (ref_real)end - out->t, centres[3];
        const ref_real *chosen = axis;
        ref_real tau = lasting(posed, axis, margin, most);
        ref_unit(centres, posed->offset); /* may prove longer of what spins far away */
        if (tau < most && lasting(posed, centres, margin, most) > tau) {
            tau = lasting(posed, centres, margin, most);
            chosen = centres;
        }
        double next = later(posed, chosen, margin, tau, end);
        if (!(next > out->t)) {
            out->stop = REF_CLOSE;
            return;
        }
        record(proof, out->t, chosen);
        out->t = next;
        if (proof) {
            proof->end = next;
        }
        if (next >= end) {
            out->proven = true;
            out->stop = REF_ARRIVED;
            return;
        }
    }
}

/* A time after `from` at which sigma is proven to be at most the margin: farther and farther on. */
static bool refuted(const gjb_pair *pair, double from, double end, double margin, double *at)
{
    for (double away = 0x1p-52; from + away / 2 < end; away *= 8) {
        *at = fmin(from + away, end);
        if (ref_sigma_at(pair, *at).upper <= margin) {
            return true;
        }
    }
    return ref_sigma_at(pair, *at = end).upper <= margin;
}

ref_verdict ref_prove_apart(const gjb_pair *pair, double t0, double t1, double margin, ref_proof *proof, double *until,
                            double *at)
{
    ref_mover mover;
    ref_advanced advanced;
    if (!ref_mover_open(&mover, pair)) {
        ref_broken("a motion that is none");
    }
    ref_advance(pair, &mover, t0, t1, margin, proof, &advanced);
    *until = advanced.t;
    if (advanced.stop == REF_ARRIVED) {
        return REF_PROVEN;
    }
    return advanced.stop == REF_CLOSE && refuted(pair, advanced.t, t1, margin, at) ? REF_REFUTED : REF_UNDECIDED;
}

bool ref_check_apart(const gjb_pair *pair, double t0, double t1, double margin, const ref_proof *proof)
{
    ref_mover mover;
    if (!ref_mover_open(&mover, pair) || proof->count == 0 || proof->steps[0].t > t0 || proof->end < t1) {
        return false;
    }
    for (uint32_t k = 0; k < proof->count; k++) {
        const ref_proof_step *step = &proof->steps[k];
        double next = k + 1 < proof->count ? step[1].t : proof->end;
        ref_real n[3];
        ref_posed posed;
        if (!(next >= step->t) || !(ref_unit(n, step->normal) > 0)) {
            return false;
        }
        ref_mover_pose(&mover, step->t, &posed);
        if (!holds(&posed, n, margin, (ref_real)next - step->t)) {
            return false;
        }
    }
    return true;
}
