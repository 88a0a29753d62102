/* intervals.c - see intervals.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/intervals.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 4, MOST_KEPT = 256 /* intervals of a buffer */ };

void polygpu_intervals_free(struct polygpu_intervals *of)
{
    free(of->items);
    memset(of, 0, sizeof *of);
}

void polygpu_intervals_clear(struct polygpu_intervals *of)
{
    if (of->capacity > MOST_KEPT)
        polygpu_intervals_free(of);
    of->count = 0;
}

/* Have room for "count" intervals. */
static bool reserve(struct polygpu_intervals *of, size_t count)
{
    size_t capacity = of->capacity ? of->capacity : LEAST;
    struct polygpu_interval *grown;

    if (count <= of->capacity)
        return true;
    while (capacity < count)
        capacity *= 2;
    grown = realloc(of->items, capacity * sizeof *grown);
    if (!grown)
        return false;
    of->items = grown;
    of->capacity = capacity;
    return true;
}

/* Append what begins at the end of the last interval, or behind it. */
static bool append(struct polygpu_intervals *to, uintptr_t first, uintptr_t end)
{
    if (to->count && first == to->items[to->count - 1].end) {
        to->items[to->count - 1].end = end;
        return true;
    }
    if (to->count == POLYGPU_MAX_INTERVALS || !reserve(to, to->count + 1))
        return false;
    to->items[to->count++] = (struct polygpu_interval){first, end};
    return true;
}

/* The set is empty if what was to be done with it was not "ok". */
static bool settle(struct polygpu_intervals *to, bool ok)
{
    if (!ok)
        polygpu_intervals_free(to);
    return ok;
}

/* Empty the set, whose intervals go to the end of its buffer, with room for
 * "more" in front of them: what is appended reaches none of them before as many
 * have been read, as long as each gives one, and "more" are given besides.
 * NULL without memory. */
static const struct polygpu_interval *move_up(struct polygpu_intervals *of,
                                              size_t more)
{
    if (!reserve(of, of->count + more))
        return NULL;
    memmove(of->items + more, of->items, of->count * sizeof *of->items);
    of->count = 0;
    return of->items + more;
}

/* Append an interval that begins no earlier than all before it. */
static bool append_any(struct polygpu_intervals *to, uintptr_t first,
                       uintptr_t end)
{
    struct polygpu_interval *tail = to->items;

    if (!to->count || first > (tail += to->count - 1)->end)
        return append(to, first, end);
    if (end > tail->end)
        tail->end = end;
    return true;
}

/* Does "of" have all bytes of "part"? */
static bool contains(const struct polygpu_intervals *of,
                     const struct polygpu_intervals *part)
{
    size_t a = 0, b;

    for (b = 0; b < part->count; ++b) {
        while (a < of->count && of->items[a].end <= part->items[b].first)
            ++a;
        if (a == of->count || of->items[a].first > part->items[b].first ||
            of->items[a].end < part->items[b].end)
            return false;
    }
    return true;
}

bool polygpu_intervals_unite(struct polygpu_intervals *to,
                             const struct polygpu_intervals *with)
{
    const struct polygpu_interval *own;
    size_t a = 0, b = 0, n = to->count;
    bool ok = true;

    if (contains(to, with))
        return true;
    own = move_up(to, with->count);
    while (own && ok && (a < n || b < with->count)) {
        bool from_own =
            b == with->count || (a < n && own[a].first <= with->items[b].first);
        const struct polygpu_interval *next =
            from_own ? &own[a++] : &with->items[b++];

        ok = append_any(to, next->first, next->end);
    }
    return settle(to, own && ok);
}

/* Append what is left of first .. end - 1 without the intervals from number
 * "at" on; returns the number of the first that ends behind it. */
static bool append_rest(struct polygpu_intervals *to, uintptr_t first,
                        uintptr_t end, const struct polygpu_intervals *without,
                        size_t *at)
{
    bool ok = true;

    while (*at < without->count && without->items[*at].end <= first)
        ++*at;
    while (ok && first < end) {
        const struct polygpu_interval *hole =
            *at < without->count ? &without->items[*at] : NULL;

        if (!hole || hole->first >= end)
            return append(to, first, end);
        if (hole->first > first)
            ok = append(to, first, hole->first);
        first = hole->end;
        if (hole->end <= end)
            ++*at;
    }
    return ok;
}

