/* Motions of scenes and boxes by their corners: what files say, what is refused. Round trips
 * and noise are with those of other scenes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/hash.h"
#include "scenes/tests/samples.h"

#define HEAD "{\"gjkbench\": 1, "
#define PLANE "\"shapes\": [{\"kind\": \"box\", \"half_extents\": [1, 2]}], "
#define SPACE "\"dim\": 3, \"shapes\": [{\"kind\": \"box\", \"half_extents\": [1, 2, 3]}], "
#define AT "\"pose\": {\"x\": 0, \"y\": 0}"
#define AT3 "\"pose\": {\"x\": 0, \"y\": 0, \"z\": 0}"
#define STILL(at) "{\"shape\": 0, " at "}"
#define MOVES(motion)                                                                                        \
    HEAD PLANE "\"bodies\": [" STILL(AT) ", {\"shape\": 0, " AT ", \"motion\": " motion                      \
                                         "}], \"pairs\": [[0, 1]]}"
#define MOVES3(motion)                                                                                       \
    HEAD SPACE "\"bodies\": [" STILL(AT3) ", {\"shape\": 0, " AT3 ", \"motion\": " motion                    \
                                          "}], \"pairs\": [[0, 1]]}"
#define FRAMES(motions)                                                                                      \
    HEAD PLANE "\"bodies\": [{\"shape\": 0}, {\"shape\": 0}], \"frames\": ["                                 \
               "{\"poses\": [[0, 0, 1, 0], [5, 0, 1, 0]], \"pairs\": []}, "                                  \
               "{\"poses\": [[0, 0, 1, 0], [5, 0, 1, 0]], \"motions\": " motions ", \"pairs\": [[0, 1]]}]}"
#define CORNERS(dim, corners)                                                                                \
    HEAD "\"dim\": " dim ", \"shapes\": [{\"kind\": \"aabb\", \"corners\": " corners "}], "                  \
         "\"bodies\": [{\"shape\": 0, " AT3 "}], \"pairs\": [[0, 0]]}"
#define CORNERS2(corners)                                                                                    \
    HEAD "\"shapes\": [{\"kind\": \"aabb\", \"corners\": " corners "}], "                                    \
         "\"bodies\": [" STILL(AT) "], \"pairs\": [[0, 0]]}"

#define ON_BOX "\"bodies\": [" STILL(AT) "], "
#define RAY(more) HEAD "\"query\": \"ray\", " PLANE ON_BOX more "}"

static gjb_scene *parsed(const char *text)
{
    gjb_error error = {0};
    gjb_scene *scene = gjb_scene_parse(text, strlen(text), "text", &error);
    cr_assert_not_null(scene, "%s", error.text);
    return scene;
}

static void expect_motion(const gjb_scene *scene, uint32_t frame, uint32_t body, const double wanted[6])
{
    double motion[6];
    gjb_scene_motion(scene, frame, body, motion);
    for (int i = 0; i < 6; i++)
        cr_expect_eq(motion[i], wanted[i], "frame %u, body %u, number %d: %g", frame, body, i, motion[i]);
}

Test(scene_motion, fields_that_are_missing_are_0)
{
    static const double none[6] = {0};
    gjb_scene *scene = parsed(MOVES("{\"y\": 2.5, \"angle\": -0.5, \"x-why\": 1}"));
    cr_expect(gjb_scene_moves(scene));
    expect_motion(scene, 0, 0, none);
    expect_motion(scene, 0, 1, (const double[6]){0, 2.5, -0.5});
    gjb_scene_free(scene);

    scene = parsed(MOVES3("{\"x\": 1, \"y\": 2, \"z\": 3, \"wx\": 4, \"wy\": 5, \"wz\": 6}"));
    expect_motion(scene, 0, 0, none);
    expect_motion(scene, 0, 1, (const double[6]){1, 2, 3, 4, 5, 6});
    gjb_scene_free(scene);

    scene = parsed(FRAMES("[[1, 2, 3], [4, 5, -1024]]"));
    cr_expect_null(scene->frames[0].motions);
    expect_motion(scene, 0, 1, none);
    expect_motion(scene, 1, 1, (const double[6]){4, 5, -1024});
    gjb_scene_free(scene);

    scene = parsed(MOVES("{\"x\": 7}"));
    expect_motion(scene, 0, 1, (const double[6]){7});
    gjb_scene_free(scene);
    scene = parsed(MOVES("{}"));
    cr_expect(gjb_scene_moves(scene));
    gjb_scene_free(scene);
    scene = parsed(HEAD PLANE "\"bodies\": [" STILL(AT) "], \"pairs\": [[0, 0]]}");
    cr_expect_not(gjb_scene_moves(scene));
    gjb_scene_free(scene);
}

/* A ray is read as the toi of a point that moves. */
Test(scene_motion, rays_are_points_that_move)
{
    static const char *const texts[][2] = {
        {RAY("\"origin\": [-5, 1], \"direction\": [4, 0.5], \"maximum\": 3, \"x-why\": 1"),
         HEAD "\"query\": \"toi\", \"shapes\": [{\"kind\": \"box\", \"half_extents\": [1, 2]}, "
              "{\"kind\": \"point\", \"vertices\": [[0, 0]]}], \"bodies\": [" STILL(AT) ", {\"shape\": 1, \"pose\": "
              "{\"x\": -5, \"y\": 1}, \"motion\": {\"x\": 12, \"y\": 1.5}}], \"pairs\": [[0, 1]]}"},
        {HEAD SPACE "\"precision\": \"f32\", \"query\": \"ray\", \"bodies\": [" STILL(AT3) "], "
                    "\"origin\": [0.1, 0, 9], \"direction\": [0, 0, -0.1]}",
         HEAD "\"dim\": 3, \"precision\": \"f32\", \"query\": \"toi\", \"shapes\": [{\"kind\": \"box\", "
              "\"half_extents\": [1, 2, 3]}, {\"kind\": \"point\", \"vertices\": [[0, 0, 0]]}], \"bodies\": [" STILL(AT3)
              ", {\"shape\": 1, \"pose\": {\"x\": 0.1, \"y\": 0, \"z\": 9}, \"motion\": {\"z\": -0.1}}], "
              "\"pairs\": [[0, 1]]}"},
    };
    for (int i = 0; i < 2; i++) {
        gjb_scene *ray = parsed(texts[i][0]), *toi = parsed(texts[i][1]);
        cr_expect(sample_equal(ray, toi), "%s", texts[i][0]);
        cr_expect_str_eq(ray->query, "toi");
        gjb_scene_free(ray);
        gjb_scene_free(toi);
    }
}

