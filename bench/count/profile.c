/* Parses callgrind's format: events in all, and the instructions of each function by itself. */
#include "bench/count/profile.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"

const char *const gjb_callgrind_options[] = {
    "--tool=callgrind",      "-q",
    "--instr-atstart=no",    "--collect-atstart=no",
    "--cache-sim=yes",       "--branch-sim=yes",
    "--I1=32768,8,64",       "--D1=32768,8,64",
    "--LL=8388608,16,64",    "--log-file=/dev/null", "--vgdb=no",
    "--compress-strings=no", "--compress-pos=no",
    NULL,
};

/* Cycles of one of each. What misses the last level costs is not known: at the base points nothing does. */
static const double cycles_instruction = 0.19, cycles_mispredicted = 24, cycles_miss = 1.6;

enum { EVENTS_MOST = 24, EVENT_NAME = 16 };

/* Events that count, and which sum each is part of. */
static const struct {
    const char *name;
    size_t of; /* in gjb_profile */
} events[] = {
    {"Ir", offsetof(gjb_profile, instructions)},    {"Bc", offsetof(gjb_profile, branches)},
    {"Bi", offsetof(gjb_profile, branches)},        {"Bcm", offsetof(gjb_profile, mispredicted)},
    {"Bim", offsetof(gjb_profile, mispredicted)},   {"I1mr", offsetof(gjb_profile, misses)},
    {"D1mr", offsetof(gjb_profile, misses)},        {"D1mw", offsetof(gjb_profile, misses)},
    {"ILmr", offsetof(gjb_profile, last_misses)},   {"DLmr", offsetof(gjb_profile, last_misses)},
    {"DLmw", offsetof(gjb_profile, last_misses)},
};
enum { EVENTS = sizeof events / sizeof *events };

typedef struct reading {
    gjb_profile *profile;
    char names[EVENTS_MOST][EVENT_NAME];
    size_t count; /* of names */
    char function[256];
    int is_call; /* the next costs are of what was called */
    int complete;
} reading;

static void read_events(reading *r, const char *names)
{
    int used = 0;
    for (r->count = 0; r->count < EVENTS_MOST && sscanf(names, "%15s%n", r->names[r->count], &used) == 1; names += used)
        r->count++;
}

/* The cost at place i of a line: what is left out at the end is 0. */
static void add_totals(reading *r, const char *costs)
{
    char *end;
    for (size_t i = 0; i < r->count; i++, costs = end) {
        const double cost = strtod(costs, &end);
        for (size_t e = 0; e < EVENTS && end != costs; e++)
            if (!strcmp(events[e].name, r->names[i]))
                *(double *)((char *)r->profile + events[e].of) += cost;
    }
    r->complete = r->count > 0 && !strcmp(r->names[0], "Ir");
}

/* Names lose what the compiler and callgrind add: "run.constprop.0", "run'2". */
static void enter_function(reading *r, const char *name)
{
    snprintf(r->function, sizeof r->function, "%.*s", (int)strcspn(name, ".'\n"), name);
}

static void add_cost(reading *r, const char *line)
{
    double position, instructions;
    if (sscanf(line, "%lf %lf", &position, &instructions) != 2)
        return;
    const double before = json_number_value(json_object_get(r->profile->functions, r->function));
    json_object_set_new(r->profile->functions, r->function, json_real(before + instructions));
}

static void read_line(reading *r, const char *line)
{
    if (!strncmp(line, "events: ", 8))
        read_events(r, line + 8);
    else if (!strncmp(line, "totals: ", 8))
        add_totals(r, line + 8);
    else if (!strncmp(line, "creator: ", 9))
        snprintf(r->profile->by, sizeof r->profile->by, "%.*s", (int)strcspn(line + 9, "\n"), line + 9);
    else if (!strncmp(line, "fn=", 3))
        enter_function(r, line + 3);
    else if (!strncmp(line, "calls=", 6))
        r->is_call = 1;
    else if (line[0] >= '0' && line[0] <= '9') {
        if (!r->is_call)
            add_cost(r, line);
        r->is_call = 0;
    }
}

int gjb_profile_read(gjb_profile *profile, const char *path, gjb_error *error)
{
    *profile = (gjb_profile){.functions = json_object()};
    reading r = {.profile = profile};
    char *line = NULL;
    size_t room = 0;
    FILE *file = gjb_file_open(path, error);
    if (!file)
        return -1;
    while (getline(&line, &room, file) > 0)
        read_line(&r, line);
    fclose(file);
    free(line);
    return r.complete ? 0 : gjb_fail(error, "%s: no counts of callgrind: has it no 'totals:' of 'Ir'?", path);
}

void gjb_profile_free(gjb_profile *profile)
{
    json_decref(profile->functions);
    *profile = (gjb_profile){0};
}

double gjb_profile_cycles(const gjb_profile *p)
{
    return cycles_instruction * p->instructions + cycles_mispredicted * p->mispredicted + cycles_miss * p->misses;
}
