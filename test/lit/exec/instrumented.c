// Calls are counted (-finstrument-functions) as without offloading: the copy
// of a function adds none, and a function whose calls are counted before
// inlining is not inlined into it.
//
// RUN: %gpu_cc -finstrument-functions %s %harness -o %t.gpu \
// RUN:   -Rpass-missed=gpu 2>&1 | %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc -finstrument-functions %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefixes=CHECK,BEFORE %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_plain POLYGPU=off %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// After inlining, the loop with a call is offloaded as well.
// RUN: %gpu_cc -finstrument-functions-after-inlining %s %harness -o %t.gpu
// RUN: %ref_cc -finstrument-functions-after-inlining %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefixes=CHECK,AFTER %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_plain POLYGPU=off %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK: loop not offloaded: the call of 'twice' {{.*}}-finstrument-functions counts it
// REMARK-NOT: not offloaded
//
// CHECK-DAG: polygpu: scop plain {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel plain{{.*}} launches=3
// CHECK-DAG: polygpu: scop large {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel large{{.*}} launches=1 grid=16,
// CHECK-DAG: polygpu: scop variable {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel variable{{.*}} launches=2
// AFTER-DAG: polygpu: scop calling {{.*}} runs=1 declined=0 failed=0
// AFTER-DAG: polygpu: kernel calling{{.*}} launches=1
// BEFORE-NOT: polygpu: scop calling
#include "exec.h"
#include <stdarg.h>

#define UNCOUNTED __attribute__((no_instrument_function))

enum { N = 100 };

NOINLINE static void plain(int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 3;
}

/* Its body is moved: local arrays would be there twice. */
NOINLINE static double large(int n, const double *a)
{
    double x[4096], sum = 0;

    for (int i = 0; i < n; i++)
        x[i] = a[i % N] + 2;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* Its body is moved, and called with musttail. */
NOINLINE static double variable(int n, double *a, ...)
{
    va_list list;
    double factor;

    va_start(list, a);
    factor = va_arg(list, double);
    va_end(list);
    for (int i = 0; i < n; i++)
        a[i] = a[i] * factor;
    return factor;
}

static double twice(double x)
{
    return x * 2 + 1;
}

NOINLINE static void calling(int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = twice(a[i]);
}

/* [function][enter, exit] */
static long counts[6][2];

UNCOUNTED HOST void count(void *function, int exit)
{
    void *known[] = {plain, large, variable, twice, calling};
    int i = 0;

    while (i < 5 && known[i] != function)
        i++;
    counts[i][exit]++;
}

UNCOUNTED void __cyg_profile_func_enter(void *function, void *site)
{
    (void)site;
    count(function, 0);
}

UNCOUNTED void __cyg_profile_func_exit(void *function, void *site)
{
    (void)site;
    count(function, 1);
}

int main(int argc, char **argv)
{
    static double a[N], sum[3];

    harness_start(argc, argv);
    harness_fill(a, N, sizeof *a);
    plain(N, a);
    plain(N / 2, a);
    plain(N, a);
    sum[0] = large(4096, a);
    sum[1] = variable(N, a, 0.5);
    sum[2] = variable(N, a, 1.5);
    calling(N, a);
    dump("a", a, sizeof a);
    dump("sum", sum, sizeof sum);
    dump("counts", counts, sizeof counts);
    return harness_end();
}
