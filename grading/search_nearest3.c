/* Nearest points of two polytopes in space, and of a triangle to the origin: GJK in long double. */
#include "grading/bounds_private.h"

enum { STEPS_MAX = 128, STUCK_MAX = 4 };

/* A convex combination of vertices of the simplex. */
typedef struct candidate {
    int used[4], count;
    real weights[4]; /* not negative, of sum 1 but for rounding */
    real at[3], length;
    real direction[3]; /* normal of what they span, towards it from the origin */
} candidate;

static void combine(const gjb_search3 *s, candidate *c)
{
    for (int k = 0; k < 3; k++) {
        c->at[k] = 0;
        for (int m = 0; m < c->count; m++)
            c->at[k] += c->weights[m] * s->simplex[c->used[m]].at[k];
        c->direction[k] = c->at[k];
    }
    c->length = gjb_length3(c->at);
}

static void keep(const candidate *c, candidate *best)
{
    if (c->length < best->length)
        *best = *c;
}

static void try_vertex(const gjb_search3 *s, int p, candidate *best)
{
    candidate c = {.used = {p}, .count = 1, .weights = {1}};
    combine(s, &c);
    keep(&c, best);
}

static void try_segment(const gjb_search3 *s, int p, int q, candidate *best)
{
    const real *u = s->simplex[p].at, *v = s->simplex[q].at;
    real e[3];
    gjb_sub3(v, u, e);
    real along = -gjb_dot3(u, e), back = gjb_dot3(v, e), squared = gjb_dot3(e, e);
    if (!(along > 0 && back > 0 && squared > 0))
        return;
    real t = along < back ? along / squared : 1 - back / squared; /* from the nearer end */
    candidate c = {.used = {p, q}, .count = 2, .weights = {1 - t, t}};
    combine(s, &c);
    /* Close by, the difference of points leans along the segment by what rounding left of it. */
    real lean = gjb_dot3(c.at, e) / squared;
    for (int k = 0; k < 3; k++)
        c.direction[k] -= lean * e[k];
    keep(&c, best);
}

/* Weights of q and r at the foot of the origin on the plane through p, q, r,
 * which p should be the nearest of; 0 if there is no plane. */
static int foot(const real p[3], const real q[3], const real r[3], real weights[2], real normal[3])
{
    real e[3], f[3], to[3] = {-p[0], -p[1], -p[2]}, u[3], v[3];
    gjb_sub3(q, p, e);
    gjb_sub3(r, p, f);
    gjb_cross3(e, f, normal);
    real squared = gjb_dot3(normal, normal);
    if (!(squared > 0))
        return 0;
    gjb_cross3(to, f, u);
    gjb_cross3(e, to, v);
    weights[0] = gjb_dot3(u, normal) / squared;
    weights[1] = gjb_dot3(v, normal) / squared;
    return 1;
}

static void try_triangle(const gjb_search3 *s, int p, int q, int r, candidate *best)
{
    int used[3] = {p, q, r};
    for (int k = 1; k < 3; k++)
        if (gjb_dot3(s->simplex[used[k]].at, s->simplex[used[k]].at) <
            gjb_dot3(s->simplex[used[0]].at, s->simplex[used[0]].at)) {
            int swap = used[0];
            used[0] = used[k];
            used[k] = swap;
        }
    const real *u = s->simplex[used[0]].at;
    real w[2], normal[3];
    if (!foot(u, s->simplex[used[1]].at, s->simplex[used[2]].at, w, normal) || w[0] < 0 || w[1] < 0 ||
        w[0] + w[1] > 1)
        return;
    candidate c = {.used = {used[0], used[1], used[2]}, .count = 3, .weights = {1 - (w[0] + w[1]), w[0], w[1]}};
    combine(s, &c);
    /* Close by, the difference of points is too coarse for an axis; the plane is not. */
    real sign = gjb_dot3(normal, u) < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++)
        c.direction[k] = sign * normal[k];
    keep(&c, best);
}

static real volume(const real p[3], const real q[3], const real r[3])
{
    real n[3];
    gjb_cross3(q, r, n);
    return gjb_dot3(p, n);
}

