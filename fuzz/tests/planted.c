/* Contenders with planted faults: closed outlines, coplanar faces, far places, thin shapes, lost turns. */
#include "fuzz/tests/planted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/table.h"

static int unturned(const gjb_edit *e, int i)
{
    const double *q = e->body[i].turn;
    return e->dim == 2 ? q[1] == 0 && q[0] == 1 : q[0] == 0 && q[1] == 0 && q[2] == 0;
}

/* The first vertex again as the last: an outline that some close. */
static int closed_outline(const gjb_edit *e, unsigned iterations)
{
    (void)iterations;
    for (int i = 0; i < 2; i++)
        if (e->body[i].kind == GJB_POLYGON &&
            !memcmp(e->body[i].rows[0], e->body[i].rows[e->body[i].count - 1], 2 * sizeof(double)))
            return 1;
    return 0;
}

/* The cross product of two edges that are parallel, normalised. */
static int same_rotation(const gjb_edit *e, unsigned iterations)
{
    (void)iterations;
    return !unturned(e, 0) && !memcmp(e->body[0].turn, e->body[1].turn, sizeof e->body[0].turn);
}

/* Boxes that lie unturned with two faces in one plane, but not in each other's. */
static int coplanar_faces(const gjb_edit *e, unsigned iterations)
{
    (void)iterations;
    if (!unturned(e, 0) || !unturned(e, 1) || e->body[0].kind != GJB_BOX || e->body[1].kind != GJB_BOX)
        return 0;
    for (uint32_t k = 0; k < e->dim; k++)
        for (int s = 0; s < 4; s++) {
            const double a = e->body[0].place[k] + (s & 1 ? 1 : -1) * e->body[0].rows[0][k];
            const double b = e->body[1].place[k] + (s & 2 ? 1 : -1) * e->body[1].rows[0][k];
            if (a == b && e->body[0].rows[0][k] > 0)
                return 1;
        }
    return 0;
}

/* An epsilon that is no share of the size. */
static int absolute_epsilon(const gjb_edit *e, unsigned iterations)
{
    (void)iterations;
    return gjb_edit_size(e) < 1e-3;
}

/* Iterations that it does not grant itself. */
static int capped(const gjb_edit *e, unsigned iterations)
{
    (void)e;
    return iterations >= 24;
}

static int thin(const gjb_edit *e, unsigned iterations)
{
    (void)iterations;
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < e->dim; k++)
            if (e->body[i].kind == GJB_BOX &&
                e->body[i].rows[0][k] < 1e-3 * e->body[i].rows[0][(k + 1) % e->dim])
                return 1;
    return 0;
}

/* Places of 1e4 sizes and more, taken apart before they are subtracted. */
static int far_away(const gjb_edit *e, unsigned iterations)
{
    (void)iterations;
    return fabs(e->body[0].place[0]) > 1e4 * gjb_edit_size(e);
}

static int on_itself(const gjb_edit *e, unsigned iterations)
{
    (void)iterations;
    return e->body[0].kind == e->body[1].kind && e->body[0].count == e->body[1].count &&
           !memcmp(e->body[0].rows, e->body[1].rows, e->body[0].count * sizeof e->body[0].rows[0]);
}

/* Coplanar vertices of which it drops one too many. */
static int flat_hull(const gjb_edit *e, unsigned iterations)
{
    (void)iterations;
    for (int i = 0; i < 2; i++) {
        int flat = e->body[i].kind == GJB_HULL;
        for (uint32_t v = 0; v < e->body[i].count; v++)
            flat &= e->body[i].rows[v][0] == e->body[i].rows[0][0];
        if (flat)
            return 1;
    }
    return 0;
}

/* More than a turn in the step, of which it takes the rest. */
static int more_than_a_turn(const gjb_edit *e, unsigned iterations)
{
    (void)iterations;
    return fabs(e->body[0].motion[2]) > 6.3 || fabs(e->body[1].motion[2]) > 6.3;
}

/* Off by the more the larger one shape is than the other: only who climbs gets to 2^60. */
static double lopsided(const gjb_edit *e)
{
    const double a = gjb_edit_reach(e, 0), b = gjb_edit_reach(e, 1);
    return a > 0 && b > 0 ? fabs(log2(a / b)) / 60 : 0;
}

