/* emulated_array.h - memory of the emulated device for tests that call it
 * without the rest of the runtime.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_EMULATED_ARRAY_H
#define POLYGPU_EMULATED_ARRAY_H

#include "check.h"
#include "emulated/emulated.h"

/* "size" bytes for array number "array", which begins with element 0. */
static inline uintptr_t emulated_array(void *session, uint32_t array,
                                       size_t size,
                                       struct polygpu_status *status)
{
    uintptr_t address;

    CHECK(polygpu_emulated.alloc(size, &address, status));
    polygpu_emulated.lend(address, size, size);
    CHECK(polygpu_emulated.place(session, array, 0, size, address, status));
    return address;
}

#endif
