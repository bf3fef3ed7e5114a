/* Each pair that ships has its exact truth written next to it: the signed distance, and of pairs in motion the time of
 * first contact, both as proven intervals. Here they are proven again and compared. TAP on its own, a line a file, so
 * that the same program can write what is compared (scripts/truths.py puts it into the files).
 *
 * usage: test-truths [--print] FOLDER... */
#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/query.h"
#include "grading/grade.h"
#include "verify/known_failures.h"

/* Doubles around what is exact. A contact that is not told from a miss ends at infinity, no contact begins there. */
typedef struct interval {
    double lo, hi;
} interval;

typedef struct proven {
    interval sigma, contact; /* contact: in parts of the step */
    int moves;
    double size;
} proven;

static int prove(const gjb_scene *scene, uint64_t at, proven *out, gjb_error *error)
{
    gjb_pair_space space = {0};
    gjb_truth truth = {0}, slow = {.slowly = 1};
    gjb_pair pair;
    const gjb_query_row *query = gjb_query_find(scene->query);
    int failed = gjb_scene_pair(scene, 0, at, &space, &pair) || gjb_truth_open(&truth, &pair) ||
                 gjb_truth_open_lazily(&slow, &pair);
    if (failed) {
        gjb_fail(error, "out of memory");
    } else {
        gjb_truth_audit(&truth, &slow);
        failed = truth.conflict ? gjb_fail(error, "certificate and oracle contradict each other") : 0;
        *out = (proven){
            .sigma = {truth.lo, truth.hi}, .size = truth.size, .moves = query != NULL && query->moving};
    }
    if (!failed && out->moves) {
        ref_toi_truth contact;
        ref_oracle_toi(&pair, &contact);
        out->contact = (interval){contact.contact == REF_NO_CONTACT ? INFINITY : contact.lo, contact.hi};
    }
    gjb_truth_close(&truth);
    gjb_truth_close(&slow);
    gjb_pair_space_free(&space);
    return failed;
}

/* Both hold the truth, so that they have a number in common; and neither the record nor the oracle may be lax. */
static int agree(interval recorded, interval now)
{
    if (!(recorded.lo <= now.hi && now.lo <= recorded.hi))
        return 0;
    if (isinf(recorded.lo) || isinf(now.lo) || isinf(recorded.hi) || isinf(now.hi))
        return isinf(recorded.lo) == isinf(now.lo) && isinf(recorded.hi) == isinf(now.hi);
    const double ulps = 8 * 0x1p-53 * fmax(fabs(now.lo), fabs(now.hi)) + 4 * 0x1p-1074;
    return now.hi - now.lo <= 2 * (recorded.hi - recorded.lo) + ulps &&
           recorded.hi - recorded.lo <= 4 * (now.hi - now.lo) + ulps;
}

/* The same, and that records which are a little off would not pass. */
static int check(const char *what, interval recorded, interval now, double size, gjb_error *error)
{
    if (!agree(recorded, now))
        return gjb_fail(error, "%s is in [%.17g, %.17g], not in [%.17g, %.17g] as recorded", what, now.lo,
                        now.hi, recorded.lo, recorded.hi);
    if (isinf(now.lo) || isinf(now.hi))
        return 0;
    const double off = recorded.hi - recorded.lo + now.hi - now.lo + 0x1p-50 * size + 0x1p-1070;
    if (agree((interval){recorded.lo + off, recorded.hi + off}, now) ||
        agree((interval){recorded.lo - off, recorded.hi - off}, now))
        return gjb_fail(error, "%s: a record that is off by %g would pass", what, off);
    return 0;
}

static int bound(const json_t *json, double *out)
{
    *out = json_is_null(json) ? INFINITY : json_number_value(json);
    return json_is_number(json) || json_is_null(json) ? 0 : -1;
}

/* [lo, hi]; null instead of an end, or of both, is infinity. */
static int read_interval(const json_t *truth, const char *field, interval *out, gjb_error *error)
{
    const json_t *json = json_object_get(truth, field);
    *out = (interval){INFINITY, INFINITY};
    if (json_is_null(json))
        return 0;
    if (json_array_size(json) != 2 || bound(json_array_get(json, 0), &out->lo) ||
        bound(json_array_get(json, 1), &out->hi))
        return gjb_fail(error, "no truth: '%s': [lo, hi] or null is wanted", field);
    return 0;
}

