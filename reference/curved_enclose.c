/* sigma of a pair: the cores brought to the simplest pair that has the same answer, then apart or overlapping. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "reference/curved.h"

/* A body of revolution: a point of its axis, and the axis where only one will do. */
typedef struct spindle {
    bool any; /* a point: every axis */
    ref_real at[3], axis[3];
} spindle;

static void image(const ref_solid *solid, const ref_real x[3], ref_real out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = ref_inner(solid->turn[k], x) + solid->offset[k];
    }
}

static bool revolves(const ref_solid *solid, spindle *s)
{
    const ref_real *semi = solid->semi, origin[3] = {0};
    int axis = 2;
    *s = (spindle){.any = false};
    if (!gjb_is_curved(solid->kind)) {
        ref_real from[3] = {0}, to[3] = {0}, end[3];
        for (uint32_t k = 0; k < 3 && solid->count <= 2; k++) {
            from[k] = solid->rows[k];
            to[k] = solid->rows[k + (solid->count == 2 ? 3 : 0)];
        }
        image(solid, from, s->at);
        image(solid, to, end);
        for (int k = 0; k < 3; k++) {
            end[k] -= s->at[k];
        }
        s->any = ref_unit(s->axis, end) == 0;
        return solid->count <= 2;
    }
    if (solid->kind == GJB_SUPERELLIPSOID) {
        return false;
    }
    if (solid->kind == GJB_ELLIPSOID) {
        axis = semi[0] == semi[1] ? 2 : semi[1] == semi[2] ? 0 : 1;
        if (semi[(axis + 1) % 3] != semi[(axis + 2) % 3]) {
            return false;
        }
    }
    image(solid, origin, s->at);
    for (int k = 0; k < 3; k++) {
        s->axis[k] = solid->turn[k][axis];
    }
    return true;
}

/* A plane of space that has in it all that matters: by its first two axes. */
typedef struct plane {
    ref_real axis[3][3], origin[3];
} plane;

static void onto(const plane *p, ref_solid *solid)
{
    ref_real turn[3][3] = {{0}}, offset[3] = {0};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            offset[i] += p->axis[i][k] * (solid->offset[k] - p->origin[k]);
            for (int m = 0; m < 3; m++) {
                turn[i][m] += p->axis[i][k] * solid->turn[k][m];
            }
        }
    }
    memcpy(solid->turn, turn, sizeof turn);
    memcpy(solid->offset, offset, sizeof offset);
}

static void back(const plane *p, const ref_real v[3], bool point, ref_real out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = v[0] * p->axis[0][k] + v[1] * p->axis[1][k] + (point ? p->origin[k] : 0);
    }
}

/* Two bodies that revolve about parallel axes: of all directions as steep, the best one is in the plane of both axes,
 * so that what they cut out of that plane has the same signed distance. Axes that are parallel but for `granted`
 * are made so, which turns one of the bodies about a point of its axis. */
static bool flatten(ref_curved *c, ref_real granted, plane *p)
{
    spindle s[2];
    ref_real across[3], apart[3], radial[3], lean = 0;
    if (c->dim == 2 || !revolves(&c->body[0], &s[0]) || !revolves(&c->body[1], &s[1]) || (s[0].any && s[1].any)) {
        return false;
    }
    const ref_real *axis = s[0].any ? s[1].axis : s[0].axis;
    if (!s[0].any && !s[1].any) {
        ref_cross(across, s[0].axis, s[1].axis);
        lean = 4 * sqrtl(ref_inner(across, across)) * fminl(c->body[0].reach, c->body[1].reach);
    }
    if (lean > granted) {
        return false;
    }
    c->error += lean + 64 * LDBL_EPSILON * c->size;
    for (int k = 0; k < 3; k++) {
        p->origin[k] = s[0].at[k];
        apart[k] = s[1].at[k] - s[0].at[k];
    }
    for (int round = 0; round < 2; round++) {
        const ref_real along = ref_inner(apart, axis);
        for (int k = 0; k < 3; k++) {
            radial[k] = apart[k] -= along * axis[k];
        }
    }
    if (!(ref_unit(p->axis[0], radial) > 0)) {
        int least = fabsl(axis[0]) < fabsl(axis[1]) ? 0 : 1;
        least = fabsl(axis[2]) < fabsl(axis[least]) ? 2 : least;
        ref_real other[3] = {0};
        other[least] = 1;
        ref_cross(across, axis, other);
        ref_unit(p->axis[0], across);
    }
    memcpy(p->axis[1], axis, sizeof p->axis[1]);
    onto(p, &c->body[0]);
    onto(p, &c->body[1]);
    c->dim = 2;
    return true;
}

