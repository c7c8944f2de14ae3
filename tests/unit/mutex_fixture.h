// Mutexes that are counted, for programs that include this: who unlocks one must have locked it.
#ifndef CQL_MUTEX_FIXTURE_H
#define CQL_MUTEX_FIXTURE_H

#include <dlfcn.h>
#include <pthread.h>
#include "test.h"

#include <stdatomic.h>

static _Thread_local int held_mutexes;
static atomic_int wrong_unlocks, lost_mutexes; // lost_mutexes: held now, by all threads

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    int (*const lock)(pthread_mutex_t *) = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    const int error = lock(mutex);
    held_mutexes += error == 0;
    lost_mutexes += error == 0;
    return error;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    int (*const unlock)(pthread_mutex_t *) =
        (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    wrong_unlocks += held_mutexes <= 0;
    held_mutexes--;
    lost_mutexes--;
    return unlock(mutex);
}

// The last test of a program.
static inline void test_mutexes(void **state)
{
    (void)state;
    assert_int_equal(atomic_load(&wrong_unlocks), 0);
    assert_int_equal(atomic_load(&lost_mutexes), 0);
}

#endif
