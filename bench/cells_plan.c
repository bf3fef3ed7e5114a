/* What to measure for cells: the lists that stand for what the command line leaves open. */
#include <string.h>

#include "bench/cells.h"
#include "core/query.h"
#include "scenes/generate/generate.h"

enum { NAMES_MOST = 64, WAYS_MOST = 1024, ANSWERS = 4096, GRADES = 1024, MOVING_GRADES = 256,
       AT_REST = GJB_AT_REST_QUERIES };

static const char *const workloads[] = {"box",  "polygon3", "polygon8", "polygon16", "polygon32",  "hull4",
                                        "hull8", "hull16",   "hull32",   "mixed-kinds", NULL};
static const char *const moving_workloads[] = {"box", "polygon8", "polygon32", "hull16", "hull32", NULL};
static const char *const families[] = {"far", "near", "touching", "shallow", "deep", "mixed", "parallel", NULL};
static const char *const one_family[] = {"mixed", NULL};
static const char *const motions[] = {"approach", "approach-turn", "resting", NULL};
static const uint32_t whole[] = {4096}, few[] = {1, 16, 256};

/* Workloads in all these families and call sizes, for these queries; without workloads, the recordings. */
static const struct part {
    const char *const *workloads, *const *families;
    const uint32_t *calls;
    size_t call_count;
    uint32_t queries;
} parts[] = {
    {workloads, families, whole, sizeof whole / sizeof *whole, AT_REST},
    {workloads, one_family, few, sizeof few / sizeof *few, AT_REST},
    {moving_workloads, motions, whole, sizeof whole / sizeof *whole, 1u << GJB_TOI},
    {NULL, NULL, NULL, 0, AT_REST | 1u << GJB_TOI},
};

static int given(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return 1;
    return 0;
}

/* Is the part about one family, at which calls vary? */
static int varies_calls(const struct part *part)
{
    return part->families == one_family;
}

/* Those that are named and no recordings, or those of the part that a selected dimension has. */
static size_t workloads_of(const struct part *part, const gjb_plan_options *options, const char *names[NAMES_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < options->workload_count && count < NAMES_MOST; i++)
        if (gjb_workload_vertices(2, options->workloads[i]) || gjb_workload_vertices(3, options->workloads[i]))
            names[count++] = options->workloads[i];
    for (size_t i = 0; !options->workload_count && part->workloads[i]; i++)
        if ((options->dims >> 2 & 1 && gjb_workload_vertices(2, part->workloads[i])) ||
            (options->dims >> 3 & 1 && gjb_workload_vertices(3, part->workloads[i])))
            names[count++] = part->workloads[i];
    return count;
}

static size_t families_of(const struct part *part, const gjb_plan_options *options, const char *names[NAMES_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < options->family_count && count < NAMES_MOST; i++)
        if (!varies_calls(part) || options->call_count || !strcmp(options->families[i], part->families[0]))
            names[count++] = options->families[i];
    for (size_t i = 0; !options->family_count && part->families[i]; i++)
        names[count++] = part->families[i];
    return count;
}

/* Calls that are named go with the families that are, or with the one at which calls vary. */
static size_t calls_of(const struct part *part, const gjb_plan_options *options, uint32_t calls[NAMES_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < options->call_count && count < NAMES_MOST; i++)
        if (options->family_count || varies_calls(part) || options->calls[i] == part->calls[0])
            calls[count++] = options->calls[i];
    for (size_t i = 0; !options->call_count && i < part->call_count; i++)
        calls[count++] = part->calls[i];
    return count;
}

static int add_generated(gjb_plan *plan, const struct part *part, const gjb_plan_options *options, gjb_error *error)
{
    const char *names[NAMES_MOST], *lie[NAMES_MOST];
    uint32_t calls[NAMES_MOST];
    gjb_plan_options of = *options;
    of.workloads = names, of.workload_count = workloads_of(part, options, names);
    of.families = lie, of.family_count = families_of(part, options, lie);
    of.calls = calls, of.call_count = calls_of(part, options, calls);
    if (!of.workload_count || !of.family_count || !of.call_count)
        return 0;
    return gjb_plan_add(plan, &of, error);
}

/* With a family that is named there is no room for these, but by name. */
static int add_recordings(gjb_plan *plan, const gjb_plan_options *options, gjb_error *error)
{
    const char *names[NAMES_MOST];
    gjb_plan_options of = *options;
    of.workloads = names, of.workload_count = 0;
    of.family_count = 0;
    for (size_t i = 0; i < options->recording_count && of.workload_count < NAMES_MOST; i++)
        if (options->workload_count ? given(options->workloads, options->workload_count, options->recordings[i].name)
                                    : !options->family_count)
            names[of.workload_count++] = options->recordings[i].name;
    return of.workload_count ? gjb_plan_add(plan, &of, error) : 0;
}

/* The reference answers for no one's sake but the truth's. Fewer answers and grades than where contenders are
 * compared at one point alone: there are hundreds. */
static void trim(gjb_plan *plan)
{
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++) {
        gjb_bench_case *p = &plan->points[i];
        if (!strcmp(p->way.contender->name, "reference"))
            continue;
        const uint64_t frames = p->recorded && p->recorded->frame_count ? p->recorded->frame_count : 1,
                       grades = gjb_queries[p->query].moving == GJB_AT_REST ? GRADES : MOVING_GRADES,
                       answers = gjb_bench_case_answers(p), usual = gjb_bench_case_grades(p);
        p->answers = answers < ANSWERS || p->recorded || p->call > ANSWERS ? answers : ANSWERS;
        p->grades = usual < grades / frames + (frames > 1) ? usual : grades / frames + (frames > 1);
        plan->points[kept++] = *p;
    }
    plan->count = kept;
}

int gjb_cells_plan(gjb_plan *plan, const gjb_plan_options *options, gjb_error *error)
{
    gjb_plan_options each = *options;
    int ours = 0;
    plan->both_scenes = 1;
    if (!each.dims)
        each.dims = 1u << 2 | 1u << 3;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        each.queries = parts[i].queries & (options->queries ? options->queries : GJB_UNNAMED_QUERIES);
        if (each.queries && (parts[i].workloads ? add_generated(plan, &parts[i], &each, error)
                                                : add_recordings(plan, &each, error)))
            return -1;
    }
    trim(plan);
    for (size_t i = 0; i < plan->count; i++)
        ours |= plan->points[i].way.contender->ours;
    if (!plan->count)
        return gjb_fail(error, "nothing to measure: no selected contender supports what is selected");
    return ours ? 0 : gjb_fail(error, "cells are of batch against the others: it is not among the selected contenders");
}
