// Loops that work on one element of an array and read others of it: triangular
// solvers and the like, whose threads keep the element in a register; and twins
// that read the element itself.  Sizes have rests and fewer iterations than are
// taken together.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_gpu POLYGPU_CHAIN=off %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -mfma -mllvm -gpu-time=off %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop forward {{.*}} declined=0 failed=0
// CHECK-DAG: polygpu: scop backward {{.*}} declined=0 failed=0
// CHECK-DAG: polygpu: scop transposed {{.*}} declined=0 failed=0
// CHECK-DAG: polygpu: scop sides {{.*}} declined=0 failed=0
// CHECK-DAG: polygpu: scop through {{.*}} declined=0 failed=0
// CHECK-DAG: polygpu: scop pairs {{.*}} declined=0 failed=0
// CHECK-DAG: polygpu: scop both {{.*}} declined=0 failed=0
// CHECK-DAG: polygpu: scop rows {{.*}} declined=0 failed=0
#include "exec.h"

enum { N = 71, SIDES = 5 };

static float a[N * N], x[N], y[N], b[N], s[N * SIDES];
static int best[N * N];

NOINLINE static void forward(int n, float l[n][n], float *to, const float *from)
{
    for (int i = 0; i < n; i++) {
        float w = from[i];
        for (int j = 0; j < i; j++)
            w -= l[i][j] * to[j];
        to[i] = w;
    }
}

NOINLINE static void backward(int n, float u[n][n], float *to,
                              const float *from)
{
    for (int i = n - 1; i >= 0; i--) {
        float w = from[i];
        for (int j = i + 1; j < n; j++)
            w -= u[i][j] * to[j];
        to[i] = w / u[i][i];
    }
}

NOINLINE static void transposed(int n, float u[n][n], float *to,
                                const float *from)
{
    for (int i = n - 1; i >= 0; i--) {
        to[i] = from[i];
        for (int j = i + 1; j < n; j++)
            to[i] -= u[j][i] * to[j];
        to[i] /= u[i][i];
    }
}

// Each side is a thread of its own.
NOINLINE static void sides(int n, float u[n][n], float to[n][SIDES])
{
    for (int i = n - 1; i >= 0; i--)
        for (int r = 0; r < SIDES; r++) {
            for (int j = i + 1; j < n; j++)
                to[i][r] -= u[i][j] * to[j][r];
            to[i][r] /= u[i][i];
        }
}

// The last iteration reads the element.
NOINLINE static void through(int n, float l[n][n], float *to)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            to[i] -= l[i][j] * to[j];
}

// Most of the sums of two parts.
NOINLINE static void pairs(int n, int most[n][n])
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++)
            for (int k = i; k < j; k++)
                most[i][j] = most[i][j] >= most[i][k] + most[k + 1][j]
                                 ? most[i][j]
                                 : most[i][k] + most[k + 1][j];
}

// Two elements at a time, of two arrays.
NOINLINE static void both(int n, float u[n][n], float *to, float *other)
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = n - 1; j > i; j--) {
            to[i] -= u[i][j] * other[j];
            other[i] += u[j][i] * to[j] - to[i];
        }
}

// Rows of a matrix, whose number of columns is a parameter.
NOINLINE static void rows(int n, int m, float c[n][m], float u[n][n])
{
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++)
            for (int k = 0; k < i; k++)
                c[i][j] -= u[i][k] * c[k][j];
}

static void fill(void)
{
    for (int i = 0; i < N * N; i++) {
        a[i] = (float)(harness_random() / N + (i % (N + 1) == 0));
        best[i] = (int)(harness_random() * 1000);
    }
    for (int i = 0; i < N; i++)
        b[i] = (float)harness_random();
    for (int i = 0; i < N * SIDES; i++)
        s[i] = (float)harness_random();
    poison(x, sizeof x);
    poison(y, sizeof y);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {N, 18, 2, 1, 0};

    harness_start(argc, argv);
    for (int k = 0; k < 5; k++) {
        int n = sizes[k];

        fill();
        forward(n, (void *)a, y, b);
        backward(n, (void *)a, x, y);
        transposed(n, (void *)a, x, y);
        dump("x", x, sizeof x);
        backward(n, (void *)a, b, x);
        sides(n, (void *)a, (void *)s);
        dump("x", x, sizeof x);
        dump("b", b, sizeof b);
        dump("s", s, sizeof s);
        through(n, (void *)a, y);
        pairs(n, (void *)best);
        both(n, (void *)a, x, b);
        rows(n, SIDES, (void *)s, (void *)a);
        dump("y", y, sizeof y);
        dump("best", best, sizeof best);
        dump("x", x, sizeof x);
        dump("b", b, sizeof b);
        dump("s", s, sizeof s);
    }
    return harness_end();
}
