/* What a step reported, checked against the definition in long double: no two boxes pass or
 * overlap at any time, and each event is a contact. Brute force: all pairs, all legs of their ways. */
#ifndef GJB_STEPPING_TESTS_STEP_CHECK_H
#define GJB_STEPPING_TESTS_STEP_CHECK_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "stepping/step.h"

typedef struct leg { /* of the way of a box: from a time on, until the next */
    long double from, at[3], by[3];
} leg;

/* Legs of box i, from its beginning and the events it was in; returns how many. */
static inline size_t legs_of(const gjb_step *s, const gjb_step_box *boxes, uint32_t i, leg *legs)
{
    size_t count = 1;
    legs[0].from = 0;
    for (int k = 0; k < 3; k++) {
        legs[0].at[k] = (long double)boxes[i].at[k];
        legs[0].by[k] = (long double)boxes[i].by[k];
    }
    for (size_t e = 0; e < s->event_count; e++)
        for (int side = 0; side < 2; side++) {
            const gjb_step_event *event = &s->events[e];
            if ((side ? event->b : event->a) != i)
                continue;
            legs[count].from = (long double)event->time;
            for (int k = 0; k < 3; k++) {
                legs[count].at[k] = (long double)event->at[side][k];
                legs[count].by[k] = (long double)event->by[side][k];
            }
            count++;
        }
    return count;
}

/* 2 dim lines: an overlap, less what may be, is height[l] + slope[l] t, t from the beginning of both
 * legs, so that fast ones lose no digits. If the least of them
 * is never above 0, there is an axis along which the two are apart at every time. */
typedef struct depths {
    unsigned count;
    long double height[6], slope[6];
} depths;

static inline long double depth_at(const depths *d, long double t)
{
    long double least = INFINITY;
    for (unsigned l = 0; l < d->count; l++)
        least = fminl(least, d->height[l] + d->slope[l] * t);
    return least;
}

/* The deepest overlap between two times: it is at one of them, or where two lines cross. */
static inline long double deepest(const depths *d, long double from, long double to)
{
    long double most = fmaxl(depth_at(d, from), depth_at(d, to));
    for (unsigned l = 0; l < d->count; l++)
        for (unsigned m = 0; m < l; m++) {
            const long double t = (d->height[m] - d->height[l]) / (d->slope[l] - d->slope[m]);
            if (t > from && t < to)
                most = fmaxl(most, depth_at(d, t));
        }
    return most;
}

/* The overlap allowed along an axis: a skin, and at most a third of both thicknesses, so that each
 * box is on the outside of a face of the other. */
static inline long double allowed(const gjb_step *s, const gjb_step_box *boxes, uint32_t i, uint32_t j,
                                  unsigned k)
{
    const long double both = (long double)boxes[i].high[k] - (long double)boxes[i].low[k] +
                             (long double)boxes[j].high[k] - (long double)boxes[j].low[k];
    return fminl((long double)gjb_step_skin(s, i, j, k), both / 3);
}

static inline depths depths_of(const gjb_step_box *a, const leg *la, const gjb_step_box *b, const leg *lb,
                               long double from, unsigned dim)
{
    depths d = {.count = 2 * dim};
    for (unsigned k = 0; k < dim; k++) {
        const long double at_a = la->at[k] + la->by[k] * (from - la->from),
                          at_b = lb->at[k] + lb->by[k] * (from - lb->from);
        d.height[2 * k] = at_a + (long double)a->high[k] - at_b - (long double)b->low[k];
        d.slope[2 * k] = la->by[k] - lb->by[k];
        d.height[2 * k + 1] = at_b + (long double)b->high[k] - at_a - (long double)a->low[k];
        d.slope[2 * k + 1] = lb->by[k] - la->by[k];
    }
    return d;
}

/* The deepest overlap of two boxes at any time, `less` what may be along each axis. */
static inline long double deepest_of_pair(const gjb_step_box *boxes, uint32_t i, uint32_t j, const leg *a,
                                          size_t na, const leg *b, size_t nb, const long double *less,
                                          unsigned dim)
{
    long double most = -INFINITY;
    for (size_t p = 0, q = 0;;) {
        const long double end_a = p + 1 < na ? a[p + 1].from : 1, end_b = q + 1 < nb ? b[q + 1].from : 1;
        const long double from = fmaxl(a[p].from, b[q].from), to = fminl(end_a, end_b);
        depths d = depths_of(&boxes[i], &a[p], &boxes[j], &b[q], from, dim);
        for (unsigned l = 0; l < d.count; l++)
            d.height[l] -= less[l / 2];
        most = fmaxl(most, deepest(&d, 0, to - from));
        if (p + 1 == na && q + 1 == nb)
            return most;
        if (q + 1 == nb || (p + 1 < na && end_a <= end_b))
            p++;
        else
            q++;
    }
}

/* Whether two boxes are more than their skin apart, along some axis, when the step begins. */
static inline int apart_at_first(const gjb_step *s, const gjb_step_box *boxes, uint32_t i, uint32_t j,
                                 unsigned dim)
{
    int apart = 0;
    for (unsigned k = 0; k < dim; k++) {
        const long double d = (long double)boxes[j].at[k] - (long double)boxes[i].at[k];
        const long double gap = fmaxl(d + (long double)boxes[j].low[k] - (long double)boxes[i].high[k],
                                      (long double)boxes[i].low[k] - d - (long double)boxes[j].high[k]);
        apart |= gap > (long double)gjb_step_skin(s, i, j, k);
    }
    return apart;
}

