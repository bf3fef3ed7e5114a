/* Time of impact of one pair in space at a time: conservative advancement, also of curved shapes.
 * Compiled once per backend and precision of what is stored. */
#include "simd/space/fallback/fallback3_descent.h"
#include "simd/space/toi_gjk3.h"

gjb_fallback3_toi KERNEL(gjb_fallback3_toi);

/* 20 turns of shapes that nearly touch take some hundred rounds; more than this gives no answer. */
enum { MOST_ROUNDS = 20000 };

static void move_on(journey *j, const stretch *by, trail *r)
{
    j->held = turn3(&j->world, by->axis);
    j->up = j->held;
    j->lifted = j->p.curved;
    j->t += by->step;
    place(j);
    lift(j);
    carry(j, r);
}

static void write_contact(const journey *j, const gjb_fallback_pair *pair, const core_answer *best,
                          gjb_fallback_answer *out)
{
    vec3 n = turn3(&j->world, best->normal);
    n = mul3(n, 1 / length3(n));
    const vec3 a = add3(mul3(turn3(&j->world, best->a), j->grain), mul3(n, pair->a.radius));
    const vec3 b = sub3(mul3(turn3(&j->world, best->b), j->grain), mul3(n, pair->b.radius));
    const double fields[9] = {n.x, n.y, n.z, a.x, a.y, a.z, b.x, b.y, b.z};
    memcpy(out->normal, fields, sizeof out->normal);
    memcpy(out->a, fields + 3, sizeof out->a);
    memcpy(out->b, fields + 6, sizeof out->b);
}

/* The best bounds since the last step, and the number of rounds in which neither has improved.
 * Lengths alone do not suffice: near contact, rounding makes them cycle. */
typedef struct progress {
    double least, most;
    int idle;
} progress;
static const progress no_progress = {DBL_MAX, -DBL_MAX, 0};

static void note(progress *p, double length, double lower)
{
    p->idle = length < p->least || lower > p->most ? 0 : p->idle + 1;
    p->least = length < p->least ? length : p->least;
    p->most = lower > p->most ? lower : p->most;
}

/* Attempts since the last step. */
typedef struct trial {
    progress made;
    int lifts, restarts;
} trial;
static const trial first_trial = {{DBL_MAX, -DBL_MAX, 0}, 0, 0};

/* Without an answer or a step: continues GJK, perhaps with B moved along another axis, or restarts it.
 * True if it has ended, with *status. */
static int try_again(journey *j, trail *r, const sight *at, int known, trial *now, core_answer *best,
                     gjb_status *status)
{
    *status = GJB_HIT;
    note(&now->made, at->length, at->lower);
    const int stuck = known || now->made.idle > 8;
    if (settle(j, at, now->lifts, best))
        return 1;
    if ((j->lifted && now->lifts < MOST_LIFTS && (stuck || at->gap <= ROUNDING)) || all_but_touching(j, at)) {
        now->lifts++;
        /* after many lifts, as a sharper axis and GJK's may lead back to each other */
        lift_anew(j, now->lifts < MOST_LIFTS / 2 ? at->foot : at->ended);
        carry(j, r);
        now->made = no_progress;
    } else if (stuck) {
        const int close = j->t > 0 && meet(j, best, at->upper, TOI_SLACK * j->near);
        if (close && (at->lower >= 0 || fall_back(j, best, at->upper)))
            return 1;
        /* At the start, and not proven apart: this near counts as touching, within the published error. */
        const int touching = j->p.curved && !j->apart && at->known <= 2 * j->near;
        *status = touching ? GJB_OVERLAPPING : GJB_ITERATION_LIMIT;
        if (now->restarts++)
            return 1;
        /* The origin has left through a face that GJK does not check. */
        begin_trail(j, held_axis(j), r);
        now->made = no_progress;
        now->lifts = 0;
    }
    return 0;
}

/* Points with a larger error, in units of TOI_TOUCH, are no answer. Each shape gets half of it: at most 56
 * eps S of the 64 that are published for the time of impact. */
#define LOOSEST_FIT (2 * 56. / TOI_TOUCH)

/* If GJK and its sharper axes have ended without an answer: searches the axis along which round cores are
 * farthest apart, like the least depth of D moved out. True with *by of a step, or an answer. */
