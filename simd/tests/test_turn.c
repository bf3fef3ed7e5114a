/* The lanes' sine and cosine against long double's: every 97th f32 from 2^-27 to 1100, of
 * both signs, and as many f64 there; near multiples of pi/4 in particular. Backends give
 * the same bits because they do the same correctly rounded operations; tests of the
 * kernels check that all backends give the same answers. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

void turn_of_32(double angle, double *c, double *s);
void turn_of_64(double angle, double *c, double *s);
typedef void turn_fn(double angle, double *c, double *s);

#define MOST 2.0L /* unit roundoffs, as simd/lanes/turn.h promises */

static void hold(turn_fn *turn, double angle, long double epsilon)
{
    double c, s;
    turn(angle, &c, &s);
    const long double dc = fabsl((long double)c - cosl((long double)angle));
    const long double ds = fabsl((long double)s - sinl((long double)angle)), most = dc > ds ? dc : ds;
    cr_assert(most <= MOST * epsilon, "angle %a: %a %a is off by %Lf units", angle, c, s, most / epsilon);
}

Test(turn, is_close_to_the_sine_and_cosine_of_floats)
{
    uint32_t first, last;
    const float low = 0x1p-27f, high = 1100;
    memcpy(&first, &low, sizeof low);
    memcpy(&last, &high, sizeof high);
    for (uint32_t bits = first; bits <= last; bits += 97) {
        float angle;
        memcpy(&angle, &bits, sizeof bits);
        hold(turn_of_32, (double)angle, 0x1p-24L);
        hold(turn_of_32, -(double)angle, 0x1p-24L);
    }
}

Test(turn, is_close_to_the_sine_and_cosine_of_doubles)
{
    for (uint64_t i = 0; i < 2000000; i++) {
        const double share = (double)(i * 0x9e3779b97f4a7c15u >> 11) * 0x1p-53;
        const double angle = i % 3 ? 2200 * (share - 0.5) : ldexp(share - 0.5, -(int)(i % 40));
        hold(turn_of_64, angle, 0x1p-53L);
    }
}

Test(turn, is_close_where_quadrants_meet)
{
    for (int k = -1400; k <= 1400; k++)
        for (int off = -40; off <= 40; off++) {
            const double angle = k * 0.78539816339744831;
            hold(turn_of_64, angle * (1 + off * 0x1p-52), 0x1p-53L);
            hold(turn_of_64, angle + off * 0x1p-30, 0x1p-53L);
            hold(turn_of_32, (double)(float)(angle * (1 + off * 0x1p-23)), 0x1p-24L);
        }
}

Test(turn, of_no_angle_is_exactly_none)
{
    double c, s;
    turn_of_32(0, &c, &s);
    cr_expect(c == 1 && s == 0);
    turn_of_64(0, &c, &s);
    cr_expect(c == 1 && s == 0);
}
