// Loops of which a size chooses, one of them with an end in its middle: what is
// assumed of the matrix where one case runs is nothing that other sizes have to
// be like.  For m > 2 all runs were declined.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: scop solve {{.*}} runs=24 declined=0 failed=0
// CHECK: kernel solve_{{.*}} launches={{[1-9]}}
// CHECK: kernel solve_{{.*}} launches={{[1-9]}}
#include "exec.h"

enum { Most = 40, Columns = 6 };

static double d[Most], u[Most], b[Columns * Most];

NOINLINE static void solve(int n, int m, int rows, const double *restrict d,
                           const double *restrict u, double *restrict b)
{
    if (m <= 2) {
        for (int j = 0;; j++) {
            b[n - 1 + j * rows] /= d[n - 1];
            for (int i = n - 2; i >= 0; i--)
                b[i + j * rows] =
                    (b[i + j * rows] - u[i] * b[i + 1 + j * rows]) / d[i];
            if (j >= m - 1)
                break;
        }
    } else {
        for (int j = 0; j < m; j++) {
            b[n - 1 + j * rows] /= d[n - 1];
            for (int i = n - 2; i >= 0; i--)
                b[i + j * rows] =
                    (b[i + j * rows] - u[i] * b[i + 1 + j * rows]) / d[i];
        }
    }
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 2, 17, Most};

    harness_start(argc, argv);
    harness_fill(d, Most, sizeof *d);
    harness_fill(u, Most, sizeof *u);
    harness_fill(b, (size_t)Columns * Most, sizeof *b);
    for (int i = 0; i < Most; i++)
        d[i] += 2;
    for (int m = 1; m <= Columns; m++)
        for (int i = 0; i < 4; i++)
            solve(sizes[i], m, Most, d, u, b);
    dump("b", b, sizeof b);
    return harness_end();
}
