// Matrix-vector products whose copies to shared memory are asynchronous, in one
// to eight stages: of rows that begin at multiples of 16 bytes and that do not,
// with tiles that fit and that do not, with one step and with fewer steps than
// stages, forwards and backwards, of two matrices at once and one after the
// other, of triangles. Elements of two bytes cannot be copied that way.
// Other types and stages: async_more.test.
//
// DEFINE: %{type} =
// DEFINE: %{stages} =
// DEFINE: %{ref} = %ref_cc -DE=%{type} %s %harness -o %t.ref && %run_ref %t.ref
// DEFINE: %{gpu} = %gpu_cc -DE=%{type} %s %harness -mllvm -gpu-arch=sm_90 \
// DEFINE:   -mllvm '-gpu-sizes={ kernel[i] -> tile[16,8]; kernel[i] -> block[16]; kernel[i] -> grid[2]; kernel[i] -> stages[%{stages}] }' \
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
// CHECK: polygpu: scop rows {{.*}} runs=14 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=14
// CHECK: polygpu: scop columns {{.*}} runs=14 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=14
// CHECK: polygpu: scop backwards {{.*}} runs=14 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=14
// CHECK: polygpu: scop both {{.*}} runs=14 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=14
// CHECK: polygpu: scop twice {{.*}} runs=14 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=14
// CHECK: polygpu: scop lower {{.*}} runs=14 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=14
// CHECK: polygpu: scop upper {{.*}} runs=14 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=14
#include "exec.h"

#ifndef E
#define E float
#endif

enum { MOST = 40000, VECTOR = 300 };

static _Alignas(64) E a[MOST], b[MOST], x[VECTOR], y[VECTOR];

NOINLINE static void rows(int n, int m, E (*restrict p)[m], E *restrict u,
                          E *restrict v)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            v[i] += p[i][k] * u[k];
}

NOINLINE static void columns(int n, int m, E (*restrict p)[n], E *restrict u,
                             E *restrict v)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            v[i] += p[k][i] * u[k];
}

NOINLINE static void backwards(int n, int m, E (*restrict p)[m], E *restrict u,
                               E *restrict v)
{
    for (int i = 0; i < n; i++)
        for (int k = m - 1; k >= 0; k--)
            v[i] += p[i][k] * u[m - 1 - k];
}

NOINLINE static void both(int n, int m, E (*restrict p)[m], E (*restrict q)[m],
                          E *restrict u, E *restrict v)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            v[i] += p[i][k] * u[k] + q[i][k];
}

NOINLINE static void twice(int n, int m, E (*restrict p)[m], E (*restrict q)[n],
                           E *restrict u, E *restrict v)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < m; k++)
            v[i] += p[i][k] * u[k];
        for (int k = 0; k < m; k++)
            v[i] += q[k][i] * u[k];
    }
}

NOINLINE static void lower(int n, E (*restrict p)[n], E *restrict u,
                           E *restrict v)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++)
            v[i] += p[i][k] * u[k];
}

NOINLINE static void upper(int n, E (*restrict p)[n], E *restrict u,
                           E *restrict v)
{
    for (int i = 0; i < n; i++)
        for (int k = i; k < n; k++)
            v[i] += p[k][i] * u[k];
}

HOST E any(void)
{
    return (E)(harness_random() * (sizeof(E) == 2 ? 200 : 1000));
}

HOST void all(int n, int m, int from)
{
    E *p = a + from, *q = b + from, *u = x + from, *v = y + from;
    int least = n < m ? n : m;

    rows(n, m, (E(*)[m])p, u, v);
    columns(n, m, (E(*)[n])p, u, v);
    backwards(n, m, (E(*)[m])p, u, v);
    both(n, m, (E(*)[m])p, (E(*)[m])q, u, v);
    twice(n, m, (E(*)[m])p, (E(*)[n])q, u, v);
    lower(least, (E(*)[least])p, u, v);
    upper(least, (E(*)[least])p, u, v);
    dump("y", y, sizeof y);
}

int main(int argc, char **argv)
{
    static const int sizes[][2] = {{32, 64},   {37, 131}, {131, 260}, {5, 3},
                                   {260, 131}, {37, 1},   {16, 16}};

    harness_start(argc, argv);
    for (int i = 0; i < MOST; i++) {
        a[i] = any();
        b[i] = any();
    }
    for (int s = 0; s < 7; s++)
        for (int from = 0; from < 2; from++) {
            for (int i = 0; i < VECTOR; i++) {
                x[i] = any();
                y[i] = any();
            }
            all(sizes[s][0], sizes[s][1], from);
        }
    return harness_end();
}
