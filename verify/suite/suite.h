/* Named suites: fixed lists of verification plans and of pairs on record, recognised by hashes of these pairs and
 * of exact truths. What a suite of a name holds never changes (docs/suite.md). */
#ifndef GJB_VERIFY_SUITE_H
#define GJB_VERIFY_SUITE_H

#include "verify/verify.h"

typedef enum gjb_suite_length {
    GJB_SUITE_SHORT,
    GJB_SUITE_USUAL,
    GJB_SUITE_LONG,
    GJB_SUITE_LENGTHS
} gjb_suite_length;
const char *gjb_suite_length_name(gjb_suite_length length); /* "short", "usual", "long" */

/* Names of all suites, and what each is in a sentence. Returns how many. */
enum { GJB_SUITES_MAX = 16 };
size_t gjb_suite_names(const char *names[GJB_SUITES_MAX]);

typedef struct gjb_suite gjb_suite;

/* NULL with one line in `error` if no suite has the name, or this program cannot read it. The caller frees it. */
gjb_suite *gjb_suite_open(const char *name, gjb_suite_length length, gjb_error *error);
/* The same of a definition in memory, for tests; `file` is its name in messages. */
gjb_suite *gjb_suite_parse(const void *bytes, size_t size, gjb_suite_length length, const char *file,
                           gjb_error *error);
void gjb_suite_free(gjb_suite *suite);
const char *gjb_suite_name(const gjb_suite *suite);
const char *gjb_suite_about(const gjb_suite *suite);
uint64_t gjb_suite_pairs(const gjb_suite *suite); /* that are generated, over precisions */
/* Bits of the queries that are asked. */
uint32_t gjb_suite_queries(const gjb_suite *suite);
/* What is asked in a suite about which shapes: rows of a card, by query, then dimension, then kind. */
typedef struct gjb_suite_place {
    gjb_query query;
    uint32_t dim;
    const char *kind; /* "polytopes", ..., as the suite has it */
} gjb_suite_place;
enum { GJB_SUITE_PLACES = 128 };
size_t gjb_suite_places(const gjb_suite *suite, gjb_suite_place places[GJB_SUITE_PLACES]);
/* The kind of pairs on record, which are in no place. */
extern const char gjb_suite_on_record[];
/* Hashes as they have to be. */
const gjb_verify_hashes *gjb_suite_recorded(const gjb_suite *suite);

/* Answers of one contender and backend to one query about pairs of one kind in one dimension. */
typedef struct gjb_suite_cell {
    size_t entry; /* of the settings */
    gjb_query query;
    uint32_t dim;
    const char *kind; /* of a place, or gjb_suite_on_record */
    uint64_t answers; /* that were asked for and that it has: graded or too close to tell */
    uint64_t graded,
        wrong;          /* wrong ones include those below, as far as they were asked with A and B in order */
    uint64_t no_answer; /* not a number, unwritten, at the iteration limit */
    uint64_t crashed, hung; /* pairs, those too that were asked with A and B exchanged */
    uint64_t left_out;      /* not asked, after too many of these */
    uint64_t unsupported;   /* pairs of shapes that it does not take */
    uint64_t asymmetric;    /* answers that change if A and B are exchanged */
    double worst;           /* largest error of an answer, as a share of the size S of its pair */
} gjb_suite_cell;

typedef struct gjb_suite_settings {
    const gjb_verify_entry *entries; /* none: hashes alone */
    size_t entry_count;
    uint32_t threads; /* 0: all processors */
    const char *out;  /* folder for failing pairs; NULL: keep none */
    const volatile sig_atomic_t *stop;
    void (*progress)(uint64_t done, uint64_t total); /* may be NULL */
} gjb_suite_settings;

typedef struct gjb_suite_result {
    gjb_suite_cell *cells; /* by entry, then query, dimension and kind as the suite has them */
    size_t cell_count;
    gjb_verify_hashes hashes; /* meaningful if complete */
    uint64_t pairs, cases;    /* done: generated, over precisions; on record */
    int complete;             /* 0: interrupted, or given up */
    int exit_code;            /* as of `verify`: GJB_EXIT_WRONG if an answer of ours is wrong, ... */
    double seconds;
} gjb_suite_result;

/* Answers and grades all of it; one run at a time in a process. 0, or -1 with one line in `error`; free the result in
 * both cases. Whatever was done before the stop flag was raised is in the result. */
int gjb_suite_run(const gjb_suite *suite, const gjb_suite_settings *settings, gjb_suite_result *result,
                  gjb_error *error);
void gjb_suite_result_free(gjb_suite_result *result);

#endif
