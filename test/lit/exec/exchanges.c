// Time loops that exchange arrays: pointers, two of them or three, the number of the
// array that is read, or t % 2. They are unrolled until the arrays are where they were,
// so that all steps are one nest, with overlapping tiles; what is left are single
// sweeps.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// RUN: %gpu_cc -mfma -mllvm -gpu-time=off %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=OFF %s
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "exec.h"

#include <stdlib.h>

enum { N = 70, LINE = 900 };

static float u[2][N][N];

// Steps are 0 to 5, 12 and 19: 21 pairs, in up to three launches of four pairs in two
// dimensions and in one of sixteen in one; the second copy of an array is copied back
// where the launches are odd, and four odd steps are sweeps.
//
// CHECK-DAG: kernel pointers_{{[0-9]+}}_0 {{.*}}launches=7
// CHECK-DAG: kernel pointers_{{[0-9]+}}_1 {{.*}}launches=2
// CHECK-DAG: kernel pointers_{{[0-9]+}}_2 {{.*}}launches=5
// CHECK-DAG: kernel pointers_{{[0-9]+}}_3 {{.*}}launches=4
//
// CHECK-DAG: kernel behind_{{[0-9]+}}_0 {{.*}}launches=6
// CHECK-DAG: kernel behind_{{[0-9]+}}_1 {{.*}}launches=0
// CHECK-DAG: kernel behind_{{[0-9]+}}_2 {{.*}}launches=6
// CHECK-DAG: kernel behind_{{[0-9]+}}_3 {{.*}}launches=4
//
// CHECK-DAG: kernel three_{{[0-9]+}}_0 {{.*}}launches=5
// CHECK-DAG: kernel three_{{[0-9]+}}_1 {{.*}}launches=0
// CHECK-DAG: kernel three_{{[0-9]+}}_2 {{.*}}launches=5
// CHECK-DAG: kernel three_{{[0-9]+}}_3 {{.*}}launches=5
//
// CHECK-DAG: kernel number_{{[0-9]+}}_0 {{.*}}launches=7
// CHECK-DAG: kernel number_{{[0-9]+}}_1 {{.*}}launches=2
// CHECK-DAG: kernel number_{{[0-9]+}}_2 {{.*}}launches=5
// CHECK-DAG: kernel number_{{[0-9]+}}_3 {{.*}}launches=4
//
// CHECK-DAG: kernel numbers_{{[0-9]+}}_0 {{.*}}launches=7
// CHECK-DAG: kernel numbers_{{[0-9]+}}_1 {{.*}}launches=2
// CHECK-DAG: kernel numbers_{{[0-9]+}}_2 {{.*}}launches=5
// CHECK-DAG: kernel numbers_{{[0-9]+}}_3 {{.*}}launches=4
//
// CHECK-DAG: kernel parity_{{[0-9]+}}_0 {{.*}}launches=7
// CHECK-DAG: kernel parity_{{[0-9]+}}_1 {{.*}}launches=2
// CHECK-DAG: kernel parity_{{[0-9]+}}_2 {{.*}}launches=5
// CHECK-DAG: kernel parity_{{[0-9]+}}_3 {{.*}}launches=4
//
// CHECK-DAG: kernel known_{{[0-9]+}}_0 {{.*}}launches=8
// CHECK-DAG: kernel known_{{[0-9]+}}_1 {{.*}}launches=8
// CHECK-DAG: kernel known_{{[0-9]+}}_2 {{.*}}launches=8
//
// CHECK-DAG: kernel within_{{[0-9]+}}_0 {{.*}}launches=18
// CHECK-DAG: kernel within_{{[0-9]+}}_1 {{.*}}launches=0
// CHECK-DAG: kernel within_{{[0-9]+}}_2 {{.*}}launches=18
// CHECK-DAG: kernel within_{{[0-9]+}}_3 {{.*}}launches=12
//
// CHECK-DAG: kernel twice_{{[0-9]+}}_0 {{.*}}launches=7
// CHECK-DAG: kernel twice_{{[0-9]+}}_1 {{.*}}launches=1
// CHECK-DAG: kernel twice_{{[0-9]+}}_2 {{.*}}launches=6
//
// OFF-DAG: kernel pointers_{{[0-9]+}}_0 {{.*}}launches=21
// OFF-DAG: kernel pointers_{{[0-9]+}}_1 {{.*}}launches=21
// OFF-DAG: kernel pointers_{{[0-9]+}}_2 {{.*}}launches=4
//
// OFF-DAG: kernel behind_{{[0-9]+}}_0 {{.*}}launches=21
// OFF-DAG: kernel behind_{{[0-9]+}}_1 {{.*}}launches=21
// OFF-DAG: kernel behind_{{[0-9]+}}_2 {{.*}}launches=4
//
// OFF-DAG: kernel three_{{[0-9]+}}_0 {{.*}}launches=13
// OFF-DAG: kernel three_{{[0-9]+}}_1 {{.*}}launches=13
// OFF-DAG: kernel three_{{[0-9]+}}_2 {{.*}}launches=13
//
// OFF-DAG: kernel number_{{[0-9]+}}_0 {{.*}}launches=21
// OFF-DAG: kernel number_{{[0-9]+}}_1 {{.*}}launches=21
// OFF-DAG: kernel number_{{[0-9]+}}_2 {{.*}}launches=4
//
// OFF-DAG: kernel numbers_{{[0-9]+}}_0 {{.*}}launches=21
// OFF-DAG: kernel numbers_{{[0-9]+}}_1 {{.*}}launches=21
// OFF-DAG: kernel numbers_{{[0-9]+}}_2 {{.*}}launches=4
//
// OFF-DAG: kernel parity_{{[0-9]+}}_0 {{.*}}launches=21
// OFF-DAG: kernel parity_{{[0-9]+}}_1 {{.*}}launches=21
// OFF-DAG: kernel parity_{{[0-9]+}}_2 {{.*}}launches=4
//
// OFF-DAG: kernel known_{{[0-9]+}}_0 {{.*}}launches=24
// OFF-DAG: kernel known_{{[0-9]+}}_1 {{.*}}launches=24
// OFF-DAG: kernel known_{{[0-9]+}}_2 {{.*}}launches=8
//
// OFF-DAG: kernel within_{{[0-9]+}}_0 {{.*}}launches=63
// OFF-DAG: kernel within_{{[0-9]+}}_1 {{.*}}launches=63
// OFF-DAG: kernel within_{{[0-9]+}}_2 {{.*}}launches=12
//
// OFF-DAG: kernel twice_{{[0-9]+}}_0 {{.*}}launches=46
// OFF-DAG: kernel twice_{{[0-9]+}}_1 {{.*}}launches=46
NOINLINE static void pointers(int n, int steps, float *a, float *b)
{
    for (int t = 0; t < steps; t++) {
        float *old = a;

        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = 0.2f * (a[i * n + j] + a[i * n + j - 1] +
                                       a[i * n + j + 1] + a[(i - 1) * n + j] +
                                       a[(i + 1) * n + j]);
        a = b;
        b = old;
    }
}

