/* One query in one dimension (GJB_TARGET_QUERY, GJB_TARGET_DIM): bytes become a valid pair; every backend of ours that
 * this CPU has answers; answers are graded, backends must agree in every bit, and certificate and oracle must not
 * contradict each other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/table.h"
#include "core/tests/target.h"
#include "fuzz/targets/pair_bytes.h"
#include "scenes/hash.h"
#include "verify/replay.h"

enum { ENTRIES_MAX = 32 };

static _Noreturn void fail(const gjb_scene *scene, const char *what)
{
    char path[64];
    gjb_error error = {{0}};
    gjb_scene *one = gjb_scene_extract(scene, 0, 0);
    snprintf(path, sizeof path, "pair-%016llx.json", (unsigned long long)gjb_scene_hash(scene));
    if (one) {
        snprintf(one->query, sizeof one->query, "%s", gjb_queries[GJB_TARGET_QUERY].name);
        snprintf(one->note, sizeof one->note, "%s", what);
    }
    if (!one || gjb_scene_save_json(one, path, &error))
        snprintf(path, sizeof path, "nowhere");
    fprintf(stderr, "%s %s; the pair is saved in %s\n", gjb_queries[GJB_TARGET_QUERY].name, what, path);
    abort();
}

typedef struct judge {
    const gjb_scene *scene;
    gjb_replay_case first;
} judge;

static void judge_case(void *context, const gjb_replay_case *one)
{
    judge *j = context;
    char text[160];
    if (one->grade.verdict == GJB_WRONG) {
        snprintf(text, sizeof text, "%s/%s: %s, value %.9g, truth %.9g", one->contender->name, one->backend,
                 gjb_fault_name(one->grade.fault), one->result.value, one->truth);
        fail(j->scene, text);
    }
    if (j->first.contender != one->contender || j->first.precision != one->precision) {
        j->first = *one;
    } else if (memcmp(&j->first.result, &one->result, sizeof one->result)) {
        snprintf(text, sizeof text, "%s: %s and %s differ", one->contender->name, j->first.backend,
                 one->backend);
        fail(j->scene, text);
    }
}

/* In space the oracle of curved shapes divides cells by the hundred thousand, and that of motions asks it again and again:
 * there it is asked if a grade needs it alone. */
static int is_slow(const gjb_scene *scene, int moving)
{
    int curved = 0;
    for (uint32_t i = 0; i < scene->shapes.count; i++)
        curved |= gjb_is_curved((gjb_kind)scene->shapes.kind[i]);
    return scene->shapes.dim == 3 && (curved || moving);
}

/* The bounds and the oracle on each other, whatever was answered. */
static void check_checkers(const gjb_scene *scene)
{
    gjb_pair_space space = {0};
    gjb_truth truth = {0};
    gjb_pair pair;
    const int moving = gjb_queries[GJB_TARGET_QUERY].moving;
    gjb_target_require(!gjb_scene_pair(scene, 0, 0, &space, &pair) &&
                           !(moving ? gjb_truth_open_moving(&truth, &pair) : gjb_truth_open(&truth, &pair)),
                       "out of memory", NULL);
    if (moving) /* the bounds, before the oracle has a word */
        (void)gjb_truth_time(&truth, GJB_TARGET_QUERY);
    if (!is_slow(scene, moving))
        gjb_truth_exact(&truth);
    if (truth.conflict)
        fail(scene, "certificate and oracle contradict each other");
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
}

/* Both are of this build: faults of others are not looked for here. */
static size_t ours(gjb_verify_entry entries[ENTRIES_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < gjb_contender_count(); i++) {
        const gjb_contender *c = gjb_contender_at(i);
        for (size_t b = 0; c->ours && (c->backends ? c->backends[b] != NULL : b == 0); b++)
            if (count < ENTRIES_MAX && (!c->backends || c->backend_available(c->backends[b])))
                entries[count++] = (gjb_verify_entry){c, c->backends ? c->backends[b] : NULL};
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gjb_scene *scene = gjb_pair_from_bytes(data, size, GJB_TARGET_DIM);
    if (!scene)
        return -1;
    gjb_verify_entry entries[ENTRIES_MAX];
    gjb_replay_plan plan = {.entries = entries, .queries = 1u << GJB_TARGET_QUERY};
    plan.entry_count = ours(entries);
    check_checkers(scene);
    judge j = {.scene = scene};
    gjb_error error = {{0}};
    if (gjb_replay_scene(scene, "input", &plan, judge_case, &j, &error))
        fail(scene, error.text);
    gjb_scene_free(scene);
    return 0;
}
