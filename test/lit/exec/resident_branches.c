// Variables of a called function whose arrays are on the device when it returns,
// made under a condition and in a loop: their address is no value at the return,
// or only the last one's, and the compiler crashed on code that used it there.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_RESIDENCY=verify POLYGPU=mandatory POLYGPU_DEVICE=emulated \
// RUN:   %run_plain %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: scop branch {{.*}}:38 {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: scop branch {{.*}}:31 {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: scop rounds {{.*}} runs=18 declined=0 failed=0
// CHECK-DAG: scop use {{.*}} runs=12 declined=0 failed=0
#include "exec.h"

#include <alloca.h>

enum { N = 200 };

static double a[N], b[N], sums[6];

NOINLINE static void branch(int n, int t)
{
    if (t % 2) {
        double row[n];

        for (int i = 0; i < n; i++)
            row[i] = a[i] * 0.5;
        for (int i = 0; i < n; i++)
            b[i] = row[n - 1 - i] + b[i];
    } else {
        double other[n + 1];

        for (int i = 0; i <= n; i++)
            other[i] = b[i] + 1;
        for (int i = 0; i < n; i++)
            a[i] = other[n - i] - a[i];
    }
}

/* The arrays of all rounds are there until it returns. */
NOINLINE static double rounds(int n)
{
    double *kept[3];
    double sum = 0;

    for (int r = 0; r < 3; r++) {
        double *row = alloca((size_t)n * sizeof *row);

        for (int i = 0; i < n; i++)
            row[i] = a[i] * r + b[i];
        kept[r] = row;
    }
    for (int r = 0; r < 3; r++)
        sum += kept[r][n - 1 - r];
    return sum;
}

/* Where frames of others were. */
NOINLINE static double use(int n)
{
    double here[N];
    double sum = 0;

    for (int i = 0; i < n; i++)
        here[i] = b[i] * 3;
    for (int i = 0; i < n; i += 7)
        sum += here[i] - (double)i;
    return sum;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        a[i] = harness_random();
        b[i] = harness_random();
    }
    for (int t = 0; t < 6; t++) {
        branch(N - 1 - t, t);
        sums[t] = use(N - t);
        sums[t] += rounds(N - t) + use(N - 3);
    }
    dump_double("a", a, N);
    dump_double("b", b, N);
    dump_double("sums", sums, 6);
    return harness_end();
}

// RUN: %run_faults
