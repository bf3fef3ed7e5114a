/* Sweeps: exact judgement, hand-made pairs, and variations that must not change an answer.
 * GJB_GOLDEN=print in the environment prints the worst errors. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/hash.h"
#include "simd/tests/swept.h"

enum { PAIRS = 3000 };

/* Every dimension, precision and family. */
typedef void each_body(swept *s, const char *what);

static void each(size_t pairs, each_body *body)
{
    static const char *const names[SWEPT_FAMILIES] = {"anyhow", "lattice", "grazing", "far", "magnitudes", "hasty"};
    for (uint32_t dim = 2; dim < 4; dim++)
        for (int p = 0; p < GJB_PRECISIONS; p++)
            for (int f = 0; f < SWEPT_FAMILIES; f++) {
                char what[64];
                snprintf(what, sizeof what, "%uD %s %s", dim, gjb_precision_name((gjb_precision)p), names[f]);
                swept s = swept_new(dim, (gjb_precision)p, (swept_family)f, 11, pairs);
                body(&s, what);
                swept_free(&s);
            }
}

static void all_right(swept *s, const char *what)
{
    unsigned char *results = malloc(s->pairs * s->record_size);
    unsigned seen[GJB_STATUSES] = {0};
    double worst = 0;
    swept_run(s, "scalar", s->pairs, 0, results);
    for (size_t i = 0; i < s->pairs; i++) {
        const swept_answer a = swept_read(s, results, 0, i);
        const char *wrong = swept_judge(s, i, &a, 12, &worst);
        cr_expect_null(wrong, "%s, pair %zu: %s; status %u, value %a, last %a", what, i, wrong, a.status,
                       a.value, a.last);
        seen[a.status < GJB_STATUSES ? a.status : 0]++;
    }
    if (getenv("GJB_GOLDEN"))
        printf("# %s: %u apart, %u overlapping, %u hit, off by %.2f eps S\n", what, seen[GJB_SEPARATED],
               seen[GJB_OVERLAPPING], seen[GJB_HIT], worst);
    cr_expect(seen[GJB_SEPARATED] > 100 && seen[GJB_HIT] > 50 && seen[GJB_OVERLAPPING] > 15,
              "%s: %u, %u and %u", what, seen[GJB_SEPARATED], seen[GJB_HIT], seen[GJB_OVERLAPPING]);
    free(results);
}

Test(sweep, is_never_late_and_early_by_what_it_says)
{
    each(PAIRS, all_right);
}

/* ---- the same whatever else ---- */

static void same_bits(swept *s, const char *what)
{
    const size_t calls[] = {1, 5, 63, 64, 65, s->pairs};
    const size_t size = s->record_size, wide = size + 16;
    unsigned char *want = malloc(s->pairs * size), *got = malloc(s->pairs * wide);
    swept_run(s, "scalar", s->pairs, 0, want);
    for (size_t b = 0; b < gjb_backend_count; b++) {
        const char *backend = gjb_backends[b]->name;
        if (!gjb_backend_available(backend))
            continue;
        for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
            swept_run(s, backend, calls[c], 0, got);
            cr_expect_eq(memcmp(want, got, s->pairs * size), 0, "%s, %s, %zu a call", what, backend,
                         calls[c]);
        }
        swept_run(s, backend, s->pairs, wide, got);
        for (size_t i = 0; i < s->pairs; i++) {
            cr_expect_eq(memcmp(want + i * size, got + i * wide, size), 0, "%s, %s: pair %zu", what, backend,
                         i);
            for (size_t k = size; k < wide; k++)
                cr_expect_eq(got[i * wide + k], 0xA5, "%s, %s: wrote past record %zu", what, backend, i);
        }
    }
    free(want);
    free(got);
}

Test(sweep, answers_alike_from_every_backend_in_calls_of_any_size)
{
    each(333, same_bits);
}

static void plain_numbers(swept *s, const char *what)
{
    unsigned char *results = malloc(s->pairs * s->record_size);
    swept_run(s, "scalar", s->pairs, 0, results);
    for (size_t i = 0; i < s->pairs; i++) {
        const swept_answer a = swept_read(s, results, 0, i);
        const double all[] = {a.value,     a.last,     a.normal[0], a.normal[1],
                              a.normal[2], a.point[0], a.point[1],  a.point[2]};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            cr_expect(isfinite(all[k]) && !(all[k] == 0 && signbit(all[k])), "%s, pair %zu: %g", what, i,
                      all[k]);
    }
    free(results);
}

