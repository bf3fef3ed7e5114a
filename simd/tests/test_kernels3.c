/* As test_kernels.c, in 3D. GJB_GOLDEN=print in the environment makes
 * build/simd/test-kernels3 print the two tables below, for a commit that changes
 * the kernels and says so. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/query.h"
#include "core/tests/one_in.h"
#include "scenes/hash.h"
#include "simd/tests/answers.h"

enum { PAIRS = 77, MANY = 900, EACH = 24 };

/* All bits of all families x tour, EACH pairs of each. */
static const uint64_t golden[2][GJB_PRECISIONS][GJB_STILL_QUERIES] = {
    {{0x8a3cc2142fb656d4, 0x369a3268e96303e9, 0xad9d65d38bb94307, 0x0a5eddbd08920e5d},
     {0x4a5cd3f4bfb6b030, 0x97b9200926fcbe63, 0x3bc3aa76445b91d7, 0x7b296cb0b9677706}},
    /* with curved shapes */
    {{0x393826f4f4cfe5f5, 0xa4c55876e507975a, 0x9a846c3638ad756f, 0x80e9205321bf2c3a},
     {0x3b8241e428e5d72b, 0x4c65d85fe2624758, 0x2ada06c8238b6754, 0x9c1913e035a7144a}},
};

/* Of MANY pairs. */
static const answers_work_row counts[] = {
    {"box", "mixed",
     {{{900, 0}, {3909, 0}, {900, 0}, {2937, 0}},
      {{900, 0}, {3906, 0}, {900, 0}, {2934, 0}}}},
    {"hull16", "mixed",
     {{{2424, 0}, {4022, 0}, {2849, 0}, {4447, 0}},
      {{2425, 0}, {4024, 0}, {2850, 0}, {4449, 0}}}},
    {"hull16", "identical",
     {{{3200, 0}, {3200, 0}, {4100, 0}, {4100, 0}},
      {{3202, 0}, {3202, 0}, {4102, 0}, {4102, 0}}}},
    {"rounded-hull8", "near",
     {{{3291, 0}, {3401, 0}, {3291, 0}, {3401, 0}},
      {{3293, 0}, {3403, 0}, {3293, 0}, {3403, 0}}}}
};

static gjb_recipe few(const char *workload)
{
    return (gjb_recipe){.workload = workload, .family = "mixed", .seed = 5, .pairs = PAIRS, .dim = 3};
}

static gjb_recipe many(const char *workload, const char *family)
{
    return (gjb_recipe){.workload = workload, .family = family, .seed = 3, .pairs = MANY, .dim = 3};
}

/* ---- refusing a pair alone ---- */

static void bad_pose(gjb_scene *scene, const char *backend, gjb_query query)
{
    static const gjb_pose3d bad[] = {
        {.x = NAN, .qw = 1},      {.y = INFINITY, .qw = 1}, {.z = -INFINITY, .qw = 1},
        {.qx = NAN, .qw = 1},     {.x = 1},                 {.qx = 0, .qw = 2},
        {.qy = INFINITY, .qw = 1}, {.qz = 0.5, .qw = 0.5}};
    char what[160];
    answers before = answers_all(scene, backend, query);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const uint32_t pair = (uint32_t)(5 + 9 * k), body = 2 * pair + (k & 1);
        gjb_pose3d kept = gjb_scene_pose3(scene, 0, body);
        gjb_scene_set_pose3(scene, 0, body, bad[k]);
        answers after = answers_all(scene, backend, query);
        snprintf(what, sizeof what, "%s %s, %s, pose %zu", backend, scene->name, gjb_queries[query].name, k);
        answers_expect_one_refused(&before, &after, PAIRS, pair, what);
        gjb_scene_set_pose3(scene, 0, body, kept);
        free(after.results);
    }
    free(before.results);
}

Test(kernels3, refuse_a_bad_pose_and_nothing_else)
{
    static const char *const workloads[] = {"box", "hull8", "hull64", "mixed-kinds"};
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
        answers_each(few(workloads[w]), bad_pose);
}

