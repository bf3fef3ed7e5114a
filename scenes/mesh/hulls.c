/* Scenes that pair given hulls at a wanted gap or depth, and libraries joined from several scenes. */
#include "scenes/mesh/hulls.h"

#include <math.h>

#include "scenes/generate/generate_parts.h"
#include "scenes/generate/generate_solid.h"
#include "scenes/scene_private.h"

enum { STREAM = 0x6d656574 /* of random numbers, apart from those of recipes */ };

gjb_kind gjb_hull_kind(const gjb_hull3 *hull)
{
    static const gjb_kind few[] = {GJB_POINT, GJB_POINT, GJB_SEGMENT, GJB_TRIANGLE};
    return hull->vertex_count < 4 ? few[hull->vertex_count] : GJB_HULL;
}

/* The vertex farthest along `sign * direction`, the mean vertex, and half the
 * longest extent along a world axis. */
typedef struct reach {
    double support[3], middle[3], half;
} reach;

static reach reach_of(const gjb_body3 *body, const double direction[3], double sign)
{
    reach out = {.half = 0.0};
    const double q[4] = {body->pose.qx, body->pose.qy, body->pose.qz, body->pose.qw};
    double m[3][3], best = -INFINITY, lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    gjb_rotation3(q, m);
    for (uint32_t i = 0; i < body->count; i++) {
        double v[3];
        for (int d = 0; d < 3; d++)
            v[d] = gjb_dot3(m[d], body->vertices[i]);
        const double along = sign * gjb_dot3(v, direction);
        for (int d = 0; d < 3; d++) {
            out.support[d] = along > best ? v[d] : out.support[d];
            out.middle[d] += v[d] / body->count;
            lo[d] = fmin(lo[d], v[d]);
            hi[d] = fmax(hi[d], v[d]);
            out.half = fmax(out.half, (hi[d] - lo[d]) / 2);
        }
        best = fmax(best, along);
    }
    return out;
}

/* Sets B's translation. The pair touches if it is the difference of the two support
 * vertices along `direction`, the normal. 1 if B reaches A's middle before it is moved that far. */
static int meet(gjb_scene *scene, uint64_t pair, const gjb_pair3 *bodies, const double direction[3], double gap,
                 int inside)
{
    const reach a = reach_of(&bodies->a, direction, 1.0), b = reach_of(&bodies->b, direction, -1.0);
    const double size = gap != 0 ? fabs(gap) : fmin(a.half, b.half) / 10;
    double at[3], inward[3], depth2 = 0.0;
    for (int d = 0; d < 3; d++) {
        at[d] = a.support[d] - b.support[d];
        inward[d] = a.middle[d] - b.middle[d] - at[d];
        depth2 += inward[d] * inward[d];
    }
    const double depth = sqrt(depth2), share = depth > 0 ? fmin(1.0, size / depth) : 0.0;
    for (int d = 0; d < 3; d++)
        at[d] += inside ? share * inward[d] : size * direction[d];
    gjb_pose3d pose = bodies->b.pose;
    pose.x = bodies->a.pose.x + at[0];
    pose.y = bodies->a.pose.y + at[1];
    pose.z = bodies->a.pose.z + at[2];
    gjb_scene_set_pose3(scene, 0, (uint32_t)(2 * pair + 1), pose);
    return inside && gap != 0 && size > depth;
}

static int place_pair(gjb_scene *scene, uint64_t pair, const uint32_t shapes[2], gjb_meeting *meeting,
                      int inside, gjb_pair_space *space)
{
    gjb_random r = gjb_random_make(meeting->seed, STREAM, pair);
    for (uint32_t side = 0; side < 2; side++) {
        double q[4];
        const uint32_t body = (uint32_t)(2 * pair + side);
        gjb_random_quaternion(&r, q);
        scene->body_shape[body] = shapes[side];
        scene->frames[0].pairs[body] = body;
        gjb_scene_set_pose3(scene, 0, body, (gjb_pose3d){.qx = q[0], .qy = q[1], .qz = q[2], .qw = q[3]});
    }
    gjb_pair bodies;
    double direction[3];
    gjb_random_direction3(&r, direction);
    if (gjb_scene_pair(scene, 0, pair, space, &bodies) != 0)
        return -1;
    meeting->shallow += (uint64_t)meet(scene, pair, &bodies.as.space, direction, meeting->gap, inside);
    return 0;
}

