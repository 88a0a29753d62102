// A function that is called in a loop is not inlined there where that loop is no
// SCoP with it and would be large: not even if one of its own loops, which stays
// as it is, might be offloaded where more is known.  In a small loop it is, if the
// call says more of its arguments.
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

static double known[500];

// CHECK-DAG: :[[@LINE+3]]:5: remark: loop not offloaded: the call of 'show' in line [[@LINE+5]]
void seldom(int n, int *at)
{
    for (int t = 0; t < 100; t++) {
        small(n, known, at);
        show(n, known);
    }
}

// Nothing is known of what this one hands on, so that it gains nothing.
// CHECK-DAG: :[[@LINE+3]]:5: remark: loop not offloaded: the call of 'show' in line [[@LINE+6]] {{.*}} (the loops of 'small', called in line [[@LINE+5]], are looked at by themselves)
void handed(int n, double *a, int **at)
{
    for (int t = 0; t < 100; t++) {
        double *row = a + n * t;
        small(n - 1, row, at[t]);
        show(n, row);
    }
}

// Its callers may know more.
// CHECK-DAG: :[[@LINE-29]]:5: remark: loops offloaded as 1 kernel: knows_[[@LINE-29]]_0
// CHECK-DAG: :[[@LINE+3]]:5: remark: loop not offloaded: the call of 'show' in line [[@LINE+5]] {{.*}} (the loops of 'small', called in line [[@LINE+4]], are looked at by themselves)
static void handing(int n, double *a, int *at)
{
    for (int t = 0; t < 10; t++) {
        small(n, a, at);
        show(n, a);
    }
}

static double others[500];

void knows(int n, int *at)
{
    for (int t = 0; t < 100; t++)
        handing(n, others, at);
}

// A constant that only chooses a way says nothing of the loops there.
// CHECK-DAG: :[[@LINE+4]]:9: remark: loops offloaded as 2 kernels: chosen_[[@LINE+4]]_0
static void chosen(int n, double *restrict a, const double *restrict b, int twice)
{
    if (twice) {
        for (int i = 0; i < n; i++)
            a[i] = 2 * b[i];
    } else {
        for (int i = 0; i < n; i++)
            a[i] = b[i];
    }
}

// CHECK-DAG: :[[@LINE+3]]:5: remark: loop not offloaded: the call of 'show' in line [[@LINE+5]] {{.*}} (the loops of 'chosen', called in line [[@LINE+4]], are looked at by themselves)
void chooses(int n, double *a, double *b)
{
    for (int t = 0; t < 100; t++) {
        chosen(n, a, b, 1);
        show(n, a);
    }
}
