/* Reads the kept league table, merges a run into it, and writes both. */
#include "cli/measure/league_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/file.h"
#include "reports/league/league.h"

static int find_path(const char *given, char path[CLI_LEAGUE_PATH], gjb_error *error)
{
    static const char file[] = "gjkbench/league.json";
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length;
    if (given)
        length = snprintf(path, CLI_LEAGUE_PATH, "%s", given);
    else if (data && *data == '/') /* the XDG base directory specification ignores relative ones */
        length = snprintf(path, CLI_LEAGUE_PATH, "%s/%s", data, file);
    else if (home && *home)
        length = snprintf(path, CLI_LEAGUE_PATH, "%s/.local/share/%s", home, file);
    else
        return gjb_fail(error, "--league is needed, because neither XDG_DATA_HOME nor HOME is set");
    return length <= 0 || length >= CLI_LEAGUE_PATH
               ? gjb_fail(error, "--league: no file name, or too long a one")
               : 0;
}

int cli_league_open(cli_league *league, const char *path, gjb_error *error)
{
    char folder[CLI_LEAGUE_PATH];
    if (find_path(path, league->path, error))
        return -1;
    memcpy(folder, league->path, sizeof folder);
    char *slash = strrchr(folder, '/');
    if (slash && slash != folder) {
        *slash = '\0';
        if (cli_make_folder(folder, error))
            return -1;
    }
    if (access(league->path, F_OK) == 0) {
        league->kept = gjb_league_load(league->path, error);
        if (!league->kept)
            return -1;
    }
    return cli_check_writable(league->path, error);
}

/* Times of another machine are worth something there: they are put aside, not lost. */
static int put_aside(const cli_league *league, const char *why, gjb_error *error)
{
    char aside[CLI_LEAGUE_PATH + 8];
    snprintf(aside, sizeof aside, "%s.old", league->path);
    if (rename(league->path, aside))
        return gjb_fail(error, "%s: cannot rename: %s", league->path, strerror(errno));
    printf("league table: %s: not continued, for %s; the old one is %s\n", league->path, why, aside);
    return 0;
}

/* A line for each contender and entry, so that two tables differ by lines. */
static void put_lines(FILE *file, const char *key, json_t *list)
{
    json_t *one;
    size_t i;
    fprintf(file, ",\n\"%s\": [", key);
    json_array_foreach(list, i, one) {
        fputs(i ? ",\n" : "\n", file);
        json_dumpf(one, file, JSON_REAL_PRECISION(15));
    }
    fputs("]", file);
}

static void put_league(FILE *file, const void *data)
{
    json_t *league = *(json_t *const *)data;
    fputs("{\"league\": ", file);
    json_dumpf(json_object_get(league, "league"), file, JSON_ENCODE_ANY);
    fputs(",\n\"context\": ", file);
    json_dumpf(json_object_get(league, "context"), file, 0);
    put_lines(file, "contenders", json_object_get(league, "contenders"));
    put_lines(file, "entries", json_object_get(league, "entries"));
    fputs("}\n", file);
}

static void tell(const cli_league *league, const gjb_league_change *change)
{
    printf("league table: %s: %zu entries renewed, %zu new, %zu kept", league->path, change->renewed,
           change->added, change->kept);
    if (change->outdated)
        printf(", %zu of other versions dropped", change->outdated);
    putchar('\n');
}

static int renew_kept(cli_league *league, json_t *fresh, gjb_error *error)
{
    gjb_league_change change = {0};
    json_t *nothing = json_object(),
           *merged = gjb_league_merge(league->kept ? league->kept : nothing, fresh, &change);
    int failed = !merged ? gjb_fail(error, "league: out of memory") : 0;
    if (!league->kept)
        *change.refused = '\0';
    if (!failed && *change.refused)
        failed = put_aside(league, change.refused, error);
    failed = failed || gjb_file_write(league->path, put_league, &merged, error);
    if (!failed)
        tell(league, &change);
    json_decref(nothing);
    json_decref(merged);
    return failed ? -1 : 0;
}

int cli_league_write(cli_league *league, const char *const *files, size_t n, const char *out,
                     const char *command, int renew, gjb_error *error)
{
    json_t *fresh = gjb_league_make(files, n, error);
    if (!fresh)
        return -1;
    json_object_set_new(json_object_get(fresh, "context"), "commands", json_pack("[s]", command));
    int failed = gjb_file_write(out, put_league, &fresh, error);
    if (!failed && *league->path && renew)
        failed = renew_kept(league, fresh, error);
    else if (!failed && *league->path)
        printf("league table: %s: stays as it was, for the run was cut short\n", league->path);
    json_decref(fresh);
    return failed ? -1 : 0;
}

void cli_league_free(cli_league *league)
{
    json_decref(league->kept);
    league->kept = NULL;
}
