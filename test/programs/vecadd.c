/* vecadd.c - sum of two vectors, in a single loop.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "harness.h"

#if FORM == 1
enum { n = N };
T a[n];
T b[n];
T c[n];
#define PARAMETERS void
#define ARGUMENTS
#else
#if FORM == 2
#define PARAMETERS int n, T a[n], T b[n], T c[n]
#else
#define PARAMETERS int n, T *a, T *b, T *c
#endif
#define ARGUMENTS n, (void *)a, (void *)b, (void *)c
#endif

__attribute__((noinline)) void vecadd(PARAMETERS)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    SIZE(n, 1);
    INPUT(a, n);
    INPUT(b, n);
    OUTPUT(c, n);
    vecadd(ARGUMENTS);
    DUMP(a, n);
    DUMP(b, n);
    DUMP(c, n);
    return harness_end();
}
