// Functions whose frame or way of calling is special: the offloaded copy and
// the body that was written get the same arguments, and results come back.
//
// RUN: %gpu_cc -g %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_plain POLYGPU=off %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop variable {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop returns_to {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop by_value {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop recursive {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop weak {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop large {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop huge {{.*}} runs=1 declined=0 failed=0
#include "exec.h"
#include <stdarg.h>
#include <sys/resource.h>

enum { N = 100 };

static double results[8];

NOINLINE static double variable(int n, double *a, ...)
{
    va_list list;
    double sum = 0, factor;

    va_start(list, a);
    factor = va_arg(list, double);
    for (int i = 0; i < n; i++)
        a[i] = a[i] * factor;
    for (int i = 0; i < 9; i++)
        sum += va_arg(list, int);
    sum += va_arg(list, double);
    va_end(list);
    return sum;
}

NOINLINE static void *returns_to(int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] + 1;
    return __builtin_return_address(0);
}

/* Two calls in a row return to two places, next to each other. */
HOST double distance(double *a, double *b)
{
    char *first = returns_to(N, a);
    char *second = returns_to(0, b);

    return second - first > 0 && second - first < 200;
}

struct big {
    double x[40];
};

NOINLINE static struct big by_value(int n, struct big b, double *a, float f)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] + b.x[3];
    b.x[0] = f;
    return b;
}

HOST int is_last(int depth)
{
    return depth == 0;
}

NOINLINE static int recursive(int depth, int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] + depth;
    if (is_last(depth))
        return 0;
    return 1 + recursive(depth - 1, n, a);
}

__attribute__((weak)) NOINLINE int weak(int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2;
    return n;
}

/* Local arrays in both bodies. */
NOINLINE static double large(int n, const double *a)
{
    double x[4096], sum = 0;

    for (int i = 0; i < n; i++)
        x[i] = a[i % N];
    for (int i = 0; i < n; i++)
        x[i] = x[i] + 3;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

HOST void use(double *x)
{
    x[0] = x[0] + 1;
}

/* A local array that is not there twice: the stack has 8 MB. */
NOINLINE static double huge(int n, const double *a)
{
    double x[700000];

    x[0] = x[699999] = 1;
    use(x);
    for (int i = 0; i < n; i++)
        x[i + 1] = a[i] + 3;
    use(x);
    return x[0] + x[n] + x[699999];
}

int main(int argc, char **argv)
{
    struct rlimit limit;

    static double a[N], b[N];
    struct big big = {{1, 2, 3, 4}};

    harness_start(argc, argv);
    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = 8 << 20;
    setrlimit(RLIMIT_STACK, &limit);
    harness_fill(a, N, sizeof *a);
    harness_fill(b, N, sizeof *b);
    results[0] = variable(N, a, 2.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0.5);
    results[1] = distance(a, b);
    big = by_value(N, big, a, 7);
    results[2] = big.x[0] + big.x[1];
    results[3] = recursive(2, N, a);
    results[4] = weak(N, a);
    results[5] = large(4096, a);
    results[6] = huge(N, a);
    dump("a", a, sizeof a);
    dump("results", results, sizeof results);
    return harness_end();
}
