// Which element of one array is read depends on data, where LLVM chooses its
// address, since one of two subscripts is a constant: what is not chosen is not
// read.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=auto POLYGPU_DEVICE=emulated POLYGPU_COST=off \
// RUN:     POLYGPU_FAULT=launch:1+ POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop column {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel column_{{.*}} launches=2
// CHECK-DAG: polygpu: scop three {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel three_{{.*}} launches=2
// CHECK-DAG: polygpu: scop written {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel written_{{.*}} launches=2
#include "exec.h"

enum { ROWS = 30, COLUMNS = 37 };

static float a[ROWS][COLUMNS], c[COLUMNS][COLUMNS];
static int kind[COLUMNS];

NOINLINE static void column(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = kind[j] > 1 ? c[i][3] : c[j][i];
}

NOINLINE static void three(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float v;

            if (kind[j] > 1)
                v = c[i][3];
            else if (kind[j] == 0)
                v = c[5][j];
            else
                v = c[j][i];
            a[i][j] = v * 2;
        }
}

// Each row reads what the loop has written in columns that it is behind.
NOINLINE static void written(int n, int m)
{
    for (int j = 1; j < m; j++)
        for (int i = 0; i < n; i++)
            a[i][j] = kind[j] > 1 ? a[i][0] : a[i][j - 1];
}

static void start(void)
{
    harness_fill(a, ROWS * COLUMNS, sizeof **a);
    harness_fill(c, COLUMNS * COLUMNS, sizeof **c);
    random_bits(kind, sizeof kind);
    for (int i = 0; i < COLUMNS; i++)
        kind[i] = (kind[i] & 0xff) % 4;
}

#define RUN(call)                                                              \
    do {                                                                       \
        start();                                                               \
        call;                                                                  \
        dump("a", a, sizeof a);                                                \
    } while (0)

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    RUN(column(ROWS, COLUMNS));
    RUN(column(3, 1));
    RUN(three(ROWS, COLUMNS));
    RUN(three(1, 5));
    RUN(written(ROWS, COLUMNS));
    RUN(written(7, 2));
    return harness_end();
}
