/* Space: EPA with an edge list, in float. Faces that a new vertex sees go; edges that
 * appear once among them are the horizon, which is joined to it. */
#include "contenders/textbook/textbook_parts.h"

#include <float.h>

typedef tb_vertex3 vertex;
typedef tb_face3 face;

/* A normal that points inwards is turned about, the corners' order is not: as taught. No area
 * makes 0 / 0. */
static face face_of(const vertex *vertices, uint32_t i, uint32_t j, uint32_t k)
{
    face f = {.corner = {i, j, k}};
    float ij[3], ik[3];
    tb_subtract3(vertices[j].w, vertices[i].w, ij);
    tb_subtract3(vertices[k].w, vertices[i].w, ik);
    tb_cross3(ij, ik, f.normal);
    const float length = sqrtf(tb_dot3(f.normal, f.normal));
    for (int n = 0; n < 3; n++)
        f.normal[n] /= length;
    f.distance = tb_dot3(f.normal, vertices[i].w);
    if (f.distance < 0) {
        f.distance = -f.distance;
        for (int n = 0; n < 3; n++)
            f.normal[n] = -f.normal[n];
    }
    return f;
}

static uint32_t nearest_face(const face *faces, uint32_t count)
{
    uint32_t nearest = 0;
    float least = FLT_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (faces[i].distance < least) {
            least = faces[i].distance;
            nearest = i;
        }
    return nearest;
}

/* An edge whose reverse is there lies between two faces that go: both are forgotten. */
static uint32_t add_if_unique(uint32_t (*edges)[2], uint32_t count, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < count; i++)
        if (edges[i][0] == to && edges[i][1] == from) {
            edges[i][0] = edges[count - 1][0];
            edges[i][1] = edges[count - 1][1];
            return count - 1;
        }
    edges[count][0] = from;
    edges[count][1] = to;
    return count + 1;
}

/* The test that is copied most asks whether the face's normal points along the new vertex,
 * seen from the origin: true of every face on that side, seen or not. */
static int sees(const face *f, const vertex *vertices, const vertex *found, int in_front)
{
    if (!in_front)
        return tb_dot3(f->normal, found->w) > 0;
    float from_face[3];
    tb_subtract3(found->w, vertices[f->corner[0]].w, from_face);
    return tb_dot3(f->normal, from_face) > 0;
}

/* Puts the vertex in place of what it sees; how many faces there are then. 0: none is left, if
 * a copy would read past its list, or there are more than we hold. */
static uint32_t expand(tb_space3 *space, uint32_t face_count, uint32_t at, int in_front)
{
    uint32_t edge_count = 0;
    for (uint32_t i = 0; i < face_count;) {
        const face f = space->faces[i];
        if (!sees(&f, space->vertices, &space->vertices[at], in_front)) {
            i++;
            continue;
        }
        for (int k = 0; k < 3; k++)
            edge_count = add_if_unique(space->edges, edge_count, f.corner[k], f.corner[(k + 1) % 3]);
        space->faces[i] = space->faces[--face_count];
    }
    if (face_count + edge_count > TB_FACE_CAP)
        return 0;
    for (uint32_t i = 0; i < edge_count; i++)
        space->faces[face_count + i] = face_of(space->vertices, space->edges[i][0], space->edges[i][1], at);
    return face_count + edge_count;
}

/* --- the walk ---------------------------------------------------------------------- */

