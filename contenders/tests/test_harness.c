/* The harness, driven with contenders whose manners the tests choose. */
#include <criterion/criterion.h>
#include <fenv.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <gjkbench/adapter.h>

#include "contenders/harness.h"
#include "contenders/isolation/float_state.h"
#include "contenders/table.h"
#include "contenders/tests/scenes.h"

/* How the test contender behaves, and what it saw. One session at a time. */
static struct {
    uint64_t skip_every;     /* leaves each n-th pair's record alone */
    uint64_t half_every;     /* writes only the head of each n-th */
    uint64_t stop_at;        /* raises the stop flag in the n-th call */
    uint64_t nonsense_every; /* writes a status that does not exist */
    int upset;               /* leaves rounding and flushing changed */
    int no_memory;
    atomic_uint_fast64_t calls, upset_on_entry, misaligned, largest, released, still_calls;
} manners;

static volatile sig_atomic_t stopped;

static void upset_floats(void)
{
    fesetround(FE_UPWARD);
    gjb_float_state state = gjb_float_get();
#if defined(__x86_64__)
    state.mxcsr |= 0x8040u; /* flush to zero, denormals are zero */
#elif defined(__aarch64__)
    state.fpcr |= 1u << 24;
#endif
    gjb_float_set(state);
}

static void *mock_prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    return manners.no_memory ? NULL : (void *)(uintptr_t)shapes;
}

static void mock_release(void *prepared)
{
    (void)prepared;
    manners.released++;
}

static size_t mock_workspace_size(const void *prepared)
{
    (void)prepared;
    return 100;
}

static float x_motion(const gjb_batch *batch, gjb_precision precision, uint32_t body)
{
    double motion[6];
    gjb_batch_motion(batch, precision, 2, body, motion);
    return (float)motion[0];
}

/* Answers depend on the pair alone: its indices and A's pose, of toi B's motion. */
static void mock_run(const void *prepared, const gjb_batch *batch)
{
    const gjb_shapes *shapes = prepared;
    manners.calls++;
    stopped = manners.stop_at != 0 && manners.calls >= manners.stop_at;
    manners.still_calls += batch->motions == NULL;
    if (!gjb_float_same(gjb_float_get(), gjb_float_default()))
        manners.upset_on_entry++;
    if ((uintptr_t)batch->workspace % 64 != 0)
        manners.misaligned++;
    memset(batch->workspace, 0x11, 100);
    if (batch->pair_count > manners.largest)
        manners.largest = batch->pair_count;
    for (size_t i = 0; i < batch->pair_count; i++) {
        const uint64_t a = batch->pairs[2 * i], b = batch->pairs[2 * i + 1], id = 1 + a * 1000 + b;
        const uint32_t shape = batch->body_shape != NULL ? batch->body_shape[a] : (uint32_t)a;
        char *record = (char *)batch->results + i * batch->result_stride;
        const char *pose = (const char *)batch->poses + a * batch->pose_stride;
        gjb_head head = {(uint16_t)(1 + id % 2), (uint16_t)shape};
        if (batch->stats != NULL) {
            batch->stats->pairs++;
            batch->stats->iterations[shape]++;
        }
        if (manners.skip_every != 0 && id % manners.skip_every == 0)
            continue;
        if (manners.nonsense_every != 0 && id % manners.nonsense_every == 0)
            head.status = GJB_STATUSES;
        if (batch->query == GJB_INTERSECT ||
            (manners.half_every != 0 && id % manners.half_every == 0)) {
            memcpy(record, &head, sizeof head);
        } else if (shapes->precision == GJB_F32) {
            gjb_pose2f p;
            memcpy(&p, pose, sizeof p);
            if (batch->query == GJB_TOI)
                p.x = x_motion(batch, GJB_F32, (uint32_t)b);
            const gjb_result2f r = {head, p.x, {p.c, p.s}, {(float)a, 0}, {(float)b, 0}};
            memcpy(record, &r, sizeof r);
        } else {
            gjb_pose2d p;
            memcpy(&p, pose, sizeof p);
            if (batch->query == GJB_TOI)
                p.x = x_motion(batch, GJB_F64, (uint32_t)b);
            const gjb_result2d r = {head, 0, p.x, {p.c, p.s}, {(double)a, 0}, {(double)b, 0}};
            memcpy(record, &r, sizeof r);
        }
    }
    if (manners.upset)
        upset_floats();
}

