/* Our scalar double-precision reference as a contender: what a careful
 * textbook implementation costs, and a second opinion next to the kernels. */
#include "contenders/contender_lists.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/libraries/adapter.h"
#include "contenders/reference_contender.h"
#include "core/query.h"
#include "reference/motion/motion.h"
#include "reference/patch/flats.h"
#include "reference/patch/patch.h"

/* Boxes are expanded per pair: four corners cost less than a second library. */
static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    gjb_shapes *copy = malloc(sizeof *copy);
    if (copy != NULL)
        *copy = *shapes;
    return copy;
}

/* One shape of a pair; `corners` is where those of a box go. */
typedef struct core {
    gjb_kind kind;
    uint32_t count;
    const double *rows;
    double radius;
    const void *pose;
    double motion[6];
} core;

/* Coordinate of a corner of a box; of one by two corners the lesser first. */
static double corner_of(gjb_kind kind, const double *rows, uint32_t dim, uint32_t i, uint32_t axis)
{
    const double sign = gjb_box_corner(dim, i, axis);
    if (kind == GJB_BOX)
        return sign * rows[axis];
    return sign < 0 ? fmin(rows[axis], rows[dim + axis]) : fmax(rows[axis], rows[dim + axis]);
}

static core core_of(const gjb_shapes *shapes, const gjb_batch *batch, uint32_t index, double corners[8 * 3])
{
    const uint32_t shape = gjb_batch_shape(batch, index), dim = shapes->dim;
    core c = {(gjb_kind)shapes->kind[shape], shapes->row_count[shape],
              (const double *)shapes->rows + (size_t)shapes->first[shape] * dim,
              ((const double *)shapes->radius)[shape], gjb_batch_pose(batch, index), {0}};
    gjb_batch_motion(batch, GJB_F64, dim, index, c.motion);
    if (c.kind == GJB_BOX || c.kind == GJB_AABB) {
        c.count = gjb_box_corners(dim);
        for (uint32_t i = 0; i < c.count; i++)
            for (uint32_t axis = 0; axis < dim; axis++)
                corners[i * dim + axis] = corner_of(c.kind, c.rows, dim, i, axis);
        c.rows = corners;
    }
    return c;
}

static gjb_body2 body2(const core *c)
{
    gjb_body2 b = {.kind = c->kind, .count = c->count, .vertices = (const double(*)[2])c->rows, .radius = c->radius};
    memcpy(&b.pose, c->pose, sizeof b.pose);
    memcpy(&b.motion, c->motion, sizeof b.motion);
    return b;
}

static gjb_body3 body3(const core *c)
{
    gjb_body3 b = {.kind = c->kind, .count = c->count, .vertices = (const double(*)[3])c->rows, .radius = c->radius};
    memcpy(&b.pose, c->pose, sizeof b.pose);
    memcpy(&b.motion, c->motion, sizeof b.motion);
    return b;
}

/* Nothing but an unturned box without radius can be swept. */
static int sweepable(const core *c, uint32_t dim)
{
    double pose[7];
    memcpy(pose, c->pose, gjb_pose_size(GJB_F64, dim));
    const double *rotation = pose + dim, *turn = c->motion + dim;
    const int turned = dim == 2 ? rotation[0] != 1 || rotation[1] != 0 || turn[0] != 0
                                : rotation[0] != 0 || rotation[1] != 0 || rotation[2] != 0 || rotation[3] == 0 ||
                                      turn[0] != 0 || turn[1] != 0 || turn[2] != 0;
    return !turned && c->radius == 0 && (c->kind == GJB_POINT || c->kind == GJB_BOX || c->kind == GJB_AABB);
}

/* In eps S of f64: what counts as touching, and as no deeper. Half of what the query grants, so that either side of it
 * is graded with as much to spare; of curved shapes in space, which are granted twice that, a quarter. */
#define LEAVING_ROUNDING 16.0

