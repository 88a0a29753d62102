// Sums, products, bitwise operations, minima and maxima of integers, whatever
// loops they are in: partial results, and what combines them.  Also with few
// partial results, so that instances of several rounds meet in each.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref 1500
// RUN: %run_gpu %t.gpu 1500 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -mllvm "-gpu-sizes={ kernel[0] -> partial[2,8] }" %s %harness \
// RUN:   -o %t.gpu
// RUN: %run_gpu %t.gpu 1500 2>&1 | %FileCheck --check-prefix=FEW %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop sum {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: kernel sum_{{[0-9]+}}_0 {{.*}} launches=4
// CHECK-DAG: polygpu: kernel sum_{{[0-9]+}}_1 {{.*}} launches=1
// CHECK-DAG: polygpu: kernel sum_{{[0-9]+}}_2 {{.*}} launches=5 grid=1,1,1 block=32,1,1
// CHECK-DAG: polygpu: scop of_element {{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: polygpu: scop product {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: scop bits {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: scop extremes {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: scop where {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: scop differences {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: scop nested {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: scop triangle {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: scop steps {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: scop bytes {{.*}} runs=5 declined=0 failed=0
// FEW-DAG: polygpu: scop sum {{.*}} runs=5 declined=0 failed=0
// FEW-DAG: polygpu: scop nested {{.*}} runs=5 declined=0 failed=0
// FEW-DAG: polygpu: scop steps {{.*}} runs=5 declined=0 failed=0
#include "exec.h"

#include <stdint.h>
#include <stdlib.h>

enum { MOST = 1600 };

static int a[MOST], b[MOST], m[64][70], v[8][MOST];
static uint8_t bytes_of[MOST];
static long long results[400];
static int n_result;

NOINLINE static int sum(int n)
{
    int s = 17;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

NOINLINE static void of_element(int n, int *restrict to)
{
    for (int i = 0; i < n; i++)
        to[2] += a[i] ^ b[n - 1 - i];
}

NOINLINE static long long product(int n)
{
    long long p = 3;
    for (int i = 0; i < n; i++)
        p *= a[i] | 1;
    return p;
}

// Three at once.
NOINLINE static void bits(int n, unsigned *all)
{
    unsigned with = -1u, some = 0, odd = 5;
    for (int i = 0; i < n; i++) {
        with &= (unsigned)a[i] | 0xff;
        some |= (unsigned)a[i] & 0xff0;
        odd ^= (unsigned)a[i];
    }
    all[0] = with;
    all[1] = some;
    all[2] = odd;
}

NOINLINE static void extremes(int n, int *to)
{
    int least = a[0], most = b[0];
    unsigned high = 0;
    for (int i = 0; i < n; i++) {
        least = a[i] < least ? a[i] : least;
        most = b[i] > most ? b[i] : most;
        high = (unsigned)a[i] > high ? (unsigned)a[i] : high;
    }
    to[0] = least;
    to[1] = most;
    to[2] = (int)high;
}

NOINLINE static int where(int n)
{
    int s = 0, count = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > b[i]) {
            s += a[i];
            count++;
        }
    return s * 31 + count;
}

// Overflows that the source's order does not have.
NOINLINE static int differences(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s = s - (b[i] >> 8) + (a[i] >> 8);
    return s;
}

NOINLINE static int nested(int rows, int columns)
{
    int s = 1;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            s += m[i][j] * 3;
    return s;
}

NOINLINE static int triangle(int rows)
{
    int s = 1;
    for (int i = 1; i < rows; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < 3; k++)
                s ^= m[i][j + k];
    return s;
}

// One for each step, which the next step needs.
NOINLINE static void steps(int n, int times, int *restrict s)
{
    for (int t = 0; t < times; t++) {
        *s = t;
        for (int i = 0; i < n; i++)
            *s += v[t][i];
        for (int i = 0; i < n; i++)
            v[t + 1][i] += v[t][i] - *s;
    }
}

NOINLINE static unsigned bytes(int n)
{
    uint8_t s = 3;
    for (int i = 0; i < n; i++)
        s += bytes_of[i];
    return s;
}

static void keep(long long value)
{
    results[n_result++] = value;
}

HOST void run(int n)
{
    int few[3] = {7, 8, 9};
    unsigned three[3] = {0};

    keep(sum(n));
    of_element(n, few);
    keep(few[2]);
    keep(product(n));
    bits(n, three);
    keep(three[0]);
    keep(three[1]);
    keep(three[2]);
    extremes(n, few);
    keep(few[0]);
    keep(few[1]);
    keep(few[2]);
    keep(where(n));
    keep(differences(n));
    keep(nested(n < 64 ? n : 64, n < 70 ? n : 70));
    keep(triangle(n < 64 ? n : 64));
    steps(n, 7, few);
    keep(few[0]);
    keep(bytes(n));
}

int main(int argc, char **argv)
{
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    random_bits(a, sizeof a);
    random_bits(b, sizeof b);
    random_bits(m, sizeof m);
    random_bits(v, sizeof v);
    random_bits(bytes_of, sizeof bytes_of);
    poison(results, sizeof results);
    run(0);
    run(1);
    run(33);
    run(200);
    run(n);
    dump("results", results, sizeof results);
    dump("v", v, sizeof v);
    return harness_end();
}
