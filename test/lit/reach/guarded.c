// Loops under conditions that read data, as they are in codes with masks, active
// cells, thresholds and kinds of elements.
//
// RUN: %gpu_cc %record %s %harness -lm -o %t.gpu
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

#include <math.h>

enum { N = 83, M = 13 };

static float a[N * M], b[N * M], c[N], e[N];
static int kind[N], count[N];
static unsigned char mask[N];

// == conditions on data: around loops

SHAPE void around_loop(int n, int m, float *restrict a,
                       const int *restrict kind)
{
    for (int i = 0; i < n; i++)
        if (kind[i] == 1)
            for (int j = 0; j < m; j++)
                a[i * m + j] = j;
}

SHAPE void masked_rows(int n, int m, float *restrict a,
                       const float *restrict b,
                       const unsigned char *restrict mask)
{
    for (int i = 0; i < n; i++) {
        if (mask[i] == 0)
            continue;
        for (int j = 0; j < m; j++)
            a[i * m + j] += b[i * m + j];
    }
}

SHAPE void with_else(int n, int m, float *restrict a, const float *restrict b,
                     const float *restrict c)
{
    for (int i = 0; i < n; i++)
        if (c[i] > 0) {
            for (int j = 0; j < m; j++)
                a[i * m + j] = b[i * m + j] / c[i];
        } else {
            for (int j = 0; j < m; j++)
                a[i * m + j] = 0;
        }
}

SHAPE void loop_or_store(int n, int m, float *restrict a, float *restrict e,
                         const float *restrict c)
{
    for (int i = 0; i < n; i++)
        if (c[i] > 0)
            e[i] = c[i];
        else
            for (int j = 0; j < m; j++)
                a[i * m + j] *= 0.5f;
}

SHAPE void active_and_positive(int n, int m, float *restrict a,
                               const float *restrict c,
                               const unsigned char *restrict mask)
{
    for (int i = 0; i < n; i++)
        if (mask[i] && c[i] > 0)
            for (int j = 0; j < m; j++)
                a[i * m + j] = c[i];
}

SHAPE void one_or_the_other(int n, int m, float *restrict a,
                            const float *restrict c,
                            const unsigned char *restrict mask)
{
    for (int i = 0; i < n; i++)
        if (mask[i] || c[i] > 0)
            for (int j = 0; j < m; j++)
                a[i * m + j] = c[i];
}

SHAPE void by_kind(int n, int m, float *restrict a, float *restrict e,
                   const int *restrict kind)
{
    for (int i = 0; i < n; i++)
        switch (kind[i]) {
        case 0:
            for (int j = 0; j < m; j++)
                a[i * m + j] = 1;
            break;
        case 1:
            for (int j = 0; j < m; j++)
                a[i * m + j] += 2;
            break;
        default:
            e[i] = 3;
        }
}

SHAPE void below_diagonal(int n, int m, float *restrict a,
                          const unsigned char *restrict mask)
{
    for (int i = 0; i < m; i++)
        if (mask[i])
            for (int j = 0; j < i; j++)
                a[i * m + j] = 0;
    (void)n;
}

SHAPE void two_deep(int n, int m, float *restrict a, const float *restrict b,
                    const unsigned char *restrict mask)
{
    for (int i = 0; i < n; i++)
        if (mask[i])
            for (int j = 0; j < m; j++)
                if (b[i * m + j] > 0)
                    for (int k = 0; k < 4; k++)
                        a[i * m + j] += b[i * m + j] * k;
}

// == conditions on data: around sums and searches

SHAPE void sum_of_row(int n, int m, float *restrict e, const float *restrict b,
                      const float *restrict c)
{
    for (int i = 0; i < n; i++)
        if (c[i] > 0.25f) {
            float s = 0;

            for (int j = 0; j < m; j++)
                s += b[i * m + j];
            e[i] = s;
        }
}

SHAPE void largest_of_row(int n, int m, float *restrict e,
                          const float *restrict b, const int *restrict kind)
{
    for (int i = 0; i < n; i++) {
        float best = 0;

        if (kind[i])
            for (int j = 0; j < m; j++)
                best = b[i * m + j] > best ? b[i * m + j] : best;
        e[i] = best;
    }
}

SHAPE void count_in_row(int n, int m, int *restrict count,
                        const float *restrict b,
                        const unsigned char *restrict mask)
{
    for (int i = 0; i < n; i++)
        if (mask[i]) {
            count[i] = 0;
            for (int j = 0; j < m; j++)
                if (b[i * m + j] > 0)
                    count[i]++;
        }
}

