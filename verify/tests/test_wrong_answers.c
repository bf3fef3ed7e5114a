/* Each file of data/wrong-answers: the library that it names still answers wrongly, ours and the reference answer
 * rightly, and the truth written there is the oracle's. TAP on its own, since a library that this build lacks is
 * a case skipped, neither passed nor failed.
 *
 * usage: test-wrong-answers FOLDER */
#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/table.h"
#include "core/query.h"
#include "verify/replay.h"

/* What a file says of itself, in "x-wrong". */
typedef struct claim {
    const char *contender, *version, *status;
    const char *fault; /* of a manifold, whose status and value may be right; NULL: any */
    double error;      /* of its normal or of a point, in S; NaN: not a matter of how much */
    double value;      /* that the library gave; NaN: none, of a boolean, or not what is wrong */
    double sigma;      /* exact signed distance, rounded to double; not of what moves */
    double time;       /* of what moves: the first contact; NaN: none */
} claim;

/* What became of one contender's answer. */
typedef struct outcome {
    const claim *claim;
    int answers, right, wrong;
    char fault[300]; /* of the first contender that did not do as claimed, or "" */
} outcome;

static int is_fault(const char *name)
{
    for (int f = GJB_FAULT_NONE + 1; f < GJB_FAULTS; f++)
        if (strcmp(gjb_fault_name((gjb_fault)f), name) == 0)
            return 1;
    return 0;
}

static int read_claim(json_t *file, claim *out, gjb_error *error)
{
    json_error_t why;
    json_t *time = NULL;
    out->fault = NULL;
    out->error = out->value = out->sigma = out->time = NAN;
    if (json_unpack_ex(file, &why, 0, "{s:{s:s, s:s, s:s, s?s, s?F, s?F, s?F, s?o}}", "x-wrong", "contender",
                       &out->contender, "version", &out->version, "status", &out->status, "fault",
                       &out->fault, "error", &out->error, "value", &out->value, "sigma", &out->sigma, "time",
                       &time))
        return gjb_fail(error, "x-wrong: %s", why.text);
    if (json_is_number(time))
        out->time = json_number_value(time);
    if (out->fault != NULL && !is_fault(out->fault))
        return gjb_fail(error, "x-wrong: no fault is named %s", out->fault);
    return isnan(out->sigma) == (time != NULL) ? 0 : gjb_fail(error, "x-wrong: sigma or time is wanted");
}

/* By the fault that is named, and by half as much at least. */
static int fault_as_claimed(const gjb_replay_case *one, const claim *c)
{
    return (c->fault == NULL || strcmp(gjb_fault_name(one->grade.fault), c->fault) == 0) &&
           (isnan(c->error) || one->grade.error_eps * one->epsilon >= 0.5 * c->error);
}

/* Wrong as it was: the status, the fault, and by half as much at least, since the last digits of a library's answer
 * are its compiler's. */
static int as_claimed(const gjb_replay_case *one, const claim *c)
{
    const double known = gjb_queries[one->query].moving ? c->time : gjb_queries[one->query].graded(c->sigma);
    return one->grade.verdict == GJB_WRONG && strcmp(gjb_status_name(one->result.status), c->status) == 0 &&
           fault_as_claimed(one, c) &&
           (isnan(c->value) || isnan(known) || fabs(one->result.value - known) >= 0.5 * fabs(c->value - known));
}

static void take(void *context, const gjb_replay_case *one)
{
    outcome *o = context;
    const int accused = strcmp(one->contender->name, o->claim->contender) == 0;
    const int right = one->grade.verdict == GJB_RIGHT;
    o->answers++;
    o->right += right && !accused;
    o->wrong += accused && as_claimed(one, o->claim);
    if (o->fault[0] == '\0' && !(accused ? as_claimed(one, o->claim) : right))
        snprintf(o->fault, sizeof o->fault, "%s %s, %s: %s is %s: %s %.9g, truth %.9g, fault %s", one->contender->name,
                 one->contender->version, one->backend, gjb_queries[one->query].name,
                 right ? "right now" : one->grade.verdict == GJB_WRONG ? "wrong" : "not graded",
                 gjb_status_name(one->result.status), one->result.value, one->truth, gjb_fault_name(one->grade.fault));
}

static int check_time(const gjb_pair *pair, const claim *c, gjb_error *error)
{
    ref_toi_truth contact;
    ref_oracle_toi(pair, &contact);
    const double slack = 4e-16 + contact.hi - contact.lo;
    if (contact.contact == REF_NO_CONTACT ? isnan(c->time)
                                          : contact.lo - slack <= c->time && c->time <= contact.hi + slack)
        return 0;
    return gjb_fail(error, "first contact is in [%.17g, %.17g] by the oracle, not at %.17g", contact.lo, contact.hi, c->time);
}

