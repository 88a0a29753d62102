/* observed.h - a device that tells the profile what it copies.
 *
 * Made only where a profile is wanted: without one, runs use the device's own
 * functions, and nothing here costs time.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_OBSERVED_H
#define POLYGPU_OBSERVED_H

#include "support/device.h"

struct polygpu_state;

/* "device", observed.  One at a time. */
const struct polygpu_device *
polygpu_observe(const struct polygpu_device *device);

/* Now, where a profile is wanted, else 0. */
double polygpu_observe_begin(void);
/* A touch that began then took so many bytes out of what is valid.  What the
 * thread has copied out since was for the touch.  "place" is that of
 * polygpu_touch_at, or NULL. */
void polygpu_observe_touch(double begun, uint64_t dropped, const char *place);

/* Before that: as many of these bytes of the device were dropped or brought. */
void polygpu_observe_range(uintptr_t address, size_t size, uint64_t bytes,
                           const char *place);

/* What is no SCoP's. */
struct polygpu_totals {
    double open_ms, load_ms;
    uint64_t loads;            /* of a SCoP's code */
    uint64_t touches;          /* those that dropped or brought something, */
    uint64_t dropped, brought; /* and the bytes */
};
struct polygpu_totals polygpu_observed(void);

/* What code at a place did by touches.  Of all places known the one by which
 * most bytes were copied, to the host or later to the device again. */
struct polygpu_toucher {
    char *name;
    uint64_t touches, dropped, brought;
};
bool polygpu_busiest_toucher(struct polygpu_toucher *by);
/* Of those that have touched what a SCoP has of an array the busiest one's
 * name, or NULL. */
const char *polygpu_toucher_of(const struct polygpu_state *state,
                               uint32_t array);

#endif