/* The origin as a combination of all four, if it is inside. */
static int try_inside(const gjb_search3 *s, candidate *best)
{
    const real *p = s->simplex[0].at, *q = s->simplex[1].at, *r = s->simplex[2].at, *t = s->simplex[3].at;
    real v[4] = {volume(q, r, t), -volume(p, r, t), volume(p, q, t), -volume(p, q, r)};
    real sum = v[0] + v[1] + v[2] + v[3];
    candidate c = {.used = {0, 1, 2, 3}, .count = 4};
    for (int k = 0; k < 4; k++) {
        c.weights[k] = v[k] / sum;
        if (!(c.weights[k] >= 0))
            return 0;
    }
    combine(s, &c);
    keep(&c, best);
    return 1;
}

/* Nearest point of the simplex, by the parts of it that the newest vertex
 * belongs to; drops vertices that it does not need. 1 when the origin is inside. */
static int reduce(gjb_search3 *s, candidate *best)
{
    const int newest = s->count - 1;
    best->length = INFINITY;
    try_vertex(s, newest, best);
    for (int i = 0; i < newest; i++) {
        try_segment(s, i, newest, best);
        for (int j = i + 1; j < newest; j++)
            try_triangle(s, i, j, newest, best);
    }
    if (s->count == 4 && try_inside(s, best))
        return 1;
    gjb_vertex3 kept[4];
    for (int k = 0; k < best->count; k++)
        kept[k] = s->simplex[best->used[k]];
    for (int k = 0; k < best->count; k++)
        s->simplex[k] = kept[k];
    s->count = best->count;
    return 0;
}

static int known(const gjb_search3 *s, const gjb_vertex3 *v)
{
    for (int k = 0; k < s->count; k++)
        if (s->simplex[k].i == v->i && s->simplex[k].j == v->j)
            return 1;
    return 0;
}

void gjb_search_nearest3(const gjb_placed3 *a, const gjb_placed3 *b, const real start[3], real narrow,
                         gjb_search3 *s)
{
    real n[3] = {start[0], start[1], start[2]};
    if (!gjb_normalise3(n))
        n[0] = 1;
    *s = (gjb_search3){.lower = -INFINITY, .upper = INFINITY};
    for (int step = 0, stuck = 0; step < STEPS_MAX && stuck < STUCK_MAX; step++) {
        gjb_vertex3 v;
        real gap = gjb_least_along3(a, b, n, &v);
        if (gap > s->lower) {
            s->lower = gap;
            for (int k = 0; k < 3; k++)
                s->axis[k] = n[k];
        }
        if (s->upper - s->lower <= narrow || known(s, &v))
            return;
        real from_a[3], from_b[3];
        gjb_image3(a, v.i, from_a);
        gjb_image3(b, v.j, from_b);
        gjb_sub3(from_b, from_a, v.at);
        s->simplex[s->count++] = v;
        candidate best;
        int inside = reduce(s, &best);
        stuck = best.length < s->upper ? 0 : stuck + 1;
        s->upper = fminl(s->upper, best.length);
        if (inside)
            return;
        for (int k = 0; k < 3; k++)
            n[k] = best.direction[k];
        if (!gjb_normalise3(n))
            return;
    }
}

void gjb_triangle_nearest3(const real p[3], const real q[3], const real r[3], real weights[3])
{
    gjb_search3 s = {.count = 3};
    candidate best = {.length = INFINITY};
    for (int k = 0; k < 3; k++) {
        s.simplex[0].at[k] = p[k];
        s.simplex[1].at[k] = q[k];
        s.simplex[2].at[k] = r[k];
    }
    for (int i = 0; i < 3; i++) {
        try_vertex(&s, i, &best);
        try_segment(&s, i, (i + 1) % 3, &best);
    }
    try_triangle(&s, 0, 1, 2, &best);
    weights[0] = weights[1] = weights[2] = 0;
    for (int k = 0; k < best.count; k++)
        weights[best.used[k]] = best.weights[k];
}
