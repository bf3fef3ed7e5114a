/* Scenes round-trip through files, convert, renormalise, expand boxes, and hash every field. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "scenes/hash.h"
#include "scenes/tests/samples.h"

static const sample_saver savers[] = {gjb_scene_save_json, gjb_scene_save_binary};

Test(scene, round_trips_bit_for_bit)
{
    for (uint64_t seed = 0; seed < 120; seed++) {
        const gjb_precision precision = seed % 2 ? GJB_F64 : GJB_F32;
        const uint32_t dim = 2 + seed / 2 % 2;
        gjb_scene *scene = (seed / 4 % 2 ? sample_moving : sample_scene)(
            dim, precision, seed % 3 == 0 ? 1 : (uint32_t)(seed % 7 + 1), seed);
        gjb_error error = {0};
        scene->margin = seed % 5 == 0 ? 1.0 / (double)(seed + 3) : 0.0;
        scene->within = seed % 3 == 0 ? 2.0 / (double)(seed + 3) : 0.0;
        cr_assert_eq(gjb_scene_check(scene, "sample", &error), 0, "%s", error.text);
        for (int s = 0; s < 2; s++) {
            size_t size, again_size;
            unsigned char *bytes = sample_saved(savers[s], scene, &size);
            cr_assert_not_null(bytes);
            gjb_scene *back = gjb_scene_parse(bytes, size, "saved", &error);
            cr_assert_not_null(back, "%s", error.text);
            cr_expect(sample_equal(scene, back), "seed %d, format %d", (int)seed, s);
            cr_expect_eq(gjb_scene_hash(scene), gjb_scene_hash(back));
            unsigned char *again = sample_saved(savers[s], back, &again_size);
            cr_expect(size == again_size && memcmp(bytes, again, size) == 0);
            free(bytes);
            free(again);
            gjb_scene_free(back);
        }
        gjb_scene_free(scene);
    }
}

Test(scene, defaults_comments_and_angles)
{
    static const char text[] = "{\"gjkbench\": 1, \"x-comment\": {\"anything\": [1]},\n"
                               " \"shapes\": [{\"kind\": \"point\", \"vertices\": [[1, 2.5]]}],\n"
                               " \"bodies\": [{\"shape\": 0, \"pose\": {\"x\": 1, \"y\": 2}},\n"
                               "   {\"shape\": 0, \"pose\": {\"x\": 0, \"y\": 0, \"angle\": 0.3}}],\n"
                               " \"pairs\": [[0, 1.0]]}";
    gjb_error error = {0};
    gjb_scene *scene = gjb_scene_parse(text, sizeof text - 1, "text", &error);
    cr_assert_not_null(scene, "%s", error.text);
    cr_expect_eq(scene->shapes.precision, (uint32_t)GJB_F64);
    cr_expect_eq(((const double *)scene->shapes.radius)[0], 0.0);
    const gjb_pose2d still = gjb_scene_pose(scene, 0, 0), turned = gjb_scene_pose(scene, 0, 1);
    cr_expect(still.x == 1.0 && still.y == 2.0 && still.c == 1.0 && still.s == 0.0);
    /* These bits on every machine. */
    cr_expect(turned.c == 0x1.e921dd42f09bap-1 && turned.s == 0x1.2e9cd95baba33p-2, "%a %a", turned.c,
              turned.s);
    cr_expect_eq(scene->frames[0].pairs[1], 1u);
    gjb_scene_free(scene);
}

Test(scene, numbers_are_written_shortest)
{
    gjb_scene *scene = gjb_scene_new(2, GJB_F32, 1, 2, 1, 1);
    gjb_scene_set_shape(scene, 0, GJB_SEGMENT, 0, 2, (const double[2][2]){{0.1, 1.0 / 3.0}, {1e30, -0.0}},
                        0.5);
    gjb_scene_set_pose(scene, 0, 0, (gjb_pose2d){0, 0, 1, 0});
    size_t size;
    char *text = (char *)sample_saved(gjb_scene_save_json, scene, &size);
    cr_expect_not_null(strstr(text, "[[0.1, 0.33333334], [1e+30, -0.0]], \"radius\": 0.5"), "%s", text);
    free(text);
    gjb_scene_free(scene);
}

