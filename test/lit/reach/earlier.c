// Variables that hand a value on to the next iteration: it is computed again
// where it comes from counters and from memory that the loop does not write.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { MOST = 500 };

static float a[MOST + 8], b[MOST + 8], c[MOST + 8];
static int numbers[MOST + 8];
static long results[4];

// == values: handed on from the iteration before

SHAPE void product(int n)
{
    float t = 0;

    for (int i = 0; i < n; i++) {
        float s = b[i] * c[i];
        a[i] = s + t;
        t = s;
    }
}

SHAPE void two_before(int n)
{
    float x = b[n], y = b[n + 1];

    for (int i = 0; i < n; i++) {
        a[i] = (b[i] + x + y) * .333f;
        y = x;
        x = b[i];
    }
}

SHAPE void around(int n)
{
    int last = n - 1, before = n - 2;

    for (int i = 0; i < n; i++) {
        a[i] = (b[i] + b[last] + b[before]) * .333f;
        before = last;
        last = i;
    }
}

SHAPE void downwards(int n, float x)
{
    for (int i = n - 1; i >= 0; i -= 3) {
        a[i] = b[i] - x;
        x = b[i] / c[i];
    }
}

SHAPE void quotient(int n, float *restrict a, const int *restrict k)
{
    int last = 7;

    for (int i = 2; i < n; i++) {
        a[i] = last;
        last = k[i] / (i - 1);
    }
}

SHAPE void rows(int n, int m, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i++) {
        float left = 0;

        for (int j = 0; j < m; j++) {
            a[i * m + j] = b[i * m + j] - left;
            left = b[i * m + j];
        }
    }
}

SHAPE float comes_out(int n, float x)
{
    for (int i = 0; i < n; i++) {
        a[i] = b[i] - x;
        x = b[i] + 2;
    }
    return x;
}

/* The counter is one in two widths, and none is a value of before. */
SHAPE void two_widths(unsigned long n, unsigned long row, float *restrict a,
                      const float *restrict b)
{
    for (unsigned i = 0; i < n; i++)
        a[i * row + n] = b[n];
}

/* What is written may be what was read; exec/handed_on_in_place.c has calls
 * where it is. */
SHAPE void written(int n, float *p, float *q)
{
    float x = 1;

    for (int i = 0; i < n; i++) {
        p[i] = q[i] + x;
        x = q[i];
    }
}

/* As something else, too. */
SHAPE void written_as_number(int n, int *p, float *q)
{
    float x = 1;

    for (int i = 0; i < n; i++) {
        float next = q[i];
        p[i] = (int)(x * 16);
        x = next;
    }
}

static void run(int n)
{
    harness_fill(b, MOST + 8, sizeof *b);
    harness_fill(c, MOST + 8, sizeof *c);
    for (int i = 0; i < MOST + 8; i++)
        numbers[i] = (int)(b[i] * 1000);
    RUN(a, product(n));
    RUN(a, two_before(n));
    RUN(a, around(n < 2 ? 0 : n));
    RUN(a, downwards(n, 3));
    RUN(a, quotient(n, a, numbers));
    RUN(a, rows(n / 10, 10, a, b));
    RUN(a, two_widths((unsigned long)n / 30, (unsigned long)n / 30 + 3, a, b));
    poison(a, sizeof a);
    results[0] = (long)(comes_out(n, 5) * 1024);
    dump("comes out", a, sizeof a);
    dump("result", results, sizeof results);
    RUN(a, written(n, a, c));
    RUN(numbers, written_as_number(n, numbers, b));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(MOST);
    run(37);
    run(2);
    run(1);
    run(0);
    return harness_end();
}
