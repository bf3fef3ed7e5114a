/* Half-spaces in the kernels: no matter the size of a call, its other pairs or the backend; refusals; no other pair
 * gets another answer because one is there. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simd/tests/answers.h"

enum { PAIRS = 300 };

static const gjb_recipe recipes[] = {
    {.workload = "halfspace", .family = "mixed", .dim = 2, .pairs = PAIRS, .seed = 3, .margin = 0.5},
    {.workload = "halfspace", .family = "touching", .dim = 3, .pairs = PAIRS, .seed = 4, .margin = 0.5},
    {.workload = "halfspace", .family = "approach-spin", .dim = 2, .pairs = PAIRS, .seed = 5},
    {.workload = "halfspace", .family = "approach-turn", .dim = 3, .pairs = PAIRS, .seed = 6},
};
enum { RECIPES = sizeof recipes / sizeof *recipes };

/* Every backend and precision, and the queries about pairs like the family's, at rest or in motion. */
static void each(gjb_recipe recipe, answers_case *body)
{
    const unsigned moving = gjb_family_find(recipe.family)->moving;
    for (size_t b = 0; b < gjb_backend_count; b++)
        for (int p = 0; p < GJB_PRECISIONS; p++)
            for (int q = 0; q < GJB_QUERIES; q++) {
                if (!gjb_backend_available(gjb_backends[b]->name) ||
                    (gjb_queries[q].moving != GJB_AT_REST) != (moving != GJB_AT_REST))
                    continue;
                recipe.precision = (gjb_precision)p;
                gjb_scene *scene = answers_scene(&recipe);
                body(scene, gjb_backends[b]->name, (gjb_query)q);
                gjb_scene_free(scene);
            }
}

Test(halfspace, any_call_gives_the_same_bits)
{
    for (size_t i = 0; i < RECIPES; i++) {
        answers_each_many(recipes[i], answers_in_calls);
        answers_each_many(recipes[i], answers_in_a_crowd);
    }
}

static void expect_answered(gjb_scene *scene, const char *backend, gjb_query query)
{
    const answers all = answers_all(scene, backend, query);
    const int refused = query == GJB_SWEEP;
    for (size_t p = 0; p < PAIRS; p++) {
        const unsigned status = answers_status(&all, p);
        cr_assert(refused ? status == GJB_UNSUPPORTED
                          : status == GJB_SEPARATED || status == GJB_OVERLAPPING || status == GJB_HIT,
                  "%s, %s, pair %d: %s", backend, gjb_queries[query].name, (int)p, gjb_status_name(status));
    }
    answers_expect_plain_numbers(&all, PAIRS, (gjb_precision)scene->shapes.precision,
                                 gjb_queries[query].name);
    free(all.results);
}

Test(halfspace, all_but_sweep_answers)
{
    for (size_t i = 0; i < RECIPES; i++)
        each(recipes[i], expect_answered);
}

static void set(const void *values, uint32_t precision, uint64_t i, double x)
{
    if (precision == GJB_F32)
        ((float *)values)[i] = (float)x;
    else
        ((double *)values)[i] = x;
}

static uint32_t plane_of(const gjb_scene *scene, size_t pair)
{
    const uint32_t *bodies = scene->frames[0].pairs + 2 * pair;
    const uint32_t first = scene->body_shape ? scene->body_shape[bodies[0]] : bodies[0];
    const uint32_t second = scene->body_shape ? scene->body_shape[bodies[1]] : bodies[1];
    return gjb_is_unbounded(scene->shapes.kind[first]) ? first : second;
}

/* A normal of 0, one that is not finite, an offset that is none: that pair is refused, and no other answer changes. */
static void expect_one_refused(gjb_scene *scene, const char *backend, gjb_query query)
{
    static const double bad[] = {INFINITY, NAN};
    const answers before = answers_all(scene, backend, query);
    for (int how = 0; how < 3; how++) {
        const uint32_t shape = plane_of(scene, 7), dim = scene->shapes.dim;
        const uint64_t first = (uint64_t)dim * scene->shapes.first[shape];
        double kept[4];
        for (uint32_t k = 0; k <= dim; k++)
            kept[k] = scene->shapes.precision == GJB_F32
                          ? (double)((const float *)scene->shapes.rows)[first + k]
                          : ((const double *)scene->shapes.rows)[first + k];
        for (uint32_t k = 0; k < dim && how == 0; k++)
            set(scene->shapes.rows, scene->shapes.precision, first + k, 0);
        if (how > 0)
            set(scene->shapes.rows, scene->shapes.precision, first + (how == 1 ? 0 : dim), bad[how - 1]);
        const answers after = answers_all(scene, backend, query);
        answers_expect_one_refused(&before, &after, PAIRS, 7, gjb_queries[query].name);
        free(after.results);
        for (uint32_t k = 0; k <= dim; k++)
            set(scene->shapes.rows, scene->shapes.precision, first + k, kept[k]);
    }
    free(before.results);
}

Test(halfspace, what_is_no_plane_is_refused_alone)
{
    for (size_t i = 0; i < RECIPES; i++)
        each(recipes[i], expect_one_refused);
}

/* A pair of two, next to others. */
static void expect_two_unsupported(gjb_scene *scene, const char *backend, gjb_query query)
{
    const uint32_t other = scene->frames[0].pairs[0];
    for (int side = 0; side < 2; side++) {
        const uint32_t *bodies = scene->frames[0].pairs + 2 * 5;
        if (plane_of(scene, 5) == (scene->body_shape ? scene->body_shape[bodies[side]] : bodies[side]))
            scene->frames[0].pairs[2 * 5 + (size_t)!side] = bodies[side];
    }
    const answers all = answers_all(scene, backend, query);
    cr_assert_eq(answers_status(&all, 5), GJB_UNSUPPORTED, "%s, %s", backend, gjb_queries[query].name);
    cr_assert_eq(scene->frames[0].pairs[0], other);
    free(all.results);
}

Test(halfspace, two_are_unsupported)
{
    for (size_t i = 0; i < RECIPES; i++)
        each(recipes[i], expect_two_unsupported);
}
