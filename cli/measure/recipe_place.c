/* Moves the second body of a pair until its signed distance is the wanted one, apart or in depth. */
#include "cli/measure/recipe_place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"

/* Steps over faces that are nearest in turn; each is met once. */
enum { STEPS = 200 };

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out = a + b * t; out may be a. */
static void along(const double a[3], const double b[3], double t, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] + b[i] * t;
}

static int stopped(const cli_touching *touching)
{
    return touching->stop && *touching->stop;
}

static void move(gjb_pair3 *pair, const double at[3])
{
    pair->b.pose.x = at[0];
    pair->b.pose.y = at[1];
    pair->b.pose.z = at[2];
}

/* Mean vertex about the body's translation. */
static void middle(const gjb_body3 *body, double out[3])
{
    const double q[4] = {body->pose.qx, body->pose.qy, body->pose.qz, body->pose.qw},
                 square = dot(q, q) + q[3] * q[3];
    double mean[3] = {0, 0, 0}, t[3];
    for (uint32_t i = 0; i < body->count; i++)
        along(mean, body->vertices[i], 1.0 / body->count, mean);
    for (int i = 0; i < 3; i++)
        t[i] = 2 * (q[(i + 1) % 3] * mean[(i + 2) % 3] - q[(i + 2) % 3] * mean[(i + 1) % 3]) / square;
    for (int i = 0; i < 3; i++)
        out[i] = mean[i] + q[3] * t[i] + q[(i + 1) % 3] * t[(i + 2) % 3] - q[(i + 2) % 3] * t[(i + 1) % 3];
}

static int touch(gjb_pair3 *pair, double at[3], double normal[3], double inwards[3])
{
    const ref_answer3 found = ref_signed_distance3(pair, NULL);
    double of_a[3], of_b[3];
    if (found.status != GJB_SEPARATED)
        return -1;
    const double from[3] = {pair->b.pose.x, pair->b.pose.y, pair->b.pose.z};
    memcpy(normal, found.normal, sizeof found.normal);
    along(from, normal, -found.sigma, at);
    middle(&pair->a, of_a);
    middle(&pair->b, of_b);
    for (int i = 0; i < 3; i++)
        inwards[i] = of_a[i] - of_b[i] - at[i];
    const double length = sqrt(dot(inwards, inwards));
    for (int i = 0; i < 3; i++)
        inwards[i] /= length;
    return 0;
}

int cli_touching_find(cli_touching *touching, const gjb_scene *scene, gjb_error *error)
{
    const uint64_t count = scene->frames[0].pair_count;
    gjb_pair_space space = {0};
    int failed = 0;
    touching->count = count;
    touching->at = malloc(count * sizeof *touching->at);
    touching->normal = malloc(count * sizeof *touching->normal);
    touching->inwards = malloc(count * sizeof *touching->inwards);
    if (!touching->at || !touching->normal || !touching->inwards)
        failed = gjb_fail(error, "recipe: out of memory for %llu pairs", (unsigned long long)count);
    for (uint64_t i = 0; i < count && !failed && !stopped(touching); i++) {
        gjb_pair pair;
        if (gjb_scene_pair(scene, 0, i, &space, &pair))
            failed = gjb_fail(error, "recipe: out of memory");
        else if (touch(&pair.as.space, touching->at[i], touching->normal[i], touching->inwards[i]))
            failed = gjb_fail(error, "recipe: pair %llu is not apart to begin with", (unsigned long long)i);
    }
    gjb_pair_space_free(&space);
    return failed;
}

void cli_touching_free(cli_touching *touching)
{
    free(touching->at);
    free(touching->normal);
    free(touching->inwards);
    *touching = (cli_touching){0};
}

/* Along the way in the depth is the least of linear functions, one of each face of the Minkowski difference: to where the
 * nearest face is as far away as it should be, until another face is not nearer. It is never deeper on the way than
 * asked for. 0, or -1 if the way leads past the deepest place. */
static int go_inwards(gjb_pair3 *pair, const double from[3], const double way[3], const double normal[3],
                      double depth, double at[3])
{
    const double enough = 8 * gjb_epsilon(GJB_F64) * gjb_pair_size3(pair);
    double gains = -dot(normal, way), went = gains > 0 ? depth / gains : 0;
    for (int step = 0; step < STEPS; step++) {
        along(from, way, went, at);
        move(pair, at);
        const ref_answer3 found = ref_signed_distance3(pair, NULL);
        const double missing = depth + found.sigma;
        if (fabs(missing) <= enough)
            return 0;
        gains = -dot(found.normal, way);
        if (!(gains > 0))
            return -1;
        went += missing / gains;
    }
    return -1;
}

int cli_recipe_place(gjb_scene *scene, const cli_touching *touching, double sigma, gjb_error *error)
{
    gjb_pair_space space = {0};
    int failed = 0;
    for (uint64_t i = 0; i < touching->count && !failed && !stopped(touching); i++) {
        const uint32_t body = scene->frames[0].pairs[2 * i + 1];
        gjb_pose3d pose = gjb_scene_pose3(scene, 0, body);
        double at[3];
        gjb_pair pair;
        along(touching->at[i], touching->normal[i], sigma, at);
        if (sigma < 0 && gjb_scene_pair(scene, 0, i, &space, &pair))
            failed = gjb_fail(error, "recipe: out of memory");
        else if (sigma < 0 && go_inwards(&pair.as.space, touching->at[i], touching->inwards[i],
                                         touching->normal[i], -sigma, at))
            failed = gjb_fail(error, "recipe: pair %llu cannot be %g deep", (unsigned long long)i, -sigma);
        pose.x = at[0];
        pose.y = at[1];
        pose.z = at[2];
        gjb_scene_set_pose3(scene, 0, body, pose);
    }
    gjb_pair_space_free(&space);
    return failed;
}
