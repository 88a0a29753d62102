// Where the mapping is executed with iterations left out a thread's own variable
// may still have what an earlier iteration gave it: the loops seemed to be wrong
// (fuzz seed 70000116).
//
// RUN: %clang -O3 -mfma -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-time=chain \
// RUN:   '-gpu-sizes={ kernel[i] -> block[3] }' -disable-output \
// RUN:   -pass-remarks=gpu-polyhedral -pass-remarks-missed=gpu-polyhedral %t.ll \
// RUN:   2>&1 | %FileCheck %s
//
// CHECK-NOT: not offloaded
// CHECK: loops offloaded as 1 kernel
#include <math.h>

void f(int n, int never, double *g, double (*d)[35])
{
    for (int i = 0; i <= n; i++)
        for (int j = ((i - 1) > 4 ? (i - 1) : 4); j < n; j++)
            for (int k = 0; k < n; k++) {
                double s = (g[k] * g[k] - i) / ceil(g[k]);
                if (i % 4 == 0 || k != 5)
                    continue;
                if (never > 4)
                    for (int l = 0; l < 5; l++)
                        g[k] = g[l + 1];
                d[i][j] *= (2 - g[k]) * s;
                d[i][j] = k + g[i];
                d[i][j] = (s + g[2 * i]) * (g[k] - s);
            }
}
