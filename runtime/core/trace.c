/* trace.c - see trace.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/trace.h"

#include "support/clock.h"
#include "support/env.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t forks_watched = PTHREAD_ONCE_INIT;
static struct polygpu_event *events;
static uint64_t n_events, capacity, n_lost;

/* In the child of a fork: what happened before is the parent's to tell. */
static void after_fork(void)
{
    pthread_mutex_init(&lock, NULL);
    n_events = n_lost = 0;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, after_fork);
}

/* Have room for one more event. */
static bool grow(void)
{
    enum { FIRST = 1024 };
    uint64_t larger = capacity ? 2 * capacity : FIRST;
    struct polygpu_event *moved;

    if (n_events < capacity)
        return true;
    if (capacity >= POLYGPU_MAX_EVENTS)
        return false;
    moved = realloc(events, larger * sizeof *events);
    if (!moved)
        return false;
    events = moved;
    capacity = larger;
    return true;
}

void polygpu_trace(const struct polygpu_event *event)
{
    if (polygpu_env()->profile != POLYGPU_PROFILE_TRACE)
        return;
    pthread_once(&forks_watched, watch_forks);
    pthread_mutex_lock(&lock);
    if (grow()) {
        events[n_events] = *event;
        events[n_events++].thread = syscall(SYS_gettid);
    } else {
        ++n_lost;
    }
    pthread_mutex_unlock(&lock);
}

void polygpu_trace_run(const struct polygpu_state *state, double begun,
                       bool done)
{
    const struct polygpu_event event = {.kind = POLYGPU_EVENT_RUN,
                                        .begun = begun,
                                        .ended = polygpu_now(),
                                        .state = state,
                                        .done = done};

    polygpu_trace(&event);
}

/* By their beginning; those that enclose others first. */
static int compare(const void *left, const void *right)
{
    const struct polygpu_event *a = left, *b = right;

    if (a->begun != b->begun)
        return a->begun < b->begun ? -1 : 1;
    if (a->ended != b->ended)
        return a->ended > b->ended ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

struct polygpu_event *polygpu_trace_events(uint64_t *n, uint64_t *lost)
{
    pthread_mutex_lock(&lock);
    if (n_events)
        qsort(events, n_events, sizeof *events, compare);
    *n = n_events;
    *lost = n_lost;
    pthread_mutex_unlock(&lock);
    return events;
}
