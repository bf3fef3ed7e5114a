/* What `replay` prints of its answers: the verdict, what is wrong, then the rest or sums of it. */
#ifndef GJB_CLI_REPLAY_LINES_H
#define GJB_CLI_REPLAY_LINES_H

#include <stdio.h>

#include "verify/replay.h"

typedef struct cli_replay_lines cli_replay_lines;

/* `full`: a line for each answer, however many, with its normal and points. NULL out of memory. */
cli_replay_lines *cli_replay_lines_new(int full);
/* Where memory fails the answer is missing, and the lines say so. */
void cli_replay_lines_add(cli_replay_lines *lines, uint32_t dim, const gjb_replay_case *one);
/* "9 of 228 answers are wrong, none of ours: ..." */
void cli_replay_verdict(const uint64_t counts[GJB_VERDICTS], uint64_t wrong_ours, uint64_t too_slow,
                        FILE *stream);
/* Wrong answers, ours first, then the largest error; backends that answered alike are one line. Others too
 * while all are few; else a line for each contender. `last`: what shows more is named at the end. */
void cli_replay_lines_print(cli_replay_lines *lines, int last, FILE *stream);
void cli_replay_lines_free(cli_replay_lines *lines);

/* Of a value that the status defines; NaN if it defines none. A time is 0 for shapes that overlap at the
 * start. */
double cli_replay_value(const gjb_replay_case *one);
/* In units of eps S; NaN if nothing has a size. A normal of length 0 is off without bound: then of value and points. */
double cli_replay_error(const gjb_replay_case *one);
/* Bits of gjb_defined_by; 0 if there is no answer, or a manifold without a contact. */
int cli_replay_defined(const gjb_replay_case *one);
/* Contacts of a manifold: as many as it says, and no more than its record holds. Of other queries 0. */
uint32_t cli_replay_contacts(const gjb_replay_case *one, uint32_t dim);

#endif
