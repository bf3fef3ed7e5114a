/* Scenes in 3D: quaternions, hulls, and the bytes of the binary format. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/hash.h"
#include "scenes/tests/samples.h"

/* Two triangles' worth of numbers that read back as they are. */
static gjb_scene *small_scene(gjb_precision precision)
{
    static const double triangle[3][3] = {{0, 0, 0.25}, {1, 0, 0}, {0, 2, -1.5}};
    static const double hull[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.25, 0.25, 0.25}};
    gjb_scene *scene = gjb_scene_new(3, precision, 3, 9, 2, 1);
    gjb_scene_set_shape(scene, 0, GJB_TRIANGLE, 0, 3, triangle, 0.5);
    gjb_scene_set_shape(scene, 1, GJB_HULL, 3, 5, hull, 0.0);
    gjb_scene_set_shape(scene, 2, GJB_BOX, 8, 1, (const double[1][3]){{1, 2, 3}}, 0.0);
    gjb_scene_set_pose3(scene, 0, 0, (gjb_pose3d){1, 2, 3, 0, 0, 0, 1});
    gjb_scene_set_pose3(scene, 0, 1, (gjb_pose3d){-1, 0, 0.5, 0.5, -0.5, 0.5, -0.5});
    snprintf(scene->name, sizeof scene->name, "small");
    scene->frames[0].pairs[1] = 1;
    return scene;
}

Test(scene_solid, text_is_what_the_format_says)
{
    static const char *const lines[] = {
        "\"dim\": 3",
        "\"precision\": \"f32\"",
        "{\"kind\": \"triangle\", \"vertices\": [[0, 0, 0.25], [1, 0, 0], [0, 2, -1.5]], \"radius\": 0.5}",
        "{\"kind\": \"hull\", \"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.25, "
        "0.25, 0.25]]",
        "{\"kind\": \"box\", \"half_extents\": [1, 2, 3]",
        "{\"shape\": 1, \"pose\": {\"x\": -1, \"y\": 0, \"z\": 0.5, \"qx\": 0.5, \"qy\": -0.5, \"qz\": 0.5, "
        "\"qw\": "
        "-0.5}}",
        "[0, 1]",
    };
    gjb_scene *scene = small_scene(GJB_F32);
    size_t size;
    char *text = (char *)sample_saved(gjb_scene_save_json, scene, &size);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cr_expect_not_null(strstr(text, lines[i]), "no %s in:\n%s", lines[i], text);
    free(text);
    gjb_scene_free(scene);
}

