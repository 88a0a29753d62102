/* estimate.h - what a run is estimated to take (decision.h), in milliseconds.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_ESTIMATE_H
#define POLYGPU_ESTIMATE_H

#include <stdbool.h>

struct polygpu_estimate {
    bool known; /* the compiler counted, and the counts make sense */
    double operations, launches;
    double threads; /* of a launch, on average */
    double arrays, bytes_in, bytes_out;
    double cpu_ms, kernel_ms, launch_ms, transfer_ms, fixed_ms, gpu_ms;
    double saved_ms, setup_ms;
};

#endif
