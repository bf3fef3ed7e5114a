/* The library through its exported functions: exact answers, refusals, and no reads or writes
 * beyond its arguments. */
#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <gjkbench/kernels.h>

enum { MOST_PAIRS = 300, BODIES = 7, LARGEST_RECORD = sizeof(gjb_manifold3d), TEXT = 160 };

/* Memory that ends at a page without access. */
static void *before_guard(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (bytes + page - 1) / page * page;
    char *at = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert(at != MAP_FAILED);
    cr_assert_eq(mprotect(at + room, page, PROT_NONE), 0);
    return at + room - bytes;
}

static void free_guarded(void *at, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (bytes + page - 1) / page * page;
    munmap((char *)at + bytes - room, room + page);
}

/* Numbers of a precision, guarded. */
static void *reals(gjb_precision precision, const double *from, size_t count)
{
    const size_t bytes = count * (precision == GJB_F32 ? sizeof(float) : sizeof(double));
    void *at = before_guard(bytes);
    for (size_t i = 0; i < count; i++)
        if (precision == GJB_F32)
            ((float *)at)[i] = (float)from[i];
        else
            ((double *)at)[i] = from[i];
    return at;
}

static double real_at(gjb_precision precision, const void *record, size_t i)
{
    return precision == GJB_F32 ? (double)((const float *)record)[i] : ((const double *)record)[i];
}

static size_t record_bytes(gjb_query query, gjb_precision precision, uint32_t dim)
{
    const size_t number = precision == GJB_F32 ? 4 : 8, vectors = query == GJB_SWEEP ? 2 : 3;
    if (query == GJB_MANIFOLD && dim == 2)
        return precision == GJB_F32 ? sizeof(gjb_manifold2f) : sizeof(gjb_manifold2d);
    if (query == GJB_MANIFOLD)
        return precision == GJB_F32 ? sizeof(gjb_manifold3f) : sizeof(gjb_manifold3d);
    return query == GJB_INTERSECT ? 4 : number * (2 + (query == GJB_SWEEP) + vectors * dim);
}

/* Body 0 is a box of half extents 1; the others are, along x from it: 1 a box 1.5 away, 2 a box
 * 0.25 into it, 3 a circle or sphere of radius 0.5 at a distance of 2, 4 a box that comes at
 * 4 a step from 1 away, 5 a shape that is none, 6 a box whose pose is not a number. */
typedef struct scene {
    uint32_t dim;
    gjb_precision precision;
    gjb_shapes shapes;
    void *poses, *motions;
    uint32_t *body_shape;
} scene;

static const uint32_t body_shapes[BODIES] = {0, 0, 0, 1, 0, 2, 0};

static scene make_scene(uint32_t dim, gjb_precision precision)
{
    static const double x[BODIES] = {0, 3.5, 1.75, 3.5, 3, 5, NAN};
    static const uint8_t kind[3] = {GJB_BOX, GJB_POINT, 200};
    static const uint32_t first[3] = {0, 1, 2}, count[3] = {1, 1, 1};
    const double rows[9] = {1, 1, dim == 3, 0, 0, 0, 0, 0, 0}, flat[6] = {1, 1, 0, 0, 0, 0}, radius[3] = {0, .5, 0};
    double pose[BODIES * 7] = {0}, motion[BODIES * 6] = {0};
    const size_t reals_of_pose = dim == 2 ? 4 : 7, reals_of_motion = dim == 2 ? 3 : 6;
    for (size_t i = 0; i < BODIES; i++) {
        pose[i * reals_of_pose] = x[i];
        pose[i * reals_of_pose + (dim == 2 ? 2 : 6)] = 1;
    }
    motion[4 * reals_of_motion] = -4;
    scene s = {.dim = dim, .precision = precision, .poses = reals(precision, pose, BODIES * reals_of_pose),
               .motions = reals(precision, motion, BODIES * reals_of_motion), .body_shape = before_guard(sizeof body_shapes)};
    memcpy(s.body_shape, body_shapes, sizeof body_shapes);
    s.shapes = (gjb_shapes){.dim = dim, .precision = (uint32_t)precision, .count = 3, .kind = kind, .first = first,
                            .row_count = count, .radius = reals(precision, radius, 3),
                            .rows = reals(precision, dim == 3 ? rows : flat, 3 * dim)};
    return s;
}

