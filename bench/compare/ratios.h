/* Is one build slower than another? What ratios of times say, paired or measured apart, and how sure that is.
 */
#ifndef GJB_BENCH_RATIOS_H
#define GJB_BENCH_RATIOS_H

#include <stddef.h>
#include <stdint.h>

typedef enum gjb_change {
    GJB_CHANGE_UNSURE = 0, /* neither of the others is sure */
    GJB_CHANGE_NONE,            /* within gjb_same_within of each other */
    GJB_CHANGE_FASTER,          /* by more than the floor */
    GJB_CHANGE_SLOWER,
    GJB_CHANGES
} gjb_change;
const char *gjb_change_name(gjb_change change); /* "cannot tell", "same", "faster", "slower" */

enum { GJB_RATIOS_LEAST = 6 }; /* fewer show nothing */
extern const double gjb_same_within; /* of 1: a change that does not matter */
extern const double gjb_finest_chance; /* no p-value is smaller: finer verdicts cannot be had */

/* Of the logarithms of new over old. */
typedef struct gjb_ratio {
    double log;           /* their 20% trimmed mean; of what was measured apart, of the ratio of medians */
    double low, high;     /* 95% interval of it */
    double p[GJB_CHANGES]; /* of "not faster by more than the floor", and so on; 1 for GJB_CHANGE_UNSURE */
    gjb_change change;    /* by gjb_judge */
} gjb_ratio;

/* `logs` are independent of each other: one a launch of both programs, as blocks of one launch share its memory and
 * what the machine was doing. Bootstrap of the trimmed mean, studentised by its winsorised error (Yuen, 1974; Wilcox,
 * Introduction to Robust Estimation, 1997), so that a launch that something disturbed counts no more than another.
 * `floor` (logarithm, at least 0) is what identical builds differ by. Nine logs or fewer are resampled in every way there
 * is; more at random, as often as `finest` asks for, the smallest p-value that a verdict may hang on, or less where a
 * chance is known sooner. The same logs and seed give the same answer everywhere. */
gjb_ratio gjb_ratio_of(const double *logs, size_t count, double floor, double finest, uint64_t seed);

/* Of times that were measured apart: sample i of one has nothing to do with sample i of the other. The ratio
 * of the medians, its interval by resampling each side by itself (Efron, 1979), and chances by ranks (Mann
 * and Whitney, 1947): exact to 25 samples a side, by the normal approximation with ties beyond. */
gjb_ratio gjb_ratio_apart(const double *olds, size_t old_count, const double *news, size_t new_count,
                          double floor, uint64_t seed);

/* What can be said of all of them together, with one chance in `1 / alpha` of saying "faster" or "slower" of any that
 * is not (Holm, 1979); "same" is said if it alone is sure at 1 - alpha. */
void gjb_judge(gjb_ratio *ratios, size_t count, double alpha);

#endif
