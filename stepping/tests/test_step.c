/* Many moving boxes in one step. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/generate/generate.h"
#include "scenes/hash.h"
#include "simd/simd.h"
#include "stepping/step.h"
#include "stepping/tests/step_check.h"

static void momentum(const gjb_step_box *boxes, uint32_t count, unsigned dim, double out[4])
{
    memset(out, 0, 4 * sizeof *out);
    for (uint32_t i = 0; i < count; i++)
        for (unsigned k = 0; k < dim && boxes[i].inverse_mass > 0; k++) {
            out[k] += boxes[i].by[k] / boxes[i].inverse_mass;
            out[3] += boxes[i].by[k] * boxes[i].by[k] / boxes[i].inverse_mass;
        }
}

/* ---- hand-made ---- */

Test(step, newtons_cradle_hands_on_all_of_the_speed)
{
    enum { N = 6 };
    gjb_step_box boxes[N];
    for (int touching = 0; touching < 2; touching++) {
        for (int i = 0; i < N; i++)
            boxes[i] = box2(i == 0 ? -4 : touching ? i : 1.125 * i, 0, .5, .5, i == 0 ? 16 : 0, 0, 1);
        const gjb_step_settings settings = {.dim = 2, .response = GJB_RESPOND_REFLECT, .restitution = 1};
        gjb_step s = checked(boxes, N, &settings, "cradle");
        cr_expect_eq(s.event_count, N - 1);
        for (int i = 0; i < N; i++)
            cr_expect_float_eq(s.boxes[i].by[0], i == N - 1 ? 16 : 0, 1e-12, "box %d goes by %g", i,
                               s.boxes[i].by[0]);
        for (size_t e = 0; e < s.event_count; e++)
            cr_expect(s.events[e].a == e && s.events[e].b == e + 1, "hit %zu is of %u and %u", e,
                      s.events[e].a, s.events[e].b);
        gjb_step_free(&s);
    }
}

Test(step, a_bullet_does_not_pass_a_thin_wall)
{
    const gjb_step_box boxes[] = {box2(-500, .25, .01, .01, 1e6, 3, 1), box2(0, 0, 1e-7, 5, 0, 0, 0)};
    for (int r = 0; r < GJB_RESPONSES; r++) {
        const gjb_step_settings settings = {.dim = 2, .response = (gjb_response)r, .restitution = .5};
        gjb_step s = checked(boxes, 2, &settings, "bullet");
        cr_expect_eq(s.event_count, 1);
        cr_expect(s.boxes[0].at[0] <= -.01, "it ended at %g", s.boxes[0].at[0]);
        cr_expect_float_eq(s.boxes[0].by[0], r == GJB_RESPOND_REFLECT ? -.5e6 : 0, 1e-6);
        cr_expect_eq(s.boxes[0].by[1], r == GJB_RESPOND_STOP ? 0 : 3);
        cr_expect_eq(s.boxes[1].at[0], 0);
        gjb_step_free(&s);
    }
}

Test(step, a_corner_stops_what_slides_into_it)
{
    /* a floor of tiles that it slides over without catching an edge, then a wall */
    gjb_step_box boxes[12] = {box2(0, 3, .5, .5, 40, -8, 1)};
    for (int i = 0; i < 10; i++)
        boxes[1 + i] = box2(i, -.5, .5, .5, 0, 0, 0);
    boxes[11] = box2(9, 2, .25, 2, 0, 0, 0);
    const gjb_step_settings settings = {.dim = 2, .response = GJB_RESPOND_SLIDE};
    gjb_step s = checked(boxes, 12, &settings, "corner");
    cr_expect_float_eq(s.boxes[0].at[0], 9 - .25 - .5, 1e-9, "ended at %g", s.boxes[0].at[0]);
    cr_expect(s.boxes[0].at[1] > .5 && s.boxes[0].at[1] < 3, "at %g", s.boxes[0].at[1]);
    gjb_step_free(&s);
    boxes[0] = box2(0, .5, .5, .5, 40, -8, 1); /* touching from the start: floor first, then tiles pass by */
    s = checked(boxes, 12, &settings, "tiles");
    cr_expect_eq(s.event_count, 2, "%zu events", s.event_count);
    cr_expect_float_eq(s.boxes[0].at[0], 9 - .25 - .5, 1e-9, "ended at %g", s.boxes[0].at[0]);
    cr_expect_float_eq(s.boxes[0].at[1], .5, 1e-9);
    cr_expect(s.boxes[0].by[0] == 0 && s.boxes[0].by[1] == 0);
    gjb_step_free(&s);
}

