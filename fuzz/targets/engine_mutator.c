/* Structure-aware mutation for libFuzzer (its LLVMFuzzerCustomMutator), which bytes without a meaning go past. */
#include "core/tests/target.h"
#include "fuzz/targets/geometry.h"

enum { IN_BYTES = 5 }; /* one in so many inputs of the byte format is changed as bytes */

/* The engine's own; a replay has no engine. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two, size_t two_size,
                                 uint8_t *out, size_t most, unsigned seed);

static const gjb_geometry what = {GJB_TARGET_DIM, GJB_TARGET_MOVING, GJB_TARGET_SQUARE};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    const int bytes =
        LLVMFuzzerMutate && (!size || (data[0] != '{' && data[0] != 0x89 && seed % IN_BYTES == 0));
    const size_t made = bytes ? 0 : gjb_geometry_mutate(&what, data, size, NULL, 0, data, most, seed);
    return made ? made : LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, most) : size;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two, size_t two_size,
                                 uint8_t *out, size_t most, unsigned seed)
{
    return gjb_geometry_mutate(&what, one, one_size, two, two_size, out, most, seed);
}
