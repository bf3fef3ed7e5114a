/* What `choose` shows and writes. */
#ifndef GJB_CLI_CHOOSE_PRINT_H
#define GJB_CLI_CHOOSE_PRINT_H

#include <jansson.h>
#include <stdio.h>

#include "choose/choose.h"
#include "choose/choose_grade.h"

/* What was asked, apart from the need. */
typedef struct choose_question {
    uint32_t dim, call, threads;
    double frame_pairs; /* of a frame, on average: a call holds no more */
    int by_frame;       /* each call is one frame that has pairs, so many: */
    uint64_t least, most;
    double mean;
    const char *query;  /* name */
    const char *how;    /* what the pairs were drawn from, or the file */
    const char *shapes; /* see choose_shapes_text */
    choose_mix mix;
    uint64_t compound_pairs; /* what the pairs make up, if there are compounds; else 0 */
    double parts_each;       /* pairs of parts of one, on average */
} choose_question;

/* The scene in words: what it is, and how its pairs lie. */
void choose_print_scene(FILE *stream, const choose_question *q);
/* The choice in one sentence, and one line for queries in a row that have the same; the last waits for its end, which
 * a question without a query is. Zero `held` beforehand. */
typedef struct choose_held {
    char queries[128], sentence[CHOOSE_WORDS];
    int found;
} choose_held;
void choose_print_choice(FILE *stream, choose_held *held, const choose_question *q,
                         const choose_candidate *candidates, size_t count, const choose_need *need);
/* The ranking, then a reason for each. */
void choose_print_ranking(FILE *stream, const choose_question *q, const choose_candidate *candidates,
                          size_t count, const choose_need *need);
/* The same for programs. NULL out of memory. */
json_t *choose_json(const choose_question *q, const choose_candidate *candidates, size_t count,
                    const choose_need *need);

#endif
