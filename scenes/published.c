/* Published experiments: tables of their panels and places, and their ellipsoids drawn at random. */
#include "scenes/published.h"

#include <sleef.h>
#include <stdio.h>
#include <string.h>

#include "scenes/generate/generate_parts.h"
#include "scenes/generate/generate_solid.h"

#define ASKED(query) (1u << (query))

const gjb_published gjb_published_all[] = {
    {
        .name = "polygons-2011.09117",
        .title = "Random convex polygons, far, touching and overlapping",
        .about = "pairs of random convex polygons of 3 to 12 vertices: far, touching, overlapping",
        .citation = "Yu Zhang, Yangming Wu, Xigui Wang, Xiaocheng Zhou: Barycode-based GJK Algorithm. arXiv 2011.09117, 2020",
        .dim = 2,
        .queries = ASKED(GJB_INTERSECT) | ASKED(GJB_DISTANCE),
        .precision = GJB_F32,
        .panel_title = "case",
        .place_title = "vertices of each polygon",
        .place_column = "vertices",
        .panels = {{"far", "far", 0}, {"touching", "touching", 0}, {"deep", "overlapping", 0}},
        .places = {{"3", 3, 0}, {"4", 4, 0}, {"5", 5, 0}, {"6", 6, 0}, {"7", 7, 0}, {"8", 8, 0}, {"9", 9, 0},
                   {"10", 10, 0}, {"11", 11, 0}, {"12", 12, 0}},
        .full = {16384, 1, 1},
        .quick = {2048, 1, 1},
        .choices = "Both polygons of a pair have the same number of vertices, irregular and at random poses. Far "
                   "is a gap of 1 to 3 sizes of the smaller; touching is exact in half of the pairs and to a rounding in "
                   "the others, so that a boolean may be either and is not graded; overlapping is 20 to 50% of the size deep.",
    },
    {
        .name = "ellipsoid-hulls-2205.09663",
        .title = "Ellipsoid-like hulls at prescribed distances",
        .about = "pairs of hulls of points on ellipsoids, radii N(0.1, 0.025) times 1, 5 and 10, 5 apart to 0.1 deep",
        .citation = "Louis Montaut, Quentin Le Lidec, Vladimir Petrik, Josef Sivic, Justin Carpentier: Collision Detection "
                    "Accelerated: An Optimization Perspective. Robotics: Science and Systems 2022, arXiv 2205.09663; and GJK++: "
                    "Leveraging Acceleration Methods for Faster Collision Detection. IEEE Transactions on Robotics, 2024",
        .dim = 3,
        .queries = ASKED(GJB_INTERSECT) | ASKED(GJB_DISTANCE) | ASKED(GJB_PENETRATION),
        .precision = GJB_F64,
        .panel_title = "radii",
        .place_title = "distance, or minus the depth",
        .place_column = "sigma",
        .panels = {{"x1", "radii N(0.1, 0.025)", 1}, {"x5", "radii 5 × N(0.1, 0.025)", 5},
                   {"x10", "radii 10 × N(0.1, 0.025)", 10}},
        .places = {{"-0.1", 0, -0.1}, {"-0.03", 0, -0.03}, {"-0.01", 0, -0.01}, {"-3e-3", 0, -3e-3},
                   {"-1e-3", 0, -1e-3}, {"-3e-4", 0, -3e-4}, {"-1e-4", 0, -1e-4}, {"1e-4", 0, 1e-4},
                   {"3e-4", 0, 3e-4}, {"1e-3", 0, 1e-3}, {"3e-3", 0, 3e-3}, {"0.01", 0, 0.01}, {"0.03", 0, 0.03},
                   {"0.1", 0, 0.1}, {"0.3", 0, 0.3}, {"1", 0, 1}, {"5", 0, 5}},
        .full = {250, 100, 4},
        .quick = {25, 10, 1},
        .choices = "A hull has 64 vertices, uniform directions of the unit sphere stretched by three radii, and both hulls of a "
                   "pair have the same scale. A radius below 0.025, three deviations from the mean, is drawn again, which "
                   "0.13% are: one near zero or negative makes no solid. Poses are uniform rotations with B in a uniform direction; "
                   "then B is moved along the normal until the pair touches, and on along it to a distance, or towards the middle "
                   "of the Minkowski difference to a depth. Depths end at a fifth of the mean radius: thin hulls cannot be deeper.",
    },
};
const size_t gjb_published_count = sizeof gjb_published_all / sizeof *gjb_published_all;

static const double radius_mean = 0.1, radius_deviation = 0.025, radius_least = 0.025;
/* As a share of the mean radius: every couple of hulls that can be drawn can overlap that deeply. */
static const double deepest = 0.2;
/* In units of the scale: B begins so far away that no hulls that can be drawn overlap. */
static const double apart = 4;
enum { MOST_PAIRS = 10000000 };

const gjb_published *gjb_published_find(const char *name)
{
    for (size_t i = 0; i < gjb_published_count; i++)
        if (!strcmp(gjb_published_all[i].name, name))
            return &gjb_published_all[i];
    return NULL;
}

