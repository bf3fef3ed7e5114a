/* What tests of this room share: scenes built by hand, with no generator and no files, and all contenders by turns. */
#ifndef GJB_CONTENDERS_TESTS_SCENES_H
#define GJB_CONTENDERS_TESTS_SCENES_H

#include <string.h>

#include "contenders/table.h"
#include "scenes/scene.h"

/* `bodies` of mixed kinds on a spiral, each paired with `reach` neighbours; in
 * 2D, and in space. */
gjb_scene *test_spiral(gjb_precision precision, uint32_t bodies, uint32_t reach);
gjb_scene *test_spiral3(gjb_precision precision, uint32_t bodies, uint32_t reach);

/* Sets each body of a frame in motion, each in its own way. */
void test_set_moving(gjb_scene *scene, uint32_t frame);

/* One shape of a case with a known answer. */
typedef struct test_shape {
    gjb_kind kind;
    uint32_t count;
    double rows[12][2];
    double radius;
} test_shape;

/* A scene of one pair (0, 1), and the same swapped as pair 1. */
gjb_scene *test_couple(gjb_precision precision, const test_shape *a, gjb_pose2d pose_a, const test_shape *b,
                       gjb_pose2d pose_b);

/* Asks in every way that a contender can be run. `backend` is NULL of who has none. `gap` is passed on. */
typedef void (*test_ask)(const gjb_contender *contender, const char *backend, uint32_t dim, gjb_precision precision,
                         double gap);

/* Contenders of any of these queries, but the textbook ones where they are `sound`: test_textbook.c says what those
 * get wrong. `dims` and `queries` are bits. */
static inline void test_each(uint32_t dims, uint32_t queries, int sound, test_ask ask, double gap)
{
    static const char *const one_way[] = {NULL, NULL};
    for (size_t i = 0; i < gjb_contender_count(); i++) {
        const gjb_contender *c = gjb_contender_at(i);
        const char *const *backend = c->backends != NULL ? c->backends : one_way;
        if (!(c->queries & queries) || (sound && strncmp(c->name, "textbook-", 9) == 0))
            continue;
        do {
            for (uint32_t bits = 0; bits < 4 && (*backend == NULL || c->backend_available(*backend)); bits++)
                if ((c->dims & dims) >> (2 + (bits & 1)) & 1u && c->precisions >> (bits >> 1) & 1u)
                    ask(c, *backend, 2 + (bits & 1), (gjb_precision)(bits >> 1), gap);
        } while (*backend != NULL && *++backend != NULL);
    }
}

#endif
