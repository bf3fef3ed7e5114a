/* The faces of the upper side of points over a plane, found by turning a plane about the edges of faces that are known
 * (gift wrapping: Chand and Kapur 1970).
 *
 * Signs are those of integers. Doubles decide them first, if they are farther from 0 than rounding can make them. */
#include "reference/patch/faces.h"

#include <math.h>
#include <stdlib.h>

#include "reference/methods/surface3.h"
#include "reference/patch/placed.h"
#include "reference/patch/polygon.h"

/* Like REF_TURN_DOUBT, for a volume: a sum of six products of three differences. */
static const double VOLUME_DOUBT = 0x1p-42;

typedef struct edge { uint32_t from, to; } edge;

typedef struct edges {
    edge *at;
    uint32_t count, room;
} edges;

typedef struct wrapping {
    const ref_vector3 *points;
    ref_rounded rounded;
    uint32_t *order;      /* by x, then y, of points over one another the highest alone */
    uint32_t count;
    uint32_t *hull; /* of the face that is looked at */
    edges open;     /* what is to the left of them is to be found */
    edges known;    /* of the faces found */
    ref_upper_face *faces;
    uint32_t face_count, face_room;
    uint32_t *corners; /* of all of them */
    uint32_t corner_count, corner_room;
    ref_vector3 p, q, normal;
    mpz_t value;
} wrapping;

static void push(edges *e, uint32_t from, uint32_t to)
{
    e->at = ref_grown(e->at, &e->room, e->count + 1, sizeof *e->at);
    e->at[e->count++] = (edge){from, to};
}

static bool contains(const edges *e, edge wanted)
{
    for (uint32_t k = 0; k < e->count; k++)
        if (e->at[k].from == wanted.from && e->at[k].to == wanted.to)
            return true;
    return false;
}

/* > 0 if k is to the left of the line from p to q, seen from above. */
static int turn(wrapping *w, uint32_t p, uint32_t q, uint32_t k)
{
    const double *a = w->rounded.at[p], *b = w->rounded.at[q], *c = w->rounded.at[k];
    const double rounded = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (fabs(rounded) > REF_TURN_DOUBT)
        return ref_sign(rounded);
    ref_subtract3(&w->p, &w->points[q], &w->points[p]);
    ref_subtract3(&w->q, &w->points[k], &w->points[p]);
    mpz_mul(w->value, w->p.x[0], w->q.x[1]);
    mpz_submul(w->value, w->p.x[1], w->q.x[0]);
    return mpz_sgn(w->value);
}

/* > 0 if k is above the plane of the face. */
static int above(wrapping *w, const ref_upper_face *face, uint32_t k)
{
    const double *a = w->rounded.at[face->at[0]], *b = w->rounded.at[face->at[1]], *c = w->rounded.at[face->at[2]];
    const double *d = w->rounded.at[k];
    double p[3], q[3], r[3];
    for (int m = 0; m < 3; m++) {
        p[m] = b[m] - a[m];
        q[m] = c[m] - a[m];
        r[m] = d[m] - a[m];
    }
    const double rounded = r[0] * (p[1] * q[2] - p[2] * q[1]) + r[1] * (p[2] * q[0] - p[0] * q[2]) +
                           r[2] * (p[0] * q[1] - p[1] * q[0]);
    if (fabs(rounded) > VOLUME_DOUBT)
        return ref_sign(rounded);
    ref_subtract3(&w->p, &w->points[face->at[1]], &w->points[face->at[0]]);
    ref_subtract3(&w->q, &w->points[face->at[2]], &w->points[face->at[0]]);
    ref_cross3(&w->normal, &w->p, &w->q);
    ref_subtract3(&w->p, &w->points[k], &w->points[face->at[0]]);
    ref_inner3(w->value, &w->normal, &w->p);
    return mpz_sgn(w->value);
}

static int compare(const wrapping *w, uint32_t left, uint32_t right)
{
    for (int m = 0; m < 3; m++) {
        const int sign = mpz_cmp(w->points[left].x[m], w->points[right].x[m]);
        if (sign != 0)
            return m == 2 ? -sign : sign;
    }
    return 0;
}

/* By insertion: features have few vertices, and qsort has no context. */
static void sort_points(wrapping *w, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t at = k;
        for (; at > 0 && compare(w, k, w->order[at - 1]) < 0; at--)
            w->order[at] = w->order[at - 1];
        w->order[at] = k;
    }
    w->count = 0;
    for (uint32_t k = 0; k < count; k++) {
        const ref_vector3 *own = &w->points[w->order[k]];
        const ref_vector3 *last = w->count ? &w->points[w->order[w->count - 1]] : NULL;
        if (last && mpz_cmp(own->x[0], last->x[0]) == 0 && mpz_cmp(own->x[1], last->x[1]) == 0)
            continue;
        w->order[w->count++] = w->order[k];
    }
}

