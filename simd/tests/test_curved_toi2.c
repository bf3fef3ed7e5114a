/* Times of impact of pairs with curved shapes in 2D: at the reported time the shapes are apart by no more
 * than T, and at no earlier time they overlap; against very many directions and times. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/tests/one_in.h"
#include "simd/library.h"
#include "simd/plane/fallback/fallback2_toi.h"
#include "simd/tests/answers.h"
#include "simd/tests/dense2.h"

/* GJB_CURVED_PAIRS in the environment: pairs of each case. */
enum { K_TOI = 64, PAIRS = UNDER_SANITIZERS ? 4 : 12, TIMES = 12 };

static gjb_pose2d pose_at(const gjb_body2 *body, long double t)
{
    const long double angle = t * (long double)body->motion.angle, c = cosl(angle), s = sinl(angle);
    const long double bc = (long double)body->pose.c, bs = (long double)body->pose.s;
    return (gjb_pose2d){(double)((long double)body->pose.x + t * (long double)body->motion.x),
                        (double)((long double)body->pose.y + t * (long double)body->motion.y),
                        (double)(c * bc - s * bs), (double)(s * bc + c * bs)};
}

static gjb_pair2 pair_at(const gjb_pair2 *pair, long double t)
{
    gjb_pair2 at = *pair;
    at.a.pose = pose_at(&pair->a, t);
    at.b.pose = pose_at(&pair->b, t);
    return at;
}

static long double sigma_at(const gjb_pair2 *pair, long double t)
{
    const gjb_pair2 at = pair_at(pair, t);
    return dense_sigma(&at);
}

static void check_pair(const gjb_pair2 *pair, unsigned status, const long double *number, gjb_precision precision,
                       const char *what, size_t i)
{
    /* the error by rounding of the poses at t, in double */
    const long double size = (long double)gjb_path_size2(pair), rounding = 16 * 0x1p-53L * size;
    const long double T = K_TOI * (long double)gjb_epsilon(precision) * size, t = number[0];
    if (status == GJB_OVERLAPPING) {
        cr_expect(sigma_at(pair, 0) <= T, "%s, pair %zu: apart by %Lg at first", what, i, sigma_at(pair, 0));
        return;
    }
    cr_expect(status == GJB_HIT || status == GJB_SEPARATED, "%s, pair %zu: status %u", what, i, status);
    const long double end = status == GJB_HIT ? t : 1;
    cr_expect(end >= 0 && end <= 1, "%s, pair %zu: at %Lg", what, i, end);
    for (int k = 0; k <= TIMES; k++) {
        const long double sigma = sigma_at(pair, end * k / TIMES);
        cr_expect(sigma >= -rounding, "%s, pair %zu: overlapping by %Lg at %Lg of %Lg", what, i, -sigma,
                  end * k / TIMES, end);
    }
    if (status != GJB_HIT)
        return;
    const gjb_pair2 at = pair_at(pair, t);
    const long double sigma = dense_sigma(&at), nx = number[1], ny = number[2];
    cr_expect(sigma <= T, "%s, pair %zu: apart by %Lg, T is %Lg", what, i, sigma, T);
    cr_expect(fabsl(hypotl(nx, ny) - 1) <= 4 * (long double)gjb_epsilon(precision),
              "%s, pair %zu: a normal of length %Lg", what, i, hypotl(nx, ny));
    cr_expect(dense_gap(&at, nx, ny) >= sigma - T, "%s, pair %zu: %Lg along the normal", what, i,
              dense_gap(&at, nx, ny));
    cr_expect(dense_outside(&at, 0, number[3], number[4]) <= T, "%s, pair %zu: A's point is outside", what, i);
    cr_expect(dense_outside(&at, 1, number[5], number[6]) <= T, "%s, pair %zu: B's point is outside", what, i);
    cr_expect(hypotl(number[5] - number[3], number[6] - number[4]) <= 2 * T, "%s, pair %zu: points apart", what, i);
}

static void check_case(const char *workload, const char *family, gjb_precision precision, size_t pairs)
{
    const gjb_recipe recipe = {
        .workload = workload, .family = family, .seed = 3, .precision = precision, .pairs = pairs};
    gjb_scene *scene = answers_scene(&recipe);
    const answers all = answers_all(scene, NULL, GJB_TOI);
    gjb_pair_space space = {0};
    char what[96];
    snprintf(what, sizeof what, "%s %s %s", workload, family, gjb_precision_name(precision));
    for (size_t i = 0; i < pairs; i++) {
        gjb_pair pair;
        long double number[7];
        cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
        for (size_t k = 0; k < 7; k++) {
            const unsigned char *record = all.results + i * all.size;
            float f;
            double d;
            memcpy(&f, record + sizeof(gjb_head) + k * sizeof f, sizeof f);
            if (precision == GJB_F64)
                memcpy(&d, record + 8 + k * sizeof d, sizeof d);
            number[k] = precision == GJB_F32 ? (long double)f : (long double)d;
        }
        check_pair(&pair.as.plane, answers_status(&all, i), number, precision, what, i);
    }
    gjb_pair_space_free(&space);
    free(all.results);
    gjb_scene_free(scene);
}

