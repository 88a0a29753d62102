// Results of floating-point numbers, where another order is allowed: compared
// with exact ones, since the inputs are small integers.
//
// RUN: %gpu_cc -mllvm -gpu-reassociate-reductions %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { N = 301, M = 17 };

static float f[N], g[N], plane[M * M], sums[M];
static double d[N], signs[N];

// == reductions: of floating-point numbers, reordered

SHAPE float sum(int n, const float *a)
{
    float sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

SHAPE double sum_in_double(int n, const float *a)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

SHAPE float inner_product(int n, const float *a, const float *b)
{
    float sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

SHAPE double squares(int n, const double *a)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sum;
}

SHAPE double product(int n, const double *a)
{
    double product = 1;

    for (int i = 0; i < n; i++)
        product *= a[i];
    return product;
}

SHAPE float sum_of_square(int n, const float *a)
{
    float sum = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += a[i * n + j];
    return sum;
}

SHAPE float sum_where(int n, const float *a)
{
    float sum = 0;

    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            sum += a[i];
    return sum;
}

SHAPE void rows(int n, int m, const float *a, float *to)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;

        for (int j = 0; j < m; j++)
            sum += a[i * m + j];
        to[i] = sum;
    }
}

SHAPE void mean_and_spread(int n, const float *a, double *to)
{
    double sum = 0, squares = 0;

    for (int i = 0; i < n; i++) {
        sum += a[i];
        squares += (double)a[i] * a[i];
    }
    to[0] = sum;
    to[1] = squares;
}

HOST void run(int n, int m)
{
    for (int i = 0; i < N; i++) {
        f[i] = (float)(int)(harness_random() * 9);
        g[i] = (float)(int)(harness_random() * 9);
        d[i] = (int)(harness_random() * 9);
        signs[i] = harness_random() > 0 ? 1 : -1;
    }
    for (int i = 0; i < M * M; i++)
        plane[i] = (float)(int)(harness_random() * 9);
    RESULT(sum(n, f));
    RESULT(sum_in_double(n, f));
    RESULT(inner_product(n, f, g));
    RESULT(squares(n, d));
    RESULT(product(n, signs));
    RESULT(sum_of_square(m, plane));
    RESULT(sum_where(n, f));
    RUN(sums, rows(m, m, plane, sums));
    RUN(d, mean_and_spread(n, f, d));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(N, M);
    run(1, 1);
    run(0, 0);
    return harness_end();
}
