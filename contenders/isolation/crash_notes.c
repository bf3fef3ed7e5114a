/* Signal and terminate handlers in a child that note the faulting access or the exception. */
#include "contenders/isolation/crash_notes.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static const gjb_crash_notes *own;

/* --- memory ------------------------------------------------------------------ */

/* If that is not known, every access counts as one: no access there is right. */
static int was_a_write(const void *context)
{
#if defined(__x86_64__)
    return (((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    (void)context;
    return 1;
#endif
}

static int inside(const gjb_range *range, const char *address)
{
    return (uintptr_t)address - (uintptr_t)range->begin < range->bytes;
}

/* The instruction runs again, and then ends the process. */
static void on_fault(int number, siginfo_t *info, void *context)
{
    if (was_a_write(context)) {
        const char *address = info->si_addr;
        for (int i = 0; i < GJB_FENCES; i++)
            if (inside(&own->fences[i], address))
                atomic_store(own->said, GJB_WROTE_OUTSIDE);
        if (inside(&own->inputs, address))
            atomic_store(own->said, GJB_WROTE_INPUT);
    }
    signal(number, SIG_DFL);
}

void gjb_crash_notes_watch(const gjb_crash_notes *notes)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    own = notes;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    gjb_crash_notes_watch_exceptions();
}

/* --- exceptions -------------------------------------------------------------- */

typedef void (*handler)(void);
static void *(*current_type)(void); /* abi::__cxa_current_exception_type (Itanium C++ ABI) */

/* A program terminates for other reasons too, with no exception around. */
static void on_terminate(void)
{
    if (current_type() != NULL)
        atomic_store(own->said, GJB_THREW);
    abort();
}

/* C has no cast from an object's address to a function's. */
static int find(void *library, const char *name, void *function, size_t size)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, size);
    return found != NULL;
}

static int watch_in(void *library)
{
    handler (*set)(handler);
    if (!find(library, "_ZSt13set_terminatePFvvE", &set, sizeof set) ||
        !find(library, "__cxa_current_exception_type", &current_type, sizeof current_type))
        return 0;
    set(on_terminate);
    return 1;
}

void gjb_crash_notes_watch_exceptions(void)
{
    static const char *const names[] = {"libstdc++.so.6", "libc++abi.so.1"};
    if (watch_in(RTLD_DEFAULT))
        return;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        void *library = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
        if (library != NULL && watch_in(library))
            return;
    }
}

gjb_mishap gjb_crash_notes_meaning(int said, int number)
{
    if (number == SIGSYS)
        return GJB_SIGNALLED_US;
    if (number == SIGABRT)
        return said == GJB_THREW ? GJB_THREW : GJB_ABORTED;
    if ((number == SIGSEGV || number == SIGBUS) && (said == GJB_WROTE_OUTSIDE || said == GJB_WROTE_INPUT))
        return (gjb_mishap)said;
    return GJB_CRASHED;
}