static const struct {
    const char *text, *words[2];
} bad[] = {
    {RAY("\"direction\": [1, 0]"), {"origin: missing", "2 numbers"}},
    {RAY("\"origin\": [0, 0]"), {"direction: missing", "2 numbers"}},
    {RAY("\"origin\": [0, 0, 0], \"direction\": [1, 0]"), {"origin: 3 values"}},
    {RAY("\"origin\": [0, 1e307], \"direction\": [1, 0]"), {"origin[1]: 1e+307", "too large"}},
    {RAY("\"origin\": [0, 0], \"direction\": [0, 0]"), {"direction: all 0"}},
    {RAY("\"origin\": [0, 0], \"direction\": [1e-300, 0], \"maximum\": 1e-300"), {"direction: all 0", "1e-300"}},
    {RAY("\"origin\": [0, 0], \"direction\": [1e999, 0]"), {"overflow"}},
    {RAY("\"origin\": [0, 0], \"direction\": [NaN, 0]"), {"NaN"}},
    {RAY("\"origin\": [0, 0], \"direction\": [0, -1e200], \"maximum\": 1e200"), {"direction[1]: -1e+200", "too large"}},
    {RAY("\"origin\": [0, 0], \"direction\": [1, 0], \"maximum\": 0"), {"maximum: 0", "not positive"}},
    {RAY("\"origin\": [0, 0], \"direction\": [1, 0], \"maximum\": \"far\""), {"maximum: 'far'", "a number"}},
    {RAY("\"origin\": [0, 0], \"direction\": [1, 0], \"pairs\": [[0, 0]]"), {"unknown field 'pairs'", "origin"}},
    {RAY("\"origin\": [0, 0], \"direction\": [1, 0], \"frames\": []"), {"unknown field 'frames'", "maximum"}},
    {HEAD "\"query\": \"toi\", " PLANE ON_BOX "\"origin\": [0, 0]}", {"unknown field 'origin'"}},
    {HEAD "\"query\": \"ray\", \"shapes\": [{}, {}], " ON_BOX "\"origin\": [0, 0]}", {"shapes: 2 given", "a ray has 1"}},
    {HEAD "\"query\": \"ray\", " PLANE "\"bodies\": [" STILL(AT) ", " STILL(AT) "]}", {"bodies: 2 given", "a ray has 1"}},
    {HEAD "\"query\": \"ray\", " PLANE "\"bodies\": [{\"shape\": 1, " AT "}]}", {"bodies[0].shape: 1", "1 shape"}},
    {HEAD "\"query\": \"ray\", " PLANE "\"bodies\": [{\"shape\": 0, " AT ", \"motion\": {}}]}",
     {"bodies[0].motion", "at rest"}},
    {MOVES("3"), {"bodies[1].motion: 3", "an object"}},
    {MOVES("{\"z\": 1}"), {"bodies[1].motion: unknown field 'z'"}},
    {MOVES("{\"wz\": 1}"), {"bodies[1].motion: unknown field 'wz'"}},
    {MOVES3("{\"angle\": 1}"), {"bodies[1].motion: unknown field 'angle'"}},
    {MOVES("{\"x\": \"fast\"}"), {"bodies[1].motion.x: 'fast'", "a number"}},
    {MOVES("{\"x\": null}"), {"bodies[1].motion.x: null"}},
    {MOVES("{\"y\": 1e307}"), {"bodies[1].motion.y: 1e+307", "too large"}},
    {MOVES("{\"angle\": -1025}"), {"bodies[1].motion.angle: 1025 radians", "at most 1024"}},
    {MOVES3("{\"wx\": 600, \"wy\": 600, \"wz\": 600}"), {"bodies[1].motion.w: 1039.2", "at most 1024"}},
    {MOVES3("{\"wx\": 1e200, \"wy\": 1e200}"), {"bodies[1].motion.w: 1.4142", "at most 1024"}},
    {FRAMES("[[1, 2, 3]]"), {"frames[1].motions: 1 given for 2 bodies"}},
    {FRAMES("{}"), {"frames[1].motions: an object", "an array"}},
    {FRAMES("[[1, 2, 3], [1, 2]]"), {"frames[1].motions[1]: 2 values", "3 numbers"}},
    {FRAMES("[[1, 2, 3], [1, 2, true]]"), {"frames[1].motions[1][2]: true"}},
    {FRAMES("[[1, 2, 3], [1, -1e307, 0]]"), {"frames[1].motions[1].y: -1e+307", "too large"}},
    {HEAD PLANE "\"bodies\": [{\"shape\": 0, \"motion\": {}}], \"frames\": [{\"poses\": [[0, 0, 1, 0]], "
                "\"pairs\": []}]}",
     {"bodies[0]: unknown field 'motion'"}},
    {HEAD
     "\"shapes\": [{\"kind\": \"box\", \"half_extents\": [4e305, 3e305]}], \"bodies\": [{\"shape\": 0, " AT
     ", \"motion\": {\"angle\": 100}}], \"pairs\": [[0, 0]]}",
     {"bodies[0].motion: the way of the farthest vertex around: ", "too large"}},
    {HEAD
     "\"shapes\": [{\"kind\": \"aabb\", \"corners\": [[5e305, 0], [0, -5e305]]}], \"bodies\": [{\"shape\": "
     "0, " AT ", \"motion\": {\"angle\": 1}}], \"pairs\": [[0, 0]]}",
     {"bodies[0].motion: the way of the farthest vertex around: 7.07", "too large"}},
    {CORNERS2("[[1, 2]]"), {"shapes[0].corners: 1 given", "aabb has 2"}},
    {CORNERS2("[[1, 2], [3, 4], [5, 6]]"), {"shapes[0].corners: 3 given", "aabb has 2"}},
    {CORNERS2("[[1, 2], [3]]"), {"shapes[0].corners[1]: 1 values", "2 numbers"}},
    {CORNERS2("[[1, 2], [3, 1e308]]"), {"shapes[0].corners[1][1]: 1e+308", "too large"}},
    {CORNERS2("7"), {"shapes[0].corners: 7", "an array"}},
    {CORNERS("3", "[[1, 2], [3, 4]]"), {"shapes[0].corners[0]: 2 values", "3 numbers"}},
    {HEAD "\"shapes\": [{\"kind\": \"aabb\", \"half_extents\": [1, 1]}], \"bodies\": [], \"pairs\": []}",
     {"shapes[0]: unknown field 'half_extents'"}},
    {HEAD "\"shapes\": [{\"kind\": \"ball\"}], \"bodies\": [], \"pairs\": []}",
     {"shapes[0].kind: 'ball'", "ellipse, superellipse or halfspace"}},
};

