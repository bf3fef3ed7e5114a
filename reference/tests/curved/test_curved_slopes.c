/* What third derivatives are bounded by in cells of turn and lean holds, and is not more than it has to be:
 * each bound is attained somewhere, so that neither a coefficient nor a term can be missing. */
#include <criterion/criterion.h>

#include "reference/curved/curved_cap.h"
#include "scenes/generate/generate.h"

typedef ref_real real;
#define PAIR ref_curved
#define SOLID ref_solid
enum { STEPS = 12 };
#define LITTLE(pair) ((pair)->size * 0x1p-58L)
#define ROUNDNESS(solid) ref_solid_roundness(solid)
#define CAP_HEIGHT slopes_height
#define CAP_HOLDS slopes_cap_holds
#define TURN_HOLDS slopes_turn_holds
#define TURN_DESCEND slopes_turn_descend
#define CAP_DESCEND slopes_descend
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "reference/curved/curved_cap_parts.h"
#include "reference/curved/curved_turn_parts.h"

enum { DERIVATIVES = 9 };
/* How often along the lean and along the turn, as in `slopes`. */
static const int order[DERIVATIVES][2] = {{1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2},
                                          {3, 0}, {2, 1}, {1, 2}, {0, 3}};
static const real little = 0x1p-18L; /* of differences, next to a derivative */

typedef real function(const void *of, real x, real y);

/* By central differences. */
static real derivative(function *f, const void *of, const int by[2], real x, real y)
{
    static const real step = 0x1p-11L;
    if (by[0] + by[1] == 0)
        return f(of, x, y);
    const int along = by[0] > 0 ? 0 : 1, left[2] = {by[0] - (along == 0), by[1] - (along == 1)};
    const real dx = along == 0 ? step : 0, dy = along == 1 ? step : 0;
    return (derivative(f, of, left, x + dx, y + dy) - derivative(f, of, left, x - dx, y - dy)) / (2 * step);
}

/* The largest of each over all leans and turns. */
static void largest_of(function *f, const void *of, real most[DERIVATIVES])
{
    enum { GRID = 32 };
    const real quarter = acosl(0);
    for (int k = 0; k < DERIVATIVES; k++) {
        most[k] = 0;
        for (int i = 0; i <= GRID; i++) {
            for (int j = 0; j <= 2 * GRID; j++) {
                const real lean = quarter * (2.0L * i / GRID - 1), turn = quarter * 2 * j / GRID;
                most[k] = fmaxl(most[k], fabsl(derivative(f, of, order[k], lean, turn)));
            }
        }
    }
}

static real bound_of(const slopes *s, int k)
{
    return k < 2 ? s->first[k] : k < 5 ? s->second[k - 2] : s->third[k - 5];
}

static void direction(real lean, real turn, real n[3])
{
    n[0] = cosl(lean) * cosl(turn);
    n[1] = cosl(lean) * sinl(turn);
    n[2] = sinl(lean);
}

/* |image n|^2, image by columns. */
static real square(const void *of, real lean, real turn)
{
    const real(*image)[3] = (const real(*)[3])of;
    real n[3], y[3] = {0};
    direction(lean, turn, n);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            y[i] += n[k] * image[k][i];
    return inner(y, y);
}

static real along(const void *of, real lean, real turn)
{
    real n[3];
    direction(lean, turn, n);
    return inner(of, n);
}

static void expect_attained(real most, real bound, int which, int k)
{
    cr_expect(most <= bound + little && most >= 0.99L * bound - little,
              "%d, %d by lean, %d by turn: at most %Lg, and bounded by %Lg", which, order[k][0], order[k][1],
              most, bound);
}

static const chart whole = {.half = {1, 1}, .frame = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/* Where one of p, K1 and K2 alone is not 0 each derivative's bound is attained. */
Test(slopes, of_a_square_are_attained)
{
    static const real images[][3][3] = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 3}},       /* p */
        {{1, 0, 0}, {0, 1, 0}, {0.6L, 0, 0.8L}}, /* K1 */
        {{1, 0, 0}, {0, 1, 0}, {0, 0.6L, 0.8L}}, /* K1 */
        {{1, 0, 0}, {0.6L, 0.8L, 0}, {0, 0, 1}}, /* K2 */
        {{7, 0, 0}, {0, 1, 0}, {0, 0, 5}},       /* K2 */
    };
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        const slopes s = slopes_of_square(&whole, images[i]);
        real most[DERIVATIVES];
        largest_of(square, images[i], most);
        for (int k = 0; k < DERIVATIVES; k++)
            expect_attained(most[k], bound_of(&s, k), (int)i, k);
    }
}

