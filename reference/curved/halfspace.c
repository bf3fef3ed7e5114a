/* Half-spaces against any other shape: gap, normal and points from one support. */
#include "reference/curved/halfspace.h"

#include <string.h>

int ref_halfspace_side(const ref_curved *curved)
{
    for (int side = 0; side < 2; side++)
        if (gjb_is_unbounded(curved->body[side].kind))
            return side;
    return -1;
}

void ref_halfspace_normal(const ref_solid *solid, ref_real n[3])
{
    ref_real turned[3];
    for (int k = 0; k < 3; k++)
        turned[k] = ref_inner(solid->turn[k], solid->semi);
    ref_unit(n, turned);
}

void ref_halfspace_axis(const ref_curved *curved, ref_real n[3])
{
    const int side = ref_halfspace_side(curved);
    ref_halfspace_normal(&curved->body[side], n);
    for (int k = 0; k < 3 && side == 1; k++)
        n[k] = -n[k];
}

ref_real ref_halfspace_charge(const ref_real axis[3], const ref_real n[3], ref_real size)
{
    ref_real across[3];
    if (!(ref_inner(axis, n) > 0))
        return 8 * size;
    ref_cross(across, axis, n);
    return 1.5L * size * sqrtl(ref_inner(across, across));
}

ref_real ref_halfspace_above(const ref_solid *solid, const ref_real point[3])
{
    ref_real n[3], foot[3];
    ref_halfspace_normal(solid, n);
    return ref_inner(n, point) - ref_solid_support(solid, n, foot) - solid->ball;
}

/* Points of the cores. */
static ref_real measure(const ref_curved *curved, ref_real n[3], ref_real point[2][3])
{
    const int side = ref_halfspace_side(curved);
    ref_halfspace_axis(curved, n);
    const ref_corner corner = ref_curved_corner(curved, n);
    const ref_real gap = ref_inner(n, corner.w);
    memcpy(point[1 - side], corner.place[1 - side], sizeof point[0]);
    for (int k = 0; k < 3; k++)
        point[side][k] = point[1 - side][k] + (side == 0 ? -gap : gap) * n[k];
    return gap;
}

void ref_halfspace_enclose(const ref_curved *curved, ref_enclosure *out)
{
    *out = (ref_enclosure){.corners = 1};
    const ref_real gap = measure(curved, out->normal, out->point) - curved->body[0].ball - curved->body[1].ball;
    for (int k = 0; k < 3; k++) {
        out->point[0][k] += curved->body[0].ball * out->normal[k];
        out->point[1][k] -= curved->body[1].ball * out->normal[k];
    }
    out->lower = gap - curved->error;
    out->upper = gap + curved->error;
}

void ref_halfspace_approach(const ref_curved *curved, ref_near *out)
{
    *out = (ref_near){.corners = 1};
    out->lower = out->upper = measure(curved, out->normal, out->point);
    memcpy(out->axis, out->normal, sizeof out->axis);
}
