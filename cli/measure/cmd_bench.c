/* The command `bench`: times contenders at the points of a plan, or serves a comparison as its worker. */
#include <math.h>
#include <string.h>

#include "bench/compare/worker.h"
#include "cli/cli.h"
#include "cli/measure/bench_plan.h"
#include "cli/measure/count.h"
#include "cli/options/hulls.h"

static int fail(const char *text, int code)
{
    fprintf(stderr, CLI_PROGRAM " bench: %s\n", text);
    return code;
}

static int exit_code(const gjb_bench *bench)
{
    if (gjb_bench_wrong_ours(bench))
        return GJB_EXIT_WRONG;
    return bench->interrupted ? CLI_EXIT_INTERRUPTED : GJB_EXIT_OK;
}

/* What is measured apart from the points. */
typedef enum only { EVERYTHING, MEMORY, ISOLATION } only;
static const double isolation_seconds = 0.3, isolation_only_seconds = 2;

static int says_what(const cli_bench *b, const cli_select *select)
{
    return select->workload_count || select->family_count || b->shapes.count || b->calls.count || b->threads.count ||
           b->coherence;
}

/* Where the command line says what to measure, it is for that alone. 0, or -1 with `error`. */
static int measure_surroundings(cli_bench *b, const cli_select *select, only what, int to_file,
                                gjb_error *error)
{
    const int product = b->cells || says_what(b, select);
    double seconds = what == ISOLATION ? isolation_only_seconds : isolation_seconds;
    if (b->min_time > 0 && b->min_time < seconds)
        seconds = b->min_time;
    /* What was asked for has no use for the ceiling of memory but on the page, which results lead to. */
    if (what != ISOLATION && (what == MEMORY || !product || to_file) && cli_bench_ceilings(b, error))
        return -1;
    if (what == MEMORY || (what == EVERYTHING && product))
        return 0;
    return cli_bench_isolation(b, select, seconds, error);
}

/* What takes minutes by a time that was given says so first. */
static void say_how_long(const cli_bench *b)
{
    const double seconds = b->min_time * (double)b->plan.count;
    if (seconds >= 120)
        fprintf(stderr,
                CLI_PROGRAM
                " bench: %zu points of %.3g s: %.0f minutes or more; Ctrl-C keeps what is measured\n",
                b->plan.count, b->min_time, ceil(seconds / 60));
}

static int measure(cli_bench *b, const cli_select *select, const char *json_path, only what)
{
    const int points = what == EVERYTHING;
    gjb_error error = {{0}};
    FILE *stream = cli_text_stream(json_path);
    gjb_bench_paint paint = cli_bench_paint(stream);
    if (json_path && cli_check_writable(json_path, &error))
        return fail(error.text, GJB_EXIT_USAGE);
    if (points && cli_bench_plan(b, select, &error))
        return fail(error.text, GJB_EXIT_USAGE);
    cli_catch_interrupt();
    if (points)
        say_how_long(b);
    if (measure_surroundings(b, select, what, json_path != NULL, &error))
        return fail(error.text, GJB_EXIT_HARNESS);

    /* What is measured by then is printed and written, whatever went wrong. */
    int failed = points ? cli_bench_measure(b, &error) : 0;
    if (points && b->cells)
        failed = cli_bench_print_cells(b, stream, &error) || failed;
    else if (points)
        gjb_bench_print(&b->bench, stream, &paint);
    if (points && !b->cells && (b->memory_rows || b->isolation_rows))
        fputc('\n', stream);
    if (what != ISOLATION && !b->cells && b->memory_rows)
        gjb_memory_print(b->memory, b->memory_rows, stream, &paint);
    gjb_isolation_print(b->isolation, b->isolation_rows, stream, paint.title, paint.plain);
    gjb_error write_error = {{0}};
    if (json_path && cli_bench_write(b, json_path, &write_error))
        return fail(write_error.text, GJB_EXIT_USAGE);
    if (failed)
        return fail(error.text, GJB_EXIT_HARNESS);
    return exit_code(&b->bench);
}