void gjb_published_workload(const gjb_published *p, const gjb_published_panel *panel,
                            const gjb_published_place *place, char name[GJB_PUBLISHED_NAME])
{
    if (p->dim == 2)
        snprintf(name, GJB_PUBLISHED_NAME, "polygon%u", place->vertices);
    else
        snprintf(name, GJB_PUBLISHED_NAME, "ellipsoid-hull%d-%s", GJB_ELLIPSOID_VERTICES, panel->name);
}

void gjb_published_family(const gjb_published *p, const gjb_published_panel *panel,
                          const gjb_published_place *place, char name[GJB_PUBLISHED_NAME])
{
    if (p->dim == 2)
        snprintf(name, GJB_PUBLISHED_NAME, "%s", panel->name);
    else
        snprintf(name, GJB_PUBLISHED_NAME, "sigma:%s", place->label);
}

int gjb_published_has(const gjb_published *p, const gjb_published_panel *panel, const gjb_published_place *place)
{
    return p->dim == 2 || -place->sigma <= deepest * radius_mean * panel->scale * (1 + 1e-9);
}

/* A draw gives two normal deviates (Box, Muller 1958); the second is dropped. */
static double normal_deviate(gjb_random *r)
{
    double c, s;
    const double length = sqrt(-2.0 * Sleef_cinz_logd1_u10purec(1.0 - gjb_random_unit(r)));
    gjb_cos_sin(gjb_random_unit(r), &c, &s);
    return length * c;
}

static double draw_radius(gjb_random *r)
{
    double radius;
    do
        radius = radius_mean + radius_deviation * normal_deviate(r);
    while (radius < radius_least);
    return radius;
}

static void draw_hull(gjb_random *r, double scale, double rows[GJB_ELLIPSOID_VERTICES][3])
{
    double radii[3];
    for (int axis = 0; axis < 3; axis++)
        radii[axis] = scale * draw_radius(r);
    for (int i = 0; i < GJB_ELLIPSOID_VERTICES; i++) {
        gjb_random_direction3(r, rows[i]);
        for (int axis = 0; axis < 3; axis++)
            rows[i][axis] *= radii[axis];
    }
}

/* What each random stream is for. The scale is not in the key: larger hulls have the same shapes and
 * poses. */
enum role { ROLE_HULL = 0x22050966, ROLE_POSE };

static void place_apart(gjb_scene *scene, uint32_t body, gjb_random *r, double scale, double away)
{
    double q[4], u[3];
    gjb_random_quaternion(r, q);
    gjb_random_direction3(r, u);
    gjb_scene_set_pose3(scene, 0, body, (gjb_pose3d){away * scale * u[0], away * scale * u[1], away * scale * u[2],
                                                     q[0], q[1], q[2], q[3]});
}

gjb_scene *gjb_published_ellipsoids(const gjb_published_size *size, uint64_t seed, double scale, gjb_error *error)
{
    const uint64_t couples = (uint64_t)size->couples * size->seeds, pairs = couples * size->poses;
    double rows[GJB_ELLIPSOID_VERTICES][3];
    if (pairs == 0 || couples > MOST_PAIRS || pairs > MOST_PAIRS) {
        gjb_fail(error, "recipe: %u couples, %u poses, %u seeds: expected 1 to %d pairs", size->couples, size->poses,
                 size->seeds, MOST_PAIRS);
        return NULL;
    }
    gjb_scene *scene = gjb_scene_new(3, GJB_F64, 2 * (uint32_t)couples, 2 * couples * GJB_ELLIPSOID_VERTICES,
                                     2 * (uint32_t)pairs, pairs);
    if (!scene) {
        gjb_fail(error, "recipe: out of memory for %llu pairs", (unsigned long long)pairs);
        return NULL;
    }
    for (uint32_t k = 0; k < 2 * couples; k++) {
        const uint32_t couple = k / 2, of_seed = couple / size->couples;
        gjb_random r = gjb_random_make(seed + of_seed, ROLE_HULL, 2 * (uint64_t)(couple % size->couples) + k % 2);
        draw_hull(&r, scale, rows);
        gjb_scene_set_shape(scene, k, GJB_HULL, k * GJB_ELLIPSOID_VERTICES, GJB_ELLIPSOID_VERTICES, rows, 0);
    }
    for (uint64_t i = 0; i < pairs; i++) {
        const uint32_t couple = (uint32_t)(i % couples), of_seed = couple / size->couples;
        const uint64_t pose = i / couples << 32 | couple % size->couples;
        gjb_random r = gjb_random_make(seed + of_seed, ROLE_POSE, pose);
        for (uint32_t side = 0; side < 2; side++) {
            const uint32_t body = 2 * (uint32_t)i + side;
            scene->body_shape[body] = 2 * couple + side;
            place_apart(scene, body, &r, scale, side ? apart : 0);
            scene->frames[0].pairs[body] = body;
        }
    }
    snprintf(scene->name, sizeof scene->name, "ellipsoid-hull%d", GJB_ELLIPSOID_VERTICES);
    return scene;
}
