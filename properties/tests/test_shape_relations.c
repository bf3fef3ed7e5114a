/* Pairs of what a row asks about are answered by everyone of ours, and held against the truth of pairs of what it
 * knows, in the same places: the same truth where both are the same set, a bound on it where one holds the other. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/tests/one_in.h"
#include "properties/tests/shape_relations.h"
#include "properties/tests/subjects.h"

static form form_at(const gjb_scene *scene, uint32_t i)
{
    const gjb_shapes *s = &scene->shapes;
    form out = {.kind = (gjb_kind)s->kind[i], .count = s->row_count[i], .radius = radius_of(scene, i)};
    for (uint32_t row = 0; row < out.count && row < ROWS_MAX; row++)
        for (uint32_t k = 0; k < s->dim; k++)
            out.rows[row][k] = row_number(scene, s->first[i] + row, k);
    return out;
}

/* A turn of the plane, (c, s), about z, or from x to z. */
static gjb_pose3d raised(const gjb_pose2d *p, layout lie)
{
    const double w = p->c >= 0 ? sqrt(0.5 * (1 + p->c)) : 0.5 * p->s / copysign(sqrt(0.5 * (1 - p->c)), p->s);
    const double v = p->c >= 0 ? 0.5 * p->s / w : copysign(sqrt(0.5 * (1 - p->c)), p->s);
    if (lie == UPON_THE_PLANE)
        return (gjb_pose3d){.x = p->x, .y = p->y, .qz = v, .qw = w};
    return (gjb_pose3d){.x = p->x, .z = p->y, .qy = -v, .qw = w};
}

/* The scene of other forms; in space, where it comes from the plane, and turned there anyhow. */
static gjb_scene *of_forms(const gjb_scene *scene, form (*become)(const form *), layout lie)
{
    const uint32_t dim = lie == AS_IT_IS ? scene->shapes.dim : 3, count = scene->shapes.count;
    gjb_error error = {{0}};
    gjb_scene *out =
        gjb_scene_new(dim, (gjb_precision)scene->shapes.precision, count, (uint64_t)count * 2 * ROWS_MAX,
                      scene->body_count, scene->frames[0].pair_count);
    cr_assert_not_null(out);
    for (uint32_t i = 0; i < count; i++) {
        const form before = form_at(scene, i), f = become(&before);
        double rows[ROWS_MAX * 3];
        cr_assert(f.count <= ROWS_MAX);
        for (uint32_t row = 0; row < f.count; row++)
            memcpy(rows + row * dim, f.rows[row], dim * sizeof *rows);
        gjb_scene_set_shape(out, i, f.kind, i * ROWS_MAX, f.count, rows, f.radius);
    }
    for (uint32_t i = 0; i < scene->body_count; i++) {
        double m[6];
        out->body_shape[i] = shape_of(scene, i);
        if (lie != AS_IT_IS) {
            const gjb_pose2d pose = gjb_scene_pose(scene, 0, i);
            gjb_scene_set_pose3(out, 0, i, raised(&pose, lie));
            rotate_world(out, i);
        } else if (dim == 2) {
            gjb_scene_set_pose(out, 0, i, gjb_scene_pose(scene, 0, i));
        } else {
            gjb_scene_set_pose3(out, 0, i, gjb_scene_pose3(scene, 0, i));
        }
        gjb_scene_motion(scene, 0, i, m);
        cr_assert(!gjb_scene_moves(scene) || !gjb_scene_set_motion(out, 0, i, m));
    }
    memcpy(out->frames[0].pairs, scene->frames[0].pairs, scene->frames[0].pair_count * 2 * sizeof(uint32_t));
    cr_assert(!gjb_scene_check(out, "kin", &error), "%s", error.text);
    return out;
}

/* What the answer says of sigma, against bounds on it: a value is the larger, or for depths the smaller, the
 * larger sigma is. */
static void hold_value(probe *p, const kin *row, uint64_t i, const gjb_truth *truth, const gjb_result *r,
                       double allowed)
{
    const gjb_query_row *query = &gjb_queries[p->query];
    const double sense = p->query == GJB_PENETRATION ? -1 : 1, value = sense * r->value;
    const int from_below = row->how != AROUND, from_above = row->how != INSIDE;
    CHECK(p, r->status == GJB_SEPARATED || r->status == GJB_OVERLAPPING, "%s, pair %d: %s", row->name, (int)i,
          gjb_status_name(r->status));
    if (from_below && truth->lo > allowed)
        CHECK(p, r->status == GJB_SEPARATED, "%s, pair %d: overlapping, sigma %.9g at least", row->name,
              (int)i, truth->lo);
    if (from_above && truth->hi < -allowed)
        CHECK(p, r->status == GJB_OVERLAPPING, "%s, pair %d: separated, sigma %.9g at most", row->name,
              (int)i, truth->hi);
    if (from_below && query->has_value)
        CHECK(p, value >= sense * query->graded(truth->lo) - allowed,
              "%s, pair %d: value %.9g, sigma %.9g at least, T %.3g", row->name, (int)i, r->value, truth->lo,
              allowed);
    if (from_above && query->has_value)
        CHECK(p, value <= sense * query->graded(truth->hi) + allowed,
              "%s, pair %d: value %.9g, sigma %.9g at most, T %.3g", row->name, (int)i, r->value, truth->hi,
              allowed);
}

/* Raised from the plane, each pose is rounded: (c, s) to a quaternion, that turned, and the place, turned too. */
static double rounding_of(const probe *p, const kin *row, uint64_t i)
{
    double far = 0;
    for (int b = 0; b < 2; b++) {
        double place[3];
        place_of(p->scene, p->scene->frames[0].pairs[2 * i + b], place);
        far += hypot(hypot(place[0], place[1]), place[2]);
    }
    return row->lie == AS_IT_IS ? 0 : gjb_epsilon(p->who.precision) * (16 * size_of(p->scene, i) + 4 * far);
}

