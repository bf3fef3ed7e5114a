/* Caps and few cells prove no more than is, in double and in long double; and they find the least support
 * from anywhere. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "reference/curved/curved_cap.h"
#include "reference/curved/curved_few_cells.h"
#include "reference/curved/curved_turn.h"
#include "reference/tests/curved/curved_pairs.h"
#include "scenes/generate/generate.h"
#include "scenes/scene.h"

static void draw_direction(gjb_random *r, uint32_t dim, ref_real m[3])
{
    do {
        for (uint32_t k = 0; k < 3; k++)
            m[k] = k < dim ? gjb_random_range(r, -1, 1) : 0;
    } while (!(ref_inner(m, m) > 0.01L));
    ref_unit(m, m);
}

/* Somewhere in a cap, one of three times on its border. */
static void draw_within(gjb_random *r, uint32_t dim, const ref_real m[3], ref_real w, ref_real out[3])
{
    ref_real aside[3];
    draw_direction(r, dim, aside);
    const ref_real along = ref_inner(aside, m);
    for (int k = 0; k < 3; k++)
        aside[k] -= along * m[k];
    ref_unit(aside, aside);
    const ref_real far = w * (gjb_random_below(r, 3) ? gjb_random_unit(r) : 1);
    for (int k = 0; k < 3; k++)
        out[k] = m[k] + far * aside[k];
    ref_unit(out, out);
}

/* The least support among many directions of a cap. */
static ref_real least_within(const ref_curved *curved, gjb_random *r, const ref_real m[3], ref_real w)
{
    ref_real least = ref_cap_height(curved, m);
    for (int k = 0; k < 300; k++) {
        ref_real d[3];
        draw_within(r, curved->dim, m, w, d);
        least = fminl(least, ref_cap_height(curved, d));
    }
    return least;
}

typedef struct tally {
    int held, rough_held, asked;
} tally;

/* With a bar below the least, which should often hold, and with one above it by a part of what curvature
 * makes of the cap, which never does. */
static void try_cap(const curved_pair *made, gjb_random *r, const char *name, tally *sum)
{
    ref_curved curved;
    ref_rough rough;
    ref_real m[3];
    ref_curved_open(&curved, &made->pair);
    draw_direction(r, curved.dim, m);
    if (gjb_random_below(r, 4) == 0)
        ref_cap_descend(&curved, m);
    const ref_real w = powl(2, -10 * (ref_real)gjb_random_unit(r)), least = least_within(&curved, r, m, w);
    const ref_real part = curved.size * w * w * powl(2, -2 - 10 * (ref_real)gjb_random_unit(r));
    const double near[3] = {(double)m[0], (double)m[1], (double)m[2]};
    const bool in_double = ref_rough_open(&rough, &curved);
    for (int above = 0; above < 2; above++) {
        const ref_real bar = above ? least + part + 2 * curved.error : least - part;
        const bool holds = ref_cap_holds(&curved, m, w, bar);
        const bool rough_holds =
            in_double && ref_rough_holds(&rough, near, (double)w + 0x1p-48, (double)bar + rough.margin);
        cr_assert(!above || !holds, "%s: a direction is %Lg below the bar", name, bar - least);
        cr_assert(!above || !rough_holds, "%s: in double: a direction is %Lg below the bar", name,
                  bar - least);
        sum->asked += !above;
        sum->held += holds;
        sum->rough_held += rough_holds;
    }
}

Test(cap, says_no_more_than_is, .timeout = 120)
{
    tally sum = {0, 0, 0};
    curved_pair made;
    for (uint32_t dim = 2; dim <= 3; dim++) {
        for (int family = 0; family < CURVED_FAMILIES; family++) {
            for (int k = 0; k < 400; k++) {
                char name[64];
                gjb_random r = gjb_random_make(11, 100 * dim + (uint64_t)family, (uint64_t)k);
                snprintf(name, sizeof name, "%uD, family %d, pair %d", (unsigned)dim, family, k);
                curved_pair_make(&made, dim, (curved_family)family, (uint64_t)k);
                try_cap(&made, &r, name, &sum);
            }
        }
    }
    cr_expect(sum.held > sum.asked / 8 && sum.rough_held > sum.asked / 8, "of %d caps %d held, in double %d",
              sum.asked, sum.held, sum.rough_held);
}

