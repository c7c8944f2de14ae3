#include "interrupt.h"

#include <stdio.h>
#include <time.h>

static volatile sig_atomic_t interrupted; // the signal that asked for the end
static volatile time_t interrupted_at;

// The first signal ends the search in good order, a later one the program. What comes within a second is the
// same request: timeout(1), for one, signals a process and then its group.
static void interrupt(int signal_number)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    if (interrupted && t.tv_sec > interrupted_at + 1) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    if (!interrupted)
        interrupted_at = t.tv_sec;
    interrupted = signal_number;
}

const volatile sig_atomic_t *interrupt_flag(void)
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
