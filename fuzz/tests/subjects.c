#include "fuzz/tests/subjects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/table.h"

size_t subjects(subject out[SUBJECTS_MAX])
{
    static const char *const one_way[] = {NULL, NULL};
    size_t count = 0;
    for (size_t i = 0; i < gjb_contender_count; i++) {
        const gjb_contender *c = gjb_contenders[i];
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

void for_all(void (*visit)(probe *p), uint64_t *failures, uint64_t *checks, char first[512])
{
    subject all[SUBJECTS_MAX];
    size_t count = subjects(all);
    *failures = *checks = 0;
    first[0] = 0;
    for (int precision = 0; precision < GJB_PRECISIONS; precision++)
        for (size_t w = 0; gjb_workload_tour(2)[w]; w++)
            for (size_t f = 0; f < gjb_family_count; f++) {
                gjb_error error = {{0}};
                if (!(gjb_families[f].dims >> 2 & 1u))
                    continue;
                gjb_recipe recipe = {.workload = gjb_workload_tour(2)[w],
                                     .family = gjb_families[f].name,
                                     .seed = 2,
                                     .precision = (gjb_precision)precision,
                                     .pairs = PAIRS};
                gjb_scene *scene = gjb_generate(&recipe, &error);
                if (!scene) {
                    (*failures)++;
                    snprintf(first, 512, "%s", error.text);
                    return;
                }
                for (size_t s = 0; s < count; s++)
                    for (int q = 0; q < GJB_QUERIES && (int)all[s].precision == precision; q++) {
                        probe p = {.who = all[s],
                                   .query = (gjb_query)q,
                                   .scene = scene,
                                   .workload = gjb_workload_tour(2)[w],
                                   .family = gjb_families[f].name};
                        visit(&p);
                        if (p.failures && !*failures)
                            memcpy(first, p.first, sizeof p.first);
                        *failures += p.failures;
                        *checks += p.checks;
                    }
                gjb_scene_free(scene);
            }
}

void *answers(const subject *who, gjb_query query, const gjb_scene *scene, uint64_t call, uint32_t threads)
{
    gjb_error error = {{0}};
    uint64_t pairs = scene->frames[0].pair_count;
    void *results = calloc(pairs, gjb_result_size(query, who->precision, 2));
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

void scale_scene(gjb_scene *scene, double factor)
{
    const gjb_shapes *s = &scene->shapes;
    for (uint32_t i = 0; i < s->count; i++) {
        set(scene, s->radius, i, factor * get(scene, s->radius, i));
        for (size_t k = 2 * (size_t)s->first[i]; k < 2 * ((size_t)s->first[i] + s->row_count[i]); k++)
            set(scene, s->rows, k, factor * get(scene, s->rows, k));
    }
    for (uint32_t i = 0; i < scene->body_count; i++) {
        gjb_pose2d pose = gjb_scene_pose(scene, 0, i);
        pose.x *= factor;
        pose.y *= factor;
        gjb_scene_set_pose(scene, 0, i, pose);
    }
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

double size_of(const gjb_scene *scene, uint64_t pair)
{
    gjb_pair_space space = {0};
    gjb_pair p;
    if (gjb_scene_pair(scene, 0, pair, &space, &p))
        abort();
    double size = gjb_pair_size(&p);
    gjb_pair_space_free(&space);
    return size;
}

double tolerance_of(const probe *p, uint64_t pair)
{
    gjb_tolerance granted = gjb_tolerance_for(p->who.contender, p->query, p->who.precision);
    return gjb_tolerance_of(&granted, size_of(p->scene, pair));
}
