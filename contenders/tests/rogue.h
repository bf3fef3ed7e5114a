/* A contender that misbehaves on chosen pairs. */
#ifndef GJB_CONTENDERS_TESTS_ROGUE_H
#define GJB_CONTENDERS_TESTS_ROGUE_H

#include "contenders/harness.h"

/* Bodies of the scene that it expects, each with so many pairs. */
enum { BODIES = 100, REACH = 10, PAIRS = BODIES * REACH };

/* What it does instead of answering. */
typedef enum manner {
    GOOD,
    SEGFAULT,
    ABORT,
    LOOP,
    SLEEP,
    READ_NOTHING,
    PAST_RESULTS,
    FAR_PAST_RESULTS,
    BEFORE_RESULTS,
    BEFORE_ALL,   /* as many records before as there may be in a request */
    FAR_BEFORE_RESULTS,
    READ_PAST_RESULTS,
    EXIT,
    EXIT_3,
    THROW,
    SKIP,
    HALF,         /* writes the head and nothing else */
    BAD_STATUS,
    NAN_VALUE,
    INFINITE_POINT,
    ROUND_UPWARD,
    FLUSH_TO_ZERO,
    WRITE_INPUT,
    WRITE_PAIRS,
    WRITE_MOTIONS,
    WRITE_SHAPES, /* the vertices: what prepare saw is what run sees */
    OVERFLOW_STACK,
    STOP_ITSELF,
    LATER,     /* spoils the process; the next pair but three dies of it */
    IN_COMPANY, /* dies in batches of several pairs alone */
    CLOSE_ALL,
    CLOSE_AND_ANSWER,
    SIGNAL_PARENT, /* with signal 0, which would do no harm; the same for its group, and for all processes */
    SIGNAL_GROUP,
    SIGNAL_ALL,
    EAT_MEMORY,
    SLOW, /* a few milliseconds a pair */
    NOTHING, /* prepares nothing; has no room to work in */
    NO_ROOM,
    FORK, /* and both go on */
    FORK_SLEEPER, /* a process that stays */
} manner;

/* Set before a session is opened: a child sees what there was when it was forked. */
typedef struct rogue_fault {
    manner what;
    uint32_t modulus, remainder; /* of the guilty pairs' ids */
    int in_prepare;
    uint64_t firsts; /* in prepare, of shapes whose first row has its bit here alone; 0: whatever they are */
} rogue_fault;
extern rogue_fault fault;
extern uint64_t *eaten; /* bytes, in memory that is shared */

/* Of a pair of bodies: 0 to PAIRS - 1. Its answer's value is one more. */
uint32_t id_of(const uint32_t *pair);

extern const gjb_contender rogue;

#endif
