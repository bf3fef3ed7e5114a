/* Compares two programs for a command, by paired runs: options handed on, progress, and the cached noise floor. */
#include "cli/measure/compare_programs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/json_file.h"

enum { PATH_ROOM = 4096 };
static const double usual_floor = 0.005;

static void progress(void *user, uint64_t done, uint64_t total)
{
    cli_progress(user, done, total);
}

static const char *own_program(void)
{
    static char path[PATH_ROOM];
    const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    return size > 0 ? path : CLI_PROGRAM;
}

/* --- the command line --------------------------------------------------------- */

static const char *const numbers[] = {"shapes", "batch", "threads", "coherence", "hulls", "seed", "margin",
                                      "within", "leaving"};

static int is_handed_on(const char *name, size_t size, const cli_select *select)
{
    const char *names[32];
    const size_t count = cli_select_names(select, names);
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == size && !strncmp(names[i], name, size))
            return 1;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strlen(numbers[i]) == size && !strncmp(numbers[i], name, size))
            return 1;
    return 0;
}

int cli_pairing_hand_on(cli_pairing *pairing, int argc, char **argv, const cli_select *select)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--", 2) != 0)
            continue;
        const char *name = argv[i] + 2;
        const size_t size = strcspn(name, "=");
        if (!is_handed_on(name, size, select))
            continue;
        if (pairing->argument_count + 4 > CLI_PAIRING_ARGUMENTS)
            return cli_usage_error("too many options");
        pairing->arguments[pairing->argument_count++] = argv[i];
        if (!name[size] && i + 1 < argc)
            pairing->arguments[pairing->argument_count++] = argv[++i];
    }
    return -1;
}

/* --- a pairing ---------------------------------------------------------------- */

void cli_pairing_command_of(cli_pairing_command *made, const cli_pairing *pairing, const cli_pairing_side *side)
{
    size_t count = 0;
    *made = (cli_pairing_command){.files = 1};
    made->words[count++] = side->program ? side->program : own_program();
    made->words[count++] = "bench";
    made->words[count++] = "--serve";
    if (side->plugin) {
        made->words[count++] = "--plugin";
        made->files |= (uint64_t)1 << count;
        made->words[count++] = side->plugin;
    }
    if (side->slow > 0) {
        snprintf(made->slow, sizeof made->slow, "%.17g", side->slow);
        made->words[count++] = "--slow";
        made->words[count++] = made->slow;
    }
    for (size_t i = 0; i < pairing->argument_count; i++)
        made->words[count++] = pairing->arguments[i];
}

int cli_pairing_run(const cli_pairing *pairing, const cli_pairing_side sides[GJB_PAIRED_SIDES], gjb_paired *paired,
                    gjb_comparison *result, gjb_error *error)
{
    cli_pairing_command commands[GJB_PAIRED_SIDES];
    char name[32];
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        cli_pairing_command_of(&commands[s], pairing, &sides[s]);
    snprintf(name, sizeof name, "%s", pairing->name);
    const gjb_paired_side both[GJB_PAIRED_SIDES] = {{commands[0].words, commands[0].files},
                                                    {commands[1].words, commands[1].files}};
    const gjb_paired_settings settings = {.budget = pairing->budget,
                                          .seed = pairing->seed,
                                          .only = pairing->only,
                                          .stop = &cli_interrupted,
                                          .progress = progress,
                                          .user = name};
    *result = (gjb_comparison){0};
    const int failed = gjb_paired_run(paired, both, &settings, error);
    gjb_error of_comparing = {{0}};
    if (failed && !paired->count)
        return -1;
    if (gjb_compare_paired(result, paired, pairing->floor, pairing->alpha, pairing->seed,
                           failed ? &of_comparing : error))
        return -1;
    return failed;
}

/* --- what is kept ------------------------------------------------------------- */

const char *cli_cache_path(const char *what, char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        snprintf(path, size, "%s/gjkbench/%s", cache, what);
    else
        snprintf(path, size, "%s/.cache/gjkbench/%s", home && *home ? home : "/tmp", what);
    return path;
}

double cli_floor(const char **from)
{
    char path[PATH_ROOM];
    gjb_error none = {""};
    json_t *kept = gjb_json_load(cli_cache_path("floor.json", path, sizeof path), &none),
           *here = cli_context();
    const json_t *context = json_object_get(kept, "context");
    const double floor = json_number_value(json_object_get(kept, "floor"));
    const int fits = floor > 0 && floor < 1 && !strcmp(gjb_text_at(context, "cpu"), gjb_text_at(here, "cpu")) &&
                     !strcmp(gjb_text_at(context, "compiler"), gjb_text_at(here, "compiler"));
    json_decref(kept);
    json_decref(here);
    *from =
        fits ? "measured here by 'gjkbench calibrate'" : "the usual; 'gjkbench calibrate' measures it here";
    return fits ? floor : usual_floor;
}

int cli_floor_save(double floor, json_t *context, gjb_error *error)
{
    char path[PATH_ROOM], folder[PATH_ROOM];
    cli_cache_path("floor.json", path, sizeof path);
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    json_t *kept = json_pack("{sf sO}", "floor", floor, "context", context);
    const int failed = cli_make_folder(folder, error) || cli_write_json(kept, path, error);
    json_decref(kept);
    return failed ? -1 : 0;
}
