/* gjb_kernels_pair..., gjb_kernels_within... and gjb_kernels_manifold...: the same bits as in a batch of many pairs,
 * and refusals. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gjkbench/kernels.h>

enum { SHAPES = 40, PAIRS = SHAPES * SHAPES, MOST_ROWS = 40, LARGEST = sizeof(gjb_manifold3d) };

/* What is asked. A margin is passed to gjb_kernels_within...() or gjb_kernels_manifold...(), NONE to neither. */
#define NONE (-1.)
typedef struct question {
    gjb_query query;
    double margin;
} question;
static const question questions[] = {
    {GJB_INTERSECT, NONE}, {GJB_DISTANCE, NONE},      {GJB_PENETRATION, NONE},  {GJB_SIGNED_DISTANCE, NONE},
    {GJB_MANIFOLD, .25},   {GJB_MANIFOLD, INFINITY},  {GJB_INTERSECT, .25},     {GJB_INTERSECT, INFINITY},
    {GJB_DISTANCE, .25},   {GJB_DISTANCE, INFINITY},  {GJB_PENETRATION, .25},   {GJB_SIGNED_DISTANCE, .25},
    {GJB_INTERSECT, 0},    {GJB_DISTANCE, 0}};

/* A number in [0, 1) of a fixed sequence. */
static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) * 0x1p-24;
}

/* Numbers of shapes and poses, in double; what is prepared is rounded from it. */
typedef struct numbers {
    uint8_t kind[SHAPES];
    uint32_t first[SHAPES], row_count[SHAPES];
    double radius[SHAPES], rows[SHAPES * MOST_ROWS * 3], poses[2 * PAIRS * 7];
} numbers;

/* Rows that a kind takes; of kinds with any number a different one each time. */
static uint32_t rows_of(gjb_kind kind, uint32_t i)
{
    static const uint32_t many[] = {3, 5, 8, 13, 30, MOST_ROWS};
    switch (kind) {
    case GJB_SEGMENT:
    case GJB_AABB:
    case GJB_SUPERELLIPSE:
    case GJB_SUPERELLIPSOID:
        return 2;
    case GJB_TRIANGLE:
        return 3;
    case GJB_POLYGON:
    case GJB_HULL:
        return many[i % (sizeof many / sizeof *many)];
    default:
        return 1;
    }
}

static int has_lengths(gjb_kind kind)
{
    return kind == GJB_BOX || kind >= GJB_ELLIPSE;
}

/* On a grid shapes touch, lie parallel, and some are flat; if all poses are turned together, up to rounding. */
typedef enum placement { SCATTERED, ON_GRID, ON_TURNED_GRID, PLACEMENTS } placement;

static double snap(double x, int on_grid)
{
    return on_grid ? floor(4 * x + .5) / 4 : x;
}

/* All kinds of a dimension in turn, every third with a radius, the last invalid. */
static void draw_shapes(numbers *n, uint32_t dim, placement on_grid)
{
    const uint32_t kinds = (dim == 2 ? GJB_KINDS_2D | GJB_CURVED_2D : GJB_KINDS_3D | GJB_CURVED_3D) | 1u << GJB_AABB;
    uint64_t state = dim;
    uint32_t row = 0;
    for (uint32_t i = 0, kind = 0; i < SHAPES; i++, kind = (kind + 1) % GJB_KINDS) {
        while (!(kinds >> kind & 1))
            kind = (kind + 1) % GJB_KINDS;
        n->kind[i] = (uint8_t)kind;
        n->first[i] = row;
        n->row_count[i] = rows_of((gjb_kind)kind, i);
        n->radius[i] = i % 3 ? 0 : snap(draw(&state) / 4, on_grid);
        for (uint32_t k = 0; k < dim * n->row_count[i]; k++) {
            const double x = has_lengths((gjb_kind)kind) ? draw(&state) + .1 : 2 * draw(&state) - 1;
            n->rows[dim * row + k] = snap(x, on_grid && kind < GJB_ELLIPSE);
        }
        if (kind == GJB_SUPERELLIPSE || kind == GJB_SUPERELLIPSOID)
            n->rows[dim * (row + 1)] = 1 + 3 * draw(&state);
        row += n->row_count[i];
    }
    n->radius[SHAPES - 1] = -1;
}