/* Errors of a hull of eight: a vertex, its kind, its radius. */
static void bad_shape(gjb_scene *scene, const char *backend, gjb_query query)
{
    static const struct {
        const char *what;
        double x;
        int kind;
        double radius;
    } bad[] = {{"NaN vertex", NAN, GJB_HULL, 0},          {"infinite vertex", -INFINITY, GJB_HULL, 0},
               {"kind of 2D", 0.5, GJB_POLYGON, 0},       {"no kind", 0.5, GJB_KINDS, 0},
               {"negative extent", -0.5, GJB_BOX, 0},     {"negative radius", 0.5, GJB_HULL, -1},
               {"NaN radius", 0.5, GJB_HULL, NAN},        {"infinite radius", 0.5, GJB_HULL, INFINITY}};
    char what[96];
    gjb_pair_space space = {0};
    answers before = answers_all(scene, backend, query);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const uint32_t pair = (uint32_t)(3 + 9 * k), shape = scene->body_shape[2 * pair];
        double rows[8][3], kept[8][3];
        gjb_pair bodies;
        cr_assert_eq(gjb_scene_pair(scene, 0, pair, &space, &bodies), 0);
        const gjb_body3 *first = &bodies.as.space.a;
        cr_assert_eq(first->count, 8);
        memcpy(kept, first->vertices, sizeof kept);
        memcpy(rows, kept, sizeof rows);
        rows[0][0] = bad[k].x;
        gjb_scene_set_shape(scene, shape, (gjb_kind)bad[k].kind, scene->shapes.first[shape], 8, rows, bad[k].radius);
        answers after = answers_all(scene, backend, query);
        snprintf(what, sizeof what, "%s, %s, %s", backend, gjb_queries[query].name, bad[k].what);
        answers_expect_one_refused(&before, &after, PAIRS, pair, what);
        gjb_scene_set_shape(scene, shape, GJB_HULL, scene->shapes.first[shape], 8, kept, 0);
        free(after.results);
    }
    gjb_pair_space_free(&space);
    free(before.results);
}

Test(kernels3, refuse_a_bad_shape_and_nothing_else)
{
    answers_each(few("hull8"), bad_shape);
}

static void any_magnitude(gjb_scene *scene, const char *backend, gjb_query query)
{
    static const double places[GJB_PRECISIONS][4] = {{1e-30, 1e12, 1e30, 3e38}, {1e-300, 1e30, 1e300, 1e308}};
    for (size_t k = 0; k < 4; k++) {
        const double far = places[scene->shapes.precision][k];
        gjb_scene_set_pose3(scene, 0, (uint32_t)(4 * k), (gjb_pose3d){far, -far, far, 0.6, 0, 0, 0.8});
    }
    answers all = answers_all(scene, backend, query);
    for (unsigned i = 0; i < PAIRS; i++) {
        unsigned status = answers_status(&all, i);
        cr_expect(status == GJB_SEPARATED || status == GJB_OVERLAPPING ||
                      (status == GJB_INVALID_INPUT && i == 6),
                  "%s: status %u of pair %u", backend, status, i);
    }
    answers_expect_plain_numbers(&all, PAIRS, (gjb_precision)scene->shapes.precision, backend);
    free(all.results);
}

Test(kernels3, answer_at_any_magnitude_with_finite_numbers)
{
    static const char *const workloads[] = {"rounded-hull8", "box", "hull64"};
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
        answers_each(few(workloads[w]), any_magnitude);
}

/* ---- a pair's answer, whatever else there is ---- */

static const char *const alike[] = {"box", "hull8", "hull16", "hull64", "mixed-kinds"};

Test(kernels3, answer_alike_in_calls_of_any_size, .timeout = 100)
{
    for (size_t w = 0; w < sizeof alike / sizeof *alike; w++)
        answers_each_many(many(alike[w], "mixed"), answers_in_calls);
}

Test(kernels3, answer_alike_from_a_large_library, .timeout = 100)
{
    for (size_t w = 0; w < sizeof alike / sizeof *alike; w++)
        answers_each_many(many(alike[w], "mixed"), answers_in_a_crowd);
}