Test(sweep, holds_no_nan_and_no_negative_zero)
{
    each(PAIRS, plain_numbers);
}

/* Boxes by the other two corners, and twice the size: nothing but the scale changes. */
static void same_motion(swept *s, const char *what)
{
    unsigned char *before = malloc(s->pairs * s->record_size), *after = malloc(s->pairs * s->record_size);
    const unsigned dim = s->shapes.dim;
    swept_run(s, "scalar", s->pairs, 0, before);
    for (size_t i = 0; i < 2 * s->pairs; i++) {
        for (unsigned k = 0; k < dim; k++) {
            swept_set_pose(s, i, k, 8 * swept_pose(s, i, k));
            swept_set_motion(s, i, k, 8 * swept_motion(s, i, k));
            swept_set_row(s, i, k, 8 * swept_row(s, i, k));
            if (s->kind[i] == GJB_AABB) {
                const double x = swept_row(s, i, k), y = 8 * swept_row(s, i, dim + k);
                const int swap = (int)(i >> k) & 1;
                swept_set_row(s, i, k, swap ? y : x);
                swept_set_row(s, i, dim + k, swap ? x : y);
            }
        }
    }
    swept_run(s, "scalar", s->pairs, 0, after);
    for (size_t i = 0; i < s->pairs; i++) {
        swept_answer a = swept_read(s, before, 0, i), b = swept_read(s, after, 0, i);
        for (unsigned k = 0; k < dim; k++)
            b.point[k] /= 8;
        cr_expect_eq(memcmp(&a, &b, sizeof a), 0, "%s, pair %zu changed with its scale", what, i);
    }
    free(before);
    free(after);
}

Test(sweep, scales_and_takes_corners_in_any_order)
{
    each(500, same_motion);
}

static void same_swapped(swept *s, const char *what)
{
    unsigned char *before = malloc(s->pairs * s->record_size), *after = malloc(s->pairs * s->record_size);
    swept_run(s, "scalar", s->pairs, 0, before);
    for (size_t i = 0; i < 2 * s->pairs; i++)
        s->pair[i] ^= 1;
    swept_run(s, "scalar", s->pairs, 0, after);
    for (size_t i = 0; i < s->pairs; i++) {
        const swept_answer a = swept_read(s, before, 0, i), b = swept_read(s, after, 0, i);
        int same = a.status == b.status && a.value == b.value && a.last == b.last;
        for (unsigned k = 0; k < s->shapes.dim; k++)
            same &= a.normal[k] == -b.normal[k];
        cr_expect(same, "%s, pair %zu", what, i);
    }
    free(before);
    free(after);
}

Test(sweep, of_b_and_a_has_the_same_times_and_the_opposite_normal)
{
    each(500, same_swapped);
}

/* ---- hand-made ---- */

/* One pair of boxes about their origins, A at rest at the origin. */
typedef struct hand {
    const char *what;
    double half_a[2], half_b[2], at[2], way[2];
    unsigned status;
    double value, last, normal[2], point[2];
} hand;

