/* The pair that `explain` is about: of a file, or of an example that ships. */
#ifndef GJB_CLI_EXPLAIN_PAIR_H
#define GJB_CLI_EXPLAIN_PAIR_H

#include "explain/explain.h"

/* `operand` is a file ("-": standard input) or the name of an example that ships; `only` the id of a case of
 * a file of known failures, or NULL. 0, or -1 with one line in `error`; explain_pair_close either way. */
int explain_pair_open(explain_pair *p, const char *operand, uint64_t frame, uint64_t index, const char *only,
                  gjb_error *error);
void explain_pair_close(explain_pair *p);
/* Rounds the scene to the precision if it is finer, as whoever feeds a contender does. 0, or -1
 * with one line in `error`. */
int explain_pair_round(explain_pair *p, gjb_precision precision, gjb_error *error);

#endif
