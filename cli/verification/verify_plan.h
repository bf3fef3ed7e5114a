/* From SELECT to a verification plan; `verify` and `run` share it. */
#ifndef GJB_CLI_VERIFY_PLAN_H
#define GJB_CLI_VERIFY_PLAN_H

#include "cli/options/select.h"
#include "verify/verify.h"

/* What the plan's pointers lead to; must outlive it. */
typedef struct cli_verify_lists {
    gjb_verify_workload workloads[CLI_SELECT_MAX * 2];
    const gjb_family *families[CLI_SELECT_MAX];
    gjb_verify_entry entries[CLI_CONTENDERS_MAX * CLI_BACKENDS_MAX];
} cli_verify_lists;

/* Fills in workloads, families, entries, queries, precisions, stop and
 * progress; leaves the numbers to the caller. */
void cli_verify_plan(const cli_select *select, cli_verify_lists *lists, gjb_verify_plan *plan);
/* 0, or -1 with one line in `error` when the plan asks for nothing: silence
 * about nothing would pass for success. Workloads and families that a dimension
 * lacks are passed over, unless none is left: then `select`, which the plan was filled from, says which they were. */
int cli_verify_check(const cli_select *select, const gjb_verify_plan *plan, gjb_error *error);
/* The same of what came of it: contenders may have declined every pair. An
 * empty shard of a plan that has pairs is fine. */
int cli_verify_check_report(const gjb_verify_report *report, gjb_error *error);
gjb_verify_paint cli_verify_paint(FILE *stream);

#endif
