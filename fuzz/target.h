/* A fuzz target is one function over bytes. By default a small main replays
 * the files it is given; with an engine (fuzz_engine, LIB_FUZZING_ENGINE) the
 * engine brings main. */
#ifndef GJB_FUZZ_TARGET_H
#define GJB_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
