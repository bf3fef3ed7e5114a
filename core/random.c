/* Philox random numbers, and rotations, directions and powers of two that are drawn with them. */
#include "core/random.h"

#include <math.h>
#include <Random123/philox.h>
#include <sleef.h>

/* Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011). One block of a counter
 * that holds seed and stream yields the key: no hash, no collisions beyond
 * those of 64 random bits. */
gjb_random gjb_random_make(uint64_t seed, uint64_t stream, uint64_t index)
{
    const philox4x32_ctr_t name = {
        {(uint32_t)seed, (uint32_t)(seed >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)}};
    const philox4x32_key_t fixed = {{0x676a6b62u, 0x656e6368u}};
    const philox4x32_ctr_t block = philox4x32(name, fixed);
    return (gjb_random){
        .key = {block.v[0] | (uint64_t)block.v[1] << 32, index},
    };
}

uint32_t gjb_random_u32(gjb_random *r)
{
    if (r->left == 0) {
        const philox4x32_ctr_t at = {{(uint32_t)r->counter, (uint32_t)(r->counter >> 32), (uint32_t)r->key[1],
                                      (uint32_t)(r->key[1] >> 32)}};
        const philox4x32_key_t key = {{(uint32_t)r->key[0], (uint32_t)(r->key[0] >> 32)}};
        const philox4x32_ctr_t block = philox4x32(at, key);
        for (int i = 0; i < 4; i++)
            r->spare[i] = block.v[i];
        r->counter++;
        r->left = 4;
    }
    return r->spare[4 - r->left--];
}

double gjb_random_unit(gjb_random *r)
{
    const uint32_t high = gjb_random_u32(r) >> 5, low = gjb_random_u32(r) >> 6;
    return ((double)high * 0x1p26 + (double)low) * 0x1p-53;
}

double gjb_random_range(gjb_random *r, double lo, double hi)
{
    return lo + (hi - lo) * gjb_random_unit(r);
}

/* Multiply and reject (Lemire 2019). */
uint32_t gjb_random_below(gjb_random *r, uint32_t n)
{
    if (n == 0)
        return 0;
    uint64_t product = (uint64_t)gjb_random_u32(r) * n;
    if ((uint32_t)product < n) {
        const uint32_t least = (0u - n) % n;
        while ((uint32_t)product < least)
            product = (uint64_t)gjb_random_u32(r) * n;
    }
    return (uint32_t)(product >> 32);
}

void gjb_cos_sin(double turns, double *c, double *s)
{
    const Sleef_double_2 pair = Sleef_cinz_sincosd1_u10purec(turns * 6.283185307179586);
    *s = pair.x;
    *c = pair.y;
}

/* a * a = *high + *low exactly (Dekker 1971), without fma, which is not an
 * instruction everywhere. */
static void square(double a, double *high, double *low)
{
    const double scaled = a * 134217729.0, upper = scaled - (scaled - a), lower = a - upper;
    *high = a * a;
    *low = ((upper * upper - *high) + 2.0 * (upper * lower)) + lower * lower;
}

void gjb_unit_length(double *c, double *s)
{
    double cc, ss, cc_low, ss_low;
    square(*c, &cc, &cc_low);
    square(*s, &ss, &ss_low);
    const double larger = cc > ss ? cc : ss, smaller = cc > ss ? ss : cc;
    const double residual = ((larger - 1.0) + smaller) + (cc_low + ss_low);
    *c -= *c * (0.5 * residual);
    *s -= *s * (0.5 * residual);
}

/* *sum + value, with the rounding added to *low (Knuth 1969). */
static void add_exactly(double *sum, double *low, double value)
{
    const double total = *sum + value, shared = total - *sum;
    *low += (*sum - (total - shared)) + (value - shared);
    *sum = total;
}

void gjb_unit_quaternion(double q[4])
{
    double sum = -1.0, low = 0.0;
    for (int i = 0; i < 4; i++) {
        double high, rest;
        square(q[i], &high, &rest);
        add_exactly(&sum, &low, high);
        low += rest;
    }
    const double half = 0.5 * (sum + low);
    for (int i = 0; i < 4; i++)
        q[i] -= q[i] * half;
}

void gjb_random_quaternion(gjb_random *r, double q[4])
{
    const double share = gjb_random_unit(r), first = sqrt(1.0 - share), second = sqrt(share);
    double c, s;
    gjb_cos_sin(gjb_random_unit(r), &c, &s);
    q[0] = first * s;
    q[1] = first * c;
    gjb_cos_sin(gjb_random_unit(r), &c, &s);
    q[2] = second * s;
    q[3] = second * c;
    gjb_unit_quaternion(q);
}

/* Height and longitude are uniform on a sphere (Archimedes). */
void gjb_random_direction3(gjb_random *r, double u[3])
{
    const double z = gjb_random_range(r, -1.0, 1.0), flat = sqrt(1.0 - z * z);
    gjb_cos_sin(gjb_random_unit(r), &u[0], &u[1]);
    u[0] *= flat;
    u[1] *= flat;
    u[2] = z;
}

void gjb_random_rotation(gjb_random *r, double *c, double *s)
{
    gjb_cos_sin(gjb_random_unit(r), c, s);
    gjb_unit_length(c, s);
}

double gjb_power_of_two(int exponent)
{
    union {
        uint64_t bits;
        double value;
    } p = {.bits = (uint64_t)(1023 + exponent) << 52};
    return p.value;
}

double gjb_random_octaves(gjb_random *r, int lo, int hi)
{
    const int octave = lo + (int)gjb_random_below(r, (uint32_t)(hi - lo));
    return gjb_power_of_two(octave) * (1.0 + gjb_random_unit(r));
}

double gjb_random_sign(gjb_random *r)
{
    return gjb_random_below(r, 2) ? 1.0 : -1.0;
}
