/* Merges a run's league table with a kept one, if machine and seed agree. */
#include <stdio.h>
#include <string.h>

#include "core/json_file.h"
#include "reports/league/league.h"

/* What makes times and pairs comparable. */
static const char *const conditions[] = {"cpu", "num_cpus", "seed"};

static void say(json_t *value, char *out, size_t size)
{
    if (json_is_string(value))
        snprintf(out, size, "%.60s", json_string_value(value));
    else if (json_is_number(value))
        snprintf(out, size, "%.15g", json_number_value(value));
    else
        snprintf(out, size, "not said");
}

/* Why nothing can be kept, or "". */
static void compare(json_t *kept, json_t *fresh, char *refused, size_t size)
{
    json_t *before = json_object_get(kept, "context"), *now = json_object_get(fresh, "context");
    *refused = '\0';
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions && !*refused; i++) {
        json_t *a = json_object_get(before, conditions[i]), *b = json_object_get(now, conditions[i]);
        char x[64], y[64];
        if (a && b && json_equal(a, b))
            continue;
        say(a, x, sizeof x);
        say(b, y, sizeof y);
        if (a || b)
            snprintf(refused, size, "%s was %s, and is %s", conditions[i], x, y);
    }
}

/* What tells entries apart. */
static const char *const keys[] = {"contender", "backend", "precision", "query", "dim"};

static json_t *find_entry(json_t *entries, json_t *wanted)
{
    json_t *one;
    size_t i;
    json_array_foreach(entries, i, one) {
        size_t k = 0;
        while (k < sizeof keys / sizeof *keys &&
               json_equal(json_object_get(one, keys[k]), json_object_get(wanted, keys[k])))
            k++;
        if (k == sizeof keys / sizeof *keys)
            return one;
    }
    return NULL;
}

static json_t *find_contender(json_t *league, const char *name)
{
    json_t *one;
    size_t i;
    json_array_foreach(json_object_get(league, "contenders"), i, one)
        if (!strcmp(gjb_text_at(one, "name"), name))
            return one;
    return NULL;
}

/* Did the contender take part again, as another version? */
static int outdated(json_t *kept, json_t *fresh, const char *name)
{
    json_t *now = find_contender(fresh, name);
    return now && strcmp(gjb_text_at(now, "version"), gjb_text_at(find_contender(kept, name), "version")) != 0;
}

json_t *gjb_league_merge(json_t *kept, json_t *fresh, gjb_league_change *change)
{
    json_t *merged = json_deep_copy(fresh), *entries = json_object_get(merged, "entries"), *entry;
    size_t i;
    *change = (gjb_league_change){0};
    if (!merged)
        return NULL;
    compare(kept, fresh, change->refused, sizeof change->refused);
    change->added = json_array_size(entries);
    json_array_foreach(json_object_get(kept, "entries"), i, entry) {
        const char *name = gjb_text_at(entry, "contender");
        json_t *about = find_contender(kept, name);
        if (*change->refused)
            break;
        if (find_entry(json_object_get(fresh, "entries"), entry)) {
            change->renewed++;
            change->added--;
        } else if (outdated(kept, fresh, name)) {
            change->outdated++;
        } else {
            change->kept++;
            json_array_append(entries, entry);
            if (about && !find_contender(merged, name))
                json_array_append(json_object_get(merged, "contenders"), about);
        }
    }
    return merged;
}
