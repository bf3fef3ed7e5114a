/* Shared by tests of the kernels, in either dimension: scenes, answers, and
 * variations of a call that must not change them. */
#ifndef GJB_SIMD_TESTS_ANSWERS_H
#define GJB_SIMD_TESTS_ANSWERS_H

#include "core/query.h"
#include "scenes/generate/generate.h"
#include "simd/simd.h"

/* Ends the test if it cannot be made. The caller frees it. */
gjb_scene *answers_scene(const gjb_recipe *recipe);

/* All pairs of the scene's frame, `call` of them at a time, from `shapes`, into
 * records next to each other. `backend` as gjb_simd_prepare takes it; `stats` may
 * be NULL. */
void answers_get(const gjb_scene *scene, const gjb_shapes *shapes, const char *backend, gjb_query query, size_t call,
                 unsigned char *results, gjb_run_stats *stats);

/* The same in one call, into memory of its own. */
typedef struct answers {
    unsigned char *results;
    size_t size; /* of a record */
} answers;
answers answers_all(const gjb_scene *scene, const char *backend, gjb_query query);
unsigned answers_status(const answers *all, size_t pair);

/* Every precision, query and backend of this CPU, on a fresh scene each. */
typedef void answers_case(gjb_scene *scene, const char *backend, gjb_query query);
void answers_each(gjb_recipe recipe, answers_case *body);

/* The same on scenes that stay as they are, with the answers of the scalar
 * backend in one call next to each; by day of every other query for each backend and precision. */
typedef void answers_many(const gjb_scene *scene, const char *backend, gjb_query query, const unsigned char *want,
                          size_t bytes);
void answers_each_many(gjb_recipe recipe, answers_many *body);

/* Bodies of answers_each_many: calls of any size; the same shapes first in a
 * library too large for a core's own cache, which is fetched in another way. */
void answers_in_calls(const gjb_scene *scene, const char *backend, gjb_query query, const unsigned char *want,
                      size_t bytes);
void answers_in_a_crowd(const gjb_scene *scene, const char *backend, gjb_query query, const unsigned char *want,
                        size_t bytes);

/* Pair `pair` refuses its input, all others have the bits that they had. */
void answers_expect_one_refused(const answers *before, const answers *after, size_t pairs, size_t pair,
                                const char *what);
/* No record holds -0, NaN or infinity. */
void answers_expect_plain_numbers(const answers *all, size_t pairs, gjb_precision precision, const char *what);

/* Supports in lanes and pairs on the fallback path, of all pairs of a scene on the
 * scalar backend: exact measures of the kernels' work. They may change, on purpose,
 * and these numbers with them. */
typedef struct answers_work {
    uint64_t supports, fallback;
} answers_work;
typedef struct answers_work_row {
    const char *workload, *family;
    answers_work of[GJB_PRECISIONS][GJB_STILL_QUERIES];
} answers_work_row;
/* The recipe with each row's workload and family, in both precisions. */
void answers_expect_work(gjb_recipe recipe, const answers_work_row *rows, size_t count);

/* GJB_GOLDEN=print in the environment: tables that may change on purpose are
 * printed, instead of compared. */
int answers_printing(void);

#endif