/* p x q, of quaternions x y z w. */
static void multiply(const double *p, const double *q, double *out)
{
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = p[3] * q[k] + q[3] * p[k] + p[l] * q[m] - p[m] * q[l];
    }
    out[3] = p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2];
}

/* Turns a pose about the origin, by an angle with cosine 0.6 in 2D, about a slanted axis in 3D. */
static void turn(double *pose, uint32_t dim)
{
    static const double by[4] = {.36, .48, 0, .8}, back[4] = {-.36, -.48, 0, .8};
    double half[4], out[4];
    for (uint32_t k = 0; dim == 2 && k < 4; k += 2) {
        const double x = pose[k], y = pose[k + 1];
        pose[k] = .6 * x - .8 * y;
        pose[k + 1] = .8 * x + .6 * y;
    }
    if (dim == 2)
        return;
    const double point[4] = {pose[0], pose[1], pose[2], 0};
    multiply(by, point, half);
    multiply(half, back, out);
    memcpy(pose, out, 3 * sizeof *pose);
    multiply(by, pose + 3, out);
    memcpy(pose + 3, out, sizeof out);
}

/* Near enough that about half of the pairs overlap. A few poses are invalid. */
static void draw_poses(numbers *n, uint32_t dim, placement on_grid)
{
    uint64_t state = 7 + dim;
    const uint32_t reals = dim == 2 ? 4 : 7;
    for (uint32_t i = 0; i < 2 * PAIRS; i++) {
        double *pose = n->poses + reals * i, square = 0;
        for (uint32_t k = 0; k < reals; k++) {
            pose[k] = k < dim ? snap(2 * draw(&state), on_grid) : 2 * draw(&state) - 1;
            if (on_grid && k >= dim)
                pose[k] = k == dim + i % (reals - dim);
            square += k < dim ? 0 : pose[k] * pose[k];
        }
        for (uint32_t k = dim; k < reals; k++)
            pose[k] /= sqrt(square);
        if (on_grid == ON_TURNED_GRID)
            turn(pose, dim);
        if (i % 101 == 0)
            pose[i % reals] = NAN;
    }
}

/* Both precisions from one source. */
static void *rounded(gjb_precision precision, const double *from, size_t count)
{
    void *to = malloc(count * sizeof *from);
    for (size_t i = 0; i < count; i++)
        if (precision == GJB_F32)
            ((float *)to)[i] = (float)from[i];
        else
            ((double *)to)[i] = from[i];
    return to;
}

typedef struct scene {
    uint32_t dim;
    gjb_precision precision;
    gjb_kernels *kernels;
    void *poses, *workspace;
    size_t workspace_size;
} scene;

static scene make_scene(uint32_t dim, gjb_precision precision, const char *backend, placement on_grid)
{
    static numbers n;
    memset(&n, 0, sizeof n);
    draw_shapes(&n, dim, on_grid);
    draw_poses(&n, dim, on_grid);
    const gjb_shapes shapes = {.dim = dim, .precision = (uint32_t)precision, .count = SHAPES, .kind = n.kind,
                               .first = n.first, .row_count = n.row_count,
                               .radius = rounded(precision, n.radius, SHAPES),
                               .rows = rounded(precision, n.rows, sizeof n.rows / sizeof *n.rows)};
    scene s = {.dim = dim, .precision = precision, .kernels = gjb_kernels_prepare(&shapes, backend, NULL, 0),
               .poses = rounded(precision, n.poses, sizeof n.poses / sizeof *n.poses)};
    cr_assert(s.kernels);
    s.workspace_size = gjb_kernels_workspace_size(s.kernels);
    s.workspace = aligned_alloc(64, s.workspace_size);
    memset(s.workspace, 0, s.workspace_size);
    free((void *)shapes.radius);
    free((void *)shapes.rows);
    return s;
}

static void free_scene(scene *s)
{
    gjb_kernels_release(s->kernels);
    free(s->poses);
    free(s->workspace);
}

