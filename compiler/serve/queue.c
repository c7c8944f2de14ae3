// The turns of searches: few run at once, some wait.
#include "internal.h"

#include <time.h>

enum { MOST_WAITING = 64, TICK = 20 }; // milliseconds between two looks at the client

bool queue_enter(Request *r)
{
    Server *s = r->server;
    pthread_mutex_lock(&s->mutex);
    r->admitted = s->admitted < s->most + MOST_WAITING;
    s->admitted += r->admitted;
    pthread_mutex_unlock(&s->mutex);
    return r->admitted ||
           request_fail(r, 503, NULL, "too many searches are waiting; try again in some seconds");
}

bool queue_wait(Request *r)
{
    Server *s = r->server;
    pthread_mutex_lock(&s->mutex);
    while (s->running >= s->most && !r->gone) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += TICK * 1000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&s->changed, &s->mutex, &until);
        pthread_mutex_unlock(&s->mutex);
        request_is_gone(r, 0);
        pthread_mutex_lock(&s->mutex);
    }
    r->running = !r->gone;
    s->running += r->running;
    pthread_mutex_unlock(&s->mutex);
    return r->running;
}

void queue_pause(Request *r)
{
    Server *s = r->server;
    pthread_mutex_lock(&s->mutex);
    s->running -= r->running;
    r->running = false;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

void queue_leave(Request *r)
{
    Server *s = r->server;
    queue_pause(r);
    pthread_mutex_lock(&s->mutex);
    s->admitted -= r->admitted;
    r->admitted = false;
    pthread_mutex_unlock(&s->mutex);
}
