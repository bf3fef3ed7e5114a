/* How round a core is: which ball rolls in it. */
#include <math.h>

#include "reference/curved/curved.h"

/* How much of the ball that would roll in an ellipsoid of the same semi-axes (least^2 / most) rolls in a
 * superellipsoid; 1 of an ellipsoid, 0 of a core with edges.
 *
 * With q = p / (p - 1) and y = semi n, h = N = |y|_q. Its Hessian along a unit w across n is, with z = semi w,
 * (q - 1) N^(1-q) min over t of sum |y_i|^(q-2) (z_i - t y_i)^2, of which z - t y = semi (w - t n) is no shorter
 * than the least semi-axis. Of p > 2, |y_i|^(q-2) is N^(q-2) or more, and N at most 3^(1/q-1/2) |y|. Of p < 2 it
 * is at least e^(-60 (q-2)) most^(q-2) but within most e^-60 of a plane of two axes: a way of h across that is out by less than
 * 8 e^-60 most, which is nothing next to `error`. */
ref_real ref_solid_roundness(const ref_solid *solid)
{
    const ref_real p = solid->exponent, q = p / (p - 1);
    if (solid->kind == GJB_ELLIPSE || solid->kind == GJB_ELLIPSOID)
        return 1;
    if ((solid->kind != GJB_SUPERELLIPSE && solid->kind != GJB_SUPERELLIPSOID) || !(p > 1))
        return 0;
    return (q - 1) * (p < 2 ? expl(-60 * (q - 2)) : powl(3, 0.5L - 1 / q));
}
