/* Contenders that misbehave on chosen pairs: the run goes on, the guilty pairs
 * are named, and every other pair has its answer. */
#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contenders/harness.h"
#include "contenders/isolation/fork_server.h"
#include "contenders/isolation/hangs.h"
#include "contenders/tests/rogue.h"
#include "contenders/tests/scenes.h"
#include "core/sanitized.h"

#ifdef GJB_TEST_THROWS
#define THROWN GJB_THREW
#else
#define THROWN GJB_ABORTED
#endif

/* All of this once more with children that the fork server forks. It knows what there was when it began. */
static int by_server(void)
{
    return getenv("GJB_TEST_FORK_SERVER") != NULL;
}

static gjb_session *open_of(const gjb_contender *contender, const gjb_scene *scene, uint32_t threads)
{
    gjb_error error = {""};
    if (by_server())
        gjb_fork_server_begin();
    gjb_session *session = gjb_session_open(contender, NULL, scene, threads, &error);
    cr_assert_not_null(session, "%s", error.text);
    return session;
}

static gjb_session *open_session(const gjb_scene *scene, uint32_t threads)
{
    return open_of(&rogue, scene, threads);
}

/* Pids of a process's children, as many as there is room for. */
static int children_of(pid_t pid, int room, pid_t *children)
{
    char path[64];
    int count = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && count < room && fscanf(file, "%d", &children[count]) == 1)
        count++;
    if (file != NULL)
        fclose(file);
    return count;
}

static void close_session(gjb_session *session)
{
    pid_t server, child;
    gjb_session_close(session);
    if (!by_server())
        return;
    cr_assert_eq(children_of(getpid(), 1, &server), 1, "there is no server");
    cr_assert_eq(children_of(server, 1, &child), 0, "a child outlives its session");
    gjb_fork_server_end();
}

static int child_processes(void)
{
    int count = 0, status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        count++;
    return pid == 0 ? count + 1 : count;
}

typedef struct expected {
    manner what;
    gjb_mishap mishap;
    int code;
} expected;

/* One contender, one way to fail: the whole range is run, with the guilty pairs known from their ids. */
static void check(expected want, uint32_t modulus, uint32_t remainder, uint32_t threads, uint64_t call,
                  gjb_query query)
{
    fault.what = want.what;
    fault.modulus = modulus;
    fault.remainder = remainder;
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
    if (query == GJB_TOI)
        test_set_moving(scene, 0);
    gjb_session *session = open_session(scene, threads);
    gjb_result2f *results = malloc(PAIRS * sizeof *results);
    cr_assert_not_null(results);
    gjb_session_stats stats;
    const size_t size = gjb_result_size(query, GJB_F32, 2);
    const uint64_t first = 7, count = PAIRS - 7;
    const uint64_t unwritten =
        gjb_session_run(session, query, 0, first, count, call, 1, results, &stats);
    size_t found;
    const gjb_finding *finding = gjb_session_findings(session, &found);
    uint64_t guilty = 0;
    for (uint64_t i = 0; i < count; i++) {
        const gjb_result r = gjb_result_get(query, GJB_F32, 2, results, i);
        const uint32_t id = id_of(scene->frames[0].pairs + 2 * (first + i));
        if (id % modulus == remainder) {
            cr_assert_lt(guilty, found, "manner %d: pair %ju is not named", want.what, (uintmax_t)(first + i));
            const gjb_finding *f = &finding[guilty++];
            cr_assert(f->pair == first + i && f->frame == 0 && f->query == query && f->what == want.mishap &&
                          f->code == want.code,
                      "manner %d on %u threads: found %s %d at %ju instead of %s %d at %ju", want.what,
                      threads, gjb_mishap_name(f->what), f->code, (uintmax_t)f->pair,
                      gjb_mishap_name(want.mishap), want.code, (uintmax_t)(first + i));
            const unsigned char *bytes = (const unsigned char *)results + i * size;
            for (size_t b = 0; b < size; b++)
                cr_assert_eq(bytes[b], GJB_POISON);
        } else {
            cr_assert(r.status == GJB_SEPARATED && (query == GJB_INTERSECT || r.value == id + 1.0),
                      "manner %d: pair %ju has lost its answer", want.what, (uintmax_t)(first + i));
        }
    }
    cr_assert(guilty > 0 && found == guilty && unwritten == guilty, "manner %d: %zu findings, %ju guilty, %ju unwritten",
              want.what, found, (uintmax_t)guilty, (uintmax_t)unwritten);
    cr_assert_eq(stats.crashed + stats.hung, guilty);
    cr_assert_eq(stats.hung, want.mishap == GJB_HUNG ? guilty : 0);
    cr_assert_eq(stats.unasked, 0);
    close_session(session);
    cr_assert_eq(child_processes(), 0, "manner %d leaves a process", want.what);
    free(results);
    gjb_scene_free(scene);
}