static int check_scene(const gjb_scene *scene, const json_t *truth, gjb_error *error)
{
    for (uint64_t i = 0; i < scene->frames[0].pair_count; i++) { /* pairs of a file are the same, exchanged */
        proven now;
        interval sigma, contact;
        if (prove(scene, i, &now, error) || read_interval(truth, "sigma", &sigma, error) ||
            check("sigma", sigma, now.sigma, now.size, error))
            return -1;
        if (now.moves && (read_interval(truth, "contact", &contact, error) ||
                          check("first contact", contact, now.contact, 1, error)))
            return -1;
    }
    return 0;
}

static void print_interval(const char *name, interval v)
{
    if (isinf(v.lo))
        printf("\"%s\": null", name);
    else
        printf(isinf(v.hi) ? "\"%s\": [%.17g, null]" : "\"%s\": [%.17g, %.17g]", name, v.lo, v.hi);
}

static int print_scene(const gjb_scene *scene, const char *path, const char *id, gjb_error *error)
{
    proven now;
    if (prove(scene, 0, &now, error))
        return -1;
    printf("{\"file\": \"%s\", \"id\": \"%s\", \"truth\": {", path, id);
    print_interval("sigma", now.sigma);
    if (now.moves) {
        printf(", ");
        print_interval("contact", now.contact);
    }
    printf("}}\n");
    return 0;
}

/* The scenes of a file: one, or a case each. */
static int each(const char *path, int print, gjb_error *error)
{
    size_t size;
    unsigned char *bytes = gjb_file_read(path, NULL, &size, error);
    json_t *root = bytes ? json_loadb((const char *)bytes, size, 0, NULL) : NULL;
    int failed = bytes ? 0 : -1;
    if (!failed && gjb_known_failures_sniff(bytes, size)) {
        gjb_known_failures *all = gjb_known_failures_parse(bytes, size, path, error);
        const json_t *cases = json_object_get(root, "cases");
        failed = !all || (all->count != json_array_size(cases) && gjb_fail(error, "a case is left out"));
        for (size_t i = 0; !failed && i < all->count; i++) {
            gjb_error why = {""};
            const json_t *truth = json_object_get(json_array_get(cases, i), "truth");
            failed = print ? print_scene(all->cases[i].scene, path, all->cases[i].id, &why)
                           : check_scene(all->cases[i].scene, truth, &why);
            if (failed)
                gjb_fail(error, "%s: %.400s", all->cases[i].id, why.text);
        }
        gjb_known_failures_free(all);
    } else if (!failed) {
        gjb_scene *scene = gjb_scene_parse(bytes, size, path, error);
        failed = !scene || (print ? print_scene(scene, path, "", error)
                                  : check_scene(scene, json_object_get(root, "x-truth"), error));
        gjb_scene_free(scene);
    }
    json_decref(root);
    free(bytes);
    return failed ? -1 : 0;
}

static int is_json(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');
    return ending != NULL && strcmp(ending, ".json") == 0;
}

int main(int argc, char **argv)
{
    const int print = argc > 1 && !strcmp(argv[1], "--print");
    int failed = argc < 2 + print, tests = 0;
    for (int a = 1 + print; a < argc; a++) {
        struct dirent **names = NULL;
        const int count = scandir(argv[a], &names, is_json, alphasort);
        failed |= count <= 0;
        for (int i = 0; i < count; i++) {
            char path[4096];
            gjb_error error = {""};
            snprintf(path, sizeof path, "%s/%s", argv[a], names[i]->d_name);
            const int wrong = each(path, print, &error);
            tests++;
            if (!print)
                printf("%sok %d - %s%s%s\n", wrong ? "not " : "", tests, names[i]->d_name, wrong ? ": " : "",
                       error.text);
            else if (wrong)
                fprintf(stderr, "%s: %s\n", path, error.text);
            failed |= wrong != 0;
            free(names[i]);
        }
        free(names);
    }
    if (!print)
        printf("1..%d\n", tests);
    return failed != 0;
}
