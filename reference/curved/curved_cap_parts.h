/* The least support of D over a cap of directions, from below, for one precision.
 * Included by curved_cap.c in long double and by curved_cap_rough.c in double, which name the type, the
 * pair, its bodies and both functions. */
#include <math.h>
#include <string.h>
#include <tgmath.h>

/* Of a power norm: roundings of y count as often in a weight. */
enum { MOST_POWER = 1 << 16 };
enum { BRANCHES = 10, BORDER = 8, MODELS = 10 };

/* Places on the border of a cap, in parts of its width; those of the plane first. */
static const real border[BORDER][2] = {{1, 0},     {-1, 0},      {0, 1},      {0, -1},
                                       {0.7, 0.7}, {-0.7, -0.7}, {0.7, -0.7}, {-0.7, 0.7}};

/* A cap, and the plane that its directions are counted in; of a pair of the plane that has one way alone. */
typedef struct cap {
    real m[3], across[2][3], w;
    real toward[2];      /* a unit way, along which the first place on the border lies */
    bool plane, bundled; /* bundled: also what edges that are all but sharp are like beyond them */
} cap;

/* At least a + b.u + u'Qu/2, u by the two ways across; Q as xx, xy, yy. */
typedef struct model {
    real a, b[2], q[3];
} model;

typedef struct models {
    model of[BRANCHES * BRANCHES];
    uint32_t count;
    bool bordered; /* by points at the cap's border */
} models;

/* The cap in the frame of a body, whose directions are those of D or, of A, against them. */
typedef struct local {
    real m[3], across[2][3];
    const real *toward;
} local;

static real inner(const real p[3], const real q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}
static void to_unit(real v[3])
{
    const real length = sqrt(inner(v, v));
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}
static real larger(real p, real q)
{
    return p > q ? p : q;
}
static real lesser(real p, real q)
{
    return p < q ? p : q;
}

static void open_cap(const PAIR *pair, const real m[3], real w, cap *c)
{
    memcpy(c->m, m, sizeof c->m);
    c->w = w;
    c->plane = pair->dim == 2;
    c->bundled = false;
    c->toward[0] = 1;
    c->toward[1] = 0;
    if (c->plane) {
        const real way[3] = {-m[1], m[0], 0};
        memcpy(c->across[0], way, sizeof way);
        memset(c->across[1], 0, sizeof c->across[1]);
    } else {
        const int least = fabs(m[0]) <= fabs(m[1]) && fabs(m[0]) <= fabs(m[2]) ? 0
                          : fabs(m[1]) <= fabs(m[2])                           ? 1
                                                                               : 2;
        real *first = c->across[0], *second = c->across[1];
        for (int k = 0; k < 3; k++)
            first[k] = (k == least) - m[least] * m[k];
        to_unit(first);
        for (int k = 0; k < 3; k++)
            second[k] = m[(k + 1) % 3] * first[(k + 2) % 3] - m[(k + 2) % 3] * first[(k + 1) % 3];
    }
}

static void turn_back(const SOLID *solid, real sign, const real v[3], real out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = sign * (solid->turn[0][k] * v[0] + solid->turn[1][k] * v[1] + solid->turn[2][k] * v[2]);
}

/* ---- features of one body ---- */

/* A point of the core of that kind, the farthest along n up to rounding, in the body's frame; of vertices
 * none. */
