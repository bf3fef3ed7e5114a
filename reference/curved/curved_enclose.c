/* sigma of a pair: the cores brought to the simplest pair that has the same answer, then apart or overlapping. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "reference/curved/curved_axis_lower.h"
#include "reference/curved/curved_axis_upper.h"
#include "reference/curved/curved_few_cells.h"
#include "reference/curved/curved_plane.h"
#include "reference/curved/halfspace.h"
#include "reference/effort.h"

/* Such a body is a smaller convex one and a ball about each point of that, as large as its smallest radius
 * of curvature (Blaschke 1916): then cores of shallow pairs are apart, and all directions less alike. */
static void shrink(ref_solid *solid)
{
    const ref_real part = ref_solid_roundness(solid);
    if (!(part > 0))
        return;
    ref_real least = HUGE_VALL, most = 0;
    for (uint32_t k = 0; k < solid->dim; k++) {
        least = fminl(least, solid->semi[k]);
        most = fmaxl(most, solid->semi[k]);
    }
    /* In the plane the rotation as stored may scale. */
    const ref_real scale = solid->dim == 2 ? hypotl(solid->turn[0][0], solid->turn[1][0]) : 1;
    solid->shrunk = most > 0 ? part * scale * least * (least / most) * (1 - 0x1p-20L) : 0;
    solid->ball += solid->shrunk;
}

static void put_points(const ref_near *near, const ref_curved *c, const ref_plane *plane, ref_enclosure *out)
{
    if (plane) {
        const ref_real normal[3] = {out->normal[0], out->normal[1], 0};
        ref_plane_back(plane, normal, false, out->normal);
    }
    for (int side = 0; side < 2; side++) {
        if (plane)
            ref_plane_back(plane, near->point[side], true, out->point[side]);
        else
            memcpy(out->point[side], near->point[side], sizeof out->point[side]);
        for (int k = 0; k < 3; k++)
            out->point[side][k] += (side ? -1 : 1) * c->body[side].ball * out->normal[k];
    }
}

static ref_real core_gap(const ref_curved *c, const ref_real n[3])
{
    return ref_curved_gap(c, n) + c->body[0].ball + c->body[1].ball;
}

enum { FLAT_CORNERS = 4000 };

/* Axes that are all but parallel: the depth from below in the plane, however B leans; from above by directions of the
 * plane's best slope, across the lean and along it and towards B, which serve if the lean or the offset rules. */
static void depth_of_leaning(const ref_curved *c, const ref_curved *flat, const ref_plane *plane, ref_real width,
                             uint32_t most, ref_depth *depth)
{
    ref_depth found = {.normal = {1, 0, 0}};
    found.highest = -core_gap(flat, found.normal);
    ref_curved_depth(flat, width / 2, most / 4, &found);
    depth->corners += found.corners;
    depth->lowest = found.lowest - flat->error;
    for (int way = 0; way < 5; way++) {
        const ref_real *radial = way < 4 ? plane->lean[way / 2] : plane->axis[0], sign = way % 2 && way < 4 ? -1 : 1;
        ref_real n[3];
        for (int k = 0; k < 3; k++)
            n[k] = sign * found.normal[0] * radial[k] + found.normal[1] * plane->axis[1][k];
        const ref_real highest = -core_gap(c, n);
        if (highest < depth->highest) {
            depth->highest = highest;
            ref_unit(depth->normal, n);
        }
    }
}

/* What few cells prove: in the plane that all but parallel axes leave, then in space. */
static bool find_quickly(const ref_curved *c, const ref_curved *flat, const ref_plane *plane, ref_real width,
                         ref_depth *depth)
{
    if (flat) {
        depth_of_leaning(c, flat, plane, width, FLAT_CORNERS, depth);
        if (depth->highest - depth->lowest <= width)
            return true;
    }
    return ref_curved_few_cells(c, width, depth);
}

static void find_depth(const ref_curved *c, const ref_curved *flat, const ref_plane *plane, ref_real width,
                       uint32_t most, ref_depth *depth)
{
    ref_real known = 0;
    if (flat) {
        depth_of_leaning(c, flat, plane, width, most, depth);
        if (depth->highest - depth->lowest <= width)
            return;
        known = depth->lowest;
    }
    ref_curved_depth(c, width, most, depth);
    depth->lowest = fmaxl(depth->lowest, known);
    depth->capped = depth->capped && depth->highest - depth->lowest > width;
}

/* Relative to the size, of a depth around an axis. */
static const ref_real proof = 0x1p-50L;

/* Shares of `most` for what is tried before all of it, and for cells where depths tie around an axis: more do not end. */
enum { FIRST_SHARE = 32, TIED_SHARE = 8 };

