/* Answers as certificates: what grading asks of a right answer, and no more, so that what is called right is
 * accepted. docs/certificates.md, "Who makes them", has the bounds and why they are these. */
#ifndef GJB_GRADING_ANSWER_CERTIFICATE_H
#define GJB_GRADING_ANSWER_CERTIFICATE_H

#include "grading/bounds.h"
#include "grading/grade.h"
#include "reference/certificate/certificate_make.h"

/* Proof and claim of an answer into an open certificate. Its status is separated or overlapping, its numbers
 * are finite; `granted` is what gjb_tolerance_on gives. */
void gjb_certify_answer(const gjb_placed_pair *placed, gjb_query query, const gjb_result *result,
                        const gjb_tolerance *granted, ref_certificate *c);

/* The same of one contact of a manifold: the normal, both points, and how deep, or how far apart, shapes are by it.
 * Of a manifold without contacts `contact` is 0, and the claim is that nothing is within the margin. */
void gjb_certify_contact(const gjb_placed_pair *placed, const gjb_result *result, uint32_t contact,
                         const gjb_tolerance *granted, ref_certificate *c);

#endif
