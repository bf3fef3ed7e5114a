/* The state of a step: swept bounds, pairs that may meet, the heap of events, and calls of the sweep kernel. */
#include "stepping/step_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simd/library.h"
#include "simd/simd.h"

/* ---- what is due: a binary heap ---- */

static int earlier(const gjb_due *p, const gjb_due *q)
{
    if (p->time < q->time || p->time > q->time)
        return p->time < q->time;
    return p->a != q->a ? p->a < q->a : p->b < q->b;
}

static void add_due(gjb_world *w, gjb_due due)
{
    if (w->due_count == w->due_room) {
        const size_t room = w->due_room ? 2 * w->due_room : 256;
        gjb_due *more = realloc(w->due, room * sizeof *more);
        if (!more) {
            w->failed = 1;
            return;
        }
        w->due = more;
        w->due_room = room;
    }
    size_t at = w->due_count++;
    for (; at > 0 && earlier(&due, &w->due[(at - 1) / 2]); at = (at - 1) / 2)
        w->due[at] = w->due[(at - 1) / 2];
    w->due[at] = due;
}

int gjb_world_next(gjb_world *w, gjb_due *out)
{
    if (w->due_count == 0)
        return 0;
    *out = w->due[0];
    const gjb_due last = w->due[--w->due_count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < w->due_count; at = child) {
        child += child + 1 < w->due_count && earlier(&w->due[child + 1], &w->due[child]);
        if (!earlier(&w->due[child], &last))
            break;
        w->due[at] = w->due[child];
    }
    w->due[at] = last;
    return 1;
}

/* ---- facing ---- */

#define SKIN 0x1p-38     /* of the largest coordinate */
#define LEAST 0x1p-900   /* taken for a coordinate: the skin then has all its digits */

static double skin_of(const gjb_step_box *box, uint32_t axis)
{
    const double reach = fabs(box->at[axis]) + fabs(box->by[axis]);
    return SKIN * fmax(LEAST, reach + fmax(fabs(box->low[axis]), fabs(box->high[axis])));
}

gjb_facing gjb_world_face(const gjb_world *w, uint32_t a, uint32_t b, uint32_t axis, double time)
{
    const gjb_step_box *p = &w->step->boxes[a], *q = &w->step->boxes[b];
    const double d = gjb_world_place(w, b, axis, time) - gjb_world_place(w, a, axis, time);
    const double beyond = d + q->low[axis] - p->high[axis], before = p->low[axis] - d - q->high[axis];
    const double by = (q->by[axis] - p->by[axis]) * (1 - time), skin = gjb_step_skin(w->step, a, b, axis);
    return beyond > before || (beyond >= before && by >= 0) ? (gjb_facing){beyond, skin, 1, -by}
                                                            : (gjb_facing){before, skin, -1, by};
}

static double thickness(const gjb_step_box *box, uint32_t axis)
{
    return box->high[axis] - box->low[axis];
}

double gjb_world_touching(const gjb_world *w, uint32_t a, uint32_t b, uint32_t axis, double deep)
{
    const double both = thickness(&w->step->boxes[a], axis) + thickness(&w->step->boxes[b], axis);
    const double skin = gjb_step_skin(w->step, a, b, axis), thin = skin / 16;
    return both >= skin ? -deep * skin : thin - (thin / skin + deep) * both;
}

/* ---- sweeping ---- */

/* Boxes that are already in contact, up to rounding, hit now: all at one time, not at many
 * slightly different times. */
static double time_of(const gjb_world *w, uint32_t a, uint32_t b, double value)
{
    int in_contact = 1;
    for (uint32_t axis = 0; axis < w->settings->dim; axis++) {
        const gjb_facing f = gjb_world_face(w, a, b, axis, w->now);
        in_contact &= f.gap <= 1.0625 * f.skin;
    }
    return in_contact ? w->now : fmin(w->now + value * (1 - w->now), 1);
}

