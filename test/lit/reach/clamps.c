// Subscripts that stay at borders or wrap around there: clamped by minima and
// maxima in each of their forms, remainders, and choices; blocks of a loop whose
// last one is shorter.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { N = 71, M = 43 };

typedef float Plane[24][24];

static float planes_of[2 * 24 * 24];
static float a[N * M], b[N * M];

static inline int smaller(int a, int b) { return a < b ? a : b; }
static inline int larger(int a, int b) { return a > b ? a : b; }

// == subscripts: clamped

SHAPE void by_choice(int n, const float *restrict a, float *restrict b)
{
    for (int i = 0; i < n; i++) {
        int left = i > 0 ? i - 1 : 0, right = i < n - 1 ? i + 1 : n - 1;

        b[i] = a[left] + 2 * a[right];
    }
}

SHAPE void by_function(int n, const float *restrict a, float *restrict b)
{
    for (int i = 0; i < n; i++)
        b[i] = a[larger(i - 2, 0)] + 2 * a[smaller(i + 2, n - 1)];
}

SHAPE void in_plane(int n, int m, const float *restrict a, float *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int up = larger(i - 1, 0), down = smaller(i + 1, n - 1);
            int left = larger(j - 1, 0), right = smaller(j + 1, m - 1);

            b[i * m + j] = a[up * m + j] + 2 * a[down * m + j] +
                           3 * a[i * m + left] + 4 * a[i * m + right];
        }
}

SHAPE void in_size_t(size_t n, const float *restrict a, float *restrict b)
{
    for (size_t i = 0; i < n; i++) {
        size_t right = i + 1 < n ? i + 1 : n - 1;

        b[i] = a[right] * 2;
    }
}

// == subscripts: remainders

SHAPE void remainders(int n, const float *restrict a, float *restrict b)
{
    for (int i = 0; i < n; i++)
        b[i] = a[(i + n - 1) % n] + 2 * a[(i + 1) % n];
}

SHAPE void torus(int n, int m, const float (*restrict a)[m],
                 float (*restrict b)[m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = a[(i - 1 + n) % n][j] + 2 * a[(i + 1) % n][j] +
                      3 * a[i][(j + m - 1) % m] + 4 * a[i][(j + 1) % m];
}

/* Of two planes of one variable, so that indices would be no help. */
SHAPE void planes(int n, Plane *planes, int steps)
{
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                planes[~t & 1][i][j] = planes[t & 1][(i + 1 + n) % n][j] +
                                       2 * planes[t & 1][(i + n) % n][j] -
                                       planes[t & 1][i][(j + n - 1) % n];
}

// == subscripts: clamped around each element

IN_PART("loop not offloaded: a subscript of 'a' in line here+11 is no affine "
        "function of loop counters and parameters (it takes the smaller or "
        "the larger of two values); use sums of counters times constants, and "
        "signed or size_t counters")
void blurred(int n, int m, int r, const float *restrict a, float *restrict b)
{
    for (int y = 0; y < n; y++) // here
        for (int x = 0; x < m; x++) {
            float sum = 0;

            for (int k = -r; k <= r; k++) {
                int at = x + k;

                if (at < 0)
                    at = 0;
                if (at >= m)
                    at = m - 1;
                sum += a[y * m + at];
            }
            b[y * m + x] = sum / (2 * r + 1);
        }
}

SHAPE void smoothed(int n, const float *restrict a, float *restrict b)
{
    for (int x = 0; x < n; x++) {
        float sum = 0;

        for (int k = -2; k <= 2; k++) {
            int at = x + k;

            if (at < 0)
                at = 0;
            if (at >= n)
                at = n - 1;
            sum += a[at] * (3 - (k < 0 ? -k : k));
        }
        b[x] = sum;
    }
}

SHAPE void rows_before(int n, int m, const float (*restrict a)[m],
                       float (*restrict b)[m])
{
    for (int i = 0; i < n; i++) {
        int up = (i - 1 + n) % n, down = i == n - 1 ? 0 : i + 1;

        for (int j = 0; j < m; j++)
            b[i][j] = a[up][j] + 2 * a[down][j] + 3 * a[i][(j + 1) % m];
    }
}

SHAPE void neighbours(int n, int m, const float (*restrict a)[m],
                      float (*restrict b)[m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int alive = 0;

            for (int y = i - 1; y <= i + 1; y++)
                for (int x = j - 1; x <= j + 1; x++)
                    if (a[(y + n) % n][(x + m) % m] > 0.5F)
                        alive++;
            if (a[i][j] > 0.5F)
                alive--;
            b[i][j] = alive == 3 || (alive == 2 && a[i][j] > 0.5F) ? 1 : 0;
        }
}

SHAPE void neighbours_of_plane(int n, Plane *planes)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;

            for (int k = -1; k <= 1; k++)
                s += planes[0][(i + k + n) % n][j];
            planes[1][i][j] = s;
        }
}

// == subscripts: wrapped by a choice

SHAPE void wrapped(int n, const float *restrict a, float *restrict b)
{
    for (int i = 0; i < n; i++) {
        int left = i == 0 ? n - 1 : i - 1, right = i == n - 1 ? 0 : i + 1;

        b[i] = a[left] + 2 * a[right];
    }
}

// == affine conditions: blocks of a loop

SHAPE void in_blocks(int n, const float *restrict a, float *restrict b)
{
    for (int ii = 0; ii < n; ii += 32)
        for (int i = ii; i < smaller(ii + 32, n); i++)
            b[i] = a[i] * 2;
}

HOST void run(int n, int m)
{
    RUN(b, by_choice(n, a, b));
    RUN(b, by_function(n, a, b));
    RUN(b, in_plane(n, m, a, b));
    RUN(b, in_size_t(n, a, b));
    RUN(b, remainders(n, a, b));
    RUN(b, torus(n, m, (const float(*)[m])a, (float(*)[m])b));
    FLOATS(planes_of, planes(n < 24 ? n : 24, (Plane *)planes_of, 3));
    FLOATS(planes_of, neighbours_of_plane(n < 24 ? n : 24, (Plane *)planes_of));
    RUN(b, rows_before(n, m, (const float(*)[m])a, (float(*)[m])b));
    RUN(b, neighbours(n, m, (const float(*)[m])a, (float(*)[m])b));
    RUN(b, wrapped(n, a, b));
    RUN(b, blurred(n, m, 2, a, b));
    RUN(b, blurred(n, m, 0, a, b));
    RUN(b, blurred(n, m, 3 * m, a, b));
    RUN(b, smoothed(n, a, b));
    RUN(b, in_blocks(n, a, b));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * M, sizeof *a);
    run(N, M);
    run(3, 2);
    RUN(b, blurred(0, 3, 1, a, b));
    RUN(b, blurred(2, 1, 1, a, b));
    RUN(b, blurred(2, 3, -1, a, b));
    RUN(b, smoothed(1, a, b));
    RUN(b, smoothed(0, a, b));
    FLOATS(planes_of, planes(1, (Plane *)planes_of, 2));
    FLOATS(planes_of, neighbours_of_plane(1, (Plane *)planes_of));
    RUN(b, neighbours(1, 1, (const float(*)[1])a, (float(*)[1])b));
    RUN(b, rows_before(1, 1, (const float(*)[1])a, (float(*)[1])b));
    return harness_end();
}
