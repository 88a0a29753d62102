// What a coarse grid takes of a fine one is each second element from nine
// places on, in three dimensions.  Copies of just these would take more loops
// than the analysis has operations for: gaps between them are copied too.
// Nothing is read in front of the first or behind the last element, where this
// program has no memory.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu -Rpass=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=emulated POLYGPU_COST=off \
// RUN:     POLYGPU_FAULT=launch:1 %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK: loops offloaded as 2 kernels: restricted_
// CHECK: scop restricted {{.*}} runs=8 declined=0 failed=0
// CHECK: kernel restricted_{{[0-9]+}}_0 device=emulated launches=8
// CHECK: kernel restricted_{{[0-9]+}}_1 device=emulated launches=8
// FAULT: injected fault: launch number 1 failed
#define _GNU_SOURCE
#include "exec.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 16 };

NOINLINE static void restricted(int k, int m, int n,
                                double (*restrict fine)[2 * m][2 * n],
                                double (*restrict coarse)[m][n])
{
    double sides[2 * MOST], corners[2 * MOST];

    for (int a = 1; a < k - 1; a++)
        for (int b = 1; b < m - 1; b++) {
            int x = 2 * a - 1, y = 2 * b - 1;

            for (int c = 1; c < n; c++) {
                int z = 2 * c - 1;

                sides[z] = fine[x + 1][y][z] + fine[x + 1][y + 2][z] +
                           fine[x][y + 1][z] + fine[x + 2][y + 1][z];
                corners[z] = fine[x][y][z] + fine[x + 2][y][z] +
                             fine[x][y + 2][z] + fine[x + 2][y + 2][z];
            }
            for (int c = 1; c < n - 1; c++) {
                int z = 2 * c - 1;
                double side = fine[x + 1][y][z + 1] +
                              fine[x + 1][y + 2][z + 1] +
                              fine[x][y + 1][z + 1] + fine[x + 2][y + 1][z + 1];
                double corner = fine[x][y][z + 1] + fine[x + 2][y][z + 1] +
                                fine[x][y + 2][z + 1] +
                                fine[x + 2][y + 2][z + 1];

                coarse[a][b][c] = 0.5 * fine[x + 1][y + 1][z + 1] +
                                  0.25 * (fine[x + 1][y + 1][z] +
                                          fine[x + 1][y + 1][z + 2] + side) +
                                  0.125 * (sides[z] + sides[z + 2] + corner) +
                                  0.0625 * (corners[z] + corners[z + 2]);
            }
        }
}

/* Memory for "count" elements, behind which ("end") or in front of which there
 * is none that can be read.
 */
HOST double *at_edge(size_t count, int end)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t bytes = (count * sizeof(double) + page - 1) / page * page;
    char *all = mmap(NULL, bytes + 2 * page, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (all == MAP_FAILED ||
        mprotect(all + page, bytes, PROT_READ | PROT_WRITE))
        exit(1);
    return (double *)(all + page + (end ? bytes - count * sizeof(double) : 0));
}

HOST void run(int k, int m, int n, int end)
{
    // Of the fine grid, from [1][1][1] on.
    size_t row = 2 * (size_t)n, plane = 2 * (size_t)m * row;
    size_t first = plane + row + 1;
    size_t last = (2 * (size_t)k - 3) * plane + (2 * (size_t)m - 3) * row +
                  (2 * (size_t)n - 3);
    size_t count = last - first + 1, coarse = (size_t)k * m * n;
    double *fine = at_edge(count, end), *c = harness_alloc(coarse, sizeof *c);

    harness_fill(fine, count, sizeof *fine);
    poison(c, coarse * sizeof *c);
    restricted(k, m, n, (void *)(fine - first), (void *)c);
    dump_double("c", c, coarse);
    free(c);
}

int main(int argc, char **argv)
{
    static const int sizes[][3] = {
        {3, 3, 3}, {4, 7, 5}, {9, 4, 13}, {5, 16, 16}};

    harness_start(argc, argv);
    for (int i = 0; i < 8; i++)
        run(sizes[i / 2][0], sizes[i / 2][1], sizes[i / 2][2], i % 2);
    return harness_end();
}
