/* Makes the fallback path's sides from a pair of the window. */
#ifndef GJB_SIMD_FALLBACK_SIDE3_H
#define GJB_SIMD_FALLBACK_SIDE3_H

#include "simd/context.h"
#include "simd/space/fallback/fallback3.h"
#include "simd/space/scan3.h"

LANE_FN gjb_fallback_side side_of(const context *ctx, const real *rec, uint32_t body)
{
    const shape_meta *meta = meta_of(ctx->library, ctx->batch, body);
    const real *pose = pose_of(ctx->batch, body);
    const hull3 hull = hull_of_record(rec, meta->quads);
    gjb_fallback_side side = {.vertices = hull.vertices, .count = hull.count, .balls = hull.balls,
                          .radius = (double)meta->radius, .extent = (double)meta->extent};
    side.curve = METHOD_CURVE(meta->method);
    for (int k = 0; k < 4 && side.curve; k++) /* p follows the extent */
        side.curved[k] = (double)rec[k < 3 ? k : 4];
    for (int k = 0; k < 7; k++)
        side.pose[k] = (double)pose[k];
    return side;
}

/* A rotation of unit length, and a translation that leaves results finite: no scene
 * has a larger one. */
LANE_FN int valid_pose(const double *pose)
{
    double sum = -1;
    int near = 1;
    for (int k = 0; k < 3; k++)
        near &= fabs(pose[k]) <= (double)REAL_MAX / 256;
    for (int k = 3; k < 7; k++)
        sum += pose[k] * pose[k];
    return near && sum < 0x1p-10 && sum > -0x1p-10; /* false on NaN */
}

/* The part of a record that every support reads. */
LANE_FN gjb_fallback_ahead ahead_of(const context *ctx, const real *rec, uint32_t body)
{
    const unsigned quads = meta_of(ctx->library, ctx->batch, body)->quads;
    const size_t units = quads > ALL_QUADS ? gjb_library_head(quads) : gjb_library_units(3, quads);
    return (gjb_fallback_ahead){(const char *)rec, (const char *)(rec + units * gjb_library_unit(3))};
}

#endif
