// Where something was last: an index that a condition on data keeps.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { N = 3000 };

static float a[N], b[N];
static int c[N];
static int at[2];

// == reductions: the last index

SHAPE int last_negative(int n, const float *a)
{
    int last = -1;

    for (int i = 0; i < n; i++)
        if (a[i] < 0)
            last = i;
    return last;
}

SHAPE int first_large(int n, const float *a, float limit)
{
    int first = n;

    for (int i = n - 1; i >= 0; i--)
        if (a[i] > limit)
            first = i;
    return first;
}

SHAPE long kept_if_none(long n, const int *c, int what, long old)
{
    for (long i = 0; i < n; i += 3)
        if (c[i] == what)
            old = i;
    return old;
}

SHAPE int with_a_sum(int n, const int *c, int *sum)
{
    int last = 0, s = 0;

    for (int i = 0; i < n; i++) {
        s += c[i];
        if (c[i] > 90)
            last = i;
    }
    *sum = s;
    return last;
}

SHAPE void two_places(int n, const float *a, int *at)
{
    int low = -2, high = -3;

    for (int i = 0; i < n; i++) {
        if (a[i] < -0.9f)
            low = i;
        if (a[i] > 0.9f)
            high = i;
    }
    at[0] = low;
    at[1] = high;
}

SHAPE int otherwise(int n, const float *restrict a, float *restrict b)
{
    int last = 7;

    for (int i = 1; i < n; i++) {
        last = a[i] < a[i - 1] ? last : i;
        b[i] = 2 * a[i];
    }
    return last;
}

// == reductions: the last value

REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel (the loops write 'last'); write results to "
        "an array that the loop does not read, or use one element per iteration "
        "instead of one scalar")
float last_value(int n, const float *a)
{
    float last = 0;

    for (int i = 0; i < n; i++) // here
        if (a[i] > 0.5f)
            last = a[i];
    return last;
}

HOST void run(int n)
{
    RESULT(last_negative(n, a));
    RESULT(first_large(n, a, 0.8f));
    RESULT(first_large(n, a, 9));
    RESULT(kept_if_none(n, c, 50, -4));
    RESULT(kept_if_none(n, c, 1000, 12345678901));
    RESULT(with_a_sum(n, c, at));
    dump("sum", at, sizeof *at);
    RUN(at, two_places(n, a, at));
    RUN(b, dump("last", &(int){otherwise(n, a, b)}, sizeof(int)));
    RESULT(last_value(n, a));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N, sizeof *a);
    for (int i = 0; i < N; i++)
        c[i] = (int)(harness_random() * 100);
    run(N);
    run(61);
    run(2);
    run(1);
    run(0);
    return harness_end();
}
