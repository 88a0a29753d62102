// Counters, bounds and subscripts that wrap around, narrow counters, and
// conditions that split the iterations: whatever is offloaded, the answer is
// right; the last function is.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop split {{.*}} runs=2 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches={{[1-9]}}
#include "exec.h"

enum { N = 300 };

static int a[10][N], in[N];

/* Goes around 256. */
NOINLINE static void narrow(unsigned char from, unsigned char to)
{
    for (unsigned char i = from; i != to; i++)
        a[0][i] = in[i] + i;
}

/* The subscript is taken modulo 256. */
NOINLINE static void narrow_subscript(int n)
{
    for (int i = 0; i < n; i++)
        a[1][(unsigned char)(i + 200)] = in[i];
}

/* i - 5u is huge in the first iterations. */
NOINLINE static void huge(unsigned n, unsigned m)
{
    for (unsigned i = 0; i < n; i++)
        if (i - 5u < m)
            a[2][i - 5u] = in[i];
}

NOINLINE static void from_above(unsigned n)
{
    for (unsigned i = n; i-- > 0;)
        a[3][i] = in[n - 1 - i];
}

/* For n = 0 the bound is the largest number, and there is no iteration. */
NOINLINE static void below(unsigned n)
{
    for (unsigned i = 10; i > n - 1; i--)
        a[4][i] = in[i];
}

NOINLINE static void product(unsigned n, unsigned factor)
{
    for (unsigned i = 0; i < n; i++)
        a[5][i * factor] = in[i];
}

NOINLINE static void shorts(short n)
{
    for (short i = (short)(n - 10); i < n; i = (short)(i + 3))
        a[6][i] = in[i];
}

NOINLINE static void signs(int n, unsigned m)
{
    for (int i = -20; i < n; i++)
        if ((unsigned)i < m)
            a[7][i] = in[i];
}

NOINLINE static void both(long n, int m)
{
    for (long i = 0; i < n; i++)
        for (int j = (int)i; j < m; j++)
            a[8][j] = in[i] + j;
}

NOINLINE static void split(int n, int m)
{
    for (int i = 0; i < n; i++) {
        if (i < m)
            a[9][i] = 1;
        else if (i > m + 5)
            a[9][i] += 2;
        if (i % 3 == 1)
            a[9][i] ^= in[i];
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N; i++)
        in[i] = (int)(harness_random() * 1000);
    poison(a, sizeof a);
    for (int i = 0; i < N; i++)
        a[9][i] = in[N - 1 - i];
    narrow(250, 20);
    narrow(3, 3);
    narrow(7, 100);
    narrow_subscript(120);
    huge(100, 60);
    from_above(77);
    from_above(0);
    below(4);
    below(0);
    product(50, 3);
    product(50, 0x80000001u & 1);
    product(2, 0);
    shorts(200);
    signs(100, 90);
    signs(-5, 90);
    both(20, 90);
    both(-1, 90);
    split(N, 100);
    split(40, -3);
    dump("a", a, sizeof a);
    return harness_end();
}