static const hand hands[] = {
    {"head on", {1, 1}, {1, 1}, {6, 0}, {-8, 0}, GJB_HIT, .5, 1, {1, 0}, {1, 0}},
    {"from above, next to the middle", {1, 1}, {1, 1}, {1, 6}, {0, -8}, GJB_HIT, .5, 1, {0, 1}, {.5, 1}},
    {"from the left, through", {1, 1}, {1, 1}, {-4, 0}, {16, 0}, GJB_HIT, .125, .375, {-1, 0}, {-1, 0}},
    {"passing by", {1, 1}, {1, 1}, {4, 4}, {-8, 0}, GJB_SEPARATED, 0, 0, {0, 0}, {0, 0}},
    {"too short", {1, 1}, {1, 1}, {6, 0}, {-2, 0}, GJB_SEPARATED, 0, 0, {0, 0}, {0, 0}},
    {"going away", {1, 1}, {1, 1}, {6, 0}, {8, 0}, GJB_SEPARATED, 0, 0, {0, 0}, {0, 0}},
    {"neither moves, apart", {1, 1}, {1, 1}, {6, 0}, {0, 0}, GJB_SEPARATED, 0, 0, {0, 0}, {0, 0}},
    {"neither moves, inside", {2, 2}, {1, 1}, {.5, 0}, {0, 0}, GJB_OVERLAPPING, 0, 1, {0, 0}, {.5, 0}},
    {"inside, leaving", {2, 2}, {1, 1}, {0, 0}, {6, 0}, GJB_OVERLAPPING, 0, .5, {0, 0}, {0, 0}},
    {"arrives at the end", {1, 1}, {1, 1}, {6, 0}, {-4, 0}, GJB_HIT, 1, 1, {1, 0}, {1, 0}},
    {"slides along a face", {1, 1}, {1, 1}, {6, 2}, {-16, 0}, GJB_HIT, .25, .5, {1, 0}, {1, 1}},
    {"corner past corner", {1, 1}, {1, 1}, {-4, 0}, {8, 8}, GJB_HIT, .25, .25, {-1, 0}, {-1, 1}},
    {"corner onto corner: the lowest axis", {1, 1}, {1, 1}, {4, 4}, {-4, -4}, GJB_HIT, .5, 1, {1, 0}, {1, 1}},
    {"touches, leaving", {1, 1}, {1, 1}, {2, 0}, {4, 0}, GJB_OVERLAPPING, 0, 0, {0, 0}, {1, 0}},
    {"a point onto a box", {1, 1}, {0, 0}, {3, .5}, {-4, 0}, GJB_HIT, .5, 1, {1, 0}, {1, .5}},
    {"point meets point", {0, 0}, {0, 0}, {3, 4}, {-6, -8}, GJB_HIT, .5, .5, {1, 0}, {0, 0}},
};

Test(sweep, answers_what_a_hand_can_work_out)
{
    const size_t count = sizeof hands / sizeof *hands;
    for (uint32_t dim = 2; dim < 4; dim++)
        for (int p = 0; p < GJB_PRECISIONS; p++) {
            swept s = swept_new(dim, (gjb_precision)p, SWEPT_LATTICE, 1, count);
            unsigned char *results = malloc(count * s.record_size);
            const double near = 64 * gjb_epsilon((gjb_precision)p);
            for (size_t i = 0; i < count; i++)
                for (unsigned k = 0; k < dim; k++) {
                    const hand *h = &hands[i];
                    const int up = k == 2; /* both reach beyond each other */
                    s.kind[2 * i] = s.kind[2 * i + 1] = GJB_BOX;
                    s.rows_of[2 * i] = s.rows_of[2 * i + 1] = 1;
                    swept_set_row(&s, 2 * i, k, up ? 4 : h->half_a[k]);
                    swept_set_row(&s, 2 * i + 1, k, up ? 1 : h->half_b[k]);
                    swept_set_pose(&s, 2 * i, k, 0);
                    swept_set_motion(&s, 2 * i, k, 0);
                    swept_set_pose(&s, 2 * i + 1, k, up ? 0 : h->at[k]);
                    swept_set_motion(&s, 2 * i + 1, k, up ? 0 : h->way[k]);
                }
            swept_run(&s, "scalar", count, 0, results);
            for (size_t i = 0; i < count; i++) {
                const hand *h = &hands[i];
                const swept_answer a = swept_read(&s, results, 0, i);
                cr_expect_eq(a.status, h->status, "%s: %s", h->what, gjb_status_name(a.status));
                cr_expect(fabs(a.value - h->value) <= near && a.value <= h->value, "%s: value %g", h->what,
                          a.value);
                cr_expect(fabs(a.last - h->last) <= near && a.last >= h->last, "%s: last %g", h->what,
                          a.last);
                for (unsigned k = 0; k < 2; k++) {
                    cr_expect_eq(a.normal[k], h->normal[k], "%s: normal %g", h->what, a.normal[k]);
                    cr_expect_float_eq(a.point[k], h->point[k], near, "%s: point %g", h->what, a.point[k]);
                }
            }
            free(results);
            swept_free(&s);
        }
}

/* ---- refusing ---- */

typedef struct spoil {
    const char *what;
    int row, pose, motion; /* the number that is spoilt, -1: none; 100: the last */
    double by;
    gjb_status status;
} spoil;

