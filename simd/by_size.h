/* Instantiates a step of a tile for each vertex count that bins have. Included by the headers of tiles. */
#ifndef GJB_SIMD_BY_SIZE_H
#define GJB_SIMD_BY_SIZE_H

#define BY_SIZE__(name, size, N, tile_type, step)                                                                \
    TILE_FN void name##_##size(tile_type *t, int uniform, int vertices)                                          \
    {                                                                                                            \
        (void)vertices;                                                                                          \
        if (uniform)                                                                                             \
            step(t, N, 1);                                                                                       \
        else                                                                                                     \
            step(t, N, 0);                                                                                       \
    }

/* Functions name_4, name_8 and name_blocks, and `name`, which takes the one for N vertices a lane, 4 or a multiple of
 * 8. `step` takes (tile, N, uniform), and is inlined into each with what is constant there. */
#define BY_SIZE(name, tile_type, step)                                                                           \
    BY_SIZE__(name, 4, 4, tile_type, step)                                                                       \
    BY_SIZE__(name, 8, 8, tile_type, step)                                                                       \
    BY_SIZE__(name, blocks, vertices, tile_type, step)                                                           \
    LANE_FN void name(tile_type *t, int N, int uniform)                                                          \
    {                                                                                                            \
        if (N == 4)                                                                                              \
            name##_4(t, uniform, N);                                                                             \
        else if (N == 8)                                                                                         \
            name##_8(t, uniform, N);                                                                             \
        else                                                                                                     \
            name##_blocks(t, uniform, N);                                                                        \
    }

#endif
