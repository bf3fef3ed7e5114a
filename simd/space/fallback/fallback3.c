/* One pair in space at a time: GJK, then depth by EPA or by directions of a curved shape.
 * Compiled once per backend and precision of what is stored. */
#include "simd/space/fallback/fallback3_curved.h"
#include "simd/space/fallback/fallback3_epa.h"

gjb_fallback3 KERNEL(gjb_fallback3);

/* Bounds that differ by no more than this, in the frame, differ by rounding. */
static const double slack = 16 * (double)REAL_EPSILON;
enum { ATTEMPTS = 4 };

static void open_problem(problem *p, const gjb_fallback_pair *pair, mat3 *world, double *grain)
{
    const double *pa = pair->a.pose, *pb = pair->b.pose;
    *world = rotation3(pa[3], pa[4], pa[5], pa[6]);
    p->turn = relative_rotation3(pa + 3, pb + 3);
    const vec3 t = turn_back3(world, (vec3){pb[0] - pa[0], pb[1] - pa[1], pb[2] - pa[2]});
    const double size = pair->a.extent + pair->b.extent + (fabs(t.x) + fabs(t.y) + fabs(t.z));
    const int exponent = size > 16 * DBL_MIN ? ilogb(size) : ilogb(16 * DBL_MIN);
    *grain = ldexp(1, exponent);
    p->scale = ldexp(1, -exponent);
    p->shift = mul3(t, p->scale);
    p->radius = (pair->a.radius + pair->b.radius) * p->scale;
    p->a = hull_of(&pair->a);
    p->b = hull_of(&pair->b);
    p->curve_a = curve_of(&pair->a, p->scale);
    p->curve_b = curve_of(&pair->b, p->scale);
    p->curved = p->curve_a.curve || p->curve_b.curve;
    p->supports = 0;
    p->clear = LEAST_CLEAR;
    memcpy(p->ahead, pair->ahead, sizeof p->ahead);
    p->begin = p->shift;
    const vec3 axis = {pair->axis[0], pair->axis[1], pair->axis[2]};
    p->warm = dot3(axis, axis) > 0;
    if (p->warm)
        p->begin = turn_back3(world, axis);
}

/* Adds corners of D until three are not collinear. Returns how many there are; if
 * fewer than three, D is a point or on a line, and *normal is perpendicular to it. */
static int fill_triangle(problem *p, simplex *s, vec3 *normal)
{
    static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    *normal = axes[0];
    for (int k = 0; k < 6 && s->count == 1; k++) {
        const corner c = support3(p, k % 2 ? neg3(axes[k / 2]) : axes[k / 2]);
        const vec3 e = sub3(c.w, s->c[0].w);
        if (dot3(e, e) > FLAT_SQUARED)
            s->c[s->count++] = c;
    }
    if (s->count < 2)
        return 1;
    const vec3 e = sub3(s->c[1].w, s->c[0].w);
    const double x = fabs(e.x), y = fabs(e.y), z = fabs(e.z);
    vec3 across = cross3(e, axes[x <= y && x <= z ? 0 : y <= z ? 1 : 2]);
    across = mul3(across, 1 / sqrt(dot3(across, across)));
    *normal = across;
    const vec3 other = cross3(across, mul3(e, 1 / sqrt(dot3(e, e))));
    for (int k = 0; k < 4 && s->count == 2; k++) {
        const vec3 d = k < 2 ? across : other;
        s->c[2] = support3(p, k % 2 ? neg3(d) : d);
        const vec3 n = triangle_normal(s->c[0].w, s->c[1].w, s->c[2].w);
        s->count += dot3(n, n) > 0;
    }
    return s->count;
}

