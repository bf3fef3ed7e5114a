/* Points and plates, exact alignment and far bodies in a step: none passes another. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes/generate/generate.h"
#include "stepping/step.h"
#include "stepping/tests/step_check.h"

Test(step_thin, two_in_line_do_not_change_places)
{
    static const double half[] = {0, 1e-300, 1e-17, 1e-13, 1e-12, 1e-9};
    for (int r = 0; r < GJB_RESPONSES; r++)
        for (size_t h = 0; h < sizeof half / sizeof *half; h++)
            for (size_t g = 0; g < 2; g++) {
                const double across = g ? 0 : half[h]; /* plates edge on, or points */
                const gjb_step_box boxes[] = {box2(0, 7, half[h], across, 1, 0, 1),
                                              box2(1, 7, half[h], across, -1, 0, 1)};
                const gjb_step_settings settings = {.dim = 2, .response = (gjb_response)r, .restitution = 1};
                char what[64];
                snprintf(what, sizeof what, "%s of %g", gjb_response_name((gjb_response)r), half[h]);
                gjb_step s = checked(boxes, 2, &settings, what);
                cr_assert_eq(s.event_count, 1, "%s: %zu events", what, s.event_count);
                cr_expect(s.events[0].axis == 0 && s.events[0].side == 1 && fabs(s.events[0].time - .5) < 1e-8);
                cr_expect(s.boxes[0].at[0] < s.boxes[1].at[0], "%s: they changed places", what);
                gjb_step_free(&s);
            }
}

Test(step_thin, plates_stop_plates_along_every_axis)
{
    for (unsigned axis = 0; axis < 3; axis++)
        for (int r = 0; r < GJB_RESPONSES; r++) {
            gjb_step_box boxes[2] = {{.inverse_mass = 1}, {.inverse_mass = 0}};
            for (unsigned k = 0; k < 3; k++)
                for (int b = 0; b < 2; b++) {
                    boxes[b].high[k] = k == axis ? 0 : 1;
                    boxes[b].low[k] = -boxes[b].high[k];
                }
            boxes[0].at[axis] = -2;
            boxes[0].by[axis] = 1e5;
            const gjb_step_settings settings = {.dim = 3, .response = (gjb_response)r, .restitution = .5};
            gjb_step s = checked(boxes, 2, &settings, "plates");
            cr_expect(s.event_count == 1 && s.events[0].axis == axis && s.boxes[0].at[axis] < 0);
            gjb_step_free(&s);
        }
}

Test(step_thin, what_has_landed_slides_over_thin_tiles)
{
    gjb_step_box boxes[9];
    for (int shape = 0; shape < 3; shape++) { /* a box, a plate, a point */
        boxes[0] = box2(0, 1, shape == 2 ? 0 : .5, shape ? 0 : .5, 6, -3, 1);
        for (int i = 0; i < 8; i++)
            boxes[1 + i] = box2(i, 0, .5, 0, 0, 0, 0);
        const gjb_step_settings settings = {.dim = 2, .response = GJB_RESPOND_SLIDE};
        gjb_step s = checked(boxes, 9, &settings, "tiles");
        cr_expect_eq(s.event_count, 1, "shape %d: %zu events", shape, s.event_count);
        cr_expect(s.boxes[0].at[0] == 6 && s.boxes[0].at[1] > 0, "it ended at %g", s.boxes[0].at[0]);
        gjb_step_free(&s);
    }
}

Test(step_thin, those_that_touch_may_part_and_slide)
{
    const gjb_step_box boxes[] = {box2(0, 0, 0, 1, 1, 0, 1), box2(0, 0, 0, 1, -1, 0, 1), /* the same place */
                                  box2(5, 0, 1, .5, 0, 0, 0), box2(5, .5, .25, 0, 1, 0, 1)};
    const gjb_step_settings settings = {.dim = 2, .response = GJB_RESPOND_SLIDE};
    gjb_step s = gjb_step_boxes(boxes, 4, &settings);
    cr_expect_eq(s.event_count, 0, "%zu events", s.event_count);
    gjb_step_free(&s);
}

