// A function with loops that is called in a loop is analysed once, by itself,
// unless the loop around the call becomes one nest with its loops, or the call
// says more of them: a constant for an argument.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral \
// RUN:   -fno-caret-diagnostics -c %s -o %t.o > %t.remarks 2>&1
// RUN: %FileCheck %s --implicit-check-not=remark: < %t.remarks

void show(int n, const double *a);

// CHECK-DAG: :[[@LINE+3]]:5: remark: loops offloaded as 1 kernel: scale_[[@LINE+3]]_0
static void scale(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] += 2 * b[i];
}

// CHECK-DAG: :[[@LINE+3]]:5: remark: loop not offloaded: the call of 'show' in line [[@LINE+5]] cannot be analysed, {{.*}} (the loops of 'scale', called in line [[@LINE+4]], are looked at by themselves)
void shown(int n, double *a, double *b)
{
    for (int t = 0; t < 100; t++) {
        scale(n, a, b);
        show(n, a);
    }
}

// CHECK-DAG: :[[@LINE+3]]:5: remark: loops offloaded as 1 kernel: rows_[[@LINE+3]]_0 (2 parallel dimensions
void rows(int n, int m, double (*a)[500], double (*b)[500])
{
    for (int t = 0; t < n; t++)
        scale(m, a[t], b[t]);
}

// CHECK-DAG: :15:5: remark: loops offloaded as 1 kernel: constant_15_0
// CHECK-DAG: :[[@LINE+3]]:5: remark: loop not offloaded: the call of 'show'
void constant(double *a, double *b)
{
    for (int t = 0; t < 100; t++) {
        scale(500, a, b);
        show(500, a);
    }
}
