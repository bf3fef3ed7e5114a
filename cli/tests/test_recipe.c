/* Pairs of the published recipe in 3D: radii, poses and distances are what they are said to be. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "cli/measure/recipe_place.h"
#include "reference/reference.h"
#include "scenes/hash.h"
#include "scenes/published.h"

static const gjb_published *hulls(void)
{
    const gjb_published *p = gjb_published_find("ellipsoid-hulls-2205.09663");
    cr_assert_not_null(p);
    return p;
}

static gjb_scene *make(gjb_published_size size, uint64_t seed, double scale)
{
    gjb_error error = {{0}};
    gjb_scene *scene = gjb_published_ellipsoids(&size, seed, scale, &error);
    cr_assert_not_null(scene, "%s", error.text);
    return scene;
}

static double determinant(double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Of the ellipsoid about the origin that three points lie on, by Cramer's rule. */
static int radii_through(const double (*v)[3], double radii[3])
{
    double m[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            m[i][k] = v[i][k] * v[i][k];
    const double whole = determinant(m);
    for (int axis = 0; axis < 3; axis++) {
        double with[3][3];
        memcpy(with, m, sizeof m);
        for (int i = 0; i < 3; i++)
            with[i][axis] = 1;
        radii[axis] = sqrt(whole / determinant(with));
    }
    return isfinite(radii[0] + radii[1] + radii[2]);
}

static double off_surface(const double v[3], const double radii[3])
{
    double sum = -1;
    for (int axis = 0; axis < 3; axis++)
        sum += v[axis] * v[axis] / (radii[axis] * radii[axis]);
    return fabs(sum);
}

/* All vertices of a hull on one ellipsoid, and the radii of all of them as they are said to be distributed. */
Test(recipe, radii)
{
    gjb_scene *scene = make((gjb_published_size){1000, 1, 1}, 1, 5);
    double sum = 0, squares = 0, least = INFINITY, beyond = 0;
    uint32_t known = 0;
    for (uint32_t k = 0; k < scene->shapes.count; k++) {
        const double(*v)[3] = (const double(*)[3])scene->shapes.rows + scene->shapes.first[k];
        double radii[3];
        uint32_t at = 0, on = 0;
        for (; at + 3 <= GJB_ELLIPSOID_VERTICES && on < GJB_ELLIPSOID_VERTICES; at++) {
            on = 0;
            for (uint32_t i = 0; radii_through(v + at, radii) && i < GJB_ELLIPSOID_VERTICES; i++)
                on += off_surface(v[i], radii) < 1e-9;
        }
        cr_assert_eq(on, GJB_ELLIPSOID_VERTICES, "hull %u", k);
        cr_expect(radii[0] != radii[1] && radii[1] != radii[2] && radii[2] != radii[0], "hull %u", k);
        for (int axis = 0; axis < 3; axis++, known++) {
            const double r = radii[axis] / 5;
            sum += r;
            squares += r * r;
            least = fmin(least, r);
            beyond += fabs(r - 0.1) > 0.05;
        }
    }
    const double mean = sum / known, deviation = sqrt(squares / known - mean * mean);
    cr_expect(fabs(mean - 0.1) < 0.002 && fabs(deviation - 0.025) < 0.001, "mean %g, deviation %g", mean,
              deviation);
    cr_expect(least >= 0.025 && least < 0.04, "least %g", least);
    cr_expect(fabs(beyond / known - 0.0455) < 0.01, "%g beyond two deviations", beyond / known);
    gjb_scene_free(scene);
}

/* Size, other seeds and scale change no pair, but for the scale itself. */
Test(recipe, same_pairs)
{
    gjb_scene *large = make((gjb_published_size){5, 4, 3}, 7, 1),
              *small = make((gjb_published_size){3, 2, 1}, 8, 10);
    gjb_pair_space spaces[2] = {{0}};
    for (uint32_t couple = 0; couple < 3; couple++)
        for (uint32_t pose = 0; pose < 2; pose++) {
            gjb_pair a, b;
            cr_assert_eq(gjb_scene_pair(large, 0, pose * 15 + 5 + couple, &spaces[0], &a), 0);
            cr_assert_eq(gjb_scene_pair(small, 0, pose * 3 + couple, &spaces[1], &b), 0);
            cr_expect_eq(a.as.space.b.pose.qx, b.as.space.b.pose.qx);
            cr_expect_eq(a.as.space.a.pose.qw, b.as.space.a.pose.qw);
            cr_expect_lt(fabs(10 * a.as.space.a.vertices[63][2] - b.as.space.a.vertices[63][2]), 1e-14);
            cr_expect_lt(fabs(10 * a.as.space.b.pose.y - b.as.space.b.pose.y), 1e-13);
        }
    /* The same bits on every machine. */
    cr_expect_eq(gjb_scene_hash(large), UINT64_C(0xc9fed151610ed6ff), "%016llx",
                 (unsigned long long)gjb_scene_hash(large));
    for (int i = 0; i < 2; i++)
        gjb_pair_space_free(&spaces[i]);
    gjb_scene_free(large);
    gjb_scene_free(small);
}

/* By the exact oracle every pair is where it should be, to some roundings; and the normal is the one that B was moved
 * along. */
Test(recipe, prescribed)
{
    const gjb_published *p = hulls();
    gjb_pair_space space = {0};
    uint32_t depths = 0;
    for (const gjb_published_panel *panel = p->panels; panel->name; panel++) {
        gjb_scene *scene = make((gjb_published_size){12, 2, 2}, 3, panel->scale);
        cli_touching touching = {0};
        gjb_error error = {{0}};
        cr_assert_eq(cli_touching_find(&touching, scene, &error), 0, "%s", error.text);
        for (const gjb_published_place *place = p->places; place->label; place++) {
            if (!gjb_published_has(p, panel, place))
                continue;
            depths += place->sigma < 0;
            cr_assert_eq(cli_recipe_place(scene, &touching, place->sigma, &error), 0, "%s", error.text);
            for (uint64_t i = 0; i < scene->frames[0].pair_count; i++) {
                gjb_pair pair;
                ref_exact3 truth;
                cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
                ref_oracle3(&pair.as.space, &truth);
                const double allowed = 32 * gjb_epsilon(GJB_F64) * gjb_pair_size(&pair);
                cr_expect(truth.lo > place->sigma - allowed && truth.hi < place->sigma + allowed,
                          "%s, %s, pair %llu: %.17g", panel->name, place->label, (unsigned long long)i,
                          truth.lo);
            }
        }
        cli_touching_free(&touching);
        gjb_scene_free(scene);
    }
    cr_expect_eq(depths, 5 + 7 + 7, "places in depth");
    gjb_pair_space_free(&space);
}

/* What cannot be is refused by name. */
Test(recipe, refused)
{
    gjb_error error = {{0}};
    gjb_scene *scene = make((gjb_published_size){2, 1, 1}, 1, 1);
    cli_touching touching = {0};
    cr_assert_eq(cli_touching_find(&touching, scene, &error), 0);
    cr_expect_neq(cli_recipe_place(scene, &touching, -1, &error), 0);
    cr_expect_str_eq(error.text, "recipe: pair 0 cannot be 1 deep");
    cli_touching_free(&touching);
    gjb_scene_free(scene);
    const gjb_published_size none = {0, 1, 1}, many = {100000, 100000, 2};
    cr_expect_null(gjb_published_ellipsoids(&none, 1, 1, &error));
    cr_expect_null(gjb_published_ellipsoids(&many, 1, 1, &error));
}
