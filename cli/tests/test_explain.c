/* Every bound that `explain` prints and every proof at its end, of every method, against the exact
 * oracle: on pairs far from the origin, huge and tiny ones too, where supports in world coordinates
 * are off A - B. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bugs/explain_pair.h"
#include "contenders/table.h"
#include "contenders/textbook/textbook.h"
#include "reference/reference.h"
#include "scenes/generate/generate.h"

enum { PAIRS = 24 };

typedef struct interval {
    double lo, hi;
} interval;

static interval exact(const gjb_pair *pair)
{
    ref_exact plane;
    ref_exact3 space;
    if (pair->dim == 2)
        return ref_oracle2(&pair->as.plane, &plane), (interval){plane.lo, plane.hi};
    return ref_oracle3(&pair->as.space, &space), (interval){space.lo, space.hi};
}

/* What was met with, so that the test cannot pass by proving nothing. */
typedef struct counts {
    unsigned lower, upper, gaps, inner, above, printed;
} counts;

typedef struct subject {
    const char *name;
    const gjb_pair *pair;
    interval sigma, cores;
    double slack; /* of the reference, whose own bounds hold up to rounding */
    counts *met;
} subject;

/* "sigma >= X", "sigma <= X", "X <= sigma": six digits are printed. */
static void check_words(const subject *s, const char *words, interval sigma)
{
    for (const char *at = words; (at = strstr(at, "sigma")) != NULL; at++) {
        double bound;
        const int low = sscanf(at, "sigma >= %lf", &bound) == 1;
        if (!low && sscanf(at, "sigma <= %lf", &bound) != 1 &&
            sscanf(at, "sigma of the cores <= %lf", &bound) != 1)
            continue;
        const double digits = 5.1e-6 * fabs(bound) + s->slack;
        s->met->printed++;
        cr_assert(low ? bound <= sigma.hi + digits : bound >= sigma.lo - digits,
                  "%s, sigma in [%.17g, %.17g]: '%.60s'", s->name, sigma.lo, sigma.hi, at);
    }
    double bound;
    if (sscanf(words, "%lf <= sigma", &bound) == 1) {
        s->met->printed++;
        cr_assert(bound <= sigma.hi + 5.1e-6 * fabs(bound) + s->slack, "%s, sigma in [%.17g, %.17g]: '%.60s'",
                  s->name, sigma.lo, sigma.hi, words);
    }
}

static void check_steps(const subject *s, const walk *steps)
{
    const explained e = {.pair = s->pair, .walk = steps, .title = "", .note = ""};
    for (size_t k = 0; k < steps->count; k++) {
        const gjb_trace_step *step = &steps->steps[k];
        explain_lines lines;
        s->met->lower += (unsigned)step->has_lower;
        s->met->upper += (unsigned)step->has_upper;
        cr_assert(!step->has_lower || step->lower <= s->cores.hi + s->slack,
                  "%s, step %zu: %.17g <= sigma = %.17g", s->name, k + 1, step->lower, s->cores.hi);
        cr_assert(!step->has_upper || step->upper >= s->cores.lo - s->slack,
                  "%s, step %zu: %.17g >= sigma = %.17g", s->name, k + 1, step->upper, s->cores.lo);
        explain_step(&e, k, &lines);
        for (size_t line = 0; line < lines.count; line++)
            if (!strcmp(lines.line[line].term, "bounds"))
                check_words(s, lines.line[line].words, s->cores);
    }
}

static void check_proof(const subject *s, const explain_proof *proof, const explain_lines *lines)
{
    cr_assert(isnan(proof->gap) || proof->gap <= s->sigma.hi, "%s: gap %.17g, sigma %.17g", s->name,
              proof->gap, s->sigma.hi);
    cr_assert(isnan(proof->axis_gap) || proof->axis_gap <= s->sigma.hi, "%s: axis %.17g, sigma %.17g",
              s->name, proof->axis_gap, s->sigma.hi);
    cr_assert(isnan(proof->above) || proof->above >= s->sigma.lo, "%s: above %.17g, sigma %.17g", s->name,
              proof->above, s->sigma.lo);
    cr_assert(isnan(proof->inner) || -proof->inner >= s->sigma.lo - s->slack, "%s: inner %.17g, sigma %.17g",
              s->name, proof->inner, s->sigma.lo);
    s->met->gaps += !isnan(proof->gap) || !isnan(proof->axis_gap);
    s->met->inner += !isnan(proof->inner);
    s->met->above += !isnan(proof->above);
    for (size_t line = 0; line < lines->count; line++)
        if (strcmp(lines->line[line].term, "exact"))
            check_words(s, lines->line[line].words, s->sigma);
}

