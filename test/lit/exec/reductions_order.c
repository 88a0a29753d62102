// Updates with something beside them, in the same statement, that has an order:
// they keep it.  And an element with several operators, of which those of the
// innermost loops are computed as partial results; also with steps of the loop
// around them in overlapping tiles.
//
// RUN: %gpu_cc -mllvm -gpu-time=off \
// RUN:   -mllvm "-gpu-sizes={ kernel[0] -> partial[2,8] }" %s %harness \
// RUN:   -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref 1500
// RUN: %run_gpu %t.gpu 1500 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 1500 2>&1 | %FileCheck --check-prefix=TIMES %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop beside {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop old_value {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop operators {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel operators_{{[0-9]+}}_1 {{.*}} launches=15
// TIMES-DAG: polygpu: scop in_tiles {{.*}} runs=3 declined=0 failed=0
#include "exec.h"

enum { MOST = 1600 };

static unsigned a[MOST], b[MOST], log_of[8];
static unsigned char c[MOST], d[MOST];
static unsigned results[40];
static int n_result;

// The second result, in the statement that adds to the first one, depends on
// the order.
NOINLINE static void beside(int n, unsigned *restrict s, unsigned *restrict o)
{
    for (int t = 0; t < 5; t++) {
        for (int i = 0; i < n; i++) {
            s[0] += a[i];
            *o = (*o + b[i]) | a[i];
        }
        for (int i = 0; i < n; i++)
            s[0] += b[i] * 3;
        log_of[t] = s[0];
    }
}

// What is added depends on the order of the maximum's updates.
NOINLINE static void old_value(int n, unsigned *restrict s,
                               unsigned *restrict most)
{
    for (int t = 0; t < 5; t++) {
        s[1] ^= (unsigned)t;
        for (int i = 0; i < n; i++) {
            s[1] ^= a[i];
            *s += *most & 15;
            *most = b[i] > *most ? b[i] : *most;
        }
        log_of[t] += s[1];
    }
}

NOINLINE static void operators(int n, unsigned *restrict s)
{
    for (int t = 0; t < 5; t++) {
        *s *= a[t] | 1;
        for (int i = 0; i < n; i++)
            *s ^= b[i] + a[i];
    }
}

// The updates of c are in overlapping tiles.
NOINLINE static void in_tiles(int n, unsigned *restrict s)
{
    for (int t = 0; t < 5; t++) {
        s[0] ^= (unsigned)t;
        for (int i = 0; i < n; i++) {
            s[0] = a[i] < s[0] ? a[i] : s[0];
            c[i] = c[i] + d[2];
        }
        log_of[t] += s[0];
    }
    for (int i = 0; i < n; i += 3) {
        s[0] = d[i] < s[0] ? d[i] : s[0];
        c[0] += d[i];
    }
}

static void keep(const unsigned *s)
{
    for (int i = 0; i < 2; i++)
        results[n_result++] = s[i];
}

HOST void run(int n)
{
    unsigned s[2] = {3, 4}, other = 1;

    beside(n, s, &other);
    keep(s);
    results[n_result++] = other;
    other = 0;
    old_value(n, s, &other);
    keep(s);
    results[n_result++] = other;
    operators(n, s);
    keep(s);
    in_tiles(n, s);
    keep(s);
}

int main(int argc, char **argv)
{
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    random_bits(a, sizeof a);
    random_bits(b, sizeof b);
    random_bits(c, sizeof c);
    random_bits(d, sizeof d);
    poison(results, sizeof results);
    run(1);
    run(33);
    run(n);
    dump("results", results, sizeof results);
    dump("c", c, sizeof c);
    dump("log_of", log_of, sizeof log_of);
    return harness_end();
}