/* Of two points in one direction from p: is k above the line from p to q? */
static bool steeper(wrapping *w, uint32_t p, uint32_t q, uint32_t k)
{
    ref_subtract3(&w->p, &w->points[q], &w->points[p]);
    ref_subtract3(&w->q, &w->points[k], &w->points[p]);
    const int m = mpz_sgn(w->p.x[0]) != 0 ? 0 : 1; /* > 0 of both, as p is the first in order */
    mpz_mul(w->value, w->q.x[2], w->p.x[m]);
    mpz_submul(w->value, w->p.x[2], w->q.x[m]);
    return mpz_sgn(w->value) > 0;
}

/* An edge of the upper side that has all points to its left. */
static void open_border(wrapping *w)
{
    const uint32_t p = w->order[0];
    uint32_t q = w->order[1];
    for (uint32_t m = 2; m < w->count; m++) {
        const uint32_t k = w->order[m];
        const int side = turn(w, p, q, k);
        if (side < 0 || (side == 0 && steeper(w, p, q, k)))
            q = k;
    }
    push(&w->open, p, q);
}

/* The face to the left of an edge: its plane turns up about the edge until no point is above. False if no point is to
 * the left. */
static bool turn_up(wrapping *w, edge about, ref_upper_face *face)
{
    bool found = false;
    face->at[0] = about.from;
    face->at[1] = about.to;
    for (uint32_t m = 0; m < w->count; m++) {
        const uint32_t k = w->order[m];
        if (k == about.from || k == about.to || turn(w, about.from, about.to, k) <= 0)
            continue;
        if (!found || above(w, face, k) > 0)
            face->at[2] = k;
        found = true;
    }
    return found;
}

/* The corners of a face, counter-clockwise, by Andrew's monotone chain (1979). */
static uint32_t find_corners(wrapping *w, const ref_upper_face *face)
{
    uint32_t *on = w->hull + 2 * w->count, count = 0, corners = 0;
    for (uint32_t m = 0; m < w->count; m++) {
        const uint32_t k = w->order[m];
        if (k == face->at[0] || k == face->at[1] || k == face->at[2] || above(w, face, k) == 0)
            on[count++] = k;
    }
    for (int upper = 0; upper < 2; upper++) {
        const uint32_t first = corners;
        for (uint32_t m = 0; m < count; m++) {
            const uint32_t k = on[upper ? count - 1 - m : m];
            while (corners >= first + 2 && turn(w, w->hull[corners - 2], w->hull[corners - 1], k) <= 0)
                corners--;
            w->hull[corners++] = k;
        }
        corners--;
    }
    return corners;
}

static void add_face(wrapping *w, const ref_upper_face *face)
{
    w->faces = ref_grown(w->faces, &w->face_room, w->face_count + 1, sizeof *w->faces);
    const uint32_t corners = find_corners(w, face);
    w->faces[w->face_count] = *face;
    w->faces[w->face_count].first = w->corner_count;
    w->faces[w->face_count++].count = corners;
    w->corners = ref_grown(w->corners, &w->corner_room, w->corner_count + corners, sizeof *w->corners);
    for (uint32_t k = 0; k < corners; k++)
        w->corners[w->corner_count++] = w->hull[k];
    for (uint32_t k = 0; k < corners; k++) {
        const uint32_t from = w->hull[k], to = w->hull[(k + 1) % corners];
        push(&w->known, from, to);
        push(&w->open, to, from);
    }
}

static void wrap(wrapping *w)
{
    open_border(w);
    while (w->open.count) {
        const edge next = w->open.at[--w->open.count];
        ref_upper_face face;
        if (!contains(&w->known, next) && turn_up(w, next, &face))
            add_face(w, &face);
    }
}

ref_upper_face *ref_upper_faces(const ref_vector3 *points, uint32_t count, uint32_t *face_count,
                                uint32_t **corners)
{
    wrapping w = {.points = points};
    w.rounded = ref_round_points(points, count);
    w.order = ref_zeroed(count, sizeof *w.order);
    w.hull = ref_zeroed(3 * (size_t)count + 2, sizeof *w.hull);
    ref_vector3_init(&w.p);
    ref_vector3_init(&w.q);
    ref_vector3_init(&w.normal);
    mpz_init(w.value);
    sort_points(&w, count);
    wrap(&w);
    ref_vector3_clear(&w.p);
    ref_vector3_clear(&w.q);
    ref_vector3_clear(&w.normal);
    mpz_clear(w.value);
    free(w.rounded.at);
    free(w.order);
    free(w.hull);
    free(w.open.at);
    free(w.known.at);
    if (corners)
        *corners = w.corners;
    else
        free(w.corners);
    *face_count = w.face_count;
    return w.faces;
}