static size_t number_bytes(const scene *s)
{
    return s->precision == GJB_F32 ? 4 : 8;
}

/* Frees the shapes before a run: everything is copied. */
static gjb_kernels *prepare(const scene *s, const char *backend)
{
    char error[TEXT] = "left over";
    gjb_kernels *kernels = gjb_kernels_prepare(&s->shapes, backend, error, sizeof error);
    cr_assert(kernels, "%s", error);
    cr_assert_str_eq(error, "");
    free_guarded((void *)s->shapes.radius, 3 * number_bytes(s));
    free_guarded((void *)s->shapes.rows, 3 * s->dim * number_bytes(s));
    return kernels;
}

static gjb_batch batch_of(const scene *s, gjb_query query, const uint32_t *pairs, size_t count, void *results)
{
    return (gjb_batch){.query = query, .poses = s->poses, .pose_stride = (s->dim == 2 ? 4 : 7) * number_bytes(s),
                       .body_shape = s->body_shape, .pairs = pairs, .pair_count = count, .results = results,
                       .result_stride = record_bytes(query, s->precision, s->dim),
                       .motions = query == GJB_SWEEP || query == GJB_TOI ? s->motions : NULL,
                       .margin = query == GJB_MANIFOLD,
                       .motion_stride = (s->dim == 2 ? 3 : 6) * number_bytes(s)};
}

/* Answers of pairs 0-i: status, and value if it is defined. */
static const struct expected {
    gjb_query query;
    uint32_t body;
    gjb_status status;
    double value;
} expected[] = {
    {GJB_INTERSECT, 1, GJB_SEPARATED, 0},         {GJB_INTERSECT, 2, GJB_OVERLAPPING, 0},
    {GJB_INTERSECT, 5, GJB_INVALID_INPUT, 0},     {GJB_INTERSECT, 6, GJB_INVALID_INPUT, 0},
    {GJB_DISTANCE, 1, GJB_SEPARATED, 1.5},        {GJB_DISTANCE, 2, GJB_OVERLAPPING, 0},
    {GJB_DISTANCE, 3, GJB_SEPARATED, 2},          {GJB_DISTANCE, 5, GJB_INVALID_INPUT, 0},
    {GJB_DISTANCE, 6, GJB_INVALID_INPUT, 0},      {GJB_PENETRATION, 1, GJB_SEPARATED, 0},
    {GJB_PENETRATION, 2, GJB_OVERLAPPING, .25},   {GJB_SIGNED_DISTANCE, 1, GJB_SEPARATED, 1.5},
    {GJB_SIGNED_DISTANCE, 2, GJB_OVERLAPPING, -.25}, {GJB_SIGNED_DISTANCE, 5, GJB_INVALID_INPUT, 0},
    {GJB_SWEEP, 4, GJB_HIT, .25},                 {GJB_SWEEP, 2, GJB_OVERLAPPING, 0},
    {GJB_SWEEP, 1, GJB_SEPARATED, 0},             {GJB_SWEEP, 3, GJB_UNSUPPORTED, 0},
    {GJB_TOI, 4, GJB_HIT, .25},                   {GJB_TOI, 2, GJB_OVERLAPPING, 0},
    {GJB_TOI, 1, GJB_SEPARATED, 0},               {GJB_TOI, 6, GJB_INVALID_INPUT, 0},
    {GJB_MANIFOLD, 1, GJB_SEPARATED, 0},          {GJB_MANIFOLD, 2, GJB_OVERLAPPING, -.25},
    {GJB_MANIFOLD, 5, GJB_INVALID_INPUT, 0},      {GJB_MANIFOLD, 6, GJB_INVALID_INPUT, 0},
};

