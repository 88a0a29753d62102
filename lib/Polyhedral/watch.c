/* watch.c - a limit of processor time for a step of the core.
 *
 * Counting isl's operations bounds most of what can go wrong, and does it the
 * same way on every machine.  It does not bound everything: with many
 * variables and large numbers one operation of the scheduler's integer
 * programming can take a thousand times as long as elsewhere (2,500 a second
 * were seen).  So a thread looks at the processor time of the one that works,
 * and makes isl give up when a step has used too much.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _POSIX_C_SOURCE 200809L
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { LOOK_EVERY_MS = 100 };

struct pg_watch {
    isl_ctx *ctx;
    clockid_t clock; /* processor time of the working thread */
    double deadline; /* on that clock, seconds */
    bool done, expired;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

static double seconds(clockid_t clock)
{
    struct timespec t = {0, 0};

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *look(void *user)
{
    struct pg_watch *w = user;

    pthread_mutex_lock(&w->mutex);
    while (!w->done) {
        struct timespec until;

        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK_EVERY_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&w->wake, &w->mutex, &until);
        if (!w->done && !w->expired && seconds(w->clock) > w->deadline) {
            w->expired = true;
            isl_ctx_abort(w->ctx);
        }
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

/* Watch the calling thread's work in "ctx" for "limit" seconds from now on.
 * NULL if no thread can be had: then only operations are counted.  With no
 * time at all isl fails at once.
 */
struct pg_watch *pg_watch_start(isl_ctx *ctx, double limit)
{
    struct pg_watch *w = calloc(1, sizeof(*w));

    if (!w)
        return NULL;
    w->ctx = ctx;
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->wake, NULL);
    if (pthread_getcpuclockid(pthread_self(), &w->clock) == 0) {
        w->deadline = seconds(w->clock) + limit;
        w->expired = limit <= 0;
        if (w->expired)
            isl_ctx_abort(ctx);
        if (pthread_create(&w->thread, NULL, &look, w) == 0)
            return w;
        isl_ctx_resume(ctx);
    }
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->mutex);
    free(w);
    return NULL;
}

/* Stop watching; true if time had run out. */
bool pg_watch_stop(struct pg_watch *w)
{
    bool expired;

    if (!w)
        return false;
    pthread_mutex_lock(&w->mutex);
    w->done = true;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->mutex);
    pthread_join(w->thread, NULL);
    expired = w->expired;
    if (expired)
        isl_ctx_resume(w->ctx);
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->mutex);
    free(w);
    return expired;
}
