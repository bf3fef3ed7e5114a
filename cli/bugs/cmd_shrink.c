/* The command `shrink`: makes the failing pair of a file smaller while the same failure stays. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bugs/failure_picture.h"
#include "cli/cli.h"
#include "contenders/isolation/fork_server.h"
#include "core/query.h"

typedef struct request {
    cli_select select;
    const char *out;
    uint64_t most;
    double seconds;
} request;

/* Who is asked: the one contender that is named, all its backends of this CPU. */
static int find_contender(const request *r, const gjb_scene *scene, gjb_ask *ask,
                const char *backends[CLI_BACKENDS_MAX], gjb_error *error)
{
    const gjb_query_row *named = gjb_query_find(scene->query);
    if (!r->select.contenders_given || r->select.contender_count != 1)
        return gjb_fail(error, "--contender needs exactly one name");
    ask->contender = r->select.contenders[0];
    ask->query = named ? named->id : GJB_QUERIES;
    if (r->select.queries_given) {
        if (r->select.queries & (r->select.queries - 1))
            return gjb_fail(error, "--query: one");
        ask->query = (gjb_query)__builtin_ctz(r->select.queries);
    }
    if (ask->query == GJB_QUERIES)
        return gjb_fail(error, "--query is needed: the file names none");
    if (!(ask->contender->queries >> ask->query & 1u) || !(ask->contender->dims >> scene->shapes.dim & 1u))
        return gjb_fail(error, "--contender %s: does not answer %s in %uD", ask->contender->name,
                        gjb_queries[ask->query].name, (unsigned)scene->shapes.dim);
    const char *in_order[CLI_BACKENDS_MAX];
    ask->backend_count = cli_select_backends(&r->select, ask->contender, in_order);
    for (size_t b = 0; b < ask->backend_count; b++)
        backends[b] = in_order[ask->backend_count - 1 - b];
    ask->backends = backends;
    return ask->backend_count ? 0 : gjb_fail(error, "--backend: %s has none of these here", ask->contender->name);
}

/* The pair in a precision that the contender is fed. */
static gjb_scene *fed(const gjb_scene *scene, const gjb_ask *ask, const cli_select *select, gjb_error *error)
{
    const uint32_t own = 1u << scene->shapes.precision, has = ask->contender->precisions;
    const uint32_t wanted = select->precisions_given ? select->precisions & has : has & own ? own : has;
    const gjb_precision precision =
        wanted & 1u << GJB_F64 && !(wanted == (1u << GJB_F32)) && !(wanted & own && own == 1u << GJB_F32)
            ? GJB_F64
            : GJB_F32;
    if (!wanted || !gjb_scene_fits(scene, precision)) {
        gjb_fail(error, "--precision: %s has none that can hold the pair", ask->contender->name);
        return NULL;
    }
    gjb_scene *one = gjb_scene_convert(scene, precision);
    if (!one)
        gjb_fail(error, "out of memory");
    return one;
}

static int give(const gjb_ask *ask, const gjb_shrunk *s, const char *out, gjb_error *error)
{
    char line[GJB_FAILURE_LINE], path[4200], stem[4096], name[GJB_FAILURE_NAME];
    printf("%s\n", gjb_failure_line(ask, s->pair, &s->outcome, line));
    printf("vertices %u and %u, %llu pairs asked%s\n", (unsigned)s->pair->shapes.row_count[0],
           (unsigned)s->pair->shapes.row_count[1], (unsigned long long)s->asked,
           s->at_rest ? ", nothing left to take away" : ", ended by a limit");
    gjb_failure_name(ask, gjb_symptom_name(s->outcome.symptom), s->pair, name);
    snprintf(stem, sizeof stem, "%s/%s", out, name);
    snprintf(path, sizeof path, "%s.json", stem);
    int failed = gjb_failure_save(ask, s->pair, &s->outcome, path, error);
    printf("%s\n", path);
    snprintf(path, sizeof path, "%s.c", stem);
    failed = failed || gjb_reproducer_save(ask, s->pair, &s->outcome, path, error);
    return failed || cli_failure_draw(&(gjb_hunt_found){ask, s->pair, &s->outcome, line, stem}, error) ? -1 : 0;
}

