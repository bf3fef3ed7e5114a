/* Inside the reference room: the checker of proofs in MPFR, and its part for curved cores. */
#ifndef REF_MOTION_CHECK_H
#define REF_MOTION_CHECK_H

#include <mpfr.h>

#include "reference/motion/moving_pair.h"

enum { REF_CHECK_BITS = 192, REF_CHECK_SLACK = 150 };

typedef struct ref_check_vector { mpfr_t x[3]; } ref_check_vector;

typedef struct ref_check_body {
    const ref_moving *from; /* the numbers as stored; of what is computed there nothing is used */
    mpfr_t rest[3][3], now[3][3];
    ref_check_vector turn, axis;
    mpfr_t speed;
    mpfr_t reach, aside, least, most; /* from outside */
} ref_check_body;

typedef struct ref_checker {
    ref_check_body side[2];
    ref_check_vector offset, drift, n, spin, p, q, r;
    mpfr_t margin, scale, tau, spinning, t, u, v, w;
    mpfr_t bound[2][4], reaching[2][2];
} ref_checker;

/* The direction in p as the body sees it, into q. */
static inline void ref_check_to_local(ref_checker *k, const ref_check_body *b)
{
    for (int c = 0; c < 3; c++) {
        mpfr_mul(k->q.x[c], b->now[0][c], k->p.x[0], MPFR_RNDN);
        mpfr_fma(k->q.x[c], b->now[1][c], k->p.x[1], k->q.x[c], MPFR_RNDN);
        mpfr_fma(k->q.x[c], b->now[2][c], k->p.x[2], k->q.x[c], MPFR_RNDN);
    }
}

/* Largest m.R v over a core, m in p; p, q, r, t, u and v are overwritten, q by m in the local frame. */
void ref_check_support(ref_checker *k, ref_check_body *b, mpfr_t out);
/* Of a curved core, for the local direction in q; r, t, u and v are overwritten. */
void ref_check_curved_support(ref_checker *k, const ref_solid *core, mpfr_t out);
/* Its reach, and how far it is from its axis and along it. */
void ref_check_curved_extent(ref_checker *k, ref_check_body *b);

#endif