/* As the command does. */
static void check_pair(const char *name, const explain_pair *from, counts *met)
{
    explain_pair pair = *from;
    explain_method method;
    explain_proof proof;
    gjb_query query;
    gjb_answer answer = {.status = GJB_UNWRITTEN};
    gjb_result result;
    char mishap[GJB_MISHAP_TEXT];
    gjb_error error = {{0}};
    walk steps = {0};
    explain_lines lines = {.count = 0};
    pair.space = (gjb_pair_space){0};
    cr_assert_eq(explain_method_choose(name, NULL, &pair, &method, &query, &error), 0, "%s", error.text);
    pair.scene = gjb_scene_convert(from->scene, (gjb_precision)from->scene->shapes.precision);
    cr_assert_not_null(pair.scene);
    cr_assert_eq(gjb_scene_pair(pair.scene, 0, pair.index, &pair.space, &pair.pair), 0);
    cr_assert_eq(
        explain_pair_round(&pair, method.contender->precisions >> GJB_F64 & 1 ? GJB_F64 : GJB_F32, &error), 0,
        "%s", error.text);
    const gjb_trace trace = walk_trace(&steps);
    const int asked = explain_is_asked(&method);
    if (asked)
        cr_assert_eq(explain_ask(&method, &pair, query, &answer, &result, mishap, &error), 0, "%s", error.text);
    else
        cr_assert_eq(method.walk(&method, &pair.pair, query, &trace, &answer), 0);
    if (!method.proves)
        explain_bound_steps(&pair.pair, &steps);
    cr_assert_eq(explain_proof_make(&pair, &method, query, &answer, asked ? &result : NULL, &steps, &proof, &error),
                 0, "%s", error.text);
    cr_assert_eq(steps.count == 0, asked);
    explain_proof_tell(&proof, &pair, &method, &answer, &steps, &lines);
    const gjb_pair cores = explain_cores(&pair.pair);
    const subject s = {
        name, &pair.pair, exact(&pair.pair), exact(&cores), method.proves ? 8 * DBL_EPSILON * proof.size : 0,
        met};
    check_steps(&s, &steps);
    check_proof(&s, &proof, &lines);
    walk_free(&steps);
    explain_pair_close(&pair);
}

static void check_recipe(const char *name, const gjb_recipe *recipe, counts *met)
{
    gjb_error error = {{0}};
    explain_pair pair = {.scene = gjb_generate(recipe, &error)};
    cr_assert_not_null(pair.scene, "%s %s: %s", recipe->workload, recipe->family, error.text);
    for (pair.index = 0; pair.index < PAIRS; pair.index++) {
        cr_assert_eq(gjb_scene_pair(pair.scene, 0, pair.index, &pair.space, &pair.pair), 0);
        check_pair(name, &pair, met);
    }
    explain_pair_close(&pair);
}

static void check_method(const char *name, uint32_t dim)
{
    static const char *const families[] = {"far-origin", "huge", "tiny", "mixed"};
    static const char *const workloads[2][2] = {{"polygon8", "mixed-kinds"}, {"hull16", "mixed-kinds"}};
    counts met = {0};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (int w = 0; w < 2; w++)
            for (int precision = 0; precision < GJB_PRECISIONS; precision++)
                check_recipe(name,
                             &(gjb_recipe){.workload = workloads[dim - 2][w],
                                           .family = families[f],
                                           .seed = 11,
                                           .precision = (gjb_precision)precision,
                                           .pairs = PAIRS,
                                           .dim = dim},
                             &met);
    if (!strcmp(name, "batch")) {
        cr_assert(!met.lower && !met.upper && met.gaps > 4 * PAIRS && met.inner > PAIRS && met.printed > 8 * PAIRS,
                  "%u gaps, %u inner, %u printed", met.gaps, met.inner, met.printed);
        return;
    }
    const int reference = !strcmp(name, "reference");
    cr_assert(met.lower > 16 * PAIRS && met.gaps > 4 * PAIRS && met.inner > PAIRS && met.printed > 16 * PAIRS,
              "%s: %u lower, %u gaps, %u inner, %u printed", name, met.lower, met.gaps, met.inner,
              met.printed);
    cr_assert(reference ? met.upper > 16 * PAIRS : !met.upper, "%s: %u upper", name, met.upper);
}

Test(explain_bounds, the_reference_proves_what_is_so)
{
    check_method("reference", 2);
    check_method("reference", 3);
}

Test(explain_bounds, of_textbook_methods_what_is_proven_is_so)
{
    for (size_t m = 0; m < gjb_textbook_count; m++)
        check_method(gjb_textbooks[m].name, gjb_textbooks[m].dim);
}

Test(explain_bounds, of_a_contender_that_is_asked_what_is_proven_is_so)
{
    check_method("batch", 2);
    check_method("batch", 3);
}

/* Two boxes with supports that are off: in f32 at 1e7 a method's own walk would prove nonsense. */
Test(explain_bounds, a_pair_is_rounded_before_it_is_walked)
{
    static const double half[1][3] = {{1, 1, 1}};
    gjb_error error = {{0}};
    explain_pair pair = {.scene = gjb_scene_new(3, GJB_F64, 1, 1, 2, 1)};
    cr_assert_not_null(pair.scene);
    gjb_scene_set_shape(pair.scene, 0, GJB_BOX, 0, 1, half, 0);
    gjb_scene_set_pose3(pair.scene, 0, 0, (gjb_pose3d){1e7, 0, 0, 0, 0, 0, 1});
    gjb_scene_set_pose3(pair.scene, 0, 1, (gjb_pose3d){1e7 + 2.4, 0, 0, 0, 0, 0, 1});
    pair.scene->frames[0].pairs[0] = 0;
    pair.scene->frames[0].pairs[1] = 1;
    cr_assert_eq(gjb_scene_pair(pair.scene, 0, 0, &pair.space, &pair.pair), 0);
    cr_assert_eq(explain_pair_round(&pair, GJB_F64, &error), 0);
    cr_assert(!pair.rounded && exact(&pair.pair).lo > 0.39);
    cr_assert_eq(explain_pair_round(&pair, GJB_F32, &error), 0);
    cr_assert(pair.rounded && pair.scene->shapes.precision == GJB_F32 && exact(&pair.pair).hi == 0);
    explain_pair_close(&pair);
}