static uint32_t cage(gjb_step_box *boxes, double by)
{
    boxes[0] = box2(.1, -.2, .25, .25, by, .7 * by, 1);
    boxes[1] = box2(0, 1.5, 2, .5, 0, 0, 0);
    boxes[2] = box2(0, -1.5, 2, .5, 0, 0, 0);
    boxes[3] = box2(1.5, 0, .5, 1, 0, 0, 0);
    boxes[4] = box2(-1.5, 0, .5, 1, 0, 0, 0);
    return 5;
}

Test(step, a_cage_keeps_what_is_in_it_and_the_cap_ends_its_bounces)
{
    gjb_step_box boxes[5];
    const uint32_t count = cage(boxes, 30);
    gjb_step_settings settings = {.dim = 2, .response = GJB_RESPOND_REFLECT, .restitution = 1};
    gjb_step s = checked(boxes, count, &settings, "cage");
    cr_expect_eq(s.status, GJB_STEP_DONE);
    cr_expect(s.event_count > 30 && s.event_count < 36, "%zu bounces", s.event_count);
    cr_expect(fabs(s.boxes[0].by[0]) == 30 && fabs(s.boxes[0].by[1]) == .7 * 30, "speed %g %g",
              s.boxes[0].by[0], s.boxes[0].by[1]);
    gjb_step_free(&s);
    settings.cap = 8;
    s = checked(boxes, count, &settings, "capped");
    cr_expect_eq(s.status, GJB_STEP_CAPPED);
    cr_expect(s.event_count == 8 && s.capped == 1 && s.reached_cap[0] && !s.reached_cap[1]);
    cr_expect(s.boxes[0].by[0] == 0 && s.boxes[0].by[1] == 0);
    gjb_step_free(&s);
}

/* Between a moving wall and one at rest: the box is pushed along, then stopped, and the moving wall with
 * it. */
Test(step, a_press_stops_at_what_it_cannot_press)
{
    const gjb_step_box boxes[] = {box2(0, 0, .5, .5, 0, 0, 2), box2(-3, 0, .5, 4, 10, 0, 0),
                                  box2(2, 0, .5, 4, 0, 0, 0)};
    for (int r = 0; r < GJB_RESPONSES; r++) {
        const gjb_step_settings settings = {.dim = 2, .response = (gjb_response)r, .restitution = .75};
        gjb_step s = checked(boxes, 3, &settings, "press");
        const double want = r == GJB_RESPOND_STOP ? -1 : .5;
        cr_expect(s.boxes[1].at[0] <= want && s.boxes[1].by[0] == 0, "%s: ended at %g",
                  gjb_response_name((gjb_response)r), s.boxes[1].at[0]);
        gjb_step_free(&s);
    }
}

Test(step, a_wall_keeps_its_velocity_to_the_last_bit)
{
    const gjb_step_settings settings = {.dim = 2, .response = GJB_RESPOND_REFLECT, .restitution = .5};
    for (int k = 1; k < 30; k++) {
        const gjb_step_box boxes[] = {box2(0, 0, .5, .5, 3 + k / 7., 0, .3),
                                      box2(3, 0, .5, 4, -k / 3., .1, 0)};
        gjb_step s = checked(boxes, 2, &settings, "wall");
        cr_expect_eq(s.event_count, 1);
        cr_expect(s.boxes[1].by[0] == boxes[1].by[0] && s.boxes[1].by[1] == boxes[1].by[1], "k %d", k);
        gjb_step_free(&s);
    }
}

