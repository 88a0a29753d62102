// Sums in order beside stores under conditions on data, of what is read through an
// index, of a wider type than what is stored, and over three loops: the stores are
// a kernel of their own, one thread sums up.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop chosen {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel chosen_{{.*}}_0 {{.*}} launches=1 grid={{.*}} block=256,1,1
// CHECK-DAG: polygpu: kernel chosen_{{.*}}_2 {{.*}} launches=1 grid=1,1,1 block=1,1,1
// CHECK-DAG: polygpu: scop some {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel some_{{.*}}_0 {{.*}} launches=1 grid={{.*}} block=256,1,1
// CHECK-DAG: polygpu: scop gathered {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel gathered_{{.*}}_0 {{.*}} launches=1 grid={{.*}} block=256,1,1
// CHECK-DAG: polygpu: kernel gathered_{{.*}}_2 {{.*}} launches=1 grid=1,1,1 block=1,1,1
// CHECK-DAG: polygpu: scop wider {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel wider_{{.*}}_0 {{.*}} launches=1 grid={{.*}} block=256,1,1
// CHECK-DAG: polygpu: kernel wider_{{.*}}_2 {{.*}} launches=1 grid=1,1,1 block=1,1,1
// CHECK-DAG: polygpu: scop in_space {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel in_space_{{.*}}_1 {{.*}} launches=1 grid={{.*}} block=32,4,4
// CHECK-DAG: polygpu: kernel in_space_{{.*}}_2 {{.*}} launches=1 grid=1,1,1 block=1,1,1
#include "exec.h"

enum { N = 2100, A = 5, B = 12, C = 35 };

static double p[N], w[N];
static float f[N], g[N];
static int idx[N];

NOINLINE static double chosen(int n, const double *restrict p,
                              double *restrict w)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        if (p[i] > 0)
            w[i] = p[i] * 1.5;
        else
            w[i] = 1 - p[i];
        sum += w[i];
    }
    return sum;
}

// An element that is not stored is summed up as it was.
NOINLINE static double some(int n, const double *restrict p, double *restrict w)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        if (p[i] > 0.25)
            w[i] = p[i] * 3;
        sum += w[i] * p[i];
    }
    return sum;
}

NOINLINE static double gathered(int n, const int *restrict idx,
                                const double *restrict p, double *restrict w)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        w[i] = p[idx[i]] * 0.5;
        sum += w[i] * p[idx[i]];
    }
    return sum;
}

NOINLINE static double wider(int n, const float *restrict f, float *restrict g)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        g[i] = f[i] * 3;
        sum += g[i];
    }
    return sum;
}

NOINLINE static double in_space(int a, int b, int c, const double *restrict p,
                                double *restrict w)
{
    double sum = 0;
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++) {
                w[(i * b + j) * c + k] = p[(i * b + j) * c + k] * 2;
                sum += w[(i * b + j) * c + k] * p[(i * b + j) * c + k];
            }
    return sum;
}

int main(int argc, char **argv)
{
    double results[5];

    harness_start(argc, argv);
    harness_fill(p, N, sizeof *p);
    harness_fill(f, N, sizeof *f);
    harness_fill(w, N, sizeof *w);
    for (int i = 0; i < N; i++)
        idx[i] = (int)(((unsigned)i * 7919u) % N);
    results[1] = some(N, p, w);
    dump("some", w, sizeof w);
    results[0] = chosen(N, p, w);
    dump("chosen", w, sizeof w);
    results[2] = gathered(N, idx, p, w);
    dump("gathered", w, sizeof w);
    results[3] = wider(N, f, g);
    dump("wider", g, sizeof g);
    results[4] = in_space(A, B, C, p, w);
    dump("in_space", w, sizeof w);
    dump("results", results, sizeof results);
    return harness_end();
}
