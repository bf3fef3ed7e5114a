/* What verification does about a contender that misbehaves. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contenders/table.h"
#include "verify/replay.h"
#include "verify/verify_private.h"

static uint64_t wanted = 64; /* pairs of each dimension and precision */
static double hang_seconds = 0.5;
static _Atomic uint64_t looks; /* of the supervisor, each begun */

static void count_look(uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    looks++;
}

/* The reference with another `run`, on a workload of each dimension. */
static gjb_verify_report *verify_with(void (*run)(const void *, const gjb_batch *), int ours, gjb_contender *spoilt)
{
    static const gjb_verify_workload workloads[] = {{2, "polygon8"}, {3, "hull8"}};
    static const gjb_family *families[1];
    families[0] = gjb_family_find("mixed");
    *spoilt = *gjb_contender_find("reference");
    if (run)
        spoilt->run = run;
    spoilt->ours = (uint8_t)ours;
    const gjb_verify_entry entry = {spoilt, NULL};
    const gjb_verify_plan plan = {.workloads = workloads,
                                  .workload_count = 2,
                                  .families = families,
                                  .family_count = 1,
                                  .entries = &entry,
                                  .entry_count = 1,
                                  .queries = 1u << GJB_DISTANCE,
                                  .precisions = (1u << GJB_PRECISIONS) - 1,
                                  .pairs = wanted,
                                  .threads = 2,
                                  .hang_seconds = hang_seconds,
                                  .progress = count_look};
    gjb_error error = {{0}};
    gjb_verify_report *report = gjb_verify_run(&plan, &error);
    cr_assert(report, "%s", error.text);
    return report;
}

static uint32_t dims_of(const gjb_verify_report *report)
{
    uint32_t dims = 0;
    for (size_t i = 0; i < report->row_count; i++)
        dims |= 1u << report->rows[i].dim;
    return dims;
}

static void never_return(const void *prepared, const gjb_batch *batch)
{
    (void)prepared;
    (void)batch;
    for (;;)
        pause();
}

static void spin(const void *prepared, const gjb_batch *batch)
{
    (void)prepared;
    (void)batch;
    for (volatile uint64_t i = 0;; i++)
        ;
}

static void check_hang(void (*run)(const void *, const gjb_batch *))
{
    gjb_contender spoilt;
    gjb_verify_report *report = verify_with(run, 1, &spoilt);
    uint64_t hung = 0;
    for (size_t i = 0; i < report->row_count; i++)
        hung += report->rows[i].hung;
    cr_expect_eq(hung, 1);
    cr_expect(report->interrupted);
    cr_expect_eq(gjb_verify_exit(report), GJB_EXIT_WRONG);
    /* its threads hold what they use: nothing of it may be freed */
}

Test(verify, a_contender_that_blocks_is_reported_and_not_waited_for, .timeout = 60)
{
    check_hang(never_return);
}

Test(verify, a_contender_that_runs_without_end_is_reported_and_not_waited_for, .timeout = 60)
{
    check_hang(spin);
}

/* By others than the supervisor: a second that it needs is one of CPU time. */
static void take(double seconds)
{
    struct timespec from, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while ((double)(now.tv_sec - from.tv_sec) + 1e-9 * (double)(now.tv_nsec - from.tv_nsec) < seconds);
}

/* 6 ms a pair: 32 of them take less than the limit, and 256 take more. */
static void be_slow(const void *prepared, const gjb_batch *batch)
{
    static _Atomic uint64_t pairs;
    if (pairs < 512)
        take(0.006 * (double)batch->pair_count);
    pairs += batch->pair_count;
    gjb_contender_find("reference")->run(prepared, batch);
}

Test(verify, ours_may_be_slow_as_long_as_it_gets_on, .timeout = 120)
{
    gjb_contender spoilt;
    wanted = 256;
    gjb_verify_report *report = verify_with(be_slow, 1, &spoilt);
    cr_expect_eq(gjb_verify_exit(report), GJB_EXIT_OK);
    cr_expect_not(report->interrupted);
    gjb_verify_free(report);
}

/* Until the supervisor has looked once from beginning to end. */
static void wait_for_a_look(void)
{
    for (const uint64_t before = looks; looks < before + 2;)
        usleep(1000);
}

