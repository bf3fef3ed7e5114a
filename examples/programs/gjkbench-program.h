/* Speaks gjkbench's protocol for a contender that is a program in C (docs/programs.md), in binary form, on POSIX. Include
 * it in one file, define gjb_prepare and gjb_answer there, and call gjb_serve from main. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { POINT, SEGMENT, POLYGON, BOX, TRIANGLE, HULL, AABB, ELLIPSE, SUPERELLIPSE, ELLIPSOID, SUPERELLIPSOID, CYLINDER,
       CONE, HALFSPACE };
enum { INTERSECT, DISTANCE, PENETRATION, SIGNED_DISTANCE, SWEEP, TOI, MANIFOLD };
enum { SEPARATED = 1, OVERLAPPING, ITERATION_LIMIT, INVALID_INPUT, UNSUPPORTED, HIT };

typedef struct gjb_shape { /* zeros if the header does not claim it */
    uint32_t kind, row_count;
    double radius;
    const double *rows; /* row_count times 2 or 3 */
    void *prepared;     /* for gjb_prepare to set */
} gjb_shape;

typedef struct gjb_question { /* in 2D poses are x, y, c, s, and motions x, y, angle; in 3D 7 and 6 numbers */
    uint32_t query, dim, leaving;
    double margin;
    const gjb_shape *a, *b;
    uint32_t body_a, body_b;
    const double *pose[2], *motion[2]; /* of A, of B; motions are NULL if nothing moves */
} gjb_question;

typedef struct gjb_contact { double point_a[3], point_b[3], separation; uint32_t feature, zero; } gjb_contact;

typedef struct gjb_reply { /* zeros at first */
    uint32_t status, iterations;
    union {
        struct { double sigma, last, normal[3], point_a[3], point_b[3]; }; /* sigma: of sweep and toi the time */
        struct { uint32_t count, zero; double normal[3]; gjb_contact contact[4]; } manifold;
    };
} gjb_reply;

static void gjb_prepare(gjb_shape *shape, uint32_t dim);
static void gjb_answer(const gjb_question *question, gjb_reply *reply);

/* A point of a shape in world axes, relative to the translation of the pose `origin`. */
static inline void gjb_place(uint32_t dim, const double *pose, const double *point, const double *origin, double *out)
{
    for (uint32_t i = 0; i < dim; i++)
        out[i] = pose[i] - origin[i];
    if (dim == 2) {
        out[0] += pose[2] * point[0] - pose[3] * point[1];
        out[1] += pose[3] * point[0] + pose[2] * point[1];
        return;
    }
    const double x = pose[3], y = pose[4], z = pose[5], w = pose[6], f = 2 / (x * x + y * y + z * z + w * w);
    const double a = point[0], b = point[1], c = point[2];
    out[0] += a - f * ((y * y + z * z) * a - (x * y - w * z) * b - (x * z + w * y) * c);
    out[1] += b - f * ((x * x + z * z) * b - (x * y + w * z) * a - (y * z - w * x) * c);
    out[2] += c - f * ((x * x + y * y) * c - (x * z - w * y) * a - (y * z + w * x) * b);
}

static FILE *gjb_output;
static const char *gjb_at; /* what of a frame is not read yet */

static const void *gjb_take(size_t count, size_t size)
{
    gjb_at += count * size;
    return gjb_at - count * size;
}

static uint64_t gjb_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Up to 64 answers at a time: what is answered is known if a later pair fails. */
static void gjb_chunk(const uint32_t *ask, const gjb_question *questions, uint32_t first, uint32_t count)
{
    gjb_reply replies[64] = {0};
    const size_t size = ask[1] == MANIFOLD ? 296 : 96;
    const uint64_t before = gjb_now();
    for (uint32_t i = 0; i < count; i++)
        gjb_answer(&questions[first + i], &replies[i]);
    const uint64_t frame[4] = {(24 + count * size) << 32 | 4, gjb_now() - before, (uint64_t)first << 32 | ask[0], count};
    fwrite(frame, sizeof frame, 1, gjb_output); /* little-endian, as all of it */
    for (uint32_t i = 0; i < count; i++)
        fwrite(&replies[i], size, 1, gjb_output);
    fflush(gjb_output);
}

/* Those before and their frame stay: what was prepared may point into them. */
static gjb_shape *gjb_shapes_of(uint32_t *dim)
{
    const uint32_t *counts = gjb_take(4, 4); /* dim, precision, of the scene, of those that come */
    gjb_shape *shapes = calloc(counts[2] + 1u, sizeof *shapes);
    const uint64_t before = gjb_now();
    *dim = counts[0];
    for (uint32_t i = 0; i < counts[3]; i++) {
        const uint32_t *of = gjb_take(4, 4);
        gjb_shape *shape = &shapes[of[0]];
        *shape = (gjb_shape){of[1], of[2], *(const double *)gjb_take(1, 8), NULL, NULL};
        shape->rows = gjb_take(of[2], counts[0] * sizeof(double));
        gjb_prepare(shape, counts[0]);
    }
    const uint64_t ready[2] = {(uint64_t)8 << 32 | 2, gjb_now() - before};
    fwrite(ready, sizeof ready, 1, gjb_output);
    fflush(gjb_output);
    return shapes;
}

static void gjb_reply_to(const gjb_shape *shapes, uint32_t dim)
{
    const uint32_t *ask = gjb_take(6, 4); /* id, query, count, moving, leaving, 0 */
    const double margin = *(const double *)gjb_take(1, 8);
    gjb_question *questions = calloc(ask[2] + 1u, sizeof *questions);
    for (uint32_t i = 0; i < ask[2]; i++) {
        const uint32_t *of = gjb_take(4, 4);
        gjb_question *q = &questions[i];
        *q = (gjb_question){ask[1], dim, ask[4], margin, &shapes[of[0]], &shapes[of[1]], of[2], of[3], {0}, {0}};
        for (int side = 0; side < 2; side++)
            q->pose[side] = gjb_take(dim == 2 ? 4 : 7, sizeof(double));
        for (int side = 0; side < 2 && ask[3]; side++)
            q->motion[side] = gjb_take(dim == 2 ? 3 : 6, sizeof(double));
    }
    for (uint32_t first = 0; first < ask[2]; first += 64)
        gjb_chunk(ask, questions, first, ask[2] - first < 64 ? ask[2] - first : 64);
    free(questions);
}

/* `header` is the line of JSON, with "form":"binary". Comes back when gjkbench has no more to ask. */
static void gjb_serve(const char *header)
{
    uint32_t head[2], dim = 0;
    gjb_shape *shapes = NULL;
    gjb_output = fdopen(dup(1), "wb");
    dup2(2, 1); /* what is printed goes to standard error */
    fprintf(gjb_output, "%s\n", header);
    fflush(gjb_output);
    while (fread(head, sizeof head, 1, stdin) == 1) {
        char *data = malloc(head[1]);
        if (data == NULL || fread(data, head[1], 1, stdin) != 1)
            exit(1);
        gjb_at = data;
        if (head[0] == 1)
            shapes = gjb_shapes_of(&dim);
        else
            gjb_reply_to(shapes, dim), free(data);
    }
}
