/* Half-spaces of the generator: their rows, the point that stands in for one, and its plane turned to the contact. */
#include "scenes/generate/generate_parts.h"

#include <math.h>
#include <string.h>

#include "scenes/generate/generate_solid.h"

/* Along an axis in a quarter, of unit length but for rounding in half, and of any length. The plane goes through the
 * local origin in a quarter. */
void gjb_shape_halfspace(gjb_random *r, gjb_draft *draft)
{
    double *rows = draft->dim == 2 ? draft->rows[0] : draft->rows3[0], normal[3];
    const uint32_t how = gjb_random_below(r, 4), axis = gjb_random_below(r, draft->dim);
    const double offset = gjb_random_range(r, -2.0, 2.0), length = gjb_random_octaves(r, -8, 8);
    if (draft->dim == 3)
        gjb_random_direction3(r, normal);
    else
        gjb_random_rotation(r, &normal[0], &normal[1]);
    for (uint32_t k = 0; k < draft->dim; k++) {
        normal[k] = how > 0 ? normal[k] : k == axis ? 1.0 : 0.0;
        rows[k] = normal[k] * (how == 3 ? length : 1.0);
        rows[draft->dim + k] = 0.0;
    }
    rows[draft->dim] = gjb_random_below(r, 4) == 0 ? 0.0 : offset;
    draft->radius = draft->rounded ? gjb_random_range(r, 0.0, 1.0) : 0.0;
}

static void unit_normal(uint32_t dim, const double *rows, double out[3])
{
    for (uint32_t k = 0; k < 3; k++)
        out[k] = k < dim ? rows[k] : 0.0;
    gjb_unit3(out);
}

void gjb_halfspace_stand_in(uint32_t dim, gjb_placed *body, double *local)
{
    double n[3];
    memcpy(body->curve, local, 2 * dim * sizeof *local);
    unit_normal(dim, body->curve, n);
    for (uint32_t k = 0; k < dim; k++)
        local[k] = body->curve[dim] * n[k];
    body->kind = GJB_POINT;
    body->count = 1;
    body->is_plane = 1;
}

/* The rotation that takes the unit vector `from` to the unit vector `to`. */
static void turn_between(const double from[3], const double to[3], double q[4])
{
    double axis[3] = {0.0, 0.0, 0.0}, square = 0.0;
    gjb_cross3(from, to, q);
    q[3] = 1.0 + gjb_dot3(from, to);
    if (q[3] < 1e-12) { /* half a turn about whatever is across */
        axis[fabs(from[0]) < 0.6 ? 0 : 1] = 1.0;
        gjb_cross3(from, axis, q);
        q[3] = 0.0;
    }
    for (int k = 0; k < 4; k++)
        square += q[k] * q[k];
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(square);
}

static void turn_plane(gjb_placement *p, gjb_placed *body, double sign)
{
    double n[3], q[4];
    const double to[3] = {sign * p->normal[0], sign * p->normal[1], p->dim == 3 ? sign * p->normal[2] : 0.0};
    unit_normal(p->dim, body->curve, n);
    if (p->dim == 2) {
        double c = n[0] * to[0] + n[1] * to[1], s = n[0] * to[1] - n[1] * to[0];
        gjb_unit_length(&c, &s);
        gjb_place_turn(body, p->precision, c, s);
    } else {
        turn_between(n, to, q);
        gjb_place_turn3(body, p->precision, q);
    }
}

void gjb_place_turn_planes(gjb_placement *p)
{
    gjb_placed *bodies[2] = {&p->a, &p->b};
    for (int i = 0; i < 2; i++) {
        gjb_placed *body = bodies[i];
        if (!body->is_plane || !(gjb_dot3(p->normal, p->normal) > 0.5))
            continue;
        double was[3], t[3];
        memcpy(was, body->centre, sizeof was);
        was[2] = p->dim == 2 ? 0.0 : was[2];
        turn_plane(p, body, i == 0 ? 1.0 : -1.0);
        for (uint32_t k = 0; k < 3; k++)
            t[k] =
                k < p->dim ? p->t[k] + (i == 0 ? body->centre[k] - was[k] : was[k] - body->centre[k]) : 0.0;
        if (p->dim == 3)
            gjb_place_at3(p, t);
        else
            gjb_place_at(p, t[0], t[1]);
        body->is_plane = 0; /* once is enough */
    }
}