static void judge(probe *p, const kin *row, uint64_t i, gjb_truth *truth, const void *records)
{
    const gjb_result r = gjb_result_get(p->query, p->who.precision, dim_of(p), records, i);
    if (row->how == SAME && row->lie == AS_IT_IS) {
        /* The very same set in the very same place: no slack at all, and normals and points count, too. */
        gjb_tolerance granted = gjb_tolerance_for(p->who.contender, p->query, p->who.precision, dim_of(p));
        for (int kind = 0; kind < GJB_KINDS; kind++) /* of the kinds that it was made of */
            granted.k = fmax(granted.k, granted.k_of_kind[kind]);
        if (r.status == GJB_UNSUPPORTED && gjb_queries[p->query].moving)
            return;
        const gjb_grade grade = gjb_grade_result(p->query, truth, &r, &granted);
        CHECK(p, grade.verdict != GJB_WRONG && grade.verdict != GJB_NOT_SUPPORTED,
              "%s, pair %d: %s %.9g is wrong: %s, %.3g eps S", row->name, (int)i, gjb_status_name(r.status),
              r.value, gjb_fault_name(grade.fault), grade.error_eps);
        return;
    }
    hold_value(p, row, i, truth, &r, tolerance_of(p, i) + rounding_of(p, row, i));
}

/* All who answer, on one scene; each truth is found once. */
static void hold_scene(const kin *row, const gjb_recipe *recipe, const gjb_scene *asked,
                       const gjb_scene *known, int moving, probe *sum)
{
    subject all[SUBJECTS_MAX];
    const size_t count = subjects(all);
    gjb_pair_space space = {0};
    gjb_truth truth = {0};
    void *records[SUBJECTS_MAX][GJB_QUERIES] = {{NULL}};
    for (size_t s = 0; s < count; s++)
        for (int q = 0; q < GJB_QUERIES; q++)
            if (row->queries >> q & 1 && (gjb_queries[q].moving != GJB_AT_REST) == moving &&
                all[s].precision == recipe->precision && all[s].contender->dims >> asked->shapes.dim & 1 &&
                all[s].contender->queries >> q & 1)
                records[s][q] = answers(&all[s], (gjb_query)q, asked, 0, 1);
    for (uint64_t i = 0; i < asked->frames[0].pair_count; i++) {
        gjb_pair pair;
        cr_assert_eq(gjb_scene_pair(known, 0, i, &space, &pair), 0);
        cr_assert_eq(moving ? gjb_truth_open_moving(&truth, &pair) : gjb_truth_open(&truth, &pair), 0);
        for (size_t s = 0; s < count; s++)
            for (int q = 0; q < GJB_QUERIES; q++) {
                probe p = {.who = all[s],
                           .query = (gjb_query)q,
                           .scene = asked,
                           .workload = recipe->workload,
                           .family = recipe->family};
                if (!records[s][q])
                    continue;
                judge(&p, row, i, &truth, records[s][q]);
                if (p.failures && !sum->failures)
                    memcpy(sum->first, p.first, sizeof p.first);
                sum->failures += p.failures;
                sum->checks += p.checks;
            }
    }
    for (size_t s = 0; s < count; s++)
        for (int q = 0; q < GJB_QUERIES; q++)
            free(records[s][q]);
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
}

static const char *const families[] = {"far",           "near",  "touching",  "shallow", "deep",
                                       "contained",     "mixed", "identical", "needle",  "size-ratio",
                                       "approach-turn", "spin",  "resting",   NULL};

static void hold(const kin *row)
{
    probe sum = {.failures = 0};
    for (int precision = 0; precision < GJB_PRECISIONS; precision++)
        for (size_t f = 0; families[f]; f++) {
            gjb_error error = {{0}};
            const int moving = gjb_family_find(families[f])->moving != GJB_AT_REST;
            const gjb_recipe recipe = {.dim = row->dim,
                                       .workload = row->workload,
                                       .family = families[f],
                                       .seed = 3,
                                       .precision = (gjb_precision)precision,
                                       .pairs = PAIRS};
            if ((moving && !(row->queries >> GJB_TOI & 1)) || (f + (size_t)(row - all_kin)) % one_in(3))
                continue;
            gjb_scene *scene = gjb_generate(&recipe, &error);
            cr_assert(scene, "%s", error.text);
            gjb_scene *asked = of_forms(scene, row->asked, row->lie),
                      *known = of_forms(scene, row->known, AS_IT_IS);
            hold_scene(row, &recipe, asked, known, moving, &sum);
            gjb_scene_free(asked);
            gjb_scene_free(known);
            gjb_scene_free(scene);
        }
    cr_expect(sum.checks > 0, "%s: nothing was checked", row->name);
    cr_expect(sum.failures == 0, "%s: %llu of %llu: %s", row->name, (unsigned long long)sum.failures,
              (unsigned long long)sum.checks, sum.first);
}

/* Half of the rows of a dimension each, to be held at once. */
static void hold_all(uint32_t dim, int even)
{
    for (size_t i = 0; i < kin_count; i++)
        if (all_kin[i].dim == dim && (i % 2 == 0) == even)
            hold(&all_kin[i]);
}

Test(kin, in_the_plane, .timeout = 240)
{
    hold_all(2, 1);
}

Test(kin, in_the_plane_too, .timeout = 240)
{
    hold_all(2, 0);
}

Test(kin, in_space, .timeout = 240)
{
    hold_all(3, 1);
}

Test(kin, in_space_too, .timeout = 240)
{
    hold_all(3, 0);
}