const planted planted_faults[] = {
    {"closed-outline",
     "the first vertex repeated at the end",
     2,
     GJB_SIGNED_DISTANCE,
     "polygon8",
     {"mixed"},
     closed_outline,
     NULL,
     1024,
     1},
    {"parallel-edges",
     "boxes turned alike",
     3,
     GJB_SIGNED_DISTANCE,
     "box",
     {"mixed", "near"},
     same_rotation,
     NULL,
     1024,
     0},
    {"coplanar-faces",
     "faces of boxes in one plane",
     3,
     GJB_SIGNED_DISTANCE,
     "box",
     {"mixed", "near"},
     coplanar_faces,
     NULL,
     1024,
     1},
    {"absolute-epsilon",
     "an epsilon that is no share of the size",
     2,
     GJB_DISTANCE,
     "mixed-kinds",
     {"mixed", "near"},
     absolute_epsilon,
     NULL,
     1024,
     0},
    {"cap",
     "the iteration cap read as separated",
     3,
     GJB_INTERSECT,
     "box",
     {"mixed", "deep"},
     capped,
     NULL,
     2048,
     0},
    {"thin", "boxes of aspect 1000", 2, GJB_SIGNED_DISTANCE, "box", {"mixed", "near"}, thin, NULL, 1024, 0},
    {"far", "places far from the origin", 3, GJB_DISTANCE, "hull8", {"near"}, far_away, NULL, 1024, 1},
    {"on-itself", "a shape and itself", 3, GJB_PENETRATION, "hull8", {"mixed"}, on_itself, NULL, 1024, 1},
    {"flat-hull",
     "a hull without thickness",
     3,
     GJB_SIGNED_DISTANCE,
     "hull8",
     {"mixed", "near"},
     flat_hull,
     NULL,
     2048,
     1},
    {"turns",
     "more than one turn in a step",
     2,
     GJB_TOI,
     "box",
     {"approach"},
     more_than_a_turn,
     NULL,
     512,
     0},
    {"lopsided",
     "an error that grows with the ratio of sizes",
     2,
     GJB_SIGNED_DISTANCE,
     "polygon8",
     {"near"},
     NULL,
     lopsided,
     2048,
     0},
};
const size_t planted_count = sizeof planted_faults / sizeof *planted_faults;

static const planted *current;

/* One pair of a call, as an edit. */
static void load(const gjb_shapes *shapes, const gjb_batch *batch, size_t at, gjb_edit *e)
{
    e->dim = shapes->dim;
    e->precision = GJB_F64;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t who = batch->pairs[2 * at + i],
                       shape = batch->body_shape ? batch->body_shape[who] : who;
        gjb_edit_body *b = &e->body[i];
        b->kind = (gjb_kind)shapes->kind[shape];
        b->count = shapes->row_count[shape];
        b->radius = ((const double *)shapes->radius)[shape];
        for (uint32_t v = 0; v < b->count; v++)
            for (uint32_t k = 0; k < 3; k++)
                b->rows[v][k] =
                    k < e->dim
                        ? ((const double *)shapes->rows)[(size_t)e->dim * (shapes->first[shape] + v) + k]
                        : 0;
        const double *pose =
            (const double *)(const void *)((const char *)batch->poses + who * batch->pose_stride);
        memset(b->place, 0, sizeof b->place);
        memset(b->turn, 0, sizeof b->turn);
        memset(b->motion, 0, sizeof b->motion);
        memcpy(b->place, pose, e->dim * sizeof *pose);
        memcpy(b->turn, pose + e->dim, (e->dim == 2 ? 2 : 4) * sizeof *pose);
        if (batch->motions)
            memcpy(b->motion, (const char *)batch->motions + who * batch->motion_stride,
                   gjb_motion_size(GJB_F64, e->dim));
    }
}

static void spoil(const planted *fault, const gjb_edit *e, void *record)
{
    if (fault->query == GJB_INTERSECT) { /* a record that is a head, and aligned as one */
        ((gjb_head *)record)->status = GJB_SEPARATED;
        return;
    }
    gjb_result2d *r = record; /* head and value stand there in 3D too */
    if (fault->query == GJB_TOI && r->head.status == GJB_HIT)
        r->value = 0.5 * r->value + 0.5;
    else if (fault->query == GJB_SIGNED_DISTANCE || r->value > 0)
        r->value += 0.125 * gjb_edit_size(e);
}

static void run(const void *prepared, const gjb_batch *batch)
{
    gjb_edit *e = calloc(1, sizeof *e);
    gjb_contender_find("reference")->run(prepared, batch);
    for (size_t i = 0; i < batch->pair_count && e; i++) {
        void *record = (char *)batch->results + i * batch->result_stride;
        load(prepared, batch, i, e);
        if (current->share)
            ((gjb_result2d *)record)->value += current->share(e) * 32 * 0x1p-53 * gjb_edit_size(e);
        else if (current->hit(e, ((const gjb_head *)record)->iterations))
            spoil(current, e, record);
    }
    free(e);
}

gjb_contender planted_contender(const planted *fault)
{
    gjb_contender c = *gjb_contender_find("reference");
    current = fault;
    c.name = fault->name;
    c.ours = 1;
    c.run = run;
    return c;
}
