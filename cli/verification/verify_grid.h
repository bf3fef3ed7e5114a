/* The option --exhaustive of `verify`: a plan of all pairs of a small grid. */
#ifndef GJB_CLI_VERIFY_GRID_H
#define GJB_CLI_VERIFY_GRID_H

#include "cli/verification/verify_plan.h"

/* Counts of a plan that were not given: more than may be. */
#define CLI_NOT_GIVEN UINT64_MAX

/* For all other plans: the defaults of what was not given of pairs, seed, margin, within and leaving. */
void cli_verify_defaults(gjb_verify_plan *plan);

/* Makes the plan that `select` filled one of the grid of that name; `hulls` is that option, or NULL. Opens plan->grid,
 * which the caller closes whatever comes back. 0, or -1 with one line in `error` for an unknown grid, or for an option
 * that a grid leaves no choice about. */
int cli_verify_grid(const char *name, const cli_select *select, const char *hulls, cli_verify_lists *lists,
                    gjb_verify_plan *plan, gjb_error *error);

#endif
