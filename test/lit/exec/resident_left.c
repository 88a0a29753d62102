// A function that longjmp leaves has ended: what its loops had on the device goes
// before, and is not compared with what its caller writes then
// (POLYGPU_RESIDENCY=verify).
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_RESIDENCY=verify POLYGPU=mandatory POLYGPU_DEVICE=emulated \
// RUN:   %run_plain %t.gpu > %t.verified 2>&1
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %FileCheck %s --check-prefix=NONE --allow-empty < %t.verified
// RUN: %clang_gpu -O1 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -I%S/Inputs -I%programs -S -emit-llvm %s -o - | %FileCheck %s
//
// NONE-NOT: the host has changed
// CHECK-LABEL: define {{.*}} @inner.polygpu(
// CHECK: call void @polygpu_keep_end(
// CHECK-NEXT: call void @longjmp(
// CHECK: call void @polygpu_keep_end(
// CHECK-NOT: polygpu_keep_end
// CHECK: ret void
#include "exec.h"

#include <setjmp.h>

enum { N = 96, STEPS = 7 };

static _Thread_local unsigned a[N];
static unsigned b[N], c[N], sum;
static jmp_buf place;

NOINLINE static void inner(unsigned t)
{
    unsigned z[N];

    for (int i = 0; i < N; i++)
        z[i] = (unsigned)(harness_random() * 1e6);
    for (int i = 11; i < 55; i++)
        z[i] = z[i] * 5 + t;
    for (int i = 11; i < 55; i++)
        a[i] ^= z[i];
    sum += z[t];
    if (t % 2)
        longjmp(place, 1);
    for (int i = 0; i < 95; i++)
        a[i] += b[i];
    sum += a[t];
}

NOINLINE static void outer(unsigned t)
{
    if (!setjmp(place))
        inner(t);
    b[t] += 7;
    sum += 3;
}

NOINLINE static void others(void)
{
    for (int i = 0; i < N; i++)
        c[i] = c[i] * 5 + 1;
    (void)harness_random();
    for (int i = 0; i < N; i++)
        c[i] += 2;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N; i++)
        b[i] = (unsigned)(harness_random() * 1e6);
    for (unsigned t = 0; t < STEPS; t++) {
        outer(t);
        others();
    }
    dump("b", b, sizeof b);
    dump("c", c, sizeof c);
    dump("sum", &sum, sizeof sum);
    return harness_end();
}
