/* Mutations: what comes out is always a pair that a file may hold, and each does what its name says. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "fuzz/mutate_private.h"
#include "scenes/hash.h"

enum { PAIRS = 24, ROUNDS = 40 };

typedef struct bench {
    gjb_edit *before, *edit, *other, *spare;
} bench;

static bench bench_open(void)
{
    bench b = {calloc(1, sizeof(gjb_edit)), calloc(1, sizeof(gjb_edit)), calloc(1, sizeof(gjb_edit)),
               calloc(1, sizeof(gjb_edit))};
    cr_assert(b.before && b.edit && b.other && b.spare);
    return b;
}

static void bench_close(bench *b)
{
    free(b->before);
    free(b->edit);
    free(b->other);
    free(b->spare);
}

static gjb_scene *pairs_of(uint32_t dim, const char *workload, const char *family, gjb_precision precision)
{
    gjb_error error = {{0}};
    gjb_scene *scene = gjb_generate(&(gjb_recipe){.dim = dim,
                                                  .workload = workload,
                                                  .family = family,
                                                  .seed = 5,
                                                  .precision = precision,
                                                  .pairs = PAIRS},
                                    &error);
    cr_assert(scene, "%s", error.text);
    return scene;
}

/* Read back from its own scene it is the same, and the scene needs no mending. */
static void check_valid(const gjb_edit *edit, gjb_edit *spare, const char *what)
{
    gjb_error error = {{0}};
    gjb_scene *scene = gjb_edit_scene(edit, &error);
    cr_assert(scene, "%s: %s", what, error.text);
    gjb_edit_load(spare, scene, 0, 0);
    spare->moving = edit->moving;
    cr_assert(gjb_edit_equal(edit, spare), "%s: not what its scene says", what);
    gjb_scene_free(scene);
}

/* How far from a line or plane the best vertex is, over all that could be meant, in units of the shape's reach. */
static double spread_of(const gjb_edit *edit, uint32_t which, int plane)
{
    const gjb_edit_body *b = &edit->body[which];
    double best = INFINITY, reach = gjb_edit_reach(edit, which);
    for (uint32_t i = 0; i < b->count; i++)
        for (uint32_t p = 0; p < b->count; p++)
            for (uint32_t q = p + 1; q < b->count; q++)
                for (uint32_t s = plane ? q + 1 : b->count; s < (plane ? b->count : b->count + 1); s++) {
                    double u[3], v[3], w[3], n[3];
                    if (i == p || i == q || i == s)
                        continue;
                    for (int k = 0; k < 3; k++) {
                        u[k] = b->rows[q][k] - b->rows[p][k];
                        w[k] = b->rows[i][k] - b->rows[p][k];
                        v[k] = plane ? b->rows[s][k] - b->rows[p][k] : w[k];
                    }
                    gjb_edit_cross(u, v, n);
                    const double area = sqrt(gjb_edit_dot(n, n)), edge = sqrt(gjb_edit_dot(u, u));
                    const double off = plane      ? (area > 0 ? fabs(gjb_edit_dot(w, n)) / area : 0)
                                       : edge > 0 ? area / edge
                                                  : 0;
                    best = off < best ? off : best;
                }
    return reach > 0 ? best / reach : 0;
}

static int is_power_of_two(double ratio)
{
    int exponent;
    return ratio > 0 && frexp(ratio, &exponent) == 0.5;
}

static int shapes_equal(const gjb_edit_body *a, const gjb_edit_body *b)
{
    return a->kind == b->kind && a->count == b->count && a->radius == b->radius &&
           !memcmp(a->rows, b->rows, a->count * sizeof a->rows[0]);
}

static int turned_equal(const gjb_edit_body *a, const gjb_edit_body *b)
{
    return !memcmp(a->turn, b->turn, sizeof a->turn);
}

/* What each must have done. `before` and `after`; 1: it has. */
#define SAYS(name)                                                                                           \
    static int says_##name(const gjb_edit *before, const gjb_edit *after, const gjb_edit *other)
#define UNUSED (void)before, (void)after, (void)other

