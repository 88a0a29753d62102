// A sum of products that starts at zero in some rows and at the array's own
// values in the others: only the latter are copied to the device and loaded
// into registers.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// 3 rows of c, and all of a and b: 3 * 150 + 150 * 20 + 20 * 150 elements.
//
// CHECK: polygpu: scop product {{.*}} runs=1 declined=0 failed=0 bytes_in=51600 bytes_out=180000
// CHECK-NEXT: kernel {{.*}} launches=1 {{.*}} block=16,16,1
// CHECK-NOT: kernel
#include "exec.h"

enum { N = 150, K = 20 };

static double a[N][K], b[K][N], c[N][N];

NOINLINE static void product(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i > 2)
                c[i][j] = 0;
            for (int k = 0; k < m; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * K, sizeof(double));
    harness_fill(b, K * N, sizeof(double));
    harness_fill(c, N * N, sizeof(double));
    product(N, K);
    dump("c", c, sizeof c);
    return harness_end();
}
