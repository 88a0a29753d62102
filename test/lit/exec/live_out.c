// Scalars that live on after offloaded loops: the counter's last value, the
// last value of an expression of counters, a value computed in the last
// iteration, and one carried from iteration to iteration beside them.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop counter {{.*}} runs=3 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=2
// CHECK: polygpu: scop carried {{.*}} runs=3 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches={{[1-9]}}
#include "exec.h"

enum { N = 50 };

static int a[N], b[N], results[12];

NOINLINE static int counter(int n, int *last)
{
    int i, expression = -1;

    for (i = 0; i < n; i++) {
        a[i] = b[i] * 3;
        expression = 5 * i + n;
    }
    *last = expression;
    return i;
}

/* May stay on the host: every iteration writes the one scalar. */
NOINLINE static int computed(int n)
{
    int value = -7;

    for (int i = 0; i < n; i++) {
        value = a[i] + b[i];
        a[i] = value * 2;
    }
    return value;
}

/* The first loop is parallel, the second a chain through one scalar. */
NOINLINE static int carried(int n)
{
    int last = 99;

    for (int i = 0; i < n; i++)
        a[i] = a[i] ^ b[i];
    for (int i = 0; i < n; i++)
        last = last * 3 + a[i];
    return last;
}

int main(int argc, char **argv)
{
    static const int sizes[3] = {N - 3, 1, 0};

    harness_start(argc, argv);
    for (int i = 0; i < N; i++)
        b[i] = (int)(harness_random() * 1000);
    poison(a, sizeof a);
    poison(results, sizeof results);
    for (int k = 0; k < 3; k++) {
        results[4 * k] = counter(sizes[k], &results[4 * k + 1]);
        results[4 * k + 2] = computed(sizes[k]);
        results[4 * k + 3] = carried(sizes[k]);
    }
    dump("results", results, sizeof results);
    dump("a", a, sizeof a);
    return harness_end();
}
