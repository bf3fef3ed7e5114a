/* What tests of answers known from paper share in 3D: how far off a contender may be, and the check.
 * `value`, `normal` and points are those of the pair (A, B), in world axes from A's translation. */
#ifndef GJB_CONTENDERS_TESTS_PAPER3_H
#define GJB_CONTENDERS_TESTS_PAPER3_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contenders/harness.h"
#include "contenders/tests/scenes.h"
#include "core/query.h"

typedef struct paper3_truth {
    double gap; /* sigma */
    double normal[3], on_a[3], on_b[3];
} paper3_truth;

/* How far off a library may be. */
typedef struct paper3_allowance {
    double value, normal, points;
} paper3_allowance;

/* Contenders that are not known for more are held to their precision. */
static const paper3_allowance paper3_own[GJB_PRECISIONS] = {{2e-5, 2e-4, 2e-5}, {1e-12, 1e-11, 1e-12}};

/* v + 2 q x (q x v + w v): not the matrix that adapters use. */
static inline void paper3_turn(const double q[4], const double v[3], double out[3])
{
    double t[3], u[3];
    for (int i = 0; i < 3; i++)
        t[i] = q[(i + 1) % 3] * v[(i + 2) % 3] - q[(i + 2) % 3] * v[(i + 1) % 3] + q[3] * v[i];
    for (int i = 0; i < 3; i++)
        u[i] = q[(i + 1) % 3] * t[(i + 2) % 3] - q[(i + 2) % 3] * t[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + 2 * u[i];
}

/* The rotation by q, then by a; quaternions are x, y, z, w. */
static inline void paper3_product(const double a[4], const double q[4], double p[4])
{
    for (int i = 0; i < 3; i++)
        p[i] = a[3] * q[i] + q[3] * a[i] + a[(i + 1) % 3] * q[(i + 2) % 3] - a[(i + 2) % 3] * q[(i + 1) % 3];
    p[3] = a[3] * q[3] - a[0] * q[0] - a[1] * q[1] - a[2] * q[2];
}

/* The pair (B, A), whose normal and points turn about; `shift` is B's translation from A's. */
static inline void paper3_swap(paper3_truth *t, const double shift[3])
{
    for (int i = 0; i < 3; i++) {
        const double a = t->on_a[i];
        t->normal[i] = -t->normal[i];
        t->on_a[i] = t->on_b[i] - shift[i];
        t->on_b[i] = a - shift[i];
    }
}

static inline double paper3_apart(const double a[3], const double b[3])
{
    return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

/* Whether an answer is what paper says, and a line about it. An allowance of INFINITY for the value leaves the
 * status alone to look at. */
static inline int paper3_right(const gjb_contender *contender, const char *name,
                               const paper3_allowance *allowed, gjb_query query, const paper3_truth *t,
                               const gjb_result *r, char text[600])
{
    static const gjb_result nothing;
    const double value = query == GJB_PENETRATION ? -t->gap : t->gap,
                 points = allowed->points + contender->skin;
    const double off = fabs(r->value - value), turned = paper3_apart(r->normal, t->normal),
                 off_a = paper3_apart(r->point_a, t->on_a), off_b = paper3_apart(r->point_b, t->on_b);
    snprintf(text, 600,
             "%s, %s, %s, gap %g: status %s value %.9g off %.3g, normal (%.6g %.6g %.6g) off %.3g, points "
             "off %.3g %.3g",
             contender->name, name, gjb_queries[query].name, t->gap, gjb_status_name(r->status), r->value,
             off, r->normal[0], r->normal[1], r->normal[2], turned, off_a, off_b);
    if (fabs(t->gap) <= contender->skin) /* by design it may answer either, and with vectors or without */
        return 1;
    if (r->status != (t->gap > 0 ? GJB_SEPARATED : GJB_OVERLAPPING))
        return 0;
    if (query == GJB_INTERSECT)
        return 1;
    if ((query == GJB_DISTANCE && t->gap < 0) || (query == GJB_PENETRATION && t->gap > 0)) {
        gjb_result fields = *r;
        fields.status = nothing.status;
        fields.iterations = 0;
        return memcmp(&fields, &nothing, sizeof fields) == 0;
    }
    return allowed->value == INFINITY || (off <= allowed->value + contender->skin &&
                                          turned <= allowed->normal && off_a <= points && off_b <= points);
}

#endif
