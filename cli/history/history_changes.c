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
        {"benchmark", CLI_TEXT, &a->benchmark, "GLOB", "those whose name matches, such as '2d/distance/*'"},
        {"machine", CLI_TEXT, &a->machine, "ID", "those on the machine whose id begins so; 'history list' names them"},
        {"since", CLI_TEXT, &a->since, "COMMIT", "leave out changes that had come by that commit"},
        {"least", CLI_REAL, &a->least, "PERCENT", "leave out changes by less than that (0)"},
        {"rate", CLI_REAL, &a->rate, "PERCENT", "how many of the series that are said to change may not (1)"},
        {"seed", CLI_COUNT, &a->seed, "S", "of the permutations: the same everywhere (1)"},
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
    cli_option options[ASKED_OPTIONS + 2] = {{"json", CLI_TEXT, &json_path, "FILE", "all of it as JSON; '-' is stdout"}};
    asked_options(&a, options + 1);
    const cli_spec spec = {
        .usage = "history changes [--benchmark GLOB] [--machine ID] [--since COMMIT] [--least PERCENT] [--json FILE] [--db FILE]",
        .about =
            "Reports where the level of a benchmark's times changed, in runs in the order of their commits (by the commit's\n"
            "date if a run has it, else by the run's): the ratio of medians with a 95% interval from blocks and runs,\n"
            "the commits that it lies between, and how surely. p is the chance of such a split in runs of random order;\n"
            "q, of the whole series, corrects for all series asked for: of those that are said to change at most --rate\n"
            "percent are expected not to, and within each as many further changes may be none. At 1% the least that\n"
            "can tell is ten runs, five on either side, or three after many. One run that went astray is no change: a\n"
            "level takes two runs, and ranks decide.\n"
            "Counts of 'bench --count' have no noise, and series of their own: a level ends where a run differs from\n"
            "its first by 0.1%, and two runs suffice.\n"
            "A change is distinguished from noise between runs, not from a machine that slowed down for a day: measure an old\n"
            "commit again next to the new one when in doubt.\n\n"
            "Exits with 3 if the newest change of any series asked for is a slow-down, interval and all; of counts,\n"
            "one by 0.5% and more.",
        .options = options,
        .examples = "  gjkbench history changes\n"
                    "  gjkbench history changes --benchmark '2d/*/avx512/*' --least 2   those by 2% and more\n"
                    "  gjkbench history changes --since b4db410                         what came by then is known\n"
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
    cli_option options[ASKED_OPTIONS + 2] = {{"out", CLI_TEXT, &out, "DIR", "folder for index.html and data (history-page)"}};
    asked_options(&a, options + 1);
    const cli_spec spec = {
        .usage = "history plot [--out DIR] [--benchmark GLOB] [--machine ID] [--least PERCENT] [--db FILE]",
        .about = "Draws the times of each benchmark over runs in the order of their commits, with changes and events marked:\n"
                 "DIR/index.html, which loads nothing, and for each drawing DIR/data/NAME.svg and NAME.csv. Each machine,\n"
                 "build and seed has drawings of its own. Needs gnuplot (GJKBENCH_GNUPLOT names another one than the first\n"
                 "on PATH); without it the page has the numbers alone.",
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