Test(isolated, the_guilty_pair_is_named)
{
    static const expected ways[] = {
        {SEGFAULT, GJB_CRASHED, SIGSEGV},    {ABORT, GJB_ABORTED, 0},
        {PAST_RESULTS, GJB_WROTE_OUTSIDE, 0}, {BEFORE_RESULTS, GJB_WROTE_OUTSIDE, 0},
        {EXIT, GJB_EXITED, 0},               {EXIT_3, GJB_EXITED, 3},
        {THROW, THROWN, 0},                  {WRITE_INPUT, GJB_WROTE_INPUT, 0},
        {WRITE_PAIRS, GJB_WROTE_INPUT, 0},   {WRITE_SHAPES, GJB_WROTE_INPUT, 0},
        {BEFORE_ALL, GJB_WROTE_OUTSIDE, 0},  {FAR_BEFORE_RESULTS, GJB_WROTE_OUTSIDE, 0},
        {FAR_PAST_RESULTS, GJB_WROTE_OUTSIDE, 0},
        {READ_PAST_RESULTS, GJB_CRASHED, SIGSEGV}, {OVERFLOW_STACK, GJB_CRASHED, SIGSEGV},
    };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        check(ways[i], PAIRS, 421, 1, 0, GJB_DISTANCE);
        check(ways[i], 250, 100, 1, 64, GJB_INTERSECT);
        /* Where threads write next to each other, one's results lie before another's. */
        if (ways[i].what != BEFORE_RESULTS && ways[i].what != BEFORE_ALL && ways[i].what != PAST_RESULTS &&
            ways[i].what != READ_PAST_RESULTS)
            check(ways[i], 500, 100, 3, 7, GJB_PENETRATION);
    }
}

Test(isolated, motions_are_input_too)
{
    check((expected){WRITE_MOTIONS, GJB_WROTE_INPUT, 0}, PAIRS, 421, 1, 0, GJB_TOI);
    check((expected){WRITE_MOTIONS, GJB_WROTE_INPUT, 0}, 500, 100, 3, 7, GJB_TOI);
    check((expected){SEGFAULT, GJB_CRASHED, SIGSEGV}, PAIRS, 421, 1, 0, GJB_TOI);
}

/* As verification's threads do. */
Test(isolated, the_cause_is_told_where_the_caller_blocks_signals)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    check((expected){PAST_RESULTS, GJB_WROTE_OUTSIDE, 0}, PAIRS, 421, 1, 0, GJB_DISTANCE);
    check((expected){WRITE_INPUT, GJB_WROTE_INPUT, 0}, PAIRS, 421, 1, 0, GJB_DISTANCE);
    check((expected){ABORT, GJB_ABORTED, 0}, PAIRS, 421, 1, 0, GJB_DISTANCE);
}

Test(isolated, a_crash_in_the_first_and_the_last_pair)
{
    check((expected){SEGFAULT, GJB_CRASHED, SIGSEGV}, PAIRS, 7, 1, 0, GJB_DISTANCE);
    check((expected){SEGFAULT, GJB_CRASHED, SIGSEGV}, PAIRS, PAIRS - 1, 1, 0, GJB_DISTANCE);
    check((expected){SEGFAULT, GJB_CRASHED, SIGSEGV}, 20, 3, 1, 1, GJB_INTERSECT);
}

Test(isolated, a_hang_ends)
{
    gjb_session_hang_limit(0.05);
    check((expected){LOOP, GJB_HUNG, 0}, 500, 100, 1, 0, GJB_DISTANCE);
    check((expected){LOOP, GJB_HUNG, 0}, PAIRS, 100, 2, 0, GJB_DISTANCE);
    check((expected){SLEEP, GJB_HUNG, 0}, PAIRS, 900, 1, 16, GJB_INTERSECT);
    check((expected){STOP_ITSELF, GJB_HUNG, 0}, PAIRS, 300, 1, 0, GJB_DISTANCE);
}

static uint64_t run_all(gjb_session *session, gjb_result2f *results, gjb_session_stats *stats)
{
    return gjb_session_run(session, GJB_DISTANCE, 0, 0, PAIRS, 0, 1, results, stats);
}

static volatile sig_atomic_t stop;
static void raise_stop(int number)
{
    stop = number;
}

