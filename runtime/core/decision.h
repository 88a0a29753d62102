/* decision.h - does it pay to run a SCoP on the device?
 *
 * Both times are estimated from what is known when the loops are about to
 * run.  The device is worth it if
 *
 *   cpu_ms > gpu_ms   and   saved_ms >= setup_ms
 *
 * where
 *
 *   cpu_ms     operations / cpu
 *   gpu_ms     run + arrays * array + launches * launch
 *              + bytes_in / in + bytes_out / out + kernel_ms
 *   kernel_ms  for each kernel the longest of
 *              operations / gpu             (all threads busy),
 *              operations / threads / thread  (a thread's own work), and
 *              bytes of its arrays * launches / memory,
 *              though at most 8 bytes an operation
 *   setup_ms   what is still to be done once: opening the device (open), and
 *              compiling the SCoP's PTX (load) where there is no cubin
 *   saved_ms   cpu_ms - gpu_ms of this run and of those before it that would
 *              have paid but for the setup
 *
 * so that a setup is paid for when it would have been worth while (as with
 * skis: hire them until the hire has cost as much as a pair).
 *
 * Of arrays that may stay on the device bytes_in and bytes_out are what is
 * copied lately for a run (polygpu_state_moves), and results that the host
 * lacks make the CPU slower, by their way there and back.  A run that would pay
 * if all its arrays were there is done as if it did when such runs have saved
 * as much as the copies cost (hoped of state.h), so that if nothing stays after
 * all twice the time is the most that is lost. The emulated device needs no
 * setup, and has else the same times as if it were a GPU.
 *
 * These are the model's times; where runs were measured each is multiplied by
 * what that came to (learnt.h), and the side is pace.h's choice.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_DECISION_H
#define POLYGPU_DECISION_H

#include "core/estimate.h"

#include <stdint.h>

struct polygpu_run;
struct polygpu_scop;

bool polygpu_is_tiny(const struct polygpu_scop *scop, const int64_t *params);
void polygpu_estimate_sizes(struct polygpu_estimate *estimate,
                            const struct polygpu_scop *scop,
                            const int64_t *params);
void polygpu_estimate_run(struct polygpu_estimate *estimate,
                          const struct polygpu_run *run, const int64_t *params);
/* What "n" kernels do in all of their launches, by the model: operations,
 * launches, threads of all of them, model_kernel_ms. */
void polygpu_estimate_kernels(struct polygpu_estimate *estimate,
                              const struct polygpu_run *run,
                              const uint32_t *kernels, uint32_t n,
                              const int64_t *params);
void polygpu_count_work(struct polygpu_run *run);
double polygpu_count(const struct polygpu_scop *scop, uint32_t kind,
                     uint32_t kernel, const int64_t *params);
double polygpu_again_ms(const struct polygpu_scop *scop, uint32_t kernel,
                        const int64_t *params);

#endif