/* The whole process, once, in the middle of an answer. */
static void stop_the_process(const void *prepared, const gjb_batch *batch)
{
    static _Atomic int times;
    if (times++ == 0) {
        wait_for_a_look();
        kill(getpid(), SIGSTOP);
        wait_for_a_look();
    }
    gjb_contender_find("reference")->run(prepared, batch);
}

static void nap(time_t seconds)
{
    struct timespec left = {seconds, 0};
    while (nanosleep(&left, &left) && errno == EINTR)
        ;
}

Test(verify, to_be_stopped_is_not_to_hang, .timeout = 120)
{
    hang_seconds = 2;
    const pid_t pid = fork();
    if (pid == 0) {
        gjb_contender spoilt;
        const gjb_verify_report *report = verify_with(stop_the_process, 1, &spoilt);
        _exit(report->interrupted ? 99 : gjb_verify_exit(report));
    }
    int status;
    cr_assert(waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status));
    nap(3);
    cr_assert_eq(kill(pid, SIGCONT), 0);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == GJB_EXIT_OK, "%x", (unsigned)status);
}

static void write_nothing(const void *prepared, const gjb_batch *batch)
{
    (void)prepared;
    (void)batch;
}

Test(verify, results_that_are_not_written_are_wrong, .timeout = 60)
{
    gjb_contender spoilt;
    gjb_verify_report *report = verify_with(write_nothing, 1, &spoilt);
    cr_expect_eq(dims_of(report), gjb_contender_find("reference")->dims);
    for (size_t i = 0; i < report->row_count; i++)
        cr_expect(report->rows[i].pairs > 0 && report->rows[i].unwritten == report->rows[i].pairs &&
                  report->rows[i].beyond_1e3 == report->rows[i].pairs);
    cr_expect_eq(gjb_verify_exit(report), GJB_EXIT_WRONG);
    gjb_verify_free(report);
}

/* Another way of giving no answer with each of the first four pairs. */
static void give_none(const void *prepared, const gjb_batch *batch)
{
    gjb_contender_find("reference")->run(prepared, batch);
    for (size_t i = 0; i < batch->pair_count; i++) {
        gjb_result2d *r = (gjb_result2d *)((char *)batch->results + i * batch->result_stride);
        if (batch->pairs[2 * i] == 0)
            r->value = NAN;
        if (batch->pairs[2 * i] == 2)
            r->head.status = GJB_ITERATION_LIMIT;
        if (batch->pairs[2 * i] == 4)
            r->head.status = GJB_INVALID_INPUT;
        if (batch->pairs[2 * i] == 6)
            r->head.status = GJB_UNWRITTEN;
    }
}

Test(verify, what_is_no_answer_is_beyond_any_error, .timeout = 60)
{
    gjb_contender spoilt;
    gjb_verify_report *report = verify_with(give_none, 0, &spoilt);
    for (size_t i = 0; i < report->row_count; i++) {
        const gjb_verify_row *row = &report->rows[i];
        cr_expect(row->wrong == 4 && row->nan == 1 && row->capped == 1 && row->unwritten == 1 &&
                      row->faults[GJB_FAULT_REFUSED] == 1 && row->beyond_1e6 == 4 && row->beyond_1e3 == 4,
                  "%uD: %d wrong, %d and %d beyond", (unsigned)row->dim, (int)row->wrong, (int)row->beyond_1e6,
                  (int)row->beyond_1e3);
        cr_expect(isfinite(row->worst_error_eps), "%uD: the others' error is a number", (unsigned)row->dim);
    }
    gjb_verify_free(report);
}

/* Everything right but the distance, which is half of it. */
static void halve(const void *prepared, const gjb_batch *batch)
{
    gjb_contender_find("reference")->run(prepared, batch);
    for (size_t i = 0; i < batch->pair_count; i++) {
        /* The value stands at the same place in records of both dimensions. */
        gjb_result2d *r = (gjb_result2d *)((char *)batch->results + i * batch->result_stride);
        r->value *= 0.5;
    }
}