/* The limit is far away: without the flag this would not end in time. */
Test(isolated, a_hang_ends_at_once_when_the_stop_flag_is_raised, .timeout = 30)
{
    const manner ways[] = {LOOP, SLEEP};
    gjb_session_hang_limit(1000);
    gjb_session_stop_on(&stop);
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
    gjb_result2f results[PAIRS];
    for (size_t i = 0; i < 2; i++) {
        stop = 0;
        fault.what = ways[i];
        fault.modulus = PAIRS;
        fault.remainder = id_of(scene->frames[0].pairs + 2 * 700);
        gjb_session *session = open_session(scene, 1);
        gjb_session_stats stats;
        gjb_stretch stretch = {GJB_DISTANCE, 10, 1, 0, 0};
        gjb_timing timing;
        size_t found;
        signal(SIGALRM, raise_stop);
        alarm(1);
        const uint64_t unwritten = run_all(session, results, &stats);
        gjb_session_findings(session, &found);
        cr_assert(stop != 0 && found == 0 && stats.hung == 0 && stats.unasked == 0);
        cr_assert_eq(stats.interrupted, PAIRS - 512, "steps of 256 pairs: the third hangs");
        cr_assert_eq(unwritten, stats.interrupted);
        for (uint64_t p = 0; p < PAIRS; p++)
            cr_assert_eq(gjb_result_get(GJB_DISTANCE, GJB_F32, 2, results, p).status,
                         p < 512 ? GJB_SEPARATED : GJB_UNWRITTEN);
        cr_assert_eq(run_all(session, results, &stats), PAIRS, "and no one is asked any more");
        cr_assert(stats.interrupted == PAIRS && stats.unasked == 0);
        cr_assert_eq(gjb_session_time(session, &stretch, 0, results, &timing), 1);
        close_session(session);
        cr_assert_eq(child_processes(), 0);
    }
    gjb_scene_free(scene);
}

/* It comes to its end three pairs later, at one that is innocent. */
Test(isolated, a_pair_that_spoils_the_process_is_found_by_bisection)
{
    for (uint32_t guilty = 700; guilty < 712; guilty++) /* so that bisection meets it on different ways */
        check((expected){LATER, GJB_ABORTED, 0}, PAIRS, guilty, 1, 0, GJB_DISTANCE);
    check((expected){LATER, GJB_ABORTED, 0}, 400, 90, 1, 0, GJB_INTERSECT);
}

Test(isolated, what_it_forks_neither_answers_nor_stays, .timeout = 30)
{
    fault.modulus = 100;
    fault.remainder = 3;
    for (int stays = 0; stays < 2; stays++) {
        fault.what = stays ? FORK_SLEEPER : FORK;
        gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
        gjb_session *session = open_session(scene, 1);
        gjb_result2f results[PAIRS];
        gjb_session_stats stats;
        for (int again = 0; again < 20; again++)
            cr_assert_eq(run_all(session, results, &stats), 0);
        size_t found;
        gjb_session_findings(session, &found);
        cr_assert_eq(found, 0);
        prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans become ours, and are counted */
        close_session(session);
        gjb_scene_free(scene);
        int left = 0;
        for (int ms = 0; ms < 2000 && (left = child_processes()) > 0; ms++)
            usleep(1000);
        cr_assert_eq(left, 0);
    }
}

Test(isolated, what_no_single_pair_repeats_is_still_a_finding)
{
    fault.what = IN_COMPANY;
    fault.modulus = PAIRS;
    fault.remainder = 300;
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
    gjb_session *session = open_session(scene, 1);
    gjb_result2f results[PAIRS];
    gjb_session_stats stats;
    cr_assert_eq(run_all(session, results, &stats), 0, "every pair is answered alone");
    size_t found;
    const gjb_finding *finding = gjb_session_findings(session, &found);
    cr_assert(found == 1 && finding->pair == GJB_NO_PAIR && finding->what == GJB_ABORTED);
    cr_assert(stats.run.pairs == PAIRS && stats.crashed == 0);
    close_session(session);
    gjb_scene_free(scene);
}

Test(isolated, after_too_many_it_gives_up_and_says_how_many_are_left)
{
    gjb_session_hang_limit(0.05);
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
    gjb_result2f results[PAIRS];
    for (int hang = 0; hang < 2; hang++) {
        const uint64_t most = hang ? GJB_HANGS_MAX : GJB_FINDINGS_MAX;
        fault.what = hang ? LOOP : ABORT;
        fault.modulus = 2;
        fault.remainder = 1;
        gjb_session *session = open_session(scene, 1);
        gjb_session_stats stats;
        size_t found;
        run_all(session, results, &stats);
        gjb_session_findings(session, &found);
        cr_assert_eq(found, most);
        cr_assert_eq(stats.crashed + stats.hung, most);
        cr_assert_eq(stats.run.pairs, most, "the innocent half up to there");
        cr_assert_eq(stats.unasked, PAIRS - 2 * most);
        for (uint64_t i = 2 * most; i < PAIRS; i++)
            cr_assert_eq(gjb_result_get(GJB_DISTANCE, GJB_F32, 2, results, i).status, GJB_UNWRITTEN);
        cr_assert_eq(run_all(session, results, &stats), PAIRS, "and it stays so");
        cr_assert_eq(stats.unasked, PAIRS);
        close_session(session);
    }
    gjb_scene_free(scene);
}