static uint32_t numbers_changed(const gjb_edit *before, const gjb_edit *after)
{
    uint32_t count = 0;
    for (int i = 0; i < 2; i++) {
        const gjb_edit_body *a = &before->body[i], *b = &after->body[i];
        count += a->radius != b->radius;
        for (int k = 0; k < 3; k++)
            count += a->place[k] != b->place[k];
        for (int k = 0; k < 4; k++)
            count += a->turn[k] != b->turn[k];
        for (int k = 0; k < 6; k++)
            count += a->motion[k] != b->motion[k];
        for (uint32_t v = 0; v < a->count && v < b->count; v++)
            for (int k = 0; k < 3; k++)
                count += a->rows[v][k] != b->rows[v][k];
    }
    return count;
}

SAYS(nudge)
{
    UNUSED;
    return numbers_changed(before, after) == 1 || before->body[0].kind == GJB_POLYGON ||
           before->body[1].kind == GJB_POLYGON;
}
SAYS(collinear)
{
    UNUSED;
    return fmin(spread_of(after, 0, 0), spread_of(after, 1, 0)) <= 16 * gjb_epsilon(after->precision);
}
SAYS(coplanar)
{
    UNUSED;
    return fmin(spread_of(after, 0, 1), spread_of(after, 1, 1)) <= 1e3 * gjb_epsilon(after->precision);
}
SAYS(repeat)
{
    UNUSED;
    for (int i = 0; i < 2; i++)
        for (uint32_t v = 0; v < after->body[i].count; v++)
            for (uint32_t w = 0; w < v; w++)
                if (!memcmp(after->body[i].rows[v], after->body[i].rows[w], sizeof after->body[i].rows[v]))
                    return 1;
    return 0;
}
static uint32_t vertices(const gjb_edit *e)
{
    return e->body[0].count + e->body[1].count;
}
SAYS(drop)
{
    UNUSED;
    return vertices(after) + 1 == vertices(before);
}
SAYS(interior)
{
    UNUSED;
    return vertices(after) == vertices(before) + 1 &&
           gjb_edit_reach(after, 0) <= gjb_edit_reach(before, 0) * 1.000001 &&
           gjb_edit_reach(after, 1) <= gjb_edit_reach(before, 1) * 1.000001;
}
SAYS(shape_alone) /* of one, poses and motions as they were */
{
    UNUSED;
    int same = 1;
    for (int i = 0; i < 2; i++)
        same &= !memcmp(before->body[i].place, after->body[i].place, sizeof after->body[i].place) &&
                turned_equal(&before->body[i], &after->body[i]);
    return same && (shapes_equal(&before->body[0], &after->body[0]) !=
                    shapes_equal(&before->body[1], &after->body[1]));
}
SAYS(flatten)
{
    const double tiny = 16 * gjb_epsilon(after->precision);
    int flat = 0;
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t k = 0; k < after->dim; k++) {
            double most = 0, was = 0;
            const gjb_edit_body *b = &after->body[i], *a = &before->body[i];
            for (uint32_t v = 0; v < b->count && v < a->count && (v == 0 || !gjb_is_curved(b->kind)); v++) {
                most = fmax(most, fabs(b->rows[v][k]));
                was = fmax(was, fabs(a->rows[v][k]));
            }
            flat |= most <= tiny * was && was > 0;
        }
    return flat && says_shape_alone(before, after, other);
}
SAYS(scale)
{
    int scaled = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const double was = gjb_edit_reach(before, i) - before->body[i].radius,
                     is = gjb_edit_reach(after, i) - after->body[i].radius;
        scaled |=
            (was > 0 && is != was && fabs(is / was / exp2(rint(log2(is / was))) - 1) < 1e-5) ||
            (before->body[i].radius > 0 && is_power_of_two(after->body[i].radius / before->body[i].radius));
    }
    return scaled && says_shape_alone(before, after, other);
}
SAYS(scale_pair)
{
    UNUSED;
    const double ratio = gjb_edit_size(after) / gjb_edit_size(before);
    return fabs(ratio / exp2(rint(log2(ratio))) - 1) < 1e-5 &&
           turned_equal(&before->body[0], &after->body[0]);
}
SAYS(radius)
{
    UNUSED;
    return numbers_changed(before, after) == 1 && (before->body[0].radius != after->body[0].radius ||
                                                   before->body[1].radius != after->body[1].radius);
}
SAYS(exponent)
{
    UNUSED;
    return numbers_changed(before, after) == 1 && (before->body[0].rows[1][0] != after->body[0].rows[1][0] ||
                                                   before->body[1].rows[1][0] != after->body[1].rows[1][0]);
}
SAYS(round)
{
    UNUSED;
    const double grid = exp2(ilogb(gjb_edit_size(before)) - 11);
    int whole[2] = {1, 1};
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < after->dim; k++)
            whole[i] &= fmod(after->body[i].place[k], grid) == 0;
    return whole[0] || whole[1];
}
SAYS(mirror)
{
    return says_shape_alone(before, after, other) &&
           fabs(gjb_edit_reach(after, 0) - gjb_edit_reach(before, 0)) == 0;
}
SAYS(equivalent)
{
    UNUSED;
    gjb_random r = gjb_random_make(1, 2, 3);
    double worst = 0;
    for (int i = 0; i < 32; i++) {
        double n[3];
        gjb_edit_unit(&r, after->dim, n);
        for (uint32_t k = 0; k < 2; k++)
            worst = fmax(worst, fabs(gjb_edit_support(before, k, n) - gjb_edit_support(after, k, n)) /
                                    fmax(gjb_edit_reach(before, k), 1e-300));
    }
    return worst < 1e-6 &&
           (before->body[0].kind != after->body[0].kind || before->body[1].kind != after->body[1].kind);
}
SAYS(equal)
{
    UNUSED;
    return shapes_equal(&after->body[0], &after->body[1]);
}
SAYS(swap)
{
    UNUSED;
    return shapes_equal(&after->body[0], &before->body[1]) &&
           shapes_equal(&after->body[1], &before->body[0]) &&
           turned_equal(&after->body[0], &before->body[1]) &&
           !memcmp(after->body[0].place, before->body[1].place, sizeof after->body[0].place);
}
static double place_length(const gjb_edit_body *b)
{
    return sqrt(gjb_edit_dot(b->place, b->place));
}
SAYS(far)
{
    UNUSED;
    return shapes_equal(&after->body[0], &before->body[0]) &&
           place_length(&after->body[0]) + place_length(&before->body[0]) >= gjb_edit_size(before);
}
SAYS(origin)
{
    UNUSED;
    return place_length(&after->body[0]) == 0 || place_length(&after->body[1]) == 0;
}
SAYS(same_place)
{
    UNUSED;
    return !memcmp(after->body[0].place, after->body[1].place, sizeof after->body[0].place);
}
static int unturned(const gjb_edit *e, uint32_t i)
{
    const double *q = e->body[i].turn;
    return e->dim == 2 ? q[0] == 1 && q[1] == 0 : q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 1;
}
SAYS(identity)
{
    UNUSED;
    return unturned(after, 0) || unturned(after, 1);
}
SAYS(turn) /* one of them, and nothing else */
{
    UNUSED;
    return shapes_equal(&after->body[0], &before->body[0]) &&
           shapes_equal(&after->body[1], &before->body[1]) &&
           turned_equal(&after->body[0], &before->body[0]) != turned_equal(&after->body[1], &before->body[1]);
}
/* Of boxes: an axis of each, all but along the other. */
static double best_axes(const gjb_edit *e)
{
    double best = 0;
    for (int i = 0; i < 9; i++) {
        double a[3] = {i % 3 == 0, i % 3 == 1, i % 3 == 2}, b[3] = {i / 3 == 0, i / 3 == 1, i / 3 == 2};
        if (e->dim == 2 && (i % 3 == 2 || i / 3 == 2))
            continue;
        gjb_edit_turn(e, 0, a, a);
        gjb_edit_turn(e, 1, b, b);
        best = fmax(best, fabs(gjb_edit_dot(a, b)));
    }
    return best;
}
SAYS(parallel)
{
    const int boxes = (after->body[0].kind == GJB_BOX || after->body[0].kind == GJB_AABB) &&
                      (after->body[1].kind == GJB_BOX || after->body[1].kind == GJB_AABB);
    return says_turn(before, after, other) &&
           (!boxes || best_axes(after) > 1 - 64 * gjb_epsilon(after->precision));
}
SAYS(moved) /* one of them, and nothing else */
{
    UNUSED;
    return shapes_equal(&after->body[0], &before->body[0]) &&
           shapes_equal(&after->body[1], &before->body[1]) &&
           turned_equal(&after->body[0], &before->body[0]) &&
           turned_equal(&after->body[1], &before->body[1]) &&
           !memcmp(after->body[0].place, before->body[0].place, sizeof after->body[0].place) !=
               !memcmp(after->body[1].place, before->body[1].place, sizeof after->body[1].place);
}
SAYS(touch)
{
    double sigma, n[3];
    return says_moved(before, after, other) &&
           (gjb_edit_sigma(after, &sigma, n) ||
            fabs(sigma) <=
                64 * gjb_epsilon(after->precision) * (gjb_edit_size(after) + place_length(&after->body[0])));
}
SAYS(near_touch)
{
    double sigma, n[3];
    return says_moved(before, after, other) &&
           (gjb_edit_sigma(after, &sigma, n) ||
            fabs(sigma) <= 0.02 * (gjb_edit_size(after) + gjb_edit_size(before)));
}
SAYS(depth) /* of balls; what is thin may go right through */
{
    double sigma, n[3];
    for (int i = 0; i < 2; i++)
        if (after->body[i].kind != GJB_POINT || after->body[i].radius < 0.25 * gjb_edit_size(after))
            return says_moved(before, after, other);
    return says_moved(before, after, other) &&
           (gjb_edit_sigma(after, &sigma, n) ||
            sigma <=
                64 * gjb_epsilon(after->precision) * (gjb_edit_size(after) + place_length(&after->body[0])));
}
SAYS(still)
{
    UNUSED;
    double sum[2] = {0};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 6; k++)
            sum[i] += fabs(after->body[i].motion[k]);
    return sum[0] == 0 || sum[1] == 0 ||
           !memcmp(after->body[0].motion, after->body[1].motion, sizeof after->body[0].motion);
}
SAYS(motion)
{
    UNUSED;
    gjb_edit *rest = malloc(sizeof *rest);
    gjb_edit_copy(rest, after);
    for (int i = 0; i < 2; i++)
        memcpy(rest->body[i].motion, before->body[i].motion, sizeof before->body[i].motion);
    const int same = gjb_edit_equal(rest, before);
    free(rest);
    return same;
}
SAYS(arrive)
{
    double sigma = 0, n[3], least = INFINITY;
    gjb_edit *then = malloc(sizeof *then);
    for (int half = 1; half <= 2; half++) {
        gjb_edit_copy(then, after);
        for (int i = 0; i < 2; i++)
            for (uint32_t k = 0; k < after->dim; k++)
                then->body[i].place[k] += 0.5 * half * after->body[i].motion[k];
        then->moving = 0;
        const int none = gjb_edit_settle(then) || gjb_edit_sigma(then, &sigma, n);
        least = fmin(least, none ? 0
                                 : fabs(sigma) / (gjb_edit_size(before) + place_length(&after->body[0]) +
                                                  place_length(&then->body[0])));
    }
    free(then);
    return says_motion(before, after, other) && least <= 64 * gjb_epsilon(after->precision);
}
SAYS(cross_shape)
{
    UNUSED;
    int found = 0;
    for (int i = 0; i < 4; i++)
        found |= shapes_equal(&after->body[i & 1], &other->body[i >> 1]);
    return found;
}
SAYS(cross_place)
{
    UNUSED;
    int found = 0;
    for (int i = 0; i < 2; i++)
        found |= turned_equal(&after->body[i], &other->body[i]) &&
                 !memcmp(after->body[i].place, other->body[i].place, sizeof other->body[i].place);
    return found;
}
SAYS(cross_motion)
{
    UNUSED;
    return !memcmp(after->body[0].motion, other->body[0].motion, sizeof other->body[0].motion);
}
SAYS(anything)
{
    UNUSED;
    return 1;
}

