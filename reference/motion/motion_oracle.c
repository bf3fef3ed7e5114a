/* Proven interval of the first contact.
 *
 * Bodies that do not turn: sigma(t) is the largest of functions linear in t, hence convex. Apart at 0 and at
 * lo, in contact at hi > lo: then a contact before lo would make sigma <= 0 at lo too. So exact signs at lo
 * and hi prove that the first contact lies between. That they never meet is proven by axes, as of bodies
 * that turn: ref_prove_apart finds them and ref_check_apart_exact judges. */
#include <math.h>

#include "reference/effort.h"
#include "reference/motion/motion_advance.h"
#include "reference/oracle/exact.h"

static bool straight(const ref_mover *mover)
{
    return mover->body[0].speed == 0 && mover->body[1].speed == 0;
}

static bool touches(const gjb_pair *pair, double t, bool *tied)
{
    return ref_oracle_sign_at(pair, t, tied).hi <= 0;
}

/* Boxes that can be swept: then the sweep is exact, grazes included. */
static bool is_box(const gjb_pair *pair, int side)
{
    if (pair->dim == 2) {
        const gjb_body2 *b = side ? &pair->as.plane.b : &pair->as.plane.a;
        return (b->kind == GJB_POINT || b->kind == GJB_BOX || b->kind == GJB_AABB) && b->radius == 0 &&
               b->pose.c == 1 && b->pose.s == 0;
    }
    const gjb_body3 *b = side ? &pair->as.space.b : &pair->as.space.a;
    return (b->kind == GJB_POINT || b->kind == GJB_BOX || b->kind == GJB_AABB) && b->radius == 0 &&
           b->pose.qx == 0 && b->pose.qy == 0 && b->pose.qz == 0;
}

static void by_sweep(const gjb_pair *pair, ref_toi_truth *out)
{
    ref_sweep_truth sweep;
    ref_oracle_sweep(pair, 0, &sweep);
    if (sweep.status == GJB_SEPARATED) {
        out->contact = REF_NO_CONTACT;
        return;
    }
    out->contact = REF_CONTACT;
    out->exact = true;
    out->hi = sweep.first[1];
    out->lo = sweep.first[0] < sweep.first[1] ? sweep.first[0] : nextafter(sweep.first[0], 0);
}

/* Did what is as thin as a segment in the plane, or as a face in space, pass from one side to the other? Were
 * there no contact between, the direction n(t) of the nearest point of D would be continuous, and at some time
 * square to n(t1), with all of D beyond a plane square to it. But a disc of D about its nearest point at t1,
 * square to n(t1) and larger than all distances and ways, has points before that plane. */
static bool passed(const ref_mover *mover, const ref_nearby *first, double t1, double t2)
{
    ref_posed posed;
    ref_nearby second;
    ref_real ways = first->distance + (t2 - t1) * mover->size;
    if (!first->apart || !(first->inside > 4 * ways + 0x1p16L * mover->doubt))
        return false;
    ref_mover_pose(mover, t2, &posed);
    ref_mover_distance(&posed, first->axis.normal, &second);
    return second.apart && ref_inner(first->axis.normal, second.axis.normal) < -0.5L &&
           ref_mover_gap(&posed, second.axis.normal) > mover->doubt;
}

/* A time of proven contact after `from`, or by which one has been: ever farther on. `opened`: sigma rose well
 * above what is in doubt on the way. */
static bool find_contact(const gjb_pair *pair, const ref_mover *mover, double from, double *at, double *before,
                         bool *opened, bool *tied)
{
    ref_posed posed;
    ref_nearby first;
    ref_mover_pose(mover, from, &posed);
    ref_mover_distance(&posed, mover->offset, &first);
    *opened = false;
    *before = from;
    double away = fmax(nextafter(from, 2) - from, 0x1p-70);
    for (;; away *= 4) {
        *at = fmin(from + away, 1);
        if (passed(mover, &first, from, *at)) {
            *before = *at; /* neither side of it is in contact */
            return true;
        }
        ref_sigma sigma = ref_oracle_sign_at(pair, *at, tied);
        if (sigma.hi <= 0)
            return true;
        *opened = *opened || sigma.lo > 64 * mover->doubt;
        *before = *at;
        if (*at >= 1 || ref_effort_over())
            return false;
    }
}

/* Brings a contact nearer to a time without one. `apart`: until then they are proven apart; of curved cores it may stay open
 * whether they touch, and what is open then is most of what lies between. */
static void close_in(const gjb_pair *pair, double apart, double before, double *at, bool *tied)
{
    bool open = false;
    for (;;) {
        double middle = before + (*at - before) / 2;
        if (!(middle > before && middle < *at) || (open && 8 * (*at - before) < before - apart) ||
            ref_effort_over())
            return;
        ref_sigma sigma = ref_oracle_sign_at(pair, middle, tied);
        if (sigma.hi <= 0) {
            *at = middle;
        } else {
            before = middle;
            open = sigma.sign <= 0;
        }
    }
}

/* The same if a sign may stay open, as of curved cores: what is open is taken for the other end. */
static void narrow(const gjb_pair *pair, ref_toi_truth *out, bool *tied)
{
    double open = out->hi;
    for (double middle;
         middle = out->lo + (open - out->lo) / 2, middle > out->lo && middle < open && !ref_effort_over();)
        if (ref_oracle_sign_at(pair, middle, tied).sign > 0)
            out->lo = middle;
        else
            open = middle;
    open = out->lo;
    for (double middle;
         middle = open + (out->hi - open) / 2, middle > open && middle < out->hi && !ref_effort_over();)
        if (touches(pair, middle, tied))
            out->hi = middle;
        else
            open = middle;
}