Test(scene, mends_what_the_rules_mend)
{
    for (int p = 0; p < GJB_PRECISIONS; p++) {
        gjb_scene *scene = gjb_scene_new(2, (gjb_precision)p, 1, 4, 2, 1);
        const double clockwise[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
        gjb_scene_set_shape(scene, 0, GJB_POLYGON, 0, 4, clockwise, 0);
        scene->body_shape[1] = 0;
        const double epsilon = gjb_epsilon((gjb_precision)p);
        const gjb_pose2d kept = {0, 0, 1.0 - 2 * epsilon, 0}, fixed = {0, 0, 0.8, 0.6002};
        gjb_scene_set_pose(scene, 0, 0, kept);
        gjb_scene_set_pose(scene, 0, 1, fixed);
        gjb_error error = {0};
        cr_assert_eq(gjb_scene_check(scene, "scene", &error), 0, "%s", error.text);
        gjb_pair_space space = {0};
        gjb_pair pair;
        cr_assert_eq(gjb_scene_pair(scene, 0, 0, &space, &pair), 0);
        for (int i = 0; i < 4; i++) {
            const double *v = pair.as.plane.a.vertices[i], *wanted = clockwise[(4 - i) % 4];
            cr_expect(v[0] == wanted[0] && v[1] == wanted[1], "vertex %d: %g %g", i, v[0], v[1]);
        }
        cr_expect_eq(gjb_scene_pose(scene, 0, 0).c, kept.c);
        const gjb_pose2d after = gjb_scene_pose(scene, 0, 1);
        cr_expect(fabs(after.c * after.c + after.s * after.s - 1.0) <= 4 * epsilon);
        cr_expect(fabs(after.s / after.c - 0.6002 / 0.8) <= 4 * epsilon);
        gjb_pair_space_free(&space);
        gjb_scene_free(scene);
    }
}

Test(scene, renormalised_poses_are_of_unit_length)
{
    gjb_scene *scene = sample_scene(2, GJB_F64, 1, 3);
    uint64_t state = 9;
    for (int round = 0; round < 20000; round++) {
        const double angle = (double)(sample_bits(&state) >> 40) * 1e-3;
        const double length = 1.0 + ((double)(sample_bits(&state) >> 40) * 0x1p-24 - 0.5) * 9.9e-4;
        gjb_scene_set_pose(scene, 0, 0, (gjb_pose2d){0, 0, length * cos(angle), length * sin(angle)});
        gjb_error error = {0};
        cr_assert_eq(gjb_scene_check(scene, "scene", &error), 0, "%s", error.text);
        const gjb_pose2d pose = gjb_scene_pose(scene, 0, 0);
        /* A pose once fixed is accepted as it is from then on. */
        cr_assert_eq(gjb_scene_check(scene, "scene", &error), 0);
        const gjb_pose2d again = gjb_scene_pose(scene, 0, 0);
        cr_assert(pose.c == again.c && pose.s == again.s, "round %d", round);
    }
    gjb_scene_free(scene);
}

Test(scene, converts)
{
    gjb_scene *wide = sample_scene(2, GJB_F64, 3, 11);
    const double small[1][2] = {{0.1, -3.7}}, ends[2][2] = {{0.1, 0.2}, {1e-3, 1e6}};
    gjb_scene_set_shape(wide, 0, GJB_POINT, 0, 1, small, 0.3); /* within f32's range */
    gjb_scene_set_shape(wide, 1, GJB_SEGMENT, 1, 2, ends, 0.3);
    gjb_scene_set_shape(wide, 3, GJB_BOX, 7, 1, (const double[1][2]){{0.1, 3}}, 0.3);
    for (uint32_t f = 0; f < wide->frame_count; f++) {
        for (uint32_t b = 0; b < wide->body_count; b++) {
            gjb_pose2d pose = gjb_scene_pose(wide, f, b);
            pose.x = 0.1 * b;
            pose.y = -0.3 * f;
            gjb_scene_set_pose(wide, f, b, pose);
        }
    }
    gjb_scene *narrow = gjb_scene_convert(wide, GJB_F32), *again = gjb_scene_convert(narrow, GJB_F64);
    gjb_scene *narrow_again = gjb_scene_convert(again, GJB_F32);
    cr_assert(sample_equal(narrow, narrow_again));
    cr_expect_eq(((const float *)narrow->shapes.rows)[0], 0.1f);
    cr_expect_eq(((const double *)again->shapes.rows)[0], (double)0.1f);
    cr_expect_str_eq(again->note, wide->note);
    for (uint32_t f = 0; f < wide->frame_count; f++) {
        for (uint32_t b = 0; b < wide->body_count; b++) {
            const gjb_pose2d pose = gjb_scene_pose(narrow, f, b);
            cr_expect(fabs(pose.c * pose.c + pose.s * pose.s - 1.0) <= 4 * gjb_epsilon(GJB_F32));
        }
    }
    gjb_scene_make_unit(again);
    for (uint32_t f = 0; f < wide->frame_count; f++) {
        for (uint32_t b = 0; b < wide->body_count; b++) {
            const gjb_pose2d pose = gjb_scene_pose(again, f, b);
            cr_expect(fabs(pose.c * pose.c + pose.s * pose.s - 1.0) <= 4 * gjb_epsilon(GJB_F64));
        }
    }
    gjb_scene *same = gjb_scene_convert(wide, GJB_F64);
    cr_expect(sample_equal(wide, same));
    gjb_scene_set_pose(same, 2, 8, (gjb_pose2d){0, 1e40, 1, 0});
    cr_expect_null(gjb_scene_convert(same, GJB_F32), "a number that f32 may not hold");
    gjb_scene_free(wide);
    gjb_scene_free(narrow);
    gjb_scene_free(again);
    gjb_scene_free(narrow_again);
    gjb_scene_free(same);
}

#define SAME_BODY(a, b)                                                                                      \
    ((a).kind == (b).kind && (a).count == (b).count && (a).radius == (b).radius &&                           \
     !memcmp((a).vertices, (b).vertices, (a).count * sizeof *(a).vertices) && !memcmp(&(a).pose, &(b).pose, sizeof (a).pose))

static int same_pair(const gjb_pair *p, const gjb_pair *q)
{
    return p->dim == q->dim && (p->dim == 2 ? SAME_BODY(p->as.plane.a, q->as.plane.a) && SAME_BODY(p->as.plane.b, q->as.plane.b)
                                            : SAME_BODY(p->as.space.a, q->as.space.a) && SAME_BODY(p->as.space.b, q->as.space.b));
}

Test(scene, extracts_the_pair_that_it_expands)
{
    gjb_pair_space space = {0}, other = {0};
    for (int k = 0; k < 2 * GJB_PRECISIONS; k++) {
        const uint32_t dim = k < GJB_PRECISIONS ? 2 : 3;
        gjb_scene *scene = sample_scene(dim, (gjb_precision)(k % GJB_PRECISIONS), 3, 5);
        for (uint32_t f = 0; f < 3; f++) {
            for (uint64_t i = 0; i < scene->frames[f].pair_count; i++) {
                gjb_scene *one = gjb_scene_extract(scene, f, i);
                gjb_pair pair, alone;
                gjb_error error = {0};
                cr_assert_eq(gjb_scene_check(one, "one", &error), 0, "%s", error.text);
                cr_assert_eq(gjb_scene_pair(scene, f, i, &space, &pair), 0);
                cr_assert_eq(gjb_scene_pair(one, 0, 0, &other, &alone), 0);
                cr_expect(pair.dim == dim && same_pair(&pair, &alone));
                cr_expect_eq(one->shapes.kind[0],
                             scene->shapes.kind[scene->body_shape[scene->frames[f].pairs[2 * i]]]);
                gjb_scene_free(one);
            }
        }
        gjb_scene_free(scene);
    }
    gjb_pair_space_free(&space);
    gjb_pair_space_free(&other);
}

Test(scene, a_box_expands_counter_clockwise)
{
    gjb_scene *scene = gjb_scene_new(2, GJB_F32, 2, 2, 2, 1);
    gjb_scene_set_shape(scene, 0, GJB_BOX, 0, 1, (const double[1][2]){{2, 3}}, 0.5);
    gjb_scene_set_shape(scene, 1, GJB_POINT, 1, 1, (const double[1][2]){{7, 8}}, 0);
    gjb_scene_set_pose(scene, 0, 0, (gjb_pose2d){5, 6, 0, 1});
    free(scene->body_shape);
    scene->body_shape = NULL;
    scene->frames[0].pairs[1] = 1;
    gjb_pair_space space = {0};
    gjb_pair pair;
    cr_assert_eq(gjb_scene_pair(scene, 0, 0, &space, &pair), 0);
    cr_expect(pair.as.plane.a.kind == GJB_BOX && pair.as.plane.a.count == 4 && pair.as.plane.a.radius == 0.5 && pair.as.plane.a.pose.s == 1.0);
    double area = 0.0;
    for (int i = 0; i < 4; i++) {
        const double *v = pair.as.plane.a.vertices[i], *w = pair.as.plane.a.vertices[(i + 1) % 4];
        cr_expect(fabs(v[0]) == 2.0 && fabs(v[1]) == 3.0);
        area += 0.5 * (v[0] * w[1] - v[1] * w[0]);
    }
    cr_expect_eq(area, 24.0);
    cr_expect(pair.as.plane.b.count == 1 && pair.as.plane.b.vertices[0][1] == 8.0);
    gjb_pair_space_free(&space);
    gjb_scene_free(scene);
}

Test(scene, hash_notices_every_field)
{
    gjb_scene *scene = sample_scene(2, GJB_F64, 2, 21);
    const uint64_t before = gjb_scene_hash(scene);
#define NOTICES(type, lvalue)                                                                                \
    do {                                                                                                     \
        unsigned char *byte = (unsigned char *)(void *)(type *)&(lvalue);                                    \
        *byte ^= 1;                                                                                          \
        cr_expect_neq(gjb_scene_hash(scene), before, #lvalue);                                               \
        *byte ^= 1;                                                                                          \
        cr_expect_eq(gjb_scene_hash(scene), before, #lvalue);                                                \
    } while (0)
    NOTICES(uint8_t, scene->shapes.kind[3]);
    NOTICES(double, ((const double *)scene->shapes.radius)[5]);
    for (int i = 0; i < 42; i++)
        NOTICES(double, ((const double *)scene->shapes.rows)[i]);
    NOTICES(uint32_t, scene->body_shape[8]);
    NOTICES(double, ((double *)scene->frames[1].poses)[35]);
    NOTICES(uint32_t, scene->frames[0].pairs[21]);
    scene->margin = 0.25;
    const uint64_t with_margin = gjb_scene_hash(scene);
    scene->within = 0.25;
    const uint64_t with_both = gjb_scene_hash(scene), manifold = gjb_scene_hash_for(scene, GJB_MANIFOLD);
    scene->margin = 0.0;
    const uint64_t within = gjb_scene_hash(scene);
    cr_expect(with_margin != before && with_both != before && with_both != with_margin && within != before &&
              within != with_margin && within != with_both);
    cr_expect_eq(manifold, with_margin);
    cr_expect_eq(gjb_scene_hash_for(scene, GJB_INTERSECT), within);
    cr_expect_eq(gjb_scene_hash_for(scene, GJB_DISTANCE), within);
    cr_expect_eq(gjb_scene_hash_for(scene, GJB_PENETRATION), before);
    scene->within = 0.0;
    cr_expect_eq(gjb_scene_hash_for(scene, GJB_DISTANCE), before);
    scene->leaving = GJB_LEAVING_IGNORE;
    cr_expect_neq(gjb_scene_hash(scene), before);
    cr_expect_eq(gjb_scene_hash_for(scene, GJB_TOI), gjb_scene_hash(scene));
    cr_expect_eq(gjb_scene_hash_for(scene, GJB_SWEEP), before);
    scene->leaving = GJB_LEAVING_HIT;
#undef NOTICES
    ((uint32_t *)scene->shapes.row_count)[4]--;
    cr_expect_neq(gjb_scene_hash(scene), before);
    ((uint32_t *)scene->shapes.row_count)[4]++;
    scene->frames[0].pair_count--;
    cr_expect_neq(gjb_scene_hash(scene), before);
    scene->frames[0].pair_count++;
    scene->note[0] ^= 1; /* changes no answer */
    cr_expect_eq(gjb_scene_hash(scene), before);
    gjb_scene_free(scene);
}

Test(scene, a_failed_save_leaves_nothing_behind)
{
    char directory[64], path[128];
    sample_directory(directory);
    gjb_scene *scene = sample_scene(2, GJB_F32, 1, 1);
    for (int s = 0; s < 2; s++) {
        gjb_error error = {0};
        snprintf(path, sizeof path, "%s/missing/scene", directory);
        cr_expect_eq(savers[s](scene, path, &error), -1);
        cr_expect(strstr(error.text, path) != NULL && strstr(error.text, strerror(ENOENT)) != NULL, "%s",
                  error.text);
        gjb_error full = {0};
        if (access("/dev/full", W_OK) == 0) {
            cr_expect_eq(savers[s](scene, "/dev/full", &full), -1);
            cr_expect(strstr(full.text, strerror(ENOSPC)) != NULL, "%s", full.text);
        }
        gjb_error fine = {0};
        snprintf(path, sizeof path, "%s/scene", directory);
        cr_expect_eq(savers[s](scene, path, &fine), 0, "%s", fine.text);
        gjb_scene *back = gjb_scene_load(path, &fine);
        cr_assert_not_null(back, "%s", fine.text);
        cr_expect(sample_equal(scene, back));
        gjb_scene_free(back);
        cr_expect_eq(unlink(path), 0);
    }
    cr_expect_eq(rmdir(directory), 0, "something is left in %s", directory);
    gjb_scene_free(scene);
}
