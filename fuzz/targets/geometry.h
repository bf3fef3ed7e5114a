/* The mutations of fuzz/mutate.h on the bytes that engines keep. */
#ifndef GJB_FUZZ_TARGETS_GEOMETRY_H
#define GJB_FUZZ_TARGETS_GEOMETRY_H

#include <stddef.h>
#include <stdint.h>

typedef struct gjb_geometry {
    uint32_t dim; /* of pairs that are looked for; 0: any */
    int moving;   /* 1: they move */
    int square;   /* 1: unturned boxes, for sweep */
} gjb_geometry;

/* Mutates the pair that `size` bytes mean, with a second one to take something of (`other` may be NULL), one to four
 * times, and writes it as a binary scene of at most `most` bytes to `out`, which may be `data`. Its size; 0 if the bytes
 * mean no pair, nothing came of it, or it does not fit. */
size_t gjb_geometry_mutate(const gjb_geometry *what, const uint8_t *data, size_t size, const uint8_t *other,
                           size_t other_size, uint8_t *out, size_t most, unsigned seed);

#endif