static size_t record_size(const scene *s, gjb_query query)
{
    static const size_t results[2][GJB_PRECISIONS] = {{sizeof(gjb_result2f), sizeof(gjb_result2d)},
                                                      {sizeof(gjb_result3f), sizeof(gjb_result3d)}};
    static const size_t manifolds[2][GJB_PRECISIONS] = {{sizeof(gjb_manifold2f), sizeof(gjb_manifold2d)},
                                                        {sizeof(gjb_manifold3f), sizeof(gjb_manifold3d)}};
    return (query == GJB_MANIFOLD ? manifolds : results)[s->dim == 3][s->precision];
}

static size_t pose_size(const scene *s)
{
    return (s->dim == 2 ? 4 : 7) * (s->precision == GJB_F32 ? sizeof(float) : sizeof(double));
}

/* Pair i: each shape with each, every body with a pose of its own. All records have the size of the largest. */
static void run_all(const scene *s, question asked, char *records)
{
    static uint32_t pairs[2 * PAIRS], body_shape[2 * PAIRS];
    for (uint32_t i = 0; i < PAIRS; i++) {
        pairs[2 * i] = 2 * i;
        pairs[2 * i + 1] = 2 * i + 1;
        body_shape[2 * i] = i / SHAPES;
        body_shape[2 * i + 1] = i % SHAPES;
    }
    char error[200];
    const gjb_batch batch = {.query = asked.query,
                             .poses = s->poses,
                             .pose_stride = pose_size(s),
                             .body_shape = body_shape,
                             .pairs = pairs,
                             .pair_count = PAIRS,
                             .results = records,
                             .result_stride = LARGEST,
                             .workspace = s->workspace,
                             .margin = fmax(asked.margin, 0)};
    memset(records, 0, PAIRS * LARGEST);
    cr_assert_eq(gjb_kernels_run(s->kernels, &batch, s->workspace_size, error, sizeof error), 0, "%s", error);
}

