/* Any bytes: never a crash, never a silent guess. Run under the sanitisers
 * too, where reading one byte too far is a failure. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "scenes/hash.h"
#include "scenes/tests/samples.h"

#define LARGE ((size_t)10 << 20)

/* Parsed from a block of its exact size, so that ASan sees the end. */
static gjb_scene *parse(const unsigned char *bytes, size_t size, gjb_error *error)
{
    unsigned char *exact = malloc(size > 0 ? size : 1);
    memcpy(exact, bytes, size);
    gjb_scene *scene = gjb_scene_parse(exact, size, "noise", error);
    free(exact);
    return scene;
}

static void expect_refused(const unsigned char *bytes, size_t size, const char *what, size_t which)
{
    gjb_error error = {0};
    gjb_scene *scene = parse(bytes, size, &error);
    cr_expect_null(scene, "%s %zu was accepted", what, which);
    cr_expect(sample_one_line(&error) && strncmp(error.text, "noise:", 6) == 0, "%s %zu: '%s'", what, which,
              error.text);
    gjb_scene_free(scene);
}

/* Either refused in one line or a scene that passes its own checks. */
static int expect_no_harm(const unsigned char *bytes, size_t size, const char *what, size_t which)
{
    gjb_error error = {0};
    gjb_scene *scene = parse(bytes, size, &error);
    const int accepted = scene != NULL;
    if (accepted) {
        cr_expect_eq(error.text[0], '\0');
        cr_expect_eq(gjb_scene_check(scene, "again", &error), 0, "%s %zu: %s", what, which, error.text);
        gjb_pair_space space = {0};
        gjb_pair pair;
        for (uint32_t f = 0; f < scene->frame_count; f++)
            for (uint64_t i = 0; i < scene->frames[f].pair_count; i++)
                cr_expect_eq(gjb_scene_pair(scene, f, i, &space, &pair), 0);
        gjb_pair_space_free(&space);
        gjb_scene_hash(scene);
    } else {
        cr_expect(sample_one_line(&error), "%s %zu: '%s'", what, which, error.text);
    }
    gjb_scene_free(scene);
    return accepted;
}

static void fill_random(unsigned char *bytes, size_t size, uint64_t *state)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(sample_bits(state) >> 32);
}

static void fill_printable(unsigned char *bytes, size_t size, uint64_t *state)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(' ' + (sample_bits(state) >> 32) % 95);
}

/* Pieces of our own JSON in any order. */
static void fill_tokens(unsigned char *bytes, size_t size, uint64_t *state)
{
    static const char *const tokens[] = {
        "{",     "}",          "[",        "]",           ",",    ":",    "1",           "-0.5",
        "1e308", "\"shapes\"", "\"kind\"", "\"polygon\"", "null", "true", "\"\\u0000\"", "\"vertices\"",
        " ",     "\n"};
    size_t used = 0;
    while (used < size) {
        const char *token = tokens[sample_bits(state) % (sizeof tokens / sizeof tokens[0])];
        for (; *token != '\0' && used < size; token++)
            bytes[used++] = (unsigned char)*token;
    }
}

static void fill_after_magic(unsigned char *bytes, size_t size, uint64_t *state)
{
    fill_random(bytes, size, state);
    memcpy(bytes, "\x89GJB\r\n\x1a\n", size < 8 ? size : 8);
}

/* A plausible header, then noise. */
static void fill_after_header(unsigned char *bytes, size_t size, uint64_t *state)
{
    fill_after_magic(bytes, size, state);
    static const unsigned char version[12] = {1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0};
    if (size > 64) {
        memcpy(bytes + 8, version, sizeof version);
        for (size_t i = 0; i < 8; i++)
            bytes[48 + i] = (unsigned char)((uint64_t)size >> (8 * i));
    }
}

typedef void (*filler)(unsigned char *bytes, size_t size, uint64_t *state);
static const struct {
    const char *name;
    filler fill;
} fillers[] = {
    {"random bytes", fill_random},     {"printable", fill_printable},       {"tokens", fill_tokens},
    {"after magic", fill_after_magic}, {"after header", fill_after_header},
};

