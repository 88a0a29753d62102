// Private copies of a local array take more memory than there is: the original
// loops run instead, and one line says why. With less to do, the device runs.
//
// RUN: %clang_gpu -O3 -mfma -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -I%S/Inputs -I%programs %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_checked POLYGPU=auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_checked %not %t.gpu 2>&1 | %FileCheck --check-prefix=MANDATORY %s
//
// CHECK: polygpu: window ({{.*}}too_large.c:[[#]]): no memory for 134217728 bytes on the emulated device; this process has [[#]] bytes there, for 2 arrays; running loops on the CPU
// CHECK-NEXT: polygpu: scop window {{.*}} runs=1 declined=0 failed=1
// MANDATORY: polygpu: window ({{.*}}too_large.c:[[#]]): no memory for 134217728 bytes on the emulated device; {{.*}}ends the program
#include "exec.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { N = 1024, MEBIBYTE = 1 << 20 };

static double a[N][N], b[N][N];

NOINLINE static void window(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double t[16];
            for (int k = 0; k < 16; k++)
                t[k] = a[i][j] * (k + 1);
            for (int k = 0; k < 16; k++)
                b[i][j] += t[k] - 2 * t[15 - k];
        }
}

/* Allow this process so many mebibytes more than it has. */
HOST void allow(unsigned long more)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    struct rlimit limit;

    if (!file || fscanf(file, "%lu", &pages) != 1)
        exit(1);
    fclose(file);
    limit.rlim_cur = limit.rlim_max = pages * 4096 + more * MEBIBYTE;
    if (setrlimit(RLIMIT_AS, &limit))
        exit(1);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * N, sizeof(double));
    harness_fill(b, N * N, sizeof(double));
    window(5, 7);
    allow(120);
    window(N, N);
    dump("b", b, sizeof b);
    return harness_end();
}
