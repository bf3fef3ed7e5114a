/* EPA for one pair (van den Bergen 2001): a convex polytope inside D grows
 * where it is nearest to the origin. The nearest face bounds the depth from
 * below, the support along its normal from above.
 *
 * It starts from a tetrahedron of D, or from a triangle walked on both sides,
 * and need not hold the origin: a face with the origin beyond it is at a negative
 * distance, and grows first.
 *
 * The faces that a corner sees are decided in quadruple precision whenever double
 * leaves a doubt, so that rounding never folds the surface (as with the exact
 * predicates of Shewchuk 1997). Normals of thin faces are computed in it too. */
#ifndef GJB_SIMD_FALLBACK3_EPA_H
#define GJB_SIMD_FALLBACK3_EPA_H

#include "simd/space/fallback/fallback3_gjk.h"

/* The side of a face from its corner `side` (0 to 2) to the next one. 4, not 3, so that it is taken apart by bits. */
#define TWIN(face, side) (4 * (face) + (side))
#define TWIN_FACE(twin) ((twin) >> 2)
#define TWIN_SIDE(twin) ((twin) & 3)

/* Binary quadruple precision: correctly rounded in software, the same bits on
 * every machine. */
#if LDBL_MANT_DIG == 113
typedef long double quad;
#else
__extension__ typedef __float128 quad;
#endif

typedef struct quad3 {
    quad x, y, z;
} quad3;

static quad3 wide_sub(vec3 p, vec3 q)
{
    return (quad3){(quad)p.x - (quad)q.x, (quad)p.y - (quad)q.y, (quad)p.z - (quad)q.z};
}

static quad3 wide_normal(vec3 p, vec3 q, vec3 r)
{
    const quad3 e = wide_sub(q, p), f = wide_sub(r, p);
    return (quad3){e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x};
}

typedef struct polytope {
    uint32_t corners, corner_room, faces, face_room;
    corner *corner;
    vec3 *n;                  /* [face] outward unit normal */
    double *d;                /* distance of its plane */
    double *doubt;            /* error bound of heights over it */
    real *far;                /* the same, negated, for finding the nearest; -REAL_MAX if there is no face */
    uint32_t (*v)[3];         /* corners, counter-clockwise from outside */
    uint32_t (*twin)[3];      /* TWIN of the face across the side from v[k] to v[k + 1] */
    uint32_t *from;           /* [corner] a new face whose side begins there */
    uint32_t *stack, *free_faces, free_count;
    struct rim { uint32_t from, to, twin; } *rim; /* between faces that are seen and others */
    uint32_t rims;
    uint8_t *seen;
} polytope;

/* Room for so many corners; a closed surface of V corners has 2V - 4 faces. */
static uint32_t corner_room(uint32_t vertices)
{
    return vertices > 256 ? 1u << 16 : 128 + 8 * vertices;
}

#define EACH_ARRAY(DO)                                                                                           \
    DO(corner, V) DO(n, F) DO(d, F) DO(doubt, F) DO(far, F) DO(v, F) DO(twin, F) DO(from, V) DO(stack, F)                     \
    DO(free_faces, F) DO(rim, F) DO(seen, F)

static size_t lay_out(polytope *poly, char *room, uint32_t V)
{
    const uint32_t F = 2 * V;
    size_t at = 0;
    poly->corner_room = V;
    poly->face_room = F;
#define DO(field, count)                                                                                         \
    poly->field = (void *)(room ? room + at : NULL);                                                             \
    at += ((size_t)(count) * sizeof *poly->field + 63) & ~(size_t)63;
    EACH_ARRAY(DO)
#undef DO
    return at;
}

/* Normal and distance of a face from its corners. A face without area has no plane:
 * it is never the nearest, and never seen. */
static void measure(polytope *poly, uint32_t f)
{
    const vec3 p = poly->corner[poly->v[f][0]].w, q = poly->corner[poly->v[f][1]].w, r = poly->corner[poly->v[f][2]].w;
    const vec3 e = sub3(q, p), g = sub3(r, p);
    vec3 n = triangle_normal(p, q, r);
    double nn = dot3(n, n);
    if (__builtin_expect(!(nn > 0), 0)) {
        const quad3 wide = wide_normal(p, q, r);
        n = (vec3){(double)wide.x, (double)wide.y, (double)wide.z};
        const double most = fmax(fmax(fabs(n.x), fabs(n.y)), fabs(n.z));
        n = most > 0 ? mul3(n, 1 / most) : n; /* its square may underflow */
        nn = dot3(n, n);
    }
    if (__builtin_expect(!(nn > 0), 0)) {
        poly->n[f] = n;
        poly->d[f] = DBL_MAX;
        poly->doubt[f] = 0;
        poly->far[f] = -REAL_MAX;
        return;
    }
    const double by = 1 / sqrt(nn);
    poly->n[f] = mul3(n, by);
    poly->d[f] = dot3(poly->n[f], p);
    poly->doubt[f] = 64 * ROUNDING * (1 + sqrt(dot3(e, e) * dot3(g, g)) * by);
    poly->far[f] = (real)-poly->d[f];
}

