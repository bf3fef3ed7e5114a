/* Exact oracle in the plane.
 *
 * Every stored number is a double, so the whole pair is brought to integers on
 * one power-of-two grid and all of it stays integer (GMP): hulls of the stored
 * vertices, their images under R as stored, D = { b - a } by edge merge, the
 * feature of D nearest to the origin, and the certificate. sigma of the cores
 * is then a root on the grid, and ref_enclose finds the doubles around it.
 *
 * Predicates are tried on truncated doubles first; only a sign that their
 * error could have turned is computed in integers. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "reference/curved/curved_pair.h"
#include "reference/motion/placed_oracle.h"
#include "reference/oracle/exact.h"
#include "reference/oracle/hull2.h"

/* A vector on the grid. */
typedef struct exact {
    mpz_t x, y;
} exact;

/* Its components truncated to double: a relative error below 2^-52, the right
 * sign, infinite when they do not fit. Images are kept exactly; what is a
 * difference of images only as this, and computed again if that is not enough. */
typedef struct approx {
    double x, y;
} approx;

typedef struct core {
    const gjb_body2 *body;
    const ref_dyadic *rotation; /* c, s */
    uint32_t *hull; /* indices of stored vertices */
    uint32_t count;
    exact *image;   /* of the hull vertices, relative to A's translation */
    approx *edge;   /* image[k + 1] - image[k] */
} core;

/* D, counter-clockwise and strictly convex; two vertices when flat. Vertex k is
 * image b[k] of B less image a[k] of A. */
typedef struct difference {
    const core *core_a, *core_b;
    uint32_t count;
    uint32_t *a, *b;
    approx *vertex, *edge;
} difference;

typedef enum feature { AT_VERTEX, AT_EDGE, WITHIN } feature;

typedef struct found {
    feature feature;
    uint32_t k;
    ref_root sigma; /* of the cores, on the grid */
    exact normal; /* not unit */
} found;

typedef struct scratch {
    mpz_t u, v, w, z;
    exact p, q;
} scratch;

static exact *vectors_new(uint32_t count)
{
    exact *v = ref_zeroed(count, sizeof *v);
    for (uint32_t k = 0; k < count; k++) {
        mpz_init(v[k].x);
        mpz_init(v[k].y);
    }
    return v;
}

static void vectors_free(exact *v, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        mpz_clear(v[k].x);
        mpz_clear(v[k].y);
    }
    free(v);
}

static approx truncate(const exact *v)
{
    return (approx){mpz_get_d(v->x), mpz_get_d(v->y)};
}

static void subtract(exact *out, const exact *p, const exact *q)
{
    mpz_sub(out->x, p->x, q->x);
    mpz_sub(out->y, p->y, q->y);
}

static uint32_t following(uint32_t k, uint32_t count)
{
    return k + 1 < count ? k + 1 : 0;
}

static void core_edge(exact *out, const core *core, uint32_t k)
{
    subtract(out, &core->image[following(k, core->count)], &core->image[k]);
}

static void vertex_of(exact *out, const difference *d, uint32_t k)
{
    subtract(out, &d->core_b->image[d->b[k]], &d->core_a->image[d->a[k]]);
}

static void edge_of(exact *out, const difference *d, uint32_t k)
{
    uint32_t after = following(k, d->count);
    subtract(out, &d->core_b->image[d->b[after]], &d->core_b->image[d->b[k]]);
    if (d->a[after] != d->a[k]) {
        const exact *to = &d->core_a->image[d->a[after]], *from = &d->core_a->image[d->a[k]];
        mpz_sub(out->x, out->x, to->x);
        mpz_sub(out->y, out->y, to->y);
        mpz_add(out->x, out->x, from->x);
        mpz_add(out->y, out->y, from->y);
    }
}

/* Sign of left - right if each is a product of two truncated doubles. */
static bool sure(double left, double right, int *sign)
{
    double value = left - right, doubt = 0x1p-48 * (fabs(left) + fabs(right));
    *sign = value > 0 ? 1 : -1;
    return fabs(value) > doubt && isfinite(doubt);
}

