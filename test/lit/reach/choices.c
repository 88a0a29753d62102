// Conditions that read data, around stores and in front of them: with else,
// nested, several stores, switch; memory that the program does not write stays
// as it is.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

#include <math.h>

enum { N = 157, M = 13 };

static float a[N], b[N], c[N], plane[N * M];
static int kind[N], count[N];
static double d[N];
static unsigned char mask[N];

// == conditions on data: one store

SHAPE void if_positive(int n, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i++)
        if (b[i] > 0)
            a[i] = b[i];
}

SHAPE void if_masked(int n, float *restrict a, const float *restrict b,
                     const unsigned char *restrict mask)
{
    for (int i = 0; i < n; i++)
        if (mask[i])
            a[i] += b[i];
}

SHAPE void only_negative(int n, float *a)
{
    for (int i = 0; i < n; i++)
        if (a[i] < 0)
            a[i] = 0;
}

SHAPE void threshold(int n, float *restrict a, const float *restrict b,
                     float limit)
{
    for (int i = 0; i < n; i++)
        if (fabsf(b[i]) > limit)
            a[i] = copysignf(limit, b[i]);
}

SHAPE void other_element(int n, float *restrict a, const int *restrict kind)
{
    for (int i = 0; i < n; i++)
        if (kind[i] == 1)
            a[n - 1 - i] = i;
}

// == conditions on data: else

SHAPE void with_else(int n, float *restrict a, const float *restrict b,
                     const float *restrict c)
{
    for (int i = 0; i < n; i++)
        if (b[i] > c[i])
            a[i] = b[i];
        else
            a[i] = c[i] * 2;
}

SHAPE void else_if(int n, float *restrict a, const int *restrict kind)
{
    for (int i = 0; i < n; i++)
        if (kind[i] == 0)
            a[i] = 1;
        else if (kind[i] == 1)
            a[i] *= 2;
        else if (kind[i] == 2)
            a[i] -= 1;
}

SHAPE void else_other_array(int n, float *restrict a, float *restrict c,
                            const float *restrict b)
{
    for (int i = 0; i < n; i++)
        if (b[i] >= 0)
            a[i] = b[i];
        else
            c[i] = b[i];
}

// == conditions on data: several stores

SHAPE void two_stores(int n, float *restrict a, float *restrict c,
                      const float *restrict b)
{
    for (int i = 0; i < n; i++)
        if (b[i] > 0.75f) {
            a[i] = b[i] * 2;
            c[i] = a[i] + 1;
        }
}

SHAPE void two_fields(int n, double *d, const int *kind)
{
    for (int i = 0; i + 1 < n; i += 2)
        if (kind[i] > 0) {
            double t = d[i];

            d[i] = d[i + 1];
            d[i + 1] = t;
        }
}

SHAPE void two_conditions(int n, float *restrict a, const float *restrict b,
                          const int *restrict kind)
{
    for (int i = 0; i < n; i++) {
        if (kind[i] > 0)
            a[i] = b[i];
        if (kind[i] < 2)
            a[i] += 3;
    }
}

// == conditions on data: nested and joined

SHAPE void nested(int n, float *restrict a, const float *restrict b,
                  const int *restrict kind)
{
    for (int i = 0; i < n; i++)
        if (kind[i] > 0) {
            if (b[i] > 0)
                a[i] = b[i];
            else
                a[i] = -b[i] * kind[i];
        }
}

SHAPE void data_and_data(int n, float *restrict a, const float *restrict b,
                         const float *restrict c)
{
    for (int i = 0; i < n; i++)
        if (b[i] > 0 && c[i] > 0)
            a[i] = b[i] + c[i];
}

SHAPE void data_or_data(int n, float *restrict a, const float *restrict b,
                        const float *restrict c)
{
    for (int i = 0; i < n; i++)
        if (b[i] > 1 || c[i] > 1)
            a[i] = 7;
}

SHAPE void data_and_affine(int n, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i++)
        if (i > 0 && b[i - 1] > b[i])
            a[i] = b[i - 1];
}

SHAPE void below_continue(int n, float *restrict a, const int *restrict kind)
{
    for (int i = 0; i < n; i++) {
        if (kind[i] == 2)
            continue;
        a[i] = kind[i] + 0.5f;
    }
}

SHAPE void by_switch(int n, float *restrict a, const int *restrict kind,
                     const float *restrict b)
{
    for (int i = 0; i < n; i++)
        switch (kind[i]) {
        case 0:
            a[i] = b[i];
            break;
        case 1:
            a[i] = -b[i];
            break;
        case 3:
            a[i] = 0;
        }
}

// == conditions on data: values chosen