static void answer_moving(const gjb_pair *pair, gjb_query query, gjb_answer *answer)
{
    if (query == GJB_TOI) {
        ref_toi_answer found;
        ref_toi(pair, &found);
        if (pair->leaving)
            ref_toi_leave(pair, LEAVING_ROUNDING * gjb_epsilon(GJB_F64) * gjb_path_size(pair), &found);
        REF_TAKE(answer, found, 3);
        answer->sigma = found.time;
        return;
    }
    ref_sweep_answer found;
    ref_sweep(pair, &found);
    answer->status = found.status;
    answer->sigma = found.time;
    answer->last = found.last;
    memcpy(answer->normal, found.normal, sizeof answer->normal);
    memcpy(answer->point_a, found.point, sizeof answer->point_a);
}

/* --- manifold -------------------------------------------------------------------- */

/* In eps S: by how much features may miss each other along a rounded normal, and what a corner may lack of a depth. */
#define PATCH_ROUNDING 16.0

static double dot(const double p[3], const double q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

/* Twice the area of a triangle, seen along the normal. */
static double area_of(const gjb_answer *answer, const double *o, const double *p, const double *q)
{
    double size = 0;
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        size += ((p[m] - o[m]) * (q[n] - o[n]) - (p[n] - o[n]) * (q[m] - o[m])) * answer->normal[k];
    }
    return size;
}

/* What is lost of four contacts in order without one of them, if `point` comes in: of twice their area. */
static double loss_of(const gjb_answer *answer, uint32_t spared, const double point[3], double *whole)
{
    const double *last = answer->contact[(spared + 3) % 4].point_a, *own = answer->contact[spared].point_a,
                 *next = answer->contact[(spared + 1) % 4].point_a, *across = answer->contact[(spared + 2) % 4].point_a;
    const double area = area_of(answer, last, own, next), gained = area_of(answer, last, point, next);
    *whole = fabs(area + area_of(answer, next, across, last));
    return fabs(area) - fmax(0, area < 0 ? -gained : gained);
}

/* Distance of a point from the line between two others, seen along the normal. */
static double distance_off(const gjb_answer *answer, const double *p, const double *q, const double *from)
{
    double along[3], off[3];
    for (int k = 0; k < 3; k++) {
        along[k] = q[k] - p[k];
        off[k] = from[k] - p[k];
    }
    const double rise = dot(along, answer->normal), high = dot(off, answer->normal);
    for (int k = 0; k < 3; k++) {
        along[k] -= rise * answer->normal[k];
        off[k] -= high * answer->normal[k];
    }
    const double square = dot(along, along), t = square > 0 ? fmin(1, fmax(0, dot(off, along) / square)) : 0;
    for (int k = 0; k < 3; k++)
        off[k] -= t * along[k];
    return sqrt(dot(off, off));
}

/* How far a contact is from what the others and `point` span. */
static double miss_of(const gjb_answer *answer, uint32_t spared, const double point[3])
{
    const double *last = answer->contact[(spared + 3) % 4].point_a, *own = answer->contact[spared].point_a,
                 *next = answer->contact[(spared + 1) % 4].point_a;
    return fmin(distance_off(answer, last, next, own),
                fmin(distance_off(answer, last, point, own), distance_off(answer, point, next, own)));
}

/* Is a contact between its neighbours, but for rounding? */
static bool is_between(const gjb_answer *answer, uint32_t i, double rounding)
{
    const double *last = answer->contact[(i + 3) % 4].point_a, *own = answer->contact[i].point_a,
                 *next = answer->contact[(i + 1) % 4].point_a;
    double along[3], from[3];
    for (int k = 0; k < 3; k++) {
        along[k] = next[k] - last[k];
        from[k] = own[k] - last[k];
    }
    const double square = dot(along, along), at = dot(from, along);
    return at >= 0 && at <= square && fabs(area_of(answer, last, own, next)) <= rounding * sqrt(square);
}

/* The one of as many contacts as fit that the others can best spare: of those without which at least half of the area
 * is left the one that is least far from the others, as three may stand for all. In space one that is between its
 * neighbours but for rounding, if there is one: next to such the areas of a narrow patch say nothing. */
