/* Exact oracle in space: EPA (van den Bergen 2001) in exact steps.
 *
 * A polytope inside D, its vertices vertices of D, grows at the face nearest to
 * the origin until that face is a facet of D: exactly no vertex of D beyond it.
 * Which faces see a new vertex and which of two faces is nearer is decided by
 * long doubles with a stated error, and by integers where that is in doubt, so
 * the surface stays closed and convex whatever lies in one plane or one line.
 *
 * The proof is checked apart from the search: faces that close and all lie
 * at least as far as the facet, whose support is checked over all vertices. Then
 * the ball of that radius lies in D: moving away from the origin one cannot leave
 * a closed surface around it without crossing a face. */
#include "reference/oracle3.h"
#include "reference/surface3.h"

#include <math.h>
#include <stdlib.h>

static const long double unit = 0x1p-64L; /* of long double, or coarser */

typedef enum state { OPEN, FAR, FACET } state;

/* Approximate plane; `n` off by `doubt` in length at most, `distance` by `off`. */
typedef struct plane {
    long double n[3], length, doubt;
    long double distance, off;
    state state;
} plane;

typedef struct hull {
    ref_grid3 *grid;
    ref_surface3 surface;
    plane *planes;
    uint32_t plane_room;
    ref_corner3 *corners;
    long double (*near)[3];
    uint32_t corner_count, corner_room, near_room;
    ref_vector3 p, q, r, s, n, best; /* best: normal of the nearest facet so far */
    mpz_t t, u, v, best_reach, best_square;
} hull;

