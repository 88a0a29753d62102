// libdevice asks at link time whether square roots are to be exact; LLVM's pass
// would say no.  hypotf is the function that asks; of roots and quotients in the
// program itself nobody does.
//
// REQUIRES: libdevice
// RUN: %clang -O3 -fno-math-errno -Xclang -disable-llvm-passes -S -emit-llvm \
// RUN:   %s -o %t.ll
// RUN: %opt -passes='print<gpu-ptx>' -disable-output %t.ll 2>&1 | %FileCheck \
// RUN:   --implicit-check-not=sqrt.approx --implicit-check-not=div.approx \
// RUN:   --implicit-check-not=div.full --implicit-check-not=reflect %s
// RUN: %opt -passes='print<gpu-ptx>' -gpu-arch=sm_90 -disable-output %t.ll \
// RUN:   2>&1 | %FileCheck \
// RUN:   --implicit-check-not=sqrt.approx --implicit-check-not=div.approx \
// RUN:   --implicit-check-not=div.full --implicit-check-not=reflect %s
//
// CHECK: .entry hypots_
// CHECK: sqrt.rn.f32
// CHECK: .entry quotients_
// CHECK: sqrt.rn.f32
// CHECK: div.rn.f32
#include <math.h>

#define LOOP(name, type, value)                                                \
    void name(int n, type *restrict a, const type *restrict b)                 \
    {                                                                          \
        for (int i = 0; i < n; i++)                                            \
            a[i] = value;                                                      \
    }

LOOP(hypots, float, hypotf(a[i], b[i]))
LOOP(quotients, float, a[i] / sqrtf(b[i]))
