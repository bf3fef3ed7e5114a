/* The exact expanding hull of D in space: planes, facets, vertices beyond a face, and the nearest facet. */
#include "reference/oracle/hull3.h"

#include <math.h>
#include <stdlib.h>

static const long double unit = 0x1p-64L; /* of long double, or coarser */

static long double inner(const long double p[3], const long double q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

static long double length(const long double p[3])
{
    return sqrtl(inner(p, p));
}

static uint32_t add(ref_hull3 *h, ref_corner3 corner)
{
    h->corners = ref_grown(h->corners, &h->corner_room, h->corner_count + 1, sizeof *h->corners);
    h->near = ref_grown(h->near, &h->near_room, h->corner_count + 1, sizeof *h->near);
    h->corners[h->corner_count] = corner;
    ref_corner3_near(h->grid, corner, h->near[h->corner_count]);
    return h->corner_count++;
}

/* n = outward normal of the face, not unit; u = n . its corners. */
static void exact_plane(ref_hull3 *h, uint32_t face, ref_vector3 *n, mpz_t u)
{
    const uint32_t *v = h->surface.faces[face].v;
    ref_corner3_at(h->grid, h->corners[v[0]], &h->p);
    ref_corner3_at(h->grid, h->corners[v[1]], &h->q);
    ref_corner3_at(h->grid, h->corners[v[2]], &h->r);
    ref_subtract3(&h->q, &h->q, &h->p);
    ref_subtract3(&h->r, &h->r, &h->p);
    ref_cross3(n, &h->q, &h->r);
    ref_inner3(u, n, &h->p);
}

/* From integers, if the corners' own rounding is too coarse for the face. */
static void measure_exactly(ref_hull3 *h, uint32_t face, ref_plane3l *plane)
{
    exact_plane(h, face, &h->n, h->t);
    ref_direction3(&h->n, plane->n);
    plane->length = length(plane->n);
    plane->doubt = 8 * unit * plane->length;
    ref_inner3(h->u, &h->n, &h->n);
    /* The distance from the root of the ratio, since either may be huge. */
    long double far = ref_to_long_double(h->t, -(int)mpz_sizeinbase(h->t, 2));
    long double square = ref_to_long_double(h->u, -2 * (int)(mpz_sizeinbase(h->u, 2) / 2));
    int exponent = (int)mpz_sizeinbase(h->t, 2) - (int)(mpz_sizeinbase(h->u, 2) / 2) + h->grid->exponent;
    int product = (int)mpz_sizeinbase(h->grid->product, 2);
    plane->distance = ldexpl(far / sqrtl(square), exponent - product) / ref_to_long_double(h->grid->product, -product);
    plane->off = 16 * unit * fabsl(plane->distance);
}

void ref_hull3_measure(ref_hull3 *h, uint32_t face)
{
    const uint32_t *v = h->surface.faces[face].v;
    const long double *p = h->near[v[0]], *q = h->near[v[1]], *r = h->near[v[2]];
    ref_plane3l *plane = &h->planes[face];
    long double e[3], f[3], off = h->grid->doubt;
    for (int m = 0; m < 3; m++) {
        e[m] = q[m] - p[m];
        f[m] = r[m] - p[m];
    }
    for (int m = 0; m < 3; m++) {
        int a = (m + 1) % 3, b = (m + 2) % 3;
        plane->n[m] = e[a] * f[b] - e[b] * f[a];
    }
    plane->state = REF_OPEN;
    plane->length = length(plane->n);
    long double le = length(e), lf = length(f);
    /* An edge is off by 2 sqrt 3 times a coordinate's doubt. */
    plane->doubt = 4 * off * (le + lf + 4 * off) + 16 * unit * le * lf;
    if (!(plane->doubt < 0x1p-40L * plane->length)) {
        measure_exactly(h, face, plane);
        return;
    }
    long double lp = length(p), slope = plane->doubt / plane->length;
    plane->distance = inner(plane->n, p) / plane->length;
    plane->off = 2 * (2 * slope * lp + 2 * off + 16 * unit * lp);
}

static void measure_fresh(ref_hull3 *h)
{
    h->planes = ref_grown(h->planes, &h->plane_room, h->surface.count, sizeof *h->planes);
    for (uint32_t k = 0; k < h->surface.fresh_count; k++)
        ref_hull3_measure(h, h->surface.fresh[k]);
}

/* Sign of the height of a corner over a face; 0: in its plane. */
static int side_of(ref_hull3 *h, uint32_t face, ref_corner3 corner, const long double near[3])
{
    const ref_plane3l *plane = &h->planes[face];
    const long double *p = h->near[h->surface.faces[face].v[0]];
    long double d[3] = {near[0] - p[0], near[1] - p[1], near[2] - p[2]}, reach = length(d);
    long double height = inner(plane->n, d), size = plane->length + plane->doubt;
    long double off = plane->doubt * reach + 4 * size * h->grid->doubt + 16 * unit * size * reach;
    if (fabsl(height) > off)
        return height > 0 ? 1 : -1;
    exact_plane(h, face, &h->n, h->t);
    ref_corner3_at(h->grid, corner, &h->s);
    ref_inner3(h->u, &h->n, &h->s);
    int sign = mpz_cmp(h->u, h->t);
    return (sign > 0) - (sign < 0);
}

static bool sees(void *context, uint32_t face)
{
    ref_hull3 *h = context;
    uint32_t last = h->corner_count - 1;
    return side_of(h, face, h->corners[last], h->near[last]) > 0;
}

/* Exact sign of the face's distance less that of the best facet. */
int ref_hull3_compare(ref_hull3 *h, uint32_t face)
{
    exact_plane(h, face, &h->n, h->t);
    int sign = mpz_sgn(h->t), best = mpz_sgn(h->best_reach);
    if (sign != best)
        return sign > best ? 1 : -1;
    ref_inner3(h->u, &h->n, &h->n);
    mpz_mul(h->t, h->t, h->t);
    mpz_mul(h->t, h->t, h->best_square);
    mpz_mul(h->v, h->best_reach, h->best_reach);
    mpz_mul(h->u, h->u, h->v);
    int compared = mpz_cmp(h->t, h->u);
    return sign * ((compared > 0) - (compared < 0));
}

void ref_hull3_take_best(ref_hull3 *h, uint32_t face)
{
    exact_plane(h, face, &h->best, h->best_reach);
    ref_inner3(h->best_square, &h->best, &h->best);
}

/* The corner of D that seems farthest along the face's normal. */
static ref_corner3 support(const ref_hull3 *h, uint32_t face)
{
    const ref_plane3l *plane = &h->planes[face];
    uint32_t index[2] = {0, 0};
    for (int which = 0; which < 2; which++) {
        const ref_side3 *side = &h->grid->side[which];
        double local[3];
        for (int c = 0; c < 3; c++) {
            long double along = plane->n[0] * side->rotation[0][c] + plane->n[1] * side->rotation[1][c] +
                                plane->n[2] * side->rotation[2][c];
            local[c] = (double)((which ? along : -along) / plane->length);
        }
        double most = -INFINITY;
        for (uint32_t k = 0; k < side->body->count; k++) {
            double reach = ref_dot3(local, side->body->vertices[k]);
            if (reach > most) {
                most = reach;
                index[which] = k;
            }
        }
    }
    return (ref_corner3){index[0], index[1]};
}

/* A corner of D strictly beyond the face; false when there is exactly none. */
bool ref_hull3_beyond(ref_hull3 *h, uint32_t face, ref_corner3 *corner)
{
    long double near[3];
    *corner = support(h, face);
    ref_corner3_near(h->grid, *corner, near);
    if (side_of(h, face, *corner, near) > 0)
        return true;
    exact_plane(h, face, &h->n, h->t);
    for (int m = 0; m < 3; m++)
        mpz_neg(h->n.x[m], h->n.x[m]);
    ref_corner3 own = h->corners[h->surface.faces[face].v[0]];
    *corner = ref_lowest3(h->grid, &h->n, own);
    if (corner->i == own.i && corner->j == own.j)
        return false;
    ref_corner3_near(h->grid, *corner, near);
    return side_of(h, face, *corner, near) > 0;
}

uint32_t ref_hull3_nearest_open(const ref_hull3 *h)
{
    uint32_t nearest = UINT32_MAX;
    for (uint32_t k = 0; k < h->surface.count; k++) {
        if (h->surface.faces[k].gone || h->planes[k].state != REF_OPEN)
            continue;
        if (nearest == UINT32_MAX ||
            h->planes[k].distance - h->planes[k].off < h->planes[nearest].distance - h->planes[nearest].off)
            nearest = k;
    }
    return nearest;
}

void ref_hull3_extend(ref_hull3 *h, uint32_t face, ref_corner3 corner)
{
    if (!ref_surface3_extend(&h->surface, face, add(h, corner), sees, h))
        ref_broken("a surface that does not close");
    measure_fresh(h);
}

bool ref_hull3_surely_farther(const ref_hull3 *h, uint32_t face, uint32_t best)
{
    const ref_plane3l *p = &h->planes[face], *q = &h->planes[best];
    return p->distance - p->off > q->distance + q->off;
}

/* Sign of the volume of the four decides which way round the first face goes. */
void ref_hull3_open(ref_hull3 *h, ref_grid3 *grid, const ref_corner3 corner[4])
{
    *h = (ref_hull3){.grid = grid};
    ref_vector3 *vectors[6] = {&h->p, &h->q, &h->r, &h->s, &h->n, &h->best};
    for (int k = 0; k < 6; k++)
        ref_vector3_init(vectors[k]);
    mpz_inits(h->t, h->u, h->v, h->best_reach, h->best_square, NULL);
    int swap = ref_volume_sign3(grid, corner) > 0;
    for (int k = 0; k < 4; k++)
        add(h, corner[k < 2 ? k ^ swap : k]);
    ref_surface3_open(&h->surface);
    measure_fresh(h);
}

void ref_hull3_close(ref_hull3 *h)
{
    ref_vector3 *vectors[6] = {&h->p, &h->q, &h->r, &h->s, &h->n, &h->best};
    for (int k = 0; k < 6; k++)
        ref_vector3_clear(vectors[k]);
    mpz_clears(h->t, h->u, h->v, h->best_reach, h->best_square, NULL);
    ref_surface3_free(&h->surface);
    free(h->planes);
    free(h->corners);
    free(h->near);
}
