/* Scenes that pair given hulls at a wanted gap or depth, and libraries joined from several scenes. */
#include "scenes/mesh/hulls.h"

#include <math.h>
#include <stdlib.h>

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

/* What meets: hulls in their order, one or more a body, and all their vertices as the scene holds them. */
typedef struct placing {
    gjb_scene *scene;
    gjb_meeting *meeting;
    double (*vertices)[3];
    uint64_t pair;         /* of bodies, so far */
    uint64_t part_pair;    /* of the scene, so far */
    uint32_t body;
} placing;

/* One side of a pair. */
typedef struct side {
    uint32_t hull, hulls, body; /* the first of its hulls, how many, and the first of its bodies in the scene */
} side;

static uint32_t count_of(const gjb_meeting *meeting, uint32_t hulls)
{
    return meeting->parts != NULL ? meeting->compound_count : hulls;
}

static uint32_t parts_of(const gjb_meeting *meeting, uint32_t i)
{
    return meeting->parts != NULL ? meeting->parts[i] : 1;
}

static gjb_body3 body_of(const placing *p, const side *s)
{
    const gjb_shapes *shapes = &p->scene->shapes;
    const uint32_t row = shapes->first[s->hull], last = s->hull + s->hulls - 1;
    return (gjb_body3){.kind = GJB_HULL,
                       .count = shapes->first[last] + shapes->row_count[last] - row,
                       .vertices = (const double(*)[3])p->vertices + row,
                       .pose = gjb_scene_pose3(p->scene, 0, s->body)};
}

static void set_poses(gjb_scene *scene, const side *s, gjb_pose3d pose)
{
    for (uint32_t k = 0; k < s->hulls; k++)
        gjb_scene_set_pose3(scene, 0, s->body + k, pose);
}

/* Sets B's translation. The pair touches if it is the difference of the two support
 * vertices along `direction`, the normal. 1 if B reaches A's middle before it is moved that far. */
static int meet(const placing *p, const side sides[2], const double direction[3], int inside)
{
    const gjb_body3 body_a = body_of(p, &sides[0]), body_b = body_of(p, &sides[1]);
    const reach a = reach_of(&body_a, direction, 1.0), b = reach_of(&body_b, direction, -1.0);
    const double gap = p->meeting->gap, size = gap != 0 ? fabs(gap) : fmin(a.half, b.half) / 10;
    double at[3], inward[3], depth2 = 0.0;
    for (int d = 0; d < 3; d++) {
        at[d] = a.support[d] - b.support[d];
        inward[d] = a.middle[d] - b.middle[d] - at[d];
        depth2 += inward[d] * inward[d];
    }
    const double depth = sqrt(depth2), share = depth > 0 ? fmin(1.0, size / depth) : 0.0;
    for (int d = 0; d < 3; d++)
        at[d] += inside ? share * inward[d] : size * direction[d];
    gjb_pose3d pose = body_b.pose;
    pose.x = body_a.pose.x + at[0];
    pose.y = body_a.pose.y + at[1];
    pose.z = body_a.pose.z + at[2];
    set_poses(p->scene, &sides[1], pose);
    return inside && gap != 0 && size > depth;
}

static int set_side(const placing *p, const side *s, gjb_random *r)
{
    double q[4];
    gjb_random_quaternion(r, q);
    int failed = 0;
    for (uint32_t k = 0; k < s->hulls; k++) {
        p->scene->body_shape[s->body + k] = s->hull + k;
        failed |= s->hulls > 1 && gjb_scene_set_part(p->scene, s->body + k, s->body) != 0;
    }
    set_poses(p->scene, s, (gjb_pose3d){.qx = q[0], .qy = q[1], .qz = q[2], .qw = q[3]});
    return failed;
}

