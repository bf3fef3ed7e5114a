/* Reads, sums and writes counts of answers that depended on repetition or translation. */
#include "reports/metrics.h"

#include <math.h>
#include <stdio.h>

#define REPEAT(key, member) {key, offsetof(metrics, member), COUNT, 1}
#define SHIFT(key, member, type) {key, offsetof(metric_shift, member), type, 1}

static const field repeat_fields[] = {
    REPEAT("pairs", pairs), REPEAT("again", again), REPEAT("reordered", reordered),
    REPEAT("other_session", other_session),
};

static const field shift_fields[] = {
    SHIFT("log2", log2, NUMBER),     SHIFT("pairs", pairs, COUNT),     SHIFT("inexact", inexact, COUNT),
    SHIFT("changed", changed, COUNT), SHIFT("flipped", flipped, COUNT), SHIFT("worst_eps", worst_eps, COUNT),
};

enum {
    REPEATS = sizeof repeat_fields / sizeof *repeat_fields,
    SHIFT_FIELDS = sizeof shift_fields / sizeof *shift_fields
};

int metrics_read(metrics *m, json_t *row, const char *where, gjb_error *error)
{
    json_t *object = json_object_get(row, "metrics"), *repeat, *shifts, *shift;
    char inside[448];
    size_t i;
    *m = (metrics){0};
    if (!object || json_is_null(object))
        return 0;
    repeat = json_object_get(object, "repeat");
    shifts = json_object_get(object, "shifts");
    if (!json_is_object(repeat))
        return gjb_fail(error, "%s.metrics.repeat: expected an object", where);
    if (!json_is_array(shifts) || json_array_size(shifts) > METRIC_SHIFTS)
        return gjb_fail(error, "%s.metrics.shifts: expected an array of at most %d", where, METRIC_SHIFTS);
    snprintf(inside, sizeof inside, "%.400s.metrics.repeat", where);
    if (fields_read(m, repeat_fields, REPEATS, repeat, inside, error))
        return -1;
    json_array_foreach(shifts, i, shift) {
        snprintf(inside, sizeof inside, "%.400s.metrics.shifts[%zu]", where, i);
        if (fields_read(&m->shifts[m->shift_count++], shift_fields, SHIFT_FIELDS, shift, inside, error))
            return -1;
    }
    return 0;
}

void metrics_add(metrics *sum, const metrics *part)
{
    sum->pairs += part->pairs;
    sum->again += part->again;
    sum->reordered += part->reordered;
    sum->other_session += part->other_session;
    for (size_t p = 0; p < part->shift_count; p++) {
        const metric_shift *from = &part->shifts[p];
        size_t s = 0;
        while (s < sum->shift_count && sum->shifts[s].log2 != from->log2)
            s++;
        if (s == METRIC_SHIFTS)
            continue;
        if (s == sum->shift_count)
            sum->shifts[sum->shift_count++] = (metric_shift){.log2 = from->log2};
        metric_shift *into = &sum->shifts[s];
        into->pairs += from->pairs;
        into->inexact += from->inexact;
        into->changed += from->changed;
        into->flipped += from->flipped;
        into->worst_eps = fmax(into->worst_eps, from->worst_eps);
    }
}

static json_t *object_of(const void *row, const field *fields, size_t count)
{
    json_t *object = json_object();
    for (size_t i = 0; i < count; i++) {
        const double value = *(const double *)((const char *)row + fields[i].offset);
        json_object_set_new(object, fields[i].key,
                            value == floor(value) && fabs(value) < 0x1p53 ? json_integer((json_int_t)value)
                                                                          : json_real(value));
    }
    return object;
}

json_t *metrics_json(const metrics *m)
{
    json_t *shifts;
    if (!(m->pairs > 0))
        return NULL;
    shifts = json_array();
    for (size_t s = 0; s < m->shift_count; s++)
        json_array_append_new(shifts, object_of(&m->shifts[s], shift_fields, SHIFT_FIELDS));
    return json_pack("{so so}", "repeat", object_of(m, repeat_fields, REPEATS), "shifts", shifts);
}
