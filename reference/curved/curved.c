/* Support mappings of curved cores in long double, with bounds on their errors, and their placing. */
#include "reference/curved/curved.h"

#include <float.h>
#include <math.h>

#include "reference/curved/halfspace.h"
#include "reference/methods/frame3.h"

_Static_assert(LDBL_MANT_DIG >= 64, "the bounds need a long double of 64 bits or more");

static const ref_real unit = LDBL_EPSILON / 2;
static const double nought[3] = {0, 0, 0};

bool ref_is_curved2(const gjb_pair2 *pair)
{
    return ((GJB_CURVED_2D | GJB_UNBOUNDED) >> pair->a.kind | (GJB_CURVED_2D | GJB_UNBOUNDED) >> pair->b.kind) & 1u;
}

bool ref_is_curved3(const gjb_pair3 *pair)
{
    return ((GJB_CURVED_3D | GJB_UNBOUNDED) >> pair->a.kind | (GJB_CURVED_3D | GJB_UNBOUNDED) >> pair->b.kind) & 1u;
}

bool ref_is_curved(const gjb_pair *pair)
{
    return pair->dim == 2 ? ref_is_curved2(&pair->as.plane) : ref_is_curved3(&pair->as.space);
}

/* ---- support mappings, in the local frame ---- */

/* Cheaper if it is one: no rounding of a quotient enters. */
static ref_real along_ellipsoid(const ref_real semi[3], const ref_real n[3], ref_real x[3])
{
    const ref_real m[3] = {semi[0] * n[0], semi[1] * n[1], semi[2] * n[2]};
    const ref_real length = sqrtl(ref_inner(m, m));
    for (int k = 0; k < 3; k++)
        x[k] = length > 0 ? semi[k] * (m[k] / length) : 0;
    return length;
}

/* Powers by logarithms: what x = t^(1/(p-1)) is off by is |ln x| of its own units, and a term t x a rounding
 * more, which is less than a unit and a half of a sum that is 1 or more. powl is as right for any base, and takes
 * seven times as long. */
static ref_real along_super(const ref_real semi[3], ref_real p, const ref_real n[3], ref_real x[3])
{
    ref_real m[3], most = 0, sum = 0, along = 0;
    int farthest = 0;
    for (int k = 0; k < 3; k++) {
        m[k] = fabsl(semi[k] * n[k]);
        farthest = m[k] > most ? k : farthest;
        most = m[k] > most ? m[k] : most;
    }
    for (int k = 0; k < 3; k++) {
        const ref_real t = most > 0 ? m[k] / most : 0;
        if (k == farthest || (t == 1 && p > 1)) {
            x[k] = 1;
            sum += 1;
        } else if (p > 1 && t > 0) { /* p = 1 has vertices alone */
            x[k] = exp2l(log2l(t) / (p - 1));
            sum += t * x[k];
        } else {
            x[k] = 0;
        }
    }
    const ref_real scale = sum == 1 ? 1 : exp2l(-log2l(sum) / p);
    for (int k = 0; k < 3; k++) {
        x[k] *= n[k] < 0 ? -semi[k] * scale : semi[k] * scale;
        along += n[k] * x[k];
    }
    return along;
}

static ref_real along_cylinder(const ref_real semi[3], const ref_real n[3], ref_real x[3])
{
    const ref_real radial = sqrtl(n[0] * n[0] + n[1] * n[1]);
    for (int k = 0; k < 2; k++)
        x[k] = radial > 0 ? semi[0] * (n[k] / radial) : 0;
    x[2] = n[2] < 0 ? -semi[2] : semi[2];
    return semi[0] * radial + semi[2] * fabsl(n[2]);
}

static ref_real along_cone(const ref_real semi[3], const ref_real n[3], ref_real x[3])
{
    const ref_real radial = sqrtl(n[0] * n[0] + n[1] * n[1]), up = semi[2] * n[2], rim = semi[0] * radial - up;
    const bool apex = up >= rim;
    for (int k = 0; k < 2; k++)
        x[k] = apex || !(radial > 0) ? 0 : semi[0] * (n[k] / radial);
    x[2] = apex ? semi[2] : -semi[2];
    return apex ? up : rim;
}

/* The point of the plane nearest to the local origin. */
static ref_real along_foot(const ref_solid *solid, const ref_real n[3], ref_real x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = solid->exponent * solid->semi[k];
    return ref_inner(n, x);
}

