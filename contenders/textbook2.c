/* The plane: GJK with a triangle simplex that says yes or no, EPA by the nearest edge,
 * and GJK with distance and closest points, in double as the tutorials in Java and
 * JavaScript have them. Simplices hold their oldest vertex first. */
#include "contenders/textbook_parts.h"

#include <float.h>

typedef gjb_trace_vertex vertex;

typedef struct walk {
    const gjb_pair2 *pair;
    tb_watch watch;
    unsigned supports;
} walk;

static inline double dot(const double p[2], const double q[2])
{
    return p[0] * q[0] + p[1] * q[1];
}

static inline double cross(const double p[2], const double q[2])
{
    return p[0] * q[1] - p[1] * q[0];
}

static inline void subtract(const double p[2], const double q[2], double out[2])
{
    out[0] = p[0] - q[0];
    out[1] = p[1] - q[1];
}

/* (p x q) x r, written as tutorials do: q (p.r) - p (q.r). */
static inline void triple(const double p[2], const double q[2], const double r[2], double out[2])
{
    const double pr = dot(p, r), qr = dot(q, r);
    out[0] = q[0] * pr - p[0] * qr;
    out[1] = q[1] * pr - p[1] * qr;
}

/* --- support ------------------------------------------------------------------- */

/* In world space. */
static inline void farthest(const gjb_body2 *body, const double d[2], double out[2])
{
    const gjb_pose2d *pose = &body->pose;
    const double local[2] = {pose->c * d[0] + pose->s * d[1], pose->c * d[1] - pose->s * d[0]};
    const double *best = body->vertices[0];
    double most = dot(best, local);
    for (uint32_t i = 1; i < body->count; i++) {
        const double at = dot(body->vertices[i], local);
        if (at > most) {
            most = at;
            best = body->vertices[i];
        }
    }
    out[0] = pose->c * best[0] - pose->s * best[1] + pose->x;
    out[1] = pose->s * best[0] + pose->c * best[1] + pose->y;
    if (body->radius > 0) {
        const double length = sqrt(dot(d, d));
        out[0] += body->radius * (d[0] / length);
        out[1] += body->radius * (d[1] / length);
    }
}

void gjb_textbook_support2(const gjb_pair2 *pair, const double direction[2], vertex *support)
{
    const double back[2] = {-direction[0], -direction[1]}, origin[2] = {pair->a.pose.x, pair->a.pose.y};
    double a[2], b[2];
    farthest(&pair->a, direction, a);
    farthest(&pair->b, back, b);
    subtract(a, b, support->w);
    subtract(a, origin, support->a);
    subtract(b, origin, support->b);
    support->w[2] = support->a[2] = support->b[2] = 0;
}

static inline vertex search(walk *w, const double d[2])
{
    vertex found;
    gjb_textbook_support2(w->pair, d, &found);
    w->supports++;
    if (w->watch.trace != NULL)
        w->watch.lower = fmax(w->watch.lower, -dot(found.w, d) / sqrt(dot(d, d)));
    return found;
}

static walk start(const gjb_pair2 *pair, const gjb_trace *trace, const char *method)
{
    return (walk){pair, {trace, method, pair->a.radius + pair->b.radius, -HUGE_VAL, HUGE_VAL}, 0};
}

/* A step of GJK. `d` and the newest vertex, where d is not NULL, are what it searched and found. */
static void tell(const walk *w, const char *text, const double *d, const vertex *found, const vertex *simplex,
                 uint32_t count, const double *closest)
{
    if (w->watch.trace == NULL)
        return;
    gjb_trace_step step = {.text = text, .vertices = simplex, .vertex_count = count};
    if (d != NULL) {
        step.has_direction = step.has_support = 1;
        memcpy(step.direction, d, 2 * sizeof *d);
        step.support = *found;
    }
    if (closest != NULL) {
        step.has_closest = 1;
        memcpy(step.closest, closest, 2 * sizeof *closest);
    }
    for (uint32_t i = 0; i < count; i++)
        step.feature[step.feature_count++] = i;
    tb_tell(&w->watch, &step);
}

