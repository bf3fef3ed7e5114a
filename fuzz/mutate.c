/* Chooses mutations that apply to a pair, carries them out, and repairs polygons that lost their convexity. */
#include "fuzz/mutate_private.h"

#include "core/polygon.h"

#define BIT(kind) (1u << (kind))
#define EVERY (GJB_KINDS_2D | GJB_KINDS_3D | GJB_CURVED_2D | GJB_CURVED_3D | BIT(GJB_AABB))
#define POLYTOPES (GJB_KINDS_2D | GJB_KINDS_3D | BIT(GJB_AABB))
#define VERTICES (BIT(GJB_POINT) | BIT(GJB_SEGMENT) | BIT(GJB_POLYGON) | BIT(GJB_TRIANGLE) | BIT(GJB_HULL))
#define SEVERAL (VERTICES & ~BIT(GJB_POINT))
#define MANY (BIT(GJB_POLYGON) | BIT(GJB_HULL))
#define SUPER (BIT(GJB_SUPERELLIPSE) | BIT(GJB_SUPERELLIPSOID))
enum { BOTH = 1 << 2 | 1 << 3, SPACE = 1 << 3 };

const gjb_mutation gjb_mutations[] = {
    {"nudge", "a coordinate, length, radius or translation by a few units in the last place", BOTH, EVERY, 0, 8, 0, gjb_mutate_nudge},
    {"collinear", "a vertex onto the line of two others", BOTH, MANY | BIT(GJB_TRIANGLE), 0, 3, 0, gjb_mutate_collinear},
    {"coplanar", "a vertex into the plane of three others", SPACE, BIT(GJB_HULL), 0, 3, 0, gjb_mutate_coplanar},
    {"repeat", "a vertex twice", BOTH, SEVERAL, 0, 2, 0, gjb_mutate_repeat},
    {"drop", "a vertex away", BOTH, MANY, 0, 3, 0, gjb_mutate_drop},
    {"interior", "a vertex more, on an edge or inside", BOTH, MANY, 0, 2, 0, gjb_mutate_interior},
    {"aspect", "a shape long or thin along an axis", BOTH, EVERY & ~BIT(GJB_POINT), 0, 4, 0, gjb_mutate_aspect},
    {"flatten", "a shape flat, or all but flat", BOTH, EVERY & ~BIT(GJB_POINT), 0, 2, 0, gjb_mutate_flatten},
    {"scale", "a shape by a power of two", BOTH, EVERY, 0, 3, 0, gjb_mutate_scale},
    {"scale-pair", "everything by a power of two", BOTH, EVERY, 0, 1, 0, gjb_mutate_scale_pair},
    {"radius", "a radius of 0, tiny, huge or that of the other", BOTH, EVERY, 0, 4, 0, gjb_mutate_radius},
    {"exponent", "another exponent, often at the edge of a case", BOTH, SUPER, 0, 6, 0, gjb_mutate_exponent},
    {"round", "coordinates onto a coarse grid", BOTH, EVERY, 0, 4, 0, gjb_mutate_round},
    {"mirror", "a shape along a local axis", BOTH, VERTICES | BIT(GJB_AABB), 0, 1, 0, gjb_mutate_mirror},
    {"equivalent", "another kind that means the same points", BOTH, EVERY, 0, 3, 0, gjb_mutate_equivalent},
    {"equal", "both shapes the same one", BOTH, EVERY, 0, 2, 0, gjb_mutate_equal},
    {"swap", "A and B change places", BOTH, EVERY, 0, 1, 0, gjb_mutate_swap},
    {"far", "both far away from the origin", BOTH, EVERY, 0, 2, 0, gjb_mutate_far},
    {"origin", "one at the origin, the other with it", BOTH, EVERY, 0, 2, 0, gjb_mutate_origin},
    {"same-place", "one place for both", BOTH, EVERY, 0, 2, 0, gjb_mutate_same_place},
    {"identity", "no rotation", BOTH, EVERY, 0, 3, 0, gjb_mutate_identity},
    {"quarter", "a quarter, third or half turn", BOTH, EVERY, 0, 2, 0, gjb_mutate_quarter},
    {"near-axis", "all but unturned, or all but turned like the other", BOTH, EVERY, 0, 4, 0, gjb_mutate_near_axis},
    {"turn", "any rotation", BOTH, EVERY, 0, 2, 0, gjb_mutate_turn},
    {"nudge-turn", "a rotation by a unit in the last place", BOTH, EVERY, 0, 2, 0, gjb_mutate_nudge_turn},
    {"parallel", "a face or edge of one along one of the other", BOTH, EVERY & ~BIT(GJB_POINT), 0, 5, 0, gjb_mutate_parallel},
    {"parallel-edges", "an edge or diagonal of one along one of the other", SPACE, EVERY & ~BIT(GJB_POINT), 0, 3, 0, gjb_mutate_parallel_edges},
    {"flush", "a face of each in one plane, or all but", BOTH, EVERY, 0, 5, 0, gjb_mutate_flush},
    {"vertex-on", "a corner onto a corner or into the middle of two", BOTH, EVERY, 0, 3, 0, gjb_mutate_vertex_on},
    {"slide", "one along a face of the other", BOTH, EVERY, 0, 3, 0, gjb_mutate_slide},
    {"touch", "so that they touch, to a rounding", BOTH, EVERY, 0, 4, 0, gjb_mutate_touch},
    {"near-touch", "so that they all but touch", BOTH, EVERY, 0, 4, 0, gjb_mutate_near_touch},
    {"depth", "into each other", BOTH, EVERY, 0, 2, 0, gjb_mutate_depth},
    {"still", "one without motion, or both with one", BOTH, EVERY, 1, 2, 0, gjb_mutate_still},
    {"along-normal", "towards the other along the normal", BOTH, EVERY, 1, 4, 0, gjb_mutate_along_normal},
    {"arrive", "in contact at the end of the step, or half of it", BOTH, EVERY, 1, 3, 0, gjb_mutate_arrive},
    {"graze", "past each other in planes that touch", BOTH, EVERY, 1, 4, 0, gjb_mutate_graze},
    {"spin", "turning, slowly or many times", BOTH, EVERY, 1, 4, 0, gjb_mutate_spin},
    {"reverse", "back the way", BOTH, EVERY, 1, 1, 0, gjb_mutate_reverse},
    {"nudge-motion", "a number of a motion by a unit in the last place, or by two", BOTH, EVERY, 1, 3, 0, gjb_mutate_nudge_motion},
    {"cross-shape", "a shape of another pair", BOTH, EVERY, 0, 4, 1, gjb_mutate_cross_shape},
    {"cross-place", "poses of another pair", BOTH, EVERY, 0, 2, 1, gjb_mutate_cross_place},
    {"cross-motion", "motions of another pair", BOTH, EVERY, 1, 2, 1, gjb_mutate_cross_motion},
};
const size_t gjb_mutation_count = sizeof gjb_mutations / sizeof *gjb_mutations;

