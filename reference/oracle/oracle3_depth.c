/* Exact oracle in space: EPA (van den Bergen 2001) in exact steps.
 *
 * A polytope inside D, its vertices vertices of D, grows at the face nearest to
 * the origin until that face is a facet of D: exactly no vertex of D beyond it.
 * Which faces see a new vertex and which of two faces is nearer is decided by
 * long doubles with a stated error, and by integers if that is in doubt, so
 * the surface stays closed and convex whatever lies in one plane or one line.
 *
 * The proof is checked apart from the search: faces that close and all lie
 * at least as far as the facet, whose support is checked over all vertices. Then
 * the ball of that radius lies in D: moving away from the origin one cannot leave
 * a closed surface around it without crossing a face. */
#include "reference/oracle/hull3.h"
#include "reference/oracle/oracle3.h"

#include <math.h>

/* Returns the nearest facet of D. */
static uint32_t expand(ref_hull3 *h)
{
    uint32_t best = UINT32_MAX;
    for (;;) {
        uint32_t face = ref_hull3_nearest_open(h);
        if (face == UINT32_MAX)
            return best;
        if (best != UINT32_MAX && ref_hull3_surely_farther(h, face, best))
            return best;
        if (best != UINT32_MAX && ref_hull3_compare(h, face) >= 0) {
            h->planes[face].state = REF_FAR;
            continue;
        }
        ref_corner3 corner;
        if (ref_hull3_beyond(h, face, &corner)) {
            ref_hull3_extend(h, face, corner);
            continue;
        }
        h->planes[face].state = REF_FACET;
        best = face;
        ref_hull3_take_best(h, face);
        if (mpz_sgn(h->best_reach) <= 0)
            return best; /* the origin is on D's surface, and its depth 0 */
    }
}

/* The proof, from nothing but corners, faces and the facet named. */
static void certify(ref_hull3 *h, uint32_t facet, const ref_depth3 *depth, const ref_polytope3 *polytope)
{
    ref_hull3_take_best(h, facet);
    ref_check_support3(h->grid, &depth->normal, h->corners[h->surface.faces[facet].v[0]]);
    ref_hull3_measure(h, facet);
    for (uint32_t k = 0; k < h->surface.count; k++) {
        if (h->surface.faces[k].gone)
            continue;
        ref_hull3_measure(h, k);
        if (!ref_hull3_surely_farther(h, k, facet) && ref_hull3_compare(h, k) < 0)
            ref_broken("a face lies nearer");
    }
    if (!ref_closed3((const uint32_t(*)[3])polytope->faces, polytope->face_count, h->corner_count))
        ref_broken("the faces do not close");
}

/* Where the normal leaves D: in one of the faces that share the facet's plane. */
static void place_foot(ref_hull3 *h, uint32_t facet, ref_depth3 *depth)
{
    const ref_plane3l *best = &h->planes[facet];
    long double least = HUGE_VALL;
    for (uint32_t k = 0; k < h->surface.count; k++) {
        if (h->surface.faces[k].gone || ref_hull3_surely_farther(h, k, facet))
            continue;
        long double w[3][3];
        const uint32_t *v = h->surface.faces[k].v;
        for (int c = 0; c < 3; c++)
            for (int m = 0; m < 3; m++)
                w[c][m] = h->near[v[c]][m] - best->distance * (best->n[m] / best->length);
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

static void write_out(const ref_hull3 *h, ref_polytope3 *out)
{
    ref_surface3_write(&h->surface, h->corner_count, out);
    for (uint32_t k = 0; k < h->corner_count; k++) {
        out->vertices[k][0] = h->corners[k].i;
        out->vertices[k][1] = h->corners[k].j;
    }
}

static void solve(ref_hull3 *h, ref_depth3 *depth, ref_polytope3 *polytope)
{
    uint32_t facet = expand(h);
    ref_hull3_take_best(h, facet);
    for (int m = 0; m < 3; m++)
        mpz_neg(depth->normal.x[m], h->best.x[m]);
    if (mpz_sgn(h->best_reach) < 0)
        ref_broken("the origin outside of what holds it");
    depth->sigma.sign = -mpz_sgn(h->best_reach);
    mpz_mul(depth->sigma.numerator, h->best_reach, h->best_reach);
    mpz_set(depth->sigma.denominator, h->best_square);
    if (depth->sigma.sign == 0) {
        ref_check_support3(h->grid, &depth->normal, h->corners[h->surface.faces[facet].v[0]]);
        return;
    }
    write_out(h, polytope);
    certify(h, facet, depth, polytope);
    place_foot(h, facet, depth);
}

void ref_exact_epa3(ref_grid3 *grid, const ref_closest3 *closest, ref_depth3 *depth, ref_polytope3 *polytope)
{
    ref_corner3 chosen[4] = {closest->corner[0], closest->corner[1], closest->corner[2], closest->corner[3]};
    int count = closest->count == 4 ? 4 : ref_span3(grid, chosen);
    polytope->vertex_count = polytope->face_count = 0;
    if (count == 4) {
        ref_hull3 hull;
        ref_hull3_open(&hull, grid, chosen);
        solve(&hull, depth, polytope);
        ref_hull3_close(&hull);
        return;
    }
    depth->sigma.sign = 0;
    mpz_set_ui(depth->sigma.numerator, 0);
    mpz_set_ui(depth->sigma.denominator, 1);
    ref_flat_normal3(grid, chosen, count, &depth->normal);
    ref_check_support3(grid, &depth->normal, chosen[0]);
}
