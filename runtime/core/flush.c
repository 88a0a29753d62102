/* flush.c - see flush.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/flush.h"

#include "core/deferred.h"
#include "core/fallback.h"
#include "core/ranges.h"
#include "support/clock.h"
#include "support/env.h"
#include "support/log.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_GAP = 64 * 1024 }; /* bytes copied needlessly per copy saved */

/* Bytes of a range in one copy, and the results among them. */
struct chunk {
    struct chunk *next;
    const struct polygpu_range *range;
    size_t begin, end; /* of the intervals of "newer" */
    uintptr_t first;
    size_t size;
    char *bytes;
};

static bool is_mine(const struct polygpu_range *r)
{
    return r->newer.count > 0 && r->owner == polygpu_deferred_owner();
}

/* The intervals from "begin" on that are copied together. */
static struct chunk *new_chunk(const struct polygpu_range *r, size_t begin)
{
    const struct polygpu_interval *items = r->newer.items;
    struct chunk *c = calloc(1, sizeof *c);
    size_t end = begin + 1;

    if (!c)
        return NULL;
    while (end < r->newer.count &&
           items[end].first - items[end - 1].end <= MAX_GAP)
        ++end;
    c->range = r;
    c->begin = begin;
    c->end = end;
    c->first = items[begin].first;
    c->size = items[end - 1].end - c->first;
    c->bytes = malloc(c->size);
    if (c->bytes)
        return c;
    free(c);
    return NULL;
}

static bool bring(struct polygpu_run *run, const struct chunk *c)
{
    const struct polygpu_range *r = c->range;
    unsigned now = run->device->generation ? run->device->generation() : 0;

    if (r->memory->device != run->device || r->memory->generation != now)
        return polygpu_fail(&run->status, POLYGPU_CAUSE_LOST,
                            "the device has lost results");
    return run->device->copy_out(run->session, c->bytes,
                                 r->address + (c->first - r->first), c->size,
                                 &run->status);
}

/* Copy all results to the host, but not yet to the program's memory. */
static bool bring_all(struct polygpu_run *run, struct chunk **chunks)
{
    const struct polygpu_range *r;
    size_t begin;

    for (r = *polygpu_ranges(); r; r = r->next)
        for (begin = 0; is_mine(r) && begin < r->newer.count;
             begin = (*chunks)->end) {
            struct chunk *c = new_chunk(r, begin);

            if (!c)
                return polygpu_fail(&run->status, POLYGPU_CAUSE_MEMORY,
                                    "no host memory for results");
            c->next = *chunks;
            *chunks = c;
            if (!bring(run, c))
                return false;
        }
    return true;
}

static void write_chunk(const struct chunk *c, uint64_t *bytes)
{
    size_t i;

    for (i = c->begin; i < c->end; ++i) {
        const struct polygpu_interval *to = &c->range->newer.items[i];

        memcpy((void *)to->first, c->bytes + (to->first - c->first),
               to->end - to->first);
        *bytes += to->end - to->first;
    }
}

static void free_chunks(struct chunk *chunks)
{
    while (chunks) {
        struct chunk *next = chunks->next;

        free(chunks->bytes);
        free(chunks);
        chunks = next;
    }
}

/* What was newer is the same on both sides now. */
static void settle(void)
{
    struct polygpu_range *r;

    for (r = *polygpu_ranges(); r; r = r->next)
        if (is_mine(r)) {
            polygpu_intervals_unite(&r->valid, &r->newer);
            polygpu_intervals_free(&r->newer);
        }
    polygpu_deferred_clear();
}

static bool copy_home(struct polygpu_run *run)
{
    struct chunk *chunks = NULL, *c;
    bool ok = bring_all(run, &chunks);
    size_t n = 0;

    for (c = chunks; ok && c; c = c->next, ++n)
        write_chunk(c, &run->stats.bytes_out);
    free_chunks(chunks);
    if (ok) {
        POLYGPU_LOG("results come to the host: %llu bytes in %zu copies",
                    (unsigned long long)run->stats.bytes_out, n);
        settle();
    }
    return ok;
}

/* In a run of the SCoP that was deferred last, which launches nothing. */
static bool flush_by_copies(const struct polygpu_device *device,
                            struct polygpu_status *status)
{
    struct polygpu_state *state;
    struct polygpu_scop *scop = polygpu_deferred_scop(&state);
    struct polygpu_run *run = polygpu_run_new(scop, state);
    double begun = polygpu_now();
    bool ok;

    if (!run)
        return polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                            "no host memory for results");
    ok = polygpu_run_start(run, device, &run->status) && copy_home(run);
    *status = run->status;
    run->stats.out_ms = run->stats.ms = polygpu_now() - begun;
    if (polygpu_env()->profile)
        polygpu_state_count(state, &run->stats, NULL);
    if (run->session)
        polygpu_run_stop(run, ok);
    polygpu_run_free(run);
    return ok;
}

/* Ranges whose bytes on the device are those of nobody any more. */
static void forget(void)
{
    struct polygpu_range **link = polygpu_ranges();

    while (*link) {
        struct polygpu_range *r = *link;

        if (!is_mine(r)) {
            link = &r->next;
            continue;
        }
        polygpu_intervals_free(&r->valid);
        polygpu_intervals_free(&r->newer);
        if (r->users > 0)
            link = &r->next;
        else
            polygpu_ranges_drop(link);
    }
}

void polygpu_flush_spoilt(const struct polygpu_status *why)
{
    struct polygpu_state *state;
    struct polygpu_scop *scop;

    if (!polygpu_deferred_any())
        return;
    scop = polygpu_deferred_scop(&state);
    polygpu_fall_back(scop, state, why);
    forget();
    polygpu_deferred_replay();
}

static const struct polygpu_device *device_of_results(void)
{
    const struct polygpu_range *r = *polygpu_ranges();

    while (r && !is_mine(r))
        r = r->next;
    return r ? r->memory->device : NULL;
}

void polygpu_flush(void)
{
    struct polygpu_status status = {0};
    const struct polygpu_device *device;

    if (!polygpu_deferred_any())
        return;
    device = device_of_results();
    if (!device)
        polygpu_deferred_clear();
    else if (!flush_by_copies(device, &status))
        polygpu_flush_spoilt(&status);
}