static void extreme(const SOLID *solid, gjb_kind kind, const real semi[3], const real n[3], real x[3])
{
    const bool power = kind == GJB_SUPERELLIPSE || kind == GJB_SUPERELLIPSOID;
    real y[3], most = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        y[k] = semi[k] * n[k];
        most = larger(most, fabs(y[k]));
    }
    for (int k = 0; k < 3; k++) {
        const real part = most > 0 ? fabs(y[k]) / most : 0;
        if (power && part < 1) { /* by one logarithm, as in curved.c */
            x[k] = solid->exponent > 1 && part > 0 ? exp2(log2(part) / (solid->exponent - 1)) : 0;
            sum += part * x[k];
        } else {
            x[k] = part;
            sum += part * part;
        }
    }
    const real root = power && sum > 1 ? exp2(-log2(sum) / solid->exponent) : 1, scale = power ? root
                                                                                         : sum > 0
                                                                                             ? 1 / sqrt(sum)
                                                                                             : 0;
    for (int k = 0; k < 3; k++)
        x[k] *= (y[k] < 0 ? -semi[k] : semi[k]) * scale;
}

/* Largest x.n over the core about its own origin, n there. */
static real reach(const SOLID *solid, const real n[3])
{
    const real high = solid->semi[2];
    real x[3], most = -HUGE_VAL;
    if (solid->kind == GJB_CYLINDER || solid->kind == GJB_CONE) {
        const real rim = solid->semi[0] * sqrt(n[0] * n[0] + n[1] * n[1]);
        return solid->kind == GJB_CYLINDER ? rim + high * fabs(n[2]) : larger(high * n[2], rim - high * n[2]);
    }
    if (gjb_is_curved(solid->kind)) {
        extreme(solid, solid->kind, solid->semi, n, x);
        return inner(n, x);
    }
    for (uint32_t i = 0; i < solid->count; i++) {
        const double *row = solid->rows + (size_t)i * solid->dim;
        most = larger(most, n[0] * row[0] + n[1] * row[1] + (solid->dim == 3 ? n[2] * row[2] : 0));
    }
    return most;
}

static bool same_model(const model *p, const model *q)
{
    return p->a == q->a && p->b[0] == q->b[0] && p->b[1] == q->b[1] && p->q[0] == q->q[0] &&
           p->q[1] == q->q[1] && p->q[2] == q->q[2];
}

/* Once. */
static void add_point(models *set, const local *at, const real x[3])
{
    const model m = {.a = inner(x, at->m), .b = {inner(x, at->across[0]), inner(x, at->across[1])}};
    for (uint32_t k = 0; k < set->count; k++)
        if (same_model(&m, &set->of[k]))
            return;
    if (set->count < BRANCHES)
        set->of[set->count++] = m;
}

/* Support points at the cap's border, if there is no bound by curvature over all of it. */
static void add_border(models *set, const SOLID *solid, gjb_kind kind, const real semi[3], const local *at,
                       real w)
{
    real x[3], n[3];
    set->bordered = true;
    extreme(solid, kind, semi, at->m, x);
    add_point(set, at, x);
    for (int k = 0; k < BORDER; k++) {
        const real one = w * (border[k][0] * at->toward[0] - border[k][1] * at->toward[1]),
                   other = w * (border[k][0] * at->toward[1] + border[k][1] * at->toward[0]);
        for (int i = 0; i < 3; i++)
            n[i] = at->m[i] + one * at->across[0][i] + other * at->across[1][i];
        extreme(solid, kind, semi, n, x);
        add_point(set, at, x);
    }
}

/* |S (m + u)|, S the semi-axes. False: it may be 0 in the cap. */
static bool add_length(models *set, const real semi[3], const local *at, real w)
{
    real y[3], g[2][3];
    for (int i = 0; i < 3; i++) {
        y[i] = semi[i] * at->m[i];
        g[0][i] = semi[i] * at->across[0][i];
        g[1][i] = semi[i] * at->across[1][i];
    }
    const real length = sqrt(inner(y, y)), way = w * sqrt(inner(g[0], g[0]) + inner(g[1], g[1]));
    if (!(length > way))
        return false;
    model *m = &set->of[set->count++];
    const real along[2] = {inner(y, g[0]) / length, inner(y, g[1]) / length}, part = 1 / (length + way);
    *m = (model){.a = length, .b = {along[0], along[1]}};
    m->q[0] = part * larger(inner(g[0], g[0]) - along[0] * along[0], 0);
    m->q[1] = part * (inner(g[0], g[1]) - along[0] * along[1]);
    m->q[2] = part * larger(inner(g[1], g[1]) - along[1] * along[1], 0);
    return true;
}

