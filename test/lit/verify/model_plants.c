// Each error in domains, accesses, order, run-time condition and context is
// seen.  In the first two functions the loops do not run for what is excluded,
// and of the third one there are steps for few runs, none of them with t = 1.
//
// REQUIRES: mutate
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -emit-llvm %s -o %t.ll
// RUN: %python %S/every_plant.py %plugin %t.ll \
// RUN:   "model of these loops differs" \
// RUN:   larger,smaller,subscript,order,condition,context 47 \
// RUN:   --harmless product:condition:1,triangle:condition:1,sweeps:context:1 \
// RUN:   -gpu-promotion=off
#include <stddef.h>

void product(int n, int m, int k, float c[n][m], float a[n][k], float b[k][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = 0;
            for (int l = 0; l < k; l++)
                c[i][j] += a[i][l] * b[l][j];
        }
}

void triangle(size_t n, float *a)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            a[i * n + j] = a[i * n + j] * 2 + 1;
}

void sweeps(int t, float (*a)[3000], float (*b)[3000])
{
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < 2999; i++)
            for (int j = 1; j < 2999; j++)
                b[i][j] = a[i][j - 1] + a[i][j + 1];
        for (int i = 1; i < 2999; i++)
            for (int j = 1; j < 2999; j++)
                a[i][j] = b[i - 1][j] + b[i + 1][j];
    }
}

/* Rows of 300 elements: m must not be larger. */
void rows(int n, int m, float (*a)[300])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] += 1;
}

/* from - 4 must not wrap. */
void wraps(unsigned n, unsigned from, float *a)
{
    for (unsigned i = 0; i < n; i++)
        a[i + from - 4] = 1;
}
