/* Errors, the query table, sizes of pairs and paths, record layout, CPU features, and hashes. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "core/cpu.h"
#include "core/error.h"
#include "core/query.h"
#include "scenes/hash.h"
#include "scenes/tests/samples.h"

Test(error, keeps_the_first_and_returns_minus_one)
{
    gjb_error error = {0};
    cr_assert_eq(gjb_fail(&error, "%s: %d", "first", 1), -1);
    cr_assert_eq(gjb_fail(&error, "second"), -1);
    cr_assert_str_eq(error.text, "first: 1");
    cr_assert_eq(gjb_fail(NULL, "nowhere"), -1);
}

Test(error, shows_nothing_that_drives_a_terminal)
{
    static const struct {
        const char *given, *shown;
    } cases[] = {
        {"plain ~ text", "plain ~ text"},
        {"a\x1b[31mb\nc\td\x7f", "a?[31mb?c?d?"},
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\xc2\x9b"
         "31m",
         "??31m"}, /* C1: control sequence introducer */
        {"\xe2\x80\xae"
         "x",
         "???x"},                            /* right-to-left override */
        {"\xc0\x9b \xe0\x80\x9b", "?? ???"}, /* overlong */
        {"\xff\xc3", "??"},
        {"\xed\xa0\x80", "???"}, /* surrogate */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gjb_error error = {0};
        gjb_fail(&error, "%s", cases[i].given);
        cr_expect_str_eq(error.text, cases[i].shown, "case %zu", i);
    }
}

Test(error, cuts_a_long_line_without_a_torn_character)
{
    char text[2000];
    for (size_t i = 0; i + 2 < sizeof text; i += 2)
        memcpy(text + i, "\xc3\xa9", 3);
    gjb_error error = {0};
    gjb_fail(&error, "%s", text);
    cr_assert_eq(strlen(error.text), sizeof error.text - 1);
    cr_assert(sample_one_line(&error));
}

Test(query, rows_are_whole)
{
    for (int i = 0; i < GJB_QUERIES; i++) {
        const gjb_query_row *row = &gjb_queries[i];
        cr_expect_eq(row->id, (gjb_query)i);
        cr_expect_eq(gjb_query_find(row->name), row);
        cr_expect(row->reason != NULL && row->unit != NULL);
        cr_expect_eq(row->graded == NULL, row->moving != GJB_AT_REST, "a time is no function of a distance");
        for (unsigned m = GJB_AT_REST; m <= GJB_MOVING; m++)
            cr_expect_eq(gjb_query_meets((gjb_query)i, m), GJB_AT_REST_QUERIES >> i & 1 ? m == GJB_AT_REST
                                                           : i == GJB_SWEEP ? m == GJB_BOXES_MOVING
                                                                            : m != GJB_AT_REST);
        for (int p = 0; p < GJB_PRECISIONS; p++) {
            cr_expect(row->k[0][p] > 0.0 && row->k[0][p] <= row->k_ceiling, "%s", row->name);
            cr_expect(row->k[1][p] > 0.0 && row->k[1][p] <= row->k_ceiling, "%s", row->name);
        }
        cr_expect_eq(row->has_value, i != GJB_INTERSECT);
    }
    cr_expect_null(gjb_query_find("distances"));
    cr_expect_null(gjb_query_find(""));
}

Test(query, graded_value)
{
    cr_expect_eq(gjb_queries[GJB_DISTANCE].graded(2.0), 2.0);
    cr_expect_eq(gjb_queries[GJB_DISTANCE].graded(-2.0), 0.0);
    cr_expect_eq(gjb_queries[GJB_PENETRATION].graded(2.0), 0.0);
    cr_expect_eq(gjb_queries[GJB_PENETRATION].graded(-2.0), 2.0);
    cr_expect_eq(gjb_queries[GJB_SIGNED_DISTANCE].graded(-2.0), -2.0);
}

Test(types, size_of_a_pair)
{
    const double a[2][2] = {{3, 4}, {0, 1}}, b[1][2] = {{0, 0}};
    const gjb_pair2 pair = {
        .a = {.kind = GJB_SEGMENT, .count = 2, .vertices = a, .radius = 0.5, .pose = {10, 0, 1, 0}},
        .b = {.kind = GJB_POINT, .count = 1, .vertices = b, .radius = 0.25, .pose = {10, -7, 0, 1}},
    };
    cr_assert_eq(gjb_pair_size2(&pair), 5.0 + 0.5 + 0.25 + 7.0);
}