Test(scene_motion, what_is_refused)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gjb_error error = {0};
        cr_expect_null(gjb_scene_parse(bad[i].text, strlen(bad[i].text), "bad", &error), "%s", bad[i].text);
        cr_expect(sample_one_line(&error) && strncmp(error.text, "bad:", 4) == 0, "%s", error.text);
        for (int w = 0; w < 2 && bad[i].words[w] != NULL; w++)
            cr_expect_not_null(strstr(error.text, bad[i].words[w]), "no '%s' in: %s", bad[i].words[w],
                               error.text);
    }
}

/* Numbers that no JSON can hold, and magnitudes at their limits. */
static void expect_built(uint32_t dim, gjb_precision precision, int number, double value, const char *words)
{
    gjb_scene *scene = gjb_scene_new(dim, precision, 1, 1, 2, 1);
    double motion[6] = {0};
    gjb_error error = {0};
    gjb_scene_set_shape(scene, 0, GJB_POINT, 0, 1, (const double[3]){0.5, 0.0, 0.0}, 1.0);
    for (uint32_t b = 0; b < 2; b++)
        if (dim == 2)
            gjb_scene_set_pose(scene, 0, b, (gjb_pose2d){0, 0, 1, 0});
        else
            gjb_scene_set_pose3(scene, 0, b, (gjb_pose3d){0, 0, 0, 0, 0, 0, 1});
    motion[number] = value;
    cr_assert_eq(gjb_scene_set_motion(scene, 0, 1, motion), 0);
    const int refused = gjb_scene_check(scene, "built", &error);
    cr_expect_eq(refused, words != NULL ? -1 : 0, "%uD %g: %s", dim, value, error.text);
    cr_expect(words == NULL || strstr(error.text, words) != NULL, "no '%s' in: %s", words, error.text);
    gjb_scene_free(scene);
}

