// Indices that are used under a condition on data only.  All of them are looked
// at, and where some lead nowhere the original loops run, with their branches.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref used
// RUN: %run_gpu %t.gpu used 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu used
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref unused
// RUN: %run_auto %t.gpu unused 2>&1 | %FileCheck --check-prefix=UNUSED %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref absent
// RUN: %run_auto %t.gpu absent 2>&1 | %FileCheck --check-prefix=UNUSED %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop one {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel one_{{.*}} launches=1
// CHECK-DAG: polygpu: scop some_rows {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel some_rows_{{.*}} launches=1
// UNUSED-DAG: polygpu: scop one {{.*}} runs=0 declined=1 failed=0
// UNUSED-DAG: polygpu: scop some_rows {{.*}} runs=1 declined=0 failed=0
#include "exec.h"

#include <stdlib.h>
#include <string.h>

enum { N = 1200 };

static int c[N], idx[N], row[N + 1], col[5 * N];
static float y[N];
static double dx[N], dy[N];

APART void one(int n, const int *c, const int *idx, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        if (c[i] > 0)
            y[i] = x[idx[i]];
}

APART void some_rows(int n, const int *c, const int *row, const int *col,
                     const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        if (c[i] != 0) {
            double s = 0;
            for (int k = row[i]; k < row[i + 1]; k++)
                s += x[col[k]];
            y[i] = s;
        }
    }
}

static int place(int n)
{
    return (int)((harness_random() + 1.5) / 3 * n) % n;
}

int main(int argc, char **argv)
{
    float *x = malloc(N * sizeof *x);
    int unused, absent;

    harness_start(argc, argv);
    unused = !strcmp(argv[1], "unused");
    absent = !strcmp(argv[1], "absent");
    for (int i = 0; i < N; i++) {
        c[i] = absent ? -place(3) : place(9) - 4;
        idx[i] = place(N);
        if (unused && c[i] <= 0)
            idx[i] = (place(1000) - 500) * 1000003;
        x[i] = (float)harness_random();
        dx[i] = harness_random();
        row[i + 1] = row[i] + place(5);
    }
    for (int k = 0; k < row[N]; k++)
        col[k] = place(N);
    poison(y, sizeof y);
    poison(dy, sizeof dy);
    one(N, c, absent ? NULL : idx, absent ? NULL : x, y);
    dump("y", y, sizeof y);
    some_rows(N, c, row, col, dx, dy);
    dump("dy", dy, sizeof dy);
    return harness_end();
}
