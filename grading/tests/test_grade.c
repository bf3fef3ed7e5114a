/* The grader itself: its bounds against the oracle, its measures against the
 * reference's certificates, and its verdict on answers spoilt on purpose. */
#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#include "core/tests/one_in.h"
#include "grading/bounds_private.h"
#include "grading/grade.h"
#include "reference/reference.h"
#include "scenes/generate/generate.h"

enum { PAIRS = UNDER_SANITIZERS ? 8 : 24 };
static const char *const workloads[] = {"point",     "segment",   "capsule",          "box",    "polygon3",
                                        "polygon8",  "polygon64", "rounded-polygon8", "sphere", "triangle",
                                        "hull4",     "hull16",    "hull64",           "rounded-hull8",
                                        "mixed-kinds"};

typedef void visitor(gjb_truth *truth, uint64_t *count, const char *where);

static void for_scene(const gjb_recipe *recipe, visitor *visit, gjb_truth *truth, uint64_t *count)
{
    gjb_error error = {{0}};
    gjb_pair_space space = {0};
    gjb_scene *scene = gjb_generate(recipe, &error);
    cr_assert(scene, "%s", error.text);
    for (uint64_t i = 0; i < PAIRS; i++) {
        char where[128];
        gjb_pair pair;
        snprintf(where, sizeof where, "%uD %s %s %s pair %d", (unsigned)recipe->dim, recipe->workload, recipe->family,
                 gjb_precision_name(recipe->precision), (int)i);
        cr_assert(!gjb_scene_pair(scene, 0, i, &space, &pair) && !gjb_truth_open(truth, &pair));
        visit(truth, count, where);
    }
    gjb_scene_free(scene);
    gjb_pair_space_free(&space);
}

/* Every pair of every workload and family of both dimensions, with its truth opened. */
static uint64_t for_pairs(visitor *visit)
{
    uint64_t count = 0;
    gjb_truth truth = {0};
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
            for (size_t f = 0; f < gjb_family_count; f++)
                for (int precision = 0; precision < GJB_PRECISIONS; precision++) {
                    const gjb_recipe recipe = {.dim = dim,
                                               .precision = (gjb_precision)precision,
                                               .seed = 3,
                                               .pairs = PAIRS,
                                               .family = gjb_families[f].name,
                                               .workload = workloads[w]};
                    if (gjb_family_has(&gjb_families[f], dim, workloads[w]))
                        for_scene(&recipe, visit, &truth, &count);
                }
    gjb_truth_close(&truth);
    return count;
}

/* The reference, of either dimension; the third coordinates are 0 in 2D. */
static ref_answer3 reference_of(const gjb_pair *pair)
{
    if (pair->dim == 3)
        return ref_signed_distance3(&pair->as.space, NULL);
    const ref_answer flat = ref_signed_distance2(&pair->as.plane);
    return (ref_answer3){.status = flat.status,
                         .sigma = flat.sigma,
                         .normal = {flat.normal[0], flat.normal[1], 0},
                         .point_a = {flat.point_a[0], flat.point_a[1], 0},
                         .point_b = {flat.point_b[0], flat.point_b[1], 0}};
}

static long double reference_gap(const gjb_pair *pair, const double n[3], long double *error)
{
    return pair->dim == 2 ? ref_gap2(&pair->as.plane, n, error) : ref_gap3(&pair->as.space, n, error);
}

static long double reference_distance(const gjb_pair *pair, int of_b, const double point[3], long double *error)
{
    return pair->dim == 2 ? ref_point_distance2(&pair->as.plane, of_b, point, error)
                          : ref_point_distance3(&pair->as.space, of_b, point, error);
}

static uint64_t wide, checked;

static void compare_bounds(gjb_truth *truth, uint64_t *count, const char *where)
{
    double lo = truth->lo, hi = truth->hi;
    gjb_truth_exact(truth);
    cr_expect(!truth->conflict, "%s: certificate [%.17g, %.17g], oracle [%.17g, %.17g]", where, lo, hi,
              truth->lo, truth->hi);
    wide += hi - lo > 0x1p-54 * truth->size + 4 * 0x1p-53 * fabs(hi); /* rounded outwards, to doubles */
    checked++;
    ++*count;
}