/* What is not asked for is left to the base points, by the widest way of the batched kernels. */
static void narrow(cli_bench *b, const cli_select *select)
{
    size_t kept = 0;
    if (!says_what(b, select))
        gjb_plan_keep_bases(&b->plan);
    for (size_t i = 0; i < b->plan.count; i++) {
        const gjb_way *way = &b->plan.points[i].way;
        const char *backends[CLI_BACKENDS_MAX];
        const size_t ways = cli_select_backends(select, way->contender, backends);
        const int widest = select->backend_count || !way->backend || (ways && !strcmp(way->backend, backends[ways - 1]));
        if (widest && (select->contenders_given || !strcmp(way->contender->name, "batch")))
            b->plan.points[kept++] = b->plan.points[i];
    }
    b->plan.count = kept;
}

static int serve(cli_bench *b, const cli_select *select, double slow)
{
    gjb_error error = {{0}};
    if (!(slow >= 0 && slow <= 1))
        return cli_usage_error("--slow %g: must be from 0 to 1", slow);
    if (cli_bench_plan(b, select, &error))
        return fail(error.text, GJB_EXIT_USAGE);
    narrow(b, select);
    const gjb_worker_settings settings = {.seed = b->seed, .library = b->library, .slow = slow};
    json_t *context = cli_context();
    if (!context || gjb_worker_serve(&b->plan, &settings, context, stdin, stdout, &error))
        return fail(error.text, GJB_EXIT_HARNESS);
    return GJB_EXIT_OK;
}

/* Rows that could not be counted are named in the context instead, with the reason. */
static void keep_counted(gjb_tally *tally, json_t *context)
{
    json_t *not_counted = json_array();
    for (size_t i = 0; i < json_array_size(tally->rows);) {
        const json_t *row = json_array_get(tally->rows, i), *why = json_object_get(row, "trouble");
        if (!why) {
            i++;
            continue;
        }
        json_array_append_new(not_counted, json_pack("{sO sO}", "name", json_object_get(row, "name"), "trouble",
                                                     (json_t *)why));
        json_array_remove(tally->rows, i);
    }
    if (json_array_size(not_counted))
        json_object_set(context, "not_counted", not_counted);
    json_decref(not_counted);
}

/* What is counted, for a file: this machine, though Valgrind shows programs another one. */
static int write_counts(const cli_bench *b, gjb_tally *tally, const char *path, gjb_error *error)
{
    json_t *context = cli_context(), *by = json_object_get(tally->context, "counted_by");
    if (!context || gjb_bench_add_context(context, b->seed, NULL, 0))
        return gjb_fail(error, "out of memory");
    if (by)
        json_object_set(context, "counted_by", by);
    if (cli_interrupted)
        json_object_set_new(context, "interrupted", json_true());
    keep_counted(tally, context);
    json_decref(tally->context);
    tally->context = context;
    json_t *root = gjb_tally_json(tally);
    const int failed = cli_write_json(root, path, error);
    json_decref(root);
    return failed;
}

static int count(const cli_bench *b, const cli_select *select, const char *json_path, int argc, char **argv)
{
    cli_pairing pairing = {.name = "bench --count"};
    cli_counting counting;
    gjb_tally tally = {0};
    gjb_error error = {{0}};
    FILE *stream = cli_text_stream(json_path);
    const gjb_bench_paint paint = cli_bench_paint(stream);
    const cli_pairing_side here = {0};
    if (argc > CLI_PAIRING_ARGUMENTS)
        return cli_usage_error("too many arguments");
    int code = cli_pairing_hand_on(&pairing, argc, argv, select);
    if (code < 0)
        code = cli_counting_choose(&counting, &pairing, select, cli_counting_takes_batch(select));
    if (code >= 0)
        return code;
    if (json_path && cli_check_writable(json_path, &error))
        return fail(error.text, GJB_EXIT_USAGE);
    cli_catch_interrupt();
    code = cli_counting_run(&counting, &pairing, &here, 1, &tally, &error) ? fail(error.text, GJB_EXIT_HARNESS)
                                                                         : GJB_EXIT_OK;
    if (json_array_size(tally.rows)) {
        cli_counting_print(&tally, stream, &paint);
        cli_counting_print_left_out(&counting, stream);
    }
    error = (gjb_error){{0}};
    if (json_path && json_array_size(tally.rows) && write_counts(b, &tally, json_path, &error))
        code = fail(error.text, GJB_EXIT_USAGE);
    gjb_tally_free(&tally);
    return code == GJB_EXIT_OK && cli_interrupted ? CLI_EXIT_INTERRUPTED : code;
}

