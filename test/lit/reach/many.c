// More parallel loops than a grid has dimensions, short ones, ones over every
// other element, and loops that share what they read.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { MOST = 4096 };

static float a[MOST], b[MOST], c[MOST], d[MOST];
static unsigned char raw[MOST], image[3 * MOST];

// == parallel loops: more than three

SHAPE void four(int n, float (*restrict a)[3][5][7],
                const float (*restrict b)[3][5][7])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 5; k++)
                for (int l = 0; l < 7; l++)
                    a[i][j][k][l] = 2 * b[i][j][k][l];
}

SHAPE void four_of_variable_sizes(int n, int m, float *restrict a,
                                  const float *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < m; l++)
                    a[((i * m + j) * n + k) * m + l] =
                        b[i * m + j] * b[k * m + l];
}

SHAPE void five(int n, float (*restrict a)[2][3][4][5])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 4; l++)
                    for (int m = 0; m < 5; m++)
                        a[i][j][k][l][m] = i + j + k + l + m;
}

SHAPE void four_with_sum(int n, int m, float *restrict a,
                         const float *restrict b, const float *restrict c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) {
                    float sum = 0;

                    for (int p = 0; p < m; p++)
                        sum += b[(i * 3 + k) * m + p] * c[(j * 3 + l) * m + p];
                    a[((i * m + j) * 3 + k) * 3 + l] = sum;
                }
}

SHAPE void permuted(int n, int m, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < 3; l++)
                    a[((l * n + k) * m + j) * n + i] =
                        b[((i * m + j) * n + k) * 3 + l];
}

// == parallel loops: short ones

SHAPE void nine(int n, float (*restrict a)[9], const float (*restrict b)[9])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 9; j++)
            a[i][j] = b[i][8 - j];
}

SHAPE void three_by_three(int n, float (*restrict a)[3][3],
                          const float (*restrict b)[3][3])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                a[i][j][k] = b[i][k][j];
}

SHAPE void small_products(int n, float (*restrict a)[4][4],
                          const float (*restrict b)[4][4],
                          const float (*restrict c)[4][4])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++) {
                float sum = 0;

                for (int l = 0; l < 4; l++)
                    sum += b[i][j][l] * c[i][l][k];
                a[i][j][k] = sum;
            }
}

SHAPE void short_outside(int n, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = b[j] * i;
}

SHAPE void pixels(int n, unsigned char *restrict image,
                  const unsigned char *restrict raw)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            image[3 * i + c] = (unsigned char)(raw[i] >> c);
}

// == parallel loops: every other element

SHAPE void red(int n, int m, float *restrict a, const float *restrict b)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1 + i % 2; j < m - 1; j += 2)
            a[i * m + j] = b[(i - 1) * m + j] + b[(i + 1) * m + j];
}

SHAPE void red_and_black(int n, int m, float *a)
{
    for (int colour = 0; colour < 2; colour++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if ((i + j) % 2 == colour)
                    a[i * m + j] =
                        0.25f * (a[(i - 1) * m + j] + a[(i + 1) * m + j] +
                                 a[i * m + j - 1] + a[i * m + j + 1]);
}

SHAPE void every_third_row(int n, int m, float *restrict a)
{
    for (int i = 0; i < n; i += 3)
        for (int j = 0; j < m; j++)
            a[i * m + j] = j - i;
}

SHAPE void mosaic(int n, int m, unsigned char *restrict image,
                  const unsigned char *restrict raw)
{
    for (int i = 0; i + 1 < n; i += 2)
        for (int j = 0; j + 1 < m; j += 2) {
            image[3 * (i * m + j)] = raw[i * m + j];
            image[3 * (i * m + j) + 1] = raw[i * m + j + 1];
            image[3 * (i * m + j) + 2] = raw[(i + 1) * m + j + 1];
        }
}

SHAPE void halved(int n, int m, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < m / 2; j++)
            a[i * m + j] =
                0.25f *
                (b[2 * i * m + 2 * j] + b[2 * i * m + 2 * j + 1] +
                 b[(2 * i + 1) * m + 2 * j] + b[(2 * i + 1) * m + 2 * j + 1]);
}