/* lo: apart, hi: in contact; to adjacent doubles, by exact signs. */
static void bisect(const gjb_pair *pair, ref_toi_truth *out, bool *tied)
{
    if (ref_is_curved(pair)) {
        narrow(pair, out, tied);
        return;
    }
    while (!ref_effort_over()) {
        double middle = out->lo + (out->hi - out->lo) / 2;
        if (!(middle > out->lo && middle < out->hi)) {
            out->exact = true;
            return;
        }
        if (ref_oracle_sign_at(pair, middle, tied).sign > 0)
            out->lo = middle;
        else
            out->hi = middle;
    }
}

/* Where sigma is convex and apart at both ends: its least by which way it slopes, until a contact is met or two
 * times are left that no double lies between. Those are steps of one another or half, so what lies between is no
 * lower than the slopes on either side let it be. REF_CONTACT: at `*at`. */
static ref_contact settle(const gjb_pair *pair, double from, double to, double *at)
{
    while (nextafter(from, 2) < to) {
        double middle = from + (to - from) / 2, next = nextafter(middle, 2);
        ref_sigma here = ref_oracle_sigma_at(pair, middle), there = ref_oracle_sigma_at(pair, next);
        *at = here.hi <= 0 ? middle : next;
        if (here.hi <= 0 || there.hi <= 0)
            return REF_CONTACT;
        if (here.sign <= 0 || there.sign <= 0 || ref_effort_over()) /* open */
            return REF_CONTACT_CLOSE;
        if (there.lo < here.lo || there.hi < here.hi)
            from = middle;
        else
            to = middle;
    }
    ref_sigma left = ref_oracle_sigma_at(pair, from), right = ref_oracle_sigma_at(pair, to);
    double fall = from > 0 ? ref_oracle_sigma_at(pair, nextafter(from, -1)).hi - left.lo : INFINITY;
    double rise = to < 1 ? ref_oracle_sigma_at(pair, nextafter(to, 2)).hi - right.lo : INFINITY;
    bool apart = left.lo - 2.0 * fmax(fall, 0) > 0 || right.lo - 2.0 * fmax(rise, 0) > 0;
    return apart ? REF_NO_CONTACT : REF_CONTACT_CLOSE;
}

/* What was proven by axes up to `found->t`, as far as the checker agrees. */
static double agreed(const gjb_pair *pair, ref_proof *proof)
{
    while (proof->count > 0 && !ref_check_apart_exact(pair, 0, proof->end, 0, proof)) {
        proof->count -=
            ref_effort_over() ? proof->count : 1; /* the last steps are the ones close to contact */
        proof->end = proof->count > 0 ? proof->steps[proof->count].t : 0;
    }
    return proof->count > 0 ? proof->end : 0;
}

static void by_axes(const gjb_pair *pair, const ref_mover *mover, ref_toi_truth *out)
{
    ref_proof proof = {0};
    ref_advanced found;
    bool opened, tied = false;
    double at, before;
    ref_advance(pair, mover, 0, 1, 0, &proof, &found);
    out->lo = agreed(pair, &proof);
    out->steps = (int)proof.count;
    ref_proof_free(&proof);
    if (out->lo >= 1) {
        out->contact = REF_NO_CONTACT;
        return;
    }
    out->contact = REF_CONTACT_CLOSE;
    if (!find_contact(pair, mover, out->lo, &at, &before, &opened, &tied)) {
        if (straight(mover))
            out->contact = settle(pair, out->lo, 1, &at);
        if (out->contact == REF_CONTACT) {
            out->hi = at;
            bisect(pair, out, &tied);
        }
        out->lo = out->contact == REF_NO_CONTACT ? 1 : out->lo;
        return;
    }
    close_in(pair, out->lo, before, &at, &tied);
    out->hi = at;
    out->contact = opened ? REF_CONTACT_CLOSE : REF_CONTACT;
    if (straight(mover) && before < at) { /* convex: whatever opened, or seemed to */
        out->contact = REF_CONTACT;
        bisect(pair, out, &tied);
    }
}

static void begin(const gjb_pair *pair, ref_toi_truth *out)
{
    ref_interval start;
    if (pair->dim == 2) {
        ref_exact exact;
        ref_oracle2(&pair->as.plane, &exact);
        start = (ref_interval){exact.sign, exact.lo, exact.hi};
    } else {
        ref_exact3 exact;
        ref_oracle3(&pair->as.space, &exact);
        start = (ref_interval){exact.sign, exact.lo, exact.hi};
    }
    out->sign = start.sign;
    out->start = (ref_bounds){start.lo, start.hi};
}

void ref_oracle_toi(const gjb_pair *pair, ref_toi_truth *out)
{
    ref_mover mover;
    *out = (ref_toi_truth){.contact = REF_CONTACT_FIRST};
    if (!ref_mover_open(&mover, pair))
        ref_broken("a motion that is none");
    begin(pair, out);
    if (out->start.upper <= 0)
        return;
    out->lo = 1;
    out->hi = INFINITY;
    if (out->sign <= 0) { /* of curved cores it may stay open whether they touch */
        out->contact = REF_CONTACT_CLOSE;
        out->lo = 0;
        return;
    }
    if (straight(&mover) && is_box(pair, 0) && is_box(pair, 1))
        by_sweep(pair, out);
    else
        by_axes(pair, &mover, out);
    if (out->contact == REF_CONTACT && !out->exact &&
        ref_effort_over()) /* cut short on the way to adjacent doubles */
        out->contact = REF_CONTACT_CLOSE;
}
