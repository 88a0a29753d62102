// Loops that are parallel but for what row and column k, or element k, are in
// step k: these become statements of their own.
//
// RUN: %gpu_cc -mllvm -gpu-time=off %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// With sizes 1, 2 and 17: in the first step nothing is before k, in the last
// nothing behind it, so that element (k, k) takes 1 + 2 + 17 launches, what is
// before or behind k in one direction 0 + 1 + 16, and what is before it in one
// and behind it in the other 0 + 0 + 15.  Row k and column k before k are one kernel,
// and what comes behind one of them is launched with what is beside it.
//
// CHECK: polygpu: scop shortest {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=32,8,1
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=256,1,1
// CHECK-NEXT: kernel {{.*}} launches=20 {{.*}} block=1,1,1
// CHECK-NEXT: kernel {{.*}} launches=15 {{.*}} block=32,8,1
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=256,1,1
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=32,8,1
// CHECK-NEXT: kernel {{.*}}_joined {{.*}} launches=17 {{.*}} block=256,1,1
// CHECK-NEXT: polygpu: scop lightest {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=32,8,1
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=256,1,1
// CHECK-NEXT: kernel {{.*}} launches=20 {{.*}} block=1,1,1
// CHECK-NEXT: kernel {{.*}} launches=15 {{.*}} block=32,8,1
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=256,1,1
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=32,8,1
// CHECK-NEXT: kernel {{.*}}_joined {{.*}} launches=17 {{.*}} block=256,1,1
// CHECK-NEXT: polygpu: scop reach {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=32,8,1
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=256,1,1
// CHECK-NEXT: kernel {{.*}} launches=20 {{.*}} block=1,1,1
// CHECK-NEXT: kernel {{.*}} launches=15 {{.*}} block=32,8,1
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=256,1,1
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=32,8,1
// CHECK-NEXT: kernel {{.*}}_joined {{.*}} launches=17 {{.*}} block=256,1,1
// CHECK-NEXT: polygpu: scop pivot {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=256,1,1
// CHECK-NEXT: kernel {{.*}} launches=20 {{.*}} block=1,1,1
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=256,1,1
// CHECK-NEXT: polygpu: scop next {{.*}} runs=2 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=1,1,1
// CHECK-NEXT: kernel {{.*}} launches=15 {{.*}} block=256,1,1
// CHECK-NEXT: kernel {{.*}} launches=17 {{.*}} block=256,1,1
// CHECK-NOT: kernel
#include "exec.h"

enum { N = 17, SIZES = 4 };

static const int sizes[SIZES] = {0, 1, 2, N};

static int paths[SIZES][N][N], closure[SIZES][N][N], line[SIZES][N];
static float weights[SIZES][N][N], sums[SIZES][N];

NOINLINE static void shortest(int n, int p[N][N])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                p[i][j] =
                    p[i][j] < p[i][k] + p[k][j] ? p[i][j] : p[i][k] + p[k][j];
}

NOINLINE static void lightest(int n, float p[N][N])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float through = p[i][k] + p[k][j];
                p[i][j] = through < p[i][j] ? through : p[i][j];
            }
}

NOINLINE static void reach(int n, int c[N][N])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                c[i][j] |= c[i][k] & c[k][j];
}

NOINLINE static void pivot(int n, int a[N])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            a[i] = a[i] * 3 + (a[k] ^ i);
}

/* Not element k, but the one after, where there is one. */
NOINLINE static void next(int n, float a[N])
{
    for (int k = 0; k < n - 1; k++)
        for (int i = 0; i < n; i++)
            a[i] = 0.5f * a[i] - 0.25f * a[k + 1];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < SIZES * N * N; i++) {
        double weight = harness_random();

        // With negative ones, sums over cycles would hide all others.
        weights[0][0][i] = (float)(weight < 0 ? -weight : weight);
        paths[0][0][i] = (int)(harness_random() * 1000) + 1;
        closure[0][0][i] = harness_random() < 0.1 ? 1 << i % 3 : 0;
    }
    // One does not, and makes a difference to ways through it.
    weights[SIZES - 1][N / 2][N / 2] = -0.25f;
    for (int i = 0; i < SIZES * N; i++)
        line[0][i] = (int)(harness_random() * 1000);
    harness_fill(sums, SIZES * N, sizeof(float));
    for (int s = 0; s < SIZES; s++) {
        shortest(sizes[s], paths[s]);
        lightest(sizes[s], weights[s]);
        reach(sizes[s], closure[s]);
        pivot(sizes[s], line[s]);
        next(sizes[s], sums[s]);
    }
    dump("paths", paths, sizeof paths);
    dump("weights", weights, sizeof weights);
    dump("closure", closure, sizeof closure);
    dump("line", line, sizeof line);
    dump("sums", sums, sizeof sums);
    return harness_end();
}