SHAPE int count_in_all(int n, int m, const float *restrict b,
                       const unsigned char *restrict mask)
{
    int found = 0;

    for (int i = 0; i < n; i++)
        if (mask[i])
            for (int j = 0; j < m; j++)
                if (b[i * m + j] > 0)
                    found++;
    return found;
}

SHAPE void columns_of_some_rows(int n, int m, float *restrict e,
                                const float *restrict b,
                                const unsigned char *restrict mask)
{
    for (int i = 0; i < n; i++)
        if (mask[i])
            for (int j = 0; j < m; j++)
                e[j] += b[i * m + j];
}

// == conditions on data: around loops that stay under them

IN_PART("loop not offloaded: the condition in line here+1 depends on data, "
        "which is read from 'mask', and a loop is under it; move the "
        "condition into that loop")
void some_time_steps(int n, int m, float *restrict e, const float *restrict c,
                     const unsigned char *restrict mask)
{
    for (int t = 0; t < m; t++) // here
        if (mask[t])
            for (int i = 1; i < n - 1; i++)
                e[i] = 0.5f * (c[i - 1] + c[i + 1]);
}

// == loops under a condition: several ways to one loop

SHAPE void falls_through(int n, int m, float *restrict a,
                         const int *restrict kind)
{
    for (int i = 0; i < n; i++)
        switch (kind[i]) {
        case 0:
            for (int j = 0; j < m; j++)
                a[i * m + j] = 1;
            // fall through
        case 1:
            for (int j = 0; j < m; j++)
                a[i * m + j] += 2;
        }
}

SHAPE void stored_before(int n, int m, float *restrict a,
                         const int *restrict kind)
{
    for (int i = 0; i < n; i++)
        switch (kind[i]) {
        case 2:
            a[i * m] = 7;
            // fall through
        case 1:
            for (int j = 0; j < m; j++)
                a[i * m + j] += 2;
        }
}

SHAPE void both_or_third(int n, int m, float *restrict a,
                         const float *restrict b, const int *restrict kind,
                         const float *restrict c, const float *restrict e)
{
    for (int i = 0; i < n; i++)
        if ((kind[i] > 0 && c[i] > 0) || e[i] > 0)
            for (int j = 0; j < m; j++)
                a[i * m + j] = b[i * m + j];
}

SHAPE void either_and_third(int n, int m, float *restrict a,
                            const float *restrict b, const int *restrict kind,
                            const float *restrict c, const float *restrict e)
{
    for (int i = 0; i < n; i++) {
        if ((kind[i] == 1 || c[i] > 0) && e[i] < 0) {
            for (int j = 0; j < m; j++)
                a[i * m + j] += b[i * m + j];
        } else {
            for (int j = 0; j < m; j++)
                a[i * m + j] -= 1;
        }
    }
}

HOST void fill(void)
{
    harness_fill(a, N * M, sizeof *a);
    harness_fill(b, N * M, sizeof *b);
    harness_fill(c, N, sizeof *c);
    harness_fill(e, N, sizeof *e);
    for (int i = 0; i < N; i++) {
        kind[i] = (int)(fabs(harness_random()) * 1000) % 3;
        mask[i] = harness_random() > 0;
    }
}

HOST void run(int n, int m)
{
    fill();
    RUN(a, around_loop(n, m, a, kind));
    FLOATS(a, masked_rows(n, m, a, b, mask));
    RUN(a, with_else(n, m, a, b, c));
    FLOATS(a, loop_or_store(n, m, a, e, c));
    dump("e", e, sizeof e);
    RUN(a, active_and_positive(n, m, a, c, mask));
    RUN(a, one_or_the_other(n, m, a, c, mask));
    FLOATS(a, by_kind(n, m, a, e, kind));
    dump("e", e, sizeof e);
    RUN(a, below_diagonal(n, m, a, mask));
    FLOATS(a, two_deep(n, m, a, b, mask));
    RUN(e, sum_of_row(n, m, e, b, c));
    RUN(e, largest_of_row(n, m, e, b, kind));
    INTEGERS(count, count_in_row(n, m, count, b, mask));
    RESULT(count_in_all(n, m, b, mask));
    FLOATS(e, columns_of_some_rows(n, m, e, b, mask));
    RUN(e, some_time_steps(n, m, e, c, mask));
    FLOATS(a, falls_through(n, m, a, kind));
    FLOATS(a, stored_before(n, m, a, kind));
    FLOATS(a, both_or_third(n, m, a, b, kind, c, e));
    FLOATS(a, either_and_third(n, m, a, b, kind, c, e));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(N, M);
    run(5, 1);
    run(1, 3);
    return harness_end();
}
