/* A filter of system calls (seccomp) that ends a process which signals the program that tests it. */
#include "contenders/isolation/signal_guard.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_CALLS AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_CALLS AUDIT_ARCH_AARCH64
#endif

enum { PROTECTED_MAX = 4 };
static pid_t protected_pids[PROTECTED_MAX];
static int protected_count;

void gjb_signal_guard_protect(pid_t pid)
{
    for (int i = 0; i < protected_count; i++)
        if (protected_pids[i] == pid)
            return;
    if (protected_count < PROTECTED_MAX)
        protected_pids[protected_count++] = pid;
}

#ifdef OWN_CALLS
enum { EVERYBODY = -1, RULES_MAX = 64 };

/* Calls whose first argument is a process, a thread or a group. */
static const uint32_t senders[] = {SYS_kill,           SYS_tkill,           SYS_tgkill,
                                   SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_open};

typedef struct rules {
    struct sock_filter list[RULES_MAX];
    uint16_t count;
} rules;

static void add(rules *r, uint16_t code, uint32_t number, uint8_t if_so, uint8_t if_not)
{
    r->list[r->count++] = (struct sock_filter)BPF_JUMP(code, number, if_so, if_not);
}

/* The low half of a little-endian number: process ids are no wider. */
static void load(rules *r, size_t at)
{
    add(r, BPF_LD | BPF_W | BPF_ABS, (uint32_t)at, 0, 0);
}

static void answer(rules *r, uint32_t action)
{
    add(r, BPF_RET | BPF_K, action, 0, 0);
}

/* A process whose group is its own is named once as itself and once, negative, as a group. */
static void make(rules *r)
{
    const uint8_t count = sizeof senders / sizeof *senders;
    load(r, offsetof(struct seccomp_data, arch));
    add(r, BPF_JMP | BPF_JEQ | BPF_K, OWN_CALLS, 1, 0);
    answer(r, SECCOMP_RET_ALLOW);
    load(r, offsetof(struct seccomp_data, nr));
    for (uint8_t i = 0; i < count; i++)
        add(r, BPF_JMP | BPF_JEQ | BPF_K, senders[i], (uint8_t)(count - i), 0);
    answer(r, SECCOMP_RET_ALLOW);
    load(r, offsetof(struct seccomp_data, args[0]));
    const uint8_t forbidden = (uint8_t)(1 + 2 * protected_count);
    uint8_t left = forbidden;
    add(r, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)EVERYBODY, left--, 0);
    for (int i = 0; i < protected_count; i++) {
        add(r, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)protected_pids[i], left--, 0);
        add(r, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)-getpgid(protected_pids[i]), left--, 0);
    }
    answer(r, SECCOMP_RET_ALLOW);
    answer(r, SECCOMP_RET_KILL_PROCESS);
}

void gjb_signal_guard_begin(pid_t parent)
{
    rules r = {.count = 0};
    gjb_signal_guard_protect(parent);
    make(&r);
    const struct sock_fprog program = {r.count, r.list};
    /* Without the flag some kernels would slow down all that runs behind a filter, and its times with it. */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
}
#else
void gjb_signal_guard_begin(pid_t parent)
{
    gjb_signal_guard_protect(parent);
}
#endif