Test(grade, bounds_hold_the_oracle_and_are_narrow, .timeout = 120)
{
    cr_expect(for_pairs(compare_bounds) > 0);
    cr_expect(wide * 300 < checked, "%llu of %llu bounds are wider than half an eps S", (unsigned long long)wide,
              (unsigned long long)checked);
}

static void compare_measures(gjb_truth *truth, uint64_t *count, const char *where)
{
    const gjb_pair *pair = truth->pair;
    const ref_answer3 guess = reference_of(pair);
    for (int k = 0; k < 8; k++) {
        const double angle = 0.785 * k + (double)(*count % 97), slope = pair->dim == 2 ? 0 : cos(5 * angle);
        const double n[3] = {cos(angle), sin(angle), slope};
        const double spread = k < 4 ? 0.5 * truth->size : 1e-7 * truth->size;
        double point[3];
        long double direction[3], at[3], error;
        for (int axis = 0; axis < 3; axis++) {
            point[axis] = guess.point_a[axis] + spread * n[axis];
            direction[axis] = n[axis];
            at[axis] = point[axis];
        }
        long double gap = reference_gap(pair, n, &error), mine = gjb_support_gap(&truth->placed, direction);
        cr_expect(fabsl(gap - mine) <= error + truth->placed.error, "%s: gap %Lg, %Lg", where, mine, gap);
        for (int of_b = 0; of_b < 2; of_b++) {
            long double distance = reference_distance(pair, of_b, point, &error);
            mine = gjb_point_distance(&truth->placed, of_b, at);
            cr_expect(fabsl(distance - mine) <= error + truth->placed.error, "%s: point distance %Lg, %Lg",
                      where, mine, distance);
        }
    }
    ++*count;
}

Test(grade, measures_agree_with_the_reference, .timeout = 120)
{
    cr_expect(for_pairs(compare_measures) > 0);
}

/* A right answer, then one fault at a time. */
typedef struct spoil {
    const char *name;
    gjb_fault fault;
    void (*spoil)(gjb_result *r, double by);
} spoil;

static void flip(gjb_result *r, double by)
{
    (void)by;
    r->status = r->status == GJB_SEPARATED ? GJB_OVERLAPPING : GJB_SEPARATED;
}
static void more(gjb_result *r, double by)
{
    r->value += by;
}
static void less(gjb_result *r, double by)
{
    r->value -= by;
}
static void opposite(gjb_result *r, double by)
{
    (void)by;
    for (int k = 0; k < 3; k++)
        r->normal[k] = 0.0 - r->normal[k];
}
static void lengthen(gjb_result *r, double by)
{
    (void)by;
    for (int k = 0; k < 3; k++)
        r->normal[k] *= 1 + 1e-6;
}
static void shift_both(gjb_result *r, double by)
{
    double sign = r->value < 0 ? -1 : 1; /* out of A */
    for (int k = 0; k < 3; k++) {
        r->point_a[k] += sign * by * r->normal[k] * 2;
        r->point_b[k] += sign * by * r->normal[k] * 2;
    }
}
static void shift_one(gjb_result *r, double by)
{
    r->point_b[0] += 2 * by;
}
static void not_a_number(gjb_result *r, double by)
{
    (void)by;
    r->point_b[2] = NAN;
}
static void cap(gjb_result *r, double by)
{
    (void)by;
    r->status = GJB_ITERATION_LIMIT;
}
static void refuse(gjb_result *r, double by)
{
    (void)by;
    r->status = GJB_INVALID_INPUT;
}
static void leave(gjb_result *r, double by)
{
    (void)by;
    r->status = GJB_UNWRITTEN;
}