static uint32_t spared_for(const gjb_answer *answer, const double point[3], uint32_t dim, double rounding)
{
    const double *first = answer->contact[0].point_a, *last = answer->contact[1].point_a;
    if (dim == 2)
        return hypot(last[0] - point[0], last[1] - point[1]) < hypot(first[0] - point[0], first[1] - point[1]);
    uint32_t spared = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < GJB_CONTACTS_3D; i++) {
        if (is_between(answer, i, rounding))
            return i;
        double whole;
        const double loss = loss_of(answer, i, point, &whole), miss = miss_of(answer, i, point);
        if (loss <= whole / 2 && miss < least) {
            least = miss;
            spared = i;
        }
    }
    return spared;
}

/* The least separation is at none of the corners: the witness points are a contact, too. If the record is full they
 * stand in for the corner that the others can best spare. */
static void add_witness(gjb_answer *answer, uint32_t dim, uint32_t feature, double rounding)
{
    const uint32_t most = dim == 2 ? GJB_CONTACTS_2D : GJB_CONTACTS_3D, count = answer->count;
    if (count == most)
        answer->count = spared_for(answer, answer->point_a, dim, rounding);
    gjb_answer_contact(answer, answer->point_a, answer->point_b, answer->sigma, feature);
    if (count == most)
        answer->count = count;
}

/* A body about A's translation, and a point that moves. */
static gjb_pair ray_at(const gjb_pair *pair, int of_b, const double from[3], const double way[3])
{
    static const double nowhere[3] = {0, 0, 0};
    gjb_pair ray = {.dim = pair->dim};
    if (pair->dim == 2) {
        const gjb_pose2d *origin = &pair->as.plane.a.pose;
        gjb_body2 *body = &ray.as.plane.a;
        *body = of_b ? pair->as.plane.b : pair->as.plane.a;
        body->motion = (gjb_motion2d){0, 0, 0};
        body->pose.x -= origin->x;
        body->pose.y -= origin->y;
        ray.as.plane.b = (gjb_body2){.kind = GJB_POINT, .count = 1, .vertices = (const double(*)[2])nowhere,
                                     .pose = {from[0], from[1], 1, 0}, .motion = {way[0], way[1], 0}};
    } else {
        const gjb_pose3d *origin = &pair->as.space.a.pose;
        gjb_body3 *body = &ray.as.space.a;
        *body = of_b ? pair->as.space.b : pair->as.space.a;
        body->motion = (gjb_motion3d){0, 0, 0, 0, 0, 0};
        body->pose.x -= origin->x;
        body->pose.y -= origin->y;
        body->pose.z -= origin->z;
        ray.as.space.b = (gjb_body3){.kind = GJB_POINT, .count = 1, .vertices = (const double(*)[3])nowhere,
                                     .pose = {from[0], from[1], from[2], 0, 0, 0, 1},
                                     .motion = {way[0], way[1], way[2], 0, 0, 0}};
    }
    return ray;
}

/* A feature of several faces may run below the surface inside. Then the point is moved along the normal to where it
 * meets the shape that comes from outside. `reach`: how far from its translation the body goes. */
static void lift(const gjb_pair *pair, int of_b, double reach, const double outward[3], double point[3])
{
    double from[3], way[3], centre[3] = {0, 0, 0};
    ref_toi_answer met;
    if (of_b && pair->dim == 2) {
        centre[0] = pair->as.plane.b.pose.x - pair->as.plane.a.pose.x;
        centre[1] = pair->as.plane.b.pose.y - pair->as.plane.a.pose.y;
    } else if (of_b) {
        centre[0] = pair->as.space.b.pose.x - pair->as.space.a.pose.x;
        centre[1] = pair->as.space.b.pose.y - pair->as.space.a.pose.y;
        centre[2] = pair->as.space.b.pose.z - pair->as.space.a.pose.z;
    }
    const double above = dot(centre, outward) + reach - dot(point, outward);
    for (int k = 0; k < 3; k++) {
        from[k] = point[k] + above * outward[k];
        way[k] = -above * outward[k];
    }
    const gjb_pair ray = ray_at(pair, of_b, from, way);
    ref_toi(&ray, &met);
    const double rounding = PATCH_ROUNDING * gjb_epsilon(GJB_F64) * gjb_pair_size(pair);
    const bool below = met.status == GJB_HIT && (1 - met.time) * above > rounding;
    for (int k = 0; k < 3 && below; k++)
        point[k] = from[k] + met.time * way[k];
}

