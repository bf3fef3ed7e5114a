/* Half-spaces against what they must be: paper, and slabs so large that the exact oracle cannot see the difference. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "reference/motion/motion.h"
#include "scenes/generate/generate.h"

enum { PAIRS = 400 };

/* A generated pair, its half-space along an axis of its own, and the slab that looks like it from near by. */
typedef struct twins {
    gjb_pair half, slab;
    double rows[6], corners[8 * 3];
} twins;

static int side_of(const gjb_pair *pair)
{
    return gjb_is_unbounded(pair->dim == 2 ? pair->as.plane.b.kind : pair->as.space.b.kind);
}

static void set_shape(gjb_pair *pair, int side, gjb_kind kind, uint32_t count, const double *rows)
{
    if (pair->dim == 2) {
        gjb_body2 *b = side ? &pair->as.plane.b : &pair->as.plane.a;
        b->kind = kind, b->count = count, b->vertices = (const double(*)[2])rows;
    } else {
        gjb_body3 *b = side ? &pair->as.space.b : &pair->as.space.a;
        b->kind = kind, b->count = count, b->vertices = (const double(*)[3])rows;
    }
}

static double sigma_of(const gjb_pair *pair)
{
    return pair->dim == 2 ? ref_signed_distance2(&pair->as.plane).sigma
                          : ref_signed_distance3(&pair->as.space, NULL).sigma;
}

/* `want`: the signed distance, nearly. */
static void make_twins(twins *t, const gjb_pair *pair, uint32_t axis, double sign, double want)
{
    const uint32_t dim = pair->dim, corners = gjb_box_corners(dim);
    const int side = side_of(pair);
    t->half = *pair;
    memset(t->rows, 0, sizeof t->rows);
    t->rows[axis] = 3 * sign;
    set_shape(&t->half, side, GJB_HALFSPACE, 2, t->rows);
    t->rows[dim] = sigma_of(&t->half) - want;
    t->slab = t->half;
    const double offset = t->rows[dim], wide = 64 * gjb_path_size(&t->half);
    for (uint32_t i = 0; i < corners; i++)
        for (uint32_t k = 0; k < dim; k++) {
            const double way = gjb_box_corner(dim, i, k);
            t->corners[i * dim + k] = k != axis     ? way * wide
                                      : way == sign ? sign * offset
                                                    : sign * (offset - wide);
        }
    set_shape(&t->slab, side, dim == 2 ? GJB_POLYGON : GJB_HULL, corners, t->corners);
}

static gjb_scene *scene_of(uint32_t dim, const char *family, uint64_t seed)
{
    const gjb_recipe recipe = {.workload = "halfspace",
                               .family = family,
                               .dim = dim,
                               .precision = GJB_F64,
                               .pairs = PAIRS,
                               .seed = seed};
    gjb_error error;
    gjb_scene *scene = gjb_generate(&recipe, &error);
    cr_assert_not_null(scene, "%s", error.text);
    return scene;
}

static void oracle(const gjb_pair *pair, double *lo, double *hi, double normal[3])
{
    normal[2] = 0;
    if (pair->dim == 2) {
        ref_exact exact;
        ref_oracle2(&pair->as.plane, &exact);
        *lo = exact.lo, *hi = exact.hi;
        memcpy(normal, exact.normal, sizeof exact.normal);
    } else {
        ref_exact3 exact;
        ref_oracle3(&pair->as.space, &exact);
        *lo = exact.lo, *hi = exact.hi;
        memcpy(normal, exact.normal, sizeof exact.normal);
    }
}

static bool is_costly(const gjb_pair *pair)
{
    return pair->dim == 3 && gjb_pair_curved(pair); /* depths of curved solids among slabs this large */
}

Test(halfspace, at_rest_as_a_slab_is)
{
    for (uint32_t dim = 2; dim <= 3; dim++) {
        gjb_scene *scene = scene_of(dim, "mixed", 1 + dim);
        gjb_pair_space space = {0};
        for (uint64_t i = 0; i < PAIRS; i++) {
            gjb_pair pair;
            twins t;
            double lo[2], hi[2], normal[2][3];
            cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
            const double want = (i % 5 == 0 ? 0
                                 : i % 2    ? 1
                                            : -1) *
                                ldexp(1, -(int)(i % 40)) * gjb_pair_size(&pair);
            make_twins(&t, &pair, (uint32_t)(i / 3 % dim), i % 7 < 3 ? -1 : 1, want);
            if (is_costly(&t.half) && want < 0)
                continue;
            oracle(&t.half, &lo[0], &hi[0], normal[0]);
            oracle(&t.slab, &lo[1], &hi[1], normal[1]);
            cr_expect(lo[0] <= hi[1] && lo[1] <= hi[0], "%uD, pair %d: [%.17g, %.17g] and [%.17g, %.17g]",
                      dim, (int)i, lo[0], hi[0], lo[1], hi[1]);
            cr_expect(hi[0] - lo[0] <= 0x1p-52 * gjb_pair_size(&t.half), "%uD, pair %d: wide", dim, (int)i);
            const double size = gjb_pair_size(&t.half), unit = 0x1p-53 * 64 * size;
            for (int k = 0; k < 3 && fabs(want) > 1e-6 * size; k++)
                cr_expect_float_eq(normal[0][k], normal[1][k], fmax(1e-12, 64 * unit / fabs(want)),
                                   "%uD, pair %d: normal", dim, (int)i);
        }
        gjb_pair_space_free(&space);
        gjb_scene_free(scene);
    }
}

