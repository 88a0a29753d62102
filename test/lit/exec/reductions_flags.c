// Flags of one bit, variables that are set to one constant, and sums with
// updates in several branches, in single loops and nests, also where loops do
// not run.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: kernel any_{{.*}} launches=4
// CHECK-DAG: polygpu: kernel fine_{{.*}} launches=8
// CHECK-DAG: polygpu: kernel parity_{{.*}} launches=4
// CHECK-DAG: polygpu: kernel code_{{.*}} launches=4
// CHECK-DAG: polygpu: kernel level_{{.*}} launches=4
// CHECK-DAG: polygpu: kernel in_rows_{{.*}} launches=
// CHECK-DAG: polygpu: scop in_steps {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: kernel in_steps_{{[0-9]+}}_4 {{.*}} launches=5
// CHECK-DAG: polygpu: kernel gains_{{.*}} launches=4
// CHECK-DAG: polygpu: kernel three_{{.*}} launches=4
// CHECK-DAG: polygpu: kernel masks_{{.*}} launches=4
// CHECK-DAG: polygpu: kernel in_turn_{{.*}} launches=4
// CHECK-DAG: polygpu: kernel products_{{.*}} launches=4
#include "exec.h"

#include <stdbool.h>

enum { N = 3000 };

static int a[N], b[N], c[N];
static unsigned long long w[N];
static int steps[6];

APART bool any(int n, const int *a)
{
    bool found = false;

    for (int i = 0; i < n; i++)
        if (a[i] < 0)
            found = true;
    return found;
}

APART bool fine(int n, const int *a, bool before)
{
    bool all = before;

    for (int i = 0; i < n; i++)
        all &= a[i] < 90;
    return all;
}

APART bool parity(int n, const int *a)
{
    bool odd = false;

    for (int i = 0; i < n; i++)
        odd ^= a[i] > 3;
    return odd;
}

// What it was stays where no element says something else.
APART int code(int n, const int *a, int before)
{
    int result = before;

    for (int i = 0; i < n; i++)
        if (a[i] == 17)
            result = -5;
    return result;
}

APART double level(int n, const int *a, double before)
{
    double result = before;

    for (int i = 0; i < n; i++)
        result = a[i] > 98 ? 0.1 : result;
    return result;
}

APART bool in_rows(int n, int m, const int *a)
{
    bool found = false;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i * m + j] > 98)
                found = true;
    return found;
}

// One in each step of a loop that stays on the host.
APART void in_steps(int n, int *a, int *r)
{
    for (int t = 0; t < 3; t++) {
        bool odd = true, all = true;

        for (int i = 0; i < n; i++) {
            odd ^= (a[i] & 3) == 1;
            all &= a[i] < 90;
        }
        r[2 * t] = 2 * odd;
        r[2 * t + 1] = all;
        for (int i = 0; i < n; i++)
            a[i] = (a[i] * 3 + t) & 127;
    }
}

// Two constants: the last one counts, so that this is none.
APART int two(int n, const int *a, int before)
{
    int result = before;

    for (int i = 0; i < n; i++)
        result = a[i] < 10 ? 1 : a[i] > 90 ? 2 : result;
    return result;
}

APART int gains(int n, const int *a, const int *b, const int *c)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        if (c[i] > 0)
            sum += a[i];
        else
            sum -= b[i];
    return sum;
}

APART int three(int n, const int *a, const int *b, const int *c, int sum)
{
    for (int i = 0; i < n; i++) {
        if (c[i] > 40)
            sum = a[i] + sum - c[i];
        else if (c[i] > 20)
            sum -= b[i] * 3;
        else if (c[i] > 10)
            sum += 1;
    }
    return sum;
}

APART unsigned long long masks(int n, const unsigned long long *w, const int *c)
{
    unsigned long long mask = ~0ull;

    for (int i = 0; i < n; i++)
        if (c[i] > 50)
            mask &= w[i] | 0xff00ff;
        else
            mask &= ~w[i] | 0xff00ff00;
    return mask;
}

APART int in_turn(int n, const int *a, const int *b, const int *c)
{
    int sum = 7;

    for (int i = 0; i < n; i++) {
        if (c[i] > 30)
            sum += a[i];
        else
            sum -= b[i];
        if (a[i] > 60)
            sum -= c[i];
        else if (a[i] > 20)
            sum += 2 * b[i];
    }
    return sum;
}

APART unsigned products(int n, const int *a, const int *c)
{
    unsigned product = 1;

    for (int i = 0; i < n; i++)
        if (c[i] > 30)
            product *= 2 * (unsigned)a[i] + 1;
        else
            product *= 3;
    return product;
}

static void fill(int *a, int low)
{
    for (int i = 0; i < N; i++)
        a[i] = (int)(harness_random() * 100) + low;
}

static void run(int n, int low)
{
    bool flags[5];
    int sums[5];
    unsigned long long mask;
    unsigned product;
    double of_level;

    fill(a, low);
    fill(b, -50);
    fill(c, 0);
    random_bits(w, sizeof w);
    flags[0] = any(n, a);
    flags[1] = fine(n, a, true);
    flags[2] = fine(n, a, false);
    flags[3] = parity(n, a);
    flags[4] = in_rows(n / 8, 8, a);
    dump("flags", flags, sizeof flags);
    in_steps(n, b, steps);
    dump("steps", steps, sizeof steps);
    sums[0] = code(n, a, 12);
    sums[1] = two(n, a, 5);
    sums[2] = gains(n, a, b, c);
    sums[3] = three(n, a, b, c, -3);
    sums[4] = in_turn(n, a, b, c);
    dump("sums", sums, sizeof sums);
    mask = masks(n, w, c);
    dump("mask", &mask, sizeof mask);
    product = products(n, a, c);
    dump("product", &product, sizeof product);
    of_level = level(n, a, 1e10);
    dump("level", &of_level, sizeof of_level);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(N, 0);
    run(N - 3, -1);
    run(257, 5);
    run(1, 0);
    run(0, 0);
    return harness_end();
}
