/* EPA (van den Bergen 2001) in space, on the cores.
 *
 * Grows a polytope inside D. Its nearest face bounds the depth from below, the
 * support along that face's normal from above. The origin may lie outside the
 * first tetrahedron: a face that has it on its outer side is at a negative
 * distance and grows first. What rounding makes doubtful, a face that is a line,
 * an outline that crosses itself, bounds that stay apart, ends it. */
#include "reference/methods/frame3.h"
#include "reference/methods/surface3.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { EXTENSIONS_CAP = 20000 };

/* D thinner than this is left to the oracle. */
static const double thinnest = 0x1p-40;

/* What a trace is given. */
static const char seeded[] =
    "the simplex, filled up to a tetrahedron, is a polytope inside A - B; its nearest face bounds the depth "
    "from below";
static const char taken_in[] =
    "the nearest face's normal found a vertex farther out: a fan to it replaces the faces that it sees";
static const char outermost[] =
    "nothing of A - B lies beyond the nearest face: its distance is the depth, its normal the way out";

typedef struct plane {
    double outward[3];
    double distance; /* signed, along `outward` */
} plane;

typedef struct polytope {
    const ref_frame3 *frame;
    ref_surface3 surface;
    plane *planes;
    uint32_t plane_room;
    ref_vertex3 *vertices;
    uint32_t vertex_count, vertex_room;
} polytope;

static void add_vertex(polytope *p, const ref_vertex3 *vertex)
{
    p->vertices = ref_grown(p->vertices, &p->vertex_room, p->vertex_count + 1, sizeof *p->vertices);
    p->vertices[p->vertex_count++] = *vertex;
}

/* Planes of the faces just made. */
static bool measure(polytope *p)
{
    p->planes = ref_grown(p->planes, &p->plane_room, p->surface.count, sizeof *p->planes);
    for (uint32_t k = 0; k < p->surface.fresh_count; k++) {
        uint32_t face = p->surface.fresh[k];
        const uint32_t *v = p->surface.faces[face].v;
        if (!ref_plane3(p->vertices[v[0]].w, p->vertices[v[1]].w, p->vertices[v[2]].w, p->planes[face].outward,
                        &p->planes[face].distance))
            return false;
    }
    return true;
}

/* How far `w` leads out of what the first `count` of `chosen` span. */
static double height(const ref_vertex3 *chosen, int count, const double w[3])
{
    double u[3][3];
    for (int k = 0; k < count; k++) {
        for (int m = 0; m < 3; m++)
            u[k][m] = (k + 1 < count ? chosen[k + 1].w[m] : w[m]) - chosen[0].w[m];
        for (int j = 0; j < k; j++) {
            double along = ref_dot3(u[k], u[j]), square = ref_dot3(u[j], u[j]);
            for (int m = 0; m < 3; m++)
                u[k][m] -= along / square * u[j][m];
        }
    }
    return sqrt(ref_dot3(u[count - 1], u[count - 1]));
}

/* A tetrahedron of D as thick as the simplex and the supports along the axes and
 * across what is chosen can make it. */
