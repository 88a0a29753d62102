/* gather.c - see gather.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/gather.h"

#include "support/workers.h"

#include <pthread.h>
#include <string.h>

/* One thread takes 0.1 to 0.5 ms for so much, some times what waking others
 * does. */
size_t polygpu_gather_least = 4 * 1024 * 1024;

enum {
    PIECE = 128 * 1024, /* bytes that a thread takes at once */
    MOST_PROBES = 16,   /* one of so many elements: the caller copies those */
    PAGE = 4096
};

/* Element number "element" of a segment: all before it have been taken. */
struct position {
    size_t segment;
    int64_t element;
};

struct work {
    const struct polygpu_segments *segments;
    const struct polygpu_group *group;
    uintptr_t base;
    size_t elem_size;
    char *staging;
    bool scatter;
    pthread_mutex_t lock;
    struct position next; /* under the lock */
};

/* Copy some elements of one segment. */
static void copy_part(const struct work *work, struct polygpu_segment part)
{
    const struct polygpu_segments one = {.items = &part, .count = 1};
    struct polygpu_group group = *work->group;

    group.begin = 0;
    group.end = 1;
    if (work->scatter)
        polygpu_segments_scatter(&one, &group, work->base, work->elem_size,
                                 work->staging);
    else
        polygpu_segments_gather(&one, &group, work->base, work->elem_size,
                                work->staging);
}

/* Of the segment that "from" is in, at most "most" elements; "from" goes behind
 * them. */
static struct polygpu_segment part_at(const struct work *work,
                                      struct position *from, int64_t most)
{
    const struct polygpu_segment *s = &work->segments->items[from->segment];
    struct polygpu_segment part = {s->first + from->element * s->stride,
                                   s->count - from->element, s->stride};

    if (part.count > most) {
        part.count = most;
        from->element += most;
    } else {
        ++from->segment;
        from->element = 0;
    }
    return part;
}

/* Where a piece that nobody has begins, and the elements it has at most. */
static int64_t take(struct work *work, struct position *from)
{
    int64_t left = (int64_t)(PIECE / work->elem_size), taken = left;

    pthread_mutex_lock(&work->lock);
    *from = work->next;
    while (left > 0 && work->next.segment < work->group->end)
        left -= part_at(work, &work->next, left).count;
    pthread_mutex_unlock(&work->lock);
    return taken - left;
}

static void copy_pieces(void *context, unsigned number)
{
    struct work *work = context;
    struct position at;
    int64_t left;

    (void)number;
    while ((left = take(work, &at)) > 0)
        while (left > 0) {
            struct polygpu_segment part = part_at(work, &at, left);

            copy_part(work, part);
            left -= part.count;
        }
}

/* Of every so many elements of a segment each page has one. */
static int64_t per_page(const struct work *work,
                        const struct polygpu_segment *segment)
{
    size_t step = (size_t)segment->stride * work->elem_size;

    return step < PAGE ? (int64_t)(PAGE / step) : 1;
}

/* Copy an element of each page, so that it is this thread that notices what
 * cannot be read or written. */
static void probe(const struct work *work)
{
    size_t i;

    for (i = work->group->begin; i < work->group->end; ++i) {
        struct polygpu_segment s = work->segments->items[i], some = s;
        int64_t n = per_page(work, &s);

        some.stride *= n;
        some.count = (s.count - 1) / n + 1;
        copy_part(work, some);
        some.first = s.first + (s.count - 1) * s.stride;
        some.count = 1;
        copy_part(work, some);
    }
}

/* Is there enough to copy, beside what has to be probed? */
static bool is_worth_it(const struct work *work)
{
    uint64_t elements = 0, probes = 0;
    size_t i;

    for (i = work->group->begin; i < work->group->end; ++i) {
        const struct polygpu_segment *s = &work->segments->items[i];

        elements += (uint64_t)s->count;
        probes += (uint64_t)(s->count / per_page(work, s)) + 2;
    }
    return elements >= polygpu_gather_least / work->elem_size &&
           elements / MOST_PROBES >= probes && polygpu_workers() > 1;
}

/* Elements in several segments are copied several times, perhaps at once, and
 * always the same bytes. */
static void copy(struct work *work)
{
    if (is_worth_it(work)) {
        work->next.segment = work->group->begin;
        pthread_mutex_init(&work->lock, NULL);
        probe(work);
        polygpu_workers_run(copy_pieces, work);
        pthread_mutex_destroy(&work->lock);
    } else if (work->scatter) {
        polygpu_segments_scatter(work->segments, work->group, work->base,
                                 work->elem_size, work->staging);
    } else {
        polygpu_segments_gather(work->segments, work->group, work->base,
                                work->elem_size, work->staging);
    }
}

void polygpu_gather(const struct polygpu_segments *segments,
                    const struct polygpu_group *group, uintptr_t base,
                    size_t elem_size, void *staging)
{
    struct work work = {.segments = segments,
                        .group = group,
                        .base = base,
                        .elem_size = elem_size,
                        .staging = staging};

    copy(&work);
}

void polygpu_scatter(const struct polygpu_segments *segments,
                     const struct polygpu_group *group, uintptr_t base,
                     size_t elem_size, const void *staging)
{
    struct work work = {.segments = segments,
                        .group = group,
                        .base = base,
                        .elem_size = elem_size,
                        .staging = (char *)(uintptr_t)staging,
                        .scatter = true};

    copy(&work);
}
