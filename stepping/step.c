/* Steps many boxes to their hits in order, and responds: stop, slide, reflect, rows pushed as one. */
#include "stepping/step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simd/simd.h"
#include "stepping/step_world.h"

#define MOST_CAP 1024u
#define ALONE 8u         /* responses of two boxes at one place and time before their row is pushed as one */
#define LARGEST 0x1p1000 /* of a number */

/* Creeping closer by a thousandth of the skin until the end is no approach: halves of halves
 * would never come to rest. But there must be room for it, or thin boxes would creep through. */
static int approaches(const gjb_facing *f, double touching)
{
    const int room = f->gap >= touching + f->skin / 8 || touching <= -f->skin / 4;
    return f->closing > (room ? f->skin / 1024 : 0);
}

/* Whether boxes hit each other, once the boxes grown by the skin have met. Not if an axis keeps them
 * apart now and later, as between neighbouring tiles of a floor. Else they hit along the axis of
 * the largest gap, the lowest of several. */
static int hits(const gjb_world *w, const gjb_due *due, uint32_t *axis, gjb_facing *at)
{
    *at = (gjb_facing){.gap = -INFINITY};
    for (uint32_t k = 0; k < w->settings->dim; k++) {
        const gjb_facing f = gjb_world_face(w, due->a, due->b, k, due->time);
        const double touching = gjb_world_touching(w, due->a, due->b, k, .25);
        if (f.gap >= touching && !approaches(&f, touching))
            return 0;
        if (f.gap > at->gap) {
            *at = f;
            *axis = k;
        }
    }
    return approaches(at, gjb_world_touching(w, due->a, due->b, *axis, .25));
}

/* ---- responding ---- */

static void halt(gjb_world *w, uint32_t i)
{
    memset(w->step->boxes[i].by, 0, sizeof w->step->boxes[i].by);
}

static double restitution_of(const gjb_world *w)
{
    return w->settings->response == GJB_RESPOND_REFLECT ? w->settings->restitution : 0;
}

/* Exchanges velocities along the normal from a to b. Afterwards neither approaches the other, even with
 * rounding: the term added to the common velocity has the sign that separates them. */
static void exchange(gjb_world *w, uint32_t a, uint32_t b, uint32_t axis, int side)
{
    const double wa = w->weight[a], wb = w->weight[b], e = restitution_of(w);
    double *by_a = &w->step->boxes[a].by[axis], *by_b = &w->step->boxes[b].by[axis];
    if (wa <= 0 && wb <= 0) {
        halt(w, a);
        halt(w, b);
        return;
    }
    const double va = side * *by_a, vb = side * *by_b, share = wa / (wa + wb), speed = vb - va;
    const double common = wb <= 0 ? vb : va + share * speed;
    *by_a = side * (common + e * share * speed) + 0.0; /* no -0 */
    *by_b = side * (common - e * (wb / (wa + wb)) * speed) + 0.0;
}

/* A box at the cap stays where it is. */
static void count_response(gjb_world *w, uint32_t i)
{
    if (w->weight[i] <= 0)
        return;
    const uint32_t cap = w->settings->cap ? w->settings->cap : GJB_STEP_CAP;
    if (++w->responses[i] < cap)
        return;
    w->weight[i] = 0;
    w->step->reached_cap[i] = 1;
    w->step->capped++;
    halt(w, i);
}

/* Returns how often the two have now responded there at that time; 0: out of memory. */
static unsigned record_event(gjb_world *w, const gjb_due *due, uint32_t axis, int side)
{
    gjb_step *s = w->step;
    size_t at = s->event_count;
    while (at > 0 && s->events[at - 1].time >= due->time) {
        gjb_step_event *e = &s->events[--at];
        if (e->a == due->a && e->b == due->b && e->axis == axis && e->side == side) {
            e->responses = (uint16_t)(e->responses + (e->responses < UINT16_MAX));
            return e->responses;
        }
    }
    if (s->event_count == w->event_room) {
        const size_t room = w->event_room ? 2 * w->event_room : 64;
        gjb_step_event *more = realloc(s->events, room * sizeof *more);
        if (!more)
            return 0;
        s->events = more;
        w->event_room = room;
    }
    gjb_step_event *e = &s->events[s->event_count++];
    memset(e, 0, sizeof *e);
    e->time = due->time;
    e->a = due->a;
    e->b = due->b;
    e->axis = (uint8_t)axis;
    e->side = (int8_t)side;
    e->responses = 1;
    for (uint32_t k = 0; k < w->settings->dim; k++) {
        e->at[0][k] = gjb_world_place(w, due->a, k, due->time);
        e->at[1][k] = gjb_world_place(w, due->b, k, due->time);
    }
    return 1;
}

/* Events at a time report the velocities after all responses at that time. */
static void tell_velocities(gjb_world *w, double time)
{
    gjb_step *s = w->step;
    for (size_t at = s->event_count; at > 0 && s->events[at - 1].time >= time; at--) {
        gjb_step_event *e = &s->events[at - 1];
        memcpy(e->by[0], s->boxes[e->a].by, sizeof e->by[0]);
        memcpy(e->by[1], s->boxes[e->b].by, sizeof e->by[1]);
    }
}