static ref_real along_rows(const ref_solid *solid, const ref_real n[3], ref_real x[3])
{
    const double *best = solid->rows;
    ref_real most = -HUGE_VALL;
    for (uint32_t k = 0; k < solid->count; k++) {
        const double *v = solid->rows + (size_t)k * solid->dim;
        const ref_real along = n[0] * v[0] + n[1] * v[1] + (solid->dim == 3 ? n[2] * v[2] : 0);
        if (along > most) {
            most = along;
            best = v;
        }
    }
    x[0] = best[0];
    x[1] = best[1];
    x[2] = solid->dim == 3 ? best[2] : 0;
    return most;
}

ref_real ref_solid_support(const ref_solid *solid, const ref_real n[3], ref_real x[3])
{
    ref_real back[3], at[3], along;
    for (int c = 0; c < 3; c++)
        back[c] = solid->turn[0][c] * n[0] + solid->turn[1][c] * n[1] + solid->turn[2][c] * n[2];
    switch (solid->kind) {
    case GJB_ELLIPSE:
    case GJB_ELLIPSOID: along = along_ellipsoid(solid->semi, back, at); break;
    case GJB_SUPERELLIPSE:
    case GJB_SUPERELLIPSOID: along = along_super(solid->semi, solid->exponent, back, at); break;
    case GJB_CYLINDER: along = along_cylinder(solid->semi, back, at); break;
    case GJB_CONE: along = along_cone(solid->semi, back, at); break;
    case GJB_HALFSPACE: along = along_foot(solid, back, at); break;
    default: along = along_rows(solid, back, at); break;
    }
    for (int k = 0; k < 3; k++)
        x[k] = ref_inner(solid->turn[k], at) + solid->offset[k] - solid->shrunk * n[k];
    return along + ref_inner(n, solid->offset) - solid->shrunk;
}

ref_corner ref_curved_corner(const ref_curved *curved, const ref_real n[3])
{
    const ref_real back[3] = {-n[0], -n[1], -n[2]};
    ref_corner c;
    ref_solid_support(&curved->body[0], n, c.place[0]);
    ref_solid_support(&curved->body[1], back, c.place[1]);
    for (int k = 0; k < 3; k++)
        c.w[k] = c.place[1][k] - c.place[0][k];
    return c;
}

ref_real ref_curved_gap(const ref_curved *curved, const ref_real n[3])
{
    ref_real forth[3], back[3], x[3], axis[3], charge = 0;
    ref_unit(forth, n);
    for (int k = 0; k < 3; k++)
        back[k] = -forth[k];
    if (ref_halfspace_side(curved) >= 0) {
        ref_halfspace_axis(curved, axis);
        charge = ref_halfspace_charge(axis, forth, curved->size);
    }
    return -charge - ref_solid_support(&curved->body[1], back, x) - ref_solid_support(&curved->body[0], forth, x) -
           (curved->body[0].ball + curved->body[1].ball);
}

/* ---- placing ---- */

/* A ball is a point and a radius; a power of 2 is an ellipse. */
static void simplify(ref_solid *solid, ref_real scale)
{
    const bool super = solid->kind == GJB_SUPERELLIPSE || solid->kind == GJB_SUPERELLIPSOID;
    if (super && solid->exponent == 2)
        solid->kind = solid->dim == 2 ? GJB_ELLIPSE : GJB_ELLIPSOID;
    const bool round = solid->kind == GJB_ELLIPSE || solid->kind == GJB_ELLIPSOID;
    if (round && solid->semi[0] == solid->semi[1] && (solid->dim == 2 || solid->semi[0] == solid->semi[2])) {
        solid->kind = GJB_POINT;
        solid->rows = nought;
        solid->count = 1;
        solid->ball += solid->semi[0] * scale;
        solid->reach = 0;
    }
}

void ref_solid_open(ref_solid *solid, gjb_kind kind, uint32_t dim, uint32_t count, const double *rows,
                    double radius, ref_real scale)
{
    const bool turned = kind == GJB_CYLINDER || kind == GJB_CONE;
    *solid = (ref_solid){.kind = kind, .dim = dim, .count = count, .rows = rows, .ball = radius, .exponent = 2};
    solid->reach = gjb_core_reach(dim, kind, rows, count);
    for (uint32_t k = 0; k < dim; k++)
        solid->turn[k][k] = 1;
    if (gjb_is_unbounded(kind)) {
        const ref_real normal[3] = {rows[0], rows[1], dim == 3 ? rows[2] : 0};
        ref_unit(solid->semi, normal);
        solid->exponent = rows[dim];
    }
    if (!gjb_is_curved(kind))
        return;
    for (uint32_t k = 0; k < dim; k++)
        solid->semi[k] = turned ? rows[k == 2] : rows[k];
    solid->exponent = count > 1 ? rows[dim] : 2;
    simplify(solid, scale);
}

