/* Makers of certificates, in long double. Nothing here is trusted: what they get wrong, the checker refuses
 * or proves less of. */
#ifndef REF_CERTIFICATE_MAKE_H
#define REF_CERTIFICATE_MAKE_H

#include "reference/certificate/certificate.h"

/* What an answer brings to its own proof. */
typedef struct ref_evidence {
    const double *normal;      /* from A to B, of any length; NULL: the reference's */
    const double (*points)[3]; /* of A and of B, by the conventions of gjkbench/types.h; NULL: none */
} ref_evidence;

/* Writes a proof into an open certificate: the direction; points of the cores, those nearest to the
 * answer's, else those of the cores' least distance; if the cores overlap, a simplex and a polytope,
 * which the reference looks for. Claims nothing yet. */
void ref_certificate_prove(const gjb_pair *pair, const ref_evidence *evidence, ref_certificate *c);
/* Claims all that the proof proves: the interval, and apart or overlap if that is certain. */
void ref_certificate_claim(const gjb_pair *pair, ref_certificate *c);

#endif
