/* A plug-in that does what its options say: right, or in one way wrong. It answers
 * "overlapping" for everything, with 7 iterations where "seven" is asked for. */
#include <gjkbench/adapter.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned iterations;

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    return (void *)(uintptr_t)shapes;
}

static void release(void *prepared)
{
    (void)prepared;
}

static void answer(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *out)
{
    (void)prepared;
    (void)batch;
    (void)pair;
    out->status = GJB_OVERLAPPING;
    out->iterations = iterations;
}

static void run(const void *prepared, const gjb_batch *batch)
{
    gjb_answer_all(prepared, batch, GJB_F64, 2, answer);
}

static const char *const backends[] = {"plain", "never", NULL}, *const no_backends[] = {NULL};
static const char *const odd_backends[] = {"Two words", NULL};

static int available(const char *backend)
{
    return strcmp(backend, "never") != 0;
}

static int none_available(const char *backend)
{
    (void)backend;
    return 0;
}

static gjb_contender sample = {.abi_version = GJB_CONTENDER_ABI,
                               .struct_size = sizeof(gjb_contender),
                               .name = "sample",
                               .version = "1.0",
                               .licence = "MIT",
                               .note = "a sample",
                               .dims = 1u << 2,
                               .kinds = GJB_KINDS_2D,
                               .queries = 1u << GJB_INTERSECT,
                               .precisions = 1u << GJB_F64,
                               .max_vertices = GJB_NO_VERTEX_LIMIT,
                               .tau = {0, 0.25},
                               .skin = 0.5,
                               .backends = backends,
                               .backend_available = available,
                               .prepare = prepare,
                               .workspace_size = gjb_no_workspace,
                               .run = run,
                               .release = release,
                               .tau_time = 0.125,
                               .tau_relative = {0, 0.0625}};

/* A function that a library of this program has, too. Not inlined, so that it is looked up by its name. */
const char *jansson_version_str(void);
__attribute__((visibility("default"), noinline)) const char *jansson_version_str(void)
{
    return "its own";
}

/* Ways to be wrong; each changes one thing. */
static void spoil(const char *how)
{
    static char many[300];
    memset(many, 'n', sizeof many - 1);
#define WAY(word, change) \
    if (strcmp(how, word) == 0) \
        sample.change
    WAY("old", abi_version = 1);
    WAY("short", struct_size = 64);
    WAY("no-name", name = NULL);
    WAY("empty-name", name = "");
    WAY("long-name", name = many);
    WAY("odd-name", name = "Sam ple");
    WAY("all", name = "all");
    WAY("taken", name = "batch");
    WAY("no-version", version = NULL);
    WAY("no-licence", licence = NULL);
    WAY("no-note", note = NULL);
    WAY("long-note", note = many);
    WAY("not-utf8", note = "\xff\xfe");
    WAY("no-dims", dims = 1u << 4);
    WAY("no-kinds", kinds = 0);
    WAY("later-kinds", kinds = 1u << GJB_KINDS);
    WAY("curved", kinds = 1u << GJB_SUPERELLIPSE);
    WAY("no-queries", queries = 1u << 15);
    WAY("no-precisions", precisions = 0);
    WAY("no-vertices", max_vertices = 0);
    WAY("ours", ours = 1);
    WAY("bad-tau", tau[1] = -1);
    WAY("bad-skin", skin = NAN);
    WAY("bad-time", tau_time = -1);
    WAY("bad-relative", tau_relative[1] = 1);
    WAY("no-backends", backends = no_backends);
    WAY("odd-backends", backends = odd_backends);
    WAY("none-available", backend_available = none_available);
    WAY("no-prepare", prepare = NULL);
    WAY("no-size", workspace_size = NULL);
    WAY("no-run", run = NULL);
    WAY("no-release", release = NULL);
    WAY("wild", version = (const char *)(uintptr_t)8);
}

GJB_PLUGIN_EXPORT const gjb_contender *const *gjb_plugin(const char *options, char *error, size_t error_size)
{
    static const gjb_contender *tables[] = {&sample, NULL};
    printf("a plug-in that talks\n");
    if (strcmp(options, "crash") == 0)
        abort();
    if (strcmp(options, "exit") == 0)
        exit(5);
    for (volatile int forever = strcmp(options, "hang") == 0; forever;)
        ;
    if (strcmp(options, "silent") == 0)
        return NULL;
    if (strcmp(options, "refuse") == 0) {
        snprintf(error, error_size, "option 'refuse': I do\nnot like it");
        return NULL;
    }
    if (strcmp(options, "whose") == 0) {
        snprintf(error, error_size, "%s", jansson_version_str());
        return NULL;
    }
    if (strcmp(options, "none") == 0)
        tables[0] = NULL;
    iterations = strcmp(options, "seven") == 0 ? 7 : 0;
    if (iterations == 7)
        sample.name = "sample-seven";
    spoil(options);
    if (strcmp(options, "older") == 0) { /* what lies behind its end is not its own */
        sample.struct_size = offsetof(gjb_contender, tau_time);
        sample.tau_time = NAN;
        sample.tau_relative[0] = NAN;
    }
    if (strcmp(options, "before-relative") == 0) {
        sample.struct_size = offsetof(gjb_contender, tau_relative);
        sample.tau_relative[1] = NAN;
    }
    return tables;
}
