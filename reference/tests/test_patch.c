/* Contact patches in closed form, of pairs that engines meet and of shapes without thickness; and of all families what
 * certificates say about their points. */
#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>
#include <string.h>

#include "reference/patch/patch.h"
#include "reference/reference.h"
#include "reference/tests/pairs.h"
#include "reference/tests/pairs3.h"

static const double straight = 1e-12; /* what reported numbers may be off by here */

static ref_patch_question along(double x, double y, double z)
{
    return (ref_patch_question){{x, y, z}, REF_PATCH_SINE, INFINITY, 0, 0};
}

static ref_patch found_in_space(const test_pair3 *pair, const ref_patch_question *question)
{
    ref_patch out = {0};
    const gjb_pair both = {.dim = 3, .as.space = pair->pair};
    ref_patch_find(&both, question, &out);
    return out;
}

static ref_patch found_in_plane(const test_pair *pair, const ref_patch_question *question)
{
    ref_patch out = {0};
    const gjb_pair both = {.dim = 2, .as.plane = pair->pair};
    ref_patch_find(&both, question, &out);
    return out;
}

static void set_box(test_pair3 *out, int side, double x, double y, double z, gjb_pose3d pose)
{
    double v[8][3];
    for (uint32_t k = 0; k < 8; k++) {
        v[k][0] = x * gjb_box_corner(3, k, 0);
        v[k][1] = y * gjb_box_corner(3, k, 1);
        v[k][2] = z * gjb_box_corner(3, k, 2);
    }
    test_pair3_set(out, side, 8, (const double(*)[3])v, 0, pose);
}

static const gjb_pose3d still = {0, 0, 0, 0, 0, 0, 1};

/* Is there a corner whose point of A is here, with this separation? */
static bool has(const ref_patch *patch, double x, double y, double z, double separation)
{
    for (uint32_t k = 0; k < patch->count; k++) {
        const double *p = patch->corners[k].point_a;
        if (fabs(p[0] - x) <= straight && fabs(p[1] - y) <= straight && fabs(p[2] - z) <= straight &&
            fabs(patch->corners[k].separation - separation) <= straight)
            return true;
    }
    return false;
}

/* Each corner's points differ by its separation times the normal. */
static void check_difference(const ref_patch *patch, const double normal[3], double size)
{
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (uint32_t k = 0; k < patch->count; k++) {
        const ref_patch_corner *c = &patch->corners[k];
        for (int m = 0; m < 3; m++)
            cr_assert(fabs(c->point_b[m] - c->point_a[m] - c->separation * normal[m] / length) <= 0x1p-49 * size);
    }
}

static void check_is(const ref_patch *patch, uint32_t count, double size, uint32_t of_a, uint32_t of_b)
{
    cr_assert_eq(patch->count, count, "%u corners", patch->count);
    cr_assert(fabs(patch->size - size) <= straight, "size %.17g for %.17g", patch->size, size);
    cr_assert_eq(patch->feature[0], of_a);
    cr_assert_eq(patch->feature[1], of_b);
}

Test(patch, boxes_face_to_face)
{
    static test_pair3 pair;
    set_box(&pair, 0, 2, 1, 1, (gjb_pose3d){5, 6, 7, 0, 0, 0, 1});
    set_box(&pair, 1, 1, 1, 0.5, (gjb_pose3d){5.5, 6.5, 8.25, 0, 0, 0, 1});
    for (int k = -2; k <= 2; k++) { /* the length of the normal does not matter */
        ref_patch_question q = along(0, 0, ldexp(1, k));
        ref_patch patch = found_in_space(&pair, &q);
        check_is(&patch, 4, 2 * 1.5, 4, 4);
        cr_assert(has(&patch, -0.5, -0.5, 1, -0.25) && has(&patch, 1.5, -0.5, 1, -0.25));
        cr_assert(has(&patch, 1.5, 1, 1, -0.25) && has(&patch, -0.5, 1, 1, -0.25));
        cr_assert_eq(patch.best_count, 4);
        cr_assert_eq(patch.share, 1);
        cr_assert_eq(patch.deepest, -0.25);
        check_difference(&patch, q.normal, 1);
        ref_patch_free(&patch);
    }
}