static int place_all(gjb_scene *scene, uint32_t count, gjb_meeting *meeting)
{
    gjb_pair_space space = {0};
    uint64_t pair = 0;
    int result = 0;
    for (uint32_t a = 0; a < count; a++) {
        const uint32_t first = meeting->next_only ? a + 1 : a, last = meeting->next_only ? a + 1 : count - 1;
        for (uint32_t b = first; b <= last && result == 0; b++) {
            const uint32_t shapes[2] = {a, b % count};
            if (meeting->gap >= 0)
                result |= place_pair(scene, pair++, shapes, meeting, 0, &space);
            if (meeting->gap <= 0)
                result |= place_pair(scene, pair++, shapes, meeting, 1, &space);
        }
    }
    gjb_pair_space_free(&space);
    return result;
}

static uint64_t count_pairs(uint32_t count, const gjb_meeting *meeting)
{
    const uint64_t meetings = meeting->next_only ? count : (uint64_t)count * ((uint64_t)count + 1) / 2;
    return meeting->gap == 0 ? 2 * meetings : meetings;
}

gjb_scene *gjb_hulls_meet(const gjb_hull3 *hulls, uint32_t count, gjb_precision precision,
                          gjb_meeting *meeting, gjb_error *error)
{
    const uint64_t pairs = count_pairs(count, meeting);
    uint64_t rows = 0;
    for (uint32_t i = 0; i < count; i++)
        rows += hulls[i].vertex_count;
    if (count == 0 || pairs > UINT32_MAX / 2 || rows > UINT32_MAX) {
        gjb_fail(error, "hulls: %u make %llu pairs of %llu vertices, more or less than a scene holds", count,
                 (unsigned long long)pairs, (unsigned long long)rows);
        return NULL;
    }
    gjb_scene *scene = gjb_scene_new(3, precision, count, rows, (uint32_t)(2 * pairs), pairs);
    uint32_t row = 0;
    for (uint32_t i = 0; i < count && scene != NULL; i++) {
        const uint32_t vertices = hulls[i].vertex_count;
        gjb_scene_set_shape(scene, i, gjb_hull_kind(&hulls[i]), row, vertices, hulls[i].vertices, 0.0);
        row += vertices;
    }
    meeting->shallow = 0;
    if (scene == NULL || place_all(scene, count, meeting) != 0) {
        gjb_fail(error, "hulls: out of memory for %llu pairs", (unsigned long long)pairs);
        gjb_scene_free(scene);
        return NULL;
    }
    if (gjb_scene_check(scene, "hulls", error) != 0) {
        gjb_scene_free(scene);
        return NULL;
    }
    return scene;
}

gjb_scene *gjb_hulls_join(gjb_scene *const *scenes, size_t count, gjb_error *error)
{
    uint64_t hulls = 0, rows = 0;
    gjb_precision precision = GJB_F32;
    for (size_t s = 0; s < count; s++) {
        const gjb_shapes *shapes = &scenes[s]->shapes;
        for (uint32_t i = 0; i < shapes->count; i++) {
            hulls += shapes->kind[i] == GJB_HULL;
            rows += shapes->kind[i] == GJB_HULL ? shapes->row_count[i] : 0;
        }
        precision = shapes->precision == GJB_F64 ? GJB_F64 : precision;
    }
    gjb_scene *joined =
        hulls > UINT32_MAX || rows > UINT32_MAX ? NULL : gjb_scene_new(3, precision, (uint32_t)hulls, rows, 1, 0);
    if (joined == NULL) {
        gjb_fail(error, "hulls: no room for %llu of %llu vertices", (unsigned long long)hulls,
                 (unsigned long long)rows);
        return NULL;
    }
    gjb_scene_set_pose3(joined, 0, 0, (gjb_pose3d){.qw = 1});
    uint32_t next = 0, row = 0;
    for (size_t s = 0; s < count; s++) {
        const gjb_shapes *shapes = &scenes[s]->shapes;
        for (uint32_t i = 0; i < shapes->count; i++) {
            if (shapes->kind[i] == GJB_HULL) {
                gjb_scene_copy_shape(scenes[s], i, joined, next++, row);
                row += shapes->row_count[i];
            }
        }
    }
    return joined;
}