static int mock_available(const char *backend)
{
    return strcmp(backend, "missing") != 0;
}

static const char *const mock_backends[] = {"plain", "wide", "missing", NULL};
static const gjb_contender mock = {
    .abi_version = GJB_CONTENDER_ABI,
    .struct_size = sizeof(gjb_contender),
    .name = "mock",
    .dims = 1u << 2,
    .queries = ((1u << GJB_STILL_QUERIES) - 1) | 1u << GJB_TOI,
    .precisions = 1u << GJB_F32 | 1u << GJB_F64,
    .ours = 1, /* in this process, where the tests see its manners */
    .backends = mock_backends,
    .backend_available = mock_available,
    .prepare = mock_prepare,
    .workspace_size = mock_workspace_size,
    .run = mock_run,
    .release = mock_release,
};

static gjb_session *open_or_fail(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                                 uint32_t threads)
{
    gjb_error error = {""};
    gjb_session *session = gjb_session_open(contender, backend, scene, threads, &error);
    cr_assert_not_null(session, "%s", error.text);
    return session;
}

static gjb_precision fed(const gjb_contender *contender)
{
    return contender->precisions >> GJB_F32 & 1u ? GJB_F32 : GJB_F64;
}

/* Every contender of the build, and the mock: whatever the threads and the
 * size of a call, the same bytes. */
static void check_same_bytes(const gjb_contender *contender, gjb_query query, uint32_t dim)
{
    static const uint32_t threads[] = {1, 2, 3, 7};
    static const uint64_t calls[] = {0, 1, 2, 5, 64, 1000000};
    const gjb_precision precision = fed(contender);
    gjb_scene *scene = dim == 2 ? test_spiral(precision, 61, 5) : test_spiral3(precision, 61, 5);
    if (query >= GJB_STILL_QUERIES)
        test_set_moving(scene, 0);
    const uint64_t count = scene->frames[0].pair_count;
    const size_t bytes = count * gjb_result_size(query, precision, dim);
    char *want = malloc(bytes), *got = malloc(bytes);
    cr_assert(want != NULL && got != NULL);
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        gjb_session *session = open_or_fail(contender, NULL, scene, threads[t]);
        for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
            char *results = t + c == 0 ? want : got;
            gjb_session_stats stats;
            const uint64_t unwritten =
                gjb_session_run(session, query, 0, 0, count, calls[c], 1, results, &stats);
            cr_assert_eq(unwritten, 0, "%s left %ju records", contender->name, (uintmax_t)unwritten);
            cr_assert(memcmp(want, results, bytes) == 0, "%s, %s: %u threads, calls of %ju differ",
                      contender->name, gjb_session_backend(session), threads[t], (uintmax_t)calls[c]);
            cr_assert_eq(stats.run.pairs, count, "%s counted %ju pairs", contender->name,
                         (uintmax_t)stats.run.pairs);
        }
        gjb_session_close(session);
    }
    free(want);
    free(got);
    gjb_scene_free(scene);
}

Test(harness, same_bytes_whatever_threads_and_calls)
{
    for (int query = 0; query < GJB_QUERIES; query++) {
        if (mock.queries >> query & 1u)
            check_same_bytes(&mock, (gjb_query)query, 2);
        for (size_t i = 0; i < gjb_contender_count(); i++)
            for (uint32_t dim = 2; dim <= 3; dim++)
                if (gjb_contender_at(i)->queries >> query & gjb_contender_at(i)->dims >> dim & 1u)
                    check_same_bytes(gjb_contender_at(i), (gjb_query)query, dim);
    }
}

static _Atomic double told[GJB_QUERIES];
static _Atomic uint64_t told_calls;

static void note_margin(const void *prepared, const gjb_batch *batch)
{
    (void)prepared;
    told[batch->query] = batch->margin; /* of every thread the same */
    atomic_fetch_add(&told_calls, 1);
    memset(batch->results, 0, batch->pair_count * batch->result_stride);
    for (size_t i = 0; i < batch->pair_count; i++)
        ((gjb_head *)(void *)((char *)batch->results + i * batch->result_stride))->status = GJB_SEPARATED;
}