/* What few cells prove from any direction, no direction undercuts: not those that searches from many others
 * lead to. */
Test(cap, few_cells_find_the_least_support_from_anywhere, .timeout = 240)
{
    enum { SEARCHES = 12 };
    curved_pair made;
    int proven = 0, deep = 0, misled = 0;
    for (int k = 0; k < 3000; k++) {
        const uint32_t dim = k % 3 ? 3 : 2;
        const curved_family family = (curved_family)(k / 3 % 4);
        gjb_random r = gjb_random_make(12, dim, (uint64_t)k);
        ref_curved curved;
        ref_real m[3], least = HUGE_VALL;
        curved_pair_make(&made, dim, family, (uint64_t)(500 + k));
        ref_curved_open(&curved, &made.pair);
        for (int search = 0; search < SEARCHES; search++) {
            draw_direction(&r, dim, m);
            least = fminl(least, ref_cap_descend(&curved, m));
        }
        if (!(least > 0x1p-10L * curved.size))
            continue;
        draw_direction(&r, dim, m);
        ref_depth depth = {.highest = ref_cap_height(&curved, m), .normal = {-m[0], -m[1], -m[2]}};
        ref_real down[3] = {m[0], m[1], m[2]};
        misled += ref_cap_descend(&curved, down) > least + 0x1p-20L * curved.size;
        deep++;
        if (!ref_curved_few_cells(&curved, 0x1p-50L * curved.size, &depth))
            continue;
        proven++;
        cr_assert(least >= depth.lowest - 2 * curved.error,
                  "%uD, family %d, pair %d: at least %Lg, but a search found %Lg", (unsigned)dim, (int)family,
                  k, depth.lowest, least);
        const ref_real back[3] = {-depth.normal[0], -depth.normal[1], -depth.normal[2]};
        cr_assert(fabsl(depth.highest - ref_cap_height(&curved, back)) <= 2 * curved.error,
                  "%uD, pair %d: the normal does not prove the depth", (unsigned)dim, k);
    }
    cr_expect(misled > deep / 10, "of %d starts %d led to another depth", deep, misled);
    cr_expect(deep > 300 && proven > 0.6 * deep, "of %d depths few cells proved %d", deep, proven);
}

/* A cube, and a point nearest to one of its faces: each of the other faces is a least support of its own,
 * and the search begins at the one farthest off. So no part of the directions may be left out. */
Test(cap, few_cells_leave_no_direction_out)
{
    static const double still[4] = {0, 0, 0, 1};
    for (int face = 0; face < 6; face++) {
        const double off = face & 1 ? -0.25 : 0.25;
        const double at[3] = {face / 2 == 0 ? off : 0, face / 2 == 1 ? off : 0, face / 2 == 2 ? off : 0};
        double corners[24];
        curved_pair made = {.pair.dim = 3};
        for (uint32_t k = 0; k < 24; k++)
            corners[k] = gjb_box_corner(3, k / 3, k % 3);
        curved_pair_set(&made, 0, GJB_BOX, 8, corners, 0);
        curved_pair_set(&made, 1, GJB_POINT, 1, (const double[3]){0, 0, 0}, 0);
        curved_pair_pose(&made, 1, at, still);
        ref_curved curved;
        ref_curved_open(&curved, &made.pair);
        ref_depth depth = {.highest = 1.25L, .normal = {-4 * at[0], -4 * at[1], -4 * at[2]}};
        cr_assert(ref_curved_few_cells(&curved, 0x1p-50L, &depth), "face %d: not proven", face);
        cr_expect(fabsl(depth.highest - 0.75L) <= 2 * curved.error && depth.lowest <= depth.highest,
                  "face %d: depth %Lg to %Lg", face, depth.lowest, depth.highest);
    }
}