static const struct {
    const char *name;
    int (*says)(const gjb_edit *before, const gjb_edit *after, const gjb_edit *other);
} claims[] = {
    {"nudge", says_nudge},
    {"collinear", says_collinear},
    {"coplanar", says_coplanar},
    {"repeat", says_repeat},
    {"drop", says_drop},
    {"interior", says_interior},
    {"aspect", says_shape_alone},
    {"flatten", says_flatten},
    {"scale", says_scale},
    {"scale-pair", says_scale_pair},
    {"radius", says_radius},
    {"exponent", says_exponent},
    {"round", says_round},
    {"mirror", says_mirror},
    {"equivalent", says_equivalent},
    {"equal", says_equal},
    {"swap", says_swap},
    {"far", says_far},
    {"origin", says_origin},
    {"same-place", says_same_place},
    {"identity", says_identity},
    {"quarter", says_turn},
    {"near-axis", says_turn},
    {"turn", says_turn},
    {"nudge-turn", says_turn},
    {"parallel", says_parallel},
    {"parallel-edges", says_turn},
    {"flush", says_anything},
    {"vertex-on", says_moved},
    {"slide", says_moved},
    {"touch", says_touch},
    {"near-touch", says_near_touch},
    {"depth", says_depth},
    {"still", says_still},
    {"along-normal", says_motion},
    {"arrive", says_arrive},
    {"graze", says_anything},
    {"spin", says_motion},
    {"reverse", says_motion},
    {"nudge-motion", says_motion},
    {"cross-shape", says_cross_shape},
    {"cross-place", says_cross_place},
    {"cross-motion", says_cross_motion},
};