/* Each leg begins where the one before it ends, up to rounding: no box jumps over another. */
static inline void check_legs(const gjb_step *s, uint32_t i, const leg *legs, size_t count, unsigned dim,
                              const char *what)
{
    for (size_t l = 1; l < count; l++)
        for (unsigned k = 0; k < dim; k++) {
            const long double there =
                legs[l - 1].at[k] + legs[l - 1].by[k] * (legs[l].from - legs[l - 1].from);
            cr_expect(fabsl(legs[l].at[k] - there) <= (long double)s->skins[i][k] / 1024, "%s: box %u jumps",
                      what, i);
        }
}

/* Boxes that are apart at first, by more than the skin, are at every time along some axis: as they go
 * without a jump, none passes another. Those that are nearer never overlap by more than a skin. */
static inline void check_pairs(const gjb_step *s, const gjb_step_box *boxes, unsigned dim, const char *what)
{
    const size_t room = s->event_count + 1;
    leg *a = malloc(2 * room * sizeof *a), *b = a + room;
    for (uint32_t i = 0; i < s->count; i++) {
        const size_t na = legs_of(s, boxes, i, a);
        check_legs(s, i, a, na, dim, what);
        for (uint32_t j = i + 1; j < s->count; j++) {
            const size_t nb = legs_of(s, boxes, j, b);
            const int apart = apart_at_first(s, boxes, i, j, dim);
            long double less[3];
            for (unsigned k = 0; k < dim; k++)
                less[k] = apart ? allowed(s, boxes, i, j, k) : (long double)gjb_step_skin(s, i, j, k);
            const long double most = deepest_of_pair(boxes, i, j, a, na, b, nb, less, dim);
            cr_expect(apart ? most < 0 : most <= 0, "%s: %u and %u pass, by %Lg", what, i, j, most);
        }
    }
    free(a);
}

/* Events in order, each once, each a contact of two boxes that then part. */
static inline void check_events(const gjb_step *s, unsigned dim, const char *what)
{
    for (size_t e = 0; e < s->event_count; e++) {
        const gjb_step_event *v = &s->events[e];
        const unsigned k = v->axis;
        const gjb_step_box *a = &s->boxes[v->a], *b = &s->boxes[v->b];
        const double gap = v->side > 0 ? (v->at[1][k] + b->low[k]) - (v->at[0][k] + a->high[k])
                                       : (v->at[0][k] + a->low[k]) - (v->at[1][k] + b->high[k]);
        cr_expect(v->a < v->b && k < dim && (v->side == 1 || v->side == -1) && v->time >= 0 && v->time <= 1,
                  "%s", what);
        cr_expect(e == 0 || v->time >= v[-1].time, "%s: event %zu is before the one before", what, e);
        cr_expect(fabs(gap) <= 1.1 * gjb_step_skin(s, v->a, v->b, k), "%s: event %zu with a gap of %g", what,
                  e, gap);
        int parted = 0; /* along some axis they are, and stay, but for what the skin is for */
        for (unsigned m = 0; m < dim; m++) {
            const double beyond = (v->at[1][m] + b->low[m]) - (v->at[0][m] + a->high[m]);
            const double before = (v->at[0][m] + a->low[m]) - (v->at[1][m] + b->high[m]);
            const double skin = gjb_step_skin(s, v->a, v->b, m);
            const double way = (v->by[1][m] - v->by[0][m]) * (beyond >= before ? 1 : -1);
            cr_expect(fmax(beyond, before) <= 1.1 * skin, "%s: event %zu of boxes apart", what, e);
            const double gap_now = fmax(beyond, before), left = way * (1 - v->time);
            parted |= gap_now >= -skin && left >= -skin;
        }
        cr_expect(parted, "%s: event %zu goes on", what, e);
        for (size_t f = e; f-- > 0 && s->events[f].time >= v->time;)
            cr_expect(!(s->events[f].a == v->a && s->events[f].b == v->b && s->events[f].axis == v->axis),
                      "%s: twice", what);
    }
}

static inline gjb_step checked(const gjb_step_box *boxes, uint32_t count, const gjb_step_settings *settings,
                               const char *what)
{
    gjb_step s = gjb_step_boxes(boxes, count, settings);
    cr_assert(s.status == GJB_STEP_DONE || s.status == GJB_STEP_CAPPED, "%s: status %d", what, (int)s.status);
    cr_expect_eq(s.time, 1);
    check_events(&s, settings->dim, what);
    check_pairs(&s, boxes, settings->dim, what);
    double(*places)[3] = malloc((count + 1) * sizeof *places);
    gjb_step_places(&s, boxes, 1, places, NULL);
    for (uint32_t i = 0; i < count; i++)
        for (unsigned k = 0; k < settings->dim; k++)
            cr_expect_float_eq(places[i][k], s.boxes[i].at[k], s.skins[i][k], "%s: box %u ends elsewhere",
                               what, i);
    free(places);
    return s;
}

static inline gjb_step_box box2(double x, double y, double hx, double hy, double vx, double vy,
                                double inverse_mass)
{
    return (gjb_step_box){{-hx, -hy, 0}, {hx, hy, 0}, {x, y, 0}, {vx, vy, 0}, inverse_mass};
}

#endif