/* --- GJK, yes or no ------------------------------------------------------------- */

static void drop(vertex *simplex, uint32_t *count, uint32_t index)
{
    for (uint32_t i = index + 1; i < *count; i++)
        simplex[i - 1] = simplex[i];
    --*count;
}

/* Does the simplex hold the origin? If not, keeps the part that faces it and turns d there.
 * Collinear with the origin, the triple product and so the next direction is 0: as taught. */
static int holds_origin(vertex simplex[3], uint32_t *count, double d[2], const char **text)
{
    const double *a = simplex[*count - 1].w; /* newest */
    const double ao[2] = {-a[0], -a[1]};
    double ab[2], ac[2], across[2];
    subtract(simplex[*count - 2].w, a, ab);
    if (*count == 2) {
        triple(ab, ao, ab, d);
        *text = "a segment: search at right angles to it, on the side of the origin";
        return 0;
    }
    subtract(simplex[0].w, a, ac);
    triple(ac, ab, ab, across);
    if (dot(across, ao) > 0) {
        drop(simplex, count, 0);
        memcpy(d, across, sizeof across);
        *text =
            "the origin lies beyond the edge from the newest vertex to the second newest: the third goes, "
            "and the search goes on beyond that edge";
        return 0;
    }
    triple(ab, ac, ac, across);
    if (dot(across, ao) > 0) {
        drop(simplex, count, 1);
        memcpy(d, across, sizeof across);
        *text = "the origin lies beyond the edge from the newest vertex to the oldest: the other goes, "
                "and the search goes on beyond that edge";
        return 0;
    }
    *text = "the origin is beyond neither edge of the newest vertex, and not beyond the third: it lies in "
            "the triangle, so the shapes intersect";
    return 1;
}

static gjb_status gjk(walk *w, vertex simplex[3], uint32_t *count)
{
    double d[2] = {0, 1};
    simplex[0] = search(w, d);
    *count = 1;
    tell(w, "start: the vertex of A - B farthest along (0, 1); next, the opposite direction", d, simplex,
         simplex, 1, NULL);
    d[0] = -d[0];
    d[1] = -d[1];
    while (w->supports < TB_GJK_CAP) {
        const double searched[2] = {d[0], d[1]};
        const char *text;
        const vertex newest = search(w, d);
        if (dot(newest.w, d) <= 0) {
            tell(w,
                 "not even the farthest vertex of A - B in this direction passes the origin: no intersection",
                 searched, &newest, simplex, *count, NULL);
            return GJB_SEPARATED;
        }
        simplex[(*count)++] = newest;
        const int holds = holds_origin(simplex, count, d, &text);
        if (holds)
            w->watch.upper = 0;
        tell(w, text, searched, &newest, simplex, *count, NULL);
        if (holds)
            return GJB_OVERLAPPING;
    }
    return GJB_ITERATION_LIMIT;
}

void tb_gjk2(const gjb_pair2 *pair, const gjb_trace *trace, gjb_answer *answer)
{
    walk w = start(pair, trace, "gjk");
    vertex simplex[3];
    uint32_t count;
    answer->status = gjk(&w, simplex, &count);
    answer->iterations = w.supports;
}

/* --- points on a segment --------------------------------------------------------- */

