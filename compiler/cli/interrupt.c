#include "interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static atomic_int interrupted; // the signal that asked for the end
static _Atomic time_t interrupted_at;

// The first signal ends the search in good order, a later one the program. What comes within a second is the
// same request: timeout(1), for one, signals a process and then its group.
static void interrupt(int signal_number)
{
    const int error = errno; // of the code that is interrupted
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    if (interrupted && t.tv_sec > interrupted_at + 1) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    if (!interrupted)
        interrupted_at = t.tv_sec;
    interrupted = signal_number;
    errno = error;
}

const atomic_int *interrupt_flag(void)
{
    return &interrupted;
}

void interrupt_catch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old, action = {.sa_handler = interrupt};
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
}

void interrupt_end(void)
{
    fflush(NULL);
    signal(interrupted, SIG_DFL);
    raise(interrupted);
}