/* Ways are added to it: of one displacement against the other, whatever both have in common, and
 * of each farthest vertex around. */
Test(types, size_of_a_path)
{
    const double a[2][2] = {{3, 4}, {0, 1}}, b[1][2] = {{0, 0}};
    const gjb_pair2 plane = {
        .a = {.kind = GJB_SEGMENT, .count = 2, .vertices = a, .radius = 0.5, .pose = {10, 0, 1, 0}, .motion = {100, 7, -2}},
        .b = {.kind = GJB_POINT, .count = 1, .vertices = b, .radius = 0.25, .pose = {10, -7, 0, 1}, .motion = {100, 4, 9}},
    };
    cr_expect_eq(gjb_path_size2(&plane), 12.75 + 3.0 + 2.0 * 5.0);
    const double corner[2][3] = {{2, 3, 6}, {1, 0, 0}}, centre[1][3] = {{0, 0, 2}};
    gjb_pair space = {
        .dim = 3,
        .as.space.a = {.kind = GJB_SEGMENT, .count = 2, .vertices = corner, .pose = {1, 1, 1, 0, 0, 0, 1}, .motion = {2, 4, 4, 2, -1, 2}},
        .as.space.b = {.kind = GJB_POINT, .count = 1, .vertices = centre, .radius = 1, .pose = {1, 4, 5, 0, 0, 0, 1}, .motion = {0, 0, 0, 0, 0.5, 0}},
    };
    cr_expect_eq(gjb_path_size(&space), (7.0 + 2.0 + 1.0 + 5.0) + 6.0 + 3.0 * 7.0 + 0.5 * 2.0);
    space.as.space.a.motion = space.as.space.b.motion = (gjb_motion3d){0};
    cr_expect_eq(gjb_path_size(&space), gjb_pair_size(&space));
}

Test(types, records_have_no_padding)
{
    cr_expect_eq(gjb_result_size(GJB_INTERSECT, GJB_F64, 2), 4);
    cr_expect_eq(gjb_result_size(GJB_DISTANCE, GJB_F32, 2), 4 + 7 * sizeof(float));
    cr_expect_eq(gjb_result_size(GJB_DISTANCE, GJB_F64, 2), 8 + 7 * sizeof(double));
    cr_expect_str_eq(gjb_status_name(99), "unknown");
    cr_expect_str_eq(gjb_kind_name(GJB_BOX), "box");
    cr_expect_eq(1.0f + (float)gjb_epsilon(GJB_F32), 1.0f);
    cr_expect_gt(1.0f + 2.0f * (float)gjb_epsilon(GJB_F32), 1.0f);
}

Test(cpu, agrees_with_the_compiler)
{
    const uint32_t features = gjb_cpu_features();
    cr_expect_gt(strlen(gjb_cpu_name()), 0);
#if defined(__x86_64__)
    cr_expect_eq(!!(features & GJB_CPU_SSE4), !!__builtin_cpu_supports("sse4.1"));
    cr_expect_eq(!!(features & GJB_CPU_AVX), !!__builtin_cpu_supports("avx"));
    cr_expect_eq(!!(features & GJB_CPU_AVX2), !!__builtin_cpu_supports("avx2"));
    cr_expect_eq(!!(features & GJB_CPU_AVX512),
                 __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                     __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"));
#else
    cr_expect_eq(features & (GJB_CPU_SSE4 | GJB_CPU_AVX | GJB_CPU_AVX2 | GJB_CPU_AVX512), 0);
#endif
}

Test(hash, is_xxh3_whatever_the_stride)
{
    unsigned char records[8][24] = {{0}}, packed[8][20];
    for (int i = 0; i < 8 * 24; i++)
        records[i / 24][i % 24] = (unsigned char)(i * 7 + 1);
    for (int i = 0; i < 8; i++)
        memcpy(packed[i], records[i], 20);
    cr_expect_eq(gjb_fingerprint("", 0, 1, 1, 0), 0x2d06800538d394c2u);
    const uint64_t whole = gjb_fingerprint(packed, 8, 20, 20, 5);
    cr_expect_eq(gjb_fingerprint(records, 8, 20, 24, 5), whole);
    cr_expect_neq(gjb_fingerprint(packed, 8, 20, 20, 6), whole);
    for (int i = 0; i < 8 * 20; i++) {
        packed[i / 20][i % 20] ^= 1;
        cr_expect_neq(gjb_fingerprint(packed, 8, 20, 20, 5), whole, "byte %d", i);
        packed[i / 20][i % 20] ^= 1;
    }
}