/* A square turned by an eighth on a square: a regular octagon, of which a square fits. */
Test(patch, boxes_turned)
{
    static test_pair3 pair;
    double h = 0.38268343236508977, w = 0.9238795325112867;
    set_box(&pair, 0, 1, 1, 1, still);
    set_box(&pair, 1, 1, 1, 1, (gjb_pose3d){0, 0, 2, 0, 0, h, w});
    ref_patch_question q = along(0, 0, 1);
    ref_patch patch = found_in_space(&pair, &q);
    check_is(&patch, 8, 8 * (sqrt(2) - 1), 4, 4);
    cr_assert_eq(patch.best_count, 4);
    cr_assert(fabs(patch.share - sqrt(0.5)) <= straight);
    for (uint32_t k = 0; k < 4; k++)
        cr_assert_eq(patch.best[k] % 2, patch.best[0] % 2);
    for (uint32_t k = 0; k < 8; k++) { /* counter-clockwise from above */
        const double *p = patch.corners[k].point_a, *next = patch.corners[(k + 1) % 8].point_a;
        cr_assert(p[0] * next[1] - p[1] * next[0] > 0);
        cr_assert_eq(patch.corners[k].separation, 0);
    }
    ref_patch_free(&patch);
}

/* A cube on its edge, on a face, and moved so that the edge sticks out at one end. */
Test(patch, edge_on_face)
{
    static test_pair3 pair;
    const double v[6][3] = {{-2, 0, 0}, {2, 0, 0}, {-2, 1, 1}, {2, 1, 1}, {-2, -1, 1}, {2, -1, 1}};
    set_box(&pair, 0, 1, 1, 1, still);
    test_pair3_set(&pair, 1, 6, v, 0, (gjb_pose3d){1.5, 0.25, 0.75, 0, 0, 0, 1});
    ref_patch_question q = along(0, 0, 1);
    ref_patch patch = found_in_space(&pair, &q);
    check_is(&patch, 2, 1.5, 4, 2);
    cr_assert(has(&patch, -0.5, 0.25, 1, -0.25) && has(&patch, 1, 0.25, 1, -0.25));
    cr_assert_eq(patch.best_count, 2);
    ref_patch_free(&patch);
    q.near = 0x1p-20; /* the face grows, and the edge stays a segment, whichever is first */
    for (int k = 0; k < 2; k++) {
        ref_patch grown = found_in_space(&pair, &q);
        cr_assert_eq(grown.count, 2);
        cr_assert(fabs(grown.size - 1.5 - 0x1p-20) <= straight);
        ref_patch_free(&grown);
        pair.pair = test_pair3_swapped(&pair.pair);
        q.normal[2] = -1;
    }
}

Test(patch, vertex_on_face)
{
    static test_pair3 pair;
    const double v[4][3] = {{0, 0, 0}, {1, 0, 1}, {0, 1, 1}, {-1, -1, 1}};
    set_box(&pair, 0, 1, 1, 1, still);
    test_pair3_set(&pair, 1, 4, v, 0, (gjb_pose3d){0.5, 0.5, 1.5, 0, 0, 0, 1});
    ref_patch_question q = along(0, 0, 1);
    ref_patch patch = found_in_space(&pair, &q);
    check_is(&patch, 1, 0, 4, 1);
    cr_assert(has(&patch, 0.5, 0.5, 1, 0.5));
    ref_patch_free(&patch);
    for (int k = 0; k < 2; k++) { /* margins: contacts up to a separation, and no more */
        q.margin = k ? 0.49 : 0.5;
        patch = found_in_space(&pair, &q);
        cr_assert(patch.count == (k ? 0 : 1));
        cr_assert(!k || (patch.best_count == 0 && patch.share == 0 && patch.deepest == 0));
        ref_patch_free(&patch);
    }
    pair.pair.b.pose.x = 3; /* not over the face */
    q.margin = INFINITY;
    patch = found_in_space(&pair, &q);
    check_is(&patch, 0, 0, 4, 1);
    ref_patch_free(&patch);
}