static const spoil spoils[] = {
    {"a row that is no number", 0, -1, -1, NAN, GJB_INVALID_INPUT},
    {"an infinite row", 1, -1, -1, INFINITY, GJB_INVALID_INPUT},
    {"a place that is no number", -1, 0, -1, NAN, GJB_INVALID_INPUT},
    {"an infinite place", -1, 1, -1, -INFINITY, GJB_INVALID_INPUT},
    {"a rotation that is none", -1, 100, -1, 3, GJB_INVALID_INPUT},
    {"a displacement that is no number", -1, -1, 0, NAN, GJB_INVALID_INPUT},
    {"an infinite displacement", -1, -1, 1, INFINITY, GJB_INVALID_INPUT},
    {"a spin that is no number", -1, -1, 100, NAN, GJB_INVALID_INPUT},
    {"a spin", -1, -1, 100, 1e-30, GJB_UNSUPPORTED},
    {"a turn", -1, 3, -1, 1e-6, GJB_UNSUPPORTED},
};

static void spoilt(swept *s, const char *what)
{
    unsigned char *before = malloc(s->pairs * s->record_size), *after = malloc(s->pairs * s->record_size);
    const int poses = s->shapes.dim == 2 ? 4 : 7, motions = (int)gjb_motion_numbers(s->shapes.dim);
    for (size_t b = 0; b < gjb_backend_count; b++) {
        const char *backend = gjb_backends[b]->name;
        if (!gjb_backend_available(backend))
            continue;
        swept_run(s, backend, s->pairs, 0, before);
        for (size_t k = 0; k < sizeof spoils / sizeof *spoils; k++) {
            const spoil *sp = &spoils[k];
            const size_t pair = 3 + 5 * k, body = 2 * pair + k % 2;
            const unsigned pose = (unsigned)(sp->pose == 100 ? poses - 1 : sp->pose);
            const unsigned motion = (unsigned)(sp->motion == 100 ? motions - 1 : sp->motion);
            double kept = 0;
            if (sp->row >= 0)
                kept = swept_row(s, body, (unsigned)sp->row),
                swept_set_row(s, body, (unsigned)sp->row, sp->by);
            if (sp->pose >= 0)
                kept = swept_pose(s, body, pose), swept_set_pose(s, body, pose, sp->by);
            if (sp->motion >= 0)
                kept = swept_motion(s, body, motion), swept_set_motion(s, body, motion, sp->by);
            swept_run(s, backend, s->pairs, 0, after);
            const swept_answer a = swept_read(s, after, 0, pair);
            const swept_answer want = {.status = sp->status};
            cr_expect_eq(memcmp(&a, &want, sizeof a), 0, "%s, %s: status %u of %s", what, backend, a.status,
                         sp->what);
            memcpy(after + pair * s->record_size, before + pair * s->record_size, s->record_size);
            cr_expect_eq(memcmp(before, after, s->pairs * s->record_size), 0, "%s, %s: %s spoils others",
                         what, backend, sp->what);
            if (sp->row >= 0)
                swept_set_row(s, body, (unsigned)sp->row, kept);
            if (sp->pose >= 0)
                swept_set_pose(s, body, pose, kept);
            if (sp->motion >= 0)
                swept_set_motion(s, body, motion, kept);
        }
    }
    free(before);
    free(after);
}

Test(sweep, refuses_what_it_must_and_nothing_else)
{
    each(70, spoilt);
}

static void other_kinds(swept *s, const char *what)
{
    unsigned char *results = malloc(s->pairs * s->record_size);
    const double rows[] = {0, 0, 0, 1, 0, 0};
    s->kind[9] = GJB_SEGMENT;
    s->rows_of[9] = 2;
    for (unsigned k = 0; k < 2 * s->shapes.dim; k++)
        swept_set_row(s, 9, k, rows[k]);
    memset((char *)s->radius + 12 * (s->shapes.precision == GJB_F32 ? 4 : 8), 0x3f, 4 << s->shapes.precision);
    s->kind[14] = GJB_KINDS;
    for (size_t b = 0; b < gjb_backend_count; b++) {
        if (!gjb_backend_available(gjb_backends[b]->name))
            continue;
        swept_run(s, gjb_backends[b]->name, s->pairs, 0, results);
        for (size_t i = 0; i < s->pairs; i++) {
            const swept_answer a = swept_read(s, results, 0, i);
            const gjb_status refused = i == 7             ? GJB_INVALID_INPUT
                                       : i == 4 || i == 6 ? GJB_UNSUPPORTED
                                                          : GJB_UNWRITTEN;
            if (refused)
                cr_expect_eq(a.status, refused, "%s: status %u of pair %zu", what, a.status, i);
            else
                cr_expect(a.status == GJB_SEPARATED || a.status == GJB_OVERLAPPING || a.status == GJB_HIT,
                          "%s: %u", what, a.status);
        }
    }
    free(results);
}

