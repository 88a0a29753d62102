// What computes results again where a device has failed is compiled for its size: it
// runs as a rule never.  Where the code around operations may change what they give,
// under flags of fast-math, it is compiled like the original loops.
//
// RUN: %clang_gpu -O3 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %clang_gpu -O3 -S -emit-llvm -fassociative-math -fno-signed-zeros \
// RUN:   -fno-trapping-math %s -o - | %FileCheck --check-prefix=LOOSE %s
//
// CHECK: define internal void @steps.polygpu.replay({{.*}} #[[SMALL:[0-9]+]]
// CHECK: attributes #[[SMALL]] = {{{.*}} cold {{.*}}minsize {{.*}}optsize
// LOOSE: define internal void @steps.polygpu.replay({{.*}} #[[LIKE:[0-9]+]]
// LOOSE: attributes #[[LIKE]] = {{{.*}} cold
// LOOSE-NOT: minsize
// LOOSE-SAME: }
void steps(const int *next, float *restrict a, float *restrict b, int n)
{
    for (int t = 0; t >= 0; t = next[t]) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1] + a[i];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[n - 1 - i];
    }
}