SHAPE void choice(int n, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] < 0 ? 0.1f * b[i] : b[i];
}

SHAPE void clamped(int n, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i++) {
        float x = b[i];

        if (x < -1)
            x = -1;
        if (x > 1)
            x = 1;
        a[i] = x;
    }
}

SHAPE void choice_of_loads(int n, float *restrict a, const float *restrict b,
                           const float *restrict c, const int *restrict kind)
{
    for (int i = 0; i < n; i++)
        a[i] = kind[i] ? b[i] : c[i];
}

SHAPE void divided_if_not_zero(int n, int *restrict a, const int *restrict kind)
{
    for (int i = 0; i < n; i++)
        a[i] = kind[i] != 0 ? 1000 / kind[i] : -1;
}

// == conditions on data: in nests

SHAPE void in_rows(int n, int m, float *restrict a, const int *restrict kind)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (kind[i] == 1)
                a[i * m + j] = j;
}

SHAPE void in_columns(int n, int m, float *a, float limit)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i * m + j] > limit)
                a[i * m + j] = limit;
}

SHAPE void counted_in_rows(int n, int m, int *restrict count,
                           const float *restrict a)
{
    for (int i = 0; i < n; i++) {
        int positive = 0;

        for (int j = 0; j < m; j++)
            if (a[i * m + j] > 0)
                positive++;
        count[i] = positive;
    }
}

SHAPE void in_time_steps(int t, int n, float *restrict a, float *restrict b)
{
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            if (a[i] > 0)
                b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i] * 0.25f;
    }
}

// == exits on data: break, return, while

REFUSED("loop not offloaded: the loop in line here has more than one exit; "
        "remove break, return and goto, or split the search from the "
        "computation")
int first_negative(int n, const float *a)
{
    for (int i = 0; i < n; i++) // here
        if (a[i] < 0)
            return i;
    return n;
}

REFUSED("loop not offloaded: the loop in line here has more than one exit; "
        "remove break, return and goto, or split the search from the "
        "computation")
void until_found(int n, float *restrict a, const int *restrict kind)
{
    for (int i = 0; i < n; i++) { // here
        if (kind[i] == 3)
            break;
        a[i] = 4;
    }
}

REFUSED("loop not offloaded: the number of iterations of the loop in line "
        "here is not known before it starts or is not affine: whether it "
        "goes on depends on data, which is read from 'b'; use a loop with "
        "a bound")
void while_positive(float *restrict a, const float *restrict b)
{
    int i = 0;

    while (b[i] > 0) { // here
        a[i] = b[i];
        i++;
    }
}

HOST void run(int n, int m)
{
    for (int i = 0; i < N; i++) {
        kind[i] = (int)(harness_random() * 3);
        mask[i] = kind[i] & 1;
    }
    harness_fill(b, N, sizeof *b);
    harness_fill(c, N, sizeof *c);
    FLOATS(a, if_positive(n, a, b));
    FLOATS(a, if_masked(n, a, b, mask));
    FLOATS(a, only_negative(n, a));
    FLOATS(a, threshold(n, a, b, 0.9f));
    FLOATS(a, other_element(n, a, kind));
    FLOATS(a, with_else(n, a, b, c));
    FLOATS(a, else_if(n, a, kind));
    FLOATS(a, else_other_array(n, a, c, b));
    FLOATS(a, two_stores(n, a, c, b));
    dump("c", c, sizeof c);
    FLOATS(d, two_fields(n, d, kind));
    FLOATS(a, two_conditions(n, a, b, kind));
    FLOATS(a, nested(n, a, b, kind));
    FLOATS(a, data_and_data(n, a, b, c));
    FLOATS(a, data_or_data(n, a, b, c));
    FLOATS(a, data_and_affine(n, a, b));
    FLOATS(a, below_continue(n, a, kind));
    FLOATS(a, by_switch(n, a, kind, b));
    RUN(a, choice(n, a, b));
    RUN(a, clamped(n, a, b));
    RUN(a, choice_of_loads(n, a, b, c, kind));
    RUN(count, divided_if_not_zero(n, count, kind));
    FLOATS(plane, in_rows(n, m, plane, kind));
    FLOATS(plane, in_columns(n, m, plane, 0.75f));
    RUN(count, counted_in_rows(n, m, count, plane));
    FLOATS(a, in_time_steps(3, n, a, b));
    harness_fill(b, N, sizeof *b);
    b[N - 1] = -1;
    RESULT(first_negative(n, b));
    FLOATS(a, until_found(n, a, kind));
    FLOATS(a, while_positive(a, b));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(N, M);
    run(1, 1);
    run(0, 3);
    run(64, 0);
    return harness_end();
}