Test(scene_motion, what_programs_build)
{
    expect_built(2, GJB_F64, 0, NAN, "bodies[1].motion.x: nan is not finite");
    expect_built(2, GJB_F32, 2, NAN, "bodies[1].motion.angle: nan is not finite");
    expect_built(3, GJB_F32, 5, -INFINITY, "bodies[1].motion.wz: -inf is not finite");
    expect_built(3, GJB_F64, 2, INFINITY, "bodies[1].motion.z: inf is not finite");
    expect_built(2, GJB_F64, 2, GJB_MOST_RADIANS, NULL);
    expect_built(2, GJB_F64, 2, nextafter(GJB_MOST_RADIANS, 2e3), "bodies[1].motion.angle: ");
    expect_built(3, GJB_F32, 4, -GJB_MOST_RADIANS, NULL);
    expect_built(3, GJB_F32, 2, -0x1p120, NULL);
    expect_built(3, GJB_F32, 2, -0x1.1p120, "at most 2^120");
}

Test(scene_motion, extraction_and_conversion_keep_motions)
{
    gjb_pair_space space = {0}, other = {0};
    for (uint32_t dim = 2; dim <= 3; dim++) {
        gjb_scene *scene = sample_moving(dim, GJB_F32, 3, 5), *wide = gjb_scene_convert(scene, GJB_F64);
        gjb_scene *back = gjb_scene_convert(wide, GJB_F32);
        cr_expect(sample_equal(scene, back), "%uD", dim);
        for (uint64_t i = 0; i < 6; i++) {
            const uint32_t f = i % 2 ? 2 : 0;
            gjb_scene *one = gjb_scene_extract(wide, f, i);
            gjb_pair pair, alone;
            cr_assert(gjb_scene_pair(scene, f, i, &space, &pair) == 0 &&
                      gjb_scene_pair(one, 0, 0, &other, &alone) == 0);
            cr_expect_eq(gjb_path_size(&pair), gjb_path_size(&alone));
            cr_expect_eq(
                dim == 2 ? memcmp(&pair.as.plane.b.motion, &alone.as.plane.b.motion, sizeof(gjb_motion2d))
                         : memcmp(&pair.as.space.b.motion, &alone.as.space.b.motion, sizeof(gjb_motion3d)),
                0);
            gjb_scene_free(one);
        }
        double motion[6] = {0.0, 1e40};
        cr_assert_eq(gjb_scene_set_motion(wide, 0, 3, motion), 0);
        cr_expect_null(gjb_scene_convert(wide, GJB_F32), "a displacement that f32 may not hold");
        motion[1] = 0.0;
        const double far[1][3] = {{1e35, 0.0, 0.0}};
        gjb_scene_set_shape(wide, wide->body_shape[3], GJB_POINT, wide->shapes.first[wide->body_shape[3]], 1,
                            far, 0.0);
        motion[dim] = 1.0;
        cr_assert_eq(gjb_scene_set_motion(wide, 0, 3, motion), 0);
        gjb_scene *turning = gjb_scene_convert(wide, GJB_F32);
        cr_expect_not_null(turning);
        gjb_scene_free(turning);
        motion[dim] = 100.0;
        cr_assert_eq(gjb_scene_set_motion(wide, 0, 3, motion), 0);
        cr_expect_null(gjb_scene_convert(wide, GJB_F32), "a vertex that goes too far around");
        gjb_scene_free(scene);
        gjb_scene_free(wide);
        gjb_scene_free(back);
    }
    gjb_pair_space_free(&space);
    gjb_pair_space_free(&other);
}

