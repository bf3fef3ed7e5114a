/* How high the upper side of a feature is (of B: how low its lower side is) over a point, and a plane there. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "grading/bounds_private.h"
#include "grading/manifold/manifold.h"
#include "grading/manifold/roof.h"

static real plane_at(const real plane[3], const real at[2])
{
    return plane[0] * at[0] + plane[1] * at[1] + plane[2];
}

/* --- One plane --------------------------------------------------------------------------------------- */

/* Through as many vertices as the outline needs, far from each other; level across a segment. */
static int span(const gjb_feature *feature, real plane[3])
{
    real most = -1, d[3] = {0, 0, 0}, e[3] = {0, 0, 0}, own[3];
    const real *p = feature->at[0];
    for (uint32_t k = 1; k < feature->count; k++) {
        gjb_sub3(feature->at[k], p, own);
        if (own[0] * own[0] + own[1] * own[1] > most) {
            most = own[0] * own[0] + own[1] * own[1];
            memcpy(d, own, sizeof d);
        }
    }
    most = -1;
    for (uint32_t k = 1; k < feature->count; k++) {
        gjb_sub3(feature->at[k], p, own);
        if (fabsl(d[0] * own[1] - d[1] * own[0]) > most) {
            most = fabsl(d[0] * own[1] - d[1] * own[0]);
            memcpy(e, own, sizeof e);
        }
    }
    const real turn = feature->dimension == 1 ? d[0] * d[0] + d[1] * d[1] : d[0] * e[1] - d[1] * e[0];
    plane[0] = plane[1] = 0;
    if (feature->dimension == 1) {
        plane[0] = d[2] * d[0] / turn;
        plane[1] = d[2] * d[1] / turn;
    } else if (feature->dimension == 2) {
        plane[0] = (d[2] * e[1] - e[2] * d[1]) / turn;
        plane[1] = (e[2] * d[0] - d[2] * e[0]) / turn;
    }
    plane[2] = p[2] - plane[0] * p[0] - plane[1] * p[1];
    return isfinite(plane[2]);
}

void gjb_feature_heights(gjb_feature *feature, real doubt, real allowed)
{
    feature->doubt = doubt;
    feature->residue = 0;
    feature->is_even = span(feature, feature->plane);
    if (!feature->is_even)
        return;
    for (uint32_t k = 0; k < feature->count; k++)
        feature->residue =
            fmaxl(feature->residue, fabsl(feature->at[k][2] - plane_at(feature->plane, feature->at[k])));
    feature->is_even = feature->residue <= allowed;
    feature->residue = feature->is_even ? feature->residue : 0;
}

/* --- Several ----------------------------------------------------------------------------------------- */

/* Of a segment: of two vertices about the point, the chord that is highest. Planes are level across it. */
static int over_segment(const gjb_feature *feature, const real at[2], real *height, real plane[3])
{
    const real *p = feature->outline.at[0], *q = feature->outline.at[1];
    const real length = hypotl(q[0] - p[0], q[1] - p[1]), x = (q[0] - p[0]) / length,
               y = (q[1] - p[1]) / length;
    const real own = x * at[0] + y * at[1], sign = feature->side ? -1 : 1;
    int found = 0;
    for (uint32_t i = 0; i < feature->count; i++)
        for (uint32_t j = 0; j < feature->count; j++) {
            const real *u = feature->at[i], *v = feature->at[j];
            const real from = x * u[0] + y * u[1], to = x * v[0] + y * v[1];
            if (!(from <= own + 16 * feature->doubt && to >= own - 16 * feature->doubt && to > from))
                continue;
            const real rise = (v[2] - u[2]) / (to - from), high = u[2] + rise * (own - from);
            if (found && sign * high <= sign * *height)
                continue;
            found = 1;
            *height = high;
            plane[0] = rise * x;
            plane[1] = rise * y;
            plane[2] = high - plane[0] * at[0] - plane[1] * at[1];
        }
    return found ? 0 : -1;
}

typedef struct over {
    const gjb_feature *feature;
    real at[2];
} over;

static void list_support(const void *context, const real tilt[2], real out[3])
{
    const over *o = context;
    const real sign = o->feature->side ? -1 : 1;
    real most = -INFINITY;
    for (uint32_t k = 0; k < o->feature->count; k++) {
        const real *v = o->feature->at[k];
        const real own[3] = {v[0] - o->at[0], sign * (v[1] - o->at[1]), sign * v[2]};
        const real along = own[2] + tilt[0] * own[0] + tilt[1] * own[1];
        if (along <= most)
            continue;
        most = along;
        memcpy(out, own, sizeof own);
    }
}

/* The plane is that next to the point, towards the middle, since steep ones go through the border. */
static int over_polygon(const gjb_feature *feature, const real at[2], real *height, real plane[3])
{
    over o = {feature, {at[0], at[1]}};
    real middle[2] = {0, 0}, size = fmaxl(fabsl(feature->high), fabsl(feature->low));
    const real sign = feature->side ? -1 : 1;
    for (uint32_t k = 0; k < feature->outline.count; k++)
        for (int m = 0; m < 2; m++)
            middle[m] += feature->outline.at[k][m] / feature->outline.count;
    for (uint32_t k = 0; k < feature->outline.count; k++)
        size += hypotl(feature->outline.at[k][0] - middle[0], feature->outline.at[k][1] - middle[1]);
    gjb_roof roof = {.support = list_support, .context = &o, .far = 8 * size, .steepest = 0x1p10L};
    if (!gjb_roof_find(&roof, 4 * feature->doubt, LDBL_EPSILON * size))
        return -1;
    *height = sign * roof.over[2];
    for (int m = 0; m < 2; m++)
        o.at[m] = at[m] + (middle[m] - at[m]) * 0x1p-24L;
    if (!gjb_roof_find(&roof, 4 * feature->doubt, LDBL_EPSILON * size))
        return -1;
    plane[0] = -sign * roof.tilt[0];
    plane[1] = -roof.tilt[1];
    plane[2] = sign * roof.height - plane[0] * o.at[0] - plane[1] * o.at[1];
    return 0;
}

static void nearest_in(const gjb_flat *outline, const real point[2], real out[2])
{
    real least = INFINITY;
    out[0] = point[0];
    out[1] = point[1];
    if (gjb_flat_distance(outline, point) == 0)
        return;
    for (uint32_t k = 0; k < outline->count; k++) {
        const real *p = outline->at[k], *q = outline->at[k + 1 < outline->count ? k + 1 : 0];
        const real d[2] = {q[0] - p[0], q[1] - p[1]}, to[2] = {point[0] - p[0], point[1] - p[1]};
        const real whole = d[0] * d[0] + d[1] * d[1], part = d[0] * to[0] + d[1] * to[1];
        const real t = part <= 0 || whole <= 0 ? 0 : part >= whole ? 1 : part / whole;
        const real x = p[0] + t * d[0], y = p[1] + t * d[1];
        const real square = (x - point[0]) * (x - point[0]) + (y - point[1]) * (y - point[1]);
        if (square < least) {
            least = square;
            out[0] = x;
            out[1] = y;
        }
    }
}

int gjb_feature_height(const gjb_feature *feature, const real point[2], real *height, real plane[3])
{
    real at[2];
    nearest_in(&feature->outline, point, at);
    if (feature->is_even || feature->dimension == 0) {
        memcpy(plane, feature->plane, sizeof feature->plane);
        *height = feature->is_even ? plane_at(plane, at) : feature->side ? feature->low : feature->high;
        return 0;
    }
    return feature->dimension == 1 ? over_segment(feature, at, height, plane)
                                   : over_polygon(feature, at, height, plane);
}
