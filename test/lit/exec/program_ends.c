// Programs whose last loops are in front of exit(0), of which there may be several,
// and no return: such a loop ends as others do, and not by a check, so that nests stay
// whole.  Sizes and numbers are those of the arguments.
//
// RUN: %clang_gpu -O3 -mfma -gline-tables-only -I%programs -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral %s -o %t.gpu 2>&1 \
// RUN:   | %FileCheck --implicit-check-not='loop not offloaded' %s
// RUN: %clang -O3 -mfma %s -o %t.ref
// RUN: %t.ref > %t.ref.out
// RUN: env POLYGPU=mandatory POLYGPU_DEVICE=emulated POLYGPU_PROFILE=lines %t.gpu \
// RUN:   > %t.gpu.out 2> %t.profile
// RUN: cmp %t.ref.out %t.gpu.out
// RUN: %FileCheck --check-prefix=PROFILE %s < %t.profile
// RUN: not %t.ref 3 > %t.ref.out
// RUN: env POLYGPU=mandatory POLYGPU_DEVICE=emulated %not %t.gpu 3 > %t.gpu.out
// RUN: cmp %t.ref.out %t.gpu.out
//
// A check in front of such an end is still one.
// RUN: %clang_gpu -O3 -gline-tables-only -DCHECKED -mllvm -gpu-targets=emulated \
// RUN:   -Rpass-analysis=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck --check-prefix=CHECKED %s
#include <stdio.h>
#include <stdlib.h>

static int number(int i)
{
    return (int)((i + 1) * 2654435761u >> 22);
}

#ifdef CHECKED

// CHECKED: program_ends.c:[[@LINE+4]]:5: remark: runs on the device if {{.*}}no check in line [[@LINE+5]] fails
_Noreturn void fill(int n, int length, double *a)
{
    // CHECKED-NOT: loop not offloaded
    for (int i = 0; i < n; i++) {
        if (i >= length)
            abort();
        a[i] = i;
    }
    puts("filled");
    exit(0);
}

#else

// CHECK-DAG: program_ends.c:[[@LINE+4]]:5: remark: loops offloaded as 1 kernel: finish_[[@LINE+4]]_0 (2 parallel dimensions
// PROFILE-DAG: polygpu: scop finish {{.*}} runs=1 declined=0 failed=0
_Noreturn static void finish(int n, int m, double *restrict b, const double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i * m + j] = 2 * a[i * m + j] + i;
    fwrite(b, (size_t)n * m, sizeof *b, stdout);
    exit(0);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? 3 : 37, m = 45;
    double *a = malloc(sizeof *a * n * m), *b = malloc(sizeof *b * n * m);
    for (int i = 0; i < n * m; i++)
        a[i] = number(i);
    long sum = 0;
    // CHECK-DAG: program_ends.c:[[@LINE-3]]:5: remark: loops offloaded as {{.*}} main_[[@LINE-3]]_1 (2 parallel dimensions
    // PROFILE-DAG: polygpu: scop main {{.*}} runs=1 declined=0 failed=0
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += (long)a[i * m + j] % 7;
    printf("%ld\n", sum);
    if (n == 3)
        exit(1);
    finish(n, m, b, a);
}

#endif
