/* residency.h - device copies that outlive a run.
 *
 * A range is a piece of the host's memory with memory of the device, in which
 * arrays of runs are found by their addresses.  Of its bytes those that are
 * "valid" are the same on both sides: a run that reads them need not copy them.
 * They become valid when a run has read or written them, and are no more when
 * the host is about to write them (polygpu_touch).
 *
 * A range belongs to a scope, which is one activation of a function
 * (polygpu_keep_begin), and only that one's runs find it.  So what another
 * thread does, or a function that was left by longjmp, matters only where the
 * scope's own thread learns of it, and it touches everything before it can.
 *
 * In step with docs/contracts.md, "Residency".
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_RESIDENCY_H
#define POLYGPU_RESIDENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct polygpu_piece;
struct polygpu_run;

/* Find or make ranges for those arrays of a run that may be kept; they have
 * memory of the device then, and it is known what is to be copied there
 * ("in_pieces", "pieces").  The others are left alone. */
bool polygpu_residency_take(struct polygpu_run *run);

/* For the cost test, before that: how much of each array is on the device, and
 * there only? */
void polygpu_residency_look(struct polygpu_run *run);

/* A run that was declined would have had its arrays on the device: when its
 * loops have ended, what is touched is noted until the next look. */
void polygpu_residency_expect(struct polygpu_run *run);

/* An array with a range is about to be used as far as it is on the device. */
void polygpu_residency_use(struct polygpu_run *run, uint32_t array);

/* Give the ranges back, after all results were written to user memory ("done"),
 * or none.  What the run wrote to user memory beside its ranges is not valid
 * any more. */
void polygpu_residency_give(struct polygpu_run *run, bool done);

/* After the run's last kernel, in place of copying its results back: they stay
 * on the device, the run in the list of deferred.h, and the ranges are given
 * back.  False: they cannot. */
bool polygpu_residency_defer(struct polygpu_run *run);
/* Results of this thread come to the host; without "all" if they are many. */
void polygpu_residency_flush(bool all);

/* The process ends: ranges of activations that were left for good go. */
void polygpu_residency_end(void);

/* Memory of the device, for which ranges that no run uses go where there is
 * none.  NULL with the run's status. */
struct polygpu_piece *polygpu_residency_memory(struct polygpu_run *run,
                                               size_t size);

#endif