Test(patch, crossed_edges)
{
    static test_pair3 pair;
    const double a[2][3] = {{-1, 0, 0}, {3, 0, 0}}, b[2][3] = {{0, -1, 0}, {0, 1, 0}};
    test_pair3_set(&pair, 0, 2, a, 0.125, still);
    test_pair3_set(&pair, 1, 2, b, 0.25, (gjb_pose3d){0.5, 0.5, 0.25, 0, 0, 0, 1});
    ref_patch_question q = along(0, 0, 1);
    ref_patch patch = found_in_space(&pair, &q);
    check_is(&patch, 1, 0, 2, 2);
    cr_assert(has(&patch, 0.5, 0, 0.125, -0.125)); /* radii are taken off */
    check_difference(&patch, q.normal, 1);
    ref_patch_free(&patch);
}

/* Edges next to each other on lines that all but agree: a segment within `near`, exactly a point or nothing. */
Test(patch, edges_along_each_other)
{
    static test_pair3 pair;
    const double a[2][3] = {{-1, 0, 0}, {1, 0, 0}}, b[2][3] = {{-1, 0x1p-40, 0}, {1, -0x1p-41, 0}};
    test_pair3_set(&pair, 0, 2, a, 0, still);
    test_pair3_set(&pair, 1, 2, b, 0, (gjb_pose3d){0.5, 0, 1, 0, 0, 0, 1});
    ref_patch_question q = along(0, 0, 1);
    ref_patch patch = found_in_space(&pair, &q);
    check_is(&patch, 1, 0, 2, 2);
    ref_patch_free(&patch);
    q.near = 0x1p-39;
    patch = found_in_space(&pair, &q);
    cr_assert_eq(patch.count, 2);
    cr_assert(fabs(patch.size - 1.5) <= 0x1p-38);
    ref_patch_free(&patch);
    pair.pair.b.pose.y = -0x1p-42; /* they cross in the middle */
    q.near = 0x1p-50;
    patch = found_in_space(&pair, &q);
    cr_assert(patch.count == 2 && patch.size < 0x1p-8);
    ref_patch_free(&patch);
    pair.pair.b.pose.y = 1;
    patch = found_in_space(&pair, &q);
    cr_assert_eq(patch.count, 0);
    ref_patch_free(&patch);
}

/* A vertex over a vertex along a normal that was rounded: together within `near` alone. */
Test(patch, vertex_over_vertex)
{
    static test_pair3 pair;
    const double dot[1][3] = {{0, 0, 0}};
    test_pair3_set(&pair, 0, 1, dot, 0, still);
    test_pair3_set(&pair, 1, 1, dot, 0, (gjb_pose3d){1, 1, 1, 0, 0, 0, 1});
    double third = sqrt(1.0 / 3);
    ref_patch_question q = along(third, third, nextafter(third, 1));
    ref_patch patch = found_in_space(&pair, &q);
    cr_assert_eq(patch.count, 0);
    q.near = 0x1p-50;
    patch = found_in_space(&pair, &q);
    cr_assert_eq(patch.count, 1);
    cr_assert(fabs(patch.corners[0].separation - sqrt(3)) <= 0x1p-50);
    ref_patch_free(&patch);
}

static uint32_t corners_over(test_pair3 *pair, double x, double y, const ref_patch_question *question)
{
    const double dot[1][3] = {{0, 0, 0}};
    test_pair3_set(pair, 1, 1, dot, 0, (gjb_pose3d){x, y, 1, 0, 0, 0, 1});
    ref_patch patch = found_in_space(pair, question);
    uint32_t count = patch.count;
    ref_patch_free(&patch);
    return count;
}

