// A function that is called in a loop is not inlined there where that loop is no
// SCoP with it and would be large: not even if one of its own loops, which stays
// as it is, might be offloaded where more is known.  In a small loop it is.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral \
// RUN:   -fno-caret-diagnostics -c %s -o %t.o > %t.remarks 2>&1
// RUN: %FileCheck %s --implicit-check-not=remark: < %t.remarks

void show(int n, const double *a);

#define TWICE(x) x x
#define OFTEN(x) TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(x))))))

// CHECK-DAG: :[[@LINE+8]]:5: remark: loops offloaded as 1 kernel: large_[[@LINE+8]]_0
// CHECK-DAG: :[[@LINE+9]]:5: remark: loop not offloaded: which element of 'a' is written
static void large(int n, double *restrict a, const int *restrict at)
{
    OFTEN(if (at[0] > n) {
        n -= at[1] / 3;
        show(n, a);
    })
    for (int i = 0; i < n; i++)
        a[i] *= 2;
    for (int i = 0; i < n; i++)
        a[at[i]] = i;
}

// CHECK-DAG: :[[@LINE+3]]:5: remark: loop not offloaded: {{.*}} (the loops of 'large', called in line [[@LINE+4]], are looked at by themselves)
void often(int n, double *a, int *at)
{
    for (int t = 0; t < 100; t++) {
        large(n, a, at);
        large(n, a + n, at);
        large(n, a + 2 * n, at);
        large(n, a + 3 * n, at);
        large(n, a + 4 * n, at);
        show(n, a);
    }
}

// CHECK-DAG: :[[@LINE+5]]:5: remark: loops offloaded as 1 kernel: small_[[@LINE+5]]_0
// CHECK-DAG: :[[@LINE+4]]:5: remark: loops offloaded as 1 kernel: seldom_[[@LINE+4]]_0
// CHECK-DAG: :[[@LINE+5]]:5: remark: loop not offloaded: which element of 'a' is written
static void small(int n, double *restrict a, const int *restrict at)
{
    for (int i = 0; i < n; i++)
        a[i] *= 2;
    for (int i = 0; i < n; i++)
        a[at[i]] = i;
}

// CHECK-DAG: :[[@LINE+3]]:5: remark: loop not offloaded: the call of 'show' in line [[@LINE+5]]
void seldom(int n, double *a, int *at)
{
    for (int t = 0; t < 100; t++) {
        small(n, a, at);
        show(n, a);
    }
}