Test(scene_motion, hash_notices_every_number)
{
    for (uint32_t dim = 2; dim <= 3; dim++) {
        gjb_scene *scene = sample_moving(dim, GJB_F64, 2, 21);
        const uint64_t before = gjb_scene_hash(scene);
        for (uint32_t i = 0; i < gjb_motion_numbers(dim) * scene->body_count; i++) {
            unsigned char *byte = (unsigned char *)scene->frames[0].motions + 8 * i;
            *byte ^= 1;
            cr_expect_neq(gjb_scene_hash(scene), before, "%uD number %u", dim, i);
            *byte ^= 1;
        }
        cr_expect_eq(gjb_scene_hash(scene), before);
        gjb_scene_free(scene);
    }
}

/* A scene that ignores contacts that are left comes back, with motions or without, margins or without, if it is of toi
 * or of no query, and nothing turns. What turns is refused by name. */
Test(scene_motion, leaving_round_trips_and_nothing_turns)
{
    for (unsigned i = 0; i < 32; i++) {
        const uint32_t dim = 2 + (i & 1), numbers = gjb_motion_numbers(dim);
        gjb_scene *scene = (i & 2 ? sample_moving : sample_scene)(dim, i & 4 ? GJB_F32 : GJB_F64, 1 + (i >> 3 & 1), i);
        gjb_error error = {0};
        scene->leaving = GJB_LEAVING_IGNORE;
        scene->within = i & 16 ? 0.5 : 0;
        snprintf(scene->query, sizeof scene->query, "%s", i & 8 ? "toi" : "");
        for (uint32_t f = 0; f < scene->frame_count; f++)
            for (uint32_t b = 0; b < scene->body_count && scene->frames[f].motions; b++) {
                double motion[6];
                gjb_scene_motion(scene, f, b, motion);
                memset(motion + dim, 0, (6 - dim) * sizeof *motion);
                cr_assert_eq(gjb_scene_set_motion(scene, f, b, motion), 0);
            }
        cr_assert_eq(gjb_scene_check(scene, "straight", &error), 0, "%s", error.text);
        for (int s = 0; s < 2; s++) {
            size_t size;
            unsigned char *bytes = sample_saved(s ? gjb_scene_save_binary : gjb_scene_save_json, scene, &size);
            cr_assert_not_null(bytes);
            gjb_scene *back = gjb_scene_parse(bytes, size, "saved", &error);
            cr_assert_not_null(back, "%s", error.text);
            cr_expect(sample_equal(scene, back) && back->leaving == GJB_LEAVING_IGNORE, "case %u, format %d", i, s);
            gjb_scene_free(back);
            free(bytes);
        }
        double motion[6] = {0};
        motion[numbers - 1] = -0.25;
        cr_assert_eq(gjb_scene_set_motion(scene, 0, 1, motion), 0);
        cr_expect_eq(gjb_scene_check(scene, "turns", &error), -1);
        cr_expect_not_null(strstr(error.text, scene->frame_count > 1 ? "turns: frames[0].motions[1]."
                                                                     : "turns: bodies[1].motion."),
                           "%s", error.text);
        cr_expect_not_null(strstr(error.text, dim == 2 ? "angle: -0.25 turns" : "wz: -0.25 turns"), "%s", error.text);
        scene->leaving = GJB_LEAVING_HIT;
        error.text[0] = 0;
        cr_expect_eq(gjb_scene_check(scene, "turns", &error), 0, "%s", error.text);
        gjb_scene_free(scene);
    }
}