static const spoil spoils[] = {{"flip", GJB_FAULT_BOOLEAN, flip},
                               {"more", GJB_FAULT_VALUE, more},
                               {"less", GJB_FAULT_VALUE, less},
                               {"opposite", GJB_FAULT_NORMAL, opposite},
                               {"lengthen", GJB_FAULT_LENGTH, lengthen},
                               {"shift both", GJB_FAULT_WITNESS, shift_both},
                               {"shift one", GJB_FAULT_WITNESS, shift_one},
                               {"nan", GJB_FAULT_NAN, not_a_number},
                               {"cap", GJB_FAULT_CAPPED, cap},
                               {"refuse", GJB_FAULT_REFUSED, refuse},
                               {"leave", GJB_FAULT_UNWRITTEN, leave}};

static void spoil_answers(gjb_truth *truth, uint64_t *count, const char *where)
{
    const gjb_tolerance granted = {.k = 64, .epsilon = 0x1p-53, .ours = 1};
    double tolerance = gjb_tolerance_of(&granted, truth->size);
    ref_answer3 answer = reference_of(truth->pair);
    gjb_result right = {.status = answer.status, .value = answer.sigma + 0.0};
    for (int k = 0; k < 3; k++) {
        right.normal[k] = answer.normal[k] + 0.0;
        right.point_a[k] = answer.point_a[k] + 0.0;
        right.point_b[k] = answer.point_b[k] + 0.0;
    }
    gjb_grade grade = gjb_grade_result(GJB_SIGNED_DISTANCE, truth, &right, &granted);
    cr_expect(grade.verdict == GJB_RIGHT, "%s: a right answer is called %s", where,
              gjb_fault_name(grade.fault));
    if (fabs(answer.sigma) <= 1e-3 * truth->size)
        return; /* in the band a flipped boolean or normal may pass */
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        gjb_result wrong = right;
        spoils[i].spoil(&wrong, 1.5 * tolerance);
        grade = gjb_grade_result(GJB_SIGNED_DISTANCE, truth, &wrong, &granted);
        /* Both points shifted along the normal may stay inside deep shapes. */
        if (spoils[i].spoil == shift_both && answer.sigma < 0)
            continue;
        /* The opposite of a depth's axis may be as good; its witness points then are not. */
        int fault = grade.fault == spoils[i].fault ||
                    (spoils[i].spoil == opposite && grade.fault == GJB_FAULT_WITNESS && answer.sigma < 0);
        char text[GJB_FAULT_TEXT];
        const int by_length = strstr(gjb_fault_text(&grade, text), "normal's length is 1 +") != NULL;
        cr_expect_eq(by_length, spoils[i].spoil == lengthen, "%s: %s is reported as: %s", where, spoils[i].name,
                     text);
        cr_expect(grade.verdict == GJB_WRONG && fault, "%s: %s passed as %s", where, spoils[i].name,
                  gjb_fault_name(grade.fault));
        ++*count;
    }
}

Test(grade, spoilt_answers_are_noticed, .timeout = 120)
{
    cr_expect(for_pairs(spoil_answers) > 1000);
}

static gjb_hint hint_of(gjb_query query, gjb_truth *truth, const gjb_result *r, const gjb_tolerance *granted)
{
    const gjb_grade grade = gjb_grade_result(query, truth, r, granted);
    return gjb_hint_of(query, truth, r, &grade, granted);
}