Test(scene_noise, ten_megabytes_of_each_kind)
{
    unsigned char *bytes = malloc(LARGE);
    uint64_t state = 77;
    for (size_t k = 0; k < sizeof fillers / sizeof fillers[0]; k++) {
        fillers[k].fill(bytes, LARGE, &state);
        expect_refused(bytes, LARGE, fillers[k].name, 0);
    }
    /* Well-formed JSON of that size, of nothing but numbers. */
    static const char head[] = "{\"gjkbench\": 1, \"shapes\": [0";
    memcpy(bytes, head, sizeof head - 1);
    for (size_t i = sizeof head - 1; i + 8 < LARGE; i += 8)
        memcpy(bytes + i, ", 123.45", 8);
    memcpy(bytes + LARGE - 16, "              ]}", 16);
    expect_refused(bytes, LARGE, "numbers", 0);
    free(bytes);
}

Test(scene_noise, many_small_ones)
{
    unsigned char bytes[600];
    uint64_t state = 78;
    for (size_t k = 0; k < sizeof fillers / sizeof fillers[0]; k++) {
        for (size_t round = 0; round < 3000; round++) {
            const size_t size = sample_bits(&state) % sizeof bytes;
            fillers[k].fill(bytes, size, &state);
            expect_refused(bytes, size, fillers[k].name, round);
        }
    }
}

typedef gjb_scene *(*sampler)(uint32_t dim, gjb_precision precision, uint32_t frames, uint64_t seed);

static void truncate_and_flip(uint32_t dim, sampler sample)
{
    gjb_scene *scene = sample(dim, GJB_F32, 3, 8);
    size_t size;
    unsigned char *bytes = sample_saved(gjb_scene_save_binary, scene, &size);
    cr_assert_not_null(bytes);
    for (size_t length = 0; length < size; length++)
        expect_refused(bytes, length, "truncation", length);
    for (size_t at = 0; at < size; at++) {
        for (unsigned char flip = 1; flip != 0; flip = (unsigned char)(flip << 1)) {
            bytes[at] ^= flip;
            expect_refused(bytes, size, "flip", at);
            bytes[at] ^= flip;
        }
    }
    free(bytes);
    gjb_scene_free(scene);
}

Test(scene_noise, truncated_and_flipped_binaries)
{
    truncate_and_flip(2, sample_scene);
    truncate_and_flip(3, sample_scene);
    truncate_and_flip(2, sample_moving);
    truncate_and_flip(3, sample_moving);
}

static void seal(unsigned char *bytes, size_t size)
{
    const uint64_t sum = XXH3_64bits(bytes, size - 8);
    for (size_t i = 0; i < 8; i++)
        bytes[size - 8 + i] = (unsigned char)(sum >> (8 * i));
}

/* Damage whose author also fixed the checksum. */
static void damage_sealed(uint32_t dim, sampler sample)
{
    gjb_scene *scene = sample(dim, GJB_F64, 3, 9);
    size_t size, refused = 0, accepted = 0;
    unsigned char *bytes = sample_saved(gjb_scene_save_binary, scene, &size);
    unsigned char *copy = malloc(size);
    uint64_t state = 5;
    for (size_t at = 0; at < size - 8; at++) {
        static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
        for (size_t v = 0; v < sizeof values; v++) {
            memcpy(copy, bytes, size);
            copy[at] = v == 1 ? (unsigned char)sample_bits(&state) : values[v];
            seal(copy, size);
            *(expect_no_harm(copy, size, "sealed", at) ? &accepted : &refused) += 1;
        }
    }
    cr_expect(refused > 500 && accepted > 500, "%zu refused, %zu accepted: a one-sided test", refused,
              accepted);
    free(copy);
    free(bytes);
    gjb_scene_free(scene);
}

Test(scene_noise, sealed_damage)
{
    damage_sealed(2, sample_scene);
    damage_sealed(3, sample_scene);
    damage_sealed(2, sample_moving);
    damage_sealed(3, sample_moving);
}