/* Reduces a tetrahedron without volume to its largest face. */
static void flatten(simplex *s)
{
    const vec3 o = s->c[0].w, e = sub3(s->c[1].w, o), f = sub3(s->c[2].w, o), g = sub3(s->c[3].w, o);
    const double volume = dot3(cross3(e, f), g);
    if (volume * volume > FLAT_SQUARED * dot3(e, e) * dot3(f, f) * dot3(g, g))
        return;
    int drop = 3;
    double most = -1;
    for (int k = 0; k < 4; k++) {
        const vec3 n = triangle_normal(s->c[(k + 1) % 4].w, s->c[(k + 2) % 4].w, s->c[(k + 3) % 4].w);
        if (dot3(n, n) > most) {
            most = dot3(n, n);
            drop = k;
        }
    }
    s->c[drop] = s->c[3];
    s->count = 3;
}

/* Four corners of D, three of them towards its nearest boundary if the shapes are
 * round, the last on the other side; `turn` turns them around that axis. False if
 * they have no volume. */
static int surround(problem *p, double turn, simplex *s)
{
    const double length = sqrt(dot3(p->shift, p->shift));
    const vec3 u = length > 0x1p-20 ? mul3(p->shift, 1 / length) : (vec3){1, 0, 0};
    const double x = fabs(u.x), y = fabs(u.y), z = fabs(u.z);
    const vec3 across = cross3(u, x <= y && x <= z ? (vec3){1, 0, 0} : y <= z ? (vec3){0, 1, 0} : (vec3){0, 0, 1});
    const vec3 other = cross3(u, across), turned = add3(across, mul3(other, turn));
    const vec3 v = mul3(turned, 1 / sqrt(dot3(turned, turned))), w = cross3(u, v);
    /* about 45 degrees off the axis, thirds of a turn around it: any directions do */
    const vec3 base = mul3(u, 0.7), half = mul3(v, -0.357), rest = mul3(w, 0.618);
    s->c[0] = support3(p, add3(base, mul3(v, 0.714)));
    s->c[1] = support3(p, add3(add3(base, half), rest));
    s->c[2] = support3(p, sub3(add3(base, half), rest));
    s->c[3] = support3(p, neg3(u));
    s->count = 4;
    const vec3 o = s->c[0].w, e = sub3(s->c[1].w, o), f = sub3(s->c[2].w, o), g = sub3(s->c[3].w, o);
    const double volume = dot3(cross3(e, f), g);
    return volume * volume > 0x1p-40 * dot3(e, e) * dot3(f, f) * dot3(g, g);
}

/* Squared error of points against the depth: more than rounding. */
#define TORN (64 * (double)REAL_EPSILON * (double)REAL_EPSILON)

/* If D is nearly flat, EPA's surface may end as the two sides of a triangle next to the origin, and none
 * of its points fits the depth. GJK's points are then used if they fit better. */
static void mend_points(problem *p, double met, core_answer *best)
{
    simplex s;
    core_answer other = {.gap = DBL_MAX};
    int inside;
    gjk3(p, met, 0, 0, &s, &other);
    const nearest n = nearest_of(&s, 1, &inside);
    const vec3 off = sub3(n.v, mul3(best->normal, best->sigma));
    if (!(dot3(off, off) < best->torn))
        return;
    reduce(&s, &n);
    combine(&s, n.weight, best);
}

static void deepen(problem *p, double met, simplex *s, void *room, core_answer *best)
{
    polytope poly;
    best->torn = 0;
    vec3 normal;
    if (p->curved) {
        deepen_curved(p, room, best);
        return;
    }
    if (s->count == 4)
        flatten(s);
    if (s->count < 3 && fill_triangle(p, s, &normal) < 3) {
        best->sigma = best->gap = 0;
        best->normal = normal;
        return; /* the points are those of contact */
    }
    const uint32_t most = p->a.count > p->b.count ? p->a.count : p->b.count;
    lay_out(&poly, room, corner_room(most));
    epa3(p, met, s, &poly, best);
    /* If rounding broke the surface, another start may succeed. Every axis bounds the
     * depth from above: the least found is kept. */
    for (int attempt = 0; attempt < ATTEMPTS && best->gap > fmax(met, slack); attempt++) {
        core_answer other;
        if (!surround(p, 0.37 * (attempt + 1), s))
            continue;
        epa3(p, met, s, &poly, &other);
        if (other.gap <= fmax(met, slack) || other.sigma > best->sigma)
            *best = other;
    }
    if (best->torn > TORN)
        mend_points(p, met, best);
}

