/* shadow.h - what the emulated device remembers of each element, in a run of
 * kernels that were compiled with checks.
 *
 * For every element of the arrays' device copies and every byte of a block's
 * shared memory: whether the host announced it (polygpu_move), whether
 * anything was copied or written to it, and who read and wrote it last.  The
 * first error becomes the run's status; what follows is not looked at.
 *
 * Two accesses of one launch are ordered if the same thread makes them, or if
 * threads of one block do with a barrier between.  All other pairs of which
 * one writes are races, whatever happened to come first here; two atomic
 * operations are not.
 *
 * The bytes that an asynchronous copy goes to are written when it is asked for
 * and once more when its thread has waited for it.  In between nobody may
 * access them.  What it reads is read at both times, and nobody may write it in
 * between.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SHADOW_H
#define POLYGPU_SHADOW_H

#include "emulated/async_copy.h"
#include "support/device.h"
#include "support/segments.h"

struct polygpu_shadow;

struct polygpu_shadow *polygpu_shadow_new(const struct polygpu_scop *scop,
                                          struct polygpu_status *status);
void polygpu_shadow_free(struct polygpu_shadow *shadow);

/* Elements of an array that polygpu_move announced, before the array's
 * polygpu_shadow_alloc. */
bool polygpu_shadow_announce(struct polygpu_shadow *shadow, uint32_t array,
                             uint32_t dir,
                             const struct polygpu_segment *segment,
                             struct polygpu_status *status);
/* The device copy of an array: "size" bytes from element "first" on. */
bool polygpu_shadow_alloc(struct polygpu_shadow *shadow, uint32_t array,
                          int64_t first, size_t size, uintptr_t address,
                          struct polygpu_status *status);
void polygpu_shadow_copied_in(struct polygpu_shadow *shadow, uintptr_t address,
                              size_t size);

/* Begin a launch, whose accesses are counted in "stats" unless NULL; then one
 * block after another, each up to the barriers that all its threads have
 * reached; end it. */
bool polygpu_shadow_launch(struct polygpu_shadow *shadow, uint32_t kernel,
                           void *const *args,
                           struct polygpu_access_stats *stats,
                           struct polygpu_status *status);
void polygpu_shadow_block(struct polygpu_shadow *shadow,
                          const struct polygpu_thread *block);
void polygpu_shadow_barrier(struct polygpu_shadow *shadow);
/* All blocks of the launch have met: what follows is ordered behind what they
 * did. */
void polygpu_shadow_met(struct polygpu_shadow *shadow);
void polygpu_shadow_launched(struct polygpu_shadow *shadow);
bool polygpu_shadow_failed(const struct polygpu_shadow *shadow);

/* One access; returns the address to use, which is harmless after an error. */
void *polygpu_shadow_access(struct polygpu_shadow *shadow,
                            const struct polygpu_thread *self, void *address,
                            const struct polygpu_access *access);

/* An asynchronous copy: when it is asked for, and when it has been waited for,
 * which follows only if the first returned true.  False: it must not be done.
 */
bool polygpu_shadow_copy(struct polygpu_shadow *shadow,
                         const struct polygpu_thread *self,
                         struct polygpu_async_copy *copy);
bool polygpu_shadow_copied(struct polygpu_shadow *shadow,
                           const struct polygpu_thread *self,
                           const struct polygpu_async_copy *copy);

/* After the last launch: is everything right that will be copied out? */
bool polygpu_shadow_results(struct polygpu_shadow *shadow,
                            struct polygpu_status *status);

#endif
