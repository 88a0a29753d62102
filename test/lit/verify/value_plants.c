// Each error in the SCoP as it is handed over is seen by values: accesses,
// writes, operations and what is written.  Scalars are kept in elements of
// arrays, and operands computed where they are used.  The first store to "to"
// may be lost: it is overwritten.
//
// REQUIRES: mutate
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -emit-llvm %s -o %t.ll
// RUN: %python %S/every_plant.py %plugin %t.ll \
// RUN:   "model of these loops differs" element,lost,operation,stale \
// RUN:   %if all %{38%} %else %{19 --most 2%} --harmless factors:lost:1,results:lost:1 \
// RUN:   -gpu-promotion=off
// Without its first store "results" writes scalars only, and is refused for that.

/* The sum is kept in an element of c. */
void product(int n, int m, float c[n][m], float a[n][m], float b[m][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int l = 0; l < m; l++)
                sum += a[i][l] * b[l][j];
            c[i][j] = 2 * sum;
        }
}

/* The factor is computed again for each j; zeros are overwritten. */
void factors(int n, float (*restrict to)[300], float *restrict from)
{
    for (int i = 0; i < n; i++) {
        float factor = from[i] / 3;
        for (int j = 0; j < 300; j++) {
            to[i][j] = 0;
            to[i][j] = from[j] - factor;
        }
    }
}

/* Two values that live on, one of them after the loop around. */
double results(int n, double *restrict a, double *restrict b)
{
    double last = 1, largest = 0;
    for (int i = 0; i < n; i++)
        a[i] = b[i] * b[i + 1];
    last = a[n - 1];
    for (int i = 0; i < n; i++)
        b[i] = largest = a[i] - 1;
    return last + largest;
}