Test(halfspace, in_motion_as_a_slab_does)
{
    for (uint32_t dim = 2; dim <= 3; dim++) {
        gjb_scene *scene = scene_of(dim, "approach-turn", 5);
        gjb_pair_space space = {0};
        int hits = 0;
        for (uint64_t i = 0; i < PAIRS / 2; i++) {
            gjb_pair pair;
            twins t;
            ref_toi_truth half, slab;
            cr_assert_eq(gjb_scene_pair(scene, 0, i / 2, &space, &pair), 0);
            make_twins(&t, &pair, (uint32_t)(i / 2 % dim), i % 2 ? -1 : 1,
                       (0.02 + (double)(i % 11) / 20) * gjb_pair_size(&pair));
            ref_oracle_toi(&t.half, &half);
            ref_oracle_toi(&t.slab, &slab);
            hits += half.contact == REF_CONTACT;
            cr_expect_eq(half.contact, slab.contact, "%uD, pair %d: %d, not %d", dim, (int)i,
                         (int)half.contact, (int)slab.contact);
            cr_expect(half.lo <= slab.hi && slab.lo <= half.hi,
                      "%uD, pair %d: [%.17g, %.17g] and [%.17g, %.17g]", dim, (int)i, half.lo, half.hi,
                      slab.lo, slab.hi);
        }
        cr_expect_geq(hits, 10);
        gjb_pair_space_free(&space);
        gjb_scene_free(scene);
    }
}

/* A gap along any direction proves no more than sigma. */
Test(halfspace, no_direction_proves_too_much)
{
    for (uint32_t dim = 2; dim <= 3; dim++) {
        gjb_scene *scene = scene_of(dim, "mixed", 9);
        gjb_pair_space space = {0};
        for (uint64_t i = 0; i < PAIRS; i++) {
            gjb_pair pair;
            double lo, hi, normal[3];
            cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
            oracle(&pair, &lo, &hi, normal);
            gjb_random r = gjb_random_make(3, dim, i);
            for (int way = 0; way < 32; way++) {
                double n[3] = {0};
                for (uint32_t k = 0; k < dim; k++)
                    n[k] = normal[k] * (way < 30) + gjb_random_range(&r, -1, 1) * ldexp(1, -2 * (way % 30));
                long double error, gap = dim == 2 ? ref_gap2(&pair.as.plane, n, &error)
                                                  : ref_gap3(&pair.as.space, n, &error);
                cr_expect(gap - error <= hi, "%uD, pair %d, way %d: %.17Lg, sigma is %.17g", dim, (int)i, way,
                          gap, hi);
            }
        }
        gjb_pair_space_free(&space);
        gjb_scene_free(scene);
    }
}

Test(halfspace, a_ball_above_a_floor)
{
    static const double floor[2][3] = {{0, 0, 4}, {1, 0, 0}}, middle[1][3] = {{0, 0, 0}};
    gjb_pair3 pair = {.a = {GJB_POINT, 1, middle, 2, {3, 4, 5, 0, 0, 0, 1}, {0}},
                      .b = {GJB_HALFSPACE, 2, floor, 0.5, {0, 0, 0, 0, 0, 0, 1}, {0}}};
    const ref_answer3 answer = ref_signed_distance3(&pair, NULL);
    cr_expect_eq(answer.status, GJB_SEPARATED);
    cr_expect_eq(answer.sigma, 1.5);
    cr_expect(answer.normal[0] == 0 && answer.normal[1] == 0 && answer.normal[2] == -1);
    cr_expect(answer.point_a[2] == -2 && answer.point_b[2] == -3.5);
    pair.a.pose.z = 3;
    cr_expect_eq(ref_signed_distance3(&pair, NULL).sigma, -0.5);
    pair.a.pose.z = 5;
    pair.a.motion.z = -3;
    const gjb_pair of = {.dim = 3, .as.space = pair};
    ref_toi_answer met;
    ref_toi(&of, &met);
    cr_expect(met.status == GJB_HIT && met.time <= 0.5 && met.time > 0.5 - 1e-14, "%.17g", met.time);
}