static int check_truth(const gjb_scene *scene, const claim *c, gjb_error *error)
{
    gjb_pair_space space = {0};
    gjb_truth truth = {0};
    gjb_pair pair;
    if (gjb_query_find(scene->query) != NULL && gjb_query_find(scene->query)->moving) {
        const int wrong = gjb_scene_pair(scene, 0, 0, &space, &pair) || check_time(&pair, c, error);
        gjb_pair_space_free(&space);
        return wrong ? -1 : 0;
    }
    int failed = gjb_scene_pair(scene, 0, 0, &space, &pair) || gjb_truth_open(&truth, &pair);
    if (!failed) {
        gjb_truth_exact(&truth);
        const double off = fabs(c->sigma - (0.5 * truth.lo + 0.5 * truth.hi));
        if (!truth.exact || truth.conflict || off > truth.hi - truth.lo + 4e-16 * fabs(c->sigma))
            failed = gjb_fail(error, "sigma is %.17g by the oracle, in [%.17g, %.17g], not %.17g",
                              0.5 * truth.lo + 0.5 * truth.hi, truth.lo, truth.hi, c->sigma);
    }
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
    return failed ? -1 : 0;
}

/* Once each: the accused, every backend of ours, the reference. */
static size_t list_entries(const gjb_contender *accused, gjb_verify_entry *entries, size_t most)
{
    size_t count = 0;
    entries[count++] = (gjb_verify_entry){accused, NULL};
    for (size_t i = 0; i < gjb_contender_count(); i++) {
        const gjb_contender *c = gjb_contender_at(i);
        if (!c->ours && strcmp(c->name, "reference") != 0)
            continue;
        if (c->backends == NULL && count < most)
            entries[count++] = (gjb_verify_entry){c, NULL};
        for (const char *const *b = c->backends; b != NULL && *b != NULL && count < most; b++)
            if (gjb_contender_has(c, *b))
                entries[count++] = (gjb_verify_entry){c, *b};
    }
    return count;
}

/* A packaged contender that this build lacks; an unknown name is a typing error. */
static int is_missing(const char *name)
{
    for (const gjb_missing *m = gjb_contenders_missing; m->name != NULL; m++)
        if (strcmp(m->name, name) == 0)
            return 1;
    return 0;
}

/* 0 as claimed, -1 with `error`, 1 if the contender is not in this build, with why in `error`. */
static int check_scene(const gjb_scene *scene, const char *path, const claim *c, gjb_error *error)
{
    if (check_truth(scene, c, error))
        return -1;
    const gjb_contender *accused = gjb_contender_find(c->contender);
    if (accused == NULL) {
        gjb_fail(error, "%s is not in this build", c->contender);
        return is_missing(c->contender) ? 1 : -1;
    }
    gjb_verify_entry entries[32];
    const gjb_replay_plan plan = {.entries = entries, .entry_count = list_entries(accused, entries, 32)};
    outcome o = {.claim = c};
    if (gjb_replay_scene(scene, path, &plan, take, &o, error))
        return -1;
    if (o.fault[0] == '\0' && o.wrong == 1 && o.right == o.answers - 1 && o.right > 0)
        return 0;
    gjb_fail(error, "%s", o.fault[0] ? o.fault : "nobody of ours answered");
    /* A library that is fixed is good news, not a failure of this build. */
    if (o.right == o.answers - 1 && o.wrong == 0 && strcmp(accused->version, c->version) != 0) {
        const gjb_error why = *error;
        error->text[0] = '\0';
        gjb_fail(error, "%.400s; recorded for %s: remove the file, or update it", why.text, c->version);
        return 1;
    }
    return -1;
}

static int check_file(const char *path, gjb_error *error)
{
    json_error_t why;
    json_t *file = json_load_file(path, 0, &why);
    if (file == NULL)
        return gjb_fail(error, "line %d: %s", why.line, why.text);
    claim c;
    int outcome = read_claim(file, &c, error);
    gjb_scene *scene = outcome ? NULL : gjb_scene_load(path, error);
    outcome = scene == NULL ? -1 : check_scene(scene, path, &c, error);
    gjb_scene_free(scene);
    json_decref(file);
    return outcome;
}

static int is_pair(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');
    return ending != NULL && strcmp(ending, ".json") == 0;
}

int main(int argc, char **argv)
{
    struct dirent **names = NULL;
    const int count = argc == 2 ? scandir(argv[1], &names, is_pair, alphasort) : -1;
    int failed = count <= 0;
    printf("1..%d\n", count > 0 ? count : 0);
    for (int i = 0; i < count; i++) {
        char path[4096];
        gjb_error error = {""};
        snprintf(path, sizeof path, "%s/%s", argv[1], names[i]->d_name);
        const int outcome = check_file(path, &error);
        printf("%sok %d - %s%s%s\n", outcome < 0 ? "not " : "", i + 1, names[i]->d_name,
               outcome > 0 ? " # SKIP " : outcome < 0 ? ": " : "", error.text);
        failed |= outcome < 0;
        free(names[i]);
    }
    free(names);
    return failed;
}
