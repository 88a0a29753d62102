// Kernels with buffers are planned for sm_75 and for sm_80, and each device gets
// those for it: others on the PTX machine as a device of 7.5, of 8.6 and of any
// age, and where POLYGPU_ARCH says so; with two sizes, and a launch that fails.
// Kernels without buffers are the same for all, and there is one text.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu -Rpass-analysis=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=SUM %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_ARCH=75 %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=SUM %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// DEFINE: %{machine} =
// DEFINE: %{env} = POLYGPU=mandatory
// DEFINE: %{ptx} = env POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=cuda \
// DEFINE:     POLYGPU_DEBUG=1 POLYGPU_PROFILE=lines POLYGPU_COST=off %{env} \
// DEFINE:     LD_LIBRARY_PATH=%build/ptx PTX_MACHINE=%{machine} %t.gpu 2>&1
//
// REDEFINE: %{machine} = arch=75
// RUN: %{ptx} | %FileCheck --check-prefixes=OLD,SUM %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// REDEFINE: %{machine} = arch=86
// RUN: %{ptx} | %FileCheck --check-prefixes=NEW,SUM %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// REDEFINE: %{machine} = profile=on
// RUN: %{ptx} | %FileCheck --check-prefixes=NEW,SUM %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// REDEFINE: %{env} = POLYGPU=mandatory POLYGPU_ARCH=sm_75
// RUN: %{ptx} | %FileCheck --check-prefixes=OLD,SUM %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// REDEFINE: %{env} = POLYGPU_FAULT=launch:2
// RUN: %{ptx} | %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// REDEFINE: %{env} = POLYGPU_ARCH=7.5
// RUN: %{ptx} | %FileCheck --check-prefixes=WRONG,NEW %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Each is executed and compared:
//
// RUN: %clang_gpu -mfma -O2 -c %s -I%S/Inputs -I%programs -o %t.o -mllvm -gpu-verify=execute \
// RUN:     -Rpass-analysis=gpu-polyhedral 2>&1 | %FileCheck --check-prefix=BOTH %s
//
// Nothing is checked, so that nothing else is told:
//
// RUN: %clang_gpu -mfma -O2 -c %s -I%S/Inputs -I%programs -o %t.o -mllvm \
// RUN:     -gpu-verify=off -Rpass-analysis=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=OFF %s
//
// One architecture, or none for whose devices there is PTX: one plan.
//
// RUN: %clang_gpu -mfma -O2 -c %s -I%S/Inputs -I%programs -o %t.o -mllvm -gpu-arch=sm_80 \
// RUN:     -Rpass-analysis=gpu-polyhedral 2>&1 | %FileCheck --check-prefix=ONE %s
// RUN: %clang_gpu -mfma -O2 -c %s -I%S/Inputs -I%programs -o %t.o -mllvm \
// RUN:     -gpu-targets=emulated -Rpass-analysis=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=ONE %s
//
// REMARK: remark: mapping executed in small: {{.*}}; for sm_80 and newer devices: loops offloaded as 1 kernel: product_{{.*}} asynchronous)
// REMARK: remark: mapping executed in small
// REMARK-NOT: for sm_80 and newer
// ONE-COUNT-2: remark: mapping executed in small
// ONE-NOT: for sm_80 and newer
// BOTH: executed as written and offloaded, with equal results: 7 runs, 7 launches of kernels, {{[34]}} of them for newer devices
// BOTH-NOT: of them for newer devices
// OFF: remark: for sm_80 and newer devices: loops offloaded as 1 kernel: product_
// OFF-NOT: for sm_80 and newer
// OLD-COUNT-2: kernels: PTX for sm_75
// NEW-DAG: kernels: PTX for sm_80
// NEW-DAG: kernels: PTX for sm_75
// SUM-DAG: scop product {{.*}} runs=2 declined=0 failed=0
// SUM-DAG: kernel product_{{.*}} launches=2
// SUM-DAG: scop twice {{.*}} runs=2 declined=0 failed=0
// FAULT: injected fault: launch number 2 failed
// FAULT: scop {{.*}} failed=1
// WRONG-DAG: POLYGPU_ARCH=7.5 is not a known value; allowed: a compute capability like 75 or sm_75
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

NOINLINE static void twice(int n, float *c)
{
    for (int i = 0; i < n; i++)
        c[i] *= 2;
}

NOINLINE static void step(int n)
{
    size_t size = (size_t)n * n;
    float *a = harness_alloc(size, sizeof *a);
    float *b = harness_alloc(size, sizeof *b);
    float *c = harness_alloc(size, sizeof *c);

    harness_fill(a, size, sizeof *a);
    harness_fill(b, size, sizeof *b);
    harness_fill(c, size, sizeof *c);
    product(n, c, a, b);
    twice(n, c);
    dump_float("c", c, size);
    free(a);
    free(b);
    free(c);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    step(61);
    step(64);
    return harness_end();
}
