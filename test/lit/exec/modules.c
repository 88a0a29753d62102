// Kernels of a file in one module: the driver (here the PTX machine) loads it for
// the first loops that run and not again, whoever runs them; a load that fails
// costs one SCoP one run. By default each SCoP has its own, and the results are the
// same. A device of 7.5 has other plans, and one module of these.
//
// RUN: %gpu_cc -mfma -mllvm -gpu-module=file %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=SUM %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// DEFINE: %{machine} =
// DEFINE: %{env} = POLYGPU=mandatory
// DEFINE: %{program} = %t.gpu
// DEFINE: %{ptx} = env POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=cuda \
// DEFINE:     POLYGPU_DEBUG=1 POLYGPU_PROFILE=lines POLYGPU_COST=off %{env} \
// DEFINE:     LD_LIBRARY_PATH=%build/ptx PTX_MACHINE=%{machine} %{program} 2>&1
//
// RUN: %{ptx} | %FileCheck --check-prefixes=FILE,SUM %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// REDEFINE: %{machine} = arch=75
// RUN: %{ptx} | %FileCheck --check-prefixes=OLD,SUM %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// REDEFINE: %{machine} =
// REDEFINE: %{env} = POLYGPU_FAULT=load:2
// RUN: %{ptx} | %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// RUN: %gpu_cc -mfma %s %harness -o %t.scop
// REDEFINE: %{env} = POLYGPU=mandatory
// REDEFINE: %{program} = %t.scop
// RUN: %{ptx} | %FileCheck --check-prefixes=SCOP,SUM %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// FILE-NOT: kernels: PTX
// FILE: kernels: PTX for sm_80{{$}}
// FILE-NOT: kernels: PTX for sm_80{{$}}
// FILE: kernels: PTX for sm_80, loaded before
// FILE-NOT: kernels: PTX for sm_80{{$}}
// FILE: kernels: PTX for sm_80, loaded before
// FILE-NOT: kernels: PTX for sm_80
// OLD: kernels: PTX for sm_75{{$}}
// OLD: kernels: PTX for sm_75, loaded before
// OLD: kernels: PTX for sm_75, loaded before
// SCOP-NOT: loaded before
// SCOP: kernels: PTX for sm_80{{$}}
// SCOP: kernels: PTX for sm_80{{$}}
// SCOP: kernels: PTX for sm_80{{$}}
// SCOP-NOT: loaded before
// FAULT: kernels: PTX for sm_80{{$}}
// FAULT: injected fault: load number 2 failed
// FAULT: kernels: PTX for sm_80, loaded before
// SUM-DAG: scop product {{.*}} runs=2 declined=0 failed=0
// SUM-DAG: scop transposed {{.*}} runs=2 declined=0 failed=0
// SUM-DAG: scop rows {{.*}} runs=2 declined=0 failed=0
#include "exec.h"

#include <stdlib.h>

NOINLINE static void product(int n, float *restrict c, const float *restrict a,
                             const float *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

NOINLINE static void transposed(int n, float *restrict c,
                                const float *restrict a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i * n + j] += a[j * n + i];
}

NOINLINE static void rows(int n, float *restrict s, const float *restrict a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s[i] += a[i * n + j];
}

NOINLINE static void step(int n)
{
    size_t size = (size_t)n * n;
    float *a = harness_alloc(size, sizeof *a);
    float *b = harness_alloc(size, sizeof *b);
    float *c = harness_alloc(size, sizeof *c);
    float *s = harness_alloc((size_t)n, sizeof *s);

    harness_fill(a, size, sizeof *a);
    harness_fill(b, size, sizeof *b);
    harness_fill(c, size, sizeof *c);
    harness_fill(s, (size_t)n, sizeof *s);
    product(n, c, a, b);
    transposed(n, b, a);
    rows(n, s, b);
    dump_float("b", b, size);
    dump_float("c", c, size);
    dump_float("s", s, (size_t)n);
    free(a);
    free(b);
    free(c);
    free(s);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    step(37);
    step(40);
    return harness_end();
}