/* The power norm N of y, q = p / (p - 1), whose Hessian along v is (q-1) N^(1-q) min over t of sum
 * |y_i|^(q-2) (v_i - t y_i)^2. Over the cap y_i is within d_i of where it is at m: the weights c_i are at
 * least those at the nearer or farther end, N at most that of |y| + d, and since (p - r)^2 >= (1 - e) p^2 -
 * (1/e - 1) r^2, with e^2 = sum c d^2 / sum c y^2 the least over t is at least (1 - e) (sum c v^2 - (sum c y
 * v)^2 / ((1 - e) sum c y^2)). A coordinate that is all but 0 is taken for it, which changes N by less than
 * its error. False: e is 1 or more. */
static bool add_power(models *set, const SOLID *solid, const local *at, real w)
{
    const real q = solid->exponent / (solid->exponent - 1);
    real y[3], d[3], c[3], g[2][3], n[3], most = 0, norm = 0, squares = 0, off = 0;
    for (int i = 0; i < 3; i++) {
        g[0][i] = solid->semi[i] * at->across[0][i];
        g[1][i] = solid->semi[i] * at->across[1][i];
        y[i] = fabs(solid->semi[i] * at->m[i]);
        most = larger(most, y[i]);
    }
    for (int i = 0; i < 3; i++) {
        n[i] = y[i] < 0x1p-60 * most ? 0 : at->m[i];
        y[i] = n[i] == 0 ? 0 : y[i];
    }
    if (!(most > 0) || q > MOST_POWER)
        return false;
    for (int i = 0; i < 3; i++) {
        d[i] = w * sqrt(g[0][i] * g[0][i] + g[1][i] * g[1][i]) / most;
        y[i] /= most;
        const real far = y[i] + d[i], end = q < 2 ? far : larger(y[i] - d[i], 0);
        const real log = end > 0 ? log2(end) : -HUGE_VAL;
        c[i] = end > 0 ? exp2((q - 2) * log) : 0;
        norm += far > 0 ? exp2(q * (end == far ? log : log2(far))) : 0;
        squares += c[i] * y[i] * y[i];
        off += c[i] * d[i] * d[i];
    }
    const real e = sqrt(off / squares);
    if (!(squares > 0 && e < 1))
        return false;
    real x[3], cross[2] = {0};
    extreme(solid, solid->kind, solid->semi, n, x);
    add_point(set, at, x);
    model *m = &set->of[set->count - 1];
    const real part = (q - 1) * exp2(log2(norm) * (1 - q) / q) * (1 - e) / most;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            cross[k] += c[i] * (at->m[i] < 0 ? -y[i] : y[i]) * g[k][i];
    for (int k = 0; k < 3; k++) {
        const int r = k >> 1, s = (k + 1) >> 1;
        real sum = 0;
        for (int i = 0; i < 3; i++)
            sum += c[i] * g[r][i] * g[s][i];
        m->q[k] = part * (sum - cross[r] * cross[s] / ((1 - e) * squares));
    }
    return true;
}

/* Those that reach farthest. */
static void add_vertices(models *set, const SOLID *solid, const local *at)
{
    for (uint32_t i = 0; i < solid->count; i++) {
        const double *row = solid->rows + (size_t)i * solid->dim;
        const real x[3] = {row[0], row[1], solid->dim == 3 ? row[2] : 0}, along = inner(x, at->m);
        uint32_t to = set->count;
        if (to == BRANCHES && !(along > set->of[to - 1].a))
            continue;
        to = to == BRANCHES ? to - 1 : set->count++;
        for (; to > 0 && set->of[to - 1].a < along; to--)
            set->of[to] = set->of[to - 1];
        set->of[to] = (model){.a = along, .b = {inner(x, at->across[0]), inner(x, at->across[1])}};
    }
}