/* The place at `now` and the displacement from there to the end, as the kernel reads them. */
static void pose_box(gjb_world *w, uint32_t i)
{
    const uint32_t dim = w->settings->dim;
    const gjb_step_box *box = &w->step->boxes[i];
    double at[3] = {0}, by[3] = {0};
    for (uint32_t axis = 0; axis < dim; axis++) {
        at[axis] = gjb_world_place(w, i, axis, w->now);
        by[axis] = box->by[axis] * (1 - w->now);
    }
    if (dim == 2) {
        ((gjb_pose2d *)w->poses)[i] = (gjb_pose2d){at[0], at[1], 1, 0};
        ((gjb_motion2d *)w->motions)[i] = (gjb_motion2d){by[0], by[1], 0};
    } else {
        ((gjb_pose3d *)w->poses)[i] = (gjb_pose3d){at[0], at[1], at[2], 0, 0, 0, 1};
        ((gjb_motion3d *)w->motions)[i] = (gjb_motion3d){by[0], by[1], by[2], 0, 0, 0};
    }
}

static void flush(gjb_world *w)
{
    const uint32_t dim = w->settings->dim;
    const size_t size = gjb_result_size(GJB_SWEEP, GJB_F64, dim);
    for (uint32_t k = 0; k < 2 * w->pair_count; k++)
        pose_box(w, w->pairs[k]);
    const gjb_batch batch = {.query = GJB_SWEEP,
                             .poses = w->poses,
                             .pose_stride = gjb_pose_size(GJB_F64, dim),
                             .motions = w->motions,
                             .motion_stride = gjb_motion_size(GJB_F64, dim),
                             .pairs = w->pairs,
                             .pair_count = w->pair_count,
                             .results = w->results,
                             .result_stride = size,
                             .workspace = w->workspace};
    gjb_simd_run(w->prepared, &batch);
    w->step->swept += w->pair_count;
    for (uint32_t i = 0; i < w->pair_count; i++) {
        const char *record = (const char *)w->results + i * size;
        const uint32_t a = w->pairs[2 * i], b = w->pairs[2 * i + 1];
        gjb_head head;
        double value; /* both records begin alike */
        memcpy(&head, record, sizeof head);
        memcpy(&value, record + offsetof(gjb_sweep2d, value), sizeof value);
        if (head.status == GJB_HIT || head.status == GJB_OVERLAPPING)
            add_due(w, (gjb_due){time_of(w, a, b, value), a, b, w->version[a], w->version[b]});
    }
    w->pair_count = 0;
}

static void sweep_pair(gjb_world *w, uint32_t i, uint32_t j)
{
    w->pairs[2 * w->pair_count] = i < j ? i : j;
    w->pairs[2 * w->pair_count + 1] = i < j ? j : i;
    if (++w->pair_count == GJB_STEP_CHUNK)
        flush(w);
}

/* ---- which may meet ---- */

/* Enlarges the skin of a box if its new path needs more, and the kernel's box, which is larger
 * than the box by half a skin on every side. */
static void fit_skin(gjb_world *w, uint32_t i)
{
    const uint32_t dim = w->settings->dim;
    const gjb_step_box *box = &w->step->boxes[i];
    const size_t reals = gjb_library_box(dim);
    double *grown = (double *)((gjb_library *)w->prepared)->boxes + reals * i;
    for (uint32_t axis = 0; axis < dim; axis++) {
        double *skin = &w->step->skins[i][axis];
        *skin = fmax(*skin, skin_of(box, axis));
        grown[axis] = box->low[axis] - *skin / 2;
        grown[reals / 2 + axis] = box->high[axis] + *skin / 2;
    }
}

/* Outward by a skin more than the kernel's boxes have, which no rounding comes near. */
static void bound_box(gjb_world *w, uint32_t i)
{
    const gjb_step_box *box = &w->step->boxes[i];
    fit_skin(w, i);
    for (uint32_t axis = 0; axis < w->settings->dim; axis++) {
        const double from = box->at[axis], to = from + box->by[axis] * (1 - w->since[i]);
        w->low[i][axis] = fmin(from, to) + box->low[axis] - 2 * w->step->skins[i][axis];
        w->high[i][axis] = fmax(from, to) + box->high[axis] + 2 * w->step->skins[i][axis];
    }
}

static int may_meet(const gjb_world *w, uint32_t i, uint32_t j)
{
    for (uint32_t axis = 0; axis < w->settings->dim; axis++)
        if (w->low[i][axis] > w->high[j][axis] || w->low[j][axis] > w->high[i][axis])
            return 0;
    /* nothing changes between two that do not move */
    for (uint32_t axis = 0; axis < w->settings->dim; axis++)
        if (fabs(w->step->boxes[i].by[axis]) > 0 || fabs(w->step->boxes[j].by[axis]) > 0)
            return 1;
    return 0;
}

