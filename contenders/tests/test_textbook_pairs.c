/* The textbook methods on many pairs: agreement with the reference where pairs are easy, what
 * they get wrong as counts where not, and what a trace is told. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "contenders/harness.h"
#include "contenders/table.h"
#include "contenders/tests/scenes.h"
#include "contenders/textbook/textbook.h"
#include "reference/reference.h"
#include "scenes/generate/generate.h"

static gjb_answer ask(const char *name, const gjb_pair *pair)
{
    gjb_answer answer;
    const gjb_textbook *method = gjb_textbook_find(name);
    cr_assert_not_null(method, "%s", name);
    cr_assert_eq(gjb_textbook_walk(method, pair, NULL, &answer), 0);
    return answer;
}

/* --- against the reference ------------------------------------------------------------ */

/* What became of the pairs of a recipe. */
typedef struct tally {
    unsigned wrong; /* status, value, normal or points off by more than the method's tolerance */
    unsigned capped;
    unsigned off;    /* value off by more than S / 1000, or no number */
    unsigned turned; /* another status when A and B are exchanged */
} tally;

static double size_of(const gjb_pair *pair)
{
    return pair->dim == 2 ? gjb_pair_size2(&pair->as.plane) : gjb_pair_size3(&pair->as.space);
}

static double sigma_of(const gjb_pair *pair)
{
    return pair->dim == 2 ? ref_signed_distance2(&pair->as.plane).sigma
                          : ref_signed_distance3(&pair->as.space, NULL).sigma;
}

/* How far the normal proves the pair apart, or minus the depth that it proves. */
static double gap_along(const gjb_pair *pair, const double normal[3])
{
    long double error;
    return (double)(pair->dim == 2 ? ref_gap2(&pair->as.plane, normal, &error)
                                   : ref_gap3(&pair->as.space, normal, &error));
}

/* How far the witness points are from their shapes, and their difference from sigma times the normal. */
static double points_off(const gjb_pair *pair, const gjb_answer *r)
{
    double off = 0;
    for (int of_b = 0; of_b < 2; of_b++) {
        long double error;
        const double *point = of_b ? r->point_b : r->point_a;
        off = fmax(off, (double)(pair->dim == 2 ? ref_point_distance2(&pair->as.plane, of_b, point, &error)
                                                : ref_point_distance3(&pair->as.space, of_b, point, &error)));
    }
    for (int i = 0; i < 3; i++)
        off = fmax(off, fabs(r->point_b[i] - r->point_a[i] - r->sigma * r->normal[i]));
    return off;
}

static gjb_pair exchanged(const gjb_pair *pair)
{
    gjb_pair other = *pair;
    if (pair->dim == 2) {
        other.as.plane.a = pair->as.plane.b;
        other.as.plane.b = pair->as.plane.a;
    } else {
        other.as.space.a = pair->as.space.b;
        other.as.space.b = pair->as.space.a;
    }
    return other;
}

static void grade(const gjb_contender *contender, const gjb_pair *pair, tally *t)
{
    const gjb_answer r = ask(contender->name, pair);
    const gjb_pair other = exchanged(pair);
    t->turned += ask(contender->name, &other).status != r.status;
    const double sigma = sigma_of(pair), size = size_of(pair);
    const double rounding =
        256 * gjb_epsilon(contender->precisions >> GJB_F32 & 1 ? GJB_F32 : GJB_F64) * size;
    const int boolean = contender->queries == 1u << GJB_INTERSECT;
    const int has_value = !boolean && (r.status == GJB_OVERLAPPING ||
                                       (r.status == GJB_SEPARATED && contender->queries >> GJB_DISTANCE & 1));
    const double tolerance = rounding + contender->tau[GJB_PENETRATION];
    t->capped += r.status == GJB_ITERATION_LIMIT;
    t->off += has_value && !(fabs(r.sigma - sigma) <= 1e-3 * size);
    const int wrong_status =
        fabs(sigma) > tolerance && r.status != (sigma > 0 ? GJB_SEPARATED : GJB_OVERLAPPING);
    t->wrong +=
        wrong_status || r.status == GJB_ITERATION_LIMIT ||
        (has_value && !(fabs(r.sigma - sigma) <= tolerance &&
                        gap_along(pair, r.normal) >= sigma - tolerance && points_off(pair, &r) <= tolerance));
}

static tally run(const char *name, const char *workload, const char *family, uint64_t pairs)
{
    const gjb_contender *contender = gjb_contender_find(name);
    cr_assert_not_null(contender, "%s", name);
    const gjb_recipe recipe = {.workload = workload,
                               .family = family,
                               .seed = 4,
                               .precision = contender->precisions >> GJB_F32 & 1 ? GJB_F32 : GJB_F64,
                               .pairs = pairs,
                               .dim = contender->dims >> 2 & 1 ? 2 : 3};
    gjb_error error = {""};
    gjb_scene *scene = gjb_generate(&recipe, &error);
    cr_assert_not_null(scene, "%s", error.text);
    gjb_pair_space space = {0};
    tally t = {0, 0, 0, 0};
    for (uint64_t i = 0; i < pairs; i++) {
        gjb_pair pair;
        cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
        grade(contender, &pair, &t);
    }
    gjb_pair_space_free(&space);
    gjb_scene_free(scene);
    return t;
}

