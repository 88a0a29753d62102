// Matrix products whose copies to shared memory are asynchronous, in one to
// eight stages, as in async_vectors.c; with a factor that elements are
// multiplied by when they have arrived, with one or both operands transposed,
// and of triangles.
// Other types and stages: async_more.test.
//
// DEFINE: %{type} =
// DEFINE: %{stages} =
// DEFINE: %{ref} = %ref_cc -DE=%{type} %s %harness -o %t.ref && %run_ref %t.ref
// DEFINE: %{gpu} = %gpu_cc -DE=%{type} %s %harness -mllvm -gpu-arch=sm_90 \
// DEFINE:   -mllvm '-gpu-sizes={ kernel[i] -> tile[16,16,4]; kernel[i] -> block[8,8]; kernel[i] -> grid[2,2]; kernel[i] -> stages[%{stages}] }' \
// DEFINE:   -o %t.gpu && %run_gpu %t.gpu > %t.out 2>&1 && \
// DEFINE:   %FileCheck %s < %t.out && cmp %t.ref.dump %t.gpu.dump
//
// REDEFINE: %{type} = float
// RUN: %{ref}
// REDEFINE: %{stages} = 1
// RUN: %{gpu}
// The sizes that are chosen without the user's (of others' products:
// polybench/async.test):
// RUN: %if all %{ %gpu_cc -DE=float %s %harness -mllvm -gpu-arch=sm_90 -o %t.gpu %}
// RUN: %if all %{ %run_gpu %t.gpu 2>&1 | %FileCheck %s %}
// RUN: %if all %{ cmp %t.ref.dump %t.gpu.dump %}
//
// REDEFINE: %{type} = short
// RUN: %{ref}
// REDEFINE: %{stages} = 4
// RUN: %{gpu}
//
// CHECK: polygpu: scop product {{.*}} runs=14 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=14
// CHECK: polygpu: scop scaled {{.*}} runs=14 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=14
// CHECK: polygpu: scop transposed {{.*}} runs=14 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=14
// CHECK: polygpu: scop triangle {{.*}} runs=14 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=14
#include "exec.h"

#ifndef E
#define E float
#endif

enum { MOST = 4000 };

static _Alignas(64) E a[MOST], b[MOST], c[MOST];

NOINLINE static void product(int n, int m, int l, E (*restrict p)[l],
                             E (*restrict q)[m], E (*restrict r)[m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                r[i][j] += p[i][k] * q[k][j];
}

NOINLINE static void scaled(int n, int m, int l, E alpha, E (*restrict p)[l],
                            E (*restrict q)[m], E (*restrict r)[m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                r[i][j] += alpha * p[i][k] * q[k][j];
}

NOINLINE static void transposed(int n, int m, int l, E alpha,
                                E (*restrict p)[n], E (*restrict q)[l],
                                E (*restrict r)[m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = l - 1; k >= 0; k--)
                r[i][j] += p[k][i] * (alpha * q[j][k]);
}

NOINLINE static void triangle(int n, E alpha, E (*restrict p)[n],
                              E (*restrict q)[n], E (*restrict r)[n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = i; k < n; k++)
                r[i][j] += alpha * p[i][k] * q[k][j];
}

HOST E any(void)
{
    return (E)(harness_random() * (sizeof(E) == 2 ? 200 : 1000));
}

HOST void all(int n, int m, int l, int from)
{
    E *p = a + from, *q = b + from, *r = c + from;

    product(n, m, l, (E(*)[l])p, (E(*)[m])q, (E(*)[m])r);
    scaled(n, m, l, any(), (E(*)[l])p, (E(*)[m])q, (E(*)[m])r);
    transposed(n, m, l, any(), (E(*)[n])p, (E(*)[l])q, (E(*)[m])r);
    triangle(n, any(), (E(*)[n])p, (E(*)[n])q, (E(*)[n])r);
    dump("c", c, sizeof c);
}

int main(int argc, char **argv)
{
    static const int sizes[][3] = {{32, 16, 32}, {37, 19, 13}, {20, 36, 60},
                                   {5, 3, 2},    {19, 37, 1},  {16, 32, 4},
                                   {17, 18, 131}};

    harness_start(argc, argv);
    for (int s = 0; s < 7; s++)
        for (int from = 0; from < 2; from++) {
            for (int i = 0; i < MOST; i++) {
                a[i] = any();
                b[i] = any();
                c[i] = any();
            }
            all(sizes[s][0], sizes[s][1], sizes[s][2], from);
        }
    return harness_end();
}
