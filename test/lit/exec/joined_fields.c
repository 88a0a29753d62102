// One loop of the source that sets several fields of structures, or several places
// of one array, is one kernel: the fields are in the same sectors of memory.  Of
// two arrays that share nothing there are two kernels.
//
// RUN: %gpu_cc %s %harness -o %t.gpu -Rpass=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK-DAG: :[[# @LINE + 23]]:5: remark: loops offloaded as 3 kernels: clear_
// REMARK-DAG: :[[# @LINE + 35]]:5: remark: loops offloaded as 1 kernel: set_
// REMARK-DAG: :[[# @LINE + 42]]:5: remark: loops offloaded as 1 kernel: border_
// CHECK-DAG: kernel clear_{{[0-9]+}}_0 {{.*}} launches=4
// CHECK-DAG: kernel clear_{{[0-9]+}}_1 {{.*}} launches=4
// CHECK-DAG: kernel clear_{{[0-9]+}}_2 {{.*}} launches=4
// CHECK-DAG: kernel set_{{[0-9]+}}_0 {{.*}} launches=4
// CHECK-DAG: kernel border_{{[0-9]+}}_0 {{.*}} launches=4
#include "exec.h"

enum { N = 12 };

struct number {
    double real, imag;
};

static struct number u[N * N * N], v[N * N * N];
static double twiddle[N * N * N], plane[N][N];

NOINLINE static void clear(struct number *restrict u,
                           struct number *restrict v, double *restrict twiddle,
                           int n, int m, int l)
{
    for (int k = 0; k < l; k++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++) {
                u[(k * m + j) * n + i].real = 0.25;
                u[(k * m + j) * n + i].imag = 0.5 * i;
                v[(k * m + j) * n + i].real = 0.75 * j;
                v[(k * m + j) * n + i].imag = 1.0;
                twiddle[(k * m + j) * n + i] = 1.25 * k;
            }
}

NOINLINE static void set(struct number *u, int n, double c)
{
    for (int i = 0; i < n; i++) {
        u[i].real = c * i;
        u[i].imag = c - i;
    }
}

NOINLINE static void border(int n, double c)
{
    for (int i = 0; i < n; i++) {
        plane[i][0] = c + i;
        plane[i][n - 1] = c - i;
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    const int sizes[][3] = {{12, 12, 12}, {5, 11, 3}, {1, 1, 1}, {9, 2, 12}};
    for (int s = 0; s < 4; s++) {
        const int *n = sizes[s];

        poison(u, sizeof u);
        poison(v, sizeof v);
        poison(twiddle, sizeof twiddle);
        poison(plane, sizeof plane);
        clear(u, v, twiddle, n[0], n[1], n[2]);
        dump("u", u, sizeof u);
        dump("v", v, sizeof v);
        dump("twiddle", twiddle, sizeof twiddle);
        set(v, n[0] * n[1], harness_random());
        dump("v", v, sizeof v);
        border(n[0], harness_random());
        dump("plane", plane, sizeof plane);
    }
    return harness_end();
}
