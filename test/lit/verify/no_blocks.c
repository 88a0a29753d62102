// Of a launch that has no blocks for some sizes, no first block is looked at.
//
// RUN: %clang_gpu -O2 -ffp-contract=off -mllvm -gpu-offload \
// RUN:   -mllvm -gpu-fusion=max -mllvm -gpu-promotion=off -mllvm -gpu-arch=sm_90 \
// RUN:   -mllvm -gpu-verify=execute -mllvm -gpu-targets=emulated-checked \
// RUN:   -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 | %FileCheck %s
//
// CHECK: remark: mapping executed in small: {{[1-9]}} of {{[1-9]}} kernels

// Products of maxima of rows, in order; and the last column that is less than 0.
void rows(int n, int m, int p, int q, double *a, double *r, int *b, int *last)
{
    {
        double s = 1, one = 2;

        for (int i = 0; i < n; i++) {
            double t = -1;
            for (int j = 0; j < m; j++)
                t = a[i * m + j] > t ? a[i * m + j] : t;
            s = s * (1 + t * 1e-3);
        }
        r[0] = s - one;
    }
    for (int i = 0; i < p; i++) {
        int best = 0, k = -1;

        for (int j = 0; j < q; j++)
            if (b[i * q + j] < best)
                k = j;
        last[i] = k;
    }
}
