// Loops over pointers that go from begin to end, and pointers that are compared
// with null in loops and before them, with and without an array behind them.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Where what is written is a part of a row, the original loops run.
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.ref.dump %t.ref others
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.gpu.dump POLYGPU_COST=off \
// RUN:     POLYGPU_DEVICE=emulated %t.gpu others
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { N = 83 };

static float a[N], b[N], c[N], *rows[N], *others[N];

// == pointers: from begin to end

SHAPE void until_equal(int n, float *a, const float *b)
{
    const float *end = b + n;

    while (b != end)
        *a++ = *b++ * 2;
}

SHAPE void while_below(float *restrict a, const float *b, const float *end)
{
    for (; b < end; b++)
        *a++ = *b * 2;
}

SHAPE void in_pairs(float *restrict a, const float *b, const float *end)
{
    for (; b < end; b += 2)
        *a++ = *b * 2;
}

SHAPE float *end_of(float *restrict a, const float *b, const float *end)
{
    while (b != end)
        *a++ = *b++ * 2;
    return a;
}

// == pointers: compared with null in loops

SHAPE void perhaps_added(int n, float *a, const float *b, const float *c)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] + (c ? c[i] : 0);
}

SHAPE void perhaps_stored(int n, float *a, const float *b, const float *c)
{
    for (int i = 0; i < n; i++) {
        a[i] = b[i];
        if (c)
            a[i] += c[i];
    }
}

// == pointers: compared with null before loops

SHAPE void tested_before(int n, float *a, const float *b)
{
    if (!a || !b)
        return;
    for (int i = 0; i < n; i++)
        a[i] = b[i] * 3;
}

SHAPES(2) void one_of_two(int n, float *a, const float *b)
{
    if (b != NULL)
        for (int i = 0; i < n; i++)
            a[i] = b[i] * 3;
    else
        for (int i = 0; i < n; i++)
            a[i] = 0;
}

// == pointers: arrays of rows

SHAPE void scaled_rows(int n, int m, float **a, float s)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] *= s;
}

SHAPE void added_rows(int n, int m, float **to, float *const *from)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[i][j] += 2 * from[i][j];
}

SHAPE void eliminated_row(int m, float **a, int i, int k, float f)
{
    for (int j = 0; j < m; j++)
        a[i][j] -= f * a[k][j];
}

// The row is another one than that of the step.
SHAPE void next_rows(int n, int m, float **a, const float *from, float *to)
{
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < m; j++)
            to[j] = a[i + 1][j] + from[j];
}

SHAPE void path(int n, int m, float **a, float *from, float *to)
{
    for (int i = 0; i < n - 1; i++) {
        float *old = from;

        from = to;
        to = old;
        for (int j = 0; j < m; j++)
            to[j] = from[j > 0 ? j - 1 : 0] + a[i + 1][j];
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(b, N, sizeof *b);
    harness_fill(c, N, sizeof *c);
    RUN(a, until_equal(N, a, b));
    RUN(a, until_equal(0, a, b));
    RUN(a, while_below(a, b, b + N));
    RUN(a, while_below(a, b + 1, b));
    RUN(a, in_pairs(a, b, b + N));
    RUN(a, in_pairs(a, b + 1, b + N));
    RUN(a, *end_of(a, b + 4, b + N) = 1);
    RUN(a, *end_of(a + 3, b, b) = 2);
    RUN(a, perhaps_added(N, a, b, c));
    RUN(a, perhaps_added(N, a, b, NULL));
    RUN(a, perhaps_stored(N, a, b, c));
    RUN(a, perhaps_stored(N, a, b, NULL));
    RUN(a, tested_before(N, a, b));
    RUN(a, tested_before(N, a, NULL));
    RUN(a, one_of_two(N, a, b));
    RUN(a, one_of_two(N, a, NULL));
    if (argc > 1) {
        for (int i = 0; i < 10; i++)
            rows[i] = a + i * 7;
        FLOATS(a, next_rows(8, 7, rows, b, a + 2));
        FLOATS(a, next_rows(8, 7, rows, a + 9, a + 8));
        FLOATS(a, path(6, 7, rows, c, a + 3));
        FLOATS(a, path(7, 9, rows, a + 1, a));
    }
    // Rows of their own; and the same one, and rows that overlap.
    for (int apart = argc > 1 ? 4 : 7; apart >= (argc > 1 ? 0 : 7);
         apart -= 2) {
        for (int i = 0; i < 10; i++) {
            rows[i] = a + i * apart;
            others[i] = b + i * apart;
        }
        FLOATS(a, scaled_rows(10, 7, rows, 1.5f));
        FLOATS(a, added_rows(10, 7, rows, others));
        if (argc > 1)
            FLOATS(a, added_rows(9, 7, rows, rows));
        else
            FLOATS(a, eliminated_row(7, rows, 3, 4, 0.5f));
        FLOATS(c, next_rows(10, 7, others, a, c));
        FLOATS(c, path(7, 7, rows, c, c + 8));
        FLOATS(c, path(10, 5, others, c, c + 8));
        FLOATS(c, path(6, 0, rows, c, c + 8));
        if (argc > 1)
            FLOATS(c, path(1, 7, rows, c, c + 8));
    }
    return harness_end();
}
