// Loops with the same instructions as a serial nest's, for which more or less is
// known of what they use from outside, or whose numbers may be added in another
// order, are no copies of it.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass=gpu-polyhedral \
// RUN:   -fno-caret-diagnostics -c %s -o %t.o 2>&1 | %FileCheck %s
//
// CHECK: not offloaded: every loop depends on {{.*}} (the loops write 'base')
// CHECK: loops offloaded as {{.*}} apart_
// CHECK: not offloaded: every loop depends on {{.*}} ('s' is a result
// CHECK: loops offloaded as {{.*}} any_order_
// CHECK-NOT: remark

void overlapping(int n, double *restrict base)
{
    double *p = base + 1;
    const double *q = base;

    for (int i = 0; i < n; i++)
        p[i] = q[i] * 0.5 + 1;
}

void apart(int n, double *restrict p, const double *restrict q)
{
    for (int i = 0; i < n; i++)
        p[i] = q[i] * 0.5 + 1;
}

double in_order(int n, const double *a, const double *b)
{
    double s = 0;

    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

double any_order(int n, const double *a, const double *b)
{
#pragma clang fp reassociate(on)
    double s = 0;

    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}
