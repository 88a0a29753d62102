// A result of a loop that there are two versions of, since its bound is read
// again in each iteration: behind the loop it is that of the version that ran.
// The code once was not valid.  (LULESH's regions.)
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Where the sums lie on the bound the loop runs as it was written.
// CHECK: polygpu: scop sums {{.*}} runs=2 declined=1 failed=0
#include "exec.h"

struct parts {
    int n, *sizes, *sums;
};

NOINLINE static int sums(const struct parts *p, double base, const double *w)
{
    int sum = 0;

    for (int i = 0; i < p->n; ++i) {
        p->sizes[i] = 0;
        sum += (int)(base * w[i]);
        p->sums[i] = sum;
    }
    // Read by a loop that stays.
    int at = 0;
    while (p->sums[at] < sum / 2)
        at++;
    return sum * 100 + at;
}

int main(int argc, char **argv)
{
    static double w[500];
    static int sizes[500], all[500];
    struct parts p = {500, sizes, all};
    int results[3];

    harness_start(argc, argv);
    harness_fill(w, 500, sizeof *w);
    for (int i = 0; i < 500; i++)
        w[i] = w[i] < 0 ? 1 - w[i] : 1 + w[i];
    results[0] = sums(&p, 10, w);
    p.n = 431;
    results[1] = sums(&p, 7.5, w);
    dump("sums", all, sizeof all);
    dump("sizes", sizes, sizeof sizes);
    // The first size that is set to 0 is the number of iterations.
    p.sizes = &p.n;
    p.n = 1;
    results[2] = sums(&p, 3, w);
    dump("results", results, sizeof results);
    dump("sums", all, sizeof all);
    return harness_end();
}
