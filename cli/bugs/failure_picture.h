/* What `fuzz` and `shrink` write next to a pair: its picture. */
#ifndef GJB_CLI_FAILURE_PICTURE_H
#define GJB_CLI_FAILURE_PICTURE_H

#include "fuzz/hunt.h"

/* STEM.svg. 0, or -1 with one line in `error`. */
int cli_failure_draw(const gjb_hunt_found *find, gjb_error *error);

#endif
