/* Compounds: read, written, converted, refused, and their pairs. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "scenes/hash.h"
#include "scenes/tests/samples.h"

/* Five boxes in a row, and a half-plane, body 5. */
#define BODIES(count) "\"bodies\": [" count "], "
#define AT(x) "{\"shape\": 0, \"pose\": {\"x\": " x ", \"y\": 0}}"
#define FLOOR "{\"shape\": 1, \"pose\": {\"x\": 0, \"y\": 0}}"
#define SCENE(rest)                                                                                                    \
    "{\"gjkbench\": 1, \"shapes\": [{\"kind\": \"box\", \"half_extents\": [1, 1]}, "                                   \
    "{\"kind\": \"halfspace\", \"normal\": [0, 1], \"offset\": 0}],\n"                                                 \
    BODIES(AT("0") ", " AT("3") ", " AT("6") ", " AT("9") ", " AT("12") ", " FLOOR) rest "}"

static gjb_scene *parse(const char *text, gjb_error *error)
{
    *error = (gjb_error){0};
    return gjb_scene_parse(text, strlen(text), "text", error);
}

/* Listed in any order, interleaved. */
static gjb_scene *interleaved(void)
{
    gjb_error error;
    gjb_scene *scene = parse(SCENE("\"compounds\": [[3, 1], [4, 0]], \"pairs\": [[0, 1], [4, 3], [0, 2], [2, 5], "
                                   "[0, 3], [1, 2], [3, 5], [2, 2]]"),
                             &error);
    cr_assert_not_null(scene, "%s", error.text);
    return scene;
}

Test(compounds, are_read)
{
    static const uint32_t wholes[] = {0, 1, 2, 1, 0, 5};
    gjb_scene *scene = interleaved();
    for (uint32_t b = 0; b < scene->body_count; b++)
        cr_expect_eq(gjb_scene_whole(scene, b), wholes[b], "body %u", b);
    cr_expect(gjb_scene_has_compounds(scene) && gjb_scene_compounds(scene) == 2);
    gjb_scene_free(scene);
    gjb_error error;
    scene = parse(SCENE("\"compounds\": [], \"pairs\": [[3, 1]]"), &error);
    cr_assert_not_null(scene, "%s", error.text);
    cr_expect(!gjb_scene_has_compounds(scene) && gjb_scene_compounds(scene) == 0);
    gjb_scene_free(scene);
}

static gjb_scene *saved_and_read(const gjb_scene *scene, sample_saver save, uint32_t *version)
{
    size_t size;
    gjb_error error = {0};
    unsigned char *bytes = sample_saved(save, scene, &size);
    cr_assert_not_null(bytes);
    memcpy(version, bytes + 8, sizeof *version);
    gjb_scene *back = gjb_scene_parse(bytes, size, "saved", &error);
    cr_assert_not_null(back, "%s", error.text);
    free(bytes);
    return back;
}

/* Both forms keep them, with all else that a scene may have; what has none is written as ever. */
Test(compounds, round_trip)
{
    for (int with = 0; with < 8; with++) {
        gjb_scene *scene = interleaved();
        uint32_t version;
        scene->margin = with & 1 ? 0.5 : 0;
        scene->leaving = with & 2 ? GJB_LEAVING_IGNORE : GJB_LEAVING_HIT;
        if (with & 4)
            cr_assert_eq(gjb_scene_set_motion(scene, 0, 1, (const double[3]){1, 2, 0}), 0);
        for (int binary = 0; binary < 2; binary++) {
            gjb_scene *back =
                saved_and_read(scene, binary ? gjb_scene_save_binary : gjb_scene_save_json, &version);
            cr_expect(sample_equal(scene, back), "with %d, binary %d", with, binary);
            cr_expect(!binary || version == 6, "version %u", version);
            gjb_scene_free(back);
        }
        gjb_scene *single = gjb_scene_convert(scene, GJB_F32), *twice = gjb_scene_convert(single, GJB_F64);
        cr_expect(sample_equal(scene, twice));
        const uint64_t hash = gjb_scene_hash(scene);
        for (uint32_t b = 0; b < scene->body_count; b++)
            scene->part_of[b] = b;
        cr_expect_eq(gjb_scene_hash(scene), hash, "contenders are asked the same");
        cr_expect(!sample_equal(scene, twice));
        gjb_scene_free(saved_and_read(scene, gjb_scene_save_binary, &version));
        cr_expect_eq(version, with & 2 ? 5u : with & 1 ? 3u : with & 4 ? 2u : 1u);
        gjb_scene_free(scene);
        gjb_scene_free(single);
        gjb_scene_free(twice);
    }
}

