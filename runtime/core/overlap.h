/* overlap.h - copies of a run beside its kernels.
 *
 * An array is copied to the device before the first kernel that has it, while
 * those before may still run.  Results that no kernel has had for a while are
 * copied back while the last kernels run, though not yet to user memory: that
 * is done when all kernels have succeeded.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_OVERLAP_H
#define POLYGPU_OVERLAP_H

#include <stdbool.h>
#include <stdint.h>

struct polygpu_run;

/* After polygpu_upload.  What is to be copied to memory that runs which nobody
 * has waited for (pending.h) do not have is copied while they go on. */
bool polygpu_overlap_begin(struct polygpu_run *run);
/* Before each launch. */
bool polygpu_overlap_launch(struct polygpu_run *run, uint32_t kernel);
/* After the last one, before it is waited for. */
bool polygpu_overlap_end(struct polygpu_run *run);
/* After that: may the run end without a wait for its kernels, if its time is
 * not wanted? */
bool polygpu_overlap_may_leave(const struct polygpu_run *run);

#endif
