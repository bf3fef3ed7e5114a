/* What a history says: changes, plot. */
#include <stdlib.h>
#include <string.h>

#include "cli/history/history.h"
#include "history/draw.h"
#include "reports/report.h"

typedef struct asked {
    const char *db, *benchmark, *machine, *since;
    double least, rate; /* percent */
    uint64_t seed;
    gjb_search search;
    gjb_store store;
    gjb_past past;
    gjb_findings findings;
} asked;

enum { ASKED_OPTIONS = 7 };
static void asked_options(asked *a, cli_option options[ASKED_OPTIONS])
{
    const cli_option all[ASKED_OPTIONS] = {
        {"benchmark", CLI_TEXT, &a->benchmark, "GLOB", "only benchmarks whose name matches, such as '2d/distance/*'"},
        {"machine", CLI_TEXT, &a->machine, "ID", "only the machine whose id begins with ID; 'history list' names them"},
        {"since", CLI_TEXT, &a->since, "COMMIT", "ignore changes up to and including that commit"},
        {"least", CLI_REAL, &a->least, "PERCENT", "ignore changes smaller than this (default: 0)"},
        {"rate", CLI_REAL, &a->rate, "PERCENT", "false discovery rate: share of reported series that may be unchanged (default: 1)"},
        {"seed", CLI_COUNT, &a->seed, "S", "seed of the permutations (default: 1)"},
        {"db", CLI_TEXT, &a->db, "FILE", history_db_about}};
    memcpy(options, all, sizeof all);
}

static int search(asked *a, gjb_error *error)
{
    if (!(a->least >= 0 && a->least <= 1000))
        return gjb_fail(error, "--least: %g, must be 0 to 1000", a->least);
    if (!(a->rate >= 0.0001 && a->rate <= 50))
        return gjb_fail(error, "--rate: %g, must be 0.0001 to 50", a->rate);
    a->search = (gjb_search){.rate = a->rate / 100, .least = a->least / 100, .since = a->since, .seed = a->seed};
    return gjb_store_open(&a->store, history_path(a->db), GJB_STORE_READ, error) ||
                   gjb_past_load(&a->past, &a->store, a->benchmark, a->machine, error) ||
                   gjb_findings_make(&a->findings, &a->past, &a->store, &a->search, error)
               ? -1
               : 0;
}

static void asked_free(asked *a)
{
    gjb_findings_free(&a->findings);
    gjb_past_free(&a->past);
    gjb_store_close(&a->store);
}

static void print_turn(FILE *out, const asked *a, const gjb_found *f, size_t i)
{
    const gjb_turn *t = &f->turns[i];
    const gjb_past_run *before = &a->past.runs[f->series->times[t->at - 1].run], *by = &a->past.runs[f->series->times[t->at].run];
    const int slower = t->ratio.low > 1, faster = t->ratio.high < 1;
    fprintf(out, "  %s%s%s ", cli_color(out, slower ? CLI_BAD : faster ? CLI_GOOD : CLI_NOTE),
            slower ? "slower:" : faster ? "faster:" : "changed:", cli_color(out, CLI_PLAIN));
    if (f->series->of->counts)
        fprintf(out, "%.4f times the instructions, ", t->ratio.value);
    else
        fprintf(out, "%.3f times the time (%.3f to %.3f), ", t->ratio.value, t->ratio.low, t->ratio.high);
    if (strcmp(before->commit, by->commit))
        fprintf(out, "between commits %s and %s (%s)", history_clean(before->commit), history_clean(by->commit),
                gjb_day_of(by->place).s);
    else
        fprintf(out, "among runs of commit %s, so not by a commit: runs %.8s and %.8s", history_clean(by->commit), before->hash,
                by->hash);
    if (!f->series->of->counts)
        fprintf(out, "; p %.2g", t->p);
    fprintf(out, "; %zu run%s before, %zu after\n", t->before, t->before == 1 ? "" : "s", t->after);
}

static void print_event(FILE *out, const asked *a, const gjb_found *f, size_t i)
{
    static const char *const words[GJB_EVENT_KINDS] = {"another workload, compared from here on with itself alone",
                                                       "other answers, by their fingerprint",
                                                       "another version of the contender", "another kernel of the system"};
    const gjb_event *e = &f->events[i];
    fprintf(out, "  %sevent:%s %s: %s, before %s, from commit %s on\n", cli_color(out, CLI_NOTE), cli_color(out, CLI_PLAIN),
            words[e->kind], *e->after ? history_clean(e->after) : "unknown", *e->before ? history_clean(e->before) : "unknown",
            history_clean(a->past.runs[f->series->times[e->at].run].commit));
}

