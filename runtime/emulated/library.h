/* library.h - what libpolygpu_emulated.so offers to the runtime of a program.
 *
 * The library is loaded when it is asked for, by a program that may be linked
 * with an older or a newer runtime.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_LIBRARY_H
#define POLYGPU_LIBRARY_H

#include "support/device.h"
#include "support/faults.h"

/* Of this file, device.h, faults.h, segments.h and status.h; abi.h has its own.
 */
#define POLYGPU_EMULATED_VERSION 12

struct polygpu_emulated_library {
    /* Here in every version; the rest counts only if both are one's own. */
    uint32_t abi_version; /* POLYGPU_ABI_VERSION */
    uint32_t version;     /* POLYGPU_EMULATED_VERSION */

    const struct polygpu_device *device;
    /* fault.h */
    const struct polygpu_device *(*with_faults)(
        const struct polygpu_device *device, const struct polygpu_fault *which);
};

/* The only name that the library exports. */
extern const struct polygpu_emulated_library polygpu_emulated_library
    __attribute__((visibility("default")));

#endif
