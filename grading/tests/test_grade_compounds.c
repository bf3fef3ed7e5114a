/* Answers of compounds: the rule, the verdict, and that truths of parts prove the truth of what they make up. */
#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#include "core/random.h"
#include "grading/compounds.h"
#include "reference/reference.h"

/* --- The rule, and the verdict --- */

/* An answer to a pair of parts: status, value, verdict, fault, truth. Of times the truth is that of contact. */
typedef struct part {
    gjb_status status;
    double value;
    gjb_verdict verdict;
    gjb_fault fault;
    double truth;
} part;

#define APART GJB_SEPARATED
#define INTO GJB_OVERLAPPING
#define HIT GJB_HIT
#define NONE GJB_UNSUPPORTED
#define RIGHT GJB_RIGHT
#define WRONG GJB_WRONG
#define OPEN GJB_UNGRADED
#define BAD_VALUE GJB_FAULT_VALUE

typedef struct rule {
    const char *what;
    gjb_query query;
    part parts[3];
    uint64_t from;
    gjb_status status;
    double value;
    gjb_verdict verdict;
    double truth;
} rule;

static const rule rules[] = {
    {"any overlap", GJB_INTERSECT, {{APART, 0, RIGHT, 0, 2}, {INTO, 0, RIGHT, 0, -1}, {INTO, 0, RIGHT, 0, -3}},
     1, INTO, 0, RIGHT, -3},
    {"none", GJB_INTERSECT, {{APART, 0, RIGHT, 0, 2}, {APART, 0, RIGHT, 0, 1}, {APART, 0, RIGHT, 0, 3}},
     0, APART, 0, RIGHT, 1},
    {"an overlap that is not", GJB_INTERSECT,
     {{APART, 0, RIGHT, 0, 2}, {INTO, 0, WRONG, GJB_FAULT_BOOLEAN, 1}, {APART, 0, RIGHT, 0, 3}}, 1, INTO, 0, WRONG, 1},
    {"an overlap that is not, and one that is", GJB_INTERSECT,
     {{APART, 0, RIGHT, 0, 2}, {INTO, 0, WRONG, GJB_FAULT_BOOLEAN, 1}, {INTO, 0, RIGHT, 0, -3}}, 1, INTO, 0, RIGHT, -3},
    {"an overlap missed, another found", GJB_INTERSECT,
     {{APART, 0, WRONG, GJB_FAULT_BOOLEAN, -2}, {INTO, 0, RIGHT, 0, -1}, {APART, 0, OPEN, 0, 0}},
     1, INTO, 0, RIGHT, -2},
    {"the only overlap missed", GJB_INTERSECT,
     {{APART, 0, WRONG, GJB_FAULT_BOOLEAN, -2}, {APART, 0, RIGHT, 0, 1}, {APART, 0, RIGHT, 0, 1}},
     0, APART, 0, WRONG, -2},
    {"too close to tell", GJB_INTERSECT,
     {{APART, 0, OPEN, 0, 0}, {APART, 0, RIGHT, 0, 1}, {APART, 0, RIGHT, 0, 1}}, 0, APART, 0, OPEN, 0},
    {"least", GJB_DISTANCE, {{APART, 3, RIGHT, 0, 3}, {APART, 2, RIGHT, 0, 2}, {APART, 2, RIGHT, 0, 2}},
     1, APART, 2, RIGHT, 2},
    {"an overlap is least", GJB_DISTANCE, {{APART, 3, RIGHT, 0, 3}, {INTO, 0, RIGHT, 0, -2}, {APART, 2, RIGHT, 0, 2}},
     1, INTO, 0, RIGHT, -2},
    {"a wrong one that is not least", GJB_DISTANCE,
     {{APART, 3, WRONG, BAD_VALUE, 4}, {APART, 2, RIGHT, 0, 2}, {APART, 5, RIGHT, 0, 5}}, 1, APART, 2, RIGHT, 2},
    {"the least is wrong", GJB_DISTANCE,
     {{APART, 1, WRONG, BAD_VALUE, 4}, {APART, 2, RIGHT, 0, 2}, {APART, 5, RIGHT, 0, 5}}, 0, APART, 1, WRONG, 2},
    {"the least is hidden", GJB_DISTANCE,
     {{APART, 2, RIGHT, 0, 2}, {APART, 7, WRONG, BAD_VALUE, 1}, {APART, 5, RIGHT, 0, 5}}, 0, APART, 2, WRONG, 1},
    {"an overlap is hidden", GJB_DISTANCE,
     {{APART, 2, RIGHT, 0, 2}, {APART, 7, WRONG, GJB_FAULT_BOOLEAN, -1}, {APART, 5, RIGHT, 0, 5}},
     0, APART, 2, WRONG, -1},
    {"no answer", GJB_DISTANCE, {{APART, 2, RIGHT, 0, 2}, {NONE, 0, GJB_NOT_SUPPORTED, 0, 1}, {APART, 1, RIGHT, 0, 5}},
     1, NONE, 0, GJB_NOT_SUPPORTED, 1},
    {"not a number", GJB_DISTANCE,
     {{APART, 2, RIGHT, 0, 2}, {APART, NAN, WRONG, GJB_FAULT_NAN, 9}, {APART, 1, RIGHT, 0, 1}},
     1, APART, NAN, WRONG, 1},
    {"least, signed", GJB_SIGNED_DISTANCE,
     {{APART, 3, RIGHT, 0, 3}, {INTO, -2, RIGHT, 0, -2}, {INTO, -1, RIGHT, 0, -1}}, 1, INTO, -2, RIGHT, -2},
    {"deepest", GJB_PENETRATION, {{APART, 0, RIGHT, 0, 3}, {INTO, 1, RIGHT, 0, -1}, {INTO, 2, RIGHT, 0, -2}},
     2, INTO, 2, RIGHT, -2},
    {"a deeper one is hidden", GJB_PENETRATION,
     {{INTO, 1, WRONG, BAD_VALUE, -5}, {INTO, 2, RIGHT, 0, -2}, {APART, 0, RIGHT, 0, 1}}, 1, INTO, 2, WRONG, -5},
    {"none deep", GJB_PENETRATION, {{APART, 0, RIGHT, 0, 3}, {APART, 0, RIGHT, 0, 1}, {APART, 0, RIGHT, 0, 2}},
     0, APART, 0, RIGHT, 1},
    {"first", GJB_TOI, {{APART, 0, RIGHT, 0, INFINITY}, {HIT, 0.5, RIGHT, 0, 0.5}, {HIT, 0.25, RIGHT, 0, 0.25}},
     2, HIT, 0.25, RIGHT, 0.25},
    {"at the start", GJB_TOI, {{HIT, 0, RIGHT, 0, 0}, {HIT, 0.5, RIGHT, 0, 0.5}, {INTO, 0, RIGHT, 0, 0}},
     2, INTO, 0, RIGHT, 0},
    {"never", GJB_TOI, {{APART, 0, RIGHT, 0, INFINITY}, {APART, 0, RIGHT, 0, INFINITY}, {APART, 0, RIGHT, 0, INFINITY}},
     0, APART, 0, RIGHT, INFINITY},
    {"the first is missed", GJB_TOI,
     {{HIT, 0.5, RIGHT, 0, 0.5}, {APART, 0, WRONG, GJB_FAULT_LATE, 0.25}, {HIT, 0.75, RIGHT, 0, 0.75}},
     0, HIT, 0.5, WRONG, 0.25},
    {"a later one is missed", GJB_TOI,
     {{HIT, 0.5, RIGHT, 0, 0.5}, {APART, 0, WRONG, GJB_FAULT_LATE, 0.75}, {HIT, 0.75, RIGHT, 0, 0.75}},
     0, HIT, 0.5, RIGHT, 0.5},
    {"all manifolds count", GJB_MANIFOLD,
     {{APART, 1, RIGHT, 0, 1}, {INTO, -1, RIGHT, 0, -1}, {APART, 2, WRONG, GJB_FAULT_PATCH, 2}},
     1, INTO, -1, WRONG, -1},
};

