// Starts and ends processes.
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/value/clock.h"

// Becomes the program; async-signal-safe.
static void become(char *const *argument, int in, int out, int err, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(err, STDERR_FILENO) < 0)
        _exit(127);
    // A connection that another thread has accepted just now may not be marked as close-on-exec yet.
    close_range(STDERR_FILENO + 1, ~0U, 0);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execv("/proc/self/exe", argument);
    _exit(127);
}

static void close_both(const int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

bool child_start(Child *c, char *const *argument, int in)
{
    int out[2] = {-1, -1}, err[2] = {-1, -1};
    const pid_t parent = getpid();
    c->id = pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0 ? fork() : -1;
    if (c->id == 0)
        become(argument, in, out[1], err[1], parent);
    const int error = errno;
    if (c->id < 0) {
        close_both(out);
        close_both(err);
        errno = error;
        return false;
    }
    setpgid(c->id, c->id); // here, too: it may be ended before it does so
    close(out[1]);
    close(err[1]);
    c->out = out[0];
    c->err = err[0];
    return true;
}

// True when the child has ended within the time.
static bool ends_within(const Child *c, double seconds)
{
    const double until = clock_now() + seconds;
    siginfo_t info;
    do {
        info.si_pid = 0;
        if (waitid(P_PID, (id_t)c->id, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0)
            return true;
        poll(NULL, 0, 2);
    } while (clock_now() < until);
    return false;
}

int child_end(Child *c, bool end)
{
    int status = 0;
    close(c->out);
    close(c->err);
    if (end) {
        kill(-c->id, SIGTERM);
        ends_within(c, 0.1);
        kill(-c->id, SIGKILL); // before its number can be that of another process
    }
    while (waitpid(c->id, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