static void print_series(FILE *out, const asked *a, size_t at, int all)
{
    const gjb_found *f = &a->findings.all[at];
    if (!f->turn_count && !f->event_count && !all)
        return;
    const gjb_series *s = f->series;
    double q = 1;
    for (size_t i = 0; i < f->part_count; i++)
        q = f->parts[i].q < q ? f->parts[i].q : q;
    fprintf(out, "%s%s%s %s %s, build %lld, seed %lld: %zu runs", cli_color(out, CLI_BOLD), history_clean(s->name),
            cli_color(out, CLI_PLAIN), s->of->counts ? "by" : "on machine",
            s->of->counts ? history_clean(s->of->described) : s->of->machine, s->of->build, s->of->seed, s->count);
    if (f->turn_count && !s->of->counts)
        fprintf(out, ", q %.2g", q);
    if (s->count < GJB_CHANGE_RUNS_LEAST && !s->of->counts)
        fprintf(out, ": too few to tell of changes, which takes %d", GJB_CHANGE_RUNS_LEAST);
    fputc('\n', out);
    for (size_t i = 0; i < f->turn_count; i++)
        print_turn(out, a, f, i);
    for (size_t i = 0; i < f->event_count; i++)
        print_event(out, a, f, i);
}

/* Benchmarks that lie in several series, and the machines and builds that those are of. */
static void print_apart(FILE *out, const asked *a)
{
    size_t apart = 0, series = 0;
    for (size_t i = 0, n; i < a->findings.count; i += n) {
        n = gjb_findings_alike(&a->findings, i);
        apart += n > 1;
        series += n > 1 ? n : 0;
    }
    if (!apart)
        return;
    fprintf(out, "%zu benchmark%s in %zu series, for machine, compiler, flags or seed differ: they are kept apart, never mixed\n",
            apart, apart == 1 ? " lies" : "s lie", series);
    for (size_t i = 0; i < a->findings.count; i++) {
        const gjb_past_run *of = a->findings.all[i].series->of;
        size_t earlier = 0;
        while (earlier < i && (strcmp(a->findings.all[earlier].series->of->machine, of->machine) ||
                               a->findings.all[earlier].series->of->build != of->build))
            earlier++;
        if (earlier < i)
            continue;
        fprintf(out, "  machine %s: %s; build %lld: %s, %s, %s\n", of->machine, history_clean(of->described), of->build,
                history_clean(of->compiler), history_clean(of->type), history_clean(of->flags));
    }
}

static size_t print_changes(FILE *out, const asked *a)
{
    const gjb_findings *f = &a->findings;
    size_t slower = 0, changed = 0;
    for (size_t i = 0; i < f->count; i++) {
        slower += (size_t)gjb_found_slower(&f->all[i]);
        changed += f->all[i].turn_count > 0;
    }
    print_apart(out, a);
    for (size_t i = 0; i < f->count; i++)
        print_series(out, a, i, f->count <= 4);
    fprintf(out, "%zu runs, %zu series: %zu changed, %zu of them slower at their newest change; false discovery rate %g%%\n",
            a->past.run_count, f->count, changed, slower, 100 * f->rate);
    if (f->few)
        fprintf(out, "%zu with too few runs: fewer than %d\n", f->few, GJB_CHANGE_RUNS_LEAST);
    if (f->counted)
        fprintf(out, "%zu of counts, which are exact\n", f->counted);
    if (f->hopeless)
        fprintf(out, "%zu with fewer than %zu runs: no order of them would be significant at that rate\n", f->hopeless,
                gjb_runs_needed(f->rate));
    return slower;
}

