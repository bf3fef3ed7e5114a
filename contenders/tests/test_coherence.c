/* Axes of the frame before, to the pair of the same bodies. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "contenders/table.h"
#include "contenders/warm_axes.h"
#include "scenes/generate/generate.h"

static const uint32_t pairs_of[2][3][2] = {{{0, 1}, {1, 2}}, {{1, 2}, {0, 2}, {0, 1}}};

static gjb_scene *two_frames(void)
{
    gjb_scene *scene = gjb_scene_new(2, GJB_F32, 1, 1, 3, 2);
    cr_assert_not_null(scene);
    cr_assert_eq(gjb_scene_add_frame(scene, 3), 1);
    memcpy(scene->frames[0].pairs, pairs_of[0], 2 * sizeof pairs_of[0][0]);
    memcpy(scene->frames[1].pairs, pairs_of[1], 3 * sizeof pairs_of[1][0]);
    return scene;
}

/* Keeps what it was given, and answers with the bodies and the frame. */
typedef struct asked {
    const gjb_scene *scene;
    float given[2][3][2];
} asked;

static void ask(void *user, uint32_t frame, void *axes)
{
    asked *a = user;
    float(*axis)[2] = axes;
    for (uint64_t i = 0; i < a->scene->frames[frame].pair_count; i++) {
        memcpy(a->given[frame][i], axis[i], sizeof axis[i]);
        axis[i][0] = (float)(10 * pairs_of[frame][i][0] + pairs_of[frame][i][1]);
        axis[i][1] = (float)frame + 1;
    }
}

Test(coherence, finds_the_same_bodies_in_the_frame_before)
{
    gjb_scene *scene = two_frames();
    asked a = {.scene = scene};
    gjb_warm *warm = gjb_warm_make(scene, GJB_WARM, ask, &a);
    cr_assert_not_null(warm);
    static const float want[3][2] = {{12, 1}, {0, 0}, {1, 1}}, none[2][2];
    cr_expect_eq(memcmp(a.given[0], none, sizeof none), 0, "the first frame has none before it");
    cr_expect_eq(memcmp(a.given[1], want, sizeof want), 0);
    float got[2][2];
    gjb_warm_gather(warm, 1, 1, 2, got);
    cr_expect_eq(memcmp(got, want + 1, sizeof got), 0, "from the second pair on");
    cr_expect_eq(gjb_warm_known(warm), 2);
    cr_expect_eq(gjb_warm_most(warm), 3);
    cr_expect_eq(gjb_warm_axis(warm), 2 * sizeof(float));
    gjb_warm_free(warm);
    gjb_scene_free(scene);
}

Test(coherence, stale_axes_are_those_of_another_pair)
{
    gjb_scene *scene = two_frames();
    asked a = {.scene = scene};
    gjb_warm *warm = gjb_warm_make(scene, GJB_STALE, ask, &a);
    cr_assert_not_null(warm);
    static const float want[3][2] = {{2, 2}, {1, 2}, {12, 2}};
    float got[3][2];
    gjb_warm_gather(warm, 1, 0, 3, got);
    cr_expect_eq(memcmp(got, want, sizeof got), 0);
    gjb_warm_free(warm);
    gjb_scene_free(scene);
}

/* Pairs by what their search began with, in memory that is shared with children. */
static struct seen {
    uint64_t warm, cold;
    int dies;
} *seen;

static void run_seen(const void *prepared, const gjb_batch *batch)
{
    if (seen->dies) {
        seen->dies = 0;
        abort();
    }
    *(batch->axes ? &seen->warm : &seen->cold) += batch->pair_count;
    gjb_contender_find("batch")->run(prepared, batch);
}

