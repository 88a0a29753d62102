// Neighbours of an element, of which there are none beyond a border: the element
// itself is taken there, or one of the other side, by a choice between two sums.
//
// RUN: %gpu_cc %record -Rpass=gpu-polyhedral %s %harness -o %t.gpu 2> %t.remarks
// RUN: FileCheck %s < %t.remarks
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { N = 19, M = 13, K = 7 };

static float a[N * M * K], b[N * M * K];

// == subscripts: neighbours at borders

// CHECK-DAG: offloaded as 1 kernel: in_space_{{.*}} (3 parallel dimensions
SHAPE void in_space(int nx, int ny, int nz, const float *in, float *out)
{
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++) {
                int c = x + y * nx + z * nx * ny;
                int w = x == 0 ? c : c - 1, e = x == nx - 1 ? c : c + 1;
                int n = y == 0 ? c : c - nx, s = y == ny - 1 ? c : c + nx;
                int u = z == 0 ? c : c - nx * ny;
                int d = z == nz - 1 ? c : c + nx * ny;

                out[c] = in[c] + 2 * in[w] + 3 * in[e] + 4 * in[n] +
                         5 * in[s] + 6 * in[u] + 7 * in[d];
            }
}

// CHECK-DAG: offloaded as 1 kernel: in_plane_{{.*}} (2 parallel dimensions
SHAPE void in_plane(int n, int m, const float *in, float *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int c = i * m + j;

            out[c] = in[i > 0 ? c - m : c] + 2 * in[i < n - 1 ? c + m : c] +
                     3 * in[j > 0 ? c - 1 : c] + 4 * in[j + 1 < m ? c + 1 : c];
        }
}

// CHECK-DAG: offloaded as 1 kernel: of_long_{{.*}} (2 parallel dimensions
SHAPE void of_long(long n, long m, const float *in, float *out)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            long c = i * m + j;

            out[c] = in[i != 0 ? c - m : c] + 2 * in[i >= n - 1 ? c : c + m] +
                     3 * in[j != 0 ? c - 1 : c] + 4 * in[j < m - 1 ? c + 1 : c];
        }
}

// Two steps away, and borders that are not those of the loops.
// CHECK-DAG: offloaded as 1 kernel: inside_{{.*}} (2 parallel dimensions
SHAPE void inside(int n, int m, const float *in, float *out)
{
    for (int i = 1; i < n; i++)
        for (int j = 2; j < m; j++) {
            int c = i * m + j;

            out[c] = in[j == 2 ? c : c - 2] + 2 * in[i == 1 ? c : c - m] +
                     3 * in[j == m - 1 ? c : c + 1] + 4 * in[j == 5 ? c - 1 : c];
        }
}

// The other side: no sum with a minimum, since rows would be multiplied.
// CHECK-DAG: offloaded as 1 kernel: around_{{.*}} (2 parallel dimensions
SHAPE void around(int n, int m, const float *in, float *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int c = i * m + j;

            out[c] = in[j > 0 ? c - 1 : c + m - 1] +
                     2 * in[j < m - 1 ? c + 1 : c - j] +
                     3 * in[i > 0 ? c - m : c + (n - 1) * m] +
                     4 * in[i == n - 1 ? j : c + m];
        }
}

// CHECK-DAG: offloaded as 4 kernels: diffused_{{.*}} (2 parallel dimensions
SHAPE void diffused(int n, int m, int steps, float *in, float *out)
{
    int t = 0;

    do {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int c = i * m + j;
                int up = i == 0 ? c : c - m, down = i == n - 1 ? c : c + m;

                out[c] = 0.5f * in[c] + 0.25f * in[up] + 0.25f * in[down];
            }
        float *old = in;
        in = out;
        out = old;
    } while (++t < steps);
}

HOST void run(int n, int m, int k)
{
    RUN(b, in_space(n, m, k, a, b));
    RUN(b, in_plane(n, m, a, b));
    RUN(b, of_long(n, m, a, b));
    RUN(b, inside(n, m, a, b));
    RUN(b, around(n, m, a, b));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * M * K, sizeof *a);
    run(N, M, K);
    run(2, 3, 2);
    run(1, 4, 1);
    for (int steps = 1; steps < 5; steps++) {
        RUN(b, diffused(N, M, steps, a, b));
        dump("in", a, sizeof a);
    }
    return harness_end();
}
