/* C tests as failures come with them, of ours and of a library, for pairs that ours answers rightly:
 * NAME-right.c, and with another truth, or of a library with another answer, NAME-wrong.c, which must fail; and
 * NAME-unchecked.c of what no test can check, which must say so. usage: write-finds FOLDER */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contenders/table.h"
#include "fuzz/hunt.h"

static int write_both(const char *folder, const gjb_ask *ask, const gjb_scene *pair, gjb_outcome o,
                      gjb_error *error)
{
    char path[4096], name[GJB_FAILURE_NAME];
    gjb_failure_name(ask, "right", pair, name);
    snprintf(path, sizeof path, "%s/%s.c", folder, name);
    if (gjb_reproducer_save(ask, pair, &o, path, error))
        return -1;
    /* Apart or deep by as much as the pair is large, or met an instant earlier. */
    const double by = o.lo > 0 ? -3 * o.size : 3 * o.size;
    o.lo += by;
    o.hi += by;
    o.truth = gjb_queries[ask->query].moving ? (o.truth > 0 ? 0.5 * o.truth : 0.25) : o.truth;
    const int status = !gjb_queries[ask->query].has_value || gjb_queries[ask->query].has_patch;
    o.symptom = status || o.result.status == GJB_SEPARATED                             ? GJB_FAULT_BOOLEAN
                : gjb_queries[ask->query].moving                                       ? GJB_FAULT_LATE
                                                                                       : GJB_FAULT_VALUE;
    gjb_failure_name(ask, "wrong", pair, name);
    snprintf(path, sizeof path, "%s/%s.c", folder, name);
    return gjb_reproducer_save(ask, pair, &o, path, error);
}

typedef struct alteration {
    const char *name;
    gjb_symptom symptom;
    void (*make)(gjb_outcome *o);
} alteration;

static void set_value(gjb_outcome *o)
{
    o->result.value += 3 * o->tolerance;
}

static void set_status(gjb_outcome *o)
{
    const gjb_status was = o->result.status;
    memset(&o->result, 0, sizeof o->result);
    o->result.status = was == GJB_SEPARATED ? GJB_OVERLAPPING : GJB_SEPARATED;
}

static void turn_normal(gjb_outcome *o)
{
    double *n = o->result.normal;
    const double angle = 0.01, x = n[0];
    n[0] = cos(angle) * x - sin(angle) * n[1];
    n[1] = sin(angle) * x + cos(angle) * n[1];
}

static void flip_normal(gjb_outcome *o)
{
    for (int k = 0; k < 3; k++)
        o->result.normal[k] = o->result.normal[k] == 0 ? 0 : -o->result.normal[k];
}

static void stretch_normal(gjb_outcome *o)
{
    for (int k = 0; k < 3; k++)
        o->result.normal[k] *= 1.25;
}

static void shift_one(gjb_outcome *o)
{
    o->result.point_b[0] += 3 * o->tolerance;
}

/* As far from each other as before. */
static void shift_both(gjb_outcome *o)
{
    for (int k = 0; k < 3; k++) {
        o->result.point_a[k] += 1e-3 * o->size * o->result.normal[k];
        o->result.point_b[k] += 1e-3 * o->size * o->result.normal[k];
    }
}

static void lose_point(gjb_outcome *o)
{
    o->result.point_a[1] = NAN;
}

static void leave_last(gjb_outcome *o)
{
    o->result.last = 1;
}

static void leave_all(gjb_outcome *o)
{
    memset(&o->result, 0, sizeof o->result);
}

static void come_early(gjb_outcome *o)
{
    o->result.value *= 0.75;
}

static void come_late(gjb_outcome *o)
{
    o->result.value += 0.25 * (1 - o->result.value);
}

static void change_nothing(gjb_outcome *o)
{
    (void)o;
}

/* --- Of contacts --- */

static void sink(gjb_outcome *o)
{
    for (uint32_t i = 0; i < o->result.count; i++)
        for (int k = 0; k < 3; k++) {
            gjb_contact3d *c = &o->result.contact[i];
            const double by = 3 * o->tolerance * o->result.normal[k];
            c->point_b[k] -= by;
            c->separation -= k ? 0 : 3 * o->tolerance;
        }
}