static void check_family(const char *family)
{
    static const char *const workloads[] = {"ellipse", "rounded-ellipse", "superellipse", "mixed-curved"};
    const char *wish = getenv("GJB_CURVED_PAIRS");
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
        for (int p = 0; p < GJB_PRECISIONS; p++)
            check_case(workloads[w], family, (gjb_precision)p, wish ? (size_t)atol(wish) : PAIRS);
}

Test(curved_toi2, is_right_of_what_approaches)
{
    check_family("approach");
}

Test(curved_toi2, is_right_of_what_turns)
{
    check_family("approach-spin");
}

Test(curved_toi2, is_right_of_what_turns_fast)
{
    check_family("fast-spin");
}

Test(curved_toi2, is_right_of_what_grazes)
{
    check_family("graze-motion");
}

/* ---- the fallback path, which lanes seldom take ---- */

enum { MOST_VERTICES = 16 };

static fallback_mover mover_of(const gjb_body2 *body, double room[2][MOST_VERTICES])
{
    const int curve = body->kind == GJB_ELLIPSE        ? CURVE_ELLIPSE
                      : body->kind == GJB_SUPERELLIPSE ? CURVE_SUPER
                                                       : CURVE_NONE;
    double extent = 0;
    cr_assert(body->count <= MOST_VERTICES);
    for (uint32_t i = 0; i < body->count; i++) {
        room[0][i] = body->vertices[i][0];
        room[1][i] = body->vertices[i][1];
        extent = fmax(extent, hypot(room[0][i], room[1][i]));
    }
    if (curve) { /* semi-axes in one row, the exponent at the head of the next */
        room[0][1] = body->vertices[0][1];
        room[0][2] = curve == CURVE_SUPER ? body->vertices[1][0] : 2;
        extent = fmax(room[0][0], room[0][1]) * (curve == CURVE_SUPER ? sqrt(2) : 1);
    }
    return (fallback_mover){.at = {.x = room[0], .y = room[1], .n = curve ? 0 : body->count, .px = body->pose.x,
                                  .py = body->pose.y, .c = body->pose.c, .s = body->pose.s, .radius = body->radius,
                                  .curve = (unsigned)curve},
                           .dx = body->motion.x, .dy = body->motion.y, .angle = body->motion.angle,
                           .extent = extent + body->radius};
}

static unsigned ask_fallback(const gjb_pair2 *pair, gjb_precision precision, long double number[7])
{
    double rows[2][2][MOST_VERTICES], room[4 * MOST_VERTICES];
    const fallback_mover a = mover_of(&pair->a, rows[0]), b = mover_of(&pair->b, rows[1]);
    fallback_impact got;
    gjb_fallback2_toi(&a, &b, gjb_epsilon(precision), room, &got);
    number[0] = (long double)got.t;
    for (int k = 0; k < 2; k++) {
        number[1 + k] = (long double)got.answer.normal[k];
        number[3 + k] = (long double)got.answer.a[k];
        number[5 + k] = (long double)got.answer.b[k];
    }
    return got.status;
}

Test(curved_toi2, fallback_path_is_right_of_what_lanes_are_asked)
{
    static const char *const workloads[] = {"box", "polygon8", "rounded-polygon8", "mixed-kinds", "rounded-ellipse",
                                            "superellipse"},
                      *const families[] = {"approach", "approach-spin", "fast-spin", "graze-motion", "resting"};
    enum { WORKLOADS = sizeof workloads / sizeof *workloads, FAMILIES = sizeof families / sizeof *families };
    int met[GJB_STATUSES] = {0};
    for (int k = 0; k < WORKLOADS * FAMILIES * GJB_PRECISIONS; k++) {
        const gjb_precision precision = (gjb_precision)(k % GJB_PRECISIONS);
        const gjb_recipe recipe = {.workload = workloads[k / GJB_PRECISIONS % WORKLOADS],
                                   .family = families[k / GJB_PRECISIONS / WORKLOADS],
                                   .seed = 8,
                                   .precision = precision,
                                   .pairs = 2};
        gjb_scene *scene = answers_scene(&recipe);
        gjb_pair_space space = {0};
        char what[96];
        snprintf(what, sizeof what, "fallback, %s %s %s", recipe.workload, recipe.family,
                 gjb_precision_name(precision));
        for (size_t i = 0; i < recipe.pairs; i++) {
            gjb_pair pair;
            long double number[7];
            cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
            const unsigned status = ask_fallback(&pair.as.plane, precision, number);
            check_pair(&pair.as.plane, status, number, precision, what, i);
            met[status]++;
        }
        gjb_pair_space_free(&space);
        gjb_scene_free(scene);
    }
    cr_expect(met[GJB_HIT] > 0 && met[GJB_SEPARATED] > 0, "%d hits, %d misses", met[GJB_HIT], met[GJB_SEPARATED]);
}
