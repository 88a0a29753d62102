// Loops that the fuzzer's shapes found something wrong with: a wrong result, a
// crash of the compiler, or a refusal of what it knows.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc -mfma %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop masked {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel masked_{{.*}} launches=1
// CHECK-DAG: polygpu: scop squares {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel squares_{{.*}} launches=1
// CHECK-DAG: polygpu: scop one_step {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel one_step_{{.*}} launches=1
#include "exec.h"

enum { N = 201 };

static long from[256 + 32], to[N];
static unsigned char bytes[N];
static unsigned square[N];
static double a[N], b[N], c[N];

/* How often a loop with a short counter runs is not known of the counter that
   is masked (a crash). */
NOINLINE static void masked(int n, const unsigned char *b, const long *x,
                            long *y)
{
    short i;
    for (i = 0; i < n; ++i)
        y[i] = x[b[i] + (i & 31)] ^ 3;
}

/* Negative sizes, for which the loop is too long, were taken out of the model
   and compared with it nevertheless (refused). */
NOINLINE static void squares(int n, unsigned *a)
{
    for (unsigned i = 0; i < n; i++)
        a[i] = (i + 1) * (i + 1);
}

/* The number of steps behind the first one, 0, had one bit, as had the period
   of the exchange, 3, that it was divided by (wrong). */
NOINLINE static void one_step(int n, double *p, double *q, double *r)
{
    double *old = p, *new = q, *past = r;
    for (int t = 0; t < 1; t++) {
        for (int i = 1; i < n; i++)
            new[i] = old[i - 1] + past[i];
        double *first = past;
        past = old;
        old = new;
        new = first;
    }
    for (int i = 0; i < n; i++)
        old[i] = 3 * old[i];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N; i++)
        bytes[i] = (unsigned char)(harness_random() * 255);
    for (int i = 0; i < 256 + 32; i++)
        from[i] = (long)(harness_random() * 100000);
    for (int i = 0; i < N; i++) {
        a[i] = harness_random();
        b[i] = harness_random();
        c[i] = harness_random();
    }
    poison(to, sizeof to);
    poison(square, sizeof square);
    masked(N, bytes, from, to);
    squares(N, square);
    one_step(N, a, b, c);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    dump("c", c, sizeof c);
    dump("to", to, sizeof to);
    dump("square", square, sizeof square);
    return harness_end();
}