/* A depth that cells leave open: looked for around axes, and proven there; else by cells once more, those of the cube that
 * stands on `up`. `leans`: the axes are all but parallel, and the plane did not decide. */
static void close_depth(const ref_curved *whole, const ref_curved *smaller, const ref_real up[3], bool leans,
                        ref_real width, uint32_t most, ref_depth *depth)
{
    bool tied = leans;
    if (smaller->dim == 3) {
        ref_curved_axis_upper(smaller, depth);
        const ref_real shrunk = smaller->body[0].shrunk + smaller->body[1].shrunk;
        const ref_real lowest = depth->highest - proof * whole->size, bar = lowest + shrunk + 2 * smaller->error;
        const ref_around found = lowest > 0 ? ref_curved_axis_lower(whole, bar, most / FIRST_SHARE) : REF_NOT_AROUND;
        if (found == REF_AROUND_PROVEN) {
            depth->lowest = fmaxl(depth->lowest, lowest);
            depth->capped = false;
            return;
        }
        tied = tied || found == REF_AROUND_OPEN;
    }
    ref_depth again = *depth;
    memcpy(again.normal, up, sizeof again.normal);
    ref_curved_depth(smaller, width, (tied ? most / TIED_SHARE : most) + depth->corners, &again);
    if (!(again.highest < depth->highest))
        memcpy(again.normal, depth->normal, sizeof again.normal);
    again.lowest = fmaxl(again.lowest, depth->lowest);
    again.capped = again.capped && again.highest - again.lowest > width;
    *depth = again;
}

/* No lean is of use that is larger: what is neglected grows with its square. */
static const ref_real largest_lean = 0x1p-7L;

/* What is done about an overlap. */
typedef enum depth_by { BY_CELLS, QUICKLY, NOT_AT_ALL } depth_by;

static void enclose(const ref_curved *curved, ref_real width, uint32_t most, bool points, depth_by how, ref_enclosure *out)
{
    static const ref_real here[3] = {0};
    if (ref_halfspace_side(curved) >= 0) {
        ref_halfspace_enclose(curved, out);
        return;
    }
    ref_curved c = *curved, flat;
    ref_real start[3];
    ref_plane plane;
    for (int side = 0; side < 2; side++)
        shrink(&c.body[side]);
    bool revolve = ref_curved_flatten(&c, &flat, &plane);
    const bool exactly = revolve && flat.lean * c.size <= width / 64;
    if (exactly) {
        flat.error += flat.lean * c.size;
        flat.lean = 0;
        c = flat;
    }
    revolve = revolve && !exactly && flat.lean < largest_lean;
    width = fmaxl(width, 2 * c.error);
    for (int k = 0; k < 3; k++)
        start[k] = c.body[1].offset[k] - c.body[0].offset[k];
    ref_near near;
    ref_curved_nearest(&c, here, start, points ? c.error / 16 : width / 2, points, &near);
    *out = (ref_enclosure){.lower = near.lower, .upper = near.upper, .corners = near.corners};
    memcpy(out->normal, points ? near.normal : near.axis, sizeof out->normal);
    const ref_real balls = c.body[0].ball + c.body[1].ball;
    const bool overlap = near.upper - near.lower > width;
    if (overlap && !(how == NOT_AT_ALL && near.upper - balls <= c.error)) {
        ref_depth depth = {.highest = -near.lower};
        memcpy(depth.normal, near.axis, sizeof near.axis);
        if (how == BY_CELLS || !find_quickly(&c, revolve ? &flat : NULL, &plane, width, &depth)) {
            find_depth(&c, revolve ? &flat : NULL, &plane, width, points ? most / FIRST_SHARE : most, &depth);
            if (points && depth.highest - depth.lowest > width)
                close_depth(curved, &c, near.axis, revolve, width, most, &depth);
        }
        memcpy(out->normal, depth.normal, sizeof depth.normal);
        out->lower = -depth.highest;
        out->corners += depth.corners;
        if (depth.lowest > 0) {
            out->upper = fminl(out->upper, -depth.lowest);
        } else if (out->upper - out->lower > width) { /* touching: the axis that was found leads to where */
            ref_near again;
            ref_curved_nearest(&c, here, out->normal, width / 2, false, &again);
            out->upper = fminl(out->upper, again.upper);
            out->corners += again.corners;
        }
        out->capped = depth.capped;
        if (points) {
            ref_real target[3];
            for (int k = 0; k < 3; k++)
                target[k] = out->lower * out->normal[k];
            ref_curved_nearest(&c, target, out->normal, c.error / 16, true, &near);
            out->corners += near.corners;
        }
    }
    put_points(&near, &c, exactly ? &plane : NULL, out);
    out->lower -= balls + c.error;
    out->upper += c.error - balls;
}

