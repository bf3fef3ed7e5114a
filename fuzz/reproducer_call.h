/* Calls of libraries in the C tests that come with failures. */
#ifndef GJB_FUZZ_REPRODUCER_CALL_H
#define GJB_FUZZ_REPRODUCER_CALL_H

#include <stdio.h>

#include "fuzz/hunt.h"

typedef struct gjb_reproducer_call gjb_reproducer_call;

/* Of a contender that is known, for a pair of shapes that have corners; else NULL. */
const gjb_reproducer_call *gjb_reproducer_call_of(const gjb_ask *ask, const gjb_scene *pair);
/* What compiles THIS.c so that it calls. */
const char *gjb_reproducer_call_command(const gjb_reproducer_call *call);
/* Corners in each shape's own frame, and `static struct answer ask(void)`. */
void gjb_reproducer_call_write(FILE *f, const gjb_reproducer_call *call, const gjb_ask *ask, const gjb_scene *pair);

#endif
