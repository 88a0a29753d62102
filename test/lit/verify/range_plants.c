// What the run-time condition compares of arrays that may overlap has to hold
// all that is accessed of them.
//
// REQUIRES: mutate
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -emit-llvm %s -o %t.ll
// RUN: %python %S/every_plant.py %plugin %t.ll \
// RUN:   "model of these loops differs" range 6 -gpu-promotion=off

void forwards(int n, float *a, const float *b)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i + 3];
}

/* The first element is that of the last iteration. */
void backwards(int n, float *a, const float *b)
{
    for (int i = n; i > 0; i--)
        a[2 * i] = b[i];
}

void rows(int n, int m, float (*a)[100], const float *b)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j < m; j++)
            a[i][j] = b[j - i];
}
