// Counters and pointers that go across several loops, and what counters are
// behind loops: no kernel of one thread, no scalar that comes back.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: %FileCheck --implicit-check-not="grid=1,1,1 block=1,1,1" %s < %t.out
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: kernel
#include "reach.h"

enum { N = 31, M = 17, MOST = 4000 };

static float a[MOST], b[MOST];
static int last[8];

// == counters: across loops

SHAPE void across(int n, int m, float *a, const float *b)
{
    int k = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[k++] = b[j] + i;
}

SHAPE int across_and_behind(int n, int m, float *a, const float *b)
{
    int k = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[k++] = b[j] - i;
    return k;
}

// == counters: pointers across loops

SHAPE void moved_pointer(int n, int m, float *a, const float *b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            *a++ = b[j] * i;
}

SHAPE float *moved_and_behind(long n, float *a, const float *b)
{
    for (long i = 0; i < n; i++)
        *a++ = b[i] + 1;
    return a;
}

// == counters: across loops

SHAPE void known_sizes(float *a, const float *b)
{
    int k = 0;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[k++] = b[j] + 2 * i;
}

SHAPE void in_pairs(int n, int m, float *a)
{
    int k = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            a[k] = i;
            a[k + 1] = j;
            k += 2;
        }
}

SHAPE void sizes(unsigned long n, unsigned long m, float *a, const float *b)
{
    unsigned long k = 0;

    for (unsigned long i = 0; i < n; i++)
        for (unsigned long j = 0; j < m; j++)
            a[k++] = b[i] + b[j];
}

// == counters: used behind loops

SHAPE int behind(int n, float *a)
{
    int i;

    for (i = 0; i < n; i++)
        a[i] = i;
    return i;
}

SHAPE void stored_behind(int n, float *a, int *out)
{
    int i, two = 5;

    for (i = 0; i < n; i++, two += 2)
        a[i] += two;
    *out = i + two;
}

// == counters: across loops

SHAPE void one_behind_the_other(int n, int m, float *a)
{
    int k = 0;

    for (int i = 0; i < n; i++)
        a[k++] = i;
    for (int i = 0; i < m; i++)
        a[k++] = 2 * i;
}

// == counters: used behind loops

SHAPE unsigned char small(int n, float *a)
{
    unsigned char k = 250;

    for (int i = 0; i < n; i++) {
        a[i] = 3 * i;
        k++;
    }
    return k;
}

static void run(int n, int m)
{
    RUN(a, across(n, m, a, b));
    RUN(a, last[0] = across_and_behind(n, m, a, b));
    RUN(a, moved_pointer(n, m, a, b));
    RUN(a, last[1] = (int)(moved_and_behind(n, a, b) - a));
    RUN(a, known_sizes(a, b));
    RUN(a, in_pairs(n, m, a));
    RUN(a, sizes(n > 0 ? n : 0, m > 0 ? m : 0, a, b));
    RUN(a, last[2] = behind(n, a));
    harness_fill(a, MOST, sizeof *a);
    stored_behind(n, a, &last[3]);
    dump("stored_behind", a, sizeof a);
    RUN(a, one_behind_the_other(n, m, a));
    RUN(a, last[4] = small(n, a));
    dump("last", last, sizeof last);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(b, MOST, sizeof *b);
    run(37, 29);
    run(1, 1);
    run(0, 5);
    run(5, 0);
    run(-3, -2);
    return harness_end();
}
