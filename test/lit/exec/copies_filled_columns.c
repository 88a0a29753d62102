// With these operations exact copies take too long, so that gaps are filled: also
// in columns that the loops read in no row at the sizes that the compiler
// executes.  These lie in the program's rows, and what is made is what was
// wanted; what only "never" would read, in front of a row, is not copied.
//
// RUN: %gpu_cc -mfma -mllvm -gpu-max-operations=2000000 %s %harness -o %t.gpu \
// RUN:     -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK-NOT: error of PolyGPU
// REMARK: loops offloaded as 1 kernel: columns_
// REMARK-NOT: error of PolyGPU
// CHECK: scop columns {{.*}} runs=5 declined=0 failed=0
// CHECK: kernel columns_{{[0-9]+}}_0 device=emulated launches=5
#include "exec.h"

enum { MOST = 19 };

static float product[MOST][MOST][MOST], table[MOST + 3][24], factor[64];
static float other[64][MOST][MOST];

NOINLINE static void columns(int n, int never, float u[n + 2][n + 2][n + 1],
                             float (*t)[24], float *f, float (*p)[MOST][MOST])
{
    for (int i = -3; i < n; i++)
        for (int j = 0; j < n - i; j++)
            if ((i - 1) % 2 == 0 || j < i - 1)
                for (int k = 0; k <= 8; k++) {
                    p[j][i + 3][k] *=
                        t[i + 3][k] * f[n] * (t[i + 3][j] * t[j][k]);
                    if (never != 0) {
                        u[i + 34][k][k] = t[k + 28][j];
                        f[k] = t[k][k - 6];
                    }
                }
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 4, 5, 11, 15};

    harness_start(argc, argv);
    harness_fill(table, sizeof table / sizeof **table, sizeof **table);
    harness_fill(factor, 64, sizeof *factor);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        harness_fill(product, MOST * MOST * MOST, sizeof ***product);
        columns(sizes[i], 0, (void *)other, table, factor, product);
        dump_float("product", product[0][0], MOST * MOST * MOST);
    }
    return harness_end();
}
