/* A fuzz target is one function over bytes, as libFuzzer defines it. fuzz/targets/replay_main.c
 * brings a main that replays files; with an engine (the option fuzz_engine, or LIB_FUZZING_ENGINE) the engine brings
 * its own. fuzz/targets/meson.build has the table of targets. */
#ifndef GJB_CORE_TESTS_TARGET_H
#define GJB_CORE_TESTS_TARGET_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* 0, or -1 for an input that the target ignores and that is not worth keeping. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process with one line when the condition does not hold. */
void gjb_target_require(int condition, const char *what, const char *detail);
/* A parser refused its input: it must say why, on one line. With GJB_TARGET_SAY in the environment it is
 * printed. */
void gjb_target_refused(const gjb_error *error);
/* A path under which the bytes can be read until the next call: a file in memory, for readers that need a
 * name. */
const char *gjb_target_path(const uint8_t *data, size_t size);
/* Discards stdout and stderr of the code under test from now on; sanitizers still print. */
void gjb_target_hush(void);

#endif