static int shrink(const request *r, const char *file, gjb_error *error)
{
    gjb_ask ask = {0};
    const char *backends[CLI_BACKENDS_MAX];
    gjb_scene *scene = gjb_scene_load(file, error), *one = NULL;
    int code = GJB_EXIT_USAGE;
    if (scene)
        cli_warn_scene(scene, file);
    if (scene && scene->frames[0].pair_count != 1)
        gjb_fail(error, "%s: the file has %llu pairs, and shrink needs 1", file,
                 (unsigned long long)scene->frames[0].pair_count);
    else if (scene && !find_contender(r, scene, &ask, backends, error))
        one = fed(scene, &ask, &r->select, error);
    gjb_shrunk s = {0};
    if (one && !cli_make_folder(r->out, error)) { /* before the time that it takes is spent */
        const gjb_shrink_plan plan = {
            .ask = ask, .most = r->most, .seconds = r->seconds, .stop = &cli_interrupted};
        gjb_fork_server_begin();
        const int came = gjb_shrink(&plan, one, &s, error);
        gjb_fork_server_end();
        if (came == 1)
            gjb_fail(error, "%s: %s is not wrong about it in '%s'", file, ask.contender->name,
                     gjb_queries[ask.query].name);
        code = came == 0 && !give(&ask, &s, r->out, error) ? GJB_EXIT_OK
               : came < 0                                  ? GJB_EXIT_HARNESS
                                                           : GJB_EXIT_USAGE;
    }
    gjb_scene_free(s.pair);
    gjb_scene_free(one);
    gjb_scene_free(scene);
    return code == GJB_EXIT_OK && cli_interrupted ? CLI_EXIT_INTERRUPTED : code;
}

int cmd_shrink(int argc, char **argv)
{
    static const char *const takes[] = {"contender", "query", "precision", "backend", "plugin", NULL};
    /* No count and no time that can be given, until they are. */
    request r = {.select.takes = takes, .out = "shrunk", .most = UINT64_MAX, .seconds = -1};
    const cli_option options[] = {
        {"out", CLI_TEXT, &r.out, "DIR", "folder for pair, picture and C test (default: shrunk)"},
        {"most", CLI_COUNT, &r.most, "N", "most pairs to try (default: 20k)"},
        {"time", CLI_SECONDS, &r.seconds, "T", "time limit (default: none)"},
        {0}};
    const cli_spec spec = {
        .usage = "shrink PAIR --contender NAME [--query NAME] [--out DIR]",
        .about =
            "Shrinks a pair that a contender answers wrongly until it is easy to read: fewer vertices, simpler kinds,\n"
            "rounder numbers, no rotations. The pair keeps failing in the same way: with the same symptom and status,\n"
            "and an error of at least a quarter of the original one in units of the tolerance T, or of a hundredth of S if\n"
            "that is less.\n"
            "Crashes and hangs are shrunk too, as the contender runs in child processes.\n\n"
            "PAIR is a file of one pair. The query is the one that the file names, unless --query names another.\n\n"
            "Exits with 2 if the contender answers the pair correctly.",
        .options = options,
        .select = &r.select,
        .examples =
            "  gjkbench shrink failures/3d-hull16-near-penetration-0123456789abcdef.json --contender "
            "fcl-libccd\n"
            "  gjkbench shrink pair.json --plugin ./mine.so --contender mine --query distance --out small\n",
        .min_files = 1,
        .max_files = 1};
    const char **files = calloc((size_t)argc + 1, sizeof *files);
    gjb_error error = {{0}};
    if (!files)
        return GJB_EXIT_HARNESS;
    int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code < 0 && (!r.most || r.seconds == 0))
        code = cli_usage_error("nothing to try: --%s 0", r.most ? "time" : "most");
    if (code < 0) {
        r.most = r.most == UINT64_MAX ? 0 : r.most;
        r.seconds = fmax(0, r.seconds);
        cli_catch_interrupt();
        code = shrink(&r, files[0], &error);
        if (error.text[0])
            fprintf(stderr, CLI_PROGRAM " shrink: %s\n", error.text);
    }
    free(files);
    return code;
}