static double reach_of(const gjb_pair *pair, int of_b)
{
    if (pair->dim == 2) {
        const gjb_body2 *body = of_b ? &pair->as.plane.b : &pair->as.plane.a;
        return body->radius + gjb_core_reach(2, body->kind, body->vertices[0], body->count);
    }
    const gjb_body3 *body = of_b ? &pair->as.space.b : &pair->as.space.a;
    return body->radius + gjb_core_reach(3, body->kind, body->vertices[0], body->count);
}

/* A corner of the patch with both points on the shapes. Where a surface is all but along the normal a lift says little:
 * it has gone too far if the points are nearer to each other than the shapes are. */
static void add_corner(const gjb_pair *pair, const ref_patch_corner *corner, const double reach[2], double rounding,
                       uint32_t feature, gjb_answer *answer)
{
    double a[3], b[3], along[3], back[3], apart[3];
    memcpy(a, corner->point_a, sizeof a);
    memcpy(b, corner->point_b, sizeof b);
    for (int k = 0; k < 3; k++) {
        along[k] = answer->normal[k];
        back[k] = -along[k];
    }
    lift(pair, 0, reach[0], along, a);
    lift(pair, 1, reach[1], back, b);
    for (int k = 0; k < 3; k++)
        apart[k] = b[k] - a[k];
    if (dot(apart, along) >= answer->sigma - rounding)
        gjb_answer_contact(answer, a, b, dot(apart, along), feature);
    else
        gjb_answer_contact(answer, corner->point_a, corner->point_b, corner->separation, feature);
}

/* The same over a half-space's plane: the point there is under that of the other shape. */
static void add_corner_on_plane(const gjb_pair *pair, const ref_patch_corner *corner, int side, uint32_t feature,
                                gjb_answer *answer)
{
    double point[2][3], outward[3];
    memcpy(point[1 - side], side ? corner->point_a : corner->point_b, sizeof point[0]);
    for (int k = 0; k < 3; k++)
        outward[k] = side ? answer->normal[k] : -answer->normal[k];
    lift(pair, 1 - side, reach_of(pair, 1 - side), outward, point[1 - side]);
    const double above = (double)ref_slab_above(pair, point[1 - side]);
    for (int k = 0; k < 3; k++)
        point[side][k] = point[1 - side][k] + above * outward[k];
    gjb_answer_contact(answer, point[0], point[1], above, feature);
}

/* What lies over one another within rounding. Past a steep face that may be beyond the margin: then exactly. */
static void find_patch(const gjb_pair *pair, ref_patch_question question, ref_patch *patch)
{
    bool beyond = false;
    ref_patch_find(pair, &question, patch);
    for (uint32_t i = 0; i < patch->count; i++)
        beyond |= patch->corners[i].separation > question.margin + question.near;
    if (!beyond)
        return;
    question.near = 0;
    ref_patch_find(pair, &question, patch);
}

void gjb_reference_manifold(const gjb_pair *pair, gjb_answer *answer)
{
    const bool known = answer->status == GJB_SEPARATED || answer->status == GJB_OVERLAPPING;
    if (!known || answer->sigma > pair->margin)
        return;
    const double rounding = PATCH_ROUNDING * gjb_epsilon(GJB_F64) * gjb_pair_size(pair);
    ref_patch patch = {0};
    double deepest = INFINITY;
    const double reach[2] = {reach_of(pair, 0), reach_of(pair, 1)};
    ref_flats flats;
    if (ref_flats_open(&flats, pair, answer->normal, REF_FLATS_INNER) == 0) {
        const ref_patch_question question = {{answer->normal[0], answer->normal[1], answer->normal[2]},
                                             REF_PATCH_SINE, pair->margin, rounding, rounding};
        find_patch(&flats.pair, question, &patch);
    }
    for (uint32_t i = 0; i < patch.best_count; i++) {
        if (flats.plane)
            add_corner_on_plane(pair, &patch.corners[patch.best[i]], flats.slab.side, patch.best[i], answer);
        else
            add_corner(pair, &patch.corners[patch.best[i]], reach, rounding, patch.best[i], answer);
        deepest = fmin(deepest, answer->contact[i].separation);
    }
    if (!(deepest <= answer->sigma + rounding))
        add_witness(answer, pair->dim, patch.count, rounding);
    ref_patch_free(&patch);
}

