/* How a contender that is a program may end, and how it may break the protocol of docs/programs.md. */
#ifndef GJB_CONTENDERS_PROGRAM_BREACH_H
#define GJB_CONTENDERS_PROGRAM_BREACH_H

#include "contenders/harness.h"

/* `code` of GJB_BROKE_PROTOCOL. */
typedef enum gjb_breach {
    GJB_BREACH_UNASKED = 0, /* bytes that nothing asked for */
    GJB_BREACH_FRAME,       /* another frame than is due */
    GJB_BREACH_LENGTH,      /* a frame whose length does not fit what is in it, or that never ends */
    GJB_BREACH_ID,          /* answers to another question */
    GJB_BREACH_ORDER,       /* answers that do not follow those before */
    GJB_BREACH_COUNT,       /* no answers, or more than there are pairs */
    GJB_BREACH_STATUS,      /* a status that is none */
    GJB_BREACH_CONTACTS,    /* more contacts than a manifold has */
    GJB_BREACH_JSON,        /* a line that is no JSON */
    GJB_BREACH_FIELD,       /* JSON with a field that is unknown, missing or of another type */
    GJB_BREACH_HEADER,      /* another header than at first */
    GJB_BREACH_CLOSED,      /* it closed its output, and lives */
    GJB_BREACHES
} gjb_breach;

/* "answers out of order"; of a number that is none, "unknown". */
const char *gjb_breach_name(int breach);

typedef struct gjb_program_end {
    gjb_mishap what;
    int code;
    char said[GJB_SAID]; /* as in gjb_finding */
} gjb_program_end;

#endif
