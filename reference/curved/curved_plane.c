/* Cuts two bodies of revolution by a plane through both axes, with a bound on the error from their lean. */
#include "reference/curved/curved_plane.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A body of revolution: a point of its axis, and the axis where only one will do. */
typedef struct spindle {
    bool any; /* a point: every axis */
    int axis_of, radius_of; /* of a curved one: local axes along and across */
    ref_real at[3], axis[3];
} spindle;

static void image(const ref_solid *solid, const double *row, ref_real out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = solid->offset[k];
        for (int m = 0; m < 3 && row; m++)
            out[k] += solid->turn[k][m] * row[m];
    }
}

static bool revolves(const ref_solid *solid, spindle *s)
{
    const ref_real *semi = solid->semi;
    const bool straight = !gjb_is_curved(solid->kind);
    *s = (spindle){.axis_of = 2, .radius_of = 0};
    if ((straight && solid->count > 2) || solid->kind == GJB_SUPERELLIPSOID)
        return false;
    if (straight) {
        ref_real end[3];
        image(solid, solid->rows, s->at);
        image(solid, solid->rows + (solid->count == 2 ? 3 : 0), end);
        for (int k = 0; k < 3; k++)
            end[k] -= s->at[k];
        s->any = ref_unit(s->axis, end) == 0;
        return true;
    }
    if (solid->kind == GJB_ELLIPSOID) {
        s->axis_of = semi[0] == semi[1] ? 2 : semi[1] == semi[2] ? 0 : 1;
        s->radius_of = (s->axis_of + 1) % 3;
        if (semi[s->radius_of] != semi[(s->axis_of + 2) % 3])
            return false;
    }
    image(solid, NULL, s->at);
    for (int k = 0; k < 3; k++)
        s->axis[k] = solid->turn[k][s->axis_of];
    return true;
}

/* Any unit vector square to one. */
static void perpendicular(ref_real out[3], const ref_real axis[3])
{
    int least = fabsl(axis[0]) < fabsl(axis[1]) ? 0 : 1;
    least = fabsl(axis[2]) < fabsl(axis[least]) ? 2 : least;
    ref_real other[3] = {0};
    other[least] = 1;
    ref_cross(out, axis, other);
    ref_unit(out, out);
}

/* In the plane: its axis the second one, and whatever is across it the first. */
static void cut(ref_solid *solid, const spindle *s, const ref_real place[2], ref_real sign)
{
    ref_real turn[2][3] = {{0}}, along = 0;
    for (int k = 0; k < 3; k++) {
        along += s->axis[k] * (solid->offset[k] - s->at[k]);
        for (int m = 0; m < 3; m++)
            turn[1][m] += sign * s->axis[k] * solid->turn[k][m];
    }
    if (gjb_is_curved(solid->kind)) {
        turn[1][s->axis_of] = sign;
        turn[1][s->radius_of] = turn[1][3 - s->axis_of - s->radius_of] = 0;
        turn[0][s->radius_of] = 1;
    }
    memset(solid->turn, 0, sizeof solid->turn);
    for (int i = 0; i < 2 && !s->any; i++)
        memcpy(solid->turn[i], turn[i], sizeof turn[i]);
    solid->offset[0] = place[0];
    solid->offset[1] = place[1] + (s->any ? 0 : sign * along);
    solid->offset[2] = 0;
}

bool ref_curved_flatten(const ref_curved *c, ref_curved *flat, ref_plane *plane)
{
    static const ref_real origin[2] = {0};
    spindle s[2];
    ref_real apart[3], across[3], radial[3], place[2] = {0, 0}, sign = 1;
    if (c->dim == 2 || !revolves(&c->body[0], &s[0]) || !revolves(&c->body[1], &s[1]) || (s[0].any && s[1].any))
        return false;
    const ref_real *axis = s[0].any ? s[1].axis : s[0].axis;
    *flat = *c;
    flat->dim = 2;
    flat->error += 64 * LDBL_EPSILON * c->size;
    if (!s[0].any && !s[1].any) {
        ref_cross(across, s[0].axis, s[1].axis);
        const ref_real sine = sqrtl(ref_inner(across, across));
        sign = ref_inner(s[0].axis, s[1].axis) < 0 ? -1 : 1;
        flat->lean = sine * (1 + sine * sine);
        flat->error += flat->lean * flat->lean * c->size;
    }
    for (int k = 0; k < 3; k++) {
        plane->origin[k] = s[0].at[k];
        apart[k] = s[1].at[k] - s[0].at[k];
    }
    for (int round = 0; round < 2; round++) {
        const ref_real along = ref_inner(apart, axis);
        place[1] += along;
        for (int k = 0; k < 3; k++)
            radial[k] = apart[k] -= along * axis[k];
    }
    memcpy(plane->axis[1], axis, sizeof plane->axis[1]);
    place[0] = ref_unit(plane->axis[0], radial);
    if (!(place[0] > 0))
        perpendicular(plane->axis[0], axis);
    memcpy(plane->lean[0], flat->lean > 0 ? across : plane->axis[0], sizeof plane->lean[0]);
    for (int round = 0; round < 2; round++) { /* of axes that are all but parallel rounding is a part of their product */
        const ref_real along = ref_inner(plane->lean[0], axis);
        for (int k = 0; k < 3; k++)
            plane->lean[0][k] -= along * axis[k];
        ref_unit(plane->lean[0], plane->lean[0]);
    }
    ref_cross(plane->lean[1], axis, plane->lean[0]);
    cut(&flat->body[0], &s[0], origin, 1);
    cut(&flat->body[1], &s[1], place, sign);
    memcpy(flat->pivot, place, sizeof place);
    return true;
}

void ref_plane_back(const ref_plane *plane, const ref_real v[3], bool point, ref_real out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = v[0] * plane->axis[0][k] + v[1] * plane->axis[1][k] + (point ? plane->origin[k] : 0);
}