Test(isolated, dying_in_prepare_costs_all_answers_not_the_run)
{
    static const expected ways[] = {
        {SEGFAULT, GJB_CRASHED, SIGSEGV}, {EXIT, GJB_EXITED, 0}, {NOTHING, GJB_UNPREPARED, 0},
        {NO_ROOM, GJB_UNPREPARED, 0},     {LOOP, GJB_HUNG, 0},   {LOOP, GJB_HUNG, 0}};
    gjb_session_hang_limit(0.02);
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
    gjb_result2f results[PAIRS];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        fault.what = ways[i].what;
        fault.in_prepare = 1;
        gjb_session *session = open_session(scene, 1);
        gjb_session_stats stats;
        gjb_stretch stretch = {GJB_DISTANCE, 10, 1, 0, 0};
        gjb_timing timing;
        size_t found;
        cr_assert_eq(run_all(session, results, &stats), PAIRS);
        const gjb_finding *finding = gjb_session_findings(session, &found);
        /* The first time it is looked for a shape that does it; all do. One that hung is not tried again. */
        const uint64_t pair = i + 1 < sizeof ways / sizeof ways[0] ? 0 : GJB_NO_PAIR;
        cr_assert(found == 1 && finding->preparing && finding->pair == pair && finding->what == ways[i].mishap &&
                  finding->code == ways[i].code && stats.unasked == PAIRS);
        for (uint64_t pair = 0; pair < PAIRS; pair++)
            cr_assert(gjb_result_get(GJB_DISTANCE, GJB_F32, 2, results, pair).unasked);
        cr_assert_eq(gjb_session_time(session, &stretch, 0, results, &timing), -1);
        cr_assert_lt(gjb_session_time_prepare(session), 0);
        close_session(session);
    }
    gjb_scene_free(scene);
}

/* Two shapes of many make it do so. */
Test(isolated, shapes_that_it_does_not_live_through_preparing_cost_their_pairs_alone)
{
    static const expected ways[] = {
        {SEGFAULT, GJB_CRASHED, SIGSEGV}, {NOTHING, GJB_UNPREPARED, 0}, {LOOP, GJB_HUNG, 0}, {EXIT_3, GJB_EXITED, 3}};
    static const uint32_t guilty[] = {1, 4};
    gjb_session_hang_limit(0.02);
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
    gjb_result2f results[PAIRS];
    fault.in_prepare = 1;
    fault.firsts = 1u << scene->shapes.first[guilty[0]] | 1u << scene->shapes.first[guilty[1]];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        fault.what = ways[i].what;
        gjb_session *session = open_session(scene, 1);
        gjb_session_stats stats;
        gjb_stretch stretch = {GJB_DISTANCE, 10, 1, 0, 0};
        gjb_timing timing;
        size_t found, lost = 0, told = 0;
        const uint64_t unwritten = run_all(session, results, &stats);
        const gjb_finding *finding = gjb_session_findings(session, &found);
        for (uint64_t pair = 0; pair < PAIRS; pair++) {
            const uint32_t *bodies = scene->frames[0].pairs + 2 * pair;
            const uint32_t a = scene->body_shape[bodies[0]], b = scene->body_shape[bodies[1]];
            const int is_lost = a == guilty[0] || a == guilty[1] || b == guilty[0] || b == guilty[1];
            const gjb_result r = gjb_result_get(GJB_DISTANCE, GJB_F32, 2, results, pair);
            cr_assert(is_lost ? r.status == GJB_UNWRITTEN && !r.unasked : r.value == id_of(bodies) + 1.0);
            lost += (size_t)is_lost;
            for (size_t k = 0; k < found; k++)
                told += finding[k].pair == pair && is_lost && finding[k].preparing &&
                        finding[k].what == ways[i].mishap && finding[k].code == ways[i].code;
        }
        cr_assert(found == 2 && told == 2 && finding[0].pair != finding[1].pair, "manner %d: %zu, %zu", ways[i].what,
                  found, told);
        cr_assert(unwritten == lost && stats.crashed + stats.hung == lost && stats.unasked == 0);
        cr_assert(stats.hung == stats.hung_preparing && stats.hung == (ways[i].mishap == GJB_HUNG ? lost : 0));
        cr_assert_eq(gjb_session_time(session, &stretch, 0, results, &timing), 0, "the others are timed");
        close_session(session);
    }
    gjb_scene_free(scene);
}

