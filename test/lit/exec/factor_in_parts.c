// A statement that is split into parts, of which one reads an operand through
// a buffer in shared memory that has the products with a factor, and the
// others read it from memory: these multiply for themselves.  Where the only
// use of the operand is in the buffer, the product is computed there alone
// (fewer products than sums in the kernel).
//
// DEFINE: %{arch} = sm_75
// DEFINE: %{sizes} = '-gpu-sizes={ kernel[i] -> tile[16,16,4]; kernel[i] -> block[8,8]; kernel[i] -> grid[2,2] }'
// DEFINE: %{gpu} = %gpu_cc %s %harness -mllvm %{sizes} \
// DEFINE:   -mllvm -gpu-arch=%{arch} -mllvm -gpu-time=off -o %t.gpu && \
// DEFINE:   %run_gpu %t.gpu 2>&1 | %FileCheck %s && \
// DEFINE:   cmp %t.ref.dump %t.gpu.dump
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %if even %{ %{gpu} %}
// REDEFINE: %{arch} = sm_90
// RUN: %if odd %{ %{gpu} %}
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm \
// RUN:   -I%S/Inputs -I%programs %s -o %t.ll
// RUN: %opt -passes='print<gpu-kernels>' %{sizes} -disable-output %t.ll \
// RUN:   2> %t.kernels
// RUN: %python -c "import re, sys; t = open(sys.argv[1]).read(); \
// RUN:   k = t[t.index('define void @whole_'):]; k = k[:k.index('\n}')]; \
// RUN:   p = len(re.findall(' fmul ', k)); s = len(re.findall('call .*llvm.fma', k)); \
// RUN:   sys.exit(not 0 < p < s)" %t.kernels
//
// CHECK: polygpu: scop triangle {{.*}} runs=4 declined=0 failed=0
// CHECK-COUNT-3: polygpu: kernel triangle_{{[0-9_]+}} {{.*}} launches=
// CHECK-NEXT: polygpu: kernel triangle_{{.*}}_joined {{.*}} launches=
// CHECK: polygpu: scop whole {{.*}} runs=4 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel whole_{{.*}} launches=4
// CHECK: polygpu: accesses triangle_{{.*}} shared_stores={{[1-9]}}
#include "exec.h"

enum { MOST = 40 };

static float a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];

NOINLINE static void triangle(int n, float alpha, float (*restrict p)[n],
                              float (*restrict q)[n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < i; k++)
                q[i][j] += alpha * p[i][k] * q[j][k];
}

NOINLINE static void whole(int n, float alpha, float (*restrict p)[n],
                           float (*restrict q)[n], float (*restrict r)[n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < i; k++)
                r[i][j] += alpha * p[i][k] * q[j][k];
}

int main(int argc, char **argv)
{
    static const int sizes[] = {5, 17, 32, 37};

    harness_start(argc, argv);
    for (int s = 0; s < 4; s++) {
        int n = sizes[s];
        float alpha = (float)harness_random();

        harness_fill(a, MOST * MOST, sizeof(float));
        harness_fill(b, MOST * MOST, sizeof(float));
        harness_fill(c, MOST * MOST, sizeof(float));
        triangle(n, alpha, (float(*)[n])a, (float(*)[n])b);
        dump("b", b, sizeof b);
        whole(n, alpha, (float(*)[n])a, (float(*)[n])b, (float(*)[n])c);
        dump("c", c, sizeof c);
    }
    return harness_end();
}
