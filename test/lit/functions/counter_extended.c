// A counter from n - 1 on whose next value is extended by the instruction behind
// it, and one that is compared with itself: what replaces them is put where it
// belongs. (The compiler ended with an error.)
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -c %s -o %t.o 2>&1 | %FileCheck %s
//
// CHECK: counter_extended.c:[[@LINE+18]]:5: remark: loops offloaded as 1 kernel: used_
__attribute__((noinline)) void unused(int n, const double *d)
{
    int i = n - 1;

    if (i >= 0)
        do {
            double s = d[i + 1];

            (void)s;
            i--;
        } while (i >= 0);
}

__attribute__((noinline)) void used(int n, double *restrict a,
                                    const double *restrict d)
{

    for (int i = n - 1; i >= 0; i--)
        a[i] = d[i + 1];
}
