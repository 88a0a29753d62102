/* gather.h - polygpu_segments_gather and _scatter, by several threads where
 * there is much to copy.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_GATHER_H
#define POLYGPU_GATHER_H

#include "support/segments.h"

/* Bytes of elements that are much; a constant but for tests. */
extern size_t polygpu_gather_least;

void polygpu_gather(const struct polygpu_segments *segments,
                    const struct polygpu_group *group, uintptr_t base,
                    size_t elem_size, void *staging);
void polygpu_scatter(const struct polygpu_segments *segments,
                     const struct polygpu_group *group, uintptr_t base,
                     size_t elem_size, const void *staging);

#endif