static int by_low(const void *left, const void *right)
{
    const gjb_start *p = left, *q = right;
    if (p->low < q->low || p->low > q->low)
        return p->low < q->low ? -1 : 1;
    return p->box < q->box ? -1 : p->box > q->box;
}

/* The axis along which the boxes are spread most. */
static uint32_t longest_axis(const gjb_world *w)
{
    uint32_t longest = 0;
    double most = -1;
    for (uint32_t axis = 0; axis < w->settings->dim; axis++) {
        double least = INFINITY, largest = -INFINITY;
        for (uint32_t i = 0; i < w->step->count; i++) {
            least = fmin(least, w->low[i][axis]);
            largest = fmax(largest, w->low[i][axis]);
        }
        if (largest - least > most) {
            most = largest - least;
            longest = axis;
        }
    }
    return longest;
}

static double length_of(const gjb_world *w, uint32_t i)
{
    return w->high[i][w->axis] - w->low[i][w->axis];
}

static void sort_boxes(gjb_world *w)
{
    const uint32_t count = w->step->count;
    double mean = 0;
    w->axis = longest_axis(w);
    w->start_count = w->stray_count = 0;
    w->longest = 0;
    for (uint32_t i = 0; i < count; i++)
        mean += length_of(w, i) / count;
    for (uint32_t i = 0; i < count; i++) {
        w->stray[i] = length_of(w, i) > 4 * mean;
        if (w->stray[i]) {
            w->strays[w->stray_count++] = i;
        } else {
            w->starts[w->start_count++] = (gjb_start){w->low[i][w->axis], i};
            w->longest = fmax(w->longest, length_of(w, i));
        }
    }
    qsort(w->starts, w->start_count, sizeof *w->starts, by_low);
    w->sort_at = w->stray_count + 32 + count / 32;
}

