// What is accessed of an array that may overlap another one is the union of
// more parts than its first and last element are looked for in; constraints
// that all parts have do not bound it.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref apart
// RUN: %run_gpu %t.gpu apart 2>&1 | %FileCheck --check-prefix=APART %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref overlap
// RUN: %run_auto %t.gpu overlap 2>&1 | %FileCheck --check-prefix=OVERLAP %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// APART: polygpu: scop parts {{.*}} runs=1 declined=0 failed=0
// APART: polygpu: kernel parts{{.*}} launches=1
// OVERLAP: polygpu: scop parts {{.*}} runs=0 declined=1 failed=0
#include "exec.h"

#include <string.h>

enum { N = 12 };

static float a[3 * N], b[N][N];

NOINLINE static void parts(long n, long m, const float *from, float (*to)[N])
{
    for (long i = 0; i < n - 2; i++)
        for (long j = i + 1; j < n; j++) {
            for (long k = 0; k < m; k++) {
                if ((i - 1) % 4 < 2)
                    to[i][k] *= from[k] != from[j] + from[i] ? 6.0f : 8.0f;
                to[i][j] = (from[2 * i] - from[k]) * to[i][k + 2];
            }
            to[i][j] = from[i] + from[i + 1];
        }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    int overlap = !strcmp(argv[1], "overlap");
    harness_fill(a, 3 * N, sizeof *a);
    harness_fill(b, N * N, sizeof **b);
    parts(9, 8, overlap ? b[1] + 3 : a, b);
    dump_float("b", b[0], N * N);
    return harness_end();
}
