/* A tile whose shapes are curved in some lanes: their support mapping, beside that of
 * vertices. */
#ifndef GJB_SIMD_CURVE_TILE3_H
#define GJB_SIMD_CURVE_TILE3_H

#include "simd/curve3.h"
#include "simd/tile3.h"

/* In place of a number of vertices. */
#define ANY_CURVE (-1)

typedef struct tile_curves {
    curve3 a, b;                /* lengths in units of the frame */
    int vertices_a, vertices_b; /* of lanes that have them: 4, or a multiple of 8 */
} tile_curves;

LANE_FN int lane_vertices(const curve3 *c, const unsigned curve[LANES], const uint16_t *quads)
{
    unsigned most = 1;
    for (unsigned l = 0; l < LANES && (c->present & 1u << CURVE_NONE); l++)
        most = !curve[l] && quads[l] > most ? quads[l] : most;
    return 4 * (int)most;
}

LANE_FN void load_curves(curve3 *c, unsigned curve[LANES], const context *ctx, const uint32_t *body,
                         const real *const *rec, v3 size, vr scale)
{
    const real *p[LANES];
    vr numbers[4];
    for (unsigned l = 0; l < LANES; l++) {
        curve[l] = METHOD_CURVE(meta_of(ctx->library, ctx->batch, body[l])->method);
        p[l] = rec[l] + 4;
    }
    set_curves(c, curve);
    c->size = v3_mul(size, scale);
    if (!(c->present >> CURVE_SUPER & 1))
        return;
    v_load4t(p, numbers);
    c->slope = v_sel(c->is[CURVE_SUPER], numbers[1], v_set(1)); /* elsewhere vertices are in its place */
    c->inverse = v_sel(c->is[CURVE_SUPER], numbers[2], v_set(1));
}

/* Follows pack_poses3, as pack_vertices3 does elsewhere. */
LANE_FN void pack_curves3(tile *t, tile_curves *c, const context *ctx)
{
    unsigned a[LANES], b[LANES];
    load_curves(&c->a, a, ctx, t->body_a, t->rec_a, t->half_a, t->scale);
    load_curves(&c->b, b, ctx, t->body_b, t->rec_b, t->half_b, t->scale);
    c->vertices_a = lane_vertices(&c->a, a, t->quads_a);
    c->vertices_b = lane_vertices(&c->b, b, t->quads_b);
    if ((c->a.present | c->b.present) & 1u << CURVE_NONE)
        pack_vertices3(t, c->vertices_a > c->vertices_b ? c->vertices_a : c->vertices_b, 0);
    t->curves = c;
}

LANE_FN v3 curved_extreme_a(const tile *t, v3 d)
{
    const curve3 *c = &t->curves->a;
    const v3 at = extreme_of_curve(c, d);
    if (!(c->present & 1u << CURVE_NONE))
        return at;
    return v3_sel(c->is[CURVE_NONE], extreme_vertex3(&t->a, t->curves->vertices_a, d), at);
}

LANE_FN v3 curved_extreme_b(const tile *t, v3 d)
{
    const curve3 *c = &t->curves->b;
    const v3 at = v3_add(m3_turn(&t->turn, extreme_of_curve(c, m3_turn_back(&t->turn, d))), t->shift);
    if (!(c->present & 1u << CURVE_NONE))
        return at;
    return v3_sel(c->is[CURVE_NONE], extreme_vertex3(&t->b, t->curves->vertices_b, d), at);
}

#endif