/* The scene's pairs, repeated to give each other neighbours: each takes the place
 * that `place` gives it. */
static void in_other_company(const gjb_scene *scene, const char *backend, gjb_query query, const unsigned char *want,
                             size_t bytes)
{
    static const uint64_t steps[] = {1, 7, MANY - 1}; /* no divisors of MANY */
    const size_t size = bytes / MANY;
    unsigned char *got = malloc(bytes);
    uint32_t *pairs = malloc(2 * MANY * sizeof *pairs);
    gjb_scene other = *scene;
    gjb_frame frame = scene->frames[0];
    other.frames = &frame;
    frame.pairs = pairs;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        size_t wrong = 0;
        for (size_t i = 0; i < MANY; i++)
            memcpy(&pairs[2 * (i * steps[k] % MANY)], &scene->frames[0].pairs[2 * ((i + 13) % MANY)], 2 * sizeof *pairs);
        answers_get(&other, &scene->shapes, backend, query, MANY, got, NULL);
        for (size_t i = 0; i < MANY; i++)
            wrong += memcmp(want + (i + 13) % MANY * size, got + i * steps[k] % MANY * size, size) != 0;
        cr_expect_eq(wrong, 0, "%s, %s, %s: %zu pairs answered otherwise in order %d", scene->name, backend,
                     gjb_queries[query].name, wrong, (int)k);
    }
    free(pairs);
    free(got);
}

Test(kernels3, answer_alike_in_any_order_beside_any_other, .timeout = 100)
{
    for (size_t w = 0; w < sizeof alike / sizeof *alike; w++)
        answers_each_many(many(alike[w], "mixed"), in_other_company);
    answers_each_many(many("mixed-kinds", "touching"), in_other_company);
    answers_each_many(many("hull16", "coplanar"), in_other_company);
}

static double value_of(const unsigned char *record, int wide)
{
    gjb_result3f f;
    gjb_result3d d;
    memcpy(wide ? (void *)&d : (void *)&f, record, wide ? sizeof d : sizeof f);
    return wide ? d.value : (double)f.value;
}

/* Every vertex twice: the same hulls, but so large that supports pass over groups of
 * vertices. Another vertex as far out, by rounding, may be found first. */
static void with_vertices_twice(const gjb_scene *scene, const char *backend, gjb_query query,
                                const unsigned char *want, size_t bytes)
{
    const gjb_shapes *once = &scene->shapes;
    const int wide = once->precision == GJB_F64;
    const size_t row = 3 * (wide ? sizeof(double) : sizeof(float)), pairs = scene->frames[0].pair_count, size = bytes / pairs;
    const double near = 256 * (wide ? 0x1p-53 : 0x1p-24); /* of pairs of size 2 to 4 */
    const uint32_t rows = once->first[once->count - 1] + once->row_count[once->count - 1];
    uint32_t *first = malloc(once->count * sizeof *first), *count = malloc(once->count * sizeof *count);
    char *twice = malloc(2 * (size_t)rows * row);
    unsigned char *got = malloc(bytes);
    for (uint32_t i = 0; i < once->count; i++) {
        const size_t whole = once->row_count[i] * row;
        first[i] = 2 * once->first[i];
        count[i] = 2 * once->row_count[i];
        memcpy(twice + first[i] * row, (const char *)once->rows + once->first[i] * row, whole);
        memcpy(twice + first[i] * row + whole, (const char *)once->rows + once->first[i] * row, whole);
    }
    gjb_shapes shapes = *once;
    shapes.first = first;
    shapes.row_count = count;
    shapes.rows = twice;
    answers_get(scene, &shapes, backend, query, pairs, got, NULL);
    size_t wrong = 0;
    for (size_t i = 0; i < pairs; i++) {
        uint16_t status[2];
        memcpy(&status[0], want + i * size, sizeof *status);
        memcpy(&status[1], got + i * size, sizeof *status);
        wrong += status[0] != status[1] ||
                 (query != GJB_INTERSECT && fabs(value_of(want + i * size, wide) - value_of(got + i * size, wide)) > near);
    }
    cr_expect_eq(wrong, 0, "%s, %s, %s: %zu pairs answered otherwise", scene->name, backend, gjb_queries[query].name,
                 wrong);
    free(got);
    free(twice);
    free(count);
    free(first);
}

