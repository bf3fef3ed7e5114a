/* Turns a plan into one of all pairs of a small grid, and refuses options that have no say about these. */
#include "cli/verification/verify_grid.h"

#include "cli/options/options.h"
#include "core/spelling.h"

static const uint32_t queries = GJB_AT_REST_QUERIES & ~(1u << GJB_MANIFOLD);

static uint64_t count_or(uint64_t given, uint64_t otherwise)
{
    return given == CLI_NOT_GIVEN ? otherwise : given;
}

void cli_verify_defaults(gjb_verify_plan *plan)
{
    plan->pairs = count_or(plan->pairs, 200000);
    plan->space_pairs = count_or(plan->space_pairs, 0);
    plan->seed = count_or(plan->seed, 1);
    plan->margin = cli_margin_of_made(plan->margin);
    plan->within = cli_within_of_made(plan->within);
    plan->leaving = cli_leaving_of_made(plan->leaving);
}

static int unknown(const char *name, gjb_error *error)
{
    const char *names[8], *near;
    size_t count = 0;
    for (; count < gjb_grid_count && count < sizeof names / sizeof *names; count++)
        names[count] = gjb_grids[count].name;
    near = gjb_nearest_name(name, names, count);
    return near ? gjb_fail(error, "unknown grid '%s'; did you mean '%s'?", name, near)
                : gjb_fail(error, "unknown grid '%s'; there are grid2 and grid3", name);
}

/* What would choose among pairs, where all are taken. */
static int check(const gjb_grid_row *row, const cli_select *select, const char *hulls,
                 const gjb_verify_plan *plan, gjb_error *error)
{
    const struct {
        const char *name;
        int given;
    } options[] = {{"pairs", plan->pairs != CLI_NOT_GIVEN},
                   {"space-pairs", plan->space_pairs != CLI_NOT_GIVEN},
                   {"seed", plan->seed != CLI_NOT_GIVEN},
                   {"workload", select->workload_count > 0},
                   {"family", select->family_count > 0},
                   {"hulls", hulls != NULL},
                   {"margin", plan->margin >= 0},
                   {"within", plan->within >= 0},
                   {"leaving", plan->leaving != CLI_NO_LEAVING}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given)
            return gjb_fail(error, "--exhaustive %s: takes every pair of the grid, and no --%s", row->name,
                            options[i].name);
    for (int q = 0; q < GJB_QUERIES; q++)
        if (select->queries_given && (select->queries & ~queries) >> q & 1u)
            return gjb_fail(error,
                            "--exhaustive %s: --query %s: it is about intersect, distance, penetration and "
                            "signed_distance",
                            row->name, gjb_queries[q].name);
    return select->dims >> row->dim & 1u ? 0
                                         : gjb_fail(error, "--exhaustive %s: --dim %u: it is a grid of %uD",
                                                    row->name, row->dim == 2 ? 3u : 2u, (unsigned)row->dim);
}

int cli_verify_grid(const char *name, const cli_select *select, const char *hulls, cli_verify_lists *lists,
                    gjb_verify_plan *plan, gjb_error *error)
{
    const gjb_grid_row *row = gjb_grid_find(name);
    if (!row)
        return unknown(name, error);
    if (check(row, select, hulls, plan, error))
        return -1;
    gjb_grid *grid = gjb_grid_open(row);
    if (!grid)
        return gjb_fail(error, "--exhaustive %s: out of memory", name);
    lists->workloads[0] = (gjb_verify_workload){row->dim, row->name};
    lists->families[0] = &gjb_grid_family;
    plan->workload_count = plan->family_count = 1;
    plan->grid = grid;
    plan->pairs = plan->space_pairs = gjb_grid_pairs(grid);
    plan->queries = select->queries & queries;
    plan->seed = plan->leaving = 0;
    plan->margin = plan->within = 0;
    return 0;
}
