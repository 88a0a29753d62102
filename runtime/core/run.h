/* run.h - one run of a SCoP, from polygpu_begin to polygpu_end.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_RUN_H
#define POLYGPU_RUN_H

#include "core/state.h"
#include "support/segments.h"

struct polygpu_run_array {
    uintptr_t base; /* host address of element 0 */
    struct polygpu_segments in, out;

    bool accessed; /* any element at all? then they are in first .. last */
    int64_t first, last;

    bool allocated;
    int64_t origin;     /* "first" or an element before it */
    uintptr_t address;  /* device address of element "origin" */
    uintptr_t element0; /* the address that element 0 would have */
    char *staging;      /* the groups of "out", one after another */
};

struct polygpu_run {
    struct polygpu_scop *scop;
    struct polygpu_state *state;
    const struct polygpu_device *device;
    void *session, *module;
    struct polygpu_status status; /* the first failure */
    bool ready;                   /* there is a session, and a module */
    bool started;                 /* arrays are on the device */
    bool sized, tested;           /* its size is known; it has to be worth it */
    const int64_t *params;        /* where sized, until polygpu_worth */
    double begun;
    struct polygpu_scop_stats stats;
    struct polygpu_kernel_stats *kernels; /* scop->n_kernels */
    void **args;                          /* enough for every kernel */
    struct polygpu_run_array arrays[];    /* scop->n_arrays */
};

#endif