static void cross(mpz_t out, const exact *p, const exact *q)
{
    mpz_mul(out, p->x, q->y);
    mpz_submul(out, p->y, q->x);
}

static void dot(mpz_t out, const exact *p, const exact *q)
{
    mpz_mul(out, p->x, q->x);
    mpz_addmul(out, p->y, q->y);
}

static int cross_core_edges(const core *a, uint32_t i, const core *b, uint32_t j, scratch *s)
{
    int sign;
    if (!sure(a->edge[i].x * b->edge[j].y, a->edge[i].y * b->edge[j].x, &sign)) {
        core_edge(&s->p, a, i);
        core_edge(&s->q, b, j);
        cross(s->u, &s->p, &s->q);
        sign = mpz_sgn(s->u);
    }
    return sign;
}

static int cross_edges(const difference *d, uint32_t i, uint32_t j, scratch *s)
{
    int sign;
    if (!sure(d->edge[i].x * d->edge[j].y, d->edge[i].y * d->edge[j].x, &sign)) {
        edge_of(&s->p, d, i);
        edge_of(&s->q, d, j);
        cross(s->u, &s->p, &s->q);
        sign = mpz_sgn(s->u);
    }
    return sign;
}

/* >= 0: the origin is on the line of edge j, through vertex j, or left of it. */
static int side_of_edge(const difference *d, uint32_t j, scratch *s)
{
    int sign;
    if (!sure(d->vertex[j].x * d->edge[j].y, d->vertex[j].y * d->edge[j].x, &sign)) {
        vertex_of(&s->p, d, j);
        edge_of(&s->q, d, j);
        cross(s->u, &s->p, &s->q);
        sign = mpz_sgn(s->u);
    }
    return sign;
}

/* Of vertex i and edge j. */
static int dot_sign(const difference *d, uint32_t i, uint32_t j, scratch *s)
{
    int sign;
    if (!sure(d->vertex[i].x * d->edge[j].x, -(d->vertex[i].y * d->edge[j].y), &sign)) {
        vertex_of(&s->p, d, i);
        edge_of(&s->q, d, j);
        dot(s->u, &s->p, &s->q);
        sign = mpz_sgn(s->u);
    }
    return sign;
}

static void square(mpz_t out, const exact *p)
{
    dot(out, p, p);
}

static int least(int p, int q)
{
    return p < q ? p : q;
}

/* Grid on which everything of the pair is an integer. */
typedef struct grid {
    int vertex;   /* exponent of local coordinates */
    int rotation; /* of c and s */
    int all;      /* of images, translations, radii */
} grid;

static grid grid_of(const gjb_pair2 *pair, const ref_place *place)
{
    grid g = {INT_MAX, INT_MAX, INT_MAX};
    const gjb_body2 *bodies[2] = {&pair->a, &pair->b};
    for (int side = 0; side < 2; side++) {
        const gjb_body2 *body = bodies[side];
        for (uint32_t k = 0; k < body->count; k++) {
            g.vertex = least(g.vertex, ref_lowest_bit(body->vertices[k][0]));
            g.vertex = least(g.vertex, ref_lowest_bit(body->vertices[k][1]));
        }
        g.rotation = least(g.rotation, ref_dyadic_lowest(place->rotation[side], 2));
        g.all = least(g.all, ref_lowest_bit(body->radius));
    }
    g.vertex = g.vertex == INT_MAX ? 0 : g.vertex;
    g.rotation = g.rotation == INT_MAX ? 0 : g.rotation;
    g.all = least(least(g.all, ref_dyadic_lowest(place->offset, 2)), g.vertex + g.rotation);
    return g;
}

/* The image of local (x, y) without translation, on grid vertex + rotation. */
static void rotate(exact *out, const mpz_t c, const mpz_t s, const mpz_t x, const mpz_t y)
{
    mpz_mul(out->x, c, x);
    mpz_submul(out->x, s, y);
    mpz_mul(out->y, s, x);
    mpz_addmul(out->y, c, y);
}