void ref_curved_enclose(const ref_curved *curved, ref_real width, uint32_t most, bool points, ref_enclosure *out)
{
    enclose(curved, width, most, points, BY_CELLS, out);
}

void ref_curved_enclose_quickly(const ref_curved *curved, ref_real width, uint32_t most, bool points, ref_enclosure *out)
{
    enclose(curved, width, most, points, ref_effort_slowly() ? BY_CELLS : QUICKLY, out);
}

void ref_curved_enclose_distance(const ref_curved *curved, ref_real width, uint32_t most, ref_enclosure *out)
{
    enclose(curved, width, most, true, NOT_AT_ALL, out);
}

void ref_curved_approach(const ref_curved *curved, const ref_real from[3], ref_real width, ref_near *out)
{
    static const ref_real here[3] = {0};
    if (ref_halfspace_side(curved) >= 0) {
        ref_halfspace_approach(curved, out);
        return;
    }
    ref_curved c = *curved;
    shrink(&c.body[0]);
    shrink(&c.body[1]);
    ref_curved_nearest(&c, here, from, width, true, out);
    const ref_real shrunk = c.body[0].shrunk + c.body[1].shrunk;
    out->lower -= shrunk;
    out->upper -= shrunk;
    for (int k = 0; k < 3; k++) {
        out->point[0][k] += c.body[0].shrunk * out->normal[k];
        out->point[1][k] -= c.body[1].shrunk * out->normal[k];
    }
}

/* From above: how far a point is from a core |x/a|^p + ... <= 1, by straight ways to it: towards its middle, or
 * along one axis. GJK's simplex gets no hold of one that is thin to 2^-40. */
static ref_real straight_distance(const ref_solid *solid, const ref_real point[3])
{
    const bool super = solid->kind == GJB_SUPERELLIPSE || solid->kind == GJB_SUPERELLIPSOID;
    if (!super && solid->kind != GJB_ELLIPSE && solid->kind != GJB_ELLIPSOID)
        return HUGE_VALL;
    const ref_real p = super ? solid->exponent : 2;
    const ref_real scale = solid->dim == 2 ? hypotl(solid->turn[0][0], solid->turn[1][0]) : 1;
    ref_real term[3] = {0}, at[3] = {0}, sum = 0, off = 0;
    for (uint32_t k = 0; k < solid->dim; k++) {
        for (uint32_t r = 0; r < solid->dim; r++)
            at[k] += solid->turn[r][k] * (point[r] - solid->offset[r]) / (scale * scale);
        at[k] = fabsl(at[k]);
        term[k] = solid->semi[k] > 0 ? powl(at[k] / solid->semi[k], p) : 0;
        sum += term[k];
        off += solid->semi[k] > 0 ? 0 : at[k];
    }
    if (!(sum > 1))
        return scale * off;
    ref_real least = sqrtl(ref_inner(at, at)) * (1 - powl(sum, -1 / p));
    for (uint32_t k = 0; k < solid->dim; k++) {
        const ref_real left = 1 - term[(k + 1) % 3] - term[(k + 2) % 3];
        if (left >= 0)
            least = fminl(least, at[k] - solid->semi[k] * powl(left, 1 / p));
    }
    return scale * (off + least);
}

ref_real ref_curved_point_distance(const ref_curved *curved, int of_b, const ref_real point[3])
{
    static const double origin[3] = {0};
    static const ref_real here[3] = {0};
    ref_curved c = {.dim = curved->dim, .error = curved->error, .size = curved->size}, flat;
    ref_real start[3];
    ref_plane plane;
    ref_near near;
    const ref_solid *given = &curved->body[of_b != 0];
    if (gjb_is_unbounded(given->kind))
        return fmaxl(0, ref_halfspace_above(given, point));
    c.body[0] = *given;
    c.body[1] = (ref_solid){.kind = GJB_POINT, .dim = curved->dim, .count = 1, .rows = origin};
    memcpy(c.body[1].offset, point, curved->dim * sizeof *point);
    shrink(&c.body[0]);
    if (ref_curved_flatten(&c, &flat, &plane))
        c = flat;
    for (int k = 0; k < 3; k++)
        start[k] = c.body[1].offset[k] - c.body[0].offset[k];
    ref_curved_nearest(&c, here, start, c.error / 4, false, &near);
    const ref_real upper = fminl(near.upper - c.body[0].ball, straight_distance(given, point) - given->ball);
    return fmaxl(upper, 0);
}
