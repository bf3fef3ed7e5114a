/* What hangs and what does not: first with made-up looks, then with processes. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/patience.h"

/* `count` looks, `step` seconds apart; 1 if one of them found a hang. */
static int looks(gjb_patience *p, gjb_look *look, int count, double step, double cpu_step)
{
    int hangs = 0;
    for (int i = 0; i < count; i++) {
        look->now += step;
        look->cpu += cpu_step;
        hangs |= gjb_patience_judge(p, look);
    }
    return hangs;
}

Test(patience, cpu_time_counts_since_it_last_got_on)
{
    gjb_patience p = {.cpu = 2, .blocked = 1};
    gjb_look look = {.now = 1000, .cpu = 500};
    cr_expect(!looks(&p, &look, 20, 0.125, 0.0625), "the first look only begins the count");
    look.progress++;
    cr_expect(!looks(&p, &look, 20, 0.125, 0.0625), "it got on");
    cr_expect(!looks(&p, &look, 1000, 0.125, 0), "it waits for a processor, however long");
    cr_expect(looks(&p, &look, 20, 0.125, 0.125));
}

Test(patience, only_time_that_we_are_awake_for_counts_as_blocked)
{
    gjb_patience p = {.cpu = 2, .blocked = 10};
    gjb_look look = {.now = 1000, .activity = GJB_IS_BLOCKED};
    looks(&p, &look, 41, 0.125, 0);
    cr_expect_eq(p.was_blocked, 5);
    cr_expect(!looks(&p, &look, 1, 240, 0), "we were stopped for four minutes");
    cr_expect_eq(p.was_blocked, 5 + GJB_PATIENCE_GAP);
    look.activity = GJB_IS_RUNNING;
    looks(&p, &look, 100, 0.125, 0);
    cr_expect_eq(p.was_blocked, 5 + GJB_PATIENCE_GAP);
    look.activity = GJB_IS_BLOCKED;
    cr_expect(looks(&p, &look, 40, 0.125, 0.0001), "to wake now and then is not to get on");
    look.progress++;
    cr_expect(!looks(&p, &look, 40, 0.125, 0));
}

Test(patience, without_a_state_it_is_blocked_if_it_uses_no_cpu_time)
{
    gjb_patience p = {.cpu = 2, .blocked = 10};
    gjb_look look = {.now = 1000, .activity = GJB_IS_UNKNOWN};
    looks(&p, &look, 41, 0.125, 0);
    cr_expect_eq(p.was_blocked, 5);
    looks(&p, &look, 1, 0.125, 0.001);
    cr_expect_eq(p.was_blocked, 0);
    cr_expect(looks(&p, &look, 100, 0.125, 0));
}

/* --- processes ------------------------------------------------------------------ */

static int end; /* of the pipe that the process writes to */

static void sleep_for_ever(void)
{
    for (;;)
        pause();
}

static void read_for_ever(void)
{
    int ends[2];
    char byte;
    (void)!pipe(ends);
    (void)!read(ends[0], &byte, 1);
}

static void wake_for_ever(void)
{
    for (;;)
        usleep(5000);
}

static void spin_for_ever(void)
{
    for (volatile uint64_t i = 0;; i++)
        ;
}

static void stop_itself(void)
{
    raise(SIGSTOP);
}

static void answer(void)
{
    (void)!write(end, "", 1);
}

/* More than a thread that does nothing would be given. */
static void *work(void *nothing)
{
    struct timespec t = {0, 0};
    while (t.tv_sec < 1)
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    answer();
    return nothing;
}

static void wait_for_a_thread(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}

static volatile sig_atomic_t raised = 1;

Test(patience, of_processes)
{
    static const struct {
        const char *name;
        void (*act)(void);
        double cpu, blocked;
        const volatile sig_atomic_t *stop;
        gjb_await want;
    } rows[] = {{"sleeps", sleep_for_ever, 1e9, 0.3, NULL, GJB_AWAIT_HUNG},
                {"reads", read_for_ever, 1e9, 0.3, NULL, GJB_AWAIT_HUNG},
                {"wakes", wake_for_ever, 1e9, 0.3, NULL, GJB_AWAIT_HUNG},
                {"is stopped", stop_itself, 1e9, 0.3, NULL, GJB_AWAIT_HUNG},
                {"spins", spin_for_ever, 0.3, 1e9, NULL, GJB_AWAIT_HUNG},
                {"answers", answer, 1e9, 1e9, NULL, GJB_AWAIT_READY},
                {"ends", NULL, 1e9, 1e9, NULL, GJB_AWAIT_READY},
                {"works in a thread", wait_for_a_thread, 1e9, 0.3, NULL, GJB_AWAIT_READY},
                {"is not waited for", sleep_for_ever, 1e9, 1e9, &raised, GJB_AWAIT_STOPPED}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int ends[2];
        cr_assert_eq(pipe(ends), 0);
        const pid_t pid = fork();
        if (pid == 0) {
            end = ends[1];
            alarm(60); /* nothing else ends it if this test fails */
            if (rows[i].act)
                rows[i].act();
            _exit(0);
        }
        close(ends[1]);
        gjb_patience p = {.who = gjb_awaited_process(pid),
                          .cpu = rows[i].cpu,
                          .blocked = rows[i].blocked,
                          .stop = rows[i].stop};
        cr_expect_eq(gjb_patience_await(&p, ends[0], 20), rows[i].want, "a process that %s", rows[i].name);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        close(ends[0]);
    }
}

Test(patience, if_no_process_is_known_time_awake_counts)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    gjb_patience p = {.blocked = 0.3};
    cr_expect_eq(gjb_patience_await(&p, ends[0], 20), GJB_AWAIT_HUNG);
    p = (gjb_patience){.blocked = 1e9};
    cr_assert_eq(write(ends[1], "", 1), 1);
    cr_expect_eq(gjb_patience_await(&p, ends[0], 20), GJB_AWAIT_READY);
}
