/* Grading of times of impact. A hit at t is right when the shapes are apart before t, and at most T from
 * touching at t; "separated" when they stay apart. Proofs of grading/bounds_path.h first, the oracle on doubt.
 *
 * If contacts that are left are to be ignored (gjb_pair.leaving), a pair that touches at first, |sigma(0)| <= T, is
 * separated if sigma never falls below -T. It has to be called separated only if rounding could not decide otherwise:
 * if |sigma(0)| is at most a quarter of T, in the contender's own precision, and sigma never falls below sigma(0),
 * exactly. */
#include <math.h>
#include <string.h>

#include "grading/grade_private.h"

enum { STEPS_APART = 40, SAMPLES = 12, FALLS = 48 /* halvings of the step */ };

static gjb_motion_truth *opened(gjb_truth *truth)
{
    gjb_motion_truth *m = &truth->motion;
    if (m->open)
        return m;
    if (gjb_path_open(&m->path, truth->pair))
        return NULL;
    m->open = 1;
    m->reached = 0;
    m->stuck = m->searched = m->exact = m->left = 0;
    m->contact = INFINITY;
    m->depth = 0;
    m->at = NAN;
    return m;
}

/* Bounds on sigma at a time into m->lo and m->hi; wide ones if memory fails. */
static void look_at(gjb_motion_truth *m, double t)
{
    if (m->at == t)
        return;
    m->at = t;
    if (gjb_path_sigma(&m->path, t, &m->lo, &m->hi)) {
        m->lo = -INFINITY;
        m->hi = INFINITY;
    }
    if (m->hi <= 0 && t < m->contact)
        m->contact = t;
}

/* Extends the proof of staying apart; 1 when it covers [0, t]. */
static int apart_until(gjb_motion_truth *m, double t)
{
    if (m->reached < t && !m->stuck) {
        m->reached = gjb_path_reach(&m->path, m->reached, t, 0);
        m->stuck = m->reached < t;
    }
    return m->reached >= t && (t > 0 || m->reached > 0);
}

static double depth_at(gjb_motion_truth *m, double t)
{
    look_at(m, t);
    return -m->hi;
}

/* How deep the shapes are found to be in each other by the time t, looking at times from where the proof of
 * staying apart ends; 0: no contact was found. Grows finer towards there, where a contact begins. */
static double depth_by(gjb_motion_truth *m, double t)
{
    const double from = (double)m->reached < t ? (double)m->reached : t;
    double depth = fmax(0, depth_at(m, t));
    for (int i = 1; i < SAMPLES && !ref_effort_over(); i++)
        depth = fmax(depth, depth_at(m, from + (t - from) * i / SAMPLES));
    if (depth > 0)
        return depth;
    for (double step = 0.5 / SAMPLES, i = 0; i < STEPS_APART && depth <= 0 && !ref_effort_over();
         step *= 0.5, i++)
        depth = fmax(depth, depth_at(m, from + (t - from) * step));
    return depth;
}

static double depth_of_all(gjb_motion_truth *m)
{
    if (!m->searched)
        m->depth = depth_by(m, 1);
    m->searched = 1;
    return m->depth;
}

static void ask_oracle(gjb_truth *truth)
{
    gjb_motion_truth *m = &truth->motion;
    if (m->exact)
        return;
    ref_oracle_toi(truth->pair, &m->oracle);
    m->exact = 1;
    const ref_toi_truth *o = &m->oracle;
    const int never = o->contact == REF_NO_CONTACT, first = o->contact == REF_CONTACT_FIRST;
    truth->conflict |= (never && isfinite(m->contact)) || (first && m->reached > 0) || m->reached > o->hi ||
                       (!first && o->lo > 0 && m->contact < o->lo);
}

void gjb_motion_exact(gjb_truth *truth)
{
    if (truth->motion.swept_open)
        gjb_swept_exact(truth);
    if ((truth->motion.open || !truth->motion.swept_open) && opened(truth))
        ask_oracle(truth);
}

static double impact_time(gjb_truth *truth)
{
    gjb_motion_truth *m = opened(truth);
    if (!m || m->left || apart_until(m, 1))
        return NAN;
    if (!(depth_of_all(m) > 0)) {
        ask_oracle(truth);
        if (m->oracle.contact == REF_NO_CONTACT)
            return NAN;
    }
    return m->exact && isfinite(m->oracle.hi) ? 0.5 * (m->oracle.lo + m->oracle.hi) : (double)m->reached;
}

double gjb_truth_time(gjb_truth *truth, gjb_query query)
{
    ref_effort *before = ref_effort_begin(&truth->effort);
    const double time = query == GJB_SWEEP ? gjb_swept_time(truth) : impact_time(truth);
    ref_effort_end(before);
    return time;
}

/* --- What happened before a time --- */

typedef enum passed { APART, WITHIN, BEYOND, DOUBT } passed;

