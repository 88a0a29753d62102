/* flush.c - see flush.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/flush.h"

#include "core/buffers.h"
#include "core/deferred.h"
#include "core/fallback.h"
#include "core/learnt.h"
#include "core/moves.h"
#include "core/pending.h"
#include "core/ranges.h"
#include "support/clock.h"
#include "support/env.h"
#include "support/gather.h"
#include "support/log.h"

#include <stdlib.h>
#include <string.h>

enum {
    SMALL = 8,     /* a part is small if that many fit, */
    FEW_BYTES = 64 /* or if it is a scalar or two, like a norm */
};

/* Bytes of a range in one copy, and the results among them. */
struct chunk {
    struct chunk *next;
    const struct polygpu_range *range;
    const struct polygpu_intervals *of;
    size_t begin, end; /* of these */
    uintptr_t first;
    size_t size, capacity;
    char *bytes;
};

/* Do deferred runs of this thread use it? */
static bool is_mine(const struct polygpu_range *r)
{
    return (r->newer.count > 0 || r->used.count > 0 || r->uncertain) &&
           r->owner == polygpu_deferred_owner();
}

/* The intervals from "begin" on that are copied together. */
static struct chunk *new_chunk(const struct polygpu_range *r,
                               const struct polygpu_intervals *of, size_t begin)
{
    const struct polygpu_interval *items = of->items;
    struct chunk *c = calloc(1, sizeof *c);
    size_t end = polygpu_moves_together(of, begin);

    if (!c)
        return NULL;
    c->range = r;
    c->of = of;
    c->begin = begin;
    c->end = end;
    c->first = items[begin].first;
    c->size = items[end - 1].end - c->first;
    c->bytes = polygpu_buffer_take(c->size, &c->capacity);
    if (c->bytes)
        return c;
    free(c);
    return NULL;
}

static bool bring(struct polygpu_run *run, const struct chunk *c)
{
    const struct polygpu_range *r = c->range;

    if (r->memory->device != run->device ||
        r->memory->generation != polygpu_generation(run->device))
        return polygpu_fail(&run->status, POLYGPU_CAUSE_LOST,
                            "the device has lost results");
    run->left.bytes += (double)c->size;
    ++run->left.number;
    return run->device->copy_out(run->session, c->bytes,
                                 r->address + (c->first - r->first), c->size,
                                 &run->status);
}

/* Copy bytes of a range to the host, but not yet to the program's memory. */
static bool bring_some(struct polygpu_run *run, const struct polygpu_range *r,
                       const struct polygpu_intervals *of,
                       struct chunk **chunks)
{
    size_t begin;

