/* Sweeps of boxes against integers: with speeds of at most 4 and ends on a grid, every contact begins and ends
 * at a multiple of 1/12, so looking at each 1/24 sees all. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "reference/motion/motion.h"
#include "scenes/generate/generate.h"

enum { PARTS = 24 };

typedef struct drawn {
    gjb_pair pair;
    int dim;
    int least[2][3], most[2][3], at[2][3], by[2][3];
    double plane[2][4][2], space[2][8][3];
} drawn;

static void draw(drawn *d, int dim, int k)
{
    gjb_random r = gjb_random_make(31, (uint64_t)dim, (uint64_t)k);
    d->dim = dim;
    for (int side = 0; side < 2; side++) {
        for (int m = 0; m < dim; m++) {
            d->least[side][m] = (int)gjb_random_below(&r, 5) - 2;
            d->most[side][m] = d->least[side][m] + (int)gjb_random_below(&r, 4);
            d->at[side][m] = (int)gjb_random_below(&r, 13) - 6;
            d->by[side][m] = (int)gjb_random_below(&r, 5) - 2;
        }
    }
    d->pair.dim = (uint32_t)dim;
    for (int side = 0; side < 2; side++) {
        const int *at = d->at[side], *by = d->by[side];
        for (uint32_t i = 0; i < gjb_box_corners((uint32_t)dim); i++) {
            for (uint32_t m = 0; m < (uint32_t)dim; m++) {
                double x = gjb_box_corner((uint32_t)dim, i, m) < 0 ? d->least[side][m] : d->most[side][m];
                *(dim == 2 ? &d->plane[side][i][m] : &d->space[side][i][m]) = x;
            }
        }
        if (dim == 2) {
            *(side ? &d->pair.as.plane.b : &d->pair.as.plane.a) =
                (gjb_body2){GJB_AABB, 4, (const double(*)[2])d->plane[side], 0, {at[0], at[1], 1, 0}, {by[0], by[1], 0}};
        } else {
            *(side ? &d->pair.as.space.b : &d->pair.as.space.a) =
                (gjb_body3){GJB_AABB, 8, (const double(*)[3])d->space[side], 0, {at[0], at[1], at[2], 0, 0, 0, 1},
                            {by[0], by[1], by[2], 0, 0, 0}};
        }
    }
}

/* Gap along an axis on the upper (1) or lower side of A at time n / PARTS, times PARTS. */
static int gap(const drawn *d, int m, int upper, int n)
{
    int apart = PARTS * (d->at[1][m] - d->at[0][m]) + n * (d->by[1][m] - d->by[0][m]);
    return upper ? apart + PARTS * (d->least[1][m] - d->most[0][m]) : PARTS * (d->least[0][m] - d->most[1][m]) - apart;
}

static int greatest(const drawn *d, int n)
{
    int most = gap(d, 0, 0, n);
    for (int line = 1; line < 2 * d->dim; line++)
        most = gap(d, line / 2, line % 2, n) > most ? gap(d, line / 2, line % 2, n) : most;
    return most;
}

static bool holds(const double interval[2], double x)
{
    return interval[0] <= x && x <= interval[1] && (interval[0] == interval[1] || nextafter(interval[0], 2) == interval[1]);
}

static void check_region(const drawn *d, const ref_sweep_truth *truth, int first)
{
    for (int m = 0; m < d->dim; m++) {
        double shift = d->at[1][m] - d->at[0][m] + first * (d->by[1][m] - d->by[0][m]) / (double)PARTS;
        double from = fmax(d->least[0][m], d->least[1][m] + shift), to = fmin(d->most[0][m], d->most[1][m] + shift);
        cr_assert_float_eq(truth->point[m], (from + to) / 2, 1e-14);
    }
}

static void check(const drawn *d, int growth, int k)
{
    int first = -1, last = -1;
    for (int n = 0; n <= PARTS; n++) {
        bool in = greatest(d, n) <= growth * PARTS;
        first = in && first < 0 ? n : first;
        last = in ? n : last;
    }
    ref_sweep_truth truth;
    ref_oracle_sweep(&d->pair, growth, &truth);
    gjb_status status = first < 0 ? GJB_SEPARATED : first ? GJB_HIT : GJB_OVERLAPPING;
    cr_assert_eq(truth.status, status, "%dD %d: %d for %d", d->dim, k, truth.status, status);
    if (first < 0)
        return;
    cr_assert(holds(truth.last, last / (double)PARTS), "%dD %d: last", d->dim, k);
    if (growth == 0)
        check_region(d, &truth, first);
    if (first > 0) {
        uint32_t faces = 0;
        for (int line = 0; line < 2 * d->dim; line++) { /* touching now, apart just before */
            bool entered = gap(d, line / 2, line % 2, first) == growth * PARTS &&
                           gap(d, line / 2, line % 2, first - 1) > growth * PARTS;
            faces |= entered ? 1u << line : 0;
        }
        cr_assert_eq(truth.faces, faces, "%dD %d: faces %x for %x", d->dim, k, truth.faces, faces);
        cr_assert(holds(truth.first, first / (double)PARTS), "%dD %d: first", d->dim, k);
    }
}

