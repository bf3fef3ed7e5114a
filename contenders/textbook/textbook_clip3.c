/* Space: contact manifolds by separating axes and clipping, as tutorials for 3D engines teach them (Gregorius 2013).
 * Asked are the planes of both hulls, and those pairs of edges that make a face of the Minkowski difference, which
 * the arcs between the normals of their faces tell. An edge contact is two points, on either edge. Else the face of the
 * other hull that faces the reference face most is clipped by its sides (Sutherland and Hodgman 1974); of what is
 * deep enough the deepest point is kept, the one farthest from it, and the two that span most on either side of both.
 *
 * Faults that are kept: the deepest vertex need not belong to the incident face; two edges that are parallel within
 * a fixed angle are left out; faces are preferred by a fixed length. Hulls without a volume have no faces to ask. */
#include "contenders/textbook/textbook_parts.h"

#include <stdlib.h>

#include "contenders/libraries/hull_faces.h"

enum { VERTICES = 256, FACES = 2 * VERTICES, EDGES = 3 * VERTICES, OUTLINE = 2 * VERTICES };

/* Edges nearer to parallel than this sine are left out. */
#define PARALLEL 0.005

typedef struct edge {
    uint32_t tail, head, left, right; /* vertices; faces, of which the left one runs along it */
} edge;

typedef struct hull {
    uint32_t vertex_count, face_count, edge_count; /* 0 vertices: none that this method has */
    double (*vertices)[3];
    edge *edges;
    uint32_t *first; /* [face_count + 1], of corners */
    uint32_t *corners;
} hull;

typedef struct prepared {
    uint32_t count;
    hull hulls[];
} prepared;

/* A hull in the world. */
typedef struct placed {
    const hull *hull;
    double at[VERTICES][3], normal[FACES][3], centre[3];
} placed;

typedef struct space {
    placed of[2];
    double outline[2][OUTLINE][3];
} space;

