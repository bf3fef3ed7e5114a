/* A box by its corners is the box that a polygon or a hull of its corners is: every contender that
 * takes it answers the four queries at rest about both alike, and the others refuse it. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "contenders/harness.h"
#include "contenders/tests/scenes.h"
#include "scenes/generate/generate.h"

enum { PAIRS = 300 };

/* The poses and the second shapes of `scene`, the first ones replaced by boxes about any centre:
 * by two corners in any order, or by all of them. */
static gjb_scene *with_boxes(const gjb_scene *scene, int by_corners)
{
    const uint32_t dim = scene->shapes.dim, corners = gjb_box_corners(dim);
    const gjb_precision precision = (gjb_precision)scene->shapes.precision;
    gjb_scene *made = gjb_scene_new(dim, precision, 2 * PAIRS, (corners + 1) * PAIRS, 2 * PAIRS, PAIRS);
    uint32_t first = 0;
    for (uint32_t i = 0; i < 2 * PAIRS; i++) {
        double rows[8][3];
        double(*flat)[2] = (double(*)[2])rows[0];
        gjb_random r = gjb_random_make(3, 0, i);
        double ends[2][3];
        for (uint32_t k = 0; k < dim; k++) {
            ends[0][k] = gjb_random_range(&r, -1.5, 1.5);
            ends[1][k] = gjb_random_range(&r, -1.5, 1.5);
        }
        for (uint32_t v = 0; v < (by_corners ? 2 : corners); v++) {
            for (uint32_t k = 0; k < dim; k++) {
                const double lo = fmin(ends[0][k], ends[1][k]), hi = fmax(ends[0][k], ends[1][k]);
                const double x = by_corners ? ends[v][k] : gjb_box_corner(dim, v, k) < 0.0 ? lo : hi;
                *(dim == 2 ? &flat[v][k] : &rows[v][k]) = x;
            }
        }
        const gjb_kind all = dim == 2 ? GJB_POLYGON : GJB_HULL;
        if (i % 2 == 0) {
            gjb_scene_set_shape(made, i, by_corners ? GJB_AABB : all, first, by_corners ? 2 : corners, rows,
                                0.125 * (i % 3));
            first += by_corners ? 2 : corners;
        } else {
            const double half[3] = {0.5, 0.75, 1.0};
            gjb_scene_set_shape(made, i, GJB_BOX, first++, 1, half, 0.0);
        }
        if (dim == 2)
            gjb_scene_set_pose(made, 0, i, gjb_scene_pose(scene, 0, i));
        else
            gjb_scene_set_pose3(made, 0, i, gjb_scene_pose3(scene, 0, i));
    }
    for (uint32_t i = 0; i < PAIRS; i++) {
        made->frames[0].pairs[2 * i] = 2 * i + (i % 4 == 1);
        made->frames[0].pairs[2 * i + 1] = 2 * i + (i % 4 != 1);
    }
    return made;
}

typedef struct answers {
    gjb_result3d records[PAIRS]; /* room for any */
} answers;

static void ask(const gjb_contender *contender, const char *backend, const gjb_scene *scene, gjb_query query,
                answers *out)
{
    gjb_error error = {""};
    gjb_session *session = gjb_session_open(contender, backend, scene, 1, &error);
    cr_assert_not_null(session, "%s", error.text);
    cr_assert_eq(gjb_session_run(session, query, 0, 0, PAIRS, 0, 1, out->records, NULL), 0);
    gjb_session_close(session);
}

static void check(const gjb_contender *contender, const char *backend, uint32_t dim, gjb_precision precision,
                  double gap)
{
    (void)gap;
    const gjb_recipe recipe = {
        .workload = "box", .family = "mixed", .seed = 9, .precision = precision, .pairs = PAIRS, .dim = dim};
    gjb_error error = {""};
    gjb_scene *poses = gjb_generate(&recipe, &error);
    gjb_scene *ours = with_boxes(poses, 1), *twin = with_boxes(poses, 0);
    cr_assert(gjb_scene_check(ours, "corners", &error) == 0 && gjb_scene_check(twin, "twin", &error) == 0,
              "%s", error.text);
    for (int q = 0; q < GJB_STILL_QUERIES; q++) {
        static answers a, b;
        int refused = 0, overlapping = 0, separated = 0;
        if (!(contender->queries >> q & 1))
            continue;
        ask(contender, backend, ours, (gjb_query)q, &a);
        ask(contender, backend, twin, (gjb_query)q, &b);
        for (uint64_t i = 0; i < PAIRS; i++) {
            const gjb_result x = gjb_result_get((gjb_query)q, precision, dim, a.records, i);
            const gjb_result y = gjb_result_get((gjb_query)q, precision, dim, b.records, i);
            const double close = 16.0 * gjb_epsilon(precision) * 32.0;
            refused += x.status == GJB_UNSUPPORTED;
            overlapping += x.status == GJB_OVERLAPPING;
            separated += x.status == GJB_SEPARATED;
            cr_expect(!contender->ours || (x.status == y.status && fabs(x.value - y.value) <= close),
                      "%s %s %uD query %d pair %d: %u %.9g, %u %.9g", contender->name,
                      backend ? backend : "-", dim, q, (int)i, (unsigned)x.status, x.value,
                      (unsigned)y.status, y.value);
        }
        if (contender->ours)
            cr_expect(refused == 0 && overlapping > 50 && separated > 50, "%s: %d, %d, %d", contender->name,
                      refused, overlapping, separated);
        else
            cr_expect_eq(refused, PAIRS, "%s %uD query %d refuses %d of %d", contender->name, dim, q, refused,
                         (int)PAIRS);
    }
    gjb_scene_free(poses);
    gjb_scene_free(ours);
    gjb_scene_free(twin);
}

Test(aabb, is_its_polygon_or_hull)
{
    test_each(1u << 2 | 1u << 3, ~0u, 0, check, 0);
}
