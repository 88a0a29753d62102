/* startup.c - loops whose first run in a process is measured.
 *
 *   startup NEST TIMES     runs one of the nests, or all, so many times
 *
 * Prints a sum of what was computed, which is the same without offloading.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 50000, SIDE = 256, N = 96 };

static float x[LONG], y[LONG];
static float from[SIDE][SIDE], to[SIDE][SIDE];
static double a[N][N], b[N][N], c[N][N];

/* Short code. */
__attribute__((noinline)) static void vector(void)
{
    for (int i = 0; i < LONG; i++)
        y[i] = 0.5f * x[i] + 0.25f * y[i];
}

/* Code for a border, and for rows at a time. */
__attribute__((noinline)) static void stencil(void)
{
    for (int i = 1; i < SIDE - 1; i++)
        for (int j = 1; j < SIDE - 1; j++)
            to[i][j] = 0.25f * (from[i - 1][j] + from[i + 1][j]) +
                       0.25f * (from[i][j - 1] + from[i][j + 1]);
}

/* Long code, with parts of all matrices in shared memory and registers. */
__attribute__((noinline)) static void product(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            c[i][j] *= 0.5;
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

/* One value after the other, so that the device has no part in it. */
static float next(void)
{
    static unsigned state = 1;

    state = state * 1103515245u + 12345u;
    return (float)(state >> 16 & 255) / 8;
}

static void fill(void)
{
    for (int i = 0; i < LONG; i++) {
        x[i] = next();
        y[i] = next();
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        from[i / SIDE][i % SIDE] = next();
    for (int i = 0; i < N * N; i++) {
        a[i / N][i % N] = (double)next();
        b[i / N][i % N] = (double)next();
    }
}

static double sum(void)
{
    double s = 0;

    for (int i = 0; i < LONG; i++)
        s = 0.999 * s + (double)y[i];
    for (int i = 0; i < SIDE * SIDE; i++)
        s = 0.999 * s + (double)to[i / SIDE][i % SIDE];
    for (int i = 0; i < N * N; i++)
        s = 0.999 * s + c[i / N][i % N];
    return s;
}

int main(int argc, char **argv)
{
    const char *nest = argc > 1 ? argv[1] : "all";
    int times = argc > 2 ? atoi(argv[2]) : 1, all = !strcmp(nest, "all");

    fill();
    for (int t = 0; t < times; t++) {
        if (all || !strcmp(nest, "vector"))
            vector();
        if (all || !strcmp(nest, "stencil"))
            stencil();
        if (all || !strcmp(nest, "product"))
            product();
    }
    printf("%.17g\n", sum());
    return 0;
}