/* Body 2 is as wide as A: contacts are where the faces end. */
static void check_contacts(const scene *s, const char *backend, const struct expected *want, const char *record)
{
    uint32_t count;
    memcpy(&count, record + sizeof(gjb_head), sizeof count);
    cr_assert_eq(count, want->value ? (s->dim == 2 ? 2 : 4) : 0, "%s: %uD: %u contacts", backend, s->dim, count);
}

/* Times are early by a little; all else is a few roundings off at most. */
static void check_record(const scene *s, const char *backend, const struct expected *want, const char *record)
{
    gjb_head head;
    memcpy(&head, record, sizeof head);
    cr_assert_eq(head.status, want->status, "%s: %uD, precision %d, query %d, body %u: status %u", backend, s->dim,
                 s->precision, want->query, want->body, head.status);
    if (want->query == GJB_INTERSECT)
        return;
    if (want->query == GJB_MANIFOLD) {
        check_contacts(s, backend, want, record);
        return;
    }
    const double value = real_at(s->precision, record, 1), eps = s->precision == GJB_F32 ? 0x1p-24 : 0x1p-53;
    cr_assert(fabs(value - want->value) <= 64 * eps * 8, "%s: %uD, precision %d, query %d, body %u: value %a", backend,
              s->dim, s->precision, want->query, want->body, value);
    const int defined = value != 0 && want->query != GJB_TOI && want->query != GJB_SWEEP;
    for (uint32_t k = 0; defined && k < s->dim; k++) /* A is the left one */
        cr_assert(fabs(real_at(s->precision, record, 2 + k) - (k == 0)) <= 64 * eps, "%s: %uD: normal", backend, s->dim);
}

/* One batch of `count` pairs 0-body; results are compared with `bytes` of another backend, if any. */
static void run_batch(const scene *s, const gjb_kernels *kernels, const char *backend, const struct expected *want,
                      size_t count, char *bytes)
{
    const size_t record = record_bytes(want->query, s->precision, s->dim), size = gjb_kernels_workspace_size(kernels);
    char error[TEXT] = "", *results = before_guard(count * record);
    uint32_t *pairs = before_guard(2 * count * sizeof *pairs);
    for (size_t i = 0; i < count; i++)
        pairs[2 * i + 1] = want->body;
    gjb_batch batch = batch_of(s, want->query, pairs, count, results);
    const size_t axis = s->dim * number_bytes(s);
    batch.workspace = before_guard(size);
    batch.axes = count % 2 ? before_guard(count * axis) : NULL;
    batch.axis_stride = axis;
    cr_assert_eq(gjb_kernels_run(kernels, &batch, size, error, sizeof error), 0, "%s", error);
    for (size_t i = 0; i < count; i++)
        check_record(s, backend, want, results + i * record);
    if (bytes && *bytes)
        cr_assert_eq(memcmp(bytes + 1, results, record), 0, "%s: other bits", backend);
    if (bytes) {
        *bytes = 1;
        memcpy(bytes + 1, results, record);
    }
    if (batch.axes)
        free_guarded(batch.axes, count * axis);
    free_guarded(batch.workspace, size);
    free_guarded(pairs, 2 * count * sizeof *pairs);
    free_guarded(results, count * record);
}

Test(library, answers_on_every_backend_and_touches_nothing_else)
{
    static const size_t counts[] = {1, 2, 17, 256, MOST_PAIRS};
    size_t backends = 0;
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (unsigned precision = 0; precision < GJB_PRECISIONS; precision++)
            for (size_t e = 0; e < sizeof expected / sizeof *expected; e++) {
                char bytes[1 + LARGEST_RECORD] = {0};
                const char *name;
                if (dim == 3 && expected[e].query == GJB_MANIFOLD) /* not built yet */
                    continue;
                for (size_t b = 0; (name = gjb_kernels_backend(b)); b++) {
                    if (!gjb_kernels_available(name))
                        continue;
                    const scene s = make_scene(dim, (gjb_precision)precision);
                    gjb_kernels *kernels = prepare(&s, name);
                    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                        run_batch(&s, kernels, name, &expected[e], counts[c], bytes);
                    gjb_kernels_release(kernels);
                    backends++;
                }
            }
    cr_assert(backends > 0);
}