/* Margins go to the queries that have them, of a contender that says that it takes them; what is then another question is
 * not asked, on one thread or several, run or timed. */
static void check_margins(const gjb_contender *contender, uint32_t takes, uint32_t threads, double within)
{
    gjb_scene *scene = test_spiral(GJB_F64, 7, 2);
    scene->margin = 0.5;
    scene->within = within;
    gjb_session *session = open_or_fail(contender, NULL, scene, threads);
    const uint64_t count = scene->frames[0].pair_count;
    gjb_result2d *results = calloc(count, sizeof *results);
    for (int q = 0; q < GJB_STILL_QUERIES; q++) {
        const int asked = q != GJB_INTERSECT || within == 0 || (takes >> q & 1);
        gjb_timing timing;
        gjb_stretch stretch = {.query = (gjb_query)q, .call = 1, .calls = 3};
        told[q] = -1;
        told_calls = 0;
        cr_assert_eq(gjb_session_run(session, (gjb_query)q, 0, 0, count, 0, 1, results, NULL), 0);
        cr_assert_eq(gjb_session_time(session, &stretch, 1, results, &timing), 0);
        cr_expect_eq(told_calls > 0, asked, "query %d, takes %x, within %g", q, (unsigned)takes, within);
        cr_expect_eq(told[q], !asked ? -1 : takes >> q & 1 ? within : 0, "query %d, takes %x: %g", q, (unsigned)takes, told[q]);
        gjb_session_run(session, (gjb_query)q, 0, 0, count, 0, 1, results, NULL);
        for (uint64_t i = 0; i < count; i++)
            cr_expect_eq(gjb_result_get((gjb_query)q, GJB_F64, 2, results, i).status, asked ? GJB_SEPARATED : GJB_UNSUPPORTED);
    }
    free(results);
    gjb_session_close(session);
    gjb_scene_free(scene);
}

Test(harness, margins_go_to_who_takes_them)
{
    gjb_contender contender = mock;
    contender.run = note_margin;
    for (uint32_t takes = 0; takes < 4; takes++)
        for (uint32_t threads = 1; threads < 4; threads += 2)
            for (int with = 0; with < 2; with++) {
                contender.within = takes; /* bits of intersect and distance */
                check_margins(&contender, takes, threads, 0.25 * with);
            }
    contender.within = ~0u; /* lies behind the end of an older table */
    contender.struct_size = offsetof(gjb_contender, within);
    check_margins(&contender, 0, 1, 0.25);
}

static _Atomic uint32_t told_leaving;

static void note_leaving(const void *prepared, const gjb_batch *batch)
{
    note_margin(prepared, batch);
    told_leaving = batch->leaving;
}

/* What a scene ignores is asked for of times of impact alone, and of those that take it. */
Test(harness, contacts_that_are_left_go_to_who_ignores_them)
{
    for (int k = 0; k < 8; k++) {
        const uint32_t takes = k & 1 ? 1u << GJB_TOI : ~(1u << GJB_TOI), leaving = k >> 1 & 1;
        gjb_contender contender = mock;
        contender.run = note_leaving;
        contender.leaving = takes;
        if (k & 4) { /* lies behind the end of an older table */
            contender.leaving = ~0u;
            contender.struct_size = offsetof(gjb_contender, unused) + sizeof contender.unused;
        }
        gjb_scene *scene = test_spiral(GJB_F64, 7, 2);
        test_set_moving(scene, 0);
        scene->leaving = leaving;
        gjb_session *session = open_or_fail(&contender, NULL, scene, 1 + 2 * (uint32_t)(k & 1));
        const int asked = !leaving || (!(k & 4) && k & 1);
        gjb_result2d results[16];
        const uint64_t count = scene->frames[0].pair_count < 16 ? scene->frames[0].pair_count : 16;
        told_calls = 0;
        gjb_session_run(session, GJB_TOI, 0, 0, count, 0, 1, results, NULL);
        cr_expect(!asked == !told_calls && (!asked || told_leaving == leaving), "case %d", k);
        for (uint64_t i = 0; i < count; i++)
            cr_expect_eq(gjb_result_get(GJB_TOI, GJB_F64, 2, results, i).status,
                         asked ? GJB_SEPARATED : GJB_UNSUPPORTED);
        told_calls = 0;
        gjb_session_run(session, GJB_DISTANCE, 0, 0, count, 0, 1, results, NULL);
        cr_expect(told_calls > 0 && told_leaving == GJB_LEAVING_HIT, "other queries do not see it");
        gjb_session_close(session);
        gjb_scene_free(scene);
    }
}