/* Does the kernel, or its emulator, filter system calls? */
static int guards(void)
{
    return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

Test(isolated, signals_do_not_reach_the_program)
{
    if (!guards())
        cr_skip_test("no filters of system calls here");
    check((expected){SIGNAL_PARENT, GJB_SIGNALLED_US, 0}, PAIRS, 500, 1, 0, GJB_DISTANCE);
    check((expected){SIGNAL_GROUP, GJB_SIGNALLED_US, 0}, PAIRS, 500, 1, 0, GJB_DISTANCE);
    check((expected){SIGNAL_ALL, GJB_SIGNALLED_US, 0}, PAIRS, 500, 2, 0, GJB_DISTANCE);
}

Test(isolated, the_more_often_it_hangs_the_less_it_is_waited_for)
{
    gjb_session_hang_limit(0.05);
    fault.what = LOOP;
    fault.modulus = 100;
    fault.remainder = 3;
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
    gjb_result2f results[PAIRS];
    gjb_session *session = open_session(scene, 1);
    gjb_session_stats stats;
    cr_assert_eq(gjb_hangs_share(&rogue), 1);
    run_all(session, results, &stats);
    cr_assert_eq(stats.hung, GJB_HANGS_MAX);
    cr_assert_eq(gjb_hangs_share(&rogue), 0.125);
    gjb_contender other = rogue;
    cr_assert_eq(gjb_hangs_share(&other), 1, "others are not to blame");
    close_session(session);
    gjb_scene_free(scene);
}

/* The limit of what it may run for is far away. */
Test(isolated, one_that_blocks_while_it_prepares_or_is_timed_hangs)
{
    gjb_session_hang_limit(0.05);
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
    gjb_result2f results[PAIRS];
    fault.modulus = 1;
    for (int in_prepare = 0; in_prepare < 2; in_prepare++) {
        fault.what = in_prepare ? READ_NOTHING : SLEEP;
        fault.in_prepare = in_prepare;
        gjb_session *session = open_session(scene, 2);
        gjb_stretch stretch = {GJB_DISTANCE, 10, 1, 0, 0};
        gjb_timing timing;
        size_t found;
        cr_assert_eq(gjb_session_time(session, &stretch, 0, results, &timing), -1);
        const gjb_finding *finding = gjb_session_findings(session, &found);
        cr_assert(found == 1 && finding->what == GJB_HUNG && finding->preparing == in_prepare &&
                  finding->pair == (in_prepare ? 0 : GJB_NO_PAIR));
        close_session(session);
    }
    gjb_scene_free(scene);
}

/* What its table does not claim never reaches it. */
Test(isolated, only_what_is_claimed_is_asked)
{
    fault.what = GOOD;
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
    gjb_contender strict = rogue;
    gjb_result2f results[PAIRS];
    for (int by_vertices = 0; by_vertices < 2; by_vertices++) {
        strict.kinds = by_vertices ? GJB_KINDS_2D : 1u << GJB_POINT | 1u << GJB_BOX;
        strict.max_vertices = by_vertices ? 2 : GJB_NO_VERTEX_LIMIT;
        gjb_session *session = open_of(&strict, scene, 1);
        gjb_session_stats stats;
        cr_assert_eq(run_all(session, results, &stats), 0);
        uint64_t asked = 0, declined = 0;
        for (uint64_t pair = 0; pair < PAIRS; pair++) {
            int claimed = 1;
            for (int side = 0; side < 2; side++) {
                const uint32_t body = scene->frames[0].pairs[2 * pair + (uint64_t)side],
                               shape = scene->body_shape != NULL ? scene->body_shape[body] : body;
                claimed &= by_vertices ? scene->shapes.row_count[shape] <= 2
                                       : (int)(strict.kinds >> scene->shapes.kind[shape] & 1);
            }
            const gjb_result r = gjb_result_get(GJB_DISTANCE, GJB_F32, 2, results, pair);
            cr_assert_eq(r.status, claimed ? GJB_SEPARATED : GJB_UNSUPPORTED, "pair %d", (int)pair);
            cr_assert(claimed || (r.value == 0 && r.normal[0] == 0));
            asked += (uint64_t)claimed;
            declined += (uint64_t)!claimed;
        }
        cr_assert(asked > 50 && declined > 50);
        close_session(session);
    }
    gjb_scene_free(scene);
}

/* A plug-in that was built before half-spaces does not claim their bit; of two half-spaces no contender is asked. */
Test(isolated, half_spaces_reach_those_who_claim_them)
{
    static const double plane[2][2] = {{0, 2}, {-1, 0}}, point[1][2] = {{3, 4}};
    fault.what = GOOD;
    for (int knows = 0; knows < 2; knows++) {
        gjb_contender one = rogue;
        one.kinds = GJB_KINDS_2D | (knows ? GJB_UNBOUNDED : 0);
        gjb_scene *scene = gjb_scene_new(2, GJB_F32, 3, 5, 3, 3);
        gjb_scene_set_shape(scene, 0, GJB_HALFSPACE, 0, 2, plane, 0);
        gjb_scene_set_shape(scene, 1, GJB_HALFSPACE, 2, 2, plane, 1);
        gjb_scene_set_shape(scene, 2, GJB_POINT, 4, 1, point, 0);
        for (uint32_t i = 0; i < 3; i++) {
            gjb_scene_set_pose(scene, 0, i, (gjb_pose2d){0, 0, 1, 0});
            scene->frames[0].pairs[2 * i] = i;
            scene->frames[0].pairs[2 * i + 1] = (i + 1) % 3;
        }
        gjb_result2f results[3];
        gjb_session *session = open_of(&one, scene, 1);
        cr_assert_eq(gjb_session_run(session, GJB_DISTANCE, 0, 0, 3, 0, 1, results, NULL), 0);
        for (uint64_t i = 0; i < 3; i++)
            cr_assert_eq(results[i].head.status == GJB_UNSUPPORTED, !knows || i == 0, "pair %d", (int)i);
        close_session(session);
        gjb_scene_free(scene);
    }
}

/* Findings of one kind, all of a query, say which pairs: every guilty one, up to so many. */
static void check_mild(manner what, gjb_mishap mishap, uint32_t threads, gjb_query query, uint32_t modulus,
                       int unwritten)
{
    fault.what = what;
    fault.modulus = modulus;
    fault.remainder = 3;
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
    gjb_session *session = open_session(scene, threads);
    gjb_result2f results[PAIRS];
    gjb_session_stats stats;
    size_t found;
    const uint64_t lost = gjb_session_run(session, query, 0, 0, PAIRS, 0, 1, results, &stats);
    const gjb_finding *finding = gjb_session_findings(session, &found);
    const uint64_t guilty = PAIRS / modulus, kept = guilty < GJB_MILD_MAX ? guilty : GJB_MILD_MAX;
    cr_assert_eq(lost, unwritten ? guilty : 0, "manner %d: %ju unwritten", what, (uintmax_t)lost);
    cr_assert_eq(found, kept, "manner %d: %zu findings", what, found);
    cr_assert(stats.crashed == 0 && stats.hung == 0 && stats.unasked == 0);
    cr_assert(mishap == GJB_CHANGED_FLOATS ? stats.found[mishap] == kept : stats.found[mishap] == guilty,
              "manner %d: %ju counted", what, (uintmax_t)stats.found[mishap]);
    for (size_t i = 0; i < found; i++)
        cr_assert(finding[i].what == mishap && finding[i].query == query && finding[i].frame == 0 &&
                      id_of(scene->frames[0].pairs + 2 * finding[i].pair) % modulus == 3 &&
                      (i == 0 || finding[i].pair > finding[i - 1].pair),
                  "manner %d: %s at %ju", what, gjb_mishap_name(finding[i].what), (uintmax_t)finding[i].pair);
    cr_assert_eq(fegetround(), FE_TONEAREST);
    close_session(session);
    gjb_scene_free(scene);
}

Test(isolated, what_it_lives_through_is_a_finding_too)
{
    static const struct {
        manner what;
        gjb_mishap mishap;
        int unwritten;
    } ways[] = {{SKIP, GJB_LEFT_UNWRITTEN, 1},       {HALF, GJB_LEFT_UNWRITTEN, 1},
                {BAD_STATUS, GJB_UNKNOWN_STATUS, 1}, {NAN_VALUE, GJB_RETURNED_NAN, 0},
                {INFINITE_POINT, GJB_RETURNED_NAN, 0}, {ROUND_UPWARD, GJB_CHANGED_FLOATS, 0},
                {FLUSH_TO_ZERO, GJB_CHANGED_FLOATS, 0}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        for (uint32_t modulus = 10; modulus <= PAIRS; modulus *= 10)
            for (uint32_t threads = 1; threads <= 3; threads += 2)
                check_mild(ways[i].what, ways[i].mishap, threads, GJB_DISTANCE, modulus, ways[i].unwritten);
    check_mild(SKIP, GJB_LEFT_UNWRITTEN, 1, GJB_INTERSECT, 100, 1);
    check_mild(FLUSH_TO_ZERO, GJB_CHANGED_FLOATS, 1, GJB_INTERSECT, 100, 0);
}

Test(isolated, floats_changed_while_preparing_or_timed_are_a_finding_without_a_pair)
{
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
    gjb_stretch stretch = {GJB_DISTANCE, 50, 3, 0, 0};
    gjb_timing timing;
    gjb_result2f results[PAIRS];
    fault.what = ROUND_UPWARD;
    fault.modulus = 1;
    for (int in_prepare = 0; in_prepare < 2; in_prepare++) {
        fault.in_prepare = in_prepare;
        gjb_session *session = open_session(scene, 1);
        size_t found;
        if (!in_prepare)
            cr_assert_eq(gjb_session_time(session, &stretch, 0, results, &timing), 0);
        const gjb_finding *finding = gjb_session_findings(session, &found);
        cr_assert(found == 1 && finding->what == GJB_CHANGED_FLOATS && finding->pair == GJB_NO_PAIR, "%zu",
                  found);
        cr_assert_eq(gjb_session_float_changes(session), 1);
        close_session(session);
    }
    gjb_scene_free(scene);
}

Test(isolated, ours_can_be_told_to_run_apart)
{
    gjb_contender ours = rogue;
    ours.ours = 1;
    fault.what = ABORT;
    fault.modulus = PAIRS;
    fault.remainder = 5;
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
    gjb_error error = {""};
    if (by_server())
        gjb_fork_server_begin();
    gjb_session *session = gjb_session_open_isolated(&ours, NULL, scene, 1, &error);
    cr_assert_not_null(session, "%s", error.text);
    gjb_result2f results[PAIRS];
    gjb_session_stats stats;
    cr_assert_eq(run_all(session, results, &stats), 1);
    cr_assert_eq(stats.crashed, 1);
    close_session(session);
    gjb_scene_free(scene);
}

Test(isolated, memory_and_sockets_are_its_own)
{
    gjb_session_hang_limit(0.5);
    check((expected){CLOSE_ALL, GJB_CLOSED_FILES, 0}, PAIRS, 500, 1, 0, GJB_DISTANCE);
    check((expected){CLOSE_AND_ANSWER, GJB_CLOSED_FILES, 0}, PAIRS, 500, 1, 0, GJB_DISTANCE);
#if !GJB_SANITIZED
    eaten = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert(eaten != MAP_FAILED);
    check((expected){EAT_MEMORY, GJB_ABORTED, 0}, PAIRS, 500, 1, 0, GJB_DISTANCE);
    cr_assert_leq(*eaten, (uint64_t)2 * (3ull << 30), "each of two children is stopped at 2 GiB");
#endif
}

Test(isolated, timing_is_the_childs)
{
    fault.what = ABORT;
    fault.modulus = PAIRS;
    fault.remainder = 600;
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
    gjb_result2f results[PAIRS];
    for (uint32_t threads = 1; threads <= 2; threads++) {
        gjb_session *session = open_session(scene, threads);
        gjb_stretch stretch = {GJB_DISTANCE, 50, 3, 0, 100};
        gjb_timing timing;
        size_t found;
        if (threads == 1) {
            cr_assert_eq(gjb_session_time(session, &stretch, 1, results, &timing), 0);
            cr_assert(timing.pairs == 150 && timing.cpu_ns > 0 && timing.wall_ns > 0);
            cr_assert(stretch.frame == 0 && stretch.at == 300);
            cr_assert_geq(gjb_session_prepare_seconds(session), 0);
            cr_assert_geq(gjb_session_time_prepare(session), 0);
            stretch.calls = 10;
        }
        cr_assert_eq(gjb_session_time(session, &stretch, 0, results, &timing), -1, "it dies on the way");
        const gjb_finding *finding = gjb_session_findings(session, &found);
        cr_assert(found == 1 && finding->pair == GJB_NO_PAIR && finding->what == GJB_ABORTED);
        stretch = (gjb_stretch){GJB_DISTANCE, 50, 3, 0, 700};
        if (threads == 1)
            cr_assert_eq(gjb_session_time(session, &stretch, 0, results, &timing), 0, "a fresh child goes on");
        close_session(session);
    }
    gjb_scene_free(scene);
}

/* Slower altogether than a hang may be, but every call comes back. */
Test(isolated, slow_is_not_hung)
{
    gjb_session_hang_limit(0.05);
    fault.what = SLOW;
    fault.modulus = 1;
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
    gjb_session *session = open_session(scene, 1);
    gjb_result2f results[PAIRS];
    gjb_stretch stretch = {GJB_DISTANCE, 1, 60, 0, 0};
    gjb_timing timing;
    cr_assert_eq(gjb_session_time(session, &stretch, 0, results, &timing), 0);
    cr_assert_eq(timing.pairs, 60);
    close_session(session);
    gjb_scene_free(scene);
}

/* One thread waits for another that is at work, for longer than a process that sleeps is given. */
Test(isolated, to_wait_for_a_thread_of_its_own_is_not_to_hang)
{
    gjb_session_hang_limit(0.05);
    fault.what = SLOW;
    fault.modulus = 3;
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
    gjb_session *session = open_session(scene, 2);
    gjb_result2f results[PAIRS];
    gjb_stretch stretch = {GJB_DISTANCE, PAIRS, 1, 0, 0}; /* one call: one thread has all of it */
    gjb_timing timing;
    size_t found;
    cr_assert_eq(gjb_session_time(session, &stretch, 0, results, &timing), 0);
    cr_assert_eq(timing.pairs, PAIRS);
    gjb_session_findings(session, &found);
    cr_assert_eq(found, 0);
    close_session(session);
    gjb_scene_free(scene);
}

/* 1 while the process is there and not merely unburied. */
static int lives(pid_t pid)
{
    char path[64], state = 'X';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'X';
    fclose(file);
    return state != 'Z' && state != 'X';
}

/* The pid of the child comes out of its prepare, through a pipe it finds open. */
static pid_t *shared_pid;

static void *prepare_and_tell(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    *shared_pid = getpid();
    return (void *)(uintptr_t)shapes;
}

/* Whoever opened the session dies without a word, waiting or in the middle of a loop. */
Test(isolated, no_process_outlives_ours)
{
    shared_pid = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert(shared_pid != MAP_FAILED);
    gjb_contender teller = rogue;
    teller.prepare = prepare_and_tell;
    for (int busy = 0; busy < 2; busy++) {
        *shared_pid = 0;
        fault.what = LOOP;
        fault.modulus = busy ? 1 : 0;
        const pid_t pid = fork();
        if (pid == 0) {
            gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH);
            gjb_session *session = open_of(&teller, scene, 1);
            gjb_result2f results[PAIRS];
            if (session == NULL || getpid() == *shared_pid)
                _exit(1);
            alarm(1);
            signal(SIGALRM, SIG_DFL);
            gjb_session_hang_limit(100);
            run_all(session, results, NULL);
            raise(SIGKILL);
        }
        int status;
        waitpid(pid, &status, 0);
        cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == (busy ? SIGALRM : SIGKILL));
        const struct timespec pause = {0, 10000000};
        for (int i = 0; i < 200 && lives(*shared_pid); i++)
            nanosleep(&pause, NULL);
        cr_assert(*shared_pid != 0 && !lives(*shared_pid));
    }
}

