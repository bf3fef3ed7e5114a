/* Which pairs matter: those whose boxes, in the shapes' own axes, may be no farther apart than a margin.
 *
 * A broad phase pairs what is near along the world's axes, so that most of its pairs are apart. Their boxes show that
 * for a fraction of what a distance takes. */
#ifndef GJB_SIMD_NEAR_H
#define GJB_SIMD_NEAR_H

#include "simd/context.h"

/* Bits of lanes whose boxes may be within the margin, or that are invalid. By separating axes of both boxes and the
 * line of their centres (Gottschalk 1996): plane/near2.h, space/near3.h. */
LANE_FN unsigned boxes_near(const gjb_library *library, const gjb_batch *batch, const uint32_t *body_a,
                            const uint32_t *body_b, double margin);

/* Boxes count as near unless their gap is more than what matters by these parts of it, and of the pair's size. That is
 * more than directions that are not quite of unit length, and rounding, can make of it. */
#define NEAR_SLACK ((real)1.004)
#define NEAR_DOUBT (64 * REAL_EPSILON)

/* Of shapes: centre and radius, half extents and the farthest a point is from the origin. */
typedef struct bounds {
    vr centre[4], half[4];
} bounds;

LANE_FN const real *bounds_of(const gjb_library *library, const gjb_batch *batch, uint32_t body)
{
    return (const real *)library->bounds + BOUND_REALS * (size_t)(batch->body_shape ? batch->body_shape[body] : body);
}

LANE_FN bounds load_bounds(const gjb_library *library, const gjb_batch *batch, const uint32_t *body)
{
    const real *p[LANES], *q[LANES];
    bounds b;
    for (unsigned l = 0; l < LANES; l++) {
        p[l] = bounds_of(library, batch, body[l]);
        q[l] = p[l] + 4;
    }
    v_load4t(p, b.centre);
    v_load4t(q, b.half);
    return b;
}

/* In the frame, whose units are `scale` to one of the world: boxes of cores with a larger gap are too far apart. */
LANE_FN vr near_bar(const bounds *a, const bounds *b, double margin, vr scale)
{
    const vr matters = v_mul(v_add(v_add(a->centre[3], b->centre[3]), v_set((real)margin)), scale);
    return v_add(v_mul(matters, v_set(NEAR_SLACK)), v_set(NEAR_DOUBT));
}

/* Pairs first .. first + count - 1, of which `near` gets those that may have contacts. Writes the others' records,
 * which have that many bytes. Returns how many are listed. */
LANE_FN unsigned list_near(const gjb_library *library, const gjb_batch *batch, size_t first, unsigned count,
                           size_t bytes, size_t *near)
{
    const gjb_head apart = {.status = GJB_SEPARATED};
    const uint32_t *pairs = batch->pairs + 2 * first;
    unsigned listed = 0;
    for (unsigned i = 0; i < 2 * count && library->far; i++) {
        prefetch(bounds_of(library, batch, pairs[i]));
        prefetch(pose_of(batch, pairs[i]));
    }
    for (unsigned i = 0; i < count; i += LANES) {
        uint32_t body[2][LANES];
        for (unsigned l = 0; l < LANES; l++) {
            const unsigned k = i + l < count ? i + l : count - 1;
            body[0][l] = pairs[2 * k];
            body[1][l] = pairs[2 * k + 1];
        }
        const unsigned some = boxes_near(library, batch, body[0], body[1], batch->margin);
        for (unsigned l = 0; l < LANES && i + l < count; l++) {
            const size_t pair = first + i + l;
            if (some >> l & 1) {
                near[listed++] = pair;
                continue;
            }
            char *to = (char *)batch->results + pair * batch->result_stride;
            memset(to, 0, bytes);
            memcpy(to, &apart, sizeof apart);
        }
    }
    if (batch->stats) { /* the others are counted as they are served */
        batch->stats->pairs += count - listed;
        batch->stats->iterations[0] += count - listed;
    }
    return listed;
}

/* Of the entries of a bin those that matter to a boolean or a depth, in `near`. Answers the others. */
LANE_FN unsigned list_near_entries(context *ctx, const uint16_t *idx, unsigned first, unsigned end, uint16_t *near)
{
    const sources *all = ctx->pairs.all;
    const double margin = ctx->batch->query == GJB_INTERSECT ? ctx->batch->margin : 0;
    unsigned listed = 0;
    for (unsigned i = first; i < end; i += LANES) {
        uint16_t entry[LANES];
        uint32_t body[2][LANES];
        for (unsigned l = 0; l < LANES; l++) {
            const unsigned k = i + l < end ? i + l : end - 1;
            entry[l] = idx ? idx[k] : (uint16_t)k;
            body[0][l] = all->body_a[entry[l]];
            body[1][l] = all->body_b[entry[l]];
        }
        const unsigned some = boxes_near(ctx->library, ctx->batch, body[0], body[1], margin);
        for (unsigned l = 0; l < LANES && i + l < end; l++)
            if (some >> l & 1)
                near[listed++] = entry[l];
            else
                write_plain(ctx, all->pair[entry[l]], GJB_SEPARATED, 1);
    }
    return listed;
}

#endif
