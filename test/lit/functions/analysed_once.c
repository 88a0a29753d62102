// A function with loops that is called in a loop is analysed once, by itself,
// unless the loop around the call becomes one nest with its loops, or the call
// says more of them: a constant or a function for an argument.  Neither loops of
// the caller beside the call nor calls in the callee, of which the caller would
// not know more, change that.
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

// CHECK-DAG: :17:5: remark: loops offloaded as 1 kernel: constant_17_0
// CHECK-DAG: :[[@LINE+3]]:5: remark: loop not offloaded: the call of 'show'
void constant(double *a, double *b)
{
    for (int t = 0; t < 100; t++) {
        scale(500, a, b);
        show(500, a);
    }
}

extern int verbose;

// CHECK-DAG: :[[@LINE+5]]:5: remark: loops offloaded as 1 kernel: smooth_[[@LINE+5]]_0
static void smooth(int n, double *restrict a, const double *restrict b)
{
    if (verbose)
        show(n, b);
    for (int i = 1; i < n - 1; i++)
        a[i] = b[i - 1] + b[i + 1];
    if (verbose)
        show(n, a);
    // CHECK-DAG: :[[@LINE+1]]:5: remark: loop not offloaded: the call of 'show' in line [[@LINE+2]]
    for (int i = 0; i < n && verbose; i++)
        show(1, a + i);
}

// CHECK-DAG: :[[@LINE+4]]:5: remark: loop not offloaded: {{.*}} (the loops of 'smooth', called in line [[@LINE+5]], are looked at by themselves)
// CHECK-DAG: :[[@LINE+6]]:9: remark: loops offloaded as 1 kernel: steps_[[@LINE+6]]_0
void steps(int n, double *a, double *b)
{
    for (int t = 0; t < 100; t++) {
        smooth(n, a, b);
        show(n, a);
        for (int i = 0; i < n; i++)
            b[i] = 0.5 * a[i];
    }
}

// CHECK-DAG: :[[@LINE+3]]:5: remark: loop not offloaded: a function pointer is called in line [[@LINE+4]]
static void each(int n, double *a, double (*f)(double))
{
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
}

static double halved(double x)
{
    return 0.5 * x;
}

// CHECK-DAG: :[[@LINE-9]]:5: remark: loops offloaded as 1 kernel: halves_[[@LINE-9]]_0
// CHECK-DAG: :[[@LINE+3]]:5: remark: loop not offloaded: the call of 'show'
void halves(int n, double *a)
{
    for (int t = 0; t < 100; t++) {
        each(n, a, halved);
        show(n, a);
    }
}

// CHECK-DAG: :[[@LINE+3]]:5: remark: loop not offloaded: every loop depends on
__attribute__((noinline)) static void prefix(int n, double *a)
{
    for (int i = 1; i < n; i++)
        a[i] += 0.5 * a[i - 1];
}

// Loops beside a call that stays, in a loop with a condition around it.
// CHECK-DAG: :[[@LINE+6]]:9: remark: loops offloaded as 1 kernel: between_[[@LINE+6]]_0
// CHECK-DAG: :[[@LINE+8]]:9: remark: loops offloaded as 1 kernel: between_[[@LINE+8]]_0
// CHECK-DAG: :[[@LINE+3]]:5: remark: loop not offloaded: the call of 'prefix' in line [[@LINE+6]] is not inlined, since the function is noinline
void between(int n, int m, double *restrict a, double *restrict b)
{
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < n; i++)
            a[i] = b[j * n + i] + 1;
        prefix(n, a);
        for (int i = 0; i < n; i++)
            b[j * n + i] = a[i];
    }
    if (verbose)
        show(n, a);
}