/* Ours: BEYOND for any contact before t; at t too where `closed`. */
static passed touched(gjb_truth *truth, gjb_motion_truth *m, double t, int closed, double *depth)
{
    if (apart_until(m, t))
        return APART;
    *depth = depth_by(m, t);
    if (*depth > 0 || (closed && m->contact <= t))
        return BEYOND;
    ask_oracle(truth);
    truth->exact = 1;
    const ref_toi_truth *o = &m->oracle;
    if (o->contact == REF_NO_CONTACT)
        return APART;
    if (o->contact == REF_CONTACT_FIRST || t > o->hi || (closed && t == o->hi))
        return BEYOND;
    /* Between lo and hi there is nothing, or, if they come close, what cannot be decided. */
    return t <= o->lo || o->contact == REF_CONTACT ? APART : DOUBT;
}

/* Others: BEYOND for what is deeper than T. */
static passed deeper(gjb_motion_truth *m, double t, double tolerance, double *depth)
{
    if (apart_until(m, t))
        return APART;
    *depth = t == 1 ? depth_of_all(m) : depth_by(m, t);
    if (*depth > tolerance)
        return BEYOND;
    return gjb_path_reach(&m->path, m->reached, t, -tolerance) >= t ? WITHIN : DOUBT;
}

/* --- Answers --- */

/* A search that was cut short left an interval that does not tell whether the shapes are within T. */
static int is_open(const gjb_grading *g, const gjb_motion_truth *m)
{
    const ref_effort *effort = &g->truth->effort;
    return (effort->cut || effort->capped) && m->lo <= g->tolerance && m->hi - m->lo > g->tolerance;
}

static void leave_ungraded(gjb_grading *g)
{
    if (g->grade.verdict == GJB_RIGHT)
        g->grade.verdict = GJB_UNGRADED;
}

/* sigma at the time of the answer, from above: the distance that is left. */
static double gap_left(gjb_grading *g, gjb_motion_truth *m, double t)
{
    look_at(m, t);
    if (m->hi > g->tolerance && m->lo <= g->tolerance) {
        const ref_sigma exact = ref_oracle_sigma_at(g->truth->pair, t);
        m->lo = fmax(m->lo, exact.lo);
        m->hi = fmin(m->hi, exact.hi);
        g->truth->exact = 1;
    }
    if (is_open(g, m))
        leave_ungraded(g);
    return fmax(0, is_open(g, m) ? m->lo : m->hi);
}

static void grade_normal(gjb_grading *g, const gjb_motion_truth *m)
{
    const double *n = g->result->normal;
    const long double normal[3] = {n[0], n[1], n[2]}, length = gjb_length_of(normal);
    const gjb_normal_check check = {.length = length,
                                    .wanted = m->lo,
                                    .gap = length > 0 ? gjb_support_gap(&m->path.placed, normal) : 0,
                                    .allowed = g->tolerance + m->path.placed.error,
                                    .unit = unit_of(g->granted, gjb_path_size(g->truth->pair))};
    gjb_check_normal(&g->grade, &check, g->granted);
}

/* Each on its shape, and no farther from each other than sigma along the normal. */
static void grade_points(gjb_grading *g, const gjb_motion_truth *m)
{
    const gjb_placed_pair *placed = &m->path.placed;
    const gjb_result *r = g->result;
    const long double sigma = 0.5L * ((long double)m->lo + m->hi);
    long double pa[3], pb[3], off[3];
    for (int k = 0; k < 3; k++) {
        pa[k] = r->point_a[k];
        pb[k] = r->point_b[k];
        off[k] = pb[k] - pa[k] - (g->granted->no_normal ? 0 : sigma * r->normal[k]);
    }
    const long double length = gjb_length_of(off);
    const long double apart = g->granted->no_normal ? fabsl(length - fabsl(sigma)) : length;
    const long double off_a = gjb_point_distance(placed, 0, pa), off_b = gjb_point_distance(placed, 1, pb);
    const long double worst = fmaxl(apart, fmaxl(off_a, off_b));
    g->grade.has_points = 1;
    g->grade.witness_eps = gjb_in_eps(g, worst);
    if (!(worst <= g->tolerance + placed->error))
        gjb_set_fault(&g->grade, GJB_FAULT_WITNESS);
}

/* Contact that was passed over: before the time of a hit, or, if `closed`, in all of [0, 1]. */
static void grade_passed(gjb_grading *g, gjb_motion_truth *m, double t, int closed)
{
    double depth = 0;
    if (t == 0)
        return;
    const passed how = g->granted->ours ? touched(g->truth, m, t, closed, &depth)
                                        : deeper(m, t, g->tolerance, &depth);
    g->grade.value_eps = fmax(g->grade.value_eps, gjb_in_eps(g, depth));
    if (how == BEYOND)
        gjb_set_fault(&g->grade, closed ? GJB_FAULT_BOOLEAN : GJB_FAULT_LATE);
    else if (how == DOUBT || (how == WITHIN && closed))
        leave_ungraded(g);
}

