// Stores and loads under conditions on data.  Kernels make them always, in
// memory of the device; what the program does not write keeps its bytes, here
// poison, and what it does not read is not read where it is not there.
//
// RUN: %gpu_cc -mfma %s %harness -lm -o %t.gpu
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Without a device, and where it fails, the original loops have their branches.
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop store {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel store_{{.*}} launches=1
// CHECK-DAG: polygpu: scop either {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel either_{{.*}} launches=1
// CHECK-DAG: polygpu: scop both_ways {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel both_ways_{{.*}} launches=1
// CHECK-DAG: polygpu: scop nested {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel nested_{{.*}} launches=1
// CHECK-DAG: polygpu: scop later {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel later_{{.*}} launches=1
// CHECK-DAG: polygpu: scop chosen {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel chosen_{{.*}} launches=1
// CHECK-DAG: polygpu: scop divided {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel divided_{{.*}} launches=1
// CHECK-DAG: polygpu: scop cases {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel cases_{{.*}} launches=1
// CHECK-DAG: polygpu: scop in_turns {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel in_turns_{{.*}} launches=1 grid=1,1,1 block=1,1,1
// CHECK-DAG: polygpu: kernel in_turns_{{.*}} launches=1 grid=4,1,1
// CHECK-DAG: polygpu: scop steps {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel steps_{{.*}} launches=1 grid=1,1,1
// CHECK-DAG: polygpu: scop threshold {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel threshold_{{.*}} launches=1
// CHECK-DAG: polygpu: scop covered {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel covered_{{.*}} launches=1
// CHECK-DAG: polygpu: scop twice {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel twice_{{.*}} launches=1
// CHECK-DAG: polygpu: scop rows {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel rows_{{.*}} launches=
// CHECK-DAG: polygpu: scop total {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel total_{{.*}} launches=
#include "exec.h"

enum { N = 1000, M = 37 };

static float a[N], b[N], c[N], d[N], e[N];
static float image[M][N], out[M][N];
static int k[N], l[N];
static long count[1];

NOINLINE static void store(int n)
{
    for (int i = 0; i < n; i++)
        if (c[i] > 0)
            a[i] = 2 * b[i];
}

// Each way writes the same element: no marks are needed.
NOINLINE static void either(int n)
{
    for (int i = 0; i < n; i++)
        if (c[i] > 0)
            d[i] = 2 * b[i];
        else
            d[i] = b[i] - 1;
}

NOINLINE static void both_ways(int n)
{
    for (int i = 0; i < n; i++)
        if (c[i] > 0) {
            a[i] = b[i] + c[i];
            d[i] = 1;
        } else {
            e[i] = b[i] * c[i];
        }
}

NOINLINE static void nested(int n)
{
    for (int i = 0; i < n; i++) {
        if (c[i] > 0) {
            a[i] = b[i];
            if (b[i] > 0)
                d[i] = 1 / b[i];
            else if (e[i] > 0)
                d[i] = e[i];
        } else if (c[i] < -0.5f) {
            a[i] = 3;
        }
    }
}

// What the second loop reads is from either loop of before, or older.
NOINLINE static void later(int n)
{
    for (int i = 0; i < n / 2; i++)
        a[i] = b[i];
    for (int i = 0; i < n; i++)
        if (c[i] > 0)
            a[i] = 7;
    for (int i = 0; i < n; i++)
        d[i] = a[i] + 1;
}

// Values, not stores, depend on data.
NOINLINE static void chosen(int n)
{
    for (int i = 0; i < n; i++) {
        float x = b[i], y = 0;
        if (x > 0) {
            y = x * x + c[i];
            if (y > 1)
                y = d[i];
        }
        e[i] = y;
    }
}

NOINLINE static void divided(int n)
{
    for (int i = 0; i < n; i++)
        if (l[i] != 0)
            k[i] = k[i] / l[i] + k[i] % l[i];
}

NOINLINE static void cases(int n)
{
    for (int i = 0; i < n; i++)
        switch (l[i]) {
        case 0:
            k[i] = 1;
            break;
        case 1:
            k[i] += 5;
            // fall through
        case -1:
            a[i] = b[i];
            break;
        default:
            d[i] = c[i];
        }
}

// The second condition is found when the first one is straight-line code.
NOINLINE static void in_turns(int n)
{
    for (int i = 1; i < n - 2; i++) {
        if (d[i + 1] >= 0.5f) {
            if (d[i] > b[i]) {
                a[i + 2] += b[i + 2];
                if (!(a[i] > 0) && !(e[i - 1] > a[i + 2]))
                    b[i] = a[i - 1] - 1;
            }
        } else if (b[i] >= 0.5f) {
            b[i] = d[i];
        }
        if (a[i] >= -0.25f || c[i] > b[i])
            __builtin_sqrtf(d[i + 1] * c[i]);
    }
    for (int i = 0; i < n; i++)
        if (c[i] > 0)
            k[i] = l[i];
}

NOINLINE static void steps(int t, int n)
{
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            if (a[i] < b[i])
                d[i] = 0.5f * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            if (c[i] > -0.5f)
                a[i] += 0.1f * d[i];
    }
}

