/* faults.h - operations of a device that can be made to fail, for tests.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_FAULTS_H
#define POLYGPU_FAULTS_H

#include <stdbool.h>

/* All functions of device.h that can fail, in the order of a run, and what a
 * device does by itself to make graphs of launches. */
enum polygpu_operation {
    POLYGPU_OPEN,
    POLYGPU_ALIVE,
    POLYGPU_LOAD,
    POLYGPU_START,
    POLYGPU_FOLLOW,
    POLYGPU_LEAVE,
    POLYGPU_ANNOUNCE,
    POLYGPU_ALLOC,
    POLYGPU_PLACE,
    POLYGPU_COPY_IN,
    POLYGPU_MARK,
    POLYGPU_LAUNCH,
    POLYGPU_GRAPH,
    POLYGPU_REACH,
    POLYGPU_SYNCHRONIZE,
    POLYGPU_COPY_OUT,
    POLYGPU_N_OPERATIONS
};

/* open, alive, load, start, announce, alloc, place, in, mark, launch, graph,
 * reach, sync, out */
extern const char *const polygpu_operation_names[POLYGPU_N_OPERATIONS];

/* What POLYGPU_FAULT says. */
struct polygpu_fault {
    bool wanted; /* false: nothing of the rest */
    bool
        count; /* no fault: print how many operations of each kind there were */
    enum polygpu_operation operation;
    unsigned long number; /* of the operation that fails, from 1 on */
    bool on;              /* and all after it */
};

/* Of "<name>:<n>", "<name>:<n>+" or "count"; false if it is nothing of these.
 */
bool polygpu_fault_parse(const char *text, struct polygpu_fault *fault);

#endif