/* What is grown by `near` grows by no more at sharp corners and at ends, however the frame is stretched. */
Test(patch, near_a_tip)
{
    static test_pair3 pair;
    const double needle[3][3] = {{0, 0, 0}, {-1, 0x1p-20, 0}, {-1, -0x1p-20, 0}}, bar[2][3] = {{0, 0, 0}, {-1, -1, 0}};
    ref_patch_question q = along(0, 0, 12);
    q.near = 0x1p-10;
    test_pair3_set(&pair, 0, 3, needle, 0, still);
    cr_assert_eq(corners_over(&pair, 0.99 * q.near, 0, &q), 1);
    cr_assert_eq(corners_over(&pair, 1.5 * q.near, 0, &q), 0);
    cr_assert_eq(corners_over(&pair, -0.5, 0.99 * q.near, &q), 1);
    cr_assert_eq(corners_over(&pair, -0.5, 1.01 * q.near, &q), 0);
    test_pair3_set(&pair, 0, 2, bar, 0, still);
    double out = q.near * sqrt(0.5);
    cr_assert_eq(corners_over(&pair, 0.99 * out, 0.99 * out, &q), 1);
    cr_assert_eq(corners_over(&pair, 1.2 * out, 1.2 * out, &q), 0);
    cr_assert_eq(corners_over(&pair, 0.99 * out - 0.5, -0.99 * out - 0.5, &q), 1);
    cr_assert_eq(corners_over(&pair, 1.2 * out - 0.5, -1.2 * out - 0.5, &q), 0);
}

/* Vertices that all but lie on a line span a steep plane. Next to it, within `near`, heights are those of its side. */
Test(patch, near_a_sliver)
{
    static test_pair3 pair;
    const double sliver[3][3] = {{0, 0, 0}, {2, 0, 0}, {1, 0x1p-30, 0x1p-8}}, dot[1][3] = {{0, 0, 0}};
    ref_patch_question q = along(0, 0, 1);
    q.near = 0x1p-39;
    test_pair3_set(&pair, 0, 3, sliver, 0, still);
    test_pair3_set(&pair, 1, 1, dot, 0, (gjb_pose3d){0.5, -0x1p-40, 1, 0, 0, 0, 1});
    for (int k = 0; k < 2; k++) {
        ref_patch patch = found_in_space(&pair, &q);
        check_is(&patch, 1, 0, 3, 1);
        cr_assert(fabs(patch.corners[0].separation - 1) <= straight);
        ref_patch_free(&patch);
        q.margin = 1;
    }
}

/* A box that leans by less than the angle is on its face, and by more on its edge; by little the margin cuts it. */
Test(patch, leaning_box)
{
    static test_pair3 pair;
    for (int k = 0; k < 2; k++) {
        double sine = (k ? 1.01 : 0.99) * REF_PATCH_SINE, half = sin(asin(sine) / 2);
        set_box(&pair, 0, 2, 2, 1, still);
        set_box(&pair, 1, 1, 1, 1, (gjb_pose3d){0, 0, 2, 0, half, 0, sqrt(1 - half * half)});
        ref_patch_question q = along(0, 0, 1);
        ref_patch patch = found_in_space(&pair, &q);
        cr_assert_eq(patch.count, k ? 2 : 4);
        cr_assert_eq(patch.feature[1], patch.count);
        if (k == 0) {
            cr_assert(fabs(patch.size - 4 * sqrt(1 - sine * sine)) <= straight);
            q.margin = patch.deepest + sine; /* half of the way up */
            ref_patch part = found_in_space(&pair, &q);
            cr_assert_eq(part.count, 4);
            cr_assert(fabs(part.size - 2 * sqrt(1 - sine * sine)) <= straight);
            ref_patch_free(&part);
        }
        ref_patch_free(&patch);
    }
}

/* Of a leaning polygon the best four hold one of the deepest, unless the slack says that all are deep. */
Test(patch, the_deepest_is_among_the_best)
{
    static test_pair3 pair;
    const double ring[6][3] = {{-8, -8, 0}, {8, -8, 0}, {8, 8, 0}, {-8, 8, 0}, {0, -8.5, 0}, {0, 8.5, 0}};
    const gjb_pose3d leaning = {0, 0, 1, 0x1p-10, 0, 0, 1};
    set_box(&pair, 0, 16, 16, 1, still);
    test_pair3_set(&pair, 1, 6, ring, 0, leaning);
    ref_patch_question q = along(0, 0, 1);
    for (int k = 0; k < 2; k++) {
        q.slack = k ? 1 : 0;
        ref_patch patch = found_in_space(&pair, &q);
        cr_assert_eq(patch.count, 6);
        bool deep = false;
        for (uint32_t m = 0; m < 4; m++)
            deep = deep || patch.corners[patch.best[m]].separation == patch.deepest;
        cr_assert_eq(deep, !k);
        cr_assert(k ? fabs(patch.share - 256 / 264.0) < 1e-3 : patch.share < 0.96 && patch.share > 0.7);
        ref_patch_free(&patch);
    }
}