/* How far along pq the origin's projection lies, clamped to it. */
static double along(const double p[2], const double q[2])
{
    double pq[2];
    subtract(q, p, pq);
    const double length2 = dot(pq, pq);
    if (length2 == 0)
        return 0;
    const double t = -dot(p, pq) / length2;
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

static inline void between(const double p[2], const double q[2], double t, double out[2])
{
    for (int i = 0; i < 2; i++)
        out[i] = p[i] + t * (q[i] - p[i]);
}

static void witness(const vertex *p, const vertex *q, double t, gjb_answer *answer)
{
    between(p->a, q->a, t, answer->point_a);
    between(p->b, q->b, t, answer->point_b);
}

/* --- EPA ------------------------------------------------------------------------- */

typedef struct edge {
    double distance, normal[2];
    uint32_t from, to;
} edge;

/* The normal by a triple product, which points away from the origin whatever the winding, and
 * is 0 / 0 where the origin lies on the edge: no such edge is ever the nearest. */
static edge nearest_edge(const vertex *polygon, uint32_t count)
{
    edge nearest = {DBL_MAX, {0, 0}, count - 1, 0};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t j = i + 1 == count ? 0 : i + 1;
        double e[2], n[2];
        subtract(polygon[j].w, polygon[i].w, e);
        triple(e, polygon[i].w, e, n);
        const double length = sqrt(dot(n, n));
        n[0] /= length;
        n[1] /= length;
        const double distance = dot(n, polygon[i].w);
        if (distance < nearest.distance)
            nearest = (edge){distance, {n[0], n[1]}, i, j};
    }
    return nearest;
}

static void tell_epa(walk *w, tb_space2 *space, uint32_t count, const edge *nearest, const vertex *found,
                     const char *text)
{
    if (w->watch.trace == NULL)
        return;
    for (uint32_t i = 0; i < count; i++) {
        space->edges[i][0] = i;
        space->edges[i][1] = (i + 1) % count;
        space->edges[i][2] = UINT32_MAX;
    }
    if (nearest->distance < DBL_MAX)
        w->watch.upper = fmin(w->watch.upper, -nearest->distance);
    gjb_trace_step step = {
        .text = text,
        .has_direction = 1,
        .has_support = 1,
        .has_closest = 1,
        .direction = {nearest->normal[0], nearest->normal[1], 0},
        .support = *found,
        .vertices = space->polygon,
        .vertex_count = count,
        .faces = (const uint32_t(*)[3])space->edges,
        .face_count = count,
        .feature = {nearest->from, nearest->to},
        .feature_count = 2,
    };
    for (int i = 0; i < 2; i++)
        step.closest[i] = nearest->distance < DBL_MAX ? nearest->distance * nearest->normal[i] : 0;
    tb_tell(&w->watch, &step);
}

static void epa(walk *w, tb_space2 *space, const vertex *simplex, uint32_t count, double tolerance,
                gjb_answer *answer)
{
    const unsigned before = w->supports;
    memcpy(space->polygon, simplex, count * sizeof *simplex);
    w->watch.method = "epa";
    while (w->supports - before < TB_EPA_CAP) {
        const edge nearest = nearest_edge(space->polygon, count);
        const vertex found = search(w, nearest.normal);
        const double depth = dot(found.w, nearest.normal);
        const int done = depth - nearest.distance < tolerance;
        tell_epa(
            w, space, count, &nearest, &found,
            done ? "A - B reaches no farther beyond the nearest edge than the tolerance: its normal and the "
                   "support's distance are normal and depth"
                 : "A - B reaches farther than the nearest edge: the support goes in between its ends");
        if (done) {
            answer->status = GJB_OVERLAPPING;
            answer->sigma = -depth;
            memcpy(answer->normal, nearest.normal, sizeof nearest.normal);
            witness(&space->polygon[nearest.from], &space->polygon[nearest.to],
                    along(space->polygon[nearest.from].w, space->polygon[nearest.to].w), answer);
            return;
        }
        memmove(space->polygon + nearest.to + 1, space->polygon + nearest.to,
                (count - nearest.to) * sizeof *space->polygon);
        space->polygon[nearest.to] = found;
        count++;
    }
    answer->status = GJB_ITERATION_LIMIT;
}

