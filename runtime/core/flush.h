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

/* Nothing is newer on the device than on the host. */
void polygpu_flush(void);
/* The same where the device's copies are of no use, because of "why". */
void polygpu_flush_spoilt(const struct polygpu_status *why);

#endif
