/* moves.h - what of its arrays a run accesses and copies.
 *
 * The emitted code tells it element by element, row by row, box by box.  A run
 * of the same SCoP with the same sizes would tell the same: it gets what the
 * last run that ended had, without being told (polygpu_known).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MOVES_H
#define POLYGPU_MOVES_H

#include "core/run.h"

/* polygpu_move; what is wrong becomes the run's status. */
void polygpu_moves_add(struct polygpu_run *run, uint32_t a, uint32_t dir,
                       struct polygpu_segment segment);
/* Has the run those of an earlier one now?  False: they have to be told. */
bool polygpu_moves_known(struct polygpu_run *run);
/* The run has all of them. */
void polygpu_moves_told(struct polygpu_run *run);
/* The bytes of the host that an array's moves in direction "dir" (POLYGPU_IN or
 * POLYGPU_OUT) are about, until the next move; NULL: too many intervals, or no
 * memory. */
const struct polygpu_intervals *polygpu_moves_bytes(struct polygpu_run *run,
                                                    uint32_t a, uint32_t dir);
/* Advance "group" (all zero before the first call) to the next one that is
 * copied at a time, of a sorted list; false after the last one. */
bool polygpu_moves_next(const struct polygpu_segments *segments,
                        size_t elem_size, struct polygpu_group *group);
/* Bytes of a group. */
size_t polygpu_moves_size(const struct polygpu_group *group, size_t elem_size);
/* The end of the intervals that are copied together with number "begin". */
size_t polygpu_moves_together(const struct polygpu_intervals *of, size_t begin);
/* Set an array's in_copies and out_copies. */
void polygpu_moves_count(struct polygpu_run *run, uint32_t a);
/* The run ends: keep what the next one may use. */
void polygpu_moves_keep(struct polygpu_run *run);

#endif
