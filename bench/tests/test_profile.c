/* Callgrind's files: sums of events, functions by themselves, and what is no such file. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/count/profile.h"

static int read_text(gjb_profile *p, const char *text, gjb_error *error)
{
    char path[] = "/tmp/gjkbench-profile-XXXXXX";
    const int file = mkstemp(path);
    FILE *out = fdopen(file, "w");
    cr_assert_not_null(out);
    fputs(text, out);
    fclose(out);
    const int failed = gjb_profile_read(p, path, error);
    unlink(path);
    return failed;
}

static double function(const gjb_profile *p, const char *name)
{
    return json_number_value(json_object_get(p->functions, name));
}

/* What a function calls is not its own, and copies that the compiler or callgrind made of it are. */
Test(profile, sums_and_functions)
{
    static const char text[] = "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\n\npositions: line\n"
                               "events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim\nsummary: 999\n\n"
                               "ob=/a/b\nfl=???\nfn=toi_run\n0 100 5\ncfn=support\ncalls=3 0\n0 5000 1\n0 11\n"
                               "fn=toi_run.constprop.0\n0 7\nfn=toi_run'2\n0 2\nfn=support\n0 5000\n\n"
                               "totals: 5120 30 20 1 2 3 4 5 6 70 8 9 10\n";
    gjb_profile p;
    gjb_error error = {{0}};
    cr_assert_eq(read_text(&p, text, &error), 0, "%s", error.text);
    cr_expect_eq(p.instructions, 5120);
    cr_expect_eq(p.branches, 79);
    cr_expect_eq(p.mispredicted, 18);
    cr_expect_eq(p.misses, 6);
    cr_expect_eq(p.last_misses, 15);
    cr_expect_eq(function(&p, "toi_run"), 120);
    cr_expect_eq(function(&p, "support"), 5000);
    cr_expect_eq(json_object_size(p.functions), 2);
    cr_expect_str_eq(p.by, "callgrind-3.19.0");
    cr_expect_gt(gjb_profile_cycles(&p), 0);
    gjb_profile_free(&p);
}

/* Totals may be cut behind the last event that is not 0. */
Test(profile, short_totals)
{
    gjb_profile p;
    gjb_error error = {{0}};
    cr_assert_eq(read_text(&p, "events: Ir Dr Dw I1mr\nfn=f\n0 12\ntotals: 12\n", &error), 0, "%s", error.text);
    cr_expect_eq(p.instructions, 12);
    cr_expect_eq(p.misses, 0);
    gjb_profile_free(&p);
}

Test(profile, what_is_none_is_refused)
{
    static const char *const texts[] = {"", "events: Ir Dr\nfn=f\n0 12\n", "totals: 12\n", "events: Dr\ntotals: 12\n",
                                        "{}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        gjb_profile p;
        gjb_error error = {{0}};
        cr_expect_neq(read_text(&p, texts[i], &error), 0, "%s", texts[i]);
        cr_expect_neq(error.text[0], '\0');
        gjb_profile_free(&p);
    }
    gjb_profile p;
    gjb_error error = {{0}};
    cr_expect_neq(gjb_profile_read(&p, "/no/such/file", &error), 0);
    gjb_profile_free(&p);
}
