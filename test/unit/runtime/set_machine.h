/* set_machine.h - a device whose speeds are set, and a clock that is a number.
 *
 * It takes the place of the device and the clock of the runtime, by the
 * linker's
 * --wrap.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SET_MACHINE_H
#define SET_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/* How far is the model from the machine? */
enum { RIGHT, UP_TO_3, UP_TO_10, N_DISTANCES };

struct program {
    const char *name;
    double operations, launches, threads;
    size_t in, out; /* bytes of two arrays, of which the second is both */
    enum { COPIED, RESIDENT, HOST_WRITES, HOST_READS, NORM } pattern;
    /* Its time by the faster side's at most, where the model is right, wrong by
     * a factor of 3, and of 10. */
    double most[N_DISTANCES];
};

/* Times by the model's. */
struct speeds {
    double cpu, kernels, launch, copies;
};

extern double clock_ms;
extern struct speeds speeds;
extern const struct program *program; /* that runs */
extern int left; /* runs that have ended before their kernels did */

/* Does the machine have all runs wait for their kernels?  At first it does. */
void set_waiting(bool all);
bool is_waiting(void);
/* The clock begins anew, and no kernel runs. */
void set_back(void);

#endif