static uint64_t applied[64];

static void try_all(bench *b, uint32_t dim, const char *workload, const char *family, gjb_precision precision)
{
    gjb_scene *scene = pairs_of(dim, workload, family, precision);
    for (uint32_t i = 0; i < PAIRS; i++)
        for (size_t m = 0; m < gjb_mutation_count; m++) {
            gjb_random r = gjb_random_make(i, m, 1);
            gjb_edit_load(b->before, scene, 0, i);
            gjb_edit_load(b->other, scene, 0, (i + 1) % PAIRS);
            if (b->before->body[0].count + b->before->body[1].count > 2 * GJB_MUTATE_VERTICES)
                continue;
            gjb_edit_copy(b->edit, b->before);
            if (gjb_mutation_apply(&gjb_mutations[m], &r, b->edit, b->other, b->spare)) {
                cr_assert(gjb_edit_equal(b->edit, b->before), "%s changed a pair that it was not applied to",
                          gjb_mutations[m].name);
                continue;
            }
            applied[m]++;
            check_valid(b->edit, b->spare, gjb_mutations[m].name);
            cr_expect(claims[m].says(b->before, b->edit, b->other),
                      "%s did something else: %ud %s %s %s, pair %u", gjb_mutations[m].name, (unsigned)dim,
                      workload, family, gjb_precision_name(precision), (unsigned)i);
        }
    gjb_scene_free(scene);
}

