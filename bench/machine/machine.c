/* Facts about the machine, read from /proc and /sys: caches, clock rate, governor, load. */
#include "bench/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CPU0 "/sys/devices/system/cpu/cpu0/"

/* First line of a small file, without its newline; 0 when there is none. */
static int read_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    int got = fgets(line, (int)size, file) != NULL;
    fclose(file);
    if (got)
        line[strcspn(line, "\n")] = 0;
    return got;
}

static int cache_field(int index, const char *field, char *line, size_t size)
{
    char path[128];
    snprintf(path, sizeof path, CPU0 "cache/index%d/%s", index, field);
    return read_line(path, line, size);
}

static unsigned set_bits(const char *hexadecimal)
{
    unsigned bits = 0;
    for (; *hexadecimal; hexadecimal++) {
        const char digit[2] = {*hexadecimal, 0};
        bits += (unsigned)__builtin_popcountl(strtoul(digit, NULL, 16));
    }
    return bits;
}

static json_t *caches(void)
{
    json_t *all = json_array();
    char type[32], level[32], size[32], shared[512];
    for (int i = 0; cache_field(i, "type", type, sizeof type) && cache_field(i, "level", level, sizeof level) &&
                    cache_field(i, "size", size, sizeof size); i++) {
        unsigned sharing = cache_field(i, "shared_cpu_map", shared, sizeof shared) ? set_bits(shared) : 0;
        char unit = size[0] ? size[strlen(size) - 1] : 0;
        json_int_t bytes = atoll(size) * (unit == 'K' ? 1 << 10 : unit == 'M' ? 1 << 20 : 1);
        json_array_append_new(all, json_pack("{ss si sI si}", "type", type, "level", atoi(level), "size", bytes,
                                             "num_sharing", (int)sharing));
    }
    return all;
}

static double megahertz(void)
{
    char line[256];
    if (read_line(CPU0 "cpufreq/cpuinfo_max_freq", line, sizeof line))
        return atof(line) / 1000;
    FILE *file = fopen("/proc/cpuinfo", "r");
    double mhz = 0;
    while (file && mhz == 0 && fgets(line, sizeof line, file))
        if (!strncmp(line, "cpu MHz", 7) && strchr(line, ':'))
            mhz = atof(strchr(line, ':') + 1);
    if (file)
        fclose(file);
    return mhz;
}

void gjb_machine_add(json_t *context)
{
    char governor[64];
    double mhz = megahertz(), load[3];
    if (mhz > 0)
        json_object_set_new(context, "mhz_per_cpu", json_real(mhz));
    if (read_line(CPU0 "cpufreq/scaling_governor", governor, sizeof governor))
        json_object_set_new(context, "cpu_scaling_enabled", json_boolean(strcmp(governor, "performance") != 0));
    json_object_set_new(context, "caches", caches());
    json_t *loads = json_array();
    int count = getloadavg(load, 3);
    for (int i = 0; i < count; i++)
        json_array_append_new(loads, json_real(load[i]));
    json_object_set_new(context, "load_avg", loads);
}
