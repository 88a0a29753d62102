/* trace.h - what happened when, for POLYGPU_PROFILE=<file>.json.
 *
 * Events are kept until the process ends, the first 262,144 of them; a sentence
 * says how many came later.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_TRACE_H
#define POLYGPU_TRACE_H

#include <stdbool.h>
#include <stdint.h>

enum { POLYGPU_MAX_EVENTS = 1 << 18 };

struct polygpu_state;

enum polygpu_event_kind {
    /* of a thread of the host: */
    POLYGPU_EVENT_RUN, /* from begin to end */
    POLYGPU_EVENT_TOUCH,
    POLYGPU_EVENT_OPEN,
    POLYGPU_EVENT_LOAD,
    /* of the device: */
    POLYGPU_EVENT_IN,
    POLYGPU_EVENT_OUT,
    POLYGPU_EVENT_KERNEL
};

struct polygpu_event {
    enum polygpu_event_kind kind;
    double begun, ended;               /* ms, of clock.h */
    const struct polygpu_state *state; /* NULL: of no SCoP */
    uint32_t number;   /* of the array or the kernel; UINT32_MAX: unknown */
    bool done;         /* a run wrote its results */
    uint64_t bytes;    /* copied, in a touch as well */
    uint64_t dropped;  /* by a touch */
    const char *place; /* of a touch; NULL: not known */
    uint32_t grid[3];
    long thread; /* filled in */
};

/* Keep an event of the calling thread, if a trace is wanted. */
void polygpu_trace(const struct polygpu_event *event);

/* A run of "state" that began then has ended. */
void polygpu_trace_run(const struct polygpu_state *state, double begun,
                       bool done);

/* All events, in the order of their beginning, and how many were not kept.
 * Nothing may be traced any more. */
struct polygpu_event *polygpu_trace_events(uint64_t *n, uint64_t *lost);

#endif
