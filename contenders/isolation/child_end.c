/* How a process that was forked here ends. */
#include "contenders/isolation/child_private.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

/* What a contender forked goes too: it is of the child's process group. */
static void kill_group(pid_t pid)
{
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
}

/* One that has closed its socket may live on: it is given a second. */
int gjb_child_wait_for_end(pid_t pid, int killed)
{
    struct timespec pause = {0, 20000}; /* most are gone at once */
    int status = 0;
    for (long waited = 0; !killed && waited < 1000000000; waited += pause.tv_nsec) {
        if (waitpid(pid, &status, WNOHANG) == pid) {
            kill(-pid, SIGKILL);
            return status;
        }
        nanosleep(&pause, NULL);
        pause.tv_nsec += pause.tv_nsec < 1000000 ? pause.tv_nsec : 0;
    }
    kill_group(pid);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return killed ? status : status | GJB_LIVED_ON;
}
