/* Proves depths that all but tie around an axis, by cells of turn and lean.
 * Cells are strips: an interval of the turn, all leans. In each the lean where support is least is the middle
 * of one cell, which is as high as holds, and cells above and below it are halved until they hold. Turns of
 * locally least support are middles of strips, too. */
#include "reference/curved/curved_turn.h"

#include <math.h>
#include <string.h>

#include "reference/curved/curved_axis_upper.h"

enum { NEAR = 64, IN_LONG_DOUBLE = 8, MOST_EFFORT = 4000, FOR_A_LOW = 800, STARTS = 8, BISECTIONS = 64 };
static const ref_real uneven = 0x1p-6L, /* of the size: what does not revolve of those that are tried */
    least_size = 0x1p-150L,             /* sixth powers are taken, in double */
    narrowest = 0x1p-40L, steepest = 0.95L, window = 0x1p-3L;

typedef struct turn {
    const ref_curved *curved;
    const ref_rough *rough;
    ref_depth *depth;
    ref_real width, bar, frame[3][3], lean, quarter;
    double coarse[3][3]; /* the frame */
    ref_real low[STARTS][2],
        wide[STARTS]; /* leans and turns of locally least support, and how wide their strips are */
    uint32_t low_count, effort;
} turn;

/* ---- the axis ---- */

/* How far a body is from one that revolves about z, apart from its offset. */
static ref_real unevenness(const ref_solid *solid, const ref_real frame[3][3])
{
    ref_real m[3][3] = {{0}}, left = 0;
    if (!gjb_is_curved(solid->kind))
        return solid->reach;
    if (solid->kind == GJB_SUPERELLIPSOID) {
        const ref_real rest = 1 - fminl(ref_solid_roundness(solid), 1);
        if (!(rest < uneven))
            return HUGE_VALL;
        left = rest * solid->reach;
    }
    for (int k = 0; k < 3; k++) {
        const ref_real t[3] = {solid->turn[0][k], solid->turn[1][k], solid->turn[2][k]};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                m[r][c] += solid->semi[k] * solid->semi[k] * ref_inner(t, frame[r]) * ref_inner(t, frame[c]);
    }
    const ref_real k1 = hypotl(m[0][2], m[1][2]), k2 = hypotl((m[0][0] - m[1][1]) / 2, m[0][1]);
    return left + (k1 + k2) / sqrtl(m[0][0] + m[1][1] + m[2][2]);
}

/* The axis that leaves least over, and is not the direction itself. */
static bool choose_axis(turn *s, const ref_real m[3])
{
    ref_real least = uneven * s->curved->size;
    bool found = false;
    for (int k = 0; k < 6; k++) {
        ref_real frame[3][3];
        if (!ref_curved_axis(&s->curved->body[k / 3], k % 3, frame[2]) ||
            fabsl(ref_inner(frame[2], m)) > steepest)
            continue;
        ref_across(frame[2], frame[0], frame[1]);
        const ref_real *offset = s->curved->body[1].offset,
                       left = unevenness(&s->curved->body[0], (const ref_real(*)[3])frame) +
                              unevenness(&s->curved->body[1], (const ref_real(*)[3])frame) +
                              hypotl(ref_inner(offset, frame[0]), ref_inner(offset, frame[1]));
        if (left < least) {
            least = left;
            found = true;
            memcpy(s->frame, frame, sizeof frame);
        }
    }
    for (int k = 0; k < 9; k++)
        s->coarse[k / 3][k % 3] = (double)s->frame[k / 3][k % 3];
    return found;
}

/* ---- down ---- */

static void direction(const turn *s, const ref_real at[2], ref_real m[3], ref_real by_lean[3])
{
    const ref_real c = cosl(at[0]), l = sinl(at[0]), u = cosl(at[1]), v = sinl(at[1]);
    for (int k = 0; k < 3; k++) {
        const ref_real out = u * s->frame[0][k] + v * s->frame[1][k];
        m[k] = c * out + l * s->frame[2][k];
        by_lean[k] = c * s->frame[2][k] - l * out;
    }
}

/* Support along a direction, and how it rises with the lean. */
static ref_real look(turn *s, const ref_real at[2], ref_real *rise)
{
    ref_real m[3], by_lean[3];
    direction(s, at, m, by_lean);
    const ref_real n[3] = {-m[0], -m[1], -m[2]};
    const ref_corner corner = ref_depth_try(s->curved, n, s->depth);
    *rise = ref_inner(by_lean, corner.w);
    s->bar = s->depth->highest - s->width;
    return ref_inner(m, corner.w);
}

/* From all around; those that are lowest as far as double tells once more in long double. */
static void go_down(turn *s)
{
    double at[STARTS][2], high[STARTS], least = HUGE_VAL;
    for (int k = 0; k < STARTS; k++) {
        at[k][0] = (double)s->lean;
        at[k][1] = (double)((2.0L * k / STARTS) * s->quarter * 2);
        high[k] = ref_rough_turn_descend(s->rough, (const double(*)[3])s->coarse, at[k]);
        least = fmin(least, high[k]);
    }
    for (int k = 0; k < STARTS; k++) {
        ref_real *low = s->low[s->low_count], rise;
        if (high[k] > least + s->rough->margin)
            continue;
        low[0] = at[k][0];
        low[1] = at[k][1];
        ref_turn_descend(s->curved, (const ref_real(*)[3])s->frame, low);
        look(s, low, &rise);
        low[1] = remainderl(low[1], 4 * s->quarter);
        bool known = fabsl(low[0]) > s->quarter;
        for (uint32_t j = 0; j < s->low_count; j++)
            known = known || fabsl(remainderl(low[1] - s->low[j][1], 4 * s->quarter)) < 0x1p-20L;
        s->low_count += !known;
    }
}

