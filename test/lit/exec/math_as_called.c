// A function of the math library that may set errno is called in kernels as it
// is in the program: pow(x, 0.5) is no square root there, whose last bit
// differs for some numbers.
//
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// (Without -gpu-verify=execute, to which what loops leave in errno is memory.)
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated-checked \
// RUN:   -I%S/Inputs -I%programs -mfma %s %harness -lm -o %t.gpu
// RUN: %run_checked %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: kernel roots_{{.*}} launches=1
#include "exec.h"

#include <math.h>

enum { N = 20000 };

static double x[N], y[N];
static float f[N];

NOINLINE static void roots(int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = pow(x[i], 0.5) + pow(2.0, x[i]) * exp(y[i]);
        f[i] = powf(f[i], 0.5f);
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        x[i] = harness_random() * 9;
        y[i] = i % 2 ? -INFINITY : harness_random();
        f[i] = (float)harness_random();
    }
    roots(N);
    dump("y", y, sizeof y);
    dump("f", f, sizeof f);
    return harness_end();
}