static uint64_t get(const unsigned char *at, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

/* By the table of docs/scene-format.md, and the bits of all of it. */
Test(scene_solid, bytes_are_what_the_format_says)
{
    gjb_scene *scene = small_scene(GJB_F32);
    size_t size;
    unsigned char *bytes = sample_saved(gjb_scene_save_binary, scene, &size);
    /* kinds 8, rows of each 16, radii 16, rows 112 (padded), bodies 8, pairs of frames 8, poses 56, pairs 8 */
    cr_assert_eq(size, 304 + 8 + 16 + 16 + 112 + 8 + 8 + 56 + 8 + 8);
    cr_expect_eq(get(bytes + 16, 4), 3, "dimension");
    cr_expect_eq(get(bytes + 20, 4), 3, "shapes");
    cr_expect_eq(get(bytes + 24, 8), 9, "rows");
    const unsigned char *kinds = bytes + 304, *rows = kinds + 40, *poses = rows + 112 + 16;
    cr_expect(kinds[0] == 4 && kinds[1] == 5 && kinds[2] == 3);
    const double numbers[9] = {0, 0, 0.25, 1, 0, 0, 0, 2, -1.5};
    for (size_t i = 0; i < 9; i++) {
        const float stored = (float)numbers[i];
        uint32_t bits;
        memcpy(&bits, &stored, sizeof bits);
        cr_expect_eq(get(rows + 4 * i, 4), bits, "number %zu", i);
    }
    const double pose[7] = {-1, 0, 0.5, 0.5, -0.5, 0.5, -0.5};
    for (size_t i = 0; i < 7; i++) {
        const float stored = (float)pose[i];
        uint32_t bits;
        memcpy(&bits, &stored, sizeof bits);
        cr_expect_eq(get(poses + 28 + 4 * i, 4), bits, "pose number %zu", i);
    }
    cr_expect_eq(gjb_fingerprint(bytes, 1, size, size, 0), 0xa743567b5e6a9d40u, "0x%llx",
                 (unsigned long long)gjb_fingerprint(bytes, 1, size, size, 0));
    cr_expect_eq(gjb_scene_hash(scene), 0x590716115330be8eu, "0x%llx",
                 (unsigned long long)gjb_scene_hash(scene));
    free(bytes);
    gjb_scene_free(scene);
}

Test(scene_solid, triangles_and_defaults)
{
    static const char text[] =
        "{\"gjkbench\": 1, \"dim\": 3,\n"
        " \"shapes\": [{\"kind\": \"triangle\", \"vertices\": [[1, 2, 3], [1, 2, 3], [4, 5, 6]]}],\n"
        " \"bodies\": [{\"shape\": 0, \"pose\": {\"x\": 1, \"y\": 2, \"z\": 3}}],\n"
        " \"pairs\": [[0, 0]]}";
    gjb_error error = {0};
    gjb_scene *scene = gjb_scene_parse(text, sizeof text - 1, "text", &error);
    cr_assert_not_null(scene, "%s", error.text);
    cr_expect_eq(scene->shapes.kind[0], GJB_TRIANGLE);
    cr_expect_eq(((const double *)scene->shapes.rows)[8], 6.0);
    const gjb_pose3d pose = gjb_scene_pose3(scene, 0, 0);
    cr_expect(pose.x == 1 && pose.y == 2 && pose.z == 3 && pose.qx == 0 && pose.qy == 0 && pose.qz == 0 &&
              pose.qw == 1);
    gjb_scene_free(scene);
}

/* Vertices in any order, repeated, coplanar, interior: nothing is repaired. */
Test(scene_solid, hulls_stay_as_they_are)
{
    static const double hulls[4][8][3] = {
        {{0.25, 0.25, 0.25},
         {1, 0, 0},
         {0, 0, 0},
         {0, 0, 1},
         {0, 1, 0},
         {1, 0, 0},
         {0.5, 0.5, 0},
         {0.1, 0.1, 0.1}},
        {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {2, 3, 1}, {0.5, 0.5, 1}, {0.1, 0.9, 1}, {0, 0, 1}},
        {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {2, 2, 2}, {-1, -1, -1}, {0, 0, 0}, {0.5, 0.5, 0.5}, {3, 3, 3}},
        {{7, 8, 9}, {7, 8, 9}, {7, 8, 9}, {7, 8, 9}, {7, 8, 9}, {7, 8, 9}, {7, 8, 9}, {7, 8, 9}},
    };
    gjb_scene *scene = gjb_scene_new(3, GJB_F64, 4, 32, 1, 1);
    for (uint32_t i = 0; i < 4; i++)
        gjb_scene_set_shape(scene, i, GJB_HULL, 8 * i, 8, hulls[i], 0.0);
    gjb_scene_set_pose3(scene, 0, 0, (gjb_pose3d){0, 0, 0, 0, 0, 0, 1});
    const uint64_t before = gjb_scene_hash(scene);
    gjb_error error = {0};
    cr_expect_eq(gjb_scene_check(scene, "hulls", &error), 0, "%s", error.text);
    cr_expect_eq(gjb_scene_hash(scene), before);
    cr_expect_eq(memcmp(scene->shapes.rows, hulls, sizeof hulls), 0);
    gjb_scene_free(scene);
}

static long double square_length(const gjb_pose3d *q)
{
    return (long double)q->qx * q->qx + (long double)q->qy * q->qy + (long double)q->qz * q->qz +
           (long double)q->qw * q->qw;
}

/* Within 4 eps a quaternion stays; within 1e-3 it becomes one of unit length
 * in the same direction, and stays from then on. */
Test(scene_solid, quaternions_are_kept_or_renormalised)
{
    uint64_t state = 9;
    int kept = 0, repaired = 0;
    for (int round = 0; round < 20000; round++) {
        const gjb_precision precision = round % 2 ? GJB_F64 : GJB_F32;
        const double epsilon = gjb_epsilon(precision), share = (double)(sample_bits(&state) >> 40) * 0x1p-24;
        const double length = 1.0 + (round % 3 == 0 ? 1.9 * epsilon : 4.9e-4) * (2.0 * share - 1.0);
        const double u = (double)(sample_bits(&state) >> 40) * 1e-3,
                     v = (double)(sample_bits(&state) >> 40) * 1e-3;
        gjb_scene *scene = gjb_scene_new(3, precision, 1, 1, 1, 1);
        gjb_scene_set_shape(scene, 0, GJB_POINT, 0, 1, (const double[1][3]){{0, 0, 0}}, 0);
        gjb_scene_set_pose3(scene, 0, 0,
                            (gjb_pose3d){0, 0, 0, length * sin(u) * sin(v), length * sin(u) * cos(v),
                                         length * cos(u) * 0.6, length * cos(u) * 0.8});
        const gjb_pose3d before = gjb_scene_pose3(scene, 0, 0);
        const int near = fabsl(square_length(&before) - 1.0L) <= 4.0L * epsilon;
        gjb_error error = {0};
        cr_assert_eq(gjb_scene_check(scene, "scene", &error), 0, "%s", error.text);
        const gjb_pose3d after = gjb_scene_pose3(scene, 0, 0);
        cr_assert(fabsl(square_length(&after) - 1.0L) <= 4.0L * epsilon, "round %d", round);
        cr_assert_eq(memcmp(&before, &after, sizeof after) == 0, near, "round %d", round);
        cr_assert(fabs(after.qw * before.qz - after.qz * before.qw) < 4.0 * epsilon, "round %d", round);
        kept += near;
        repaired += !near;
        cr_assert_eq(gjb_scene_check(scene, "scene", &error), 0);
        const gjb_pose3d again = gjb_scene_pose3(scene, 0, 0);
        cr_assert_eq(memcmp(&again, &after, sizeof after), 0, "round %d", round);
        gjb_scene_free(scene);
    }
    cr_expect(kept > 3000 && repaired > 3000, "%d kept, %d repaired", kept, repaired);
}

Test(scene_solid, converts_quaternions_within_four_roundings)
{
    gjb_scene *wide = small_scene(GJB_F64);
    uint64_t state = 4;
    for (int round = 0; round < 2000; round++) {
        const double u = (double)(sample_bits(&state) >> 40) * 1e-3,
                     v = (double)(sample_bits(&state) >> 40) * 1e-3;
        gjb_scene_set_pose3(
            wide, 0, 1,
            (gjb_pose3d){0.1, -0.3, 1e6, sin(u) * sin(v), sin(u) * cos(v), cos(u) * 0.6, cos(u) * 0.8});
        gjb_scene *narrow = gjb_scene_convert(wide, GJB_F32), *again = gjb_scene_convert(narrow, GJB_F64);
        const gjb_pose3d pose = gjb_scene_pose3(narrow, 0, 1), same = gjb_scene_pose3(again, 0, 1);
        cr_assert(fabsl(square_length(&pose) - 1.0L) <= 4.0L * gjb_epsilon(GJB_F32));
        cr_assert_eq(memcmp(&pose, &same, sizeof pose), 0);
        gjb_scene_free(narrow);
        gjb_scene_free(again);
    }
    gjb_scene_free(wide);
}

Test(scene_solid, a_box_expands_to_its_corners)
{
    gjb_scene *scene = small_scene(GJB_F32);
    gjb_pair_space space = {0};
    gjb_pair pair;
    scene->body_shape[0] = 2;
    scene->body_shape[1] = 1;
    cr_assert_eq(gjb_scene_pair(scene, 0, 0, &space, &pair), 0);
    const gjb_body3 *box = &pair.as.space.a;
    cr_assert(box->kind == GJB_BOX && box->count == 8 && box->pose.z == 3.0);
    for (uint32_t i = 0; i < 8; i++) {
        for (uint32_t axis = 0; axis < 3; axis++)
            cr_expect_eq(box->vertices[i][axis], (i >> axis & 1u ? 1.0 : -1.0) * (axis + 1.0), "corner %u",
                         i);
    }
    cr_expect(pair.as.space.b.count == 5 && pair.as.space.b.vertices[3][2] == 1.0 &&
              pair.as.space.b.pose.qw == -0.5);
    gjb_pair_space_free(&space);
    gjb_scene_free(scene);
}

Test(scene_solid, hash_notices_every_number)
{
    gjb_scene *scene = sample_scene(3, GJB_F64, 2, 21);
    const uint64_t before = gjb_scene_hash(scene);
    for (int i = 0; i < 63; i++) {
        unsigned char *row = (unsigned char *)((double *)scene->shapes.rows + i);
        unsigned char *pose = (unsigned char *)((double *)scene->frames[1].poses + i);
        *row ^= 1;
        cr_expect_neq(gjb_scene_hash(scene), before, "number %d of the rows", i);
        *row ^= 1;
        *pose ^= 1;
        cr_expect_neq(gjb_scene_hash(scene), before, "number %d of the poses", i);
        *pose ^= 1;
    }
    cr_expect_eq(gjb_scene_hash(scene), before);
    gjb_scene_free(scene);
}
