/* Sorts backends by what can count them, and runs a tally of each kind. */
#include "cli/measure/count.h"

#include <string.h>

#include "bench/machine/instructions.h"
#include "cli/cli.h"
#include "contenders/table.h"

const double cli_floor_of_counts = 0.005;

/* No release of Valgrind has AVX-512: it hides that from what it runs. */
static int is_simulated(const char *backend)
{
    return strncmp(backend, "avx512", 6) != 0;
}

static int has_counter(void)
{
    const int counter = gjb_instructions_open();
    gjb_instructions_close(counter);
    return counter >= 0;
}

static void add(char list[CLI_COUNT_BACKENDS], const char *name, const char *between)
{
    const size_t used = strlen(list);
    snprintf(list + used, CLI_COUNT_BACKENDS - used, "%s%s", used ? between : "", name);
}

/* Workers are given the ones that can be counted. */
static void take_back_backends(cli_pairing *pairing)
{
    size_t kept = 0;
    for (size_t i = 0; i < pairing->argument_count; i++) {
        if (!strncmp(pairing->arguments[i], "--backend=", 10))
            continue;
        if (!strcmp(pairing->arguments[i], "--backend"))
            i++;
        else
            pairing->arguments[kept++] = pairing->arguments[i];
    }
    pairing->argument_count = kept;
}

int cli_counting_takes_batch(const cli_select *select)
{
    for (size_t i = 0; i < select->contender_count; i++)
        if (!strcmp(select->contenders[i]->name, "batch"))
            return 1;
    return 0;
}

int cli_counting_choose(cli_counting *c, cli_pairing *pairing, const cli_select *select, int batch)
{
    const char *backends[CLI_BACKENDS_MAX];
    const size_t count = batch ? cli_select_backends(select, gjb_contender_find("batch"), backends) : 0;
    const int counter = has_counter();
    *c = (cli_counting){0};
    for (size_t i = 0; i < count; i++) {
        const int widest = i + 1 == count;
        if (is_simulated(backends[i])) {
            c->widest = backends[i];
            if (select->backend_count)
                add(c->simulated, backends[i], ",");
        } else if (!counter)
            add(c->left_out, backends[i], ", ");
        else if (select->backend_count || widest)
            add(c->processor, backends[i], ",");
    }
    c->none = count && select->backend_count && !c->simulated[0];
    if (c->none && !c->processor[0])
        return cli_usage_error("--count: %s: Valgrind runs no AVX-512, and the processor's counter cannot be read "
                               "here; count avx2, or compare times, without --count",
                               c->left_out);
    if (count)
        take_back_backends(pairing);
    return -1;
}

static void progress(void *user, uint64_t done, uint64_t total)
{
    cli_progress(user, done, total);
}

static int tally(const cli_pairing *pairing, const cli_pairing_side *sides, size_t count, const char *backends,
                 int by_processor, gjb_tally *tallies, gjb_error *error)
{
    cli_pairing with = *pairing;
    cli_pairing_command commands[GJB_TALLY_SIDES];
    gjb_tally_side both[GJB_TALLY_SIDES];
    char name[64];
    snprintf(name, sizeof name, "%s", pairing->name);
    if (backends[0]) {
        with.arguments[with.argument_count++] = "--backend";
        with.arguments[with.argument_count++] = backends;
    }
    for (size_t s = 0; s < count; s++) {
        cli_pairing_command_of(&commands[s], &with, &sides[s]);
        both[s] = (gjb_tally_side){sides[s].plugin ? sides[s].plugin : commands[s].words[0], commands[s].words};
    }
    const gjb_tally_settings settings = {.by_processor = by_processor,
                                         .only = pairing->only,
                                         .stop = &cli_interrupted,
                                         .progress = progress,
                                         .user = name};
    return gjb_tally_run(tallies, both, count, &settings, error);
}