static double dot(const double p[3], const double q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

static void cross(const double p[3], const double q[3], double out[3])
{
    out[0] = p[1] * q[2] - p[2] * q[1];
    out[1] = p[2] * q[0] - p[0] * q[2];
    out[2] = p[0] * q[1] - p[1] * q[0];
}

static void subtract(const double p[3], const double q[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = p[i] - q[i];
}

static double above(const double normal[3], const double origin[3], const double point[3])
{
    double from[3];
    subtract(point, origin, from);
    return dot(normal, from);
}

/* --- preparing ------------------------------------------------------------------------ */

/* Each edge once, though two faces have it: the second comes from the other side. */
static void add_edge(hull *h, uint32_t tail, uint32_t head, uint32_t face)
{
    for (uint32_t e = 0; e < h->edge_count; e++)
        if (h->edges[e].tail == head && h->edges[e].head == tail) {
            h->edges[e].right = face;
            return;
        }
    if (h->edge_count < EDGES)
        h->edges[h->edge_count++] = (edge){tail, head, face, face};
}

/* 0, or -1 out of memory or if there are more than the method's room is for. */
static int take_faces(hull *h, const gjb_faces *faces)
{
    h->first = malloc(((size_t)faces->count + 1) * sizeof *h->first);
    h->corners = malloc((faces->length + 1) * sizeof *h->corners);
    h->edges = malloc(EDGES * sizeof *h->edges);
    if (h->first == NULL || h->corners == NULL || h->edges == NULL || faces->count > FACES)
        return -1;
    uint32_t corner = 0;
    for (size_t i = 0; i < faces->length;) {
        const uint32_t count = (uint32_t)faces->numbers[i++];
        h->first[h->face_count] = corner;
        for (uint32_t k = 0; k < count; k++)
            h->corners[corner++] = (uint32_t)faces->numbers[i + k];
        for (uint32_t k = 0; k < count; k++)
            add_edge(h, h->corners[corner - count + k], h->corners[corner - count + (k + 1) % count], h->face_count);
        i += count;
        h->first[++h->face_count] = corner;
    }
    return 0;
}

static void free_hull(hull *h)
{
    free(h->vertices);
    free(h->edges);
    free(h->first);
    free(h->corners);
    *h = (hull){0};
}

static void release(void *prepared_by_us)
{
    prepared *p = prepared_by_us;
    for (uint32_t i = 0; i < p->count; i++)
        free_hull(&p->hulls[i]);
    free(p);
}

/* 0, or -1 out of memory. */
static int make_hull(hull *h, gjb_kind kind, const double (*rows)[3], uint32_t count)
{
    gjb_faces faces;
    h->vertex_count = kind == GJB_BOX ? 8 : count;
    h->vertices = malloc(h->vertex_count * sizeof *h->vertices);
    if (h->vertices == NULL)
        return -1;
    for (uint32_t i = 0; i < h->vertex_count; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            h->vertices[i][axis] = kind == GJB_BOX ? gjb_box_corner(3, i, axis) * rows[0][axis] : rows[i][axis];
    const int solid = gjb_hull_faces((const double(*)[3])h->vertices, h->vertex_count, &faces) == 0;
    const int failed = solid && take_faces(h, &faces) != 0;
    gjb_faces_free(&faces);
    if (!solid || failed)
        free_hull(h);
    return failed ? -1 : 0;
}

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    prepared *p = calloc(1, sizeof *p + shapes->count * sizeof p->hulls[0]);
    int failed = p == NULL;
    for (uint32_t i = 0; i < shapes->count && !failed; i++) {
        const double(*rows)[3] = (const double(*)[3])shapes->rows + shapes->first[i];
        const gjb_kind kind = (gjb_kind)shapes->kind[i];
        const int sharp = ((const double *)shapes->radius)[i] == 0;
        p->count = i + 1;
        if (sharp && (kind == GJB_BOX || kind == GJB_HULL) && shapes->row_count[i] <= VERTICES)
            failed = make_hull(&p->hulls[i], kind, rows, shapes->row_count[i]) != 0;
    }
    if (failed && p != NULL) {
        release(p);
        p = NULL;
    }
    return p;
}

static size_t workspace_size(const void *p)
{
    (void)p;
    return sizeof(space);
}

/* --- placing -------------------------------------------------------------------------- */

static void place(placed *to, const hull *h, const gjb_pose3d *pose)
{
    const gjb_pose3d nowhere = {0, 0, 0, 0, 0, 0, 1};
    const gjb_placing frame = gjb_place(pose, &nowhere);
    to->hull = h;
    memset(to->centre, 0, sizeof to->centre);
    for (uint32_t i = 0; i < h->vertex_count; i++) {
        gjb_turn(frame.r, h->vertices[i], to->at[i]);
        for (int k = 0; k < 3; k++) {
            to->at[i][k] += frame.t[k];
            to->centre[k] += to->at[i][k] / h->vertex_count;
        }
    }
    for (uint32_t f = 0; f < h->face_count; f++) {
        const uint32_t *corner = h->corners + h->first[f];
        double u[3], v[3];
        subtract(to->at[corner[1]], to->at[corner[0]], u);
        subtract(to->at[corner[2]], to->at[corner[0]], v);
        cross(u, v, to->normal[f]);
        const double length = sqrt(dot(to->normal[f], to->normal[f]));
        for (int k = 0; k < 3; k++)
            to->normal[f][k] /= length;
    }
}

static const double *corner_of(const placed *p, uint32_t face, uint32_t corner)
{
    return p->at[p->hull->corners[p->hull->first[face] + corner]];
}

static uint32_t corners_of(const placed *p, uint32_t face)
{
    return p->hull->first[face + 1] - p->hull->first[face];
}

/* --- axes ----------------------------------------------------------------------------- */

static double face_separation(const placed *p, const placed *other, uint32_t *face)
{
    double most = -INFINITY;
    for (uint32_t f = 0; f < p->hull->face_count; f++) {
        double least = INFINITY;
        for (uint32_t i = 0; i < other->hull->vertex_count; i++)
            least = fmin(least, above(p->normal[f], corner_of(p, f, 0), other->at[i]));
        if (least > most) {
            most = least;
            *face = f;
        }
    }
    return most;
}

/* Do the arcs ab and cd on the sphere of normals cross? Those of B are turned about. */
static int arcs_cross(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double ba[3], dc[3];
    cross(b, a, ba);
    cross(d, c, dc);
    const double cba = dot(c, ba), dba = dot(d, ba), adc = dot(a, dc), bdc = dot(b, dc);
    return cba * dba < 0 && adc * bdc < 0 && cba * bdc > 0;
}

typedef struct edge_pair {
    uint32_t a, b;
    double separation, normal[3];
} edge_pair;

static void along_edge(const placed *p, const edge *e, double out[3])
{
    subtract(p->at[e->head], p->at[e->tail], out);
}

static void edge_separation(const placed *a, const placed *b, edge_pair *best)
{
    best->separation = -INFINITY;
    for (uint32_t i = 0; i < a->hull->edge_count; i++)
        for (uint32_t k = 0; k < b->hull->edge_count; k++) {
            const edge *p = &a->hull->edges[i], *q = &b->hull->edges[k];
            double c[3], d[3], u[3], v[3], n[3];
            for (int m = 0; m < 3; m++) {
                c[m] = -b->normal[q->left][m];
                d[m] = -b->normal[q->right][m];
            }
            if (!arcs_cross(a->normal[p->left], a->normal[p->right], c, d))
                continue;
            along_edge(a, p, u);
            along_edge(b, q, v);
            cross(u, v, n);
            const double length = sqrt(dot(n, n));
            if (length < PARALLEL * sqrt(dot(u, u) * dot(v, v)))
                continue;
            const double outward = above(n, a->centre, a->at[p->tail]) < 0 ? -1 / length : 1 / length;
            for (int m = 0; m < 3; m++)
                n[m] *= outward;
            const double separation = above(n, a->at[p->tail], b->at[q->tail]);
            if (separation > best->separation)
                *best = (edge_pair){i, k, separation, {n[0], n[1], n[2]}};
        }
}

/* --- contacts ------------------------------------------------------------------------- */

static gjb_contact3d *add(gjb_answer *answer, double separation, uint32_t feature)
{
    gjb_contact3d *contact = &answer->contact[answer->count++];
    contact->separation = separation;
    contact->feature = feature;
    return contact;
}

/* Where two lines are nearest to each other. */
static void edge_contact(const placed *a, const placed *b, const edge_pair *best, const double origin[3],
                         gjb_answer *answer)
{
    const edge *p = &a->hull->edges[best->a], *q = &b->hull->edges[best->b];
    double u[3], v[3], between[3];
    along_edge(a, p, u);
    along_edge(b, q, v);
    subtract(a->at[p->tail], b->at[q->tail], between);
    const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), ub = dot(u, between), vb = dot(v, between);
    const double below = uu * vv - uv * uv, s = (uv * vb - vv * ub) / below, t = (uu * vb - uv * ub) / below;
    gjb_contact3d *contact = add(answer, best->separation, 1u << 31 | best->a << 12 | best->b);
    for (int k = 0; k < 3; k++) {
        answer->normal[k] = best->normal[k];
        contact->point_a[k] = a->at[p->tail][k] + s * u[k] - origin[k];
        contact->point_b[k] = b->at[q->tail][k] + t * v[k] - origin[k];
    }
}

static uint32_t incident_face(const placed *p, const double facing[3])
{
    uint32_t face = 0;
    double least = INFINITY;
    for (uint32_t f = 0; f < p->hull->face_count; f++) {
        const double along = dot(p->normal[f], facing);
        if (along < least) {
            least = along;
            face = f;
        }
    }
    return face;
}

/* What of an outline lies below a plane; how many corners that has. */
static uint32_t clip(const double (*from)[3], uint32_t count, const double outward[3], const double origin[3],
                     double (*to)[3])
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double *p = from[i], *q = from[i + 1 < count ? i + 1 : 0];
        const double dp = above(outward, origin, p), dq = above(outward, origin, q);
        if (dp <= 0)
            memcpy(to[kept++], p, sizeof *to);
        if (dp * dq < 0) {
            for (int k = 0; k < 3; k++)
                to[kept][k] = p[k] + dp / (dp - dq) * (q[k] - p[k]);
            kept++;
        }
    }
    return kept;
}

