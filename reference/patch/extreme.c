/* Which vertices of a shape are extreme along a direction within an angle: the nearest direction of a normal cone.
 *
 * Only vertices that are nearly level with the farthest can be: few are left to be looked at.
 *
 * The normal cone of a vertex v is { r : r.d <= 0 for all d = w - v }. Its direction nearest to n is n less the
 * projection of n onto the cone that the d span. An active set of at most two of them is kept; as long as some d
 * has r.d > 0 it joins, and the projection onto the cone of the few is found by trial. It gets longer each time, so
 * this ends. If n is in the cone itself, the shape goes on above v, and v is on no side that looks along n. */
#include "reference/patch/placed.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

typedef struct search {
    const ref_vector3 *n;
    ref_vector3 r;       /* the nearest direction so far, of any length */
    ref_vector3 d[3];    /* spanning vectors: active ones, then the one that joins */
    int active;
    ref_vector3 m, w, tried;
    mpz_t u, v, most;
    const ref_vector3 *at; /* the vertices */
    uint32_t count;
    ref_rounded rounded;
} search;

/* What rounding does to a sum of three products of numbers up to 1 and differences of such. Twice what it can do. */
static const double DOUBT = 0x1p-46;

static void search_open(search *s, const ref_vector3 *n, const ref_vector3 *at, uint32_t count)
{
    s->n = n;
    s->at = at;
    s->count = count;
    s->rounded = ref_round_points(at, count);
    ref_vector3 *all[7] = {&s->r, &s->d[0], &s->d[1], &s->d[2], &s->m, &s->w, &s->tried};
    for (int k = 0; k < 7; k++)
        ref_vector3_init(all[k]);
    mpz_inits(s->u, s->v, s->most, NULL);
}

static void search_close(search *s)
{
    ref_vector3 *all[7] = {&s->r, &s->d[0], &s->d[1], &s->d[2], &s->m, &s->w, &s->tried};
    for (int k = 0; k < 7; k++)
        ref_vector3_clear(all[k]);
    mpz_clears(s->u, s->v, s->most, NULL);
    free(s->rounded.at);
}

static void set(ref_vector3 *out, const ref_vector3 *from)
{
    for (int m = 0; m < 3; m++)
        mpz_set(out->x[m], from->x[m]);
}

/* tried = n less its part along the ray d, times d.d. False if n.d <= 0. */
static bool off_ray(search *s, const ref_vector3 *d)
{
    ref_inner3(s->u, s->n, d);
    if (mpz_sgn(s->u) <= 0)
        return false;
    ref_inner3(s->v, d, d);
    for (int m = 0; m < 3; m++) {
        mpz_mul(s->tried.x[m], s->v, s->n->x[m]);
        mpz_submul(s->tried.x[m], s->u, d->x[m]);
    }
    return true;
}

/* tried = n less its part in the plane of d and e, times a factor > 0. False if that part is not within the cone
 * of both, or they are parallel. */
static bool off_plane(search *s, const ref_vector3 *d, const ref_vector3 *e)
{
    ref_cross3(&s->m, d, e);
    if (ref_zero3(&s->m))
        return false;
    ref_cross3(&s->w, s->n, e);
    ref_inner3(s->u, &s->w, &s->m);
    ref_cross3(&s->w, d, s->n);
    ref_inner3(s->v, &s->w, &s->m);
    if (mpz_sgn(s->u) < 0 || mpz_sgn(s->v) < 0)
        return false;
    ref_inner3(s->u, s->n, &s->m);
    for (int m = 0; m < 3; m++)
        mpz_mul(s->tried.x[m], s->u, s->m.x[m]);
    return true;
}

/* No spanning vector leads on along what was tried. */
static bool none_leads_on(search *s, int count)
{
    for (int k = 0; k < count; k++) {
        ref_inner3(s->u, &s->tried, &s->d[k]);
        if (mpz_sgn(s->u) > 0)
            return false;
    }
    return true;
}

/* The projection onto the cone of the active vectors and the one that joins, which it surely uses. False if n is
 * within that cone. */
static bool project(search *s)
{
    int joins = s->active, count = joins + 1;
    for (int other = -1; other < joins; other++) {
        bool found = other < 0 ? off_ray(s, &s->d[joins]) : off_plane(s, &s->d[joins], &s->d[other]);
        if (!found || !none_leads_on(s, count))
            continue;
        if (ref_zero3(&s->tried))
            return false;
        set(&s->r, &s->tried);
        if (other >= 0)
            set(&s->d[0], &s->d[other]);
        set(&s->d[other < 0 ? 0 : 1], &s->d[joins]);
        s->active = other < 0 ? 1 : 2;
        return true;
    }
    return false;
}

/* r in double, in the units of the rounded vertices and up to 1. */
static void round_direction(const search *s, double out[3])
{
    long exponent[3], most = LONG_MIN;
    for (int m = 0; m < 3; m++) {
        out[m] = mpz_get_d_2exp(&exponent[m], s->r.x[m]);
        exponent[m] += s->rounded.exponent[m];
        most = out[m] != 0 && exponent[m] > most ? exponent[m] : most;
    }
    for (int m = 0; m < 3; m++)
        out[m] = out[m] == 0 || exponent[m] < most - 1000 ? 0 : ldexp(out[m], (int)(exponent[m] - most));
}