int cli_counting_run(const cli_counting *c, const cli_pairing *pairing, const cli_pairing_side *sides, size_t count,
                     gjb_tally *tallies, gjb_error *error)
{
    gjb_tally more[GJB_TALLY_SIDES] = {{0}};
    for (size_t s = 0; s < count; s++)
        tallies[s] = (gjb_tally){0};
    if (c->none)
        return tally(pairing, sides, count, c->processor, 1, tallies, error);
    int failed = tally(pairing, sides, count, c->simulated, 0, tallies, error);
    if (!failed && c->processor[0] && !cli_interrupted)
        failed = tally(pairing, sides, count, c->processor, 1, more, error);
    for (size_t s = 0; s < count; s++) {
        if (more[s].rows)
            json_array_extend(tallies[s].rows, more[s].rows);
        gjb_tally_free(&more[s]);
    }
    return failed;
}

int cli_counting_compare(const cli_counting *c, const cli_pairing *pairing,
                         const cli_pairing_side sides[GJB_PAIRED_SIDES], gjb_tally tallies[GJB_PAIRED_SIDES],
                         gjb_comparison *result, gjb_error *error)
{
    static const char *const names[GJB_PAIRED_SIDES] = {"the old side", "the new side"};
    gjb_result_file files[GJB_PAIRED_SIDES] = {{0}};
    *result = (gjb_comparison){.of_counts = 1};
    const int failed = cli_counting_run(c, pairing, sides, GJB_PAIRED_SIDES, tallies, error);
    if (!json_array_size(tallies[1].rows))
        return failed;
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        files[s] = (gjb_result_file){names[s], gjb_tally_json(&tallies[s])};
    gjb_error of_comparing = {{0}};
    const int unjudged = gjb_compare_counts(result, files, NULL, pairing->floor, failed ? &of_comparing : error);
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        json_decref((json_t *)files[s].root); /* whose rows the tallies keep */
    return failed || unjudged ? -1 : 0;
}

void cli_counting_print_left_out(const cli_counting *c, FILE *stream)
{
    if (c->left_out[0])
        fprintf(stream, "not counted: %s, as Valgrind runs no AVX-512 and the processor's counter cannot be\n"
                        "read here; their times are what can be compared\n", c->left_out);
}

json_t *cli_counting_left_out_json(const cli_counting *c)
{
    json_t *all = json_array();
    for (const char *name = c->left_out; *name; name += strspn(name, ", ")) {
        const size_t size = strcspn(name, ",");
        json_array_append_new(all, json_stringn(name, size));
        name += size;
    }
    return all;
}

void cli_counting_print(const gjb_tally *tally, FILE *stream, const gjb_bench_paint *paint)
{
    static const char *const keys[] = {"instructions_per_pair", "branches_per_pair", "mispredicted_per_pair",
                                       "misses_per_pair", "cycles_per_pair"};
    json_t *row;
    size_t i;
    int width = 9;
    json_array_foreach(tally->rows, i, row) {
        const int size = (int)strlen(json_string_value(json_object_get(row, "name")));
        width = size > width ? size : width;
    }
    fprintf(stream, "%s%-*s %8s %8s %7s %7s %7s%s\n", paint->title, width, "benchmark, a pair", "instr.", "branches",
            "mispr.", "misses", "cycles", paint->plain);
    json_array_foreach(tally->rows, i, row) {
        const char *trouble = json_string_value(json_object_get(row, "trouble"));
        fprintf(stream, "%-*s", width, json_string_value(json_object_get(row, "name")));
        if (trouble)
            fprintf(stream, " not counted: %s", trouble);
        for (size_t k = 0; k < sizeof keys / sizeof *keys && !trouble; k++) {
            const json_t *count = json_object_get(row, keys[k]);
            if (count)
                fprintf(stream, " %*.*g", k < 2 ? 8 : 7, k < 2 ? 6 : 4, json_number_value(count));
        }
        fputc('\n', stream);
    }
    fputs("instructions and branches are exact; branches mispredicted and misses of the first cache are\n"
          "simulated, cycles estimated from all of these\n",
          stream);
}
