// A Gauss-Seidel sweep works on a temporary whose rows are the lines along which
// neighbouring points of the wavefront go; the schedule says which.
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only \
// RUN:   -fno-discard-value-names -S -emit-llvm %s -o - \
// RUN:   | %opt -passes='print<gpu-schedule>' -disable-output 2>&1 | %FileCheck %s
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only \
// RUN:   -fno-discard-value-names -S -emit-llvm %s -o - \
// RUN:   | %opt -passes='print<gpu-schedule>' -gpu-time=off -disable-output 2>&1 \
// RUN:   | %FileCheck --check-prefix=OFF %s
//
// CHECK: lines0[{{.*}}] -> S0[
// CHECK: sequence:
// CHECK-NEXT: - filter: "{{.*}}{ lines0[i0, i1] }"
// CHECK: - filter: "{{.*}}{ S0[i0, i1, i2] }"
// CHECK: - filter: "{{.*}}{ rows0[i0, i1] }"
//
// OFF-NOT: lines0
// OFF: S0[i0, i1, i2]
// OFF-NOT: lines0
void sweep(int t, int n, double a[n][n])
{
    for (int s = 0; s < t; s++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i][j + 1] +
                           a[i + 1][j]) / 4;
}
