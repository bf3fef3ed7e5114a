/* Mutations of motions. */
#include "core/random.h"
#include "fuzz/mutate_private.h"

static void stop(gjb_edit_body *b)
{
    memset(b->motion, 0, sizeof b->motion);
}

GJB_MUTATION(still)
{
    (void)other;
    stop(&edit->body[which]);
    if (gjb_random_below(r, 4) == 0)
        memcpy(edit->body[which].motion, edit->body[1 - which].motion,
               sizeof edit->body[0].motion); /* as one */
    return 0;
}

/* Towards the other shape along the normal, so that they meet at `t` if nothing turns. */
static int meet_at(gjb_edit *edit, uint32_t which, double t)
{
    double sigma, n[3];
    if (gjb_edit_sigma(edit, &sigma, n) || !(sigma > 0))
        return 1;
    gjb_edit_body *b = &edit->body[which];
    for (uint32_t k = 0; k < edit->dim; k++)
        b->motion[k] = (which ? -1 : 1) * n[k] * sigma / t + edit->body[1 - which].motion[k];
    return 0;
}

GJB_MUTATION(along_normal)
{
    (void)other;
    return meet_at(edit, which, gjb_random_octaves(r, -8, 1));
}

/* In contact at the very end, or in the middle, or just not. */
GJB_MUTATION(arrive)
{
    (void)other;
    const double times[] = {1, 0.5, 1 + 2 * gjb_epsilon(edit->precision),
                            1 - 2 * gjb_epsilon(edit->precision)};
    for (uint32_t i = 0; i < 2; i++)
        memset(edit->body[i].motion + edit->dim, 0, (6 - edit->dim) * sizeof(double));
    return meet_at(edit, which, times[gjb_random_below(r, 4)]);
}

/* Past each other, with planes that touch or all but touch. */
GJB_MUTATION(graze)
{
    (void)other;
    double n[3], across[3];
    const double size = gjb_edit_size(edit);
    gjb_edit_unit(r, edit->dim, n);
    gjb_edit_unit(r, edit->dim, across);
    if (gjb_random_u32(r) & 1) {
        memset(n, 0, sizeof n);
        n[gjb_random_below(r, edit->dim)] = 1;
    }
    const double along = gjb_edit_dot(across, n);
    for (int k = 0; k < 3; k++)
        across[k] -= along * n[k];
    if (gjb_edit_normalise(across) || !(size < 0x1p100))
        return 1;
    gjb_edit_body *b = &edit->body[which];
    const double *base = edit->body[1 - which].place, back[3] = {-n[0], -n[1], -n[2]};
    const double clearance = gjb_edit_support(edit, 1 - which, n) + gjb_edit_support(edit, which, back);
    const double off =
        gjb_random_below(r, 3)
            ? gjb_random_sign(r) * size * gjb_random_octaves(r, edit->precision == GJB_F32 ? -24 : -53, -8)
            : 0;
    const double far = size * gjb_random_range(r, 0.5, 1.5);
    for (uint32_t i = 0; i < 2; i++)
        stop(&edit->body[i]);
    for (uint32_t k = 0; k < edit->dim; k++) {
        b->place[k] = base[k] + (clearance + off) * n[k] - far * across[k];
        b->motion[k] = 2 * far * across[k];
    }
    return 0;
}

GJB_MUTATION(spin)
{
    (void)other;
    double axis[3] = {0}, *w = edit->body[which].motion + edit->dim;
    const double radians = gjb_random_sign(r) * gjb_random_octaves(r, -20, 7);
    if (edit->dim == 2) {
        w[0] = radians;
        return 0;
    }
    if (gjb_random_u32(r) & 1)
        gjb_edit_unit(r, 3, axis);
    else
        axis[gjb_random_below(r, 3)] = 1;
    for (int k = 0; k < 3; k++)
        w[k] = radians * axis[k];
    return 0;
}

GJB_MUTATION(reverse)
{
    (void)r, (void)other;
    int moves = 0;
    for (uint32_t k = 0; k < gjb_motion_numbers(edit->dim); k++) {
        moves |= edit->body[which].motion[k] != 0;
        edit->body[which].motion[k] = 0 - edit->body[which].motion[k];
    }
    return !moves;
}

GJB_MUTATION(nudge_motion)
{
    (void)other;
    double *m = &edit->body[which].motion[gjb_random_below(r, gjb_motion_numbers(edit->dim))];
    if (gjb_random_u32(r) & 1)
        *m = gjb_edit_step(edit->precision, *m, gjb_random_u32(r) & 1 ? 1 : -1);
    else
        *m *= gjb_random_u32(r) & 1 ? 2 : 0.5;
    return 0;
}
