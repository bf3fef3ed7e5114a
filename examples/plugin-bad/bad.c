/* A plug-in that answers circles correctly, except for one pair in a thousand: there it fails as
 * its option says. It shows how gjkbench handles such a contender:
 *
 *     gjkbench verify --plugin bad.so:crash --contender bad-crash --workload circle
 *
 * "hang=50" is one pair in 50. Which pairs these are depends on nothing but their
 * poses, so that a saved pair fails again, with A and B in either order.
 */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <gjkbench/adapter.h>

typedef enum fault {
    CRASH,
    ABORT,
    EXIT,
    HANG,
    OVERRUN,
    UNDERRUN,
    INPUT,
    UNWRITTEN,
    NOT_A_NUMBER,
    ROUNDING,
    LATE,
    STATUS,
    PREPARE,
    FAULTS
} fault;

static const struct {
    const char *word, *name, *note;
} faults[FAULTS] = {
    [CRASH] = {"crash", "bad-crash", "reads from address 8"},
    [ABORT] = {"abort", "bad-abort", "gives up with abort()"},
    [EXIT] = {"exit", "bad-exit", "calls exit(0)"},
    [HANG] = {"hang", "bad-hang", "never comes back"},
    [OVERRUN] = {"overrun", "bad-overrun", "writes a record too many"},
    [UNDERRUN] = {"underrun", "bad-underrun", "writes the record before its first"},
    [INPUT] = {"input", "bad-input", "moves what it was given"},
    [UNWRITTEN] = {"unwritten", "bad-unwritten", "leaves its result as it was"},
    [NOT_A_NUMBER] = {"nan", "bad-nan", "returns NaN"},
    [ROUNDING] = {"rounding", "bad-rounding", "leaves upward rounding behind"},
    [LATE] = {"late", "bad-late", "reports impacts late, when circles already overlap"},
    [STATUS] = {"status", "bad-status", "answers with status 77, which does not exist"},
    [PREPARE] = {"prepare", "bad-prepare", "aborts while it prepares one shape in a thousand"},
};

static fault which;
static unsigned every = 1000;

/* SplitMix64 (Steele, Lea and Flood, 2014), its last step. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t hash(const gjb_pose2d *pose)
{
    uint64_t bits[2];
    memcpy(bits, pose, sizeof bits);
    return mix(bits[0] + mix(bits[1]));
}

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    gjb_shapes *copy = malloc(sizeof *copy);
    (void)backend;
    if (copy != NULL)
        *copy = *shapes;
    for (uint32_t i = 0; which == PREPARE && i < shapes->count; i++) {
        uint64_t radius;
        memcpy(&radius, (const double *)shapes->radius + i, sizeof radius);
        if (mix(radius) % every == 0)
            abort();
    }
    return copy;
}

static void misbehave(const gjb_batch *batch)
{
    volatile uintptr_t nowhere = 8;
    char *results = batch->results;
    switch (which) {
    case CRASH:
        *(volatile char *)nowhere;
        break;
    case ABORT:
        abort();
    case EXIT:
        exit(0);
    case HANG:
        for (volatile int forever = 1; forever;)
            ;
        break;
    case OVERRUN:
        memset(results + batch->pair_count * batch->result_stride, 0, batch->result_stride);
        break;
    case UNDERRUN:
        memset(results - batch->result_stride, 0, batch->result_stride);
        break;
    case INPUT:
        *(volatile char *)(uintptr_t)batch->poses = 0;
        break;
    case ROUNDING:
        fesetround(FE_UPWARD);
        break;
    default: /* the others change what it returns */
        break;
    }
}

static void centre(const gjb_shapes *shapes, uint32_t shape, const gjb_pose2d *pose, double out[2])
{
    const double *row = (const double *)shapes->rows + 2 * (size_t)shapes->first[shape];
    out[0] = pose->c * row[0] - pose->s * row[1];
    out[1] = pose->s * row[0] + pose->c * row[1];
}

/* The time at which the centres of two circles, `gap` apart and moving by `way`, come within `reach`.
 * Circles that turn, unless about their centres, would need more than a square root. */
static void impact(const double gap[2], const double way[2], double reach, int guilty, gjb_answer *answer)
{
    const double a = way[0] * way[0] + way[1] * way[1], b = gap[0] * way[0] + gap[1] * way[1];
    const double c = gap[0] * gap[0] + gap[1] * gap[1] - reach * reach, inside = b * b - a * c;
    answer->status = c <= 0 ? GJB_OVERLAPPING : GJB_SEPARATED;
    if (c <= 0 || b >= 0 || inside < 0 || c > -b + sqrt(inside))
        return;
    const double nearest = -b / a < 1 ? -b / a : 1;
    answer->status = GJB_HIT;
    answer->sigma = c / (-b + sqrt(inside)); /* the sum of two numbers of one sign: nothing cancels */
    if (guilty && which == LATE)
        answer->sigma = 0.5 * (answer->sigma + nearest);
}