static void place(ref_solid *solid, const ref_real turn[3][3], const ref_real offset[3])
{
    for (uint32_t i = 0; i < solid->dim; i++) {
        for (uint32_t k = 0; k < solid->dim; k++)
            solid->turn[i][k] = turn[i][k];
        solid->offset[i] = offset[i];
    }
}

ref_real ref_solid_units(const ref_solid *solid)
{
    return solid->kind == GJB_SUPERELLIPSE || solid->kind == GJB_SUPERELLIPSOID ? 2 * 96 + 512 : 2 * 96;
}

/* |P x| of x with x_i in [-a_i, a_i], P across the axis: at most sum a_i |P e_i|; where x is
 * D u, |u| <= 1, at most the root of the sum of squares of those; the radius of a circle about z counts once. */
ref_real ref_solid_aside(const ref_solid *solid, const ref_real axis[3])
{
    ref_real most = 0, sum = 0, squares = 0;
    for (int k = 0; k < 3; k++) {
        const ref_real part = solid->semi[k] * sqrtl(fmaxl(1 - axis[k] * axis[k], 0) + 0x1p-60L);
        sum += part;
        squares += part * part;
        most = part;
    }
    if (solid->kind == GJB_CYLINDER || solid->kind == GJB_CONE)
        most += solid->semi[0];
    else
        most = solid->exponent <= 2 ? sqrtl(squares) : sum;
    return fminl(most, solid->reach) * (1 + 0x1p-50L);
}

void ref_curved_open_at(ref_curved *curved, const gjb_pair *pair, const ref_real turn[2][3][3],
                        const ref_real offset[3])
{
    static const ref_real still[3] = {0};
    ref_real units = 0;
    curved->dim = pair->dim;
    curved->lean = 0;
    curved->size = fabsl(offset[0]) + fabsl(offset[1]) + fabsl(offset[2]);
    for (int side = 0; side < 2; side++) {
        ref_solid *solid = &curved->body[side];
        if (pair->dim == 2) {
            const gjb_body2 *b = side ? &pair->as.plane.b : &pair->as.plane.a;
            const ref_real scale = hypotl(turn[side][0][0], turn[side][1][0]);
            ref_solid_open(solid, b->kind, 2, b->count, *b->vertices, b->radius, scale);
        } else {
            const gjb_body3 *b = side ? &pair->as.space.b : &pair->as.space.a;
            ref_solid_open(solid, b->kind, 3, b->count, *b->vertices, b->radius, 1);
        }
        place(solid, turn[side], side ? offset : still);
        curved->size += 2 * solid->reach + solid->ball; /* 2: coordinates of a vertex sum up to sqrt 3 of it */
        units += ref_solid_units(solid) * solid->reach;
    }
    curved->error = unit * (96 * (curved->size - 2 * curved->body[0].reach - 2 * curved->body[1].reach) + units);
}

void ref_curved_open(ref_curved *curved, const gjb_pair *pair)
{
    ref_real turn[2][3][3] = {{{0}}}, offset[3] = {0};
    if (pair->dim == 2) {
        const gjb_pose2d *pose[2] = {&pair->as.plane.a.pose, &pair->as.plane.b.pose};
        for (int side = 0; side < 2; side++) {
            turn[side][0][0] = turn[side][1][1] = pose[side]->c;
            turn[side][1][0] = pose[side]->s;
            turn[side][0][1] = -(ref_real)pose[side]->s;
        }
        offset[0] = (ref_real)pose[1]->x - pose[0]->x;
        offset[1] = (ref_real)pose[1]->y - pose[0]->y;
    } else {
        const gjb_pose3d *a = &pair->as.space.a.pose, *b = &pair->as.space.b.pose;
        ref_rotation3(a, turn[0]);
        ref_rotation3(b, turn[1]);
        offset[0] = (ref_real)b->x - a->x;
        offset[1] = (ref_real)b->y - a->y;
        offset[2] = (ref_real)b->z - a->z;
    }
    ref_curved_open_at(curved, pair, (const ref_real(*)[3][3])turn, offset);
}
