/* A worker whose times its arguments name: see bench/compare/worker.h. It depends on nothing, so that a test can
 * make a project of it. usage: fake_worker [bench --serve] [ns=N] [other=N] [points=a,b] [hash=X] [answers=X] [die=N]
 * [refuse=POINT] [leave=POINT] [wander=PERCENT] [few=TURNS] [nap=MILLISECONDS]
 * [counts=processor] [SELECT...] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef FAKE_NS
#define FAKE_NS 10
#endif

static double ns = FAKE_NS, wander;
static const char *points = "alpha,beta", *hash = "0011223344556677", *answers = "8899aabbccddeeff",
                  *counts;
static long die_at = -1, refused = -1, left_at = -1;
static unsigned nap; /* before turns */
static long few;     /* turns that it does not take */
static unsigned long long place;

static const char *value(const char *argument, const char *key)
{
    const size_t size = strlen(key);
    return !strncmp(argument, key, size) && argument[size] == '=' ? argument + size + 1 : NULL;
}

static void read_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *v;
        if ((v = value(argv[i], "ns")))
            ns = strtod(v, NULL);
        else if ((v = value(argv[i], "wander")))
            wander = strtod(v, NULL) / 100;
        else if ((v = value(argv[i], "few")))
            few = strtol(v, NULL, 10);
        else if ((v = value(argv[i], "nap")))
            nap = 1000 * (unsigned)strtoul(v, NULL, 10);
        else if ((v = value(argv[i], "points")))
            points = v;
        else if ((v = value(argv[i], "hash")))
            hash = v;
        else if ((v = value(argv[i], "answers")))
            answers = v;
        else if ((v = value(argv[i], "counts")))
            counts = v;
        else if ((v = value(argv[i], "die")))
            die_at = strtol(v, NULL, 10);
        else if ((v = value(argv[i], "leave")))
            left_at = strtol(v, NULL, 10);
        else if ((v = value(argv[i], "refuse")))
            refused = strtol(v, NULL, 10);
    }
}

static void hello(void)
{
    printf("{\"gjkbench_worker\": 2, \"commit\": \"fake\", ");
    if (counts)
        printf("\"counts\": \"%s\", ", counts);
    printf("\"points\": [");
    for (const char *at = points; *at;) {
        const size_t size = strcspn(at, ",");
        printf("%s\"%.*s\"", at == points ? "" : ", ", (int)size, at);
        at += size + (at[size] == ',');
    }
    puts("]}");
}

/* As places differ by `wander`, one way or the other. */
static void take_turns(unsigned long long pairs, char side, const char *order)
{
    const double here = ns * (1 + (place & 1 ? wander : 0)) * (double)pairs;
    const char *between = "";
    long left = few;
    printf("{\"blocks\": [");
    for (; *order; order++) {
        if (*order != side || left-- > 0)
            continue;
        printf("%s[%.17g, %.17g, %llu, %.17g]", between, here, 2 * here, pairs, 30 * ns * (double)pairs);
        between = ", ";
    }
    puts("]}");
}

int main(int argc, char **argv)
{
    char line[512];
    read_arguments(argc, argv);
    setvbuf(stdout, NULL, _IOLBF, 0);
    hello();
    for (long times = 0; fgets(line, sizeof line, stdin);) {
        unsigned long long number = strtoull(line + strcspn(line, " "), NULL, 10);
        if (!strncmp(line, "open", 4)) {
            if ((long)number == left_at)
                return 3;
            if ((long)number == refused)
                puts("{\"error\": \"no such shapes\"}");
            else
                printf("{\"pairs\": 100, \"workload_hash\": \"%s\", \"prepared\": 0.001}\n", hash);
        } else if (!strncmp(line, "shuffle", 7) || !strncmp(line, "move", 4)) {
            place = number;
            puts("{\"code_moved\": 4096}");
        } else if (!strncmp(line, "answer", 6)) {
            printf(
                "{\"fingerprint\": \"%s\", \"answered\": 100, \"mean_iterations\": %.3f, \"careful\": 3}\n",
                answers, answers[0] == '8' ? 2.5 : 2.75);
        } else if (!strncmp(line, "count", 5)) {
            printf("{\"pairs\": 100, \"instructions\": %.0f}\n", 3000 * ns);
        } else if (!strncmp(line, "turns", 5)) {
            if (++times == die_at)
                return 3;
            usleep(nap);
            take_turns(number, strrchr(line, ' ')[-1], strrchr(line, ' ') + 1);
        }
    }
    return 0;
}
