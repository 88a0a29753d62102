/* unloaded.c - a library with offloaded loops and a runtime of its own, which
 * test_unload.c loads and unloads.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "example.h"

#include "core/opened.h"
#include "cuda/staging.h"

#include <string.h>

__attribute__((visibility("default"))) int unloaded_pair(double *a, double *b,
                                                         int64_t n);
__attribute__((visibility("default"))) int
unloaded_copy(void *to, const void *from, size_t size);

int unloaded_pair(double *a, double *b, int64_t n)
{
    static struct polygpu_scop scop;

    if (!scop.abi_version)
        scop = example_scop;
    return example_pair(&scop, a, b, n, 2);
}

/* To the device and back, by several threads; are they the same? */
int unloaded_copy(void *to, const void *from, size_t size)
{
    struct polygpu_status status = {0};
    const struct polygpu_device *device = polygpu_device(NULL, &status);
    uintptr_t address;
    void *session;
    int ok;

    polygpu_staging_limits.least = 1;
    polygpu_staging_limits.first = polygpu_staging_limits.chunk = 64 * 1024;
    if (!device || !device->start(NULL, &session, &status))
        return 0;
    ok = device->alloc(size, &address, &status) &&
         device->copy_in(session, address, from, size, &status) &&
         device->copy_out(session, to, address, size, &status) &&
         !memcmp(to, from, size);
    device->free(address);
    device->stop(session);
    return ok;
}