static const char *const still_families[] = {"near", "deep", "touching", "needle"};

Test(mutate, each_does_what_it_says_and_leaves_a_valid_pair)
{
    bench b = bench_open();
    cr_assert_eq(sizeof claims / sizeof *claims, gjb_mutation_count);
    for (size_t m = 0; m < gjb_mutation_count; m++)
        cr_assert_str_eq(claims[m].name, gjb_mutations[m].name);
    for (uint32_t dim = 2; dim <= 3; dim++) {
        const char *const *tour = gjb_workload_tour(dim);
        for (size_t w = 0; tour[w]; w++)
            for (int p = 0; p < GJB_PRECISIONS; p++) {
                try_all(&b, dim, tour[w], still_families[(w + (size_t)p) % 4], (gjb_precision)p);
                try_all(&b, dim, tour[w], w & 1 ? "approach-spin" : "approach", (gjb_precision)p);
            }
    }
    for (size_t m = 0; m < gjb_mutation_count; m++)
        cr_expect_geq(applied[m], 50, "%s applied only %llu times", gjb_mutations[m].name,
                      (unsigned long long)applied[m]);
    bench_close(&b);
}

/* One after another, as a search takes them: shapes must not grow, nor anything but valid pairs come out. */
Test(mutate, chains_stay_valid_and_repeat)
{
    bench b = bench_open();
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (int p = 0; p < GJB_PRECISIONS; p++)
            for (int moving = 0; moving < 2; moving++) {
                uint64_t hashes[2];
                for (int time = 0; time < 2; time++) {
                    gjb_scene *scene =
                        pairs_of(dim, "mixed-curved", moving ? "approach" : "mixed", (gjb_precision)p);
                    gjb_scene *plain =
                        pairs_of(dim, "mixed-kinds", moving ? "approach" : "mixed", (gjb_precision)p);
                    uint64_t hash = 1;
                    for (uint32_t i = 0; i < PAIRS; i++) {
                        gjb_random r = gjb_random_make(7, dim, i);
                        gjb_edit_load(b.edit, i & 1 ? scene : plain, 0, i);
                        gjb_edit_load(b.other, i & 2 ? scene : plain, 0, (i + 5) % PAIRS);
                        for (int step = 0; step < ROUNDS; step++) {
                            const gjb_mutation *m = gjb_mutate(&r, b.edit, b.other, b.spare);
                            cr_assert(m, "no mutation came to anything");
                            check_valid(b.edit, b.spare, m->name);
                            for (int k = 0; k < 2; k++)
                                cr_assert_leq(b.edit->body[k].count, GJB_MUTATE_VERTICES, "%s", m->name);
                        }
                        gjb_scene *end = gjb_edit_scene(b.edit, NULL);
                        hash = hash * 31 + gjb_scene_hash(end);
                        gjb_scene_free(end);
                    }
                    hashes[time] = hash;
                    gjb_scene_free(scene);
                    gjb_scene_free(plain);
                }
                cr_assert_eq(hashes[0], hashes[1], "another pair the second time");
            }
    bench_close(&b);
}

