/* segments.h - the elements of one array that move in one direction.
 *
 * A list of runs first, first + stride, ..., in elements from the array's
 * base.  Copies walk the list in groups: neighbours in memory whose gaps are
 * too small to be worth a transfer of their own.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SEGMENTS_H
#define POLYGPU_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct polygpu_segment {
    int64_t first, count, stride;
};

struct polygpu_segments {
    struct polygpu_segment *items;
    size_t count, capacity;
    bool unsorted;
};

/* Segments begin .. end - 1 of a sorted list; all their elements lie in
 * first .. last, and are all of these when "dense". */
struct polygpu_group {
    size_t begin, end;
    int64_t first, last;
    bool dense;
};

bool polygpu_segment_last(const struct polygpu_segment *segment, int64_t *last);
bool polygpu_segments_append(struct polygpu_segments *segments,
                             struct polygpu_segment segment);
void polygpu_segments_free(struct polygpu_segments *segments);
void polygpu_segments_sort(struct polygpu_segments *segments);
bool polygpu_segments_next(const struct polygpu_segments *segments,
                           int64_t max_gap, int64_t max_size,
                           struct polygpu_group *group);
uint64_t polygpu_segments_elements(const struct polygpu_segments *segments);
void polygpu_segments_gather(const struct polygpu_segments *segments,
                             const struct polygpu_group *group, uintptr_t base,
                             size_t elem_size, void *staging);
void polygpu_segments_scatter(const struct polygpu_segments *segments,
                              const struct polygpu_group *group, uintptr_t base,
                              size_t elem_size, const void *staging);

#endif
