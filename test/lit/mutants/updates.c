// Errors planted in updates through indices: an operation that is a read and a
// write is a race, whatever the order here; an update beyond the loop's end goes
// to no index; one whose byte is not set never reaches the program.
//
// REQUIRES: mutate
// RUN: %clang_gpu -O3 -mllvm -gpu-targets=emulated-checked %s -o %t
// RUN: env POLYGPU=mandatory POLYGPU_DEVICE=emulated %t | \
// RUN:     %FileCheck %s --check-prefix=RIGHT
// RUN: %clang_gpu -O3 -mllvm -gpu-targets=emulated-checked \
// RUN:     -mllvm -gpu-mutate=atomic:1 %s -o %t
// RUN: env POLYGPU=mandatory POLYGPU_DEVICE=emulated %not %t 2>&1 | \
// RUN:     %FileCheck %s --check-prefix=ATOMIC
// RUN: %clang_gpu -O3 -mllvm -gpu-targets=emulated-checked \
// RUN:     -mllvm -gpu-mutate=guard:1 %s -o %t
// RUN: env POLYGPU=mandatory POLYGPU_DEVICE=emulated %not %t 2>&1 | \
// RUN:     %FileCheck %s --check-prefix=GUARD
// RUN: %clang_gpu -O3 -mllvm -gpu-targets=emulated-checked \
// RUN:     -mllvm -gpu-mutate=mark:1 %s -o %t
// RUN: env POLYGPU=mandatory POLYGPU_DEVICE=emulated %t | \
// RUN:     %FileCheck %s --check-prefix=MARK
//
// RIGHT: sum 5000
// ATOMIC: to[0] written by thread {{.*}} and read by thread {{.*}}, with no barrier between
// GUARD: of[5000] read by thread {{.*}}, outside of its device copy
// MARK: sum 0
#include <stdio.h>

enum { N = 5000 };

static unsigned char t[N];
static int h[256];

__attribute__((noinline, weak)) void count(int n, const unsigned char *of,
                                           int *to)
{
    for (int i = 0; i < n; i++)
        to[of[i]]++;
}

int main(void)
{
    int sum = 0;

    for (int i = 0; i < N; i++)
        t[i] = (unsigned char)(i * 7 % 13);
    count(N, t, h);
    for (int i = 0; i < 256; i++)
        sum += h[i];
    printf("sum %d\n", sum);
    return 0;
}