/* 1 if w is above the plane of a face. */
static int sees(const polytope *poly, uint32_t f, vec3 w)
{
    const double height = dot3(poly->n[f], w) - poly->d[f];
    if (__builtin_expect(fabs(height) > poly->doubt[f], 1))
        return height > 0;
    const vec3 p = poly->corner[poly->v[f][0]].w, q = poly->corner[poly->v[f][1]].w, r = poly->corner[poly->v[f][2]].w;
    const quad3 n = wide_normal(p, q, r), g = wide_sub(w, p);
    const quad x = n.x * g.x, y = n.y * g.y, z = n.z * g.z;
    const quad size = (x < 0 ? -x : x) + (y < 0 ? -y : y) + (z < 0 ? -z : z);
    return x + y + z > size * (quad)0x1p-100;
}

/* The face nearest to the origin, the lowest index on ties. */
static uint32_t nearest_plane(const polytope *poly)
{
    vr index = v_ramp(), which = index, best = v_load(poly->far);
    const vr step = v_set(LANES);
    for (uint32_t f = LANES; f < poly->faces; f += LANES) {
        const vr far = v_load(poly->far + f);
        index = v_add(index, step);
        vm later = v_gt(far, best);
        best = v_max(far, best);
        which = v_sel(later, index, which);
    }
    return v_top_index(best, which);
}

/* UINT32_MAX if there is no room. */
static uint32_t new_face(polytope *poly)
{
    if (poly->free_count > 0)
        return poly->free_faces[--poly->free_count];
    if (poly->faces == poly->face_room)
        return UINT32_MAX;
    if (poly->faces % 16 == 0) /* scanned by whole registers: absent faces are never the nearest */
        for (uint32_t f = poly->faces; f < poly->faces + 16 && f < poly->face_room; f++)
            poly->far[f] = -REAL_MAX;
    poly->seen[poly->faces] = 0;
    return poly->faces++;
}

static void set_face(polytope *poly, uint32_t f, uint32_t i, uint32_t j, uint32_t k)
{
    poly->v[f][0] = i;
    poly->v[f][1] = j;
    poly->v[f][2] = k;
    measure(poly, f);
}

