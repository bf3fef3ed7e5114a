/* Inside the reference room: what reference.h promises, of pairs in which a core is curved. The functions there
 * hand such pairs over. */
#ifndef REF_CURVED_PAIR_H
#define REF_CURVED_PAIR_H

#include "reference/curved/curved.h"
#include "reference/reference.h"

typedef enum ref_wanted {
    REF_SIGNED,   /* the signed distance */
    REF_DISTANCE, /* the distance: of shapes that overlap the status alone */
    REF_CORES     /* the same of the cores, radii left out */
} ref_wanted;

/* Of either dimension. */
ref_answer3 ref_curved_answer(const gjb_pair *pair, ref_wanted wanted);
void ref_curved_oracle(const gjb_pair *pair, ref_exact3 *out);
/* `n` and `point` have as many coordinates as the pair. */
long double ref_curved_pair_gap(const gjb_pair *pair, const double *n, long double *error);
long double ref_curved_pair_distance(const gjb_pair *pair, bool of_b, const double *point, long double *error);

/* The same of a plane. */
ref_answer ref_curved_answer2(const gjb_pair2 *pair, ref_wanted wanted);
void ref_curved_oracle2(const gjb_pair2 *pair, ref_exact *out);

static inline gjb_pair ref_pair_of2(const gjb_pair2 *pair)
{
    return (gjb_pair){.dim = 2, .as.plane = *pair};
}
static inline gjb_pair ref_pair_of3(const gjb_pair3 *pair)
{
    return (gjb_pair){.dim = 3, .as.space = *pair};
}

#endif
