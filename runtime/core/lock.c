/* lock.c - see lock.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/lock.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t forks_watched = PTHREAD_ONCE_INIT;

/* How often this thread has it. */
static _Thread_local unsigned held __attribute__((tls_model("initial-exec")));

static void after_fork(void)
{
    pthread_mutex_init(&lock, NULL);
    held = 0;
}

static void watch(void)
{
    pthread_atfork(NULL, NULL, after_fork);
}

void polygpu_lock_watch(void)
{
    pthread_once(&forks_watched, watch);
}

void polygpu_lock(void)
{
    if (held == 0)
        pthread_mutex_lock(&lock);
    ++held;
}

void polygpu_unlock(void)
{
    if (--held == 0)
        pthread_mutex_unlock(&lock);
}

bool polygpu_try_lock(void)
{
    if (held == 0 && pthread_mutex_trylock(&lock) != 0)
        return false;
    ++held;
    return true;
}