/* What is known of a disc, shifted along the axis, once or to either side; and a tip. */
static void add_disc(models *set, const SOLID *solid, const local *at, real w)
{
    const real semi[3] = {solid->semi[0], solid->semi[0], 0}, high = solid->semi[2];
    const bool tip = solid->kind == GJB_CONE;
    if (!add_length(set, semi, at, w)) {
        add_border(set, solid, GJB_ELLIPSOID, semi, at, w);
        set->count -= set->count > BRANCHES - 1; /* for a tip */
    }
    const uint32_t count = set->count;
    const real up = tip || at->m[2] < 0 ? -high : high;
    for (uint32_t k = 0; k < count; k++) {
        model *m = &set->of[k];
        m->a += up * at->m[2];
        m->b[0] += up * at->across[0][2];
        m->b[1] += up * at->across[1][2];
    }
    if (tip) {
        const real x[3] = {0, 0, high};
        add_point(set, at, x);
    }
    for (uint32_t k = 0; k < count && !tip && count + k < BRANCHES && fabs(at->m[2]) <= 2 * w; k++) {
        model *m = &set->of[set->count++];
        *m = set->of[k];
        m->a -= 2 * up * at->m[2];
        m->b[0] -= 2 * up * at->across[0][2];
        m->b[1] -= 2 * up * at->across[1][2];
    }
}

static void add_body(models *set, const SOLID *solid, real sign, const cap *c)
{
    local at = {.toward = c->toward};
    set->count = 0;
    set->bordered = false;
    turn_back(solid, sign, c->m, at.m);
    turn_back(solid, sign, c->across[0], at.across[0]);
    turn_back(solid, sign, c->across[1], at.across[1]);
    switch (solid->kind) {
    case GJB_ELLIPSE:
    case GJB_ELLIPSOID:
        if (!add_length(set, solid->semi, &at, c->w))
            add_border(set, solid, solid->kind, solid->semi, &at, c->w);
        break;
    case GJB_SUPERELLIPSE:
    case GJB_SUPERELLIPSOID:
        if (!(solid->exponent > 1) || !add_power(set, solid, &at, c->w) || c->bundled)
            add_border(set, solid, solid->kind, solid->semi, &at, c->w);
        break;
    case GJB_CYLINDER:
    case GJB_CONE:
        add_disc(set, solid, &at, c->w);
        break;
    default:
        add_vertices(set, solid, &at);
        break;
    }
    for (uint32_t k = 0; k < set->count; k++) {
        model *m = &set->of[k];
        m->a += sign * inner(solid->offset, c->m);
        m->b[0] += sign * inner(solid->offset, c->across[0]);
        m->b[1] += sign * inner(solid->offset, c->across[1]);
    }
}

/* ---- features of D ---- */

static real worth(const model *m, real w)
{
    return m->a + w * sqrt(m->b[0] * m->b[0] + m->b[1] * m->b[1]);
}

/* No less than half of what it curves along any way. */
static real bend_of(const model *m)
{
    return larger(fabs(m->q[0]), fabs(m->q[2])) + fabs(m->q[1]);
}

/* Sums of features of both, less a number and what that bends, those first that may be highest within w. */
static uint32_t pair_up(const models *of_a, const models *of_b, real less, const real bend[2], real w,
                        model out[MODELS])
{
    real high[MODELS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < of_a->count * of_b->count; i++) {
        const model *p = &of_a->of[i / of_b->count], *q = &of_b->of[i % of_b->count];
        const model m = {p->a + q->a - less,
                         {p->b[0] + q->b[0], p->b[1] + q->b[1]},
                         {p->q[0] + q->q[0] - bend[0], p->q[1] + q->q[1], p->q[2] + q->q[2] - bend[1]}};
        const real here = worth(&m, w);
        uint32_t to = count;
        if (to == MODELS && !(here > high[to - 1]))
            continue;
        while (to > 0 && high[to - 1] < here)
            to--;
        if (to > 0 && same_model(&m, &out[to - 1])) /* of one shape twice */
            continue;
        count += count < MODELS;
        memmove(&high[to + 1], &high[to], (count - 1 - to) * sizeof *high);
        memmove(&out[to + 1], &out[to], (count - 1 - to) * sizeof *out);
        high[to] = here;
        out[to] = m;
    }
    return count;
}