/* Counts of 500 pairs. Exact: no operation but correctly rounded ones. */
typedef struct expected {
    const char *name, *workload, *family;
    tally t;
} expected;

static void check_counts(const expected *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const expected *e = &rows[i];
        const tally t = run(e->name, e->workload, e->family, 500);
        cr_expect(memcmp(&t, &e->t, sizeof t) == 0,
                  "{\"%s\", \"%s\", \"%s\", {%u, %u, %u, %u}}, was %u %u %u %u", e->name, e->workload,
                  e->family, t.wrong, t.capped, t.off, t.turned, e->t.wrong, e->t.capped, e->t.off,
                  e->t.turned);
    }
}

/* Right within what the method itself promises: a tolerance of 0.05 leaves 61 depths off by more than
 * S / 1000. */
Test(textbook_pairs, easy_pairs_are_right)
{
    static const expected rows[] = {
        {"textbook-gjk2", "polygon8", "mixed", {0, 0, 0, 0}},
        {"textbook-gjk2", "mixed-kinds", "mixed", {0, 0, 0, 0}},
        {"textbook-gjk2", "circle", "deep", {0, 0, 0, 0}},
        {"textbook-epa2", "polygon8", "mixed", {0, 0, 61, 0}},
        {"textbook-epa2-tight", "polygon8", "mixed", {0, 0, 0, 0}},
        {"textbook-dist2-nearer", "polygon8", "deep", {0, 0, 0, 0}},
        {"textbook-gjk3", "hull16", "mixed", {0, 0, 0, 0}},
        {"textbook-gjk3", "mixed-kinds", "mixed", {0, 0, 0, 0}},
        {"textbook-epa3-front", "hull16", "mixed", {0, 0, 0, 0}},
    };
    check_counts(rows, sizeof rows / sizeof rows[0]);
}

/* Wrong answers, iterations without end, values of no use, answers that turn on the order of A and B. */
Test(textbook_pairs, known_weaknesses)
{
    static const expected rows[] = {
        {"textbook-gjk2", "segment", "contained", {280, 0, 0, 239}},
        {"textbook-gjk2", "box", "identical", {243, 0, 0, 49}},
        {"textbook-gjk2", "polygon4", "identical", {139, 0, 0, 15}},
        {"textbook-epa2", "polygon8", "touching", {250, 20, 250, 7}},
        {"textbook-epa2", "polygon8", "deep", {0, 0, 136, 0}},
        {"textbook-epa2", "polygon8", "tiny", {0, 0, 187, 0}},
        {"textbook-epa2-tight", "polygon8", "tiny", {0, 0, 187, 0}},
        {"textbook-dist2", "circle", "near", {500, 493, 0, 13}},
        {"textbook-dist2", "polygon8", "mixed", {55, 55, 0, 58}},
        {"textbook-dist2-nearer", "circle", "near", {500, 0, 0, 0}},
        {"textbook-dist2-nearer", "polygon8", "mixed", {2, 2, 0, 7}},
        {"textbook-dist2-nearer", "polygon8", "near", {27, 25, 0, 46}},
        {"textbook-dist2", "polygon8", "needle", {107, 72, 2, 67}},
        {"textbook-gjk3", "box", "touching", {0, 0, 0, 31}},
        {"textbook-gjk3", "box", "identical", {202, 1, 0, 42}},
        {"textbook-epa3", "hull16", "deep", {213, 213, 0, 87}},
        {"textbook-epa3-front", "hull16", "deep", {0, 0, 0, 0}},
        {"textbook-epa3-front", "hull16", "tiny", {1, 0, 255, 0}},
    };
    check_counts(rows, sizeof rows / sizeof rows[0]);
}

/* --- the walk ------------------------------------------------------------------------------ */

/* What a step must hold, whatever the pair. */
typedef struct watcher {
    const gjb_pair *pair;
    double size;
    unsigned steps;
} watcher;