static void shift_contact(gjb_outcome *o)
{
    o->result.contact[o->result.count - 1].point_b[0] += 3 * o->tolerance;
}

static void shift_contact_off(gjb_outcome *o)
{
    gjb_contact3d *c = &o->result.contact[0];
    for (int k = 0; k < 3; k++) {
        c->point_a[k] += 1e-3 * o->size * o->result.normal[k];
        c->point_b[k] += 1e-3 * o->size * o->result.normal[k];
    }
}

static void lose_contacts(gjb_outcome *o)
{
    const gjb_status status = o->result.status;
    memset(&o->result, 0, sizeof o->result);
    o->result.status = status;
}

static void lose_contact(gjb_outcome *o)
{
    memset(&o->result.contact[--o->result.count], 0, sizeof *o->result.contact);
}

static void keep_contact(gjb_outcome *o)
{
    while (o->result.count > 1)
        lose_contact(o);
}

static void leave_contact(gjb_outcome *o)
{
    o->result.count--;
}

static void lose_number(gjb_outcome *o)
{
    o->result.contact[0].point_a[1] = NAN;
}

static const alteration of_contacts[] = {{"deepest", GJB_FAULT_DEEPEST, sink},
                                         {"boolean", GJB_FAULT_BOOLEAN, set_status},
                                         {"normal-turned", GJB_FAULT_NORMAL, turn_normal},
                                         {"normal-long", GJB_FAULT_LENGTH, stretch_normal},
                                         {"contact", GJB_FAULT_CONTACT, shift_contact},
                                         {"contact-off", GJB_FAULT_CONTACT, shift_contact_off},
                                         {"patch", GJB_FAULT_PATCH, keep_contact},
                                         {"patch-none", GJB_FAULT_PATCH, lose_contacts},
                                         {"nan", GJB_FAULT_NAN, lose_number},
                                         {"form", GJB_FAULT_FORM, leave_contact},
                                         {"patch-corner", GJB_FAULT_PATCH, lose_contact}}; /* whose corners fit */

static const alteration at_rest[] = {{"value", GJB_FAULT_VALUE, set_value},
                                     {"boolean", GJB_FAULT_BOOLEAN, set_status},
                                     {"normal-turned", GJB_FAULT_NORMAL, turn_normal},
                                     {"normal-flipped", GJB_FAULT_NORMAL, flip_normal},
                                     {"normal-long", GJB_FAULT_LENGTH, stretch_normal},
                                     {"witness", GJB_FAULT_WITNESS, shift_one},
                                     {"witness-off", GJB_FAULT_WITNESS, shift_both},
                                     {"nan", GJB_FAULT_NAN, lose_point},
                                     {"form", GJB_FAULT_FORM, leave_last},
                                     {"unwritten", GJB_FAULT_UNWRITTEN, leave_all}},
                        of_impact[] = {{"early", GJB_FAULT_VALUE, come_early},
                                       {"late", GJB_FAULT_LATE, come_late},
                                       {"boolean", GJB_FAULT_BOOLEAN, set_status},
                                       {"normal-long", GJB_FAULT_LENGTH, stretch_normal},
                                       {"nan", GJB_FAULT_NAN, lose_point}},
                        unchecked = {"unchecked", GJB_SYMPTOM_MISHAP + GJB_CHANGED_FLOATS, change_nothing};

static int write_altered(const char *folder, const gjb_ask *ask, const gjb_scene *pair, gjb_outcome o,
                         const alteration *how, gjb_error *error)
{
    char path[4096], what[64], name[GJB_FAILURE_NAME];
    o.symptom = o.grade.fault = how->symptom;
    how->make(&o);
    snprintf(what, sizeof what, "%s-%s", how == &unchecked ? "right" : "wrong", how->name);
    gjb_failure_name(ask, what, pair, name);
    snprintf(path, sizeof path, "%s/%s.c", folder, name);
    return gjb_reproducer_save(ask, pair, &o, path, error);
}