static double four_of(const ref_patch *patch, const uint32_t i[4])
{
    double area = 0;
    for (int k = 0; k < 4; k++) {
        const double *p = patch->corners[i[k]].point_a, *q = patch->corners[i[(k + 1) % 4]].point_a;
        area += 0.5 * (p[0] * q[1] - p[1] * q[0]);
    }
    return area;
}

/* The four of many corners, against all choices. */
Test(patch, best_of_many_corners)
{
    static test_pair3 pair;
    set_box(&pair, 0, 4, 4, 1, still);
    for (uint64_t k = 0; k < 60; k++) {
        gjb_random r = gjb_random_make(38, 3, k);
        double ring[20][3] = {{0}}, most = 0;
        uint32_t count = 5 + gjb_random_below(&r, 16), i[4];
        for (uint32_t m = 0; m < count; m++) {
            double angle = 6.3 * gjb_random_unit(&r);
            ring[m][0] = 3 * cos(angle);
            ring[m][1] = (k % 2 ? 0.1 : 3) * sin(angle);
        }
        test_pair3_set(&pair, 1, count, (const double(*)[3])ring, 0, (gjb_pose3d){0, 0, 1, 0, 0, 0, 1});
        ref_patch_question q = along(0, 0, 1);
        ref_patch patch = found_in_space(&pair, &q);
        cr_assert_eq(patch.count, count);
        for (i[0] = 0; i[0] < count; i[0]++)
            for (i[1] = i[0] + 1; i[1] < count; i[1]++)
                for (i[2] = i[1] + 1; i[2] < count; i[2]++)
                    for (i[3] = i[2] + 1; i[3] < count; i[3]++)
                        most = fmax(most, four_of(&patch, i));
        cr_assert(fabs(four_of(&patch, patch.best) - most) <= straight);
        cr_assert(fabs(patch.share * patch.size - most) <= straight);
        cr_assert(patch.share >= 0.5);
        ref_patch_free(&patch);
    }
}

/* Repeated vertices, vertices within, and on edges and faces change nothing. */
Test(patch, repeated_vertices)
{
    static test_pair3 plain, more;
    double v[16][3];
    set_box(&plain, 0, 1, 1, 1, still);
    set_box(&plain, 1, 1, 1, 1, (gjb_pose3d){0.5, 0.75, 2, 0, 0, 0, 1});
    more = plain;
    memcpy(v, plain.vertices[1], 8 * sizeof *v);
    for (int k = 8; k < 16; k++)
        for (int m = 0; m < 3; m++)
            v[k][m] = k < 11 ? v[k - 8][m] : k < 13 ? 0.25 * k * 0.125 : m == 2 ? -1 : k < 15 ? 0 : m;
    test_pair3_set(&more, 1, 16, (const double(*)[3])v, 0, plain.pair.b.pose);
    more.pair.a.vertices = (const double(*)[3])more.vertices[0];
    ref_patch_question q = along(0, 0, 1);
    ref_patch one = found_in_space(&plain, &q), other = found_in_space(&more, &q);
    check_is(&one, 4, 1.5 * 1.25, 4, 4);
    check_is(&other, 4, 1.5 * 1.25, 4, 4);
    cr_assert_arr_eq(one.corners, other.corners, 4 * sizeof *one.corners);
    ref_patch_free(&one);
    ref_patch_free(&other);
}