static int look_by_depth(journey *j, trail *r, core_answer *best, stretch *by, gjb_status *status)
{
    problem p = j->p;
    p.shift = sub3(p.shift, j->lift);
    p.supports = 0;
    *best = better(&p, best->normal);
    j->p.supports += p.supports;
    const double lower = best->sigma - j->p.radius;
    *by = (stretch){0, best->normal};
    const vec3 off = sub3(sub3(best->b, best->a), mul3(best->normal, best->sigma)), half = mul3(off, 0.5);
    best->a = add3(best->a, half); /* divide the rest between both */
    best->b = sub3(best->b, half);
    if (best->gap > LOOSEST_FIT * j->near)
        return 0;
    if (j->t <= 0 && lower <= j->near) {
        *status = GJB_OVERLAPPING;
        return 1;
    }
    if (lower >= 0 && lower <= j->near) {
        *status = GJB_HIT;
        return 1;
    }
    if (!(lower > j->aim))
        return 0;
    j->apart = 1;
    begin_trail(j, best->normal, r);
    *by = safe_step(j, &r->s, best->normal, &r->s.c[0], lower - j->target);
    *status = GJB_SEPARATED;
    return by->step >= 1 - j->t || j->t + by->step > j->t;
}

/* Conservative advancement (Mirtich 1996) and GJK take turns: each axis that proves the
 * cores apart carries the pair on, and the simplex goes with it. */
static gjb_status travel(journey *j, trail *r, core_answer *best)
{
    const double touch = 4 * ROUNDING;
    trial now = first_trial;
    sight at;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        int inside;
        const nearest v = nearest_known(j, &r->s, now.made.idle, &inside);
        if (!j->apart && !j->lifted && (inside || sqrt(v.dd) <= touch))
            return GJB_OVERLAPPING;
        reduce_trail(r, &v, j->p.curved);
        look(j, &v, &r->s, &at, best);
        if (j->t <= 0 && (meet(j, best, at.known, j->near) || sunk(j, &at)))
            return GJB_OVERLAPPING;
        if (meet(j, best, at.upper, j->near) && (at.lower >= 0 || (now.restarts && fall_back(j, best, at.upper))))
            return GJB_HIT;
        stretch by = {0, best->normal};
        if (at.lower > j->aim) {
            if (!j->apart)
                j->held = turn3(&j->world, best->normal);
            j->apart = 1;
            by = safe_step(j, &r->s, best->normal, &at.c, at.lower - j->target);
            if (by.step >= 1 - j->t)
                return GJB_SEPARATED;
        }
        const corner *next = j->p.curved ? &at.next : &at.c;
        const int known = has_corner(&r->s, next);
        if (!known)
            extend_trail(j, next, r);
        if (j->t + by.step > j->t) {
            move_on(j, &by, r);
            now = first_trial;
            continue;
        }
        gjb_status status;
        if (!try_again(j, r, &at, known, &now, best, &status))
            continue;
        if (status != GJB_ITERATION_LIMIT || !j->p.curved)
            return status;
        if (!look_by_depth(j, r, best, &by, &status))
            return GJB_ITERATION_LIMIT;
        if (status != GJB_SEPARATED || by.step >= 1 - j->t)
            return status;
        move_on(j, &by, r);
        now = first_trial;
    }
    return GJB_ITERATION_LIMIT;
}

gjb_status KERNEL(gjb_fallback3_toi)(const gjb_fallback_pair *given, const gjb_fallback_motion *motion,
                                     gjb_fallback_answer *out)
{
    gjb_fallback_pair plain = *given;
    const gjb_fallback_pair *pair = &plain;
    ball_to_point(&plain.a);
    ball_to_point(&plain.b);
    journey j;
    trail r;
    core_answer best;
    memset(out, 0, sizeof *out);
    set_out(&j, pair, motion);
    const vec3 axis = {motion->axis[0], motion->axis[1], motion->axis[2]};
    const double length = length3(axis), reach = length3(j.p.shift);
    vec3 d = reach > 0x1p-60 ? mul3(j.p.shift, 1 / reach) : (vec3){1, 0, 0};
    if (length > 0)
        d = turn_back3(&j.world, mul3(axis, 1 / length));
    begin_trail(&j, d, &r);
    const gjb_status status = travel(&j, &r, &best);
    out->sigma = j.t;
    out->iterations = j.p.supports;
    if (status == GJB_HIT || status == GJB_SEPARATED)
        write_contact(&j, pair, &best, out);
    return status;
}