static void tell(tb_walk3 *walk, tb_space3 *space, uint32_t vertex_count, uint32_t face_count,
                 const face *nearest, const vertex *found, const char *text)
{
    if (walk->watch.trace == NULL)
        return;
    gjb_trace_step step = {
        .text = text,
        .has_direction = 1,
        .has_support = 1,
        .has_closest = 1,
        .support = tb_told3(found),
        .vertices = space->told,
        .vertex_count = vertex_count,
        .faces = (const uint32_t(*)[3])space->told_faces,
        .face_count = face_count,
        .feature = {nearest->corner[0], nearest->corner[1], nearest->corner[2]},
        .feature_count = 3,
    };
    for (uint32_t i = 0; i < vertex_count; i++)
        space->told[i] = tb_told3(&space->vertices[i]);
    for (uint32_t i = 0; i < face_count; i++)
        memcpy(space->told_faces[i], space->faces[i].corner, sizeof space->told_faces[i]);
    for (int i = 0; i < 3; i++) {
        step.direction[i] = nearest->normal[i];
        step.closest[i] = nearest->distance * nearest->normal[i];
    }
    tb_tell(&walk->watch, &step);
}

/* Witness points by the barycentric coordinates of the origin's projection. */
static void witness(const vertex *vertices, const face *f, gjb_answer *answer)
{
    const vertex *p = &vertices[f->corner[0]], *q = &vertices[f->corner[1]], *r = &vertices[f->corner[2]];
    float at[3], pq[3], pr[3], px[3];
    for (int i = 0; i < 3; i++)
        at[i] = f->distance * f->normal[i];
    tb_subtract3(q->w, p->w, pq);
    tb_subtract3(r->w, p->w, pr);
    tb_subtract3(at, p->w, px);
    const float qq = tb_dot3(pq, pq), qr = tb_dot3(pq, pr), rr = tb_dot3(pr, pr);
    const float xq = tb_dot3(px, pq), xr = tb_dot3(px, pr), whole = qq * rr - qr * qr;
    const float v = (rr * xq - qr * xr) / whole, w = (qq * xr - qr * xq) / whole, u = 1 - v - w;
    for (int i = 0; i < 3; i++) {
        answer->point_a[i] = u * p->a[i] + v * q->a[i] + w * r->a[i];
        answer->point_b[i] = u * p->b[i] + v * q->b[i] + w * r->b[i];
    }
}

static gjb_status epa(tb_walk3 *walk, tb_space3 *space, int in_front, gjb_answer *answer)
{
    static const uint32_t first[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    uint32_t vertex_count = 4, face_count = 4;
    for (int i = 0; i < 4; i++)
        space->faces[i] = face_of(space->vertices, first[i][0], first[i][1], first[i][2]);
    walk->watch.method = "epa";
    while (face_count > 0 && vertex_count < TB_EPA_CAP + 4) {
        const face nearest = space->faces[nearest_face(space->faces, face_count)];
        const vertex found = tb_search3(walk, nearest.normal);
        const float reach = tb_dot3(nearest.normal, found.w);
        const int farther = fabsf(reach - nearest.distance) > TB_EPA3_TOLERANCE;
        tell(
            walk, space, vertex_count, face_count, &nearest, &found,
            farther
                ? "A - B reaches farther than the nearest face: faces that see the support go, and the edges "
                  "that appear once among them are joined to it"
                : "A - B reaches no farther beyond the nearest face than the tolerance: its normal and its "
                  "distance, plus the tolerance, are normal and depth");
        if (!farther) {
            answer->sigma = -(nearest.distance + TB_EPA3_TOLERANCE);
            for (int i = 0; i < 3; i++)
                answer->normal[i] = nearest.normal[i];
            witness(space->vertices, &nearest, answer);
            return GJB_OVERLAPPING;
        }
        space->vertices[vertex_count] = found;
        face_count = expand(space, face_count, vertex_count, in_front);
        vertex_count++;
    }
    return GJB_ITERATION_LIMIT;
}

void tb_epa3(const tb_pair3 *pair, int in_front, tb_space3 *space, const gjb_trace *trace, gjb_answer *answer)
{
    tb_walk3 walk = {pair, {trace, "gjk"}, 0};
    answer->status = tb_gjk_simplex3(&walk, space->vertices);
    if (answer->status == GJB_OVERLAPPING)
        answer->status = epa(&walk, space, in_front, answer);
    answer->iterations = walk.supports;
}
