// Functions that are called one after the other: what one of them leaves on the
// device the next one finds there, and what is called in between says itself what
// it needs or changes.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref > %t.ref.out
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu > %t.gpu.out 2> %t.profile
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
// RUN: cmp %t.ref.out %t.gpu.out
// RUN: %FileCheck %s < %t.profile
// RUN: env POLYGPU_RESIDENCY=verify POLYGPU=mandatory POLYGPU_DEVICE=emulated \
// RUN:   %run_plain %t.gpu > %t.gpu.out
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %clang_gpu -O3 -I%S/Inputs -I%programs -c %s -o /dev/null \
// RUN:   -Rpass-analysis=gpu-polyhedral 2>&1 | %FileCheck %s --check-prefix=TOLD
//
// 1600 bytes each.  Both arrays are copied in once, and of those that "poke" has
// written only the elements.
// CHECK: scop first {{.*}} runs=10 declined=0 failed=0 bytes_in=3216 bytes_out=0 {{.*}} bytes_kept=28784
// CHECK: scop second {{.*}} runs=10 declined=0 failed=0 bytes_in=0 {{.*}} bytes_kept=32000
// The call copies the array: results are there before it, and the copy is another
// one each time.
// CHECK: scop by_value {{.*}} runs=3 declined=0 failed=0 bytes_in=1600 bytes_out=4800 {{.*}} bytes_kept=3200
// CHECK: scop inside {{.*}} runs=3 declined=0 failed=0 bytes_in=4800 bytes_out=4800 {{.*}} bytes_kept=0
// One array is a variable of the function that is called: results are where they
// belong before it ends, the other array stays.
// CHECK: scop frame {{.*}} runs=3 declined=0 failed=0 bytes_in=1600 bytes_out=4800 {{.*}} bytes_kept=3200
// CHECK: scop other_frame {{.*}} runs=3 declined=0 failed=0 bytes_in=0
// It calls itself.
// CHECK: scop again {{.*}} runs=4 declined=0 failed=0 bytes_in=1600 bytes_out=1600 {{.*}} bytes_kept=4800
// The function may be another one, is called by a pointer, or left by a jump: no
// scope goes on.
// CHECK: scop replaceable {{.*}} runs=3 declined=0 failed=0 bytes_in=4800 bytes_out=4800 {{.*}} bytes_kept=0
// CHECK: scop pointed {{.*}} runs=3 declined=0 failed=0 bytes_in=4800 bytes_out=4800 {{.*}} bytes_kept=0
// CHECK: scop jumping {{.*}} runs=3 declined=0 failed=0 bytes_in=4800 bytes_out=4800 {{.*}} bytes_kept=0
// One run alone is as before.
// CHECK: scop single {{.*}} runs=1 declined=0 failed=0 bytes_in=1600 bytes_out=1600
//
// TOLD: remark: 0 arrays stay on the device from run to run, {{.*}}so do those of functions that are called in 2 places
#include "exec.h"

#include <setjmp.h>
#include <stdio.h>

enum { N = 200 };

struct box {
    double values[N];
    int n;
};

static double a[N], b[N], c[N], d[N], e[N], f[N], g[N], h[N];
static struct box box;
static jmp_buf place;

NOINLINE static void first(double *restrict x, const double *restrict y)
{
    for (int i = 0; i < N; i++)
        x[i] = x[i] * 0.5 + y[N - 1 - i];
}

NOINLINE static void second(double *x, double *y)
{
    for (int i = 0; i < N; i++)
        y[i] = y[i] * 0.25 - x[i];
}

/* It has no loops; what it is given may be on the device. */
NOINLINE static void poke(double *restrict x, int t) { x[t] += t; }

NOINLINE static double peek(const double *restrict x, int t)
{
    printf("%d\n", t);
    return x[t];
}

APART void steps(double *sum)
{
    for (int t = 0; t < 10; t++) {
        first(a, b);
        second(a, b);
        if (t % 5 == 2)
            poke(a, t);
        if (t % 4 == 1)
            *sum += peek(b, t);
    }
}

NOINLINE static double inside(struct box copy)
{
    for (int i = 0; i < copy.n; i++)
        copy.values[i] = copy.values[i] * 0.5 + i;
    return copy.values[3] + copy.values[N - 1];
}

APART void by_value(double *result)
{
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < N; i++)
            box.values[i] = box.values[i] * 0.5 + 1;
        result[t] = inside(box);
    }
}

NOINLINE static void frame(double *x)
{
    double own[N];

    for (int i = 0; i < N; i++)
        own[i] = x[N - 1 - i] + 1;
    for (int i = 0; i < N; i++)
        x[i] = own[i] * 0.5;
}

/* Uses the stack on which the variables of "frame" were. */
NOINLINE static double other_frame(int t)
{
    double own[2 * N];
    double sum = 0;

    for (int i = 0; i < 2 * N; i++)
        own[i * 7 % (2 * N)] = t + i;
    for (int i = 0; i < 2 * N; i++)
        sum += own[i];
    return sum;
}

APART void frames(double *sum)
{
    for (int t = 0; t < 3; t++) {
        frame(c);
        *sum += other_frame(t);
    }
}

NOINLINE static void again(double *x, int t);

NOINLINE static void deeper(double *x, int t)
{
    if (t < 4)
        again(x, t);
}

NOINLINE static void again(double *x, int t)
{
    for (int i = 0; i < N; i++)
        x[i] = x[i] * 0.5 + t;
    deeper(x, t + 1);
}

APART void recursion(void) { again(d, 0); }

APART void replaceable(double *x)
{
    for (int i = 0; i < N; i++)
        x[i] = x[i] * 0.5 + 1;
}

NOINLINE static void pointed(double *x)
{
    for (int i = 0; i < N; i++)
        x[i] = x[i] * 0.5 + 2;
}

static void (*volatile pointer)(double *) = pointed;

APART void unknown(void)
{
    for (int t = 0; t < 3; t++) {
        replaceable(e);
        pointer(f);
    }
}

NOINLINE static void jumping(double *x, int t)
{
    for (int i = 0; i < N; i++)
        x[i] = x[i] * 0.5 + t;
    if (t % 2)
        longjmp(place, t);
    x[0] += 1;
}

APART void jumps(void)
{
    for (volatile int t = 0; t < 3; t++)
        if (!setjmp(place))
            jumping(g, t);
}

NOINLINE static void single(double *x)
{
    for (int i = 0; i < N; i++)
        x[i] = x[i] * 0.5 + 3;
}

APART void once(void) { single(h); }

int main(int argc, char **argv)
{
    double sum = 0, rest = 0, results[3] = {0};

    harness_start(argc, argv);
    harness_fill(box.values, N, sizeof(double));
    box.n = N;
    for (int k = 0; k < 8; k++) {
        double *all[] = {a, b, c, d, e, f, g, h};
        harness_fill(all[k], N, sizeof(double));
    }
    steps(&sum);
    by_value(results);
    frames(&rest);
    recursion();
    unknown();
    jumps();
    once();
    for (int k = 0; k < 8; k++) {
        double *all[] = {a, b, c, d, e, f, g, h};
        dump_double("array", all[k], N);
    }
    dump_double("box", box.values, N);
    dump_double("results", results, 3);
    dump_double("sum", &sum, 1);
    dump_double("rest", &rest, 1);
    return harness_end();
}