static void grade_hit(gjb_grading *g, gjb_motion_truth *m)
{
    const double t = g->result->value;
    if (!(t >= 0 && t <= 1)) {
        g->grade.value_eps = 1 / g->granted->epsilon; /* all of S: no time of the step */
        gjb_set_fault(&g->grade, GJB_FAULT_VALUE);
        return;
    }
    grade_passed(g, m, t, 0);
    const double left = gap_left(g, m, t); /* from here on bodies are where they are then */
    g->grade.value_eps = fmax(g->grade.value_eps, gjb_in_eps(g, left));
    if (!(left <= g->tolerance))
        gjb_set_fault(&g->grade, GJB_FAULT_VALUE);
    if (t == 0 && m->hi < -g->tolerance)
        gjb_set_fault(&g->grade, GJB_FAULT_BOOLEAN); /* no time but a depth: overlap at the start has a status */
    if (!g->granted->no_normal)
        grade_normal(g, m);
    if (!g->granted->no_points && !is_open(g, m))
        grade_points(g, m);
}

/* --- Contacts that are left --- */

/* May the shapes be said to touch at first, no nearer and no farther than T? */
static int may_touch_first(const gjb_grading *g, gjb_motion_truth *m)
{
    if (!g->truth->pair->leaving)
        return 0;
    look_at(m, 0);
    return m->lo <= g->tolerance && m->hi >= -g->tolerance;
}

/* Is sigma, which is convex, nowhere lower than at first? If it falls at all it does so at once, if it rises again that
 * may be soon: from a time on so early that the pair cannot have moved by more than a few 2^-60 S a rise proves that it
 * did not fall. Where it does neither to the last bit, as along a plane, later times tell. */
static int never_falls_exactly(const gjb_pair *pair)
{
    static const int times[] = {-60, -40, -20, 0};
    const ref_sigma first = ref_oracle_sigma_at(pair, 0);
    for (size_t k = 0; k < sizeof times / sizeof *times && !ref_effort_over(); k++) {
        const ref_sigma then = ref_oracle_sigma_at(pair, ldexp(1, times[k]));
        if (then.hi < first.lo || then.sign < first.sign)
            return 0;
        if (k == 0 && (then.lo > first.hi || then.sign > first.sign))
            return 1;
    }
    return 1;
}

/* The same of curved shapes, by bounds: it never falls by more than 2^-6 T, which no number of the pair is without,
 * and has risen soon. What slides along goes undecided. */
static int never_falls_by_bounds(const gjb_grading *g, gjb_motion_truth *m)
{
    look_at(m, 0);
    const double least = m->lo, most = m->hi;
    look_at(m, 0x1p-20);
    return m->lo > most && gjb_path_reach(&m->path, 0, 1, least - 0x1p-6 * g->tolerance) >= 1;
}

/* Contact is left, beyond what rounding may have made of it: only "separated" is right. Doubles tell depths from
 * contacts that are one to floats. */
static int is_clearly_left(const gjb_grading *g, gjb_motion_truth *m)
{
    const gjb_pair *pair = g->truth->pair;
    if (!pair->leaving)
        return 0;
    look_at(m, 0);
    const double least = m->lo;
    if (!(fmax(fabs(m->lo), fabs(m->hi)) <= 0.25 * g->own))
        return 0;
    for (int k = 0; k < FALLS; k += 8) {
        look_at(m, ldexp(1, -k));
        if (m->hi < least)
            return 0;
    }
    m->left = (gjb_pair_curved(pair) ? never_falls_by_bounds(g, m) : never_falls_exactly(pair)) && !ref_effort_over();
    return m->left;
}

/* A pair that touches at first was called separated: was it deeper than T at any time? */
static void grade_left(gjb_grading *g, gjb_motion_truth *m)
{
    m->left = gjb_path_reach(&m->path, 0, 1, -g->tolerance) >= 1;
    if (m->left)
        return;
    const double depth = depth_of_all(m);
    g->grade.value_eps = fmax(g->grade.value_eps, gjb_in_eps(g, depth));
    if (depth > g->tolerance)
        gjb_set_fault(&g->grade, GJB_FAULT_BOOLEAN);
    else
        leave_ungraded(g);
}

void gjb_grade_toi(gjb_grading *g)
{
    gjb_motion_truth *m = opened(g->truth);
    if (!m) {
        g->grade.verdict = GJB_UNGRADED;
        return;
    }
    if (g->result->status == GJB_HIT) {
        grade_hit(g, m);
    } else if (g->result->status == GJB_SEPARATED && may_touch_first(g, m)) {
        grade_left(g, m);
        return;
    } else if (g->result->status == GJB_SEPARATED) {
        grade_passed(g, m, 1, 1);
    } else {
        const double left = gap_left(g, m, 0);
        g->grade.value_eps = gjb_in_eps(g, left);
        if (!(left <= g->tolerance))
            gjb_set_fault(&g->grade, GJB_FAULT_BOOLEAN);
    }
    if (g->result->status != GJB_SEPARATED && g->grade.verdict == GJB_RIGHT && is_clearly_left(g, m))
        gjb_set_fault(&g->grade, GJB_FAULT_BOOLEAN);
}
