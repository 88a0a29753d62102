// A condition on data around an update of an element and one of a result: of the
// elements, which may not be written, the update is none any more, of the result
// it is one, and the check of the plan by execution in small knows that.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop flags {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop sums {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel flags_{{.*}} launches=3
// CHECK-DAG: polygpu: kernel sums_{{.*}} launches=3
#include "exec.h"

enum { N = 3000 };

static int a[N], b[N], c[N];

NOINLINE static int flags(int n, int limit)
{
    int found = 0;

    for (int i = 0; i < n; i++)
        if (b[i] >= limit) {
            a[i] += b[i];
            found |= 4;
        }
    return found;
}

NOINLINE static int sums(int n, int limit)
{
    int all = 0;

    for (int i = 0; i < n; i++)
        if (b[i] >= limit) {
            c[i] += b[i];
            all += b[i] ^ i;
        }
    return all;
}

int main(int argc, char **argv)
{
    static const int sizes[] = {0, 77, N};
    int results[6];

    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        a[i] = (int)(harness_random() * 1e9);
        b[i] = (int)(harness_random() * 2000) - 1000;
        c[i] = a[i] ^ b[i];
    }
    for (int k = 0; k < 3; k++) {
        int limit = (int)(harness_random() * 1800) - 900;

        results[2 * k] = flags(sizes[k], limit);
        results[2 * k + 1] = sums(sizes[k], limit);
    }
    dump("a", a, sizeof a);
    dump("c", c, sizeof c);
    dump("results", results, sizeof results);
    return harness_end();
}