Test(step, a_corner_onto_a_corner_is_a_hit_of_the_lowest_axis)
{
    const gjb_step_box boxes[] = {box2(0, 0, 1, 1, 0, 0, 0), box2(4, 4, 1, 1, -8, -8, 1)};
    const gjb_step_settings settings = {.dim = 2, .response = GJB_RESPOND_SLIDE};
    gjb_step s = checked(boxes, 2, &settings, "corner");
    cr_assert_eq(s.event_count, 1);
    cr_expect(s.events[0].axis == 0 && s.events[0].side == 1);
    cr_expect_float_eq(s.events[0].time, .25, 1e-9);
    cr_expect_float_eq(s.boxes[1].at[1], -4, 1e-9);
    gjb_step_free(&s);
}

/* Pushed, with or without a wall behind them: long before the cap they stop, or move as one. */
Test(step, a_row_comes_to_rest_against_a_wall)
{
    enum { N = 12 };
    gjb_step_box boxes[N + 1];
    for (int wall = 0; wall < 2; wall++)
        for (int r = GJB_RESPOND_SLIDE; r <= GJB_RESPOND_REFLECT; r++) {
            for (int i = 0; i < N; i++)
                boxes[i] = box2(1.25 * i, 0, .5, .5, i == 0 ? 40 : 0, 0, 1 + i % 3);
            boxes[N] = box2(wall ? 17 : 170, 0, .5, 5, 0, 0, 0);
            const gjb_step_settings settings = {.dim = 2, .response = (gjb_response)r, .restitution = .25};
            double before[4], after[4];
            gjb_step s = checked(boxes, N + 1, &settings, "row");
            cr_expect_eq(s.status, GJB_STEP_DONE, "%u at the cap", s.capped);
            momentum(boxes, N + 1, 2, before);
            momentum(s.boxes, N + 1, 2, after);
            if (!wall)
                cr_expect_float_eq(before[0], after[0], 1e-10, "%g is now %g", before[0], after[0]);
            cr_expect(after[3] < before[3]);
            gjb_step_free(&s);
        }
}

Test(step, rest_goes_on_resting_and_overlap_gets_no_deeper)
{
    /* a stack that touches, at rest on a floor, and pressed down a little: nothing but the press */
    const gjb_step_box stack[] = {box2(0, -.5, 5, .5, 0, 0, 0), box2(0, .5, .5, .5, 0, 0, 1),
                                  box2(0, 1.5, .5, .5, 0, 0, 1), box2(4, .5, .5, .5, -1, 0, 1)};
    const gjb_step_settings settings = {.dim = 2, .response = GJB_RESPOND_SLIDE};
    gjb_step s = checked(stack, 4, &settings, "stack");
    cr_expect_eq(s.event_count, 0);
    gjb_step_free(&s);
    const gjb_step_box deep[] = {box2(0, 0, 1, 1, 1, 0, 1), box2(1.5, 0, 1, 1, -1, 0, 1)};
    s = gjb_step_boxes(deep, 2, &settings);
    cr_expect_eq(s.overlapping, 1);
    cr_expect_eq(s.event_count, 1);
    cr_expect_float_eq(s.boxes[1].at[0] - s.boxes[0].at[0], 1.5, 1e-9);
    gjb_step_free(&s);
}