static uint32_t highest_of(const model *set, uint32_t count)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < count; k++)
        best = set[k].a > set[best].a ? k : best;
    return best;
}

/* Again if points at the border are all that is known, the first of them along the slope of the other
 * body: a face that all but ties with a point needs one that is opposite to it. */
static void turn_border(models *set, const models *other, const SOLID *solid, real sign, const cap *c)
{
    const model *top = &other->of[highest_of(other->of, other->count)];
    const real length = sqrt(top->b[0] * top->b[0] + top->b[1] * top->b[1]);
    if (set->bordered && !c->plane && length > 0) {
        cap turned = *c;
        turned.toward[0] = top->b[0] / length;
        turned.toward[1] = top->b[1] / length;
        add_body(set, solid, sign, &turned);
    }
}

/* h - bar |m + u|. */
static uint32_t combine(const PAIR *pair, const cap *c, real bar, model out[MODELS])
{
    models of_a, of_b;
    add_body(&of_a, &pair->body[0], -1, c);
    add_body(&of_b, &pair->body[1], 1, c);
    turn_border(&of_a, &of_b, &pair->body[0], -1, c);
    turn_border(&of_b, &of_a, &pair->body[1], 1, c);
    const real less = bar + pair->body[0].shrunk + pair->body[1].shrunk, bend = larger(less, 0);
    return pair_up(&of_a, &of_b, less, (const real[2]){bend, c->plane ? 0 : bend}, c->w, out);
}

/* ---- from below over a part of the cap ---- */

static real at(const model *m, real x, real y)
{
    return m->a + m->b[0] * x + m->b[1] * y + (m->q[0] * x * x + 2 * m->q[1] * x * y + m->q[2] * y * y) / 2;
}

/* Nothing proves a cap if the features are below 0 at a place of its border. */
static bool is_hopeless(const model *set, uint32_t count, real w, bool plane)
{
    for (int k = 0; k < (plane ? 2 : BORDER); k++) {
        real most = -HUGE_VAL;
        for (uint32_t m = 0; m < count; m++)
            most = larger(most, at(&set[m], w * border[k][0], w * border[k][1]));
        if (most < 0)
            return true;
    }
    return false;
}

/* b x + q x^2 / 2 for x from 0 to w. */
static real least(real b, real q, real w)
{
    return b < 0 && -b < q * w ? -b * b / (2 * q) : lesser(0, w * (b + q * w / 2));
}

/* The part of the cap that lies about the way (1, 0): half of it, or the quarter |y| <= x. */
typedef enum part { HALF, QUARTER } part;

static real least_of(const model *m, part which, real w)
{
    const real turning = fabs(m->q[1]), aside = fabs(m->b[1]);
    if (which == HALF)
        return m->a + least(m->b[0] - w * turning, m->q[0], w) + least(-aside, m->q[2], w);
    return m->a + least(m->b[0] - aside - w * (turning + larger(-m->q[2], 0) / 2), m->q[0], w);
}

static model mixed(const model *p, const model *q, real share)
{
    const real rest = 1 - share;
    return (model){share * p->a + rest * q->a,
                   {share * p->b[0] + rest * q->b[0], share * p->b[1] + rest * q->b[1]},
                   {share * p->q[0] + rest * q->q[0], share * p->q[1] + rest * q->q[1],
                    share * p->q[2] + rest * q->q[2]}};
}

