/* Vertices of a pair on one grid of integers, in the plane and in space. */
#include "reference/patch/placed.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static void new_vertices(ref_placed *placed, int side, uint32_t count)
{
    placed->count[side] = count;
    placed->at[side] = ref_zeroed(count, sizeof *placed->at[side]);
    for (uint32_t k = 0; k < count; k++)
        ref_vector3_init(&placed->at[side][k]);
}

static void place_in_space(ref_placed *placed, const gjb_pair3 *pair)
{
    ref_place where;
    ref_grid3 grid;
    ref_place_init(&where);
    ref_place_of3(&where, pair);
    ref_grid3_open(&grid, pair, &where);
    for (int side = 0; side < 2; side++) {
        const gjb_body3 *body = side ? &pair->b : &pair->a;
        placed->radius[side] = body->radius;
        new_vertices(placed, side, body->count);
        for (uint32_t k = 0; k < body->count; k++)
            for (int m = 0; m < 3; m++)
                mpz_set(placed->at[side][k].x[m], ref_image3(&grid, side, k)->x[m]);
    }
    mpz_set(placed->product, grid.product);
    placed->exponent = grid.exponent;
    ref_grid3_close(&grid);
    ref_place_clear(&where);
}

static int least(int p, int q)
{
    return p < q ? p : q;
}

/* Exponents on which the vertices and rotations of both bodies are integers. */
static void exponents(const gjb_pair2 *pair, int *vertex, int *rotation)
{
    *vertex = *rotation = INT_MAX;
    for (int side = 0; side < 2; side++) {
        const gjb_body2 *body = side ? &pair->b : &pair->a;
        for (uint32_t k = 0; k < 2 * body->count; k++)
            *vertex = least(*vertex, ref_lowest_bit(body->vertices[k / 2][k % 2]));
        *rotation = least(*rotation, least(ref_lowest_bit(body->pose.c), ref_lowest_bit(body->pose.s)));
    }
    *vertex = *vertex == INT_MAX ? 0 : *vertex;
    *rotation = *rotation == INT_MAX ? 0 : *rotation;
}

/* R v + offset, where the products are on a grid that is coarser than that of `offset` by `shift` bits. */
static void turn_vertex(ref_vector3 *out, const mpz_t turn[2], const mpz_t v[2], mp_bitcnt_t shift)
{
    mpz_mul(out->x[0], turn[0], v[0]);
    mpz_submul(out->x[0], turn[1], v[1]);
    mpz_mul(out->x[1], turn[1], v[0]);
    mpz_addmul(out->x[1], turn[0], v[1]);
    mpz_mul_2exp(out->x[0], out->x[0], shift);
    mpz_mul_2exp(out->x[1], out->x[1], shift);
}

static void place_in_plane(ref_placed *placed, const gjb_pair2 *pair)
{
    int vertex, rotation;
    ref_dyadic offset[2];
    mpz_t turn[2], v[2];
    exponents(pair, &vertex, &rotation);
    mpz_inits(offset[0].mantissa, offset[1].mantissa, turn[0], turn[1], v[0], v[1], NULL);
    ref_dyadic_difference(&offset[0], pair->b.pose.x, pair->a.pose.x);
    ref_dyadic_difference(&offset[1], pair->b.pose.y, pair->a.pose.y);
    placed->exponent = least(vertex + rotation, ref_dyadic_lowest(offset, 2));
    for (int side = 0; side < 2; side++) {
        const gjb_body2 *body = side ? &pair->b : &pair->a;
        placed->radius[side] = body->radius;
        new_vertices(placed, side, body->count);
        ref_set_scaled(turn[0], body->pose.c, rotation);
        ref_set_scaled(turn[1], body->pose.s, rotation);
        for (uint32_t k = 0; k < body->count; k++) {
            ref_vector3 *at = &placed->at[side][k];
            ref_set_scaled(v[0], body->vertices[k][0], vertex);
            ref_set_scaled(v[1], body->vertices[k][1], vertex);
            turn_vertex(at, (const mpz_t *)turn, (const mpz_t *)v, (mp_bitcnt_t)(vertex + rotation - placed->exponent));
            for (int m = 0; m < 2 && side; m++) {
                ref_dyadic_scaled(v[0], &offset[m], placed->exponent);
                mpz_add(at->x[m], at->x[m], v[0]);
            }
        }
    }
    mpz_set_ui(placed->product, 1);
    mpz_clears(offset[0].mantissa, offset[1].mantissa, turn[0], turn[1], v[0], v[1], NULL);
}

ref_rounded ref_round_points(const ref_vector3 *points, uint32_t count)
{
    ref_rounded out = {.at = ref_zeroed(count, sizeof *out.at)};
    mpz_t step;
    mpz_init(step);
    for (int m = 0; m < 3; m++) {
        long own, most = LONG_MIN;
        for (uint32_t k = 0; k < count; k++) {
            mpz_sub(step, points[k].x[m], points[0].x[m]);
            out.at[k][m] = mpz_get_d_2exp(&own, step);
            most = out.at[k][m] != 0 && own > most ? own : most;
        }
        out.exponent[m] = most == LONG_MIN ? 0 : most;
        for (uint32_t k = 0; k < count; k++) {
            mpz_sub(step, points[k].x[m], points[0].x[m]);
            const double fraction = mpz_get_d_2exp(&own, step);
            out.at[k][m] = fraction == 0 ? 0 : ldexp(fraction, (int)(own - out.exponent[m]));
        }
    }
    mpz_clear(step);
    return out;
}

void ref_placed_open(ref_placed *placed, const gjb_pair *pair)
{
    mpz_init(placed->product);
    if (pair->dim == 2)
        place_in_plane(placed, &pair->as.plane);
    else
        place_in_space(placed, &pair->as.space);
}

void ref_placed_close(ref_placed *placed)
{
    for (int side = 0; side < 2; side++) {
        for (uint32_t k = 0; k < placed->count[side]; k++)
            ref_vector3_clear(&placed->at[side][k]);
        free(placed->at[side]);
    }
    mpz_clear(placed->product);
}