Test(step, refuses_what_is_no_box)
{
    const gjb_step_settings fine = {.dim = 2};
    const gjb_step_box good = box2(0, 0, 1, 1, 0, 0, 1);
    gjb_step_box bad[6];
    for (int i = 0; i < 6; i++)
        bad[i] = good;
    bad[0].at[0] = NAN;
    bad[1].by[1] = INFINITY;
    bad[2].low[0] = 2;
    bad[3].inverse_mass = -1;
    bad[4].high[1] = NAN;
    bad[5].inverse_mass = NAN;
    for (int i = 0; i < 6; i++) {
        gjb_step s = gjb_step_boxes(&bad[i], 1, &fine);
        cr_expect_eq(s.status, GJB_STEP_INVALID, "box %d", i);
        gjb_step_free(&s);
    }
    const gjb_step_settings wrong[] = {{.dim = 4},
                                       {.dim = 2, .restitution = 1.5},
                                       {.dim = 2, .cap = 5000},
                                       {.dim = 2, .backend = "avx1024"},
                                       {.dim = 2, .response = GJB_RESPONSES}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gjb_step s = gjb_step_boxes(&good, 1, &wrong[i]);
        cr_expect_eq(s.status, GJB_STEP_INVALID, "settings %zu", i);
        gjb_step_free(&s);
    }
    gjb_step none = gjb_step_boxes(&good, 0, &fine);
    cr_expect(none.status == GJB_STEP_DONE && none.event_count == 0);
    gjb_step_free(&none);
}

/* ---- crowds ---- */

/* On a grid, apart from each other, every seventh of no inverse mass; fast. */
static void crowd(gjb_step_box *boxes, unsigned dim, uint32_t side, uint64_t seed)
{
    uint32_t n = 0;
    for (uint32_t z = 0; z < (dim == 3 ? side : 1); z++)
        for (uint32_t y = 0; y < side; y++)
            for (uint32_t x = 0; x < side; x++, n++) {
                gjb_random r = gjb_random_make(seed, 0x73746570, n);
                const double cell[3] = {x, y, z};
                boxes[n] = (gjb_step_box){.inverse_mass = n % 7 ? gjb_random_range(&r, .25, 4) : 0};
                for (unsigned k = 0; k < dim; k++) {
                    boxes[n].low[k] = -gjb_random_range(&r, .05, .5);
                    boxes[n].high[k] =
                        gjb_random_below(&r, 5) ? gjb_random_range(&r, .05, .5) : .5; /* may touch */
                    boxes[n].at[k] = cell[k];
                    if (boxes[n].inverse_mass > 0 || gjb_random_below(&r, 3) == 0)
                        boxes[n].by[k] = gjb_random_range(&r, -3, 3);
                }
            }
}

Test(step, crowds_never_overlap)
{
    gjb_step_box boxes[64];
    for (unsigned dim = 2; dim < 4; dim++)
        for (int r = 0; r < GJB_RESPONSES; r++)
            for (uint64_t seed = 0; seed < 6; seed++) {
                const uint32_t side = dim == 2 ? 7 : 4, count = dim == 2 ? 49 : 64;
                char what[64];
                snprintf(what, sizeof what, "%uD %s, seed %u", dim, gjb_response_name((gjb_response)r),
                         (unsigned)seed);
                crowd(boxes, dim, side, seed);
                const gjb_step_settings settings = {.dim = dim,
                                                    .response = (gjb_response)r,
                                                    .restitution = (double)seed / 5,
                                                    .cap = seed == 3 ? 2 : 0};
                gjb_step s = checked(boxes, count, &settings, what);
                cr_expect(s.event_count > 10, "%s: %zu events", what, s.event_count);
                cr_expect_eq(s.overlapping, 0);
                gjb_step_free(&s);
            }
}