/* Twice the area of a triangle along the normal. */
static double area_of(const double p[3], const double q[3], const double r[3], const double normal[3])
{
    double pq[3], pr[3], out[3];
    subtract(q, p, pq);
    subtract(r, p, pr);
    cross(pq, pr, out);
    return dot(out, normal);
}

/* Four of the points that are left: the deepest, the farthest from it, and the two that span most with them. */
static uint32_t reduce(const double (*at)[3], const double *depth, uint32_t count, const double normal[3],
                       uint32_t kept[4])
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && count <= 4; i++)
        kept[found++] = i;
    if (count <= 4)
        return found;
    uint32_t deepest = 0, farthest = 0, left = 0, right = 0;
    double most = -INFINITY, largest = -INFINITY, smallest = INFINITY;
    for (uint32_t i = 1; i < count; i++)
        deepest = depth[i] < depth[deepest] ? i : deepest;
    for (uint32_t i = 0; i < count; i++) {
        double apart[3];
        subtract(at[i], at[deepest], apart);
        const double far = dot(apart, apart);
        farthest = far > most ? i : farthest;
        most = fmax(most, far);
    }
    for (uint32_t i = 0; i < count; i++) {
        const double area = area_of(at[deepest], at[farthest], at[i], normal);
        left = area > largest ? i : left;
        right = area < smallest ? i : right;
        largest = fmax(largest, area);
        smallest = fmin(smallest, area);
    }
    kept[found++] = deepest;
    kept[found++] = farthest;
    if (largest > 0)
        kept[found++] = left;
    if (smallest < 0)
        kept[found++] = right;
    return found;
}