Test(grade_compounds, rules)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const rule *r = &rules[i];
        gjb_compound_answer answer = {0};
        for (int k = 0; k < 3; k++) {
            const part *p = &r->parts[k];
            gjb_compound_add(&answer, r->query,
                             &(gjb_part_answer){.result = {.status = p->status, .value = p->value, .count = 2},
                                                .grade = {.verdict = p->verdict, .fault = p->fault},
                                                .lo = p->truth, .hi = p->truth,
                                                .allowed = gjb_queries[r->query].moving ? 0 : 1e-9});
        }
        gjb_compound_finish(&answer, r->query);
        cr_expect_eq(answer.from, r->from, "%s: from %d", r->what, (int)answer.from);
        cr_expect_eq(answer.result.status, r->status, "%s: %d", r->what, (int)answer.result.status);
        cr_expect(answer.result.value == r->value || isnan(r->value), "%s: %g", r->what, answer.result.value);
        cr_expect_eq(answer.grade.verdict, r->verdict, "%s: %s", r->what, gjb_verdict_name(answer.grade.verdict));
        cr_expect(answer.lo == r->truth && answer.hi == r->truth, "%s: truth %g", r->what, answer.lo);
        cr_expect_eq(answer.contacts, 6u);
    }
}

/* --- Parts that make up a convex whole, whose truth is known without them --- */