Test(step, crowds_keep_their_momentum_and_with_restitution_1_their_energy)
{
    gjb_step_box boxes[64];
    for (uint64_t seed = 0; seed < 4; seed++)
        for (int elastic = 0; elastic < 2; elastic++) {
            double before[4], after[4];
            crowd(boxes, 3, 4, seed);
            for (int i = 0; i < 64; i += 7)
                boxes[i].inverse_mass = 1;
            const gjb_step_settings settings = {
                .dim = 3, .response = GJB_RESPOND_REFLECT, .restitution = elastic ? 1 : .5};
            gjb_step s = checked(boxes, 64, &settings, "momentum");
            cr_expect_eq(s.status, GJB_STEP_DONE);
            momentum(boxes, 64, 3, before);
            momentum(s.boxes, 64, 3, after);
            for (int k = 0; k < 3; k++)
                cr_expect_float_eq(before[k], after[k], 1e-10, "seed %u: %g, %g", (unsigned)seed, before[k],
                                   after[k]);
            if (elastic)
                cr_expect_float_eq(before[3], after[3], 1e-9, "seed %u: %g, %g", (unsigned)seed, before[3],
                                   after[3]);
            else
                cr_expect(after[3] < before[3]);
            gjb_step_free(&s);
        }
}

/* A step that was interrupted reports what the whole step reports up to that time. */
static int calls_left;

static int after_some_calls(void)
{
    return calls_left-- == 0;
}

Test(step, ends_early_with_what_was_until_then)
{
    enum { COUNT = 64 };
    gjb_step_box boxes[COUNT];
    double places[COUNT][3], ways[COUNT][3];
    crowd(boxes, 3, 4, 9);
    gjb_step_settings settings = {.dim = 3, .response = GJB_RESPOND_REFLECT, .restitution = .9, .backend = "scalar"};
    gjb_step whole = gjb_step_boxes(boxes, COUNT, &settings);
    settings.interrupted = after_some_calls;
    for (int calls = 0; calls < 3; calls++) {
        calls_left = calls;
        gjb_step s = gjb_step_boxes(boxes, COUNT, &settings);
        cr_assert(s.status == GJB_STEP_INTERRUPTED && s.time < 1 && s.event_count < whole.event_count, "status %d at %g",
                  (int)s.status, s.time);
        cr_expect((calls == 0) == (s.event_count == 0), "%zu events after %d calls", s.event_count, calls);
        cr_expect(!s.event_count || !memcmp(s.events, whole.events, s.event_count * sizeof *s.events), "other events");
        cr_expect(whole.events[s.event_count].time >= s.time);
        gjb_step_places(&whole, boxes, nextafter(s.time, -1), places, ways); /* before the hits due then */
        for (uint32_t i = 0; i < COUNT; i++)
            for (int k = 0; k < 3; k++) {
                cr_expect_float_eq(s.boxes[i].at[k], places[i][k], s.skins[i][k], "box %u is elsewhere", i);
                cr_expect_eq(s.boxes[i].by[k], ways[i][k], "box %u goes by %g, not %g", i, s.boxes[i].by[k], ways[i][k]);
            }
        gjb_step_free(&s);
    }
    gjb_step_free(&whole);
}

Test(step, has_the_same_bits_on_every_backend)
{
    gjb_step_box boxes[64];
    crowd(boxes, 3, 4, 9);
    gjb_step_settings settings = {
        .dim = 3, .response = GJB_RESPOND_REFLECT, .restitution = .9, .backend = "scalar"};
    gjb_step want = gjb_step_boxes(boxes, 64, &settings);
    for (size_t b = 0; b < gjb_backend_count; b++) {
        if (!gjb_backend_available(gjb_backends[b]->name))
            continue;
        settings.backend = gjb_backends[b]->name;
        gjb_step got = gjb_step_boxes(boxes, 64, &settings);
        cr_assert_eq(got.event_count, want.event_count);
        cr_expect_eq(memcmp(got.events, want.events, got.event_count * sizeof *got.events), 0, "%s",
                     settings.backend);
        cr_expect_eq(memcmp(got.boxes, want.boxes, 64 * sizeof *got.boxes), 0, "%s", settings.backend);
        gjb_step_free(&got);
    }
    const uint64_t print =
        gjb_fingerprint(want.events, want.event_count, sizeof *want.events, sizeof *want.events, 0);
    cr_expect_eq(print, 0x0459509cbb9afef2, "now 0x%016llx", (unsigned long long)print);
    gjb_step_free(&want);
}