/* Faces in one plane, corners on corners: by how the boxes lie then. */
Test(mutate, flush_and_vertex_on_meet_exactly)
{
    bench b = bench_open();
    for (uint32_t dim = 2; dim <= 3; dim++) {
        gjb_scene *scene = pairs_of(dim, "box", "near", GJB_F64);
        int met = 0, all = 0, on = 0;
        for (uint32_t i = 0; i < 8 * PAIRS; i++) {
            gjb_random r = gjb_random_make(11, dim, i);
            gjb_edit_load(b.edit, scene, 0, i % PAIRS);
            if (gjb_mutation_apply(gjb_mutation_find("flush"), &r, b.edit, NULL, b.spare))
                continue;
            double best = INFINITY;
            for (uint32_t k = 0; k < 4 * dim; k++) {
                const uint32_t axis = k % dim, which = k / dim % 2;
                double n[3] = {0}, between[3];
                n[axis] = k / dim / 2 ? 1 : -1;
                gjb_edit_turn(b.edit, which, n, n);
                for (int j = 0; j < 3; j++)
                    between[j] = b.edit->body[1 - which].place[j] - b.edit->body[which].place[j];
                best = fmin(best, fabs(gjb_edit_dot(between, n) - gjb_edit_support(b.edit, which, n) -
                                       gjb_edit_support(b.edit, 1 - which, (double[]){-n[0], -n[1], -n[2]})));
            }
            all++;
            met +=
                best <= 64 * gjb_epsilon(GJB_F64) * (gjb_edit_size(b.edit) + place_length(&b.edit->body[0]));
            gjb_edit_load(b.edit, scene, 0, i % PAIRS);
            if (gjb_mutation_apply(gjb_mutation_find("vertex-on"), &r, b.edit, NULL, b.spare))
                continue;
            double corners[2][8][3];
            best = INFINITY;
            for (uint32_t k = 0; k < 2; k++)
                gjb_edit_corners(b.edit, k, corners[k]);
            for (uint32_t k = 0; k < 64; k++) {
                double p[3], q[3];
                if (k / 8 >= gjb_box_corners(dim) || k % 8 >= gjb_box_corners(dim))
                    continue;
                gjb_edit_turn(b.edit, 0, corners[0][k / 8], p);
                gjb_edit_turn(b.edit, 1, corners[1][k % 8], q);
                double square = 0;
                for (int j = 0; j < 3; j++) {
                    const double off = b.edit->body[1].place[j] + q[j] - b.edit->body[0].place[j] - p[j];
                    square += off * off;
                }
                best = fmin(best, sqrt(square));
            }
            on +=
                best <= 64 * gjb_epsilon(GJB_F64) * (gjb_edit_size(b.edit) + place_length(&b.edit->body[0]));
        }
        cr_assert_gt(all, PAIRS);
        cr_assert_geq(3 * met, all, "%d of %d in one plane", met, all);
        cr_assert_geq(3 * on, all, "%d of %d on a corner", on, all);
        gjb_scene_free(scene);
    }
    bench_close(&b);
}
