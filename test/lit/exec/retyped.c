// Memory without a declared type is written as float, as int, and as float
// again: each store gives it the type, so that type-based aliasing must not
// reorder the loops.  Arrays of different types that overlap lead to the
// original loops; apart, the same code is offloaded.  Structures with pointers
// and an array of pointers to rows are offloaded as ever.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref apart
// RUN: %run_gpu %t.gpu apart 2>&1 | %FileCheck --check-prefix=APART %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref same
// RUN: %run_auto %t.gpu same 2>&1 | %FileCheck --check-prefix=SAME %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref shifted
// RUN: %run_auto %t.gpu shifted 2>&1 | %FileCheck --check-prefix=SAME %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// APART: polygpu: scop retype {{.*}} runs=1 declined=0 failed=0
// APART: polygpu: kernel {{.*}} launches=1
// SAME: polygpu: scop retype {{.*}} runs=0 declined=1 failed=0
// SAME: polygpu: kernel {{.*}} launches=0
// APART: polygpu: scop members {{.*}} runs=1 declined=0 failed=0
// APART: polygpu: kernel {{.*}} launches=1
// APART: polygpu: scop rows {{.*}} runs=1 declined=0 failed=0
// APART: polygpu: kernel {{.*}} launches=1
#include "exec.h"

#include <stdlib.h>
#include <string.h>

enum { N = 100 };

/* Float, int, float: what a holds in the end is what is seen. */
NOINLINE static void retype(float *a, int *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = (float)i * 0.5f;
    for (int i = 0; i < n; i++)
        b[i] = i * 3 + 1;
    for (int i = 0; i < n; i++)
        a[i] = (float)i * 0.25f + 1;
}

struct Fields {
    int n;
    double *p;
    float *q;
    const int *weights;
};

NOINLINE static void members(struct Fields *f)
{
    for (int i = 0; i < f->n; i++) {
        f->p[i] = f->q[i] * 2 + f->weights[i];
        f->q[i] += 1;
    }
}

/* The bound and the pointer are behind other pointers. */
NOINLINE static void rows(double **table, const int *bound)
{
    for (int i = 0; i < *bound; i++)
        table[1][i] = table[0][i] * 3 + 1;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    float *a = malloc(2 * (N + 1) * sizeof *a);
    poison(a, 2 * (N + 1) * sizeof *a);
    if (!strcmp(argv[1], "apart"))
        retype(a, (int *)(a + N), N);
    else if (!strcmp(argv[1], "same"))
        retype(a, (int *)a, N);
    else
        retype(a, (int *)(a + 1), N);
    dump("a", a, 2 * (N + 1) * sizeof *a);

    static double p[N], first[N], second[N];
    static float q[N];
    static int weights[N];
    double *table[] = {first, second};
    int bound = N;
    harness_fill(q, N, sizeof *q);
    harness_fill(first, N, sizeof *first);
    for (int i = 0; i < N; i++)
        weights[i] = (int)(harness_random() * 1000);
    poison(p, sizeof p);
    poison(second, sizeof second);
    members(&(struct Fields){N, p, q, weights});
    rows(table, &bound);
    dump("p", p, sizeof p);
    dump("q", q, sizeof q);
    dump("second", second, sizeof second);
    free(a);
    return harness_end();
}