/* Usual mistakes of an adapter are recognised, and others are not taken for them. */
static void take_for_adapters(gjb_truth *truth, uint64_t *count, const char *where)
{
    const gjb_tolerance granted = {.k = 64, .epsilon = 0x1p-53};
    const gjb_pair *pair = truth->pair;
    const ref_answer3 answer = reference_of(pair);
    const double tolerance = gjb_tolerance_of(&granted, truth->size), depth = -answer.sigma;
    const double t[3] = {pair->dim == 2 ? pair->as.plane.a.pose.x : pair->as.space.a.pose.x,
                         pair->dim == 2 ? pair->as.plane.a.pose.y : pair->as.space.a.pose.y,
                         pair->dim == 2 ? 0 : pair->as.space.a.pose.z};
    gjb_result right = {.status = answer.status, .value = answer.sigma}, off;
    for (int k = 0; k < 3; k++) {
        right.normal[k] = answer.normal[k];
        right.point_a[k] = answer.point_a[k];
        right.point_b[k] = answer.point_b[k];
    }
    if (fabs(answer.sigma) <= 1e-3 * truth->size)
        return;
    cr_expect_eq(hint_of(GJB_SIGNED_DISTANCE, truth, &right, &granted), GJB_HINT_NONE, "%s", where);
    off = right;
    off.value += 2 * tolerance;
    cr_expect_eq(hint_of(GJB_SIGNED_DISTANCE, truth, &off, &granted), GJB_HINT_NONE, "%s", where);
    off = right;
    lengthen(&off, 1e-6);
    cr_expect_eq(hint_of(GJB_SIGNED_DISTANCE, truth, &off, &granted), GJB_HINT_LENGTH, "%s", where);
    off = right;
    opposite(&off, 0);
    if (answer.sigma > 0)
        cr_expect_eq(hint_of(GJB_SIGNED_DISTANCE, truth, &off, &granted), GJB_HINT_OPPOSITE, "%s", where);
    off = right;
    for (int k = 0; k < 3; k++) {
        off.point_a[k] += t[k];
        off.point_b[k] += t[k];
    }
    /* Of faces that are parallel they may be right there, too. */
    if (answer.sigma > 0 && gjb_grade_result(GJB_DISTANCE, truth, &off, &granted).verdict == GJB_WRONG)
        cr_expect_eq(hint_of(GJB_DISTANCE, truth, &off, &granted), GJB_HINT_ORIGIN, "%s", where);
    off = right;
    for (int k = 0; k < 3; k++) {
        off.point_a[k] = right.point_b[k];
        off.point_b[k] = right.point_a[k];
    }
    if (answer.sigma > 0 && hint_of(GJB_DISTANCE, truth, &off, &granted) != GJB_HINT_ORIGIN)
        cr_expect_eq(hint_of(GJB_DISTANCE, truth, &off, &granted), GJB_HINT_EXCHANGED, "%s", where);
    const double radii = pair->dim == 2 ? pair->as.plane.a.radius + pair->as.plane.b.radius
                                        : pair->as.space.a.radius + pair->as.space.b.radius;
    for (int twice = 0; twice < 2 && radii > 1e-3 * truth->size; twice++) {
        off = right;
        off.value += twice ? -radii : radii;
        off.status = off.value > 0 ? GJB_SEPARATED : GJB_OVERLAPPING;
        if (off.status == right.status)
            cr_expect_eq(hint_of(GJB_SIGNED_DISTANCE, truth, &off, &granted),
                         twice ? GJB_HINT_RADIUS_TWICE : GJB_HINT_NO_RADIUS, "%s", where);
    }
    for (int tiny = 0; tiny < 2; tiny++) {
        off = (gjb_result){.status = GJB_SEPARATED, .value = depth * (tiny ? 1e-9 : 0.1), .normal = {1}};
        if (depth > 0)
            cr_expect_eq(hint_of(GJB_DISTANCE, truth, &off, &granted), tiny ? GJB_HINT_THRESHOLD : GJB_HINT_NONE,
                         "%s", where);
    }
    ++*count;
}

Test(grade, what_adapters_do_wrong_is_told_from_the_rest, .timeout = 120)
{
    cr_expect(for_pairs(take_for_adapters) > 100);
}

Test(grade, a_relative_accuracy_grows_with_the_pair)
{
    const gjb_contender library = {.tau_relative = {[GJB_DISTANCE] = 0.25}};
    const gjb_tolerance own = gjb_tolerance_for(&library, GJB_DISTANCE, GJB_F64, 3),
                        none = gjb_tolerance_for(&library, GJB_PENETRATION, GJB_F64, 3);
    for (double size = 0.5; size < 1e6; size *= 100) {
        cr_expect_float_eq(gjb_tolerance_of(&own, size), 0.25 * size, 1e-9 * size);
        cr_expect(gjb_tolerance_of(&none, size) < 1e-9 * size);
    }
}

/* Graded by nothing but what answers prove of themselves, then by what that leaves in doubt: the verdicts are the
 * same, and whatever an answer is, it proves nothing false. */
