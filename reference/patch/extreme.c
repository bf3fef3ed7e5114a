/* Which vertices of a shape are extreme along a direction within an angle: the nearest direction of a normal cone.
 *
 * Only vertices that are nearly level with the farthest can be: few are left to be looked at.
 *
 * The normal cone of a vertex v is { r : r.d <= 0 for all d = w - v }. Its direction nearest to n is n less the
 * projection of n onto the cone that the d span. An active set of at most two of them is kept; as long as some d
 * has r.d > 0 it joins, and the projection onto the cone of the few is found by trial. It gets longer each time, so
 * this ends. If n is in the cone itself, the shape goes on above v, and v is on no side that looks along n. */
#include "reference/patch/placed.h"

typedef struct search {
    const ref_vector3 *n;
    ref_vector3 r;       /* the nearest direction so far, of any length */
    ref_vector3 d[3];    /* spanning vectors: active ones, then the one that joins */
    int active;
    ref_vector3 m, w, tried;
    mpz_t u, v, most;
} search;

static void search_open(search *s, const ref_vector3 *n)
{
    s->n = n;
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

/* The vector that leads on most along r joins; false if none does. */
static bool join(search *s, const ref_vector3 *at, uint32_t count, uint32_t vertex)
{
    bool found = false;
    mpz_set_ui(s->most, 0);
    for (uint32_t k = 0; k < count; k++) {
        ref_subtract3(&s->w, &at[k], &at[vertex]);
        ref_inner3(s->u, &s->r, &s->w);
        if (mpz_cmp(s->u, s->most) <= 0)
            continue;
        mpz_set(s->most, s->u);
        set(&s->d[s->active], &s->w);
        found = true;
    }
    return found;
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

static bool extreme(search *s, const ref_vector3 *at, uint32_t count, uint32_t vertex, double sine)
{
    set(&s->r, s->n);
    s->active = 0;
    while (join(s, at, count, vertex))
        if (!project(s))
            return false;
    return within_angle(s, sine);
}

/* The vertex that is farthest along n; the first of several. */
static uint32_t farthest(search *s, const ref_vector3 *at, uint32_t count)
{
    uint32_t best = 0;
    for (uint32_t k = 0; k < count; k++) {
        ref_inner3(s->u, s->n, &at[k]);
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
    search_open(&s, n);
    const ref_vector3 *top = &placed->at[side][farthest(&s, placed->at[side], placed->count[side])];
    for (uint32_t k = 0; k < placed->count[side]; k++) {
        member[k] = may_be_extreme(&s, &placed->at[side][k], top, sine) &&
                    extreme(&s, placed->at[side], placed->count[side], k, sine);
        found += member[k];
    }
    search_close(&s);
    return found;
}