/* Flat hulls: a plate on a plate, edge on, a thin plate whose back is within the angle, and identical shapes. */
Test(patch, flat_hulls)
{
    static test_pair3 pair;
    const double plate[5][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 0}};
    test_pair3_set(&pair, 0, 5, plate, 0, still);
    test_pair3_set(&pair, 1, 5, plate, 0, (gjb_pose3d){1, 0, 0, 0, 0, 0, 1});
    ref_patch_question q = along(0, 0, -1), side = along(1, 0, 0);
    ref_patch patch = found_in_space(&pair, &q);
    check_is(&patch, 4, 2, 4, 4);
    ref_patch_free(&patch);
    patch = found_in_space(&pair, &side);
    check_is(&patch, 2, 2, 2, 2);
    cr_assert_eq(patch.deepest, -1);
    ref_patch_free(&patch);
    const double tent[5][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, -0x1p-20}};
    test_pair3_set(&pair, 0, 5, tent, 0, still); /* the tip looks down: not a part of the upper side */
    q = along(0, 0, 1);
    patch = found_in_space(&pair, &q);
    cr_assert(has(&patch, 0, -1, 0, 0) && patch.deepest == 0 && patch.count == 4);
    ref_patch_free(&patch);
    q = along(0, 0, -1);
    patch = found_in_space(&pair, &q);
    cr_assert(has(&patch, 0, -1, 0, 0) && patch.count == 4); /* the tip is at the edge of the other plate, */
    pair.pair.b.pose.x = 0.5;                                /* or within it */
    ref_patch_free(&patch);
    patch = found_in_space(&pair, &q);
    check_is(&patch, 4, 3, 4, 4);
    ref_patch_free(&patch);
    set_box(&pair, 0, 1, 2, 3, (gjb_pose3d){1, 2, 3, 0.5, 0.5, 0.5, 0.5});
    set_box(&pair, 1, 1, 2, 3, pair.pair.a.pose); /* turned: x y z is y z x */
    q = along(0, 1, 0);
    patch = found_in_space(&pair, &q);
    check_is(&patch, 4, 4 * 6, 4, 4);
    cr_assert_eq(patch.deepest, -2);
    ref_patch_free(&patch);
}

Test(patch, in_the_plane)
{
    static test_pair pair;
    const double box[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {1, 1}, {-1, 1}}, edge[2][2] = {{-2, 0}, {2, 0}};
    test_pair_set(&pair, 0, GJB_POLYGON, 5, box, 0, (gjb_pose2d){3, 4, 0, 1});
    test_pair_set(&pair, 1, GJB_SEGMENT, 2, edge, 0.25, (gjb_pose2d){4.5, 5, 1, 0});
    ref_patch_question q = along(0, 1, 7); /* the third number is not looked at */
    ref_patch patch = found_in_plane(&pair, &q);
    check_is(&patch, 2, 1.5, 2, 2);
    cr_assert(has(&patch, -0.5, 1, 0, -0.25) && has(&patch, 1, 1, 0, -0.25));
    check_difference(&patch, (const double[3]){0, 1, 0}, 1);
    ref_patch_free(&patch);
    pair.pair.b.pose = (gjb_pose2d){5.5, 7, 0.6, 0.8}; /* one end down */
    patch = found_in_plane(&pair, &q);
    check_is(&patch, 0, 0, 2, 1);
    pair.pair.b.pose.x = 4.5;
    ref_patch_free(&patch);
    patch = found_in_plane(&pair, &q);
    check_is(&patch, 1, 0, 2, 1);
    cr_assert(fabs(patch.corners[0].point_a[0] - 0.3) <= straight);
    cr_assert(fabs(patch.corners[0].separation - (3 - 1.6 - 1 - 0.25)) <= straight);
    ref_patch_free(&patch);
    pair.pair.b.pose = (gjb_pose2d){3, 5.5, 1, 0x1p-7}; /* leans within the angle: both ends of the face, one deeper */
    patch = found_in_plane(&pair, &q);
    check_is(&patch, 2, 2, 2, 2);
    cr_assert(patch.corners[0].separation != patch.corners[1].separation);
    q.margin = 0.25; /* the middle */
    ref_patch part = found_in_plane(&pair, &q);
    cr_assert(part.count == 2 && fabs(part.size - 1) <= straight);
    ref_patch_free(&part);
    ref_patch_free(&patch);
}