Test(compounds, pairs_by_what_they_are_of)
{
    gjb_scene *scene = interleaved();
    static const gjb_compound_pair wanted[] = {{0, {0, 1}, 3, 4}, {0, {0, 2}, 1, 2}, {0, {1, 2}, 1, 2},
                                               {0, {1, 5}, 1, 2}, {0, {2, 2}, 1, 1}, {0, {2, 5}, 1, 1}};
    static const uint64_t of[] = {0, 0, 1, 5, 0, 2, 3, 4};
    gjb_compound_pairs found;
    cr_assert_eq(gjb_compound_pairs_find(scene, &found), 0);
    cr_assert_eq(found.count, 6u);
    for (uint64_t i = 0; i < 6; i++) {
        const gjb_compound_pair *p = &found.all[i], *w = &wanted[i];
        cr_expect(p->frame == w->frame && p->whole[0] == w->whole[0] && p->whole[1] == w->whole[1] &&
                      p->listed == w->listed && p->parts == w->parts,
                  "pair %d: %u-%u, %d of %d", (int)i, p->whole[0], p->whole[1], (int)p->listed, (int)p->parts);
    }
    for (uint64_t i = 0; i < 8; i++)
        cr_expect_eq(found.of[i], of[i], "pair %d", (int)i);
    gjb_compound_pairs_free(&found);
    gjb_scene_free(scene);
}