Test(sweep, does_not_take_other_kinds_and_radii)
{
    each(20, other_kinds);
}

/* A library without one box: nothing is prepared for sweeps. */
static void no_boxes(swept *s, const char *what)
{
    unsigned char *results = malloc(s->pairs * s->record_size);
    for (size_t i = 0; i < 2 * s->pairs; i++) {
        s->kind[i] = GJB_SEGMENT;
        s->rows_of[i] = 2;
    }
    swept_set_row(s, 5, 0, NAN);
    swept_run(s, gjb_backend_best()->name, s->pairs, 0, results);
    for (size_t i = 0; i < s->pairs; i++)
        cr_expect_eq(swept_read(s, results, 0, i).status, i == 2 ? GJB_INVALID_INPUT : GJB_UNSUPPORTED, "%s",
                     what);
    free(results);
}

Test(sweep, does_not_take_a_library_without_boxes)
{
    each(20, no_boxes);
}

/* Nothing moves without motions, and a random order of bodies changes nothing. */
Test(sweep, takes_bodies_in_any_order_and_none_that_move)
{
    for (uint32_t dim = 2; dim < 4; dim++) {
        swept s = swept_new(dim, GJB_F32, SWEPT_ANYHOW, 4, 400);
        const size_t bytes = s.pairs * s.record_size;
        unsigned char *want = malloc(bytes), *got = malloc(bytes);
        gjb_random r = gjb_random_make(3, 3, 3);
        for (size_t i = 0; i < 2 * s.pairs; i++)
            s.pair[i] = gjb_random_below(&r, 2 * (uint32_t)s.pairs);
        swept_run(&s, "scalar", 1, 0, want);
        swept_run(&s, gjb_backend_best()->name, s.pairs, 0, got);
        cr_expect_eq(memcmp(want, got, bytes), 0, "%uD: in another order", dim);
        void *motions = s.motions, *zero = calloc(2 * s.pairs, s.motion_size);
        s.motions = zero;
        swept_run(&s, "scalar", s.pairs, 0, want);
        s.motions = NULL;
        swept_run(&s, gjb_backend_best()->name, s.pairs, 0, got);
        cr_expect_eq(memcmp(want, got, bytes), 0, "%uD: without motions", dim);
        free(zero);
        s.motions = motions;
        free(want);
        free(got);
        swept_free(&s);
    }
}

/* The bits themselves. They may change on purpose: then these numbers change in the
 * same commit, which says so. */
Test(sweep, gives_the_bits_that_it_gave)
{
    static const uint64_t want[4][GJB_PRECISIONS] = {[2] = {0x89fd89b96a84e722, 0x37220386f50c83f2},
                                                   [3] = {0xcc682bd32adfd639, 0xc2358a9a44f3f08e}};
    for (uint32_t dim = 2; dim < 4; dim++)
        for (int p = 0; p < GJB_PRECISIONS; p++) {
            uint64_t print = 0;
            for (int f = 0; f < SWEPT_FAMILIES; f++) {
                swept s = swept_new(dim, (gjb_precision)p, (swept_family)f, 7, 1500);
                unsigned char *results = malloc(s.pairs * s.record_size);
                swept_run(&s, "scalar", s.pairs, 0, results);
                print = gjb_fingerprint(results, s.pairs, s.record_size, s.record_size, print);
                free(results);
                swept_free(&s);
            }
            cr_expect_eq(print, want[dim][p], "%uD %s: now 0x%016llx", dim,
                         gjb_precision_name((gjb_precision)p), (unsigned long long)print);
        }
}
