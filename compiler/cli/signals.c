// Signals that end the work of a command in good order.
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static atomic_int interrupted; // number of the signal
static _Atomic time_t interrupted_at;

// The first signal ends the search in good order, a later one the program. Signals within a second are the
// same request: timeout(1), for one, signals a process and then its group.
static void interrupt(int signal_number)
{
    const int error = errno; // of the interrupted code
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

const atomic_int *signals_catch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old, action = {.sa_handler = interrupt};
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
    return &interrupted;
}

void signals_end(void)
{
    if (!interrupted)
        return;
    fflush(NULL);
    signal(interrupted, SIG_DFL);
    raise(interrupted);
}
