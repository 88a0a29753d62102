// What is read through indices stays on the device, and so do indices, until
// the host, or other loops, write some of them.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_RESIDENCY=verify %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// All comes once, and then what the host has written, four bytes at a time.
// CHECK-DAG: polygpu: scop work {{.*}} runs=13 declined=0 failed=0
// bytes_in={{[1-9][0-9][0-9][0-9]}}  CHECK-DAG: polygpu: scop work {{.*}}
// runs=13 declined=0 failed=0 CHECK-DAG: polygpu: scop work {{.*}} runs=5
// declined=0 failed=0
#include "exec.h"

enum { N = 500 };

static float x[N], y[N], z[N];
static int idx[N], row[N + 1], col[4 * N + 1];

static unsigned long state;

// Nothing that arrays on the device would have to leave for.
NOINLINE static int place(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (unsigned long)n);
}

NOINLINE static void work(int n, int t, float *x, int *idx, int *row, int *col,
                          float *y, float *z)
{
    for (int k = 0; k < t; k++) {
        for (int i = 0; i < n; i++)
            y[i] = x[idx[i]] + 1;
        x[place(n)] = k; // host writes what is read
        for (int i = 0; i < n; i++) {
            float v = 0;
            for (int j = row[i]; j < row[i + 1]; j++)
                v += y[col[j]];
            z[i] = v;
        }
        idx[place(n)] = place(n);
        col[place(row[n])] = place(n);
        if (k % 3 == 0) {
            for (int i = 0; i < n; i++)
                x[i] = z[i] * 0.25f; // device writes what is read
            for (int i = 0; i < n; i++)
                idx[i] = (i * 7 + k) % n; // and indices
        }
        if (k % 4 == 1)
            y[place(n)] += z[place(n)];
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    random_bits(&state, sizeof state);
    for (int i = 0; i < N; i++) {
        x[i] = (float)harness_random();
        idx[i] = place(N);
        row[i + 1] = row[i] + place(4);
    }
    row[N]++;
    for (int k = 0; k < row[N]; k++)
        col[k] = place(N);
    poison(y, sizeof y);
    poison(z, sizeof z);
    work(N, 13, x, idx, row, col, y, z);
    dump("x", x, sizeof x);
    dump("y", y, sizeof y);
    dump("z", z, sizeof z);
    dump("idx", idx, sizeof idx);
    return harness_end();
}