static real share_in(real value, real at_p, real at_q)
{
    const real share = at_p != at_q ? (value - at_q) / (at_p - at_q) : 1;
    return share > 0 ? lesser(share, 1) : 0;
}

/* The most that one feature, or two in some shares, prove of a part. */
static real proven(const model *set, uint32_t count, part which, real w, real enough)
{
    real most = -HUGE_VALL;
    for (uint32_t k = 0; k < count && most < enough; k++)
        most = larger(most, least_of(&set[k], which, w));
    for (uint32_t k = 0; k < count && most < enough; k++) {
        for (uint32_t j = 0; j < k && most < enough; j++) {
            const model *p = &set[k], *q = &set[j];
            const real needed =
                w * (larger(fabs(p->q[1]), fabs(q->q[1])) + larger(larger(-p->q[0], -q->q[0]), 0) / 2);
            const model straight = mixed(p, q, share_in(0, p->b[1], q->b[1])),
                        rising = mixed(p, q, share_in(needed, p->b[0], q->b[0]));
            most = larger(most, larger(least_of(&straight, which, w), least_of(&rising, which, w)));
        }
    }
    return most;
}

/* Both coordinates turned so that the way (x, y) becomes the first. */
static void turn_to(const model *m, real x, real y, model *out)
{
    out->a = m->a;
    out->b[0] = x * m->b[0] + y * m->b[1];
    out->b[1] = x * m->b[1] - y * m->b[0];
    out->q[0] = x * x * m->q[0] + 2 * x * y * m->q[1] + y * y * m->q[2];
    out->q[1] = x * y * (m->q[2] - m->q[0]) + (x * x - y * y) * m->q[1];
    out->q[2] = y * y * m->q[0] - 2 * x * y * m->q[1] + x * x * m->q[2];
}

/* Is it above 0 over all parts, the first of which lies about (x, y)? */
static bool proves(const model *set, uint32_t count, part which, real w, real x, real y)
{
    model turned[MODELS];
    const int parts = which == HALF ? 2 : 4;
    for (int k = 0; k < parts; k++) {
        for (uint32_t m = 0; m < count; m++)
            turn_to(&set[m], x, y, &turned[m]);
        if (!(proven(turned, count, which, w, 0) >= 0))
            return false;
        const real old = x;
        x = which == HALF ? -x : -y;
        y = which == HALF ? -y : old;
    }
    return true;
}

/* The same about a way of any length but 0. */
static bool proves_about(const model *set, uint32_t count, part which, real w, real x, real y)
{
    const real length = hypot(x, y);
    return length > 0 && proves(set, count, which, w, x / length, y / length);
}

/* Ways to part the cap: along which the highest feature curves most, rises, or meets another. */
static bool any_way(const model *set, uint32_t count, real w)
{
    const model *top = &set[highest_of(set, count)];
    if (!(top->a >= 0))
        return false;
    const real angle = atan2(2 * top->q[1], top->q[0] - top->q[2]) / 2;
    if (proves(set, count, HALF, w, cos(angle), sin(angle)) ||
        proves_about(set, count, HALF, w, top->b[0], top->b[1]))
        return true;
    for (uint32_t k = 0; k < count; k++)
        if (&set[k] != top &&
            proves_about(set, count, HALF, w, set[k].b[0] - top->b[0], set[k].b[1] - top->b[1]))
            return true;
    return proves(set, count, QUARTER, w, cos(angle), sin(angle));
}

bool CAP_HOLDS(const PAIR *pair, const real m[3], real w, real bar)
{
    cap c;
    model set[MODELS];
    open_cap(pair, m, w, &c);
    const uint32_t count = combine(pair, &c, bar, set);
    if (is_hopeless(set, count, w, c.plane))
        return false;
    return c.plane ? proves(set, count, HALF, w, 1, 0) : any_way(set, count, w);
}

/* ---- down ---- */