/* If a box's velocity is no longer `before`, its path starts again at its current place. */
static int begin_anew(gjb_world *w, uint32_t i, const double before[3], double time)
{
    gjb_step_box *box = &w->step->boxes[i];
    const gjb_step_box after = *box;
    int same = 1;
    for (uint32_t k = 0; k < w->settings->dim; k++)
        same &= before[k] >= after.by[k] && before[k] <= after.by[k];
    if (same)
        return 0;
    memcpy(box->by, before, sizeof box->by);
    for (uint32_t k = 0; k < w->settings->dim; k++)
        box->at[k] = gjb_world_place(w, i, k, time);
    memcpy(box->by, after.by, sizeof box->by);
    w->since[i] = time;
    w->version[i]++;
    return 1;
}

/* ---- a row of boxes that push each other ---- */

/* Pair by pair, boxes in a row come to rest only in the limit: a row of n takes some n^2 responses
 * for each digit. So after a few responses the row moves as one. A box belongs to the row if it
 * touches one of its boxes face on face along the axis, and does not separate from it faster
 * than the last response may have caused. */
static int in_row(const gjb_world *w, uint32_t i, uint32_t j, uint32_t axis, double time, double closing)
{
    for (uint32_t k = 0; k < w->settings->dim; k++) {
        const gjb_facing f = gjb_world_face(w, i, j, k, time);
        if (k == axis ? f.gap > 1.0625 * f.skin || f.closing < -4 * closing
                      : f.gap > gjb_world_touching(w, i, j, k, 1))
            return 0;
    }
    return 1;
}

/* A box that the row pushes is reported as a hit too. */
static void join_row(gjb_world *w, uint32_t i, uint32_t j, uint32_t axis, double time)
{
    const gjb_due due = {.time = time, .a = i < j ? i : j, .b = i < j ? j : i};
    w->failed |= !record_event(w, &due, axis, gjb_world_face(w, due.a, due.b, axis, time).side);
    w->in_row[j] = 1;
}

static uint32_t find_row(gjb_world *w, const gjb_due *due, uint32_t axis, double closing)
{
    uint32_t count = 0;
    memset(w->in_row, 0, w->step->count);
    w->row[count++] = due->a;
    w->row[count++] = due->b;
    w->in_row[due->a] = w->in_row[due->b] = 1;
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t j = 0; j < w->step->count; j++)
            if (w->weight[w->row[k]] > 0 /* no push goes on behind a fixed box */ && !w->in_row[j] &&
                in_row(w, w->row[k], j, axis, due->time, closing)) {
                join_row(w, w->row[k], j, axis, due->time);
                w->row[count++] = j;
            }
    return count;
}

/* Velocity of the row along the axis: that of a fixed box in it, or else the one that keeps its
 * momentum. If two fixed boxes differ, the row stops. */
static double row_velocity(const gjb_world *w, uint32_t count, uint32_t axis)
{
    double momentum = 0, mass = 0, fixed = 0;
    int any = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = w->row[k];
        const double by = w->step->boxes[i].by[axis];
        if (w->weight[i] <= 0) {
            fixed = any && (by < fixed || by > fixed) ? 0 : by;
            any = 1;
        } else {
            momentum += by / w->weight[i];
            mass += 1 / w->weight[i];
        }
    }
    return any ? fixed : momentum / mass;
}

static void push_as_one(gjb_world *w, const gjb_due *due, uint32_t axis, double closing)
{
    const uint32_t count = find_row(w, due, axis, closing);
    const double by = row_velocity(w, count, axis);
    uint32_t changed = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = w->row[k];
        double before[3];
        memcpy(before, w->step->boxes[i].by, sizeof before);
        w->step->boxes[i].by[axis] = by + 0.0; /* no -0 */
        if (i == due->a || i == due->b)
            count_response(w, i);
        if (begin_anew(w, i, before, due->time))
            w->row[changed++] = i;
    }
    tell_velocities(w, due->time);
    gjb_world_sweep(w, w->row, changed, due->time);
}

static void respond(gjb_world *w, const gjb_due *due, uint32_t axis, const gjb_facing *at)
{
    double before[2][3];
    memcpy(before[0], w->step->boxes[due->a].by, sizeof before[0]);
    memcpy(before[1], w->step->boxes[due->b].by, sizeof before[1]);
    const unsigned times = record_event(w, due, axis, at->side);
    w->failed |= times == 0;
    if (w->settings->response != GJB_RESPOND_STOP && times > ALONE && restitution_of(w) < 1) {
        push_as_one(w, due, axis, at->closing);
        return;
    }
    if (w->settings->response == GJB_RESPOND_STOP) {
        halt(w, due->a);
        halt(w, due->b);
    } else {
        exchange(w, due->a, due->b, axis, at->side);
    }
    count_response(w, due->a);
    count_response(w, due->b);
    tell_velocities(w, due->time);
    uint32_t changed[2], count = 0;
    if (begin_anew(w, due->a, before[0], due->time))
        changed[count++] = due->a;
    if (begin_anew(w, due->b, before[1], due->time))
        changed[count++] = due->b;
    gjb_world_sweep(w, changed, count, due->time);
}