Test(verify, wrong_distances_are_counted_in_both_dimensions, .timeout = 60)
{
    gjb_contender spoilt;
    gjb_verify_report *report = verify_with(halve, 1, &spoilt);
    for (size_t i = 0; i < report->row_count; i++) {
        const gjb_verify_row *row = &report->rows[i];
        cr_expect(row->wrong > 8 && row->wrong < row->pairs && row->faults[GJB_FAULT_VALUE] == row->wrong,
                  "%uD: %d of %d wrong", (unsigned)row->dim, (int)row->wrong, (int)row->pairs);
    }
    cr_expect_eq(dims_of(report), spoilt.dims);
    cr_expect_eq(report->conflicts, 0);
    cr_expect_eq(gjb_verify_exit(report), GJB_EXIT_WRONG);
    gjb_verify_free(report);
}

/* Dies of pairs whose first body is 20. */
static void die_of_one(const void *prepared, const gjb_batch *batch)
{
    for (size_t i = 0; i < batch->pair_count; i++)
        if (batch->pairs[2 * i] == 20)
            abort();
    gjb_contender_find("reference")->run(prepared, batch);
}

Test(verify, what_a_contender_dies_of_is_counted_and_the_rest_is_graded, .timeout = 60)
{
    gjb_contender spoilt;
    gjb_verify_report *report = verify_with(die_of_one, 0, &spoilt);
    for (size_t i = 0; i < report->row_count; i++) {
        const gjb_verify_row *row = &report->rows[i];
        cr_expect(row->crashed == 1 && row->wrong == 1 && row->unwritten == 1 && row->graded == row->pairs,
                  "%uD: %d crashed, %d wrong, %d unwritten, %d of %d graded", (unsigned)row->dim, (int)row->crashed,
                  (int)row->wrong, (int)row->unwritten, (int)row->graded, (int)row->pairs);
    }
    /* Pair 10 is bodies 20 and 21; exchanged, body 20 comes second and nothing happens. */
    cr_expect_eq(report->mishap_count, report->row_count);
    for (size_t i = 0; i < report->mishap_count; i++) {
        const gjb_verify_mishap *m = &report->mishaps[i];
        cr_expect(m->what == GJB_ABORTED && m->code == 0 && m->pair == 10 && !m->exchanged &&
                      m->query == GJB_DISTANCE && m->contender == &spoilt,
                  "%uD: %s (%d) at pair %d", (unsigned)m->dim, gjb_mishap_name(m->what), m->code, (int)m->pair);
    }
    cr_expect_eq(gjb_verify_exit(report), GJB_EXIT_OK); /* it is not ours */
    gjb_verify_free(report);
}

static void loop_at_one(const void *prepared, const gjb_batch *batch)
{
    for (size_t i = 0; i < batch->pair_count; i++)
        for (volatile int forever = batch->pairs[2 * i] == 20; forever;)
            ;
    gjb_contender_find("reference")->run(prepared, batch);
}

/* Once a chunk, and twelve chunks: after enough of them the others are left out, and said to be. */
Test(verify, a_row_that_hangs_too_often_is_left_out, .timeout = 120)
{
    gjb_contender spoilt;
    gjb_session_hang_limit(0.02);
    wanted = 12 * GJB_VERIFY_CHUNK;
    gjb_verify_report *report = verify_with(loop_at_one, 0, &spoilt);
    cr_expect_eq(report->row_count, 2 * 1u, "%zu rows", report->row_count);
    for (size_t i = 0; i < report->row_count; i++) {
        const gjb_verify_row *row = &report->rows[i];
        /* A pair of a chunk hangs in either order; one hang before the limit, every thread may have begun another. */
        cr_expect(row->hung >= GJB_VERIFY_HANGS && row->hung < GJB_VERIFY_HANGS + 2 * report->threads &&
                      row->found[GJB_HUNG] == row->hung,
                  "%d hung", (int)row->hung);
        cr_expect(row->unasked > 0 && row->unasked + row->pairs == wanted, "%d unasked, %d asked", (int)row->unasked,
                  (int)row->pairs);
    }
    gjb_verify_free(report);
}

static void *die(const gjb_shapes *shapes, const char *backend)
{
    (void)shapes;
    (void)backend;
    abort();
}

