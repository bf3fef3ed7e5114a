/* Convergence as it is told: errors against proven truth fall by a ratio on smooth shapes, and end at once on
 * polytopes; of ours nobody stops at a cap. */
#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#include "verify/converge/converge.h"
#include "verify/converge/converge_methods.h"

static json_t *study(void)
{
    const gjb_converge_plan plan = {.dims = 1u << 2 | 1u << 3, .precisions = 3, .pairs = 60, .seed = 5};
    gjb_error error = {{0}};
    json_t *json = gjb_converge_json(&plan, &error);
    cr_assert(json, "%s", error.text);
    return json;
}

static const char *text(const json_t *row, const char *key)
{
    return json_string_value(json_object_get(row, key));
}

static double number(const json_t *row, const char *key)
{
    return json_number_value(json_object_get(row, key));
}

static double at(const json_t *row, const char *key, size_t i)
{
    return json_number_value(json_array_get(json_object_get(row, key), i));
}

/* Supports until `key` is as near as that for good; 0: never. */
static double supports_until(const json_t *row, const char *key, double near)
{
    size_t k = json_array_size(json_object_get(row, key));
    while (k && at(row, key, k - 1) <= near)
        k--;
    return at(row, "supports", k);
}

Test(converge, errors_fall_to_rounding)
{
    json_t *json = study(), *row;
    size_t i, rows = 0;
    json_array_foreach(json_object_get(json, "convergence"), i, row)
    {
        const int distance = !strcmp(text(row, "query"), "distance"),
                  polytope = strpbrk(text(row, "workload"), "0123456789") != NULL;
        const double eps = strcmp(text(row, "precision"), "f32") ? 0x1p-53 : 0x1p-24;
        const size_t steps = json_array_size(json_object_get(row, "supports"));
        cr_expect(number(row, "pairs") >= 30, "%s: %g pairs", text(row, "workload"), number(row, "pairs"));
        /* Half of the pairs always; EPA as it stands in the paper may be torn by rounding in some. */
        cr_expect(at(row, "median", steps - 1) <= 16 * eps, "%s %s %s: %g in the end", text(row, "workload"),
                  text(row, "query"), text(row, "precision"), at(row, "median", steps - 1));
        cr_expect(!distance || at(row, "most", steps - 1) <= 16 * eps, "%s %s: %g in the end",
                  text(row, "workload"), text(row, "precision"), at(row, "most", steps - 1));
        for (size_t k = 1; k < steps && distance; k++)
            cr_expect(at(row, "most", k) <= at(row, "most", k - 1) + 4 * eps, "%s: error grows",
                      text(row, "workload"));
        cr_expect_eq(number(row, "met") + number(row, "floor") + number(row, "capped") + number(row, "other"),
                     number(row, "pairs"));
        /* From 1e-3 to 1e-6 a smooth shape takes several supports, and a polytope none or few. */
        const double few = supports_until(row, "median", 1e-6) - supports_until(row, "median", 1e-3);
        cr_expect(polytope ? few <= 3 : few >= 2, "%s %s: %g supports", text(row, "workload"),
                  text(row, "query"), few);
        rows++;
    }
    cr_expect_eq(rows, 32);
    json_decref(json);
}

Test(converge, ours_never_stop_at_a_cap)
{
    json_t *json = study(), *row;
    size_t i;
    cr_expect_eq(gjb_converge_capped(json), 0);
    json_array_foreach(json_object_get(json, "convergence"), i, row)
    {
        const json_t *ours = json_object_get(row, "ours");
        cr_expect(ours, "%s: ours do not answer", text(row, "workload"));
        cr_expect(number(ours, "all") >= number(ours, "median") && number(ours, "median") >= 1);
    }
    /* What is counted is seen. */
    json_object_set_new(json_object_get(json_array_get(json_object_get(json, "convergence"), 3), "ours"),
                        "capped", json_integer(7));
    cr_expect_eq(gjb_converge_capped(json), 7);
    json_decref(json);
}

/* Discs, whose distance and depth are known: A about the origin, B at (x, y, 0). */
typedef struct discs {
    double radius[2], offset[3];
} discs;

static void support_of_discs(const void *of, const double d[3], double w[3])
{
    const discs *p = of;
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int k = 0; k < 3; k++)
        w[k] = (p->radius[0] + p->radius[1]) * d[k] / length - p->offset[k];
}

Test(converge, walks_end_at_what_is_known)
{
    static const double places[][3] = {{3, 0, 0},      {2, 2, 0},       {-1, 3, 0},
                                       {0.5, 0.25, 0}, {-0.75, 0.5, 0}, {0.01, -1, 0}};
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            for (int f64 = 0; f64 < 2; f64++) {
                discs pair = {{1, 0.5}, {places[i][0], places[i][1], dim == 3 ? 0.125 * (double)i : 0}};
                const double *o = pair.offset, sigma = sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]) - 1.5;
                const gjb_difference d = {support_of_discs, &pair, dim, {o[0], o[1], o[2]}, sigma + 3};
                gjb_walk walk, other;
                (f64 ? gjb_walk_f64 : gjb_walk_f32)(&d, sigma < 0, &walk);
                (f64 ? gjb_walk_f64 : gjb_walk_f32)(&d, sigma > 0, &other);
                cr_expect(walk.end == GJB_CONVERGE_MET || walk.end == GJB_CONVERGE_FLOOR,
                          "%uD, %zu: ended by %d", dim, i, (int)walk.end);
                cr_expect(fabs(walk.value[walk.count - 1] - fabs(sigma)) <= (f64 ? 1e-14 : 1e-5),
                          "%uD, %zu: %.17g for %.17g", dim, i, walk.value[walk.count - 1], sigma);
                /* Asked for a distance that there is not, or for a depth. */
                cr_expect(other.end == GJB_CONVERGE_OTHER ||
                              other.value[other.count - 1] <= (f64 ? 1e-14 : 1e-5),
                          "%uD, %zu: asked for the other sort, ended by %d", dim, i, (int)other.end);
            }
}