/* Also one that takes the place of another. */
Test(coherence, children_start_from_axes_too)
{
    const gjb_recipe recipe = {.workload = "hull16", .family = "near", .seed = 2, .dim = 3, .pairs = 300};
    gjb_error error = {{0}};
    gjb_scene *scene = gjb_generate(&recipe, &error);
    gjb_contender watched = *gjb_contender_find("batch");
    gjb_result3f results[300];
    gjb_stretch stretch = {GJB_INTERSECT, 50, 3, 0, 0};
    gjb_timing timing;
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert(scene && seen != MAP_FAILED, "%s", error.text);
    watched.run = run_seen;
    gjb_session *session = gjb_session_open_isolated(&watched, "scalar", scene, 1, &error);
    cr_assert_not_null(session, "%s", error.text);
    cr_assert_eq(gjb_session_start(session, GJB_INTERSECT, GJB_WARM, &error), 0, "%s", error.text);
    cr_assert_eq(gjb_session_time(session, &stretch, 0, results, &timing), 0);
    cr_expect(seen->warm == 300 + 150 && seen->cold == 0, "all of the scene once, then what is timed");
    seen->dies = 1;
    cr_assert_eq(gjb_session_time(session, &stretch, 0, results, &timing), -1);
    cr_assert_eq(gjb_session_time(session, &stretch, 0, results, &timing), 0);
    cr_expect(seen->warm == 2 * (300 + 150) && seen->cold == 0, "%llu", (unsigned long long)seen->warm);
    stretch.query = GJB_DISTANCE;
    cr_assert_eq(gjb_session_time(session, &stretch, 0, results, &timing), 0);
    cr_expect_gt(seen->cold, 0, "another query begins cold");
    gjb_session_close(session);
    gjb_scene_free(scene);
}

/* A session answers warm as it does cold, in calls of any size, in fewer supports; who leaves axes alone says so. */
Test(coherence, sessions_start_from_axes)
{
    const gjb_recipe recipe = {.workload = "hull64", .family = "near", .seed = 2, .dim = 3, .pairs = 300};
    gjb_error error = {{0}};
    gjb_scene *scene = gjb_generate(&recipe, &error);
    cr_assert_not_null(scene, "%s", error.text);
    gjb_head cold[300], warm[300], parts[300];
    gjb_session *session = gjb_session_open(gjb_contender_find("batch"), "scalar", scene, 1, &error);
    cr_assert_not_null(session, "%s", error.text);
    gjb_session_run(session, GJB_INTERSECT, 0, 0, 300, 0, 1, cold, NULL);
    cr_assert_eq(gjb_session_start(session, GJB_INTERSECT, GJB_WARM, &error), 0, "%s", error.text);
    gjb_session_run(session, GJB_INTERSECT, 0, 0, 300, 0, 1, warm, NULL);
    gjb_session_run(session, GJB_INTERSECT, 0, 0, 300, 7, 1, parts, NULL);
    cr_expect_eq(memcmp(warm, parts, sizeof warm), 0);
    unsigned before = 0, after = 0;
    for (int i = 0; i < 300; i++) {
        cr_expect_eq(cold[i].status, warm[i].status);
        before += cold[i].iterations;
        after += warm[i].iterations;
        if (cold[i].status == GJB_SEPARATED)
            cr_expect_eq(warm[i].iterations, 1, "its own axis proves it");
    }
    cr_expect_lt(2 * after, before);
    cr_assert_eq(gjb_session_start(session, GJB_INTERSECT, GJB_COLD, &error), 0);
    gjb_session_run(session, GJB_INTERSECT, 0, 0, 300, 0, 1, warm, NULL);
    cr_expect_eq(memcmp(warm, cold, sizeof warm), 0);
    gjb_session_close(session);

    gjb_scene *wide = gjb_scene_convert(scene, GJB_F64);
    session = gjb_session_open(gjb_contender_find("reference"), NULL, wide, 1, &error);
    cr_assert_not_null(session, "%s", error.text);
    cr_expect_eq(gjb_session_start(session, GJB_INTERSECT, GJB_WARM, &error), 1);
    gjb_session_close(session);
    gjb_scene_free(wide);
    gjb_scene_free(scene);
}
