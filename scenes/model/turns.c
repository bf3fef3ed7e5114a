/* Quaternions from angles, axes and frames. */
#include "scenes/model/turns.h"

#include <ctype.h>
#include <math.h>
#include <sleef.h>
#include <string.h>

#include "scenes/generate/generate_solid.h"

const gjb_frame3 gjb_no_turn = {{0, 0, 0}, {0, 0, 0, 1}};

gjb_frame3 gjb_frame_in(const gjb_frame3 *outer, const gjb_frame3 *inner)
{
    gjb_frame3 both;
    double m[3][3];
    gjb_rotation3(outer->q, m);
    for (int d = 0; d < 3; d++)
        both.t[d] = outer->t[d] + gjb_dot3(m[d], inner->t);
    gjb_turn_after(outer->q, inner->q, both.q);
    return both;
}

int gjb_turn_unit(double q[4])
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0))
        return -1;
    for (int i = 0; i < 4; i++)
        q[i] /= length;
    return 0;
}

int gjb_turn_about(const double axis[3], double angle, double q[4])
{
    double u[3] = {axis[0], axis[1], axis[2]};
    if (!gjb_unit3(u))
        return -1;
    const Sleef_double_2 half = Sleef_cinz_sincosd1_u10purec(angle / 2);
    for (int d = 0; d < 3; d++)
        q[d] = half.x * u[d];
    q[3] = half.y;
    return gjb_turn_unit(q);
}

int gjb_turn_z_to(const double axis[3], double q[4])
{
    double u[3] = {axis[0], axis[1], axis[2]};
    if (!gjb_unit3(u))
        return -1;
    /* Half the angle between z and u, by whichever of sine and cosine is large. */
    const double flat = hypot(u[0], u[1]), large = sqrt((1 + fabs(u[2])) / 2), small = flat / (2 * large);
    const double sine = u[2] < 0 ? large : small;
    const int none = flat < 1e-10;
    q[0] = none ? (u[2] < 0) : sine * -u[1] / flat;
    q[1] = none ? 0 : sine * u[0] / flat;
    q[2] = 0;
    q[3] = none ? (u[2] > 0) : u[2] < 0 ? small : large;
    return gjb_turn_unit(q);
}

/* The turn whose columns are the axes, which are orthonormal: its largest component first. */
static int turn_of_frame(const double x[3], const double y[3], const double z[3], double q[4])
{
    const double four[4] = {1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2],
                            1 + x[0] + y[1] + z[2]};
    const double rows[4][4] = {
        {four[0], y[0] + x[1], z[0] + x[2], y[2] - z[1]},
        {y[0] + x[1], four[1], z[1] + y[2], z[0] - x[2]},
        {z[0] + x[2], z[1] + y[2], four[2], x[1] - y[0]},
        {y[2] - z[1], z[0] - x[2], x[1] - y[0], four[3]},
    };
    int largest = 0;
    for (int i = 1; i < 4; i++)
        largest = four[i] > four[largest] ? i : largest;
    memcpy(q, rows[largest], sizeof rows[largest]);
    return gjb_turn_unit(q);
}

int gjb_turn_xy_to(const double axes[6], double q[4])
{
    double x[3] = {axes[0], axes[1], axes[2]}, y[3] = {axes[3], axes[4], axes[5]}, z[3];
    if (!gjb_unit3(x) || !gjb_unit3(y))
        return -1;
    gjb_along3(y, x, -gjb_dot3(x, y), y);
    if (sqrt(gjb_dot3(y, y)) < 1e-10 || !gjb_unit3(y))
        return -1;
    gjb_cross3(x, y, z);
    return turn_of_frame(x, y, z, q);
}

void gjb_turn_euler(const double angles[3], const char *sequence, double q[4])
{
    double all[4] = {0, 0, 0, 1};
    for (int i = 0; i < 3; i++) {
        double axis[3] = {0, 0, 0}, one[4];
        axis[tolower((unsigned char)sequence[i]) - 'x'] = 1;
        gjb_turn_about(axis, angles[i], one);
        if (islower((unsigned char)sequence[i]))
            gjb_turn_after(all, one, all);
        else
            gjb_turn_after(one, all, all);
    }
    memcpy(q, all, sizeof all);
}
