// Two arrays right behind each other do not overlap, also where statements of
// their own for borders access them in many parts.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop sweep {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches={{[1-9]}}
#include "exec.h"

enum { N = 19, M = 23 };

static float memory[3 * N * M];

NOINLINE static void sweep(int n, int m, float old[n][m], float new[n][m],
                           float power[n][m])
{
    for (int r = 0; r < n; r++)
        for (int c = 0; c < m; c++) {
            float x, y;

            if (r == 0)
                y = old[r + 1][c];
            else if (r == n - 1)
                y = old[r - 1][c];
            else
                y = old[r + 1][c] + old[r - 1][c];
            if (c == 0)
                x = old[r][c + 1];
            else if (c == m - 1)
                x = old[r][c - 1];
            else
                x = old[r][c + 1] + old[r][c - 1];
            new[r][c] = old[r][c] + power[r][c] + x - y;
        }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(memory, 3 * N * M, sizeof *memory);
    sweep(N, M, (void *)memory, (void *)(memory + N * M),
          (void *)(memory + 2 * N * M));
    dump("memory", memory, sizeof memory);
    return harness_end();
}