// The pointer is used behind the loop, where it is one that was known before.
NOINLINE static void behind(int n, int steps, const double *in, double *out)
{
    double *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b);

    if (!a || !b)
        abort();
    for (int i = 0; i < n; i++)
        a[i] = b[i] = in[i] / 2;
    for (int t = 1; t <= steps; ++t) {
        double *old = a;

        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i + 1]) / 2;
        a = b;
        b = old;
    }
    for (int i = 0; i < n; i++)
        out[i] = a[i] + 2 * b[i];
    free(a);
    free(b);
}

// Three steps until all are where they were; up to two are left.
NOINLINE static void three(int n, int steps, float *restrict a, float *restrict b,
                           float *restrict c)
{
    for (int t = 0; t < steps; t++) {
        float *old = a;

        for (int i = 1; i < n - 1; i++)
            c[i] = 2 * b[i] - a[i] + 0.25f * (b[i - 1] - 2 * b[i] + b[i + 1]);
        a = b;
        b = c;
        c = old;
    }
}

NOINLINE static void number(int steps)
{
    int now = 0;

    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                u[1 - now][i][j] =
                    0.2f * (u[now][i][j] + u[now][i][j - 1] + u[now][i][j + 1] +
                            u[now][i - 1][j] + u[now][i + 1][j]);
        now = 1 - now;
    }
}

