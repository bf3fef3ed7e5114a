/* Half-spaces against any other shape: gap, normal and points from one support. */
#include "reference/curved/halfspace.h"

#include <string.h>

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
    const ref_real gap =
        measure(curved, out->normal, out->point) - curved->body[0].ball - curved->body[1].ball;
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
