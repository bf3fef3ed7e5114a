/* Definitions of suites: what is refused, and by which words; hashes that do not depend on threads, and notice another
 * pair. TAP on its own, as it runs under emulators, too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/suite/suite.h"

static int failed, count;

static void check(int truth, const char *what, const char *said)
{
    printf("%s %d - %s\n", truth ? "ok" : "not ok", ++count, what);
    if (!truth)
        printf("# %s\n", said ? said : "");
    failed |= !truth;
}

/* Of 2D boxes and polygons, with one case of a collection and one scene. */
#define PLAN                                                                                                       \
    "{\"kind\": \"polytopes\", \"seed\": 7, \"pairs\": 40, \"space_pairs\": 0, \"queries\": [\"distance\"], "      \
    "\"precisions\": [\"f32\", \"f64\"], \"workloads\": [{\"dim\": 2, \"name\": \"box\"}, {\"dim\": 2, \"name\": " \
    "\"polygon8\"}], \"families\": [\"near\", \"deep\"]}"
#define CASES "{\"known-failures/toi.json\": [\"box2d-115\"], \"wrong-answers/ode-ball.json\": true}"
#define SUITE(format, truths, inputs, plans, cases)                                                          \
    "{\"format\": " format                                                                                   \
    ", \"suite\": \"t\", \"about\": \"a test\", \"lengths\": {\"usual\": {\"truth_pairs\": " truths          \
    ", \"inputs\": \"" inputs "\", \"truths\": \"0123456789abcdef\", \"plans\": " plans                      \
    "}}, \"cases\": " cases "}"
#define HASH "0123456789abcdef"
#define GOOD SUITE("1", "4", HASH, "[" PLAN "]", CASES)

static const struct {
    const char *what, *bytes, *says;
} refused[] = {
    {"no JSON", "{\"format\": 1", "t.json:1"},
    {"another format", SUITE("2", "4", HASH, "[" PLAN "]", CASES), "format: 1 is wanted, not 2"},
    {"no plans", SUITE("1", "4", HASH, "[]", CASES), "plans: a list of 1 to 64"},
    {"a plan that is none", SUITE("1", "4", HASH, "[3]", CASES), "plans[].kind"},
    {"a short hash", SUITE("1", "4", "0123", "[" PLAN "]", CASES),
     "inputs: a hash of 16 digits is wanted, not \"0123\""},
    {"a hash with a sign", SUITE("1", "4", "-123456789abcdef", "[" PLAN "]", CASES), "inputs: a hash"},
    {"no truths", SUITE("1", "0", HASH, "[" PLAN "]", CASES), "truth_pairs: 0"},
    {"truths below 0", SUITE("1", "-1", HASH, "[" PLAN "]", CASES), "truth_pairs: -1"},
    {"cases that are a list", SUITE("1", "4", HASH, "[" PLAN "]", "[]"), "cases: an object is wanted"},
    {"a case without names", SUITE("1", "4", HASH, "[" PLAN "]", "{\"wrong-answers/ode-ball.json\": 1}"),
     "ode-ball.json"},
    {"a name that is none", SUITE("1", "4", HASH, "[" PLAN "]", "{\"known-failures/toi.json\": [1]}"),
     "toi.json"},
};

/* A copy of the good definition with one word of it replaced; the caller frees it. */
static char *with(const char *from, const char *to)
{
    const char *at = strstr(GOOD, from);
    char *out = malloc(sizeof GOOD + strlen(to));
    if (!at || !out)
        abort();
    sprintf(out, "%.*s%s%s", (int)(at - GOOD), GOOD, to, at + strlen(from));
    return out;
}

static gjb_suite *parsed(const char *bytes, gjb_error *error)
{
    return gjb_suite_parse(bytes, strlen(bytes), GJB_SUITE_USUAL, "t.json", error);
}