/* In all frames, those without motions too, and where calls are timed. */
Test(harness, a_contender_is_told_how_bodies_move)
{
    for (int precision = 0; precision < GJB_PRECISIONS; precision++) {
        gjb_scene *scene = test_spiral((gjb_precision)precision, 10, 3);
        for (uint32_t f = 1; f < 3; f++) {
            cr_assert_eq(gjb_scene_add_frame(scene, 30), f);
            memcpy(scene->frames[f].pairs, scene->frames[0].pairs, 60 * sizeof(uint32_t));
        }
        test_set_moving(scene, 0);
        test_set_moving(scene, 2);
        gjb_session *session = open_or_fail(&mock, NULL, scene, 2);
        gjb_result2d results[30];
        for (uint32_t f = 0; f < 3; f++) {
            gjb_session_run(session, GJB_TOI, f, 0, 30, 4, 1, results, NULL);
            for (uint64_t i = 0; i < 30; i++) {
                double motion[6];
                gjb_scene_motion(scene, f, scene->frames[f].pairs[2 * i + 1], motion);
                cr_assert_eq(gjb_result_get(GJB_TOI, (gjb_precision)precision, 2, results, i).value,
                             (double)(float)motion[0]);
            }
        }
        gjb_session_close(session);
        session = open_or_fail(&mock, NULL, scene, 1);
        gjb_stretch stretch = {GJB_TOI, 30, 3, 0, 0};
        gjb_timing timing;
        manners.still_calls = manners.calls = 0;
        cr_assert_eq(gjb_session_time(session, &stretch, 0, results, &timing), 0);
        cr_assert(manners.calls == 3 && manners.still_calls == 1);
        gjb_session_close(session);
        gjb_scene_free(scene);
    }
}

Test(harness, calls_have_the_size_asked_for)
{
    gjb_scene *scene = test_spiral(GJB_F32, 10, 5);
    gjb_head results[50];
    gjb_session *session = open_or_fail(&mock, NULL, scene, 1);
    gjb_session_run(session, GJB_INTERSECT, 0, 0, 50, 8, 0, results, NULL);
    cr_assert_eq(manners.calls, 7);
    cr_assert_eq(manners.largest, 8);
    gjb_session_run(session, GJB_INTERSECT, 0, 0, 50, 0, 0, results, NULL);
    cr_assert_eq(manners.calls, 8);
    cr_assert_eq(manners.misaligned, 0);
    gjb_session_close(session);
    session = open_or_fail(&mock, NULL, scene, 4);
    gjb_session_run(session, GJB_INTERSECT, 0, 0, 50, 0, 0, results, NULL);
    cr_assert_eq(manners.calls, 12, "one call a thread");
    cr_assert_eq(manners.misaligned, 0);
    gjb_session_close(session);
    cr_assert_eq(manners.released, 2);
    gjb_scene_free(scene);
}