NOINLINE static void threshold(int n)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < n; j++)
            if (image[i][j] > 0.5f)
                out[i][j] = 1;
}

// All is written before: no marks are needed.
NOINLINE static void covered(int n)
{
    for (int i = 0; i < n; i++) {
        e[i] = 0;
        if (c[i] > 0)
            e[i] = b[i];
        if (b[i] > 0)
            e[i] += 1;
    }
}

NOINLINE static void twice(int n)
{
    for (int i = 0; i < n; i++) {
        if (c[i] > 0)
            a[i] = b[i];
        if (b[i] > 0)
            a[i] += c[i];
        d[i] = a[i];
    }
}

// The same element is written again and again.
NOINLINE static void rows(int n)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < M; i++)
            if (image[i][j] > e[j])
                e[j] = image[i][j];
}

// A variable of the function's own is nobody else's.
NOINLINE static void total(int n)
{
    long sum = 0;

    for (int i = 0; i < n; i++)
        if (l[i] > 0)
            sum += l[i];
    count[0] = sum;
}

static void fill(float *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = (float)(harness_random() + 0.2 * (i % 7) - 0.6);
}

static void start(void)
{
    poison(a, sizeof a);
    poison(d, sizeof d);
    poison(e, sizeof e);
    poison(out, sizeof out);
    fill(b, N);
    fill(c, N);
    fill(&image[0][0], M * N);
    random_bits(k, sizeof k);
    random_bits(l, sizeof l);
    for (int i = 0; i < N; i++)
        l[i] %= 4;
    count[0] = 5;
}

static void show(void)
{
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    dump("c", c, sizeof c);
    dump("d", d, sizeof d);
    dump("e", e, sizeof e);
    dump("out", out, sizeof out);
    dump("k", k, sizeof k);
    dump("count", count, sizeof count);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    start();
    store(N);
    show();
    start();
    either(N);
    show();
    start();
    both_ways(N);
    show();
    start();
    fill(e, N);
    nested(N);
    show();
    start();
    later(N - 1);
    show();
    start();
    fill(d, N);
    chosen(N);
    show();
    start();
    divided(N);
    show();
    start();
    cases(N);
    show();
    start();
    fill(a, N);
    fill(d, N);
    fill(e, N);
    in_turns(N);
    show();
    start();
    fill(a, N);
    fill(d, N);
    steps(7, N);
    show();
    start();
    threshold(N - 3);
    show();
    start();
    covered(N);
    show();
    start();
    fill(a, N);
    twice(N);
    show();
    start();
    fill(e, N);
    rows(N);
    show();
    start();
    total(N);
    show();
    return harness_end();
}