/* Axes of one of the two bodies, or any, z the one about which turns are counted. */
/* Of these pairs the direction of least support lies in a single part of a split, and no descent from elsewhere finds it: a
 * proof that leaves that part out proves too much. Found by leaving each of the parts out in turn. */
Test(cap, no_part_of_a_split_is_left_out)
{
    static const struct {
        uint32_t dim;
        curved_family family;
        uint64_t index;
    } hidden[] = {
        {2, CURVED_PLAIN, 3989},   {2, CURVED_ROUNDED, 3919},  {2, CURVED_NEEDLE, 3966}, {2, CURVED_COAXIAL, 3975},
        {3, CURVED_ROUNDED, 255},  {3, CURVED_ROUNDED, 263},   {3, CURVED_PARALLEL, 204}, {3, CURVED_PARALLEL, 295},
        {3, CURVED_PARALLEL, 335}, {3, CURVED_PARALLEL, 394},  {3, CURVED_FLAT, 399},    {3, CURVED_LEANING, 306},
    };
    static const ref_real here[3] = {0};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        curved_pair made;
        ref_curved curved;
        ref_real start[3];
        ref_near near;
        curved_pair_make(&made, hidden[i].dim, hidden[i].family, hidden[i].index);
        ref_curved_open(&curved, &made.pair);
        const ref_real width = 0x1p-20L * curved.size;
        for (int k = 0; k < 3; k++)
            start[k] = curved.body[1].offset[k] - curved.body[0].offset[k];
        ref_curved_nearest(&curved, here, start, width / 2, false, &near);
        ref_depth by_caps = {.highest = -near.lower};
        memcpy(by_caps.normal, near.axis, sizeof near.axis);
        ref_depth by_branches = by_caps;
        cr_assert(ref_curved_few_cells(&curved, width, &by_caps), "%zu", i);
        ref_curved_depth(&curved, width, 300000, &by_branches);
        cr_expect(!by_branches.capped && by_caps.lowest <= by_branches.highest && by_branches.lowest <= by_caps.highest,
                  "%zu: [%.12Lg, %.12Lg], by branch and bound [%.12Lg, %.12Lg]", i, by_caps.lowest, by_caps.highest,
                  by_branches.lowest, by_branches.highest);
    }
}

static void draw_frame(const ref_curved *curved, gjb_random *r, ref_real frame[3][3])
{
    const uint32_t whose = gjb_random_below(r, 3);
    draw_direction(r, 3, frame[2]);
    for (int k = 0; k < 3 && whose < 2; k++)
        frame[2][k] = curved->body[whose].turn[k][2];
    ref_unit(frame[2], frame[2]);
    ref_across(frame[2], frame[0], frame[1]);
}

/* Support where a cell is at so many halves from its middle. */
static ref_real height_at(const ref_curved *curved, const ref_real frame[3][3], const ref_real at[2],
                          const ref_real half[2], const ref_real part[2])
{
    const ref_real lean = at[0] + half[0] * part[0], turn = at[1] + half[1] * part[1];
    ref_real m[3];
    for (int k = 0; k < 3; k++)
        m[k] = cosl(lean) * (cosl(turn) * frame[0][k] + sinl(turn) * frame[1][k]) + sinl(lean) * frame[2][k];
    ref_unit(m, m);
    return ref_cap_height(curved, m);
}

/* The least support of a cell, nearly: from many places of it, one of three on its border, then ever nearer
 * to the lowest. */
static ref_real least_of_cell(const ref_curved *curved, gjb_random *r, const ref_real frame[3][3],
                              const ref_real at[2], const ref_real half[2])
{
    ref_real best[2] = {0, 0}, least = HUGE_VALL, step = 1;
    for (int k = 0; k < 400; k++) {
        ref_real part[2];
        step *= k < 150 ? 1 : 0.9L;
        for (int i = 0; i < 2; i++) {
            const ref_real some = gjb_random_range(r, -1, 1), edge = some < 0 ? -1 : 1;
            part[i] = k >= 150 ? best[i] + step * some : gjb_random_below(r, 3) ? some : edge;
            part[i] = fmaxl(-1, fminl(1, part[i]));
        }
        const ref_real high = height_at(curved, frame, at, half, part);
        if (high < least) {
            least = high;
            memcpy(best, part, sizeof best);
        }
    }
    return least;
}

