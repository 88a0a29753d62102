// Arrays with lower bounds that are variables, as Fortran's allocatable ones: each subscript has
// its bound taken away. Bounds may be 0 or less, so that x(0, j) is no element of the row in
// front of it, and x(i - 1, j) neither: with the row moved, no run with such a bound met the
// condition. Borders at the end of a row of an array without bounds are in the row before.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop edges {{.*}} runs=3 declined=0 failed=0
// CHECK: polygpu: scop first {{.*}} runs=3 declined=0 failed=0
// CHECK: polygpu: scop stencil {{.*}} runs=3 declined=0 failed=0
// CHECK: polygpu: scop faces {{.*}} runs=3 declined=0 failed=0
// CHECK: polygpu: scop inside {{.*}} runs=3 declined=0 failed=0
// CHECK: polygpu: scop ends {{.*}} runs=3 declined=0 failed=0
#include "exec.h"

enum { N = 19, Most = N + 6 };

struct field {
    double *data;
    long low[3], size[3];
};

static double a[4][Most * Most * Most];

static inline double *at(struct field f, long i, long j, long k)
{
    return f.data + (k - f.low[2]) * f.size[1] * f.size[0] + (j - f.low[1]) * f.size[0] + i -
           f.low[0];
}

NOINLINE static void edges(struct field x, int n)
{
    for (int j = 0; j <= n + 1; j++)
        *at(x, 0, j, 1) = *at(x, n, j, 1) * 0.5;
}

NOINLINE static void first(struct field x, int n)
{
    for (int j = 1; j <= n; j++) {
        *at(x, 0, j, 1) = j;
        *at(x, 1, j, 1) = 2 * j;
        *at(x, 2, j, 1) = *at(x, 3, j, 1) + 1;
    }
}

NOINLINE static void stencil(struct field x, struct field y, int n)
{
    for (int k = 1; k <= n; k++)
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                *at(y, i, j, k) = *at(x, i - 1, j, k) + *at(x, i + 1, j, k) +
                                  *at(x, i, j - 1, k) + *at(x, i, j + 1, k) +
                                  *at(x, i, j, k - 1) + *at(x, i, j, k + 1);
}

NOINLINE static void faces(struct field x, int n)
{
    for (int k = 0; k <= n + 1; k++)
        for (int j = 0; j <= n + 1; j++) {
            *at(x, 0, j, k) = *at(x, n, j, k);
            *at(x, n + 1, j, k) = *at(x, 1, j, k);
        }
}

NOINLINE static void inside(struct field x, struct field y, int n)
{
    for (int j = 3; j <= n - 2; j++)
        for (int i = 1; i < n; i++)
            *at(y, i, j, 1) = *at(x, i - 1, j - 2, 1) + *at(x, i + 1, j + 2, 1);
}

NOINLINE static void ends(double *x, long n, long rows, long depth)
{
    for (long i = 0; i < rows; i++)
        for (long j = 1; j <= depth; j++)
            x[(i + 1) * n - j] = x[i * n + j];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, sizeof a / sizeof(double), sizeof(double));
    for (int low = -2; low <= 0; low++) {
        long size = N + 2 - low;
        struct field x = {a[0], {low, low, low}, {size, size, size}};
        struct field y = {a[1], {low, low, low}, {size, size, size}};
        struct field z = {a[2], {low, low, low}, {size, size, size}};
        edges(x, N);
        first(x, N);
        stencil(x, y, N);
        faces(y, N);
        inside(y, z, N);
        ends(a[3], N, N, 3 + low);
    }
    dump("a", a, sizeof a);
    return harness_end();
}