static long double inner(const long double p[3], const long double q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

static long double length(const long double p[3])
{
    return sqrtl(inner(p, p));
}

static void subtract(ref_vector3 *out, const ref_vector3 *p, const ref_vector3 *q)
{
    for (int m = 0; m < 3; m++) {
        mpz_sub(out->x[m], p->x[m], q->x[m]);
    }
}

static uint32_t add_corner(hull *h, ref_corner3 corner)
{
    h->corners = ref_grown(h->corners, &h->corner_room, h->corner_count + 1, sizeof *h->corners);
    h->near = ref_grown(h->near, &h->near_room, h->corner_count + 1, sizeof *h->near);
    h->corners[h->corner_count] = corner;
    ref_corner3_near(h->grid, corner, h->near[h->corner_count]);
    return h->corner_count++;
}

/* n = outward normal of the face, not unit; u = n . its corners. */
static void exact_plane(hull *h, uint32_t face, ref_vector3 *n, mpz_t u)
{
    const uint32_t *v = h->surface.faces[face].v;
    ref_corner3_at(h->grid, h->corners[v[0]], &h->p);
    ref_corner3_at(h->grid, h->corners[v[1]], &h->q);
    ref_corner3_at(h->grid, h->corners[v[2]], &h->r);
    subtract(&h->q, &h->q, &h->p);
    subtract(&h->r, &h->r, &h->p);
    ref_cross3(n, &h->q, &h->r);
    ref_inner3(u, n, &h->p);
}

/* From integers, where the corners' own rounding is too coarse for the face. */
static void measure_exactly(hull *h, uint32_t face, plane *plane)
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

static void measure(hull *h, uint32_t face)
{
    const uint32_t *v = h->surface.faces[face].v;
    const long double *p = h->near[v[0]], *q = h->near[v[1]], *r = h->near[v[2]];
    plane *plane = &h->planes[face];
    long double e[3], f[3], off = h->grid->doubt;
    for (int m = 0; m < 3; m++) {
        e[m] = q[m] - p[m];
        f[m] = r[m] - p[m];
    }
    for (int m = 0; m < 3; m++) {
        int a = (m + 1) % 3, b = (m + 2) % 3;
        plane->n[m] = e[a] * f[b] - e[b] * f[a];
    }
    plane->state = OPEN;
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

static void measure_fresh(hull *h)
{
    h->planes = ref_grown(h->planes, &h->plane_room, h->surface.count, sizeof *h->planes);
    for (uint32_t k = 0; k < h->surface.fresh_count; k++) {
        measure(h, h->surface.fresh[k]);
    }
}

/* Sign of the height of a corner over a face; 0: in its plane. */
static int side_of(hull *h, uint32_t face, ref_corner3 corner, const long double near[3])
{
    const plane *plane = &h->planes[face];
    const long double *p = h->near[h->surface.faces[face].v[0]];
    long double d[3] = {near[0] - p[0], near[1] - p[1], near[2] - p[2]}, reach = length(d);
    long double height = inner(plane->n, d), size = plane->length + plane->doubt;
    long double off = plane->doubt * reach + 4 * size * h->grid->doubt + 16 * unit * size * reach;
    if (fabsl(height) > off) {
        return height > 0 ? 1 : -1;
    }
    exact_plane(h, face, &h->n, h->t);
    ref_corner3_at(h->grid, corner, &h->s);
    ref_inner3(h->u, &h->n, &h->s);
    int sign = mpz_cmp(h->u, h->t);
    return (sign > 0) - (sign < 0);
}

static bool sees(void *context, uint32_t face)
{
    hull *h = context;
    uint32_t last = h->corner_count - 1;
    return side_of(h, face, h->corners[last], h->near[last]) > 0;
}

/* Exact sign of the face's distance less that of the best facet. */
static int compare_with_best(hull *h, uint32_t face)
{
    exact_plane(h, face, &h->n, h->t);
    int sign = mpz_sgn(h->t), best = mpz_sgn(h->best_reach);
    if (sign != best) {
        return sign > best ? 1 : -1;
    }
    ref_inner3(h->u, &h->n, &h->n);
    mpz_mul(h->t, h->t, h->t);
    mpz_mul(h->t, h->t, h->best_square);
    mpz_mul(h->v, h->best_reach, h->best_reach);
    mpz_mul(h->u, h->u, h->v);
    int compared = mpz_cmp(h->t, h->u);
    return sign * ((compared > 0) - (compared < 0));
}

static void take_best(hull *h, uint32_t face)
{
    exact_plane(h, face, &h->best, h->best_reach);
    ref_inner3(h->best_square, &h->best, &h->best);
}

/* The corner of D that seems farthest along the face's normal. */
static ref_corner3 support(const hull *h, uint32_t face)
{
    const plane *plane = &h->planes[face];
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
static bool beyond(hull *h, uint32_t face, ref_corner3 *corner)
{
    long double near[3];
    *corner = support(h, face);
    ref_corner3_near(h->grid, *corner, near);
    if (side_of(h, face, *corner, near) > 0) {
        return true;
    }
    exact_plane(h, face, &h->n, h->t);
    for (int m = 0; m < 3; m++) {
        mpz_neg(h->n.x[m], h->n.x[m]);
    }
    ref_corner3 own = h->corners[h->surface.faces[face].v[0]];
    *corner = ref_lowest3(h->grid, &h->n, own);
    if (corner->i == own.i && corner->j == own.j) {
        return false;
    }
    ref_corner3_near(h->grid, *corner, near);
    return side_of(h, face, *corner, near) > 0;
}

static uint32_t nearest_open(const hull *h)
{
    uint32_t nearest = UINT32_MAX;
    for (uint32_t k = 0; k < h->surface.count; k++) {
        if (h->surface.faces[k].gone || h->planes[k].state != OPEN) {
            continue;
        }
        if (nearest == UINT32_MAX ||
            h->planes[k].distance - h->planes[k].off < h->planes[nearest].distance - h->planes[nearest].off) {
            nearest = k;
        }
    }
    return nearest;
}

/* Returns the nearest facet of D. */
static uint32_t expand(hull *h)
{
    uint32_t best = UINT32_MAX;
    for (;;) {
        uint32_t face = nearest_open(h);
        if (face == UINT32_MAX) {
            return best;
        }
        plane *plane = &h->planes[face];
        if (best != UINT32_MAX) {
            long double least = plane->distance - plane->off;
            if (least > h->planes[best].distance + h->planes[best].off) {
                return best;
            }
            if (compare_with_best(h, face) >= 0) {
                plane->state = FAR;
                continue;
            }
        }
        ref_corner3 corner;
        if (beyond(h, face, &corner)) {
            uint32_t added = add_corner(h, corner);
            if (!ref_surface3_extend(&h->surface, face, added, sees, h)) {
                ref_broken("a surface that does not close");
            }
            measure_fresh(h);
            continue;
        }
        plane->state = FACET;
        best = face;
        take_best(h, face);
        if (mpz_sgn(h->best_reach) <= 0) {
            return best; /* the origin is on D's surface, and its depth 0 */
        }
    }
}

/* How far corner k leads out of the span of the chosen ones, exactly 0 or not,
 * and about how far for the choice among them. */
static bool leads_out(hull *h, const ref_corner3 *chosen, int count, ref_corner3 corner)
{
    ref_corner3_at(h->grid, chosen[0], &h->p);
    ref_corner3_at(h->grid, corner, &h->s);
    subtract(&h->s, &h->s, &h->p);
    if (count == 1) {
        return !ref_zero3(&h->s);
    }
    ref_corner3_at(h->grid, chosen[1], &h->q);
    subtract(&h->q, &h->q, &h->p);
    if (count == 2) {
        ref_cross3(&h->n, &h->q, &h->s);
        return !ref_zero3(&h->n);
    }
    ref_corner3_at(h->grid, chosen[2], &h->r);
    subtract(&h->r, &h->r, &h->p);
    ref_cross3(&h->n, &h->q, &h->r);
    ref_inner3(h->t, &h->n, &h->s);
    return mpz_sgn(h->t) != 0;
}

static long double rise(const hull *h, const ref_corner3 *chosen, int count, ref_corner3 corner)
{
    long double u[3][3], base[3];
    ref_corner3_near(h->grid, chosen[0], base);
    for (int k = 0; k < count; k++) {
        ref_corner3_near(h->grid, k + 1 < count ? chosen[k + 1] : corner, u[k]);
        for (int m = 0; m < 3; m++) {
            u[k][m] -= base[m];
        }
        for (int j = 0; j < k; j++) {
            long double square = inner(u[j], u[j]), along = square > 0 ? inner(u[k], u[j]) / square : 0;
            for (int m = 0; m < 3; m++) {
                u[k][m] -= along * u[j][m];
            }
        }
    }
    return length(u[count - 1]);
}

/* The k-th of the corners that differ from `base` in one body alone: with it they
 * span what all of D spans. */
static ref_corner3 neighbour(const hull *h, ref_corner3 base, uint32_t k)
{
    uint32_t na = h->grid->side[0].body->count;
    return k < na ? (ref_corner3){k, base.j} : (ref_corner3){base.i, k - na};
}

/* Up to four corners that span D, thick where it is; returns how many. */
static int span(hull *h, ref_corner3 chosen[4])
{
    uint32_t total = h->grid->side[0].body->count + h->grid->side[1].body->count;
    for (int count = 1; count < 4; count++) {
        ref_corner3 best = chosen[0];
        long double most = -1;
        for (uint32_t k = 0; k < total; k++) {
            ref_corner3 corner = neighbour(h, chosen[0], k);
            long double out = rise(h, chosen, count, corner);
            if (out > most) {
                most = out;
                best = corner;
            }
        }
        bool found = leads_out(h, chosen, count, best);
        for (uint32_t k = 0; k < total && !found; k++) {
            best = neighbour(h, chosen[0], k);
            found = leads_out(h, chosen, count, best);
        }
        if (!found) {
            return count;
        }
        chosen[count] = best;
    }
    return 4;
}

/* Any normal to D, which is flat. */
static void flat_normal(hull *h, const ref_corner3 *chosen, int count, ref_vector3 *normal)
{
    mpz_set_ui(normal->x[0], 1);
    mpz_set_ui(normal->x[1], 0);
    mpz_set_ui(normal->x[2], 0);
    if (count == 1) {
        return;
    }
    ref_corner3_at(h->grid, chosen[0], &h->p);
    ref_corner3_at(h->grid, chosen[1], &h->q);
    subtract(&h->q, &h->q, &h->p);
    if (count == 3) {
        ref_corner3_at(h->grid, chosen[2], &h->r);
        subtract(&h->r, &h->r, &h->p);
        ref_cross3(normal, &h->q, &h->r);
        return;
    }
    /* Across the line and the axis that leans from it most. */
    int axis = 0;
    for (int m = 1; m < 3; m++) {
        axis = mpz_cmpabs(h->q.x[m], h->q.x[axis]) < 0 ? m : axis;
    }
    for (int m = 0; m < 3; m++) {
        mpz_set_ui(h->r.x[m], m == axis);
    }
    ref_cross3(normal, &h->q, &h->r);
}

static void check_support(hull *h, const ref_vector3 *normal, ref_corner3 corner)
{
    ref_corner3 lowest = ref_lowest3(h->grid, normal, corner);
    ref_corner3_at(h->grid, lowest, &h->p);
    ref_corner3_at(h->grid, corner, &h->q);
    ref_inner3(h->t, normal, &h->p);
    ref_inner3(h->u, normal, &h->q);
    if (mpz_cmp(h->t, h->u) < 0) {
        ref_broken("a vertex lies beyond the support");
    }
}

/* The proof, from nothing but corners, faces and the facet named. */
static void certify(hull *h, uint32_t facet, const ref_depth3 *depth)
{
    uint32_t(*faces)[3] = ref_zeroed(h->surface.count, sizeof *faces), count = 0;
    take_best(h, facet);
    check_support(h, &depth->normal, h->corners[h->surface.faces[facet].v[0]]);
    plane *nearest = &h->planes[facet];
    for (uint32_t k = 0; k < h->surface.count; k++) {
        if (h->surface.faces[k].gone) {
            continue;
        }
        for (int m = 0; m < 3; m++) {
            faces[count][m] = h->surface.faces[k].v[m];
        }
        count++;
        measure(h, k);
        if (h->planes[k].distance - h->planes[k].off <= nearest->distance + nearest->off &&
            compare_with_best(h, k) < 0) {
            ref_broken("a face lies nearer");
        }
    }
    if (!ref_closed3((const uint32_t(*)[3])faces, count, h->corner_count)) {
        ref_broken("the faces do not close");
    }
    free(faces);
}

/* Where the normal leaves D: in one of the faces that share the facet's plane. */
static void place_foot(hull *h, uint32_t facet, ref_depth3 *depth)
{
    const plane *best = &h->planes[facet];
    long double least = HUGE_VALL;
    for (uint32_t k = 0; k < h->surface.count; k++) {
        if (h->surface.faces[k].gone || h->planes[k].distance - h->planes[k].off > best->distance + best->off) {
            continue;
        }
        long double w[3][3];
        const uint32_t *v = h->surface.faces[k].v;
        for (int c = 0; c < 3; c++) {
            for (int m = 0; m < 3; m++) {
                w[c][m] = h->near[v[c]][m] - best->distance * (best->n[m] / best->length);
            }
        }
        ref_nearest3l nearest = ref_nearest_simplex3l((const long double(*)[3])w, 3, 0);
        if (nearest.distance < least) {
            least = nearest.distance;
            for (int c = 0; c < 3; c++) {
                depth->corner[c] = h->corners[v[c]];
                depth->weight[c] = nearest.weight[c];
            }
        }
    }
}

static void write_out(const hull *h, ref_polytope3 *out)
{
    out->vertices = ref_grown(out->vertices, &out->vertex_room, h->corner_count, sizeof *out->vertices);
    out->faces = ref_grown(out->faces, &out->face_room, h->surface.count, sizeof *out->faces);
    out->vertex_count = h->corner_count;
    for (uint32_t k = 0; k < h->corner_count; k++) {
        out->vertices[k][0] = h->corners[k].i;
        out->vertices[k][1] = h->corners[k].j;
    }
    out->face_count = 0;
    for (uint32_t k = 0; k < h->surface.count; k++) {
        for (int m = 0; m < 3 && !h->surface.faces[k].gone; m++) {
            out->faces[out->face_count][m] = h->surface.faces[k].v[m];
        }
        out->face_count += !h->surface.faces[k].gone;
    }
}

/* Sign of the volume of the four decides which way round the first face goes. */
static void open_hull(hull *h, ref_corner3 chosen[4])
{
    leads_out(h, chosen, 3, chosen[3]);
    if (mpz_sgn(h->t) > 0) {
        ref_corner3 swap = chosen[0];
        chosen[0] = chosen[1];
        chosen[1] = swap;
    }
    for (int k = 0; k < 4; k++) {
        add_corner(h, chosen[k]);
    }
    ref_surface3_open(&h->surface);
    measure_fresh(h);
}

static void solve(hull *h, ref_corner3 chosen[4], ref_depth3 *depth, ref_polytope3 *polytope)
{
    open_hull(h, chosen);
    uint32_t facet = expand(h);
    take_best(h, facet);
    for (int m = 0; m < 3; m++) {
        mpz_neg(depth->normal.x[m], h->best.x[m]);
    }
    if (mpz_sgn(h->best_reach) < 0) {
        ref_broken("the origin outside of what holds it");
    }
    depth->sigma.sign = -mpz_sgn(h->best_reach);
    mpz_mul(depth->sigma.numerator, h->best_reach, h->best_reach);
    mpz_set(depth->sigma.denominator, h->best_square);
    if (depth->sigma.sign == 0) {
        check_support(h, &depth->normal, h->corners[h->surface.faces[facet].v[0]]);
        return;
    }
    certify(h, facet, depth);
    place_foot(h, facet, depth);
    if (polytope) {
        write_out(h, polytope);
    }
}

void ref_exact_epa3(ref_grid3 *grid, const ref_closest3 *closest, ref_depth3 *depth, ref_polytope3 *polytope)
{
    hull h = {.grid = grid};
    ref_vector3 *vectors[6] = {&h.p, &h.q, &h.r, &h.s, &h.n, &h.best};
    for (int k = 0; k < 6; k++) {
        ref_vector3_init(vectors[k]);
    }
    mpz_inits(h.t, h.u, h.v, h.best_reach, h.best_square, NULL);
    ref_corner3 chosen[4] = {closest->corner[0], closest->corner[1], closest->corner[2], closest->corner[3]};
    depth->rank = (closest->count == 4 ? 4 : span(&h, chosen)) - 1;
    if (depth->rank == 3) {
        solve(&h, chosen, depth, polytope);
    } else {
        depth->sigma.sign = 0;
        mpz_set_ui(depth->sigma.numerator, 0);
        mpz_set_ui(depth->sigma.denominator, 1);
        flat_normal(&h, chosen, depth->rank + 1, &depth->normal);
        check_support(&h, &depth->normal, chosen[0]);
    }
    for (int k = 0; k < 6; k++) {
        ref_vector3_clear(vectors[k]);
    }
    mpz_clears(h.t, h.u, h.v, h.best_reach, h.best_square, NULL);
    ref_surface3_free(&h.surface);
    free(h.planes);
    free(h.corners);
    free(h.near);
}
