// Signals that end the work of a command in good order, and a limit for the time of a compilation.
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/database/database.h"
#include "runtime/search/search.h"

static atomic_int interrupted; // number of the signal
static _Atomic time_t interrupted_at;
static atomic_bool caught;      // signals_catch was called
static char limit_message[128]; // of limit_begin

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

// Async-signal-safe.
static void end_by_limit(void)
{
    const ssize_t written = write(STDERR_FILENO, limit_message, strlen(limit_message));
    (void)written;
    _exit(STATUS_GAME_ERRORS);
}

static void reach_limit(int signal_number)
{
    if (!caught)
        end_by_limit();
    interrupt(signal_number);
}

const atomic_int *signals_catch(void)
{
    caught = true;
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
    if (interrupted == SIGALRM)
        end_by_limit();
    signal(interrupted, SIG_DFL);
    raise(interrupted);
}

static void end_by_short_file(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    static const char message[] = "cqlgen: a database became shorter while it was read\n";
    if (info->si_code != BUS_ADRERR) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
        return;
    }
    const ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(STATUS_INPUT);
}

void signals_catch_short_files(void)
{
    const struct sigaction action = {.sa_sigaction = end_by_short_file, .sa_flags = SA_SIGINFO};
    if (sigaction(SIGBUS, &action, NULL) == 0)
        database_map_files();
}

void limit_begin(int64_t seconds)
{
    if (seconds == 0)
        return;
    snprintf(limit_message, sizeof limit_message,
             "cqlgen: --max-seconds %lld ended the compilation; nothing was searched or written\n",
             (long long)seconds);
    const struct sigaction action = {.sa_handler = reach_limit};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_sec = (time_t)seconds}, NULL);
}

double limit_end(void)
{
    struct itimerval left = {0};
    if (limit_message[0] == 0)
        return 0;
    setitimer(ITIMER_REAL, &(struct itimerval){0}, &left);
    const double seconds = (double)left.it_value.tv_sec + (double)left.it_value.tv_usec / 1e6;
    return seconds > 0 ? seconds : 1e-6;
}
