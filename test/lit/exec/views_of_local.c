// A local array that is seen with rows of several sizes from its beginning on, as
// the scratch memory of finite elements is: it is one array of one dimension, of
// which each element has a copy.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop apply {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel apply_{{.*}}_0 {{.*}} launches=1 grid={{.*}} block=3,3,56
// CHECK-DAG: polygpu: kernel apply_{{.*}}_1 {{.*}} launches=1 grid={{.*}} block=3,4,42
// CHECK-DAG: polygpu: kernel apply_{{.*}}_2 {{.*}} launches=1 grid={{.*}} block=4,4,32
// CHECK-DAG: polygpu: scop in_cube {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel in_cube_{{.*}} launches=1 grid=1,1,1 block=1024,1,1
// CHECK-DAG: polygpu: scop behind {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel behind_{{.*}}_1 {{.*}} launches=1 grid={{.*}} block=3,85,1
// CHECK-DAG: polygpu: kernel behind_{{.*}}_2 {{.*}} launches=1 grid={{.*}} block=2,128,1
#include "exec.h"

enum { D = 3, Q = 4, N = 70 };

static double x[N * D * D], y[N * Q * Q], z[N * Q * Q], b[Q * D];

NOINLINE static void apply(int n, const double *restrict x, double *restrict y,
                           const double *restrict b)
{
    for (int e = 0; e < n; e++) {
        double s[Q * Q];
        double(*u)[D] = (double(*)[D])s;
        double(*v)[Q] = (double(*)[Q])s;
        double t[Q][D];

        for (int i = 0; i < D; i++)
            for (int j = 0; j < D; j++)
                u[i][j] = x[e * D * D + i * D + j];
        for (int i = 0; i < Q; i++)
            for (int j = 0; j < D; j++) {
                double sum = 0;
                for (int k = 0; k < D; k++)
                    sum += b[i * D + k] * u[k][j];
                t[i][j] = sum;
            }
        for (int i = 0; i < Q; i++)
            for (int j = 0; j < Q; j++) {
                double sum = 0;
                for (int k = 0; k < D; k++)
                    sum += b[j * D + k] * t[i][k];
                v[i][j] = sum;
            }
        for (int i = 0; i < Q; i++)
            for (int j = 0; j < Q; j++)
                y[e * Q * Q + i * Q + j] = v[i][j] * 2;
    }
}

// Three dimensions, a constant subscript, and what one view has written is read
// by the other one at another place.
NOINLINE static void in_cube(int n, const double *restrict x, double *restrict y)
{
    for (int e = 0; e < n; e++) {
        double s[Q * Q * Q];
        double(*u)[D][D] = (double(*)[D][D])s;
        double(*v)[Q][Q] = (double(*)[Q][Q])s;

        for (int k = 0; k < Q; k++)
            for (int i = 0; i < Q; i++)
                for (int j = 0; j < Q; j++)
                    v[k][i][j] = x[e] * (k + 1) + i * Q + j;
        for (int k = 0; k < D; k++)
            for (int i = 0; i < D; i++)
                for (int j = 0; j < D; j++)
                    u[k][i][j] += u[1][i][j] * 0.5;
        for (int i = 0; i < Q; i++)
            for (int j = 0; j < Q; j++)
                y[e * Q * Q + i * Q + j] = v[1][i][j] - v[3][j][i];
    }
}

// Of one that loops around do not begin anew, rows are seen one behind another.
NOINLINE static double behind(int n, const double *restrict x)
{
    double s[N * D];
    double(*u)[D] = (double(*)[D])s;
    double(*v)[2] = (double(*)[2])s;
    double last = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < D; j++)
            u[i][j] = x[i * D + j] * 3;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            v[i][j] = v[i][j] * 0.5 + x[i];
    for (int i = 0; i < n; i++)
        last = last * 0.25 + u[i][2];
    return last;
}

int main(int argc, char **argv)
{
    double result;

    harness_start(argc, argv);
    harness_fill(x, N * D * D, sizeof *x);
    harness_fill(b, Q * D, sizeof *b);
    poison(y, sizeof y);
    poison(z, sizeof z);
    apply(N, x, y, b);
    dump("y", y, sizeof y);
    in_cube(N - 5, x, z);
    dump("z", z, sizeof z);
    result = behind(N - 1, x);
    dump("result", &result, sizeof result);
    return harness_end();
}