void tb_epa2(const gjb_pair2 *pair, double tolerance, tb_space2 *space, const gjb_trace *trace,
             gjb_answer *answer)
{
    walk w = start(pair, trace, "gjk");
    vertex simplex[3];
    uint32_t count;
    answer->status = gjk(&w, simplex, &count);
    if (answer->status == GJB_OVERLAPPING)
        epa(&w, space, simplex, count, tolerance, answer);
    answer->iterations = w.supports;
}

/* --- GJK with distance ------------------------------------------------------------- */

static int triangle_holds_origin(const double p[2], const double q[2], const double r[2])
{
    const double pq = cross(p, q), qr = cross(q, r), rp = cross(r, p);
    return pq * qr > 0 && pq * rp > 0;
}

static double nearest2(const double p[2], const double q[2])
{
    double v[2];
    between(p, q, along(p, q), v);
    return dot(v, v);
}

/* Progress is held against a tolerance along a direction that is as long as the distance found
 * so far, so that near 0 anything counts as none. Where the oldest vertex goes, nearer or
 * not, nothing says that a step comes nearer at all. */
static void distance(walk *w, int deep, int nearer, tb_space2 *space, gjb_answer *answer)
{
    double d[2] = {0, 1}, v[2];
    vertex s[3];
    s[0] = search(w, d);
    tell(w, "start: the vertex of A - B farthest along (0, 1)", d, s, s, 1, NULL);
    d[1] = -1;
    s[1] = search(w, d);
    tell(w, "and the one farthest along (0, -1): a segment", d, s + 1, s, 2, NULL);
    while (w->supports < TB_GJK_CAP) {
        const double t = along(s[0].w, s[1].w);
        between(s[0].w, s[1].w, t, v);
        if (v[0] == 0 && v[1] == 0) {
            w->watch.upper = 0;
            tell(w, "the origin lies on the segment: the shapes intersect", NULL, NULL, s, 2, v);
            answer->status = GJB_OVERLAPPING;
            if (deep)
                epa(w, space, s, 2, TB_DISTANCE_TOLERANCE, answer);
            return;
        }
        d[0] = -v[0];
        d[1] = -v[1];
        s[2] = search(w, d);
        w->watch.upper = fmin(w->watch.upper, sqrt(dot(v, v)));
        if (dot(s[2].w, d) - dot(s[0].w, d) < TB_DISTANCE_TOLERANCE) {
            tell(w, "the support is no nearer to the origin: the segment's nearest point gives the distance",
                 d, s + 2, s, 2, v);
            answer->status = GJB_SEPARATED;
            answer->sigma = sqrt(dot(v, v));
            for (int i = 0; i < 2; i++)
                answer->normal[i] = d[i] / answer->sigma;
            witness(&s[0], &s[1], t, answer);
            return;
        }
        if (triangle_holds_origin(s[0].w, s[1].w, s[2].w)) {
            w->watch.upper = 0;
            tell(w, "the origin lies in the triangle of segment and support: the shapes intersect", d, s + 2,
                 s, 3, NULL);
            answer->status = GJB_OVERLAPPING;
            if (deep)
                epa(w, space, s, 3, TB_DISTANCE_TOLERANCE, answer);
            return;
        }
        if (nearer && nearest2(s[0].w, s[2].w) < nearest2(s[1].w, s[2].w))
            s[1] = s[2];
        else {
            s[0] = s[1];
            s[1] = s[2];
        }
        tell(w,
             nearer ? "the support is nearer: of its two segments to the vertices the nearer is kept, and "
                      "the search "
                      "goes on from its point nearest to the origin"
                    : "the support is nearer: it replaces the oldest vertex, and the search goes on from the "
                      "point "
                      "of the segment nearest to the origin",
             d, s + 2, s, 2, NULL);
    }
    answer->status = GJB_ITERATION_LIMIT;
}

void tb_dist2(const gjb_pair2 *pair, int deep, int nearer, tb_space2 *space, const gjb_trace *trace,
              gjb_answer *answer)
{
    walk w = start(pair, trace, "distance");
    distance(&w, deep, nearer, space, answer);
    answer->iterations = w.supports;
}