static void spoil_lazily(gjb_truth *truth, uint64_t *count, const char *where)
{
    const gjb_tolerance granted = {.k = 64, .epsilon = 0x1p-53, .ours = 1};
    const double tolerance = gjb_tolerance_of(&granted, truth->size);
    const ref_answer3 answer = reference_of(truth->pair);
    static int seen;
    if (seen++ % 4) /* of many like it */
        return;
    for (size_t i = 0; i <= sizeof spoils / sizeof *spoils; i++) {
        gjb_result r = {.status = answer.status, .value = answer.sigma + 0.0};
        for (int k = 0; k < 3; k++) {
            r.normal[k] = answer.normal[k] + 0.0;
            r.point_a[k] = answer.point_a[k] + 0.0;
            r.point_b[k] = answer.point_b[k] + 0.0;
        }
        if (i < sizeof spoils / sizeof *spoils)
            spoils[i].spoil(&r, 1.5 * tolerance);
        const gjb_grade eager = gjb_grade_result(GJB_SIGNED_DISTANCE, truth, &r, &granted);
        gjb_truth lazy = {0};
        cr_assert(!gjb_truth_open_lazily(&lazy, truth->pair));
        const gjb_grade grade = gjb_grade_result(GJB_SIGNED_DISTANCE, &lazy, &r, &granted);
        cr_expect(grade.verdict == eager.verdict && grade.fault == eager.fault, "%s: answer %d is %s, lazily %s", where,
                  (int)i, gjb_fault_name(eager.fault), gjb_fault_name(grade.fault));
        gjb_truth_exact(&lazy);
        cr_expect(!lazy.conflict, "%s: answer %d proved what is not so", where, (int)i);
        gjb_truth_close(&lazy);
        ++*count;
    }
}

Test(grade, answers_prove_nothing_false_of_themselves, .timeout = 240)
{
    cr_expect(for_pairs(spoil_lazily) > 5000);
}

/* Within rounding of the lines of both sides, but not of the tip. */
Test(grade, a_point_beyond_the_tip_of_a_needle_is_outside)
{
    static const double needle[3][2] = {{0, 0}, {1, -1e-4}, {1, 1e-4}};
    const gjb_body2 body = {.kind = GJB_POLYGON, .vertices = needle, .count = 3, .pose = {.c = 1}};
    const gjb_pair pair = {.dim = 2, .as.plane = {body, body}};
    const long double beyond[3] = {-1e-16L}, inside[3] = {0.5L};
    gjb_placed_pair placed = {0};
    cr_assert(gjb_place_pair(&placed, &pair) == 0);
    for (int of_b = 0; of_b < 2; of_b++) {
        cr_expect_float_eq((double)gjb_point_distance(&placed, of_b, beyond), 1e-16, 1e-18);
        cr_expect(gjb_point_distance(&placed, of_b, inside) == 0);
    }
    gjb_placed_free(&placed);
}

/* What a contender does not give is not held against it; all else is. */
static void spoil_what_is_not_given(gjb_truth *truth, uint64_t *count, const char *where)
{
    const gjb_tolerance full = {.k = 64, .epsilon = 0x1p-53};
    const double tolerance = gjb_tolerance_of(&full, truth->size);
    const ref_answer3 answer = reference_of(truth->pair);
    if (fabs(answer.sigma) <= 1e-3 * truth->size)
        return;
    for (int given = 0; given < 4; given++) {
        gjb_tolerance granted = full;
        granted.no_normal = given & 1;
        granted.no_points = given >> 1;
        for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
            gjb_result r = {.status = answer.status, .value = answer.sigma};
            for (int k = 0; k < 3; k++) {
                r.normal[k] = answer.normal[k];
                r.point_a[k] = answer.point_a[k];
                r.point_b[k] = answer.point_b[k];
            }
            spoils[i].spoil(&r, 1.5 * tolerance);
            /* A turned normal spoils what the points are held against too, if both are given. */
            const int of_normal = spoils[i].fault == GJB_FAULT_NORMAL || spoils[i].fault == GJB_FAULT_LENGTH;
            const int excused = of_normal                              ? granted.no_normal
                                : spoils[i].fault == GJB_FAULT_WITNESS ? granted.no_points
                                                                       : 0;
            if (spoils[i].spoil == shift_both || (spoils[i].spoil == opposite && answer.sigma < 0))
                continue; /* may be as good: see above */
            if (spoils[i].spoil == shift_one && granted.no_normal)
                continue; /* may slide along its shape, and stay as far from the other */
            const gjb_grade grade = gjb_grade_result(GJB_SIGNED_DISTANCE, truth, &r, &granted);
            cr_expect_eq(grade.verdict == GJB_RIGHT, excused, "%s: %s, no normal %d, no points %d: %s", where,
                         spoils[i].name, granted.no_normal, granted.no_points, gjb_fault_name(grade.fault));
            ++*count;
        }
    }
}