static void draw_cell(const ref_curved *curved, gjb_random *r, const ref_real frame[3][3], ref_real at[2],
                      ref_real half[2])
{
    at[0] = asinl(gjb_random_range(r, -1, 1));
    at[1] = 3 * gjb_random_range(r, -1, 1);
    half[0] = powl(2, -10 * (ref_real)gjb_random_unit(r));
    half[1] = powl(2, -1 - 6 * (ref_real)gjb_random_unit(r));
    if (gjb_random_below(r, 4)) { /* with the least support inside, next to the middle */
        ref_turn_descend(curved, frame, at);
        at[0] += half[0] * gjb_random_range(r, -0.7, 0.7);
        at[1] += half[1] * gjb_random_range(r, -0.7, 0.7);
    }
}

/* As try_cap; what revolves curves along the lean alone. */
static void try_turn(const curved_pair *made, gjb_random *r, const char *name, tally *sum)
{
    ref_curved curved;
    ref_rough rough;
    ref_real frame[3][3], at[2], half[2];
    ref_curved_open(&curved, &made->pair);
    draw_frame(&curved, r, frame);
    draw_cell(&curved, r, (const ref_real(*)[3])frame, at, half);
    const ref_real least = least_of_cell(&curved, r, (const ref_real(*)[3])frame, at, half);
    const ref_real part = curved.size * half[0] * half[0] * powl(2, -2 - 10 * (ref_real)gjb_random_unit(r));
    const double near[2] = {(double)at[0], (double)at[1]}, rough_half[2] = {(double)half[0], (double)half[1]};
    double coarse[3][3];
    for (int k = 0; k < 9; k++)
        coarse[k / 3][k % 3] = (double)frame[k / 3][k % 3];
    const bool in_double = ref_rough_open(&rough, &curved);
    for (int above = 0; above < 2; above++) {
        const ref_real bar = above ? least + 4 * curved.error : least - part;
        const bool holds = ref_turn_holds(&curved, (const ref_real(*)[3])frame, at, half, bar);
        const bool rough_holds = in_double && ref_rough_turn_holds(&rough, (const double(*)[3])coarse, near,
                                                                   rough_half, (double)bar + rough.margin);
        cr_assert(!above || !holds, "%s: a direction is %Lg below the bar", name, bar - least);
        cr_assert(!above || !rough_holds, "%s: in double: a direction is %Lg below the bar", name,
                  bar - least);
        sum->asked += !above;
        sum->held += holds;
        sum->rough_held += rough_holds;
    }
}

Test(cap, turns_and_leans_say_no_more_than_is, .timeout = 120)
{
    static const curved_family families[] = {CURVED_PLAIN,   CURVED_FLAT,    CURVED_ROUNDED,
                                             CURVED_COAXIAL, CURVED_LEANING, CURVED_NEEDLE};
    tally sum = {0, 0, 0};
    curved_pair made;
    for (int k = 0; k < 6000; k++) {
        char name[64];
        const curved_family family = families[k % 6];
        gjb_random r = gjb_random_make(13, (uint64_t)family, (uint64_t)k);
        snprintf(name, sizeof name, "family %d, pair %d", (int)family, k);
        curved_pair_make(&made, 3, family, (uint64_t)k);
        try_turn(&made, &r, name, &sum);
    }
    cr_expect(sum.held > sum.asked / 24 && sum.rough_held > sum.asked / 24,
              "of %d cells %d held, in double %d", sum.asked, sum.held, sum.rough_held);
}

typedef struct sums {
    int asked, proven;
} sums;

