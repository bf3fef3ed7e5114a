/* Coordinates over the plane normal to a direction, and lengths there. */
#include "reference/patch/flat.h"

#include <limits.h>
#include <math.h>

void ref_root_above(mpq_t out, const mpq_t square)
{
    /* sqrt(n / d) = sqrt(n d 4^k) / (d 2^k) */
    enum { FINER = 64 };
    mpz_t root;
    mpz_init(root);
    mpz_mul(root, mpq_numref(square), mpq_denref(square));
    mpz_mul_2exp(root, root, 2 * FINER);
    if (!mpz_perfect_square_p(root)) {
        mpz_sqrt(root, root);
        mpz_add_ui(root, root, 1);
    } else {
        mpz_sqrt(root, root);
    }
    mpz_set(mpq_numref(out), root);
    mpz_mul_2exp(mpq_denref(out), mpq_denref(square), FINER);
    mpq_canonicalize(out);
    mpz_clear(root);
}

void ref_flat_frame_open(ref_flat_frame *frame, const double normal[3])
{
    int exponent = INT_MAX, least = 0;
    for (int m = 0; m < 3; m++) {
        ref_vector3_init(&frame->axis[m]);
        int own = ref_lowest_bit(normal[m]);
        exponent = own < exponent ? own : exponent;
        least = fabs(normal[m]) < fabs(normal[least]) ? m : least;
    }
    ref_vector3 axis;
    ref_vector3_init(&axis);
    mpz_set_ui(axis.x[least], 1);
    for (int m = 0; m < 3; m++)
        ref_set_scaled(frame->axis[2].x[m], normal[m], exponent);
    ref_cross3(&frame->axis[0], &frame->axis[2], &axis);
    ref_cross3(&frame->axis[1], &frame->axis[2], &frame->axis[0]);
    ref_vector3_clear(&axis);
    for (int k = 0; k < 3; k++) {
        mpz_init(frame->square[k]);
        ref_inner3(frame->square[k], &frame->axis[k], &frame->axis[k]);
    }
    mpq_init(frame->length);
    mpq_set_z(frame->length, frame->square[2]);
    ref_root_above(frame->length, frame->length);
}

void ref_flat_frame_close(ref_flat_frame *frame)
{
    for (int k = 0; k < 3; k++) {
        ref_vector3_clear(&frame->axis[k]);
        mpz_clear(frame->square[k]);
    }
    mpq_clear(frame->length);
}

/* out += factor * z / divisor */
static void add_scaled(mpq_t out, const mpq_t factor, const mpz_t z, const mpz_t divisor)
{
    mpq_t t;
    mpq_init(t);
    mpz_set(mpq_numref(t), z);
    mpz_set(mpq_denref(t), divisor);
    mpq_canonicalize(t);
    mpq_mul(t, t, factor);
    mpq_add(out, out, t);
    mpq_clear(t);
}

void ref_flat_place(mpq_t out, const ref_flat_frame *frame, const ref_point2 *at, const mpq_t height, int m)
{
    mpq_set_ui(out, 0, 1);
    add_scaled(out, at->x[0], frame->axis[0].x[m], frame->square[0]);
    add_scaled(out, at->x[1], frame->axis[1].x[m], frame->square[1]);
    add_scaled(out, height, frame->axis[2].x[m], frame->square[2]);
}

void ref_flat_inner(mpq_t out, const ref_flat_frame *frame, const ref_point2 *from, const ref_point2 *p,
                    const ref_point2 *q)
{
    /* Along e it is over e.e = f.f / n.n, and so both are over f.f. */
    mpq_t step, product, sum;
    mpq_inits(step, product, sum, NULL);
    mpq_set_z(sum, frame->square[2]);
    for (int m = 0; m < 2; m++) {
        mpq_sub(step, p->x[m], from->x[m]);
        mpq_sub(product, q->x[m], from->x[m]);
        mpq_mul(product, product, step);
        if (m == 0)
            mpq_mul(sum, sum, product);
        else
            mpq_add(sum, sum, product);
    }
    mpq_set_z(step, frame->square[1]);
    mpq_div(out, sum, step);
    mpq_clears(step, product, sum, NULL);
}

void ref_flat_growth(mpq_t out, const ref_flat_frame *frame, const ref_line2 *line, const mpq_t near)
{
    mpq_t square;
    mpq_init(square);
    mpq_set_ui(out, 0, 1);
    for (int m = 0; m < 2 && mpq_sgn(near) > 0; m++) {
        mpq_mul(square, line->by[m], line->by[m]);
        mpz_mul(mpq_numref(square), mpq_numref(square), frame->square[m]);
        mpq_canonicalize(square);
        mpq_add(out, out, square);
    }
    ref_root_above(out, out);
    mpq_mul(out, out, near);
    mpq_clear(square);
}