/* What has backends finishes its call; the other is asked about few pairs at a time. */
Test(harness, ours_is_asked_no_more_once_it_is_stopped)
{
    static const struct {
        uint32_t threads;
        uint64_t call, done;
    } rows[] = {{1, 0, 3}, {1, 7, 21}, {2, 0, 32}};
    gjb_scene *scene = test_spiral(GJB_F64, 10, 5);
    gjb_result2d results[50];
    gjb_contender plain = mock;
    gjb_session_stats stats;
    plain.backends = NULL;
    gjb_session_stop_on(&stopped);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gjb_session *session = open_or_fail(&plain, NULL, scene, rows[i].threads);
        manners.calls = 0;
        manners.stop_at = rows[i].threads > 1 ? 1 : 3;
        gjb_session_run(session, GJB_DISTANCE, 0, 0, 50, rows[i].call, 1, results, &stats);
        cr_expect_eq(stats.interrupted, 50 - rows[i].done, "row %zu: %ju", i, (uintmax_t)stats.interrupted);
        cr_expect_eq(stats.run.pairs, rows[i].done, "row %zu", i);
        for (uint64_t k = 0; k < 50; k++)
            cr_expect_eq(gjb_result_get(GJB_DISTANCE, GJB_F64, 2, results, k).unasked, k >= rows[i].done,
                         "row %zu, pair %ju", i, (uintmax_t)k);
        gjb_session_close(session);
    }
    gjb_session *session = open_or_fail(&mock, NULL, scene, 1);
    gjb_session_run(session, GJB_DISTANCE, 0, 0, 50, 5, 1, results, &stats);
    cr_expect(stats.interrupted == 0 && stats.run.pairs == 50);
    gjb_session_close(session);
    gjb_session_stop_on(NULL);
    gjb_scene_free(scene);
}

Test(harness, a_range_is_answered_in_place)
{
    gjb_scene *scene = test_spiral(GJB_F64, 10, 5);
    gjb_result2d all[50], part[20];
    gjb_session *session = open_or_fail(&mock, NULL, scene, 2);
    gjb_session_run(session, GJB_DISTANCE, 0, 0, 50, 3, 1, all, NULL);
    gjb_session_run(session, GJB_DISTANCE, 0, 17, 20, 4, 1, part, NULL);
    cr_assert(memcmp(all + 17, part, sizeof part) == 0);
    cr_assert_eq(gjb_session_run(session, GJB_DISTANCE, 0, 31, 20, 4, 1, part, NULL), 20, "range outside");
    cr_assert_eq(gjb_session_run(session, GJB_DISTANCE, 1, 0, 20, 4, 1, part, NULL), 20, "no such frame");
    cr_assert_eq(gjb_session_run(session, GJB_DISTANCE, 0, 50, 0, 4, 1, part, NULL), 0);
    gjb_session_close(session);
    gjb_scene_free(scene);
}

Test(harness, a_body_without_a_shape_index_has_its_own)
{
    gjb_scene *scene = test_spiral(GJB_F32, 6, 2);
    gjb_result2f with[12], without[12];
    gjb_session *session = open_or_fail(&mock, NULL, scene, 1);
    gjb_session_run(session, GJB_DISTANCE, 0, 0, 12, 0, 1, with, NULL);
    gjb_session_close(session);
    free(scene->body_shape);
    scene->body_shape = NULL;
    session = open_or_fail(&mock, NULL, scene, 1);
    gjb_session_run(session, GJB_DISTANCE, 0, 0, 12, 0, 1, without, NULL);
    cr_assert(memcmp(with, without, sizeof with) == 0);
    gjb_session_close(session);
    gjb_scene_free(scene);
}

static uint64_t count_ids(const gjb_scene *scene, uint64_t every)
{
    uint64_t count = 0;
    const gjb_frame *frame = &scene->frames[0];
    for (uint64_t i = 0; i < frame->pair_count; i++)
        count += (1 + frame->pairs[2 * i] * 1000ull + frame->pairs[2 * i + 1]) % every == 0;
    return count;
}

Test(harness, records_left_unwritten_are_counted)
{
    for (int precision = 0; precision < GJB_PRECISIONS; precision++)
        for (uint32_t threads = 1; threads <= 3; threads++) {
            gjb_scene *scene = test_spiral((gjb_precision)precision, 20, 4);
            gjb_result2d results[80];
            gjb_session *session = open_or_fail(&mock, NULL, scene, threads);
            const uint64_t nines = count_ids(scene, 9);
            cr_assert_gt(nines, 3);
            manners.skip_every = 9;
            cr_assert_eq(gjb_session_run(session, GJB_INTERSECT, 0, 0, 80, 8, 1, results, NULL), nines);
            cr_assert_eq(gjb_session_run(session, GJB_DISTANCE, 0, 0, 80, 8, 1, results, NULL), nines);
            manners.skip_every = 0;
            manners.half_every = 9;
            cr_assert_eq(gjb_session_run(session, GJB_DISTANCE, 0, 0, 80, 8, 1, results, NULL), nines,
                         "a record without its value");
            manners.half_every = 0;
            manners.nonsense_every = 9;
            cr_assert_eq(gjb_session_run(session, GJB_DISTANCE, 0, 0, 80, 8, 1, results, NULL), nines,
                         "a status that does not exist");
            manners.nonsense_every = 0;
            gjb_session_close(session);
            gjb_scene_free(scene);
        }
}