/* What a library might have answered to the first pair of a recipe that meets, or has contacts, if asked. */
static int write_library(const char *folder, gjb_recipe recipe, gjb_query query, gjb_error *error)
{
    static const char *const none[] = {NULL};
    gjb_contender library = *gjb_contender_find("reference");
    library.name = "library";
    library.ours = 0;
    const gjb_ask ask = {&library, none, 1, query};
    const int moving = gjb_queries[query].moving;
    const int patch = gjb_queries[query].has_patch;
    const alteration *list = moving ? of_impact : patch ? of_contacts : at_rest;
    const size_t count = moving  ? sizeof of_impact / sizeof *of_impact
                         : patch ? sizeof of_contacts / sizeof *of_contacts - (strcmp(recipe.family, "identical") != 0)
                                 : sizeof at_rest / sizeof *at_rest;
    gjb_scene *pair = NULL;
    gjb_outcome o = {0};
    int failed = 0;
    for (recipe.pairs = 1; recipe.first < 64 && !failed &&
                           (!pair || (moving && o.result.status != GJB_HIT) || (patch && o.result.count < 2));
         recipe.first++) {
        gjb_scene_free(pair);
        pair = gjb_generate(&recipe, error);
        failed = !pair || gjb_ask_pairs(&ask, (const gjb_scene *const *)&pair, 1, &o, error);
    }
    if (!failed && (o.symptom || o.grade.verdict != GJB_RIGHT))
        failed = gjb_fail(error, "%s %s is not right: %s", recipe.workload, gjb_queries[query].name,
                          gjb_symptom_name(o.symptom));
    failed = failed || write_altered(folder, &ask, pair, o, &unchecked, error);
    for (size_t i = 0; i < count && !failed; i++)
        failed = write_altered(folder, &ask, pair, o, &list[i], error);
    gjb_scene_free(pair);
    return failed;
}

static int write_libraries(const char *folder, gjb_error *error)
{
    static const struct {
        uint32_t dim;
        const char *workload, *family;
        gjb_query query;
    } rows[] = {{2, "polygon8", "near", GJB_DISTANCE},       {2, "box", "deep", GJB_PENETRATION},
                {2, "ellipse", "near", GJB_DISTANCE},        {3, "hull16", "near", GJB_SIGNED_DISTANCE},
                {3, "box", "deep", GJB_PENETRATION},         {3, "capsule", "near", GJB_DISTANCE},
                {3, "cylinder", "near", GJB_DISTANCE},       {3, "cone", "near", GJB_DISTANCE},
                {3, "superellipsoid", "near", GJB_DISTANCE}, {3, "box", "approach", GJB_TOI},
                {2, "box", "parallel", GJB_MANIFOLD},        {2, "rounded-polygon8", "parallel", GJB_MANIFOLD},
                {3, "box", "parallel", GJB_MANIFOLD},        {3, "hull8", "parallel", GJB_MANIFOLD},
                {3, "capsule", "parallel", GJB_MANIFOLD},    {3, "box", "identical", GJB_MANIFOLD}};
    int failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !failed; i++)
        failed = write_library(folder,
                               (gjb_recipe){.dim = rows[i].dim,
                                            .workload = rows[i].workload,
                                            .family = rows[i].family,
                                            .seed = 11,
                                            .precision = GJB_F64,
                                            .margin = rows[i].query == GJB_MANIFOLD ? GJB_DEFAULT_MARGIN : 0},
                               rows[i].query, error);
    return failed;
}

static int write_one(const char *folder, const gjb_contender *who, uint32_t dim, gjb_precision precision,
                     gjb_query query, const char *family, gjb_error *error)
{
    static const char *const none[] = {NULL};
    const gjb_ask ask = {who, who->backends ? who->backends : none, 1, query};
    gjb_scene *pair = gjb_generate(&(gjb_recipe){.dim = dim,
                                                 .workload = query == GJB_SWEEP ? "box" : "mixed-kinds",
                                                 .family = family,
                                                 .seed = 7,
                                                 .precision = precision,
                                                 .pairs = 1},
                                   error);
    gjb_outcome o;
    int failed = !pair || gjb_ask_pairs(&ask, (const gjb_scene *const *)&pair, 1, &o, error);
    if (!failed && o.symptom)
        failed = gjb_fail(error, "%s is wrong: %s", who->name, gjb_symptom_name(o.symptom));
    if (!failed && gjb_queries[query].moving) { /* what failures alone are asked for */
        gjb_pair_space space = {0};
        gjb_truth truth = {0};
        gjb_pair of;
        failed = gjb_scene_pair(pair, 0, 0, &space, &of) || gjb_truth_open_moving(&truth, &of);
        o.truth = failed ? 0 : gjb_truth_time(&truth, query);
        gjb_truth_close(&truth);
        gjb_pair_space_free(&space);
    }
    failed = failed || write_both(folder, &ask, pair, o, error);
    gjb_scene_free(pair);
    return failed;
}