/* `offset`: NULL for A, whose translation is the origin. */
static void core_open(core *core, const gjb_body2 *body, const ref_dyadic *rotation, const ref_dyadic *offset,
                      const grid *g, scratch *s)
{
    core->body = body;
    core->rotation = rotation;
    core->hull = ref_zeroed(body->count, sizeof *core->hull);
    core->count = ref_hull2(body->vertices, body->count, core->hull);
    core->image = vectors_new(core->count);
    core->edge = ref_zeroed(core->count, sizeof *core->edge);
    mpz_t tx, ty;
    mpz_init(tx);
    mpz_init(ty);
    if (offset) {
        ref_dyadic_scaled(tx, &offset[0], g->all);
        ref_dyadic_scaled(ty, &offset[1], g->all);
    }
    ref_dyadic_scaled(s->u, &rotation[0], g->rotation);
    ref_dyadic_scaled(s->v, &rotation[1], g->rotation);
    mp_bitcnt_t shift = (mp_bitcnt_t)(g->vertex + g->rotation - g->all);
    for (uint32_t k = 0; k < core->count; k++) {
        const double *vertex = body->vertices[core->hull[k]];
        exact *image = &core->image[k];
        ref_set_scaled(s->w, vertex[0], g->vertex);
        ref_set_scaled(s->z, vertex[1], g->vertex);
        rotate(image, s->u, s->v, s->w, s->z);
        mpz_mul_2exp(image->x, image->x, shift);
        mpz_mul_2exp(image->y, image->y, shift);
        mpz_add(image->x, image->x, tx);
        mpz_add(image->y, image->y, ty);
    }
    for (uint32_t k = 0; k < core->count; k++) {
        core_edge(&s->p, core, k);
        core->edge[k] = truncate(&s->p);
    }
    mpz_clear(tx);
    mpz_clear(ty);
}

static void core_close(core *core)
{
    vectors_free(core->image, core->count);
    free(core->edge);
    free(core->hull);
}

/* Lowest vertex, leftmost on ties, for sign 1; highest, rightmost for -1. */
static uint32_t first_vertex(const core *core, int sign)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < core->count; k++) {
        int by_y = sign * mpz_cmp(core->image[k].y, core->image[best].y);
        int by_x = sign * mpz_cmp(core->image[k].x, core->image[best].x);
        if (by_y < 0 || (by_y == 0 && by_x < 0))
            best = k;
    }
    return best;
}

/* Edges of B and of -A in the order of their angles from 0, starting at the
 * lowest vertices. Heads of the two lists are never more than pi apart, so the
 * sign of their cross product orders them. */
static void merge(difference *d, const core *a, const core *b, scratch *s)
{
    uint32_t edges_a = a->count > 1 ? a->count : 0, edges_b = b->count > 1 ? b->count : 0;
    uint32_t room = edges_a + edges_b + 1;
    uint32_t first_a = first_vertex(a, -1), first_b = first_vertex(b, 1);
    d->a = ref_zeroed(room, sizeof *d->a);
    d->b = ref_zeroed(room, sizeof *d->b);
    uint32_t i = 0, j = 0;
    d->core_a = a;
    d->core_b = b;
    d->count = 0;
    do {
        uint32_t at_a = (first_a + i) % a->count, at_b = (first_b + j) % b->count;
        d->a[d->count] = at_a;
        d->b[d->count] = at_b;
        d->count++;
        /* turn > 0: the edge of -A, which is minus that of A, comes first. */
        int turn = i == edges_a ? -1 : j == edges_b ? 1 : -cross_core_edges(a, at_a, b, at_b, s);
        i += turn >= 0 && i < edges_a;
        j += turn <= 0 && j < edges_b;
    } while (i < edges_a || j < edges_b);
    d->vertex = ref_zeroed(d->count, sizeof *d->vertex);
    d->edge = ref_zeroed(d->count, sizeof *d->edge);
    for (uint32_t k = 0; k < d->count; k++) {
        vertex_of(&s->p, d, k);
        d->vertex[k] = truncate(&s->p);
        edge_of(&s->p, d, k);
        d->edge[k] = truncate(&s->p);
    }
}