/* A box from -1 to 1 along each axis, in two along x, at 0.25; all corners are exact. The other shape is a simplex with
 * a radius. */
enum { CORNERS = 8 };
typedef struct cut_box {
    double corners[3][CORNERS][3]; /* of the whole, then of the parts */
    double flat[3][4][2];
    double simplex[4][3], other[4][2];
} cut_box;

static void fill(cut_box *box)
{
    static const double from[3] = {-1, -1, 0.25}, to[3] = {1, 0.25, 1};
    for (int p = 0; p < 3; p++) {
        for (uint32_t i = 0; i < CORNERS; i++)
            for (uint32_t d = 0; d < 3; d++)
                box->corners[p][i][d] = d > 0 ? gjb_box_corner(3, i, d) : gjb_box_corner(3, i, 0) < 0 ? from[p] : to[p];
        for (uint32_t i = 0; i < 4; i++)
            for (uint32_t d = 0; d < 2; d++)
                box->flat[p][i][d] = d > 0 ? gjb_box_corner(2, i, d) : gjb_box_corner(2, i, 0) < 0 ? from[p] : to[p];
    }
}

static void draw_pose(gjb_random *r, gjb_pair *pair)
{
    double q[4], c, s, at[3], d[3];
    gjb_random_quaternion(r, q);
    gjb_random_rotation(r, &c, &s);
    for (int k = 0; k < 3; k++) {
        at[k] = gjb_random_range(r, -3, 3);
        d[k] = gjb_random_range(r, -4, 4);
    }
    if (pair->dim == 2) {
        pair->as.plane.b.pose = (gjb_pose2d){at[0], at[1], c, s};
        pair->as.plane.b.motion = (gjb_motion2d){d[0], d[1], 0};
    } else {
        pair->as.space.b.pose = (gjb_pose3d){at[0], at[1], at[2], q[0], q[1], q[2], q[3]};
        pair->as.space.b.motion = (gjb_motion3d){d[0], d[1], d[2], 0, 0, 0};
    }
}

/* Against part `p`; 0 is the whole. */
static gjb_pair draw(gjb_random r, uint32_t dim, cut_box *box, int p)
{
    gjb_pair pair = {.dim = dim};
    for (int i = 0; i < 4; i++)
        for (int d = 0; d < 3; d++) {
            box->simplex[i][d] = gjb_random_range(&r, -1, 1);
            box->other[i][d % 2] = box->simplex[i][d % 2];
        }
    if (dim == 2) {
        pair.as.plane.a = (gjb_body2){GJB_POLYGON, 4, (const double(*)[2])box->flat[p], 0, {0, 0, 1, 0}, {0, 0, 0}};
        pair.as.plane.b = (gjb_body2){GJB_SEGMENT, 2, (const double(*)[2])box->other, 0.125, {0, 0, 1, 0}, {0, 0, 0}};
    } else {
        pair.as.space.a = (gjb_body3){GJB_HULL, 8, (const double(*)[3])box->corners[p], 0, {.qw = 1}, {.x = 0}};
        pair.as.space.b = (gjb_body3){GJB_HULL, 4, (const double(*)[3])box->simplex, 0.125, {.qw = 1}, {.x = 0}};
    }
    draw_pose(&r, &pair);
    return pair;
}

/* The reference's answer in the form of a query. */
static gjb_result answer_to(gjb_query query, const gjb_pair *pair)
{
    ref_answer3 all;
    if (pair->dim == 3)
        all = ref_signed_distance3(&pair->as.space, NULL);
    else {
        const ref_answer flat = ref_signed_distance2(&pair->as.plane);
        all = (ref_answer3){.status = flat.status, .sigma = flat.sigma, .normal = {flat.normal[0], flat.normal[1]},
                            .point_a = {flat.point_a[0], flat.point_a[1]},
                            .point_b = {flat.point_b[0], flat.point_b[1]}};
    }
    gjb_result r = {.status = all.status};
    const int defined = gjb_defined_by(query, all.status);
    if (defined & GJB_VALUE)
        r.value = gjb_queries[query].graded(all.sigma);
    for (int k = 0; k < 3; k++) {
        r.normal[k] = defined & GJB_NORMAL ? all.normal[k] : 0;
        r.point_a[k] = defined & GJB_POINTS ? all.point_a[k] : 0;
        r.point_b[k] = defined & GJB_POINTS ? all.point_b[k] : 0;
    }
    return r;
}

