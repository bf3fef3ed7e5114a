/* A program that answers circles rightly, but for one pair in so many, where it breaks the protocol or ends as its
 * argument says: "crash=50" is one pair in 50. Which pairs these are depends on their poses alone, with A and B in either
 * order. */
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include "../programs/gjkbench-program.h"

static const char *mode;
static unsigned every = 50;

static int is(const char *word)
{
    return strcmp(mode, word) == 0;
}

/* A frame of answers that says so of itself, without any answers. */
static void say_answers(uint64_t length, uint64_t id, uint64_t first, uint64_t count)
{
    const uint64_t frame[4] = {length << 32 | 4, 0, first << 32 | id, count};
    fwrite(frame, sizeof frame, 1, gjb_output);
}

static void linger(void)
{
    if (fork() == 0)
        for (;;)
            pause();
}

/* Nothing but bytes, which are no frame or a frame that never ends. */
static void flood(unsigned char byte)
{
    static char zeros[1 << 16];
    memset(zeros, byte, sizeof zeros);
    for (;;)
        fwrite(zeros, sizeof zeros, 1, gjb_output);
}

static void misbehave(gjb_reply *reply)
{
    volatile int forever = 1;
    fprintf(stderr, "about to \033[1m%s\n\n    at misbehave (bad.c)\n", mode);
    if (is("crash"))
        raise(SIGSEGV);
    if (is("abort"))
        abort();
    if (is("exit"))
        _exit(3);
    while (is("spin") && forever)
        ;
    if (is("sleep"))
        for (;;)
            pause();
    if (is("close")) {
        fclose(gjb_output);
        pause();
    }
    if (is("flood"))
        flood(0);
    if (is("junk"))
        fprintf(gjb_output, "so far so good\n");
    if (is("count"))
        say_answers(24 + 96 * 100000u, 0, 0, 100000);
    if (is("none"))
        say_answers(24, 0, 0, 0);
    if (is("length"))
        say_answers(24, 0, 0, 1);
    if (is("order")) {
        say_answers(24 + 96, 0, 1, 1);
        fwrite(reply, 96, 1, gjb_output);
    }
    if (is("other")) {
        say_answers(24 + 96, 77, 0, 1);
        fwrite(reply, 96, 1, gjb_output);
    }
    if (is("after")) { /* a whole reply, if it is asked about this pair alone, and then another */
        say_answers(24 + 96, 0, 0, 1);
        fwrite(reply, 96, 1, gjb_output);
    }
    if (is("status"))
        reply->status = 77;
    if (is("nan")) {
        reply->status = SEPARATED;
        reply->sigma = NAN;
    }
    if (is("kill-parent"))
        kill(getppid(), SIGKILL);
}

/* SplitMix64 (Steele, Lea and Flood, 2014), its last step. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t poses_of(const double *pose)
{
    uint64_t bits[4], sum = 0;
    memcpy(bits, pose, sizeof bits);
    for (uint64_t i = 0; i < 4; i++)
        sum ^= mix(bits[i] + i);
    return sum;
}

static void gjb_prepare(gjb_shape *shape, uint32_t dim)
{
    (void)shape;
    (void)dim;
    if (is("prepare-exit"))
        _exit(4);
    if (is("prepare-sleep"))
        for (;;)
            pause();
    if (is("linger"))
        linger();
}

static void gjb_answer(const gjb_question *q, gjb_reply *reply)
{
    double from[2], to[2];
    gjb_place(2, q->pose[0], q->a->rows, q->pose[0], from);
    gjb_place(2, q->pose[1], q->b->rows, q->pose[0], to);
    const double x = to[0] - from[0], y = to[1] - from[1], length = hypot(x, y);
    reply->sigma = length - q->a->radius - q->b->radius;
    reply->status = reply->sigma > 0 ? SEPARATED : OVERLAPPING;
    reply->normal[0] = length > 0 ? x / length : 1;
    reply->normal[1] = length > 0 ? y / length : 0;
    for (int i = 0; i < 2; i++) {
        reply->point_a[i] = from[i] + q->a->radius * reply->normal[i];
        reply->point_b[i] = to[i] - q->b->radius * reply->normal[i];
    }
    if (every > 0 && (poses_of(q->pose[0]) ^ poses_of(q->pose[1])) % every == 0)
        misbehave(reply);
}

int main(int argc, char **argv)
{
    char *word = argc > 1 ? argv[1] : "good", *equals = strchr(word, '='), header[512];
    every = equals != NULL ? (unsigned)strtoul(equals + 1, NULL, 10) : every;
    mode = strndup(word, equals != NULL ? (size_t)(equals - word) : strlen(word));
    snprintf(header, sizeof header,
             "{\"gjkbench\":1,\"form\":\"binary\",\"name\":\"bad-%s\",\"version\":\"1\",\"licence\":\"MIT\",\"dims\":[2],"
             "\"kinds\":[\"point\"],\"queries\":[\"intersect\",\"distance\",\"penetration\"],\"precisions\":[\"f64\"]}", mode);
    gjb_serve(header);
    return 0;
}