static double product(const double p[3], const double q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

static void check_vertex(const gjb_trace_vertex *v, double tolerance)
{
    for (int i = 0; i < 3; i++)
        cr_assert(fabs(v->w[i] - (v->a[i] - v->b[i])) <= tolerance);
}

static void watch(void *user, const gjb_trace_step *step)
{
    watcher *w = user;
    const double tolerance = gjb_epsilon(w->pair->dim == 2 ? GJB_F64 : GJB_F32) * 64 * w->size;
    w->steps++;
    cr_assert(step->method != NULL && step->text != NULL && step->text[strlen(step->text) - 1] != '.');
    for (uint32_t i = 0; i < step->vertex_count; i++)
        check_vertex(&step->vertices[i], tolerance);
    for (uint32_t i = 0; i < step->feature_count; i++)
        cr_assert_lt(step->feature[i], step->vertex_count);
    for (uint32_t i = 0; i < step->face_count; i++)
        for (uint32_t k = 0; k < 3; k++)
            cr_assert(k >= w->pair->dim ? step->faces[i][k] == UINT32_MAX
                                        : step->faces[i][k] < step->vertex_count);
    if (step->has_support) {
        check_vertex(&step->support, tolerance);
        const double length = sqrt(product(step->direction, step->direction));
        for (uint32_t i = 0; i < step->vertex_count && length > 0; i++)
            cr_assert_leq(product(step->vertices[i].w, step->direction) / length,
                          product(step->support.w, step->direction) / length + tolerance);
    }
    cr_assert(!step->has_lower && !step->has_upper);
}

/* Every step of every method: w = a - b, a support is the farthest of what is there, and no bound
 * is claimed. Watching changes nothing. */
Test(textbook_pairs, steps_hold_what_they_say)
{
    for (size_t m = 0; m < gjb_textbook_count; m++) {
        const gjb_textbook *method = &gjb_textbooks[m];
        const gjb_recipe recipe = {.workload = "mixed-kinds",
                                   .family = "mixed",
                                   .seed = 9,
                                   .precision = method->dim == 2 ? GJB_F64 : GJB_F32,
                                   .pairs = 300,
                                   .dim = method->dim};
        gjb_error error = {""};
        gjb_scene *scene = gjb_generate(&recipe, &error);
        cr_assert_not_null(scene, "%s", error.text);
        gjb_pair_space space = {0};
        unsigned steps = 0;
        for (uint64_t i = 0; i < recipe.pairs; i++) {
            gjb_pair pair;
            gjb_answer watched, alone;
            cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
            watcher w = {&pair, size_of(&pair), 0};
            const gjb_trace trace = {watch, &w};
            gjb_textbook_walk(method, &pair, NULL, &alone);
            gjb_textbook_walk(method, &pair, &trace, &watched);
            cr_assert(memcmp(&watched, &alone, sizeof alone) == 0, "%s, pair %u", method->name, (unsigned)i);
            cr_assert_geq(w.steps, 2);
            steps += w.steps;
        }
        cr_assert_gt(steps, 3 * recipe.pairs, "%s", method->name);
        gjb_pair_space_free(&space);
        gjb_scene_free(scene);
    }
}

/* Of a distance alone, the walk goes on to the depth where the contender stops. */
static void check_record(const gjb_contender *contender, gjb_query query, const gjb_pair *pair,
                         const char *record)
{
    const gjb_precision precision = pair->dim == 2 ? GJB_F64 : GJB_F32;
    const gjb_answer r = ask(contender->name, pair);
    gjb_result3d alone;
    if (query == GJB_DISTANCE && r.status != GJB_SEPARATED)
        return;
    gjb_answer_write(query, precision, pair->dim, &r, (char *)&alone);
    cr_assert(memcmp(record, &alone, gjb_result_size(query, precision, pair->dim)) == 0, "%s",
              contender->name);
}

/* A pair asked for by itself and the contender in its process give the same bits. */
Test(textbook_pairs, contenders_answer_as_the_walk_does)
{
    enum { BODIES = 60, REACH = 4, PAIRS = BODIES * REACH };
    for (size_t m = 0; m < gjb_textbook_count; m++) {
        static gjb_result3d results[PAIRS];
        const gjb_contender *contender = gjb_contender_find(gjb_textbooks[m].name);
        const uint32_t dim = gjb_textbooks[m].dim;
        const gjb_precision precision = dim == 2 ? GJB_F64 : GJB_F32;
        gjb_scene *scene =
            dim == 2 ? test_spiral(precision, BODIES, REACH) : test_spiral3(precision, BODIES, REACH);
        gjb_error error = {""};
        gjb_session *session = gjb_session_open(contender, NULL, scene, 1, &error);
        cr_assert_not_null(session, "%s", error.text);
        gjb_pair_space space = {0};
        for (int query = 0; query < GJB_STILL_QUERIES; query++) {
            if (!(contender->queries >> query & 1))
                continue;
            cr_assert_eq(gjb_session_run(session, (gjb_query)query, 0, 0, PAIRS, 0, 1, results, NULL), 0);
            for (uint64_t i = 0; i < PAIRS; i++) {
                gjb_pair pair;
                cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
                check_record(contender, (gjb_query)query, &pair,
                             (const char *)results + i * gjb_result_size((gjb_query)query, precision, dim));
            }
        }
        gjb_pair_space_free(&space);
        gjb_session_close(session);
        gjb_scene_free(scene);
    }
}
