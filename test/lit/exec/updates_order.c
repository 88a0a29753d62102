// Updates through indices happen once, where the program makes them: not in
// each of several overlapping tiles, and loads are not taken for others across
// them, also on the host, where a run is declined since arrays overlap.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu -Rpass=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: env POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=emulated POLYGPU_COST=off \
// RUN:     POLYGPU_PROFILE=lines %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK-DAG: loops offloaded as {{[0-9]+}} kernels: steps_
// REMARK-DAG: loops offloaded as 2 kernels: signs_
// CHECK-DAG: scop steps {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: scop signs {{.*}} runs={{[1-9][0-9]*}} declined=0 failed=0
#include "exec.h"

enum { N = 2000, M = 64, T = 40 };

typedef int vector __attribute__((vector_size(16)));

static float A[N], B[N], x[M][M], y[M][M], z[N];
static int idx[N], c[N], h[N + 1], b[N + 1];
static unsigned p[N + 1], q[N + 1];

/* A stencil in time steps, with an update by what a statement of it reads. */
NOINLINE static void steps(int n, int t_end, float *restrict a,
                           float *restrict e, const int *restrict at,
                           int *restrict count)
{
    for (int t = 0; t < t_end; t++) {
        for (int i = 1; i < n - 1; i++) {
            int v = at[i];

            e[i] = (a[i - 1] + a[i] + a[i + 1]) * 0.25f + v;
            count[v] += v + 1;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = (e[i - 1] + e[i] + e[i + 1]) * 0.25f;
    }
}

/* The second h[7] is another value than the first. */
NOINLINE static void again(int n, int *restrict to, const int *restrict test,
                           const int *restrict at, int *restrict count)
{
    for (int i = 0; i < n; i++)
        z[i] = z[i] * 2.0f + i;
    for (int i = 0; i < n; i++)
        if (test[i] > 3) {
            int first = count[7];

            to[i] = first;
            count[at[i]] += 1;
            to[i] += 10 * count[7];
        }
}

/* Two recurrences that share a load, and an update of what it reads. */
NOINLINE static void shared(int n, unsigned *restrict to,
                            unsigned *restrict too, const int *restrict at,
                            int *count, const int *from)
{
    for (int i = 0; i < n; i++) {
        int a = from[i];

        to[i + 1] = to[i] * 3 + (unsigned)a;
        count[at[i]] += 1;
        too[i + 1] = too[i] * 5 + (unsigned)a;
    }
}

/* A vector with signs beside a loop. */
NOINLINE static vector signs(int n, const int *test)
{
    vector s = {1, 2, 3, 4};

    for (int i = 0; i < n; i++) {
        s = test[i] > 3 ? -s : s;
        for (int j = 0; j < n; j++)
            y[i][j] = x[i][j] * 2.0f + (float)i;
    }
    return s;
}

int main(int argc, char **argv)
{
    vector s;

    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        A[i] = (float)harness_random();
        z[i] = (float)harness_random();
        idx[i] = (int)(harness_random() * M);
        c[i] = (int)(harness_random() * 9);
        p[i] = q[i] = (unsigned)(harness_random() * 99);
        h[i] = b[i] = i % 5;
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            x[i][j] = (float)harness_random();
    steps(N, T, A, B, idx, h);
    steps(33, 3, A, B, idx, h);
    dump("A", A, sizeof A);
    dump("B", B, sizeof B);
    dump("h", h, sizeof h);
    again(N, b, c, idx, h);
    dump("b", b, sizeof b);
    shared(N, p, q, idx, h, h);
    dump("p", p, sizeof p);
    dump("q", q, sizeof q);
    dump("h", h, sizeof h);
    s = signs(M, c);
    dump("s", &s, sizeof s);
    dump("y", y, sizeof y);
    return harness_end();
}
