/* A fuzz target is one function over bytes, as libFuzzer has it (LLVM's "libFuzzer" page). fuzz/targets/replay_main.c
 * brings a main that replays files; with an engine (the option fuzz_engine, or LIB_FUZZING_ENGINE) the engine brings
 * its own. fuzz/targets/meson.build has the table of targets. */
#ifndef GJB_CORE_TESTS_TARGET_H
#define GJB_CORE_TESTS_TARGET_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* 0, or -1 for an input that means nothing to the target and is not worth keeping. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process with one line when the condition does not hold. */
void gjb_target_require(int condition, const char *what, const char *detail);
/* A parser refused its input: it must say why, on one line. With GJB_TARGET_SAY in the environment it is heard. */
void gjb_target_refused(const gjb_error *error);
/* A path where the bytes are until the next call, for what reads files by name: a file in memory. */
const char *gjb_target_path(const uint8_t *data, size_t size);
/* What the code under test says to people on stdout and stderr goes nowhere from now on; sanitizers still speak. */
void gjb_target_hush(void);

#endif
