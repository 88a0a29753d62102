/* segments.c - see segments.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/segments.h"

#include <stdlib.h>
#include <string.h>

/* Set "last" to the index of the last element; false if it does not fit. */
bool polygpu_segment_last(const struct polygpu_segment *segment, int64_t *last)
{
    int64_t distance;

    return !__builtin_mul_overflow(segment->count - 1, segment->stride,
                                   &distance) &&
           !__builtin_add_overflow(segment->first, distance, last);
}

/* Append a segment of at least one element whose last index fits.  A
 * contiguous one that begins where the last one ends extends it.  Returns
 * false without memory. */
bool polygpu_segments_append(struct polygpu_segments *segments,
                             struct polygpu_segment segment)
{
    struct polygpu_segment *grown;
    struct polygpu_segment *tail;
    size_t capacity;

    if (segment.count == 1)
        segment.stride = 1;
    if (segments->count > 0) {
        tail = &segments->items[segments->count - 1];
        if (tail->stride == 1 && segment.stride == 1 &&
            segment.first - 1 == tail->first + (tail->count - 1)) {
            tail->count += segment.count;
            return true;
        }
        if (segment.first < tail->first)
            segments->unsorted = true;
    }
    if (segments->count == segments->capacity) {
        capacity = segments->capacity ? 2 * segments->capacity : 4;
        grown = realloc(segments->items, capacity * sizeof *grown);
        if (!grown)
            return false;
        segments->items = grown;
        segments->capacity = capacity;
    }
    segments->items[segments->count++] = segment;
    return true;
}

void polygpu_segments_free(struct polygpu_segments *segments)
{
    free(segments->items);
    memset(segments, 0, sizeof *segments);
}

static int compare(const void *left, const void *right)
{
    const struct polygpu_segment *a = left;
    const struct polygpu_segment *b = right;

    return (a->first > b->first) - (a->first < b->first);
}

/* Order the segments by their first element.  They mostly are already. */
void polygpu_segments_sort(struct polygpu_segments *segments)
{
    if (segments->unsorted)
        qsort(segments->items, segments->count, sizeof *segments->items,
              compare);
    segments->unsorted = false;
}

/* Does a group that has grown to "group" end before an element "first"? */
static bool ends_before(const struct polygpu_group *group, int64_t first,
                        int64_t max_gap, int64_t max_size)
{
    return first > group->last &&
           ((uint64_t)first - (uint64_t)group->last - 1 > (uint64_t)max_gap ||
            (uint64_t)group->last - (uint64_t)group->first >=
                (uint64_t)max_size);
}

/* Advance "group" (all zero before the first call) to the next group of a
 * sorted list.  It goes on as long as at most "max_gap" unused elements lie
 * before the next segment, and ends at the first opportunity after "max_size"
 * elements.  No two groups overlap.  Returns false after the last one. */
bool polygpu_segments_next(const struct polygpu_segments *segments,
                           int64_t max_gap, int64_t max_size,
                           struct polygpu_group *group)
{
    const struct polygpu_segment *segment;
    size_t i = group->end;
    int64_t last = 0;

    if (i >= segments->count)
        return false;
    segment = &segments->items[i];
    group->begin = i;
    group->first = segment->first;
    group->dense = segment->stride == 1;
    polygpu_segment_last(segment, &group->last);
    for (++i; i < segments->count; ++i) {
        segment = &segments->items[i];
        if (ends_before(group, segment->first, max_gap, max_size))
            break;
        if (segment->stride != 1 ||
            (segment->first > group->last && segment->first - 1 > group->last))
            group->dense = false;
        polygpu_segment_last(segment, &last);
        if (last > group->last)
            group->last = last;
    }
    group->end = i;
    return true;
}

/* The number of elements, those in several segments counted several times. */
uint64_t polygpu_segments_elements(const struct polygpu_segments *segments)
{
    uint64_t sum = 0;
    size_t i;

    for (i = 0; i < segments->count; ++i)
        sum += (uint64_t)segments->items[i].count;
    return sum;
}

/* Copy "count" elements from "from" to "to"; both advance by "step" bytes.
 * Each element is copied by itself: its neighbours may belong to another
 * thread. */
static void copy_strided(char *to, const char *from, int64_t count, size_t step,
                         size_t elem_size)
{
    int64_t i;

    switch (elem_size) {
    case 4:
        for (i = 0; i < count; ++i)
            memcpy(to + (size_t)i * step, from + (size_t)i * step, 4);
        break;
    case 8:
        for (i = 0; i < count; ++i)
            memcpy(to + (size_t)i * step, from + (size_t)i * step, 8);
        break;
    default:
        for (i = 0; i < count; ++i)
            memcpy(to + (size_t)i * step, from + (size_t)i * step, elem_size);
    }
}

static void copy_segment(const struct polygpu_segment *segment, char *to,
                         const char *from, size_t elem_size)
{
    if (segment->stride == 1)
        memcpy(to, from, (size_t)segment->count * elem_size);
    else
        copy_strided(to, from, segment->count,
                     (size_t)segment->stride * elem_size, elem_size);
}

/* Copy the group's elements from user memory, where element 0 is at "base",
 * to "staging", where element group->first is. */
void polygpu_segments_gather(const struct polygpu_segments *segments,
                             const struct polygpu_group *group, uintptr_t base,
                             size_t elem_size, void *staging)
{
    size_t i;

    for (i = group->begin; i < group->end; ++i) {
        const struct polygpu_segment *s = &segments->items[i];
        uintptr_t from = base + (uintptr_t)s->first * elem_size;
        size_t offset = (size_t)(s->first - group->first) * elem_size;

        copy_segment(s, (char *)staging + offset, (const char *)from,
                     elem_size);
    }
}

/* The way back: exactly the group's elements are written to user memory. */
void polygpu_segments_scatter(const struct polygpu_segments *segments,
                              const struct polygpu_group *group, uintptr_t base,
                              size_t elem_size, const void *staging)
{
    size_t i;

    for (i = group->begin; i < group->end; ++i) {
        const struct polygpu_segment *s = &segments->items[i];
        uintptr_t to = base + (uintptr_t)s->first * elem_size;
        size_t offset = (size_t)(s->first - group->first) * elem_size;

        copy_segment(s, (char *)to, (const char *)staging + offset, elem_size);
    }
}
