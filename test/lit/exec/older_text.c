// The text for devices without asynchronous copies is made of that for newer
// ones, where each copy becomes a load and a store: vectors of whole boxes,
// elements at borders, numbers of 16 bits, structures' sizes that are no powers
// of two. On the PTX machine as a device of 7.5 it gives what the source gives.
// What has instructions that only newer devices have gets a text of its own.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
//
// DEFINE: %{machine} =
// DEFINE: %{ptx} = env POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=cuda \
// DEFINE:     POLYGPU=mandatory POLYGPU_DEBUG=1 POLYGPU_PROFILE=lines \
// DEFINE:     POLYGPU_COST=off LD_LIBRARY_PATH=%build/ptx \
// DEFINE:     PTX_MACHINE=%{machine} %t.gpu 2>&1
//
// REDEFINE: %{machine} = arch=75
// RUN: %{ptx} | %FileCheck --check-prefixes=OLD,SUM %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// REDEFINE: %{machine} = arch=80
// RUN: %{ptx} | %FileCheck --check-prefixes=NEW,SUM %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// OLD-COUNT-4: kernels: PTX for sm_75
// NEW-COUNT-4: kernels: PTX for sm_80
// SUM-DAG: scop product {{.*}} runs=2 declined=0 failed=0
// SUM-DAG: scop sums {{.*}} runs=2 declined=0 failed=0
// SUM-DAG: scop vector {{.*}} runs=2 declined=0 failed=0
// SUM-DAG: scop halves {{.*}} runs=2 declined=0 failed=0
#include "exec.h"

#include <stdlib.h>

NOINLINE static void product(int n, double *restrict c,
                             const double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

NOINLINE static void sums(int n, int m, float *restrict s,
                          const float *restrict a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s[i] = s[i] * 0.5f + a[(size_t)i * m + j];
}

NOINLINE static void vector(int n, int m, short *restrict y,
                            const short *restrict a, const short *restrict x)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i] = (short)(y[i] + a[(size_t)i * m + j] * x[j]);
}

NOINLINE static void halves(int n, _Float16 *restrict c,
                            const _Float16 *restrict a,
                            const _Float16 *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

static void *filled(size_t n, size_t size)
{
    void *data = harness_alloc(n, size);

    if (size > sizeof(short))
        harness_fill(data, n, size);
    return data;
}

static void fill_short(short *data, size_t n)
{
    for (size_t i = 0; i < n; i++)
        data[i] = (short)(harness_random() * 200 - 100);
}

static void fill_half(_Float16 *data, size_t n)
{
    for (size_t i = 0; i < n; i++)
        data[i] = (_Float16)(harness_random() - 0.5);
}

static void step(int n, int m)
{
    size_t size = (size_t)n * (size_t)(n > m ? n : m);
    double *a = filled(size, sizeof *a), *b = filled(size, sizeof *b),
           *c = filled(size, sizeof *c);
    float *s = filled((size_t)n, sizeof *s), *t = filled(size, sizeof *t);
    short *x = filled((size_t)m, sizeof *x), *y = filled((size_t)n, sizeof *y),
          *z = filled(size, sizeof *z);
    _Float16 *h = filled(size, sizeof *h), *k = filled(size, sizeof *k),
             *l = filled(size, sizeof *l);

    fill_short(x, (size_t)m);
    fill_short(y, (size_t)n);
    fill_short(z, size);
    fill_half(h, size);
    fill_half(k, size);
    fill_half(l, size);
    product(n, c, a, b);
    sums(n, m, s, t);
    vector(n, m, y, z, x);
    halves(n, h, k, l);
    dump_double("c", c, size);
    dump_float("s", s, (size_t)n);
    for (int i = 0; i < n; i++)
        s[i] = y[i];
    dump_float("y", s, (size_t)n);
    for (size_t i = 0; i < size; i++)
        t[i] = (float)h[i];
    dump_float("h", t, size);
    free(a);
    free(b);
    free(c);
    free(s);
    free(t);
    free(x);
    free(y);
    free(z);
    free(h);
    free(k);
    free(l);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    step(61, 77);
    step(64, 128);
    return harness_end();
}
