/* alike.c - a function has three copies of the same loops, on other arrays,
 * and one of them has more behind it.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stdio.h>
#include <stdlib.h>

static inline __attribute__((always_inline)) void add(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] += 1;
}

int main(int argc, char **argv)
{
    int n = 1000 + argc;
    double *a = calloc(2000, sizeof *a), *b = calloc(2000, sizeof *b),
           *c = calloc(2000, sizeof *c);

    if (!a || !b || !c)
        return 1;
    for (int t = 0; t < 4; t++) {
        add(a, n);
        if (t % 2)
            printf("%g\n", a[argc]);
        add(b, n);
        if (t % 2)
            printf("%g\n", b[argc]);
        add(c, n);
        for (int i = 0; i < n / 2; i++)
            c[i] += c[n - 1 - i];
        if (t % 2)
            printf("%g\n", c[argc]);
    }
    free(a);
    free(b);
    free(c);
    return 0;
}
