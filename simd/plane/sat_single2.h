/* Separating axes of a single pair: the normals of a shape side by side in registers, and then the vertices of its
 * extreme feature. The operations on each are those of sat2.h in the same order. Included by sat2.h. */
#ifndef GJB_SIMD_SAT_SINGLE2_H
#define GJB_SIMD_SAT_SINGLE2_H

/* The normals of one shape, whose n are at `normals`: its own vertices are (ox, oy), the other's (x, y), N each. */
LANE_FN void try_axes(const real *normals, int n, int N, const vr *ox, const vr *oy, const vr *x, const vr *y, int of_b,
                      vr c, vr s, axis2 *best)
{
    for (int i = 0; i < n; i += ACROSS) {
        across nx = across_stored(normals, i, n), ny = across_stored(normals + n, i, n);
        if (of_b) {
            const across mx = nx, my = ny, ac = across_set(c), as = across_set(s);
            nx = ACROSS_OP(sub)(ACROSS_OP(mul)(ac, mx), ACROSS_OP(mul)(as, my));
            ny = ACROSS_OP(add)(ACROSS_OP(mul)(as, mx), ACROSS_OP(mul)(ac, my));
        }
        across low = across_along(nx, ny, x[0], y[0]);
        for (int k = 1; k < N; k++)
            low = ACROSS_OP(min)(across_along(nx, ny, x[k], y[k]), low);
        const across gap = ACROSS_OP(sub)(low, across_dot(nx, ny, ox + i, oy + i));
        const unsigned at = across_first(&gap, 1);
        real gaps[ACROSS], left[ACROSS], up[ACROSS];
        across_store(gaps, gap);
        across_store(left, nx);
        across_store(up, ny);
        if (gaps[at] > best->gap)
            *best = (axis2){.gap = gaps[at], .nx = of_b ? -left[at] : left[at], .ny = of_b ? -up[at] : up[at]};
    }
}

/* As in sat2.h. */
LANE_FN axis2 largest_gap(const tile *t, int N, int uniform, unsigned live, int hasty)
{
    (void)uniform, (void)live;
    axis2 best = {.gap = -REAL_MAX, .nx = 1};
    try_axes(t->rec_a[0] + t->axes, t->na, N, t->ax, t->ay, t->bx, t->by, 0, t->c, t->s, &best);
    if (hasty && best.gap > t->radius)
        return best;
    try_axes(t->rec_b[0] + t->axes, t->nb, N, t->bx, t->by, t->ax, t->ay, 1, t->c, t->s, &best);
    return best;
}

/* As extreme_feature in sat2.h. */
LANE_FN void extreme_feature(const vr *x, const vr *y, int N, vr nx, vr ny, vr tx, vr ty, vr *height, vr *lo, vr *hi)
{
    across up[32 / ACROSS];
    const across ax = across_set(nx), ay = across_set(ny), ux = across_set(tx), uy = across_set(ty);
    const int blocks = N < ACROSS ? 1 : N / ACROSS;
    across top = up[0] = across_dot(ax, ay, x, y);
    for (int b = 1; b < blocks; b++)
        top = ACROSS_OP(max)(up[b] = across_dot(ax, ay, x + b * ACROSS, y + b * ACROSS), top);
    top = across_most(top);
    const across floor = ACROSS_OP(sub)(top, across_set(FEATURE_DOUBT));
    const across most = across_set(REAL_MAX), least = across_set(-REAL_MAX);
    across low = most, high = least;
    for (int b = 0; b < blocks; b++) {
        const across in = ACROSS_OP(cmp)(up[b], floor, _CMP_GE_OQ);
        const across along = across_dot(ux, uy, x + b * ACROSS, y + b * ACROSS);
        low = ACROSS_OP(min)(ACROSS_OP(blendv)(most, along, in), low);
        high = ACROSS_OP(max)(ACROSS_OP(blendv)(least, along, in), high);
    }
    *lo = -across_most(ACROSS_OP(sub)(across_set(0), low))[0];
    *hi = across_most(high)[0];
    *height = top[0];
}

#endif