/* Of a library that a call is known of, if it is here: with a wrong answer in place of its own, so that what calls
 * finds nothing wrong. */
static int write_calls(const char *folder, gjb_error *error)
{
    static const struct {
        const char *contender;
        uint32_t dim;
        gjb_precision precision;
        const char *workload, *family;
        gjb_query query;
    } rows[] = {{"libccd-gjk", 3, GJB_F64, "capsule", "near", GJB_INTERSECT},
                {"libccd-epa", 3, GJB_F64, "box", "deep", GJB_PENETRATION},
                {"libccd-mpr", 3, GJB_F64, "hull16", "deep", GJB_INTERSECT},
                {"box2d", 2, GJB_F32, "polygon8", "near", GJB_DISTANCE},
                {"box2d", 2, GJB_F32, "capsule", "near", GJB_DISTANCE},
                {"box2d", 2, GJB_F32, "box", "deep", GJB_INTERSECT},
                {"bullet-gjkepa", 3, GJB_F32, "hull16", "far", GJB_DISTANCE},
                {"bullet-gjkepa", 3, GJB_F32, "box", "deep", GJB_PENETRATION},
                {"bullet-gjkepa", 3, GJB_F32, "capsule", "far", GJB_SIGNED_DISTANCE},
                {"chipmunk", 2, GJB_F64, "polygon8", "deep", GJB_PENETRATION},
                {"chipmunk", 2, GJB_F64, "capsule", "deep", GJB_PENETRATION},
                {"chipmunk", 2, GJB_F64, "box", "near", GJB_INTERSECT},
                {"ode-boxbox", 3, GJB_F64, "box", "deep", GJB_PENETRATION},
                {"ode-boxbox", 3, GJB_F64, "box", "near", GJB_INTERSECT},
                {"fcl-libccd", 3, GJB_F64, "box", "near", GJB_DISTANCE},
                {"fcl-libccd", 3, GJB_F64, "box", "deep", GJB_PENETRATION},
                {"fcl-indep", 3, GJB_F64, "box", "deep", GJB_INTERSECT}};
    static const char *const none[] = {NULL};
    int failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !failed; i++) {
        const gjb_ask ask = {gjb_contender_find(rows[i].contender), none, 1, rows[i].query};
        gjb_scene *pair = gjb_generate(&(gjb_recipe){.dim = rows[i].dim, .workload = rows[i].workload,
                                                     .family = rows[i].family, .seed = 5,
                                                     .precision = rows[i].precision, .pairs = 1}, error);
        gjb_outcome o;
        failed = !pair || (ask.contender && gjb_ask_pairs(&ask, (const gjb_scene *const *)&pair, 1, &o, error));
        if (!failed && ask.contender)
            failed = write_altered(folder, &ask, pair, o, &at_rest[rows[i].query == GJB_INTERSECT], error);
        gjb_scene_free(pair);
    }
    return failed;
}

int main(int argc, char **argv)
{
    gjb_error error = {{0}};
    int failed = argc != 2;
    for (uint32_t dim = 2; dim <= 3 && !failed; dim++)
        for (int q = 0; q < GJB_QUERIES && !failed; q++)
            failed =
                write_one(argv[1], gjb_contender_find("batch"), dim, q & 1 ? GJB_F64 : GJB_F32, (gjb_query)q,
                          q == GJB_SWEEP         ? "box-sweep"
                          : q == GJB_TOI         ? "approach"
                          : q == GJB_PENETRATION ? "deep"
                          : q == GJB_MANIFOLD    ? "shallow"
                                                 : "near",
                          &error);
    failed = failed ||
             write_one(argv[1], gjb_contender_find("reference"), 3, GJB_F64, GJB_DISTANCE, "near", &error) ||
             write_libraries(argv[1], &error) || write_calls(argv[1], &error);
    if (failed)
        fprintf(stderr, "%s\n", error.text);
    return failed != 0;
}
