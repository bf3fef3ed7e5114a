/* The fork server and its client: requests with descriptors over a socket, mappings made in the child. */
#include "contenders/isolation/fork_server.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contenders/isolation/child_private.h"
#include "contenders/isolation/signal_guard.h"

enum { MAPPINGS = 4, DESCRIPTORS = 1 + MAPPINGS };

/* What is asked: a child, with its socket and the files of its mappings next to it, or, if `pid` is one, how
 * that ended. Pointers lead to what was there when the server was forked, or into the mappings. */
typedef struct request {
    pid_t pid;
    int killed;
    struct gjb_child child;
    gjb_shared_scene shared;
} request;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    _Atomic int begun;
    pid_t pid;
    int socket;
} server = {0, 0, -1};

/* --- in the server ----------------------------------------------------------- */

static void collect(const request *r, gjb_mapping mappings[MAPPINGS])
{
    const gjb_mapping all[MAPPINGS] = {r->shared.mapping, r->child.talk.mapping, r->child.timed.mapping,
                                       r->child.results.mapping};
    memcpy(mappings, all, sizeof all);
}

static int map_all(gjb_mapping mappings[MAPPINGS], const int files[MAPPINGS])
{
    for (int i = 0; i < MAPPINGS; i++)
        if (gjb_mapping_again(&mappings[i], files[i]) != 0) {
            while (i-- > 0)
                munmap(mappings[i].base, mappings[i].bytes);
            return -1;
        }
    return 0;
}

/* A place may be taken: by what the asking process has let go of since. */
static pid_t start(request *r, const int descriptors[DESCRIPTORS], int socket)
{
    gjb_mapping mappings[MAPPINGS];
    collect(r, mappings);
    if (map_all(mappings, descriptors + 1) != 0)
        return -1;
    const pid_t self = getpid(), pid = fork();
    r->child.shared = &r->shared;
    if (pid == 0)
        gjb_child_serve(&r->child, socket, descriptors[0], self);
    for (int i = 0; i < MAPPINGS; i++)
        munmap(mappings[i].base, mappings[i].bytes);
    return pid;
}

typedef union room {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
} room;

/* Descriptors that came, 0 or DESCRIPTORS; -1 if the other end is gone. */
static int receive(int socket, request *r, int descriptors[DESCRIPTORS])
{
    room control;
    struct iovec whole = {r, sizeof *r};
    struct msghdr message = {
        .msg_iov = &whole, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t got;
    while ((got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        ;
    if (got != (ssize_t)sizeof *r)
        return -1;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head == NULL || head->cmsg_len != CMSG_LEN(DESCRIPTORS * sizeof(int)))
        return 0;
    memcpy(descriptors, CMSG_DATA(head), DESCRIPTORS * sizeof(int));
    return DESCRIPTORS;
}

static _Noreturn void serve(int socket, pid_t parent)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        signal(ignored[i], SIG_IGN);
    if (getppid() != parent)
        _exit(0);
    gjb_signal_guard_protect(parent);
    for (;;) {
        request r;
        int descriptors[DESCRIPTORS];
        const int came = receive(socket, &r, descriptors);
        if (came < 0)
            _exit(0);
        int answer = -1;
        if (r.pid != 0)
            answer = gjb_child_wait_for_end(r.pid, r.killed);
        else if (came == DESCRIPTORS)
            answer = start(&r, descriptors, socket);
        for (int i = 0; i < came; i++)
            close(descriptors[i]);
        if (send(socket, &answer, sizeof answer, MSG_NOSIGNAL) != (ssize_t)sizeof answer)
            _exit(0);
    }
}

/* --- in the process that asks ------------------------------------------------ */

static void begin(void)
{
    int ends[2];
    const char *wanted = getenv("GJKBENCH_FORK_SERVER");
    if ((wanted != NULL && strcmp(wanted, "no") == 0) ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        close(ends[0]);
        serve(ends[1], parent);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return;
    }
    server.pid = pid;
    server.socket = ends[0];
}

static void end(void)
{
    if (server.socket < 0)
        return;
    close(server.socket);
    server.socket = -1;
    while (waitpid(server.pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

void gjb_fork_server_begin(void)
{
    pthread_mutex_lock(&lock);
    if (server.begun++ == 0)
        begin();
    pthread_mutex_unlock(&lock);
}

void gjb_fork_server_end(void)
{
    pthread_mutex_lock(&lock);
    if (--server.begun == 0)
        end();
    pthread_mutex_unlock(&lock);
}

int gjb_fork_server_is_on(void)
{
    return server.begun > 0;
}

static int exchange(const struct msghdr *message, int otherwise)
{
    int answer = otherwise;
    ssize_t got = 0;
    pthread_mutex_lock(&lock);
    if (server.socket >= 0 && sendmsg(server.socket, message, MSG_NOSIGNAL) >= 0)
        while ((got = recv(server.socket, &answer, sizeof answer, 0)) < 0 && errno == EINTR)
            ;
    pthread_mutex_unlock(&lock);
    return got == (ssize_t)sizeof answer ? answer : otherwise;
}

pid_t gjb_fork_server_start(const struct gjb_child *child, int socket)
{
    room control = {.bytes = {0}};
    request r = {.child = *child, .shared = *child->shared};
    gjb_mapping mappings[MAPPINGS];
    int descriptors[DESCRIPTORS] = {socket};
    collect(&r, mappings);
    for (int i = 0; i < MAPPINGS; i++) {
        if (mappings[i].file < 0) /* from before it began */
            return -1;
        descriptors[1 + i] = mappings[i].file;
    }
    struct iovec whole = {&r, sizeof r};
    struct msghdr message = {
        .msg_iov = &whole, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof descriptors);
    memcpy(CMSG_DATA(head), descriptors, sizeof descriptors);
    return exchange(&message, -1);
}

int gjb_fork_server_wait_for_end(pid_t pid, int killed)
{
    request r = {.pid = pid, .killed = killed};
    struct iovec whole = {&r, sizeof r};
    const struct msghdr message = {.msg_iov = &whole, .msg_iovlen = 1};
    return exchange(&message, SIGKILL); /* with it, all that it forked has gone */
}