Test(verify, who_dies_preparing_is_told_of, .timeout = 60)
{
    gjb_contender spoilt = *gjb_contender_find("reference");
    spoilt.ours = 0;
    spoilt.prepare = die;
    const gjb_verify_workload workload = {2, "polygon8"};
    const gjb_family *family = gjb_family_find("mixed");
    const gjb_verify_entry entry = {&spoilt, NULL};
    const gjb_verify_plan plan = {.workloads = &workload, .workload_count = 1, .families = &family, .family_count = 1,
                                  .entries = &entry, .entry_count = 1, .queries = 1u << GJB_DISTANCE,
                                  .precisions = 1u << GJB_F64, .pairs = 64, .threads = 1};
    gjb_error error = {{0}};
    gjb_verify_report *report = gjb_verify_run(&plan, &error);
    cr_assert(report && report->row_count == 1 && report->mishap_count == 1, "%s", error.text);
    const gjb_verify_mishap *m = report->mishaps;
    cr_expect(m->what == GJB_ABORTED && m->preparing && m->pair == 0 && m->query == GJB_DISTANCE && !m->file);
    cr_expect(report->rows[0].found[GJB_ABORTED] == 1 && report->rows[0].unasked == 2 * 64);
    gjb_verify_free(report);
}

/* Normals of distances whose length is not 1, as a rounded rotation makes them. */
static void lengthen_normals(const void *prepared, const gjb_batch *batch)
{
    gjb_contender_find("reference")->run(prepared, batch);
    for (size_t i = 0; i < batch->pair_count; i++) {
        char *record = (char *)batch->results + i * batch->result_stride;
        gjb_result2d narrow;
        gjb_result3d wide;
        if (batch->result_stride == sizeof narrow) {
            memcpy(&narrow, record, sizeof narrow);
            for (int k = 0; k < 2; k++)
                narrow.normal[k] *= 1 + 1e-9;
            memcpy(record, &narrow, sizeof narrow);
        } else if (batch->result_stride == sizeof wide) {
            memcpy(&wide, record, sizeof wide);
            for (int k = 0; k < 3; k++)
                wide.normal[k] *= 1 + 1e-9;
            memcpy(record, &wide, sizeof wide);
        }
    }
}

Test(verify, what_looks_like_an_adapters_mistake_is_hinted_at, .timeout = 60)
{
    gjb_contender spoilt;
    gjb_verify_report *report = verify_with(lengthen_normals, 0, &spoilt);
    uint64_t wrong = 0, hints = 0;
    for (size_t i = 0; i < report->row_count; i++) {
        const gjb_verify_row *row = &report->rows[i];
        cr_expect(row->faults[GJB_FAULT_LENGTH] == row->wrong && row->hints[GJB_HINT_LENGTH] == row->wrong &&
                      row->worst_error_eps < 32,
                  "%d lengths of %d wrong", (int)row->faults[GJB_FAULT_LENGTH], (int)row->wrong);
        wrong += row->wrong;
        hints += row->hints[GJB_HINT_LENGTH];
    }
    cr_expect_geq(wrong, 16);
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    gjb_verify_print(report, stream, &(gjb_verify_paint){"", "", "", ""});
    fclose(stream);
    cr_expect(strstr(text, "hint: ") && strstr(text, "gjb_unit"), "%s", text);
    free(text);
    json_t *json = gjb_verify_json(report), *row;
    size_t i;
    json_int_t told = 0;
    json_array_foreach(json_object_get(json, "rows"), i, row)
        told += json_integer_value(json_object_get(json_object_get(row, "hints"), "normal-length"));
    cr_expect_eq(told, (json_int_t)hints);
    json_decref(json);
    gjb_verify_free(report);
}

static void round_upward(const void *prepared, const gjb_batch *batch)
{
    gjb_contender_find("reference")->run(prepared, batch);
    fesetround(FE_UPWARD);
}