Test(compounds, bad_text)
{
    static const struct {
        const char *rest, *words[2];
    } bad[] = {
        {"\"compounds\": {}, \"pairs\": [[0, 2]]", {"compounds: an object", "wanted an array"}},
        {"\"compounds\": [7], \"pairs\": [[0, 2]]", {"compounds[0]: 7", "an array of body indices"}},
        {"\"compounds\": [[]], \"pairs\": [[0, 2]]", {"compounds[0]: 0 given", "2 to 4096 parts"}},
        {"\"compounds\": [[0, 1], [3]], \"pairs\": [[0, 2]]", {"compounds[1]: 1 given", "2 to 4096 parts"}},
        {"\"compounds\": [[0, 6]], \"pairs\": [[0, 2]]", {"compounds[0][1]: 6 is not a body", "the scene has 6"}},
        {"\"compounds\": [[0, -1]], \"pairs\": [[0, 2]]", {"compounds[0][1]: -1", ""}},
        {"\"compounds\": [[0, \"1\"]], \"pairs\": [[0, 2]]", {"compounds[0][1]: '1'", ""}},
        {"\"compounds\": [[0, 1], [2, 1]], \"pairs\": [[0, 2]]", {"compounds[1][1]: body 1", "part of compounds[0]"}},
        {"\"compounds\": [[1, 1]], \"pairs\": [[0, 2]]", {"compounds[0][1]: body 1", "part of compounds[0]"}},
        {"\"compounds\": [[1, 5]], \"pairs\": [[0, 2]]", {"compounds: body 5 is a halfspace", "no part"}},
        {"\"compounds\": [[5, 1]], \"pairs\": [[0, 2]]", {"compounds: body 5 is a halfspace", "no part"}},
        {"\"compounds\": [[0, 1]], \"pairs\": [[0, 1]]", {"pairs[0]: bodies 0 and 1", "parts of one compound"}},
        {"\"compounds\": [[0, 1]], \"pairs\": [[2, 3], [0, 0]]", {"pairs[1]: bodies 0 and 0", "of one compound"}},
        {"\"compounds\": [[1, 4]], \"pairs\": [[3, 4]]", {"pairs[0]: [3, 4]: body 4 comes first", "first part, 1"}},
        {"\"compounds\": [[0, 1]], \"query\": \"ray\", \"origin\": [0, 0], \"direction\": [1, 0]",
         {"unknown field 'compounds'", ""}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        gjb_error error;
        char text[1000];
        snprintf(text, sizeof text, "%.*s%s}", (int)(sizeof SCENE("") - 2), SCENE(""), bad[i].rest);
        gjb_scene *scene = parse(text, &error);
        cr_expect_null(scene, "%s", bad[i].rest);
        cr_expect(sample_one_line(&error) && strncmp(error.text, "text", 4) == 0, "%s", error.text);
        for (int k = 0; k < 2; k++)
            cr_expect_not_null(strstr(error.text, bad[i].words[k]), "%s: %s", bad[i].words[k], error.text);
        gjb_scene_free(scene);
    }
}

/* Too many parts: 4097 bodies in a list, and in memory, where a binary scene may have them. */
Test(compounds, too_many_parts)
{
    gjb_error error = {0};
    gjb_scene *scene = gjb_scene_new(2, GJB_F64, 1, 1, GJB_PARTS_MOST + 2, 1);
    gjb_scene_set_shape(scene, 0, GJB_POINT, 0, 1, (const double[2]){0, 0}, 1);
    for (uint32_t b = 0; b < scene->body_count; b++) {
        gjb_scene_set_pose(scene, 0, b, (gjb_pose2d){b, 0, 1, 0});
        cr_assert_eq(gjb_scene_set_part(scene, b, b < GJB_PARTS_MOST ? 0 : b), 0);
    }
    scene->frames[0].pairs[1] = GJB_PARTS_MOST;
    cr_expect_eq(gjb_scene_check(scene, "most", &error), 0, "%s", error.text);
    scene->part_of[GJB_PARTS_MOST] = 0;
    scene->frames[0].pairs[1] = GJB_PARTS_MOST + 1;
    cr_expect_neq(gjb_scene_check(scene, "more", &error), 0);
    cr_expect_str_eq(error.text, "more: compounds: that of body 0 has 4097 parts, at most 4096 are taken");
    uint32_t version;
    size_t size;
    unsigned char *text = sample_saved(gjb_scene_save_json, scene, &size);
    error = (gjb_error){0};
    cr_expect_null(gjb_scene_parse(text, size, "more", &error));
    cr_expect_not_null(strstr(error.text, "compounds[0]: 4097 given, a compound has 2 to 4096 parts"), "%s",
                       error.text);
    free(text);
    scene->part_of[GJB_PARTS_MOST] = GJB_PARTS_MOST;
    gjb_scene_free(saved_and_read(scene, gjb_scene_save_binary, &version));
    gjb_scene_free(scene);
}

/* The last section but the checksum: each of its numbers in turn, with a checksum that is right. */
Test(compounds, bad_bytes)
{
    static const struct {
        uint32_t part_of[6];
        const char *word;
    } bad[] = {
        {{0, 1, 2, 3, 4, 5}, "compounds: none, but version 6 has some"},
        {{0, 1, 2, 1, 6, 5}, "compounds: body 4 is a part of that of 6, which is not a body (the scene has 6)"},
        {{0, 1, 2, 1, UINT32_MAX, 5}, "which is not a body"},
        {{0, 3, 2, 3, 0, 5}, "compounds: body 1 is a part of that of body 3, which is no first part"},
        {{0, 0, 2, 1, 0, 5}, "compounds: body 3 is a part of that of body 1, which is no first part"},
        {{0, 1, 2, 1, 0, 0}, "compounds: body 5 is a halfspace, which is no part"},
    };
    gjb_scene *scene = interleaved();
    size_t size;
    unsigned char *bytes = gjb_scene_pack(scene, &size);
    cr_assert_not_null(bytes);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        gjb_error error = {0};
        memcpy(bytes + size - 8 - sizeof bad[i].part_of, bad[i].part_of, sizeof bad[i].part_of);
        const uint64_t sum = XXH3_64bits(bytes, size - 8);
        memcpy(bytes + size - 8, &sum, sizeof sum);
        cr_expect_null(gjb_scene_parse(bytes, size, "bytes", &error));
        cr_expect(sample_one_line(&error) && strstr(error.text, bad[i].word), "%s: %s", bad[i].word, error.text);
    }
    free(bytes);
    gjb_scene_free(scene);
}