/* Every pair has its answer, and the process that stands next to this one is the server alone, or the session's child
 * too. */
static void check_answers(gjb_session *session, int processes)
{
    gjb_result2f results[PAIRS];
    gjb_session_stats stats;
    pid_t children[4];
    size_t found;
    cr_assert_eq(run_all(session, results, &stats), 0);
    gjb_session_findings(session, &found);
    cr_assert_eq(found, 0);
    cr_assert_eq(children_of(getpid(), 4, children), processes);
}

Test(fork_server, children_are_forked_there_while_it_is_on_and_here_where_it_cannot)
{
    pid_t server;
    fault.what = GOOD;
    gjb_scene *scene = test_spiral(GJB_F32, BODIES, REACH), *other = test_spiral(GJB_F32, BODIES, REACH);
    gjb_session *before = gjb_session_open(&rogue, NULL, scene, 1, NULL);
    cr_assert_eq(children_of(getpid(), 1, &server), 1);
    gjb_fork_server_begin();
    gjb_fork_server_begin();
    gjb_session *there = gjb_session_open(&rogue, NULL, other, 1, NULL);
    check_answers(there, 2);
    gjb_session *here = gjb_session_open(&rogue, NULL, scene, 1, NULL); /* its scene is one that the server cannot have */
    check_answers(here, 3);
    gjb_session_close(here);
    gjb_session_close(before);
    gjb_session_close(there);
    gjb_fork_server_end();
    there = gjb_session_open(&rogue, NULL, other, 1, NULL);
    check_answers(there, 1);
    cr_assert_eq(children_of(getpid(), 1, &server), 1);
    gjb_session_close(there);
    kill(server, SIGKILL);
    here = gjb_session_open(&rogue, NULL, other, 1, NULL);
    check_answers(here, 2); /* no one has buried the server yet */
    gjb_session_close(here);
    gjb_fork_server_end();
    cr_assert_eq(child_processes(), 0);
    gjb_scene_free(other);
    gjb_scene_free(scene);
}