/* Append to "to" what "n" intervals have without those of a set. */
static bool append_without(struct polygpu_intervals *to,
                           const struct polygpu_interval *items, size_t n,
                           const struct polygpu_intervals *without)
{
    size_t i, at = 0;
    bool ok = true;

    for (i = 0; ok && i < n; ++i)
        ok = append_rest(to, items[i].first, items[i].end, without, &at);
    return ok;
}

bool polygpu_intervals_without(struct polygpu_intervals *to,
                               const struct polygpu_intervals *from,
                               const struct polygpu_intervals *without)
{
    to->count = 0;
    return settle(to, append_without(to, from->items, from->count, without));
}

bool polygpu_intervals_subtract(struct polygpu_intervals *to,
                                const struct polygpu_intervals *without)
{
    const struct polygpu_interval *own;
    size_t n = to->count;

    if (!n || !without->count)
        return true;
    own = move_up(to, without->count);
    return settle(to, own && append_without(to, own, n, without));
}

bool polygpu_intervals_cut(struct polygpu_intervals *to, uintptr_t first,
                           uintptr_t end)
{
    struct polygpu_interval hole = {first, end};
    struct polygpu_intervals without = {&hole, 1, 1};

    return first >= end || polygpu_intervals_subtract(to, &without);
}

uint64_t polygpu_intervals_bytes(const struct polygpu_intervals *of)
{
    uint64_t sum = 0;
    size_t i;

    for (i = 0; i < of->count; ++i)
        sum += of->items[i].end - of->items[i].first;
    return sum;
}

uint64_t polygpu_intervals_common(const struct polygpu_intervals *const of[],
                                  size_t n)
{
    size_t at[POLYGPU_MOST_COMMON] = {0}, i;
    uint64_t sum = 0;

    for (;;) {
        uintptr_t first = 0, end = UINTPTR_MAX;
        size_t least = 0; /* the one whose interval ends first */

        for (i = 0; i < n; ++i) {
            const struct polygpu_interval *next = &of[i]->items[at[i]];

            if (at[i] == of[i]->count)
                return sum;
            first = next->first > first ? next->first : first;
            if (next->end <= end) {
                end = next->end;
                least = i;
            }
        }
        sum += first < end ? end - first : 0;
        ++at[least];
    }
}

static int compare(const void *left, const void *right)
{
    const struct polygpu_interval *a = left, *b = right;

    return (a->first > b->first) - (a->first < b->first);
}

static bool is_ordered(const struct polygpu_intervals *of)
{
    size_t i;

    for (i = 1; i < of->count; ++i)
        if (of->items[i].first < of->items[i - 1].first)
            return false;
    return true;
}

/* Join those of an ordered list that overlap or touch. */
static void join(struct polygpu_intervals *of)
{
    size_t i, n = 0;

    for (i = 1; i < of->count; ++i) {
        if (of->items[i].first > of->items[n].end)
            of->items[++n] = of->items[i];
        else if (of->items[i].end > of->items[n].end)
            of->items[n].end = of->items[i].end;
    }
    if (of->count)
        of->count = n + 1;
}

/* Append the intervals of a segment; segments may interleave. */
static bool append_segment(struct polygpu_intervals *to,
                           const struct polygpu_segment *s, uintptr_t base,
                           size_t elem_size)
{
    uintptr_t first = base + (uintptr_t)s->first * elem_size;
    size_t step = (size_t)s->stride * elem_size;
    int64_t i;
    bool ok = true;

    if (s->stride == 1)
        return append(to, first, first + (size_t)s->count * elem_size);
    for (i = 0; ok && i < s->count; ++i)
        ok = append(to, first + (size_t)i * step,
                    first + (size_t)i * step + elem_size);
    return ok;
}

bool polygpu_intervals_of(struct polygpu_intervals *to,
                          const struct polygpu_segments *segments,
                          uintptr_t base, size_t elem_size)
{
    size_t i;
    bool ok = true;

    to->count = 0;
    for (i = 0; ok && i < segments->count; ++i)
        ok = append_segment(to, &segments->items[i], base, elem_size);
    if (ok && !is_ordered(to))
        qsort(to->items, to->count, sizeof *to->items, compare);
    if (ok)
        join(to);
    return settle(to, ok);
}