/* The lean where support is least along a turn, near those that are known. */
static ref_real valley(turn *s, ref_real around)
{
    ref_real lo[2] = {s->lean - window, around}, hi[2] = {s->lean + window, around}, rise;
    look(s, lo, &rise);
    const bool falls = rise < 0;
    look(s, hi, &rise);
    if (!falls || !(rise > 0))
        return s->lean;
    for (int k = 0; k < BISECTIONS; k++) {
        const ref_real middle[2] = {(lo[0] + hi[0]) / 2, around};
        if (!(middle[0] > lo[0] && middle[0] < hi[0]))
            break;
        look(s, middle, &rise);
        *(rise > 0 ? hi : lo) = middle[0];
    }
    return lo[0];
}

/* ---- cells ---- */

static bool holds(turn *s, ref_real lean, ref_real around, ref_real high, ref_real wide)
{
    const ref_real at[2] = {lean, around}, half[2] = {high, wide};
    const double rough_at[2] = {(double)lean, (double)around},
                 rough_half[2] = {(double)high * (1 + 0x1p-40), (double)wide * (1 + 0x1p-40)};
    const double bar = (double)s->bar + s->rough->margin;
    ref_real rise;
    s->effort++;
    if (ref_rough_turn_holds(s->rough, (const double(*)[3])s->coarse, rough_at, rough_half, bar))
        return true;
    if (look(s, at, &rise) > s->bar + NEAR * (ref_real)s->rough->margin)
        return false;
    s->effort += IN_LONG_DOUBLE;
    return ref_turn_holds(s->curved, (const ref_real(*)[3])s->frame, at, half, s->bar);
}

/* All leans from lo to hi, by halves. */
static bool side_holds(turn *s, ref_real lo, ref_real hi, ref_real around, ref_real wide)
{
    const ref_real middle = (lo + hi) / 2;
    if (!(hi > lo) || holds(s, middle, around, (hi - lo) / 2, wide))
        return true;
    return hi - lo > wide / 64 && hi - lo > narrowest && s->effort < MOST_EFFORT &&
           side_holds(s, lo, middle, around, wide) && side_holds(s, middle, hi, around, wide);
}

static bool strip_holds(turn *s, ref_real lean, ref_real around, ref_real wide)
{
    for (ref_real high = 2 * window; high > narrowest && s->effort < MOST_EFFORT; high /= 2) {
        if (holds(s, lean, around, high, wide))
            return side_holds(s, -s->quarter, lean - high, around, wide) &&
                   side_holds(s, lean + high, s->quarter, around, wide);
    }
    return false;
}

/* All turns from one to another, by halves. */
static bool arc_holds(turn *s, ref_real from, ref_real to)
{
    const ref_real middle = (from + to) / 2;
    if (!(to > from) ||
        (to - from < s->quarter && strip_holds(s, valley(s, middle), middle, (to - from) / 2)))
        return true;
    return to - from > narrowest && s->effort < MOST_EFFORT && arc_holds(s, from, middle) &&
           arc_holds(s, middle, to);
}

/* As wide as it holds; 0: nowhere. */
static bool widen(turn *s, uint32_t k)
{
    const uint32_t most = s->effort + FOR_A_LOW;
    for (s->wide[k] = s->quarter / 2; s->wide[k] > narrowest && s->effort < most; s->wide[k] /= 4)
        if (strip_holds(s, s->low[k][0], s->low[k][1], s->wide[k]))
            return true;
    s->wide[k] = 0;
    return false;
}

static bool all_hold(turn *s)
{
    for (uint32_t k = 0; k < s->low_count; k++) {
        for (uint32_t j = k; j > 0 && s->low[j][1] < s->low[j - 1][1]; j--) {
            for (int i = 0; i < 2; i++) {
                const ref_real swap = s->low[j][i];
                s->low[j][i] = s->low[j - 1][i];
                s->low[j - 1][i] = swap;
            }
        }
    }
    for (uint32_t k = 0; k < s->low_count; k++)
        if (!widen(s, k))
            return false;
    for (uint32_t k = 0; k < s->low_count && s->effort < MOST_EFFORT; k++) {
        const uint32_t next = (k + 1) % s->low_count;
        const ref_real round = next == 0 ? 4 * s->quarter : 0;
        if (!arc_holds(s, s->low[k][1] + s->wide[k], s->low[next][1] + round - s->wide[next]))
            return false;
    }
    return s->low_count > 0 && s->effort < MOST_EFFORT;
}

bool ref_curved_turn(const ref_curved *curved, const ref_rough *rough, ref_real width, ref_depth *depth)
{
    turn s = {.curved = curved, .rough = rough, .depth = depth, .width = width, .quarter = acosl(0)};
    const ref_real m[3] = {-depth->normal[0], -depth->normal[1], -depth->normal[2]};
    if (curved->dim == 2 || !(curved->size > least_size && curved->size < 1 / least_size) ||
        !choose_axis(&s, m))
        return false;
    s.lean = asinl(ref_inner(s.frame[2], m));
    go_down(&s);
    return all_hold(&s);
}