Test(slopes, of_a_square_hold)
{
    for (uint64_t i = 0; i < 4; i++) {
        gjb_random r = gjb_random_make(16, 0, i);
        real image[3][3], most[DERIVATIVES];
        for (int k = 0; k < 9; k++)
            image[k / 3][k % 3] = gjb_random_range(&r, -1, 1);
        const slopes s = slopes_of_square(&whole, (const real(*)[3])image);
        largest_of(square, image, most);
        for (int k = 0; k < DERIVATIVES; k++)
            cr_expect(most[k] <= bound_of(&s, k) + little,
                      "matrix %d, derivative %d: %Lg, and bounded by %Lg", (int)i, k, most[k],
                      bound_of(&s, k));
    }
}

/* 1 + what has these derivatives at 0, second ones negative: then all terms of a root's add up. */
static real root(const void *of, real x, real y)
{
    const slopes *s = of;
    return sqrtl(1 + s->first[0] * x + s->first[1] * y -
                 (s->second[0] * x * x + 2 * s->second[1] * x * y + s->second[2] * y * y) / 2 +
                 (s->third[0] * x * x * x + 3 * s->third[1] * x * x * y + 3 * s->third[2] * x * y * y +
                  s->third[3] * y * y * y) /
                     6);
}

Test(slopes, of_a_root_are_attained)
{
    for (uint64_t i = 0; i < 200; i++) {
        gjb_random r = gjb_random_make(16, 1, i);
        slopes s;
        real third[4];
        for (int k = 0; k < 9; k++)
            *(k < 2 ? &s.first[k] : k < 5 ? &s.second[k - 2] : &s.third[k - 5]) = gjb_random_range(&r, 0, 1);
        slopes_of_root(&s, 1, third);
        for (int k = 0; k < 4; k++) {
            const real is = derivative(root, &s, order[5 + k], 0, 0);
            cr_expect(fabsl(is - third[k]) <= 0x1p-10L * third[k],
                      "%d, derivative %d: %Lg, and bounded by %Lg", (int)i, k, is, third[k]);
        }
        real of_four[4];
        for (int k = 0; k < 9; k++)
            *(k < 2 ? &s.first[k] : k < 5 ? &s.second[k - 2] : &s.third[k - 5]) *= 4;
        slopes_of_root(&s, 4, of_four); /* |2 y| = 2 |y| */
        for (int k = 0; k < 4; k++)
            cr_expect(fabsl(of_four[k] - 2 * third[k]) <= 0x1p-50L * third[k],
                      "%d, derivative %d of twice that", (int)i, k);
    }
}

/* What is taken off a feature without value, slope or curvature at that place. */
static real taken_off(const model *exact, const model *lessened, real x, real y)
{
    return at(exact, x, y) - at(lessened, x, y);
}

Test(slopes, of_a_point_are_attained)
{
    static const real points[][3] = {{0.6L, 0.8L, 0}, {-1, 0, 0}, {0, 0, -2}, {0.3L, -0.4L, 1}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const slopes s = slopes_of_place(&whole, points[i]);
        real most[DERIVATIVES];
        largest_of(along, points[i], most);
        for (int k = 5; k < DERIVATIVES; k++)
            expect_attained(most[k], bound_of(&s, k), (int)i, k);
    }
}

/* A cubic form's share of each third derivative is no more than what is taken off, and almost that somewhere
 * on the circle about a cell. */
Test(slopes, take_off_what_cubes_make)
{
    static const real times[4] = {1, 3, 3, 1};
    const chart c = whole;
    for (int k = 0; k < 4; k++) {
        const model exact = {.a = 0};
        model less = exact;
        real third[4] = {0}, most = 0;
        third[k] = 1;
        lessen(&c, &less, third);
        for (int i = 1; i < 5000; i++) {
            const real angle = acosl(0) * i / 5000, x = sqrtl(2) * cosl(angle), y = sqrtl(2) * sinl(angle);
            const real cube = times[k] * powl(x, 3 - k) * powl(y, k) / 6;
            most = fmaxl(most, cube / taken_off(&exact, &less, x, y));
        }
        cr_expect(most <= 1 && most > 0.999L, "derivative %d: %Lg times what is taken off", k, most);
    }
}