Test(verify, floats_that_ours_leaves_changed_are_wrong, .timeout = 60)
{
    for (int ours = 0; ours < 2; ours++) {
        gjb_contender spoilt;
        gjb_verify_report *report = verify_with(round_upward, ours, &spoilt);
        for (size_t i = 0; i < report->row_count; i++) /* of ours calls: two of 32 pairs, straight and exchanged */
            cr_expect(report->rows[i].found[GJB_CHANGED_FLOATS] == (ours ? 4 : GJB_MILD_MAX) &&
                          report->rows[i].wrong == 0,
                      "%d changes, %d wrong", (int)report->rows[i].found[GJB_CHANGED_FLOATS],
                      (int)report->rows[i].wrong);
        cr_expect_eq(gjb_verify_exit(report), ours ? GJB_EXIT_WRONG : GJB_EXIT_OK);
        gjb_verify_free(report);
    }
}

typedef struct mishaps {
    int crashed, others, answered;
    char id[64];
} mishaps;

static void note_mishap(void *context, const gjb_replay_case *one)
{
    mishaps *m = context;
    if (one->mishap && !strcmp(one->mishap, "aborted"))
        snprintf(m->id, sizeof m->id, "%s", one->id), m->crashed += one->grade.verdict == GJB_WRONG;
    else if (one->mishap)
        m->others++;
    else
        m->answered += one->grade.verdict == GJB_RIGHT;
}

Test(verify, a_replayed_pair_that_a_contender_dies_of_is_said_to, .timeout = 60)
{
    gjb_contender spoilt = *gjb_contender_find("reference");
    spoilt.run = die_of_one;
    spoilt.ours = 0;
    const gjb_recipe recipe = {.dim = 3, .workload = "hull8", .family = "mixed", .seed = 1, .precision = GJB_F64,
                               .pairs = 64};
    gjb_error error = {{0}};
    gjb_scene *scene = gjb_generate(&recipe, &error);
    cr_assert(scene, "%s", error.text);
    const gjb_verify_entry entry = {&spoilt, NULL};
    const gjb_replay_plan plan = {.entries = &entry, .entry_count = 1, .queries = 1u << GJB_DISTANCE};
    mishaps m = {0};
    cr_assert_eq(gjb_replay_scene(scene, "s", &plan, note_mishap, &m, &error), 0, "%s", error.text);
    cr_expect(m.crashed == 1 && m.others == 0 && m.answered == 63, "%d crashed, %d others, %d right", m.crashed, m.others,
              m.answered);
    cr_expect_str_eq(m.id, "s:0/10");
    gjb_scene_free(scene);
}

Test(verify, each_dimension_has_its_pairs, .timeout = 60)
{
    gjb_contender plain;
    gjb_verify_report *report = verify_with(NULL, 1, &plain);
    uint64_t pairs[4] = {0};
    for (size_t i = 0; i < report->row_count; i++)
        pairs[report->rows[i].dim] += report->rows[i].pairs;
    cr_expect(pairs[2] == 64 && (pairs[3] == 64 || !(plain.dims >> 3 & 1)), "%d and %d pairs", (int)pairs[2],
              (int)pairs[3]);
    cr_expect_eq(gjb_verify_exit(report), GJB_EXIT_OK);
    gjb_verify_free(report);
}

/* The exit code of one line of ours, of which so many pairs went ungraded, some for a truth that was too slow. */
static int exit_of(const char *family, uint64_t pairs, uint64_t ungraded, uint64_t too_slow)
{
    gjb_verify_report *report = calloc(1, sizeof *report);
    report->rows = calloc(1, sizeof *report->rows);
    report->row_count = 1;
    report->rows[0] = (gjb_verify_row){.dim = 3, .workload = "hull8", .family = gjb_family_find(family),
                                       .contender = gjb_contender_find("reference"), .backend = "-",
                                       .pairs = pairs, .ungraded = ungraded, .too_slow = too_slow};
    gjb_verify_conclude(report);
    const int code = gjb_verify_exit(report);
    gjb_verify_free(report);
    return code;
}

