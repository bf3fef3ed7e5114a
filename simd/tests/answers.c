/* Asks kernels for answers in calls of any size and backend, and compares their bits and work. */
#include "simd/tests/answers.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tests/one_in.h"

gjb_scene *answers_scene(const gjb_recipe *recipe)
{
    gjb_error error = {0};
    gjb_scene *scene = gjb_generate(recipe, &error);
    cr_assert_not_null(scene, "%s", error.text);
    return scene;
}

/* Answers of shapes that are prepared, `call` pairs at a time. */
static void run_calls(const gjb_scene *scene, const void *prepared, gjb_query query, size_t call,
                      unsigned char *results, gjb_run_stats *stats)
{
    const gjb_precision precision = (gjb_precision)scene->shapes.precision;
    const size_t size = gjb_result_size(query, precision, scene->shapes.dim), pairs = scene->frames[0].pair_count;
    void *workspace = NULL;
    cr_assert_eq(posix_memalign(&workspace, 64, gjb_simd_workspace_size(prepared)), 0);
    memset(results, 0xA5, pairs * size);
    for (size_t first = 0; first < pairs; first += call) {
        gjb_batch batch = {.query = query,
                           .poses = scene->frames[0].poses,
                           .pose_stride = gjb_pose_size(precision, scene->shapes.dim),
                           .motions = scene->frames[0].motions,
                           .motion_stride = gjb_motion_size(precision, scene->shapes.dim),
                           .body_shape = scene->body_shape,
                           .pairs = scene->frames[0].pairs + 2 * first,
                           .pair_count = pairs - first < call ? pairs - first : call,
                           .results = results + first * size,
                           .result_stride = size,
                           .workspace = workspace,
                           .stats = stats,
                           .margin = gjb_queries[query].has_patch    ? scene->margin
                                     : gjb_queries[query].has_within ? scene->within
                                                                     : 0,
                           .leaving = gjb_queries[query].has_leaving ? scene->leaving : GJB_LEAVING_HIT};
        gjb_simd_run(prepared, &batch);
    }
    free(workspace);
}

void answers_get(const gjb_scene *scene, const gjb_shapes *shapes, const char *backend, gjb_query query, size_t call,
                 unsigned char *results, gjb_run_stats *stats)
{
    void *prepared = gjb_simd_prepare(shapes, backend);
    cr_assert_not_null(prepared);
    run_calls(scene, prepared, query, call, results, stats);
    gjb_simd_release(prepared);
}

answers answers_all(const gjb_scene *scene, const char *backend, gjb_query query)
{
    const gjb_shapes *shapes = &scene->shapes;
    const size_t pairs = scene->frames[0].pair_count;
    answers all = {.size = gjb_result_size(query, (gjb_precision)shapes->precision, shapes->dim)};
    all.results = malloc(pairs * all.size);
    answers_get(scene, shapes, backend, query, pairs, all.results, NULL);
    return all;
}

unsigned answers_status(const answers *all, size_t pair)
{
    gjb_head head;
    memcpy(&head, all->results + pair * all->size, sizeof head);
    return head.status;
}

void answers_each(gjb_recipe recipe, answers_case *body)
{
    for (size_t b = 0; b < gjb_backend_count; b++)
        for (int p = 0; p < GJB_PRECISIONS; p++)
            for (int q = 0; q < GJB_STILL_QUERIES; q++) {
                if (!gjb_backend_available(gjb_backends[b]->name))
                    continue;
                recipe.precision = (gjb_precision)p;
                gjb_scene *scene = answers_scene(&recipe);
                body(scene, gjb_backends[b]->name, (gjb_query)q);
                gjb_scene_free(scene);
            }
}

void answers_each_many(gjb_recipe recipe, answers_many *body)
{
    unsigned char *want = malloc(recipe.pairs * sizeof(gjb_result3d));
    for (int p = 0; p < GJB_PRECISIONS; p++) {
        recipe.precision = (gjb_precision)p;
        gjb_scene *scene = answers_scene(&recipe);
        for (int q = 0; q < GJB_STILL_QUERIES; q++) {
            answers_get(scene, &scene->shapes, "scalar", (gjb_query)q, recipe.pairs, want, NULL);
            for (size_t b = 0; b < gjb_backend_count; b++)
                if (gjb_backend_available(gjb_backends[b]->name) && (b + (size_t)(q + p)) % one_in(2) == 0)
                    body(scene, gjb_backends[b]->name, (gjb_query)q, want,
                         recipe.pairs * gjb_result_size((gjb_query)q, (gjb_precision)p, scene->shapes.dim));
        }
        gjb_scene_free(scene);
    }
    free(want);
}

void answers_in_calls(const gjb_scene *scene, const char *backend, gjb_query query, const unsigned char *want,
                      size_t bytes)
{
    const size_t calls[] = {1, 5, 255, 256, 257, 600, scene->frames[0].pair_count};
    unsigned char *got = malloc(bytes);
    void *prepared = gjb_simd_prepare(&scene->shapes, backend);
    cr_assert_not_null(prepared);
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        run_calls(scene, prepared, query, calls[k], got, NULL);
        cr_expect_eq(memcmp(want, got, bytes), 0, "%s, %s, %s: %zu pairs a call", scene->name, backend,
                     gjb_queries[query].name, calls[k]);
    }
    gjb_simd_release(prepared);
    free(got);
}

