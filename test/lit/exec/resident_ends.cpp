// What is freed, or deleted with its size, is not copied to the host before; all
// else that was computed with it is.  A step's own vector does not make its
// arrays be copied to the device anew.  What operator new throws leaves no
// results behind.
//
// RUN: %gpu_cxx -mfma %s %harness -o %t.gpu
// RUN: %ref_cxx %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_RESIDENCY=verify POLYGPU=mandatory POLYGPU_DEVICE=emulated \
// RUN:   %run_plain %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// Of three arrays of 8000 bytes the sums are needed, the others are freed:
// CHECK: scop {{.*}}freed{{.*}} runs=4 declined=0 failed=0 bytes_in=24000 bytes_out=8000
// CHECK-DAG: scop {{.*}}smooth{{.*}} runs=6 declined=0 failed=0 bytes_in=16000
// CHECK-DAG: scop {{.*}}grow{{.*}} runs=3 declined=0 failed=0 bytes_in=8000
#include "exec.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

enum { N = 1000 };

HOST void random_doubles(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = harness_random();
}

static std::vector<char> more;

static double sums[N], state[N], next_state[N], grown[N];

NOINLINE static void freed(const double *in, int steps)
{
    double *a = static_cast<double *>(malloc(N * sizeof *a));
    double *b = new double[N];

    memcpy(a, in, N * sizeof *a);
    memcpy(b, in, N * sizeof *b);
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N; i++) {
            a[i] = a[i] * 0.5 + t;
            b[i] = b[i] * 0.25 + a[i];
            sums[i] += a[i] + b[i];
        }
        if (t == 100)
            harness_random();
    }
    free(a);
    delete[] b;
}

NOINLINE static void smooth(double *from, double *to)
{
    std::vector<double> mean(N);

    for (int i = 1; i < N - 1; i++)
        mean[i] = (from[i - 1] + from[i + 1]) * 0.5;
    for (int i = 1; i < N - 1; i++)
        to[i] = from[i] * 0.75 + mean[i] * 0.25;
}

/* The last time there is no memory. */
NOINLINE static void grow(double *x, size_t bytes)
{
    for (int i = 0; i < N; i++)
        x[i] = x[i] * 1.5 + 1;
    more.reserve(bytes);
}

NOINLINE static void grow_all(double *x)
{
    size_t bytes[] = {16, 32, SIZE_MAX / 4};

    for (size_t n : bytes)
        grow(x, n);
}

/* Knows nothing of what is on the device. */
HOST void without_memory(double *x)
{
    try {
        grow_all(x);
    } catch (const std::bad_alloc &) {
        x[0] += 1;
    }
}

int main(int argc, char **argv)
{
    double in[N];

    harness_start(argc, argv);
    random_doubles(in, N);
    random_doubles(sums, N);
    random_doubles(state, N);
    random_doubles(grown, N);
    freed(in, 4);
    for (int t = 0; t < 3; t++) {
        smooth(state, next_state);
        smooth(next_state, state);
    }
    without_memory(grown);
    dump("sums", sums, sizeof sums);
    dump("state", state, sizeof state);
    dump("next_state", next_state, sizeof next_state);
    dump("grown", grown, sizeof grown);
    return harness_end();
}
