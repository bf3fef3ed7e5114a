/* Draws a found pair with its exact truth and the wrong answer. */
#include "cli/bugs/failure_picture.h"

#include <string.h>

#include "cli/cli.h"
#include "reference/reference.h"
#include "reports/figures/find_draw.h"

/* Normal and witness points as they are right; none of a pair in motion. */
static void find_truth(gjb_find_picture *picture)
{
    const gjb_pair *pair = picture->pair;
    if (pair->dim == 2) {
        const ref_answer a = ref_signed_distance2(&pair->as.plane);
        memcpy(picture->normal, a.normal, sizeof a.normal);
        memcpy(picture->point_a, a.point_a, sizeof a.point_a);
        memcpy(picture->point_b, a.point_b, sizeof a.point_b);
    } else {
        const ref_answer3 a = ref_signed_distance3(&pair->as.space, NULL);
        memcpy(picture->normal, a.normal, sizeof a.normal);
        memcpy(picture->point_a, a.point_a, sizeof a.point_a);
        memcpy(picture->point_b, a.point_b, sizeof a.point_b);
    }
    picture->has_truth = 1;
}

int cli_failure_draw(const gjb_hunt_found *find, gjb_error *error)
{
    char path[4200];
    gjb_pair_space space = {0};
    gjb_pair pair;
    const gjb_query query = find->ask->query;
    const int answered = find->outcome->symptom < GJB_SYMPTOM_MISHAP && gjb_queries[query].has_value &&
                         !gjb_queries[query].moving;
    gjb_find_picture picture = {.pair = &pair,
                                .line = find->line,
                                .answer = answered ? &find->outcome->result : NULL,
                                .moving = gjb_queries[query].moving != 0};
    snprintf(path, sizeof path, "%s.svg", find->stem);
    int failed =
        gjb_scene_pair(find->pair, 0, 0, &space, &pair) ? gjb_fail(error, "%s: out of memory", path) : 0;
    if (!failed && !picture.moving)
        find_truth(&picture);
    failed = failed || gjb_find_draw(&picture, path, error);
    gjb_pair_space_free(&space);
    return failed ? -1 : 0;
}