/* A tetrahedron, or a triangle walked on both sides. */
static void begin(polytope *poly, const simplex *s)
{
    static const uint32_t solid[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    static const uint32_t solid_twin[4][3] = {{TWIN(1, 2), TWIN(3, 2), TWIN(2, 0)}, {TWIN(2, 2), TWIN(3, 0), TWIN(0, 0)},
                                              {TWIN(0, 2), TWIN(3, 1), TWIN(1, 0)}, {TWIN(1, 1), TWIN(2, 1), TWIN(0, 1)}};
    static const uint32_t flat[2][3] = {{0, 1, 2}, {0, 2, 1}};
    static const uint32_t flat_twin[2][3] = {{TWIN(1, 2), TWIN(1, 1), TWIN(1, 0)}, {TWIN(0, 2), TWIN(0, 1), TWIN(0, 0)}};
    poly->corners = (uint32_t)s->count;
    poly->faces = poly->free_count = 0;
    memcpy(poly->corner, s->c, (size_t)s->count * sizeof *s->c);
    const int is_solid = s->count == 4;
    if (is_solid) {
        const vec3 o = s->c[0].w, n = cross3(sub3(s->c[1].w, o), sub3(s->c[2].w, o));
        if (dot3(n, sub3(s->c[3].w, o)) > 0) { /* corner 3 belongs behind face 0 */
            poly->corner[1] = s->c[2];
            poly->corner[2] = s->c[1];
        }
    }
    for (uint32_t f = 0; f < (is_solid ? 4u : 2u); f++) {
        const uint32_t *v = is_solid ? solid[f] : flat[f];
        new_face(poly);
        set_face(poly, f, v[0], v[1], v[2]);
        memcpy(poly->twin[f], is_solid ? solid_twin[f] : flat_twin[f], sizeof poly->twin[f]);
    }
}

/* Marks the faces connected to `first` that w sees, and collects their rim. */
static uint32_t look(polytope *poly, uint32_t first, vec3 w)
{
    uint32_t seen = 1, rims = 0;
    poly->seen[first] = 1;
    poly->stack[0] = first;
    for (uint32_t done = 0; done < seen; done++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t f = poly->stack[done], twin = poly->twin[f][k], other = TWIN_FACE(twin);
            if (poly->seen[other] == 1)
                continue;
            if (sees(poly, other, w)) {
                poly->seen[other] = 1;
                poly->stack[seen++] = other;
                continue;
            }
            poly->rim[rims++] = (struct rim){poly->v[f][k], poly->v[f][k == 2 ? 0 : k + 1], twin};
        }
    poly->rims = rims;
    return seen;
}

/* The rim is one loop that visits no corner twice. Rounding may break that. */
static int one_loop(polytope *poly)
{
    for (uint32_t i = 0; i < poly->rims; i++)
        poly->from[poly->rim[i].from] = UINT32_MAX;
    for (uint32_t i = 0; i < poly->rims; i++) {
        if (poly->from[poly->rim[i].from] != UINT32_MAX)
            return 0;
        poly->from[poly->rim[i].from] = i;
    }
    uint32_t at = 0, steps = 0;
    do {
        at = poly->from[poly->rim[at].to];
        steps++;
    } while (at != UINT32_MAX && at != 0 && steps <= poly->rims);
    return at == 0 && steps == poly->rims;
}

/* Puts a cone from the corner over the rim of what it sees. False if there
 * is no room, or rounding broke the surface. */
static int expand(polytope *poly, uint32_t face, const corner *c)
{
    const uint32_t seen = look(poly, face, c->w);
    const int sound = poly->rims >= 3 && one_loop(poly) && poly->corners < poly->corner_room &&
                      poly->faces + poly->rims <= poly->face_room + poly->free_count + seen;
    for (uint32_t i = 0; i < seen; i++) {
        poly->seen[poly->stack[i]] = 0;
        if (sound) {
            poly->far[poly->stack[i]] = -REAL_MAX;
            poly->free_faces[poly->free_count++] = poly->stack[i];
        }
    }
    if (!sound)
        return 0;
    const uint32_t apex = poly->corners++;
    poly->corner[apex] = *c;
    for (uint32_t i = 0; i < poly->rims; i++) {
        const struct rim *r = &poly->rim[i];
        const uint32_t f = new_face(poly);
        set_face(poly, f, r->from, r->to, apex);
        poly->twin[f][0] = r->twin;
        poly->twin[TWIN_FACE(r->twin)][TWIN_SIDE(r->twin)] = TWIN(f, 0);
        poly->from[r->from] = f;
    }
    for (uint32_t i = 0; i < poly->rims; i++) {
        const uint32_t f = poly->from[poly->rim[i].from], after = poly->from[poly->rim[i].to];
        poly->twin[f][1] = TWIN(after, 2);
        poly->twin[after][2] = TWIN(f, 1);
    }
    return 1;
}

/* The point of the surface nearest to `foot`, which is on it up to rounding. Returns the squared distance. */
static double witness(const polytope *poly, uint32_t guess, vec3 foot, core_answer *best)
{
    double least = DBL_MAX;
    uint32_t f = guess;
    for (uint32_t k = 0; k <= poly->faces && least > 64 * ROUNDING * ROUNDING; f = k++) {
        if (poly->far[f] == -REAL_MAX)
            continue;
        simplex s = {.count = 3};
        for (int m = 0; m < 3; m++) {
            s.c[m] = poly->corner[poly->v[f][m]];
            s.c[m].w = sub3(s.c[m].w, foot);
        }
        const nearest n = nearest_face(&s, 0, 1, 2);
        if (n.dd >= least)
            continue;
        least = n.dd;
        reduce(&s, &n);
        combine(&s, n.weight, best);
    }
    return least;
}

/* The depth of the cores from a simplex of three or four corners. `best->gap`
 * is the difference of its bounds; DBL_MAX if the surface broke, and only the
 * upper bound holds. */
static void epa3(problem *p, double met, const simplex *s, polytope *poly, core_answer *best)
{
    uint32_t best_face = 0;
    double reach = DBL_MAX, lower = -DBL_MAX;
    vec3 normal = {1, 0, 0};
    begin(poly, s);
    for (;;) {
        const uint32_t f = nearest_plane(poly);
        const vec3 n = poly->n[f];
        const corner c = support3(p, neg3(n));
        const double here = dot3(n, c.w);
        lower = poly->d[f];
        if (here < reach) {
            reach = here;
            normal = n;
            best_face = f;
        }
        int known = reach - lower <= met;
        if (here - lower <= 64 * (double)REAL_EPSILON) /* rounding may return an existing corner */
            for (uint32_t k = 0; k < poly->corners && !known; k++)
                known = same_corner(&poly->corner[k], &c);
        if (known)
            break;
        if (!expand(poly, f, &c)) {
            lower = -DBL_MAX;
            break;
        }
    }
    best->gap = reach - lower;
    best->sigma = reach > 0 ? -reach : 0;
    best->normal = neg3(normal);
    best->torn = witness(poly, best_face, mul3(normal, reach), best);
}

#endif
