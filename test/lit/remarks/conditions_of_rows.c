// What runs need that go over rows behind pointers: matrices may lie in the gaps of
// others, and rows of sparse ones anywhere.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral \
// RUN:   -Rpass-analysis=gpu-polyhedral -fno-caret-diagnostics -c %s -o %t.o 2>&1 | \
// RUN:   %FileCheck %s
//
// CHECK-NOT: loop not offloaded

void update(int n, double **l, double **u)
{
    // CHECK-DAG: :[[# @LINE + 1]]:5: remark: runs on the device if 'l' overlaps none of 'u' (or their rows lie between each other), and
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            l[i][j] -= u[i][j];
}

// Each element is read before it is written, too.
void flat(int n, double *l, double *u)
{
    // CHECK-DAG: :[[# @LINE + 1]]:5: remark: runs on the device if 'l' overlaps none of 'u' (or begins where elements are read before they are written)
    for (int i = 0; i < n * n; i++)
        l[i] -= u[i];
}

void multiply(int n, double **values, int **columns, int *lengths, double *x,
              double *y)
{
    // CHECK-DAG: :[[# @LINE + 2]]:5: remark: loops offloaded as 1 kernel
    // CHECK-DAG: :[[# @LINE + 1]]:5: remark: runs on the device if {{.*}}, and pointers to rows can be looked at
    for (int i = 0; i < n; i++) {
        double sum = 0;

        for (int j = 0; j < lengths[i]; j++)
            sum += values[i][j] * x[columns[i][j]];
        y[i] = sum;
    }
}

// All steps are one nest.
void steps(int n, int steps, double *a, double *b)
{
    // CHECK-DAG: :[[# @LINE + 2]]:5: remark: loops offloaded as
    // CHECK-DAG: :[[# @LINE + 1]]:5: remark: runs on the device if {{'a', 'b'|'b', 'a'}} do not overlap each other
    for (int t = 0; t < steps; t++) {
        double *s = t % 2 ? a : b, *d = t % 2 ? b : a;

        for (int i = 1; i < n - 1; i++)
            d[i] = s[i - 1] + s[i + 1];
    }
}