static real height(const PAIR *pair, const real m[3])
{
    real sum = -pair->body[0].shrunk - pair->body[1].shrunk, local_m[3];
    for (int side = 0; side < 2; side++) {
        const real sign = side ? 1 : -1;
        turn_back(&pair->body[side], sign, m, local_m);
        sum += reach(&pair->body[side], local_m) + sign * inner(pair->body[side].offset, m);
    }
    return sum;
}

/* The lowest place that the features know of, and how high. */
typedef struct step {
    real x, y, high;
} step;

static void try_place(const model *set, uint32_t count, real w, real x, real y, step *best)
{
    const real length = sqrt(x * x + y * y), part = length > w ? w / length : 1;
    real high = -HUGE_VALL;
    for (uint32_t k = 0; k < count; k++) {
        high = larger(high, at(&set[k], part * x, part * y));
        if (high >= best->high)
            return;
    }
    *best = (step){part * x, part * y, high};
}

static void try_one(const model *set, uint32_t count, real w, const model *m, step *best)
{
    const real det = m->q[0] * m->q[2] - m->q[1] * m->q[1];
    if (m->q[0] > 0 && det > 0)
        try_place(set, count, w, (m->q[1] * m->b[1] - m->q[2] * m->b[0]) / det,
                  (m->q[1] * m->b[0] - m->q[0] * m->b[1]) / det, best);
    const real length = hypot(m->b[0], m->b[1]);
    if (length > 0) {
        const real x = -m->b[0] / length, y = -m->b[1] / length, bend = at(m, x, y) - m->a + length;
        const real way = bend > 0 ? lesser(w, length / (2 * bend)) : w;
        try_place(set, count, w, way * x, way * y, best);
    }
}

/* Where two meet, and there the lowest place. */
static void try_two(const model *set, uint32_t count, real w, const model *p, const model *q, step *best)
{
    const real length = hypot(p->b[0] - q->b[0], p->b[1] - q->b[1]);
    if (!(length > 0))
        return;
    const real x = (p->b[0] - q->b[0]) / length, y = (p->b[1] - q->b[1]) / length,
               meet = (q->a - p->a) / length;
    model one, other;
    turn_to(p, x, y, &one);
    turn_to(q, x, y, &other);
    const model mix = mixed(&one, &other, share_in(0, one.b[0], other.b[0]));
    const real slope = mix.b[1] + mix.q[1] * meet, steep = slope < 0 ? w : -w;
    const real along = mix.q[2] > 0 ? lesser(w, larger(-w, -slope / mix.q[2])) : steep;
    real there = meet;
    for (int k = 0; k < 3; k++) /* they meet along a curve */
        there -= (at(&one, there, along) - at(&other, there, along)) / length;
    try_place(set, count, w, x * there - y * along, y * there + x * along, best);
    try_place(set, count, w, x * meet, y * meet, best);
}

static void try_three(const model *set, uint32_t count, real w, const model *p, const model *q,
                      const model *r, step *best)
{
    const real u[2] = {p->b[0] - q->b[0], p->b[1] - q->b[1]}, v[2] = {p->b[0] - r->b[0], p->b[1] - r->b[1]};
    const real det = u[0] * v[1] - u[1] * v[0], s = q->a - p->a, t = r->a - p->a;
    if (det != 0)
        try_place(set, count, w, (s * v[1] - t * u[1]) / det, (u[0] * t - v[0] * s) / det, best);
}

static step lowest(const model *set, uint32_t count, real w)
{
    step best = {.high = HUGE_VALL};
    try_place(set, count, w, 0, 0, &best);
    for (uint32_t i = 0; i < count; i++) {
        try_one(set, count, w, &set[i], &best);
        for (uint32_t j = 0; j < i; j++) {
            try_two(set, count, w, &set[i], &set[j], &best);
            for (uint32_t k = 0; k < j && best.high > -HUGE_VALL; k++)
                try_three(set, count, w, &set[i], &set[j], &set[k], &best);
        }
    }
    return best;
}