    for (begin = 0; begin < of->count; begin = (*chunks)->end) {
        struct chunk *c = new_chunk(r, of, begin);

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

/* All results. */
static bool bring_all(struct polygpu_run *run, struct chunk **chunks)
{
    const struct polygpu_range *r;
    bool ok = true;

    for (r = *polygpu_ranges(); ok && r; r = r->next)
        if (is_mine(r))
            ok = bring_some(run, r, &r->newer, chunks);
    return ok;
}

/* The results among a chunk's bytes; false without memory. */
static bool find_results(const struct chunk *c,
                         struct polygpu_segments *results)
{
    bool ok = true;
    size_t i;

    for (i = c->begin; ok && i < c->end; ++i) {
        const struct polygpu_interval *to = &c->of->items[i];

        ok = polygpu_segments_append(
            results,
            (struct polygpu_segment){(int64_t)(to->first - c->first),
                                     (int64_t)(to->end - to->first), 1});
    }
    return ok;
}

/* What has arrived goes to its places, whether or not there is memory. */
static void write_chunk(const struct chunk *c, uint64_t *bytes)
{
    struct polygpu_segments results = {0};
    struct polygpu_group group = {.last = (int64_t)c->size - 1};
    size_t i;

    if (find_results(c, &results)) {
        group.end = results.count;
        polygpu_scatter(&results, &group, c->first, 1, c->bytes);
    }
    for (i = c->begin; i < c->end; ++i) {
        const struct polygpu_interval *to = &c->of->items[i];

        if (!group.end)
            memcpy((void *)to->first, c->bytes + (to->first - c->first),
                   to->end - to->first);
        *bytes += to->end - to->first;
    }
    polygpu_segments_free(&results);
}

static void free_chunks(struct chunk *chunks)
{
    while (chunks) {
        struct chunk *next = chunks->next;

        polygpu_buffer_give(chunks->bytes, chunks->capacity);
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
            polygpu_intervals_clear(&r->newer);
            polygpu_intervals_clear(&r->used);
            r->uncertain = false;
        }
    polygpu_deferred_clear();
}

static bool copy_home(struct polygpu_run *run, void *unused)
{
    struct chunk *chunks = NULL, *c;
    bool ok = bring_all(run, &chunks);
    size_t n = 0;

    (void)unused;
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

/* "copy" in a run of the SCoP that was deferred last, which launches nothing.
 */
static bool with_run(const struct polygpu_device *device,
                     bool (*copy)(struct polygpu_run *run, void *context),
                     void *context, struct polygpu_status *status)
{
    struct polygpu_state *state;
    struct polygpu_scop *scop = polygpu_deferred_scop(&state);
    struct polygpu_run *run = polygpu_run_new(scop, state);
    double begun = polygpu_now();
    bool ok;

    if (!run)
        return polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                            "no host memory for results");
    ok = polygpu_run_start(run, device, &run->status) && copy(run, context);
    *status = run->status;
    run->stats.out_ms = run->stats.ms = polygpu_now() - begun;
    if (ok)
        polygpu_learn_out(&run->left, run->stats.out_ms);
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
        polygpu_intervals_free(&r->used);
        r->uncertain = false;
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
    polygpu_pending_forget();
    scop = polygpu_deferred_scop(&state);
    if (why)
        polygpu_fall_back(scop, state, why);
    forget();
    polygpu_deferred_replay();
}

static const struct polygpu_device *device_of_results(void)
{
    const struct polygpu_range *r = *polygpu_ranges();

    while (r && !(is_mine(r) && r->newer.count > 0))
        r = r->next;
    return r ? r->memory->device : NULL;
}

void polygpu_flush(void)
{
    struct polygpu_status status = {0};
    const struct polygpu_device *device;

    if (!polygpu_deferred_any())
        return;
    if (!polygpu_pending_wait(&status)) {
        polygpu_flush_spoilt(&status);
        return;
    }
    device = device_of_results();
    if (!device)
        settle();
    else if (!with_run(device, copy_home, NULL, &status))
        polygpu_flush_spoilt(&status);
}

/* ---- Parts -------------------------------------------------------------- */

/* What of a range a part has: all that deferred runs use, and of that what is
 * newer on the device; and what else of the range is newer. */
struct part {
    struct part *next;
    struct polygpu_range *range;
    struct polygpu_intervals used, newer, rest;
};

struct parts {
    uintptr_t first, end;
    struct part *list;
    bool write;
    bool noted; /* bytes are kept for deferred runs, and then changed */
};

static bool overlaps(const struct polygpu_range *r, const struct parts *p)
{
    return is_mine(r) && p->first < r->end && r->first < p->end;
}

/* Does all of it come with such a part?  Scalars are read one after the other,
 * and each copy takes longer than its bytes. */
static bool comes_along(const struct polygpu_range *r, const struct parts *p)
{
    return !p->write && p->end - p->first <= FEW_BYTES && is_mine(r) &&
           !r->uncertain && r->newer.count > 0 &&
           r->end - r->first <= FEW_BYTES;
}

/* Are the bytes few beside what they are of, which is known? */
static bool is_small(const struct parts *p)
{
    const struct polygpu_range *r;
    uint64_t bytes = 0, all = 0;

    for (r = *polygpu_ranges(); r; r = r->next)
        if (overlaps(r, p)) {
            uintptr_t first = r->first > p->first ? r->first : p->first;
            uintptr_t end = r->end < p->end ? r->end : p->end;

            if (r->uncertain)
                return false;
            bytes += end - first;
            all += r->end - r->first;
        }
    return all > 0 && (bytes <= FEW_BYTES || bytes * SMALL <= all) &&
           polygpu_deferred_parts(bytes);
}

static bool cut_out(struct polygpu_intervals *to,
                    const struct polygpu_intervals *of, uintptr_t first,
                    uintptr_t end)
{
    return polygpu_intervals_unite(to, of) &&
           polygpu_intervals_cut(to, 0, first) &&
           polygpu_intervals_cut(to, end, UINTPTR_MAX);
}

static bool find_parts(struct parts *p)
{
    struct polygpu_range *r;

    for (r = *polygpu_ranges(); r; r = r->next) {
        const bool whole = comes_along(r, p);
        const uintptr_t first = whole ? r->first : p->first;
        const uintptr_t end = whole ? r->end : p->end;
        struct part *part;

        if (!whole && !overlaps(r, p))
            continue;
        part = calloc(1, sizeof *part);
        if (!part)
            return false;
        part->range = r;
        part->next = p->list;
        p->list = part;
        if (!cut_out(&part->used, &r->used, first, end) ||
            !cut_out(&part->newer, &r->newer, first, end) ||
            !polygpu_intervals_unite(&part->rest, &r->newer) ||
            !polygpu_intervals_subtract(&part->rest, &part->newer))
            return false;
    }
    return true;
}

static void free_parts(struct part *part)
{
    while (part) {
        struct part *next = part->next;

        polygpu_intervals_free(&part->used);
        polygpu_intervals_free(&part->newer);
        polygpu_intervals_free(&part->rest);
        free(part);
        part = next;
    }
}

/* Keep what the host has for the deferred runs, which are computed from it. */
static bool note_parts(const struct parts *p)
{
    const struct part *part;
    size_t i;

    for (part = p->list; part; part = part->next)
        for (i = 0; i < part->used.count; ++i)
            if (!polygpu_deferred_note(&part->used.items[i], p->write))
                return false;
    return true;
}

/* Now the host has them, too. */
static void share(struct part *part)
{
    struct polygpu_range *r = part->range;

    polygpu_intervals_unite(&r->valid, &part->newer);
    polygpu_intervals_free(&r->newer);
    r->newer = part->rest;
    part->rest = (struct polygpu_intervals){0};
}

static bool copy_parts(struct polygpu_run *run, void *context)
{
    struct parts *p = context;
    struct chunk *chunks = NULL, *c;
    struct part *part;
    bool ok = true;

    for (part = p->list; ok && part; part = part->next)
        ok = bring_some(run, part->range, &part->newer, &chunks);
    p->noted = ok && note_parts(p);
    for (c = chunks; p->noted && c; c = c->next)
        write_chunk(c, &run->stats.bytes_out);
    for (part = p->list; p->noted && part; part = part->next)
        share(part);
    free_chunks(chunks);
    return ok;
}

bool polygpu_flush_part(uintptr_t first, uintptr_t end, bool write)
{
    struct parts p = {.first = first, .end = end, .write = write};
    struct polygpu_status status = {0};
    bool newer = false, ok;
    const struct part *part;

    if (!is_small(&p))
        return false;
    if (!polygpu_pending_wait(&status)) {
        polygpu_flush_spoilt(&status);
        return true;
    }
    ok = find_parts(&p);
    for (part = p.list; ok && part; part = part->next)
        newer |= part->newer.count > 0;
    if (ok && !newer)
        p.noted = note_parts(&p);
    else if (ok && !with_run(device_of_results(), copy_parts, &p, &status)) {
        polygpu_flush_spoilt(&status);
        p.noted = true;
    }
    free_parts(p.list);
    return p.noted;
}
