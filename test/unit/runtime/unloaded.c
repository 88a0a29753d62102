/* unloaded.c - a library with offloaded loops and a runtime of its own, which
 * test_unload.c loads and unloads.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "example.h"

__attribute__((visibility("default"))) int unloaded_pair(double *a, double *b,
                                                         int64_t n);

int unloaded_pair(double *a, double *b, int64_t n)
{
    static struct polygpu_scop scop;

    if (!scop.abi_version)
        scop = example_scop;
    return example_pair(&scop, a, b, n, 2);
}