static void run(gjb_world *w)
{
    gjb_due due;
    for (uint64_t round = 0; !w->failed && gjb_world_next(w, &due); round++) {
        uint32_t axis = 0;
        gjb_facing at;
        if (round % 64 == 0 && w->settings->interrupted && w->settings->interrupted()) {
            w->step->status = GJB_STEP_INTERRUPTED;
            w->step->time = due.time;
            return;
        }
        if (due.version_a == w->version[due.a] && due.version_b == w->version[due.b] &&
            hits(w, &due, &axis, &at))
            respond(w, &due, axis, &at);
    }
}

/* ---- from outside ---- */

static int within(double x)
{
    return x >= -LARGEST && x <= LARGEST;
}

static int valid(const gjb_step_box *boxes, uint32_t count, const gjb_step_settings *settings)
{
    if (settings->dim < 2 || settings->dim > 3 || (unsigned)settings->response >= GJB_RESPONSES ||
        !(settings->restitution >= 0 && settings->restitution <= 1) || settings->cap > MOST_CAP ||
        (settings->backend && !gjb_backend_available(settings->backend)))
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!(boxes[i].inverse_mass >= 0 && boxes[i].inverse_mass <= LARGEST))
            return 0;
        for (uint32_t k = 0; k < settings->dim; k++)
            if (!(within(boxes[i].low[k]) && within(boxes[i].high[k]) &&
                  boxes[i].low[k] <= boxes[i].high[k] && within(boxes[i].at[k]) && within(boxes[i].by[k])))
                return 0;
    }
    return 1;
}

/* Pairs of boxes that are due at 0 and are not apart, nor touching. */
static void count_overlaps(gjb_world *w)
{
    for (size_t i = 0; i < w->due_count; i++) {
        const gjb_due *due = &w->due[i];
        int overlap = due->time <= 0;
        for (uint32_t k = 0; k < w->settings->dim && overlap; k++) {
            const gjb_facing f = gjb_world_face(w, due->a, due->b, k, due->time);
            overlap = f.gap < -f.skin;
        }
        w->step->overlapping += (uint32_t)overlap;
    }
}

gjb_step gjb_step_boxes(const gjb_step_box *boxes, uint32_t count, const gjb_step_settings *settings)
{
    gjb_step step = {.status = GJB_STEP_INVALID, .count = count};
    if (!valid(boxes, count, settings))
        return step;
    step.status = GJB_STEP_NO_MEMORY;
    step.boxes = calloc((size_t)count + 1, sizeof *step.boxes);
    step.reached_cap = calloc((size_t)count + 1, 1);
    step.skins = calloc((size_t)count + 1, sizeof *step.skins);
    if (!step.boxes || !step.reached_cap || !step.skins)
        return step;
    for (uint32_t i = 0; i < count; i++) {
        step.boxes[i].inverse_mass = boxes[i].inverse_mass;
        for (uint32_t k = 0; k < settings->dim; k++) {
            step.boxes[i].low[k] = boxes[i].low[k];
            step.boxes[i].high[k] = boxes[i].high[k];
            step.boxes[i].at[k] = boxes[i].at[k];
            step.boxes[i].by[k] = boxes[i].by[k];
        }
    }
    gjb_world w = {.settings = settings, .step = &step};
    if (gjb_world_open(&w) == 0) {
        step.status = GJB_STEP_DONE;
        step.time = 1;
        gjb_world_sweep_all(&w);
        count_overlaps(&w);
        run(&w);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < settings->dim; k++)
                step.boxes[i].at[k] = gjb_world_place(&w, i, k, step.time);
        if (step.status == GJB_STEP_DONE && step.capped)
            step.status = GJB_STEP_CAPPED;
        if (w.failed)
            step.status = GJB_STEP_NO_MEMORY;
    }
    gjb_world_close(&w);
    return step;
}

void gjb_step_free(gjb_step *step)
{
    free(step->boxes);
    free(step->reached_cap);
    free(step->skins);
    free(step->events);
    *step = (gjb_step){0};
}

void gjb_step_places(const gjb_step *step, const gjb_step_box *boxes, double time, double (*places)[3],
                     double (*ways)[3])
{
    for (uint32_t i = 0; i < step->count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            places[i][k] = boxes[i].at[k] + boxes[i].by[k] * time;
            if (ways)
                ways[i][k] = boxes[i].by[k];
        }
    for (size_t e = 0; e < step->event_count && step->events[e].time <= time; e++) {
        const gjb_step_event *event = &step->events[e];
        for (int side = 0; side < 2; side++)
            for (uint32_t k = 0; k < 3; k++) {
                const uint32_t i = side ? event->b : event->a;
                places[i][k] = event->at[side][k] + event->by[side][k] * (time - event->time);
                if (ways)
                    ways[i][k] = event->by[side][k];
            }
    }
}

const char *gjb_response_name(gjb_response response)
{
    static const char *const names[GJB_RESPONSES] = {"stop", "slide", "reflect"};
    return (unsigned)response < GJB_RESPONSES ? names[response] : "unknown";
}