Test(kernels3, answer_alike_with_every_vertex_twice, .timeout = 100)
{
    gjb_recipe recipe = many("hull600", "mixed");
    recipe.pairs = 150;
    answers_each_many(recipe, with_vertices_twice);
}

/* ---- what may change, on purpose ---- */

Test(kernels3, take_the_work_that_they_took)
{
    answers_expect_work(many("", ""), counts, sizeof counts / sizeof *counts);
}

/* By day only the scalar backend and the widest: other tests show that all have the same bits. */
static int has_prints(size_t backend)
{
    return gjb_backend_available(gjb_backends[backend]->name) && backend % one_in(5) == 0;
}

/* Adds the bits of one scene to the prints of each backend. */
static void add_prints(const gjb_scene *scene, uint64_t prints[][GJB_STILL_QUERIES])
{
    static unsigned char results[EACH * sizeof(gjb_result3d)];
    for (size_t b = 0; b < gjb_backend_count; b++)
        for (int q = 0; q < GJB_STILL_QUERIES && has_prints(b); q++) {
            const size_t size = gjb_result_size((gjb_query)q, (gjb_precision)scene->shapes.precision, 3);
            answers_get(scene, &scene->shapes, gjb_backends[b]->name, (gjb_query)q, EACH, results, NULL);
            prints[b][q] = gjb_fingerprint(results, EACH, size, size, prints[b][q]);
        }
}

static void add_family(const char *family, int curved, gjb_precision precision, uint64_t prints[][GJB_STILL_QUERIES])
{
    const char *const *bend = gjb_workload_tour_curved(3);
    for (const char *const *w = curved ? bend : gjb_workload_tour(3); *w && (curved || w < bend); w++) {
        if (!gjb_family_has(gjb_family_find(family), 3, *w))
            continue;
        const gjb_recipe recipe = {.workload = *w, .family = family, .seed = 3, .pairs = EACH, .precision = precision,
                                   .dim = 3};
        gjb_scene *scene = answers_scene(&recipe);
        add_prints(scene, prints);
        gjb_scene_free(scene);
    }
}

static void expect_prints(uint64_t prints[][GJB_STILL_QUERIES], const uint64_t wanted[GJB_STILL_QUERIES],
                          gjb_precision precision)
{
    for (size_t b = 0; b < gjb_backend_count; b++)
        for (int q = 0; q < GJB_STILL_QUERIES && has_prints(b); q++)
            if (!answers_printing())
                cr_expect_eq(prints[b][q], wanted[q], "%s %s %s: now 0x%016llx", gjb_backends[b]->name,
                             gjb_precision_name(precision), gjb_queries[q].name, (unsigned long long)prints[b][q]);
            else if (!strcmp(gjb_backends[b]->name, "scalar"))
                printf("%s0x%016llx%s", q ? ", " : "    {", (unsigned long long)prints[b][q],
                       q + 1 < GJB_STILL_QUERIES ? "" : "},\n");
}

/* Prints without curved shapes, then with: either may change without the other. */
Test(kernels3, give_the_bits_that_they_gave, .timeout = 100)
{
    for (int curved = 0; curved < 2; curved++)
        for (int p = 0; p < GJB_PRECISIONS; p++) {
            uint64_t prints[16][GJB_STILL_QUERIES] = {{0}};
            for (size_t f = 0; f < gjb_family_count; f++)
                if (gjb_families[f].dims >> 3 & 1 && gjb_families[f].moving == GJB_AT_REST)
                    add_family(gjb_families[f].name, curved, (gjb_precision)p, prints);
            expect_prints(prints, golden[curved][p], (gjb_precision)p);
        }
}
