// The cost test measures the original loops of compiled code, whatever surrounds
// them; where it does not learn nobody is told of them.
//
// DEFINE: %{flags} = -O3 -mllvm -gpu-targets=emulated -I%source/include %s -Wl,--wrap=polygpu_loops_end
// RUN: %clang_gpu %{flags} -o %t
// RUN: env POLYGPU_DEVICE=emulated POLYGPU_COST=learn %t | %FileCheck %s
// CHECK: told of step, update, product
// RUN: env POLYGPU_DEVICE=emulated POLYGPU_COST=learn POLYGPU_PROFILE=lines %t 2>&1 \
// RUN:   | %FileCheck --check-prefix=LINES %s
// LINES-DAG: polygpu: learnt step {{.*}} operations={{[0-9]+}} side={{offload|original}} cpu_runs={{[1-9]}}
// LINES-DAG: polygpu: learnt update {{.*}} cpu_runs={{[1-9]}}
// LINES-DAG: polygpu: learnt product {{.*}} cpu_runs={{[1-9]}}
// LINES-DAG: polygpu: learnt in_gbs=
// RUN: env POLYGPU_DEVICE=emulated POLYGPU_COST=fixed %t | %FileCheck --check-prefix=NOBODY %s
// RUN: env POLYGPU_DEVICE=emulated POLYGPU_COST=fixed POLYGPU_PROFILE=lines %t 2>&1 \
// RUN:   | %FileCheck --check-prefix=NOBODY %s
// RUN: env POLYGPU_DEVICE=emulated %t | %FileCheck --check-prefix=NOBODY %s
// RUN: env POLYGPU=off POLYGPU_COST=learn %t | %FileCheck --check-prefix=NOBODY %s
// NOBODY-NOT: learnt
// NOBODY: told of nothing
// NOBODY-NOT: learnt
#include "polygpu/abi.h"

#include <stdio.h>
#include <string.h>

enum { N = 20000, M = 30 };
static double a[N], b[N], sum, x[M][M], y[M][M], z[M][M];
static const char *told[3];
static int n_told;

void __real_polygpu_loops_end(struct polygpu_scop *scop);
void __wrap_polygpu_loops_end(struct polygpu_scop *scop)
{
    int i = 0;
    while (i < n_told && strcmp(told[i], scop->function) != 0)
        i++;
    if (i == n_told)
        told[n_told++] = scop->function;
    __real_polygpu_loops_end(scop);
}

__attribute__((noinline)) static void step(int n)
{
    for (int i = 0; i < n; i++)
        b[i] = a[i] + 1;
}

/* Results stay, and a value lives on. */
__attribute__((noinline)) static double update(int steps, int n)
{
    double s = 0;
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] = a[i] + b[i];
        s = 0;
        for (int i = 0; i < n; i++)
            s += a[i];
        a[t] = 0;
    }
    return s;
}

__attribute__((noinline)) static void product(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            z[i][j] = 0;
            for (int k = 0; k < n; k++)
                z[i][j] += x[i][k] * y[k][j];
        }
}

int main(void)
{
    for (int t = 0; t < 3; t++) {
        step(N);
        sum += update(3, N);
        product(M);
    }
    printf("told of ");
    for (int i = 0; i < n_told; i++)
        printf("%s%s", i ? ", " : "", told[i]);
    printf("%s\n", n_told ? "" : "nothing");
    return !(sum > 0);
}