static void put(unsigned char *at, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

/* A small file that claims a large scene is refused by its size, before
 * anything is allocated; sums that wrap around 64 bits are refused too. */
static void hold_claims(uint32_t dim, sampler sample)
{
    const struct {
        size_t at, bytes;
        uint64_t value;
        const char *words;
    } claims[] = {
        {20, 4, 0xffffffffu, "4294967295 shapes"},
        {24, 8, 1000000000u, "1000000000 vertices"},
        {24, 8, UINT64_MAX, "rows: 18446744073709551615"},
        {32, 4, 0xfffffffeu, "4294967294 bodies"},
        {32, 4, 0xffffffffu, "bodies"},
        {36, 4, 0xfffffffeu, "4294967294 frames"},
        {36, 4, 0, "frames: 0"},
        {40, 8, (uint64_t)1 << 61, "2305843009213693952 pairs"},
        {40, 8, UINT64_MAX, "pairs"},
        {48, 8, 1, "truncated"},
        {8, 4, 0, "version: 0"},
        {8, 4, 7, "version: 7"},
        {8, 4, 3, "not hold"}, /* of one with a margin: its section */
        {8, 4, 4, "not hold"}, /* of one with both */
        {8, 4, sample == sample_moving ? 1 : 2, "not hold"}, /* the other version's sections */
        {12, 4, 7, "precision: 7"},
        {16, 4, 4, "dim: 4"},
        {16, 4, dim ^ 1, "do not hold"}, /* the other dimension's sizes */
    };
    gjb_scene *scene = sample(dim, GJB_F64, 1, 9);
    size_t size;
    unsigned char *bytes = sample_saved(gjb_scene_save_binary, scene, &size), copy[304];
    memcpy(copy, bytes, sizeof copy);
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        gjb_error error = {0};
        put(bytes + claims[i].at, claims[i].value, claims[i].bytes);
        seal(bytes, size);
        cr_expect_null(parse(bytes, size, &error));
        cr_expect_not_null(strstr(error.text, claims[i].words), "no '%s' in: %s", claims[i].words,
                           error.text);
        memcpy(bytes, copy, sizeof copy);
    }
    /* One more frame than there are bytes that might say whether it moves. */
    gjb_error error = {0};
    put(bytes + 36, size - 304 - 8 + 1, 4);
    seal(bytes, size);
    cr_expect_null(parse(bytes, size, &error));
    cr_expect_not_null(strstr(error.text, "claimed"), "%s", error.text);
    free(bytes);
    gjb_scene_free(scene);
}

Test(scene_noise, claims_are_held_against_the_size)
{
    hold_claims(2, sample_scene);
    hold_claims(3, sample_scene);
    hold_claims(2, sample_moving);
    hold_claims(3, sample_moving);
}

/* A scene has one file: without a margin it is of an older version. */
Test(scene_noise, a_margin_of_the_binary_is_positive)
{
    static const double bad[] = {0.0, -0.0, -0.5, NAN, INFINITY, 1e307};
    gjb_scene *scene = sample_moving(3, GJB_F32, 2, 9);
    scene->margin = 0.5;
    size_t size;
    unsigned char *bytes = sample_saved(gjb_scene_save_binary, scene, &size);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gjb_error error = {0};
        uint64_t bits;
        memcpy(&bits, &bad[i], sizeof bits);
        put(bytes + 304, bits, 8);
        seal(bytes, size);
        cr_expect_null(parse(bytes, size, &error), "%g", bad[i]);
        cr_expect_not_null(strstr(error.text, "margin: "), "%g: %s", bad[i], error.text);
    }
    free(bytes);
    gjb_scene_free(scene);
}

/* The same of `within`; the margin next to it may be 0, but no other number that is none. */
Test(scene_noise, within_of_the_binary_is_positive)
{
    static const struct {
        double margin, within;
        const char *words;
    } bad[] = {{0, 0, "within: "}, {0, -0.0, "within: "}, {0, NAN, "within: "}, {0.5, -0.5, "within: "}, {0.5, INFINITY, "within: "},
               {-0.0, 0.5, "margin: "}, {-0.5, 0.5, "margin: "}, {NAN, 0.5, "margin: "}, {INFINITY, 0.5, "margin: "}};
    gjb_scene *scene = sample_moving(2, GJB_F64, 2, 9);
    scene->within = 0.5;
    size_t size;
    unsigned char *bytes = sample_saved(gjb_scene_save_binary, scene, &size);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gjb_error error = {0};
        uint64_t bits[2];
        memcpy(&bits[0], &bad[i].margin, sizeof bits[0]);
        memcpy(&bits[1], &bad[i].within, sizeof bits[1]);
        put(bytes + 304, bits[0], 8);
        put(bytes + 312, bits[1], 8);
        seal(bytes, size);
        cr_expect_null(parse(bytes, size, &error), "case %zu", i);
        cr_expect_not_null(strstr(error.text, bad[i].words), "case %zu: %s", i, error.text);
    }
    free(bytes);
    gjb_scene_free(scene);
}