NOINLINE static void numbers(int steps)
{
    int now = 0, next = 1;

    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                u[next][i][j] =
                    0.2f * (u[now][i][j] + u[now][i][j - 1] + u[now][i][j + 1] +
                            u[now][i - 1][j] + u[now][i + 1][j]);
        now = next;
        next = 1 - now;
    }
}

NOINLINE static void parity(int steps)
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                u[(t + 1) % 2][i][j] =
                    0.2f * (u[t % 2][i][j] + u[t % 2][i][j - 1] +
                            u[t % 2][i][j + 1] + u[t % 2][i - 1][j] +
                            u[t % 2][i + 1][j]);
}

// 7 steps: three pairs and one.
NOINLINE static void known(int n, float *a, float *b)
{
    for (int t = 0; t < 7; t++) {
        float *old = a;

        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i + 1]) / 2;
        a = b;
        b = old;
    }
}

// Within a loop of the host.
NOINLINE static void within(int n, int steps, int rounds, double *a, double *b)
{
    for (int r = 0; r < rounds; r++) {
        for (int t = 0; t < steps; ++t) {
            double *old = a;

            for (int i = 1; i < n - 1; i++)
                b[i] = (a[i - 1] + a[i + 1]) / 2;
            a = b;
            b = old;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] += 0.5;
    }
}

// What is exchanged twice is where it was.
NOINLINE static void twice(int n, int steps, double *a, double *b)
{
    for (int t = 0; t < steps; ++t) {
        double *old = a;

        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i + 1]) / 2;
        a = b;
        b = old;
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i + 1]) / 2 + b[i];
        old = a;
        a = b;
        b = old;
    }
}

int main(int argc, char **argv)
{
    enum { ALL = N * N };
    float *a = harness_alloc(ALL, sizeof *a);
    float *b = harness_alloc(ALL, sizeof *b);
    float *c = harness_alloc(ALL, sizeof *c);
    double *x = harness_alloc(ALL, sizeof *x);
    double *y = harness_alloc(ALL, sizeof *y);

    harness_start(argc, argv);
    harness_fill(a, ALL, sizeof *a);
    harness_fill(b, ALL, sizeof *b);
    harness_fill(c, ALL, sizeof *c);
    harness_fill(x, ALL, sizeof *x);
    harness_fill(y, ALL, sizeof *y);
    harness_fill(u, (size_t)2 * ALL, sizeof(float));
    for (int t = 0; t < 20; t += t < 5 ? 1 : 7) {
        pointers(N - t, t, a, b);
        behind(LINE, t, x, y);
        three(LINE - t, t, a, b, c);
        number(t);
        numbers(t);
        parity(t);
        known(LINE, a, b);
        within(LINE, t, 3, x, y);
        twice(LINE, t, x, y);
        dump_float("a", a, ALL);
        dump_float("b", b, ALL);
        dump_float("c", c, ALL);
        dump_float("u", &u[0][0][0], (size_t)2 * ALL);
        dump_double("x", x, ALL);
        dump_double("y", y, ALL);
    }
    free(a);
    free(b);
    free(c);
    free(x);
    free(y);
    return 0;
}