/* Files without motions are those of version 1, byte for byte; the flags of version 2 are 0 or 1. A margin makes it
 * version 3, `within` version 4. */
Test(scene_motion, versions_of_the_binary)
{
    for (int moving = 0; moving < 2; moving++) {
        gjb_scene *scene = (moving ? sample_moving : sample_scene)(2, GJB_F32, 3, 2);
        size_t size;
        unsigned char *bytes = sample_saved(gjb_scene_save_binary, scene, &size);
        cr_assert_not_null(bytes);
        cr_expect_eq(bytes[8], moving ? 2 : 1);
        if (moving) {
            cr_expect(bytes[304] == 1 && bytes[305] == 0 && bytes[306] == 1 && bytes[307] == 0);
            bytes[306] = 3;
            gjb_error error = {0};
            cr_expect_null(gjb_scene_parse(bytes, size, "flag", &error));
            cr_expect_not_null(strstr(error.text, "frames[2]: 3"), "%s", error.text);
        }
        free(bytes);
        scene->margin = 0.25;
        bytes = sample_saved(gjb_scene_save_binary, scene, &size);
        cr_assert_not_null(bytes);
        cr_expect_eq(bytes[8], 3);
        cr_expect_eq(bytes[311], 0x3f, "the margin is a double, little-endian");
        cr_expect(bytes[312] == moving && bytes[313] == 0 && bytes[314] == moving && bytes[315] == 0);
        free(bytes);
        scene->margin = 0;
        scene->within = 0.25;
        bytes = sample_saved(gjb_scene_save_binary, scene, &size);
        cr_assert_not_null(bytes);
        cr_expect_eq(bytes[8], 4);
        cr_expect(bytes[311] == 0 && bytes[319] == 0x3f, "no margin, and within");
        cr_expect(bytes[320] == moving && bytes[321] == 0 && bytes[322] == moving && bytes[323] == 0);
        free(bytes);
        scene->leaving = GJB_LEAVING_IGNORE;
        bytes = sample_saved(gjb_scene_save_binary, scene, &size);
        cr_assert_not_null(bytes);
        cr_expect_eq(bytes[8], 5);
        cr_expect(bytes[319] == 0x3f && bytes[320] == 1 && bytes[321] == 0, "within, and 1 as 8 bytes");
        cr_expect(bytes[328] == moving && bytes[329] == 0 && bytes[330] == moving && bytes[331] == 0);
        free(bytes);
        gjb_scene_free(scene);
    }
}

static void expect_corners(const char *text, const double lo[3], const double hi[3])
{
    gjb_scene *scene = parsed(text);
    const uint32_t dim = scene->shapes.dim;
    gjb_pair_space space = {0};
    gjb_pair pair;
    cr_assert_eq(gjb_scene_pair(scene, 0, 0, &space, &pair), 0);
    const double *v = dim == 2 ? pair.as.plane.a.vertices[0] : pair.as.space.a.vertices[0];
    cr_assert_eq(dim == 2 ? pair.as.plane.a.count : pair.as.space.a.count, gjb_box_corners(dim));
    for (uint32_t i = 0; i < gjb_box_corners(dim); i++) {
        for (uint32_t k = 0; k < dim; k++)
            cr_expect_eq(v[dim * i + k], gjb_box_corner(dim, i, k) < 0 ? lo[k] : hi[k], "corner %u, axis %u",
                         i, k);
    }
    gjb_pair_space_free(&space);
    gjb_scene_free(scene);
}

Test(scene_motion, corners_in_any_order)
{
    const double lo[3] = {-2, 1, 5}, hi[3] = {3, 4, 7};
    expect_corners(CORNERS2("[[-2, 1], [3, 4]]"), lo, hi);
    expect_corners(CORNERS2("[[3, 4], [-2, 1]]"), lo, hi);
    expect_corners(CORNERS2("[[3, 1], [-2, 4]]"), lo, hi);
    expect_corners(CORNERS("3", "[[-2, 1, 5], [3, 4, 7]]"), lo, hi);
    expect_corners(CORNERS("3", "[[3, 1, 7], [-2, 4, 5]]"), lo, hi);
    expect_corners(CORNERS("3", "[[-2, 4, 7], [3, 1, 5]]"), lo, hi);
    expect_corners(CORNERS2("[[2, 3], [2, 3]]"), (const double[3]){2, 3}, (const double[3]){2, 3});
}
