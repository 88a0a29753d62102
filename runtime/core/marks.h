/* marks.h - which elements of an array kernels have really written.
 *
 * A kernel makes a store under a condition on data always; where the condition
 * does not hold it writes what was there.  The host must not see such writes:
 * beside the device copy of a flagged array is a byte for each element, which
 * is set where the condition holds, and of what is copied out only elements
 * with such a byte are written to user memory.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MARKS_H
#define POLYGPU_MARKS_H

#include "support/segments.h"

#include <stdbool.h>
#include <stdint.h>

struct polygpu_run;

/* Find how many marks there are; before arrays get memory of the device. */
void polygpu_marks_begin(struct polygpu_run *run);
/* Clear them; when all arrays have their memory. */
bool polygpu_marks_clear(struct polygpu_run *run);
/* Bring them to the host, when all kernels have ended. */
bool polygpu_marks_copy_out(struct polygpu_run *run);
/* Write the marked elements of a group of array a's "out" segments, which are
 * at "from", to user memory; the bytes. */
uint64_t polygpu_marks_scatter(struct polygpu_run *run, uint32_t a,
                               const struct polygpu_group *group,
                               const char *from);
/* Is an array of the run flagged? */
bool polygpu_marks_any(const struct polygpu_run *run);

#endif
