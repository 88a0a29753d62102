/* speeds.h - how long what was asked of the fake driver's streams would take.
 *
 * FAKE_CUDA_SPEEDS=A:B:C:D says, in ns, what KiB take on the bus, each way, and
 * the host, to read or write memory that is not pinned, a kernel, and a wait of
 * the host; without it all take no time.  There is one bus for each direction,
 * and one kernel at a time.  The host's time goes on when it copies or waits.
 * All functions may be called by several threads.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPEEDS_H
#define SPEEDS_H

#include "flights.h"

/* Before it is done, in the order of what is asked. */
void speeds_add(cu_stream stream, const struct flight *flight);
/* When all that the stream has so far ends. */
double speeds_end(cu_stream stream);
/* What follows in the stream begins then at the earliest; the host waits. */
void speeds_meet(cu_stream stream, double at);
void speeds_wait(double at);

#endif
