/* Frames made of others, motions included, and contenders asked for their pairs under the watch. */
#include "verify/verify_private.h"

#include <string.h>

#include "contenders/harness.h"

int gjb_verify_copy_motions(gjb_scene *scene, uint32_t from, uint32_t to)
{
    int failed = 0;
    for (uint32_t i = 0; i < scene->body_count && scene->frames[from].motions && !failed; i++) {
        double motion[6];
        gjb_scene_motion(scene, from, i, motion);
        failed = gjb_scene_set_motion(scene, to, i, motion);
    }
    return failed;
}

int gjb_verify_add_swapped_frame(gjb_scene *scene)
{
    uint64_t pairs = scene->frames[0].pair_count;
    uint32_t frame = gjb_scene_add_frame(scene, pairs);
    if (frame == UINT32_MAX || gjb_verify_copy_motions(scene, 0, frame))
        return -1;
    size_t pose = gjb_pose_size((gjb_precision)scene->shapes.precision, scene->shapes.dim);
    memcpy(scene->frames[frame].poses, scene->frames[0].poses, scene->body_count * pose);
    for (uint64_t i = 0; i < pairs; i++) {
        scene->frames[frame].pairs[2 * i] = scene->frames[0].pairs[2 * i + 1];
        scene->frames[frame].pairs[2 * i + 1] = scene->frames[0].pairs[2 * i];
    }
    return 0;
}

/* Ours is watched, and must finish so many pairs in time if it answers them one after another, as one may take a second.
 * A contender with backends gets all pairs in one call: it packs pairs of a call into lanes, and is fast. Slices would
 * change its counts of lanes. */
enum { SLICE = 32 };

void gjb_verify_ask(gjb_watch *watch, size_t row, const gjb_contender *contender, gjb_session *session, gjb_query query,
                    uint32_t frame, uint64_t pairs, size_t size, void *records, gjb_session_stats *stats)
{
    const uint64_t slice = gjb_answers_singly(contender) ? SLICE : pairs;
    *stats = (gjb_session_stats){0};
    watch->row = row;
    for (uint64_t at = 0; at < pairs; at += slice) {
        gjb_session_stats part;
        const uint64_t count = pairs - at < slice ? pairs - at : slice;
        if (watch->stop && *watch->stop) {
            memset((char *)records + at * size, GJB_LEFT_OUT, (pairs - at) * size);
            stats->interrupted += pairs - at;
            break;
        }
        watch->asked += contender->ours; /* the others have a watchdog of their own, and may hang more than once */
        gjb_session_run(session, query, frame, at, count, 0, 1, (char *)records + at * size, &part);
        watch->asked += contender->ours;
        gjb_session_stats_add(stats, &part);
    }
}
