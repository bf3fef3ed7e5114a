/* The names that SELECT's options take, for completion. */
#include <string.h>

#include "cli/options/select.h"
#include "contenders/recorded.h"
#include "contenders/table.h"

/* Once each, as tours of both dimensions share most. */
static size_t add(const char **names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return count;
    if (count < CLI_SELECT_VALUES)
        names[count++] = name;
    return count;
}

static size_t queries(const cli_select *select, const char **names)
{
    size_t count = 0;
    (void)select;
    for (int i = 0; i < GJB_QUERIES; i++)
        count = add(names, count, gjb_queries[i].name);
    return count;
}

/* Those of N vertices, which alone have a least number, by the numbers that the tour has. */
static size_t workloads(const cli_select *select, const char **names)
{
    size_t count = 0;
    for (size_t i = 0; i < gjb_workload_count; i++)
        count = gjb_workloads[i].least ? count : add(names, count, gjb_workloads[i].name);
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (const char *const *name = gjb_workload_tour(dim); *name; name++)
            count = add(names, count, *name);
    for (size_t i = 0; select && select->takes_recorded && i < gjb_recorded_count; i++)
        count = add(names, count, gjb_recorded_scenes[i].name);
    return count;
}

static size_t families(const cli_select *select, const char **names)
{
    size_t count = 0;
    (void)select;
    for (size_t i = 0; i < gjb_family_count; i++)
        count = add(names, count, gjb_families[i].name);
    return count;
}

static size_t contenders(const cli_select *select, const char **names)
{
    size_t count = add(names, 0, "all");
    (void)select;
    for (size_t i = 0; i < gjb_contender_count(); i++)
        count = add(names, count, gjb_contender_at(i)->name);
    return count;
}

static size_t backends(const cli_select *select, const char **names)
{
    size_t count = 0;
    (void)select;
    for (size_t i = 0; i < gjb_contender_count(); i++)
        for (const char *const *b = gjb_contender_at(i)->backends; b && *b; b++)
            if (gjb_contender_has(gjb_contender_at(i), *b))
                count = add(names, count, *b);
    return count;
}

static size_t precisions(const cli_select *select, const char **names)
{
    size_t count = 0;
    (void)select;
    for (int i = 0; i < GJB_PRECISIONS; i++)
        count = add(names, count, gjb_precision_name((gjb_precision)i));
    return count;
}

static size_t dims(const cli_select *select, const char **names)
{
    (void)select;
    return add(names, add(names, 0, "2"), "3");
}

size_t cli_select_values(const cli_select *select, const char *option, const char *names[CLI_SELECT_VALUES])
{
    static const struct {
        const char *option;
        size_t (*names)(const cli_select *, const char **);
    } rows[] = {{"query", queries},         {"workload", workloads}, {"family", families}, {"contender", contenders},
                {"backend", backends}, {"precision", precisions}, {"dim", dims}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].option, option) == 0)
            return rows[i].names(select, names);
    return 0;
}