void answers_in_a_crowd(const gjb_scene *scene, const char *backend, gjb_query query, const unsigned char *want,
                        size_t bytes)
{
    const gjb_shapes *few = &scene->shapes;
    const uint32_t rows = few->first[few->count - 1] + few->row_count[few->count - 1];
    const size_t number = few->precision == GJB_F32 ? sizeof(float) : sizeof(double), row = few->dim * number;
    const size_t stored = rows * row, lines = 64 * (size_t)few->count, least = stored > lines ? stored : lines;
    const uint32_t times = 1 + (uint32_t)((2u << 20) / least); /* twice what counts as far */
    uint8_t *kind = malloc(times * few->count);
    uint32_t *first = malloc(times * few->count * sizeof *first), *count = malloc(times * few->count * sizeof *count);
    char *radius = malloc(times * few->count * number), *all_rows = malloc(times * (size_t)rows * row);
    for (uint32_t k = 0; k < times; k++) {
        memcpy(kind + k * few->count, few->kind, few->count);
        memcpy(count + k * few->count, few->row_count, few->count * sizeof *count);
        memcpy(radius + k * few->count * number, few->radius, few->count * number);
        memcpy(all_rows + k * (size_t)rows * row, few->rows, rows * row);
        for (uint32_t i = 0; i < few->count; i++)
            first[k * few->count + i] = few->first[i] + k * rows;
    }
    gjb_shapes all = *few;
    all.count = times * few->count;
    all.kind = kind;
    all.first = first;
    all.row_count = count;
    all.radius = radius;
    all.rows = all_rows;
    unsigned char *got = malloc(bytes);
    answers_get(scene, &all, backend, query, scene->frames[0].pair_count, got, NULL);
    cr_expect_eq(memcmp(want, got, bytes), 0, "%s, %s, %s: another answer in a large library", scene->name, backend,
                 gjb_queries[query].name);
    free(got);
    free(kind);
    free(first);
    free(count);
    free(radius);
    free(all_rows);
}

void answers_expect_one_refused(const answers *before, const answers *after, size_t pairs, size_t pair,
                                const char *what)
{
    for (size_t i = 0; i < pairs; i++)
        if (i == pair)
            cr_expect_eq(answers_status(after, i), GJB_INVALID_INPUT, "%s: status %u", what, answers_status(after, i));
        else
            cr_expect_arr_eq(before->results + i * before->size, after->results + i * after->size, before->size,
                             "%s: pair %zu changed with its neighbour", what, i);
}

void answers_expect_plain_numbers(const answers *all, size_t pairs, gjb_precision precision, const char *what)
{
    const size_t width = precision == GJB_F32 ? sizeof(float) : sizeof(double);
    for (size_t i = 0; i < pairs; i++)
        for (size_t at = all->size > 8 ? width : all->size; at < all->size; at += width) {
            double x = 0;
            if (width == sizeof(float)) {
                float f;
                memcpy(&f, all->results + i * all->size + at, sizeof f);
                x = (double)f;
            } else {
                memcpy(&x, all->results + i * all->size + at, sizeof x);
            }
            cr_expect(isfinite(x), "%s: pair %zu is not finite at byte %zu", what, i, at);
            cr_expect(!(x == 0 && signbit(x)), "%s: pair %zu holds -0 at byte %zu", what, i, at);
        }
}

int answers_printing(void)
{
    const char *wish = getenv("GJB_GOLDEN");
    return wish && !strcmp(wish, "print");
}

static answers_work work_of(const gjb_scene *scene, gjb_query query)
{
    const size_t pairs = scene->frames[0].pair_count;
    unsigned char *results = malloc(pairs * sizeof(gjb_result3d));
    gjb_run_stats stats = {0};
    answers_get(scene, &scene->shapes, "scalar", query, pairs, results, &stats);
    free(results);
    return (answers_work){stats.lane_live, stats.fallback};
}

/* Prints the work of one precision as its row of the table, or compares it. */
static void check_work(const gjb_scene *scene, const answers_work_row *row, int precision)
{
    for (int q = 0; q < GJB_STILL_QUERIES; q++) {
        const answers_work now = work_of(scene, (gjb_query)q), want = row->of[precision][q];
        const unsigned long long supports = now.supports, fallback = now.fallback;
        if (answers_printing())
            printf("%s{%llu, %llu}%s", q ? ", " : "{", supports, fallback,
                   q + 1 < GJB_STILL_QUERIES ? "" : precision ? "}}},\n" : "},\n      ");
        else
            cr_expect(now.supports == want.supports && now.fallback == want.fallback, "%s %s %s %s: now {%llu, %llu}",
                      row->workload, row->family, gjb_precision_name((gjb_precision)precision), gjb_queries[q].name,
                      supports, fallback);
    }
}

void answers_expect_work(gjb_recipe recipe, const answers_work_row *rows, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        recipe.workload = rows[k].workload;
        recipe.family = rows[k].family;
        if (answers_printing())
            printf("    {\"%s\", \"%s\",\n     {", rows[k].workload, rows[k].family);
        for (int p = 0; p < GJB_PRECISIONS; p++) {
            recipe.precision = (gjb_precision)p;
            gjb_scene *scene = answers_scene(&recipe);
            check_work(scene, &rows[k], p);
            gjb_scene_free(scene);
        }
    }
}