/* Does vertex k lead on along r from this one? */
static bool leads_on(search *s, uint32_t k, uint32_t vertex)
{
    ref_subtract3(&s->w, &s->at[k], &s->at[vertex]);
    ref_inner3(s->u, &s->r, &s->w);
    return mpz_sgn(s->u) > 0;
}

/* A vector that leads on along r joins: the one that does so most in double, or else one that exactly does. False if
 * none does. */
static bool join(search *s, uint32_t vertex)
{
    double r[3], most = -INFINITY;
    const double *from = s->rounded.at[vertex];
    uint32_t best = 0;
    round_direction(s, r);
    for (uint32_t k = 0; k < s->count; k++) {
        const double *at = s->rounded.at[k];
        const double along = r[0] * (at[0] - from[0]) + r[1] * (at[1] - from[1]) + r[2] * (at[2] - from[2]);
        if (k != vertex && along > most) {
            most = along;
            best = k;
        }
        if (k != vertex && fabs(along) <= DOUBT && most <= DOUBT && leads_on(s, k, vertex)) {
            best = k;
            most = INFINITY;
        }
    }
    if (!(most > DOUBT))
        return false;
    ref_subtract3(&s->d[s->active], &s->at[best], &s->at[vertex]);
    return true;
}

/* (n.r)^2 >= (1 - sine^2) n.n r.r, with the sine as an integer over 2^-exponent. */
static bool within_angle(search *s, double sine)
{
    if (s->active == 0 || sine == 0)
        return s->active == 0; /* r is n itself, or else off it */
    int exponent = ref_lowest_bit(sine); /* < 0 */
    ref_inner3(s->u, s->n, s->n);
    ref_inner3(s->v, &s->r, &s->r);
    mpz_mul(s->u, s->u, s->v);
    ref_set_scaled(s->v, sine, exponent);
    mpz_mul(s->v, s->v, s->v);
    mpz_set_ui(s->most, 1);
    mpz_mul_2exp(s->most, s->most, (mp_bitcnt_t)(-2 * exponent));
    mpz_sub(s->v, s->most, s->v);
    mpz_mul(s->u, s->u, s->v);
    ref_inner3(s->v, s->n, &s->r);
    mpz_mul(s->v, s->v, s->v);
    mpz_mul_2exp(s->v, s->v, (mp_bitcnt_t)(-2 * exponent));
    return mpz_cmp(s->v, s->u) >= 0;
}

static bool extreme(search *s, uint32_t vertex, double sine)
{
    set(&s->r, s->n);
    s->active = 0;
    while (join(s, vertex))
        if (!project(s))
            return false;
    return within_angle(s, sine);
}

/* The vertex that is farthest along n; the first of several. */
static uint32_t farthest(search *s)
{
    uint32_t best = 0;
    for (uint32_t k = 0; k < s->count; k++) {
        ref_inner3(s->u, s->n, &s->at[k]);
        if (k > 0 && mpz_cmp(s->u, s->most) <= 0)
            continue;
        mpz_set(s->most, s->u);
        best = k;
    }
    return best;
}

/* Whether a direction within the angle of n leads from the farthest vertex to this one, at least level: only then can
 * the vertex be extreme along one. With d from it to the farthest, (n.d)^2 <= sine^2 n.n d.d. */
static bool may_be_extreme(search *s, const ref_vector3 *vertex, const ref_vector3 *top, double sine)
{
    ref_subtract3(&s->w, top, vertex);
    ref_inner3(s->u, s->n, &s->w);
    if (sine == 0 || mpz_sgn(s->u) == 0)
        return mpz_sgn(s->u) == 0;
    int exponent = ref_lowest_bit(sine);
    mpz_mul(s->u, s->u, s->u);
    mpz_mul_2exp(s->u, s->u, (mp_bitcnt_t)(-2 * exponent));
    ref_set_scaled(s->v, sine, exponent);
    mpz_mul(s->v, s->v, s->v);
    ref_inner3(s->most, s->n, s->n);
    mpz_mul(s->v, s->v, s->most);
    ref_inner3(s->most, &s->w, &s->w);
    mpz_mul(s->v, s->v, s->most);
    return mpz_cmp(s->u, s->v) <= 0;
}

uint32_t ref_extreme_vertices(const ref_placed *placed, int side, const ref_vector3 *n, double sine, bool *member)
{
    search s;
    uint32_t found = 0;
    search_open(&s, n, placed->at[side], placed->count[side]);
    const ref_vector3 *top = &s.at[farthest(&s)];
    for (uint32_t k = 0; k < s.count; k++) {
        member[k] = may_be_extreme(&s, &s.at[k], top, sine) && extreme(&s, k, sine);
        found += member[k];
    }
    search_close(&s);
    return found;
}