/* For bounds of GJK that stayed apart, with an axis that separates nothing: thin faces of a shape much
 * smaller than the other turn the axis by more than the distance. If a polytope then proves a depth, the
 * cores meet. */
static int meet_after_all(problem *p, double met, const simplex *s, void *room, core_answer *best)
{
    const double least = fmax(met, slack);
    if (p->curved || best->gap <= least || best->gap < best->sigma)
        return 0;
    core_answer deep = {.gap = DBL_MAX};
    simplex start = *s;
    deepen(p, met, &start, room, &deep);
    if (deep.gap > least || !(deep.sigma < -deep.gap))
        return 0;
    *best = deep;
    return 1;
}

static void to_world(const gjb_fallback_pair *pair, const mat3 *world, double grain,
                     const core_answer *best, gjb_fallback_answer *out)
{
    vec3 n = turn3(world, best->normal);
    n = mul3(n, 1 / sqrt(dot3(n, n)));
    const vec3 a = add3(mul3(turn3(world, best->a), grain), mul3(n, pair->a.radius));
    const vec3 b = sub3(mul3(turn3(world, best->b), grain), mul3(n, pair->b.radius));
    out->sigma = best->sigma * grain - (pair->a.radius + pair->b.radius);
    const double fields[9] = {n.x, n.y, n.z, a.x, a.y, a.z, b.x, b.y, b.z};
    memcpy(out->normal, fields, sizeof out->normal);
    memcpy(out->a, fields + 3, sizeof out->a);
    memcpy(out->b, fields + 6, sizeof out->b);
}

void KERNEL(gjb_fallback3)(const gjb_fallback_pair *given, void *room, gjb_fallback_answer *out)
{
    problem p;
    simplex s;
    gjb_fallback_pair plain = *given;
    const gjb_fallback_pair *pair = &plain;
    if (ball_to_point(&plain.a) + ball_to_point(&plain.b))
        plain.cores_meet = 0; /* it was known of the cores before this change */
    mat3 world;
    double grain;
    core_answer best = {.gap = DBL_MAX};
    open_problem(&p, pair, &world, &grain);
    /* bounds of curved shapes approach but never meet */
    const double least = p.curved ? (GJB_BITS == 32 ? 2 * (double)REAL_EPSILON : 8 * ROUNDING) : 0;
    const double met = fmax(pair->met, least);
    const int known = pair->cores_meet && (p.curved || surround(&p, 0, &s));
    outcome found = known ? MET : gjk3(&p, met, !pair->want_apart, !pair->want_depth, &s, &best);
    const int late = found == APART && meet_after_all(&p, met, &s, room, &best);
    if (late)
        found = MET;
    const int cores_meet = found == MET;
    out->proven = 1;
    if (found == BEYOND) {
        const vec3 n = turn3(&world, best.normal);
        memcpy(out->normal, (const double[3]){n.x, n.y, n.z}, sizeof out->normal);
    }
    if (found == APART || (cores_meet && pair->want_depth)) {
        if (!cores_meet && p.curved)
            fit_apart(&p, met, &best);
        /* cores apart only by rounding do overlap, maybe less deeply along another direction */
        if (!late && (cores_meet || (pair->want_depth && best.sigma < -CURVED_DOUBT)))
            deepen(&p, met, &s, room, &best);
        out->proven = best.gap <= fmax(met, p.curved ? CURVED_MET : slack);
        to_world(pair, &world, grain, &best, out);
    }
    out->iterations = p.supports;
    out->overlapping = found == APART ? !(out->sigma > 0) : found != BEYOND;
}

#if defined(GJB_LANES_SCALAR) && GJB_BITS == 64
size_t gjb_fallback3_room(uint32_t vertices, int curved)
{
    polytope poly;
    const size_t vertex_room = lay_out(&poly, NULL, corner_room(vertices));
    return !curved || vertex_room > sizeof(cells) ? vertex_room : sizeof(cells);
}
#endif
