/* async_copy.h - an asynchronous copy of the emulated device.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_ASYNC_COPY_H
#define POLYGPU_ASYNC_COPY_H

#include <stdint.h>

struct polygpu_access;

/* Of the "size" bytes at "to", the first "valid" come from "from" and the
 * others are zero. */
struct polygpu_async_copy {
    void *to;
    const void *from;
    uint32_t size, valid;
    const struct polygpu_access *load, *store; /* NULL: not checked */
    uint64_t group; /* groups that the thread had made before */
    uint64_t begun; /* shadow.c's */
};

#endif
