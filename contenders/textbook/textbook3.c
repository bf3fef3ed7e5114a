/* Space: GJK by the usual cases of line, triangle and tetrahedron, in float as tutorials
 * for games have it. Simplices hold their newest vertex first. */
#include "contenders/textbook/textbook_parts.h"

typedef tb_vertex3 vertex;

/* --- support ------------------------------------------------------------------- */

/* For a unit quaternion, as mathematics libraries for games do. */
void tb_place3(tb_body3 *body, const gjb_pose3d *pose)
{
    const float x = (float)pose->qx, y = (float)pose->qy, z = (float)pose->qz, w = (float)pose->qw;
    const float r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(body->r, r, sizeof r);
    body->t[0] = (float)pose->x;
    body->t[1] = (float)pose->y;
    body->t[2] = (float)pose->z;
}

/* In world space. */
static inline void farthest(const tb_body3 *body, const float d[3], float out[3])
{
    float local[3];
    for (int i = 0; i < 3; i++)
        local[i] = body->r[i] * d[0] + body->r[3 + i] * d[1] + body->r[6 + i] * d[2];
    const float *best = body->vertices[0];
    float most = tb_dot3(best, local);
    for (uint32_t i = 1; i < body->count; i++) {
        const float at = tb_dot3(body->vertices[i], local);
        if (at > most) {
            most = at;
            best = body->vertices[i];
        }
    }
    for (int i = 0; i < 3; i++)
        out[i] = tb_dot3(body->r + 3 * i, best) + body->t[i];
    if (body->radius > 0) {
        const float length = sqrtf(tb_dot3(d, d));
        for (int i = 0; i < 3; i++)
            out[i] += body->radius * (d[i] / length);
    }
}

vertex tb_search3(tb_walk3 *walk, const float direction[3])
{
    const float back[3] = {-direction[0], -direction[1], -direction[2]};
    float a[3], b[3];
    vertex found;
    farthest(&walk->pair->a, direction, a);
    farthest(&walk->pair->b, back, b);
    tb_subtract3(a, b, found.w);
    tb_subtract3(a, walk->pair->a.t, found.a);
    tb_subtract3(b, walk->pair->a.t, found.b);
    walk->supports++;
    return found;
}

/* --- the cases ------------------------------------------------------------------- */

typedef struct simplex {
    vertex v[4]; /* newest first */
    uint32_t count;
    float d[3]; /* where to search next */
    const char *text;
} simplex;

static void keep(simplex *s, const vertex *p, const vertex *q, const vertex *r)
{
    const vertex kept[3] = {*p, q != NULL ? *q : *p, r != NULL ? *r : *p};
    s->count = r != NULL ? 3 : q != NULL ? 2 : 1;
    memcpy(s->v, kept, s->count * sizeof *kept);
}

/* At right angles to the edge, towards the origin: (edge x ao) x edge. */
static void perpendicular(const float edge[3], const float ao[3], float d[3])
{
    float across[3];
    tb_cross3(edge, ao, across);
    tb_cross3(across, edge, d);
}

static void towards(const vertex *a, float ao[3])
{
    for (int i = 0; i < 3; i++)
        ao[i] = -a->w[i];
}

static void line(simplex *s)
{
    const vertex a = s->v[0], b = s->v[1];
    float ao[3], ab[3];
    towards(&a, ao);
    tb_subtract3(b.w, a.w, ab);
    if (tb_dot3(ab, ao) > 0) {
        keep(s, &a, &b, NULL);
        perpendicular(ab, ao, s->d);
        s->text = "line: the origin lies along it, so the search goes on at right angles to it";
    } else {
        keep(s, &a, NULL, NULL);
        memcpy(s->d, ao, sizeof ao);
        s->text = "line: the origin lies behind its newest end, which alone is kept";
    }
}