static void difference_close(difference *d)
{
    free(d->vertex);
    free(d->edge);
    free(d->a);
    free(d->b);
}

static void take_vertex(found *f, const difference *d, uint32_t k)
{
    f->feature = AT_VERTEX;
    f->k = k;
    f->sigma.sign = 1;
    vertex_of(&f->normal, d, k);
    square(f->sigma.numerator, &f->normal);
    mpz_set_ui(f->sigma.denominator, 1);
    if (mpz_sgn(f->sigma.numerator) == 0) /* two points in one place: any normal */
        mpz_set_ui(f->normal.x, 1);
}

static void take_edge(found *f, const difference *d, uint32_t k, int sign, scratch *s)
{
    f->feature = sign > 0 ? AT_EDGE : WITHIN;
    f->k = k;
    f->sigma.sign = sign;
    vertex_of(&s->p, d, k);
    edge_of(&s->q, d, k);
    cross(s->u, &s->p, &s->q);
    mpz_mul(f->sigma.numerator, s->u, s->u);
    square(f->sigma.denominator, &s->q);
    mpz_neg(f->normal.x, s->q.y);
    mpz_set(f->normal.y, s->q.x);
}

/* out = (cross of vertex and edge p)^2 |edge q|^2 */
static void face_distance(mpz_t out, const difference *d, uint32_t p, uint32_t q, scratch *s)
{
    vertex_of(&s->p, d, p);
    edge_of(&s->q, d, p);
    cross(s->w, &s->p, &s->q);
    mpz_mul(s->w, s->w, s->w);
    edge_of(&s->q, d, q);
    square(s->z, &s->q);
    mpz_mul(out, s->w, s->z);
}

/* Sign of (distance of edge line p) - (distance of edge line q), both with the
 * origin on the left or on them. */
static int compare_faces(const difference *d, uint32_t p, uint32_t q, scratch *s)
{
    const approx *wp = &d->vertex[p], *ep = &d->edge[p], *wq = &d->vertex[q], *eq = &d->edge[q];
    double pl = wp->x * ep->y, pr = wp->y * ep->x, ql = wq->x * eq->y, qr = wq->y * eq->x;
    double lp = hypot(ep->x, ep->y), lq = hypot(eq->x, eq->y);
    double difference = (pl - pr) / lp - (ql - qr) / lq;
    double doubt = 0x1p-46 * ((fabs(pl) + fabs(pr)) / lp + (fabs(ql) + fabs(qr)) / lq);
    if (isfinite(doubt) && isfinite(lp) && isfinite(lq) && fabs(difference) > doubt)
        return difference > 0 ? 1 : -1;
    if (p == q)
        return 0;
    face_distance(s->u, d, p, q, s);
    face_distance(s->v, d, q, p, s);
    return mpz_cmp(s->u, s->v);
}

/* Apart: the nearest feature is the one whose normal cone or slab holds the
 * origin; it is unique. Overlapping: the nearest edge line. */
static void locate(found *f, const difference *d, scratch *s)
{
    if (d->count == 1) {
        take_vertex(f, d, 0);
        return;
    }
    uint32_t n = d->count;
    bool apart = false;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t before = k ? k - 1 : n - 1;
        int ahead = dot_sign(d, k, k, s);
        bool at_origin = d->vertex[k].x == 0 && d->vertex[k].y == 0;
        if (ahead >= 0 && !at_origin && dot_sign(d, k, before, s) <= 0) {
            take_vertex(f, d, k);
            return;
        }
        if (side_of_edge(d, k, s) < 0) {
            apart = true;
            if (ahead < 0 && dot_sign(d, following(k, n), k, s) > 0) {
                take_edge(f, d, k, 1, s);
                return;
            }
        }
    }
    if (apart)
        ref_broken("no nearest feature");
    uint32_t nearest = 0;
    for (uint32_t k = 1; k < n; k++)
        if (compare_faces(d, k, nearest, s) < 0)
            nearest = k;
    take_edge(f, d, nearest, -1, s);
}