static bool seed(const ref_frame3 *frame, const ref_vertex3 *simplex, int count, ref_vertex3 out[4])
{
    out[0] = simplex[0];
    for (int chosen = 1; chosen < 4; chosen++) {
        double most = thinnest;
        double directions[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
        if (chosen == 3) {
            double distance;
            if (!ref_plane3(out[0].w, out[1].w, out[2].w, directions[3], &distance))
                return false;
        }
        for (int k = 0; k < count + 8; k++) {
            ref_vertex3 v;
            if (k < count) {
                v = simplex[k];
            } else if (most > 0x1p-10 || (k - count >= 6 && chosen < 3)) {
                break;
            } else {
                double *n = directions[(k - count) / 2];
                double way[3] = {k % 2 ? n[0] : -n[0], k % 2 ? n[1] : -n[1], k % 2 ? n[2] : -n[2]};
                v = ref_support3(frame, way);
            }
            double rise = height(out, chosen, v.w);
            if (rise > most) {
                most = rise;
                out[chosen] = v;
            }
        }
        if (most == thinnest)
            return false;
    }
    return true;
}

static bool open_polytope(polytope *p, const ref_vertex3 *simplex, int count)
{
    ref_vertex3 start[4];
    if (!seed(p->frame, simplex, count, start))
        return false;
    double normal[3], distance;
    if (!ref_plane3(start[0].w, start[1].w, start[2].w, normal, &distance))
        return false;
    if (ref_dot3(normal, start[3].w) > distance) {
        ref_vertex3 swap = start[0];
        start[0] = start[1];
        start[1] = swap;
    }
    for (int k = 0; k < 4; k++)
        add_vertex(p, &start[k]);
    ref_surface3_open(&p->surface);
    return measure(p);
}

static bool sees(void *context, uint32_t face)
{
    const polytope *p = context;
    const plane *plane = &p->planes[face];
    return ref_dot3(plane->outward, p->vertices[p->vertex_count - 1].w) - plane->distance > p->frame->met;
}

static uint32_t nearest_face(const polytope *p)
{
    uint32_t nearest = UINT32_MAX;
    for (uint32_t k = 0; k < p->surface.count; k++)
        if (!p->surface.faces[k].gone &&
            (nearest == UINT32_MAX || p->planes[k].distance < p->planes[nearest].distance))
            nearest = k;
    return nearest;
}

/* The point of the surface nearest to where the normal meets the nearest face:
 * over all faces about as near, because one facet may be cut into several, and
 * the foot lies in one of them alone. */
static void place_witness(const polytope *p, ref_core3 *core)
{
    double least = DBL_MAX;
    for (uint32_t k = 0; k < p->surface.count; k++) {
        if (p->surface.faces[k].gone || p->planes[k].distance > -core->sigma + 64 * REF_EPSILON3)
            continue;
        ref_vertex3 corner[3];
        double w[3][3];
        for (int c = 0; c < 3; c++) {
            corner[c] = p->vertices[p->surface.faces[k].v[c]];
            for (int m = 0; m < 3; m++)
                w[c][m] = corner[c].w[m] - core->sigma * core->normal[m];
        }
        ref_nearest3 nearest = ref_nearest_simplex3((const double(*)[3])w, 3, 0);
        if (nearest.distance < least) {
            least = nearest.distance;
            ref_witness3(core, corner, 3, nearest.weight);
        }
    }
}

REF_WATCHED static void tell(const polytope *p, uint32_t nearest, const char *text)
{
    ref_watch *watch = p->frame->watch;
    for (uint32_t k = 0; k < p->vertex_count; k++)
        ref_watch_vertex(watch, p->vertices[k].a, p->vertices[k].b);
    for (uint32_t k = 0; k < p->surface.count; k++) {
        const uint32_t *v = p->surface.faces[k].v;
        if (!p->surface.faces[k].gone)
            ref_watch_face(watch, v[0], v[1], v[2]);
    }
    for (int c = 0; c < 3; c++)
        ref_watch_feature(watch, p->surface.faces[nearest].v[c]);
    const plane *face = &p->planes[nearest];
    ref_watch_closest(watch, face->distance, face->outward);
    ref_watch_upper(watch, -face->distance);
    ref_watch_tell(watch, "epa", text);
}

/* Ends at the face whose bounds meet. */
static bool expand(polytope *p, ref_core3 *core)
{
    for (int round = 0; round < EXTENSIONS_CAP; round++) {
        uint32_t nearest = nearest_face(p);
        const plane *face = &p->planes[nearest];
        core->iterations++;
        if (p->frame->watch)
            tell(p, nearest, round ? taken_in : seeded);
        double n[3] = {-face->outward[0], -face->outward[1], -face->outward[2]};
        ref_vertex3 support = ref_support3(p->frame, n);
        if (p->frame->watch)
            ref_watch_search(p->frame->watch, n, support.a, support.b);
        double reach = -ref_dot3(n, support.w);
        bool known = reach - face->distance <= p->frame->met;
        for (uint32_t k = 0; k < p->vertex_count && !known; k++)
            known = p->vertices[k].i == support.i && p->vertices[k].j == support.j;
        if (known) {
            if (p->frame->watch)
                tell(p, nearest, outermost);
            core->sigma = -reach;
            core->lower = -fmax(reach, face->distance);
            core->upper = -fmin(reach, face->distance);
            for (int k = 0; k < 3; k++)
                core->normal[k] = n[k];
            return reach - face->distance <= p->frame->stalled && face->distance > -p->frame->stalled;
        }
        add_vertex(p, &support);
        if (!ref_surface3_extend(&p->surface, nearest, p->vertex_count - 1, sees, p) || !measure(p))
            return false;
    }
    return false;
}

static void write_out(const polytope *p, ref_polytope3 *out)
{
    ref_surface3_write(&p->surface, p->vertex_count, out);
    for (uint32_t k = 0; k < p->vertex_count; k++) {
        out->vertices[k][0] = p->vertices[k].i;
        out->vertices[k][1] = p->vertices[k].j;
    }
}

bool ref_epa_core3(const ref_frame3 *frame, ref_core3 *core, const ref_vertex3 *simplex, int count,
                   ref_polytope3 *out)
{
    polytope p = {.frame = frame};
    bool done = open_polytope(&p, simplex, count) && expand(&p, core);
    if (done) {
        place_witness(&p, core);
        if (out)
            write_out(&p, out);
    }
    ref_surface3_free(&p.surface);
    free(p.planes);
    free(p.vertices);
    return done;
}