static void answer_pair(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const gjb_shapes *shapes = prepared;
    double corners[2][8 * 3];
    const core a = core_of(shapes, batch, pair[0], corners[0]), b = core_of(shapes, batch, pair[1], corners[1]);
    const bool deep = batch->query == GJB_PENETRATION || batch->query == GJB_SIGNED_DISTANCE ||
                      batch->query == GJB_MANIFOLD;
    gjb_pair of = {.dim = shapes->dim,
                   .margin = batch->query == GJB_MANIFOLD ? batch->margin : 0,
                   .leaving = batch->query == GJB_TOI ? batch->leaving : GJB_LEAVING_HIT};
    if (of.dim == 2)
        of.as.plane = (gjb_pair2){body2(&a), body2(&b)};
    else
        of.as.space = (gjb_pair3){body3(&a), body3(&b)};
    if (gjb_pair_unbounded(&of) == 2)
        return;
    if (batch->query == GJB_SWEEP && !(sweepable(&a, of.dim) && sweepable(&b, of.dim))) {
        answer->status = GJB_UNSUPPORTED;
    } else if (gjb_queries[batch->query].moving) {
        answer_moving(&of, batch->query, answer);
    } else if (of.dim == 2) {
        const ref_answer found = deep ? ref_signed_distance2(&of.as.plane) : ref_distance2(&of.as.plane);
        REF_TAKE(answer, found, 2);
    } else {
        const ref_answer3 found = deep ? ref_signed_distance3(&of.as.space, NULL) : ref_distance3(&of.as.space);
        REF_TAKE(answer, found, 3);
    }
    if (batch->query == GJB_MANIFOLD)
        gjb_reference_manifold(&of, answer);
    if (batch->query == GJB_INTERSECT && answer->status == GJB_SEPARATED && answer->sigma <= batch->margin)
        answer->status = GJB_OVERLAPPING;
}

static void run(const void *prepared, const gjb_batch *batch)
{
    const gjb_shapes *shapes = prepared;
    gjb_answer_all(prepared, batch, GJB_F64, shapes->dim, answer_pair);
}

static const gjb_contender reference = {
    .abi_version = GJB_CONTENDER_ABI,
    .struct_size = sizeof(gjb_contender),
    .name = "reference",
    .version = GJB_VERSION,
    .licence = "MIT",
    .note = "scalar, double precision: GJK, then EPA if the cores overlap; in motion, conservative advancement in "
            "long double, and sweeps and contact patches in rational arithmetic",
    .dims = 1u << 2 | 1u << 3,
    .kinds = GJB_KINDS_2D | GJB_KINDS_3D | GJB_CURVED_2D | GJB_CURVED_3D | 1u << GJB_AABB | GJB_UNBOUNDED,
    .queries = ((1u << GJB_STILL_QUERIES) - 1) | 1u << GJB_SWEEP | 1u << GJB_TOI | 1u << GJB_MANIFOLD,
    .precisions = 1u << GJB_F64,
    .max_vertices = GJB_NO_VERTEX_LIMIT,
    .ours = 1,
    .within = 1u << GJB_INTERSECT,
    .leaving = 1u << GJB_TOI,
    .prepare = prepare,
    .workspace_size = gjb_no_workspace,
    .run = run,
    .release = free,
};

const gjb_contender *const gjb_contenders_reference[] = {&reference, NULL};
