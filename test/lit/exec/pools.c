// Several arrays in one allocation, found by their distances, rows and types;
// blocks of one matrix; rows that are longer than what is used of them; every
// second element.  What lies between is neither changed nor moved.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK: polygpu: scop product {{.*}} runs=1 declined=0 failed=0 bytes_in=4624 bytes_out=2312
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop product_int {{.*}} runs=1 declined=0 failed=0 bytes_in=4624 bytes_out=2312
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop shapes {{.*}} runs=1 declined=0 failed=0 bytes_in=4896 bytes_out=2312
// CHECK: polygpu: scop lines {{.*}} runs=1 declined=0 failed=0 bytes_in=272 bytes_out=136
// CHECK: polygpu: scop types {{.*}} runs=1 declined=0 failed=0 bytes_in=408 bytes_out=272
// CHECK: polygpu: scop transposed {{.*}} runs=1 declined=0 failed=0 bytes_in=1224 bytes_out=1224
// CHECK: polygpu: scop rows {{.*}} runs=1 declined=0 failed=0 bytes_in=1224 bytes_out=1224
// CHECK: polygpu: scop middle {{.*}} runs=1 declined=0 failed=0 bytes_in=640 bytes_out=640
// CHECK: polygpu: scop blocks {{.*}} runs=1 declined=0 failed=0 bytes_in=648 bytes_out=648
// CHECK: polygpu: scop second {{.*}} runs=1 declined=0 failed=0 bytes_in=68 bytes_out=68
// CHECK: polygpu: scop diagonal {{.*}} runs=1 declined=0 failed=0 bytes_in=256 bytes_out=128
#include "exec.h"

#include <stdlib.h>

NOINLINE static void product(int n, double *w)
{
    double *a = w, *b = w + (size_t)n * n, *c = w + 2 * (size_t)n * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

NOINLINE static void product_int(int n, double *w)
{
    double *a = w, *b = w + n * n, *c = w + 2 * n * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

NOINLINE static void shapes(int n, int m, double *w)
{
    double *a = w, *b = w + n * m, *c = w + 2 * n * m;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < m; k++)
                sum += a[i * m + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

NOINLINE static void lines(int n, double *w)
{
    double *x = w, *y = w + n, *z = w + 2 * n;
    for (int i = 0; i < n; i++)
        z[i] = x[i] + y[n - 1 - i];
}

NOINLINE static void types(int n, void *w)
{
    double *a = w;
    float *f = (float *)(a + 2 * n);
    for (int i = 0; i < 2 * n; i++)
        a[i] = a[i] + f[i];
}

NOINLINE static void transposed(int n, int m, double *w)
{
    double(*a)[m] = (void *)w, (*b)[n] = (void *)(w + n * m);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j][i] = a[i][j];
}

NOINLINE static void rows(int n, int m, int ld, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * ld + j] = a[i * ld + j] * 2;
}

NOINLINE static void middle(int n, int m, int ld, int r, int c, double *a)
{
    double *p = a + r * ld + c;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            p[i * ld + j] = p[i * ld + j] + 1;
}

NOINLINE static void blocks(int n, int ld, double *a)
{
    double *right = a + n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            right[i * ld + j] = a[i * ld + j] * 2;
}

NOINLINE static void second(int n, float *a)
{
    for (int i = 0; i < n; i++)
        a[2 * i + 1] = a[2 * i];
}

NOINLINE static void diagonal(size_t n, double *a)
{
    for (size_t h = 0; h < n - 1; h++) {
        size_t i = n - 2 - h;
        a[i * n + i] = a[i * n + (n - 1)] + a[(n - 1) * n + i];
    }
}

int main(int argc, char **argv)
{
    enum { N = 17, M = 9, ALL = 4 * N * N };
    double *w = malloc(ALL * sizeof *w);

    harness_start(argc, argv);
    if (!w)
        return 1;
#define RUN(call)                                                              \
    do {                                                                       \
        poison(w, ALL * sizeof *w);                                            \
        harness_fill(w, 2 * N * N, sizeof *w);                                 \
        call;                                                                  \
        dump(#call, w, ALL * sizeof *w);                                       \
    } while (0)
    RUN(product(N, w));
    RUN(product_int(N, w));
    RUN((shapes)(N, 18, w));
    RUN(lines(N, w));
    RUN((harness_fill((float *)(w + 2 * N), 2 * N, 4), types(N, w)));
    RUN(transposed(N, M, w));
    RUN(rows(N, M, 2 * N, w));
    RUN(middle(10, 8, N, 3, 5, w));
    RUN(blocks(M, 2 * N, w));
    RUN(second(N, (float *)w));
    RUN(diagonal(N, w));
    free(w);
    return harness_end();
}