static bool take_lower(const PAIR *pair, const real next[3], real m[3], real *high)
{
    real unit[3];
    memcpy(unit, next, sizeof unit);
    to_unit(unit);
    const real there = height(pair, unit);
    if (there < *high) {
        memcpy(m, unit, sizeof unit);
        *high = there;
        return true;
    }
    return false;
}

/* Where a body has no curvature, or one without bound: along its axes, and across them. */
static bool snap(const PAIR *pair, real m[3], real trust, real *high)
{
    bool lower = false;
    for (int k = 0; k < 6; k++) {
        const SOLID *solid = &pair->body[k / 3];
        if (!gjb_is_curved(solid->kind) || solid->kind == GJB_ELLIPSE || solid->kind == GJB_ELLIPSOID)
            continue;
        const real axis[3] = {solid->turn[0][k % 3], solid->turn[1][k % 3], solid->turn[2][k % 3]},
                   along = inner(m, axis);
        real next[3];
        for (int i = 0; i < 3; i++)
            next[i] = along < 0 ? -axis[i] : axis[i];
        if (along != 0 && 1 - fabs(along) < trust * trust)
            lower |= take_lower(pair, next, m, high);
        for (int i = 0; i < 3; i++)
            next[i] = m[i] - along * axis[i];
        if (along != 0 && fabs(along) < trust)
            lower |= take_lower(pair, next, m, high);
    }
    return lower;
}

real CAP_HEIGHT(const PAIR *pair, const real m[3])
{
    return height(pair, m);
}

/* Those that may be the highest somewhere within w. */
static uint32_t prune(model *set, uint32_t count, real w)
{
    const model top = set[highest_of(set, count)];
    const real low = 2 * top.a - worth(&top, w) - bend_of(&top) * w * w;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++)
        if (worth(&set[k], w) + bend_of(&set[k]) * w * w >= low)
            set[kept++] = set[k];
    return kept;
}

/* One step, by features as they are in a cap of `near` about m. `done`: they say that nothing in all of the
 * cap is lower by more than a little. */
typedef struct taken {
    real way; /* how long a step they ask for */
    bool lower, done;
} taken;

static taken step_down(const PAIR *pair, real near, real trust, bool bundled, real m[3], real *high)
{
    cap c;
    model set[MODELS];
    real next[3];
    open_cap(pair, m, near, &c);
    c.bundled = bundled;
    const uint32_t count = prune(set, combine(pair, &c, *high, set), trust);
    const step to = lowest(set, count, trust);
    for (int i = 0; i < 3; i++)
        next[i] = m[i] + to.x * c.across[0][i] + to.y * c.across[1][i];
    return (taken){.way = sqrt(to.x * to.x + to.y * to.y),
                   .lower = take_lower(pair, next, m, high),
                   .done = near >= trust && to.high > -LITTLE(pair)};
}

static bool is_power(const SOLID *solid)
{
    return solid->kind == GJB_SUPERELLIPSE || solid->kind == GJB_SUPERELLIPSOID;
}

real CAP_DESCEND(const PAIR *pair, real m[3])
{
    const bool power = is_power(&pair->body[0]) || is_power(&pair->body[1]);
    real high = height(pair, m), trust = 0x1p-3, near = trust;
    taken got = {.done = false};
    for (int k = 0; k < STEPS && trust > 0x1p-60 && !got.done; k++) {
        got = step_down(pair, lesser(near, trust), trust, false, m, &high);
        if (!got.lower && power)
            got = step_down(pair, trust, trust, true, m, &high);
        if (got.lower) {
            near = 2 * got.way;
            trust = lesser(0x1p-2, larger(trust, 2 * got.way));
        } else if (!snap(pair, m, trust, &high)) {
            trust = got.way > 0 ? lesser(trust / 8, 4 * got.way) : trust / 8;
        }
    }
    return high;
}