/* The call of the scene's dimension and precision. */
#define CALL(name, ...)                                                                                     \
    (s->dim == 2 ? (s->precision == GJB_F32 ? gjb_kernels_##name##2f(__VA_ARGS__, s->workspace)              \
                                            : gjb_kernels_##name##2d(__VA_ARGS__, s->workspace))             \
                 : (s->precision == GJB_F32 ? gjb_kernels_##name##3f(__VA_ARGS__, s->workspace)              \
                                            : gjb_kernels_##name##3d(__VA_ARGS__, s->workspace)))

static gjb_status ask(const scene *s, question q, uint32_t a, const void *at, uint32_t b, const void *bt, void *r)
{
    if (q.query == GJB_MANIFOLD)
        return CALL(manifold, s->kernels, a, at, b, bt, q.margin, r);
    if (q.margin == NONE)
        return CALL(pair, s->kernels, q.query, a, at, b, bt, r);
    return CALL(within, s->kernels, q.query, a, at, b, bt, q.margin, r);
}

static void compare_one(const scene *s, question asked, uint32_t i, const char *record, const char *backend)
{
    const gjb_query query = asked.query;
    double got[LARGEST / sizeof(double)];
    memset(got, 0x5a, sizeof got);
    const char *poses = (const char *)s->poses + 2 * i * pose_size(s);
    const gjb_status status = ask(s, asked, i / SHAPES, poses, i % SHAPES, poses + pose_size(s), got);
    gjb_head head;
    memcpy(&head, record, sizeof head);
    cr_assert_eq(status, head.status, "%s, %uD, precision %d, query %d, margin %g, pair %u: %d", backend, s->dim,
                 s->precision, query, asked.margin, i, status);
    cr_assert_eq(memcmp(got, record, record_size(s, query)), 0,
                 "%s, %uD, precision %d, query %d, margin %g, pair %u: other bits", backend, s->dim,
                 s->precision, query, asked.margin, i);
    for (size_t k = record_size(s, query); k < sizeof got; k++)
        cr_assert_eq(((const unsigned char *)got)[k], 0x5a, "%uD: beyond its record", s->dim);
}

static void compare(uint32_t dim, gjb_precision precision, const char *backend, placement on_grid,
                    unsigned seen[GJB_STATUSES])
{
    static char records[PAIRS * LARGEST];
    scene s = make_scene(dim, precision, backend, on_grid);
    for (size_t q = 0; q < sizeof questions / sizeof *questions; q++) {
        run_all(&s, questions[q], records);
        for (uint32_t i = 0; i < PAIRS; i++) {
            gjb_head head;
            memcpy(&head, records + i * LARGEST, sizeof head);
            seen[head.status]++;
            compare_one(&s, questions[q], i, records + i * LARGEST, backend ? backend : "best");
        }
    }
    free_scene(&s);
}

Test(pair, has_the_bits_of_a_batch, .timeout = 300)
{
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (unsigned precision = 0; precision < GJB_PRECISIONS; precision++) {
            unsigned seen[GJB_STATUSES] = {0};
            for (int placed = 0; placed < PLACEMENTS; placed++) {
                compare(dim, (gjb_precision)precision, NULL, (placement)placed, seen);
                compare(dim, (gjb_precision)precision, "scalar", (placement)placed, seen);
            }
            cr_assert(seen[GJB_SEPARATED] > PAIRS && seen[GJB_OVERLAPPING] > PAIRS && seen[GJB_INVALID_INPUT] > 0,
                      "%u apart, %u overlap", seen[GJB_SEPARATED], seen[GJB_OVERLAPPING]);
        }
}

/* Two boxes of length 2 whose faces are 1 apart. */
Test(pair, takes_its_margin)
{
    const float rows[3] = {1, 1, 1}, radius = 0;
    const uint8_t kind = GJB_BOX;
    const uint32_t first = 0, count = 1;
    const gjb_shapes shapes = {.dim = 3, .precision = GJB_F32, .count = 1, .kind = &kind, .first = &first,
                               .row_count = &count, .radius = &radius, .rows = rows};
    scene s = {.dim = 3, .precision = GJB_F32, .kernels = gjb_kernels_prepare(&shapes, NULL, NULL, 0)};
    s.workspace_size = gjb_kernels_workspace_size(s.kernels);
    s.workspace = memset(aligned_alloc(64, s.workspace_size), 0, s.workspace_size);
    const gjb_pose3f a = {.qw = 1}, b = {.x = 3, .qw = 1};
    static const struct {
        question asked;
        gjb_status status;
        unsigned contacts; /* of a manifold */
    } cases[] = {{{GJB_INTERSECT, NONE}, GJB_SEPARATED, 0},  {{GJB_INTERSECT, .5}, GJB_SEPARATED, 0},
                 {{GJB_INTERSECT, 1.5}, GJB_OVERLAPPING, 0}, {{GJB_DISTANCE, 1.5}, GJB_SEPARATED, 0},
                 {{GJB_MANIFOLD, .5}, GJB_SEPARATED, 0},     {{GJB_MANIFOLD, 1.5}, GJB_SEPARATED, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        union { gjb_result3f result; gjb_manifold3f manifold; } r;
        cr_assert_eq(ask(&s, cases[i].asked, 0, &a, 0, &b, &r), cases[i].status, "case %zu", i);
        if (cases[i].asked.query == GJB_DISTANCE)
            cr_assert_eq(r.result.value, 1);
        if (cases[i].asked.query == GJB_MANIFOLD)
            cr_assert_eq(r.manifold.count, cases[i].contacts, "case %zu", i);
    }
    free_scene(&s);
}

/* Each argument spoiled alone, of a call that is well otherwise. */
Test(pair, refuses_what_it_cannot_ask)
{
    scene s = make_scene(3, GJB_F32, NULL, SCATTERED), flat = make_scene(2, GJB_F32, NULL, SCATTERED);
    scene fine = make_scene(3, GJB_F64, NULL, SCATTERED);
    const gjb_pose3f *p = s.poses;
    gjb_result3f r, untouched;
    memset(&untouched, 0x5a, sizeof untouched);
    r = untouched;
#define REFUSED(...) cr_assert_eq(gjb_kernels_pair3f(__VA_ARGS__), GJB_UNWRITTEN)
    REFUSED(NULL, GJB_DISTANCE, 0, p, 1, p, &r, s.workspace);
    REFUSED(flat.kernels, GJB_DISTANCE, 0, p, 1, p, &r, flat.workspace);
    REFUSED(fine.kernels, GJB_DISTANCE, 0, p, 1, p, &r, fine.workspace);
    REFUSED(s.kernels, GJB_SWEEP, 0, p, 1, p, &r, s.workspace);
    REFUSED(s.kernels, GJB_TOI, 0, p, 1, p, &r, s.workspace);
    REFUSED(s.kernels, GJB_MANIFOLD, 0, p, 1, p, &r, s.workspace);
    REFUSED(s.kernels, (gjb_query)-1, 0, p, 1, p, &r, s.workspace);
    REFUSED(s.kernels, GJB_DISTANCE, SHAPES, p, 1, p, &r, s.workspace);
    REFUSED(s.kernels, GJB_DISTANCE, 0, p, UINT32_MAX, p, &r, s.workspace);
    REFUSED(s.kernels, GJB_DISTANCE, 0, NULL, 1, p, &r, s.workspace);
    REFUSED(s.kernels, GJB_DISTANCE, 0, p, 1, NULL, &r, s.workspace);
    REFUSED(s.kernels, GJB_DISTANCE, 0, p, 1, p, NULL, s.workspace);
    REFUSED(s.kernels, GJB_DISTANCE, 0, p, 1, p, &r, NULL);
    REFUSED(s.kernels, GJB_DISTANCE, 0, p, 1, p, &r, (char *)s.workspace + 32);
#undef REFUSED
    const double wrong[] = {-1, NAN, -INFINITY};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        cr_assert_eq(gjb_kernels_within3f(s.kernels, GJB_INTERSECT, 0, p, 1, p + 1, wrong[k], &r, s.workspace),
                     GJB_UNWRITTEN);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        for (int query = GJB_PENETRATION; query <= GJB_SIGNED_DISTANCE; query++) {
            gjb_result3f plain = untouched, ignored = untouched;
            const gjb_query q3 = (gjb_query)query;
            cr_assert_eq(gjb_kernels_within3f(s.kernels, q3, 0, p, 1, p + 1, wrong[k], &ignored, s.workspace),
                         gjb_kernels_pair3f(s.kernels, q3, 0, p, 1, p + 1, &plain, s.workspace));
            cr_assert_neq(plain.head.status, GJB_UNWRITTEN);
            cr_assert_eq(memcmp(&plain, &ignored, sizeof plain), 0, "query %d reads the margin", query);
        }
    cr_assert_eq(gjb_kernels_within3f(s.kernels, GJB_TOI, 0, p, 1, p + 1, 1, &r, s.workspace), GJB_UNWRITTEN);
    cr_assert_eq(gjb_kernels_within3f(s.kernels, GJB_DISTANCE, SHAPES, p, 1, p, 1, &r, s.workspace), GJB_UNWRITTEN);
    const gjb_pose2f *q = flat.poses;
    gjb_manifold2f m, blank;
    memset(&blank, 0x5a, sizeof blank);
    m = blank;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        cr_assert_eq(gjb_kernels_manifold2f(flat.kernels, 0, q, 1, q + 1, wrong[k], &m, flat.workspace), GJB_UNWRITTEN);
    cr_assert_eq(gjb_kernels_manifold2f(s.kernels, 0, q, 1, q + 1, 0, &m, s.workspace), GJB_UNWRITTEN);
    cr_assert_eq(gjb_kernels_manifold2f(flat.kernels, 0, q, 1, q + 1, 0, NULL, flat.workspace), GJB_UNWRITTEN);
    cr_assert_eq(memcmp(&m, &blank, sizeof m), 0, "a refused call wrote");
    cr_assert_neq(gjb_kernels_manifold2f(flat.kernels, 0, q, 1, q + 1, INFINITY, &m, flat.workspace), GJB_UNWRITTEN);
    cr_assert_eq(memcmp(&r, &untouched, sizeof r), 0, "a refused call wrote");
    cr_assert_neq(gjb_kernels_pair3f(s.kernels, GJB_DISTANCE, 0, p, 1, p + 1, &r, s.workspace), GJB_UNWRITTEN);
    free_scene(&s);
    free_scene(&flat);
    free_scene(&fine);
}