/* Visits so many pairs all but round about an axis, of every curved kind of space. */
static void each_all_but_round(uint64_t seed, uint64_t pairs,
                               void (*visit)(const ref_curved *, const char *name, sums *), sums *sum)
{
    static const char *const kinds[] = {"ellipsoid", "cylinder", "cone", "superellipsoid"};
    for (int kind = 0; kind < 4; kind++) {
        const gjb_recipe recipe = {.dim = 3,
                                   .workload = kinds[kind],
                                   .family = "all-but-round",
                                   .seed = seed,
                                   .precision = GJB_F64,
                                   .pairs = pairs};
        gjb_error error;
        gjb_pair_space space = {0};
        gjb_scene *scene = gjb_generate(&recipe, &error);
        cr_assert(scene, "%s", error.text);
        for (uint64_t i = 0; i < pairs; i++) {
            char name[64];
            gjb_pair pair;
            ref_curved curved;
            cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
            ref_curved_open(&curved, &pair);
            snprintf(name, sizeof name, "%s %d", kinds[kind], (int)i);
            visit(&curved, name, sum);
        }
        gjb_pair_space_free(&space);
        gjb_scene_free(scene);
    }
}

static void hold_against_branches(const ref_curved *curved, const char *name, sums *sum)
{
    ref_enclosure slow, quick;
    ref_curved_enclose(curved, 0x1p-36L * curved->size, 20000, false, &slow);
    ref_curved_enclose_quickly(curved, 0x1p-50L * curved->size, 100, false, &quick);
    cr_assert(quick.lower <= slow.upper && quick.upper >= slow.lower, "%s: %Lg to %Lg, not %Lg to %Lg", name,
              quick.lower, quick.upper, slow.lower, slow.upper);
    sum->asked += slow.upper < 0;
    sum->proven += slow.upper < 0 && !quick.capped;
}

/* About an axis few cells find and prove what branch and bound does. */
Test(cap, few_cells_about_an_axis_prove_what_is, .timeout = 240)
{
    sums sum = {0};
    each_all_but_round(14, 40, hold_against_branches, &sum);
    cr_expect(sum.asked > 60 && sum.proven > 0.7 * sum.asked, "of %d depths %d were proven", sum.asked, sum.proven);
}

/* More than what is least cannot be proven: with a width below 0 both searches ask for more than the support
 * of a direction that they know. A cell that counts although nothing held it, or a bar that is too low by
 * as little as the last of these parts of the size, proves it all the same. */
static void expect_refused(const ref_curved *curved, const ref_depth *found, bool turned, const char *name)
{
    static const int parts[] = {12, 18, 24, 30, 36, 42, 46};
    ref_rough rough;
    cr_assert(ref_rough_open(&rough, curved));
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        ref_depth depth = *found;
        const ref_real width = -ldexpl(curved->size, -parts[k]);
        const bool proven =
            turned ? ref_curved_turn(curved, &rough, width, &depth) : ref_curved_few_cells(curved, width, &depth);
        cr_assert(!proven, "%s: proven to be 2^-%d of the size above %Lg", name, parts[k], depth.highest);
    }
}

Test(cap, few_cells_refuse_more_than_the_least, .timeout = 240)
{
    enum { PAIRS = 600 };
    curved_pair made;
    int proven = 0;
    for (int k = 0; k < PAIRS; k++) {
        char name[64];
        const curved_family family = (curved_family)(k / 3 % 4);
        gjb_random r = gjb_random_make(15, (uint64_t)family, (uint64_t)k);
        ref_curved curved;
        ref_real m[3];
        curved_pair_make(&made, k % 3 ? 3 : 2, family, (uint64_t)(5000 + k));
        ref_curved_open(&curved, &made.pair);
        draw_direction(&r, curved.dim, m);
        ref_cap_descend(&curved, m);
        ref_depth depth = {.highest = ref_cap_height(&curved, m), .normal = {-m[0], -m[1], -m[2]}};
        if (depth.highest > 0x1p-10L * curved.size &&
            ref_curved_few_cells(&curved, 0x1p-50L * curved.size, &depth)) {
            snprintf(name, sizeof name, "%uD, family %d, pair %d", (unsigned)curved.dim, (int)family, k);
            expect_refused(&curved, &depth, false, name);
            proven++;
        }
    }
    cr_expect(proven > PAIRS / 8, "of %d depths %d were proven", PAIRS, proven);
}