static void add_part(gjb_compound_answer *answer, gjb_query query, gjb_pair pair)
{
    const gjb_contender contender = {.ours = 0};
    const gjb_tolerance granted = gjb_tolerance_for(&contender, query, GJB_F64, pair.dim);
    gjb_truth truth = {0};
    gjb_part_answer part = {.result = answer_to(query, &pair), .allowed = 0};
    cr_assert_eq(gjb_truth_open(&truth, &pair), 0);
    part.grade = gjb_grade_result(query, &truth, &part.result, &granted);
    gjb_truth_exact(&truth);
    part.lo = truth.lo;
    part.hi = truth.hi;
    part.allowed = gjb_tolerance_of(&granted, truth.size);
    gjb_compound_add(answer, query, &part);
    gjb_truth_close(&truth);
}

/* The union of the parts is the box, so that its truth is that of the compound. Of depths it is not: moving the box out
 * is never shorter, and often longer, than moving the deepest part out. */
static int check_at_rest(gjb_query query, uint32_t dim, uint64_t seed)
{
    cut_box box;
    const gjb_random r = gjb_random_make(seed, 1, 2);
    const gjb_contender contender = {.ours = 0};
    const gjb_tolerance granted = gjb_tolerance_for(&contender, query, GJB_F64, dim);
    gjb_compound_answer answer = {0};
    fill(&box);
    for (int p = 1; p < 3; p++)
        add_part(&answer, query, draw(r, dim, &box, p));
    gjb_compound_finish(&answer, query);
    const gjb_pair whole = draw(r, dim, &box, 0);
    gjb_truth truth = {0};
    cr_assert_eq(gjb_truth_open(&truth, &whole), 0);
    gjb_truth_exact(&truth);
    const double slack = 1e-13 * truth.size;
    const int apart = truth.lo > 0;
    cr_expect_eq(answer.grade.verdict, GJB_RIGHT, "%s, seed %d", gjb_queries[query].name, (int)seed);
    cr_expect(apart == (answer.lo > 0) && apart == (answer.result.status == GJB_SEPARATED), "seed %d", (int)seed);
    if (apart) {
        cr_expect(answer.lo <= truth.hi && answer.hi >= truth.lo && answer.hi - answer.lo <= slack,
                  "seed %d: parts [%.17g, %.17g], whole [%.17g, %.17g]", (int)seed, answer.lo, answer.hi,
                  truth.lo, truth.hi);
        /* Its normal and witness points, too, are right of the whole. */
        const gjb_grade grade = gjb_grade_result(query, &truth, &answer.result, &granted);
        cr_expect_eq(grade.verdict, GJB_RIGHT, "seed %d: %s", (int)seed, gjb_fault_name(grade.fault));
    } else
        cr_expect(answer.lo >= truth.lo - slack, "seed %d: depth of parts %g, of the whole %g", (int)seed, -answer.lo,
                  -truth.lo);
    const int shorter = !apart && answer.lo > truth.hi + slack;
    gjb_truth_close(&truth);
    return shorter;
}

Test(grade_compounds, truths_of_parts_prove_the_whole)
{
    static const gjb_query queries[] = {GJB_INTERSECT, GJB_DISTANCE, GJB_SIGNED_DISTANCE, GJB_PENETRATION};
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (int q = 0; q < 4; q++) {
            int shorter = 0;
            for (uint64_t seed = 0; seed < 60; seed++)
                shorter += check_at_rest(queries[q], dim, seed);
            cr_expect_gt(shorter, 0, "a depth of parts is a lower bound, which is not always reached");
        }
}

Test(grade_compounds, first_contacts_of_parts_prove_the_whole)
{
    int hits = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        cut_box box;
        double times[3];
        const uint32_t dim = 2 + seed % 2;
        const gjb_random r = gjb_random_make(seed, 3, 4);
        gjb_compound_answer answer = {0};
        fill(&box);
        for (int p = 0; p < 3; p++) {
            const gjb_pair pair = draw(r, dim, &box, p);
            gjb_truth truth = {0};
            cr_assert_eq(gjb_truth_open_moving(&truth, &pair), 0);
            gjb_truth_exact(&truth);
            const double time = gjb_truth_time(&truth, GJB_TOI);
            times[p] = isnan(time) ? INFINITY : time;
            gjb_truth_close(&truth);
            if (p > 0)
                gjb_compound_add(&answer, GJB_TOI, &(gjb_part_answer){
                    .result = {.status = isinf(times[p]) ? GJB_SEPARATED : times[p] > 0 ? GJB_HIT : GJB_OVERLAPPING,
                               .value = isinf(times[p]) ? 0 : times[p]},
                    .lo = times[p], .hi = times[p]});
        }
        gjb_compound_finish(&answer, GJB_TOI);
        hits += answer.result.status == GJB_HIT;
        cr_expect(answer.lo == times[0] || fabs(answer.lo - times[0]) < 1e-12, "seed %d: %g, whole %g", (int)seed,
                  answer.lo, times[0]);
    }
    cr_expect(hits > 5 && hits < 55, "%d of 60 hit", hits);
}
