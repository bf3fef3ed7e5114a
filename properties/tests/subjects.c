/* Scenes and subjects of property tests, and scenes mirrored, scaled and rotated exactly. */
#include "properties/tests/subjects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/table.h"
#include "core/tests/one_in.h"

size_t subjects(subject out[SUBJECTS_MAX])
{
    static const char *const one_way[] = {NULL, NULL};
    size_t count = 0;
    for (size_t i = 0; i < gjb_contender_count(); i++) {
        const gjb_contender *c = gjb_contender_at(i);
        if (!c->ours && strcmp(c->name, "reference"))
            continue;
        const char *const *names = c->backends ? c->backends : one_way;
        for (size_t b = 0; (c->backends ? names[b] != NULL : b == 0) && count < SUBJECTS_MAX; b++)
            for (int p = 0; p < GJB_PRECISIONS && count < SUBJECTS_MAX; p++)
                if (c->precisions >> p & 1 && (!c->backends || c->backend_available(names[b])))
                    out[count++] = (subject){c, names[b], (gjb_precision)p, c->backends != NULL};
    }
    return count;
}

/* Every subject and query on one scene. */
static void visit_all(void (*visit)(probe *p), const gjb_scene *scene, const gjb_recipe *recipe, unsigned moving,
                      probe *sum)
{
    subject all[SUBJECTS_MAX];
    size_t count = subjects(all);
    for (size_t s = 0; s < count; s++)
        for (int q = 0; q < GJB_QUERIES; q++) {
            if (all[s].precision != recipe->precision || !(all[s].contender->dims >> recipe->dim & 1) ||
                q == GJB_MANIFOLD || /* which rows of the property table hold */
                !gjb_query_meets((gjb_query)q, moving) || (moving && !(all[s].contender->queries >> q & 1)))
                continue;
            probe p = {.who = all[s],
                       .query = (gjb_query)q,
                       .scene = scene,
                       .workload = recipe->workload,
                       .family = recipe->family};
            visit(&p);
            if (p.failures && !sum->failures)
                memcpy(sum->first, p.first, sizeof p.first);
            sum->failures += p.failures;
            sum->checks += p.checks;
        }
}

/* `every`: of workloads one in so many meets a family, in turn; by day half of these. */
static void visit_families(uint32_t dim, int curved, int moving, size_t every, void (*visit)(probe *p),
                           uint64_t *failures, uint64_t *checks, char first[512])
{
    const char *const *bend = gjb_workload_tour_curved(dim), *const *tour = curved ? bend : gjb_workload_tour(dim);
    probe sum = {.failures = 0};
    every *= one_in(2);
    for (int precision = 0; precision < GJB_PRECISIONS; precision++)
        for (size_t w = 0; tour[w] && (curved || tour + w < bend); w++)
            for (size_t f = 0; f < gjb_family_count; f++) {
                gjb_error error = {{0}};
                const int slow = dim == 3 && curved && gjb_families[f].costly; /* a property asks in dozens of ways */
                const gjb_recipe recipe = {.dim = dim,
                                           .workload = tour[w],
                                           .family = gjb_families[f].name,
                                           .seed = 2,
                                           .precision = (gjb_precision)precision,
                                           .pairs = PAIRS};
                if (!gjb_family_has(&gjb_families[f], dim, tour[w]) || (gjb_families[f].moving != GJB_AT_REST) != moving ||
                    slow || (w + f) % every != 0)
                    continue;
                gjb_scene *scene = gjb_generate(&recipe, &error);
                if (!scene) {
                    sum.failures++;
                    snprintf(sum.first, sizeof sum.first, "%s", error.text);
                    break;
                }
                visit_all(visit, scene, &recipe, gjb_families[f].moving, &sum);
                gjb_scene_free(scene);
            }
    *failures = sum.failures;
    *checks = sum.checks;
    memcpy(first, sum.first, sizeof sum.first);
}

void for_all(uint32_t dim, void (*visit)(probe *p), uint64_t *failures, uint64_t *checks, char first[512])
{
    visit_families(dim, 0, 0, 1, visit, failures, checks, first);
}

void for_all_curved(uint32_t dim, void (*visit)(probe *p), uint64_t *failures, uint64_t *checks, char first[512])
{
    visit_families(dim, 1, 0, 3, visit, failures, checks, first);
}

