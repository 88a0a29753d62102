/* ranges.c - see ranges.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/ranges.h"

#include "core/lock.h"
#include "core/prospects.h"

#include "support/device.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_once_t forks_watched = PTHREAD_ONCE_INIT;
static struct polygpu_range *ranges;
static bool any_range; /* of these, for a look without the lock, as is */
uint32_t polygpu_in_use;
static bool distrusted;

/* Where the ranges lie, for a look without the lock: with an odd version, or
 * one that changes meanwhile, nothing is known. */
enum { MOST_SEEN = 64 };
static struct {
    uint64_t version;
    size_t n; /* SIZE_MAX: too many */
    struct {
        uintptr_t first, end;
    } at[MOST_SEEN];
} seen;

/* In the child of a fork the device's memory is gone, or another one's. */
static void after_fork(void)
{
    ranges = NULL;
    any_range = false;
    polygpu_in_use = 0;
    polygpu_prospects_forget();
    seen.version = 0;
    seen.n = 0;
}

static void watch_forks(void)
{
    polygpu_lock_watch();
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
    polygpu_lock();
    if (__atomic_exchange_n(&distrusted, false, __ATOMIC_ACQUIRE))
        polygpu_ranges_cut(0, UINTPTR_MAX, NULL);
}

/* Does the list say what "seen" does? */
static bool is_seen(void)
{
    const struct polygpu_range *r;
    size_t i = 0;

    for (r = ranges; r && i < MOST_SEEN && i < seen.n; r = r->next, ++i)
        if (seen.at[i].first != r->first || seen.at[i].end != r->end)
            return false;
    return !r && i == seen.n;
}

static void show(void)
{
    const struct polygpu_range *r;
    uint64_t version = seen.version;
    size_t n = 0;

    if (is_seen())
        return;
    __atomic_store_n(&seen.version, version + 1, __ATOMIC_RELAXED);
    for (r = ranges; r && n < MOST_SEEN; r = r->next, ++n) {
        __atomic_store_n(&seen.at[n].first, r->first, __ATOMIC_RELEASE);
        __atomic_store_n(&seen.at[n].end, r->end, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&seen.n, r ? SIZE_MAX : n, __ATOMIC_RELEASE);
    __atomic_store_n(&seen.version, version + 2, __ATOMIC_RELEASE);
}

bool polygpu_ranges_overlap(uintptr_t first, uintptr_t end)
{
    uint64_t version = __atomic_load_n(&seen.version, __ATOMIC_ACQUIRE);
    size_t i, n = __atomic_load_n(&seen.n, __ATOMIC_ACQUIRE);

    if (version % 2 || n > MOST_SEEN || polygpu_prospects_any())
        return true;
    for (i = 0; i < n; ++i)
        if (__atomic_load_n(&seen.at[i].first, __ATOMIC_ACQUIRE) < end &&
            first < __atomic_load_n(&seen.at[i].end, __ATOMIC_ACQUIRE))
            return true;
    return __atomic_load_n(&seen.version, __ATOMIC_RELAXED) != version;
}

void polygpu_ranges_leave(void)
{
    const struct polygpu_range *r;
    bool any = polygpu_prospects_any();

    for (r = ranges; r && !any; r = r->next)
        any = r->valid.count > 0 || r->newer.count > 0;
    __atomic_store_n(&any_range, ranges != NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&polygpu_in_use, any, __ATOMIC_RELEASE);
    show();
    polygpu_unlock();
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
