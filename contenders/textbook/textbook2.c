/* The plane: GJK with a triangle simplex that says yes or no, and GJK with distance and
 * closest points, in double as the tutorials in Java and JavaScript have them. Simplices
 * hold their oldest vertex first. */
#include "contenders/textbook/textbook_parts.h"

typedef gjb_trace_vertex vertex;
typedef tb_walk2 walk;

static inline double cross(const double p[2], const double q[2])
{
    return p[0] * q[1] - p[1] * q[0];
}

/* --- support ------------------------------------------------------------------- */

/* In world space. */
static inline void farthest(const gjb_body2 *body, const double d[2], double out[2])
{
    const gjb_pose2d *pose = &body->pose;
    const double local[2] = {pose->c * d[0] + pose->s * d[1], pose->c * d[1] - pose->s * d[0]};
    const double *best = body->vertices[0];
    double most = tb_dot2(best, local);
    for (uint32_t i = 1; i < body->count; i++) {
        const double at = tb_dot2(body->vertices[i], local);
        if (at > most) {
            most = at;
            best = body->vertices[i];
        }
    }
    out[0] = pose->c * best[0] - pose->s * best[1] + pose->x;
    out[1] = pose->s * best[0] + pose->c * best[1] + pose->y;
    if (body->radius > 0) {
        const double length = sqrt(tb_dot2(d, d));
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
    tb_subtract2(a, b, support->w);
    tb_subtract2(a, origin, support->a);
    tb_subtract2(b, origin, support->b);
    support->w[2] = support->a[2] = support->b[2] = 0;
}

vertex tb_search2(walk *w, const double d[2])
{
    vertex found;
    gjb_textbook_support2(w->pair, d, &found);
    w->supports++;
    return found;
}

/* A step of GJK. `d` and the newest vertex, if d is not NULL, are what it searched and found. */
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
    tb_subtract2(simplex[*count - 2].w, a, ab);
    if (*count == 2) {
        tb_triple2(ab, ao, ab, d);
        *text = d[0] == 0 && d[1] == 0
                    ? "a segment whose line holds the origin: the direction at right angles comes out as 0"
                    : "a segment: search at right angles to it, on the side of the origin";
        return 0;
    }
    tb_subtract2(simplex[0].w, a, ac);
    tb_triple2(ac, ab, ab, across);
    if (tb_dot2(across, ao) > 0) {
        drop(simplex, count, 0);
        memcpy(d, across, sizeof across);
        *text =
            "the origin lies beyond the edge from the newest vertex to the second newest: the third goes, "
            "and the search goes on beyond that edge";
        return 0;
    }
    tb_triple2(ab, ac, ac, across);
    if (tb_dot2(across, ao) > 0) {
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

gjb_status tb_gjk_simplex2(walk *w, vertex simplex[3], uint32_t *count)
{
    double d[2] = {0, 1};
    simplex[0] = tb_search2(w, d);
    *count = 1;
    tell(w, "start: the vertex of A - B farthest along (0, 1); next, the opposite direction", d, simplex,
         simplex, 1, NULL);
    d[1] = -1;
    while (w->supports < TB_GJK_CAP) {
        const double searched[2] = {d[0], d[1]};
        const char *text;
        const vertex newest = tb_search2(w, d);
        if (tb_dot2(newest.w, d) <= 0) {
            tell(w,
                 d[0] == 0 && d[1] == 0
                     ? "along 0 every vertex is as far, and none passes the origin: no intersection"
                     : "not even the farthest vertex of A - B in this direction passes the origin: no "
                       "intersection",
                 searched, &newest, simplex, *count, NULL);
            return GJB_SEPARATED;
        }
        simplex[(*count)++] = newest;
        const int holds = holds_origin(simplex, count, d, &text);
        tell(w, text, searched, &newest, simplex, *count, NULL);
        if (holds)
            return GJB_OVERLAPPING;
    }
    return GJB_ITERATION_LIMIT;
}

void tb_gjk2(const gjb_pair2 *pair, const gjb_trace *trace, gjb_answer *answer)
{
    walk w = tb_start2(pair, trace, "gjk");
    vertex simplex[3];
    uint32_t count;
    answer->status = tb_gjk_simplex2(&w, simplex, &count);
    answer->iterations = w.supports;
}

/* --- points on a segment --------------------------------------------------------- */

/* How far along pq the origin's projection lies, clamped to it. */
double tb_along2(const double p[2], const double q[2])
{
    double pq[2];
    tb_subtract2(q, p, pq);
    const double length2 = tb_dot2(pq, pq);
    if (length2 == 0)
        return 0;
    const double t = -tb_dot2(p, pq) / length2;
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

static inline void between(const double p[2], const double q[2], double t, double out[2])
{
    for (int i = 0; i < 2; i++)
        out[i] = p[i] + t * (q[i] - p[i]);
}

void tb_witness2(const vertex *p, const vertex *q, double t, gjb_answer *answer)
{
    between(p->a, q->a, t, answer->point_a);
    between(p->b, q->b, t, answer->point_b);
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
    between(p, q, tb_along2(p, q), v);
    return tb_dot2(v, v);
}

/* Progress is held against a tolerance along a direction that is as long as the distance found
 * so far, so that near 0 anything counts as none. Where the oldest vertex goes, nearer or
 * not, nothing says that a step comes nearer at all. */
uint32_t tb_distance2(walk *w, int nearer, vertex s[3], gjb_answer *answer)
{
    double d[2] = {0, 1}, v[2];
    s[0] = tb_search2(w, d);
    tell(w, "start: the vertex of A - B farthest along (0, 1)", d, s, s, 1, NULL);
    d[1] = -1;
    s[1] = tb_search2(w, d);
    tell(w, "and the one farthest along (0, -1): a segment", d, s + 1, s, 2, NULL);
    while (w->supports < TB_GJK_CAP) {
        const double t = tb_along2(s[0].w, s[1].w);
        between(s[0].w, s[1].w, t, v);
        if (v[0] == 0 && v[1] == 0) {
            tell(w, "the origin lies on the segment: the shapes intersect", NULL, NULL, s, 2, v);
            answer->status = GJB_OVERLAPPING;
            return 2;
        }
        d[0] = -v[0];
        d[1] = -v[1];
        s[2] = tb_search2(w, d);
        if (tb_dot2(s[2].w, d) - tb_dot2(s[0].w, d) < TB_DISTANCE_TOLERANCE) {
            tell(w, "the support is no nearer to the origin: the segment's nearest point gives the distance",
                 d, s + 2, s, 2, v);
            answer->status = GJB_SEPARATED;
            answer->sigma = sqrt(tb_dot2(v, v));
            for (int i = 0; i < 2; i++)
                answer->normal[i] = d[i] / answer->sigma;
            tb_witness2(&s[0], &s[1], t, answer);
            return 0;
        }
        if (triangle_holds_origin(s[0].w, s[1].w, s[2].w)) {
            tell(w, "the origin lies in the triangle of segment and support: the shapes intersect", d, s + 2,
                 s, 3, NULL);
            answer->status = GJB_OVERLAPPING;
            return 3;
        }
        if (!nearer) {
            s[0] = s[1];
            s[1] = s[2];
        } else if (nearest2(s[0].w, s[2].w) < nearest2(s[1].w, s[2].w))
            s[1] = s[2];
        else
            s[0] = s[2];
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
    return 0;
}