Test(verify, a_share_of_ungraded_pairs_counts_from_a_thousand_pairs_on)
{
    cr_expect_eq(exit_of("mixed", 100, 100, 0), GJB_EXIT_OK);
    cr_expect_eq(exit_of("mixed", 999, 999, 0), GJB_EXIT_OK);
    cr_expect_eq(exit_of("mixed", 1000, 9, 0), GJB_EXIT_OK);
    cr_expect_eq(exit_of("mixed", 1000, 10, 0), GJB_EXIT_WRONG);
    cr_expect_eq(exit_of("touching", 1000, 1000, 0), GJB_EXIT_OK);
    cr_expect_eq(exit_of("mixed", 1000, 58, 49), GJB_EXIT_OK);
    cr_expect_eq(exit_of("mixed", 1000, 59, 49), GJB_EXIT_WRONG);
    cr_expect_eq(exit_of("mixed", 1000, 50, 50), GJB_EXIT_WRONG);
}

/* Files in a new folder, which is emptied and removed. */
static int files_in(const char *folder)
{
    int count = 0;
    DIR *all = opendir(folder);
    cr_assert(all);
    for (const struct dirent *one; (one = readdir(all));)
        if (one->d_name[0] != '.') {
            unlinkat(dirfd(all), one->d_name, 0);
            count++;
        }
    closedir(all);
    rmdir(folder);
    return count;
}

Test(verify, a_truth_that_is_too_slow_is_passed_over, .timeout = 60)
{
    static const gjb_verify_workload workload = {3, "rounded-cone"};
    const gjb_family *family = gjb_family_find("mixed");
    const gjb_verify_entry entry = {gjb_contender_find("reference"), NULL};
    char folder[] = "too-slow-XXXXXX";
    cr_assert(mkdtemp(folder));
    const gjb_verify_plan plan = {.workloads = &workload, .workload_count = 1, .families = &family, .family_count = 1,
                                  .entries = &entry, .entry_count = 1, .queries = 1u << GJB_SIGNED_DISTANCE,
                                  .precisions = 1u << GJB_F64, .pairs = 32, .threads = 1, .out = folder};
    gjb_error error = {{0}};
    ref_effort_limit(0);
    gjb_verify_report *report = gjb_verify_run(&plan, &error);
    ref_effort_limit(REF_EFFORT_SECONDS);
    cr_assert(report, "%s", error.text);
    cr_assert_eq(report->row_count, 1);
    const gjb_verify_row *row = &report->rows[0];
    cr_expect(row->too_slow > 0 && row->too_slow <= row->ungraded && report->too_slow == row->too_slow);
    cr_expect(row->hung == 0 && row->wrong == 0 && row->pairs == 32 && !report->interrupted);
    cr_expect(strncmp(report->too_slow_first, "pair ", 5) == 0, "'%s'", report->too_slow_first);
    cr_expect(files_in(folder) > 0, "no pair was saved");
    cr_expect_eq(gjb_verify_exit(report), GJB_EXIT_OK);
    gjb_verify_free(report);
}

typedef struct heard {
    int cases, slow, wrong;
} heard;

static void hear(void *context, const gjb_replay_case *one)
{
    heard *h = context;
    char text[GJB_FAULT_TEXT];
    h->cases++;
    h->slow += one->grade.too_slow && !strcmp(gjb_fault_text(&one->grade, text), "too slow to judge");
    h->wrong += one->grade.verdict == GJB_WRONG;
}

Test(verify, replay_tells_of_what_is_too_slow, .timeout = 60)
{
    const gjb_verify_entry entry = {gjb_contender_find("reference"), NULL};
    const gjb_recipe recipe = {
        .dim = 3, .workload = "rounded-cone", .family = "mixed", .precision = GJB_F64, .pairs = 32};
    const gjb_replay_plan plan = {.entries = &entry, .entry_count = 1, .queries = 1u << GJB_SIGNED_DISTANCE};
    gjb_error error = {{0}};
    heard h = {0};
    gjb_scene *scene = gjb_generate(&recipe, &error);
    cr_assert(scene, "%s", error.text);
    ref_effort_limit(0);
    cr_expect_eq(gjb_replay_scene(scene, "scene", &plan, hear, &h, &error), 0, "%s", error.text);
    ref_effort_limit(REF_EFFORT_SECONDS);
    cr_expect(h.cases == 32 && h.slow > 0 && h.wrong == 0, "%d slow, %d wrong", h.slow, h.wrong);
    gjb_scene_free(scene);
}
