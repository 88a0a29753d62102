/* intervals.c - see intervals.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/intervals.h"

#include <stdlib.h>
#include <string.h>

void polygpu_intervals_free(struct polygpu_intervals *of)
{
    free(of->items);
    memset(of, 0, sizeof *of);
}

/* Append what begins at the end of the last interval, or behind it. */
static bool append(struct polygpu_intervals *to, uintptr_t first, uintptr_t end)
{
    struct polygpu_interval *grown;
    size_t capacity;

    if (to->count && first == to->items[to->count - 1].end) {
        to->items[to->count - 1].end = end;
        return true;
    }
    if (to->count == POLYGPU_MAX_INTERVALS)
        return false;
    if (to->count == to->capacity) {
        capacity = to->capacity ? 2 * to->capacity : 4;
        grown = realloc(to->items, capacity * sizeof *grown);
        if (!grown)
            return false;
        to->items = grown;
        to->capacity = capacity;
    }
    to->items[to->count++] = (struct polygpu_interval){first, end};
    return true;
}

/* "to" becomes "made" if that was "ok", else the empty set. */
static bool replace(struct polygpu_intervals *to,
                    struct polygpu_intervals *made, bool ok)
{
    polygpu_intervals_free(to);
    if (ok)
        *to = *made;
    else
        polygpu_intervals_free(made);
    return ok;
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
    struct polygpu_intervals made = {0};
    size_t a = 0, b = 0;
    bool ok = true;

    if (contains(to, with))
        return true;
    while (ok && (a < to->count || b < with->count)) {
        bool from_to =
            b == with->count ||
            (a < to->count && to->items[a].first <= with->items[b].first);
        const struct polygpu_interval *next =
            from_to ? &to->items[a++] : &with->items[b++];

        ok = append_any(&made, next->first, next->end);
    }
    return replace(to, &made, ok);
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

bool polygpu_intervals_without(struct polygpu_intervals *to,
                               const struct polygpu_intervals *from,
                               const struct polygpu_intervals *without)
{
    struct polygpu_intervals made = {0};
    size_t i, at = 0;
    bool ok = true;

    for (i = 0; ok && i < from->count; ++i)
        ok = append_rest(&made, from->items[i].first, from->items[i].end,
                         without, &at);
    return replace(to, &made, ok);
}

bool polygpu_intervals_subtract(struct polygpu_intervals *to,
                                const struct polygpu_intervals *without)
{
    return !to->count || !without->count ||
           polygpu_intervals_without(to, to, without);
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
    struct polygpu_intervals made = {0};
    size_t i;
    bool ok = true;

    for (i = 0; ok && i < segments->count; ++i)
        ok = append_segment(&made, &segments->items[i], base, elem_size);
    if (ok && !is_ordered(&made))
        qsort(made.items, made.count, sizeof *made.items, compare);
    if (ok)
        join(&made);
    return replace(to, &made, ok);
}