Test(grade, what_is_not_given_is_not_graded, .timeout = 120)
{
    cr_expect(for_pairs(spoil_what_is_not_given) > 3000);
}

Test(grade, undefined_fields_are_plus_zero)
{
    const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    gjb_pair pair = {.dim = 2, .as.plane = {{GJB_POLYGON, 4, square, 0, {0, 0, 1, 0}}, {GJB_POLYGON, 4, square, 0, {1, 0, 1, 0}}}};
    const gjb_tolerance granted = {.k = 32, .epsilon = 0x1p-53, .ours = 1};
    gjb_truth truth = {0};
    cr_assert(!gjb_truth_open(&truth, &pair));
    gjb_result r = {.status = GJB_OVERLAPPING};
    cr_expect(gjb_grade_result(GJB_DISTANCE, &truth, &r, &granted).verdict == GJB_RIGHT);
    r.normal[0] = 1;
    cr_expect(gjb_grade_result(GJB_DISTANCE, &truth, &r, &granted).fault == GJB_FAULT_FORM);
    r.normal[0] = -0.0;
    cr_expect(gjb_grade_result(GJB_DISTANCE, &truth, &r, &granted).fault == GJB_FAULT_FORM);
    r.normal[0] = 0;
    r.value = -0.0;
    cr_expect(gjb_grade_result(GJB_DISTANCE, &truth, &r, &granted).fault == GJB_FAULT_FORM);
    gjb_truth_close(&truth);
}

/* A proof of depth, then what only looks like one. */
static void reverse(uint32_t face[3])
{
    const uint32_t first = face[0];
    face[0] = face[1];
    face[1] = first;
}
static void keep_it(ref_polytope3 *p)
{
    (void)p;
}
static void turn_inside_out(ref_polytope3 *p)
{
    for (uint32_t f = 0; f < p->face_count; f++)
        reverse(p->faces[f]);
}
static void move_first_vertex(ref_polytope3 *p)
{
    memcpy(p->vertices[0], p->vertices[1], sizeof *p->vertices);
}
static void drop_face(ref_polytope3 *p)
{
    p->face_count--;
}
static void reverse_face(ref_polytope3 *p)
{
    reverse(p->faces[0]);
}
static void name_no_vertex(ref_polytope3 *p)
{
    p->faces[0][2] = p->vertex_count;
}
static void name_no_index(ref_polytope3 *p)
{
    p->vertices[0][1] = 8;
}
static void empty(ref_polytope3 *p)
{
    p->face_count = 0;
}
/* Every face and its reverse: closed, and around nothing. */
static void line_with_itself(ref_polytope3 *p)
{
    for (uint32_t f = p->face_count / 2; f < p->face_count; f++) {
        memcpy(p->faces[f], p->faces[f - p->face_count / 2], sizeof *p->faces);
        reverse(p->faces[f]);
    }
}

static const struct {
    const char *name;
    void (*spoil)(ref_polytope3 *p);
    int proves;
} polytopes[] = {{"as found", keep_it, 1},          {"inside out", turn_inside_out, 1},
                 {"open", drop_face, 0},            {"one face reversed", reverse_face, 0},
                 {"a face of no vertex", name_no_vertex, 0}, {"a vertex of no index", name_no_index, 0},
                 {"empty", empty, 0},               {"lined with itself", line_with_itself, 0}};

