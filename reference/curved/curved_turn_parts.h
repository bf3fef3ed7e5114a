/* Included after curved_cap_parts.h: cells of lean l and turn t about an axis z, of directions
 * n = cos l (cos t x + sin t y) + sin l z.
 *
 * Those are unit, so that a bar takes no part in what curves, and what revolves about z does not change with
 * t. A feature is bounded by its second-order Taylor polynomial at the middle, less what its third
 * derivatives over the cell allow. Those along t are as small as the feature is uneven: of a length |E n|
 * with f = n'Mn
 *     f = (M11 + M22) / 2 cos^2 l + M33 sin^2 l + K2 cos^2 l cos(2 t - ..) + K1 sin 2 l cos(t - ..)
 * by K1 = |(M13, M23)| and K2 = |((M11 - M22) / 2, M12)|, of a point p by |(p1, p2)|. */

/* x and y in parts of a cell: derivatives of n by them, and how far the cell goes. */
typedef struct chart {
    real n[3], way[2][3], second[3][3]; /* xx, xy, yy */
    real frame[3][3], half[2];
    bool exact; /* third derivatives are left out: for steps down */
} chart;

static const real corner_of_chart = 1.4142136; /* rounded up */

static void open_chart(chart *c, const real frame[3][3], const real at[2], const real half[2])
{
    const real lean[2] = {cos(at[0]), sin(at[0])}, turn[2] = {cos(at[1]), sin(at[1])};
    memcpy(c->frame, frame, sizeof c->frame);
    memcpy(c->half, half, sizeof c->half);
    for (int k = 0; k < 3; k++) {
        const real out = turn[0] * frame[0][k] + turn[1] * frame[1][k],
                   along = turn[0] * frame[1][k] - turn[1] * frame[0][k];
        c->n[k] = lean[0] * out + lean[1] * frame[2][k];
        c->way[0][k] = half[0] * (lean[0] * frame[2][k] - lean[1] * out);
        c->way[1][k] = half[1] * lean[0] * along;
        c->second[0][k] = -half[0] * half[0] * c->n[k];
        c->second[1][k] = -half[0] * half[1] * lean[1] * along;
        c->second[2][k] = -half[1] * half[1] * lean[0] * out;
    }
}

static real length_of(real x, real y)
{
    return sqrt(x * x + y * y);
}

/* Bounds of derivatives by how often along the lean and along the turn, those of the chart. */
typedef struct slopes {
    real first[2], second[3], third[4];
} slopes;

/* No third derivative along (x, y) within the cell makes more of x^2 and y^2 than this. */
static void lessen(const chart *c, model *m, const real third[4])
{
    if (!c->exact) {
        m->q[0] -= corner_of_chart / 3 * (third[0] + 3 * third[1]);
        m->q[2] -= corner_of_chart / 3 * (third[3] + 3 * third[2]);
    }
}

static void scale_slopes(const chart *c, slopes *s)
{
    const real a = c->half[0], b = c->half[1], by[3] = {a * a, a * b, b * b};
    s->first[0] *= a;
    s->first[1] *= b;
    for (int k = 0; k < 3; k++) {
        s->second[k] *= by[k];
        s->third[k] *= by[k] * a;
    }
    s->third[3] *= b * b * b;
}

/* Of f, M's columns images of the frame's axes. */
static slopes slopes_of_square(const chart *c, const real image[3][3])
{
    const real first = inner(image[0], image[0]), second = inner(image[1], image[1]),
               last = inner(image[2], image[2]), rounding = 0x1p-58 * (first + second + last),
               p = fabs((first + second) / 2 - last),
               k1 = length_of(inner(image[0], image[2]), inner(image[1], image[2])) + rounding,
               k2 = length_of((first - second) / 2, inner(image[0], image[1])) + rounding;
    slopes s = {.first = {p + k2 + 2 * k1, 2 * k2 + k1},
                .second = {2 * p + 2 * k2 + 4 * k1, 2 * k2 + 2 * k1, 4 * k2 + k1},
                .third = {4 * p + 4 * k2 + 8 * k1, 4 * k2 + 4 * k1, 4 * k2 + 2 * k1, 8 * k2 + k1}};
    scale_slopes(c, &s);
    return s;
}

/* Third derivatives of the root of f >= `least`, times along x and y: f''' / 2 f^1/2 - sum f'' f' / 4 f^3/2 +
 * 3 f'^3 / 8 f^5/2. */
