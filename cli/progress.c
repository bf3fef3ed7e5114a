/* The progress line: rates, remaining time, and how often a terminal or a log gets one. */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "contenders/harness.h"

/* Seconds between two looks of a terminal, and between two lines elsewhere. */
static const double redrawn = 0.2, repeated = 10;
static const double reported_from = 0.02; /* the share done from which on a rate says anything */

/* "12,345" */
static void put_count(uint64_t count, char text[32])
{
    char digits[32];
    const int n = snprintf(digits, sizeof digits, "%" PRIu64, count);
    int at = 0;
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
}

/* Negative if it cannot be known yet. */
static double seconds_left(const cli_pace *pace, double share, double now)
{
    const double spent = now - pace->begun, by_limit = pace->limit > spent ? pace->limit - spent : 0;
    const double by_rate = share > reported_from ? spent / share * (1 - share) : -1;
    if (pace->limit > 0 && (by_rate < 0 || by_limit < by_rate))
        return by_limit;
    return by_rate;
}

static void put_text(const cli_pace *pace, const char *what, uint64_t done, uint64_t total, double now, char *text)
{
    const double share = (double)done / (double)total, left = seconds_left(pace, share, now);
    /* What ends by the clock never gets to all of it: then its time is what is done a part of. */
    const double part = pace->limit > 0 && now - pace->begun > share * pace->limit ? (now - pace->begun) / pace->limit : share;
    const char *unit = strchr(what, ' ');
    const int verb = unit ? (int)(unit - what) : (int)strlen(what);
    char count[32], of[32];
    size_t at = 0;
    if (!pace->terminal)
        at += (size_t)snprintf(text, CLI_PACE_TEXT, CLI_PROGRAM "%s%s: ", pace->command ? " " : "",
                               pace->command ? pace->command : "");
    put_count(done, count);
    put_count(total, of);
    if (unit && pace->limit > 0)
        at += (size_t)snprintf(text + at, CLI_PACE_TEXT - at, "%.*s %s%s", verb, what, count, unit);
    else if (unit)
        at += (size_t)snprintf(text + at, CLI_PACE_TEXT - at, "%.*s %s of %s%s", verb, what, count, of, unit);
    else
        at += (size_t)snprintf(text + at, CLI_PACE_TEXT - at, "%s", what);
    at += (size_t)snprintf(text + at, CLI_PACE_TEXT - at, ", %.0f%%", 100 * (part < 1 ? part : 1));
    if (left >= 0)
        at += (size_t)snprintf(text + at, CLI_PACE_TEXT - at, ", about %.0f s left", left);
    put_count(pace->deaths, count);
    if (pace->deaths)
        snprintf(text + at, CLI_PACE_TEXT - at, ", %s crash%s or hang%s", count, pace->deaths == 1 ? "" : "es",
                 pace->deaths == 1 ? "" : "s");
}

const char *cli_pace_text(cli_pace *pace, const char *what, uint64_t done, uint64_t total, double now,
                          char text[CLI_PACE_TEXT])
{
    if (done >= total) {
        const int drawn = pace->terminal && pace->shown > 0;
        pace->begun = pace->limit = 0;
        if (drawn)
            pace->shown = 0;
        text[0] = '\0';
        return drawn ? text : NULL;
    }
    if (!(pace->first > 0))
        pace->first = now;
    if (!(pace->begun > 0))
        pace->begun = now;
    const double since = pace->shown > 0 ? pace->shown : pace->first;
    if (now - since < (pace->terminal ? redrawn : repeated))
        return NULL;
    pace->shown = now;
    put_text(pace, what, done, total, now, text);
    return text;
}

static cli_pace the_pace;

void cli_progress_of(const char *command)
{
    the_pace.command = command;
}

void cli_progress_until(double seconds)
{
    the_pace.limit = seconds;
}

void cli_progress(const char *what, uint64_t done, uint64_t total)
{
    struct timespec now;
    char text[CLI_PACE_TEXT];
    clock_gettime(CLOCK_MONOTONIC, &now);
    the_pace.terminal = isatty(STDERR_FILENO);
    the_pace.deaths = gjb_session_deaths();
    const char *line = cli_pace_text(&the_pace, what, done, total, (double)now.tv_sec + 1e-9 * (double)now.tv_nsec, text);
    if (line && the_pace.terminal)
        fprintf(stderr, "\r\033[K%s", line);
    else if (line)
        fprintf(stderr, "%s\n", line);
    fflush(stderr);
}
