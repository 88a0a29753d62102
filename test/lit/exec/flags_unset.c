// Flags that more is looked at for only while they are not set: what the loop
// reads then is under a condition on data, which each iteration has from the
// one before, and whether the flag is set once more is no matter.
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
// CHECK-DAG: polygpu: scop any {{.*}} runs=24 declined=0 failed=0
// CHECK-DAG: polygpu: scop fine {{.*}} runs=12 declined=0 failed=0
// CHECK-DAG: polygpu: scop number {{.*}} runs=12 declined=0 failed=0
// CHECK-DAG: polygpu: scop all_of {{.*}} runs=12 declined=0 failed=0
// CHECK-DAG: polygpu: scop several {{.*}} runs=12 declined=0 failed=0
// CHECK-DAG: polygpu: scop beside {{.*}} runs=12 declined=0 failed=0
// CHECK-DAG: polygpu: scop through_index {{.*}} runs=12 declined=0 failed=0
// CHECK-DAG: polygpu: kernel any_[[#]]_0 {{.*}} launches=12
// CHECK-DAG: polygpu: kernel fine_[[#]]_0 {{.*}} launches=12
// CHECK-DAG: polygpu: kernel number_[[#]]_0 {{.*}} launches=12
// CHECK-NOT: polygpu: scop counted
// CHECK-NOT: polygpu: scop stored
// CHECK-NOT: polygpu: scop first
#include "exec.h"

#include <stdbool.h>

enum { N = 3000 };

static float a[N], b[N], sum[N];
static int at[N];

APART bool any(int n, const float *a, float x)
{
    bool found = false;

    for (int i = 0; i < n; i++)
        if (!found && a[i] > x)
            found = true;
    return found;
}

APART bool fine(int n, const float *a, float x)
{
    bool ok = true;

    for (int i = 0; i < n; i++)
        ok = ok && a[i] < x;
    return ok;
}

// Numbers that are neither 0 nor 1, and a condition of several parts.
APART int number(int n, const float *a, const float *b, float x)
{
    int code = -3;

    for (int i = 0; i < n; i++)
        if (code == -3) {
            if (a[i] > x && (b[i] > x || b[i] < -x))
                code = 7;
        }
    return code;
}

APART int all_of(int n, const float *a, float x)
{
    int ok = 1;

    for (int i = 0; i < n; i++)
        if (ok && !(a[i] < x))
            ok = 0;
    return ok;
}

// Two flags, one of which skips some.
APART int several(int n, const float *a, const float *b, float x)
{
    int one = 0, two = 0;

    for (int i = 0; i < n; i++) {
        if (!one && a[i] > x)
            one = 1;
        if (i % 3 == 0)
            continue;
        two = two || b[i] > x;
    }
    return one + 2 * two;
}

// Other things that the loop does always.
APART int beside(int n, const float *a, float x, float *sum)
{
    int found = 0;

    for (int i = 0; i < n; i++) {
        sum[i] = a[i] * 2 + sum[i];
        if (!found && sum[i] > x)
            found = 5;
    }
    return found;
}

APART int through_index(int n, const float *a, const int *at, float x)
{
    int found = 0;

    for (int i = 0; i < n; i++)
        if (!found && a[at[i]] > x)
            found = 1;
    return found;
}

// What is counted is so until the flag is set: one after the other.
APART int counted(int n, const float *a, float x)
{
    int found = 0, count = 0;

    for (int i = 0; i < n; i++)
        if (!found) {
            count += 3;
            if (a[i] > x)
                found = 1;
        }
    return count;
}

APART int stored(int n, const float *a, float x, float *sum)
{
    int found = 0;

    for (int i = 0; i < n; i++)
        if (!found) {
            sum[i] = a[i];
            if (a[i] > x)
                found = 1;
        }
    return found;
}

APART int first(int n, const float *a, float x)
{
    int where = -1;

    for (int i = 0; i < n; i++)
        if (where < 0 && a[i] > x)
            where = i;
    return where;
}

static void start(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = (float)harness_random();
        b[i] = (float)harness_random();
        sum[i] = (float)harness_random();
        at[i] = (int)((harness_random() + 1.5) / 3 * N) % N;
    }
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 2, 131, N};
    // Soon, perhaps, and never.
    static const float limits[] = {0, 0.4999f, 100};
    int found[10];

    harness_start(argc, argv);
    for (int s = 0; s < 4; s++)
        for (int l = 0; l < 3; l++) {
            int n = sizes[s];
            float x = limits[l];

            start();
            found[0] = any(n, a, x);
            found[1] = fine(n, a, x);
            found[2] = number(n, a, b, x);
            found[3] = all_of(n, a, x);
            found[4] = several(n, a, b, x);
            found[5] = beside(n, a, x, sum);
            found[6] = through_index(n, a, at, x);
            found[7] = counted(n, a, x);
            found[8] = stored(n, b, x, sum);
            found[9] = first(n, a, x);
            dump("found", found, sizeof found);
            dump("sum", sum, sizeof sum);
            any(0, a, x);
        }
    return harness_end();
}
