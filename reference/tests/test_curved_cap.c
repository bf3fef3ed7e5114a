/* Caps and few cells prove no more than is, in double and in long double; and they find the least support from anywhere. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "core/generate.h"
#include "reference/curved_cap.h"
#include "reference/curved_quick.h"
#include "reference/tests/curved_pairs.h"

static void draw_direction(gjb_random *r, uint32_t dim, ref_real m[3])
{
    do {
        for (uint32_t k = 0; k < 3; k++) {
            m[k] = k < dim ? gjb_random_range(r, -1, 1) : 0;
        }
    } while (!(ref_inner(m, m) > 0.01L));
    ref_unit(m, m);
}

/* Somewhere in a cap, one of three times on its border. */
static void draw_within(gjb_random *r, uint32_t dim, const ref_real m[3], ref_real w, ref_real out[3])
{
    ref_real aside[3];
    draw_direction(r, dim, aside);
    const ref_real along = ref_inner(aside, m);
    for (int k = 0; k < 3; k++) {
        aside[k] -= along * m[k];
    }
    ref_unit(aside, aside);
    const ref_real far = w * (gjb_random_below(r, 3) ? gjb_random_unit(r) : 1);
    for (int k = 0; k < 3; k++) {
        out[k] = m[k] + far * aside[k];
    }
    ref_unit(out, out);
}

/* The bar lies a little below the support at the middle, or at a place that is locally lowest. */
static ref_real draw_bar(gjb_random *r, ref_real high, ref_real size)
{
    return high - size * powl(2, -1 - 50 * (ref_real)gjb_random_unit(r));
}

typedef struct tally {
    int held, rough_held, asked;
} tally;

static void try_cap(const curved_pair *made, gjb_random *r, const char *name, tally *sum)
{
    ref_curved curved;
    ref_rough rough;
    ref_real m[3];
    ref_curved_open(&curved, &made->pair);
    draw_direction(r, curved.dim, m);
    if (gjb_random_below(r, 2)) {
        ref_cap_descend(&curved, m);
    }
    const ref_real w = powl(2, -20 * (ref_real)gjb_random_unit(r)), bar = draw_bar(r, ref_cap_height(&curved, m), curved.size);
    const double near[3] = {(double)m[0], (double)m[1], (double)m[2]};
    const bool holds = ref_cap_holds(&curved, m, w, bar);
    const bool rough_holds = ref_rough_open(&rough, &curved) &&
                             ref_rough_holds(&rough, near, (double)w + 0x1p-48, (double)bar + rough.margin);
    sum->asked++;
    sum->held += holds;
    sum->rough_held += rough_holds;
    for (int k = 0; k < 200 && (holds || rough_holds); k++) {
        ref_real d[3];
        draw_within(r, curved.dim, m, w, d);
        const ref_real high = ref_cap_height(&curved, d);
        cr_assert(!holds || high >= bar - 2 * curved.error, "%s: %Lg below the bar", name, bar - high);
        cr_assert(!rough_holds || high >= bar - 2 * curved.error, "%s: in double: %Lg below the bar", name, bar - high);
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
    cr_expect(sum.held > sum.asked / 8 && sum.rough_held > sum.asked / 8, "of %d caps %d held, in double %d", sum.asked, sum.held,
              sum.rough_held);
}

/* From a direction that is far from the least support, the same depth is found and proven as branch and bound proves. */
Test(cap, few_cells_find_the_least_support_from_anywhere, .timeout = 240)
{
    curved_pair made;
    int proven = 0, deep = 0;
    for (int k = 0; k < 900; k++) {
        const uint32_t dim = k % 3 ? 3 : 2;
        const curved_family family = (curved_family)(k / 3 % 4);
        gjb_random r = gjb_random_make(12, dim, (uint64_t)k);
        ref_curved curved;
        ref_enclosure slow;
        ref_real m[3];
        curved_pair_make(&made, dim, family, (uint64_t)(500 + k));
        ref_curved_open(&curved, &made.pair);
        ref_curved_enclose(&curved, 0x1p-20L * curved.size, 20000, false, &slow);
        const ref_real balls = curved.body[0].ball + curved.body[1].ball;
        if (!(slow.upper + balls < -0x1p-10L * curved.size) || slow.capped) {
            continue;
        }
        draw_direction(&r, dim, m);
        ref_depth depth = {.highest = ref_cap_height(&curved, m), .normal = {-m[0], -m[1], -m[2]}};
        deep++;
        if (!ref_curved_quick(&curved, 0x1p-50L * curved.size, &depth)) {
            continue;
        }
        proven++;
        cr_assert(-depth.lowest - balls >= slow.lower - 2 * curved.error && -depth.highest - balls <= slow.upper + 2 * curved.error,
                  "%uD, family %d, pair %d: depth %Lg to %Lg, by branch and bound %Lg to %Lg", (unsigned)dim, (int)family, k,
                  depth.lowest + balls, depth.highest + balls, -slow.upper, -slow.lower);
        cr_assert(fabsl(depth.highest - ref_cap_height(&curved, (ref_real[3]){-depth.normal[0], -depth.normal[1], -depth.normal[2]})) <=
                      2 * curved.error,
                  "%uD, pair %d: the normal does not prove the depth", (unsigned)dim, k);
    }
    cr_expect(deep > 100 && proven > 0.6 * deep, "of %d depths few cells proved %d", deep, proven);
}
