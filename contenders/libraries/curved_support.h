/* Supports of smooth curved cores, for libraries that take such shapes by a callback of the user's:
 * ellipsoids and superellipsoids, in the precision REAL that whoever includes this names, as
 * NAME(ellipsoid) and NAME(superellipsoid). Included once a precision, hence no guard.
 *
 * Local frame. `row` is as stored (gjkbench/types.h); `d` is any direction, of any length; `out` is a point
 * of the core that is farthest along d, the origin if all points of a flat core are.
 *
 * With u = a d the support of an ellipsoid is a u / |u|. That of a superellipsoid is by Hoelder's
 * inequality a sign(u) (|u| / |u|_q)^(q - 1), q = p / (p - 1); with t = |u| / max |u| and
 * w = t^(1 / (p - 1)) it is a sign(u) w / (sum w^p)^(1/p), which is on the surface however w is rounded. */
static inline void NAME(ellipsoid)(const REAL row[3], const REAL d[3], REAL out[3])
{
    REAL u[3] = {row[0] * d[0], row[1] * d[1], row[2] * d[2]};
    REAL square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    if (!(square >= LEAST_SQUARE && square <= MOST_SQUARE)) { /* the square, not the vector, is out of range */
        REAL most = 0;
        for (int i = 0; i < 3; i++)
            most = ABSOLUTE(u[i]) > most ? ABSOLUTE(u[i]) : most;
        for (int i = 0; i < 3; i++)
            u[i] = most > 0 ? u[i] / most : 0;
        square = most > 0 ? u[0] * u[0] + u[1] * u[1] + u[2] * u[2] : 1;
    }
    const REAL scale = 1 / ROOT(square);
    for (int i = 0; i < 3; i++)
        out[i] = row[i] * (u[i] * scale);
}

static inline void NAME(superellipsoid)(const REAL rows[6], const REAL d[3], REAL out[3])
{
    const REAL p = rows[3];
    REAL u[3], most = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        u[i] = ABSOLUTE(rows[i] * d[i]);
        most = u[i] > most ? u[i] : most;
    }
    for (int i = 0; i < 3; i++) {
        const REAL t = most > 0 ? u[i] / most : 0;
        const REAL w = t == 1 ? 1 : t > 0 && p > 1 ? POWER(t, 1 / (p - 1)) : 0;
        out[i] = w;
        sum += w == 1 ? 1 : w > 0 ? POWER(w, p) : 0;
    }
    /* A corner of an octahedron is as far as all points of the edge or face between several. */
    const REAL scale = sum > 0 ? 1 / (p > 1 ? POWER(sum, 1 / p) : sum) : 0;
    for (int i = 0; i < 3; i++)
        out[i] = (d[i] < 0 ? -rows[i] : rows[i]) * (out[i] * scale);
}
