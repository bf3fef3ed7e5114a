/* Results of a search as JSON, for the search and for merging. */
#ifndef GJB_FUZZ_HUNT_JSON_H
#define GJB_FUZZ_HUNT_JSON_H

#include "fuzz/hunt_private.h"

/* Counts add up; `number` counts islands. */
void gjb_hunt_island_add(gjb_island *sum, const gjb_island *part);
/* All return new references, NULL out of memory. `closest` may be NULL, names "" or NULL. */
json_t *gjb_hunt_row_json(const gjb_target *target, const gjb_island *sum, const gjb_island *closest,
                          const char *name);
json_t *gjb_hunt_failure_json(const gjb_target *target, const gjb_failure *failure, const gjb_shrunk *shrunk,
                              const char *line, const char *name);
json_t *gjb_hunt_plan_json(const gjb_hunt_plan *plan);
/* Do two objects have the same under these keys? */
int gjb_hunt_agree(const json_t *a, const json_t *b, const char *const *keys, size_t count);
/* Shrunk, some are the same failure after all: "same_as" is the index of the first of them, or null. */
void gjb_hunt_mark_same(json_t *failures);
/* Takes the references. Marks failures that came to the same once shrunk; the digest is made. */
json_t *gjb_hunt_json(json_t *plan, json_t *rows, json_t *failures, int interrupted, double searched,
                      double seconds, gjb_error *error);

#endif