static void prove_and_ask_for_more(const ref_curved *curved, const char *name, sums *sum)
{
    ref_rough rough;
    ref_real m[3] = {curved->body[0].turn[0][0], curved->body[0].turn[1][0], curved->body[0].turn[2][0]};
    ref_cap_descend(curved, m);
    ref_depth depth = {.highest = ref_cap_height(curved, m), .normal = {-m[0], -m[1], -m[2]}};
    cr_assert(ref_rough_open(&rough, curved));
    if (ref_curved_turn(curved, &rough, 0x1p-50L * curved->size, &depth)) {
        expect_refused(curved, &depth, true, name);
        sum->proven++;
    }
}

Test(cap, turns_refuse_more_than_the_least, .timeout = 240)
{
    sums sum = {0};
    each_all_but_round(15, 60, prove_and_ask_for_more, &sum);
    cr_expect(sum.proven > 30, "about an axis %d depths were proven", sum.proven);
}

/* Pairs about a ring of locally least support that is not the least of all: that of the poles is, or of one
 * narrow edge between sixteen. Neither a lean nor a turn may be left out. */
static void expect_least(const curved_pair *made, const ref_real m[3], ref_real least, const char *name,
                         int index)
{
    ref_curved curved;
    ref_rough rough;
    ref_curved_open(&curved, &made->pair);
    cr_assert(ref_rough_open(&rough, &curved));
    ref_depth depth = {.highest = ref_cap_height(&curved, m), .normal = {-m[0], -m[1], -m[2]}};
    const bool proven = ref_curved_turn(&curved, &rough, 0x1p-50L, &depth);
    cr_expect(!proven || depth.highest <= least + 2 * curved.error, "%s %d: %Lg is not the least, %Lg is",
              name, index, depth.highest, least);
}

Test(cap, neither_leans_nor_turns_are_left_out)
{
    static const double still[4] = {0, 0, 0, 1};
    const ref_real aside[3] = {1, 0, 0};
    for (int k = 0; k < 16; k++) {
        curved_pair made = {.pair.dim = 3};
        const double up[3] = {0, 0, k & 1 ? 0.3 : -0.3}, here[3] = {0, 0, 0};
        curved_pair_set(&made, 0, GJB_CYLINDER, 1, (const double[3]){1, 0.9 + 0.01 * k}, 0);
        curved_pair_set(&made, 1, GJB_POINT, 1, here, 0);
        curved_pair_pose(&made, 0, here, still);
        curved_pair_pose(&made, 1, up, still);
        expect_least(&made, aside, 0.6L + 0.01L * k, "poles", k);

        double rows[16][3];
        const double first = 0.025 * k;
        for (int v = 0; v < 16; v++) {
            const double radius = v < 2 ? 0.0099 : 0.01, angle = first + acos(0) / 4 * v;
            rows[v][0] = radius * cos(angle), rows[v][1] = radius * sin(angle), rows[v][2] = 0;
        }
        const ref_real edge[3] = {cosl(first + acosl(0) / 8), sinl(first + acosl(0) / 8), 0};
        curved_pair_set(&made, 0, GJB_ELLIPSOID, 1, (const double[3]){0.5, 0.5, 1}, 0);
        curved_pair_pose(&made, 1, here, still);
        made.pair.as.space.b = (gjb_body3){
            .kind = GJB_HULL, .count = 16, .vertices = (const double(*)[3])rows, .pose = {.qw = 1}};
        ref_curved curved;
        ref_curved_open(&curved, &made.pair);
        expect_least(&made, aside, ref_cap_height(&curved, edge), "edges", k);
    }
}
