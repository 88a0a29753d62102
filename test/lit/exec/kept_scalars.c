// A scalar that is kept in an element of an array, some of whose other elements
// are written under a condition on data: what is written for the program is
// brought back.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: kernel
#include "exec.h"

enum { MOST = 700 };

static double a[MOST], b[MOST], c[MOST], d[MOST];

__attribute__((noinline)) static double carried(int n)
{
    double x = 1.5;

    for (int i = 3; i < n; i++) {
        if (a[i] > 0)
            a[i + 2] = b[i];
        a[i - 1] = c[i];
        a[i - 2] = x;
        x = x + d[i];
    }
    return x;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int n = 3; n < 600; n = n < 6 ? n + 1 : 3 * n) {
        harness_fill(a, MOST, sizeof *a);
        harness_fill(b, MOST, sizeof *b);
        harness_fill(c, MOST, sizeof *c);
        harness_fill(d, MOST, sizeof *d);
        double x = carried(n);
        dump("a", a, sizeof a);
        dump("x", &x, sizeof x);
    }
    return harness_end();
}
