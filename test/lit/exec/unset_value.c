// Of a structure whose second field is not set before the loops, the checked
// device took the first load for an error: the store of what is no value was
// gone, and the program ended.  A maximum and where it is, found by one thread.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop look {{.*}} runs=3 declined=0 failed=0
#include "exec.h"

struct worst {
    double error, value;
};

enum { N = 500 };

static double a[N], b[N], c[N], found[6];

NOINLINE static void look(int n, double *restrict to,
                          const double *restrict from,
                          const double *restrict other,
                          double *restrict result)
{
    struct worst w;

    w.error = 0;
    for (int i = 0; i < n; i++)
        to[i] = from[i] * 2;
    for (int i = 0; i < n; i++) {
        double e = other[i] > to[i] ? other[i] - to[i] : to[i] - other[i];

        if (e > w.error) {
            w.error = e;
            w.value = other[i];
        }
    }
    if (w.error > 0) {
        result[0] = w.error;
        result[1] = w.value;
    }
}

int main(int argc, char **argv)
{
    static const int sizes[3] = {N, 1, 7};

    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        b[i] = harness_random();
        c[i] = harness_random();
    }
    for (int i = 0; i < 3; i++) {
        look(sizes[i], a, b, c, found + 2 * i);
        dump_double("a", a, N);
    }
    dump_double("found", found, 6);
    return harness_end();
}
