/* Inside gjkcert: a pair on one grid of integers, and bounds on it.
 *
 * World coordinates about A's translation are integers times 2^exponent / scale. In space R = M(q) / (q.q) is
 * rational, and scale is the product of both q.q; in the plane R is stored and scale 1. */
#ifndef REF_CERTIFICATE_GRID_H
#define REF_CERTIFICATE_GRID_H

#include <gmp.h>
#include <mpfr.h>

#include "reference/certificate/certificate.h"

typedef struct ref_lattice {
    mpz_t x[3];
} ref_lattice;

typedef struct ref_cert_side {
    gjb_kind kind;
    bool curved;
    uint32_t rows_count;
    const double *rows; /* `dim` numbers each */
    double radius;
    mpz_t turn[3][3]; /* of the shape alone: R = turn * 2^turn_exponent / norm */
    mpz_t norm;
    int turn_exponent;
    uint32_t count;  /* corners */
    ref_lattice *at; /* on the grid */
    ref_lattice offset;
    ref_lattice outward; /* of a half-space, which has no corners: its normal in world axes, of any length */
} ref_cert_side;

typedef struct ref_cert_grid {
    uint32_t dim;
    int exponent;
    mpz_t scale, radii; /* R on the grid */
    ref_cert_side side[2];
} ref_cert_grid;

/* Exponent of the lowest bit of a finite `x`, INT_MAX of 0; z = x / 2^exponent, exactly if that is no
 * higher. */
int ref_cert_lowest(double x);
void ref_cert_integer(mpz_t z, double x, int exponent);

/* Places all corners; `c` gives those of curved cores. */
void ref_cert_grid_open(ref_cert_grid *grid, const gjb_pair *pair, const ref_certificate *c);
void ref_cert_grid_close(ref_cert_grid *grid);
void ref_lattice_init(ref_lattice *v);
void ref_lattice_clear(ref_lattice *v);
/* w = b - a of D by its corners. */
void ref_cert_corner(const ref_cert_grid *grid, const uint32_t corner[2], ref_lattice *w);
void ref_cert_inner(mpz_t out, const ref_lattice *p, const ref_lattice *q);
void ref_cert_cross(ref_lattice *out, const ref_lattice *p, const ref_lattice *q);
/* A point in world units on the grid, times 2^finer, which it sets. */
void ref_cert_point(const ref_cert_grid *grid, const double point[3], ref_lattice *out, mp_bitcnt_t *finer);

/* A bound on sigma of the cores: way * sqrt(above / below) on the grid, below > 0. */
typedef struct ref_cert_bound {
    int way;
    mpz_t above, below;
} ref_cert_bound;
void ref_cert_bound_init(ref_cert_bound *bound);
void ref_cert_bound_clear(ref_cert_bound *bound);
/* Exact sign of the bound less `radii` (on the grid) less x (in world units). */
int ref_cert_compare(const ref_cert_grid *grid, const ref_cert_bound *bound, const mpz_t radii, double x);
/* The largest double that is not above, or the smallest that is not below, the bound less R. */
double ref_cert_rounded(const ref_cert_grid *grid, const ref_cert_bound *bound, bool up);

/* Steps of a proof: 0, or -1 with the reason in the verdict. Each writes its bound. */
int ref_cert_refuse(ref_certified *verdict, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Cores that have corners: exact. */
void ref_cert_gap(const ref_cert_grid *grid, const double direction[3], ref_cert_bound *bound);
int ref_cert_points(const ref_cert_grid *grid, const ref_certificate *c, ref_cert_bound *bound,
                    ref_certified *verdict);
/* A point of a core: the mean times `weight`, the sum of the weights. Both are 0 on entry. */
int ref_cert_mean(const ref_cert_grid *grid, int s, const ref_terms *terms, ref_lattice *sum, mpz_t weight,
                  ref_certified *verdict);
/* The claim about the witness point of one shape, by the point of its core that has been checked. */
int ref_cert_witness_of(const ref_cert_grid *grid, const ref_certificate *c, int s, ref_certified *verdict);
/* The claim about witness points, by the points of the cores that have been checked. */
int ref_cert_witness(const ref_cert_grid *grid, const ref_certificate *c, ref_certified *verdict);
int ref_cert_simplex(const ref_cert_grid *grid, const ref_certificate *c, ref_cert_bound *bound,
                     ref_certified *verdict);
int ref_cert_polytope(const ref_cert_grid *grid, const ref_certificate *c, ref_cert_bound *bound,
                      ref_certified *verdict);
/* Curved cores. Is the point, in local coordinates, surely in the core? */
bool ref_cert_inside(gjb_kind kind, uint32_t dim, const double *rows, const double point[3]);
/* A lower bound on sigma by the support gap, rounded down; *sign is 1 if it is above 0. */
double ref_cert_curved_gap(const ref_cert_grid *grid, const double direction[3], int *sign);
/* Greatest n.x over the core of a side, on the grid, rounded up. */
enum { REF_CERT_BITS = 320 };
void ref_cert_support(const ref_cert_grid *grid, int s, const ref_lattice *n, mpfr_t out);

/* Pairs with a half-space: bounds on sigma, rounded down and up, by the lowest point of the other core and by any. */
int ref_cert_plane_of(const ref_cert_grid *grid); /* its side, or -1 */
double ref_cert_plane_gap(const ref_cert_grid *grid, int *above_0);
int ref_cert_plane_point(const ref_cert_grid *grid, const ref_certificate *c, double *hi, int *above_0,
                         ref_certified *verdict);
/* The claim about both witness points. */
int ref_cert_plane_witness(const ref_cert_grid *grid, const ref_certificate *c, ref_certified *verdict);

#endif
