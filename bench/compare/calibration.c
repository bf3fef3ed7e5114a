/* Sums up repeated comparisons: the rate of false alarms, and how many of the injected slow-downs were found. */
#include "bench/compare/calibration.h"

#include <math.h>
#include <stdlib.h>

#include "bench/statistics.h"

int gjb_calibration_add(gjb_calibration_level *level, const gjb_comparison *comparison)
{
    if (!(level->slow > 0)) {
        double *more = realloc(level->sizes, (level->size_count + comparison->count + 1) * sizeof *more);
        if (!more)
            return -1;
        level->sizes = more;
    }
    for (size_t i = 0; i < comparison->count; i++) {
        const gjb_compared *row = &comparison->rows[i];
        if (row->trouble[0] || (row->launches < GJB_RATIOS_LEAST && !comparison->of_counts))
            continue;
        level->benchmarks++;
        level->of[row->ratio.change]++;
        if (!(level->slow > 0))
            level->sizes[level->size_count++] = fmax(0, fmax(row->ratio.low, -row->ratio.high));
    }
    return 0;
}

void gjb_calibration_free(gjb_calibration *calibration)
{
    for (size_t i = 0; i < calibration->count; i++)
        free(calibration->levels[i].sizes);
}

double gjb_calibration_floor(const gjb_calibration *calibration)
{
    size_t count = 0;
    for (size_t i = 0; i < calibration->count; i++)
        count += calibration->levels[i].size_count;
    double *all = malloc((count + 1) * sizeof *all), floor = 0;
    if (!all)
        return 0;
    count = 0;
    for (size_t i = 0; i < calibration->count; i++)
        for (size_t k = 0; k < calibration->levels[i].size_count; k++)
            all[count++] = calibration->levels[i].sizes[k];
    gjb_sort(all, count);
    if (count)
        floor = expm1(all[(size_t)ceil(0.99 * (double)count) - 1]);
    free(all);
    return floor;
}

typedef struct share {
    uint64_t some, all;
    double value, low, high;
} share;

static share share_of(uint64_t some, uint64_t all)
{
    return (share){some, all, all ? (double)some / (double)all : 0, gjb_share_lower(some, all),
                   gjb_share_upper(some, all)};
}

/* What it is asked for: alarms if there is nothing, slow-downs if there are. */
static share found(const gjb_calibration_level *level)
{
    const uint64_t alarms =
        level->of[GJB_CHANGE_SLOWER] + (level->slow > 0 ? 0 : level->of[GJB_CHANGE_FASTER]);
    return share_of(alarms, level->benchmarks);
}

double gjb_calibration_alarms(const gjb_calibration *calibration)
{
    uint64_t alarms = 0, all = 0;
    for (size_t i = 0; i < calibration->count; i++) {
        const gjb_calibration_level *level = &calibration->levels[i];
        alarms += level->slow > 0 ? 0 : found(level).some;
        all += level->slow > 0 ? 0 : level->benchmarks;
    }
    return all ? (double)alarms / (double)all : 0;
}

void gjb_calibration_print(const gjb_calibration *calibration, FILE *stream, const gjb_bench_paint *paint)
{
    fprintf(stream, "%s%-12s %10s   %s%s\n", paint->title, "", "benchmarks", "called changed", paint->plain);
    for (size_t i = 0; i < calibration->count; i++) {
        const gjb_calibration_level *level = &calibration->levels[i];
        const share s = found(level);
        if (!level->benchmarks)
            continue;
        fprintf(stream, "%-12s %10llu   %llu: %.2f%% (%.2f%% to %.2f%%) %s", level->name,
                (unsigned long long)s.all, (unsigned long long)s.some, 100 * s.value, 100 * s.low,
                100 * s.high, level->slow > 0 ? "found slower" : "false alarms");
        if (level->slow > 0 && level->of[GJB_CHANGE_FASTER])
            fprintf(stream, "; %llu called faster", (unsigned long long)level->of[GJB_CHANGE_FASTER]);
        fprintf(stream, "; %llu called the same\n", (unsigned long long)level->of[GJB_CHANGE_NONE]);
    }
}

json_t *gjb_calibration_json(const gjb_calibration *calibration)
{
    json_t *levels = json_array();
    for (size_t i = 0; i < calibration->count; i++) {
        const gjb_calibration_level *level = &calibration->levels[i];
        const share s = found(level);
        json_array_append_new(levels,
                              json_pack("{ss sf sI sI sf sf sf sI sI sI sI}", "name", level->name, "slow",
                                        level->slow, "benchmarks", (json_int_t)level->benchmarks, "found",
                                        (json_int_t)s.some, "share", s.value, "low", s.low, "high", s.high,
                                        "slower", (json_int_t)level->of[GJB_CHANGE_SLOWER], "faster",
                                        (json_int_t)level->of[GJB_CHANGE_FASTER], "same",
                                        (json_int_t)level->of[GJB_CHANGE_NONE], "cannot_tell",
                                        (json_int_t)level->of[GJB_CHANGE_UNSURE]));
    }
    return levels;
}
