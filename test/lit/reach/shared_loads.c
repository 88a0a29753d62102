// Stores of an iteration that use the same loads, and of which one has to come
// before another one of the next iteration: they are loops of their own.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: %FileCheck --implicit-check-not="grid=1,1,1 block=1,1,1" %s < %t.out
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: kernel
#include "reach.h"

enum { MOST = 600 };

static float a[MOST], b[MOST], c[MOST], d[MOST], e[MOST];
static double numbers[MOST];

// == parallel loops: several stores that share loads

SHAPE void before_and_behind(int n)
{
    for (int i = 1; i < n - 1; i++) {
        a[i] = b[i - 1] + c[i] * d[i];
        b[i] = b[i + 1] - e[i] * d[i];
    }
}

SHAPE void overwritten(int n)
{
    for (int i = 0; i < n - 1; i++) {
        a[i + 1] = b[i] + e[i];
        a[i] = b[i] + c[i];
    }
}

SHAPE void three(int n)
{
    for (int i = 0; i < n - 1; i++) {
        a[i + 1] = b[i] + c[i];
        b[i] = c[i] * e[i];
        d[i] = a[i] * e[i];
    }
}

SHAPE void of_arguments(int n, float *restrict p, float *restrict q,
                        const float *restrict r)
{
    for (int i = 2; i < n; i++) {
        p[i - 2] = r[i] * 2 + q[i];
        q[i - 1] = r[i] / 3;
        p[i] = r[i] - r[i - 1];
    }
}

/* The last store reads again what the second one has written, and the first one
 * a copy of that. */
SHAPE void read_again(int n)
{
    for (int i = 0; i < n - 1; i++) {
        a[i] = b[i] + c[i] * d[i];
        b[i] = c[i] + b[i];
        a[i + 1] = b[i] + a[i + 1] * d[i];
    }
}

/* The second load must not see what the first store writes. */
__attribute__((noinline)) static void written_between(int n, float *p,
                                                      float *q, float *r)
{
    for (int i = 0; i < n - 1; i++) {
        float x = r[i];
        p[i + 1] = x + 1;
        q[i] = x * 2;
        p[i] = x + q[i];
    }
}

/* As a number of another type, in the same memory. */
__attribute__((noinline)) static void as_bits(int n, float *p, int *q)
{
    for (int i = 0; i < n - 1; i++) {
        float x = p[i];
        q[i] = (int)(x * 8);
        p[i + 1] = x + 2;
        q[i + 1] = (int)x;
    }
}

static void fill(void)
{
    harness_fill(a, MOST, sizeof *a);
    harness_fill(b, MOST, sizeof *b);
    harness_fill(c, MOST, sizeof *c);
    harness_fill(d, MOST, sizeof *d);
    harness_fill(e, MOST, sizeof *e);
}

static void dump_all(const char *name)
{
    dump(name, a, sizeof a);
    dump(name, b, sizeof b);
    dump(name, d, sizeof d);
}

#define LOOPS(call)                                                            \
    do {                                                                       \
        fill();                                                                \
        call;                                                                  \
        dump_all(#call);                                                       \
    } while (0)

static void run(int n)
{
    LOOPS(before_and_behind(n));
    LOOPS(overwritten(n));
    LOOPS(three(n));
    LOOPS(of_arguments(n, a, b, c));
    LOOPS(read_again(n));
    LOOPS(written_between(n, a, b, c));
    LOOPS(written_between(n, a, b, a + 1));
    LOOPS(written_between(n, a, a, a));
    LOOPS(written_between(n, a + 1, a, a));
    LOOPS(as_bits(n, a, (int *)(void *)b));
    poison(numbers, sizeof numbers);
    as_bits(n, (float *)(void *)numbers, (int *)(void *)numbers + 300);
    dump("bits", numbers, sizeof numbers);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(MOST);
    run(33);
    run(4);
    run(3);
    run(2);
    run(1);
    run(0);
    return harness_end();
}
