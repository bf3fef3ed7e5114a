/* Signs that a machine is unfit for timing: other load, stolen ticks, a governor that changes the clock. */
#include "bench/machine/timing_conditions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAUNCHES_ENOUGH = 12 };
/* Shares of all CPUs: work of others, and ticks that the host gave to others. */
static const double load_most = 0.25, stolen_most = 0.02;

static void read_ticks(gjb_conditions *f)
{
    unsigned long long ticks[8] = {0};
    FILE *file = fopen("/proc/stat", "re");
    if (!file)
        return;
    if (fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &ticks[0], &ticks[1], &ticks[2],
               &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]) == 8) {
        for (int i = 0; i < 8; i++)
            f->all += ticks[i];
        f->stolen = ticks[7];
    }
    fclose(file);
}

void gjb_conditions_begin(gjb_conditions *before)
{
    *before = (gjb_conditions){0};
    read_ticks(before);
    if (getloadavg(&before->load, 1) != 1)
        before->load = 0;
}

static int governor_changes_clock(char *name, size_t size)
{
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "re");
    const int got = file && fgets(name, (int)size, file);
    if (file)
        fclose(file);
    if (!got)
        return 0;
    name[strcspn(name, "\n")] = '\0';
    return strcmp(name, "performance") != 0;
}

int gjb_conditions_warn(const gjb_conditions *before, size_t launches, FILE *stream)
{
    const double cpus = (double)sysconf(_SC_NPROCESSORS_ONLN);
    char governor[64];
    gjb_conditions now = {0};
    int warnings = 0;
    read_ticks(&now);
    const double stolen =
        now.all > before->all ? (double)(now.stolen - before->stolen) / (double)(now.all - before->all) : 0;
    if (governor_changes_clock(governor, sizeof governor)) {
        fprintf(stream,
                "warning: the clock rate changes with load (governor '%s'): sudo cpupower frequency-set -g "
                "performance\n",
                governor);
        warnings++;
    }
    if (before->load > load_most * cpus) {
        fprintf(
            stream,
            "warning: others were at work when it began (load %.1f on %.0f CPUs): end them, or give it more "
            "time (--budget)\n",
            before->load, cpus);
        warnings++;
    }
    if (stolen > stolen_most) {
        fprintf(stream,
                "warning: the host gave %.0f%% of the CPUs to other guests meanwhile: run it when they rest, "
                "or give "
                "it more time (--budget)\n",
                100 * stolen);
        warnings++;
    }
    if (launches < LAUNCHES_ENOUGH) {
        fprintf(
            stream,
            "warning: %zu launch%s too few to tell much: give it more time (--budget), or fewer benchmarks (--only)\n",
            launches, launches == 1 ? " is" : "es are");
        warnings++;
    }
    return warnings;
}