static void slopes_of_root(const slopes *s, real least, real third[4])
{
    const real root = sqrt(least);
    for (int k = 0; k < 4; k++) {
        const int i = k > 2, j = k > 1, m = k > 0; /* of the three derivatives, those along y */
        const real one =
            s->second[i + j] * s->first[m] + s->second[i + m] * s->first[j] + s->second[j + m] * s->first[i];
        third[k] = s->third[k] / (2 * root) + one / (4 * least * root) +
                   3 * s->first[i] * s->first[j] * s->first[m] / (8 * least * least * root);
    }
}

/* Of a point along n: third ones alone. */
static slopes slopes_of_place(const chart *c, const real p[3])
{
    const real wide = length_of(inner(p, c->frame[0]), inner(p, c->frame[1])),
               far = length_of(wide, inner(p, c->frame[2]));
    slopes s = {.third = {far, wide, wide, wide}};
    scale_slopes(c, &s);
    return s;
}

static void add_place(models *set, const chart *c, const real p[3])
{
    if (set->count == BRANCHES)
        return;
    const slopes s = slopes_of_place(c, p);
    model *m = &set->of[set->count++];
    *m = (model){.a = inner(p, c->n), .b = {inner(p, c->way[0]), inner(p, c->way[1])}};
    for (int k = 0; k < 3; k++)
        m->q[k] = inner(p, c->second[k]);
    lessen(c, m, s.third);
}

/* E v: lengths along local axes. */
static void stretch(const SOLID *solid, const real semi[3], real sign, const real v[3], real out[3])
{
    turn_back(solid, sign, v, out);
    for (int k = 0; k < 3; k++)
        out[k] *= semi[k];
}

/* |E n|. False: it may be 0 in the cell. */
static bool add_turned_length(models *set, const chart *c, const SOLID *solid, const real semi[3], real sign)
{
    real y[3], g[2][3], h[3], image[3][3], third[4];
    stretch(solid, semi, sign, c->n, y);
    for (int k = 0; k < 3; k++)
        stretch(solid, semi, sign, c->frame[k], image[k]);
    const slopes s = slopes_of_square(c, (const real(*)[3])image);
    const real square = inner(y, y), least = square - corner_of_chart * (s.first[0] + s.first[1]),
               length = sqrt(square);
    if (!(least > square / 4))
        return false;
    model *m = &set->of[set->count++];
    *m = (model){.a = length};
    for (int k = 0; k < 2; k++) {
        stretch(solid, semi, sign, c->way[k], g[k]);
        m->b[k] = inner(y, g[k]) / length;
    }
    for (int k = 0; k < 3; k++) {
        const int i = k >> 1, j = (k + 1) >> 1;
        stretch(solid, semi, sign, c->second[k], h);
        m->q[k] = (inner(g[i], g[j]) + inner(y, h) - m->b[i] * m->b[j]) / length;
    }
    slopes_of_root(&s, least, third);
    lessen(c, m, third);
    return true;
}

/* The farthest point, whatever it curves like. */
static void add_farthest(models *set, const chart *c, const SOLID *solid, const real semi[3], real sign)
{
    real back[3], x[3], place[3];
    turn_back(solid, sign, c->n, back);
    extreme(solid, GJB_ELLIPSOID, semi, back, x);
    for (int k = 0; k < 3; k++)
        place[k] = sign * inner(solid->turn[k], x);
    add_place(set, c, place);
}

static void move(model *m, const chart *c, const real by[3])
{
    models one = {.count = 0};
    add_place(&one, c, by);
    m->a += one.of[0].a;
    for (int i = 0; i < 3; i++) {
        m->b[i % 2] += i < 2 ? one.of[0].b[i] : 0;
        m->q[i] += one.of[0].q[i];
    }
}

/* A superellipsoid is a smaller ellipsoid, which rolls in it, and a convex rest (ref_solid_roundness), whose
 * farthest point is what is left of its own. */
static void add_turned_power(models *set, const chart *c, const SOLID *solid, real sign)
{
    const real share = ROUNDNESS(solid), *semi = solid->semi,
               smaller[3] = {share * semi[0], share * semi[1], share * semi[2]};
    const bool rolls = share > 0 && add_turned_length(set, c, solid, smaller, sign);
    real back[3], x[3], y[3], rest[3];
    turn_back(solid, sign, c->n, back);
    extreme(solid, GJB_SUPERELLIPSOID, semi, back, x);
    extreme(solid, GJB_ELLIPSOID, smaller, back, y);
    for (int k = 0; k < 3; k++)
        x[k] -= rolls ? y[k] : 0;
    for (int k = 0; k < 3; k++)
        rest[k] = sign * inner(solid->turn[k], x);
    if (rolls)
        move(&set->of[0], c, rest);
    else
        add_place(set, c, rest);
}