static int place_pair(placing *p, side a, side b, int inside)
{
    gjb_random r = gjb_random_make(p->meeting->seed, STREAM, p->pair++);
    double direction[3];
    a.body = p->body;
    b.body = a.body + a.hulls;
    p->body = b.body + b.hulls;
    if (set_side(p, &a, &r) || set_side(p, &b, &r))
        return -1;
    for (uint32_t i = 0; i < a.hulls; i++)
        for (uint32_t k = 0; k < b.hulls; k++) {
            uint32_t *pair = p->scene->frames[0].pairs + 2 * p->part_pair++;
            pair[0] = a.body + i;
            pair[1] = b.body + k;
        }
    gjb_random_direction3(&r, direction);
    p->meeting->shallow += (uint64_t)meet(p, (const side[2]){a, b}, direction, inside);
    return 0;
}

/* Calls it for each two that meet, apart and inside as the gap says; -1 ends it. */
typedef int (*met)(placing *p, side a, side b, int inside);

static int each_meeting(placing *p, uint32_t hulls, met what)
{
    const gjb_meeting *m = p->meeting;
    const uint32_t count = count_of(m, hulls);
    uint32_t hull = 0;
    for (uint32_t a = 0; a < count; hull += parts_of(m, a++)) {
        const uint32_t first = m->next_only ? a + 1 : a, last = m->next_only ? a + 1 : count - 1;
        uint32_t other = first == count ? 0 : first > a ? hull + parts_of(m, a) : hull;
        for (uint32_t b = first; b <= last; other += parts_of(m, b++ % count)) {
            const side sides[2] = {{hull, parts_of(m, a), 0}, {other, parts_of(m, b % count), 0}};
            for (int inside = m->gap < 0; inside <= (m->gap <= 0); inside++)
                if (what(p, sides[0], sides[1], inside) != 0)
                    return -1;
        }
    }
    return 0;
}

/* Adds up what a meeting needs: in place of the scene's next, how many there are. */
static int count_pair(placing *p, side a, side b, int inside)
{
    (void)inside;
    p->pair++;
    p->part_pair += (uint64_t)a.hulls * b.hulls;
    const int full = __builtin_add_overflow(p->body, a.hulls + b.hulls, &p->body);
    return full || p->pair > UINT32_MAX / 2 || (p->meeting->parts != NULL && p->part_pair > GJB_MEETING_PAIRS_MOST)
               ? -1
               : 0;
}

static int place_all(gjb_scene *scene, uint32_t hulls, uint64_t rows, gjb_meeting *meeting)
{
    placing p = {.scene = scene, .meeting = meeting, .vertices = malloc((rows + 1) * sizeof *p.vertices)};
    for (uint64_t i = 0; i < 3 * rows && p.vertices != NULL; i++)
        p.vertices[i / 3][i % 3] = gjb_scalar_load(scene->shapes.rows, scene->shapes.precision, i);
    const int failed = p.vertices == NULL || each_meeting(&p, hulls, place_pair) != 0;
    free(p.vertices);
    return failed;
}

gjb_scene *gjb_hulls_meet(const gjb_hull3 *hulls, uint32_t count, gjb_precision precision,
                          gjb_meeting *meeting, gjb_error *error)
{
    placing counted = {.meeting = meeting};
    const int many = count > 0 && each_meeting(&counted, count, count_pair) != 0;
    uint64_t rows = 0;
    for (uint32_t i = 0; i < count; i++)
        rows += hulls[i].vertex_count;
    if (count == 0 || many || rows > UINT32_MAX) {
        gjb_fail(error, "hulls: %u make %llu pairs of %llu vertices%s, more or less than a scene holds", count,
                 (unsigned long long)counted.part_pair, (unsigned long long)rows, many ? " so far" : "");
        return NULL;
    }
    gjb_scene *scene = gjb_scene_new(3, precision, count, rows, counted.body, counted.part_pair);
    uint32_t row = 0;
    for (uint32_t i = 0; i < count && scene != NULL; i++) {
        const uint32_t vertices = hulls[i].vertex_count;
        gjb_scene_set_shape(scene, i, gjb_hull_kind(&hulls[i]), row, vertices, hulls[i].vertices, 0.0);
        row += vertices;
    }
    meeting->shallow = 0;
    if (scene == NULL || place_all(scene, count, rows, meeting) != 0) {
        gjb_fail(error, "hulls: out of memory for %llu pairs", (unsigned long long)counted.part_pair);
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
