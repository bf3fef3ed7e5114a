/* What every answer of ours keeps on every backend, and of the reference, apart from the relations of the property table,
 * which test_property_table.c holds: certificates, and the bits that do not depend on company or backend. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "properties/tests/subjects.h"

/* Witness points belong to their shapes, axes separate as far as they say. Of one backend: the others have its bits. */
static void certificate(probe *p)
{
    if (p->who.batched && strcmp(p->who.backend, p->who.contender->backends[0]))
        return;
    void *results = answers(&p->who, p->query, p->scene, 0, 1);
    gjb_tolerance granted = gjb_tolerance_for(p->who.contender, p->query, p->who.precision, p->scene->shapes.dim);
    gjb_pair_space space = {0};
    gjb_truth truth = {0};
    for (uint64_t i = 0; i < PAIRS; i++) {
        gjb_pair pair;
        cr_assert(!gjb_scene_pair(p->scene, 0, i, &space, &pair) && !gjb_truth_open(&truth, &pair));
        gjb_result r = gjb_result_get(p->query, p->who.precision, dim_of(p), results, i);
        gjb_grade grade = gjb_grade_result(p->query, &truth, &r, &granted);
        CHECK(p, grade.verdict == GJB_RIGHT || grade.verdict == GJB_UNGRADED,
              "pair %d: %s, value %.9g in [%.9g, %.9g]", (int)i, gjb_fault_name(grade.fault), r.value,
              truth.lo, truth.hi);
    }
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
    free(results);
}

/* Whatever index, neighbours, call size and number of threads: the same bytes. */
static void invariance(probe *p)
{
    static const struct {
        uint64_t call;
        uint32_t threads;
    } ways[] = {{1, 1}, {3, 1}, {7, 3}, {0, 2}};
    size_t size = gjb_result_size(p->query, p->who.precision, p->scene->shapes.dim);
    char *plain = answers(&p->who, p->query, p->scene, 0, 1);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        char *other = answers(&p->who, p->query, p->scene, ways[k].call, ways[k].threads);
        CHECK(p, !memcmp(plain, other, PAIRS * size), "calls of %d pairs, %d threads: other bytes",
              (int)ways[k].call, (int)ways[k].threads);
        free(other);
    }
    gjb_scene *changed = copy_of(p->scene);
    for (uint64_t i = 0; i < PAIRS; i++)
        memcpy(changed->frames[0].pairs + 2 * i, p->scene->frames[0].pairs + 2 * (i * 5 % PAIRS),
               2 * sizeof(uint32_t));
    char *shuffled = answers(&p->who, p->query, changed, 0, 1);
    for (uint64_t i = 0; i < PAIRS; i++)
        CHECK(p, !memcmp(shuffled + i * size, plain + i * 5 % PAIRS * size, size),
              "pair %d at place %d: other bytes", (int)(i * 5 % PAIRS), (int)i);
    free(shuffled);
    /* Alone among copies of one other pair. */
    for (uint64_t i = 0; i < PAIRS; i++)
        memcpy(changed->frames[0].pairs + 2 * i, p->scene->frames[0].pairs + (i == 11 ? 2 : 6),
               2 * sizeof(uint32_t));
    char *alone = answers(&p->who, p->query, changed, 0, 1);
    CHECK(p, !memcmp(alone + 11 * size, plain + size, size), "pair %d among others: other bytes", 1);
    free(alone);
    gjb_scene_free(changed);
    free(plain);
}

/* Every backend, the bytes of the first. */
static void same_bits(probe *p)
{
    if (!p->who.batched || !p->who.contender->backends)
        return;
    size_t size = gjb_result_size(p->query, p->who.precision, p->scene->shapes.dim);
    subject first = p->who;
    first.backend = p->who.contender->backends[0];
    char *wanted = answers(&first, p->query, p->scene, 0, 1),
         *got = answers(&p->who, p->query, p->scene, 0, 1);
    for (uint64_t i = 0; i < PAIRS; i++) {
        gjb_result r = gjb_result_get(p->query, p->who.precision, dim_of(p), got, i);
        gjb_result s = gjb_result_get(p->query, p->who.precision, dim_of(p), wanted, i);
        CHECK(p, !memcmp(got + i * size, wanted + i * size, size), "pair %d: value %a, %s says %a", (int)i,
              r.value, first.backend, s.value);
    }
    free(wanted);
    free(got);
}

/* The promises of bits are theirs alone. */
static int has_kernels(uint32_t dim)
{
    subject all[SUBJECTS_MAX];
    int has = 0;
    for (size_t i = subjects(all); i-- > 0;)
        has |= all[i].batched && all[i].contender->dims >> dim & 1;
    return has;
}

typedef void each(uint32_t dim, void (*visit)(probe *), uint64_t *failures, uint64_t *checks, char first[512]);

static void hold(each *for_each, uint32_t dim, void (*visit)(probe *))
{
    uint64_t failures, checks;
    char first[512];
    for_each(dim, visit, &failures, &checks, first);
    if (!checks && !has_kernels(dim))
        cr_skip_test("no kernels have this dimension");
    cr_expect(checks > 0, "nothing was checked in %uD", (unsigned)dim);
    cr_expect(failures == 0, "%llu of %llu checks failed; first: %s", (unsigned long long)failures,
              (unsigned long long)checks, first);
}

#define HOLD(suite, name, for_each, dim, visit) \
    Test(suite, name, .timeout = 900)            \
    {                                            \
        hold(for_each, dim, visit);              \
    }
#define PROPERTY(name, visit)                                        \
    HOLD(properties, name, for_all, 2, visit)                        \
    HOLD(properties_in_space, name, for_all, 3, visit)               \
    HOLD(properties_of_curves, name, for_all_curved, 2, visit)       \
    HOLD(properties_of_curved_solids, name, for_all_curved, 3, visit)
PROPERTY(certificates_hold, certificate)
PROPERTY(place_neighbours_calls_and_threads_do_not_show, invariance)
PROPERTY(backends_give_the_same_bits, same_bits)