void for_all_moving(uint32_t dim, void (*visit)(probe *p), uint64_t *failures, uint64_t *checks, char first[512])
{
    visit_families(dim, 0, 1, 3, visit, failures, checks, first);
}

void for_all_curved_moving(uint32_t dim, void (*visit)(probe *p), uint64_t *failures, uint64_t *checks, char first[512])
{
    visit_families(dim, 1, 1, 3, visit, failures, checks, first);
}

void *answers(const subject *who, gjb_query query, const gjb_scene *scene, uint64_t call, uint32_t threads)
{
    gjb_error error = {{0}};
    uint64_t pairs = scene->frames[0].pair_count;
    void *results = calloc(pairs, gjb_result_size(query, who->precision, scene->shapes.dim));
    gjb_session *session = gjb_session_open(who->contender, who->backend, scene, threads, &error);
    if (!results || !session) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    gjb_session_run(session, query, 0, 0, pairs, call, 1, results, NULL);
    gjb_session_close(session);
    return results;
}

gjb_scene *copy_of(const gjb_scene *scene)
{
    gjb_scene *copy = gjb_scene_convert(scene, (gjb_precision)scene->shapes.precision);
    if (!copy)
        abort();
    return copy;
}

/* The library is read-only to those who answer; a test may rewrite its copy. */
static void *writable(const void *array)
{
    return (void *)(uintptr_t)array;
}

static double get(const gjb_scene *scene, const void *array, size_t i)
{
    return scene->shapes.precision == GJB_F32 ? (double)((const float *)array)[i]
                                              : ((const double *)array)[i];
}

static void set(gjb_scene *scene, const void *array, size_t i, double value)
{
    if (scene->shapes.precision == GJB_F32)
        ((float *)writable(array))[i] = (float)value;
    else
        ((double *)writable(array))[i] = value;
}

unsigned dim_of(const probe *p)
{
    return p->scene->shapes.dim;
}

void place_of(const gjb_scene *scene, uint32_t body, double place[3])
{
    if (scene->shapes.dim == 2) {
        const gjb_pose2d pose = gjb_scene_pose(scene, 0, body);
        place[0] = pose.x;
        place[1] = pose.y;
        place[2] = 0;
    } else {
        const gjb_pose3d pose = gjb_scene_pose3(scene, 0, body);
        place[0] = pose.x;
        place[1] = pose.y;
        place[2] = pose.z;
    }
}

void set_place(gjb_scene *scene, uint32_t body, const double place[3])
{
    if (scene->shapes.dim == 2) {
        gjb_pose2d pose = gjb_scene_pose(scene, 0, body);
        pose.x = place[0];
        pose.y = place[1];
        gjb_scene_set_pose(scene, 0, body, pose);
    } else {
        gjb_pose3d pose = gjb_scene_pose3(scene, 0, body);
        pose.x = place[0];
        pose.y = place[1];
        pose.z = place[2];
        gjb_scene_set_pose3(scene, 0, body, pose);
    }
}

