/* A contender that crashes, hangs, exits, throws, forks or writes out of bounds at chosen pairs. */
#include "contenders/tests/rogue.h"

#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

void test_throw(void);

rogue_fault fault;
static int spoilt; /* in a child */

uint32_t id_of(const uint32_t *pair)
{
    return pair[0] * REACH + (pair[1] + BODIES - pair[0] - 1) % BODIES;
}

static struct timespec thread_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t;
}

/* The compiler must not make a loop of it. */
static __attribute__((noinline)) int recurse(volatile char *above)
{
    volatile char here[1024];
    here[0] = *above;
    return here[0] == 1 ? 0 : recurse(here) + here[0];
}

static const gjb_shapes *seen; /* by prepare, in a child */
uint64_t *eaten;

static void misbehave(manner what, const gjb_batch *batch)
{
    char *results = batch != NULL ? batch->results : NULL;
    const size_t stride = batch != NULL ? batch->result_stride : 0;
    static volatile uintptr_t nowhere = 16; /* an address that compilers do not know */
    switch (what) {
    case SEGFAULT:
        *(volatile int *)nowhere = 1;
        break;
    case ABORT:
        abort();
    case LOOP:
        for (volatile uint64_t i = 0;; i++)
            ;
    case SLEEP:
        for (;;)
            pause();
    case READ_NOTHING: {
        int ends[2];
        char byte;
        (void)!pipe(ends);
        (void)!read(ends[0], &byte, 1);
        break;
    }
    case PAST_RESULTS:
        memset(results + batch->pair_count * stride, 0, 8);
        break;
    case FAR_PAST_RESULTS: /* a stride eight times too wide */
        memset(results + (batch->pair_count + 2000) * 8 * stride, 0, 8);
        break;
    case BEFORE_RESULTS:
        results[-1] = 0;
        break;
    case BEFORE_ALL:
        results[-1 - (ptrdiff_t)((256 - batch->pair_count) * stride)] = 0;
        break;
    case FAR_BEFORE_RESULTS:
        memset(results - 2000 * 8 * stride, 0, 8);
        break;
    case READ_PAST_RESULTS:
        spoilt = *(volatile char *)(results + batch->pair_count * stride);
        break;
    case EXIT:
        exit(0);
    case FORK:
        if (fork() == 0)
            usleep(3000); /* until others' answers are asked for */
        break;
    case FORK_SLEEPER:
        if (fork() == 0)
            for (;;)
                pause();
        break;
    case EXIT_3:
        exit(3);
    case THROW:
#ifdef GJB_TEST_THROWS
        test_throw();
#else
        abort();
#endif
        break;
    case ROUND_UPWARD:
        fesetround(FE_UPWARD);
        break;
    case FLUSH_TO_ZERO:
#if defined(__x86_64__)
        _mm_setcsr(_mm_getcsr() | 0x8040);
#else
        fesetround(FE_DOWNWARD);
#endif
        break;
    case WRITE_INPUT:
        memset((char *)(uintptr_t)batch->poses, 0, 4);
        break;
    case WRITE_PAIRS:
        ((uint32_t *)(uintptr_t)batch->pairs)[1] = 0;
        break;
    case WRITE_MOTIONS:
        *(char *)(uintptr_t)batch->motions = 0;
        break;
    case WRITE_SHAPES:
        *(char *)(uintptr_t)seen->rows = 0;
        break;
    case OVERFLOW_STACK:
        spoilt = recurse((volatile char[]){0});
        break;
    case STOP_ITSELF:
        raise(SIGSTOP);
        break;
    case LATER:
        spoilt = 4;
        break;
    case IN_COMPANY:
        if (batch->pair_count > 1)
            abort();
        break;
    case CLOSE_ALL:
        close_range(3, ~0u, 0);
        for (;;)
            pause();
    case CLOSE_AND_ANSWER:
        close_range(3, ~0u, 0);
        break;
    case SIGNAL_PARENT:
        kill(getppid(), 0);
        break;
    case SIGNAL_GROUP:
        kill(-getpgid(getppid()), 0);
        break;
    case SIGNAL_ALL:
        kill(-1, 0);
        break;
    case EAT_MEMORY:
        for (;;) {
            const void *much = mmap(NULL, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (much == MAP_FAILED)
                abort();
            *eaten += 64 << 20;
        }
    case SLOW:
        for (struct timespec t = {0, 0}, from = thread_time(); t.tv_sec * 1000000000 + t.tv_nsec < 5000000;) {
            const struct timespec now = thread_time();
            t = (struct timespec){now.tv_sec - from.tv_sec, now.tv_nsec - from.tv_nsec};
        }
        break;
    case GOOD:
    case NOTHING:
    case NO_ROOM:
    case SKIP:
    case HALF:
    case BAD_STATUS:
    case NAN_VALUE:
    case INFINITE_POINT:
        break;
    }
}

static int has_guilty(const gjb_shapes *shapes)
{
    for (uint32_t i = 0; i < shapes->count; i++)
        if (fault.firsts >> shapes->first[i] & 1)
            return 1;
    return 0;
}

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    seen = shapes;
    const int guilty = fault.in_prepare && (fault.firsts == 0 || has_guilty(shapes));
    if (guilty)
        misbehave(fault.what, NULL);
    return guilty && fault.what == NOTHING ? NULL : (void *)(uintptr_t)shapes;
}

static void release(void *prepared)
{
    (void)prepared;
}

static size_t workspace_size(const void *prepared)
{
    (void)prepared;
    return fault.what == NO_ROOM ? SIZE_MAX : 64;
}

static void run(const void *prepared, const gjb_batch *batch)
{
    (void)prepared;
    for (size_t i = 0; i < batch->pair_count; i++) {
        char *record = (char *)batch->results + i * batch->result_stride;
        const uint32_t id = id_of(batch->pairs + 2 * i);
        const int guilty = !fault.in_prepare && fault.modulus != 0 && id % fault.modulus == fault.remainder;
        if (spoilt != 0 && --spoilt == 0)
            abort();
        if (guilty)
            misbehave(fault.what, batch);
        if (batch->stats != NULL)
            batch->stats->pairs++;
        if (guilty && fault.what == SKIP)
            continue;
        gjb_result2f r = {{GJB_SEPARATED, 0}, (float)id + 1, {1, 0}, {0, 0}, {0, 0}};
        if (guilty && fault.what == BAD_STATUS)
            r.head.status = 77;
        if (guilty && fault.what == NAN_VALUE)
            r.value = NAN;
        if (guilty && fault.what == INFINITE_POINT)
            r.point_b[1] = INFINITY;
        memcpy(record, &r, guilty && fault.what == HALF ? sizeof r.head : batch->result_stride);
    }
}

const gjb_contender rogue = {
    .abi_version = GJB_CONTENDER_ABI,
    .struct_size = sizeof(gjb_contender),
    .name = "rogue",
    .dims = 1u << 2,
    .kinds = GJB_KINDS_2D,
    .max_vertices = GJB_NO_VERTEX_LIMIT,
    .queries = (1u << GJB_STILL_QUERIES) - 1,
    .precisions = 1u << GJB_F32,
    .prepare = prepare,
    .workspace_size = workspace_size,
    .run = run,
    .release = release,
};
