// Rows that are set and copied as blocks of memory, the size of an element in
// front of their number: "sizeof(float) * m" is as good as "m * sizeof(float)".
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop set {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel set_{{.*}} launches=2
// CHECK-DAG: polygpu: scop copied {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel copied_{{.*}} launches=2
// CHECK-DAG: polygpu: scop summed {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel summed_{{.*}} launches=2
#include "exec.h"

#include <string.h>

enum { ROWS = 30, COLUMNS = 41 };

static float a[ROWS * COLUMNS], b[ROWS * COLUMNS];

NOINLINE static void set(int n, int m, float *to)
{
    for (int i = 0; i < n; i++)
        memset(to + i * m, 0, sizeof(float) * m);
}

NOINLINE static void copied(int n, int m, float *restrict to,
                            const float *restrict from)
{
    for (int i = 0; i < n; i++)
        memcpy(to + i * m, from + i * m, sizeof *to * m);
}

NOINLINE static void summed(int n, int m, float *to, const float *from)
{
    for (int i = 0; i < n; i++) {
        memset(to + i * m, 0, sizeof(float) * m);
        for (int j = 0; j < m; j++)
            to[i * m + j] += from[i * m + j];
    }
}

#define RUN(call)                                                              \
    do {                                                                       \
        harness_fill(a, ROWS * COLUMNS, sizeof *a);                            \
        harness_fill(b, ROWS * COLUMNS, sizeof *b);                            \
        call;                                                                  \
        dump("a", a, sizeof a);                                                \
    } while (0)

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    RUN(set(ROWS, COLUMNS, a));
    RUN(set(3, 5, a));
    RUN(set(4, 0, a));
    RUN(copied(ROWS, COLUMNS, a, b));
    RUN(copied(3, 5, a, b));
    RUN(copied(4, 0, a, b));
    RUN(summed(ROWS, COLUMNS, a, b));
    RUN(summed(3, 5, a, b));
    RUN(summed(4, 0, a, b));
    return harness_end();
}