int history_changes(int argc, char **argv)
{
    asked a = {.seed = 1, .rate = 1};
    const char *json_path = NULL, *files[1];
    cli_option options[ASKED_OPTIONS + 2] = {{"json", CLI_TEXT, &json_path, "FILE", "write all changes as JSON; '-' is stdout"}};
    asked_options(&a, options + 1);
    const cli_spec spec = {
        .usage = "history changes [--benchmark GLOB] [--machine ID] [--since COMMIT] [--least PERCENT] [--json FILE] [--db FILE]",
        .about =
            "Reports where the level of a benchmark's times changed: the ratio of medians with a 95% interval from blocks and\n"
            "runs, the two commits around the change, and how certain it is. Runs are ordered by the date of their commits,\n"
            "or by their own date if that is unknown.\n\n"
            "  p  chance of such a split if the order of the runs were random\n"
            "  q  p of the whole series, corrected for all selected series: of the series\n"
            "     reported as changed, at most --rate percent are expected to be unchanged,\n"
            "     and in each series the same share of further changes may be false\n\n"
            "At a rate of 1% it takes at least ten runs, five on either side of a change, or three after many. A single outlier\n"
            "is no change: a level has at least two runs, and ranks decide. Counts of 'bench --count' have no noise, and\n"
            "have their own series: a level ends at a run that differs from the level's first run by 0.1%, and two runs\n"
            "suffice. Noise from run to run is not reported, but a machine that was slow for a day looks like a change: if in\n"
            "doubt, measure an old commit again next to the new one.\n\n"
            "Exits with 3 if the newest change of any selected series is a slow-down whose whole interval is above 1, or\n"
            "for counts, one of 0.5% or more.",
        .options = options,
        .examples = "  gjkbench history changes\n"
                    "  gjkbench history changes --benchmark '2d/*/avx512/*' --least 2   changes of 2% or more\n"
                    "  gjkbench history changes --since b4db410                         earlier changes are known\n"
                    "  gjkbench history changes --machine 3fa4 --json - | jq '.series[] | select(.slower)'\n",
    };
    gjb_error error = {{0}};
    int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code >= 0)
        return code;
    if (json_path && cli_check_writable(json_path, &error))
        return history_fail("changes", &error, GJB_EXIT_USAGE);
    int failed = search(&a, &error);
    size_t slower = failed ? 0 : print_changes(cli_text_stream(json_path), &a);
    if (!failed && json_path) {
        json_t *json = gjb_findings_json(&a.findings, &a.past, &a.search);
        failed = !json ? gjb_fail(&error, "out of memory") : cli_write_json(json, json_path, &error);
        json_decref(json);
    }
    asked_free(&a);
    return failed ? history_fail("changes", &error, GJB_EXIT_USAGE) : slower ? GJB_EXIT_SLOWER : GJB_EXIT_OK;
}

static void drawn(uint64_t done, uint64_t total)
{
    cli_progress("drawn series", done, total);
}

int history_plot(int argc, char **argv)
{
    asked a = {.seed = 1, .rate = 1};
    const char *out = "history-page", *files[1];
    cli_option options[ASKED_OPTIONS + 2] = {{"out", CLI_TEXT, &out, "DIR", "folder for index.html and data (default: history-page)"}};
    asked_options(&a, options + 1);
    const cli_spec spec = {
        .usage = "history plot [--out DIR] [--benchmark GLOB] [--machine ID] [--least PERCENT] [--db FILE]",
        .about = "Draws the times of each benchmark over runs in the order of their commits, and marks changes and events:\n"
                 "DIR/index.html, which loads nothing, and for each drawing DIR/data/NAME.svg and NAME.csv. Each machine,\n"
                 "build and seed has its own drawings. Drawings need gnuplot: the one that GJKBENCH_GNUPLOT names, else the\n"
                 "first on PATH. Without it the page has only the numbers.",
        .options = options,
        .examples = "  gjkbench history plot\n"
                    "  gjkbench history plot --benchmark '*/avx512/*' --out /tmp/history\n",
    };
    gjb_error error = {{0}};
    int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code >= 0)
        return code;
    cli_catch_interrupt();
    const gjb_history_paper asked = {history_path(a.db), out, &cli_interrupted, drawn};
    int result = search(&a, &error);
    if (!result)
        result = gjb_history_page(&a.findings, &a.past, &asked, &error);
    asked_free(&a);
    if (result < 0)
        return history_fail("plot", &error, GJB_EXIT_USAGE);
    if (result == GJB_REPORT_UNDRAWN)
        history_fail("plot", &error, 0);
    printf("%s/index.html%s\n", out, cli_interrupted ? ", of what was drawn until Ctrl-C" : "");
    return cli_interrupted ? CLI_EXIT_INTERRUPTED : GJB_EXIT_OK;
}