Test(harness, floats_changed_by_a_contender_do_not_survive)
{
    gjb_scene *scene = test_spiral(GJB_F32, 20, 4);
    gjb_head results[80];
    gjb_session *session = open_or_fail(&mock, NULL, scene, 2);
    const gjb_float_state before = gjb_float_get();
    gjb_session_run(session, GJB_INTERSECT, 0, 0, 80, 8, 1, results, NULL);
    cr_assert_eq(gjb_session_float_changes(session), 0);
    manners.upset = 1;
    gjb_session_run(session, GJB_INTERSECT, 0, 0, 80, 8, 1, results, NULL);
    cr_assert(gjb_float_same(before, gjb_float_get()));
    cr_assert_eq(fegetround(), FE_TONEAREST);
    volatile float tiny = 1e-38f;
    cr_assert(tiny / 16.0f > 0.0f, "subnormals are kept");
    cr_assert_eq(manners.upset_on_entry, 0, "each call begins in the default state");
    cr_assert_eq(gjb_session_float_changes(session), 10, "and each upset is counted");
    gjb_session_close(session);

    /* The caller's own state is given back, yet the contender does not see it. */
    manners.upset = 0;
    fesetround(FE_DOWNWARD);
    session = open_or_fail(&mock, NULL, scene, 1);
    gjb_session_run(session, GJB_INTERSECT, 0, 0, 80, 8, 1, results, NULL);
    cr_assert_eq(fegetround(), FE_DOWNWARD);
    cr_assert_eq(manners.upset_on_entry, 0);
    fesetround(FE_TONEAREST);
    gjb_session_close(session);
    gjb_scene_free(scene);
}

Test(harness, backends_are_chosen_or_refused)
{
    gjb_scene *scene = test_spiral(GJB_F32, 4, 1);
    gjb_session *session = open_or_fail(&mock, NULL, scene, 1);
    cr_assert_str_eq(gjb_session_backend(session), "wide", "the last one that is available");
    gjb_session_close(session);
    session = open_or_fail(&mock, "plain", scene, 1);
    cr_assert_str_eq(gjb_session_backend(session), "plain");
    gjb_session_close(session);

    static const char *const refused[] = {"missing", "unheard-of"};
    for (size_t i = 0; i < 2; i++) {
        gjb_error error = {""};
        cr_assert_null(gjb_session_open(&mock, refused[i], scene, 1, &error));
        cr_assert(strstr(error.text, "mock") != NULL && strstr(error.text, refused[i]) != NULL, "%s",
                  error.text);
    }
    gjb_scene_free(scene);
}

Test(harness, what_cannot_be_opened_says_why)
{
    gjb_scene *scene = test_spiral(GJB_F32, 4, 1);
    gjb_error error = {""};
    gjb_contender c = mock;
    c.precisions = 1u << GJB_F64;
    cr_assert_null(gjb_session_open(&c, NULL, scene, 1, &error));
    cr_assert_not_null(strstr(error.text, "f32"), "%s", error.text);

    c = mock;
    c.abi_version++;
    error.text[0] = '\0';
    cr_assert_null(gjb_session_open(&c, NULL, scene, 1, &error));
    cr_assert_not_null(strstr(error.text, "ABI"), "%s", error.text);

    manners.no_memory = 1;
    error.text[0] = '\0';
    cr_assert_null(gjb_session_open(&mock, NULL, scene, 1, &error));
    cr_assert_not_null(strstr(error.text, "memory"), "%s", error.text);
    manners.no_memory = 0;

    error.text[0] = '\0';
    cr_assert_null(gjb_session_open(&mock, NULL, scene, GJB_MAX_THREADS + 1, &error));
    cr_assert_not_null(strstr(error.text, "threads"), "%s", error.text);
    gjb_scene_free(scene);
}

