/* The floating-point control state: rounding, flush-to-zero, trap masks.
 *
 * fegetenv and fesetenv would do, but on x86-64 they also store and load the
 * whole x87 environment, some 50 ns that a batch of one pair cannot hide. Only
 * control words decide a result, so only these are read, and written back only
 * if they differ; sticky exception flags are left as the calls raise them.
 */
#ifndef GJB_CONTENDERS_FLOAT_STATE_H
#define GJB_CONTENDERS_FLOAT_STATE_H

#include <stdint.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <fenv.h>
#include <string.h>
#endif

typedef struct gjb_float_state {
#if defined(__x86_64__)
    uint32_t mxcsr; /* without its flags */
    uint16_t x87;
#elif defined(__aarch64__)
    uint64_t fpcr;
#else
    fenv_t env;
#endif
} gjb_float_state;

static inline gjb_float_state gjb_float_get(void)
{
    gjb_float_state state;
#if defined(__x86_64__)
    __asm__ volatile("stmxcsr %0" : "=m"(state.mxcsr));
    __asm__ volatile("fnstcw %0" : "=m"(state.x87));
    state.mxcsr &= ~0x3fu;
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr" : "=r"(state.fpcr));
#else
    memset(&state, 0, sizeof state);
    fegetenv(&state.env);
#endif
    return state;
}

static inline void gjb_float_set(gjb_float_state state)
{
#if defined(__x86_64__)
    __asm__ volatile("ldmxcsr %0" : : "m"(state.mxcsr));
    __asm__ volatile("fldcw %0" : : "m"(state.x87));
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(state.fpcr));
#else
    fesetenv(&state.env);
#endif
}

/* Round to nearest, subnormals kept, no traps. */
static inline gjb_float_state gjb_float_default(void)
{
    gjb_float_state state;
#if defined(__x86_64__)
    state.mxcsr = 0x1f80;
    state.x87 = 0x037f;
#elif defined(__aarch64__)
    state.fpcr = 0;
#else
    const gjb_float_state saved = gjb_float_get();
    fesetenv(FE_DFL_ENV);
    state = gjb_float_get();
    gjb_float_set(saved);
#endif
    return state;
}

static inline int gjb_float_same(gjb_float_state a, gjb_float_state b)
{
#if defined(__x86_64__)
    return a.mxcsr == b.mxcsr && a.x87 == b.x87;
#elif defined(__aarch64__)
    return a.fpcr == b.fpcr;
#else
    return memcmp(&a.env, &b.env, sizeof a.env) == 0;
#endif
}

/* Enters the default state and returns the one to go back to. */
static inline gjb_float_state gjb_float_enter(void)
{
    const gjb_float_state saved = gjb_float_get(), wanted = gjb_float_default();
    if (!gjb_float_same(saved, wanted))
        gjb_float_set(wanted);
    return saved;
}

/* Goes back, and returns 1 when what ran in between had left another state
 * than the default (always 0 if flags cannot be separated from control bits). */
static inline int gjb_float_leave(gjb_float_state saved)
{
    const gjb_float_state now = gjb_float_get();
#if defined(__x86_64__) || defined(__aarch64__)
    const int changed = !gjb_float_same(now, gjb_float_default());
#else
    const int changed = 0;
#endif
    if (!gjb_float_same(now, saved))
        gjb_float_set(saved);
    return changed;
}

#endif