Test(grade, only_a_closed_surface_about_the_origin_proves_a_depth)
{
    double cube[8][3];
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t k = 0; k < 3; k++)
            cube[i][k] = gjb_box_corner(3, i, k);
    const gjb_body3 body = {.kind = GJB_HULL, .count = 8, .vertices = (const double(*)[3])cube, .pose.qw = 1};
    gjb_pair pair = {.dim = 3, .as.space = {body, body}};
    pair.as.space.b.pose = (gjb_pose3d){1.5, 0.25, 0.5, 0.1, 0.2, 0, 1};
    gjb_placed_pair placed = {0};
    gjb_core_bounds bounds;
    long double radius, normal[3];
    cr_assert(!gjb_place_pair(&placed, &pair) && !gjb_core_bounds3(&placed, &bounds));
    for (size_t i = 0; i < sizeof polytopes / sizeof *polytopes; i++) {
        ref_signed_distance3(&pair.as.space, &placed.polytope);
        polytopes[i].spoil(&placed.polytope);
        cr_assert(!gjb_inner_radius3(&placed, &radius, normal));
        cr_expect(polytopes[i].proves ? fabsl(radius + bounds.upper) <= placed.error : radius == 0,
                  "%s: %Lg, of %Lg", polytopes[i].name, radius, -bounds.upper);
    }
    /* What is left of it proves less, but nothing wrong. */
    ref_signed_distance3(&pair.as.space, &placed.polytope);
    move_first_vertex(&placed.polytope);
    cr_assert(!gjb_inner_radius3(&placed, &radius, normal));
    cr_expect(radius <= -bounds.upper + placed.error);
    /* Closed, and next to the origin. */
    ref_signed_distance3(&pair.as.space, &placed.polytope);
    pair.as.space.b.pose.x = 8;
    cr_assert(!gjb_place_pair(&placed, &pair) && !gjb_inner_radius3(&placed, &radius, normal));
    cr_expect_eq(radius, 0);
    gjb_placed_free(&placed);
}

/* A boolean has no error but where the pair lies. */
Test(grade, what_is_beyond_a_share_of_the_size)
{
    static const struct { gjb_grade grade; double sigma; int beyond_1e6, beyond_1e3; } cases[] = {
        {{.verdict = GJB_RIGHT}, 1, 0, 0},
        {{.verdict = GJB_RIGHT, .has_value = 1, .value_eps = 1e-4}, 1, 1, 0}, /* what is granted may be more */
        {{.verdict = GJB_WRONG, .fault = GJB_FAULT_VALUE, .has_value = 1, .value_eps = 1e-2}, 1, 1, 1},
        {{.verdict = GJB_WRONG, .fault = GJB_FAULT_NORMAL, .has_value = 1}, 1, 0, 0},
        {{.verdict = GJB_WRONG, .fault = GJB_FAULT_BOOLEAN}, 2e-4, 1, 0},
        {{.verdict = GJB_WRONG, .fault = GJB_FAULT_BOOLEAN}, -2e-2, 1, 1},
        {{.verdict = GJB_WRONG, .fault = GJB_FAULT_NAN}, 1, 1, 1},
        {{.verdict = GJB_WRONG, .fault = GJB_FAULT_CAPPED}, 1, 1, 1},
        {{.verdict = GJB_NOT_SUPPORTED}, 1, 0, 0},
        {{.verdict = GJB_UNGRADED}, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const gjb_truth truth = {.size = 2, .lo = cases[i].sigma, .hi = cases[i].sigma, .exact = 1};
        cr_expect_eq(gjb_grade_beyond(&cases[i].grade, &truth, 1e-6, 1), cases[i].beyond_1e6, "case %zu at 1e-6", i);
        cr_expect_eq(gjb_grade_beyond(&cases[i].grade, &truth, 1e-3, 1), cases[i].beyond_1e3, "case %zu at 1e-3", i);
    }
}
