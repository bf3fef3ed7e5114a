/* What `fuzz` and `shrink` write next to a pair: its picture. */
#ifndef GJB_CLI_FUZZ_FIND_H
#define GJB_CLI_FUZZ_FIND_H

#include "fuzz/hunt.h"

/* STEM.svg. Says on stderr if that does not work: the pair is what counts. */
void cli_find_draw(void *unused, const gjb_hunt_find *find);

#endif