/* Normal and points; A's centre is `at`, and B's is `at` + `gap`. */
static void contact(const double at[2], const double gap[2], const double radius[2], gjb_answer *answer)
{
    const double length = hypot(gap[0], gap[1]);
    for (int i = 0; i < 2; i++) {
        answer->normal[i] = length > 0 ? gap[i] / length : i == 0;
        answer->point_a[i] = at[i] + radius[0] * answer->normal[i];
        answer->point_b[i] = at[i] + gap[i] - radius[1] * answer->normal[i];
    }
}

static int turns(const gjb_shapes *shapes, uint32_t shape, double angle)
{
    const double *row = (const double *)shapes->rows + 2 * (size_t)shapes->first[shape];
    return angle != 0 && (row[0] != 0 || row[1] != 0);
}

/* Returns 1 if the record is to be left unwritten. */
static int answer_pair(const gjb_shapes *shapes, const gjb_batch *batch, const uint32_t *pair,
                       gjb_answer *answer)
{
    const gjb_pose2d *a = gjb_batch_pose(batch, pair[0]), *b = gjb_batch_pose(batch, pair[1]);
    const uint32_t shape[2] = {gjb_batch_shape(batch, pair[0]), gjb_batch_shape(batch, pair[1])};
    const double *radii = shapes->radius, radius[2] = {radii[shape[0]], radii[shape[1]]};
    const int guilty = mix(hash(a) + hash(b)) % every == 0;
    if (shapes->kind[shape[0]] != GJB_POINT || shapes->kind[shape[1]] != GJB_POINT)
        return 0;
    if (guilty)
        misbehave(batch);

    double at[2], to[2];
    centre(shapes, shape[0], a, at);
    centre(shapes, shape[1], b, to);
    double gap[2] = {b->x - a->x + to[0] - at[0], b->y - a->y + to[1] - at[1]};
    answer->sigma = hypot(gap[0], gap[1]) - radius[0] - radius[1];
    answer->status = answer->sigma > 0 ? GJB_SEPARATED : GJB_OVERLAPPING;
    if (batch->query == GJB_TOI) {
        double by_a[6], by_b[6];
        gjb_batch_motion(batch, GJB_F64, 2, pair[0], by_a);
        gjb_batch_motion(batch, GJB_F64, 2, pair[1], by_b);
        const double way[2] = {by_b[0] - by_a[0], by_b[1] - by_a[1]};
        impact(gap, way, radius[0] + radius[1], guilty, answer);
        if (turns(shapes, shape[0], by_a[2]) || turns(shapes, shape[1], by_b[2]))
            answer->status = GJB_UNSUPPORTED;
        for (int i = 0; i < 2 && answer->status == GJB_HIT; i++)
            gap[i] += answer->sigma * way[i];
    }
    contact(at, gap, radius, answer);
    if (guilty && which == NOT_A_NUMBER)
        answer->sigma = NAN;
    if (guilty && which == STATUS)
        answer->status = (gjb_status)77;
    return guilty && which == UNWRITTEN;
}

static void run(const void *prepared, const gjb_batch *batch)
{
    for (size_t i = 0; i < batch->pair_count; i++) {
        gjb_answer answer = {.status = GJB_UNSUPPORTED};
        if (!answer_pair(prepared, batch, batch->pairs + 2 * i, &answer))
            gjb_answer_write(batch->query, GJB_F64, 2, &answer,
                             (char *)batch->results + i * batch->result_stride);
    }
}

GJB_PLUGIN_EXPORT const gjb_contender *const *gjb_plugin(const char *options, char *error, size_t error_size)
{
    static gjb_contender bad = {
        .abi_version = GJB_CONTENDER_ABI,
        .struct_size = sizeof(gjb_contender),
        .version = "1.0",
        .licence = "MIT",
        .dims = 1u << 2,
        .kinds = 1u << GJB_POINT,
        .queries = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE | 1u << GJB_TOI,
        .precisions = 1u << GJB_F64,
        .max_vertices = 1,
        .prepare = prepare,
        .workspace_size = gjb_no_workspace,
        .run = run,
        .release = free,
    };
    static const gjb_contender *const tables[] = {&bad, NULL};
    const size_t length = strcspn(options, "=");
    int known = 0;
    for (int i = 0; i < FAULTS; i++)
        if (strlen(faults[i].word) == length && strncmp(options, faults[i].word, length) == 0) {
            known = 1;
            which = (fault)i;
            bad.name = faults[i].name;
            bad.note = faults[i].note;
        }
    if (options[length] == '=')
        known = known && sscanf(options + length, "=%u", &every) == 1 && every > 0;
    if (known)
        return tables;
    snprintf(error, error_size,
             "option '%s': wanted is one of crash, abort, exit, hang, overrun, underrun, input, "
             "unwritten, nan, rounding, late, status, prepare, with =N for one pair in N",
             options);
    return NULL;
}