const gjb_mutation *gjb_mutation_find(const char *name)
{
    for (size_t i = 0; i < gjb_mutation_count; i++)
        if (!strcmp(gjb_mutations[i].name, name))
            return &gjb_mutations[i];
    return NULL;
}

static int takes(const gjb_mutation *mutation, const gjb_edit *edit, uint32_t which)
{
    return (int)(mutation->kinds >> edit->body[which].kind & 1u);
}

int gjb_mutation_applies(const gjb_mutation *mutation, const gjb_edit *edit)
{
    return mutation->dims >> edit->dim & 1 && (edit->moving || !mutation->moving) &&
           (takes(mutation, edit, 0) || takes(mutation, edit, 1));
}

static int in_range(const gjb_edit *edit)
{
    const double most = gjb_largest(edit->precision);
    for (int i = 0; i < 2; i++) {
        const gjb_edit_body *b = &edit->body[i];
        double sum = fabs(b->radius);
        for (int k = 0; k < 4; k++)
            sum += fabs(b->turn[k]) + (k < 3 ? fabs(b->place[k]) : 0);
        for (int k = 0; k < 6; k++)
            sum += fabs(b->motion[k]);
        for (uint32_t v = 0; v < b->count; v++)
            for (int k = 0; k < 3; k++)
                sum += fabs(b->rows[v][k]);
        if (!(sum <= most))
            return 0;
    }
    return 1;
}

static long double turning(const double p[3], const double q[3], const double r[3])
{
    return ((long double)q[0] - p[0]) * ((long double)r[1] - p[1]) - ((long double)q[1] - p[1]) * ((long double)r[0] - p[0]);
}