/* Index of the first sorted box whose lower bound is at least `low`. */
static uint32_t first_from(const gjb_world *w, double low)
{
    uint32_t below = 0, count = w->start_count;
    while (count > 0) {
        const uint32_t half = count / 2;
        if (w->starts[below + half].low < low) {
            below += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return below;
}

/* Box i against the sorted boxes that may reach it, and against strays. */
static void sweep_box(gjb_world *w, uint32_t i, uint32_t but)
{
    const uint32_t first = first_from(w, w->low[i][w->axis] - w->longest);
    for (uint32_t k = first; k < w->start_count && w->starts[k].low <= w->high[i][w->axis]; k++) {
        const uint32_t j = w->starts[k].box;
        if (!w->stray[j] && j != i && j != but && may_meet(w, i, j))
            sweep_pair(w, i, j);
    }
    for (uint32_t k = 0; k < w->stray_count; k++)
        if (w->strays[k] != i && w->strays[k] != but && may_meet(w, i, w->strays[k]))
            sweep_pair(w, i, w->strays[k]);
}

void gjb_world_sweep_all(gjb_world *w)
{
    for (uint32_t i = 0; i < w->step->count; i++)
        bound_box(w, i);
    sort_boxes(w);
    w->now = 0;
    for (uint32_t k = 0; k < w->start_count && !w->failed; k++) { /* boxes after it, and strays */
        const uint32_t i = w->starts[k].box;
        for (uint32_t l = k + 1; l < w->start_count && w->starts[l].low <= w->high[i][w->axis]; l++)
            if (may_meet(w, i, w->starts[l].box))
                sweep_pair(w, i, w->starts[l].box);
        for (uint32_t l = 0; l < w->stray_count; l++)
            if (may_meet(w, i, w->strays[l]))
                sweep_pair(w, i, w->strays[l]);
    }
    for (uint32_t k = 0; k < w->stray_count; k++)
        for (uint32_t l = k + 1; l < w->stray_count; l++)
            if (may_meet(w, w->strays[k], w->strays[l]))
                sweep_pair(w, w->strays[k], w->strays[l]);
    flush(w);
}

void gjb_world_sweep(gjb_world *w, const uint32_t *changed, uint32_t count, double time)
{
    for (uint32_t c = 0; c < count; c++) {
        bound_box(w, changed[c]);
        if (!w->stray[changed[c]]) {
            w->stray[changed[c]] = 1;
            w->strays[w->stray_count++] = changed[c];
        }
    }
    if (w->stray_count > w->sort_at)
        sort_boxes(w);
    w->now = time;
    for (uint32_t c = 0; c < count && !w->failed; c++)
        sweep_box(w, changed[c], c == 1 ? changed[0] : UINT32_MAX);
    flush(w);
}

/* ---- opening and closing ---- */

static void *prepare(const gjb_world *w)
{
    const uint32_t count = w->step->count, dim = w->settings->dim;
    uint8_t *kind = malloc(count + 1);
    uint32_t *first = calloc(count + 1, sizeof *first), *rows_of = calloc(count + 1, sizeof *rows_of);
    double *radius = calloc(count + 1, sizeof *radius),
           *rows = calloc(2 * dim * ((size_t)count + 1), sizeof *rows);
    void *prepared = NULL;
    if (kind && first && rows_of && radius && rows) {
        for (uint32_t i = 0; i < count; i++) {
            kind[i] = GJB_AABB;
            first[i] = 2 * i;
            rows_of[i] = 2;
            for (uint32_t axis = 0; axis < dim; axis++) {
                rows[dim * (size_t)first[i] + axis] = w->step->boxes[i].low[axis];
                rows[dim * (size_t)(first[i] + 1) + axis] = w->step->boxes[i].high[axis];
            }
        }
        const gjb_shapes shapes = {dim, GJB_F64, count, kind, first, rows_of, radius, rows};
        prepared = gjb_simd_prepare(&shapes, w->settings->backend);
    }
    free(kind);
    free(first);
    free(rows_of);
    free(radius);
    free(rows);
    return prepared;
}

int gjb_world_open(gjb_world *w)
{
    const size_t count = (size_t)w->step->count + 1;
    const uint32_t dim = w->settings->dim;
    w->since = calloc(count, sizeof *w->since);
    w->weight = calloc(count, sizeof *w->weight);
    w->version = calloc(count, sizeof *w->version);
    w->responses = calloc(count, sizeof *w->responses);
    w->low = calloc(count, sizeof *w->low);
    w->high = calloc(count, sizeof *w->high);
    w->starts = calloc(count, sizeof *w->starts);
    w->strays = calloc(count, sizeof *w->strays);
    w->stray = calloc(count, sizeof *w->stray);
    w->row = calloc(count, sizeof *w->row);
    w->in_row = calloc(count, sizeof *w->in_row);
    w->poses = calloc(count, gjb_pose_size(GJB_F64, dim));
    w->motions = calloc(count, gjb_motion_size(GJB_F64, dim));
    w->results = calloc(GJB_STEP_CHUNK, gjb_result_size(GJB_SWEEP, GJB_F64, dim));
    w->pairs = calloc(2 * GJB_STEP_CHUNK, sizeof *w->pairs);
    w->prepared = prepare(w);
    if (w->prepared && posix_memalign(&w->workspace, 64, gjb_simd_workspace_size(w->prepared)) == 0)
        memset(w->workspace, 0, gjb_simd_workspace_size(w->prepared));
    w->failed = !(w->since && w->weight && w->version && w->responses && w->low && w->high && w->starts &&
                  w->strays && w->stray && w->row && w->in_row && w->poses && w->motions && w->results &&
                  w->pairs && w->prepared && w->workspace);
    for (uint32_t i = 0; !w->failed && i < w->step->count; i++)
        w->weight[i] = w->step->boxes[i].inverse_mass;
    return w->failed ? -1 : 0;
}

void gjb_world_close(gjb_world *w)
{
    if (w->prepared)
        gjb_simd_release(w->prepared);
    free(w->workspace);
    free(w->since);
    free(w->weight);
    free(w->version);
    free(w->responses);
    free(w->low);
    free(w->high);
    free(w->due);
    free(w->starts);
    free(w->strays);
    free(w->stray);
    free(w->row);
    free(w->in_row);
    free(w->poses);
    free(w->motions);
    free(w->results);
    free(w->pairs);
}