static void test_refusals(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        gjb_error error = {{0}};
        gjb_suite *suite = parsed(refused[i].bytes, &error);
        check(!suite && strstr(error.text, refused[i].says) && !strchr(error.text, '\n'), refused[i].what,
              error.text);
        gjb_suite_free(suite);
    }
    static const char *const names[][2] = {
        {"polygon8", "polygon2"}, {"near", "nearby"}, {"distance", "distances"}, {"f32", "f16"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        gjb_error error = {{0}};
        char *bytes = with(names[i][0], names[i][1]);
        gjb_suite *suite = parsed(bytes, &error);
        check(!suite && strstr(error.text, names[i][1]), names[i][1], error.text);
        gjb_suite_free(suite);
        free(bytes);
    }
    gjb_error error = {{0}};
    check(!gjb_suite_open("2026.11", GJB_SUITE_USUAL, &error) && strstr(error.text, "did you mean '2026.1'"),
          "no such suite", error.text);
}

/* Without contenders: hashes alone. */
static int run(const char *bytes, uint32_t threads, gjb_verify_hashes *hashes, gjb_error *error)
{
    const gjb_suite_settings settings = {.threads = threads};
    gjb_suite_result result = {0};
    gjb_suite *suite = parsed(bytes, error);
    const int bad = !suite || gjb_suite_run(suite, &settings, &result, error) || !result.complete ||
                    result.pairs != gjb_suite_pairs(suite);
    *hashes = result.hashes;
    gjb_suite_result_free(&result);
    gjb_suite_free(suite);
    return bad;
}

static int same(const gjb_verify_hashes *a, const gjb_verify_hashes *b, int truths)
{
    return truths ? a->truths == b->truths && a->truth_count == b->truth_count : a->inputs == b->inputs;
}

static void test_hashes(void)
{
    gjb_error error = {{0}};
    gjb_verify_hashes once, again, other;
    check(!run(GOOD, 1, &once, &error) && once.truth_count > 20, "a suite runs", error.text);
    check(!run(GOOD, 3, &again, &error) && same(&once, &again, 0) && same(&once, &again, 1),
          "threads do not show", error.text);
    static const struct {
        const char *from, *to;
        int inputs, truths; /* 1: the same */
    } changes[] = {{"\"seed\": 7", "\"seed\": 8", 0, 0},
                   {"polygon8", "polygon9", 0, 0},
                   {"\"truth_pairs\": 4", "\"truth_pairs\": 3", 1, 0},
                   {"box2d-115", "box2d-115-large-angle", 0, 1},
                   {"ode-ball", "ode-boxes", 0, 0}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char *bytes = with(changes[i].from, changes[i].to);
        check(!run(bytes, 2, &other, &error) && same(&once, &other, 0) == changes[i].inputs &&
                  same(&once, &other, 1) == changes[i].truths,
              changes[i].to, error.text);
        free(bytes);
    }
    static const char *const missing[][2] = {{"box2d-115", "box2d-0"}, {"ode-ball", "ode-balls"}};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        gjb_error why = {{0}};
        char *bytes = with(missing[i][0], missing[i][1]);
        check(run(bytes, 1, &other, &why) && strstr(why.text, missing[i][1]) && strstr(why.text, "missing"),
              missing[i][1], why.text);
        free(bytes);
    }
}

/* Every suite of this program, on every machine. */
static void test_recorded(void)
{
    const char *names[GJB_SUITES_MAX];
    const size_t suites = gjb_suite_names(names);
    check(suites > 0, "there are suites", NULL);
    for (size_t i = 0; i < suites; i++) {
        const gjb_suite_settings settings = {.threads = 2};
        gjb_error error = {{0}};
        gjb_suite_result result = {0};
        gjb_suite *suite = gjb_suite_open(names[i], GJB_SUITE_SHORT, &error);
        check(suite && !gjb_suite_run(suite, &settings, &result, &error) &&
                  same(&result.hashes, gjb_suite_recorded(suite), 0) &&
                  result.hashes.truths == gjb_suite_recorded(suite)->truths,
              names[i], error.text[0] ? error.text : "another hash");
        gjb_suite_result_free(&result);
        gjb_suite_free(suite);
    }
}

int main(void)
{
    test_recorded();
    test_refusals();
    test_hashes();
    printf("1..%d\n", count);
    return failed;
}
