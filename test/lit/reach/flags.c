// One value is stored to elements whose index is data: flags of what was seen.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %FileCheck --input-file %t.out %s
//
// CHECK-COUNT-1: kernel seen_
// CHECK-NOT: kernel seen_
// CHECK-COUNT-2: kernel ends_
// CHECK-NOT: kernel ends_
#include "reach.h"

enum { N = 211, M = 13, BINS = 256 };

static int at[N], other[N], flags[BINS];
static unsigned char bytes[BINS], text[N];
static short shorts[BINS];
static long long wide[BINS];
static double d[N], doubles[BINS];
static float floats[BINS];

// == indirect updates: one value stored

SHAPE void seen(int n, int *restrict flag, const int *restrict index)
{
    for (int i = 0; i < n; i++)
        flag[index[i]] = 1;
}

SHAPE void letters(int n)
{
    for (int i = 0; i < n; i++)
        bytes[text[i]] = 1;
}

SHAPE void of_argument(int n, long long *restrict flag,
                       const int *restrict index, long long value)
{
    for (int i = 0; i < n; i++)
        flag[index[i]] = value;
}

SHAPE void of_doubles(int n, double *restrict to, const int *restrict index)
{
    for (int i = 0; i < n; i++)
        to[index[i]] = -0.0;
}

SHAPE void of_floats(int n, float *restrict to, const int *restrict index)
{
    for (int i = 0; i < n; i++)
        to[index[i] & 127] = 1.5f;
}

SHAPE void ends(int n, int *restrict flag, const int *restrict from,
                const int *restrict to)
{
    for (int i = 0; i < n; i++) {
        flag[from[i]] = -1;
        flag[to[i]] = -1;
    }
}

SHAPE void of_nest(int n, int m, short *restrict flag,
                   const int *restrict index)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            flag[index[i * m + j]] = 3;
}

// == indirect updates: one value stored under a condition

SHAPE void positive(int n, int *restrict flag, const int *restrict index,
                    const double *restrict x)
{
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            flag[index[i]] = 1;
}

SHAPE void known(int n, unsigned char *restrict flag, const int *restrict index,
                 const double *restrict x, unsigned char value)
{
    for (int i = 0; i < n; i++)
        if (index[i] < 100 && x[i] < 0.5)
            flag[index[i]] = value;
}

// == indirect updates: several values stored: stays

REFUSED("loop not offloaded: which element of 'flag' is written in line here+1 "
        "depends on data, which is read from 'index', and two iterations may "
        "write the same one; let each iteration write its own element, and "
        "read through the index")
void numbered(int n, int *restrict flag, const int *restrict index)
{
    for (int i = 0; i < n; i++) // here
        flag[index[i]] = i;
}

REFUSED("loop not offloaded: which element of 'flag' is written in line here+1 "
        "depends on data, which is read from 'from', and two iterations may "
        "write the same one; let each iteration write its own element, and "
        "read through the index")
void two_values(int n, int *restrict flag, const int *restrict from,
                const int *restrict to)
{
    for (int i = 0; i < n; i++) { // here
        flag[from[i]] = 1;
        flag[to[i]] = 2;
    }
}

REFUSED("loop not offloaded: 'flag' is updated at places that depend on data, "
        "and read or written otherwise in the same loops, so that the order "
        "counts; use another array, or other loops")
int first_time(int n, int *restrict flag, const int *restrict index)
{
    int count = 0;

    for (int i = 0; i < n; i++) // here
        if (!flag[index[i]]) {
            flag[index[i]] = 1;
            count++;
        }
    return count;
}

REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel (the loops write 'to'); write results to "
        "an array that the loop does not read, or use one element per "
        "iteration instead of one scalar")
void beside_others(int n, int *restrict flag, const int *restrict index,
                   const double *restrict x, int *restrict to)
{
    for (int i = 0; i < n; i++) // here
        if (x[i] > 0) {
            flag[index[i]] = 1;
            to[i & 63] = 3;
        }
}

HOST void fill(int from)
{
    for (int i = 0; i < N; i++) {
        at[i] = (int)((harness_random() + 1.5) / 3 * (BINS - from)) %
                    (BINS - from) +
                from;
        other[i] = (int)((harness_random() + 1.5) / 3 * BINS) % BINS;
        text[i] = (unsigned char)other[i];
        d[i] = harness_random();
    }
}

HOST void run(int n)
{
    INTEGERS(flags, seen(n, flags, at));
    INTEGERS(bytes, letters(n));
    INTEGERS(wide, of_argument(n, wide, at, -3));
    FLOATS(doubles, of_doubles(n, doubles, other));
    FLOATS(floats, of_floats(n, floats, other));
    INTEGERS(flags, ends(n, flags, at, other));
    INTEGERS(shorts, of_nest(n / M, M, shorts, at));
    INTEGERS(flags, positive(n, flags, at, d));
    INTEGERS(bytes, known(n, bytes, other, d, 250));
    INTEGERS(flags, numbered(n, flags, at));
    INTEGERS(flags, two_values(n, flags, at, other));
    INTEGERS(flags, beside_others(n, flags, at, d, other));
    dump("beside_others", other, sizeof other);
    RESULT(first_time(n, flags, at));
    dump("first_time", flags, sizeof flags);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    fill(0);
    run(N);
    fill(200);
    run(N);
    run(1);
    run(0);
    return harness_end();
}