static void triangle(simplex *s)
{
    const vertex a = s->v[0], b = s->v[1], c = s->v[2];
    float ao[3], ab[3], ac[3], abc[3], out[3];
    towards(&a, ao);
    tb_subtract3(b.w, a.w, ab);
    tb_subtract3(c.w, a.w, ac);
    tb_cross3(ab, ac, abc);
    tb_cross3(abc, ac, out);
    if (tb_dot3(out, ao) > 0) {
        if (tb_dot3(ac, ao) > 0) {
            keep(s, &a, &c, NULL);
            perpendicular(ac, ao, s->d);
            s->text = "triangle: the origin lies beyond the edge from its newest vertex to its oldest, which "
                      "is kept";
            return;
        }
        keep(s, &a, &b, NULL);
        line(s);
        return;
    }
    tb_cross3(ab, abc, out);
    if (tb_dot3(out, ao) > 0) {
        keep(s, &a, &b, NULL);
        line(s);
        return;
    }
    if (tb_dot3(abc, ao) > 0) {
        memcpy(s->d, abc, sizeof abc);
        s->text = "triangle: the origin lies above it, so the search goes on along its normal";
        return;
    }
    keep(s, &a, &c, &b);
    for (int i = 0; i < 3; i++)
        s->d[i] = -abc[i];
    s->text =
        "triangle: the origin lies below it, so it is turned over, and the search goes on along its normal";
}

static int tetrahedron(simplex *s)
{
    /* The three faces of the newest vertex; the origin cannot lie beyond the fourth. */
    static const int faces[3][2] = {{1, 2}, {2, 3}, {3, 1}};
    const vertex a = s->v[0];
    float ao[3], p[3], q[3], out[3];
    towards(&a, ao);
    for (int f = 0; f < 3; f++) {
        const vertex b = s->v[faces[f][0]], c = s->v[faces[f][1]];
        tb_subtract3(b.w, a.w, p);
        tb_subtract3(c.w, a.w, q);
        tb_cross3(p, q, out);
        if (tb_dot3(out, ao) > 0) {
            keep(s, &a, &b, &c);
            triangle(s);
            return 0;
        }
    }
    s->text = "tetrahedron: the origin lies beyond none of its faces, so the shapes intersect";
    return 1;
}

static int next_simplex(simplex *s)
{
    if (s->count == 4)
        return tetrahedron(s);
    if (s->count == 3)
        triangle(s);
    else
        line(s);
    return 0;
}

/* --- GJK ------------------------------------------------------------------------- */

static void tell(const tb_walk3 *walk, const char *text, const float d[3], const vertex *found,
                 const simplex *s)
{
    if (walk->watch.trace == NULL)
        return;
    gjb_trace_vertex told[4];
    gjb_trace_step step = {.text = text, .has_direction = 1, .has_support = 1, .support = tb_told3(found)};
    for (int i = 0; i < 3; i++)
        step.direction[i] = d[i];
    for (uint32_t i = 0; i < s->count; i++) {
        told[i] = tb_told3(&s->v[i]);
        step.feature[step.feature_count++] = i;
    }
    step.vertices = told;
    step.vertex_count = s->count;
    tb_tell(&walk->watch, &step);
}

gjb_status tb_gjk_simplex3(tb_walk3 *walk, vertex tetrahedron[4])
{
    simplex s = {.count = 1, .d = {1, 0, 0}};
    s.v[0] = tb_search3(walk, s.d);
    tell(walk, "start: the vertex of A - B farthest along (1, 0, 0); next, from there towards the origin",
         s.d, s.v, &s);
    towards(&s.v[0], s.d);
    while (walk->supports < TB_GJK_CAP) {
        const float d[3] = {s.d[0], s.d[1], s.d[2]};
        const vertex found = tb_search3(walk, d);
        if (tb_dot3(found.w, d) <= 0) {
            tell(walk,
                 "not even the farthest vertex of A - B in this direction passes the origin: no intersection",
                 d, &found, &s);
            return GJB_SEPARATED;
        }
        memmove(s.v + 1, s.v, s.count * sizeof *s.v);
        s.v[0] = found;
        s.count++;
        const int holds = next_simplex(&s);
        tell(walk, s.text, d, &found, &s);
        if (holds) {
            memcpy(tetrahedron, s.v, sizeof s.v);
            return GJB_OVERLAPPING;
        }
    }
    return GJB_ITERATION_LIMIT;
}

void tb_gjk3(const tb_pair3 *pair, const gjb_trace *trace, gjb_answer *answer)
{
    tb_walk3 walk = {pair, {trace, "gjk"}, 0};
    vertex tetrahedron[4];
    answer->status = tb_gjk_simplex3(&walk, tetrahedron);
    answer->iterations = walk.supports;
}