/* q p, and the place turned by q. */
static gjb_pose3d turned3(const gjb_pose3d *q, const gjb_pose3d *p)
{
    const double x = q->qx, y = q->qy, z = q->qz, w = q->qw;
    const double m[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    return (gjb_pose3d){m[0][0] * p->x + m[0][1] * p->y + m[0][2] * p->z,
                        m[1][0] * p->x + m[1][1] * p->y + m[1][2] * p->z,
                        m[2][0] * p->x + m[2][1] * p->y + m[2][2] * p->z,
                        w * p->qx + x * p->qw + y * p->qz - z * p->qy,
                        w * p->qy - x * p->qz + y * p->qw + z * p->qx,
                        w * p->qz + x * p->qy - y * p->qx + z * p->qw,
                        w * p->qw - x * p->qx - y * p->qy - z * p->qz};
}

static gjb_pose2d turned2(double c, double s, const gjb_pose2d *p)
{
    return (gjb_pose2d){c * p->x - s * p->y, s * p->x + c * p->y, c * p->c - s * p->s, s * p->c + c * p->s};
}

void rotate_world(gjb_scene *scene, uint32_t body)
{
    if (scene->shapes.dim == 2) {
        const gjb_pose2d pose = gjb_scene_pose(scene, 0, body);
        gjb_scene_set_pose(scene, 0, body, turned2(0.8, 0.6, &pose));
    } else {
        const gjb_pose3d q = {.qx = 0.1, .qy = 0.5, .qz = -0.5, .qw = 0.7}, pose = gjb_scene_pose3(scene, 0, body);
        gjb_scene_set_pose3(scene, 0, body, turned3(&q, &pose));
    }
}

void mirror(gjb_scene *scene)
{
    const gjb_shapes *s = &scene->shapes;
    gjb_error error = {{0}};
    for (uint32_t i = 0; i < s->count; i++)
        for (size_t row = s->first[i]; row < (size_t)s->first[i] + s->row_count[i] && s->kind[i] != GJB_BOX &&
                                       !gjb_is_curved(s->kind[i]); row++) /* these are their own mirror images */
            set(scene, s->rows, row * s->dim, 0.0 - get(scene, s->rows, row * s->dim));
    for (uint32_t i = 0; i < scene->body_count; i++)
        if (s->dim == 2) {
            const gjb_pose2d p = gjb_scene_pose(scene, 0, i);
            gjb_scene_set_pose(scene, 0, i, (gjb_pose2d){0.0 - p.x, p.y, p.c, 0.0 - p.s});
        } else {
            const gjb_pose3d p = gjb_scene_pose3(scene, 0, i);
            gjb_scene_set_pose3(scene, 0, i, (gjb_pose3d){0.0 - p.x, p.y, p.z, p.qx, 0.0 - p.qy, 0.0 - p.qz, p.qw});
        }
    if (gjb_scene_check(scene, "mirrored", &error)) { /* turns polygons round */
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
}

void scale_scene(gjb_scene *scene, double factor)
{
    const gjb_shapes *s = &scene->shapes;
    for (uint32_t i = 0; i < s->count; i++) {
        set(scene, s->radius, i, factor * get(scene, s->radius, i));
        /* The second row of a curved one is an exponent. */
        const size_t lengths = s->dim * (size_t)(gjb_is_curved(s->kind[i]) ? 1 : s->row_count[i]);
        for (size_t k = s->dim * (size_t)s->first[i]; k < s->dim * (size_t)s->first[i] + lengths; k++)
            set(scene, s->rows, k, factor * get(scene, s->rows, k));
    }
    for (uint32_t i = 0; i < scene->body_count; i++) {
        double place[3];
        place_of(scene, i, place);
        for (int k = 0; k < 3; k++)
            place[k] *= factor;
        set_place(scene, i, place);
    }
}

double row_number(const gjb_scene *scene, size_t row, uint32_t axis)
{
    return get(scene, scene->shapes.rows, row * scene->shapes.dim + axis);
}

double radius_of(const gjb_scene *scene, uint32_t shape)
{
    return get(scene, scene->shapes.radius, shape);
}

void set_radius(gjb_scene *scene, uint32_t shape, double radius)
{
    set(scene, scene->shapes.radius, shape, radius);
}

uint32_t shape_of(const gjb_scene *scene, uint32_t body)
{
    return scene->body_shape ? scene->body_shape[body] : body;
}

static double size_of_pair(const gjb_scene *scene, const gjb_pair *pair)
{
    return gjb_scene_moves(scene) ? gjb_path_size(pair) : gjb_pair_size(pair);
}

double size_of(const gjb_scene *scene, uint64_t i)
{
    gjb_pair_space space = {0};
    gjb_pair pair;
    if (gjb_scene_pair(scene, 0, i, &space, &pair))
        abort();
    const double size = size_of_pair(scene, &pair);
    gjb_pair_space_free(&space);
    return size;
}

double tolerance_of(const probe *p, uint64_t i)
{
    const gjb_tolerance all = gjb_tolerance_for(p->who.contender, p->query, p->who.precision, p->scene->shapes.dim);
    gjb_pair_space space = {0};
    gjb_pair pair;
    if (gjb_scene_pair(p->scene, 0, i, &space, &pair))
        abort();
    const gjb_tolerance granted = gjb_tolerance_on(&all, &pair);
    const double tolerance = gjb_tolerance_of(&granted, size_of_pair(p->scene, &pair));
    gjb_pair_space_free(&space);
    return tolerance;
}