/* `on_b`: the reference face is B's. */
static void face_contacts(const placed *reference, const placed *incident, uint32_t face, int on_b, double margin,
                          double (*outline[2])[3], const double origin[3], gjb_answer *answer)
{
    const double *normal = reference->normal[face];
    const uint32_t facing = incident_face(incident, normal), sides = corners_of(reference, face);
    uint32_t count = corners_of(incident, facing), near = 0, kept[4];
    double depth[OUTLINE];
    for (uint32_t i = 0; i < count; i++)
        memcpy(outline[0][i], corner_of(incident, facing, i), sizeof *outline[0]);
    for (uint32_t i = 0; i < sides; i++) {
        double along[3], outward[3];
        subtract(corner_of(reference, face, (i + 1) % sides), corner_of(reference, face, i), along);
        cross(along, normal, outward);
        count = clip((const double(*)[3])outline[i % 2], count, outward, corner_of(reference, face, i),
                     outline[(i + 1) % 2]);
    }
    double(*at)[3] = outline[sides % 2];
    for (uint32_t i = 0; i < count; i++) {
        depth[near] = above(normal, corner_of(reference, face, 0), at[i]);
        memmove(at[near], at[i], sizeof *at);
        near += depth[near] <= margin;
    }
    near = reduce((const double(*)[3])at, depth, near, normal, kept);
    for (int k = 0; k < 3; k++)
        answer->normal[k] = on_b ? -normal[k] : normal[k];
    for (uint32_t i = 0; i < near; i++) {
        const uint32_t feature = (uint32_t)on_b << 30 | face << 20 | facing << 10 | kept[i];
        gjb_contact3d *contact = add(answer, depth[kept[i]], feature);
        double *on_incident = on_b ? contact->point_a : contact->point_b,
               *on_reference = on_b ? contact->point_b : contact->point_a;
        for (int k = 0; k < 3; k++) {
            on_incident[k] = at[kept[i]][k] - origin[k];
            on_reference[k] = on_incident[k] - depth[kept[i]] * normal[k];
        }
    }
}

static void answer_pair(const void *prepared_by_us, const gjb_batch *batch, const uint32_t *bodies,
                        gjb_answer *answer)
{
    const prepared *p = prepared_by_us;
    space *room = batch->workspace;
    const gjb_pose3d pose[2] = {gjb_batch_pose3d(batch, bodies[0]), gjb_batch_pose3d(batch, bodies[1])};
    const double origin[3] = {pose[0].x, pose[0].y, pose[0].z};
    for (int side = 0; side < 2; side++) {
        const hull *h = &p->hulls[gjb_batch_shape(batch, bodies[side])];
        if (h->vertex_count == 0)
            return;
        place(&room->of[side], h, &pose[side]);
    }
    const placed *a = &room->of[0], *b = &room->of[1];
    uint32_t face[2] = {0, 0};
    edge_pair edges = {0};
    const double of_a = face_separation(a, b, &face[0]), of_b = face_separation(b, a, &face[1]);
    edge_separation(a, b, &edges);
    const double of_faces = fmax(of_a, of_b), most = fmax(of_faces, edges.separation);
    answer->status = most > 0 ? GJB_SEPARATED : GJB_OVERLAPPING;
    if (most > batch->margin)
        return;
    const int on_b = of_b > of_a + TB_CLIP_PREFERENCE;
    double(*outline[2])[3] = {room->outline[0], room->outline[1]};
    if (edges.separation > of_faces + TB_CLIP_PREFERENCE)
        edge_contact(a, b, &edges, origin, answer);
    else if (on_b)
        face_contacts(b, a, face[1], 1, batch->margin, outline, origin, answer);
    else
        face_contacts(a, b, face[0], 0, batch->margin, outline, origin, answer);
}

static void run(const void *p, const gjb_batch *batch)
{
    gjb_answer_all(p, batch, GJB_F64, 3, batch->query == GJB_MANIFOLD ? answer_pair : gjb_answer_unsupported);
}

const gjb_contender tb_clip3 = {
    .abi_version = GJB_CONTENDER_ABI,
    .struct_size = sizeof(gjb_contender),
    .name = "textbook-clip3",
    .version = GJB_VERSION,
    .licence = "MIT",
    .note = "as 3D tutorials teach manifolds: separating axes of faces and edges, the incident face clipped by the "
            "reference face, the deepest point and three more; sharp shapes of at most 256 vertices",
    .dims = 1u << 3,
    .kinds = 1u << GJB_BOX | 1u << GJB_HULL,
    .queries = 1u << GJB_MANIFOLD,
    .precisions = 1u << GJB_F64,
    .max_vertices = VERTICES,
    .tau = {[GJB_MANIFOLD] = TB_CLIP_PREFERENCE},
    .prepare = prepare,
    .workspace_size = workspace_size,
    .run = run,
    .release = release,
    .touching_only = 1u << GJB_MANIFOLD,
};