/* Version 5 is there for contacts that are ignored. */
Test(scene_noise, leaving_of_the_binary_is_1)
{
    static const uint64_t bad[] = {0, 2, (uint64_t)1 << 32, UINT64_MAX};
    gjb_scene *scene = sample_scene(2, GJB_F64, 2, 9);
    scene->leaving = GJB_LEAVING_IGNORE;
    snprintf(scene->query, sizeof scene->query, "toi");
    size_t size;
    unsigned char *bytes = sample_saved(gjb_scene_save_binary, scene, &size);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gjb_error error = {0};
        put(bytes + 320, bad[i], 8);
        seal(bytes, size);
        cr_expect_null(parse(bytes, size, &error), "case %zu", i);
        cr_expect_not_null(strstr(error.text, "leaving: "), "case %zu: %s", i, error.text);
    }
    free(bytes);
    gjb_scene_free(scene);
}

/* Padding after name, query, note and kinds is 0: a scene has exactly one file. */
Test(scene_noise, padding_is_zero)
{
    gjb_scene *scene = sample_scene(2, GJB_F64, 1, 9);
    size_t size;
    unsigned char *bytes = sample_saved(gjb_scene_save_binary, scene, &size);
    const size_t kinds = 304 + scene->shapes.count, at[] = {56 + 63, 56 + 64 + 23, 303, kinds};
    cr_assert_neq(kinds % 8, 0, "no padding to test");
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        gjb_error error = {0};
        bytes[at[i]] = 1;
        seal(bytes, size);
        cr_expect_null(parse(bytes, size, &error), "byte %zu", at[i]);
        cr_expect_not_null(strstr(error.text, "padding: byte"), "byte %zu: %s", at[i], error.text);
        bytes[at[i]] = 0;
    }
    free(bytes);
    gjb_scene_free(scene);
}

static void mutate_json(uint32_t dim, sampler sample, uint32_t frames)
{
    gjb_scene *scene = sample(dim, GJB_F32, frames, 12);
    size_t size, refused = 0, accepted = 0;
    unsigned char *bytes = sample_saved(gjb_scene_save_json, scene, &size);
    uint64_t state = 6;
    for (size_t length = 0; length + 2 < size; length += 3)
        expect_refused(bytes, length, "truncated JSON", length);
    for (size_t round = 0; round < 6000; round++) {
        const size_t at = sample_bits(&state) % size;
        const unsigned char before = bytes[at];
        bytes[at] = round % 2 ? (unsigned char)sample_bits(&state)
                              : (unsigned char)"0123456789-+.eE,[]{}\" "[round % 22];
        *(expect_no_harm(bytes, size, "mutation", round) ? &accepted : &refused) += 1;
        bytes[at] = before;
    }
    cr_expect(refused > 500 && accepted > 500, "%zu refused, %zu accepted: a one-sided test", refused,
              accepted);
    free(bytes);
    gjb_scene_free(scene);
}

Test(scene_noise, mutated_json)
{
    mutate_json(2, sample_scene, 2);
    mutate_json(3, sample_scene, 2);
    mutate_json(2, sample_moving, 1);
    mutate_json(3, sample_moving, 2);
}

/* Counts inside must add up to the header's, less is as wrong as more. */
Test(scene_noise, counts_add_up)
{
    gjb_scene *scene = sample_scene(2, GJB_F64, 1, 9);
    size_t size;
    unsigned char *bytes = sample_saved(gjb_scene_save_binary, scene, &size);
    /* From the end: checksum, pairs, poses; then the pair count of the frame. */
    const size_t at = size - 8 - 8 * scene->frames[0].pair_count - 32 * (size_t)scene->body_count - 8;
    cr_assert_eq(bytes[at], scene->frames[0].pair_count);
    for (int step = -1; step <= 1; step += 2) {
        gjb_error error = {0};
        put(bytes + at, scene->frames[0].pair_count + (uint64_t)(int64_t)step, 8);
        seal(bytes, size);
        cr_expect_null(parse(bytes, size, &error));
        cr_expect_not_null(strstr(error.text, "pairs"), "%s", error.text);
    }
    free(bytes);
    gjb_scene_free(scene);
}