/* Slopes differ by 1 to 8, so two lines meet at multiples of 1 / 840: the least of all is at one of them. */
static void check_clearance(const drawn *d, int k)
{
    enum { FINE = 840 };
    ref_sweep_truth truth;
    ref_oracle_sweep(&d->pair, 0, &truth);
    long least = 1L << 40;
    for (int n = 0; n <= FINE; n++) {
        long most = -(1L << 40);
        for (int line = 0; line < 2 * d->dim; line++) {
            long g = (long)gap(d, line / 2, line % 2, 0) * FINE
                     + (long)(gap(d, line / 2, line % 2, 1) - gap(d, line / 2, line % 2, 0)) * n * PARTS;
            most = g > most ? g : most;
        }
        least = most < least ? most : least;
    }
    double value = least / ((double)FINE * PARTS);
    cr_assert(truth.clearance[0] <= value && value <= truth.clearance[1] &&
                  truth.clearance[1] - truth.clearance[0] <= 1e-15 * (1 + fabs(value)),
              "%dD %d: clearance [%g, %g] for %g", d->dim, k, truth.clearance[0], truth.clearance[1], value);
    cr_assert_eq(truth.status == GJB_SEPARATED, least > 0);
}

static void check_scalar(const drawn *d)
{
    ref_sweep_truth truth;
    ref_sweep_answer answer;
    ref_oracle_sweep(&d->pair, 0, &truth);
    ref_sweep(&d->pair, &answer);
    cr_assert_eq(answer.status, truth.status);
    cr_assert(answer.time == truth.first[0] && answer.last == truth.last[1]);
    double sum = 0;
    for (int m = 0; m < d->dim; m++) {
        sum += fabs(answer.normal[m]);
        cr_assert(answer.normal[m] == 0 || truth.faces >> (2 * m + (answer.normal[m] > 0)) & 1);
        cr_assert(answer.normal[m] == 0 || (truth.faces & ((1u << 2 * m) - 1)) == 0, "not of the lowest axis");
        cr_assert(answer.point[m] == truth.point[m]);
    }
    cr_assert_eq(sum, answer.status == GJB_HIT ? 1 : 0);
}

Test(sweep, agrees_with_integers)
{
    static drawn d;
    for (int dim = 2; dim <= 3; dim++) {
        for (int k = 0; k < 4000; k++) {
            draw(&d, dim, k);
            check(&d, 0, k);
            check(&d, 1, k);
            check(&d, -1, k);
            check_clearance(&d, k);
            check_scalar(&d);
            /* Time of impact knows boxes as well. */
            ref_sweep_truth sweep;
            ref_toi_truth toi;
            ref_oracle_sweep(&d.pair, 0, &sweep);
            ref_oracle_toi(&d.pair, &toi);
            ref_contact contact = sweep.status == GJB_HIT           ? REF_CONTACT
                                  : sweep.status == GJB_OVERLAPPING ? REF_CONTACT_FIRST
                                                                    : REF_NO_CONTACT;
            cr_assert_eq(toi.contact, contact, "%dD %d", dim, k);
            cr_assert(contact != REF_CONTACT || (toi.lo < toi.hi && toi.lo <= sweep.first[0] && sweep.first[1] <= toi.hi));
        }
    }
}

Test(sweep, state_at_a_time)
{
    static drawn d;
    for (int dim = 2; dim <= 3; dim++) {
        for (int k = 0; k < 300; k++) {
            draw(&d, dim, k);
            for (int n = 0; n <= PARTS; n += 3) { /* n / 24 is a multiple of 1/8 */
                ref_sweep_state state;
                ref_sweep_at(&d.pair, n / (double)PARTS, &state);
                for (int m = 0; m < dim; m++) {
                    int upper = gap(&d, m, 1, n), lower = gap(&d, m, 0, n), most = upper >= lower ? upper : lower;
                    cr_assert(state.gap[m][0] == most / (double)PARTS && state.gap[m][1] == state.gap[m][0]);
                    cr_assert_eq(state.side[m], upper >= lower ? 1 : -1);
                    cr_assert_eq(state.region[m][1] - state.region[m][0] >= 0, true);
                    cr_assert(most < 0 || state.region[m][1] - state.region[m][0] == most / (double)PARTS);
                }
            }
        }
    }
}

Test(sweep, refuses_what_is_no_number)
{
    static drawn d;
    ref_sweep_answer answer;
    draw(&d, 2, 0);
    d.pair.as.plane.b.motion.x = INFINITY;
    ref_sweep(&d.pair, &answer);
    cr_assert_eq(answer.status, GJB_INVALID_INPUT);
    for (int k = 0; k < 2 * (2 + 3); k++) { /* a coordinate of either box's last vertex */
        const int dim = k < 4 ? 2 : 3, side = k % 2, axis = (k < 4 ? k : k - 4) / 2;
        draw(&d, dim, 0);
        *(dim == 2 ? &d.plane[side][3][axis] : &d.space[side][7][axis]) = k % 3 ? NAN : -INFINITY;
        ref_sweep(&d.pair, &answer);
        cr_assert_eq(answer.status, GJB_INVALID_INPUT, "%dD, side %d, axis %d", dim, side, axis);
        cr_assert(answer.time == 0 && answer.last == 0, "%dD, side %d, axis %d", dim, side, axis);
    }
}