/* False: of this kind nothing is known. */
static bool add_turned(models *set, const chart *c, const SOLID *solid, real sign)
{
    const bool disc = solid->kind == GJB_CYLINDER || solid->kind == GJB_CONE;
    const real semi[3] = {solid->semi[0], solid->semi[1], disc ? 0 : solid->semi[2]},
               high = sign * solid->semi[2];
    real up[3], offset[3];
    set->count = 0;
    for (int k = 0; k < 3; k++) {
        up[k] = solid->kind == GJB_CONE ? -high * solid->turn[k][2] : high * solid->turn[k][2];
        offset[k] = sign * solid->offset[k];
    }
    if (disc || solid->kind == GJB_ELLIPSOID) {
        if (!add_turned_length(set, c, solid, semi, sign))
            add_farthest(set, c, solid, semi, sign);
    } else if (solid->kind == GJB_SUPERELLIPSOID) {
        add_turned_power(set, c, solid, sign);
    } else if (gjb_is_curved(solid->kind)) {
        return false;
    }
    if (disc) {
        const real down[3] = {-up[0], -up[1], -up[2]};
        if (solid->kind == GJB_CYLINDER) {
            set->of[1] = set->of[0];
            move(&set->of[set->count++], c, down);
        } else {
            add_place(set, c, down);
        }
        move(&set->of[0], c, up);
    }
    for (uint32_t i = 0; i < solid->count && !gjb_is_curved(solid->kind); i++) {
        const double *row = solid->rows + (size_t)i * 3;
        real place[3];
        for (int k = 0; k < 3; k++)
            place[k] =
                sign * (solid->turn[k][0] * row[0] + solid->turn[k][1] * row[1] + solid->turn[k][2] * row[2]);
        add_place(set, c, place);
    }
    for (uint32_t k = 0; k < set->count; k++)
        move(&set->of[k], c, offset);
    return true;
}

static uint32_t combine_turned(const PAIR *pair, const chart *c, real bar, model out[MODELS])
{
    static const real straight[2] = {0, 0};
    models of_a, of_b;
    if (!add_turned(&of_a, c, &pair->body[0], -1) || !add_turned(&of_b, c, &pair->body[1], 1))
        return 0;
    return pair_up(&of_a, &of_b, bar + pair->body[0].shrunk + pair->body[1].shrunk, straight, corner_of_chart,
                   out);
}

bool TURN_HOLDS(const PAIR *pair, const real frame[3][3], const real at[2], const real half[2], real bar)
{
    chart c = {.exact = false};
    model set[MODELS];
    open_chart(&c, frame, at, half);
    const uint32_t count = combine_turned(pair, &c, bar, set);
    return count > 0 &&
           (any_way(set, count, corner_of_chart) || proves(set, count, QUARTER, corner_of_chart, 1, 0));
}

/* From a lean and a turn down to where support is locally least, as CAP_DESCEND does. */
real TURN_DESCEND(const PAIR *pair, const real frame[3][3], real at[2])
{
    chart c = {.exact = true};
    model set[MODELS];
    real trust = 0x1p-2;
    open_chart(&c, frame, at, (const real[2]){0, 0});
    real high = height(pair, c.n);
    for (int k = 0; k < STEPS && trust > 0x1p-50; k++) {
        open_chart(&c, frame, at, (const real[2]){trust, trust});
        const uint32_t count = combine_turned(pair, &c, high, set);
        if (count == 0)
            break;
        const step to = lowest(set, prune(set, count, 1), 1);
        const real next[2] = {at[0] + trust * to.x, at[1] + trust * to.y};
        open_chart(&c, frame, next, (const real[2]){0, 0});
        const real there = height(pair, c.n);
        if (there < high) {
            high = there;
            memcpy(at, next, sizeof next);
            trust = lesser(0x1p-1, 2 * trust * length_of(to.x, to.y));
        } else if (to.high > -LITTLE(pair)) {
            break;
        } else {
            trust /= 8;
        }
    }
    return high;
}