static int list_points(cli_bench *b, const cli_select *select)
{
    gjb_error error = {{0}};
    char name[GJB_BENCH_CASE_NAME], sweeps[GJB_SWEEP_NAMES];
    if (cli_bench_plan(b, select, &error))
        return fail(error.text, GJB_EXIT_USAGE);
    for (size_t i = 0; i < b->plan.count; i++)
        printf("%s\t%s\n", gjb_bench_case_name(&b->plan.points[i], name),
               gjb_sweep_names(b->plan.points[i].sweeps, sweeps));
    return GJB_EXIT_OK;
}

int cmd_bench(int argc, char **argv)
{
    cli_select select = {.takes_recorded = 1};
    cli_bench b = {.size = GJB_PLAN_DEFAULT,
                   .seed = 1,
                   .margin = CLI_NO_MARGIN,
                   .within = CLI_NO_MARGIN,
                   .leaving = CLI_NO_LEAVING,
                   .out = "failures"};
    int quick = 0, full = 0, points = 0, memory = 0, isolation = 0, counts = 0;
    const char *json_path = NULL, *hulls_path = NULL;
    int serves = 0;
    double slow = 0;
    const cli_option options[] = {
        {"shapes", CLI_NUMBERS, &b.shapes, "LIST", "numbers of shapes in the library, such as 16,4096,1M"},
        {"batch", CLI_NUMBERS, &b.calls, "LIST", "pairs per call, such as 1,64,4096 (default in a recorded scene: a frame)"},
        {"threads", CLI_NUMBERS, &b.threads, "LIST", "numbers of threads; 0 means all processors"},
        {"coherence", CLI_TEXT, &b.coherence, "LIST",
         "start axis of a search: none (cold), the pair's own last axis (warm), another pair's (stale)"},
        {"min-time", CLI_SECONDS, &b.min_time, "T", "timed work per point (default: about 180 s shared by all points)"},
        {"seed", CLI_COUNT, &b.seed, "S", "seed of the scenes, which are the same on every machine (default: 1)"},
        {"margin", CLI_LENGTH, &b.margin, "M", cli_margin_about},
        {"within", CLI_LENGTH, &b.within, "M", cli_within_about},
        {"leaving", CLI_LEAVING, &b.leaving, "WHAT", cli_leaving_about},
        {"hulls", CLI_TEXT, &hulls_path, "PATH", cli_hulls_about},
        {"json", CLI_TEXT, &json_path, "FILE",
         "write results in Google Benchmark's schema; '-' is stdout, and the table goes to stderr"},
        {"quick", CLI_FLAG, &quick, NULL, "fewer points, and fewer answers and grades at each; about a minute"},
        {"full", CLI_FLAG, &full, NULL, "every backend at every point, half a second each"},
        {"cells", CLI_FLAG, &b.cells, NULL,
         "ours against the fastest library that is right, in every query, workload, family and call size, worst first; "
         "takes a quarter of an hour; SELECT and --batch narrow it"},
        {"points", CLI_FLAG, &points, NULL,
         "measure nothing: name each point on a line, with the series it belongs to"},
        {"count", CLI_FLAG, &counts, NULL,
         "count the instructions of the base points instead of timing: exact, under Valgrind (see 'compare')"},
        {"memory", CLI_FLAG, &memory, NULL, "measure only random memory access, in cache lines per second"},
        {"isolation", CLI_FLAG, &isolation, NULL,
         "measure only the overhead of timing in a child process"},
        {"out", CLI_TEXT, &b.out, "DIR",
         "folder for pairs at which a contender crashes, hangs or writes out of bounds (default: failures)"},
        {"serve", CLI_FLAG, &serves, NULL, "read requests from standard input, as 'gjkbench compare' sends them, and measure the points they name"},
        {"slow", CLI_REAL, &slow, "SHARE",
         "with --serve: our kernels answer this share of pairs twice, such as 0.05 (simulated slow-down)"},
        {0}
    };
    const cli_spec spec = {
        .usage = "bench [SELECT] [--shapes LIST] [--batch LIST] [--threads LIST] [--min-time T] [--json FILE]",
        .about = "Measures throughput. Without options it varies one factor at a time around a base point: polygon8 in 2D,\n"
                 "hull16 in 3D; family mixed, 4096 shapes, 4096 pairs a call, f32, one thread. In 3D it also measures box.\n"
                 "With --workload, --family, --shapes, --batch, --threads or --coherence it measures every combination of what\n"
                 "is listed, and uses the base value for what is not listed. Recorded scenes ('list' names them) are workloads\n"
                 "too, with their own shapes and family; each of their calls is one frame, unless --batch divides it.\n\n"
                 "Times are CPU time on one thread, wall time on several: medians of blocks that alternate between\n"
                 "contenders in random order, with a bootstrap 95% interval. Transforming and packing are timed;\n"
                 "preparing shapes is timed separately (in the JSON). The share of wrong answers is next to each time.\n\n"
                 "To save time these are skipped:\n\n"
                 "  - some of the shapes with more than 64 vertices: with 64 vertices each, 4096\n"
                 "    shapes are measured; with 4096 vertices each, 64 shapes, with fewer pairs\n"
                 "    and grades\n"
                 "  - in 3D, contenders that are not ours beyond 16384 shapes (--quick: 4096,\n"
                 "    --full: 65536); --shapes restores them\n"
                 "  - in 3D, more than 262144 shapes; --full restores them\n"
                 "  - points at which a contender crashes or hangs; they are named, with the pair\n\n"
                 "Contenders are timed in child processes, all single-threaded ones on the same processor. To measure that\n"
                 "overhead, our contenders also run in this process at the base points, alternating with children.\n\n"
                 "Exits with 1 if an answer of ours is wrong, 130 after Ctrl-C with nothing wrong so far: what was measured\n"
                 "is printed and written.",
        .options = options,
        .select = &select,
        .examples = "  gjkbench bench --quick                                a first look\n"
                    "  gjkbench bench --query distance --shapes 64,4096,1M   cache-resident against memory\n"
                    "  gjkbench bench --workload polygon32 --family far,deep --contender batch,box2d\n"
                    "  gjkbench bench --dim 3 --workload box,hull512         boxes and large hulls\n"
                    "  gjkbench bench --workload box2d-pyramid               a recorded scene\n"
                    "  gjkbench bench --workload bullet-heap --coherence cold,warm   what warm start gains\n"
                    "  gjkbench bench --batch 1,16,256 --backend avx2 --min-time 1s --json bench.json\n"
                    "  gjkbench bench --cells --dim 2 --json cells.json      where ours is slow, or slower than another\n"
                    "  gjkbench bench --full --points | wc -l                number of points of a full run\n"
                    "  gjkbench bench --count --json counts.json             instruction counts, for 'history add'\n"
                    "  gjkbench bench --json - | jq '.benchmarks[] | {name, ns_per_pair}'\n"
    };
    const char *files[1];
    int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code >= 0)
        return code;
    if (quick && full)
        return cli_usage_error("--quick and --full exclude each other");
    if (memory + isolation + points + serves + counts > 1)
        return cli_usage_error("--count, --memory, --isolation, --points and --serve exclude each other");
    if (counts && (quick || full || b.min_time > 0))
        return cli_usage_error("--count measures no times: drop --quick, --full and --min-time");
    if (b.cells && (quick || full || memory || isolation || serves || counts))
        return cli_usage_error("--cells chooses its own points, and times them: drop --quick, --full, --memory, "
                               "--isolation, --serve and --count");
    if (b.cells && (b.shapes.count || b.threads.count || b.coherence))
        return cli_usage_error("--cells always takes %u shapes, one thread and cold starts: drop --shapes, --threads "
                               "and --coherence", (unsigned)gjb_base_point(2)->shapes);
    if (slow != 0 && !serves) /* NaN too */
        return cli_usage_error("--slow needs --serve");
    if (points && json_path)
        return cli_usage_error("--points measures nothing, so there is nothing for --json to write");
    b.brief = quick;
    b.size = quick ? GJB_PLAN_QUICK : full ? GJB_PLAN_FULL : GJB_PLAN_DEFAULT;
    gjb_error error = {{0}};
    gjb_scene *hulls = hulls_path ? cli_hulls_load(hulls_path, &select, &error) : NULL;
    if (hulls_path && !hulls)
        return cli_usage_error("%s", error.text);
    b.library = hulls ? &hulls->shapes : NULL;
    code = points ? list_points(&b, &select)
         : counts ? count(&b, &select, json_path, argc, argv)
         : serves ? serve(&b, &select, slow)
                  : measure(&b, &select, json_path, memory ? MEMORY : isolation ? ISOLATION : EVERYTHING);
    cli_bench_free(&b);
    gjb_scene_free(hulls);
    return code;
}