Test(library, names_backends)
{
    const char *best = gjb_kernels_best();
    size_t count = 0;
    int best_is_there = 0;
    cr_assert_str_eq(gjb_kernels_backend(0), "scalar");
    for (; gjb_kernels_backend(count); count++)
        best_is_there |= strcmp(gjb_kernels_backend(count), best) == 0;
    cr_assert(best_is_there && gjb_kernels_available(best) && gjb_kernels_available("scalar"));
    cr_assert_null(gjb_kernels_backend(count + 1));
    cr_assert_null(gjb_kernels_backend(SIZE_MAX));
    cr_assert(!gjb_kernels_available("avx1024") && !gjb_kernels_available("") && !gjb_kernels_available(NULL));
    cr_assert(strchr(gjb_kernels_version(), '.'));
}

/* Spoils one field of shapes; the error must name it. */
typedef enum spoilt {
    NOT_SPOILT, NO_SHAPES, DIM_4, PRECISION_2, NO_KIND, NO_FIRST, NO_ROW_COUNT, NO_RADIUS, NO_ROWS, MANY_ROWS, BACKEND
} spoilt;

Test(library, refuses_shapes_by_name)
{
    static const struct {
        spoilt what;
        const char *says;
    } cases[] = {{NO_SHAPES, "shapes: NULL"}, {DIM_4, "shapes.dim: 4"}, {PRECISION_2, "shapes.precision: 2"},
                 {NO_KIND, "shapes.kind: NULL"}, {NO_FIRST, "shapes.first: NULL"}, {NO_ROW_COUNT, "shapes.row_count: NULL"},
                 {NO_RADIUS, "shapes.radius: NULL"}, {NO_ROWS, "shapes.rows: NULL"},
                 {MANY_ROWS, "shapes.row_count[1]: 4097 is more than 4096"}, {BACKEND, "backend: 'avx?1024' is unknown"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene s = make_scene(3, GJB_F64);
        const uint32_t many[3] = {1, GJB_MAX_VERTICES + 1, 1};
        const spoilt what = cases[i].what;
        s.shapes.dim = what == DIM_4 ? 4 : 3;
        s.shapes.precision = what == PRECISION_2 ? 2 : GJB_F64;
        s.shapes.kind = what == NO_KIND ? NULL : s.shapes.kind;
        s.shapes.first = what == NO_FIRST ? NULL : s.shapes.first;
        s.shapes.row_count = what == NO_ROW_COUNT ? NULL : what == MANY_ROWS ? many : s.shapes.row_count;
        s.shapes.radius = what == NO_RADIUS ? NULL : s.shapes.radius;
        s.shapes.rows = what == NO_ROWS ? NULL : s.shapes.rows;
        char error[TEXT] = "";
        const char *backend = what == BACKEND ? "avx\n1024" : NULL;
        const gjb_shapes *shapes = what == NO_SHAPES ? NULL : &s.shapes;
        cr_assert_null(gjb_kernels_prepare(shapes, backend, error, sizeof error), "%s", cases[i].says);
        cr_assert(strstr(error, cases[i].says) == error, "'%s' instead of '%s'", error, cases[i].says);
        cr_assert_null(gjb_kernels_prepare(shapes, backend, NULL, 0));
        char little[4] = "abc";
        cr_assert_null(gjb_kernels_prepare(shapes, backend, little, 3));
        cr_assert(little[2] == 0 && little[3] == 0 && strncmp(little, cases[i].says, 2) == 0);
    }
}

Test(library, an_empty_library_and_an_empty_batch_are_fine)
{
    const gjb_shapes none = {.dim = 2, .precision = GJB_F32};
    gjb_kernels *kernels = gjb_kernels_prepare(&none, NULL, NULL, 0);
    cr_assert(kernels);
    const gjb_batch empty = {.query = GJB_DISTANCE}, wrong = {.query = GJB_QUERIES};
    char error[TEXT] = "left over";
    cr_assert_eq(gjb_kernels_run(kernels, &empty, 0, error, sizeof error), 0);
    cr_assert_str_eq(error, "");
    cr_assert_eq(gjb_kernels_run(kernels, &wrong, 0, error, sizeof error), -1);
    cr_assert_eq(gjb_kernels_run(NULL, &empty, 0, error, sizeof error), -1);
    cr_assert_str_eq(error, "kernels: NULL");
    cr_assert_eq(gjb_kernels_run(kernels, NULL, 0, error, sizeof error), -1);
    cr_assert_str_eq(error, "batch: NULL");
    cr_assert_eq(gjb_kernels_workspace_size(NULL), 0);
    gjb_kernels_release(NULL);
    gjb_kernels_release(kernels);
}

static int refused(const gjb_kernels *kernels, const gjb_batch *batch, size_t size, const char *says)
{
    char error[TEXT] = "";
    const int code = gjb_kernels_run(kernels, batch, size, error, sizeof error);
    if (code != -1 || strstr(error, says) != error)
        cr_log_error("%d, '%s' instead of '%s'", code, error, says);
    return code == -1 && strstr(error, says) == error && gjb_kernels_run(kernels, batch, size, NULL, 0) == -1;
}

Test(library, refuses_batches_by_name_and_writes_nothing)
{
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (unsigned precision = 0; precision < GJB_PRECISIONS; precision++) {
            const scene s = make_scene(dim, (gjb_precision)precision);
            gjb_kernels *kernels = prepare(&s, NULL);
            const size_t size = gjb_kernels_workspace_size(kernels), number = number_bytes(&s);
            static const uint32_t pairs[2] = {0, 1};
            char untouched[2 * LARGEST_RECORD], record[2 * LARGEST_RECORD] __attribute__((aligned(8)));
            memset(untouched, 0x5a, sizeof untouched);
            memset(record, 0x5a, sizeof record);
            gjb_run_stats stats = {0};
            gjb_batch good = batch_of(&s, GJB_TOI, pairs, 1, record);
            good.workspace = aligned_alloc(64, size + 64);
            memset(good.workspace, 0, size + 64);
            good.stats = &stats;
            good.margin = NAN; /* of no other query */
            cr_assert(size % 64 == 0 && size > 0);
#define SPOIL(field, to, says)                                                                                  \
    do {                                                                                                         \
        gjb_batch bad = good;                                                                                    \
        bad.field = to;                                                                                          \
        cr_assert(refused(kernels, &bad, size, says));                                                           \
    } while (0)
            SPOIL(query, GJB_QUERIES, "batch.query: 7");
            SPOIL(query, (gjb_query)-1, "batch.query: 4294967295");
            SPOIL(poses, NULL, "batch.poses: NULL");
            SPOIL(poses, (const char *)s.poses + 2, "batch.poses: not aligned");
            SPOIL(pose_stride, good.pose_stride - number, "batch.poses:");
            SPOIL(pose_stride, good.pose_stride + 2, "batch.poses:");
            SPOIL(pose_stride, 0, "batch.poses: 0 bytes apart");
            SPOIL(body_shape, (const uint32_t *)((const char *)s.body_shape + 1), "batch.body_shape: not aligned");
            SPOIL(pairs, NULL, "batch.pairs: NULL");
            SPOIL(pairs, (const uint32_t *)((const char *)pairs + 2), "batch.pairs: not aligned");
            SPOIL(results, NULL, "batch.results: NULL");
            SPOIL(results, record + 2, "batch.results: not aligned");
            SPOIL(result_stride, good.result_stride - number, "batch.results:");
            SPOIL(result_stride, good.result_stride + 2, "batch.results:");
            SPOIL(motion_stride, 0, "batch.motions:");
            SPOIL(axes, record + 1, "batch.axes: not aligned");
            SPOIL(workspace, NULL, "batch.workspace: NULL");
            SPOIL(workspace, (char *)good.workspace + 32, "batch.workspace: not aligned to 64");
            SPOIL(stats, (gjb_run_stats *)((char *)&stats + 4), "batch.stats: not aligned");
#undef SPOIL
            gjb_batch contacts = good;
            contacts.query = GJB_MANIFOLD;
            contacts.result_stride = record_bytes(GJB_MANIFOLD, s.precision, dim);
            contacts.margin = -1;
            cr_assert(refused(kernels, &contacts, size, "batch.margin: -1 is negative"));
            contacts.margin = NAN;
            cr_assert(refused(kernels, &contacts, size, "batch.margin: nan is not a number"));
            gjb_batch within = good;
            for (int query = GJB_INTERSECT; query <= GJB_DISTANCE; query++) {
                within.query = (gjb_query)query;
                within.margin = -0x1p-1000;
                within.result_stride = record_bytes(within.query, s.precision, dim);
                cr_assert(refused(kernels, &within, size, "batch.margin: -9.33264e-302 is negative"));
                within.margin = NAN;
                cr_assert(refused(kernels, &within, size, "batch.margin: nan is not a number"));
            }
            gjb_batch leaving = batch_of(&s, GJB_TOI, pairs, good.pair_count, good.results);
            leaving.workspace = good.workspace;
            leaving.leaving = 2;
            cr_assert(refused(kernels, &leaving, size, "batch.leaving: 2 is no gjb_leaving"));
            leaving.leaving = GJB_LEAVING_IGNORE;
            double turns[2 * 6] = {0};
            turns[(dim == 2 ? 3 : 6) * 2 - 1] = -0.5;
            leaving.motions = reals(s.precision, turns, dim == 2 ? 6 : 12);
            cr_assert(refused(kernels, &leaving, size, "batch.motions[1]: turns by -0.5, but batch.leaving is"));
            contacts.margin = 0;
            contacts.result_stride -= number;
            cr_assert(refused(kernels, &contacts, size, "batch.results:"));
            cr_assert(refused(kernels, &good, size - 1, "workspace_size:"));
            cr_assert(refused(kernels, &good, 0, "workspace_size: 0 is less than"));
            cr_assert_eq(memcmp(record, untouched, sizeof record), 0, "a refused batch wrote");
            cr_assert_eq(stats.pairs, 0);
            cr_assert_eq(gjb_kernels_run(kernels, &good, size, NULL, 0), 0);
            cr_assert_eq(stats.pairs, 1);
            cr_assert_eq(memcmp(record + good.result_stride, untouched, LARGEST_RECORD), 0, "beyond its record");
            free(good.workspace);
            gjb_kernels_release(kernels);
        }
}

/* A wrong precision is refused if the strides show it. */
Test(library, floats_do_not_pass_for_doubles)
{
    const scene s = make_scene(3, GJB_F64), f = make_scene(3, GJB_F32);
    gjb_kernels *kernels = prepare(&s, NULL);
    static const uint32_t pairs[2] = {0, 1};
    gjb_result3d record;
    gjb_batch batch = batch_of(&f, GJB_DISTANCE, pairs, 1, &record);
    cr_assert(refused(kernels, &batch, SIZE_MAX, "batch.poses:"));
    batch = batch_of(&s, GJB_DISTANCE, pairs, 1, &record);
    batch.result_stride = sizeof(gjb_result3f);
    cr_assert(refused(kernels, &batch, SIZE_MAX, "batch.results:"));
    gjb_kernels_release(kernels);
}

typedef struct task {
    const scene *s;
    const gjb_kernels *kernels;
} task;

static void *run_many(void *argument)
{
    const task *t = argument;
    for (int i = 0; i < 50; i++)
        for (size_t e = 0; e < sizeof expected / sizeof *expected; e++)
            run_batch(t->s, t->kernels, gjb_kernels_best(), &expected[e], 33, NULL);
    return NULL;
}

Test(library, threads_share_prepared_shapes)
{
    const scene s = make_scene(2, GJB_F32);
    gjb_kernels *kernels = prepare(&s, NULL);
    task t = {&s, kernels};
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, run_many, &t), 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    gjb_kernels_release(kernels);
}
