/* Certificates in space, in long double, whose unit roundoff u is 2^-64 on x86
 * and 2^-113 on aarch64.
 *
 * The error bounds count roundings. An entry of R is within 16u (ref_rotation3);
 * an image R v or a direction R^T n then carries at most 20u |v| a coordinate,
 * sums and differences 1u each of what they act on. 64u times the sum of all
 * lengths that take part, vertices counted with the sum of their coordinates,
 * covers it. For a pair of size S that is below eps S / 2^4 on x86. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "reference/curved/curved_pair.h"
#include "reference/methods/frame3.h"
#include "reference/methods/surface3.h"

_Static_assert(LDBL_MANT_DIG >= 64, "certificates need a long double of 64 bits or more");

typedef long double real;

static const real bound = 64 * (LDBL_EPSILON / 2);

typedef struct placed {
    const gjb_body3 *body;
    real rotation[3][3];
    real shift[3]; /* relative to A's translation */
} placed;

static real dot(const real p[3], const real q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

static real length(const real p[3])
{
    return sqrtl(dot(p, p));
}

static placed open_side(const gjb_pair3 *pair, bool of_b)
{
    const gjb_pose3d *pa = &pair->a.pose, *pb = &pair->b.pose;
    placed p = {.body = of_b ? &pair->b : &pair->a};
    ref_rotation3(&p.body->pose, p.rotation);
    if (of_b) {
        p.shift[0] = (real)pb->x - pa->x;
        p.shift[1] = (real)pb->y - pa->y;
        p.shift[2] = (real)pb->z - pa->z;
    }
    return p;
}

static real reach(const placed *p)
{
    double most = 0;
    for (uint32_t k = 0; k < p->body->count; k++) {
        const double *v = p->body->vertices[k];
        most = fmax(most, fabs(v[0]) + fabs(v[1]) + fabs(v[2]));
    }
    return most + fabsl(p->shift[0]) + fabsl(p->shift[1]) + fabsl(p->shift[2]) + p->body->radius;
}

static void place(const placed *p, uint32_t k, real out[3])
{
    const double *v = p->body->vertices[k];
    for (int m = 0; m < 3; m++) {
        const real *row = p->rotation[m];
        out[m] = row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + p->shift[m];
    }
}

/* Largest n . (R v + shift) over the vertices, and which. */
static real support(const placed *p, const real n[3], uint32_t *which)
{
    real local[3], most = -HUGE_VALL;
    for (int c = 0; c < 3; c++)
        local[c] = p->rotation[0][c] * n[0] + p->rotation[1][c] * n[1] + p->rotation[2][c] * n[2];
    for (uint32_t k = 0; k < p->body->count; k++) {
        const double *v = p->body->vertices[k];
        real along = local[0] * v[0] + local[1] * v[1] + local[2] * v[2];
        if (along > most) {
            most = along;
            *which = k;
        }
    }
    return most + dot(n, p->shift);
}

real ref_gap3(const gjb_pair3 *pair, const double n[3], real *error)
{
    if (ref_is_curved3(pair)) {
        const gjb_pair of = ref_pair_of3(pair);
        return ref_curved_pair_gap(&of, n, error);
    }
    placed a = open_side(pair, false), b = open_side(pair, true);
    real unit[3] = {n[0], n[1], n[2]}, size = length(unit), back[3];
    for (int m = 0; m < 3; m++) {
        unit[m] /= size;
        back[m] = -unit[m];
    }
    uint32_t which;
    *error = bound * (reach(&a) + reach(&b));
    return -support(&b, back, &which) - support(&a, unit, &which) - ((real)a.body->radius + b.body->radius);
}

/* GJK's state for a point: vertices of the core less the point. */
typedef struct search {
    placed shape;
    real simplex[4][3];
    int count;
    real upper, lower; /* on the distance */
} search;

static ref_nearest3l reduce(search *s)
{
    ref_nearest3l nearest = ref_nearest_simplex3l((const real(*)[3])s->simplex, s->count, 1u << (s->count - 1));
    int kept = 0;
    for (int k = 0; k < s->count && nearest.count < 4; k++) {
        if (nearest.weight[k] > 0) {
            for (int m = 0; m < 3; m++)
                s->simplex[kept][m] = s->simplex[k][m];
            kept++;
        }
    }
    s->count = nearest.count < 4 ? kept : 4;
    return nearest;
}

/* The tetrahedron seems to hold the point: how far out may it yet be? No
 * farther than the nearest face is. */
static void settle_inside(search *s)
{
    s->lower = 0;
    s->upper = HUGE_VALL;
    for (int left_out = 0; left_out < 4; left_out++) {
        real face[3][3];
        for (int k = 0; k < 3; k++)
            for (int m = 0; m < 3; m++)
                face[k][m] = s->simplex[k + (k >= left_out)][m];
        real distance = ref_nearest_simplex3l((const real(*)[3])face, 3, 0).distance;
        s->upper = distance < s->upper ? distance : s->upper;
    }
}

/* Do the signs of all four volumes stand clear of rounding? */
static bool surely_inside(const search *s, real error)
{
    int sign = 0;
    for (int k = 0; k < 4; k++) {
        const real *p = s->simplex[k == 0], *q = s->simplex[k <= 1 ? 2 : 1], *r = s->simplex[k <= 2 ? 3 : 2];
        real n[3], lq = length(q), lr = length(r), lp = length(p);
        for (int m = 0; m < 3; m++)
            n[m] = q[(m + 1) % 3] * r[(m + 2) % 3] - q[(m + 2) % 3] * r[(m + 1) % 3];
        real volume = k % 2 ? -dot(n, p) : dot(n, p);
        if (!(fabsl(volume) > 4 * error * (lp * lq + lq * lr + lr * lp) + bound * lp * lq * lr) ||
            (sign && (volume > 0 ? 1 : -1) != sign))
            return false;
        sign = volume > 0 ? 1 : -1;
    }
    return true;
}

static void find_distance(search *s, const real point[3], real error)
{
    real n[3] = {1, 0, 0}, last = HUGE_VALL, vertex[3];
    s->upper = HUGE_VALL;
    s->lower = 0;
    s->count = 0;
    for (int round = 0; round < 512; round++) {
        real back[3] = {-n[0], -n[1], -n[2]};
        uint32_t which = 0;
        real gap = -support(&s->shape, back, &which) - dot(n, point);
        if (round > 0 && gap > s->lower)
            s->lower = gap;
        if (s->upper - s->lower <= error / 16)
            return;
        place(&s->shape, which, vertex);
        for (int m = 0; m < 3; m++)
            s->simplex[s->count][m] = vertex[m] - point[m];
        s->count++;
        ref_nearest3l nearest = reduce(s);
        if (nearest.count == 4) {
            settle_inside(s);
            if (surely_inside(s, error))
                s->upper = 0;
            return;
        }
        s->upper = nearest.distance < s->upper ? nearest.distance : s->upper;
        if (nearest.distance == 0 || nearest.distance >= last)
            return;
        last = nearest.distance;
        for (int m = 0; m < 3; m++)
            n[m] = nearest.normal[m];
    }
}

/* The core's distance to the point from the oracle: a pair whose A is the point,
 * in A's translation, as points are reported. */
static real ask_oracle(const gjb_pair3 *pair, const gjb_body3 *body, const double point[3])
{
    const double vertex[1][3] = {{point[0], point[1], point[2]}};
    const gjb_pose3d *at = &pair->a.pose;
    gjb_pair3 asked = {.a = {.kind = GJB_POINT, .count = 1, .vertices = vertex}, .b = *body};
    asked.a.pose = (gjb_pose3d){at->x, at->y, at->z, 0, 0, 0, 1};
    asked.b.radius = 0;
    ref_exact3 exact;
    ref_oracle3(&asked, &exact);
    return exact.lo > 0 ? ((real)exact.lo + exact.hi) / 2 : 0;
}

real ref_point_distance3(const gjb_pair3 *pair, bool of_b, const double point[3], real *error)
{
    const gjb_kind kind = (of_b ? &pair->b : &pair->a)->kind;
    if (gjb_is_curved(kind) || gjb_is_unbounded(kind)) {
        const gjb_pair of = ref_pair_of3(pair);
        return ref_curved_pair_distance(&of, of_b, point, error);
    }
    search s = {.shape = open_side(pair, of_b)};
    real p[3] = {point[0], point[1], point[2]};
    *error = bound * (reach(&s.shape) + fabsl(p[0]) + fabsl(p[1]) + fabsl(p[2]));
    find_distance(&s, p, *error);
    real distance = s.upper;
    if (s.upper - s.lower <= *error) {
        *error += s.upper - s.lower;
    } else {
        distance = ask_oracle(pair, s.shape.body, point);
        *error += DBL_EPSILON * distance;
    }
    real outside = distance - s.shape.body->radius;
    return outside > 0 ? outside : 0;
}

/* Signed, of the triangle seen from the origin (van Oosterom, Strackee 1983). */
static real solid_angle(const real p[3], const real q[3], const real r[3])
{
    real n[3], lp = length(p), lq = length(q), lr = length(r);
    for (int m = 0; m < 3; m++)
        n[m] = q[(m + 1) % 3] * r[(m + 2) % 3] - q[(m + 2) % 3] * r[(m + 1) % 3];
    return 2 * atan2l(dot(p, n), lp * lq * lr + dot(p, q) * lr + dot(q, r) * lp + dot(r, p) * lq);
}

static void place_corners(const gjb_pair3 *pair, const ref_polytope3 *polytope, real (*w)[3])
{
    placed a = open_side(pair, false), b = open_side(pair, true);
    for (uint32_t k = 0; k < polytope->vertex_count; k++) {
        real from[3], to[3];
        place(&a, polytope->vertices[k][0], from);
        place(&b, polytope->vertices[k][1], to);
        for (int m = 0; m < 3; m++)
            w[k][m] = to[m] - from[m];
    }
}

/* Distance of a face's plane, positive if the origin is on its inner side, and
 * by how much rounding may have put it off. */
static real plane_distance(const real p[3], const real q[3], const real r[3], real error, real *off)
{
    real e[3], f[3], n[3];
    for (int m = 0; m < 3; m++) {
        e[m] = q[m] - p[m];
        f[m] = r[m] - p[m];
    }
    for (int m = 0; m < 3; m++)
        n[m] = e[(m + 1) % 3] * f[(m + 2) % 3] - e[(m + 2) % 3] * f[(m + 1) % 3];
    real size = length(n), le = length(e), lf = length(f);
    *off = size > 0 ? 4 * error * (1 + (le + lf) * length(p) / size) : HUGE_VALL;
    return dot(n, p) / (size > 0 ? size : 1);
}

/* Does the surface wind around the origin? Its solid angles sum up to whole
 * turns; a corner seen from a face's distance turns by the error over it. */
static bool winds(const ref_polytope3 *polytope, const real (*w)[3], real error)
{
    real turns = 0, doubt = 0;
    for (uint32_t k = 0; k < polytope->face_count; k++) {
        real face[3][3];
        for (int c = 0; c < 3; c++)
            for (int m = 0; m < 3; m++)
                face[c][m] = w[polytope->faces[k][c]][m];
        real distance = ref_nearest_simplex3l((const real(*)[3])face, 3, 0).distance;
        turns += solid_angle(face[0], face[1], face[2]) / (4 * acosl(-1));
        doubt += distance > 0 ? error / distance : HUGE_VALL;
    }
    return doubt < 0.01L && turns > 0.5L;
}

/* Least distance of all faces, as triangles: a face that is a line but for
 * rounding has no plane, and yet a distance. Where every plane has the origin
 * surely on its inner side the surface winds around it. */
static real least_distance(const ref_polytope3 *polytope, const real (*w)[3], real error, bool *all_face_it)
{
    real least = HUGE_VALL;
    *all_face_it = true;
    for (uint32_t k = 0; k < polytope->face_count; k++) {
        real face[3][3], off;
        for (int c = 0; c < 3; c++)
            for (int m = 0; m < 3; m++)
                face[c][m] = w[polytope->faces[k][c]][m];
        real plane = plane_distance(face[0], face[1], face[2], error, &off);
        *all_face_it = *all_face_it && plane > off;
        if (!(plane - off > least)) { /* else no point of the face is nearer */
            real distance = ref_nearest_simplex3l((const real(*)[3])face, 3, 0).distance;
            least = distance < least ? distance : least;
        }
    }
    return least;
}

static bool names_what_exists(const gjb_pair3 *pair, const ref_polytope3 *polytope)
{
    for (uint32_t k = 0; k < polytope->vertex_count; k++)
        if (polytope->vertices[k][0] >= pair->a.count || polytope->vertices[k][1] >= pair->b.count)
            return false;
    return ref_closed3((const uint32_t(*)[3])polytope->faces, polytope->face_count, polytope->vertex_count);
}

real ref_depth_bound3(const gjb_pair3 *pair, const ref_polytope3 *polytope, real *error)
{
    placed a = open_side(pair, false), b = open_side(pair, true);
    *error = bound * (reach(&a) + reach(&b));
    if (polytope->face_count < 4 || !names_what_exists(pair, polytope))
        return -HUGE_VALL;
    uint32_t room = 0;
    real(*w)[3] = ref_grown(NULL, &room, polytope->vertex_count, sizeof *w);
    place_corners(pair, polytope, w);
    bool all_face_it;
    real least = least_distance(polytope, (const real(*)[3])w, *error, &all_face_it);
    bool proven = all_face_it || winds(polytope, (const real(*)[3])w, *error);
    free(w);
    return proven ? least : -HUGE_VALL;
}