/* No stored vertex of `body` reaches further along `side` * normal than hull vertex `at`. */
static void check_support(const core *core, uint32_t at, const exact *normal, int side, const grid *g,
                          scratch *s)
{
    const gjb_body2 *body = core->body;
    exact *local = &s->p, *apart = &s->q;
    ref_dyadic_scaled(s->u, &core->rotation[0], g->rotation);
    ref_dyadic_scaled(s->v, &core->rotation[1], g->rotation);
    mpz_neg(s->v, s->v); /* the transpose */
    rotate(local, s->u, s->v, normal->x, normal->y);
    approx n = truncate(local);
    const double *best = body->vertices[core->hull[at]];
    for (uint32_t k = 0; k < body->count; k++) {
        const double *v = body->vertices[k];
        double dx = v[0] - best[0], dy = v[1] - best[1];
        if (dx == 0 && dy == 0)
            continue;
        int sign;
        /* Differences too small for a normal product go to the integers. */
        bool plain = fabs(dx) + fabs(dy) > 0x1p-900 && (dx == 0 || fabs(dx) > 0x1p-960)
                     && (dy == 0 || fabs(dy) > 0x1p-960);
        if (!plain || !sure(n.x * dx, -(n.y * dy), &sign)) {
            ref_set_scaled(apart->x, v[0], g->vertex);
            ref_set_scaled(s->z, best[0], g->vertex);
            mpz_sub(apart->x, apart->x, s->z);
            ref_set_scaled(apart->y, v[1], g->vertex);
            ref_set_scaled(s->z, best[1], g->vertex);
            mpz_sub(apart->y, apart->y, s->z);
            dot(s->w, local, apart);
            sign = mpz_sgn(s->w);
        }
        if (side * sign > 0)
            ref_broken("a vertex lies beyond the support");
    }
}

/* What proves the answer, over all stored vertices and whatever `merge` and
 * `locate` did. From below: the support gap along the normal. From above, when
 * apart: vertex or foot of the perpendicular is a point of D. When overlapping:
 * all vertices of D's polygon are points of D, it is convex, goes round once,
 * and no edge of it is nearer than the one named. */
static void certify(const found *f, const difference *d, const core *a, const core *b, const grid *g,
                    scratch *s)
{
    check_support(a, d->a[f->k], &f->normal, 1, g, s);
    check_support(b, d->b[f->k], &f->normal, -1, g, s);
    if (f->feature == AT_VERTEX)
        return;
    uint32_t n = d->count;
    if (f->feature == AT_EDGE || mpz_sgn(f->sigma.numerator) == 0) {
        /* Depth 0 needs no more than the origin being a point of D. */
        if (dot_sign(d, f->k, f->k, s) > 0 || dot_sign(d, following(f->k, n), f->k, s) < 0)
            ref_broken("the nearest point lies off its edge");
        return;
    }
    uint32_t lowest = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t before = k ? k - 1 : n - 1;
        if (cross_edges(d, before, k, s) <= 0)
            ref_broken("the difference is not convex");
        const approx *in = &d->edge[before], *out = &d->edge[k];
        lowest += (in->x != 0 ? in->x : in->y) < 0 && (out->x != 0 ? out->x : out->y) > 0;
        if (side_of_edge(d, k, s) < 0 || compare_faces(d, k, f->k, s) < 0)
            ref_broken("a face lies nearer");
    }
    if (lowest != 1)
        ref_broken("the difference does not go round once");
}

