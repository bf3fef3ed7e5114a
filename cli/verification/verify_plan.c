/* Fills a verification plan from SELECT, checks it, and shows progress and counts. */
#include "cli/verification/verify_plan.h"

#include "cli/output.h"

static void progress(uint64_t done, uint64_t total)
{
    cli_progress("graded pairs", done, total);
}

/* Those selected that the dimension has, or all that are proven in it. */
static void add_workloads(const cli_select *select, uint32_t dim, cli_verify_lists *lists, gjb_verify_plan *plan)
{
    const char *const *tour = gjb_workload_tour(dim);
    for (size_t i = 0; i < select->workload_count; i++)
        if (gjb_workload_vertices(dim, select->workloads[i]))
            lists->workloads[plan->workload_count++] = (gjb_verify_workload){dim, select->workloads[i]};
    for (size_t i = 0; !select->workload_count && tour[i] && i < CLI_SELECT_MAX; i++)
        lists->workloads[plan->workload_count++] = (gjb_verify_workload){dim, tour[i]};
}

void cli_verify_plan(const cli_select *select, cli_verify_lists *lists, gjb_verify_plan *plan)
{
    plan->workloads = lists->workloads;
    for (uint32_t dim = 2; dim <= 3; dim++)
        if (select->dims >> dim & 1)
            add_workloads(select, dim, lists, plan);
    plan->families = lists->families;
    for (size_t i = 0; i < select->family_count; i++)
        lists->families[plan->family_count++] = select->families[i];
    for (size_t i = 0; !select->family_count && i < gjb_family_count && i < CLI_SELECT_MAX; i++)
        lists->families[plan->family_count++] = &gjb_families[i];
    plan->entries = lists->entries;
    for (size_t i = 0; i < select->contender_count; i++) {
        const char *backends[CLI_BACKENDS_MAX];
        size_t count = cli_select_backends(select, select->contenders[i], backends);
        for (size_t b = 0; b < count && plan->entry_count < sizeof lists->entries / sizeof *lists->entries;
             b++)
            lists->entries[plan->entry_count++] = (gjb_verify_entry){select->contenders[i], backends[b]};
    }
    plan->queries = select->queries;
    plan->precisions = select->precisions;
    plan->stop = &cli_interrupted;
    plan->progress = progress;
}

int cli_verify_check(const cli_select *select, const gjb_verify_plan *plan, gjb_error *error)
{
    if (!plan->pairs)
        return gjb_fail(error, "nothing to grade: --pairs 0");
    if (cli_check_leaving(select, plan->leaving, error))
        return -1;
    uint32_t dims = 0, answered = 0;
    char clash[256];
    const gjb_family *met = NULL; /* the first by a query */
    for (size_t f = 0; f < plan->family_count; f++)
        for (int q = 0; q < GJB_QUERIES && !met; q++)
            if (plan->queries >> q & 1u && gjb_query_meets((gjb_query)q, plan->families[f]->moving))
                met = plan->families[f];
    if (!met)
        return gjb_fail(error, "nothing to grade: toi needs families in motion, sweep those of moving boxes, "
                               "and all other queries families at rest ('list' shows the families)");
    for (size_t w = 0; w < plan->workload_count; w++)
        for (size_t f = 0; f < plan->family_count; f++)
            if (gjb_verify_asks(plan, plan->families[f], &plan->workloads[w]))
                dims |= 1u << plan->workloads[w].dim;
    if (!plan->workload_count)
        return gjb_fail(error, "nothing to grade: --workload '%s': no selected dimension has it", select->workloads[0]);
    const gjb_verify_workload *first = &plan->workloads[0];
    if (!dims && !select->family_count)
        return gjb_fail(error, "nothing to grade: --workload '%s': no family of the query has pairs of it in %uD", first->name,
                        first->dim);
    if (!dims)
        return gjb_fail(error, "nothing to grade: --family '%s': has no pairs of workload '%s' in %uD%s", met->name,
                        first->name, first->dim,
                        met->dims >> first->dim & 1 ? "; it defines its own vertices, and no curved shapes" : "");
    for (size_t i = 0; i < plan->entry_count; i++) {
        const gjb_contender *contender = plan->entries[i].contender;
        if (contender->queries & plan->queries && contender->precisions & plan->precisions)
            answered |= contender->dims;
    }
    if (!(dims & answered))
        return gjb_fail(
            error, "nothing to grade: no selected contender has a selected query, precision and dimension%s",
            cli_select_clash(select, clash));
    return 0;
}

int cli_verify_check_report(const gjb_verify_report *report, gjb_error *error)
{
    if (!report->pairs_done)
        return 0;
    bool unasked = false;
    for (size_t i = 0; i < report->row_count; i++) {
        const gjb_verify_row *row = &report->rows[i];
        if (2 * row->pairs > 2 * row->unsupported + row->unasked) /* these count both orders of A and B */
            return 0;
        unasked |= row->unasked > 0;
    }
    return gjb_fail(error, "nothing to grade: %s",
                    unasked ? "no selected contender lived to answer: what ended it is listed"
                            : "no selected contender supports the shapes of the selected pairs");
}

gjb_verify_paint cli_verify_paint(FILE *stream)
{
    return (gjb_verify_paint){cli_color(stream, CLI_GOOD), cli_color(stream, CLI_BAD),
                              cli_color(stream, CLI_NOTE), cli_color(stream, CLI_PLAIN)};
}