// == parallel loops: over the same inputs

SHAPE void two_results_of_one(int n, float *restrict a, float *restrict c,
                              const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] * 2;
    for (int i = 0; i < n; i++)
        c[i] = b[i] + 1;
}

SHAPE void gradient(int n, int m, float *restrict x, float *restrict y,
                    const float *restrict u)
{
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            x[i * m + j] = u[i * m + j + 1] - u[i * m + j - 1];
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < m; j++)
            y[i * m + j] = u[(i + 1) * m + j] - u[(i - 1) * m + j];
}

SHAPE void one_behind_the_other(int n, float *restrict a, float *restrict c,
                                const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] * 2;
    for (int i = 1; i < n - 1; i++)
        c[i] = a[i - 1] + a[i + 1];
    for (int i = 0; i < n; i++)
        a[i] = c[i];
}

SHAPE void separate_arrays(int n, int m, float *restrict a, float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int j = 0; j < m; j++)
        b[j] = 2 * j;
}

// == parallel loops: wavefronts and time

SHAPE void gauss_seidel(int t, int n, float *a)
{
    for (int s = 0; s < t; s++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i * n + j] = 0.2f * (a[(i - 1) * n + j] + a[i * n + j - 1] +
                                       a[i * n + j] + a[i * n + j + 1] +
                                       a[(i + 1) * n + j]);
}

SHAPE void longest_common(int n, int m, int *restrict l,
                          const unsigned char *restrict s,
                          const unsigned char *restrict t)
{
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            int up = l[(i - 1) * m + j], left = l[i * m + j - 1];

            l[i * m + j] = s[i] == t[j] ? l[(i - 1) * m + j - 1] + 1
                           : up > left  ? up
                                        : left;
        }
}

SHAPE void along_columns(int n, int m, float *a)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] += a[(i - 1) * m + j];
}

REFUSED("loop not offloaded: every loop depends on its own earlier "
        "iterations; nothing can run in parallel (the loops write 'a'); "
        "write results to an array that the loop does not read, or use one "
        "element per iteration instead of one scalar")
void recurrence(int n, float *a)
{
    for (int i = 1; i < n; i++) // here
        a[i] = a[i - 1] * 0.5f + 1;
}

HOST void run(int n, int m)
{
    static int lengths[MOST];

    harness_fill(b, MOST, sizeof *b);
    harness_fill(c, MOST, sizeof *c);
    random_bits(raw, sizeof raw);
    for (int i = 0; i < MOST; i++)
        raw[i] &= 3;
    RUN(a, four(n, (void *)a, (void *)b));
    RUN(a, four_of_variable_sizes(m, 3, a, b));
    RUN(a, five(n, (void *)a));
    RUN(a, four_with_sum(m, 5, a, b, c));
    RUN(a, permuted(m, n, a, b));
    RUN(a, nine(n, (void *)a, (void *)b));
    RUN(a, three_by_three(n, (void *)a, (void *)b));
    RUN(a, small_products(n, (void *)a, (void *)b, (void *)c));
    RUN(a, short_outside(n, a, b));
    RUN(image, pixels(n, image, raw));
    RUN(a, red(n, m, a, b));
    FLOATS(a, red_and_black(n, m, a));
    RUN(a, every_third_row(n, m, a));
    RUN(image, mosaic(n, m, image, raw));
    RUN(a, halved(n, m, a, b));
    RUN(a, two_results_of_one(n, a, d, b));
    dump("d", d, sizeof d);
    FLOATS(a, gradient(n, m, a, d, b));
    dump("d", d, sizeof d);
    RUN(a, one_behind_the_other(n, a, d, b));
    RUN(a, separate_arrays(n, m, a, d));
    dump("d", d, sizeof d);
    FLOATS(a, gauss_seidel(3, n, a));
    INTEGERS(lengths, longest_common(n, m, lengths, raw, raw + n));
    FLOATS(a, along_columns(n, m, a));
    FLOATS(a, recurrence(n, a));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(29, 9);
    run(4, 2);
    run(1, 1);
    run(0, 0);
    return harness_end();
}