/* Asked what has no answer, the program ends. */
static void ask(int what)
{
    static test_pair3 pair;
    ref_patch_question q = along(0, 0, what == 0 ? 0 : 1);
    q.margin = what == 1 ? NAN : INFINITY;
    q.near = what == 2 ? -1 : 0;
    q.sine = what == 3 ? 1 : 0;
    set_box(&pair, 0, 1, 1, 1, still);
    set_box(&pair, 1, 1, 1, 1, still);
    pair.pair.a.kind = what == 4 ? GJB_CYLINDER : GJB_HULL;
    pair.pair.b.count = what == 5 ? 0 : 8;
    found_in_space(&pair, &q);
}

Test(patch, no_direction, .signal = SIGABRT)
{
    ask(0);
}

Test(patch, no_margin, .signal = SIGABRT)
{
    ask(1);
}

Test(patch, less_than_near, .signal = SIGABRT)
{
    ask(2);
}

Test(patch, no_angle, .signal = SIGABRT)
{
    ask(3);
}

Test(patch, curved, .signal = SIGABRT)
{
    ask(4);
}

Test(patch, no_vertices, .signal = SIGABRT)
{
    ask(5);
}

/* Every corner's points are on their shapes, no separation is less than the support gap along the normal, and along a
 * right normal there is a patch within rounding. `gap` and `off` come from certificates. Returns whether the deepest
 * place is within the patch: of thin shapes that show several faces within the angle. */
static bool check_certified(const gjb_pair *pair, const double normal[3], int index)
{
    bool plane = pair->dim == 2;
    double size = gjb_pair_size(pair), unit = 0x1p-50 * size;
    ref_patch_question q = {{normal[0], normal[1], plane ? 0 : normal[2]}, REF_PATCH_SINE, INFINITY, unit, unit};
    ref_patch patch = {0};
    long double error;
    ref_patch_find(pair, &q, &patch);
    long double gap = plane ? ref_gap2(&pair->as.plane, normal, &error) : ref_gap3(&pair->as.space, normal, &error);
    for (uint32_t k = 0; k < patch.count; k++) {
        const ref_patch_corner *c = &patch.corners[k];
        cr_assert(c->separation >= gap - 4 * unit, "pair %d: %.17g below the gap %.20Lg", index, c->separation, gap);
        for (int side = 0; side < 2; side++) {
            const double *p = side ? c->point_b : c->point_a;
            long double off = plane ? ref_point_distance2(&pair->as.plane, side, p, &error)
                                    : ref_point_distance3(&pair->as.space, side, p, &error);
            cr_assert(off <= 8 * unit, "pair %d: corner %u is off shape %d by %Lg", index, k, side, off);
        }
    }
    cr_assert(patch.count > 0, "pair %d: no patch along a right normal", index);
    cr_assert(patch.share > 0 && patch.share <= 1);
    bool inside = patch.deepest > gap + 64 * unit;
    cr_assert(!inside || (patch.count > 1 && patch.deepest <= gap + 2 * REF_PATCH_SINE * size),
              "pair %d: %g is deepest, %Lg the gap", index, patch.deepest, gap);
    check_difference(&patch, q.normal, size);
    ref_patch_free(&patch);
    return inside;
}

Test(patch, of_all_families)
{
    static test_pair3 space;
    static test_pair flat;
    int inside = 0;
    for (int family = 0; family < TEST_FAMILIES3; family++) {
        for (int k = 0; k < 60; k++) {
            ref_exact3 exact;
            test_pair3_make(&space, (test_family3)family, (uint64_t)k, 12);
            const gjb_pair pair = {.dim = 3, .as.space = space.pair};
            ref_oracle3(&space.pair, &exact);
            inside += check_certified(&pair, exact.normal, 1000 * family + k);
        }
    }
    for (int family = 0; family < TEST_FAMILIES; family++) {
        for (int k = 0; k < 60; k++) {
            ref_exact exact;
            test_pair_make(&flat, (test_family)family, (uint64_t)k, 12);
            const gjb_pair pair = {.dim = 2, .as.plane = flat.pair};
            ref_oracle2(&flat.pair, &exact);
            inside += check_certified(&pair, (const double[3]){exact.normal[0], exact.normal[1], 0}, 1000 * family + k);
        }
    }
    cr_assert(inside < 60, "%d pairs are deepest within their patch", inside);
}