/* 45 pairs in two frames: calls end with their frame, and the place moves on. */
Test(harness, a_timed_stretch_goes_through_the_scene)
{
    gjb_scene *scene = test_spiral(GJB_F32, 10, 3);
    const uint32_t frame = gjb_scene_add_frame(scene, 15);
    memcpy(scene->frames[frame].pairs, scene->frames[0].pairs, 15 * 2 * sizeof(uint32_t));
    gjb_result2f want[15], got[15];
    gjb_session *session = open_or_fail(&mock, NULL, scene, 1);
    gjb_session_run(session, GJB_DISTANCE, 0, 15, 15, 0, 1, want, NULL);
    gjb_stretch stretch = {GJB_DISTANCE, 15, 2, 0, 0};
    gjb_timing timing;
    manners.calls = 0;
    cr_assert_eq(gjb_session_time(session, &stretch, 0, got, &timing), 0);
    cr_assert(memcmp(want, got, sizeof want) == 0, "the last call's answers");
    cr_assert(manners.calls == 2 && timing.pairs == 30 && stretch.frame == 0 && stretch.at == 30);
    cr_assert(timing.cpu_ns > 0 && timing.wall_ns > 0);

    stretch = (gjb_stretch){GJB_DISTANCE, 12, 3, 0, 20};
    manners.calls = 0;
    cr_assert_eq(gjb_session_time(session, &stretch, 1, got, &timing), 0);
    cr_assert(manners.calls == 4 && timing.pairs == 27, "10 untimed, then 12, 3 and 12");
    cr_assert(stretch.frame == 0 && stretch.at == 12);
    cr_assert_geq(gjb_session_time_prepare(session), 0);

    stretch.at = 31;
    cr_assert_eq(gjb_session_time(session, &stretch, 0, got, &timing), -1);
    stretch = (gjb_stretch){GJB_DISTANCE, 12, 3, 2, 0};
    cr_assert_eq(gjb_session_time(session, &stretch, 0, got, &timing), -1);
    gjb_session_close(session);
    gjb_scene_free(scene);
}

Test(harness, a_record_reads_as_double)
{
    const gjb_result2f f[2] = {{{0}, 0, {0}, {0}, {0}},
                               {{GJB_SEPARATED, 5}, 1.5f, {0.6f, 0.8f}, {1, 2}, {3, 4}}};
    gjb_result r = gjb_result_get(GJB_DISTANCE, GJB_F32, 2, f, 1);
    cr_assert(r.status == GJB_SEPARATED && r.iterations == 5 && r.value == 1.5);
    cr_assert(r.normal[1] == (double)0.8f && r.point_a[1] == 2 && r.point_b[0] == 3);
    const gjb_result2d d = {{GJB_OVERLAPPING, 6}, 0, -1.5, {0.6, 0.8}, {1, 2}, {3, 4}};
    r = gjb_result_get(GJB_SIGNED_DISTANCE, GJB_F64, 2, &d, 0);
    cr_assert(r.status == GJB_OVERLAPPING && r.iterations == 6 && r.value == -1.5 && r.point_b[1] == 4);
    const gjb_head h[2] = {{GJB_OVERLAPPING, 1}, {0xA5A5, 0xA5A5}};
    cr_assert_eq(gjb_result_get(GJB_INTERSECT, GJB_F32, 2, h, 0).status, GJB_OVERLAPPING);
    cr_assert_eq(gjb_result_get(GJB_INTERSECT, GJB_F32, 2, h, 1).status, GJB_UNWRITTEN);
}

Test(harness, the_table_finds_its_rows)
{
    for (size_t i = 0; i < gjb_contender_count(); i++) {
        cr_assert_eq(gjb_contender_find(gjb_contender_at(i)->name), gjb_contender_at(i));
        cr_assert_eq(gjb_contender_at(i)->abi_version, GJB_CONTENDER_ABI);
        cr_assert_eq(gjb_contender_at(i)->struct_size, sizeof(gjb_contender));
    }
    cr_assert_null(gjb_contender_find("no-such"));
    for (const gjb_missing *m = gjb_contenders_missing; m->name != NULL; m++)
        cr_assert_null(gjb_contender_find(m->name), "%s is both there and missing", m->name);
}
