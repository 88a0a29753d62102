// Functions with large local arrays are not inlined into those that call
// themselves, or many of them into one: a program that ran does not run out of
// stack.  Small ones still are.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc -mfma -Rpass-missed=gpu %s %harness -o %t.gpu 2>&1 \
// RUN:   | %FileCheck --check-prefix=REMARK %s
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop recursive {{.*}} runs=300 declined=0 failed=0
// CHECK-DAG: polygpu: scop through {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop small {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop flat {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel recursive_{{.*}} launches=300
// CHECK-DAG: polygpu: kernel through_{{.*}} launches=3
// CHECK-DAG: polygpu: kernel small_{{.*}} launches=3
// CHECK-DAG: polygpu: kernel flat_{{.*}} launches=1
#include "exec.h"
#include <sys/resource.h>

enum { N = 60, DEPTH = 300 };

static double a[N], b[N], sums[4];

/* What is seen of an array that lives in memory. */
HOST double use(double *t, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i += 1000)
        sum += t[i];
    return sum;
}

static double large(int k)
{
    double t[10000];

    for (int i = 0; i < 10000; i += 1000)
        t[i] = a[k] + i;
    return use(t, 10000);
}

static double middle(const double *x)
{
    double t[600];

    t[0] = x[0] * 3;
    t[599] = t[0] + x[0];
    return t[599];
}

static double little(const double *x)
{
    double t[2];

    t[0] = x[0] * 2;
    t[1] = t[0] + 1;
    return t[1];
}

NOINLINE static double recursive(int depth)
{
    double sum = 0;

    for (int i = 0; i < N; i++)
        a[i] = a[i] + 1;
    for (int i = 0; i < 2; i++)
        sum += large(i); // REMARK: [[#@LINE-1]]:{{.*}}'large'{{.*}}stack frame
    return depth > 1 ? sum + recursive(depth - 1) : sum;
}

static double through(int depth);

NOINLINE static double again(int depth)
{
    return depth > 1 ? through(depth - 1) : 0;
}

NOINLINE static double through(int depth)
{
    double sum = 0;

    for (int i = 0; i < N; i++)
        b[i] = b[i] + 1;
    for (int i = 0; i < 2; i++)
        sum += large(i); // REMARK: [[#@LINE-1]]:{{.*}}'large'{{.*}}stack frame
    return sum + again(depth);
}

HOST int is_last(int depth)
{
    return depth == 1;
}

NOINLINE static double small(int depth)
{
    for (int i = 0; i < N; i++)
        a[i] = little(a + i);
    return is_last(depth) ? a[1] : a[0] + small(depth - 1);
}

NOINLINE static void flat(int n)
{
    for (int i = 0; i < n; i++)
        b[i] = middle(b + i);
}

int main(int argc, char **argv)
{
    struct rlimit limit;

    harness_start(argc, argv);
    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = 8 << 20;
    setrlimit(RLIMIT_STACK, &limit);
    harness_fill(a, N, sizeof *a);
    harness_fill(b, N, sizeof *b);
    sums[0] = recursive(DEPTH);
    sums[1] = through(3);
    sums[2] = small(3);
    flat(N);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    dump("sums", sums, sizeof sums);
    return harness_end();
}
