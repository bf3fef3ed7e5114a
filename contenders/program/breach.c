/* Names of what breaks the protocol of programs. */
#include "contenders/program/breach.h"

const char *gjb_breach_name(int breach)
{
    static const char *const names[GJB_BREACHES] = {
        [GJB_BREACH_UNASKED] = "wrote what was not asked for",
        [GJB_BREACH_FRAME] = "another frame than is due",
        [GJB_BREACH_LENGTH] = "a frame of a wrong length",
        [GJB_BREACH_ID] = "answers to another question",
        [GJB_BREACH_ORDER] = "answers out of order",
        [GJB_BREACH_COUNT] = "more answers than pairs, or none",
        [GJB_BREACH_STATUS] = "an unknown status",
        [GJB_BREACH_CONTACTS] = "too many contacts",
        [GJB_BREACH_JSON] = "a line that is not JSON",
        [GJB_BREACH_FIELD] = "a wrong field",
        [GJB_BREACH_HEADER] = "another header than at first",
        [GJB_BREACH_CLOSED] = "closed its output",
    };
    return breach >= 0 && breach < GJB_BREACHES ? names[breach] : "unknown";
}
