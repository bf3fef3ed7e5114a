/* Hashes of pairs and of exact truths, the same on every machine: what a frozen suite is recognised by. */
#include "scenes/hash.h"
#include "verify/verify_private.h"

/* Bounds of curved shapes may tighten from version to version, and what moves has intervals alone. */
static int has_exact_truth(const gjb_pair *pair, int moves)
{
    return !moves && !gjb_pair_curved(pair) && !gjb_pair_unbounded(pair);
}

/* The doubles around the exact signed distance, chained onto `print`. -0 is 0. */
static int add_truth(const gjb_pair *pair, uint64_t *print)
{
    gjb_truth truth = {0};
    const int failed = gjb_truth_open_lazily(&truth, pair);
    if (!failed) {
        gjb_truth_exact(&truth);
        const double around[] = {truth.lo + 0.0, truth.hi + 0.0};
        *print = gjb_fingerprint(around, 1, sizeof around, sizeof around, *print);
    }
    gjb_truth_close(&truth);
    return failed;
}

int gjb_verify_hash(gjb_verify_hashes *sum, const gjb_scene *scene, uint64_t truths, uint64_t key)
{
    const uint64_t inputs = gjb_scene_hash(scene), pairs = scene->frames[0].pair_count;
    const int moves = gjb_scene_moves(scene);
    gjb_pair_space space = {0};
    uint64_t print = key, count = 0;
    int failed = 0;
    sum->inputs += gjb_fingerprint(&inputs, 1, sizeof inputs, sizeof inputs, key);
    for (uint64_t i = 0; i < truths && i < pairs && !failed; i++) {
        gjb_pair pair;
        failed = gjb_scene_pair(scene, 0, i, &space, &pair);
        if (failed || !has_exact_truth(&pair, moves))
            continue;
        failed = add_truth(&pair, &print);
        count++;
    }
    gjb_pair_space_free(&space);
    sum->truths += count ? print : 0;
    sum->truth_count += count;
    return failed ? -1 : 0;
}