Test(step_thin, what_is_far_or_fast_changes_nothing_elsewhere)
{
    gjb_step_box boxes[4] = {box2(0, 0, .5, .5, 1.5, 0, 1), box2(3, 0, .5, .5, 0, 0, 1),
                             box2(1e12, 1e12, 1, 1, 0, 0, 0), box2(-1e9, 50, 1, 1, 2e9, 0, 1)};
    for (int r = 0; r < GJB_RESPONSES; r++) {
        const gjb_step_settings settings = {.dim = 2, .response = (gjb_response)r, .restitution = 1};
        gjb_step s = checked(boxes, 4, &settings, "far"), alone = gjb_step_boxes(boxes, 2, &settings);
        cr_expect_eq(s.event_count, 0);
        boxes[0].by[0] = 4;
        gjb_step hit = checked(boxes, 4, &settings, "far, and a hit");
        gjb_step hit_alone = gjb_step_boxes(boxes, 2, &settings);
        cr_assert(hit.event_count == 1 && hit_alone.event_count == 1 && alone.event_count == 0);
        cr_expect_eq(memcmp(hit.events, hit_alone.events, sizeof *hit.events), 0);
        cr_expect_float_eq(hit.events[0].time, .5, 1e-9);
        boxes[0].by[0] = 1.5;
        gjb_step_free(&s);
        gjb_step_free(&alone);
        gjb_step_free(&hit);
        gjb_step_free(&hit_alone);
    }
}

/* A small one at rest becomes fast: its skin grows with what its places then round to. */
Test(step_thin, a_box_that_is_struck_hard_is_as_safe)
{
    const gjb_step_box boxes[] = {box2(-1e9, 0, 1, 1, 4e9, 0, 1e-6), box2(0, 0, 1e-6, 0, 0, 0, 1),
                                  box2(7e8, 0, 1e-6, 1, 0, 0, 0), box2(1e-5, 0, 1e-6, 0, 0, 0, 1)};
    const gjb_step_settings settings = {.dim = 2, .response = GJB_RESPOND_REFLECT, .restitution = 1};
    gjb_step s = checked(boxes, 4, &settings, "struck");
    cr_expect(s.event_count > 3 && s.boxes[1].at[0] < 7e8);
    gjb_step_free(&s);
}

/* ---- crowds ---- */

/* On a lattice, so that many are in line exactly: points, plates and boxes, some of them far away. */
static uint32_t crowd(gjb_step_box *boxes, unsigned dim, uint64_t seed)
{
    static const double half[] = {0, 0, 0, 1e-14, 1e-13, .25, .5};
    const uint32_t side = dim == 2 ? 7 : 4, count = dim == 2 ? 49 : 64;
    memset(boxes, 0, count * sizeof *boxes);
    for (uint32_t n = 0; n < count; n++) {
        gjb_random r = gjb_random_make(seed, 0x7468696e, n);
        const uint32_t cell[3] = {n % side, n / side % side, n / side / side};
        const int far = gjb_random_below(&r, 12) == 0;
        boxes[n].inverse_mass = gjb_random_below(&r, 6) ? (double)(1u << gjb_random_below(&r, 3)) : 0;
        for (unsigned k = 0; k < dim; k++) {
            boxes[n].high[k] = half[gjb_random_below(&r, 7)];
            boxes[n].low[k] = -boxes[n].high[k];
            boxes[n].at[k] = cell[k] + (far && k == seed % dim ? 1e9 : 0);
            boxes[n].by[k] = (double)gjb_random_below(&r, 7) - 3;
            if (gjb_random_below(&r, 4) == 0) /* out of line */
                boxes[n].by[k] += gjb_random_range(&r, -.5, .5);
        }
        if (far && seed % 2)
            boxes[n].by[seed % dim] = -1.5e9;
    }
    return count;
}

Test(step_thin, crowds_never_pass)
{
    gjb_step_box boxes[64];
    size_t events = 0;
    for (unsigned dim = 2; dim < 4; dim++)
        for (int r = 0; r < GJB_RESPONSES; r++)
            for (uint64_t seed = 0; seed < 40; seed++) {
                char what[64];
                snprintf(what, sizeof what, "%uD %s, seed %u", dim, gjb_response_name((gjb_response)r),
                         (unsigned)seed);
                const uint32_t count = crowd(boxes, dim, seed);
                const gjb_step_settings settings = {.dim = dim,
                                                    .response = (gjb_response)r,
                                                    .restitution = (double)(seed % 5) / 4,
                                                    .cap = seed % 7 == 3 ? 2 : 0};
                gjb_step s = checked(boxes, count, &settings, what);
                events += s.event_count;
                cr_expect_eq(s.overlapping, 0);
                gjb_step_free(&s);
            }
    cr_expect(events > 2000, "%zu events", events);
}
