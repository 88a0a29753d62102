// Triangles, in tiles of threads.  Which tile a block begins with is several
// expressions, where isl simplified one with what holds where the block has
// something to do: n - 63 * n / 64 - 1 is the last tile there.  A block that
// had nothing to do began with the last tile too, which is another's.
//
// RUN: %gpu_cc %s %harness -o %t.gpu -Rpass-analysis=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck %s --check-prefix=TILES
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Only where a thread has several points of a tile it went wrong.
// TILES: below_{{[0-9_]+}}: block 32x8x1, tile 32 x 128, a thread has 4 x 4
// TILES: far_{{[0-9_]+}}: block 32x8x1, tile 32 x 128, a thread has 4 x 4
// TILES: above_{{[0-9_]+}}: block 32x8x1, tile {{.*}}a thread has
//
// CHECK: polygpu: scop below {{.*}} runs=5 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=5
// CHECK: polygpu: scop far {{.*}} runs=5 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=5
// CHECK: polygpu: scop above {{.*}} runs=5 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=5
#include "exec.h"

// With the last size all columns are in the triangles.
enum { WIDTH = 300, SIZES = 5, MOST = 345 };

static const int sizes[SIZES] = {42, 66, 131, 171, MOST};

static float from[MOST], out[3][SIZES][MOST][WIDTH];

// The row counts twice: only then is there something to gain from tiles.
NOINLINE static void below(int n, float to[][WIDTH], const float *restrict x)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < WIDTH; j++)
            if (j < i)
                to[i][j] = x[j] - x[i] / 3;
}

NOINLINE static void far(int n, float to[][WIDTH], const float *restrict x)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < WIDTH; j++)
            if (i - j > 40)
                to[i][j] = x[j] - x[i] / 3;
}

NOINLINE static void above(int n, float to[][WIDTH], const float *restrict x)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < WIDTH; j++)
            if (j > i)
                to[i][j] = x[j] - x[i] / 3;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(from, MOST, sizeof(float));
    harness_fill(out, sizeof out / sizeof(float), sizeof(float));
    for (int s = 0; s < SIZES; s++) {
        below(sizes[s], out[0][s], from);
        far(sizes[s], out[1][s], from);
        above(sizes[s], out[2][s], from);
    }
    dump("out", out, sizeof out);
    return harness_end();
}