/* An ellipsoid is a smaller convex body and a ball about each point of that, as large as its smallest radius
 * of curvature (Blaschke 1916): then cores of shallow pairs are apart, and all directions less alike. */
static void shrink(ref_solid *solid)
{
    if (solid->kind != GJB_ELLIPSE && solid->kind != GJB_ELLIPSOID) {
        return;
    }
    ref_real least = HUGE_VALL, most = 0;
    for (uint32_t k = 0; k < solid->dim; k++) {
        least = fminl(least, solid->semi[k]);
        most = fmaxl(most, solid->semi[k]);
    }
    /* In the plane the rotation as stored may scale. */
    const ref_real scale = solid->dim == 2 ? hypotl(solid->turn[0][0], solid->turn[1][0]) : 1;
    solid->shrunk = most > 0 ? scale * least * (least / most) * (1 - 0x1p-20L) : 0;
    solid->ball += solid->shrunk;
}

static void put_points(const ref_near *near, const ref_curved *c, const plane *p, bool flat, ref_enclosure *out)
{
    ref_real normal[3];
    memcpy(normal, out->normal, sizeof normal);
    if (flat) {
        back(p, normal, false, out->normal);
    }
    for (int side = 0; side < 2; side++) {
        memcpy(out->point[side], near->point[side], sizeof out->point[side]);
        if (flat) {
            back(p, near->point[side], true, out->point[side]);
        }
        for (int k = 0; k < 3; k++) {
            out->point[side][k] += (side ? -1 : 1) * c->body[side].ball * out->normal[k];
        }
    }
}

void ref_curved_enclose(const ref_curved *curved, ref_real width, uint32_t most, bool points, ref_enclosure *out)
{
    static const ref_real here[3] = {0};
    ref_curved c = *curved;
    ref_real start[3];
    plane p;
    const bool flat = flatten(&c, width / 8, &p);
    for (int side = 0; side < 2; side++) {
        shrink(&c.body[side]);
    }
    width = fmaxl(width, 2 * c.error);
    for (int k = 0; k < 3; k++) {
        start[k] = c.body[1].offset[k] - c.body[0].offset[k];
    }
    ref_near near;
    ref_curved_nearest(&c, here, start, points ? c.error / 16 : width / 2, points, &near);
    ref_depth depth = {.highest = -near.lower};
    *out = (ref_enclosure){.lower = near.lower, .upper = near.upper, .corners = near.corners};
    memcpy(out->normal, points ? near.normal : near.axis, sizeof out->normal);
    if (near.upper - near.lower > width) {
        memcpy(depth.normal, near.axis, sizeof near.axis);
        ref_curved_depth(&c, width, most, &depth);
        memcpy(out->normal, depth.normal, sizeof depth.normal);
        out->lower = -depth.highest;
        out->upper = depth.lowest > 0 ? fminl(out->upper, -depth.lowest) : out->upper;
        out->corners += depth.corners;
        out->capped = depth.capped;
        if (points) {
            ref_real target[3];
            for (int k = 0; k < 3; k++) {
                target[k] = out->lower * out->normal[k];
            }
            ref_curved_nearest(&c, target, out->normal, c.error / 16, true, &near);
            out->corners += near.corners;
        }
    }
    put_points(&near, &c, &p, flat, out);
    const ref_real balls = c.body[0].ball + c.body[1].ball;
    out->lower -= balls + c.error;
    out->upper += c.error - balls;
}

ref_real ref_curved_point_distance(const ref_curved *curved, int of_b, const ref_real point[3])
{
    static const double origin[3] = {0};
    static const ref_real here[3] = {0};
    ref_curved c = {.dim = curved->dim, .error = curved->error, .size = curved->size};
    ref_real start[3];
    plane p;
    ref_near near;
    c.body[0] = curved->body[of_b != 0];
    c.body[1] = (ref_solid){.kind = GJB_POINT, .dim = curved->dim, .count = 1, .rows = origin};
    memcpy(c.body[1].offset, point, curved->dim * sizeof *point);
    flatten(&c, 0, &p);
    shrink(&c.body[0]);
    for (int k = 0; k < 3; k++) {
        start[k] = c.body[1].offset[k] - c.body[0].offset[k];
    }
    ref_curved_nearest(&c, here, start, c.error / 4, false, &near);
    return fmaxl(near.upper - c.body[0].ball, 0);
}
