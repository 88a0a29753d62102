// Loops behind each other that see one array as elements of different types are
// nests of their own, and those of other arrays stay what they are: the bits of
// numbers are looked at in one loop, and the numbers in the next one.  In a
// loop around them they are offloaded one by one.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop parts {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel parts_{{.*}}_0 {{.*}} launches=1
// CHECK-DAG: polygpu: kernel parts_{{.*}}_1 {{.*}} launches=1
// CHECK-DAG: polygpu: scop parts {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel parts_{{.*}}_0 {{.*}} launches=1
// CHECK-DAG: polygpu: scop inside {{.*}} runs=7 declined=0 failed=0
// CHECK-DAG: polygpu: kernel inside_{{.*}} launches=7
// CHECK-DAG: polygpu: scop inside {{.*}} runs=7 declined=0 failed=0
// CHECK-DAG: polygpu: kernel inside_{{.*}} launches=7
// CHECK-DAG: polygpu: scop inside {{.*}} runs=7 declined=0 failed=0
// CHECK-DAG: polygpu: kernel inside_{{.*}} launches=7
#include "exec.h"

#include <stdint.h>
#include <string.h>

enum { N = 90, M = 64, R = 7 };

union Row {
    float numbers[M];
    uint32_t words[M];
    uint8_t bytes[4 * M];
};

NOINLINE static void parts(int n, double *a, uint64_t *exponents, float *x)
{
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, a + i, sizeof bits);
        exponents[i] = bits >> 52 & 2047;
    }
    for (int i = 0; i < n; i++)
        x[i] += 3;
    for (int i = 0; i < n; i++)
        x[i] += (float)a[i];
}

NOINLINE static void inside(int n, int m, union Row *rows)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < M; j++)
            rows[i].words[j] &= 0x7fffffff;
        for (int j = 0; j < m; j++)
            rows[i].numbers[j] += 1;
        for (int j = 0; j < 4 * M; j += 4)
            rows[i].bytes[j] ^= 3;
    }
}

int main(int argc, char **argv)
{
    static double a[N];
    static uint64_t exponents[N];
    static float x[N];
    static union Row rows[R];
    harness_start(argc, argv);
    harness_fill(a, N, sizeof *a);
    harness_fill(x, N, sizeof *x);
    harness_fill(rows, R * M, sizeof(float));
    parts(N, a, exponents, x);
    inside(R, M - 5, rows);
    dump("exponents", exponents, sizeof exponents);
    dump("x", x, sizeof x);
    dump("rows", rows, sizeof rows);
    return harness_end();
}
