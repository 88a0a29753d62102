/* flush.h - results that stayed on the device come to the host.
 *
 * All of the calling thread's come together, or its deferred runs are computed
 * on the CPU.  Under the lock of ranges.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_FLUSH_H
#define POLYGPU_FLUSH_H

#include "support/status.h"

#include <stdint.h>

/* Nothing is newer on the device than on the host. */
void polygpu_flush(void);
/* Bytes first .. end - 1, a small part of what deferred runs use, are as new on
 * the host as on the device, and may be written with "write", without an end of
 * the list.  False: nothing was done, since they are no small part. */
bool polygpu_flush_part(uintptr_t first, uintptr_t end, bool write);
/* As polygpu_flush where the device's copies are of no use, because of "why",
 * which is said unless NULL. */
void polygpu_flush_spoilt(const struct polygpu_status *why);

#endif
