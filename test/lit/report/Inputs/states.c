/* states.c - loops of which each ends in another way at run time.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stdio.h>

enum { N = 4096 };
static double a[2 * N], b[N];
static int place[N];

__attribute__((noinline)) static void twice(double *to, const double *from, int n)
{
    for (int i = 0; i < n; i++) /* offloaded if "to" and "from" are apart */
        to[i] = 2 * from[i];
}

__attribute__((noinline)) static void always(double *to, int n)
{
    for (int i = 0; i < n; i++) /* offloaded */
        to[i] = i + 1;
}

__attribute__((noinline)) static void never(double *to, int n)
{
    for (int i = 0; i < n; i++) /* offloaded, and not called */
        to[i] = i + 2;
}

__attribute__((noinline)) static void scatter(double *to, const double *from, int n)
{
    for (int i = 0; i < n; i++) /* refused */
        to[place[i]] = from[i];
}

int main(int argc, char **argv)
{
    always(b, N);
    twice(a, b, N);
    twice(a + 1, a, N); /* these overlap */
    scatter(a, b, N);
    if (argc > 5)
        never(b, argc);
    printf("%g %g\n", a[N - 1], a[N]);
    return 0;
}
