/* C tests as failures come with them, of ours and of a library, for pairs that ours answers rightly:
 * NAME-right.c, and with another truth NAME-wrong.c, which must fail. usage: write-finds FOLDER */
#include <stdio.h>
#include <string.h>

#include "contenders/table.h"
#include "fuzz/hunt.h"

static int write_both(const char *folder, const gjb_ask *ask, const gjb_scene *pair, gjb_outcome o,
                      gjb_error *error)
{
    char path[4096], name[GJB_FIND_NAME];
    gjb_find_name(ask, "right", pair, name);
    snprintf(path, sizeof path, "%s/%s.c", folder, name);
    if (gjb_find_save_test(ask, pair, &o, path, error))
        return -1;
    /* Apart or deep by as much as the pair is large, or met an instant earlier. */
    const double by = o.lo > 0 ? -3 * o.size : 3 * o.size;
    o.lo += by;
    o.hi += by;
    o.truth = gjb_queries[ask->query].moving ? (o.truth > 0 ? 0.5 * o.truth : 0.25) : o.truth;
    gjb_find_name(ask, "wrong", pair, name);
    snprintf(path, sizeof path, "%s/%s.c", folder, name);
    return gjb_find_save_test(ask, pair, &o, path, error);
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
                                                 : "near",
                          &error);
    failed = failed ||
             write_one(argv[1], gjb_contender_find("reference"), 3, GJB_F64, GJB_DISTANCE, "near", &error);
    if (failed)
        fprintf(stderr, "%s\n", error.text);
    return failed != 0;
}