/* A polygon that became one no more: the chain around its vertices, in the order that they had to the left
 * and right of it. What lies inside is put onto the last of the chain, so that their number stays. */
static void mend_polygon(gjb_edit_body *b, gjb_precision precision)
{
    double flat[GJB_MUTATE_VERTICES][2];
    gjb_outline_report report;
    if (b->kind != GJB_POLYGON || b->count > GJB_MUTATE_VERTICES)
        return;
    for (uint32_t v = 0; v < b->count; v++)
        for (int k = 0; k < 2; k++)
            flat[v][k] = b->rows[v][k] = precision == GJB_F32 ? (double)(float)b->rows[v][k] : b->rows[v][k];
    const gjb_outline outline = gjb_outline_check((const double(*)[2])flat, b->count, gjb_epsilon(precision), &report);
    if (outline == GJB_OUTLINE_CCW || outline == GJB_OUTLINE_CW || outline == GJB_OUTLINE_FLAT)
        return;
    /* Gift wrapping (Jarvis 1973) from the leftmost. */
    double chain[GJB_MUTATE_VERTICES][3];
    uint32_t at = 0, count = 0;
    for (uint32_t v = 1; v < b->count; v++)
        if (b->rows[v][0] < b->rows[at][0] || (b->rows[v][0] == b->rows[at][0] && b->rows[v][1] < b->rows[at][1]))
            at = v;
    const uint32_t first = at;
    do {
        memcpy(chain[count++], b->rows[at], sizeof chain[0]);
        uint32_t next = at;
        for (uint32_t v = 0; v < b->count; v++) {
            const int same = b->rows[v][0] == b->rows[at][0] && b->rows[v][1] == b->rows[at][1];
            if (same)
                continue;
            const long double side = next == at ? -1 : turning(b->rows[at], b->rows[next], b->rows[v]);
            const double *p = b->rows[at], *q = b->rows[next], *w = b->rows[v];
            const int farther = hypot(w[0] - p[0], w[1] - p[1]) > hypot(q[0] - p[0], q[1] - p[1]);
            if (side < 0 || (side == 0 && farther))
                next = v;
        }
        at = next;
    } while (count < b->count && (b->rows[at][0] != b->rows[first][0] || b->rows[at][1] != b->rows[first][1]));
    for (; count < b->count; count++)
        memcpy(chain[count], chain[count - 1], sizeof chain[0]);
    memcpy(b->rows, chain, b->count * sizeof chain[0]);
}

int gjb_mutation_apply(const gjb_mutation *mutation, gjb_random *r, gjb_edit *edit, const gjb_edit *other, gjb_edit *spare)
{
    if (!gjb_mutation_applies(mutation, edit) || (mutation->crosses && (!other || other->dim != edit->dim)))
        return 1;
    uint32_t which = gjb_random_u32(r) & 1;
    which = takes(mutation, edit, which) ? which : 1 - which;
    gjb_edit_copy(spare, edit);
    if (mutation->apply(r, spare, which, mutation->crosses ? other : NULL) || !in_range(spare))
        return 1;
    for (int i = 0; i < 2; i++)
        mend_polygon(&spare->body[i], spare->precision);
    if (gjb_edit_settle(spare) || gjb_edit_equal(spare, edit))
        return 1;
    gjb_edit_copy(edit, spare);
    return 0;
}

const gjb_mutation *gjb_mutate(gjb_random *r, gjb_edit *edit, const gjb_edit *other, gjb_edit *spare)
{
    uint32_t total = 0;
    for (size_t i = 0; i < gjb_mutation_count; i++)
        total += gjb_mutation_applies(&gjb_mutations[i], edit) ? gjb_mutations[i].weight : 0;
    for (int tries = 0; tries < 64 && total; tries++) {
        uint32_t at = gjb_random_below(r, total);
        size_t i = 0;
        for (;; i++) {
            const uint32_t weight = gjb_mutation_applies(&gjb_mutations[i], edit) ? gjb_mutations[i].weight : 0;
            if (at < weight)
                break;
            at -= weight;
        }
        if (!gjb_mutation_apply(&gjb_mutations[i], r, edit, other, spare))
            return &gjb_mutations[i];
    }
    return NULL;
}
