/* Loops in a step function, and a host that writes one element in each step. */
#include "exec.h"

#include <stdio.h>

enum { N = 64, STEPS = 5 };

static double a[N], b[N];

NOINLINE static void steps(int n)
{
    for (int t = 0; t < n; t++) {
        for (int i = 1; i < N - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < N - 1; i++)
            a[i] = 0.5 * b[i];
        if (t % 2)
            printf("%g\n", a[3]);
        a[0] = t;
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N, sizeof(double));
    steps(STEPS);
    return harness_end();
}
