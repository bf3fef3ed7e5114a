/* Medians of a series between its changes. */
#include "history/levels.h"

#include <math.h>
#include <stdlib.h>

#include "bench/statistics.h"

double gjb_series_median(const gjb_series *s, size_t first, size_t end)
{
    double *ns = malloc((end - first) * sizeof *ns), median = NAN;
    for (size_t i = first; ns && i < end; i++)
        ns[i - first] = s->times[i].ns;
    if (ns)
        median = gjb_median(ns, end - first);
    free(ns);
    return median;
}

int gjb_levels_of(const gjb_found *found, gjb_levels *levels)
{
    *levels = (gjb_levels){.all = malloc((found->part_count + found->turn_count + 1) * sizeof *levels->all)};
    if (!levels->all)
        return -1;
    size_t turn = 0;
    for (size_t p = 0; p < found->part_count; p++) {
        const gjb_part *part = &found->parts[p];
        const size_t first_level = levels->count;
        for (size_t first = part->first, end; first < part->end; first = end) {
            end = turn < found->turn_count && found->turns[turn].at < part->end ? found->turns[turn++].at
                                                                                : part->end;
            gjb_level level = {first, end, gjb_series_median(found->series, first, end), 1};
            if (!isfinite(level.ns))
                return -1;
            levels->all[levels->count++] = level;
            levels->all[levels->count - 1].ratio = level.ns / levels->all[first_level].ns;
        }
    }
    return 0;
}
