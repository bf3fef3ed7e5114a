/* What verification does about a contender that misbehaves. */
#include <criterion/criterion.h>
#include <unistd.h>

#include "contenders/table.h"
#include "fuzz/verify.h"

static gjb_verify_report *verify_with(void (*run)(const void *, const gjb_batch *), gjb_contender *spoilt)
{
    static const gjb_verify_workload workloads[] = {{2, "polygon8"}};
    static const gjb_family *families[1];
    families[0] = gjb_family_find("mixed");
    *spoilt = *gjb_contender_find("reference");
    spoilt->run = run;
    spoilt->ours = 1;
    const gjb_verify_entry entry = {spoilt, NULL};
    const gjb_verify_plan plan = {.workloads = workloads,
                                  .workload_count = 1,
                                  .families = families,
                                  .family_count = 1,
                                  .entries = &entry,
                                  .entry_count = 1,
                                  .queries = 1u << GJB_DISTANCE,
                                  .precisions = (1u << GJB_PRECISIONS) - 1,
                                  .pairs = 64,
                                  .threads = 2,
                                  .hang_seconds = 0.5};
    gjb_error error = {{0}};
    gjb_verify_report *report = gjb_verify_run(&plan, &error);
    cr_assert(report, "%s", error.text);
    return report;
}

static void never_return(const void *prepared, const gjb_batch *batch)
{
    (void)prepared;
    (void)batch;
    for (;;)
        pause();
}

Test(verify, a_contender_that_hangs_is_reported_and_not_waited_for, .timeout = 20)
{
    gjb_contender spoilt;
    gjb_verify_report *report = verify_with(never_return, &spoilt);
    uint64_t hung = 0;
    for (size_t i = 0; i < report->row_count; i++)
        hung += report->rows[i].hung;
    cr_expect_eq(hung, 1);
    cr_expect(report->interrupted);
    cr_expect_eq(gjb_verify_exit(report), GJB_EXIT_WRONG);
    /* its threads hold what they use: nothing of it may be freed */
}

static void write_nothing(const void *prepared, const gjb_batch *batch)
{
    (void)prepared;
    (void)batch;
}

Test(verify, results_that_are_not_written_are_wrong, .timeout = 60)
{
    gjb_contender spoilt;
    gjb_verify_report *report = verify_with(write_nothing, &spoilt);
    cr_expect(report->row_count > 0);
    for (size_t i = 0; i < report->row_count; i++)
        cr_expect(report->rows[i].pairs > 0 && report->rows[i].unwritten == report->rows[i].pairs);
    cr_expect_eq(gjb_verify_exit(report), GJB_EXIT_WRONG);
    gjb_verify_free(report);
}
