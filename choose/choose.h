/* Which contender to choose: the facts about each, a verdict, and the reasons in words. */
#ifndef GJB_CLI_CHOOSE_H
#define GJB_CLI_CHOOSE_H

#include <stdint.h>

#include "bench/statistics.h"
#include "choose/licence.h"
#include "core/types.h"

enum { CHOOSE_MOST = 512, CHOOSE_WORDS = 640 };
/* Of fewer pairs nothing is recommended that these do not prove: not even times say much of so few. */
enum { CHOOSE_LEAST = 64 };

/* How a pair lies, by sigma / S: far apart, near, touching, a shallow or a deep overlap. */
typedef enum choose_class {
    CHOOSE_FAR = 0,
    CHOOSE_NEAR,
    CHOOSE_TOUCHING,
    CHOOSE_SHALLOW,
    CHOOSE_DEEP,
    CHOOSE_CLASSES
} choose_class;
extern const char *const choose_class_names[CHOOSE_CLASSES];
/* At most so much counts as touching, and at most so much as near or shallow. */
extern const double choose_touching, choose_near;
choose_class choose_class_of(double sigma_by_size);

/* What the user needs. */
typedef struct choose_need {
    double accuracy;              /* the largest error of a value that can be borne, in S */
    double wrong_share;           /* of answers beyond that; 0 to 1 */
    const licences *licences; /* NULL: any */
} choose_need;

typedef enum choose_verdict {
    CHOOSE_FITS = 0, /* the upper end of the wrong share is within what can be borne */
    CHOOSE_UNPROVEN, /* what was graded is, the upper end is not: too few pairs */
    CHOOSE_TOO_FEW,  /* the same of fewer than CHOOSE_LEAST: they rank no contender */
    CHOOSE_UNTIMED,  /* its answers would do, but no time was measured */
    CHOOSE_UNFIT,
    CHOOSE_VERDICTS
} choose_verdict;
const char *choose_verdict_name(choose_verdict verdict);

/* Why one is unfit: bits, what is easiest to live with first. */
enum {
    CHOOSE_WRONG = 1,
    CHOOSE_LICENCE = 2,
    CHOOSE_UNGRADED = 4, /* no answer of it was graded: nothing is known of it */
    CHOOSE_DIED = 8,
    CHOOSE_LACKS = 16
};

/* A way to get the answers; what was found of it; and what that comes to. */
typedef struct choose_candidate {
    const char *name, *backend, *version, *licence; /* backend "-" if there is just one */
    const char *note;                               /* what `more` is about; may be "" */
    gjb_precision precision;
    int more; /* does more than the query asks */
    int self_timed; /* its times are those of its own clock: it ranks behind all that were measured */

    char lacks[112];      /* what it does not support of these pairs, as behind "does not support"; or "" */
    uint64_t answered;    /* pairs that it was asked and graded on, or that could not be graded */
    uint64_t unsupported; /* of them, those that it said "unsupported" to */
    uint64_t graded, wrong;
    uint64_t too_slow;       /* ungraded, as the truth took more than a pair has */
    char too_slow_first[48]; /* where the first of them is, or "" */
    uint64_t class_graded[CHOOSE_CLASSES], class_wrong[CHOOSE_CLASSES];
    double worst;       /* largest error of a value in S; of a boolean, how far from touching it was wrong */
    const char *mishap; /* what became of it on a pair: "crashed", "hung", ... or NULL */
    int timed, reused;  /* has a time; from a result file */
    gjb_summary ns;     /* a pair */

    /* Filled in by choose_rank. */
    choose_verdict verdict;
    unsigned why;  /* of the unfit, all that apply */
    double upper;  /* of the wrong share: see gjb_share_upper */
    unsigned rank; /* from 1, ties alike; 0 without one */
    int tied;      /* shares its rank */
    double times;  /* as long as the first; 0 without a time */
} choose_candidate;

/* Judges every candidate and sorts them: those that fit by time, then the unproven by time, then those of
 * too few pairs, those without a time, then the unfit, the nearest miss first. Whose interval overlaps that
 * of the first of a rank shares it; the order then goes by the median. Unproven ones rank behind all that
 * fit. Returns how many have a rank. */
size_t choose_rank(choose_candidate *candidates, size_t count, const choose_need *need);

/* The choice in one sentence without a full stop, of what choose_rank sorted: who, or why nobody and who came
 * nearest. */
void choose_sentence(const choose_candidate *candidates, size_t count, const choose_need *need,
                     char text[CHOOSE_WORDS]);
/* Why candidate `at` has its rank. */
void choose_reason(const choose_candidate *candidates, size_t count, size_t at, const choose_need *need,
                   char text[CHOOSE_WORDS]);

/* "0.3%", "12 ppm", "0". */
typedef struct choose_share {
    char s[24];
} choose_share;
choose_share choose_share_text(double share);

#endif