static void witnesses(ref_exact *out, const found *f, const difference *d, const core *a, const core *b,
                      const grid *g, scratch *s)
{
    long double nx = ref_to_long_double(f->normal.x, g->all), ny = ref_to_long_double(f->normal.y, g->all);
    long double length = hypotl(nx, ny), t = 0;
    nx /= length;
    ny /= length;
    out->normal[0] = (double)nx;
    out->normal[1] = (double)ny;
    uint32_t after = following(f->k, d->count);
    if (f->feature != AT_VERTEX) {
        vertex_of(&s->p, d, f->k);
        edge_of(&s->q, d, f->k);
        dot(s->u, &s->p, &s->q);
        mpz_neg(s->u, s->u);
        t = ref_to_long_double(s->u, 0) / ref_to_long_double(f->sigma.denominator, 0);
        t = t < 0 ? 0 : t > 1 ? 1 : t;
    }
    for (int side = 0; side < 2; side++) {
        const core *core = side ? b : a;
        const uint32_t *index = side ? d->b : d->a;
        const exact *from = &core->image[index[f->k]], *to = &core->image[index[after]];
        double *point = side ? out->point_b : out->point_a;
        long double x = ref_to_long_double(from->x, g->all), y = ref_to_long_double(from->y, g->all);
        if (from != to) {
            mpz_sub(s->u, to->x, from->x);
            mpz_sub(s->v, to->y, from->y);
            x += t * ref_to_long_double(s->u, g->all);
            y += t * ref_to_long_double(s->v, g->all);
        }
        long double radius = side ? -(long double)b->body->radius : a->body->radius;
        point[0] = (double)(x + radius * nx);
        point[1] = (double)(y + radius * ny);
    }
}

void ref_oracle2(const gjb_pair2 *pair, ref_exact *out)
{
    if (ref_is_curved2(pair)) {
        ref_curved_oracle2(pair, out);
        return;
    }
    const gjb_pose2d *a = &pair->a.pose, *b = &pair->b.pose;
    ref_place place;
    ref_place_init(&place);
    ref_dyadic_set(&place.rotation[0][0], a->c);
    ref_dyadic_set(&place.rotation[0][1], a->s);
    ref_dyadic_set(&place.rotation[1][0], b->c);
    ref_dyadic_set(&place.rotation[1][1], b->s);
    ref_dyadic_difference(&place.offset[0], b->x, a->x);
    ref_dyadic_difference(&place.offset[1], b->y, a->y);
    ref_oracle2_placed(pair, &place, out);
    ref_place_clear(&place);
}

void ref_oracle2_placed(const gjb_pair2 *pair, const ref_place *place, ref_exact *out)
{
    scratch s;
    mpz_inits(s.u, s.v, s.w, s.z, s.p.x, s.p.y, s.q.x, s.q.y, NULL);
    grid g = grid_of(pair, place);
    core a, b;
    core_open(&a, &pair->a, place->rotation[0], NULL, &g, &s);
    core_open(&b, &pair->b, place->rotation[1], place->offset, &g, &s);
    difference d;
    merge(&d, &a, &b, &s);

    found f;
    mpz_t radius;
    mpz_inits(f.sigma.numerator, f.sigma.denominator, f.normal.x, f.normal.y, radius, NULL);
    locate(&f, &d, &s);
    certify(&f, &d, &a, &b, &g, &s);

    ref_set_scaled(radius, pair->a.radius, g.all);
    ref_set_scaled(s.u, pair->b.radius, g.all);
    mpz_add(radius, radius, s.u);
    ref_interval interval = ref_enclose(&f.sigma, radius, g.all);
    out->sign = interval.sign;
    out->lo = interval.lo;
    out->hi = interval.hi;
    witnesses(out, &f, &d, &a, &b, &g, &s);

    mpz_clears(f.sigma.numerator, f.sigma.denominator, f.normal.x, f.normal.y, radius, NULL);
    difference_close(&d);
    core_close(&a);
    core_close(&b);
    mpz_clears(s.u, s.v, s.w, s.z, s.p.x, s.p.y, s.q.x, s.q.y, NULL);
}
