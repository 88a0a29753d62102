/* ranges.c - see ranges.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/ranges.h"

#include "support/device.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t forks_watched = PTHREAD_ONCE_INIT;
static struct polygpu_range *ranges;
static bool any_range; /* of these, for a look without the lock, as is */
uint32_t polygpu_in_use;
static bool distrusted;

/* In the child of a fork the device's memory is gone, or another one's. */
static void after_fork(void)
{
    pthread_mutex_init(&lock, NULL);
    ranges = NULL;
    any_range = false;
    polygpu_in_use = 0;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, after_fork);
}

struct polygpu_range **polygpu_ranges(void)
{
    return &ranges;
}

void polygpu_ranges_cut(uintptr_t first, uintptr_t end,
                        const struct polygpu_range *own)
{
    struct polygpu_range *r;

    for (r = ranges; r; r = r->next)
        if (r != own && first < r->end && r->first < end)
            polygpu_intervals_cut(&r->valid, first, end);
}

void polygpu_ranges_enter(void)
{
    pthread_once(&forks_watched, watch_forks);
    pthread_mutex_lock(&lock);
    if (__atomic_exchange_n(&distrusted, false, __ATOMIC_ACQUIRE))
        polygpu_ranges_cut(0, UINTPTR_MAX, NULL);
}

void polygpu_ranges_leave(void)
{
    const struct polygpu_range *r;
    bool any = false;

    for (r = ranges; r && !any; r = r->next)
        any = r->valid.count > 0 || r->newer.count > 0;
    __atomic_store_n(&any_range, ranges != NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&polygpu_in_use, any, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
}

bool polygpu_ranges_any(void)
{
    return __atomic_load_n(&any_range, __ATOMIC_ACQUIRE);
}

bool polygpu_ranges_used(void)
{
    return __atomic_load_n(&polygpu_in_use, __ATOMIC_RELAXED);
}

void polygpu_ranges_distrust(void)
{
    __atomic_store_n(&distrusted, true, __ATOMIC_RELEASE);
}

void polygpu_ranges_drop(struct polygpu_range **link)
{
    struct polygpu_range *r = *link;

    *link = r->next;
    polygpu_pool_give(r->memory);
    polygpu_intervals_free(&r->valid);
    polygpu_intervals_free(&r->newer);
    polygpu_intervals_free(&r->used);
    free(r);
}

bool polygpu_range_is_needed(const struct polygpu_range *r)
{
    return r->users > 0 || r->newer.count > 0 || r->used.count > 0 ||
           r->uncertain;
}

unsigned polygpu_ranges_drop_idle(uint64_t scope)
{
    struct polygpu_range **link = &ranges;
    unsigned n = 0;

    while (*link) {
        if (polygpu_range_is_needed(*link) ||
            (scope && (*link)->scope != scope)) {
            link = &(*link)->next;
            continue;
        }
        polygpu_ranges_drop(link);
        ++n;
    }
    return n;
}
