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
__attribute__((visibility("default"))) int unloaded_later(double *a, int64_t n,
                                                          int *replays);

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

struct record {
    double *a;
    int64_t n;
    int *replays;
};

static void replay(void *record)
{
    struct record r;
    int64_t i;

    memcpy(&r, record, sizeof r);
    for (i = 0; i < r.n; ++i)
        r.a[i] = 2 * r.a[i] + 1;
    ++*r.replays;
}

/* Two runs whose results stay on the device, of a scope that nobody ends. */
int unloaded_later(double *a, int64_t n, int *replays)
{
    static struct polygpu_scop scop;
    struct record r = {a, n, replays};
    uint64_t scope = polygpu_keep_begin();
    double before = a[0];
    int i, ok = 1;

    scop = example_scop;
    scop.n_kernels = KERNEL_SCALE + 1;
    for (i = 0; i < 2; ++i) {
        struct polygpu_run *run = polygpu_begin(&scop);

        polygpu_array(run, ARRAY_A, a);
        polygpu_keep(run, ARRAY_A, scope);
        polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, n, 1);
        example_launch(run, KERNEL_SCALE, (n + 31) / 32, n, 0, 1);
        polygpu_defer(run, replay, &r, sizeof r, 0);
        ok &= polygpu_end(run);
    }
    return ok && a[0] == before;
}
